"""How judgments become a model: datasets in, weights and shifts out."""
