"""Files in: transcriptions become records, and everything that went wrong is reported."""
