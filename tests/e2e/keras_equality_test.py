"""Whole trainings equal Keras: from the same weights, in the same order, the loss of every step. Keras' numbers are in tests/data/keras_training."""
import json
import unittest

from programs import SOURCE, ProgramTest

DATA = SOURCE / "tests" / "data" / "keras_training"
GOLDEN = json.loads((DATA / "losses.json").read_text())


class HundredSteps(ProgramTest):
    def losses(self, case, *options):
        events = self.train("mnist_mirrored", "--initial-weights", DATA / "initial.weights.h5", "--set", "data.take=6400", "--set",
                            "data.shuffle=0", "--set", "fit.epochs=1", "--set", "fit.log_every=1", "--set", "callbacks={}", "--set",
                            "compile.optimizer=" + json.dumps(case["optimizer"]), *options)
        return [event["loss"] for event in events if event["event"] == "step"]

    def expect_equal(self, name, *options):
        case = GOLDEN["cases"][name]
        ours = self.losses(case, *options)
        self.assertEqual(len(ours), len(case["losses"]))
        worst = max(abs(a - b) / abs(b) for a, b in zip(ours, case["losses"]))
        self.assertLess(worst, 1e-4, f"{name}: {worst:.2e}")

    def test_sgd_with_momentum(self):
        self.expect_equal("sgd_momentum")

    def test_adam(self):
        self.expect_equal("adam")

    def test_two_workers_with_half_the_batch_each(self):
        # The chief alone reads the weights; the other gets them from it.
        self.expect_equal("sgd_momentum", "--workers", 2, "--set", "data.batch_size_per_replica=32")


if __name__ == "__main__":
    unittest.main()
