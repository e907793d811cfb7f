"""What report.py makes of a folder of results."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

REPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "report.py")


def rate(peer, batch, value, **more):
    return json.dumps({"peer": peer, "model": "book", "batch": batch, "precision": "float32", "mode": "graph", "images_per_s": value, **more})


class Report(unittest.TestCase):
    def page(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            return subprocess.run([sys.executable, REPORT, folder], check=True, capture_output=True, text=True).stdout

    def test_sets_our_steps_beside_the_best_peer_and_the_floor(self):
        peak = {"device": "NVIDIA H200", "bytes_per_s": 4e12, "multiply_adds_per_s.float32": 1e13, "graph_launch_s": 1e-6}
        page = self.page({
            "log.jsonl": json.dumps({"step": "bench.tandem", "verdict": "passed", "rc": 0, "seconds": 3, "tail": "done"}) + "\n",
            "bench.peak.log": json.dumps({"peak": peak}) + "\n",
            "bench.tandem.log": "hello\n" + rate("Tandem", 64, 3e6, multiply_adds=64e7, bytes=4e6) + "\n" + rate("Tandem", 256, 4e6) + "\n",
            "bench.torch.log": rate("PyTorch", 64, 1e6) + "\n" + rate("PyTorch", 256, 5e6) + "\n" + '{"peer": "PyTorch", "mo',
            "bench.jax.log": rate("JAX", 64, 1.5e6) + "\n"})
        self.assertIn("| book | 64 | float32 | 3,000,000 | JAX graph | 1,500,000 | ×2.00 | 300 % |", page)
        self.assertIn("| book | 256 | float32 | 4,000,000 | PyTorch graph | 5,000,000 | ×0.80 |  |", page)
        self.assertIn("Missed at: book 256 float32", page)
        self.assertIn("| bench.tandem | passed | 3 | done |", page)

    def test_shows_what_failed_with_its_last_words(self):
        page = self.page({"log.jsonl": json.dumps({"step": "ops.a", "verdict": "failed", "rc": 1, "seconds": 2, "tail": "one\ntwo | three"}) + "\n"})
        self.assertIn("| ops.a | failed | 2 | two / three |", page)
        self.assertIn("```\none\ntwo | three\n```", page)

    def test_says_what_was_skipped(self):
        page = self.page({"log.jsonl": json.dumps({"step": "ops", "verdict": "SKIPPED", "tail": "no NVIDIA driver"}) + "\n"})
        self.assertIn("| ops | SKIPPED |  | no NVIDIA driver |", page)


if __name__ == "__main__":
    unittest.main()
