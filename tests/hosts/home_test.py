"""The home of a run on several computers is killed in mid-run and comes back: the run goes on, by its id, and ends as if nothing had been."""
import json
import os
import signal
import unittest

from hosts import wait_for
from train_test import LASTING, TrainTest

KILLED = "the agent was killed while the run went on"
BACKED_UP = {**LASTING, "cluster.on_task_lost": "restart", "cluster.max_restarts": 1}


class HomeTest(TrainTest):
    def interrupted(self, *words, values):
        """A run whose agent at home is killed some steps behind its first epoch, and so behind a backup."""
        training = self.start_and_train(*words, values=values)
        wait_for(lambda: training.events("epoch") or training.is_over(), "the end of an epoch")
        training.wait_for_step(after=len(training.steps()))
        self.run_id = self.runs()[0]["id"]
        os.kill(self.agent("node1"), signal.SIGKILL)
        self.assertEqual(training.end(), 3, training.errors())
        return training

    def watched(self):
        """Of the newest run, with an agent that is started for the question; the record, and every event up to its end."""
        run = self.runs()[0]
        self.assertEqual(run["id"], self.run_id)
        self.assertEqual(len([one for one in self.runs() if one["run_dir"] == run["run_dir"]]), 1)
        events = [json.loads(line) for line in self.cli("watch", run["id"], "--json").stdout.splitlines() if line.startswith("{")]
        wait_for(lambda: self.runs()[0]["state"] not in ("Starting", "Training", "Paused"), "the end of the run")
        return self.runs()[0], events

    def steps_of(self, events):
        return [event["step"] for event in events if event["event"] == "step"]

    def expect_done_as(self, alone, run, events):
        self.assertEqual((run["state"], run["detail"]), ("Done", ""), events[-3:])
        self.assertEqual(events[-1]["weights_sha256"], alone.last()["weights_sha256"])
        self.expect_nothing_left()


class Elsewhere(HomeTest):
    def test_parts_that_go_on_are_followed_again(self):
        alone = self.train("--workers", "2", values=LASTING)
        own_cluster = {**LASTING, "cluster.worker": ["node2:6001", "node3:6002"]}
        for words, values in ((("--hosts", "node2,node3"), LASTING), ((), own_cluster)):
            with self.subTest(words):
                self.interrupted(*words, values=values)
                run, events = self.watched()
                self.expect_done_as(alone, run, events)
                self.assertEqual(self.steps_of(events), alone.steps(), "every step once")
                self.assertEqual([event for event in events if event["event"] == "attempt"], [], "nothing was started again")
                self.assertTrue(any(event["event"] == "log" and event["text"].startswith(KILLED) for event in events))


class CutOff(HomeTest):
    def test_parts_stop_with_a_backup_when_home_is_away_for_too_long(self):
        values = {**LASTING, "cluster.home_lost_s": 6}
        words = ("--hosts", "node2,node3", "--out", "/run/home/cut")
        training = self.start_and_train(*words, values={**values, "fit.epochs": 1000})
        self.hosts.link("node1", "down")
        for node, detail in (("node2", r"^its home was away for \d+ s$"), ("node3", "^$")):  # the chief is on node2
            wait_for(lambda: not self.workers(node), f"the end of the task on {node}")
            run = wait_for(lambda: next((one for one in self.runs(node) if one["state"] == "Stopped"), None), f"the part on {node} to be over")
            self.assertRegex(run["detail"], detail)
        self.assertFalse(training.is_over(), "home knows nothing of it yet")
        self.hosts.link("node1", "up")
        self.assertEqual(training.end(), 0, training.errors())
        self.assertEqual(training.last()["state"], "stopped", training.last())
        run = self.runs()[0]
        self.assertEqual(run["state"], "Stopped")
        self.assertRegex(run["detail"], r"^node2: its home was away for \d+ s$")
        self.assertEqual(training.events("attempt"), [], "nothing was lost")
        self.expect_nothing_left()
        values["fit.epochs"] = training.steps()[-1] // 50 + 2
        again = self.train(*words, values=values)
        self.assertEqual([event["by_hand"] for event in again.events("attempt")], [True])
        self.assertEqual(again.last()["weights_sha256"], self.train("--workers", "2", values=values).last()["weights_sha256"])
        self.expect_nothing_left()

    def test_a_home_that_is_away_for_less_changes_nothing(self):
        values = {**LASTING, "cluster.home_lost_s": 600}
        alone = self.train("--workers", "2", values=values)
        training = self.start_and_train("--hosts", "node2,node3", values=values)
        self.hosts.link("node1", "down")
        for node in ("node2", "node3"):
            wait_for(lambda: not self.workers(node), f"the end of the task on {node}")
        self.hosts.link("node1", "up")
        self.expect_done(training)
        self.assertEqual(training.last()["weights_sha256"], alone.last()["weights_sha256"])
        self.assertEqual(training.steps(), alone.steps())
        self.expect_nothing_left()


class WithTasksHere(HomeTest):
    def test_it_is_taken_up_from_its_backup(self):
        alone = self.train("--workers", "2", values=BACKED_UP)
        for words in (("--hosts", "node1,node2"), ("--workers", "2")):
            with self.subTest(words):
                self.interrupted(*words, values=BACKED_UP)
                run, events = self.watched()
                attempts = [event for event in events if event["event"] == "attempt"]
                self.assertEqual([(event["attempt"], event["attempts"], event["reason"]) for event in attempts], [(2, 2, KILLED)])
                self.expect_done_as(alone, run, events)

    def test_a_run_that_goes_on_without_a_host_is_taken_up_without_it(self):
        values = {**BACKED_UP, "cluster.on_task_lost": "continue", "cluster.max_restarts": 2, "cluster.heartbeat_fatal_s": 5, "fit.epochs": 20}
        training = self.start_and_train("--hosts", "node1,node2,node3", values=values)
        wait_for(lambda: training.events("epoch") or training.is_over(), "the end of an epoch")
        self.hosts.power("node2", "off")
        wait_for(lambda: training.events("resumed") or training.is_over(), "the run to go on")
        training.wait_for_step(after=len(training.steps()))
        self.run_id = self.runs()[0]["id"]
        os.kill(self.agent("node1"), signal.SIGKILL)
        self.assertEqual(training.end(), 3, training.errors())
        run, events = self.watched()
        attempts = [event for event in events if event["event"] == "attempt"]
        self.assertEqual([(event["attempt"], event["attempts"]) for event in attempts], [(2, 3), (3, 3)])
        self.assertRegex(attempts[0]["reason"], "; the run goes on with 2 of 3 workers, without worker 1$")
        self.assertEqual(attempts[1]["reason"], KILLED)
        self.assertEqual((run["state"], run["tasks"]), ("Done", 2), events[-3:])
        self.expect_nothing_left(["node1", "node3"])

    def test_without_restarts_it_fails(self):
        self.interrupted("--hosts", "node1,node2", values={**BACKED_UP, "cluster.max_restarts": 0})
        run = self.runs()[0]
        self.assertEqual((run["state"], run["detail"]), ("Failed", KILLED + "; what it had started may go on there: node2"))
        wait_for(lambda: not self.workers("node2"), "the end of the task on node2")


del TrainTest, HomeTest  # they have no case of their own

if __name__ == "__main__":
    unittest.main()
