"""Tables and figures of the papers, made again below the screens."""
