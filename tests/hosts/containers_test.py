"""The files that `export launch` writes for containers: each container's command, run as the file says on a host of its own, trains to the end, also
after a lost task."""
import contextlib
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from containers import IMAGE, Container, Mount, as_secret, name_host, owned
from hosts import Hosts, wait_for

try:
    import yaml
except ImportError:
    yaml = None

BIN = pathlib.Path(os.environ.get("TANDEM_BIN", "build/dev/bin")).resolve()
TEMPLATES = pathlib.Path(os.environ.get("TANDEM_SOURCE", ".")).resolve() / "resources" / "templates"
EPOCHS = 4
SETTINGS = {"fit.epochs": EPOCHS, "fit.steps_per_epoch": 60, "fit.validation_steps": 1, "data.take": 6000}


def settings_of(values):
    return [word for path, value in values.items() for word in ("--set", f"{path}={json.dumps(value)}")]


class ContainersTest(unittest.TestCase):
    def setUp(self):
        if why := Hosts.missing() or (yaml is None and "YAML: expected Python's module yaml (bash installer/setup.sh --tests), found none") or None:
            self.skipTest(why)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-containers-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.hosts = stack.enter_context(Hosts(2, share=[self.folder, *([IMAGE] if IMAGE else [])]))
        self.project = self.folder / "mnist.tandem"
        shutil.copy(TEMPLATES / "mnist_multi_worker.tandem", self.project)
        self.key = self.folder / "cluster.key"
        self.cli("cluster-key", "--out", self.key)
        self.run_folder = self.folder / "mnist-run"
        self.run_folder.mkdir()
        owned(self.run_folder)
        self.containers = []
        self.addCleanup(lambda: [one.kill() for one in self.containers])

    def cli(self, *arguments):
        done = self.hosts.run("node1", [BIN / "tandem-cli", *map(str, arguments)], timeout=300)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def documents(self, kind, *options):
        file = self.folder / f"{kind}.yaml"
        self.cli("export", "launch", self.project, "--kind", kind, "--nodes", 2, "--out", file, *settings_of(SETTINGS), *options)
        return list(yaml.safe_load_all(file.read_text()))

    def contain(self, index, argv, env, mounts):
        container = Container(self.hosts, f"node{index + 1}", self.folder / f"task-{index}.txt", argv, env, mounts, path=[BIN])
        self.containers.append(container)
        return container

    def pod(self, index, spec, env):
        """As Kubernetes makes one of the file's: `env` is what it and its operators add."""
        [container] = spec["containers"]
        self.assertEqual(spec["securityContext"], {"runAsNonRoot": True, "runAsUser": 1000, "runAsGroup": 1000, "fsGroup": 1000, "seccompProfile": {"type": "RuntimeDefault"}})
        self.assertEqual(container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        mounts = []
        for mount in container["volumeMounts"]:
            volume = volumes[mount["name"]]
            if "emptyDir" in volume:
                self.assertEqual((mount["mountPath"], volume["emptyDir"]), ("/tmp", {"medium": "Memory"}))
                continue
            place = self.folder / f"{mount['name']}-{index}"
            if "secret" in volume:
                self.assertEqual(volume["secret"]["defaultMode"], 0o440)
                as_secret(place, self.key)
            elif "configMap" in volume:
                place.mkdir()
                config = next(one for one in self.file if one["kind"] == "ConfigMap" and one["metadata"]["name"] == volume["configMap"]["name"])
                for name, text in config["data"].items():
                    (place / name).write_text(text)
            else:
                self.assertIn(volume["persistentVolumeClaim"]["claimName"], [one["metadata"]["name"] for one in self.file if one["kind"] == "PersistentVolumeClaim"])
                place = self.run_folder
            mounts.append(Mount(place, mount["mountPath"], mount.get("readOnly", False)))
        variables = {**{one["name"]: one["value"] for one in container["env"]}, **env}
        return self.contain(index, [word.replace("$$(", "$(") for word in container["command"] + container["args"]], variables, mounts)

    def texts(self):
        return "\n".join(f"---- {container.log.name}\n{container.text()[-3000:]}" for container in self.containers)

    def all_end(self, starts_again=True):
        """As a scheduler does: what fails is started again."""
        def has_ended():
            for container in self.containers:
                if starts_again and container.code() not in (None, 0):
                    self.assertLess(container.starts, 10, self.texts())
                    container.start()
            return all(container.code() == 0 for container in self.containers)

        try:
            wait_for(has_ended, "every container to end with 0")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.texts()}") from error

    def until(self, container, text, count=1):
        try:
            wait_for(lambda: container.text().count(text) >= count, f"{text!r} of {container.log.name}")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.texts()}") from error

    def expect_no_rights(self, container):
        """It runs as the files say: not as root, with a root that it can't write."""
        status = container.status()
        self.assertEqual((status["Name"], status["NSpid"][-1], set(status["Uid"]), set(status["Gid"])), (["tandem-worker"], "1", {"1000"}, {"1000"}))
        self.assertEqual((int(status["CapEff"][0], 16), status["NoNewPrivs"]), (0, ["1"]))
        self.assertEqual({path: container.is_read_only(path) for path in ("/", "/tmp", "/mnt/run")}, {"/": True, "/tmp": False, "/mnt/run": False})

    def expect_the_weights_of_local_workers(self):
        lines = self.cli("train", self.project, "--workers", 2, "--json", "--out", self.folder / "local", *settings_of(SETTINGS)).splitlines()
        self.assertEqual(json.loads((self.run_folder / "finished.json").read_text())["weights_sha256"], json.loads(lines[-1])["weights_sha256"])

    def start_services(self, services):
        owned(self.key)  # it belongs to who starts them, as the file says
        for index, (name, service) in enumerate(services.items()):
            self.assertEqual((service["user"], service["read_only"], service["tmpfs"]), ("1000:1000", True, ["/tmp"]))
            name_host(self.hosts, name, f"node{index + 1}")
            mounts = [Mount((self.folder / one["source"]).resolve(), one["target"], one.get("read_only", False)) for one in service["volumes"]]
            argv = [word.replace("$$", "$") for word in service["entrypoint"] + service["command"]]
            self.contain(index, argv, service["environment"], mounts).start()

    def test_services_of_compose_train_to_the_end(self):
        [file] = self.documents("compose")
        self.assertEqual(list(file["services"]), ["worker-0", "worker-1"])
        self.start_services(file["services"])
        self.all_end(starts_again=False)
        self.assertIn("gRPC over TLS", self.containers[0].text())
        self.expect_the_weights_of_local_workers()

    def test_seeds_of_compose_are_runs_of_their_own(self):
        [file] = self.documents("compose", "--seeds", 2)
        for seed in range(2):
            self.containers.clear()
            self.start_services({name: one for name, one in file["services"].items() if name.startswith(f"seed-{seed}-")})
            self.all_end(starts_again=False)
        weights = [json.loads((self.run_folder / f"seed-{seed}" / "finished.json").read_text())["weights_sha256"] for seed in range(2)]
        self.assertNotEqual(*weights)
        lines = self.cli("train", self.project, "--workers", 2, "--json", "--out", self.folder / "local", *settings_of({**SETTINGS, "fit.seed": 1})).splitlines()
        self.assertEqual(weights[1], json.loads(lines[-1])["weights_sha256"])

    def test_pods_of_a_job_find_each_other_and_go_on_after_a_lost_one(self):
        self.file = self.documents("kubernetes")
        [job] = [one for one in self.file if one["kind"] == "Job"]
        [service] = [one for one in self.file if one["kind"] == "Service"]
        labels = job["spec"]["template"]["metadata"]["labels"]
        self.assertEqual((service["spec"]["selector"], service["spec"]["clusterIP"]), (labels, "None"))
        spec = job["spec"]["template"]["spec"]
        self.assertEqual(spec["subdomain"], service["metadata"]["name"])
        names = [f"{job['metadata']['name']}-{index}.{service['metadata']['name']}" for index in range(job["spec"]["completions"])]
        first, second = (self.pod(index, spec, {"JOB_COMPLETION_INDEX": str(index)}) for index in (0, 1))
        # The first is there before the others have names.
        name_host(self.hosts, names[0], "node1")
        first.start()
        self.until(first, f"waiting for the host of worker 1, {names[1]}: ")
        # It is told to end before it has begun.
        first.stop()
        wait_for(lambda: first.code() is not None, "the pod that waits to stop")
        self.assertEqual(first.code(), 75, self.texts())
        first.start()
        self.until(first, f"waiting for the host of worker 1, {names[1]}: ", count=2)
        name_host(self.hosts, names[1], "node2")
        second.start()
        self.until(first, "saved checkpoints/ckpt_2")
        second.kill()
        wait_for(lambda: first.code() is not None, "the first pod to miss the second")
        self.assertEqual(first.code(), 1, self.texts())
        first.start()
        second.start()
        self.until(first, "Resumed at epoch ")
        # A node is drained: the task stops after its step, which is no end of its run.
        self.until(first, f"Epoch {EPOCHS}/")
        self.expect_no_rights(first)
        first.stop()
        wait_for(lambda: first.code() is not None, "the drained pod to stop")
        self.assertIn(first.code(), (0, 75), self.texts())  # 0: its last step was done before
        self.all_end()
        self.expect_the_weights_of_local_workers()
        # A pod that is lost at the very end, and started again.
        second.start()
        wait_for(lambda: second.code() is not None, "the pod of a run that is done")
        self.assertEqual(second.code(), 0, self.texts())
        self.assertTrue(second.text().endswith("/mnt/run: the run is done\n"), self.texts())

    def test_replicas_of_a_tfjob_train_by_the_operators_tf_config(self):
        self.file = self.documents("tfjob")
        [job] = [one for one in self.file if one["kind"] == "TFJob"]
        name = job["metadata"]["name"]
        replicas = {kind.lower(): one["replicas"] for kind, one in job["spec"]["tfReplicaSpecs"].items()}
        self.assertEqual(replicas, {"worker": 2})
        hosts = [f"{name}-worker-{index}.default.svc" for index in (0, 1)]
        spec = job["spec"]["tfReplicaSpecs"]["Worker"]["template"]["spec"]
        for index, host in enumerate(hosts):
            name_host(self.hosts, host, f"node{index + 1}")
            tf_config = {"cluster": {"worker": [f"{one}:2222" for one in hosts]}, "task": {"type": "worker", "index": index}, "environment": "cloud"}
            self.pod(index, spec, {"TF_CONFIG": json.dumps(tf_config)}).start()
        self.all_end(starts_again=False)
        self.expect_the_weights_of_local_workers()


if __name__ == "__main__":
    unittest.main()
