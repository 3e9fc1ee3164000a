"""Controls, charts, tables and sentences that several screens show."""
