"""The equivalence lab: every strategy trains what Default trains, and the lab says so; where one does not, it says that."""
import json
import signal
import time
import unittest

from programs import ProgramTest, processes, wait_for

# Short steps, and a dropout: which units go does not depend on who computes a sample.
SMALL = ["mnist_mlp", "--set", "data.batch_size_per_replica=24", "--set", 'model.layers=[{"class_name":"Flatten","name":"flatten","config":{}},'
         '{"class_name":"Dense","name":"dense","config":{"units":32,"activation":"relu"}},{"class_name":"Dropout","name":"dropout","config":{"rate":0.25}},'
         '{"class_name":"Dense","name":"pred","config":{"units":10,"activation":"softmax"}}]']
STRATEGIES = ["DefaultStrategy", "OneDeviceStrategy", "MirroredStrategy, NcclAllReduce", "MirroredStrategy, HierarchicalCopyAllReduce",
              "MirroredStrategy, ReductionToOneDevice", "CentralStorageStrategy", "MultiWorkerMirroredStrategy, 2 workers",
              "MultiWorkerMirroredStrategy, 3 workers", "MultiWorkerMirroredStrategy, 4 workers", "ParameterServerStrategy, 1 ps, 1 worker",
              "ParameterServerStrategy, 1 ps, 3 workers"]


class Lab(ProgramTest):
    def lab(self, *arguments, expect=0):
        done = self.run_cli("lab", *arguments, "--json")
        self.assertEqual(done.returncode, expect, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_all_strategies_that_wait_for_each_other_are_default(self):
        rows = self.lab(*SMALL, "--steps", 100)
        self.assertEqual([row["strategy"] for row in rows], STRATEGIES)
        by_name = {row["name"]: row for row in rows}
        for row in rows:
            self.assertEqual(row["global_batch_size"], 24)
            self.assertGreater(row["steps_per_s"], 0)
            self.assertEqual(row["synchronous"], row["name"] != "ParameterServer:3")
            self.assertEqual(row["bytes_per_step"] > 0, row["name"] not in ("Default", "OneDevice"), row["name"])
            if row["synchronous"]:
                self.assertEqual(row["verdict"], "reference" if row["name"] == "Default" else "equal", row)
                self.assertLessEqual(row["largest_difference"], 1e-5, row["name"])
                self.assertLessEqual(row["relative_difference"], 1e-6, row["name"])
                self.assertEqual(row["steps"], list(range(1, 101)), row["name"])
                for step, (loss, default) in enumerate(zip(row["losses"], rows[0]["losses"], strict=True), 1):
                    self.assertAlmostEqual(loss, default, delta=1e-5, msg=f"{row['name']}, step {step}")
        self.assertEqual(by_name["OneDevice"]["largest_difference"], 0, "the same ops")
        self.assertGreater(by_name["MultiWorkerMirrored:3"]["largest_difference"], 0, "sums in another order")
        served = by_name["ParameterServer:3"]
        self.assertEqual(served["verdict"], "asynchronous")
        self.assertGreaterEqual(served["largest_staleness"], served["mean_staleness"])
        self.assertTrue(100 <= len(served["losses"]) <= 102, len(served["losses"]))
        self.assertEqual(by_name["ParameterServer:1"]["largest_staleness"], 0)
        # What is moved goes up with the replicas: in and out of every other one.
        moved = [by_name[f"MultiWorkerMirrored:{workers}"]["bytes_per_step"] for workers in (2, 3, 4)]
        self.assertEqual(moved, [moved[0], 2 * moved[0], 3 * moved[0]])

    def test_turns_red_where_weights_are_not_the_same(self):
        chosen = ["--strategies", "OneDevice,MultiWorkerMirrored:3", "--steps", 20]
        rows = self.lab(*SMALL, *chosen, "--tolerance", 0, expect=4)
        self.assertEqual([row["verdict"] for row in rows], ["reference", "equal", "differs"])
        self.assertRegex(rows[2]["reason"], "^most in (dense|pred)/")
        text = self.run_cli("lab", *SMALL, *chosen, "--tolerance", 0)
        self.assertEqual(text.returncode, 4, text.stdout)
        self.assertRegex(text.stdout, r"MultiWorkerMirroredStrategy, 3 workers +DIFFERS ")
        self.assertIn("1 strategy differs that should be equal to Default.", text.stdout)

    def test_says_why_replicas_may_differ(self):
        layers = ["--set", 'model.layers=[{"class_name":"Flatten","name":"flatten","config":{}},{"class_name":"BatchNormalization","name":"bn","config":%s},'
                  '{"class_name":"Dense","name":"pred","config":{"units":10,"activation":"softmax"}}]']
        chosen = ["--strategies", "CentralStorage,ParameterServer:1", "--steps", 20]
        for config, verdict in (("{}", "differs as expected"), ('{"synchronized":true}', "equal")):
            rows = self.lab("mnist_mlp", layers[0], layers[1] % config, *chosen)
            self.assertEqual([row["verdict"] for row in rows], ["reference", verdict, "equal"], rows)
        rows = self.lab("mnist_mlp", layers[0], layers[1] % "{}", *chosen)
        self.assertIn("bn: BatchNormalization takes the statistics of each replica's own part", rows[1]["reason"])
        self.assertGreater(rows[1]["relative_difference"], 1e-4)

    def test_leaves_out_what_a_strategy_cannot_train(self):
        rows = self.lab(*SMALL, "--set", "compile.optimizer.config.gradient_accumulation_steps=2", "--strategies", "CentralStorage,ParameterServer:1",
                        "--steps", 20)
        self.assertEqual([row["verdict"] for row in rows], ["reference", "equal", "could not run"])
        self.assertEqual(rows[2]["reason"].partition(":")[0], "compile.optimizer.gradient_accumulation_steps")
        self.assertIsNone(rows[2]["run"])

    def test_refuses_what_is_none(self):
        done = self.run_cli("lab", *SMALL, "--strategies", "Horovod")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('--strategies: expected Default, OneDevice, ', done.stderr)
        self.assertIn('got "Horovod"', done.stderr)
        self.assertEqual(self.run_cli("lab", *SMALL, "--steps", 0).returncode, 2)
        self.assertEqual(self.run_cli("lab", "no_such_project").returncode, 2)
        self.assertFalse(processes(self.marker, "tandem-worker"))

    def test_ends_with_ctrl_c_and_leaves_no_run(self):
        lab = self.start("tandem-cli", "lab", *SMALL, "--strategies", "OneDevice", "--steps", 100000,
                         "--set", "data.batch_size_per_replica=1024")  # which takes minutes: it is not over before it is stopped
        wait_for(lambda: processes(self.marker, "tandem-worker"), "a run to begin")
        time.sleep(0.5)
        lab.send_signal(signal.SIGINT)
        text = lab.communicate(timeout=300)[0]
        self.assertEqual(lab.returncode, 130, text)
        wait_for(lambda: not processes(self.marker, "tandem-worker"), "the run to end")


if __name__ == "__main__":
    unittest.main()
