"""Made-up files of every kind that Kanon reads: true ones, damaged ones and hostile ones.

``python -m tests.fuzz --seconds 300 --seed 1`` makes and reads files until the time is over, prints each
finding with the number that makes it again (``--only NUMBER``), and ends with 1 when there is one.
"""
