"""One way to spell names, dates, ages and places, for records and queries alike."""
