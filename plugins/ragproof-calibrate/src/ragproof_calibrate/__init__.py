"""How far a judge can be trusted: its verdicts against scores that people gave."""
