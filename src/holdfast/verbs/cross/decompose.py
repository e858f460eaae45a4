"""What is the loss made of? Bias and variance of a way of training, perhaps along one of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Literal

import numpy as np

from holdfast.arguments import Seed
from holdfast.claims import Assumption, Claim, Source
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import shown
from holdfast.evidence.pools.decomposition import Decomposition, squared, squared_probabilities, zero_one
from holdfast.predictions.coded import number_in, spelled
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import Decomposed, DecompositionFacts
from holdfast.resampling import redrawn
from holdfast.training import Fits, fit_all
from holdfast.training.given import Learner, checked, declared_labels, labelled
from holdfast.training.preparation import Prepare, prepared
from holdfast.verbs.bound import default_method
from holdfast.verbs.cross.measure import DATA, parameter_of, trained
from holdfast.verbs.jointly import notes_of_classes, one_chance
from holdfast.verbs.provenance import recorded

Loss = Literal["zero-one", "squared"]
Outputs = Literal["labels", "probabilities"]
LOSSES: tuple[Loss, ...] = ("zero-one", "squared")
OUTPUTS: tuple[Outputs, ...] = ("labels", "probabilities")
SOURCES = {"zero-one": Source("domingos2000", "Theorems 2 and 3"), "squared": Source("zaki2014", "(22.16)")}
MOST_VALUES = 1_000
ALONG = (
    "parameter= (--parameter NAME) with values= (--values A,B,...) shows how bias and variance change along a "
    "parameter of the estimator."
)
Progress = Callable[[int, int], object]


@recorded(without=DATA)
def decompose(
    estimator: Any,
    X: Any,  # scikit-learn's name
    y: Any,
    *,
    loss: Loss = "zero-one",
    outputs: Outputs = "labels",
    rounds: int = 50,
    test_share: float = 1 / 3,
    parameter: str | None = None,
    values: Sequence[Any] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    labels: Sequence[object] | None = None,
    seed: Seed = 0,
    engine: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    prepare: Prepare = "auto",
    name: str | None = None,
) -> Report:
    """How much of the loss all models of this way of training share (bias), and how much they disagree (variance).

    One part of the rows, drawn at random, tests. From the others `rounds` training sets are drawn with replacement,
    and a model is trained on each.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, or anything with `get_params`, `fit` and `predict`; it is cloned, never fitted.
    X, y
        The rows and their labels.
    loss
        "zero-one", decomposed as Domingos does: the loss is the bias plus the net variance. Or "squared": the loss is
        the squared bias plus the variance. Either way noise counts as bias.
    outputs
        For the squared loss: "labels" that are numbers (two with names count as -1 and 1), or "probabilities".
    rounds
        The number of training sets.
    test_share
        The share of the rows that test.
    parameter, values
        A parameter of the estimator, and the values to try it at: the curves of bias and variance.
    confidence, delta
        As in `bound`. Each interval holds on its own, and is about these training sets.
    labels
        All labels there are, in your order; by default those that occur. How far a loss or a variance can go depends on
        them: where they were found, such claims assume that no class is missing.
    engine, workers, progress
        Where the training is done, as in `cross_assess`; a call after each split, with how many are done of how many.
    prepare, name
        What to do with columns of a frame that the estimator cannot take, and what to call it, as in `cross_assess`.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> draw = np.random.default_rng(0)
    >>> X = draw.normal(size=(300, 2))
    >>> y = np.where(X.prod(axis=1) > 0, "same sign", "different")
    >>> trees = DecisionTreeClassifier(random_state=0)
    >>> report = decompose(trees, X, y, parameter="max_depth", values=[1, 3], rounds=10)
    >>> for value in (1, 3):
    ...     print(report["bias", None, f"max_depth={value}"])
    0.460 [0.359, 0.563], clopper-pearson, 95 %, holds at every sample size
    0.100 [0.049, 0.177], clopper-pearson, 95 %, holds at every sample size
    """
    level = one_chance("A decomposition is made", "decompose", confidence, delta)
    if loss not in LOSSES:
        raise UnknownName("loss", loss, LOSSES)
    if outputs not in OUTPUTS:
        raise UnknownName("kind of outputs", outputs, OUTPUTS)
    if outputs == "probabilities" and loss == "zero-one":
        raise HoldfastError(
            'The zero-one loss is one of labels; for outputs="probabilities" '
            '(--outputs probabilities) ask for loss="squared" (--loss squared).'
        )
    if (parameter is None) != (values is None):
        raise HoldfastError(
            "A parameter is tried at values: give both parameter= (--parameter) and values= (--values), or neither."
        )
    tried = [] if parameter is None else _listed(values)
    ready = prepared(estimator, X, prepare)
    learner = Learner.of(estimator, name, varied=parameter)
    settings = {"": ready.estimator} if parameter is None else dict(_settings(ready.estimator, parameter, tried))
    if outputs == "probabilities" and not all(hasattr(each, "predict_proba") for each in settings.values()):
        raise HoldfastError(
            f'{type(estimator).__name__} has no predict_proba; ask for outputs="labels" (--outputs labels).'
        )
    if not isinstance(rounds, (int, np.integer)) or isinstance(rounds, bool) or rounds < 2:
        raise HoldfastError(f"A variance needs rounds= (--rounds) of at least 2 training sets; got {shown(rounds)}.")
    plan = redrawn(y, rounds=rounds, test_share=test_share, seed=seed)
    declared = declared_labels(y, plan.rows, labels)
    classes = _classes(labelled(y, plan.rows)[0].tolist(), declared)
    if len(classes) < 2:
        raise HoldfastError("All labels are alike, so that nothing can be lost; a decomposition needs two classes.")
    if loss == "squared" and outputs == "labels":
        numbers_of([*classes.values()])  # refuses names before anything is trained
    options: dict[str, Any] = {"engine": engine, "workers": workers, "seed": seed, "scores": outputs != "labels"}
    parts = []
    with ready.explained():
        for number, each in enumerate(settings.values()):
            fits = fit_all(each, X, y, plan, progress=_onward(progress, number, len(settings), rounds), **options)
            parts.append(_parts(fits, classes, loss, outputs))
    groups = list(settings) if parameter else [None]
    # A class more would change how far a squared loss can go; the others are about labels that models were taught.
    assumes = (Assumption.EVERY_CLASS,) if loss == "squared" and declared is None else ()
    open_to_more = [*parts[0].evidence()] if assumes else []
    facts = Decomposed(
        loss=loss,
        outputs=outputs,
        rounds=len(plan),
        n_train=int(plan.n_train[0]),
        n_test=int(plan.n_test[0]),
        parameter=parameter,
        values=tuple(_plain(value) for value in tried),
        target="these training sets",
        source=str(SOURCES[loss]),
    )
    return Report.of(
        _lines(parts, groups, level, assumes),
        DecompositionFacts(
            decomposition=facts,
            **trained(learner, ready),
            notes=(*ready.notes, *_notes(facts, classes), *notes_of_classes(open_to_more), *fits.notes),
            next=() if parameter else (ALONG,),
        ),
        fingerprint=fits.fingerprint,
        rows=plan.rows,
        seed=seed,
    )


def _settings(estimator: Any, parameter: str, values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """By the name of its lines, the estimator at each value of the parameter."""
    place = parameter_of(checked(estimator), parameter)
    names = [f"{parameter}={_plain(value)}" for value in values]
    if twice := [name for name in names if names.count(name) > 1]:
        raise HoldfastError(f"values= (--values) holds {twice[0]} twice; give each value once.")
    for name, value in zip(names, values, strict=True):
        yield name, checked(estimator).set_params(**{place: value})


def _listed(values: Any) -> list[Any]:
    given = values.tolist() if isinstance(values, np.ndarray) else values
    several = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    listed = list(islice(given, MOST_VALUES + 1)) if several else []
    if not listed:
        raise HoldfastError(
            f"values= (--values) lists the values of the parameter, such as [1, 2, 5]; got {shown(values)}."
        )
    if len(listed) > MOST_VALUES:
        raise HoldfastError(f"values= (--values) lists more than {MOST_VALUES:,} values of the parameter; try fewer.")
    return listed


def _plain(value: Any) -> Any:
    """The value as JSON has it; what JSON has not is written out."""
    value = value.item() if isinstance(value, np.generic) else value
    finite = not isinstance(value, float) or np.isfinite(value)
    return value if value is None or (isinstance(value, (str, int, float)) and finite) else shown(value)


def _onward(progress: Progress | None, number: int, of: int, rounds: int) -> Progress | None:
    """Progress of one value as progress of all."""
    return None if progress is None else lambda done, _: progress(number * rounds + done, of * rounds)


def _classes(classes: Sequence[Any], declared: Sequence[str] | None) -> dict[str, Any]:
    """By its label each class: as it occurs, or as a number where the others are numbers, else the label itself."""
    occurring = {spelled(each): each for each in classes}
    if declared is None:
        return occurring
    numbers = not any(isinstance(each, (str, bool)) for each in classes)
    others = {label: number_in(label) if numbers else None for label in declared}
    return {label: occurring.get(label, label if others[label] is None else others[label]) for label in declared}


def _parts(fits: Fits, classes: Mapping[str, Any], loss: Loss, outputs: Outputs) -> Decomposition:
    tested = fits.plan.test(0)
    places = np.array([[*classes].index(spelled(each)) for each in fits.classes])
    truth = places[fits.truth[tested]]
    if outputs == "probabilities":
        scores: list[Any] = [fits[number].scores for number in range(len(fits.plan))]  # of predict_proba
        shares = np.stack(scores)
        shares = shares if shares.ndim == 3 else np.stack([1.0 - shares, shares], axis=-1)
        every = np.zeros((*shares.shape[:-1], len(classes)))
        every[..., places] = shares
        return squared_probabilities(every, truth)
    predicted = places[np.stack([fits[number].predicted for number in range(len(fits.plan))])]
    if loss == "zero-one":
        taught = np.unique(np.delete(fits.truth, tested))
        return zero_one(predicted, truth, len(classes), predictable=taught.size)
    numbers = np.array(numbers_of([*classes.values()]))
    return squared(numbers[predicted], numbers[truth], numbers.tolist())


def numbers_of(classes: Sequence[Any]) -> list[float]:
    """The classes as numbers: those that they are, or -1 and 1 for two with names.

    Examples
    --------
    >>> numbers_of(["ham", "spam"]), numbers_of([0, 1, 5])
    ([-1.0, 1.0], [0.0, 1.0, 5.0])
    """
    plain = [each.item() if isinstance(each, np.generic) else each for each in classes]
    if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in plain):
        return [float(each) for each in plain]
    if len(plain) == 2:
        return [-1.0, 1.0]
    raise HoldfastError(
        f"The squared loss of labels needs classes that are numbers, or two of them; these are {len(plain)} with "
        'names. Ask for outputs="probabilities" (--outputs probabilities), or for loss="zero-one" (--loss zero-one).'
    )


def _lines(
    parts: Sequence[Decomposition], groups: Sequence[str | None], level: float, assumes: tuple[Assumption, ...]
) -> list[Line]:
    """Of each value every part of the loss, with its limits."""
    kinds: dict[str, list[Claim]] = {}
    for name, evidence in Decomposition.joined(parts).evidence().items():
        claims = default_method(evidence)(evidence, level, "both")
        each = replace(claims, n=np.full(len(parts), evidence.n), assumes=(*claims.assumes, *assumes))
        kinds[name] = [each.one(place, measure=name) for place in range(len(parts))]
    return [Line(claims[place], group=group) for place, group in enumerate(groups) for claims in kinds.values()]


def _notes(facts: Decomposed, classes: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"The limits are about these {facts.rounds:,} training sets, and tests on any examples like these. About "
        f"other training sets nothing is proven: all were drawn from the same {facts.n_train:,} examples, and "
        "resemble each other more than new ones would."
    )
    noise = "the squared bias" if facts.loss == "squared" else "the bias"
    yield f"Noise counts as bias: what nobody could predict is part of {noise}."
    if facts.loss == "zero-one":
        yield (
            "The loss is the bias plus the net variance: models that disagree lose where their vote is right, and win "
            "where it is wrong."
        )
    elif facts.outputs == "labels":
        numbers = zip(classes, numbers_of([*classes.values()]), strict=True)
        yield f"The squared loss counts {', '.join(f'{label} as {number:g}' for label, number in numbers)}."
    if facts.parameter:
        yield (
            "A value that was chosen because it does best here does less well elsewhere: assess the model you choose "
            "on other examples."
        )
