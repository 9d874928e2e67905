"""Are two names forms of one name, and why?  A module a reason."""
