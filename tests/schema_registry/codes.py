"""Which codes a module's source speaks of."""

import inspect
import re
from collections import Counter
from types import ModuleType


def spoken_of(*modules: ModuleType) -> Counter[str]:
    """Count the codes in the modules: a title is one mention, a use the next."""
    source = "".join(inspect.getsource(module) for module in modules)
    return Counter(code for code in re.findall(r'"(PEN-\d+)"', source) if code != "PEN-000")
