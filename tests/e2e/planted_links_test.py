"""Links that somebody has planted in a run's folder: whatever is written goes into that folder or nowhere."""
import hashlib
import json
import os
import stat
import unittest

from programs import ProgramTest

QUICK = ["--workers", 1, "--set", "fit.epochs=1", "--set", "data.take=640"]


class PlantedLinks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.victim = self.home / "victim"
        self.victim.mkdir()
        for name in ("file", "project.tandem", "run.json", "finished.json", "checkpoint", "thesis.index", "thesis.keras", "thesis.h5",
                     "latest.backup", "log.csv"):
            (self.victim / name).write_text("precious " + name)
        self.before = self.state()
        self.out = self.home / "out"
        self.out.mkdir()

    def state(self):
        return {path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_nlink) for path in self.victim.iterdir()}

    def plant(self, name, target="file"):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.victim / target if target else self.victim)
        return path

    def all_callbacks(self):
        return {"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}"}, "csv_logger": {"filename": "log.csv"},
                "tensor_board": {"log_dir": "logs", "histogram_freq": 1}, "backup_and_restore": {"save_freq": 2}}

    def attack(self, *names, project=None, options=(), target="file", runs=None):
        """Trains in the folder with links of these names; True when the run was done."""
        for name in names:
            self.plant(name, target)
        project = project or self.project("mnist_mlp", callbacks=self.all_callbacks())
        done = self.run_cli("train", project, *QUICK, "--out", self.out, *options, timeout=120)
        self.assertEqual(self.state(), self.before, f"{names}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        if runs is not None:
            self.assertEqual(done.returncode == 0, runs, f"{names}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        return done

    def test_files_are_replaced(self):
        self.attack("project.tandem", "project.tandem.new", "run.json", "log.csv", "checkpoints/ckpt_1.index", "checkpoints/checkpoint",
                    "checkpoints/ckpt_1.data-00000-of-00001", "backup/latest.backup.tmp1", runs=True)
        for name in ("project.tandem", "run.json", "log.csv", "checkpoints/ckpt_1.index", "checkpoints/checkpoint"):
            self.assertFalse((self.out / name).is_symlink(), name)

    def test_a_mark_of_a_finished_run(self):
        self.attack("finished.json", runs=None)

    def test_folders_are_refused(self):
        for name in ("checkpoints", "logs", "backup", "logs/train", "logs/validation"):
            with self.subTest(name):
                self.plant(name, "")
                done = self.attack(options=["--overwrite"], runs=None)
                self.assertIn("link", done.stdout + done.stderr, name)
                os.unlink(self.out / name)

    def test_a_log_among_links(self):
        callbacks = {"csv_logger": {"filename": "sub/log.csv"}}
        self.plant("sub", "")
        done = self.attack(project=self.project("mnist_mlp", callbacks=callbacks), runs=True)
        self.assertIn("CSVLogger", done.stdout + done.stderr)

    def test_a_journal(self):
        for name in ("journal", "journal-wal", "journal-shm", "journal-journal"):
            with self.subTest(name):
                path = self.plant(name)
                self.attack(runs=None)
                if path.is_symlink():
                    os.unlink(path)

    def test_a_second_name_of_a_file(self):
        os.link(self.victim / "log.csv", self.out / "log.csv")
        os.link(self.victim / "run.json", self.out / "run.json")
        self.before = self.state()
        callbacks = {"csv_logger": {"filename": "log.csv", "append": True}}
        project = self.project("mnist_mlp", callbacks=callbacks)
        done = self.run_cli("train", project, *QUICK, "--out", self.out, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("log.csv", "run.json"):
            self.assertEqual((self.victim / name).read_text(), "precious " + name)

    def test_overwrite_stays_in_the_folder(self):
        self.attack(runs=True)
        for name in ("checkpoints", "backup"):
            with self.subTest(name):
                real = self.out / name
                moved = self.home / f"real-{name}"
                if real.exists():
                    real.rename(moved)
                self.plant(name, "")
                done = self.attack(options=["--overwrite"], runs=False)
                self.assertIn("expected no link below", done.stderr)
                os.unlink(self.out / name)
                if moved.exists():
                    moved.rename(real)
        self.attack("checkpoints/old", target="", options=["--overwrite"], runs=True)

    def test_overwrite_of_a_worker_by_hand(self):
        self.attack(runs=True)
        (self.out / "checkpoints").rename(self.home / "real")
        self.plant("checkpoints", "")
        project = self.project("mnist_mlp", fit__epochs=1, data__take=640)
        worker = self.start("tandem-worker", project, "--out", self.out, "--overwrite")
        output = worker.communicate(timeout=300)[0]
        self.assertNotEqual(worker.returncode, 0)
        self.assertIn("expected no link below", output)
        self.assertEqual(self.state(), self.before)

    def test_a_project_names_no_place_elsewhere(self):
        for field, value in (("fit__save_weights", str(self.victim / "thesis.keras")), ("fit__save_weights", "../victim/thesis.keras"),
                             ("callbacks__csv_logger__filename", str(self.victim / "log.csv")),
                             ("callbacks__model_checkpoint__filepath", "../victim/thesis"),
                             ("callbacks__tensor_board__log_dir", "../victim"), ("callbacks__backup_and_restore__backup_dir", "a/../../victim")):
            with self.subTest(field=field, value=value):
                settings = {"callbacks": {}, field: value}
                done = self.attack(project=self.project("mnist_mlp", **settings), runs=False)
                self.assertIn(field.split("__")[-1], done.stderr)
                self.assertIn("below the run's folder", done.stderr)
                worker = self.start("tandem-worker", self.project("mnist_mlp", **settings), "--out", self.home / "by-hand")
                output = worker.communicate(timeout=300)[0]
                self.assertEqual(worker.returncode, 2, output)
                self.assertIn("below the run's folder", output)
        self.assertEqual(self.state(), self.before)

    def test_weights_of_a_project_over_a_link(self):
        self.plant("weights", "")
        project = self.project("mnist_mlp", fit__save_weights="weights/thesis.keras")
        done = self.attack(project=project, runs=False)
        self.assertIn("link", done.stdout + done.stderr)

    def test_the_command_line_writes_where_its_user_says(self):
        wanted = self.home / "mine" / "w.keras"
        self.attack(options=["--save-weights", wanted], runs=True)
        self.assertTrue(wanted.exists())
        below = self.project("mnist_mlp", fit__save_weights="weights/w.keras")
        done = self.run_cli("train", below, *QUICK, "--out", self.home / "below", timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.home / "below" / "weights" / "w.keras").exists())
        shown = json.loads((self.out / "run.json").read_text())
        self.assertNotIn("save_weights", shown["fit"], "no value of the project")

    def test_folders_are_their_users_alone(self):
        before = os.umask(0)
        try:
            done = self.run_cli("train", self.project("mnist_mlp", callbacks=self.all_callbacks()), *QUICK, "--out", self.home / "new" / "run",
                                timeout=120)
        finally:
            os.umask(before)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = [self.home / "new", *(self.home / "new").rglob("*"), self.home / "data" / "tandem" / "runs"]
        for path in made:
            mode = stat.S_IMODE(path.stat().st_mode)
            self.assertEqual(mode & 0o022, 0, f"{path}: {mode:o}")
            if path.is_dir():
                self.assertEqual(mode, 0o700, f"{path}: {mode:o}")

    def test_the_users_own_link_to_a_folder(self):
        real = self.home / "disk"
        real.mkdir()
        (self.home / "latest").symlink_to(real)
        done = self.run_cli("train", self.project("mnist_mlp"), *QUICK, "--out", self.home / "latest", timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((real / "run.json").exists())


if __name__ == "__main__":
    unittest.main()
