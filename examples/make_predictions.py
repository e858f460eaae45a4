"""Writes predictions.csv and models.csv, here: answers about breast tumours that the models were not trained on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
MODELS = {
    "bayes": GaussianNB(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
}

data = load_breast_cancer()
names = np.array(["malignant", "benign"])[data.target]
order = np.random.default_rng(7).permutation(len(names))
train, test = order[:284], order[284:]
fitted = {name: model.fit(data.data[train], names[train]) for name, model in MODELS.items()}
answers = {name: model.predict(data.data[test]) for name, model in fitted.items()}
bayes = fitted["bayes"]
scores = bayes.predict_proba(data.data[test])[:, list(bayes.classes_).index("malignant")]
with (HERE / "predictions.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["truth", "predicted", "score"])
    rows = zip(names[test], answers["bayes"], scores, strict=True)
    table.writerows((truth, predicted, f"{score:.6g}") for truth, predicted, score in rows)
with (HERE / "models.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["tumour", "truth", *answers])
    table.writerows(zip(test, names[test], *answers.values(), strict=True))
