"""A judge over scored examples: from questions to a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ragproof_calibrate.agreement import agreement, stability
from ragproof_calibrate.asking import Ask, Question, Verdict, ask_all, category_of
from ragproof_calibrate.attacks import attacks
from ragproof_calibrate.growth import SIZES, grown, has_context
from ragproof_calibrate.order import swapped
from ragproof_calibrate.report import Disagreement, GrowthStep, Moves, PromptReport, Report, Thresholds
from ragproof_calibrate.samples import Sample
from ragproof_core.errors import ExecutionError


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure besides agreement: repeats, order and context size (``probes``), planted verdicts."""

    repeats: int = 1
    probes: bool = True
    adversarial: bool = False
    thresholds: Thresholds = field(default_factory=Thresholds)

    def calls(self, samples: Sequence[Sample]) -> int:
        """Return how many questions the plan comes to; fewer are asked where replies are unusable."""
        found = len(samples) * self.repeats
        if self.probes:
            found += sum(swapped(sample) is not None for sample in samples)
            found += len(_growing(samples))
        if self.adversarial:
            found += sum(len(list(attacks(sample, category_of(sample.expected)))) for sample in samples)
        return found


@dataclass(frozen=True, slots=True)
class _Measured:
    """Verdicts by the example's place: ``repeats`` in every run, the rest as far as the plan asks for them."""

    repeats: list[list[Verdict]]
    swaps: dict[int, Verdict]
    growths: dict[int, dict[int, Verdict]]
    moves: dict[int, list[tuple[str, bool]]] | None


Round = Callable[[Sequence[Question]], list[Verdict]]


