"""`export script`: each program trains in its framework, and from the same weights, in the same order, loses what Tandem loses: 20 steps to
1e-4. What a framework is wanted for is skipped where it is not there:

  TANDEM_TORCH_PYTHON      a Python with torch (pip install torch)
  TANDEM_KERAS_PYTHON      a Python with TensorFlow, Keras 3 and tf_keras (pip install tensorflow-cpu tf_keras)
  TANDEM_ESTIMATOR_PYTHON  a Python with TensorFlow 2.15, the last that has tf.estimator (pip install tensorflow-cpu==2.15.1 'numpy<2')
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
import unittest

from programs import BIN, TEMPLATES, ProgramTest, free_ports, unkept_ports

APIS = ("keras", "custom-loop", "estimator", "torch")
PYTHONS = {"torch": os.environ.get("TANDEM_TORCH_PYTHON", sys.executable), "keras": os.environ.get("TANDEM_KERAS_PYTHON", sys.executable),
           "estimator": os.environ.get("TANDEM_ESTIMATOR_PYTHON", sys.executable)}
PROBES = {"torch": "import torch, numpy", "keras": "import tensorflow, keras, sys; sys.exit(not keras.__version__.startswith('3'))",
          "estimator": "import tensorflow as tf; tf.estimator.RunConfig"}
STEPS, BATCH = 20, 16
ALONE = ("--set", "cluster={}", "--set", "strategy.name=DefaultStrategy", "--set", "fit.steps=0")


def layer(class_name, **config):
    return {"class_name": class_name, "config": config}


def dense(units, **config):
    return layer("Dense", units=units, **config)


SGD = {"class_name": "SGD", "config": {"learning_rate": 0.05}}
ADAM = {"class_name": "Adam", "config": {"learning_rate": 0.002}}
L2 = {"class_name": "L2", "config": {"l2": 0.01}}
L1L2 = {"class_name": "L1L2", "config": {"l1": 0.001, "l2": 0.002}}


def norm(class_name, **config):
    return {"class_name": class_name, "config": config}


# By name: the sample's shape, the layers before the last Dense of 3 classes, the optimizer.
FIRST = {"data_format": "channels_first"}
MODELS = {
    "channels_first": ([3, 9, 8], [
        layer("Conv2D", filters=6, kernel_size=[3, 3], activation="relu", **FIRST), layer("BatchNormalization", axis=1, momentum=0.9),
        layer("MaxPooling2D", **FIRST), layer("ZeroPadding2D", **FIRST),
        layer("Conv2DTranspose", filters=4, kernel_size=[2, 2], strides=[2, 2], activation="tanh", **FIRST),
        layer("AveragePooling2D", padding="same", **FIRST), layer("Flatten", **FIRST)], SGD),
    "other_axes": ([4, 5, 6], [
        layer("Dense", units=6, activation="tanh"), layer("LayerNormalization", axis=[1, 3]), layer("GroupNormalization", axis=1, groups=2),
        layer("Softmax", axis=2), layer("BatchNormalization", axis=2), layer("UnitNormalization", axis=[1]), layer("Flatten")], SGD),
    "convolutions": ([9, 8, 3], [
        layer("Conv2D", filters=6, kernel_size=[3, 3], strides=[2, 2], padding="same", activation="relu"),
        layer("DepthwiseConv2D", kernel_size=[3, 3], depth_multiplier=2, padding="same", activation="tanh"),
        layer("SeparableConv2D", filters=8, kernel_size=[2, 2], padding="same", activation="elu"),
        layer("Conv2DTranspose", filters=5, kernel_size=[3, 3], strides=[2, 2], padding="same", activation="softplus"),
        layer("Conv2DTranspose", filters=4, kernel_size=[2, 3]),
        layer("Conv2D", filters=4, kernel_size=[3, 2], groups=2, use_bias=False), layer("Flatten")], SGD),
    "pools": ([9, 8, 2], [
        layer("MaxPooling2D", pool_size=[3, 2], strides=[2, 1], padding="same"),
        layer("AveragePooling2D", pool_size=[3, 3], strides=[2, 2], padding="same"),
        layer("UpSampling2D", size=[2, 3]), layer("UpSampling2D", interpolation="bilinear"), layer("ZeroPadding2D", padding=[[1, 2], [0, 1]]),
        layer("Cropping2D", cropping=[[2, 1], [1, 0]]), layer("Conv2D", filters=5, kernel_size=[3, 3], activation="silu"),
        layer("AdaptiveMaxPooling2D", output_size=[7, 8]), layer("AdaptiveAveragePooling2D", output_size=[5, 6]),
        layer("MaxPooling2D"), layer("GlobalAveragePooling2D")], SGD),
    "volumes": ([6, 7, 5, 2], [
        layer("Conv3D", filters=4, kernel_size=[3, 2, 3], strides=[1, 2, 1], padding="same", activation="relu"), layer("BatchNormalization"),
        layer("Conv3DTranspose", filters=3, kernel_size=[2, 3, 2], strides=[1, 2, 1], padding="same", activation="tanh"),
        layer("ZeroPadding3D", padding=[[0, 1], [1, 0], [1, 1]]), layer("MaxPooling3D", pool_size=[2, 3, 2], strides=[2, 2, 1], padding="same"),
        layer("UpSampling3D", size=[1, 2, 2]), layer("Cropping3D", cropping=[[1, 0], [2, 1], [1, 1]]), layer("GroupNormalization", groups=3),
        layer("AveragePooling3D", pool_size=[2, 2, 3], strides=[1, 2, 2], padding="same"), layer("Identity"),
        layer("AdaptiveMaxPooling3D", output_size=[2, 2, 3]), layer("AdaptiveAveragePooling3D", output_size=[2, 1, 2]),
        layer("Conv3D", filters=6, kernel_size=[1, 1, 2], use_bias=False), layer("GlobalAveragePooling3D")], SGD),
    "sequences": ([11, 4], [
        layer("DepthwiseConv1D", kernel_size=[3], depth_multiplier=2, padding="same", activation="tanh"),
        layer("SeparableConv1D", filters=6, kernel_size=[4], strides=[2], padding="same", activation="relu"),
        layer("Conv1DTranspose", filters=5, kernel_size=[4], strides=[3], padding="same"), layer("Conv1DTranspose", filters=4, kernel_size=[2], use_bias=False),
        layer("GlobalMaxPooling1D")], SGD),
    "frames": ([4, 6, 5, 2], [
        layer("ConvLSTM2D", filters=3, kernel_size=[3, 2], strides=[2, 1], padding="same", return_sequences=True, activation="softsign"),
        layer("ConvLSTM2D", filters=4, kernel_size=[2, 2], dilation_rate=[1, 2], go_backwards=True, return_sequences=True, recurrent_activation="hard_sigmoid"),
        layer("ConvLSTM2D", filters=3, kernel_size=[1, 2], use_bias=False), layer("Flatten")], ADAM),
    "normalizations": ([6, 5, 4], [
        layer("ContrastLimitedAdaptiveHistogramEqualization", value_range=[-1.5, 1.5], clip_limit=3.0, tile_grid_size=[2, 3]),
        layer("AutoContrast", value_range=[-1.0, 2.0]), layer("Rescaling", scale=2.0, offset=-0.5), layer("BatchNormalization"),
        layer("Conv2D", filters=8, kernel_size=[3, 3]), layer("AutoContrast", value_range=[0.0, 1.0]),
        layer("BatchNormalization", momentum=0.9, epsilon=0.01), layer("LayerNormalization"), layer("GroupNormalization", groups=4),
        layer("RMSNormalization"), layer("PReLU"), layer("UnitNormalization"), layer("GlobalMaxPooling2D"), layer("BatchNormalization")], SGD),
    "adapted": ([6, 5, 4], [
        layer("Normalization"), layer("Conv2D", filters=4, kernel_size=[3, 3], activation="relu"),
        layer("Normalization", axis=[1, 2], mean=0.5, variance=2.0), layer("Normalization", mean=[0.5, 0.0, 1.0, -1.0], variance=[1.0, 2.0, 0.5, 0.25], invert=True),
        layer("Flatten")], SGD),
    "buckets": ([6], [
        layer("Discretization", bin_boundaries=[-0.5, 0.0, 0.5]), layer("IntegerLookup", vocabulary=[2, 0], num_oov_indices=2, mask_token=3),
        layer("CategoryEncoding", num_tokens=5, output_mode="one_hot"), layer("Flatten")], SGD),
    "words": ([6], [
        layer("Discretization", bin_boundaries=[-0.5, 0.0, 0.5]), layer("ReversibleEmbedding", input_dim=4, output_dim=3, tie_weights=False),
        layer("Flatten")], ADAM),
    "weighted_buckets": ([6], [
        layer("Discretization", bin_boundaries=[-0.5, 0.0, 0.0, 0.5]),
        layer("IntegerLookup", vocabulary=[2, 0], num_oov_indices=2, idf_weights=[0.5, 1.25], output_mode="tf_idf"), dense(4)], SGD),
    "activities": ([7, 6, 2], [
        layer("Conv2D", filters=4, kernel_size=[3, 3], activation="tanh", activity_regularizer=L2), layer("ActivityRegularization", l1=0.002),
        layer("Flatten"), dense(6, activity_regularizer=L1L2)], SGD),
    "functions": ([12], [
        *(layer for function in ("relu6", "leaky_relu", "selu", "celu", "gelu", "gelu_approximate", "hard_sigmoid", "hard_tanh", "softsign",
                                 "hard_silu", "mish", "log_sigmoid", "tanh_shrink", "squareplus", "sparsemax", "log_softmax")
          for layer in (dense(10, activation=function),)),
        layer("ReLU", max_value=6.0, negative_slope=0.1), layer("ReLU", threshold=0.25, max_value=2.0, negative_slope=0.1), layer("LeakyReLU"), layer("ELU", alpha=0.5), layer("Softmax")], SGD),
    "shapes": ([6, 5, 2], [
        layer("Permute", dims=[2, 1, 3]), layer("Conv2D", filters=4, kernel_size=[2, 2]), layer("Reshape", target_shape=[10, 8]),
        layer("Conv1D", filters=6, kernel_size=[3], strides=[2], padding="same", activation="relu"),
        layer("MaxPooling1D", pool_size=[2], padding="same"),
        layer("ZeroPadding1D"), layer("UpSampling1D"), layer("AveragePooling1D", pool_size=[2]), layer("Cropping1D"),
        layer("AdaptiveMaxPooling1D", output_size=[3]), layer("AdaptiveAveragePooling1D", output_size=[2]),
        layer("GlobalAveragePooling1D"), layer("RepeatVector", n=3), layer("Flatten")], SGD),
    "products": ([6, 5], [
        layer("EinsumDense", equation="abc,cde->adbe", output_shape=[2, -1, 4], bias_axes="de", activation="tanh"),
        layer("EinsumDense", equation="adbe,def->abf", output_shape=[-1, 7]),
        layer("EinsumDense", equation="...x,xy->...y", output_shape=[4], bias_axes="y"), layer("Flatten")], SGD),
    "recurrent": ([7, 5], [
        layer("LSTM", units=6, return_sequences=True), layer("GRU", units=5, return_sequences=True, go_backwards=True),
        layer("GRU", units=5, reset_after=False, activation="softsign", return_sequences=True), layer("SimpleRNN", units=4, return_sequences=True),
        layer("Bidirectional", layer=layer("LSTM", units=4, return_sequences=True, recurrent_activation="hard_sigmoid")),
        layer("TimeDistributed", layer=dense(6, activation="relu")),
        layer("Bidirectional", layer=layer("GRU", units=3), merge_mode="ave")], ADAM),
    "cells": ([7, 5], [
        layer("Masking"),
        layer("RNN", cell=[layer("LSTMCell", units=4), layer("GRUCell", units=5)], return_sequences=True, go_backwards=True),
        layer("RNN", cell=layer("GRUCell", units=4, reset_after=False), return_sequences=True),
        layer("RNN", cell=[layer("SimpleRNNCell", units=4), layer("LSTMCell", units=3, unit_forget_bias=False)])], ADAM),
    # Softplus, since ReLU bends: a unit that rounding moves over its bend changes all later steps.
    "blocks": ([7, 6, 3], [
        layer("Conv2D", filters=4, kernel_size=[3, 3], padding="same"),
        layer("Residual", layers=[layer("Conv2D", filters=4, kernel_size=[3, 3], padding="same", use_bias=False), layer("BatchNormalization"),
                                  layer("Activation", activation="softplus"), layer("Conv2D", filters=4, kernel_size=[3, 3], padding="same")]),
        layer("Activation", activation="softplus"),
        layer("Residual", layers=[layer("Conv2D", filters=6, kernel_size=[3, 3], strides=[2, 2], padding="same"), layer("BatchNormalization")],
              shortcut=[layer("Conv2D", filters=6, kernel_size=[1, 1], strides=[2, 2]), layer("BatchNormalization")]),
        layer("Reshape", target_shape=[12, 6]), layer("Residual", layers=[layer("LSTM", units=6, return_sequences=True)]),
        layer("GlobalAveragePooling1D"), layer("Residual", layers=[dense(8, activation="tanh"), dense(6)])], SGD),
    "attention": ([9, 6], [
        layer("PositionEmbedding"),
        layer("Residual", layers=[layer("LayerNormalization"), layer("SelfAttention", num_heads=3, key_dim=4, value_dim=5)]),
        layer("SelfAttention", num_heads=2, key_dim=3, use_causal_mask=True, use_bias=False), layer("GlobalAveragePooling1D")], ADAM),
    "weights": ([10], [
        dense(8, activation="tanh", kernel_regularizer=L2, kernel_constraint=norm("MaxNorm", max_value=1.0)),
        dense(8, activation="relu", kernel_constraint=norm("NonNeg"), bias_regularizer=L1L2), dense(8, kernel_constraint=norm("UnitNorm")),
        dense(8, trainable=False, activation="tanh"), dense(6, kernel_constraint=norm("MinMaxNorm", min_value=0.5, max_value=0.9, rate=0.5))], SGD),
}
OPTIMIZERS = [norm("SGD", learning_rate=0.05, momentum=0.9, nesterov=True), norm("RMSprop", learning_rate=0.01, momentum=0.5, centered=True),
              norm("Adagrad", learning_rate=0.1), norm("Adadelta", learning_rate=1.0), norm("Adamax"), norm("Nadam", learning_rate=0.01),
              norm("Ftrl", learning_rate=0.1, l1_regularization_strength=0.001, l2_regularization_strength=0.01), norm("Lion", learning_rate=0.003),
              norm("Lamb", learning_rate=0.01), norm("Adafactor", learning_rate=0.05, weight_decay=0.01), norm("Muon", learning_rate=0.01),
              norm("Muon", exclude_layers=["dense_0"], nesterov=False, rms_rate=None), norm("ScheduleFreeAdamW", warmup_steps=3),
              norm("AdamW", amsgrad=True, clipnorm=0.5), norm("Adam", gradient_accumulation_steps=3, clipvalue=0.01),
              norm("Adam", global_clipnorm=0.1, learning_rate=norm("ExponentialDecay", initial_learning_rate=0.01, decay_steps=5, decay_rate=0.7)),
              norm("SGD", momentum=0.9, learning_rate=norm("CosineDecay", initial_learning_rate=0.01, decay_steps=15, warmup_target=0.1,
                                                            warmup_steps=5))]


def write_idx(path, sizes, values, kind):
    code, form = {"u1": (8, "B"), "i4": (12, "i")}[kind]
    path.write_bytes(bytes([0, 0, code, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + struct.pack(f">{len(values)}{form}", *values))


def write_npy(path, descr, shape, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values)


def has(framework):
    quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run([PYTHONS[framework], "-c", PROBES[framework]], capture_output=True, env=quiet).returncode == 0


class ExportedScript(ProgramTest):
    def need(self, framework):
        if not has(framework):
            self.skipTest(f"{PYTHONS[framework]} has not what `{PROBES[framework]}` imports (TANDEM_{framework.upper()}_PYTHON names another)")

    def small(self, name, shape, layers, optimizer, **parts):
        """A project on random samples of three classes in IDX files."""
        chance = random.Random(name)
        count, size = STEPS * BATCH, 1
        for side in shape:
            size *= side
        write_idx(self.home / "x.idx", [count, *shape], [chance.randrange(256) for _ in range(count * size)], "u1")
        write_idx(self.home / "y.idx", [count], [chance.randrange(3) for _ in range(count)], "i4")
        last = parts.pop("last", [dense(3, activation="softmax")])
        layers = [{"name": f"{one['class_name'].lower()}_{i}", **one} for i, one in enumerate([*layers, *last])]
        project = {"version": 1, "name": name, "model": {"name": "sequential", "input_shape": shape, "layers": layers},
                   "data": {"dataset": "idx", "train_images": "x.idx", "train_labels": "y.idx", "shuffle": 0, "batch_size_per_replica": BATCH,
                            "validate_on_test": False, **parts.pop("data", {})},
                   "compile": {"optimizer": optimizer, "loss": layer("SparseCategoricalCrossentropy"), "metrics": ["accuracy"]},
                   "fit": {"epochs": 1, "log_every": 1}, "strategy": {"name": "DefaultStrategy"}, **parts}
        path = self.home / f"{name}.tandem"
        path.write_text(json.dumps(project))
        return path

    def with_weights(self, project):
        """A run's losses from weights that a step without a rate gave, and these weights as .npz."""
        start, stored = self.home / "start.weights.h5", self.home / "start.npz"
        start.unlink(missing_ok=True)
        self.train(project, "--set", "data.take=4", "--set", "fit.epochs=1", "--set", "callbacks={}", "--set",
                   "compile.optimizer=" + json.dumps(layer("SGD", learning_rate=0.0)),
                   "--save-weights", start)
        done = self.run_cli("export", "keras", project, "--checkpoint", start, "--out", stored)
        self.assertEqual(done.returncode, 0, done.stderr)
        events = self.train(project, "--initial-weights", stored)  # .npz is read, too
        return [event["loss"] for event in events if event["event"] == "step"][:STEPS], stored

    def script(self, project, api, *settings):
        path = self.home / f"train_{api}.py"
        done = self.run_cli("export", "script", project, "--api", api, "--out", path, *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def losses(self, framework, script, *options, env=None, prefix=()):
        command = [PYTHONS[framework], *prefix, str(script), "--no-shuffle", "--steps", str(STEPS), "--log-every", "1", *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=self.home,
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "OMP_NUM_THREADS": "1", **(env or {})})
        self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr[-3000:])
        said = re.findall(r"^step (\d+)  loss (\S+)", done.stdout, re.M)
        said = said or [(step, loss) for loss, step in re.findall(r"loss = (\S+), step = (\d+)", done.stderr)]  # an estimator's, twice each
        return [float(loss) for loss in dict(said).values()][:STEPS]

    def expect_equal(self, what, theirs, ours):
        self.assertEqual(len(theirs), STEPS, what)
        worst = max(abs(a - b) / max(abs(b), 1e-3) for a, b in zip(theirs, ours))
        print(f"{what}: {worst:.1e}", flush=True)
        self.assertLess(worst, 1e-4, f"{what}: {theirs} {ours}")

    def test_every_starters_program_is_python(self):
        for project in sorted(TEMPLATES.glob("*.tandem")):
            for api in APIS:
                with self.subTest(f"{project.stem} {api}"):
                    done = self.run_cli("export", "script", project.stem, "--api", api)
                    if api == "custom-loop" and "ParameterServer" in project.read_text():
                        self.assertEqual(done.returncode, 1)
                        self.assertIn("ParameterServerStrategy", done.stderr)
                        continue
                    if api == "estimator" and "AdamW" in project.read_text():
                        self.assertEqual(done.returncode, 1)
                        self.assertIn("expected an optimizer that tf.estimator takes", done.stderr)
                        continue
                    self.assertEqual(done.returncode, 0, done.stderr)
                    compile(done.stdout, f"{project.stem} {api}", "exec")

    def data_sets(self):
        """The folder of the sets that ship, and beside them what has the form of CIFAR-10: noise, six files of 200 pictures."""
        sets = self.home / "sets"
        if sets.exists():
            return sets
        sets.mkdir()
        for one in (BIN.parent / "share" / "tandem" / "datasets").iterdir():
            (sets / one.name).symlink_to(one)
        if not (sets / "cifar10").exists():
            (sets / "cifar10").mkdir()
            chance = random.Random(10)
            for name in ("test_batch", *(f"data_batch_{i}" for i in range(1, 6))):
                (sets / "cifar10" / f"{name}.bin").write_bytes(b"".join(bytes([chance.randrange(10)]) + chance.randbytes(3 * 32 * 32) for _ in range(200)))
        return sets

    def expect_training(self, names, api, framework, *settings):
        """Two steps of each, whose weights Tandem opens; pictures are made up for a set that is not on this computer."""
        sets = self.data_sets()
        for name in names:
            with self.subTest(f"{name} {api}"):
                script = self.script(name, api, *settings)
                weights, folder = self.home / f"{name}.npz", self.home / name  # whose backup no other program finds
                folder.mkdir()
                done = subprocess.run([PYTHONS[framework], script, "--data", sets, "--steps", "2", "--log-every", "1", "--save-weights", weights],
                                      capture_output=True, text=True, timeout=900, cwd=folder,
                                      env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"})
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                said = done.stdout + done.stderr
                self.assertTrue(re.search(r"(?m)^step 2  loss \d|loss = \d\S*, step = [12]", said), said[-3000:])
                back = self.run_cli("export", "keras", name, "--checkpoint", weights, "--out", self.home / f"{name}.keras")
                self.assertEqual(back.returncode, 0, back.stderr)

    def starters(self, *, without=()):
        return [path.stem for path in sorted(TEMPLATES.glob("*.tandem")) if path.stem not in without]

    def estimators(self):
        return [path.stem for path in sorted(TEMPLATES.glob("*.tandem")) if '"estimator": {' in path.read_text()]

    def test_starters_train_in_pytorch(self):
        self.need("torch")
        self.expect_training(self.starters(), "torch", "torch")

    def test_starters_train_in_keras(self):
        """On one computer, whatever cluster they are made for: several processes have a test of their own."""
        self.need("keras")
        self.expect_training(self.starters(without=self.estimators()), "keras", "keras", *ALONE)

    def test_starters_train_in_a_loop_of_their_own(self):
        self.need("keras")
        self.expect_training(self.starters(without=self.estimators()), "custom-loop", "keras", *ALONE)

    def test_starters_with_an_estimator_train_in_tensorflow(self):
        self.need("estimator")
        self.assertEqual(len(self.estimators()), 2)
        self.expect_training(self.estimators(), "estimator", "estimator", "--set", "cluster={}")

    def test_what_pytorch_has_no_equal_for_is_named(self):
        project = self.small("named", [6, 5, 2], [layer("RandomRotation", factor=0.1), layer("Flatten")], SGD)
        done = self.run_cli("export", "script", project, "--api", "torch")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn('model.layers[0]: RandomRotation "randomrotation_0": expected a layer that PyTorch has an equal for', done.stderr)

    def test_pytorch_loses_what_tandem_loses(self):
        self.need("torch")
        for name, (shape, layers, optimizer) in MODELS.items():
            with self.subTest(name):
                project = self.small(name, shape, layers, optimizer)
                ours, weights = self.with_weights(project)
                self.expect_equal(f"torch, {name}", self.losses("torch", self.script(project, "torch"), "--weights", weights), ours)

    def test_outputs_of_nearly_0_and_1_in_pytorch(self):
        self.need("torch")
        penalty = layer("ActivityRegularization", l2=0.02)
        for i, (last, loss) in enumerate([
                ([dense(3, activation="softmax", activity_regularizer=L2)], layer("SparseCategoricalCrossentropy")),
                ([dense(3), layer("Softmax"), penalty], layer("SparseCategoricalCrossentropy")),
                ([dense(3, activation="sigmoid"), penalty], layer("BinaryFocalCrossentropy")),
                ([dense(3, activation="sigmoid", activity_regularizer=L1L2)], layer("BinaryCrossentropy"))]):
            with self.subTest(loss["class_name"] + str(i)):
                ones = {"data": {"one_hot": 3}} if loss["class_name"].startswith("Binary") else {}
                project = self.small(f"saturated{i}", [10], [layer("Rescaling", scale=150.0)], layer("SGD", learning_rate=1e-6), last=last, **ones)
                text = json.loads(project.read_text())
                text["compile"]["loss"] = loss
                project.write_text(json.dumps(text))
                ours, weights = self.with_weights(project)
                self.assertGreater(max(ours), 17, "a probability of 1e-7 is worth 16.1")
                self.expect_equal(f"torch, saturated {i}", self.losses("torch", self.script(project, "torch"), "--weights", weights), ours)

    def test_a_class_to_ignore_in_pytorch(self):
        self.need("torch")
        project = self.small("ignored", [10], [dense(6, activation="tanh")], SGD)
        text = json.loads(project.read_text())
        text["compile"]["loss"] = layer("SparseCategoricalCrossentropy", ignore_class=1)
        project.write_text(json.dumps(text))
        ours, weights = self.with_weights(project)
        self.expect_equal("torch, a class to ignore", self.losses("torch", self.script(project, "torch"), "--weights", weights), ours)

    def test_pytorch_updates_as_every_optimizer(self):
        self.need("torch")
        for i, optimizer in enumerate(OPTIMIZERS):
            with self.subTest(str(optimizer)):
                project = self.small(f"optimizer{i}", [10], [dense(8, activation="tanh")], optimizer)
                ours, weights = self.with_weights(project)
                theirs = self.losses("torch", self.script(project, "torch"), "--weights", weights)
                self.expect_equal(f"torch, {optimizer['class_name']} {i}", theirs, ours)

    def test_masked_texts_in_pytorch(self):
        self.need("torch")
        self.train_text("torch", "torch")

    def train_text(self, api, framework):
        chance = random.Random(1)
        words = ["up", "down", "left", "right", "near", "far"]
        texts = [" ".join(chance.choice(words) for _ in range(chance.randint(1, 9))) for _ in range(STEPS * 32)]
        lines = [f"{chance.choice(['good', 'bad'])}\t{text}\n" for text in texts]
        (self.home / "words.txt").write_text("".join(lines))
        project = self.project("text_lstm", data__train_files=["words.txt"], data__test_files=[], data__shuffle=0, data__validate_on_test=False,
                               fit__epochs=1, fit__log_every=1, callbacks={})
        ours, weights = self.with_weights(project)
        self.expect_equal(f"{api}, text_lstm", self.losses(framework, self.script(project, api), "--weights", weights), ours)

    def test_layers_that_take_texts_in_keras(self):
        """Their vocabulary is the training texts', in Tandem and in the program."""
        self.need("keras")
        chance = random.Random(2)
        words = ["Up,", "down!", "left", "Right", "n\u00e4her", "far"]
        lines = [f"{chance.choice(['good', 'bad'])}\t{' '.join(chance.choice(words) for _ in range(chance.randint(1, 9)))}\n" for _ in range(STEPS * BATCH)]
        (self.home / "texts.tsv").write_text("".join(lines))
        places = [layer("TextVectorization", max_tokens=7, output_sequence_length=6), layer("Embedding", input_dim=7, output_dim=3),
                  layer("GlobalAveragePooling1D"), dense(2, activation="softmax")]
        rows = [layer("TextVectorization", max_tokens=20, ngrams=[1, 2], output_mode="tf_idf", pad_to_max_tokens=True), dense(2, activation="softmax")]
        for name, layers in (("places", places), ("rows", rows)):
            for api in ("keras", "custom-loop"):
                with self.subTest(f"{name} {api}"):
                    project = {"version": 1, "name": name, "model": {"name": "sequential", "input_shape": [1], "input_dtype": "string", "layers": layers},
                               "data": {"dataset": "text", "train_files": ["texts.tsv"], "shuffle": 0, "batch_size_per_replica": BATCH,
                                        "validate_on_test": False},
                               "compile": {"optimizer": SGD, "loss": layer("SparseCategoricalCrossentropy"), "metrics": ["accuracy"]},
                               "fit": {"epochs": 1, "log_every": 1}, "strategy": {"name": "DefaultStrategy"}}
                    path = self.home / f"{name}.tandem"
                    path.write_text(json.dumps(project))
                    ours, weights = self.with_weights(path)
                    self.expect_equal(f"{api}, texts as {name}", self.losses("keras", self.script(path, api), "--weights", weights), ours)

    def write_texts(self):
        """A folder of texts of two classes, some of them deeper; STEPS * BATCH in all."""
        chance = random.Random(6)
        for i in range(STEPS * BATCH):
            folder = self.home / "texts" / chance.choice(["bad", "good"]) / chance.choice([".", "a", "a-b", "a/c"])
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{i}.txt").write_text(" ".join(chance.choice(["Up,", "down!", "left", "Right", "n\u00e4her", "far"]) for _ in range(chance.randint(0, 9))))

    def test_a_folder_of_texts_is_read_as_tandem_reads_it(self):
        """As texts by Keras, as sequences of words by PyTorch."""
        self.write_texts()
        words = [layer("Embedding", input_dim=8, output_dim=3), layer("GlobalAveragePooling1D"), dense(2)]
        texts = [layer("TextVectorization", max_tokens=8, output_sequence_length=6), *words]
        for framework, shape, dtype, layers in (("keras", [1], "string", texts), ("torch", [6], "int32", words)):
            with self.subTest(framework):
                self.need(framework)
                project = {"version": 1, "name": framework, "model": {"name": "sequential", "input_shape": shape, "input_dtype": dtype, "layers": layers},
                           "data": {"dataset": "text_folder", "train_files": ["texts"], "shuffle": 0, "batch_size_per_replica": BATCH, "scale": 1.0,
                                    "text": {"vocabulary": 8, "length": 6}, "validate_on_test": False},
                           "compile": {"optimizer": SGD, "loss": layer("SparseCategoricalCrossentropy", from_logits=True), "metrics": ["accuracy"]},
                           "fit": {"epochs": 1, "log_every": 1}, "strategy": {"name": "DefaultStrategy"}}
                path = self.home / f"{framework}.tandem"
                path.write_text(json.dumps(project))
                ours, weights = self.with_weights(path)
                self.expect_equal(f"{framework}, a folder of texts", self.losses(framework, self.script(path, framework), "--weights", weights), ours)

    def test_own_files_are_read_as_tandem_reads_them(self):
        """Tables with texts, names and gaps, arrays of NumPy, pictures of another size."""
        self.need("torch")
        chance = random.Random(5)
        city = lambda: chance.choice(["Seoul", "Köln", "Paris"])
        rows = [f"{chance.uniform(0, 9):.3f},{city()},{'' if i % 7 == 0 else chance.randrange(5)},{chance.choice('abc')}"
                for i in range(STEPS * BATCH)]
        (self.home / "table.csv").write_text("size,city,rooms,kind\n" + "\n".join(rows) + "\n")
        write_arrays = f"""
import numpy as np
chance = np.random.default_rng(3)
np.save("samples.npy", chance.normal(size=({STEPS * BATCH}, 4)).astype("float32"))
np.save("labels.npy", chance.integers(0, 3, {STEPS * BATCH}).astype("int32"))
np.savez("both.npz", x_train=chance.normal(size=({STEPS * BATCH}, 4)).astype("float32"), y_train=chance.integers(0, 3, {STEPS * BATCH}).astype("int32"))
try:
    from PIL import Image
    for i in range({STEPS * BATCH // 4}):
        for kind in ("cat", "dog", "eel"):
            import os
            os.makedirs("pictures/" + kind, exist_ok=True)
            Image.fromarray(chance.integers(0, 255, (7, 9, 3)).astype("uint8")).save(f"pictures/{{kind}}/{{i}}.png")
except ImportError:
    pass
"""
        subprocess.run([PYTHONS["torch"], "-c", write_arrays], check=True, cwd=self.home)
        hidden = [dense(8, activation="tanh")]
        files = {"csv": ([3], hidden, {"dataset": "csv", "train_files": ["table.csv"], "scale": 1.0,
                                       "csv": {"label": "kind", "missing": "mean"}}),
                 "npy": ([4], hidden, {"dataset": "npy", "train_images": "samples.npy", "train_labels": "labels.npy", "scale": 1.0}),
                 "npz": ([4], hidden, {"dataset": "npz", "train_files": ["both.npz"], "scale": 0.5, "offset": 0.25, "mean": [0.1], "std": [2.0]})}
        if (self.home / "pictures").exists():
            files["pictures"] = ([5, 6, 3], [layer("Flatten"), *hidden], {"dataset": "image_folder", "train_files": ["pictures"], "images": {"size": [5, 6]},
                                                                          "batch_size_per_replica": 12})
        for name, (shape, layers, data) in files.items():
            with self.subTest(name):
                project = self.small(f"own_{name}", shape, layers, SGD)
                value = json.loads(project.read_text())
                for field in ("train_images", "train_labels"):
                    value["data"].pop(field)
                value["data"].update(data)
                project.write_text(json.dumps(value))
                ours, weights = self.with_weights(project)
                self.expect_equal(f"torch, {name}", self.losses("torch", self.script(project, "torch"), "--weights", weights), ours)

    def test_sequences_lose_as_here(self):
        """Labels of several classes a sample, some of them padded, in arrays of NumPy."""
        for framework, api in (("torch", "torch"), ("keras", "keras"), ("keras", "custom-loop")):
            with self.subTest(api):
                self.need(framework)
                chance, count, times = random.Random(9), STEPS * BATCH, 9
                labels = [[*(chance.randrange(1, 5) for _ in range(length)), *[0] * (4 - length)] for length in (chance.randrange(5) for _ in range(count))]
                samples = [chance.uniform(-1, 1) for _ in range(count * times * 3)]
                write_npy(self.home / "x.npy", "<f4", (count, times, 3), struct.pack(f"<{len(samples)}f", *samples))
                write_npy(self.home / "y.npy", "<i4", (count, 4), struct.pack(f"<{count * 4}i", *(one for label in labels for one in label)))
                project = self.small(f"sequences_{framework}_{api}", [times, 3], [], SGD)
                value = json.loads(project.read_text())
                value["model"]["layers"] = [{"name": "lstm", **layer("LSTM", units=6, return_sequences=True)}, {"name": "scores", **dense(5)}]
                value["data"].update(dataset="npy", train_images="x.npy", train_labels="y.npy", scale=1.0)
                value["compile"].update(loss=layer("CTC"), metrics=[])
                project.write_text(json.dumps(value))
                ours, weights = self.with_weights(project)
                self.expect_equal(f"{api}, sequences", self.losses(framework, self.script(project, api), "--weights", weights), ours)

    def test_two_processes_of_pytorch(self):
        self.need("torch")
        shape, layers, optimizer = MODELS["convolutions"]
        project = self.small("convolutions", shape, layers, optimizer)
        ours, weights = self.with_weights(project)
        half = self.script(project, "torch", "--set", f"data.batch_size_per_replica={BATCH // 2}")
        by_torchrun = ("-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(unkept_ports(1)[0]))
        self.expect_equal("torch, two processes", self.losses("torch", half, "--weights", weights, prefix=by_torchrun), ours)

    def test_two_processes_of_pytorch_clip_before_the_sum(self):
        """As the two workers of a cluster, each with its half of a batch."""
        self.need("torch")
        shape, layers, _ = MODELS["attention"]
        for clip in ({"clipnorm": 0.02}, {"global_clipnorm": 0.05}, {"clipvalue": 0.002}):
            with self.subTest(str(clip)):
                ports, master = free_ports(2), unkept_ports(1)[0]
                project = self.small("clips", shape, layers, layer("SGD", learning_rate=0.1, momentum=0.9, **clip),
                                     data={"batch_size_per_replica": BATCH // 2, "auto_shard": "DATA"},
                                     strategy={"name": "MultiWorkerMirroredStrategy"},
                                     cluster={"worker": [f"localhost:{port}" for port in ports]})
                ours, weights = self.with_weights(project)
                by_torchrun = ("-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", str(master))
                theirs = self.losses("torch", self.script(project, "torch"), "--weights", weights, prefix=by_torchrun)
                self.expect_equal(f"torch, two processes, {clip}", theirs, ours)

    def test_keras_loses_what_tandem_loses(self):
        self.need("keras")
        for name in ("convolutions", "normalizations", "recurrent", "weights"):
            shape, layers, optimizer = MODELS[name]
            for strategy, api in (("DefaultStrategy", "keras"), ("MirroredStrategy", "custom-loop")):
                with self.subTest(f"{name} {api}"):
                    project = self.small(name, shape, layers, optimizer, strategy={"name": strategy})
                    if name == "weights" and api == "custom-loop":
                        continue  # Keras applies constraints in apply(), as fit() has it: one way is enough
                    ours, weights = self.with_weights(project)
                    self.expect_equal(f"{api}, {name}", self.losses("keras", self.script(project, api), "--weights", weights), ours)

    def test_two_devices_of_a_loop_of_its_own(self):
        self.need("keras")
        for name in ("convolutions", "attention"):
            shape, layers, optimizer = MODELS[name]
            with self.subTest(name):
                project = self.small(f"devices_{name}", shape, layers, optimizer, data={"batch_size_per_replica": BATCH // 2},
                                     strategy={"name": "MirroredStrategy", "logical_cpus": 2, "devices": ["CPU:0", "CPU:1"]})
                ours, weights = self.with_weights(project)
                self.expect_equal(f"custom-loop, two devices, {name}", self.losses("keras", self.script(project, "custom-loop"), "--weights", weights), ours)

    def expect_callbacks(self, api, framework):
        """All callbacks in a program of some epochs, which ends early, goes on from its backup, and weighs classes as Tandem does."""
        callbacks = {"model_checkpoint": {"filepath": "kept/best_{epoch}" + (".weights.h5" if api == "keras" else ""), "save_best_only": True,
                                          "monitor": "val_loss", "save_weights_only": True},
                     "backup_and_restore": {"delete_checkpoint": False}, "early_stopping": {"monitor": "val_loss", "patience": 2, "min_delta": 9.0},
                     "reduce_lr_on_plateau": {"monitor": "loss", "patience": 1}, "csv_logger": {"filename": "log.csv"}, "terminate_on_nan": {},
                     "print_lr": {}, "learning_rate_scheduler": {"epochs": [0, 2], "rates": [0.05, 0.01]}}
        project = self.small("callbacks", [10], [dense(8, activation="tanh")], SGD, callbacks=callbacks, data={"validation_split": 0.25},
                             fit={"epochs": 6, "log_every": 1, "class_weight": {"0": 2.0, "2": 0.5}})
        ours, weights = self.with_weights(project)
        script = self.script(project, api)
        env = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
        done = subprocess.run([PYTHONS[framework], script, "--no-shuffle", "--weights", weights, "--save-weights", "trained.npz"], capture_output=True,
                              text=True, timeout=600, cwd=self.home, env=env)
        self.assertEqual(done.returncode, 0, done.stdout[-1500:] + done.stderr[-3000:])
        theirs = [float(loss) for loss in re.findall(r"^step \d+  loss (\S+)", done.stdout, re.M)]
        same = min(len(ours), STEPS * 3 // 4)
        worst = max(abs(a - b) / abs(b) for a, b in zip(theirs[:same], ours))
        self.assertLess(worst, 1e-4, f"{theirs} {ours}")
        self.assertIn("Learning rate for epoch 1 is 0.05", done.stdout)
        table = (self.home / "log.csv").read_text().split()
        self.assertTrue(table[0].startswith("epoch,") and "val_loss" in table[0], table)
        self.assertLess(len(table), 7, "early stopping ends it")
        self.assertTrue(any((self.home / "kept").iterdir()))
        back = self.run_cli("export", "keras", project, "--checkpoint", self.home / "trained.npz", "--out", self.home / "back.keras")
        self.assertEqual(back.returncode, 0, back.stderr)

    def test_callbacks_in_pytorch(self):
        self.need("torch")
        self.expect_callbacks("torch", "torch")

    def test_callbacks_in_a_loop_of_its_own(self):
        self.need("keras")
        self.expect_callbacks("custom-loop", "keras")

    def test_callbacks_of_fit(self):
        self.need("keras")
        self.expect_callbacks("keras", "keras")

    def expect_epochs(self, api, framework):
        """What epochs end with: means over batches of which the last is short, what regularizers add, a validation of some batches in some epochs,
        metrics with and without the classes' weights; an early end that must not come. --log-every 0 says no steps."""
        layers = [dense(8, activation="tanh", kernel_regularizer=L2), dense(6, activation="tanh", activity_regularizer=L1L2)]
        project = self.small(f"epochs_{api}", [10], layers, SGD, data={"take": 311, "validation_split": 0.25},
                             fit={"epochs": 3, "log_every": 1, "validation_freq": [1, 3], "validation_steps": 3, "class_weight": {"0": 3.0}},
                             callbacks={"csv_logger": {"filename": "log.csv"},
                                        "early_stopping": {"monitor": "loss", "patience": 1, "baseline": 0.1, "min_delta": 0.0}},
                             compile={"optimizer": SGD, "loss": layer("SparseCategoricalCrossentropy"), "metrics": ["accuracy"],
                                      "weighted_metrics": [] if api == "torch" else ["accuracy"]})
        _, weights = self.with_weights(project)
        ours = [event for event in self.train(project, "--initial-weights", weights, "--out", self.home / "run", "--overwrite")
                if event["event"] == "epoch"]
        script = self.script(project, api)
        done = subprocess.run([PYTHONS[framework], script, "--no-shuffle", "--weights", weights, "--log-every", "0", "--save-weights", "new/kept.npz"],
                              capture_output=True, text=True, timeout=600, cwd=self.home, env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"})
        self.assertEqual(done.returncode, 0, done.stdout[-1500:] + done.stderr[-3000:])
        self.assertNotRegex(done.stdout, r"(?m)^step \d")
        self.assertTrue((self.home / "new/kept.npz").exists())
        names, *rows = (line.split(",") for line in (self.home / "log.csv").read_text().split())
        self.assertEqual(len(rows), 3, "it improves in each epoch")
        (self.home / "log.csv").unlink()
        expected = {"loss", "accuracy", "val_loss", "val_accuracy", *([] if api == "torch" else ["weighted_accuracy", "val_weighted_accuracy"])}
        self.assertLessEqual(expected, set(names))
        for epoch, row in enumerate(rows):
            theirs = dict(zip(names, row))
            self.assertEqual(theirs["val_loss"] in ("", "NA"), epoch == 1, "validation_freq")
            for name in expected:
                if epoch != 1 or not name.startswith("val_"):
                    self.assertAlmostEqual(float(theirs[name]), ours[epoch][name], delta=1e-4 * abs(ours[epoch][name]) + 1e-6, msg=f"epoch {epoch + 1}: {name}")

    def test_epochs_in_pytorch(self):
        self.need("torch")
        self.expect_epochs("torch", "torch")

    def test_epochs_in_a_loop_of_their_own(self):
        self.need("keras")
        self.expect_epochs("custom-loop", "keras")

    def test_epochs_of_fit(self):
        self.need("keras")
        self.expect_epochs("keras", "keras")

    def test_two_workers_of_keras_2(self):
        self.need("keras")
        ports = unkept_ports(2)
        cluster = {"worker": [f"localhost:{port}" for port in ports]}
        project = self.small("workers", [10], [dense(8, activation="tanh")], SGD)
        ours, weights = self.with_weights(project)
        settings = ["--set", f"data.batch_size_per_replica={BATCH // 2}", "--set", "strategy.name=MultiWorkerMirroredStrategy",
                    "--set", "cluster=" + json.dumps(cluster)]
        script = self.script(project, "keras", *settings)
        self.assertIn("TF_USE_LEGACY_KERAS", script.read_text())
        tasks = [{**self.env, "PATH": os.environ["PATH"], "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "",
                  "TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": "worker", "index": i}})} for i in range(2)]
        command = [PYTHONS["keras"], script, "--no-shuffle", "--steps", str(STEPS), "--log-every", "1", "--weights", weights]
        started = [subprocess.Popen(command, env=env, cwd=self.home, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for env in tasks]
        said = [one.communicate(timeout=600) for one in started]
        self.assertEqual([one.returncode for one in started], [0, 0], said[0][1][-3000:])
        theirs = [float(loss) for loss in re.findall(r"^step \d+  loss (\S+)", said[0][0], re.M)][:STEPS]
        self.expect_equal("keras, two workers", theirs, ours)

    def test_parameter_servers_of_keras_2(self):
        """Workers take turns as they come: that it learns is all that can be said of its losses."""
        self.need("keras")
        ports = unkept_ports(4)
        cluster = {"chief": [f"localhost:{ports[0]}"], "ps": [f"localhost:{ports[1]}"], "worker": [f"localhost:{port}" for port in ports[2:]]}
        project = self.small("servers", [10], [dense(8, activation="tanh")], SGD, fit={"steps": STEPS, "log_every": 1})
        script = self.script(project, "keras", "--set", "strategy.name=ParameterServerStrategy",
                             "--set", "cluster=" + json.dumps({job: cluster[job] for job in ("ps", "worker")}))
        self.assertIn('"chief": ["localhost:', script.read_text())
        for job, index in (("ps", 0), ("worker", 0), ("worker", 1), ("chief", 0)):
            env = {**self.env, "PATH": os.environ["PATH"], "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "",
                   "TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": job, "index": index}})}
            where = subprocess.PIPE if job == "chief" else subprocess.DEVNULL
            task = subprocess.Popen([PYTHONS["keras"], script, "--steps", "10", "--log-every", "2"], env=env, cwd=self.home, text=True,
                                    stdout=where, stderr=where)
            if job != "chief":  # they serve until they are ended
                self.addCleanup(task.wait)
            self.addCleanup(task.kill)
        said, errors = task.communicate(timeout=600)
        self.assertEqual(task.returncode, 0, errors[-3000:])
        self.assertEqual([int(step) for step in re.findall(r"^step (\d+)  loss \d", said, re.M)], [2, 4, 6, 8, 10], said)

    def test_an_estimator_loses_what_tandem_loses(self):
        self.need("estimator")
        for name, shape, layers in (("images", [9, 8, 3], MODELS["convolutions"][1][:1] + [layer("Flatten")]), ("sequences", *MODELS["attention"][:2])):
            with self.subTest(name):
                project = self.small(f"estimator_{name}", shape, layers, SGD, data={"validate_on_test": True, "test_images": "x.idx", "test_labels": "y.idx"})
                ours, weights = self.with_weights(project)
                script = self.script(project, "estimator", "--set", 'estimator={"run_config":{"log_step_count_steps":1},"eval_spec":{"start_delay_secs":0}}')
                self.expect_equal(f"estimator, {name}", self.losses("estimator", script, "--weights", weights), ours)


if __name__ == "__main__":
    unittest.main()
