"""What people did with what they were shown."""
