"""Finding a keyword in an answer, whatever way it is written there."""
