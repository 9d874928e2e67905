"""The forms in which a date may be written, a module a form."""
