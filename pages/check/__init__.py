"""Check: any released file, alone or beside its original."""
