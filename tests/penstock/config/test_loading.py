"""The file as a whole: reading it, and knowing where its values stand."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.config.errors import UnreadableFile
from penstock.config.load import load, load_with_origin
from penstock.config.origin import LiteralSecret
from tests.penstock.config.files import ENVIRON, EXAMPLE, SMALL, open_text


def unreadable(path: Path) -> str:
    with pytest.raises(UnreadableFile) as caught:
        load(path)
    assert caught.value.code == "PEN-101"
    assert caught.value.area.label == "config"
    return caught.value.message


def test_a_file_that_is_not_there_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(SMALL)
    said = unreadable(tmp_path / "shopp.yml")
    assert said == (
        f"{tmp_path}/shopp.yml: the file does not exist; did you mean {tmp_path}/shop.yaml?"
    )
    assert unreadable(tmp_path / "zzz.yaml") == f"{tmp_path}/zzz.yaml: the file does not exist"
    assert unreadable(tmp_path / "no" / "x") == f"{tmp_path}/no/x: the file does not exist"


def test_a_folder_and_a_path_that_is_none_are_named(tmp_path: Path) -> None:
    assert "this is a folder" in unreadable(tmp_path)
    assert "can't be read: not a path" in unreadable(tmp_path / "a\0b")
    assert "a\\x1bb: the file does not exist" in unreadable(tmp_path / "a\x1bb")
    assert "File name too long" in unreadable(tmp_path / ("x" * 300))


STEPPED_DOWN = """
import os, sys
from pathlib import Path
from penstock.config.errors import UnreadableFile
from penstock.config.load import load
os.chdir(sys.argv[1])
if os.getuid() == 0:
    os.setuid(65534)
try:
    load(Path("shop.yaml"))
except UnreadableFile as error:
    sys.stdout.write(error.message)
"""


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    """In a process of its own: root may read everything, and has to step down first."""
    (tmp_path / "shop.yaml").write_text(SMALL)
    (tmp_path / "shop.yaml").chmod(0)
    tmp_path.chmod(0o755)
    command = [sys.executable, "-c", STEPPED_DOWN, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "shop.yaml: the file can't be read: Permission denied"


def test_the_environment_of_the_process_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop.yaml").write_text(EXAMPLE)
    for name, value in ENVIRON.items():
        monkeypatch.setenv(name, value)
    assert load(tmp_path / "shop.yaml").name == "shop"


def test_a_file_from_a_pipe_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, SMALL.encode())
    os.close(writing)
    assert load(Path(f"/dev/fd/{reading}")).name == "shop"
    os.close(reading)


def test_the_origin_knows_the_line_of_a_key_or_of_the_section_that_lacks_it(tmp_path: Path) -> None:
    origin = open_text(tmp_path, EXAMPLE).origin
    file = tmp_path / "shop.yaml"
    assert origin.lines["source.tables"] == 4
    assert origin.at("source.tables[1]") == f"{file}:4"
    assert origin.at("stores.copy.url") == f"{file}:11"
    assert origin.at("kafka.security.protocol") == f"{file}:6"
    assert origin.at("nowhere") == str(file)


SECURITY = "  security: {protocol: sasl_ssl, mechanism: PLAIN, username: u, password: %s}\n"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("name", "name", None),
        ("host=db", "password=pw host=db", ("source.dsn", 3)),
        ("host=db", "password=${PW} host=${PW}", None),
        ("host=db.example.com dbname=shop", "${DSN}", None),
        ("host=db.example.com dbname=shop", "${DSN}?sslmode=require", None),
        ("host=db.example.com dbname=shop", "postgresql://u:${PW}@${PW}:5432/d", None),
        ("host=db.example.com dbname=shop", "postgresql://u:pw@${PW}:${PORT}/d", ("source.dsn", 3)),
        ("host=db.example.com dbname=shop", "postgresql://u:${PW:-pw}@h/d", ("source.dsn", 3)),
        ("host=db.example.com dbname=shop", "postgresql://u:a${PW}@h/d", ("source.dsn", 3)),
        ("host=db.example.com dbname=shop", "postgresql://h/d?password=pw", ("source.dsn", 3)),
        ("kafka:9092\n", "kafka:9092\n" + SECURITY % "pw", ("kafka.security.password", 7)),
        ("kafka:9092\n", "kafka:9092\n" + SECURITY % "'${PW}'", None),
        ("kafka:9092\n", "kafka:9092\n" + SECURITY % "'${XX:-pw}'", ("kafka.security.password", 7)),
        ("kafka:9092\n", "kafka:9092\nregistry: http://u:pw@r\n", ("registry", 7)),
        ("kafka:9092\n", "kafka:9092\nregistry: http://u:${PW}@r\n", None),
        ("kafka:9092\n", "kafka:9092\nregistry: http://r:8081\n", None),
        (
            "kafka:9092\n",
            "kafka:9092\nregistry: {url: 'http://r', token: pw}\n",
            ("registry.token", 7),
        ),
    ],
)
def test_secrets_that_stand_in_the_file_itself_are_told(
    old: str, new: str, found: tuple[str, int] | None, tmp_path: Path
) -> None:
    environ = {"PW": "pw", "PORT": "5432", "DSN": "postgresql://u:pw@h/d"}
    path = tmp_path / "shop.yaml"
    path.write_text(SMALL.replace(old, new, 1))
    told = load_with_origin(path, environ).origin.literal_secrets
    assert told == ((LiteralSecret(*found),) if found else ())
