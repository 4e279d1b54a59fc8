"""The look at the source, from the top to the bottom."""

from collections.abc import Iterator

import psycopg

from capture.catalog import read_publication, read_role, read_server, read_slots
from capture.facts import Server
from capture.preflight import columns, fit, identity, publication, role, server, slot, wal
from capture.preflight.observed import Observed
from capture.preflight.tables import Resolution
from capture.source import Source, connect
from capture.source_errors import SourceError
from capture.tables import resolution
from diagnosis.findings import Finding


def inspect(source: Source) -> list[Finding]:
    """Find all that keeps the source from being captured, and what mends it.

    The statements of the findings are meant to be run in this order: identities
    come before the publication, because a table that is published without one
    refuses the application's updates.
    """
    if misnamed := list(slot.check_names(source)):
        return misnamed
    try:
        with connect(source) as connection:
            server_facts = read_server(connection)
            version = server.check_version(server_facts)
            if server_facts.major < server.OLDEST:
                return [version]  # the catalogs of older servers lack what we ask for
            resolved = resolution(connection, source)
            seen = _observe(connection, source, server_facts, resolved)
        return [version, *_checks(seen, resolved)]
    except SourceError as trouble:
        return [trouble.finding()]


def _observe(
    connection: psycopg.Connection, source: Source, server_facts: Server, resolved: Resolution
) -> Observed:
    return Observed(
        source=source,
        server=server_facts,
        role=read_role(connection),
        tables=resolved.tables,
        publication=read_publication(connection, source.publication),
        slots=tuple(read_slots(connection)),
    )


def _checks(seen: Observed, resolved: Resolution) -> Iterator[Finding]:
    # 1. The server: nothing works without it.
    yield server.check_primary(seen.server)
    yield server.check_encoding(seen.server)
    yield server.check_wal_level(seen.server)
    yield server.check_slots_left(seen)
    yield server.check_senders_left(seen)

    # 2. Our role.
    yield role.check_role(seen.role)
    if tried := role.check_replication(seen):
        yield tried

    # 3. The tables, and what we may read of them.
    yield from resolved.findings
    yield from role.check_grants(seen)

    # 4. What the log says of their rows, and then who gets to see it.
    yield from identity.check_identities(seen)
    yield from columns.check_large_values(seen)
    yield from publication.check_publication(seen)
    yield from columns.check_generated(seen)
    yield from fit.check_fit(seen)

    # 5. Where we read, and what that costs the server.
    yield from slot.check_slot(seen)
    yield wal.check_limit(seen)
    yield from wal.check_idle_timeout(seen)
    yield from wal.check_retained(seen)
