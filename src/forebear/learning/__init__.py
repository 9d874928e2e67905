"""Judgments to a model: arrays and names in, weights and shifts out."""
