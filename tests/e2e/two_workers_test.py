"""Two workers: equal to one, the same on every transport, and without an agent as in the tutorial."""
import json
import unittest

from programs import ProgramTest, free_ports


class TwoWorkers(ProgramTest):
    def test_train_together_and_report_once(self):
        events = self.train("mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=1", "--set", "fit.log_every=50", "--out", self.home / "out")
        steps = [e["step"] for e in events if e["event"] == "step"]
        self.assertEqual(steps, sorted(set(steps)), "one point a step, of all workers together")
        self.assertEqual(events[-1]["state"], "done")
        self.assertGreater(events[-1]["images_per_s"], 0, "one epoch warms up in its first steps")

    def test_learn_in_the_starter_that_is_marked(self):
        done = self.train("mnist_two_workers", "--out", self.home / "out")[-1]
        self.assertGreaterEqual(done["test_accuracy"], 0.98)

    def test_chief_reports_weights_and_keeps_the_report(self):
        events = self.train("mnist_multi_worker", "--workers", 2, "--set", "fit.epochs=3", "--set", "data.take=1280", "--set",
                            "fit.histogram_freq=2", "--out", self.home / "out")
        reports = [e for e in events if e["event"] == "weights"]
        self.assertEqual([e["epoch"] for e in reports], [1, 3], "once an epoch, from one task")
        names = ["conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"]
        sizes = [288, 32, 5408 * 64, 64, 640, 10]
        for report in reports:
            for kind in ("weights", "gradients"):
                self.assertEqual([v["name"] for v in report[kind]], names)
                self.assertEqual([sum(v["counts"]) for v in report[kind]], sizes)
                norm = sum(v["norm"] ** 2 for v in report[kind]) ** 0.5
                self.assertAlmostEqual(report[f"{kind}_norm"], norm, places=6)
                self.assertGreater(norm, 0)
            self.assertEqual(report["filters"]["shape"], [32, 3, 3, 1])
            self.assertEqual(len(report["filters"]["values"]), 288)
            self.assertAlmostEqual(max(report["filters"]["values"]), report["weights"][0]["max"], places=6)
        watched = self.run_cli("watch", events[-1]["run"], "--json")
        replayed = [json.loads(line) for line in watched.stdout.splitlines() if '"event":"weights"' in line]
        self.assertEqual(replayed, reports, "the journal has them as they came")

    def test_give_the_same_bytes_twice_and_on_every_transport(self):
        base = ["mnist_mirrored", "--workers", 2, "--threads", 1, "--set", "fit.epochs=1", "--set", "data.take=12800"]
        shas = {name: self.train(*base, "--transport", transport)[-1]["weights_sha256"]
                for name, transport in (("auto", "auto"), ("auto again", "auto"), ("grpc", "grpc"), ("shm", "shm"))}
        self.assertEqual(len(set(shas.values())), 1, shas)

    def test_of_two_devices_each_train_as_one_on_every_transport(self):
        def train(devices, *settings):
            events = self.train("mnist_mirrored", "--threads", 1, "--set", "fit.epochs=1", "--set", "data.take=3200", "--set", "data.shuffle=0",
                                "--set", "fit.log_every=1", "--set", f"strategy.logical_cpus={devices}", *settings)
            return events[-1]["weights_sha256"], [e["loss"] for e in events if e["event"] == "step"]
        _, one = train(1, "--set", "data.batch_size_per_replica=64")
        four = ["--workers", 2, "--set", "data.batch_size_per_replica=16"]
        runs = {transport: train(2, *four, "--transport", transport) for transport in ("grpc", "shm")}
        self.assertEqual(runs["grpc"], runs["shm"], "the same bytes, step by step")
        self.assertEqual(len(one), 50)
        for k, (a, b) in enumerate(zip(runs["grpc"][1], one, strict=True)):
            self.assertAlmostEqual(a, b, delta=1e-5 * max(1, abs(b)), msg=f"step {k + 1}")

    def test_of_two_devices_each_deal_the_samples_as_foretold(self):
        settings = ["--workers", 2, "--set", "strategy.logical_cpus=2", "--set", "data.take=35", "--set", "data.batch_size_per_replica=4",
                    "--set", "fit.epochs=1"]
        done = self.run_cli("shards", "mnist_multi_worker", "--steps", 3, *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Global batch: 4 per replica x 4 replicas = 16".lower(), done.stdout.lower())
        foretold = [line for line in done.stdout.splitlines() if line.startswith("step ")]
        self.assertEqual(len(foretold), 6, "three steps of two workers")
        self.assertTrue(all(" | " in line or line.endswith(" |") for line in foretold), foretold)
        told = self.run_cli("train", "mnist_multi_worker", *settings, "--set", "data.log_shards=3", "--json")
        self.assertEqual(told.returncode, 0, told.stderr)
        logged = [json.loads(line)["text"] for line in told.stdout.splitlines() if '"shard: ' in line]
        self.assertEqual(sorted(line.removeprefix("shard: ") for line in logged), sorted(foretold))
        answer = json.loads(self.run_cli("shards", "mnist_multi_worker", "--steps", 3, "--json", *settings).stdout)
        self.assertEqual(answer["global_batch_size"], 16)
        self.assertEqual(answer["steps"][2]["parts"], [[1, 1], [1, 0]], "three samples are left for four replicas")

    def test_any_project_runs_on_two_workers(self):
        done = self.run_cli("train", "mnist_mirrored", "--workers", 2, "--set", "fit.epochs=1", "--set", "data.take=1280")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("MultiWorkerMirroredStrategy", done.stdout + done.stderr)


class WithoutAgent(ProgramTest):
    def test_two_terminals_find_each_other(self):
        project = self.project("mnist_multi_worker", fit__epochs=1, data__take=6400, cluster__start_timeout_s=60)
        hosts = [f"localhost:{port}" for port in free_ports(2)]
        workers = []
        for index in range(2):
            config = {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": index}}
            workers.append(self.start("tandem-worker", project, "--out", self.home / f"out{index}", env=dict(self.env, TF_CONFIG=json.dumps(config))))
        outputs = [worker.communicate(timeout=300)[0] for worker in workers]
        for worker, output in zip(workers, outputs):
            self.assertEqual(worker.returncode, 0, output)
        self.assertIn("Epoch 1/1", outputs[0])
        self.assertTrue((self.home / "out0" / "checkpoints").exists(), "the chief saves")
        self.assertFalse(list((self.home / "out1").glob("checkpoints/*.index")), "only the chief saves")

    def test_a_starter_project_is_known_by_its_name(self):
        worker = self.start("tandem-worker", "guide_dense", "--out", self.home / "out", env=self.env)
        output, _ = worker.communicate(timeout=300)
        self.assertEqual(worker.returncode, 0, output)
        self.assertIn("Epoch 2/2", output)

    def test_a_missing_worker_is_named(self):
        project = self.project("mnist_multi_worker", cluster__start_timeout_s=7)
        hosts = [f"localhost:{port}" for port in free_ports(2)]
        config = {"cluster": {"worker": hosts}, "task": {"type": "worker", "index": 0}}
        worker = self.start("tandem-worker", project, "--out", self.home / "out", env=dict(self.env, TF_CONFIG=json.dumps(config)))
        output, _ = worker.communicate(timeout=300)
        self.assertNotEqual(worker.returncode, 0)
        self.assertIn("worker 1", output)
        self.assertIn(hosts[1], output)


if __name__ == "__main__":
    unittest.main()
