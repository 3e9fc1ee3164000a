"""Tables larger than one machine's memory: the same recipe, the same rows, from files to files.

Stages, each of tasks that read files and write files in a folder that all workers see:

1. ``encoding``: every part is read once, and written as numbers and codes; ``whole`` is what they have in
   common.
2. ``cutting`` asks ``questions`` of all parts, and cuts the whole from the top, exactly as Mondrian does on
   one machine, into fragments; ``routing`` brings the rows of each together.
3. ``fragment``: one worker anonymizes one fragment; ``ordering`` puts all rows into the published order.
4. ``auditing`` reads the release again, and counts the classes over all files, how often values stand in
   them (``occurring``) and what they give away (``giving``); ``findings`` and ``measuring`` tell what that
   means. Then it is published.

``files`` is the whole way; an engine (``engines``) does the tasks of a stage, and ``keeping`` remembers which
are done.
"""
