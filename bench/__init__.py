"""Benchmarks: speeds of Referee beside its peers, measured in one run and printed as ratios. `python -m bench`."""
