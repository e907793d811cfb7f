"""The files that `export launch` writes for containers are read by the programs that they are for; none of them needs a server or a network."""
import copy
import json
import os
import shutil
import subprocess
import unittest

from launch_files import LaunchFilesCase, yaml


def without_none(value):
    """Without what a program adds to what it has read: empty values."""
    if isinstance(value, dict):
        return {key: inner for key, inner in ((key, without_none(inner)) for key, inner in value.items()) if inner not in (None, {}, [])}
    return [without_none(inner) for inner in value] if isinstance(value, list) else value


class LaunchSchemasTest(LaunchFilesCase):
    def test_kubernetes_reads_every_field_of_the_job(self):
        if shutil.which("kubectl") is None:
            self.skipTest("Kubernetes: expected the program kubectl, found none")
        for text in self.every_file("kubernetes"):
            file = self.folder / "job.yaml"
            job = next(one for one in yaml.safe_load_all(text) if one["kind"] == "Job")
            file.write_text(yaml.safe_dump(job))
            # It decodes what has pods into its own types, which forget what they don't know, and adds this variable.
            done = subprocess.run(["kubectl", "set", "env", "--local", "-f", file, "ADDED=yes", "-o", "json"], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=300, check=False, env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
            self.assertEqual(done.returncode, 0, done.stderr)
            read = json.loads(done.stdout)
            expected = copy.deepcopy(job)
            expected["spec"]["template"]["spec"]["containers"][0]["env"].append({"name": "ADDED", "value": "yes"})
            self.assertEqual(without_none(read), without_none(expected))

    def test_every_document_passes_the_schemas_of_kubernetes(self):
        try:
            import kubernetes_validate
        except ImportError:
            self.skipTest("Kubernetes' schemas: expected Python's module kubernetes_validate (of PyPI), found none")
        for text in (*self.every_file("kubernetes"), *self.every_file("tfjob")):
            for document in yaml.safe_load_all(text):
                if document["kind"] == "TFJob":  # of Kubeflow: its pods alone are Kubernetes'
                    pods = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": one["template"]["spec"]} for one in document["spec"]["tfReplicaSpecs"].values()]
                else:
                    pods = [document]
                for one in pods:
                    kubernetes_validate.validate(one, "1.29", strict=True)

    def test_compose_reads_the_file(self):
        program = next((words for words in (["docker", "compose"], ["docker-compose"]) if shutil.which(words[0]) and subprocess.run(
            [*words, "version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False).returncode == 0), None)
        if program is None:
            self.skipTest("Compose: expected docker compose or the program docker-compose, found neither")
        for text in self.every_file("compose"):
            file = self.folder / "docker-compose.yaml"
            file.write_text(text)
            done = subprocess.run([*program, "-f", file, "config"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            read, written = yaml.safe_load(done.stdout)["services"], yaml.safe_load(text)["services"]
            self.assertEqual(set(read), set(written))
            for name, service in written.items():
                # What it prints is to be read again: a dollar is still doubled.
                self.assertEqual(read[name]["command"], service["command"])
                self.assertEqual(json.loads(read[name]["environment"]["TF_CONFIG"]), json.loads(service["environment"]["TF_CONFIG"]))


if __name__ == "__main__":
    unittest.main()
