"""Whole trainings equal Keras: from the same weights, in the same order, the loss of every step. Keras' numbers are in tests/data/keras_training."""
import json
import unittest

from programs import SOURCE, ProgramTest

DATA = SOURCE / "tests" / "data" / "keras_training"
GOLDEN = json.loads((DATA / "losses.json").read_text())
MIXED = json.loads((DATA / "losses_mixed_bfloat16.json").read_text())


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

    # Keras rounds after every op, Tandem after every fused one: losses agree to what bfloat16 holds.
    def expect_near_mixed(self, name, *options):
        case = MIXED["cases"][name]
        ours = self.losses(case, "--set", "model.dtype_policy=mixed_bfloat16", "--set", "model.layers[4].config.dtype=" + case["last_dtype"],
                           *options)
        self.assertEqual(len(ours), len(case["losses"]))
        apart = [abs(a - b) / abs(b) for a, b in zip(ours, case["losses"])]
        self.assertLess(max(apart[:10]), 1e-2, f"{name}: {max(apart[:10]):.2e}")
        self.assertLess(sum(apart) / len(apart), 2e-2, f"{name}: {sum(apart) / len(apart):.2e}")
        return ours

    def test_mixed_bfloat16(self):
        ours = self.expect_near_mixed("sgd_momentum")
        self.assertNotEqual(ours, self.losses(GOLDEN["cases"]["sgd_momentum"]))

    def test_mixed_bfloat16_with_adam(self):
        self.expect_near_mixed("adam")

    def test_mixed_bfloat16_to_the_last_layer(self):
        self.expect_near_mixed("all_layers_low")

    def test_mixed_bfloat16_on_two_workers(self):
        half = ("--workers", 2, "--set", "data.batch_size_per_replica=32")
        ours = self.expect_near_mixed("sgd_momentum", *half)
        self.assertEqual(ours, self.expect_near_mixed("sgd_momentum", *half))


if __name__ == "__main__":
    unittest.main()
