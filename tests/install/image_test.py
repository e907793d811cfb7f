#!/usr/bin/env python3
"""installer/Containerfile and installer/image.sh without a builder of images: what the file says is there, the image is one that the files of
`export launch` fit, and the script calls the builder that it finds.

TANDEM_SOURCE names the tree, TANDEM_BUILD its build.
"""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TANDEM_SOURCE"]).resolve()
BUILD = pathlib.Path(os.environ["TANDEM_BUILD"]).resolve()
INSTALLER = SOURCE / "installer"
PROGRAMS = ["tandem-agent", "tandem-cli", "tandem-worker"]
INSTRUCTIONS = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "ENTRYPOINT", "CMD", "LABEL"}
WHATEVER_FETCHES = re.compile(r"https?:|\b(curl|wget|git|pip3?|npm|go|cargo)\b")
DEADLINE = 120  # seconds, of each program


class Stage:
    def __init__(self, base, name):
        self.base, self.name, self.steps = base, name, []

    def of(self, instruction):
        return [rest for kind, rest in self.steps if kind == instruction]


def read_container_file(text):
    """As a builder reads it: the arguments before the first stage, and the stages."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    arguments, stages = {}, []
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        instruction, rest = line.split(maxsplit=1)
        if instruction not in INSTRUCTIONS:
            raise AssertionError(f"{instruction}: expected one of {sorted(INSTRUCTIONS)}")
        if instruction == "FROM":
            base, name = re.fullmatch(r"(\S+) AS (\S+)", rest).groups()
            stages.append(Stage(base, name))
        elif not stages:
            name, value = rest.split("=", 1)
            arguments[f"${{{name}}}"] = value
        else:
            stages[-1].steps.append((instruction, rest.strip()))
    return arguments, stages


def array_of_setup(name):
    """The words of a list in setup.sh."""
    text = re.search(rf"^{name}=\((.*?)^\)", (INSTALLER / "setup.sh").read_text(), re.MULTILINE | re.DOTALL).group(1)
    return re.sub(r"#.*", "", text).split()


class ContainerFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (INSTALLER / "Containerfile").read_text()
        cls.arguments, cls.stages = read_container_file(cls.text)
        cls.by_name = {stage.name: stage for stage in cls.stages}
        cls.ignored = [line for line in (SOURCE / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]

    def chain(self, name):
        """The stages that an image is made of, the first one first."""
        stage = self.by_name.get(name)
        return [*self.chain(stage.base), stage] if stage else []

    def needed(self, name):
        """The stages that are built for it."""
        stages = self.chain(name)
        for stage in list(stages):
            for source in re.findall(r"--from=(\S+)", " ".join(stage.of("COPY"))):
                stages += self.needed(source)
        return stages

    def environment(self, name):
        return dict(pair.split("=", 1) for stage in self.chain(name) for rest in stage.of("ENV") for pair in rest.split())

    def steps(self, name, instruction):
        return [rest for stage in self.chain(name) for rest in stage.of(instruction)]

    def is_ignored(self, path):
        return any(fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path, pattern + "/*") for pattern in self.ignored)

    def test_both_targets_begin_with_debian_12_and_the_default_is_the_one_for_processors(self):
        self.assertEqual((self.stages[-1].base, self.stages[-1].steps), ("cpu", []), "a builder without --target takes the last one")
        self.assertEqual(len(self.by_name), len(self.stages))
        for target in ("cpu", "cuda"):
            self.assertIn(target, self.by_name)
            for stage in self.needed(target):
                self.assertTrue(stage.base in self.by_name or self.arguments[stage.base] == "debian:bookworm", stage.base)
        for index, stage in enumerate(self.stages):
            earlier = {one.name for one in self.stages[:index]}
            for source in [stage.base, *re.findall(r"--from=(\S+)", " ".join(stage.of("COPY")))]:
                self.assertTrue(source in earlier or source in self.arguments, f"{stage.name} takes {source}")

    def test_a_builder_that_makes_every_stage_before_the_target_fetches_nothing_of_nvidias_for_processors(self):
        names = [stage.name for stage in self.stages]
        before = self.stages[:names.index("cpu") + 1]
        self.assertEqual({stage.name for stage in before}, {stage.name for stage in self.needed("cpu")}, "no stage that the target does not need")
        for stage in before:
            self.assertNotRegex(" ".join(rest for _, rest in stage.steps), r"(?i)--cuda|nvidia|TANDEM_CUDA", stage.name)

    def test_what_is_copied_is_there(self):
        for stage in self.stages:
            for rest in stage.of("COPY"):
                *sources, _ = [word for word in rest.split() if not word.startswith("--from=")]
                for source in sources:
                    if "--from=" in rest:
                        made = " ".join(one for part in self.chain(re.search(r"--from=(\S+)", rest).group(1)) for one in part.of("RUN"))
                        self.assertIn(f"mkdir {source} && tar -C {source} -xzf", made)
                    else:
                        self.assertTrue((SOURCE / source).exists(), f"{stage.name} copies {source}")
                        self.assertFalse(self.is_ignored(source), f"{stage.name} copies {source}")

    def test_the_builder_gets_what_a_build_reads(self):
        text = (SOURCE / "CMakeLists.txt").read_text()
        folders = set(re.findall(r"add_subdirectory\((\w+)\)", text)) - {"tests"}
        self.assertGreater(folders, {"engine", "agent", "app", "installer"})
        tracked = [*folders, "cmake", "CMakeLists.txt", "CMakePresets.json", "CHANGELOG.md", "LICENSE.md", "LICENSE-APACHE-2.0"]
        for path in tracked:
            self.assertTrue((SOURCE / path).exists(), path)
            self.assertFalse(self.is_ignored(path), path)
        self.assertTrue(self.is_ignored("build") and self.is_ignored("tests"), "gigabytes")
        preset = next(one for one in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"] if one["name"] == "release")
        self.assertEqual((preset["cacheVariables"]["TANDEM_TESTS"], preset["cacheVariables"]["TANDEM_BENCH"]), ("OFF", "OFF"), "the folder tests is not there")

    def test_it_is_built_by_presets_and_scripts_of_the_tree(self):
        presets = {one["name"] for one in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]}
        options = set(re.findall(r"^option\((\w+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)) | {"TANDEM_CUDA"}
        for target in ("cpu", "cuda"):
            commands = " ".join(rest for stage in self.needed(target) for rest in stage.of("RUN"))
            self.assertEqual(set(re.findall(r"--preset (\w+)", commands)) - presets, set())
            self.assertEqual(set(re.findall(r"-D(\w+)=", commands)) - options, set())
            for script in re.findall(r"installer/\w+\.sh", commands):
                self.assertTrue((SOURCE / script).exists(), script)
            for option in re.findall(r'"(--[\w-]+)"', commands):
                self.assertIn(f"{option}) ", (INSTALLER / "setup.sh").read_text(), "an option of setup.sh")
        self.assertIn("--without-gpu", " ".join(self.by_name["build"].of("RUN")))
        self.assertIn("-DTANDEM_CUDA=ON", " ".join(self.by_name["build-cuda"].of("RUN")), "ON fails where the toolkit is not complete")

    def test_it_fetches_nothing_but_packages_of_debian(self):
        self.assertNotRegex(self.text, r"(?m)^#\s*syntax=|^ADD ")
        for stage in self.stages:
            for rest in stage.of("RUN"):
                self.assertNotRegex(rest, WHATEVER_FETCHES, stage.name)
                self.assertNotIn("--mount", rest, "which not every builder knows")
                for packages in re.findall(r"apt-get install ([^&]*)", rest):
                    self.assertEqual({word for word in packages.split() if not word.startswith("-")} - set(array_of_setup("build")), set())
        # setup.sh fetches NVIDIA's wheels where it is told to.
        self.assertNotIn("--cuda", " ".join(rest for stage in self.needed("cpu") for rest in stage.of("RUN")))
        self.assertIn("--cuda-wheels", " ".join(rest for stage in self.needed("cuda") for rest in stage.of("RUN")))

    def test_it_holds_the_programs_that_the_packages_install(self):
        bundled = re.search(r"^programs=\((.*)\)", (INSTALLER / "bundle.sh").read_text(), re.MULTILINE).group(1).split()
        self.assertEqual(sorted(bundled), PROGRAMS)
        installed = set()
        for script in [BUILD / "app" / "cmake_install.cmake", BUILD / "app" / "cli" / "cmake_install.cmake"]:
            component = None
            for line in script.read_text().splitlines():
                if found := re.search(r'CMAKE_INSTALL_COMPONENT STREQUAL "(\S+)"', line):
                    component = found.group(1)
                elif (found := re.search(r'/bin/(tandem[\w-]*)"', line)) and component == "agent":
                    installed.add(found.group(1))
        self.assertEqual(sorted(installed), PROGRAMS)
        for target in ("cpu", "cuda"):
            self.assertEqual(self.environment(target)["PATH"].split(":")[0], "/opt/tandem/bin")
            self.assertEqual(len([rest for rest in self.steps(target, "COPY") if rest.endswith(" /opt/tandem")]), 1)

    def test_programs_are_process_1_and_not_root(self):
        for target in ("cpu", "cuda"):
            [user] = self.steps(target, "USER")
            self.assertRegex(user, r"^[1-9][0-9]*:[1-9][0-9]*$", "Kubernetes' runAsNonRoot needs a number")
            [entry], [command] = (self.steps(target, kind) for kind in ("ENTRYPOINT", "CMD"))
            [program], arguments = json.loads(entry), json.loads(command)  # a shell would stand before the program otherwise, and keep the signal
            self.assertIn(program, PROGRAMS)
            self.assertIsInstance(arguments, list)
            home, uid = self.environment(target)["HOME"], user.split(":")[0]
            [work] = self.steps(target, "WORKDIR")
            self.assertEqual(work, home)
            self.assertRegex(" ".join(self.steps(target, "RUN")), rf"install -d -o {uid} -g {user.split(':')[1]} -m 700 {home}$", "a volume there begins with this owner")

    def test_files_of_export_launch_fit_it(self):
        def document(kind, *options):
            done = subprocess.run([BUILD / "bin" / "tandem-cli", "export", "launch", "mnist_multi_worker", "--kind", kind, *options], text=True, timeout=DEADLINE,
                                  capture_output=True, stdin=subprocess.DEVNULL, env={"HOME": "/nonexistent", "PATH": "/nonexistent"})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

        tags = dict(re.findall(r"(cpu|cuda)\) tag=(\S+) ;;", (INSTALLER / "image.sh").read_text()))
        for target, options in (("cpu", []), ("cuda", ["--gpus-per-task", "1"])):
            uid, gid = self.steps(target, "USER")[0].split(":")
            for kind in ("compose", "kubernetes", "tfjob"):
                text = document(kind, *options)
                self.assertEqual(set(re.findall(r'image: "(.*)"', text)), {tags[target]}, kind)
                self.assertIn("tandem-worker", text)
                self.assertIn("HOME", text, "of its own, in a file system in memory")
                if kind == "compose":
                    self.assertIn(f'user: "{uid}:{gid}"', text)
                else:
                    self.assertEqual((set(re.findall(r"runAsUser: (\d+)", text)), set(re.findall(r"runAsGroup: (\d+)", text))), ({uid}, {gid}))


class Scripts(unittest.TestCase):
    """With a PATH that has stand-ins, which tell how they were called."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tandem-image-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for tool in ("bash", "dirname", "sed", "grep", "cat", "env", "mktemp", "rm", "tail"):
            (self.folder / tool).symlink_to(shutil.which(tool))

    def stand_in(self, name, body=""):
        file = self.folder / name
        file.write_text(f"#!{shutil.which('bash')}\n{body}\nprintf '%s\\n' {name} \"$@\" >>{self.folder}/calls\n")
        file.chmod(0o755)

    def call(self, script, *arguments):
        done = subprocess.run([shutil.which("bash"), INSTALLER / script, *arguments], env={"PATH": str(self.folder), "CUDA_PATH": "/nonexistent"}, text=True,
                              capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
        calls = self.folder / "calls"
        told = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return done.returncode, done.stdout, done.stderr, told

    def test_an_image_is_built_by_the_builder_that_is_there(self):
        expected = ["build", "--file", str(INSTALLER / "Containerfile"), "--target"]
        for builder in ("docker", "buildah", "podman"):  # each goes before the one that came before it
            self.stand_in(builder, '[ "$1" != info ] || exit 0')
            code, out, err, told = self.call("image.sh")
            self.assertEqual((code, err, told), (0, "", [builder, *expected, "cpu", "--tag", "tandem:latest", str(SOURCE)]))
            self.assertEqual(out, f"tandem:latest: built by {builder}, target cpu\n")
        self.assertEqual(self.call("image.sh", "cuda")[3], ["podman", *expected, "cuda", "--tag", "tandem:cuda", str(SOURCE)])
        self.assertEqual(self.call("image.sh", "--tag", "registry.example/t:1", "--base", "mirror.example/debian:12")[3],
                         ["podman", *expected, "cpu", "--tag", "registry.example/t:1", "--build-arg", "BASE=mirror.example/debian:12", str(SOURCE)])

    def test_a_missing_builder_is_named_in_one_sentence(self):
        self.assertEqual(self.call("image.sh")[:3],
                         (1, "", "image.sh: expected podman, buildah or docker to build an image with, found none; on Debian: apt install podman\n"))
        self.stand_in("docker", "exit 1")
        self.assertEqual(self.call("image.sh")[:3], (1, "", "image.sh: found docker alone, and its daemon does not answer (docker info says why)\n"))
        self.stand_in("podman", "exit 125")
        self.assertEqual(self.call("image.sh")[:2], (125, ""))

    def test_wrong_words_are_refused(self):
        for words, said in ((["gpu"], "expected cpu or cuda, got gpu"), (["cpu", "cuda"], "expected one target, got cpu and cuda"),
                            (["--push"], "unknown option --push (see --help)"), (["--tag"], "--tag: expected a name behind it"),
                            (["--base", ""], "--base: expected an image behind it")):
            self.assertEqual(self.call("image.sh", *words), (2, "", f"image.sh: {said}\n", []), words)

    def test_set_up_without_the_studio_installs_no_qt(self):
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("apt-get")
        self.stand_in("id", "echo 0; exit")

        def installed(*options):
            code, _, err, told = self.call("setup.sh", *options)
            self.assertEqual((code, err), (0, ""))
            return set(told[told.index("--no-install-recommends") + 1:])

        self.assertEqual(installed(), {*array_of_setup("build"), *array_of_setup("studio")})
        without = installed("--without-studio")
        self.assertEqual(without, set(array_of_setup("build")))
        self.assertFalse([name for name in without if re.search("qt6|qcustomplot|fonts", name)])
        self.assertIn("libgrpc++-dev", without)


if __name__ == "__main__":
    unittest.main()
