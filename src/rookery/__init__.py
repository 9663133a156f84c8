"""Rookery trains board-game players from scratch, measures them honestly, and lets people play them."""

from importlib.metadata import version

__version__ = version("rookery")
