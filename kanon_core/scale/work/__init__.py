"""The work folder of a job: its stages of tasks, what each found, and where files lie."""
