"""What the servers that run on Java have in common: how they start and log."""

from pathlib import Path
from typing import Final

# A short-lived server on a small machine: quick to start, small in memory.
QUICK: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true")

_LOGGING: Final = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %m (%c)%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
"""


def write_logging(folder: Path) -> Path:
    """Write the log4j settings that send everything to the server's one log."""
    file = folder / "log4j2.properties"
    file.write_text(_LOGGING)
    return file
