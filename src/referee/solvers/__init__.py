"""Equilibria of games in which both sides choose at once, exact: zero-sum and general-sum. No game of ours in it."""

from .matrix import Equilibrium, general_sum, zero_sum

__all__ = ["Equilibrium", "general_sum", "zero_sum"]
