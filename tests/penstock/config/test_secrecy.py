"""A secret in every place that may hold one, by reference and literally, shows up nowhere."""

import copy
import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from diagnosis import secrets
from penstock.config.errors import ConfigError
from penstock.config.load import LoadedConnector, load_with_origin

# One that needs encoding in an address, and one too short for the last net to know.
SECRETS = ["s3cr/et@w ord!", "q7#"]


def base() -> dict[str, Any]:
    return {
        "name": "shop",
        "source": {"dsn": "host=h", "tables": ["a.b"]},
        "kafka": {
            "brokers": "k:9092",
            "security": {
                "protocol": "sasl_ssl",
                "mechanism": "PLAIN",
                "username": "u",
                "password": "x-kafka",
                "certificate": "c",
                "key": "k",
            },
        },
        "registry": {"url": "https://r"},
        "stores": {
            "s": {"kind": "opensearch", "url": "https://o"},
            "q": {"kind": "sql", "url": "sqlite://"},
        },
    }


def places(secret: str) -> dict[str, tuple[tuple[str, ...], str]]:
    encoded = quote(secret, safe="")
    quoted = secret.replace("\\", "\\\\").replace("'", "\\'")
    return {
        "dsn as a URI": (("source", "dsn"), f"postgresql://u:{encoded}@h/d"),
        "dsn with keywords": (("source", "dsn"), f"host=h password='{quoted}'"),
        "dsn with a parameter": (("source", "dsn"), f"postgresql://h/d?password={encoded}"),
        "password of a key in the dsn": (("source", "dsn"), f"host=h sslpassword='{quoted}'"),
        "password of kafka": (("kafka", "security", "password"), secret),
        "password of a key": (("kafka", "security", "key_password"), secret),
        "registry as text": (("registry",), f"https://u:{encoded}@r"),
        "url of the registry": (("registry", "url"), f"https://u:{encoded}@r"),
        "token": (("registry", "token"), secret),
        "url of a store": (("stores", "s", "url"), f"https://u:{encoded}@o"),
        "url of a database": (("stores", "q", "url"), f"postgresql://u:{encoded}@h/d"),
        "parameter of a database": (
            ("stores", "q", "url"),
            f"mssql://h/d?odbc_connect={quote('PWD=' + secret)}",
        ),
    }


def put(data: dict[str, Any], place: tuple[str, ...], value: object) -> None:
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = value


def with_trouble(
    good: dict[str, Any], place: tuple[str, ...], value: str
) -> Iterator[dict[str, Any]]:
    """Give the file as it is, and with every kind of mistake around and at the secret."""

    def changed(where: tuple[str, ...], new: object) -> dict[str, Any]:
        data = copy.deepcopy(good)
        put(data, where, new)
        return data

    section, key = place[:-1], place[-1]
    yield good
    yield changed(("name",), 5)
    yield changed(("kafka", "format"), "arvo")
    yield changed(("kafka", "brokers"), value)  # the secret in a place that is shown
    yield changed(("kafka", "topic_prefix"), value + " ")
    yield changed(("source", "tables"), [value, value])
    yield changed((*section, key + "x"), value)  # misspelt
    yield changed((*section, f"{key}:{value}"), None)  # the blank behind the colon forgotten
    yield changed((*section, f"password:{value}"), "x")
    yield changed(("source", key), value) if section != ("source",) else changed((key,), value)
    yield changed(place, [value])
    yield changed(place, {value: None})
    yield changed(place, {"password": value})
    yield changed(place, value + "%zz")
    yield changed(place, " " + value)
    yield changed(place, value + "${")
    yield changed(place, "${" + value + "}")
    yield changed(place, value + "${NOPE}")
    yield changed(place, "${NOPE:-" + value + "}")
    yield changed(place, "x@" + value)
    yield changed(("stores", "t"), {"kind": value})
    yield changed(("registry",), value)


def outcome(path: Path, environ: dict[str, str]) -> LoadedConnector | ConfigError:
    try:
        return load_with_origin(path, environ)
    except ConfigError as error:
        return error


def texts(path: Path, environ: dict[str, str]) -> Iterator[str]:
    """Load, and give every text that could reach a person or a log."""
    match outcome(path, environ):
        case LoadedConnector(connector=connector) as loaded:
            yield repr(loaded)
            yield str(connector)
            yield repr(connector.model_dump())
            yield connector.model_dump_json()
        case error:
            assert error.__context__ is None, "the error of a library may hold the input"
            yield str(error)
            yield repr(error)
            yield str(error.fix)
            yield from (repr(problem) for problem in error.problems)
            yield "".join(traceback.format_exception(error))


