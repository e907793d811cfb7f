import unittest

import growth


def point(cause, step_s, memory_bytes=1 << 20, start_s=0.5):
    return {"cause": cause, "step_s": step_s, "memory_bytes": memory_bytes, "start_s": start_s}


class Ratios(unittest.TestCase):
    def test_one_is_growth_as_that_of_the_cause(self):
        ratios = growth.growths([point(10, 0.001), point(100, 0.01), point(1000, 1.0, 5 << 20, 50.0)])
        self.assertAlmostEqual(ratios[0]["step_s"], 1)
        self.assertAlmostEqual(ratios[0]["memory_bytes"], 0.1)
        self.assertAlmostEqual(ratios[1]["step_s"], 10)
        self.assertAlmostEqual(ratios[1]["memory_bytes"], 0.5)
        self.assertAlmostEqual(ratios[1]["start_s"], 10)

    def test_names_what_grows_faster(self):
        self.assertEqual(growth.verdict({"step_s": 1.09, "memory_bytes": 0.2, "start_s": 1.0}), "kept")
        self.assertEqual(growth.verdict({"step_s": 1.2, "memory_bytes": 0.2, "start_s": 3.0}), "missed: step, start")

    def test_bytes_of_each(self):
        self.assertAlmostEqual(growth.bytes_each([point(1000, 1, 10_000_000), point(1_001_000, 1, 15_000_000)]), 5)


class Table(unittest.TestCase):
    def setUp(self):
        self.points = [point(10, 0.001), point(100, 0.02, 2 << 20), point(1000, 0.1, 3000 << 20, 1.5)]

    def test_sets_each_row_against_the_one_before(self):
        lines = growth.table("layers", self.points)
        self.assertEqual(len(lines), 6)
        self.assertEqual(len({line.count("|") for line in lines}), 1, lines)
        self.assertEqual(lines[2], "| 10 | 1 | 1 | 0.5 |  |  |  |  |")
        self.assertEqual(lines[3], "| 100 | 20 | 2 | 0.5 | ×2.00 | ×0.20 | ×0.10 | missed: step |")
        self.assertEqual(lines[4], "| 1,000 | 100 | 3,000 | 1.5 | ×0.50 | ×150.00 | ×0.30 | missed: memory |")
        self.assertEqual(lines[5], "| ×100 | ×100 | ×3,000 | ×3 | ×1 | ×30 | ×0.03 | missed: memory |")

    def test_two_rows_need_no_sum(self):
        self.assertEqual(len(growth.table("batch", self.points[:2])), 4)

    def test_no_row_at_all(self):
        self.assertEqual(len(growth.table("batch", [])), 2)


class Projects(unittest.TestCase):
    def test_has_as_many_layers(self):
        for count in growth.CAUSES["layers"]:
            layers = growth.project("layers", count, 5)["model"]["layers"]
            self.assertEqual(len(layers), count)
            self.assertEqual(len({layer["name"] for layer in layers}), count)

    def test_has_about_as_many_weights(self):
        for count in growth.CAUSES["weights"]:
            self.assertAlmostEqual(growth.weights_of(growth.layers_of("weights", count)) / count, 1, delta=0.02)

    def test_the_rest_stays_small(self):
        wide = growth.project("batch", 4096, 7)
        self.assertEqual(wide["data"]["batch_size_per_replica"], 4096)
        self.assertEqual((wide["fit"]["epochs"], wide["fit"]["steps_per_epoch"]), (2, 7))
        many = growth.project("workers", 64, 7)
        self.assertEqual(many["data"]["batch_size_per_replica"], growth.BATCH)
        self.assertEqual(len(many["model"]["layers"]), 3)
        self.assertEqual(many["callbacks"], {})

    def test_steps_fill_a_measurement(self):
        self.assertEqual(growth.steps_for(0.01), 300)
        self.assertEqual(growth.steps_for(100), growth.FEWEST_STEPS)
        self.assertEqual(growth.steps_for(1e-9), growth.MOST_STEPS)


class Measuring(unittest.TestCase):
    def setUp(self):
        self.kept = growth.measure, growth.free_bytes
        self.args = type("Args", (), {"most": None, "rounds": 3, "quick": False})()
        growth.free_bytes = lambda: growth.KEPT_FREE_BYTES + (100 << 20)

    def tearDown(self):
        growth.measure, growth.free_bytes = self.kept

    def points(self, measure):
        growth.measure = measure
        return growth.points_of(self.args, "weights", lambda one: one())

    def test_takes_the_middle_of_the_rounds(self):
        times = iter([3.0, 1.0, 2.0] * 10)
        points, left_out = self.points(lambda args, line, cause: point(cause, next(times)))
        self.assertEqual([one["step_s"] for one in points], [2.0] * len(growth.CAUSES["weights"]))
        self.assertEqual(left_out, [])

    def test_leaves_out_what_has_no_memory(self):
        points, left_out = self.points(lambda args, line, cause: point(cause, 1.0, cause * 8))
        self.assertEqual([one["cause"] for one in points], [10**4, 10**5, 10**6, 10**7])
        self.assertIn("100,000,000 and more were not measured", left_out[0])

    def test_larger_ones_are_left_out_when_asked(self):
        self.args.most = 1e5
        points, left_out = self.points(lambda args, line, cause: point(cause, 1.0))
        self.assertEqual(([one["cause"] for one in points], left_out), ([10**4, 10**5], []))

    def test_a_failure_ends_its_line(self):
        def fails(args, line, cause):
            if cause > 10**4:
                raise OSError("no such program")
            return point(cause, 1.0)

        points, left_out = self.points(fails)
        self.assertEqual(len(points), 1)
        self.assertIn("weights, 100,000: no such program", left_out[0])


if __name__ == "__main__":
    unittest.main()
