"""Getting in, and what is said when that fails."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from capture import source_errors
from capture.source import PINNED, Source, connect
from capture.source_errors import SourceError
from diagnosis.errors import Area
from diagnosis.secrets import Secret
from tests.capture.lab import Lab

PASSWORD = "Xy7-never-shown"


def source_at(dsn: str) -> Source:
    return Source("shop", Secret(dsn), ("public.t",), "shop", "shop", 1024**3)


def refused(source: Source) -> SourceError:
    with pytest.raises(SourceError) as caught, connect(source):
        pass
    error = caught.value
    assert error.area is Area.SOURCE
    assert error.fix
    password = conninfo_to_dict(source.dsn.reveal()).get("password")
    for text in (str(error), error.cause or "", error.fix, str(error.finding())):
        assert PASSWORD not in text
        assert password is None or str(password) not in text
    return error


def with_other(lab: Lab, **changes: str) -> Source:
    return replace(lab.source, dsn=Secret(make_conninfo(lab.source.dsn.reveal(), **changes)))


def test_settings_of_role_and_database_change_nothing(either: Lab) -> None:
    role, database = either.role, conninfo_to_dict(either.dsn)["dbname"]
    settings = {
        "DateStyle": "'SQL, DMY'",
        "IntervalStyle": "sql_standard",
        "TimeZone": "'Asia/Kathmandu'",
        "bytea_output": "escape",
        "extra_float_digits": "-10",
        "search_path": "evil",
        "statement_timeout": "1",
        "lock_timeout": "1",
        "row_security": "on",
        "default_transaction_isolation": "serializable",
        "default_transaction_read_only": "off",
        "client_encoding": "LATIN1",
        "quote_all_identifiers": "on",
        "role": "pg_monitor",
    }
    either.run(f"GRANT pg_monitor TO {role}")
    for name, value in settings.items():
        either.run(f"ALTER ROLE {role} SET {name} = {value}")
        if name != "role":
            either.run(f"ALTER DATABASE {database} SET {name} = {value}")
    # Functions and operators of the same names, where an open search_path would find them.
    either.run(
        "CREATE SCHEMA evil",
        "CREATE FUNCTION evil.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS 'SELECT true'",
        "CREATE TABLE public.t (id int PRIMARY KEY)",
    )
    either.grant("public.t")

    with connect(either.source) as connection:
        shown = {
            name: connection.execute("SELECT current_setting(%s)", [name]).fetchall()[0][0]
            for name in (*PINNED, "client_encoding", "default_transaction_read_only")
        }
        (row,) = connection.execute(
            "SELECT current_user::text, '2024-02-03'::date::text, '1 day 02:00'::interval::text,"
            " '\\x00ff'::bytea::text, 0.1::float8::text, now()::text LIKE '%+00'"
        )
    assert shown == {
        **PINNED,
        "DateStyle": "ISO, YMD",
        "client_encoding": "UTF8",
        "default_transaction_read_only": "on",
    }
    assert row == (role, "2024-02-03", "1 day 02:00:00", "\\x00ff", "0.1", True)
    assert not [f for f in either.inspect("public.t") if f.severity]


def test_options_of_the_dsn_are_kept_under_ours(lab: Lab) -> None:
    source = with_other(lab, options="-c work_mem=1234kB -c DateStyle=German")
    with connect(source) as connection:
        query = "SELECT current_setting('work_mem'), current_setting('DateStyle')"
        assert connection.execute(query).fetchall() == [("1234kB", "ISO, YMD")]


def test_the_connection_cannot_write_and_names_its_connector(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int)", f"GRANT ALL ON public.t TO {lab.role}")
    with connect(lab.source) as connection:
        name = connection.execute("SELECT current_setting('application_name')").fetchall()
        assert name == [("penstock shop",)]
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            connection.execute("INSERT INTO public.t VALUES (1)")


def test_a_login_trigger_that_writes_does_not_keep_us_out(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.logins (who text)",
        "GRANT INSERT ON public.logins TO PUBLIC",
        "CREATE FUNCTION public.note_login() RETURNS event_trigger LANGUAGE plpgsql AS "
        "'BEGIN INSERT INTO public.logins VALUES (session_user); END'",
        "CREATE EVENT TRIGGER note_login ON login EXECUTE FUNCTION public.note_login()",
    )
    with connect(lab.source):
        pass
    assert (lab.role,) in lab.admin.execute("SELECT who FROM public.logins").fetchall()


def test_a_policy_raises_instead_of_hiding_rows(lab: Lab) -> None:
    lab.run(
        "CREATE TABLE public.t (id int)",
        "ALTER TABLE public.t ENABLE ROW LEVEL SECURITY",
        f"GRANT SELECT ON public.t TO {lab.role}",
    )
    with pytest.raises(SourceError, match="PEN-209"), connect(lab.source) as connection:
        connection.execute("SELECT * FROM public.t")


def test_a_locked_table_is_reported_as_busy(lab: Lab) -> None:
    lab.run("CREATE TABLE public.t (id int)", f"GRANT SELECT ON public.t TO {lab.role}")

    def read() -> None:
        with connect(lab.source) as connection:
            connection.execute("SET lock_timeout = '50ms'")
            connection.execute("SELECT * FROM public.t")

    with lab.admin.transaction():
        lab.run("LOCK TABLE public.t")
        with pytest.raises(source_errors.SourceBusy) as caught:
            read()
    assert (caught.value.code, caught.value.retryable) == ("PEN-213", True)


def test_a_closed_port_is_named_with_its_host() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = refused(source_at(f"postgresql://u:{PASSWORD}@127.0.0.1:{port}/d"))
    assert isinstance(error, source_errors.SourceUnreachable)
    assert error.code == "PEN-200"
    assert f"127.0.0.1:{port}" in str(error)


def test_an_unknown_host_is_named() -> None:
    error = refused(source_at(f"postgresql://u:{PASSWORD}@no-such-host.invalid:5432/d"))
    assert (error.code, "no-such-host.invalid:5432" in str(error)) == ("PEN-201", True)


def test_a_wrong_password_is_told_apart_from_the_rest(lab: Lab) -> None:
    error = refused(with_other(lab, password=PASSWORD))
    assert (error.code, error.retryable) == ("PEN-202", False)
    assert lab.role in str(error)
    assert refused(with_other(lab, user="nobody-here")).code == "PEN-202"


def test_a_missing_database_is_named(lab: Lab) -> None:
    error = refused(with_other(lab, dbname="No such"))
    assert (error.code, "'No such'" in str(error)) == ("PEN-204", True)


def test_a_missing_connect_grant_comes_with_its_statement(either: Lab) -> None:
    database = conninfo_to_dict(either.dsn)["dbname"]
    either.run(f"REVOKE CONNECT ON DATABASE {database} FROM PUBLIC")
    error = refused(either.source)
    assert error.code == "PEN-205"
    assert error.sql == (f'GRANT CONNECT ON DATABASE "{database}" TO "{either.role}"',)
    either.run(*error.sql)
    with connect(either.source):
        pass


def test_a_role_that_may_not_log_in_comes_with_its_statement(lab: Lab) -> None:
    lab.run(f"ALTER ROLE {lab.role} NOLOGIN")
    error = refused(lab.source)
    assert error.code == "PEN-211"
    lab.run(*error.sql)
    with connect(lab.source):
        pass


def test_a_role_at_its_limit_has_too_many_connections(lab: Lab) -> None:
    lab.run(f"ALTER ROLE {lab.role} CONNECTION LIMIT 0")
    error = refused(lab.source)
    assert (error.code, error.retryable) == ("PEN-206", True)


@pytest.mark.parametrize("mode", ["require", "verify-ca", "verify-full"])
def test_a_server_without_tls_is_refused_when_the_dsn_demands_it(lab: Lab, mode: str) -> None:
    assert refused(with_other(lab, sslmode=mode)).code == "PEN-207"


@contextlib.contextmanager
def answering(reply: bytes | None) -> Iterator[int]:
    """A port that sends these bytes to whoever says something, or stays silent."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    held.append(client)
                    client.recv(4096)
                    if reply is not None:
                        client.sendall(reply)
                        client.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for client in held:
                with contextlib.suppress(OSError):
                    client.shutdown(socket.SHUT_RDWR)
            thread.join()
            for client in held:
                client.close()


