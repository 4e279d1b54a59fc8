"""The registry's topic: what was answered stays true, whoever writes and whoever reads."""

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from diagnosis.errors import PenstockError
from schema_registry.registry.drafts import Draft
from schema_registry.registry.errors import (
    ForeignTopic,
    IllegalTopic,
    LogContradicts,
    LogLost,
    LogTooNew,
    LogUnavailable,
    TooLargeForTopic,
    UnsafeTopic,
    transactional_id,
)
from schema_registry.registry.log import SchemaLog
from schema_registry.registry.records import (
    Config,
    Content,
    Level,
    Mode,
    Record,
    SchemaRecord,
    encoded,
)
from schema_registry.registry.refusals import Refusal
from schema_registry.registry.service import SchemaRegistry
from tests.fixtures.servers import Kafka
from tests.penstock.embedded.processes import eventually
from tests.schema_registry.registry.conftest import OpenRegistry
from transport.complaints import Complaints
from transport.kafka_settings import plain_settings


def record(*fields: str) -> str:
    inner = ",".join(f'{{"name":"{name}","type":["null","int"],"default":null}}' for name in fields)
    return f'{{"type":"record","name":"Row","fields":[{inner}]}}'


@contextmanager
def admin(kafka: Kafka) -> Iterator[AdminClient]:
    with AdminClient({"bootstrap.servers": kafka.brokers}) as client:
        yield client


def make_topic(kafka: Kafka, name: str, partitions: int = 1, **settings: str) -> None:
    config = {key.replace("_", "."): value for key, value in settings.items()}
    with admin(kafka) as client:
        client.create_topics([NewTopic(name, partitions, 1, config=config)])[name].result(20)


def produce(kafka: Kafka, topic: str, key: bytes, value: bytes | None) -> None:
    """Write past the registry, as nobody should."""
    producer = Producer({"bootstrap.servers": kafka.brokers})
    producer.produce(topic, key=key, value=value)
    assert producer.flush(10) == 0


def last_words(kafka: Kafka, topic: str) -> dict[bytes, bytes | None]:
    """Read a whole topic, committed records only, and keep the last value of each key."""
    settings = {"bootstrap.servers": kafka.brokers, "group.id": topic, "enable.partition.eof": True}
    consumer = Consumer(settings)
    consumer.assign([TopicPartition(topic, 0, 0)])
    found: dict[bytes, bytes | None] = {}
    while (message := consumer.poll(20)) is not None and message.error() is None:
        key = message.key()
        assert isinstance(key, bytes)
        value = message.value()
        found[key] = value if value is None else bytes(value)
    consumer.close()
    return found


def failure_of(registry: SchemaRegistry) -> PenstockError:
    with pytest.raises(PenstockError) as failure:
        registry.subjects()
    return failure.value


def open_log(kafka: Kafka, topic: str) -> SchemaLog:
    return SchemaLog(plain_settings(kafka.brokers, Complaints()), topic)


def test_what_one_registry_writes_the_other_reads_at_once(open_registry: OpenRegistry) -> None:
    one, other = open_registry(), open_registry()
    for number in range(5):
        added = one.register("s", Draft(record(*"abcde"[: number + 1])))
        assert other.version("s", None) == added
        assert other.content(added.id) == added.content


def test_a_registry_that_is_opened_later_knows_everything(open_registry: OpenRegistry) -> None:
    before = open_registry()
    added = [before.register(f"s{n}", Draft(record(*"abc"[: n + 1]))) for n in range(3)]
    before.delete_subject("s1")
    later = open_registry()
    assert later.subjects() == ["s0", "s2"]
    assert later.subjects(deleted=True) == ["s0", "s1", "s2"]
    assert [later.content(each.id) for each in added] == [each.content for each in added]


