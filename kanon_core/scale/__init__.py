"""Releases of tables larger than one machine's memory, from files to files: the same recipe gives the same
rows.

`files` is the whole way. A room holds one stage; each goes by those below it alone:

1. ``tuning``: which k it should be, from whole cells of the table.
2. ``auditing`` reads the release again, and counts the classes over all files, how often values stand in
   them and what they give away; then it is published.
3. ``anonymizing``: one worker anonymizes one fragment; then all rows are put into the published order.
4. ``fragments``: how an algorithm divides the rows among workers, and what brings the rows of each together.
5. ``passes`` ask questions of all parts, and cut the whole from the top, exactly as Mondrian does on one
   machine.
6. ``encoding``: every part is read once, and written as numbers and codes; `whole` is what they have in
   common.
7. ``source``: which files there are, and the parts that workers read of them.
8. ``work``: tasks read files and write files in a folder that all workers see, and what they found is kept.
9. ``engines`` do the tasks of a stage, wherever they are.
"""
