"""Stories of tables that are cut into fragments."""
