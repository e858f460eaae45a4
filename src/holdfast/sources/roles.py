"""What a column of a table may hold, and the names that people give it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Role:
    """What a column holds; the first of its words is the name we teach: where it stands, the others are not looked for.

    Where several columns bear other names of a role, they are refused, unless the words are `ranked`: then an earlier
    one wins.
    """

    name: str
    words: tuple[str, ...]
    meaning: str
    advice: str = ""  # how to say which of several it is
    ranked: bool = False


def _of_answers(name: str, meaning: str, *words: str) -> Role:
    return Role(name, (name, *words), meaning, f"Say which one is with {name}= (--{name}).")


TRUTH = _of_answers(
    *("truth", "the truth", "y_true", "true", "true_label", "actual", "target", "label", "labels", "y", "gold"),
    *("gold_label", "reference", "expected", "ground_truth", "y_test"),
)
PREDICTED = _of_answers(
    *("predicted", "the prediction", "y_pred", "pred", "preds", "prediction", "predictions", "predicted_label", "yhat"),
    *("y_hat", "output", "answer", "response"),
)
SCORE = _of_answers("score", "the score", "y_score", "scores", "prob", "probability", "proba", "y_prob", "y_proba", "p")
CORRECT = _of_answers("correct", "right or wrong", "passed", "is_correct", "pass", "success", "right")
ID = _of_answers(
    *("id", "the id of the item", "item", "item_id", "question", "question_id", "example", "example_id", "task"),
    *("task_id", "sample_id", "row_id", "uid", "key"),
)
MODEL = _of_answers("model", "the name of the model", "model_name", "model_id", "system", "classifier")
ANSWERS = (TRUTH, PREDICTED, SCORE, CORRECT, ID, MODEL)
SEVERAL_SCORES = ("score_", "prob_", "proba_", "probability_")  # before the label that a column of scores speaks for


def _of_folds(name: str, *words: str) -> Role:
    return Role(name, (name, *words), name, f"Give {name}=.")


FOLDS = (
    _of_folds("fold", "split", "cv_fold", "fold_id", "cv"),
    _of_folds("repeat", "repetition", "rep", "run"),
    _of_folds("model", "classifier", "learner", "algorithm", "estimator"),
    _of_folds("n_train", "train_size", "trained_on"),
    _of_folds("n_test", "test_size", "tested_on", "n"),
)

DATASET = Role(
    "datasets", ("dataset", "data_set", "datasets", "task", "benchmark", "problem"), "the data sets", ranked=True
)
MODEL_OF_DATASETS = Role("model", ("model", "algorithm", "classifier", "learner", "method"), "the models", ranked=True)
