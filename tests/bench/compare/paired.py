"""Whether one of two builds is slower, from paired measurements.

A pair is taken close in time, so that what disturbs the machine disturbs both; its ratio new / old is what counts. The loss is the median of
the ratios. Its interval comes from a bootstrap: medians of as many ratios drawn again with replacement, from the 2.5th to the 97.5th of a
hundred. A build has lost when even the lower end of the interval lies beyond the threshold; it has held when even the upper end does not.
"""
import dataclasses
import random
import statistics

RESAMPLES = 2000


@dataclasses.dataclass(frozen=True)
class Verdict:
    ratio: float    # time of the new build against the old: 1.10 = a tenth slower
    low: float      # of the interval that holds the median in 95 of 100 cases
    high: float
    word: str       # "lost", "held", or "unclear": more pairs would tell


def compare(old, new, threshold=0.05, seed=1):
    """Times of the same length, pair by pair; the threshold as a part of the old time."""
    if len(old) != len(new) or not old:
        raise ValueError(f"pairs: expected as many old as new times and one at least, got {len(old)} and {len(new)}")
    if min(*old, *new) <= 0:
        raise ValueError("times: expected numbers above 0")
    ratios = [b / a for a, b in zip(old, new)]
    draw = random.Random(seed)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    low, high = medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]
    word = "lost" if low > 1 + threshold else "held" if high <= 1 + threshold else "unclear"
    return Verdict(statistics.median(ratios), low, high, word)
