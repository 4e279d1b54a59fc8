"""The registry itself, from its topic upwards:

records       what the topic holds
state         the records, folded: what the registry knows
topic         the topic: made if missing, refused if unsafe
reader        reading it to its end
pen           the right to write, which one process holds at a time
log           reads that are never stale, writes that are never lost or doubled
errors        what can be wrong with the topic
refusals      what the registry says no to, with Confluent's codes
subjects      the words a request names things by
drafts        from a text that was sent to a schema that can be kept
levels        does a new version get along with the older ones
comparisons   verdicts on schemas, found while nobody waits for them
registration  taking a new version
deletion      letting go of versions
settings      compatibility and mode
service       everything that can be asked, for REST and the daemon alike
"""
