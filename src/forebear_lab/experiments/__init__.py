"""The paper's tables, computed on any data, with baselines trained as well as we can."""
