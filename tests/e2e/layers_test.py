"""What is measured of layers, and what goes wrong in them told with its step: by train, watch and exported data."""
import json
import unittest

from programs import ProgramTest

DENSE = [{"class_name": "Flatten", "name": "flatten", "config": {}},
         {"class_name": "Dense", "name": "dense", "config": {"units": 64, "activation": "relu"}},
         {"class_name": "Dense", "name": "pred", "config": {"units": 10, "activation": "softmax"}}]


def sgd(rate):
    return {"class_name": "SGD", "config": {"learning_rate": rate}}


class Layers(ProgramTest):
    def fit(self, *arguments, template="mnist_mlp", layers=None, optimizer=None, **settings):
        given = {"model__layers": layers or DENSE, "data__take": 6400, "fit__epochs": 1, **settings}
        if optimizer:
            given["compile__optimizer"] = optimizer
        return self.train(self.project(template, **given), *arguments, "--out", self.home / "out", "--overwrite")

    def test_are_measured_in_a_starter_and_nothing_goes_wrong(self):
        events = self.train("mnist_mlp", "--set", "fit.epochs=2", "--out", self.home / "out")
        reports = [e for e in events if e["event"] == "layers"]
        self.assertEqual([e["step"] for e in reports], [1, 2, 5, 10, 20, 50, *range(100, 901, 100)])
        for report in reports:
            self.assertEqual([one["layer"] for one in report["layers"]], ["dense", "dense_1", "dense_2"])
            self.assertEqual([one["units"] for one in report["layers"]], [512, 512, 0])
            self.assertEqual(report["samples"], 128)
            for one in report["layers"]:
                self.assertGreater(one["gradient_norm"], 0)
                self.assertLess(one["update_norm"], one["weights_norm"])
                self.assertEqual(one["gradient_not_finite"] + one["weights_not_finite"], 0)
        self.assertEqual([e for e in events if e["event"] == "anomaly"], [])
        watched = self.run_cli("watch", events[-1]["run"], "--json")
        replayed = [e for e in map(json.loads, watched.stdout.splitlines()) if e["event"] == "layers"]
        self.assertEqual(replayed, reports, "the journal has them as they came")
        exported = self.run_cli("export", "data", events[-1]["run"], "--format", "csv", "--out", self.home)
        self.assertEqual(exported.returncode, 0, exported.stderr)
        rows = next(self.home.glob("*.csv")).read_text().splitlines()
        ratios = [row.split(",") for row in rows if row.startswith("dense_1/update_ratio,")]
        self.assertEqual([int(row[1]) for row in ratios], [e["step"] for e in reports])
        first = reports[0]["layers"][1]
        self.assertAlmostEqual(float(ratios[0][4]), first["update_norm"] / first["weights_norm"], places=9)

    def test_of_a_rate_that_is_far_too_high_explode(self):
        events = self.fit(optimizer=sgd(1e3))
        told = [e for e in events if e["event"] == "anomaly"]
        self.assertIn(("large_updates", "dense", 1), [(e["kind"], e["layer"], e["step"]) for e in told], told)
        self.assertRegex(next(e["text"] for e in told if e["layer"] == "dense"),
                         r"^dense: its update at step 1 is [0-9.e+]+ times as large as its weights$")
        words = self.run_cli("watch", events[-1]["run"]).stdout
        for one in told:
            self.assertEqual(words.count(one["text"]), 1, words)

    def test_whose_units_are_all_dead_are_named(self):
        layers = json.loads(json.dumps(DENSE))
        layers[1]["config"]["bias_initializer"] = {"class_name": "Constant", "config": {"value": -100.0}}
        told = {e["kind"]: e for e in self.fit(layers=layers) if e["event"] == "anomaly"}
        self.assertEqual(set(told), {"dead_units", "no_learning"}, told)
        self.assertEqual(told["dead_units"]["text"], "dense: 64 of 64 ReLU units are dead since step 1: 0 for each of 128 samples")
        self.assertEqual((told["no_learning"]["layer"], told["no_learning"]["step"]), ("dense", 1))

    def test_are_measured_the_same_by_one_task_and_by_two(self):
        def reports(*arguments, batch):
            events = self.fit(*arguments, "--threads", 1, "--set", f"data.batch_size_per_replica={batch}", "--set", "data.shuffle=0",
                              optimizer=sgd(0.1))
            return [e["layers"] for e in events if e["event"] == "layers"]
        one, two = reports(batch=128), reports("--workers", 2, batch=64)
        self.assertEqual(len(one), len(two))
        for a, b in zip(one[0], two[0], strict=True):
            self.assertAlmostEqual(a["gradient_norm"], b["gradient_norm"], delta=1e-4 * a["gradient_norm"])
            self.assertAlmostEqual(b["update_norm"], 0.1 * b["gradient_norm"], delta=1e-4 * b["update_norm"])

    def test_are_measured_by_one_worker_with_parameter_servers(self):
        for template, arguments in (("mnist_mlp", ["--workers", 2, "--servers", 1]), ("book_parameter_servers", [])):
            with self.subTest(template):
                events = self.fit(*arguments, "--threads", 1, "--set", "fit.histogram_freq=1", template=template)
                reports = [e for e in events if e["event"] == "layers"]
                self.assertGreater(len(reports), 2)
                for report in reports:
                    self.assertEqual([one["layer"] for one in report["layers"]], ["dense", "pred"])
                    self.assertTrue(all(one["gradient_norm"] > 0 for one in report["layers"]), report)


if __name__ == "__main__":
    unittest.main()
