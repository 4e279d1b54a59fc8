import base64
import uuid
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from penstock.embedded.kafka import KafkaServer, cluster_id

# Its spelling begins with a dash, as one in 64 does.
LIKE_AN_OPTION = uuid.UUID(bytes=b"\xf8" + bytes(15))


def test_a_cluster_starts_whatever_id_is_drawn(
    server_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uuid, "uuid4", lambda: LIKE_AN_OPTION)
    with KafkaServer(server_folder / "dashed") as kafka:
        assert kafka.running()


@given(st.uuids())
@example(LIKE_AN_OPTION)
def test_an_id_is_16_bytes_and_no_option(drawn: uuid.UUID) -> None:
    text = cluster_id(drawn)
    assert not text.startswith("-")
    assert len(base64.urlsafe_b64decode(text + "==")) == 16
