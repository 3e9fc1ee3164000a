"""What the papers print or draw beside their main tables: appendices, examples, figures of one line, methods
that are only listed."""
