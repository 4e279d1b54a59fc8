"""What all commands have in common."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from diagnosis.secrets import conceal
from penstock.cli import main as cli
from penstock.cli.explain import UnknownCode
from penstock.cli.output import screen
from tests.fixtures.commands import Penstock


def test_help_names_every_command_and_exit_code(penstock: Penstock) -> None:
    shown = penstock("--help")
    assert shown.returncode == 0
    for word in ("init", "check", "schema", "explain", "dev", "Exit codes"):
        assert word in shown.stdout


def test_the_version_is_printed(penstock: Penstock) -> None:
    assert penstock("--version").stdout.startswith("penstock ")


def test_wrong_words_are_errors_of_usage(penstock: Penstock) -> None:
    for words in (["chekc"], ["check"], ["check", "--jsn", "x"], ["dev", "upp"]):
        ran = penstock(*words)
        assert ran.returncode == 2
        assert ran.stdout == ""
        assert "Traceback" not in ran.stderr


def test_the_schema_is_a_schema(penstock: Penstock) -> None:
    shown = penstock("schema")
    assert shown.returncode == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(shown.stdout))


def test_a_code_is_explained(penstock: Penstock) -> None:
    shown = penstock("explain", "pen-223")
    assert shown.returncode == 0
    assert "wal_level" in shown.stdout
    wrong = penstock("explain", "PEN223")
    assert wrong.returncode == 2
    assert "did you mean PEN-223?" in wrong.stderr


def test_every_shell_gets_completion(penstock: Penstock) -> None:
    for shell in ("bash", "zsh", "fish"):
        shown = penstock(
            "--show-completion", shell, env={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
        )
        assert shown.returncode == 0, shown.stderr
        assert "penstock" in shown.stdout.lower()


@pytest.mark.parametrize("no_color", ["", "1"])
def test_colours_are_for_terminals_without_no_color(no_color: str, tmp_path: Path) -> None:
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": no_color}
    if not no_color:
        del environment["NO_COLOR"]
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "penstock.cli.main", "check", "nothing.yaml"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=theirs,
        check=False,
    )
    os.close(theirs)
    shown = os.read(ours, 65536)
    os.close(ours)
    assert b"does not exist" in shown
    assert (b"\x1b[1;31m" in shown) is not bool(no_color)


def test_a_bug_shows_no_traceback_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken() -> None:
        raise RuntimeError("connecting to postgresql://app:hunter2@db failed")

    monkeypatch.setattr(cli, "app", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(screen, "json", False)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert said.out == ""
    assert "PEN-999" in said.err
    assert "Traceback" not in said.err
    (report,) = tmp_path.iterdir()
    assert "Traceback" in report.read_text()
    assert "hunter2" not in said.err + report.read_text()


@pytest.mark.parametrize("words", [["schema"], ["explain", "PEN-223"]])
def test_a_reader_that_goes_away_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-m", "penstock.cli.main", *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert ran.stderr == ""
    assert ran.returncode == 0


def test_an_error_in_json_hides_secrets_and_stays_json(capsys: pytest.CaptureFixture[str]) -> None:
    secret = 'quo"te\\slash'
    conceal(secret)
    screen.json = True
    try:
        screen.error(UnknownCode(f'password="hunter2" and {secret}', []))
    finally:
        screen.json = False
    said = capsys.readouterr().err
    message = json.loads(said)["error"]["message"]
    assert "hunter2" not in message
    assert secret not in message


def test_an_error_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    screen.error(UnknownCode("shop.yaml:100: [/b] [red]x \x1b[31m", []))
    said = capsys.readouterr().err
    assert "shop.yaml:100: [/b] [red]x" in said
    assert "\x1b[31m" not in said
