"""Do the tests notice when a guard is missing? Guards and parts of conditions are taken out one by one.

python -m benchmarks.guards essays marking --seed 7 --number 60      # results: benchmarks/guards.md

bugs        what can be taken out of a module: guards, sides of `and`, keys of dictionaries, terms of sums …
traces      which lines run while a test runs, in all processes that the test starts
rooms       which test files belong to a package; a run of them without a bug, with times and traces
trials      a copy of the tree with one bug, and the tests that run its line, until the first failure
equivalent.toml   the bugs that change nothing, each with its reason: they are neither drawn nor counted

trials -> rooms -> traces; bugs
"""