def calibrate(
    ask: Ask,
    samples: Sequence[Sample],
    plan: Plan,
    *,
    concurrency: int = 8,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Ask the judge about every example and compare.

    ``progress(done, 0)`` is told how many questions are answered.

    Raises ``ExecutionError`` when not one reply was usable: that is a judge out of reach, not one that disagrees.
    """
    done = 0

    def round_of(questions: Sequence[Question]) -> list[Verdict]:
        nonlocal done
        before = done
        done += len(questions)
        advance = None if progress is None else lambda count: progress(before + count, 0)
        return ask_all(ask, questions, concurrency, advance)

    repeats = _repeats(round_of, samples, plan.repeats)
    first = [verdicts[0] for verdicts in repeats]
    if samples and all(verdict.problem for verdict in first):
        raise ExecutionError(f"the judge gave no usable reply to any example ({len(first)} asked): {first[0].problem}")
    measured = _Measured(
        repeats=repeats,
        swaps=_swaps(round_of, samples) if plan.probes else {},
        growths=_growths(round_of, samples, first) if plan.probes else {},
        moves=_moves(round_of, samples, first) if plan.adversarial else None,
    )
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, sample in enumerate(samples):
        groups[sample.prompt.name, sample.prompt.package].append(place)
    reports = tuple(_prompt_report(samples, places, measured, plan.thresholds) for places in groups.values())
    total = agreement([sample.expected for sample in samples], first)
    return Report(reports, total.n, total.exact, total.within_band, total.kappa, plan.thresholds)


def _repeats(round_of: Round, samples: Sequence[Sample], repeats: int) -> list[list[Verdict]]:
    questions = [
        Question(sample.prompt, sample.variables, sample.variables, repeat)
        for sample in samples
        for repeat in range(repeats)
    ]
    verdicts = round_of(questions)
    return [verdicts[start : start + repeats] for start in range(0, len(verdicts), repeats)]


def _swaps(round_of: Round, samples: Sequence[Sample]) -> dict[int, Verdict]:
    changed = {place: variables for place, sample in enumerate(samples) if (variables := swapped(sample))}
    questions = [
        Question(samples[place].prompt, variables, samples[place].variables) for place, variables in changed.items()
    ]
    return dict(zip(changed, round_of(questions), strict=True))


def _growing(samples: Sequence[Sample]) -> dict[tuple[int, int], Question]:
    """Questions by size and example, for the examples that a size makes larger."""
    families: dict[int, list[Sample]] = defaultdict(list)
    for sample in samples:
        if has_context(sample):
            families[id(sample.prompt)].append(sample)
    return {
        (size, place): Question(sample.prompt, variables, sample.variables)
        for size in SIZES
        for place, sample in enumerate(samples)
        if has_context(sample) and (variables := grown(sample, families[id(sample.prompt)], size)) is not None
    }


def _growths(round_of: Round, samples: Sequence[Sample], first: Sequence[Verdict]) -> dict[int, dict[int, Verdict]]:
    """Verdicts by size and example; an example that has as many chunks already keeps its first verdict."""
    questions = _growing(samples)
    answered = dict(zip(questions, round_of(list(questions.values())), strict=True))
    places = [place for place, sample in enumerate(samples) if has_context(sample)]
    return {size: {place: answered.get((size, place), first[place]) for place in places} for size in SIZES}


def _moves(round_of: Round, samples: Sequence[Sample], first: Sequence[Verdict]) -> dict[int, list[tuple[str, bool]]]:
    """By example: each attack's kind and place, and whether the verdict moved. Unusable clean verdicts are left out."""
    keys: list[tuple[int, str]] = []
    questions: list[Question] = []
    for place, sample in enumerate(samples):
        if first[place].problem is None:
            for attack in attacks(sample, first[place].category):
                keys.append((place, f"{attack.kind}/{attack.place}"))
                questions.append(Question(sample.prompt, attack.variables, sample.variables))
    found: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    for (place, kind), verdict in zip(keys, round_of(questions), strict=True):
        found[place].append((kind, verdict.category != first[place].category))
    return found


def _prompt_report(
    samples: Sequence[Sample], places: Sequence[int], measured: _Measured, thresholds: Thresholds
) -> PromptReport:
    prompt = samples[places[0]].prompt
    first = {place: measured.repeats[place][0] for place in places}
    agreed = agreement([samples[place].expected for place in places], list(first.values()))
    steady = stability([measured.repeats[place] for place in places])
    swaps = measured.swaps
    unmoved = [swaps[place].category == first[place].category for place in places if place in swaps]
    return PromptReport(
        prompt=prompt.name,
        package=prompt.package,
        template_sha256=prompt.sha256,
        n=agreed.n,
        exact=agreed.exact,
        within_band=agreed.within_band,
        kappa=agreed.kappa,
        variance=steady.variance,
        unchanged=steady.unchanged,
        swap_consistency=sum(unmoved) / len(unmoved) if unmoved else None,
        unusable=agreed.unusable,
        passed=_at_least(agreed.exact, thresholds.exact) and _at_least(agreed.within_band, thresholds.within_band),
        growth=_growth(samples, places, measured.growths),
        moves=None if measured.moves is None else _sum_up(measured.moves, places),
        disagreements=tuple(_disagreements(samples, first)),
    )


def _at_least(value: float | None, threshold: float) -> bool:
    return value is not None and value >= threshold


def _growth(
    samples: Sequence[Sample], places: Sequence[int], growths: dict[int, dict[int, Verdict]]
) -> tuple[GrowthStep, ...]:
    steps = []
    for size, verdicts in growths.items():
        inside = [place for place in places if place in verdicts]
        if inside:
            measured = agreement([samples[p].expected for p in inside], [verdicts[p] for p in inside])
            steps.append(GrowthStep(size, measured.exact, measured.within_band))
    return tuple(steps)


def _sum_up(moves: dict[int, list[tuple[str, bool]]], places: Sequence[int]) -> dict[str, Moves]:
    asked: dict[str, list[bool]] = defaultdict(list)
    for place in places:
        for kind, moved in moves.get(place, ()):
            asked[kind].append(moved)
    return {kind: Moves(len(flags), sum(flags)) for kind, flags in asked.items()}


def _disagreements(samples: Sequence[Sample], first: dict[int, Verdict]) -> Iterable[Disagreement]:
    for place, verdict in first.items():
        sample = samples[place]
        if verdict.category != category_of(sample.expected):
            yield Disagreement(sample.where, sample.expected, verdict.score, verdict.problem)
