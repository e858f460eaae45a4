"""What a user's own test-suite calls: assertions that fail with the claim, and a pytest plugin that lists them."""

from holdfast.testing.assertions import (
    assert_at_least,
    assert_at_most,
    assert_decision,
    assert_proven,
    assert_required,
)

__all__ = ["assert_at_least", "assert_at_most", "assert_decision", "assert_proven", "assert_required"]
