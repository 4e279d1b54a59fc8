"""Fixtures by concern: each module under tests/fixtures holds one."""

pytest_plugins = [
    "tests.fixtures.commands",
    "tests.fixtures.servers",
    "tests.fixtures.shops",
]
