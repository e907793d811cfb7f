#!/usr/bin/env python3
"""multi_worker.cpp as one process, as two and as three. TANDEM_PROGRAM names the program."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tasks import Tasks

PROGRAM = os.environ["TANDEM_PROGRAM"]


def numbers(output, word):
    return [float(text) for line in output.splitlines() if line.startswith(word + " ") for text in line.split()[1:]]


class MultiWorker(unittest.TestCase):
    def outputs(self, cluster):
        with Tasks(PROGRAM, cluster) as tasks:
            tasks.start_all()
            return [tasks.output(*task) for task in tasks.names()]

    def test_workers_equal_one_with_the_same_global_batch(self):
        with Tasks(PROGRAM, {}) as tasks:
            tasks.start("alone", 0)
            alone = tasks.output("alone", 0)
        losses, weights = numbers(alone, "loss"), numbers(alone, "weights")
        self.assertEqual(len(losses), 25)
        self.assertLess(losses[-1], losses[0] / 2)
        for cluster in ({"worker": 2}, {"chief": 1, "worker": 2}):
            outputs = self.outputs(cluster)
            count = sum(cluster.values())
            for output in outputs:
                self.assertEqual(numbers(output, "workers"), [count])
                self.assertEqual(numbers(output, "weights"), numbers(outputs[0], "weights"), "every worker holds the same")
                for word, expected in (("loss", losses), ("weights", weights)):
                    found = numbers(output, word)
                    self.assertEqual(len(found), len(expected))
                    for one, other in zip(found, expected):
                        self.assertAlmostEqual(one, other, delta=1e-6 * max(1, abs(other)))

    def test_a_killed_worker_is_named_by_the_others(self):
        with Tasks(PROGRAM, {"worker": 3}) as tasks:
            (tasks.home / "worker 2 holds").touch()
            tasks.start_all()
            tasks.wait_for_file("held")
            tasks.kill("worker", 2)
            for index in (0, 1):
                tasks.output("worker", index, code=1)
                self.assertIn("worker 2", tasks.errors("worker", index))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
