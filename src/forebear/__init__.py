"""Forebear: a search engine for genealogy that ranks, explains and learns."""

__version__ = "0.1.0"
