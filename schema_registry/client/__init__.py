"""Asking a registry, ours or another:

protocol    what can be asked, wherever the registry is
embedded    ours, in this process
remote      any registry that speaks Confluent's REST API
answers     what such a registry sends, read as what it may be: anything
cached      ids that go on working while the registry is away
resolution  a schema together with all that it refers to
errors      what can be wrong with a registry
"""
