"""The certified optimum of complete k-concealment: a flow, solved by auctions."""
