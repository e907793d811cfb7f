#!/usr/bin/env python3
"""parameter_server.cpp as a cluster whose worker is killed and comes back. TANDEM_PROGRAM names the program."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from tasks import Tasks

PROGRAM = os.environ["TANDEM_PROGRAM"]


class ParameterServer(unittest.TestCase):
    def train(self, servers):
        with Tasks(PROGRAM, {"chief": 1, "worker": 2, "ps": servers}) as tasks:
            tasks.start_all()
            killed = int(tasks.wait_for_file("held"))
            (tasks.home / "held").unlink()
            tasks.kill("worker", killed)
            other = int(tasks.wait_for_file("held"))
            self.assertNotEqual(other, killed, "another worker runs the killed one's function")
            (tasks.home / "go on").touch()
            self.assertEqual(int(tasks.wait_for_file("start again")), other)
            tasks.start("worker", killed)

            output = tasks.output("chief", 0)
            for task in tasks.names():  # all of them end in order
                tasks.output(*task)
            return killed, other, output.splitlines()

    def test_a_killed_workers_function_is_run_by_another(self):
        for servers in (1, 2):
            with self.subTest(servers=servers):
                killed, other, lines = self.train(servers)
                words = [line.split() for line in lines]
                first, trained, again = float(words[0][1]), float(words[1][1]), float(words[3][1])
                self.assertGreater(first, 0.1)
                self.assertLess(trained, first / 10)
                self.assertLess(again, trained, "training went on without the killed worker")
                self.assertEqual(lines[1].split(" after ")[1], "200 steps")
                self.assertEqual(lines[2], f"held by worker {other}")
                self.assertEqual(lines[4], "the other worker is back")
                self.assertRegex(lines[5], r"^error function fail on worker [01] at localhost:\d+: a label of 7$")
                self.assertAlmostEqual(float(words[6][1]), 3, delta=0.3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
