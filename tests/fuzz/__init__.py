"""Made-up files of every kind that Kanon reads, tables with settings, and whole sessions in the app.

Files are true ones, damaged ones and hostile ones; tables are small and odd, each with any algorithm and any
options; a session is what somebody does in the app, step by step.

``python -m tests.fuzz --minutes 5 --seed 1`` makes them until the time is over, a third of it for each kind.
It prints each finding with the words that make it again (``--of KIND --only NUMBER``), and ends with 1 when
there is one.
"""
