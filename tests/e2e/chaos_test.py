"""Faults that a user puts into a run of the shipped programs: each is named by whom it hits, and heals as it should."""
import json
import threading
import unittest

from programs import ProgramTest, process_of, wait_for

LONG = {"fit__epochs": 1000, "fit__log_every": 10, "data__take": 6400, "cluster__start_timeout_s": 60, "cluster__threads_per_task": 1}


class Chaos(ProgramTest):
    def launch(self, out="out", workers=2, **settings):
        """A long run that has done its first steps; its id. What it prints is read to its end: a full pipe would hold the program."""
        callbacks = {"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}"}, "backup_and_restore": {"save_freq": 5}}
        project = self.project("mnist_multi_worker", **{**LONG, "callbacks": callbacks, **settings})
        cli = self.start("tandem-cli", "train", project, "--workers", workers, "--out", self.home / out, "--json")
        self.addCleanup(lambda: cli.poll() is None and cli.kill())
        for line in cli.stdout:
            if line.startswith("{") and json.loads(line)["event"] == "step":
                threading.Thread(target=cli.stdout.read, daemon=True).start()
                return self.runs()[0]["id"]
        raise AssertionError(f"the run ended before its first step: exit code {cli.wait()}")

    def runs(self):
        return [json.loads(line) for line in self.run_cli("runs", "--json").stdout.splitlines()]

    def chaos(self, *arguments, expect=0):
        done = self.run_cli("chaos", *arguments, "--json")
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def of(self, events, kind):
        return next((event for event in events if event["event"] == kind), None)

    def stop(self, run):
        self.assertEqual(self.run_cli("stop", run, "--now").returncode, 0)
        wait_for(lambda: not process_of(self.marker, "tandem-worker"), "the workers to stop")

    def test_a_killed_worker_is_named_and_healed_by_a_restart(self):
        run = self.launch()
        events, _ = self.chaos(run, "--kill", "worker:1", "--at-step", 20)
        self.assertEqual([event["event"] for event in events], ["fault", "named", "healed", "finished"])
        self.assertIn("SIGKILL", events[1]["by"])
        self.assertLessEqual(events[1]["after_s"], events[2]["after_s"])
        self.assertEqual(self.runs()[0]["attempts"], 2, "it was started again")
        # A script does the same to the same run, one fault after the other.
        script = self.home / "faults.txt"
        script.write_text("kill worker:0  # the chief\nstop worker:1 for 1s after 1s\n")
        events, _ = self.chaos(run, "--script", script)
        self.assertEqual(self.of(events, "finished"), {"event": "finished", "faults": 2, "done": 2, "named": events[-1]["named"], "healed": 2})
        self.stop(run)

    def test_a_worker_that_is_stopped_for_less_goes_on(self):
        run = self.launch(cluster__heartbeat_fatal_s=60)
        events, _ = self.chaos(run, "--stop", "worker:1", "--for", "2s")
        self.assertTrue(self.of(events, "healed")["after_s"] >= 2, events)
        events, _ = self.chaos(run, "--stop", "worker:1", "--for", "8s")
        self.assertRegex(self.of(events, "named")["by"], "worker 1.*(no heartbeat|no sign of life) for")
        self.assertIsNotNone(self.of(events, "healed"))
        self.assertEqual(self.runs()[0]["attempts"], 1)
        self.stop(run)

    def test_a_cut_way_is_named_and_carries_again(self):
        for transport in ("auto", "grpc"):
            with self.subTest(transport=transport):
                run = self.launch(out=transport, cluster__heartbeat_fatal_s=60, cluster__transport=transport)
                events, _ = self.chaos(run, "--cut", "worker:1-worker:0", "--for", "8s")
                self.assertRegex(self.of(events, "named")["by"], "worker [01].* has given no sign of life for 4 s")
                self.assertGreaterEqual(self.of(events, "healed")["after_s"], 8)
                self.assertEqual(self.runs()[0]["attempts"], 1)
                self.stop(run)

    def test_a_way_that_stays_cut_is_healed_by_a_restart(self):
        run = self.launch(cluster__heartbeat_fatal_s=6)
        events, _ = self.chaos(run, "--cut", "worker:1-worker:0", "--for", "1m")
        self.assertRegex(self.of(events, "named")["by"], "worker [01].* has given no sign of life for 4 s")
        self.assertLess(self.of(events, "healed")["after_s"], 60)
        self.assertEqual(self.runs()[0]["attempts"], 2, "it was started again")
        self.stop(run)

    def test_a_way_that_stays_cut_ends_a_run_that_is_not_to_start_again_with_its_name(self):
        run = self.launch(cluster__heartbeat_fatal_s=6, cluster__on_task_lost="fail")
        events, _ = self.chaos(run, "--cut", "worker:1-worker:0", "--for", "1m", expect=1)
        self.assertRegex(self.of(events, "not_healed")["reason"], "^the run is over: Failed: worker [01]: .*worker [01] at .*sent no heartbeat for")

    def test_slow_messages_slow_training_and_no_more(self):
        run = self.launch()
        events, _ = self.chaos(run, "--slow", "worker:1", "--by", "20ms", "--for", "2s", "--skew", "worker:0", "--by", "30s", "--for", "1s")
        self.assertEqual(events[-1]["healed"], 2)
        self.assertEqual(self.runs()[0]["attempts"], 1)
        self.stop(run)

    def test_a_full_disk_is_named_by_the_file_that_could_not_be_written(self):
        run = self.launch()
        events, _ = self.chaos(run, "--fill-disk", "worker:0", "--for", "3s")
        self.assertIn("File too large", self.of(events, "named")["by"])
        self.assertIsNotNone(self.of(events, "healed"))
        # Its next backup is whole: a restart goes on from it.
        events, _ = self.chaos(run, "--kill", "worker:1")
        self.assertGreater(self.of(events, "healed")["step"], 1)
        self.stop(run)

    def test_what_can_not_be_done_is_refused_in_one_sentence(self):
        run = self.launch()
        for fault, why in ((["--kill", "worker:7"], "has no task worker:7"), (["--cut", "worker:0-worker:9"], "has no task worker:9")):
            _, errors = self.chaos(run, *fault, expect=1)
            self.assertIn(why, errors)
            self.assertEqual(len(errors.splitlines()), 1)
        self.stop(run)
        wait_for(lambda: self.runs()[0]["state"].lower() == "stopped", "the run to be told as stopped")
        done = self.run_cli("chaos", run, "--kill", "worker:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is over", done.stderr)


if __name__ == "__main__":
    unittest.main()
