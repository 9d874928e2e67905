"""The lab's commands: evaluate, compare, learn, fuse, experiment."""
