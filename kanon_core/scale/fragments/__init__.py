"""Division of parts into fragments: rows that one worker anonymizes in its memory, as the algorithm divides
them."""
