"""An archive's records in an OpenSearch cluster, for those who outgrow one machine."""