def test_two_registries_write_by_turns_and_no_id_means_two_things(
    open_registry: OpenRegistry,
) -> None:
    registries = [open_registry(), open_registry()]
    answers: list[tuple[int, str]] = []

    def write(registry: SchemaRegistry, name: str) -> None:
        for number in range(8):
            text = record(f"{name}{number}")
            answers.append((registry.register(f"{name}{number}", Draft(text)).id, text))

    threads = [
        threading.Thread(target=write, args=(each, name))
        for each, name in zip(registries, ("a", "b"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(id for id, _ in answers) == list(range(1, 17))
    for id, text in answers:
        assert all(registry.content(id).text == text for registry in registries)


def test_one_schema_registered_at_the_same_time_on_both_gets_one_id(
    open_registry: OpenRegistry,
) -> None:
    registries = [open_registry(), open_registry()]
    ids: list[int] = []
    barrier = threading.Barrier(2)

    def write(registry: SchemaRegistry) -> None:
        for number in range(4):
            barrier.wait()
            ids.append(registry.register("s", Draft(record(*"abcd"[: number + 1]))).id)

    threads = [threading.Thread(target=write, args=(each,)) for each in registries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert registries[0].versions("s") == [1, 2, 3, 4]


def test_a_schema_that_is_known_is_found_without_taking_the_pen(
    open_registry: OpenRegistry, kafka: Kafka, topic: str
) -> None:
    one, other = open_registry(), open_registry()
    one.register("s", Draft(record("a")))
    for _ in range(3):
        assert other.register("s", Draft(record("a"))).id == 1
    # Nobody fenced the first: its producer still writes, without a new attempt.
    assert one.log._pen.held
    producer = one.log._pen._producer
    one.register("s", Draft(record("a", "b")))
    assert one.log._pen._producer is producer


def test_a_write_whose_outcome_is_unknown_is_looked_up(registry: SchemaRegistry) -> None:
    registry.register("s", Draft(record("a")))
    pen = registry.log._pen
    real = pen.write

    # A fake, because no network cut can be timed to hit between commit and answer.
    def lose_the_answer(records: tuple[Record, ...]) -> object:
        real(records)
        pen.drop()
        pen.write = real  # type: ignore[method-assign]
        from schema_registry.registry.pen import Written

        return Written.UNKNOWN

    pen.write = lose_the_answer  # type: ignore[method-assign, assignment]
    assert registry.delete_version("s", 1) == 1
    assert registry.subjects() == []


def test_an_open_transaction_of_a_dead_writer_hides_nothing_and_blocks_nobody(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    zombie = Producer(
        {"bootstrap.servers": kafka.brokers, "transactional.id": transactional_id(topic)}
    )
    zombie.init_transactions(15)
    zombie.begin_transaction()
    key, value = encoded(SchemaRecord(2, Content('"long"')))
    zombie.produce(topic, key=key, value=value)
    zombie.flush(10)

    added = registry.register("s", Draft(record("a", "b")))
    assert added.id == 2
    assert registry.content(2).text == added.content.text
    with pytest.raises(KafkaException, match="fenced"):
        zombie.commit_transaction(10)
    assert registry.content(2).text == added.content.text


def test_a_topic_that_forgets_is_refused(kafka: Kafka, topic: str) -> None:
    make_topic(kafka, topic, cleanup_policy="delete")
    with pytest.raises(UnsafeTopic, match=r"cleanup\.policy delete"):
        open_log(kafka, topic)


def test_a_topic_of_others_is_refused(kafka: Kafka, topic: str) -> None:
    make_topic(kafka, topic, cleanup_policy="compact")
    produce(kafka, topic, b'{"keytype":"SCHEMA","subject":"s","version":1,"magic":1}', b"{}")
    with pytest.raises(ForeignTopic, match="1 records"):
        open_log(kafka, topic)
    with pytest.raises(ForeignTopic, match="for itself"):
        open_log(kafka, "__consumer_offsets")


def test_a_name_that_no_topic_can_have_is_refused(kafka: Kafka) -> None:
    with pytest.raises(IllegalTopic):
        open_log(kafka, "a/b")


def test_a_schema_that_the_topic_does_not_take_is_refused_at_once(kafka: Kafka, topic: str) -> None:
    make_topic(kafka, topic, cleanup_policy="compact", max_message_bytes="2000")
    symbols = ",".join(f'"S{uuid.uuid4().hex}"' for _ in range(200))
    with open_log(kafka, topic) as log:
        registry = SchemaRegistry(log)
        with pytest.raises(TooLargeForTopic):
            registry.register("s", Draft(f'{{"type":"enum","name":"E","symbols":[{symbols}]}}'))
        assert registry.register("s", Draft(record("a"))).id == 1


def test_an_id_that_was_deleted_for_good_cannot_be_imported_for_another_schema(
    open_registry: OpenRegistry,
) -> None:
    registry = open_registry()
    registry.register("s", Draft(record("a")))
    registry.delete_subject("s")
    registry.delete_subject("s", permanent=True)
    registry.set_mode(None, Mode.IMPORT)
    for each in (registry, open_registry()):
        with pytest.raises(Refusal, match="id 1 is not permitted"):
            each.register("s", Draft(record("b"), id=1))
    assert registry.register("s", Draft(record("a"), id=1)).id == 1


def test_a_topic_of_several_partitions_is_refused(kafka: Kafka, topic: str) -> None:
    make_topic(kafka, topic, partitions=2, cleanup_policy="compact")
    with pytest.raises(UnsafeTopic, match="2"):
        open_log(kafka, topic)


def test_a_topic_that_was_deleted_and_made_anew_stops_the_registry(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    with admin(kafka) as client:
        client.delete_topics([topic])[topic].result(20)
    make_topic(kafka, topic, cleanup_policy="compact")
    # Until the client has heard of the new one it knows of no topic at all.
    assert eventually(lambda: isinstance(failure_of(registry), LogLost))
    with pytest.raises(LogLost, match="deleted and made anew"):
        registry.register("s", Draft(record("b")))


def test_a_topic_that_was_made_anew_and_filled_is_known_for_another_one(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    with admin(kafka) as client:
        client.delete_topics([topic])[topic].result(20)
    make_topic(kafka, topic, cleanup_policy="compact")
    for number in range(40):
        produce(kafka, topic, b"%d" % number, b"{}")
    assert eventually(lambda: isinstance(failure_of(registry), LogLost))


def test_an_id_that_is_given_to_another_schema_stops_the_registry(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    key, value = encoded(SchemaRecord(1, Content('"long"')))
    produce(kafka, topic, key, value)
    with pytest.raises(LogContradicts, match="id 1 stands for another schema"):
        registry.subjects()
    with pytest.raises(LogContradicts):
        registry.content(1)


def test_a_record_of_a_newer_penstock_is_not_passed_over(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    produce(kafka, topic, b'{"penstock":2,"kind":"schema","id":7}', b'{"new":"words"}')
    with pytest.raises(LogTooNew, match="newer Penstock"):
        registry.subjects()
    with pytest.raises(LogTooNew):
        registry.register("s", Draft(record("b")))


def test_records_of_others_are_left_alone_and_counted(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    registry.register("s", Draft(record("a")))
    for key in (b"", b"{}", b"\xff\x00", b'{"penstock":1,"kind":"schema","id":"x"}', b"[" * 5000):
        produce(kafka, topic, key, b"{}")
    assert registry.subjects() == ["s"]
    assert registry.log.foreign == 5
    assert registry.register("s", Draft(record("a", "b"))).id == 2


def test_an_id_is_not_given_again_after_its_schema_is_gone(open_registry: OpenRegistry) -> None:
    one = open_registry()
    gone = one.register("s", Draft(record("a")))
    one.delete_subject("s")
    one.delete_subject("s", permanent=True)
    assert one.log.content(gone.id) is None
    later = open_registry()
    assert later.register("s", Draft(record("a"))).id == gone.id + 1


def test_what_compaction_leaves_says_the_same(
    registry: SchemaRegistry, kafka: Kafka, topic: str
) -> None:
    gone = registry.register("gone", Draft(record("z")))
    registry.delete_subject("gone")
    registry.delete_subject("gone", permanent=True)
    for number in range(3):
        registry.register("s", Draft(record(*"abc"[: number + 1])))
    registry.delete_version("s", 2)
    registry.set_config("s", Config(Level.FULL))
    registry.set_config("s", Config(Level.NONE))

    # As Kafka's cleaner does it, without waiting for it: the last word on each key.
    compacted = f"{topic}_compacted"
    make_topic(kafka, compacted, cleanup_policy="compact")
    for key, value in last_words(kafka, topic).items():
        if value is not None:
            produce(kafka, compacted, key, value)
    with open_log(kafka, compacted) as log:
        later = SchemaRegistry(log)
        assert later.versions("s", deleted=True) == [1, 2, 3]
        assert later.versions("s") == [1, 3]
        assert later.config("s").level is Level.NONE
        assert later.content(2) == registry.content(2)
        assert log.content(gone.id) is None
        assert later.register("t", Draft(record("z"))).id == 5


def test_a_kafka_that_is_not_there_is_told_with_its_reason(topic: str) -> None:
    settings = plain_settings("127.0.0.1:1", Complaints())
    with pytest.raises(LogUnavailable) as failure:
        SchemaLog(settings, topic)
    assert failure.value.retryable
