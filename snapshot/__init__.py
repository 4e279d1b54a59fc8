"""The rows that were there before the log is read; so far, the look ahead:

preflight  can every row be read, and by how many workers at once
"""
