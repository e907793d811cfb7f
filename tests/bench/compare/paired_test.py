import random
import unittest

import paired


def noisy(count, centre, spread, seed):
    draw = random.Random(seed)
    return [centre * (1 + spread * draw.gauss(0, 1)) for _ in range(count)]


class Compare(unittest.TestCase):
    def test_tells_a_clear_loss(self):
        verdict = paired.compare(noisy(15, 100, 0.01, 1), noisy(15, 120, 0.01, 2))
        self.assertEqual(verdict.word, "lost")
        self.assertAlmostEqual(verdict.ratio, 1.2, delta=0.02)
        self.assertLess(verdict.low, verdict.ratio)
        self.assertGreater(verdict.high, verdict.ratio)

    def test_lets_equal_and_faster_builds_pass(self):
        for centre in (100, 101, 70):
            self.assertEqual(paired.compare(noisy(15, 100, 0.01, 3), noisy(15, centre, 0.01, 4)).word, "held")

    def test_says_when_noise_hides_the_answer(self):
        self.assertEqual(paired.compare(noisy(9, 100, 0.2, 5), noisy(9, 105, 0.2, 6)).word, "unclear")

    def test_is_not_misled_by_what_disturbs_both_of_a_pair(self):
        weather = [1, 1, 3, 1, 2, 1, 1, 4, 1, 1, 2]
        old = [100 * w for w in weather]
        self.assertEqual(paired.compare(old, [1.01 * v for v in old]).word, "held")
        self.assertEqual(paired.compare(old, [1.10 * v for v in old]).word, "lost")

    def test_is_not_misled_by_a_few_outliers(self):
        new = noisy(15, 100, 0.005, 8)
        new[3] *= 5
        new[9] *= 3
        self.assertEqual(paired.compare(noisy(15, 100, 0.005, 7), new).word, "held")

    def test_takes_the_threshold_as_a_part_of_the_old_time(self):
        old, new = [100.0] * 9, [108.0] * 9
        self.assertEqual(paired.compare(old, new).word, "lost")
        self.assertEqual(paired.compare(old, new, threshold=0.1).word, "held")
        self.assertEqual(paired.compare(old, [105.0] * 9).word, "held")

    def test_gives_the_same_answer_again(self):
        old, new = noisy(9, 100, 0.05, 9), noisy(9, 104, 0.05, 10)
        self.assertEqual(paired.compare(old, new), paired.compare(old, new))

    def test_rarely_accuses_an_equal_build(self):
        accused = sum(paired.compare(noisy(9, 100, 0.05, 2 * i), noisy(9, 100, 0.05, 2 * i + 1), seed=i).word == "lost" for i in range(40))
        self.assertLessEqual(accused, 2)

    def test_refuses_what_is_no_pair(self):
        for old, new in (([], []), ([1.0], [1.0, 2.0]), ([0.0], [1.0])):
            with self.assertRaises(ValueError):
                paired.compare(old, new)


if __name__ == "__main__":
    unittest.main()
