"""A run in one file: written on one computer, opened on another one that has never heard of it."""
import json
import pathlib
import unittest
import zipfile

from programs import ProgramTest, wait_for


def told(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class RunArchives(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.home / "mnist.tandem-run"
        # Another computer: a home of its own.
        self.afar = self.home / "afar"
        self.afar.mkdir()
        (self.afar / "run").mkdir(mode=0o700)
        self.afar_env = dict(self.env, HOME=str(self.afar), XDG_RUNTIME_DIR=str(self.afar / "run"), XDG_DATA_HOME=str(self.afar / "data"),
                             XDG_STATE_HOME=str(self.afar / "state"), XDG_CONFIG_HOME=str(self.afar / "config"),
                             XDG_CACHE_HOME=str(self.afar / "cache"))

    def cli(self, *arguments, afar=False, expect=0):
        done = self.run_cli(*arguments, env=self.afar_env if afar else None)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done

    def trained(self, **settings):
        values = {"fit__epochs": 3, "data__take": 1920, "data__shuffle": 0, "fit__log_every": 1,
                  "callbacks__csv_logger": {"filename": "epochs.csv"}, "callbacks__tensor_board": {"log_dir": "logs"}}
        self.train(self.project("mnist_multi_worker", **(values | settings)), "--workers", 1, "--threads", 1)
        [run] = told(self.cli("runs", "--json").stdout)
        return run

    def imported(self, file=None):
        self.cli("import", file or self.file, afar=True)
        return told(self.cli("runs", "--json", afar=True).stdout)

    def test_open_elsewhere_with_all_that_they_told(self):
        run = self.trained()
        said = self.cli("archive", "--out", self.file)
        self.assertIn(f"run {run['id']}, 3 checkpoints, ", said.stdout)
        with zipfile.ZipFile(self.file) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            manifest = json.loads(archive.read("manifest.json"))
        self.assertEqual(manifest["run"], run["id"])
        self.assertIn("epochs.csv", names)
        self.assertTrue(any(name.startswith("logs/") for name in names), names)
        self.assertFalse([name for name in names if "backup" in name or name.startswith("journal") and name != "journal.events"], names)

        [there] = self.imported()
        folder = pathlib.Path(there.pop("run_dir"))
        self.assertTrue(there.pop("imported_from"))
        here = dict(run)
        here.pop("run_dir")
        self.assertEqual(there, here)
        watched = self.cli("watch", run["id"], "--json", afar=True).stdout.replace(str(folder), run["run_dir"])
        self.assertEqual(told(watched), told(self.cli("watch", run["id"], "--json").stdout))
        for format_name in ("csv", "json"):
            for afar, out in ((False, "own"), (True, "other")):
                self.cli("export", "data", "--format", format_name, "--out", self.home / out / format_name, afar=afar)
            own, other = ({p.name: p.read_bytes() for p in (self.home / out / format_name).iterdir()} for out in ("own", "other"))
            self.assertEqual({name: text.replace(str(folder).encode(), run["run_dir"].encode()) for name, text in other.items()}, own)
        for afar in (False, True):
            self.assertEqual(self.cli("evaluate", run["id"], "--checkpoint", "2", "--set", "data.take=640", afar=afar).stdout,
                             self.cli("evaluate", run["id"], "--checkpoint", "2", "--set", "data.take=640").stdout)

        # The same file again: no second row. Here it is the run itself.
        self.assertIn("is here already", self.cli("import", self.file, afar=True).stdout)
        self.assertIn("is here already", self.cli("import", self.file).stdout)
        self.assertEqual(len(told(self.cli("runs", "--json", afar=True).stdout)), 1)
        # What was imported stays as it is.
        self.assertIn("is over", self.cli("stop", run["id"], afar=True, expect=1).stderr)
        for options in ((), ("--overwrite",)):
            refused = self.cli("train", "mnist_multi_worker", "--workers", 1, "--out", folder, *options, afar=True, expect=1)
            self.assertIn("got that of an imported one, which stays as it is", refused.stderr)
        # And goes on to the next computer.
        self.cli("archive", run["id"], "--out", self.home / "again.tandem-run", afar=True)
        self.assertIn("is here already", self.cli("import", self.home / "again.tandem-run").stdout)

    def test_have_the_checkpoints_that_were_chosen(self):
        run = self.trained(fit__epochs=2)
        self.cli("archive", run["id"], "--out", self.file, "--checkpoints", "latest")
        [there] = self.imported()
        folder = pathlib.Path(there["run_dir"])
        self.assertEqual(sorted(p.name for p in folder.glob("checkpoints/*.index")), ["ckpt_2.index"])
        self.assertEqual((folder / "checkpoints" / "checkpoint").read_text(),
                         'model_checkpoint_path: "ckpt_2"\nall_model_checkpoint_paths: "ckpt_2"\n')
        self.cli("evaluate", run["id"], "--set", "data.take=640", afar=True)
        self.cli("archive", run["id"], "--out", self.file, "--checkpoints", "none", "--overwrite")
        with zipfile.ZipFile(self.file) as archive:
            self.assertFalse([name for name in archive.namelist() if name.startswith("checkpoints/")])
        refused = self.cli("archive", run["id"], "--out", self.file, expect=1)
        self.assertIn("expected the name of a new file, got one that exists", refused.stderr)

    def test_that_are_damaged_are_refused_by_name_and_leave_nothing(self):
        run = self.trained(fit__epochs=1)
        self.cli("archive", run["id"], "--out", self.file)
        whole = self.file.read_bytes()
        bad = self.home / "bad.tandem-run"

        def refusal(expected):
            done = self.cli("import", bad, afar=True, expect=1)
            self.assertTrue(done.stderr.startswith(f"error: {bad}: expected "), done.stderr)
            self.assertIn(expected, done.stderr)

        bad.write_bytes(whole[: len(whole) // 2])
        refusal("or one that was cut short")
        bad.write_bytes(whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 0xFF]) + whole[len(whole) // 2 + 1:])
        done = self.cli("import", bad, afar=True, expect=1)
        self.assertIn(str(bad), done.stderr)
        bad.write_text("{}")
        refusal("a zip file, got something else")
        with zipfile.ZipFile(bad, "w") as archive:
            archive.writestr("config.json", "{}")
        refusal("got a zip file without manifest.json")
        with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", "{}")
            for i in range(3):
                archive.writestr(f"logs/{i}", b"\0" * 150_000_000)
        refusal("once unpacked")
        self.assertEqual(self.cli("runs", "--json", afar=True).stdout, "")
        runs = self.afar / "data" / "tandem" / "runs"
        self.assertEqual([p.name for p in runs.iterdir() if p.is_dir()], [])
        self.assertEqual(len(self.imported()), 1)

    def test_are_written_of_runs_that_are_over_alone(self):
        training = self.start("tandem-cli", "train", self.project("mnist_multi_worker", fit__epochs=500), "--workers", 1, "--threads", 1)
        try:
            wait_for(lambda: "Training" in self.run_cli("runs").stdout, "a run that trains")
            self.assertIn("expected one that is over", self.cli("archive", "--out", self.file, expect=1).stderr)
            self.assertFalse(self.file.exists())
            self.cli("stop", "--now")
        finally:
            training.communicate(timeout=300)
        self.cli("archive", "--out", self.file)
        self.assertEqual([run["state"] for run in self.imported()], ["Stopped"])


if __name__ == "__main__":
    unittest.main()
