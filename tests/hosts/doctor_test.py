"""`tandem-cli doctor` over several hosts: who reaches whom at the ports of the tasks, how fast the ways between them are, and that nothing of
the measurement stays."""
import json
import os
import signal
import subprocess
import unittest

from hosts import wait_for
from train_test import BIN, PROJECT, QUICK, WITHIN_S, TrainTest, settings_of

CLUSTER = {"cluster.worker": ["node1:12345", "node2:12346", "node3:12347"]}
EVERYWHERE = ("--hosts", "node1,node2:2,node3")
DELAY_S, RATE_BYTES_S = 0.02, 5e6


class Doctor(TrainTest):
    def doctor(self, *words, values, exit_code):
        """The report of one look."""
        done = self.cli("doctor", PROJECT, *words, *settings_of(values), "--json")
        self.assertEqual((done.returncode, done.stderr), (exit_code, ""), done.stdout)
        return json.loads(done.stdout)

    @staticmethod
    def ways(report):
        return {(way["from"], way["to"]): way for way in report["ways"]}

    @staticmethod
    def network(report):
        """The titles of its rows about ways that are no praise."""
        return [row["title"] for row in report["rows"] if row["check"] == "network" and row["state"] in ("warning", "error")]

    def shell(self, node, line):
        done = self.hosts.run(node, ["sh", "-ec", line], timeout=WITHIN_S)
        self.assertEqual(done.returncode, 0, f"{node}: {line}\n{done.stdout}{done.stderr}")

    def start_look(self):
        """A look that goes on, at a time when node2 and node3 listen for it."""
        look = self.hosts.start("node1", [BIN / "tandem-cli", "doctor", PROJECT, *settings_of({**QUICK, **CLUSTER}), "--json"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(look.communicate)
        self.addCleanup(look.kill)
        wait_for(lambda: all(self.workers(node) for node in ("node2", "node3")), "workers that measure")
        return look

    # ---- the tests ---------------------------------------------------------------------------------------------------------

    def test_equal_hosts_reach_each_other_and_nothing_is_found(self):
        for words, values in ((EVERYWHERE, QUICK), ((), {**QUICK, **CLUSTER})):
            with self.subTest(words):
                report = self.doctor(*words, values=values, exit_code=0)
                ways = self.ways(report)
                self.assertEqual(list(ways), [(a, b) for a in self.hosts.nodes for b in self.hosts.nodes if a != b])
                for way in ways.values():
                    self.assertEqual(way["outcome"], "reached", way)
                    self.assertGreater(way["round_trip_us"], 0, way)
                    self.assertGreater(way["bytes_per_s"], RATE_BYTES_S, way)
                    self.assertNotIn("is_slow", way)
                self.assertEqual(self.network(report), [])
        self.assertEqual([ways["node1", node]["port"] for node in ("node2", "node3")], [12346, 12347])
        said = self.done("doctor", PROJECT, *settings_of({**QUICK, **CLUSTER}))
        self.assertRegex(said, r"\nround trip, ms +node1 +node2 +node3\nnode1 .*\nnode2 .*\nnode3 .*\n\nbandwidth, MB/s +node1 ")
        self.expect_done(self.start(values={**QUICK, **CLUSTER}))  # at once, on the ports that were just listened at
        self.expect_nothing_left()

    def test_a_long_and_narrow_cable_is_measured_and_named(self):
        self.hosts.slow("node2", delay_s=DELAY_S, rate_bytes_s=RATE_BYTES_S)
        report = self.doctor(*EVERYWHERE, values=QUICK, exit_code=0)
        for (a, b), way in self.ways(report).items():
            self.assertEqual(way["outcome"], "reached", way)
            print(f"{a} -> {b}: {way['round_trip_us'] / 1000:.1f} ms, {way['bytes_per_s'] / 1e6:.2f} MB/s", flush=True)
            if "node2" in (a, b):
                self.assertGreaterEqual(way["round_trip_us"], 2e6 * DELAY_S, way)
                self.assertLess(way["round_trip_us"], 4e6 * DELAY_S, way)
                self.assertLessEqual(way["bytes_per_s"], 1.25 * RATE_BYTES_S, way)  # a loaded machine lets what is queued through at once
                self.assertGreater(way["bytes_per_s"], 0.4 * RATE_BYTES_S, way)
                self.assertTrue(way["is_slow"], way)
            else:
                self.assertLess(way["round_trip_us"], 2e6 * DELAY_S, way)
                self.assertGreater(way["bytes_per_s"], 4 * RATE_BYTES_S, way)
        found = self.network(report)
        self.assertRegex(found[0], r"^node2: all its ways are slow, \S+ MB/s at best; the median of the computers is \S+ [MG]B/s$")
        self.assertRegex(found[1], r"^node2: all its ways are long, \S+ ms there and back at best; the median of the computers is \S+ ms$")
        self.assertEqual(len(found), 2, found)
        self.expect_nothing_left()

    def test_closed_ports_are_named_with_both_hosts_and_the_fact(self):
        # What comes to node3 for the port of its task is dropped there; node2 has no way to the port of node1's.
        self.shell("node3", "ip rule add pref 100 lookup local; ip rule del pref 0; ip rule add pref 10 ipproto tcp dport 12347 iif eth0 blackhole")
        self.shell("node2", f"ip rule add pref 10 ipproto tcp dport 12345 to {self.hosts.address('node1')} unreachable; ip rule add pref 100 lookup local; ip rule del pref 0")
        report = self.doctor(values={**QUICK, **CLUSTER}, exit_code=1)
        outcomes = {pair: way["outcome"] for pair, way in self.ways(report).items()}
        self.assertEqual(outcomes, {("node1", "node2"): "reached", ("node1", "node3"): "timed_out", ("node2", "node1"): "no_route",
                                    ("node2", "node3"): "timed_out", ("node3", "node1"): "reached", ("node3", "node2"): "reached"})
        rows = {row["title"]: row for row in report["rows"] if row["check"] == "network" and row["state"] == "error"}
        self.assertEqual(list(rows), ["No computer can reach node3 at port 12347", "node2 can't reach node1 at port 12345"])
        self.assertEqual(rows["No computer can reach node3 at port 12347"]["detail"], "Nothing came back in time: probably a firewall drops what comes.")
        self.assertEqual(rows["No computer can reach node3 at port 12347"]["path"], "cluster.worker[2]")
        self.assertIn("There is no route to it", rows["node2 can't reach node1 at port 12345"]["detail"])
        self.expect_nothing_left()

    def test_nothing_stays_when_home_is_killed_in_the_middle(self):
        self.hosts.slow("node3", delay_s=DELAY_S, rate_bytes_s=RATE_BYTES_S)  # so that it lasts
        look = self.start_look()
        os.kill(self.agent("node1"), signal.SIGKILL)
        look.communicate(timeout=WITHIN_S)
        self.assertEqual(look.returncode, 3)
        for node in self.hosts.nodes:
            wait_for(lambda: not self.workers(node), f"the end of the workers on {node}")
        self.hosts.slow("node3")
        self.expect_done(self.start(values={**QUICK, **CLUSTER}))  # the agents there hold the ports for a minute, and keep nobody from them

    def test_nothing_stays_when_nobody_waits_for_the_report(self):
        self.hosts.slow("node3", delay_s=DELAY_S, rate_bytes_s=RATE_BYTES_S)
        self.start_look().kill()
        self.expect_nothing_left()

    def test_a_run_that_is_launched_meanwhile_ends_the_measurement(self):
        self.hosts.slow("node3", delay_s=DELAY_S, rate_bytes_s=RATE_BYTES_S)
        look = self.start_look()
        self.expect_done(self.start(values={**QUICK, **CLUSTER}))
        said, errors = look.communicate(timeout=WITHIN_S)
        self.assertEqual((look.returncode, errors), (0, ""), said)
        self.assertIn("ways between computers were not measured", said)


del TrainTest  # it has no case of its own

if __name__ == "__main__":
    unittest.main()
