"""How every part says what is wrong, and nothing else:

errors      the base of all errors: a code, the facts, a verdict, the next step
failpoints  named places at which a test lets the process die
findings    what a look at a source, a broker or a store found, good or bad
secrets     values that must not be shown, and how they are kept out of any text
"""
