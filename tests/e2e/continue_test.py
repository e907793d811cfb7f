"""A synchronous run that loses a worker goes on with those that are left: as a run of so many does that begins with the same backup."""
import json
import os
import pathlib
import shutil
import signal
import unittest

from programs import ProgramTest, process_of, wait_for

SMALL = {"fit__epochs": 6, "fit__log_every": 1, "data__take": 6400, "cluster__start_timeout_s": 60, "cluster__on_task_lost": "continue"}


class Continue(ProgramTest):
    def small_project(self, save_freq="epoch", **settings):
        callbacks = {"csv_logger": {"filename": "log.csv"}, "backup_and_restore": {"save_freq": save_freq, "delete_checkpoint": False}}
        return self.project("mnist_multi_worker", **{**SMALL, "callbacks": callbacks, **settings})

    def tf_configs(self):
        """By process id."""
        found = {}
        for pid in process_of(self.marker, "tandem-worker"):
            for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                if entry.startswith(b"TF_CONFIG="):
                    found[pid] = json.loads(entry[len("TF_CONFIG="):])
        return found

    def kill(self, *indices):
        pids = {config["task"]["index"]: pid for pid, config in self.tf_configs().items()}
        for index in indices:
            os.kill(pids[index], signal.SIGKILL)

    def lose(self, project, workers, *indices, behind_epoch=1, out="out"):
        """Trains, and kills these workers some steps behind the end of an epoch. Exit code and events; the backup of then is in home/kept."""
        cli = self.start("tandem-cli", "train", project, "--workers", workers, "--threads", 1, "--out", self.home / out, "--json")
        self.addCleanup(cli.stdout.close)
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        events, until = [], None
        self.configs = {}
        for line in cli.stdout:
            if not line.startswith("{"):
                continue
            event = json.loads(line)
            events.append(event)
            if event["event"] == "epoch" and event["epoch"] == behind_epoch:
                until = -1
            elif event["event"] == "step" and until == -1:
                until = event["step"] + 3
            elif event["event"] == "step" and until is not None and until > 0 and event["step"] >= until:
                first = self.tf_configs()
                self.kill(*indices)
                wait_for(lambda: not set(first) & set(process_of(self.marker, "tandem-worker")), "the end of the first attempt")
                shutil.copytree(self.home / out / "backup", self.home / "kept")
                until = None
            elif event["event"] == "step" and self.attempts(events) and not self.configs:
                self.configs = self.tf_configs()
        self.assertTrue((self.home / "kept").exists(), "the run ended before it could be disturbed: " + json.dumps(events[-3:]))
        return cli.wait(timeout=300), events

    def by_hand(self, project, workers):
        """The events of a run of so many workers that begins with the backup that was kept."""
        out = self.home / "hand"
        out.mkdir()
        shutil.copytree(self.home / "kept", out / "backup")
        return self.train(project, "--workers", workers, "--threads", 1, "--out", out)

    def attempts(self, events):
        return [event for event in events if event["event"] == "attempt"]

    def check_goes_on(self, project, workers, *indices, reason):
        code, events = self.lose(project, workers, *indices)
        self.assertEqual(code, 0, json.dumps(events[-3:]))
        self.assertEqual(events[-1]["state"], "done")
        self.assertEqual([(one["attempt"], one["attempts"], one["reason"], one["from_backup"]) for one in self.attempts(events)], [(2, 4, reason, True)])
        left = workers - len(indices)
        clusters = [config["cluster"]["worker"] for config in self.configs.values()]
        self.assertEqual([len(cluster) for cluster in clusters], [left] * left)
        self.assertEqual(sorted(config["task"]["index"] for config in self.configs.values()), list(range(left)))
        kept = json.loads((self.home / "out" / "project.tandem").read_text())
        self.assertEqual(kept["cluster"]["worker"], clusters[0], "the record has the cluster of now")
        hand = self.by_hand(project, left)
        self.assertEqual(events[-1]["weights_sha256"], hand[-1]["weights_sha256"])
        at = events.index(self.attempts(events)[0])
        self.assertEqual(self.told(events[at:]), self.told(hand))
        self.assertEqual([event["step"] for event in events[at:] if event["event"] == "resumed"], [event["step"] for event in hand if event["event"] == "resumed"])
        return events

    def told(self, events):
        """What the steps and epochs say of the training, without how long they took."""
        times = {"seconds", "step_us", "images_per_s", "examples_per_s", "time_unix_ns"}
        said = [{key: value for key, value in event.items() if key not in times} for event in events if event["event"] in ("step", "epoch")]
        self.assertGreater(len(said), 10)
        return said

    def test_three_workers_without_the_second(self):
        project = self.small_project()
        events = self.check_goes_on(project, 3, 1, reason="killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 1")
        self.check_one_run(events)

    def check_one_run(self, events):
        runs = [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]
        run = next(one for one in runs if one["run_dir"].endswith("/out"))
        self.assertEqual((run["state"], run["tasks"]), ("Done", 2))
        told = [json.loads(line) for line in self.run_cli("watch", self.home / "out", "--json").stdout.splitlines() if line.startswith("{")]
        self.assertEqual(len(self.attempts(told)), 1)
        self.assertEqual(told[-1]["weights_sha256"], events[-1]["weights_sha256"])
        rows = [row.split(",")[0] for row in (self.home / "out" / "log.csv").read_text().splitlines()]
        self.assertEqual(rows, ["epoch", *map(str, range(6))], "the log has every epoch once")

    def test_the_next_worker_takes_the_chiefs_place(self):
        self.check_goes_on(self.small_project(), 3, 0, reason="killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 0")

    def test_one_of_two_goes_on_alone_with_half_the_rate(self):
        project = self.small_project(cluster__scale_learning_rate=True)
        code, events = self.lose(project, 2, 1)
        self.assertEqual(code, 0, json.dumps(events[-3:]))
        self.assertEqual([one["reason"] for one in self.attempts(events)],
                         ["killed by signal 9 (SIGKILL); the run goes on with 1 of 2 workers, without worker 1, its learning rate times 1/2"])
        rates = [event["learning_rate"] for event in events if event["event"] == "step"]
        self.assertAlmostEqual(rates[-1], rates[0] / 2, places=9)
        self.assertEqual(events[-1]["weights_sha256"], self.by_hand(project, 1)[-1]["weights_sha256"])

    def test_in_the_middle_of_an_epoch(self):
        self.check_goes_on(self.small_project(save_freq=2), 3, 2, reason="killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 2")

    def test_when_all_are_lost_it_fails(self):
        code, events = self.lose(self.small_project(), 2, 0, 1)
        self.assertEqual(code, 1)
        self.assertEqual(self.attempts(events), [])
        self.assertRegex(events[-1]["detail"], r"^worker [01]: killed by signal 9 \(SIGKILL\); no worker is left to go on$")

    def test_a_backup_of_another_number_is_refused_without_it(self):
        project = self.small_project()
        self.lose(project, 3, 1)
        out = self.home / "hand"
        out.mkdir()
        shutil.copytree(self.home / "kept", out / "backup")
        done = self.run_cli("train", project, "--workers", 2, "--out", out, "--set", "cluster.on_task_lost=restart", "--json")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("number of replicas", done.stderr)

    def test_parameter_servers_and_a_lone_task_are_refused(self):
        for template, why in (("book_parameter_servers", "whose other tasks go on by themselves while a lost one is started again"),
                              ("mnist_mirrored", "whose one task leaves nobody to go on")):
            done = self.run_cli("train", template, "--set", "cluster.on_task_lost=continue", "--json")
            self.assertNotEqual(done.returncode, 0, template)
            self.assertIn(why, done.stderr)

    def test_people_are_told_in_a_line(self):
        project = self.small_project()
        cli = self.start("tandem-cli", "train", project, "--workers", 3, "--threads", 1, "--out", self.home / "out")
        self.addCleanup(cli.stdout.close)
        wait_for((self.home / "out" / "backup" / "latest.backup").exists, "a backup")
        self.kill(1)
        output = cli.communicate(timeout=300)[0]
        self.assertEqual(cli.returncode, 0, output)
        self.assertIn("worker 1: killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 1; restarting from the backup (attempt 2 of 4)", output)


if __name__ == "__main__":
    unittest.main()
