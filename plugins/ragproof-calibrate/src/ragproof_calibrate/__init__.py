"""How far a judge can be trusted: its verdicts against reference scores."""
