"""What is wrong with a schema, and where."""

from typing import ClassVar, Final

from diagnosis.errors import Area, PenstockError
from diagnosis.secrets import redact

CODES: Final = {"PEN-435": "An Avro schema is refused"}

# Names come from outside and may be a megabyte long; a message stays readable.
LONGEST_SHOWN: Final = 80
LONGEST_PATH: Final = 200


class MalformedSchema(PenstockError):
    """A text that is no Avro schema, by the rules of the specification.

    ``path`` says where, as in ``fields[2].type.items``; it is empty for the
    schema as a whole.
    """

    code = "PEN-435"
    area = Area.REGISTRY
    advice: ClassVar[str] = "correct the schema at that place and try again"

    def __init__(self, path: str, reason: str) -> None:
        place = shortened(path, LONGEST_PATH) or "the schema as a whole"
        super().__init__(f"the Avro schema is refused: {place}: {reason}", fix=self.advice)
        self.path, self.reason = path, reason


class TooComplex(MalformedSchema):
    """Schemas that are legal, and that would take too long to compare."""

    advice = "use fewer named types that refer to each other, or split the schema"


def shown(text: str) -> str:
    """Give a text from outside in quotes: shortened, nothing in it but what can be seen."""
    # Cut before the escapes are made: those of a megabyte are several.
    cut = redact(shortened(text, LONGEST_SHOWN))
    return '"' + "".join(map(_visible, cut)) + '"'


def shortened(text: str, longest: int) -> str:
    """Leave the middle out of a text that is too long."""
    if len(text) <= longest:
        return text
    head = longest // 2
    return f"{text[:head]}…{text[-(longest - head - 1) :]}"


def _visible(character: str) -> str:
    if character.isprintable() and character not in '"\\':
        return character
    return character.encode("unicode_escape").decode() if character != '"' else '\\"'
