"""Odds in context, advice and search over forks, for any ruleset."""
