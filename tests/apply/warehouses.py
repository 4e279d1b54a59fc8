"""URLs of warehouses on the test servers."""

from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL

from diagnosis.secrets import Secret


def url_of(dsn: str, **changes: str) -> Secret:
    parts = {**conninfo_to_dict(dsn), **changes}
    url = URL.create(
        "postgresql",
        str(parts["user"]),
        str(parts["password"]),
        str(parts["host"]),
        int(str(parts["port"])),
        str(parts["dbname"]),
    )
    return Secret(url.render_as_string(hide_password=False))
