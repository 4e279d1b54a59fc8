"""The registry's REST API, asked over real sockets, on a real Kafka."""
