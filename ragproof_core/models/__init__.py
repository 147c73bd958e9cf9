"""The data that flows through a run: cases, responses, outcomes, prompts, results."""
