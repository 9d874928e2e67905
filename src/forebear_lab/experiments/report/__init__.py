"""An experiment as one page that needs nothing else, and as JSON beside it."""
