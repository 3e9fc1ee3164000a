"""Work of a job: its stages of tasks, the result of each task, and the storage of files."""
