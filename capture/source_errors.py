"""Why the source cannot be used: a code each, the facts, and what to do next.

libpq gives no SQLSTATE when a connection does not come about, only text. The
text is matched here, in one place; what is not recognised keeps its own words.
"""

from dataclasses import asdict, dataclass
from typing import ClassVar, Final

import psycopg

from capture.statements import named, statement
from diagnosis.errors import Area, PenstockError
from diagnosis.findings import Finding, Severity
from diagnosis.secrets import redact


@dataclass(frozen=True, slots=True)
class Address:
    """Where a connection was meant to lead, without the password."""

    server: str  # host:port, or the folder of a socket
    user: str
    database: str


class SourceError(PenstockError):
    """The source cannot be used as it is; ``sql`` mends it, where statements do."""

    area = Area.SOURCE
    sql: tuple[str, ...] = ()

    def finding(self) -> Finding:
        """Say the same as a row of a preflight's table."""
        fact = f"{self.message}: {self.cause}" if self.cause else self.message
        return Finding(self.code, Severity.ERROR, self.area, "source", fact, self.fix, self.sql)


class ConnectFailed(SourceError):
    """No connection came about; subclasses know why.

    ``facts`` and ``advice`` are filled with the fields of the address.
    """

    code, retryable = "PEN-209", True
    facts: ClassVar[str] = "the connection to {server} failed"
    advice: ClassVar[str] = "look at the log of the server at {server}"

    def __init__(self, address: Address, said: str) -> None:
        fields = asdict(address)
        super().__init__(
            self.facts.format_map(fields), cause=said, fix=self.advice.format_map(fields)
        )
        self.address = address
        self.sql = self.mend(address)

    def mend(self, address: Address) -> tuple[str, ...]:  # noqa: ARG002
        """Give the statements that mend it, if any do."""
        return ()


class SourceUnreachable(ConnectFailed):
    """Nobody answers at the address."""

    code, retryable = "PEN-200", True
    facts = "no Postgres answers at {server}"
    advice = (
        "check host and port of source.dsn, that the server runs, and that no firewall "
        "lies between this machine and {server}"
    )


class HostUnknown(ConnectFailed):
    """The host name has no address."""

    code, retryable = "PEN-201", True
    facts = "the host name of {server} cannot be resolved"
    advice = "check the host of source.dsn, and the name service of this machine"


class AuthenticationFailed(ConnectFailed):
    """The server does not accept who we say we are."""

    code, retryable = "PEN-202", False
    facts = "the server at {server} does not let user {user!r} in"
    advice = "check user and password of source.dsn; `psql` with the same DSN must get in"


class DatabaseMissing(ConnectFailed):
    """The database does not exist, or takes no connections."""

    code, retryable = "PEN-204", False
    facts = "the server at {server} has no database {database!r} for us"
    advice = "check the database's name in source.dsn (case counts)"


class ConnectNotGranted(ConnectFailed):
    """The role lacks CONNECT on the database."""

    code, retryable = "PEN-205", False
    facts = "role {user!r} lacks CONNECT on database {database!r}"
    advice = "have a DBA grant it"

    def mend(self, address: Address) -> tuple[str, ...]:
        """Give the grant."""
        return (
            statement(
                "GRANT CONNECT ON DATABASE {database} TO {role}",
                database=named(address.database),
                role=named(address.user),
            ),
        )


class TooManyConnections(ConnectFailed):
    """Server, role or database have no connection left."""

    code, retryable = "PEN-206", True
    facts = "the server at {server} has no connection left for {user!r}"
    advice = "close idle connections, or raise the limit that the cause names"


class TlsRefused(ConnectFailed):
    """Encryption as the DSN demands it did not come about, so nothing was sent."""

    code, retryable = "PEN-207", False
    facts = "no TLS connection to {server} as source.dsn demands it"
    advice = (
        "check ssl on the server, and sslrootcert and the host name in source.dsn; "
        "do not lower sslmode"
    )


class SourceNotReady(ConnectFailed):
    """The server is there and takes no queries at the moment."""

    code, retryable = "PEN-208", True
    facts = "the server at {server} takes no connections now"
    advice = "wait until it has started, then try again"


class LoginNotAllowed(ConnectFailed):
    """The role exists and may not log in."""

    code, retryable = "PEN-211", False
    facts = "role {user!r} may not log in"
    advice = "have a DBA allow it, or name another role in source.dsn"

    def mend(self, address: Address) -> tuple[str, ...]:
        """Give the statement."""
        return (statement("ALTER ROLE {role} LOGIN", role=named(address.user)),)


