"""Named places at which a test lets the process die, as a power cut would.

Off unless ``PENSTOCK_FAILPOINT`` names one. ``name:3`` dies at the third time.
"""

import os
import signal
from typing import Final

_armed, _, _times = os.environ.get("PENSTOCK_FAILPOINT", "").partition(":")
_left: Final = {_armed: int(_times or 1)} if _armed else {}


def failpoint(name: str) -> None:
    """Die here without any farewell, if a test wants it so."""
    if name in _left:
        _left[name] -= 1
        if not _left[name]:
            os.kill(os.getpid(), signal.SIGKILL)