def assert_hidden(secret: str, path: Path, environ: dict[str, str]) -> None:
    for text in texts(path, environ):
        for spelling in (secret, quote(secret, safe=""), repr(secret)[1:-1], quote(secret)):
            assert spelling not in text


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("place", places("x"))
def test_a_secret_in_the_file_shows_up_nowhere(place: str, secret: str, tmp_path: Path) -> None:
    where, value = places(secret)[place]
    good = base()
    if where == ("registry",):
        good["registry"] = value
    put(good, where, value)
    path = tmp_path / "shop.yaml"
    for number, data in enumerate(with_trouble(good, where, value)):
        # JSON is YAML, and quotes everything.
        path.write_text(json.dumps(data, ensure_ascii=False))
        if number == 0:
            assert load_with_origin(path, {}).origin.literal_secrets
        assert_hidden(secret, path, {})


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("place", places("x"))
def test_a_secret_in_a_variable_shows_up_nowhere(place: str, secret: str, tmp_path: Path) -> None:
    where, value = places(secret)[place]
    good = base()
    put(good, where, "${HIDDEN}")
    path = tmp_path / "shop.yaml"
    for broken in ("", " ", "@", "%zz"):
        for data in with_trouble(good, where, "${HIDDEN}"):
            path.write_text(json.dumps(data, ensure_ascii=False))
            assert_hidden(secret, path, {"HIDDEN": value + broken})


@pytest.mark.parametrize(
    "line",
    [
        "password: *%s",
        "password: &%s",
        "password: !%s x",
        "password: !%s! x",
        "password: !<%s",
        "password: %%%s",
        "password: @%s",
        "password: `%s",
        "password: '%s",
        'password: "\\%s"',
        "password: {%s}",
        "password: {%s, %s}",
        "password: {{ %s }}",
        "password: [%s",
        "password: x: %s",
        "password:%s",
        "password %s",
        "password: |%s",
        "- %s",
        "password: x\n  password: %s",
        "password: %s\0",
    ],
)
def test_a_password_that_breaks_the_yaml_shows_up_nowhere(line: str, tmp_path: Path) -> None:
    secret = "hunter2-and-more"
    text = line.replace("%%", "\1").replace("%s", secret).replace("\1", "%")
    path = tmp_path / "shop.yaml"
    path.write_text(f"name: shop\nkafka:\n  {text}\n")
    assert_hidden(secret, path, {})
    path.write_text(f"name: shop\nkafka: {{ {text} }}\n")
    assert_hidden(secret, path, {})


def test_a_number_as_password_is_hidden_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text("name: 01234567\nkafka: {security: {password: 01234567}}\n")
    with pytest.raises(ConfigError, match="put it in quotes"):
        load_with_origin(path, {})
    assert secrets.redact("x 01234567 y") == "x *** y"


def test_after_loading_no_library_can_show_a_secret_either(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    data = base()
    data["source"]["dsn"] = "${DSN}"
    data["stores"]["s"]["url"] = "https://u:open%2Dsesame@o"
    path.write_text(json.dumps(data))
    load_with_origin(path, {"DSN": "postgresql://u:p%40ss%77ord@h/d"})
    said = "tried p%40ss%77ord, then p@ssword, then open%2Dsesame, then open-sesame, x-kafka"
    assert secrets.redact(said) == "tried ***, then ***, then ***, then ***, ***"


def test_a_key_may_be_shown_when_a_reference_is_named(tmp_path: Path) -> None:
    """The opposite mistake: hiding so much that nobody can mend the file."""
    path = tmp_path / "shop.yaml"
    data = base()
    data["kafka"]["security"]["password"] = "${KAFKA_PASSWORD}"
    data["source"]["dsn"] = "${DSN}"
    path.write_text(json.dumps(data, indent=1))
    with pytest.raises(ConfigError) as caught:
        load_with_origin(path, {"DSN": "hunter2"})
    assert "kafka.security.password: the variable KAFKA_PASSWORD is not set" in str(caught.value)
    with pytest.raises(ConfigError) as caught:
        load_with_origin(path, {"DSN": "hunter2", "KAFKA_PASSWORD": "x"})
    assert "source.dsn: is not a libpq connection string" in str(caught.value)
    assert "(from ${DSN})" in str(caught.value)
