"""The command line's contract, which scripts rely on."""
import json
import unittest

from programs import TEMPLATES, ProgramTest

GOOD = '{"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}}'


class Templates(ProgramTest):
    def test_lists_both_starter_projects(self):
        done = self.run_cli("templates")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("mnist_mirrored", "mnist_multi_worker"):
            self.assertIn(name, done.stdout)

    def test_explains_every_verb(self):
        for verb in ([], ["templates"], ["train"], ["watch"], ["stop"], ["runs"], ["check"], ["export"], ["export", "tf-config"], ["evaluate"]):
            done = self.run_cli(*verb, "--help")
            self.assertEqual(done.returncode, 0, verb)
            self.assertGreater(len(done.stdout.splitlines()), 3, verb)

    def test_refuses_an_unknown_verb(self):
        self.assertEqual(self.run_cli("trian").returncode, 2)


class Check(ProgramTest):
    def check(self, text, *options):
        path = self.home / "tf_config.json"
        path.write_text(text)
        return self.run_cli("check", path, *options)

    def test_verdicts(self):
        two = '"cluster": {"worker": ["localhost:12345", "localhost:23456"]}'
        cases = [
            ("the tutorial's", GOOD, [], 0, ""),
            ("empty", "", [], 2, ""),
            ("no JSON", "{cluster", [], 2, ""),
            ("a list", "[1]", [], 2, ""),
            ("index too large", '{%s, "task": {"type": "worker", "index": 2}}' % two, [], 1, "index"),
            ("unknown job", '{"cluster": {"trainer": ["a:1"]}, "task": {"type": "trainer", "index": 0}}', [], 1, "trainer"),
            ("two chiefs", '{"cluster": {"chief": ["a:1", "b:2"], "worker": ["c:3"]}, "task": {"type": "chief", "index": 0}}', [], 1, "chief"),
            ("port above 65535", '{"cluster": {"worker": ["localhost:99999"]}, "task": {"type": "worker", "index": 0}}', [], 1, "99999"),
            ("same address twice", '{"cluster": {"worker": ["localhost:1234", "localhost:1234"]}, "task": {"type": "worker", "index": 0}}', [], 0, "warning"),
            ("estimator wants a chief", GOOD, ["--strategy", "estimator"], 1, "chief"),
            ("parameter server wants a ps", GOOD, ["--strategy", "parameter_server"], 1, "ps"),
        ]
        for name, text, options, code, words in cases:
            with self.subTest(name):
                done = self.check(text, *options)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn(words, done.stdout + done.stderr)

    def test_prints_every_diagnostic_on_a_line(self):
        done = self.check('{"cluster": {"trainer": ["a:1"], "worker": ["localhost:99999"]}, "task": {"type": "worker", "index": 7}}')
        self.assertEqual(done.returncode, 1)
        lines = [line for line in done.stdout.splitlines() if line.startswith("error")]
        self.assertGreaterEqual(len(lines), 3, done.stdout)

    def test_names_a_missing_file(self):
        done = self.run_cli("check", self.home / "absent.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("absent.json", done.stderr)


class Export(ProgramTest):
    def test_writes_tf_config_as_the_tutorials_do(self):
        done = self.run_cli("export", "tf-config", TEMPLATES / "mnist_multi_worker.tandem", "--format", "json", "--out", self.home / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.home / "out" / "worker-0.json").read_text(), GOOD + "\n")
        other = json.loads(GOOD)
        other["task"]["index"] = 1
        self.assertEqual((self.home / "out" / "worker-1.json").read_text(), json.dumps(other) + "\n")

    def test_writes_shell_text_that_a_shell_reads_back(self):
        import subprocess
        self.assertEqual(self.run_cli("export", "tf-config", TEMPLATES / "mnist_multi_worker.tandem", "--format", "bash", "--out",
                                      self.home / "out").returncode, 0)
        scripts = sorted((self.home / "out").iterdir())
        self.assertTrue(scripts)
        value = subprocess.run(["bash", "-c", f'. "{scripts[0]}"; printf %s "$TF_CONFIG"'], text=True, capture_output=True, check=True).stdout
        self.assertEqual(value, GOOD)


if __name__ == "__main__":
    unittest.main()
