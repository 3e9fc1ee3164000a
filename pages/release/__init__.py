"""Release page: the files that go with a release."""
