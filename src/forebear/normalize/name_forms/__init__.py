"""The forms in which a full name may be written, a module a form."""
