"""What a parquet file says of its pages, read before any of them is unpacked."""
