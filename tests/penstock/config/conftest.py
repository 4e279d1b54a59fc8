"""What every test of connector files needs."""

import pytest

from diagnosis import secrets


@pytest.fixture(autouse=True)
def only_secrets_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test hides must not help, nor hurt, the next: secrets are known process-wide."""
    monkeypatch.setattr(secrets, "_known", set())
