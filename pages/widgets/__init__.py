"""What all screens share: the frame, the session, controls made from declarations, jobs, the status bar."""