class HostRefused(ConnectFailed):
    """pg_hba.conf has no line for us, or one that rejects us."""

    code, retryable = "PEN-212", False
    facts = (
        "pg_hba.conf of {server} refuses user {user!r} on database {database!r} from this machine"
    )
    advice = "add a line for database, user and this machine's address to pg_hba.conf, and reload"


class ReplicationRefused(ConnectFailed):
    """A plain connection works, one that reads the log does not."""

    code, retryable = "PEN-232", False
    facts = "no replication connection to {server} as {user!r}"
    advice = "connect to the server itself, past any pooler, with a role that may replicate"


class MalformedDsn(SourceError):
    """The DSN is no connection string. Its text is not repeated: it may hold a password."""

    code = "PEN-210"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"source.dsn cannot be read: {reason}",
            fix="write a URI, with @ : / ? # % and spaces of the password percent-encoded, "
            "or host=… port=… user=… dbname=…",
        )


class SourceBusy(SourceError):
    """A lock or a time limit kept the server from answering."""

    code, retryable = "PEN-213", True

    def __init__(self, said: str) -> None:
        super().__init__(
            "the source did not answer in time",
            cause=said,
            fix="try again when no ALTER TABLE, VACUUM FULL or the like holds a table",
        )


class SourceFailed(SourceError):
    """A query of ours failed in a way that is not foreseen."""

    code, retryable = "PEN-209", True

    def __init__(self, said: str) -> None:
        super().__init__(
            "a query on the source failed",
            cause=said,
            fix="look at the log of the server, then try again",
        )


# The first that matches counts: a message may hold several attempts, and
# "SSL" stands in many that are not about TLS.
_BY_TEXT: Final[tuple[tuple[type[ConnectFailed], tuple[str, ...]], ...]] = (
    (HostRefused, ("no pg_hba.conf entry", "pg_hba.conf rejects")),
    (ConnectNotGranted, ("does not have connect privilege", "permission denied for database")),
    (LoginNotAllowed, ("is not permitted to log in",)),
    (
        TooManyConnections,
        (
            "too many clients",
            "too many connections",
            "connection slots are reserved",
            "exceeds max_wal_senders",
        ),
    ),
    (
        ReplicationRefused,
        ("permission denied to start wal sender", "replication role to start walsender"),
    ),
    (
        SourceNotReady,
        (
            "database system is starting up",
            "database system is shutting down",
            "database system is in recovery mode",
            "database system is not yet accepting",
            "database system is not accepting",
        ),
    ),
    (DatabaseMissing, ("is not currently accepting connections",)),
    (
        AuthenticationFailed,
        ("authentication failed", "no password supplied", "authentication method", "fatal:  role "),
    ),
    (DatabaseMissing, ("fatal:  database ",)),
    (HostUnknown, ("could not translate host name", "failed to resolve host")),
    (TlsRefused, ("ssl", "certificate", "channel binding")),
    (
        SourceUnreachable,
        (
            "connection refused",
            "timeout",
            "timed out",
            "no route to host",
            "network is unreachable",
            "no such file or directory",
            "closed the connection unexpectedly",
        ),
    ),
)


def why_no_connection(error: psycopg.Error, address: Address) -> ConnectFailed:
    """Find the reason in the text of a failed attempt to connect."""
    said = _said(error)
    if isinstance(error, psycopg.errors.ConnectionTimeout):
        return SourceUnreachable(address, said)
    text = str(error).lower()
    for kind, signs in _BY_TEXT:
        if any(sign in text for sign in signs):
            return kind(address, said)
    return ConnectFailed(address, said)


def why_no_answer(error: psycopg.Error) -> SourceError:
    """Find the reason why a query on an open connection failed."""
    match error:
        case psycopg.errors.CharacterNotInRepertoire():
            return SourceFailed(f"a name in the catalogs is not valid UTF-8; {_said(error)}")
        case psycopg.errors.LockNotAvailable() | psycopg.errors.QueryCanceled():
            return SourceBusy(_said(error))
        case _:
            return SourceFailed(_said(error))


def _said(error: psycopg.Error) -> str:
    """Give the library's own words, on one line, without a secret."""
    lines = (line.strip() for line in str(error).splitlines())
    return redact("; ".join(line for line in lines if line))
