"""Tests of any ruleset: scenes, coverage of its statements, conformance, perft, playthroughs, soak, mutants."""

from .marks import rule
from .perft import perft
from .running import Outcome, Report, run_scenes
from .scenes import Scene, Unmet

__all__ = ["Outcome", "Report", "Scene", "Unmet", "perft", "rule", "run_scenes"]
