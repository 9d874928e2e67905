"""The lab: evaluation on files, the paper's experiments, baselines, learning from files.

It stands on the engine (`forebear`); the engine never imports it.
"""
