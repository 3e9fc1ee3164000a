"""Charts of sweeps: loss and risk over k."""
