"""The web table under load: real encounters of all games, pages that read what is pushed to them, and kills."""
