"""An archive in one SQLite file: records, index, interactions and models in one transaction."""
