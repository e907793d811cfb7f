"""Runs whose tasks have no agent: started by hand, told in their folder, followed and controlled there."""
import json
import os
import shutil
import signal
import unittest

from programs import ProgramTest, free_ports, process_of, wait_for


class FollowedRuns(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.home / "shared" / "run"
        self.tasks = []

    def tearDown(self):
        for task in self.tasks:
            if task.poll() is None:
                task.kill()
            task.communicate()
        super().tearDown()

    def start_workers(self, project, *options, workers=2):
        """One tandem-worker a task, as in two terminals."""
        ports = free_ports(workers)
        cluster = {"worker": [f"127.0.0.1:{port}" for port in ports]}
        started = []
        for index in range(workers):
            env = dict(self.env, TF_CONFIG=json.dumps({"cluster": cluster, "task": {"type": "worker", "index": index}}))
            started.append(self.start("tandem-worker", project, "--out", self.out, "--threads", 1, *options, env=env))
        self.tasks += started
        return started

    def begun(self):
        def told():
            for task in self.tasks:
                if task.poll() not in (None, 0):
                    self.fail(task.stdout.read())
            return list(self.out.glob("events/worker-0.events"))
        return wait_for(told, "the chief to tell its first event")

    def watch(self, *arguments, expect=0):
        done = self.run_cli("watch", self.out, "--json", *arguments)
        self.assertEqual(done.returncode, expect, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def small(self, **settings):
        values = {"fit__epochs": 2, "data__take": 6400, "data__shuffle": 0, "fit__log_every": 1,
                  "callbacks__backup_and_restore": {"backup_dir": "backup", "save_freq": "epoch"}}
        return self.project("mnist_multi_worker", **(values | settings))

    def test_are_watched_to_their_end_and_known_afterwards(self):
        project = self.small()
        self.start_workers(project)
        self.begun()
        events = self.watch()
        steps = [e["step"] for e in events if e["event"] == "step"]
        self.assertEqual(steps, sorted(set(steps)))
        done = events[-1]
        self.assertEqual((done["event"], done["state"]), ("finished", "done"))
        for task in self.tasks:
            self.assertEqual(task.wait(300), 0, task.stdout.read())
        mark = json.loads((self.out / "finished.json").read_text())
        self.assertEqual(done["weights_sha256"], mark["weights_sha256"])
        self.assertEqual(sorted(p.name for p in (self.out / "events").iterdir()), ["worker-0.events", "worker-1.events"])
        listed = [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]
        self.assertEqual([(run["state"], run["run_dir"]) for run in listed], [("Done", str(self.out))])
        again = self.watch()
        self.assertEqual([e for e in again if e["event"] == "step"], [e for e in events if e["event"] == "step"])
        self.assertEqual(len(self.run_cli("runs", "--json").stdout.splitlines()), 1, "no second run of one folder")
        table = self.run_cli("export", "data", self.out)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertEqual(self.run_cli("evaluate", self.out, "--set", "data.take=640").returncode, 0)
        alone = self.train(project, "--workers", 2, "--threads", 1, "--out", self.home / "agents")[-1]
        self.assertEqual(alone["weights_sha256"], done["weights_sha256"], "the same numbers as under an agent")

    def test_show_what_they_use_and_who_is_late(self):
        self.start_workers(self.small(fit__epochs=2000, cluster__heartbeat_fatal_s=300))
        self.begun()
        self.tasks.append(self.start("tandem-cli", "watch", self.out))
        runs = wait_for(lambda: self.run_cli("runs", "--json").stdout.splitlines(), "the run in the list")
        run = json.loads(runs[0])["id"]
        following = self.start("tandem-cli", "agent", "--follow", "--json")
        self.tasks.append(following)

        def reading(fact):
            for line in following.stdout:
                load = json.loads(line)
                tasks = {task["task"]: task for task in load["tasks"] if task["run"] == run}
                if fact(load, tasks):
                    return load, tasks
            self.fail("the readings ended")

        load, tasks = reading(lambda _, tasks: len(tasks) == 2 and all(task["exchange"] for task in tasks.values()))
        self.assertEqual(load["host"], "", "this computer's own agent measures it")
        self.assertEqual({name: task["pid"] for name, task in tasks.items()}, {f"worker {index}": self.tasks[index].pid for index in (0, 1)})
        self.assertGreater(tasks["worker 0"]["resident_bytes"], 1 << 20)
        self.tasks[1].send_signal(signal.SIGSTOP)
        load, _ = reading(lambda load, _: any(late["run"] == run and late["silent"] for late in load["late"]))
        self.assertEqual([late["task"] for late in load["late"] if late["run"] == run], ["worker 1"])
        self.tasks[1].kill()
        reading(lambda _, tasks: "worker 1" not in tasks)

    def test_are_stopped_from_afar_and_go_on_as_one_run(self):
        project = self.small(fit__epochs=200)
        first = self.start_workers(project)
        self.begun()
        wait_for(lambda: (self.out / "backup" / "latest.backup").exists(), "a backup")
        stopped = self.run_cli("stop", self.out)
        self.assertEqual(stopped.returncode, 0, stopped.stderr)
        for task in first:
            self.assertEqual(task.wait(300), 0)
        events = self.watch()
        self.assertEqual(events[-1]["state"], "stopped")
        before = max(e["step"] for e in events if e["event"] == "step")

        self.start_workers(project, "--set", f"fit.epochs={before // 50 + 3}")
        wait_for(lambda: "Training" in self.run_cli("runs").stdout or "Done" in self.run_cli("runs").stdout, "the agent to notice the new start")
        events = self.watch()
        self.assertEqual(events[-1]["state"], "done", events[-1])
        attempts = [e for e in events if e["event"] == "attempt"]
        self.assertEqual([e["attempt"] for e in attempts], [2])
        self.assertTrue(attempts[0]["from_backup"])
        listed = [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]
        self.assertEqual(len(listed), 1, "one run with two attempts")
        steps = [e["step"] for e in events if e["event"] == "step"]
        self.assertGreater(max(steps), before)

    def test_name_the_task_that_was_killed(self):
        self.start_workers(self.small(fit__epochs=200))
        self.begun()
        wait_for(lambda: (self.out / "checkpoints").exists() or (self.out / "backup").exists(), "an epoch")
        following = self.start("tandem-cli", "watch", self.out)
        self.tasks.append(following)
        wait_for(lambda: process_of(self.marker, "tandem-agent"), "an agent")
        self.tasks[1].kill()
        out, _ = following.communicate(timeout=300)
        self.assertEqual(following.returncode, 1, out)
        self.assertIn("worker 1", out)
        self.assertIn("ended without a word", out)

    def test_are_followed_on_by_the_next_agent(self):
        self.start_workers(self.small(fit__epochs=6))
        self.begun()
        following = self.start("tandem-cli", "watch", self.out, "--json")
        self.tasks.append(following)
        wait_for(lambda: '"event":"step"' in following.stdout.readline(), "a point")
        [agent] = process_of(self.marker, "tandem-agent")
        os.kill(agent, signal.SIGKILL)
        events = self.watch()
        self.assertEqual(events[-1]["state"], "done")
        steps = [e["step"] for e in events if e["event"] == "step"]
        self.assertEqual(steps, list(range(1, len(steps) + 1)), "each point once, whoever followed")

    def test_hear_what_is_wrong_with_a_control_file_and_train_on(self):
        [worker] = self.start_workers(self.small(fit__epochs=100_000), workers=1)
        self.begun()
        (self.out / "control.json").write_text('{"controls": [{"numb')
        problem = "control.json: expected a JSON object with a list \"controls\", got a text that is no JSON"
        for awaited in (problem, "Epoch "):  # it trains on behind that
            line = "first"
            while line and awaited not in line:
                line = worker.stdout.readline()
            self.assertIn(awaited, line)
        worker.send_signal(signal.SIGTERM)
        out, _ = worker.communicate(timeout=300)
        self.assertEqual(worker.returncode, 0, out)

    def test_that_are_over_open_with_the_agent_of_another_user_moved_and_as_copies(self):
        self.start_workers(self.small(fit__epochs=1, data__take=1280))
        self.begun()
        own = self.watch()[-1]["run"]
        afar = self.home / "afar"
        (afar / "run").mkdir(parents=True, mode=0o700)
        env = dict(self.env, HOME=str(afar), **{f"XDG_{kind}": str(afar / name) for kind, name in (
            ("RUNTIME_DIR", "run"), ("DATA_HOME", "data"), ("STATE_HOME", "state"), ("CONFIG_HOME", "config"), ("CACHE_HOME", "cache"))})

        def told(folder, env=None):
            done = self.run_cli("watch", folder, "--json", env=env)
            self.assertEqual(done.returncode, 0, done.stderr)
            events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            self.assertEqual((events[-1]["event"], events[-1]["state"]), ("finished", "done"))
            self.assertTrue([e for e in events if e["event"] == "step"])
            return events[-1]["run"]

        self.assertEqual(told(self.out, env), own)
        copy, moved = self.home / "shared" / "copy", self.home / "shared" / "moved"
        shutil.copytree(self.out, copy)
        self.assertNotEqual(told(copy), own)
        self.out.rename(moved)
        self.assertEqual(told(moved), own)

    def test_refuse_folders_that_tell_nothing(self):
        (self.out / "events").mkdir(parents=True)
        done = self.run_cli("watch", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected the folder of a run that tells its events there", done.stderr)
        self.assertEqual(sorted(p.name for p in self.out.iterdir()), ["events"], "nothing is left behind")


if __name__ == "__main__":
    unittest.main()
