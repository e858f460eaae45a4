"""What bets on draws amount to: lines of squared excesses, matchings, nested rates, ratios, and folds merged."""
