"""The paper's tables made again, on any data, with rivals trained as well as we can."""
