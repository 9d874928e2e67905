"""The paper's flow, a folder a stage: query, terms, expansion, record search, fusion, results."""
