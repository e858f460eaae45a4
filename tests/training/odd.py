"""Learners that do what learners should not, for workers to import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB


class Majority(ClassifierMixin, BaseEstimator):
    """Predicts the most frequent label; has no scores."""

    def fit(self, X: Any, y: Any) -> Majority:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[np.argmax(counts)]
        return self

    def predict(self, X: Any) -> Any:
        return np.repeat(self.most_, len(X))


class Deadly(GaussianNB):
    """Kills the process that fits it, as often as there is no file to stop it; each fit leaves its mark."""

    def __init__(self, folder: str = "", deaths: int = 1, parent: int = 0, seconds: float = 0.05) -> None:
        super().__init__()
        self.folder, self.deaths, self.parent, self.seconds = folder, deaths, parent, seconds

    def fit(self, X: Any, y: Any) -> Any:
        time.sleep(self.seconds)
        Path(self.folder, f"fit-{os.getpid()}-{time.monotonic_ns()}").touch()
        started = len(list(Path(self.folder).glob("fit-*")))
        died = len(list(Path(self.folder).glob("died-*")))
        if self.folder and started > 4 and died < self.deaths and os.getpid() != self.parent:
            Path(self.folder, f"died-{os.getpid()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


class Picky(Majority):
    """Fails where the last training row's first value is `wrong`."""

    def __init__(self, wrong: float = 0.0) -> None:
        self.wrong = wrong

    def fit(self, X: Any, y: Any) -> Any:
        if np.asarray(X)[-1, 0] == self.wrong:
            raise RuntimeError("this will not do\nat all")
        return super().fit(X, y)


class Leaving(Majority):
    """Leaves the process that fits it, in silence."""

    def fit(self, X: Any, y: Any) -> Any:
        raise SystemExit(0)


class Wrong(Majority):
    """Answers with what nobody asked for."""

    def __init__(self, how: str = "") -> None:
        self.how = how

    def predict(self, X: Any) -> Any:
        answer = super().predict(X)
        if self.how == "short":
            return answer[:-1]
        if self.how == "wide":
            return np.stack([answer, answer], axis=1)
        if self.how == "unknown":
            return np.array(["a stranger"] * len(X))
        if self.how == "number":
            return np.zeros(len(X))
        if self.how == "none":
            return None
        return answer


class Scored(Majority):
    """Has scores of a kind."""

    def __init__(self, how: str = "") -> None:
        self.how = how

    def predict_proba(self, X: Any) -> Any:
        shares = np.full((len(X), len(self.classes_)), 1 / len(self.classes_))
        if self.how == "nan":
            shares[0] = np.nan
        return shares[:, :-1] if self.how == "narrow" else shares


class Chancy(Majority):
    """Half its predictions are by chance."""

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def predict(self, X: Any) -> Any:
        return np.random.RandomState(self.random_state).choice(self.classes_, len(X))


class Threads(Majority):
    """Predicts how many threads the linear algebra may use."""

    def predict(self, X: Any) -> Any:
        from threadpoolctl import threadpool_info

        time.sleep(0.01)  # let others come and go
        most = max((library["num_threads"] for library in threadpool_info()), default=1)
        return np.repeat(self.classes_[min(most, 2) - 1], len(X))


class Unsendable(Majority):
    """Holds what no other process can have."""

    def __init__(self, held: Any = None) -> None:
        self.held = held
