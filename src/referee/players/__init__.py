"""Who sits in the seats: bots and people. A player sees the encounter only as its seat may."""
