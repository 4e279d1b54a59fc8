"""Confluent's REST API over the registry, in the order of a request:

server         the socket and uvicorn
guard          who may ask: token, host and origin; paths as they were sent
app            from a request to an endpoint and back, with Confluent's errors
routes         which path leads to which endpoint, and what it takes
calls          what an endpoint is given: names, flags and bodies, read with bounds
subjects       the endpoints of subjects and their versions
schemas        the endpoints of schemas by id
compatibility  the endpoints that compare
settings       the endpoints of config and mode
about          the endpoints about the registry itself
shapes         what an answer looks like
openapi        the same API as a description for machines
"""
