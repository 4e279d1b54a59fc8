"""What librdkafka says goes wrong, kept for a message instead of printed.

librdkafka answers a failed call with no more than "broker transport failure".
The reason comes apart from it, again and again, through its error callback and
its log; without a callback it would write to stderr.
"""

import logging
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from confluent_kafka import KafkaError

from diagnosis.secrets import redact


class Cause(Enum):
    """Why a broker could not be spoken to."""

    CONNECT = "no connection"
    TLS = "TLS"
    LOGIN = "login"
    PROTOCOL = "not Kafka"


@dataclass(frozen=True, slots=True)
class Complaint:
    """The last thing said about one address.

    ``advertised`` tells an address that a broker gave from one that we were given.
    """

    address: str
    cause: Cause
    text: str
    advertised: bool = False


# sasl_ssl://host:9092/bootstrap: the reason (after 3ms in state CONNECT)
_ABOUT_A_BROKER: Final = re.compile(
    r"(?:[a-z_]+://)?(?P<address>\S+?)/(?P<node>bootstrap|-?\d+): (?P<text>.*?)"
    r"(?: \((?:after )?\d+ms in state (?P<state>\w+)[^)]*\))?",
    re.DOTALL,
)
# FAIL [client] [thread]: what the error callback would hear as well; except for
# a time-out, which is only logged.
_TIMED_OUT: Final = re.compile(
    r"FAIL \[.*?\]: (?:[a-z_]+://)?(?P<address>\S+?)/(?:bootstrap|-?\d+): "
    r"Connection setup timed out in state (?P<state>\w+).*",
    re.DOTALL,
)


@dataclass(slots=True)
class Complaints:
    """Remembers the last reason per address: an error callback and a log in one."""

    by_address: dict[str, Complaint] = field(default_factory=dict)
    all_down: bool = False

    def __call__(self, error: KafkaError) -> None:
        """Take one error; librdkafka calls this from within a poll."""
        if error.code() == KafkaError._ALL_BROKERS_DOWN:
            self.all_down = True
            return
        about = _ABOUT_A_BROKER.fullmatch(error.str())
        if about is None:
            return
        text = redact(_without_bad_advice(about["text"]))
        self.by_address[about["address"]] = Complaint(
            about["address"],
            _cause(error.code(), text, about["state"] or ""),
            text,
            advertised=about["node"].isdecimal(),
        )

    def logger(self) -> logging.Logger:
        """Give a logger that listens to librdkafka's lines and shows none of them."""
        logger = logging.Logger("penstock.librdkafka")
        logger.addHandler(_Listener(self))
        return logger

    def timed_out(self, address: str, state: str) -> None:
        """Take a connection that was given up, and how far it had come."""
        if state == "CONNECT":
            complaint = Complaint(address, Cause.CONNECT, "no connection in time")
        elif state == "SSL_HANDSHAKE":
            complaint = Complaint(address, Cause.TLS, "the TLS handshake got no answer in time")
        else:
            text = "takes the connection and then says nothing"
            complaint = Complaint(address, Cause.PROTOCOL, text)
        self.by_address.setdefault(address, complaint)

    def about(self, address: str) -> Complaint | None:
        """Give the last reason that was heard about an address."""
        return self.by_address.get(address)


class _Listener(logging.Handler):
    """Picks the time-outs out of librdkafka's log."""

    def __init__(self, complaints: Complaints) -> None:
        super().__init__()
        self._complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        about = _TIMED_OUT.fullmatch(record.getMessage())
        if about is not None:
            self._complaints.timed_out(about["address"], about["state"])


def _cause(code: int, text: str, state: str) -> Cause:
    # A broker that wants TLS hangs up on a client without it while the client
    # asks for its versions, and the other way round during the handshake.
    if code == KafkaError._SSL or state == "SSL_HANDSHAKE" or "SSL" in text:
        return Cause.TLS
    if code == KafkaError._AUTHENTICATION or state.startswith("AUTH"):
        return Cause.LOGIN
    if code == KafkaError._BAD_MSG:
        return Cause.PROTOCOL
    return Cause.CONNECT


def _without_bad_advice(text: str) -> str:
    # What sends such a size is no broker, and raising the limit would mend nothing.
    return text.replace(": increase receive.message.max.bytes", "").strip()
