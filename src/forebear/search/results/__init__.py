"""One list becomes a page: what to show, how many there are, and why each is there."""