def error_response(state: str, text: str) -> bytes:
    fields = f"SFATAL\0VFATAL\0C{state}\0M{text}\0\0".encode()
    return b"E" + (len(fields) + 4).to_bytes(4, "big") + fields


@pytest.mark.parametrize(
    ("state", "text", "code"),
    [
        ("57P03", "the database system is starting up", "PEN-208"),
        ("57P03", "the database system is shutting down", "PEN-208"),
        ("53300", "sorry, too many clients already", "PEN-206"),
        ("53300", "remaining connection slots are reserved for roles with", "PEN-206"),
        ("28000", 'no pg_hba.conf entry for host "10.0.0.1", SSL off', "PEN-212"),
        ("XX000", "tout va mal", "PEN-209"),
    ],
)
def test_what_a_server_says_at_the_door_has_its_code(state: str, text: str, code: str) -> None:
    with answering(error_response(state, text)) as port:
        dsn = f"host=127.0.0.1 port={port} user=u password={PASSWORD} dbname=d sslmode=disable"
        error = refused(source_at(dsn))
    assert error.code == code
    assert text in (error.cause or "")


def test_a_silent_port_ends_with_the_time_limit_of_the_dsn() -> None:
    with answering(None) as port:
        dsn = f"host=127.0.0.1 port={port} user=u dbname=d sslmode=disable connect_timeout=2"
        assert refused(source_at(dsn)).code == "PEN-200"


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://u:hun@ter2@127.0.0.1/d",
        "postgresql://u:hun/ter2@127.0.0.1/d",
        "postgresql://u:12/ter2@127.0.0.1/d",
        "postgresql://u:hun%ter2@127.0.0.1/d",
        "hun ter2",
        "host=127.0.0.1 password='hun ter2",
        "host=127.0.0.1 port=ter2",
        "host=127.0.0.1 nonsense=ter2",
    ],
)
def test_a_dsn_that_cannot_be_read_is_never_repeated(dsn: str) -> None:
    with pytest.raises(SourceError) as caught, connect(source_at(dsn)):
        pass
    assert caught.value.code == "PEN-210"
    shown = f"{caught.value} {caught.value.cause} {caught.value.fix} {caught.value.__cause__!r}"
    assert "ter2" not in shown
    assert "hun" not in shown


def test_an_at_sign_in_a_parameter_of_the_url_is_no_mistake(lab: Lab) -> None:
    given = conninfo_to_dict(lab.source.dsn.reveal())
    url = (
        f"postgresql://{given['user']}:{given['password']}@{given['host']}:{given['port']}"
        f"/{given['dbname']}?application_name=me@home/now"
    )
    with connect(replace(lab.source, dsn=Secret(url))):
        pass
