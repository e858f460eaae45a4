"""Writes predictions.csv: what the model says of each payment in the test set, beside what it was.

Stands for your own model. Payments are drawn by chance, a fifth of them fraud, and the model is right about each
with the same probability.
"""

import argparse
import csv
import random


def main() -> None:
    options = argparse.ArgumentParser(description="Write predictions.csv.")
    options.add_argument("--rows", type=int, default=2000, help="payments in the test set")
    options.add_argument("--right", type=float, default=0.98, help="how often the model is right")
    asked = options.parse_args()
    chance = random.Random(20)
    with open("predictions.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["truth", "predicted"])
        for _ in range(asked.rows):
            truth = "fraud" if chance.random() < 0.2 else "fine"
            wrong = "fine" if truth == "fraud" else "fraud"
            writer.writerow([truth, truth if chance.random() < asked.right else wrong])


if __name__ == "__main__":
    main()
