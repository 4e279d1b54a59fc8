"""Data of a schema, as bytes: enough of it to go every way that the schema has."""

from schema_registry.avro.model import (
    Array,
    Enumeration,
    Fixed,
    Map,
    Primitive,
    PrimitiveName,
    Record,
    Schema,
    Type,
    Union,
)

MOST_VISITS = 3  # of a record that holds itself

# Bytes are text, because bytes to string is a promotion that other bytes break.
OF_PRIMITIVES = {
    PrimitiveName.NULL: [b""],
    PrimitiveName.BOOLEAN: [b"\x00", b"\x01"],
    PrimitiveName.INT: [b"\x00", b"\x01"],
    PrimitiveName.LONG: [b"\x00", b"\x80\x80\x80\x80\x80\x01"],
    PrimitiveName.FLOAT: [b"\x00\x00\x80\x3f"],
    PrimitiveName.DOUBLE: [b"\x00\x00\x00\x00\x00\x00\xf0\x3f"],
    PrimitiveName.BYTES: [b"\x02A"],
    PrimitiveName.STRING: [b"\x02A"],
}


def covering(schema: Schema) -> list[bytes]:
    """Encode data in which every branch and every symbol occurs that can occur."""
    return _Cover(schema).of(schema.root)


class _Cover:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.visits: dict[str, int] = {}

    def of(self, type_: Type) -> list[bytes]:
        found = self.schema.resolve(type_)
        match found:
            case Primitive():
                return OF_PRIMITIVES[found.name]
            case Enumeration():
                return [_long(index) for index in range(len(found.symbols))]
            case Fixed():
                return [b"\x01" * found.size]
            case Array():
                return [_block(self.of(found.items)), b"\x00"]
            case Map():
                return [_block([b"\x02k" + value for value in self.of(found.values)]), b"\x00"]
            case Union():
                return [
                    _long(index) + value
                    for index, branch in enumerate(found.branches)
                    for value in self.of(branch)
                ]
            case Record():
                return self.of_record(found)

    def of_record(self, record: Record) -> list[bytes]:
        visits = self.visits.get(record.name, 0)
        if visits == MOST_VISITS:
            return []
        self.visits[record.name] = visits + 1
        columns = [self.of(field.type) for field in record.fields]
        self.visits[record.name] = visits
        if not all(columns):
            return []
        rows = max(map(len, columns), default=1)
        return [b"".join(column[row % len(column)] for column in columns) for row in range(rows)]


def _block(items: list[bytes]) -> bytes:
    return _long(len(items)) + b"".join(items) + b"\x00" if items else b"\x00"


def _long(number: int) -> bytes:
    """Write a number of less than a thousand million as Avro does: zigzag, seven bits a byte."""
    rest, found = number * 2, bytearray()
    while rest > 0x7F:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*found, rest])
