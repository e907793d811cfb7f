import unittest

import processes


class MeasuringAgain(unittest.TestCase):
    def setUp(self):
        self.kept = processes.busy, processes.stolen
        self.busy = 0.0
        processes.busy = lambda: self.busy

    def tearDown(self):
        processes.busy, processes.stolen = self.kept

    def run_with(self, shares, quiet):
        """What `quiet` gives for a measurement whose n-th try returns n and loses shares[n] percent."""
        tries = iter(range(len(shares)))
        clock = [0, 0]

        def measure():
            number = next(tries)
            clock[0] += shares[number]
            clock[1] += 100
            return number

        processes.stolen = lambda: tuple(clock)
        return quiet(measure)

    def test_takes_the_first_that_nobody_disturbed(self):
        quiet = processes.Quiet(False)
        self.assertEqual(self.run_with([40, 1, 0], quiet), 1)
        self.assertEqual(quiet.again, 1)
        self.assertAlmostEqual(quiet.worst, 0.01)

    def test_takes_the_least_disturbed_when_none_is_quiet(self):
        quiet = processes.Quiet(False)
        self.assertEqual(self.run_with([40, 10, 30], quiet), 1)
        self.assertIn("2 times; at most 10%", quiet.sentence())

    def test_programs_at_work_before_count_as_well(self):
        self.busy = 0.5
        quiet = processes.Quiet(False)
        self.run_with([0, 0, 0], quiet)
        self.assertEqual(quiet.again, 2)

    def test_any_load_measures_once(self):
        quiet = processes.Quiet(True)
        self.assertEqual(self.run_with([40, 0], quiet), 0)
        self.assertEqual(quiet.again, 0)


if __name__ == "__main__":
    unittest.main()
