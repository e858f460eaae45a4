"""Draw the logs of two language models that do not exist, in the form of Inspect: `python examples/make_logs.py`."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

QUESTIONS, EPOCHS, SEED = 160, 4, 20261118
MODELS = {"atlas": 1.1, "borea": 0.4}  # by how much each is able, on the scale of the questions' difficulty
SUBJECTS = ("algebra", "history", "law", "physics")
CREATED = (2026, 11, 18, 10, 0, 0)


def main() -> None:
    rng = np.random.default_rng(SEED)
    difficulty = rng.normal(0.0, 1.5, QUESTIONS)
    folder = Path(__file__).parent / "logs"
    folder.mkdir(exist_ok=True)
    for model, skill in MODELS.items():
        chance = 1.0 / (1.0 + np.exp(difficulty - skill))
        right = rng.random((EPOCHS, QUESTIONS)) < chance
        samples = [
            _sample(place, epoch, bool(right[epoch, place])) for epoch in range(EPOCHS) for place in range(QUESTIONS)
        ]
        if model == "borea":  # one sample of a real run is lost now and then
            samples[37] |= {"scores": {}, "error": "RateLimitError('429')"}
        _write(folder / f"{model}.eval", model, samples)


def _sample(place: int, epoch: int, right: bool) -> dict[str, object]:
    return {
        "id": f"q{place:03d}",
        "epoch": epoch + 1,
        "input": f"Question {place}?",
        "target": f"answer {place}",
        "metadata": {"subject": SUBJECTS[place % len(SUBJECTS)]},
        "scores": {"choice": {"value": "C" if right else "I"}},
        "completed": True,
    }


def _write(path: Path, model: str, samples: list[dict[str, object]]) -> None:
    ids = [f"q{place:03d}" for place in range(QUESTIONS)]
    evaluation = {
        "task": "quiz",
        "task_version": 1,
        "model": f"made-up/{model}",
        "dataset": {"name": "quiz", "samples": QUESTIONS, "sample_ids": ids},
        "config": {"epochs": EPOCHS},
        "packages": {"inspect_ai": "0.3.285"},
        "scorers": [{"name": "choice", "options": {}, "metrics": [{"name": "accuracy", "options": {}}]}],
    }
    results = {"total_samples": len(samples), "headline": {"scorer": "choice", "score": "choice", "metric": "accuracy"}}
    header = {"version": 2, "status": "success", "eval": evaluation, "results": results}
    with ZipFile(path, "w") as archive:
        for name, held in (("header.json", header), ("summaries.json", samples)):
            member = ZipInfo(name, CREATED)
            member.compress_type = ZIP_DEFLATED
            archive.writestr(member, json.dumps(held))


if __name__ == "__main__":
    main()
