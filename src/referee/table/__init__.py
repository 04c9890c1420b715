"""The web table: people, bots and spectators play an encounter together in their browsers.

`acts` and `state` say what a table is, `store` keeps it, `rooms` holds it open, `looking` shows it to one seat, `web` serves it.
"""
