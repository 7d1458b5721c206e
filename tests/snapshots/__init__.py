"""What the games answered last, whole: a change of any word, fact or order shows, and must be meant.

`python -m tests.snapshots [GAME ...]` writes the snapshots anew; read the difference before it is committed.
"""
