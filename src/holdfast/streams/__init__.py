"""What one may look at any time: sequences of bets, the monitor and the duel made of them, and their states on disk."""
