"""The product at work, on real servers of its own (``make demo``):

__main__  the story, from an empty folder to a source that is ready
shop      the database it is told with, set up wrongly in the usual ways
"""
