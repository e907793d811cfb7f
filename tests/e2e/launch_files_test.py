"""The files that `export launch` writes for containers say what was asked, and keep the project as it was."""
import subprocess
import unittest

from launch_files import BIN, SERVERS, LaunchFilesCase, yaml


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

    def test_what_a_kind_does_not_take_is_refused(self):
        for kind, option, value, sentence in (
                ("compose", "--time", "5", "error: --time: expected --kind slurm or --kind kubernetes or --kind tfjob beside it, got --kind compose\n"),
                ("kubernetes", "--partition", "gpu", "error: --partition: expected --kind slurm beside it, got --kind kubernetes\n"),
                ("slurm", "--image", "a", "error: --image: expected --kind compose or --kind kubernetes or --kind tfjob beside it, got --kind slurm\n")):
            done = subprocess.run([BIN / "tandem-cli", "export", "launch", self.project, "--kind", kind, option, value], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=300, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", sentence))

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
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", sentence))
            self.assertEqual([one.name for one in self.folder.iterdir()], [self.project.name], "nothing was begun")


if __name__ == "__main__":
    unittest.main()
