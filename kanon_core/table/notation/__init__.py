"""Released cells as many programs write them: intervals, bounds, masks, and numbers with decimal commas."""
