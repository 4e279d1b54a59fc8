"""The road that events take through Kafka:

topics               which topic a table's events go to, and which tables would share one
kafka_settings       a cluster and how to log in there, as librdkafka wants to hear it
complaints           what librdkafka says goes wrong, by address, kept off the terminal
readiness            does a broker answer at all
cluster              what a cluster says of itself: brokers, settings, topics, rights
connection_findings  says why no broker could be spoken to
topic_findings       judges the topics that exist, and the making of those that do not
preflight            asks and judges all of it, before anything is written
"""
