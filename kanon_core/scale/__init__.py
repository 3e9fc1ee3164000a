"""Releases of tables larger than one machine's memory, from files to files: the same recipe gives the same
rows.

`files` runs all stages. Each room holds one stage, and imports only the rooms below it:

1. ``tuning`` estimates the loss of each k from whole cells of the table.
2. ``auditing`` reads the release again, and counts its classes, its values and the disclosed values over all
   files; then it is published.
3. ``anonymizing``: one worker anonymizes one fragment; then all rows are put into the published order.
4. ``fragments`` divides the rows among workers, as the algorithm declares, and brings the rows of each
   fragment together.
5. ``passes`` ask questions of all parts, and cut the whole from the top, exactly as Mondrian does on one
   machine.
6. ``encoding`` reads every part once, and writes it as numbers and codes; `whole` holds the common facts.
7. ``source`` lists the files, and the parts of them that workers read.
8. ``work``: tasks read files and write files in a folder to which all workers have access; their results are
   kept.
9. ``engines`` run the tasks of a stage on processes or machines.
"""
