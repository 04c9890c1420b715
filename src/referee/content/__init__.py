"""Cards and scenarios: from YAML to what an encounter is played with, every fault at once.

`checking` (all faults of many files) and `schemas` (JSON Schema) are imported by who needs them: they need a YAML
parser and pydantic, a load of what was read before does not.
"""

from .faults import ContentError, Fault, RegistryError
from .loading import load
from .rules import Example, Rulebook, Statement, parse_rules, rulebook
from .sources import assemble, restore

__all__ = [
    "ContentError",
    "Example",
    "Fault",
    "RegistryError",
    "Rulebook",
    "Statement",
    "assemble",
    "load",
    "parse_rules",
    "restore",
    "rulebook",
]
