"""The server: its version, whether it is a primary, and what it has left for us."""

from typing import Final

from capture.facts import Server
from capture.preflight.observed import Observed
from capture.preflight.report import error, good, note, restart_for, set_on_server, warning
from diagnosis.findings import Finding

# Column lists, row filters and the catalogs that tell of them came with 15.
OLDEST: Final = 15
TESTED: Final = (16, 18)

# Room for us and for whoever comes next; the setting costs next to nothing.
SPARE: Final = 5


def check_version(server: Server) -> Finding:
    """Refuse a server whose catalogs we cannot read; name one we do not test."""
    has = f"PostgreSQL {server.version_text}"
    if server.major < OLDEST:
        fix = f"upgrade the server to PostgreSQL {OLDEST} or newer"
        return error("PEN-220", "server", f"{has} is older than {OLDEST}", fix=fix)
    if server.major not in TESTED:
        tested = " and ".join(map(str, TESTED))
        return note("PEN-221", "server", f"{has}: tests run against {tested}, this one should work")
    return good("server", has)


def check_primary(server: Server) -> Finding:
    """Refuse a standby: watermarks and heartbeats are written into the log."""
    if server.in_recovery:
        return error(
            "PEN-222",
            "server",
            "the server is a standby, and our messages must be written into the log",
            fix="name the primary in source.dsn (several hosts: target_session_attrs=read-write)",
        )
    return good("server", "is a primary")


def check_encoding(server: Server) -> Finding:
    """Warn of a database that does not know what its bytes mean."""
    encoding = server.settings["server_encoding"].value
    if encoding == "SQL_ASCII":
        return warning(
            "PEN-226",
            "server_encoding",
            "SQL_ASCII stores any bytes as text, and text that is not UTF-8 stops its table",
            fix="move the database to one with ENCODING 'UTF8' if it holds more than ASCII",
        )
    return good("server_encoding", encoding)


def check_wal_level(server: Server) -> Finding:
    """Without the logical level the log lacks what decoding needs."""
    setting = server.settings["wal_level"]
    if setting.value == "logical":
        return good("wal_level", "logical")
    return error(
        "PEN-223",
        "wal_level",
        f"is {setting.value}, and changes can only be read from a log of level logical",
        fix=restart_for(setting, "logical"),
        sql=set_on_server(setting, "logical"),
    )


def check_slots_left(seen: Observed) -> Finding:
    """A slot is needed unless ours exists."""
    setting, used = seen.server.settings["max_replication_slots"], len(seen.slots)
    most = int(setting.value)
    if seen.slot is not None or used < most:
        return good("max_replication_slots", f"{used} of {most} in use")
    wanted = str(used + SPARE)
    return error(
        "PEN-224",
        "max_replication_slots",
        f"all {most} replication slots are taken",
        fix=f"{restart_for(setting, wanted)}; or drop a slot that nobody needs any more",
        sql=set_on_server(setting, wanted),
    )


def check_senders_left(seen: Observed) -> Finding:
    """A sender is needed unless our daemon has one already."""
    setting, used = seen.server.settings["max_wal_senders"], seen.server.senders_in_use
    most = int(setting.value)
    if seen.running or used < most:
        return good("max_wal_senders", f"{used} of {most} in use")
    wanted = str(used + SPARE)
    return error(
        "PEN-225",
        "max_wal_senders",
        f"all {most} WAL senders are taken",
        fix=restart_for(setting, wanted),
        sql=set_on_server(setting, wanted),
    )
