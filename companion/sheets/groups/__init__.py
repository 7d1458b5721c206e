"""People who play together: a group's log of members and evenings, kept in the same store as the logs of sheets."""
