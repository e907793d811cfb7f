"""The command line's contract, which scripts rely on."""
import base64
import json
import subprocess
import unittest

from programs import BIN, TEMPLATES, ProgramTest

GOOD = '{"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}}'


class Templates(ProgramTest):
    def test_lists_both_starter_projects(self):
        done = self.run_cli("templates")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("mnist_mirrored", "mnist_multi_worker"):
            self.assertIn(name, done.stdout)

    def test_explains_every_verb(self):
        for verb in ([], ["templates"], ["train"], ["watch"], ["stop"], ["runs"], ["check"], ["doctor"], ["strategies"], ["shards"], ["data"], ["export"], ["export", "tf-config"], ["evaluate"], ["inspect"], ["placement"]):
            done = self.run_cli(*verb, "--help")
            self.assertEqual(done.returncode, 0, verb)
            self.assertGreater(len(done.stdout.splitlines()), 3, verb)

    def test_refuses_an_unknown_verb(self):
        self.assertEqual(self.run_cli("trian").returncode, 2)


class Shards(ProgramTest):
    def test_says_which_sample_goes_where(self):
        done = self.run_cli("shards", "mnist_multi_worker", "--steps", "2", "--set", "data.shuffle=0", "--set", "data.batch_size_per_replica=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "data set: mnist, 60000 training samples, sharded by DATA")
        self.assertEqual(lines[1], "global batch: 2 per replica x 2 replicas = 4")
        self.assertEqual(lines[2], "steps per epoch: 15000 (60000 training samples)")
        self.assertIn("(linear) are usual", lines[3])
        self.assertEqual(lines[4], "AUTO deals single samples (DATA), because the set is held in memory.")
        self.assertEqual(lines[5], "pipeline: dataset.map(scale).cache().batch(4).prefetch(2)")
        self.assertEqual(lines[6:], ["step 1 epoch 0 worker 0: 0 1", "step 1 epoch 0 worker 1: 2 3",
                                     "step 2 epoch 0 worker 0: 4 5", "step 2 epoch 0 worker 1: 6 7"])

    def test_speaks_json(self):
        served = self.run_cli("shards", "book_parameter_servers", "--steps", "1", "--json")
        self.assertEqual(served.returncode, 0, served.stderr)
        told = json.loads(served.stdout)
        self.assertEqual(told["policy"], "OFF", "workers of parameter servers share nothing")
        self.assertEqual(len({str(order) for order in told["steps"][0]["samples"]}), 3, "an order each")
        done = self.run_cli("shards", "mnist_multi_worker", "--workers", "3", "--steps", "1", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["tasks"], ["worker 0", "worker 1", "worker 2"])
        self.assertEqual(answer["global_batch_size"], 192)
        self.assertEqual([len(samples) for samples in answer["steps"][0]["samples"]], [64, 64, 64])

    def test_workers_log_what_it_foretells(self):
        settings = ["--set", "data.take=64", "--set", "data.batch_size_per_replica=8", "--set", "data.log_shards=2", "--set", "fit.epochs=1"]
        foretold = self.run_cli("shards", "mnist_mirrored", "--steps", "2", *settings).stdout.splitlines()[-2:]
        trained = subprocess.run([BIN / "tandem-worker", TEMPLATES / "mnist_mirrored.tandem", "--out", self.home / "run", *settings],
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual(trained.returncode, 0, trained.stderr)
        for line in foretold:
            self.assertIn("shard: " + line, trained.stdout + trained.stderr)

    def test_workers_log_what_it_foretells_in_another_order(self):
        order = '["take", "scale", "normalize", "one_hot", "batch", "shuffle", "cache", "repeat", "prefetch"]'
        settings = ["--set", "data.take=64", "--set", "data.batch_size_per_replica=8", "--set", "data.log_shards=20", "--set", "fit.epochs=2",
                    "--set", "data.order=" + order]
        done = self.run_cli("shards", "mnist_mirrored", "--steps", "16", *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pipeline: dataset.take(64).map(scale).batch(8).shuffle(10000).cache().prefetch(2)", done.stdout)
        self.assertIn("pipeline: cache: expected it before shuffle", done.stdout)
        foretold = done.stdout.splitlines()[-16:]
        batches = [[int(sample) for sample in line.partition(": ")[2].split()] for line in foretold]
        self.assertEqual(batches[:8], batches[8:], "the second epoch repeats the first one's order")
        self.assertNotEqual(batches[:8], sorted(batches[:8]))
        for batch in batches:
            self.assertEqual(batch, list(range(batch[0], batch[0] + 8)), "batches stay whole")
        trained = subprocess.run([BIN / "tandem-worker", TEMPLATES / "mnist_mirrored.tandem", "--out", self.home / "run", *settings],
                                 capture_output=True, text=True, timeout=120)
        self.assertEqual(trained.returncode, 0, trained.stderr)
        for line in foretold:
            self.assertIn("shard: " + line, trained.stdout + trained.stderr)

    def test_names_an_order_that_is_not_possible(self):
        order = '["take", "scale", "normalize", "one_hot", "cache", "shuffle", "repeat", "prefetch", "batch"]'
        done = self.run_cli("shards", "mnist_mirrored", "--set", "data.order=" + order)
        self.assertEqual(done.returncode, 1)
        self.assertIn("data.order: prefetch: expected it behind all other steps", done.stderr)

    def test_names_what_is_wrong_with_the_data(self):
        done = self.run_cli("shards", "mnist_mirrored", "--set", "data.dataset=csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("data.train_files", done.stderr)
        done = self.run_cli("shards", "mnist_mirrored", "--set", "data.dataset=npz", "--set", 'data.train_files=["nowhere.npz"]')
        self.assertEqual(done.returncode, 1)
        self.assertIn("nowhere.npz", done.stderr)


class Data(ProgramTest):
    def test_tells_what_a_set_is(self):
        done = self.run_cli("data", "mnist_mirrored")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertIn("mnist, 60000 training and 10000 test samples of shape (28, 28), uint8 from 0 to 255", lines[0])
        self.assertIn("the checksums fit", lines[0])
        self.assertEqual(lines[1], "class 0: 5923 training, 980 test")
        self.assertEqual(len(lines), 11)

    def test_guesses_the_types_of_a_table_and_names_its_bad_lines(self):
        (self.home / "flowers.csv").write_text("length,colour,kind\n1.5,red,0\n2,blue,1\n3,red\n")
        settings = ["--set", "data.dataset=csv", "--set", f'data.train_files=["{self.home}/flowers.csv"]', "--set", "data.csv.label=kind"]
        done = self.run_cli("data", "mnist_mirrored", *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("column length: number", "column colour: category of 2 texts", "label kind: integer"):
            self.assertIn(line, done.stdout.splitlines())
        self.assertIn("flowers.csv:4: expected 3 cells, got 2", done.stdout)

    def test_answers_with_pictures_as_json(self):
        done = self.run_cli("data", "mnist_mirrored", "--json")
        answer = json.loads(done.stdout.splitlines()[-1])["data"]
        self.assertEqual([group["train"] for group in answer["groups"]][:2], [5923, 6742])
        self.assertEqual(len(base64.b64decode(answer["groups"][0]["samples"][0]["pixels"])), 784)

    def test_says_that_a_set_is_not_here(self):
        done = self.run_cli("data", "mnist_mirrored", "--set", "data.dataset=kmnist", "--json")
        self.assertEqual(done.returncode, 1)
        error = json.loads(done.stdout.splitlines()[-1])["error"]
        self.assertEqual((error["code"], error["can_fetch"]), ("not found", True))


class Placement(ProgramTest):
    def test_names_the_device_of_every_replica(self):
        done = self.run_cli("placement", "mnist_mirrored", "--set", "strategy.logical_cpus=2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        placed = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual({p["replica"] for p in placed}, {0, 1})
        for p in placed:
            self.assertEqual(p["device"], f"/job:localhost/replica:0/task:0/device:CPU:{p['replica']}")
        self.assertIn("conv2d/kernel/replica_1", [p["name"] for p in placed if p["kind"] == "Variable"])

    def test_refuses_a_device_that_cannot_be(self):
        done = self.run_cli("placement", "mnist_mirrored", "--set", 'strategy.devices=["TPU:0"]')
        self.assertEqual(done.returncode, 1)
        self.assertIn("strategy.devices[0]", done.stderr)


class Check(ProgramTest):
    def test_takes_a_project(self):
        done = self.run_cli("check", TEMPLATES / "mnist_multi_worker.tandem")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("steps per epoch: 469 (60000 training samples)", done.stdout)
        self.assertIn("learning rate: 0.0001 as chosen for one replica's batch of 64; for 128, 0.000141 (square root) to 0.0002 (linear)", done.stdout)

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
        self.assertEqual(json.loads((self.home / "out" / "worker-0.json").read_text()), json.loads(GOOD))
        other = json.loads(GOOD)
        other["task"]["index"] = 1
        text = (self.home / "out" / "worker-1.json").read_text()
        self.assertEqual(json.loads(text), other)
        self.assertIn('\n  "task": {"type": "worker", "index": 1}\n', text, "what differs has a line of its own")

    def test_writes_shell_text_that_a_shell_reads_back(self):
        import subprocess
        self.assertEqual(self.run_cli("export", "tf-config", TEMPLATES / "mnist_multi_worker.tandem", "--format", "bash", "--out",
                                      self.home / "out").returncode, 0)
        scripts = sorted((self.home / "out").iterdir())
        self.assertTrue(scripts)
        value = subprocess.run(["bash", "-c", f'. "{scripts[0]}"; printf %s "$TF_CONFIG"'], text=True, capture_output=True, check=True).stdout
        self.assertEqual(value, GOOD)


class Cluster(ProgramTest):
    def test_takes_a_hostfile_and_slurms_variables(self):
        hosts = self.home / "hosts"
        hosts.write_text("node1 slots=2\nnode2\n")
        done = self.run_cli("export", "tf-config", "--cluster", hosts, "--out", self.home / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.home / "out" / "worker-2.json").read_text()),
                         {"cluster": {"worker": ["node1:12345", "node1:12346", "node2:12345"]}, "task": {"type": "worker", "index": 2}})
        slurm = self.home / "env"
        slurm.write_text("SLURM_JOB_NODELIST=gpu[08-09]\nSLURM_NTASKS_PER_NODE=1\n")
        done = self.run_cli("check", slurm)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"worker": ["gpu08:8888", "gpu09:8888"]', done.stdout)

    def test_the_doctor_finds_nothing_in_the_way_here(self):
        done = self.run_cli("doctor", "mnist_multi_worker", "--json", "--set", "cluster.worker=[\"localhost:0\", \"localhost:0\"]")
        report = json.loads(done.stdout)
        self.assertTrue([row for row in report["rows"] if row["check"] == "version" and row["state"] == "ok"], done.stdout)
        self.assertTrue([row for row in report["rows"] if row["check"] == "data" and row["state"] == "ok"], done.stdout)
        self.assertEqual({(link["from"], link["to"]) for link in report["links"]}, {("worker 0", "worker 1"), ("worker 1", "worker 0")})
        for link in report["links"]:
            self.assertGreater(link["bytes_per_s"], 0)

    def test_the_doctor_names_a_taken_port(self):
        import socket
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            held.listen()
            port = held.getsockname()[1]
            done = self.run_cli("doctor", "mnist_multi_worker", "--set", f'cluster.worker=["localhost:{port}", "localhost:0"]')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"worker 0: port {port} is not free", done.stdout)


class Words(ProgramTest):
    """What was not understood is named, and only names are offered."""

    def test_unknown_ones(self):
        for arguments, words in ((["bogus"], ["bogus: expected a verb"]),
                                 (["train", "mnist_mlp", "--transport", "foo"], ["error: --transport: foo not in {auto,grpc,shm} (TDM-U001)"]),
                                 (["train", "mnist_mlp", "foo"], ["error: The following argument was not expected: foo (TDM-U005)"]),
                                 (["train"], ["error: PROJECT is required (TDM-U005)"]),
                                 (["train", "mnist_mlp", "--hosts", "a", "--workers", "2"], ["error: --workers excludes --hosts (TDM-U003)"]),
                                 (["check", "mnist_mlp", "--strategy", "2"], ["multi_worker"]),
                                 (["import", "nowhere.keras", "--out", "x.tandem"], ["nowhere.keras: expected a model file", "none"]),
                                 (["data", "NOPE"], ["NOPE: expected a project file"])):
            done = self.run_cli(*arguments)
            self.assertEqual(done.returncode, 2, f"{arguments}: {done.stdout}{done.stderr}")
            for word in words:
                self.assertIn(word, done.stdout + done.stderr)

    def test_starters_and_folders(self):
        self.assertEqual(self.run_cli("check", "mnist_mlp").returncode, 0)
        out = self.home / "out"
        self.train("mnist_mlp", "--set", "data.take=640", "--set", "fit.epochs=1", "--out", out)
        done = self.run_cli("watch", out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["run_dir"], str(out))


if __name__ == "__main__":
    unittest.main()
