"""The files that `export launch` writes for containers say what was asked, and keep the project as it was."""
import json
import subprocess
import unittest

from launch_files import BIN, SERVERS, LaunchFilesCase, yaml
from programs import without_codes


class LaunchFilesTest(LaunchFilesCase):
    def test_a_tfjob_has_what_kubeflow_reads(self):
        known = {"apiVersion", "kind", "metadata", "spec"}, {"runPolicy", "tfReplicaSpecs"}, {"cleanPodPolicy", "backoffLimit", "activeDeadlineSeconds"}
        for text in self.every_file("tfjob"):
            job = next(one for one in yaml.safe_load_all(text) if one["kind"] == "TFJob")
            self.assertEqual(job["apiVersion"], "kubeflow.org/v1")
            for value, keys in zip((job, job["spec"], job["spec"]["runPolicy"]), known):
                self.assertLessEqual(set(value), keys)
            for name, replicas in job["spec"]["tfReplicaSpecs"].items():
                self.assertIn(name, ("Chief", "Worker", "PS", "Evaluator"))
                self.assertEqual(set(replicas), {"replicas", "restartPolicy", "template"})
                self.assertEqual(replicas["restartPolicy"], "OnFailure")
                [container] = replicas["template"]["spec"]["containers"]
                self.assertEqual((container["name"], container["ports"]), ("tensorflow", [{"name": "tfjob-port", "containerPort": 2222}]))
        servers = next(one for one in self.documents("tfjob", project=SERVERS) if one["kind"] == "TFJob")
        self.assertIn("PS", servers["spec"]["tfReplicaSpecs"])

    def test_the_project_comes_back_as_it_was(self):
        text = self.project.read_text()
        for odd in (text, text.replace("\n", "\r\n"), text[:-1], text.replace('"name": "', '"name": "\u2028\u0085 학습', 1)):
            self.project.write_bytes(odd.encode())
            for kind in ("kubernetes", "tfjob"):
                config = next(one for one in self.documents(kind) if one["kind"] == "ConfigMap")
                self.assertEqual(config["data"], {"my-mnist.tandem": odd})

    def test_several_gpus_of_a_task_have_memory_to_share(self):
        for count in (1, 2):
            [file] = self.documents("compose", "--gpus-per-task", count)
            self.assertEqual({one.get("shm_size") for one in file["services"].values()}, {"1g" if count > 1 else None})
            for kind, path in (("kubernetes", ()), ("tfjob", ("tfReplicaSpecs", "Worker"))):
                value = next(one for one in self.documents(kind, "--gpus-per-task", count) if one["kind"] in ("Job", "TFJob"))["spec"]
                for name in path:
                    value = value[name]
                pod = value["template"]["spec"]
                mounted = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
                volumes = {volume["name"]: volume for volume in pod["volumes"]}
                self.assertEqual(volumes.get(mounted.get("/dev/shm")), {"name": "shm", "emptyDir": {"medium": "Memory"}} if count > 1 else None, kind)

    def test_an_image_that_is_made_here_is_asked_of_no_registry(self):
        for options, compose, kubernetes in (((), "never", "Never"), (("--image", "registry.example/tandem:1"), None, None)):
            [file] = self.documents("compose", *options)
            self.assertEqual({one.get("pull_policy") for one in file["services"].values()}, {compose})
            job = next(one for one in self.documents("kubernetes", *options) if one["kind"] == "Job")
            self.assertEqual(job["spec"]["template"]["spec"]["containers"][0].get("imagePullPolicy"), kubernetes)

    def test_each_seed_is_a_run_with_a_folder_of_its_own(self):
        [file] = self.documents("compose", "--seeds", 3, "--set", "fit.epochs=2")
        self.assertEqual(list(file["services"]), [f"seed-{seed}-worker-{index}" for seed in range(3) for index in range(2)])
        for name, service in file["services"].items():
            seed = int(name.split("-")[1])
            self.expect_seed(service["command"], seed)
            self.assertEqual(list(json.loads(service["environment"]["TF_CONFIG"])["cluster"]["worker"]), [f"seed-{seed}-worker-{index}:2222" for index in range(2)])
            before = {f"seed-{seed - 1}-worker-{index}": {"condition": "service_completed_successfully"} for index in range(2)}
            self.assertEqual(service.get("depends_on"), before if seed > 0 else None)
        for kind, name in (("kubernetes", "Job"), ("tfjob", "TFJob")):
            documents = self.documents(kind, "--seeds", 3, "--set", "fit.epochs=2")
            jobs = [one for one in documents if one["kind"] == name]
            self.assertEqual([one["metadata"]["name"] for one in jobs], [f"my-mnist-seed-{seed}" for seed in range(3)])
            self.assertEqual([one["metadata"]["name"] for one in documents if one["kind"] in ("ConfigMap", "PersistentVolumeClaim")], ["my-mnist-project", "my-mnist-run"])
            for seed, job in enumerate(jobs):
                template = job["spec"]["template"] if kind == "kubernetes" else job["spec"]["tfReplicaSpecs"]["Worker"]["template"]
                self.expect_seed(template["spec"]["containers"][0]["args"], seed)
                if kind == "tfjob":
                    continue
                [service] = [one for one in documents if one["kind"] == "Service" and one["metadata"]["name"] == job["metadata"]["name"]]
                self.assertEqual((template["metadata"]["labels"], template["spec"]["subdomain"]), (service["spec"]["selector"], service["metadata"]["name"]))

    def expect_seed(self, words, seed):
        self.assertEqual(words[words.index("--out") + 1], f"/mnt/run/seed-{seed}")
        self.assertEqual(words[-4:], ["--set", "fit.epochs=2", "--set", f"fit.seed={seed}"])

    def test_what_a_kind_does_not_take_is_refused(self):
        several = "expected --kind slurm or --kind compose or --kind kubernetes or --kind tfjob beside it"
        for kind, option, value, sentence in (
                ("ssh", "--seeds", "3", f"error: --seeds: {several}, got --kind ssh\n"),
                ("mpirun", "--seeds", "3", f"error: --seeds: {several}, got --kind mpirun\n"),
                ("compose", "--time", "5", "error: --time: expected --kind slurm or --kind kubernetes or --kind tfjob beside it, got --kind compose\n"),
                ("kubernetes", "--partition", "gpu", "error: --partition: expected --kind slurm beside it, got --kind kubernetes\n"),
                ("slurm", "--image", "a", "error: --image: expected --kind compose or --kind kubernetes or --kind tfjob beside it, got --kind slurm\n")):
            done = subprocess.run([BIN / "tandem-cli", "export", "launch", self.project, "--kind", kind, option, value], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=300, check=False)
            self.assertEqual((done.returncode, done.stdout, without_codes(done.stderr)), (2, "", sentence))

    def test_a_seed_beside_seeds_is_refused(self):
        done = subprocess.run([BIN / "tandem-cli", "export", "launch", self.project, "--kind", "compose", "--seeds", "3", "--set", "fit.seed=7"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stdout, without_codes(done.stderr)), (2, "", "error: --seeds: expected no setting of fit.seed beside it, which gives each run a seed of "
                                                                              "its own, got fit.seed=7\n"))

    def test_a_task_that_nobody_launched_is_refused(self):
        pod = {"JOB_COMPLETION_INDEX": "0", "TANDEM_PODS": "2", "TANDEM_POD_HOST": "mnist-{index}.mnist"}
        for options, variables, sentence in (
                (["--first-port", "5000"], {}, "error: --first-port: expected --from-slurm, --from-kubernetes or --from-mpi beside it, got none\n"),
                (["--from-kubernetes"], {}, "error: JOB_COMPLETION_INDEX: expected what Kubernetes sets for the pods of a Job, got none; the Job needs completionMode: "
                                            "Indexed\n"),
                (["--from-kubernetes"], {**pod, "TF_CONFIG": "{}"}, "error: --from-kubernetes: expected neither TF_CONFIG nor --job_name and its like beside it, which say the "
                                                                    "same, got one; unset it or leave --from-kubernetes out\n"),
                (["--from-mpi"], {"PMI_RANK": "0", "PMI_SIZE": "2"}, "error: --meet: expected a new folder that every rank sees, since this mpirun tells its processes no name "
                                                                     "of the job, got none\n")):
            done = subprocess.run([BIN / "tandem-worker", self.project, "--out", self.folder / "run", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=300, check=False, cwd=self.folder, env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **variables})
            self.assertEqual((done.returncode, done.stdout, without_codes(done.stderr)), (2, "", sentence))
            self.assertEqual([one.name for one in self.folder.iterdir()], [self.project.name], "nothing was begun")


if __name__ == "__main__":
    unittest.main()
