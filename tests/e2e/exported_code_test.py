"""Code that was kept with a project and that a change outside of it was brought into: Python runs it. Keras itself is not needed: what the
code asks of it is taken by stand-ins, so that only a name that nothing binds, or a text that is no Python, can fail."""
import json
import os
import random
import re
import subprocess
import sys
import types
import unittest
from unittest import mock

from programs import TEMPLATES, ProgramTest

MODEL = """
model = {0}Sequential([
    {0}layers.Flatten(input_shape=(28, 28, 1)), {0}layers.Dense(32, activation='relu'), {0}layers.Dense(10)])
model.compile(optimizer='sgd', loss={0}losses.SparseCategoricalCrossentropy(from_logits=True))
"""
TEXTS = {
    "keras alone": "import keras\n" + MODEL.format("keras."),
    "keras of TensorFlow": "import os\nimport tensorflow as tf\n" + MODEL.format("tf.keras."),
    "parts by their names": "from keras import Sequential, layers, losses\n" + MODEL.format(""),
    "a variable called layers": "import keras\nlayers = [32, 10]\n" + MODEL.format("keras."),
    "in a function": "import tensorflow.keras as k\ndef build():\n    return k.Sequential([k.layers.Flatten(input_shape=(28, 28, 1)), "
                     "k.layers.Dense(32, activation='relu'), k.layers.Dense(10)])\n"
                     "model = build()\nmodel.compile('sgd', 'mse')\n",
}


def stand_ins():
    """Modules whose every attribute is there and can be called."""
    modules = {}
    for name in ("keras", "tensorflow", "tensorflow.keras"):
        module = types.ModuleType(name)
        module.__path__ = []
        module.__getattr__ = lambda attribute: mock.MagicMock(name=attribute)
        modules[name] = module
    return modules

KERAS_PYTHON = os.environ.get("TANDEM_KERAS_PYTHON", sys.executable)

# Runs every file that it is given in the real Keras, in one process. Its fit() takes one batch through the model and prints what it makes of
# it; sets are not fetched, and where there is no TensorFlow a stand-in makes strategies and data. An estimator trains for as long as its few
# samples last, and the servers of a parameter server strategy are threads of the process.
RUN = """
import contextlib, json, os, socket, sys, types, unittest.mock as mock
os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3")
import numpy as np
try:
    import tensorflow
    batches = lambda x: next(iter(x))[0] if isinstance(x, tensorflow.data.Dataset) else np.zeros((2,) + shape)
except ImportError:
    import keras.src.utils  # Keras looks for TensorFlow once
    tensorflow = sys.modules["tensorflow"] = types.ModuleType("tensorflow")
    tensorflow.__getattr__ = lambda name: mock.MagicMock(name=name)
    tensorflow.distribute = mock.MagicMock()
    for name in ("MirroredStrategy", "MultiWorkerMirroredStrategy"):
        getattr(tensorflow.distribute, name).return_value = types.SimpleNamespace(scope=contextlib.nullcontext, num_replicas_in_sync=1)
    batches = lambda x: np.zeros((2,) + shape)
import keras
def fit(self, x, *rest, **more):
    global shape
    shape = tuple(self.input_shape[1:])
    print("FITTED", tuple(self(batches(x)[:2]).shape[1:]), sorted(more))
keras.Model.fit = fit
for name, size in (("mnist", (28, 28)), ("fashion_mnist", (28, 28)), ("cifar10", (32, 32, 3))):
    part = (np.zeros((300,) + size, "uint8"), np.zeros(300, "uint8"))
    getattr(keras.datasets, name).load_data = lambda part=part: (part, part)
if hasattr(tensorflow, "estimator") and hasattr(tensorflow.estimator, "RunConfig"):
    train = tensorflow.estimator.train_and_evaluate
    tensorflow.estimator.train_and_evaluate = lambda *given: print("FITTED", sorted(train(*given)[0]))
running = []
def serve_parameters():
    with contextlib.ExitStack() as open_ones:
        ports = [open_ones.enter_context(socket.create_server(("localhost", 0))).getsockname()[1] for _ in range(3)]
    cluster = {job: [f"localhost:{port}"] for job, port in zip(("chief", "ps", "worker"), ports)}
    running.extend(tensorflow.distribute.Server(cluster, job_name=job, task_index=0, protocol="grpc") for job in ("ps", "worker"))
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "chief", "index": 0}})
failed = 0
for path in sys.argv[1:]:
    code = open(path).read()
    os.environ.pop("TF_CONFIG", None)
    try:
        if keras.__version__[0] == "3":
            keras.mixed_precision.set_dtype_policy("float32")
        keras.backend.clear_session()
        if "ParameterServerStrategy" in code:
            serve_parameters()
        exec(compile(code, path, "exec"), {"train_dataset": []})
    except Exception as error:
        failed += 1
        print("FAILED", path, type(error).__name__, error)
sys.exit(failed != 0)
"""

CHOICES = {
    "units": [1, 3, 8], "filters": [1, 2, 4], "kernel_size": [[1, 1], [2, 2], [3, 3], [3, 1]], "strides": [[1, 1], [2, 2]],
    "padding": ["valid", "same"], "activation": ["relu", "tanh", "softmax", "gelu"], "use_bias": [True, False], "rate": [0.1, 0.25, 0.5],
    "kernel_initializer": [{"class_name": "HeNormal", "config": {}}, {"class_name": "RandomNormal", "config": {"stddev": 0.01}}],
    "kernel_regularizer": [{"class_name": "L2", "config": {"l2": 0.001}}], "trainable": [True, False], "seed": [3],
    "pool_size": [[2, 2], [1, 2]], "size": [[2, 2]], "interpolation": ["nearest", "bilinear"], "negative_slope": [0.1, 0.3],
    "return_sequences": [True, False], "go_backwards": [True, False], "momentum": [0.9], "epsilon": [0.01], "stddev": [0.1],
    "depth_multiplier": [1, 2], "scale": [0.5, 2.0], "offset": [-1.0, 0.5], "alpha": [0.5], "max_value": [6.0], "factor": [0.1],
    "height_factor": [0.1], "width_factor": [0.2], "mode": ["horizontal", "vertical"], "n": [2, 3], "groups": [1],
    "cropping": [[1, 1, 1, 1]], "l1": [0.01], "l2": [0.001], "kernel1": [[1], [2], [3]], "pool1": [[1], [2], [3]],
    "kernel3": [[1, 1, 1], [2, 2, 2], [1, 3, 2]], "pool3": [[2, 2, 2], [1, 2, 1]], "padding3": [[1, 1, 1, 1, 1, 1], [0, 1, 2, 0, 1, 1]],
    "cropping3": [[0, 1, 1, 0, 0, 0]], "size3": [[2, 2, 2], [1, 2, 1]], "output1": [[4], [7]], "output2": [[3, 4], [5, 5]], "output3": [[2, 3, 4]],
    "value_range": [[0.0, 1.0], [-1.0, 1.0]], "addition_factor": [0.1], "threshold_factor": [0.5],
    "height": [4, 9], "width": [5], "crop_to_aspect_ratio": [True], "x_factor": [0.1], "fill_mode": ["constant", "wrap"], "brightness_factor": [0.1], "contrast_factor": [0.2],
    "num_chains": [1, 2], "chain_depth": [0, 2], "all_ops": [False],
    "bits": [[3, 3], [2, 5]], "odd": [[3, 3], [5, 1]], "sigma": [[0.5, 0.5], [0.1, 2.0]], "bins": [1, 16], "clip_limit": [0.0, 2.5], "tiles": [[2, 2], [1, 3]], "elastic": [[0.1, 0.9], [0.5, 3.0]], "share": [0.5], "fill1": [9.0], "scale1": [0.2],
    "mean1": [0.5, -1.0], "variance1": [0.25, 2.0], "invert": [True],
    "frame1": [2], "window1": ["none"], "mode1": ["magnitude", "psd", "stft"], "expand_dims": [False], "scaling": ["none", "spectrum"],
    "fft1": [2, 3], "mels1": [3, 5], "power_to_db": [True, False],
    "layers": [[{"class_name": "BatchNormalization", "config": {"momentum": 0.9}}, {"class_name": "Activation", "config": {"activation": "relu"}}],
               [{"class_name": "Dropout", "config": {"rate": 0.25}},
                {"class_name": "Residual", "config": {"layers": [{"class_name": "LeakyReLU", "config": {"negative_slope": 0.1}}]}}]],
    "wrapped3": [{"class_name": "Conv2D", "config": {"filters": 3, "kernel_size": [2, 2], "padding": "same", "use_bias": False}}],
    "wrapped1": [{"class_name": "Dense", "config": {"units": 7, "activation": "tanh"}}], "power_iterations": [3],
    "cell": [{"class_name": "GRUCell", "config": {"units": 3, "reset_after": False}},
             [{"class_name": "LSTMCell", "config": {"units": 2, "dropout": 0.25}}, {"class_name": "SimpleRNNCell", "config": {"units": 4}}]],
    "num_heads": [1, 2], "key_dim": [2, 3], "value_dim": [4], "use_causal_mask": [True, False],
    "shortcut": [[{"class_name": "LayerNormalization", "config": {}}]], "data_format": ["channels_first", "channels_last"],
    "axis": [[1], [1, 3], [2, 3]], "axis1": [1, 2, -1], "num_ops": [1, 3], "rate1": [0.3], "dims3": [[2, 1, 3], [3, 1, 2]],
    "timed": [{"class_name": "Dense", "config": {"units": 3}}, {"class_name": "LayerNormalization", "config": {"epsilon": 0.01}}],
    "both": [{"class_name": "LSTM", "config": {"units": 2, "return_sequences": True}}], "merge_mode": ["sum", "mul", "ave"], "mask_value": [0.5],
}
# Fields whose numbers depend on how many axes the layer has, or on what else it is.
FIELDS = {"axis1": "axis", "dims3": "dims", "rate1": "factor", "timed": "layer", "both": "layer", "kernel1": "kernel_size", "pool1": "pool_size", "kernel3": "kernel_size", "pool3": "pool_size", "padding3": "padding",
          "cropping3": "cropping", "size3": "size", "output1": "output_size", "output2": "output_size", "output3": "output_size", "bits": "factor", "odd": "kernel_size", "share": "factor", "fill1": "fill_value", "scale1": "scale", "mean1": "mean", "variance1": "variance",
          "tiles": "tile_grid_size", "elastic": "scale", "frame1": "frame_length", "window1": "window", "mode1": "mode", "fft1": "fft_length", "mels1": "num_mel_bins", "wrapped1": "layer", "wrapped3": "layer"}
# By the rank of what comes in: the class, its fields (a star: needed), the rank of what comes out.
LAYERS = {
    5: [("ConvLSTM3D", "filters* kernel3* padding return_sequences!", 5), ("Identity", "", 5), ("Flatten", "", 1)],
    4: [("ConvLSTM2D", "filters* kernel_size* strides padding use_bias return_sequences!", 4),
        ("Conv3D", "filters* kernel3* padding activation use_bias", 4), ("Conv3DTranspose", "filters* kernel3* padding", 4),
        ("MaxPooling3D", "pool3 padding", 4), ("AveragePooling3D", "pool3 padding", 4), ("ZeroPadding3D", "padding3", 4),
        ("Cropping3D", "cropping3*", 4), ("UpSampling3D", "size3*", 4), ("SpatialDropout3D", "rate* seed", 4), ("Identity", "", 4),
        ("AdaptiveMaxPooling3D", "output3*", 4), ("AdaptiveAveragePooling3D", "output3*", 4), ("GlobalMaxPooling3D", "", 1), ("GlobalAveragePooling3D", "", 1), ("Flatten", "", 1)],
    3: [("ConvLSTM1D", "filters* kernel1* padding return_sequences!", 3), ("Conv2D", "filters* kernel_size* strides padding activation use_bias kernel_initializer kernel_regularizer trainable", 3),
        ("DepthwiseConv2D", "kernel_size* padding depth_multiplier activation", 3),
        ("SeparableConv2D", "filters* kernel_size* padding activation use_bias", 3),
        ("Conv2DTranspose", "filters* kernel_size* strides padding", 3), ("MaxPooling2D", "pool_size padding data_format", 3),
        ("AveragePooling2D", "pool_size padding data_format", 3), ("AdaptiveAveragePooling2D", "output2*", 3), ("AdaptiveMaxPooling2D", "output2*", 3), ("Permute", "dims3*", 3),
        ("RandAugment", "value_range num_ops share interpolation seed", 3), ("RandomHue", "share* value_range seed", 3),
        ("RandomSaturation", "share* value_range", 3), ("RandomColorDegeneration", "share* value_range seed", 3), ("RandomGrayscale", "rate1 seed", 3), ("SpatialDropout2D", "rate* data_format seed trainable", 3), ("UpSampling2D", "size data_format interpolation", 3),
        ("ZeroPadding2D", "data_format", 3), ("Cropping2D", "cropping*", 3), ("BatchNormalization", "momentum epsilon trainable", 3), ("LeakyReLU", "negative_slope", 3),
        ("PReLU", "", 3), ("ELU", "alpha", 3), ("ReLU", "max_value negative_slope", 3), ("Dropout", "rate* seed", 3), ("GaussianNoise", "stddev*", 3),
        ("GaussianDropout", "rate* seed", 3),
        ("Rescaling", "scale* offset", 3), ("Normalization", "mean1* variance1* invert", 3), ("RandomFlip", "mode seed", 3), ("RandomRotation", "factor*", 3), ("RandomZoom", "height_factor*", 3),
        ("RandomTranslation", "height_factor* width_factor*", 3), ("RandomShear", "x_factor fill_mode seed", 3), ("RandomPerspective", "share scale1", 3),
        ("RandomErasing", "share fill1 seed", 3), ("Resizing", "height* width* interpolation crop_to_aspect_ratio", 3),
        ("CenterCrop", "height* width*", 3), ("RandomCrop", "height* width* seed", 3), ("RandomBrightness", "factor* value_range seed", 3),
        ("RandomContrast", "factor* value_range", 3), ("RandomInvert", "factor value_range", 3),
        ("Solarization", "addition_factor threshold_factor value_range seed", 3), ("RandomPosterization", "bits* value_range", 3),
        ("RandomColorJitter", "value_range brightness_factor contrast_factor seed", 3), ("RandomSharpness", "share* value_range seed", 3),
        ("RandomGaussianBlur", "share odd sigma value_range seed", 3), ("AugMix", "num_chains chain_depth share alpha all_ops* interpolation value_range seed", 3),
        ("AutoContrast", "value_range", 3), ("Equalization", "value_range bins", 3),
        ("ContrastLimitedAdaptiveHistogramEqualization", "value_range clip_limit tiles", 3), ("RandomElasticTransform", "share elastic interpolation fill_mode value_range seed", 3), ("LayerNormalization", "axis epsilon", 3), ("GroupNormalization", "groups* axis1", 3), ("Softmax", "axis1", 3), ("RMSNormalization", "epsilon trainable", 3), ("GlobalAveragePooling2D", "data_format", 1),
        ("GlobalMaxPooling2D", "", 1), ("Flatten", "data_format", 1), ("Residual", "layers* shortcut trainable", 3),
         ("SpectralNormalization", "wrapped3* power_iterations", 3)],
    2: [("Conv1D", "filters* kernel1* padding activation", 2), ("Conv1DTranspose", "filters* kernel1* padding", 2),
        ("DepthwiseConv1D", "kernel1* padding depth_multiplier", 2), ("SeparableConv1D", "filters* kernel1* padding activation", 2),
        ("MaxPooling1D", "pool1 padding", 2), ("AveragePooling1D", "pool1 padding", 2), ("AdaptiveMaxPooling1D", "output1*", 2), ("AdaptiveAveragePooling1D", "output1*", 2), ("TimeDistributed", "timed*", 2),
        ("Bidirectional", "both* merge_mode", 2), ("Masking", "mask_value", 2),
        ("SpatialDropout1D", "rate* seed trainable", 2), ("LSTM", "units* activation return_sequences!", 2), ("GRU", "units* return_sequences!", 2),
        ("SimpleRNN", "units* activation return_sequences!", 2), ("RNN", "cell* return_sequences! go_backwards trainable", 2), ("UpSampling1D", "", 2), ("ZeroPadding1D", "", 2), ("Cropping1D", "", 2),
        ("GlobalAveragePooling1D", "", 1), ("GlobalMaxPooling1D", "", 1), ("Flatten", "", 1), ("Dense", "units* activation", 2), ("Residual", "layers* shortcut", 2),
        ("STFTSpectrogram", "frame1* window1* mode1 scaling padding expand_dims trainable", 2),  # Keras takes other windows from SciPy
        ("SelfAttention", "num_heads* key_dim* value_dim use_causal_mask use_bias", 2), ("PositionEmbedding", "", 2)],
    1: [("Dense", "units* activation use_bias kernel_initializer kernel_regularizer trainable", 1), ("Dropout", "rate* seed", 1),
        ("Activation", "activation*", 1), ("Normalization", "mean1* variance1*", 1), ("BatchNormalization", "momentum", 1), ("UnitNormalization", "", 1), ("Softmax", "", 1),
        ("AlphaDropout", "rate* seed", 1), ("ActivityRegularization", "l1 l2", 1), ("Identity", "", 1),
        ("RepeatVector", "n*", 2), ("LeakyReLU", "negative_slope", 1), ("GaussianNoise", "stddev*", 1),
         ("SpectralNormalization", "wrapped1* power_iterations trainable", 1),
        ("MelSpectrogram", "fft1* mels1* window1 power_to_db", 2), ("Residual", "layers* shortcut trainable", 1)],
}


def random_model(choose):
    rank = choose.choice([5, 4, 3, 3, 2, 1])
    shape = {5: [3, 4, 5, 4, 2], 4: [5, 6, 4, 2], 3: [8, 6, 3], 2: [9, 4], 1: [12]}[rank]
    layers = []
    for index in range(choose.randint(1, 6)):
        class_name, fields, out = choose.choice(LAYERS[rank])
        config = {}
        for field in fields.split():
            name = field.rstrip("*!")
            if not field.endswith("*") and choose.random() < 0.5:
                continue
            config[FIELDS.get(name, name)] = choose.choice(CHOICES[name])
        if "return_sequences!" in fields and not config.get("return_sequences"):
            out -= 1
        layers.append({"class_name": class_name, "name": f"layer_{index}" if choose.random() < 0.3 else "", "config": config})
        rank = out
    if rank > 1:
        layers.append({"class_name": "Flatten", "name": "", "config": {}})
    layers.append({"class_name": "Dense", "name": "", "config": {"units": 10}})
    return {"name": choose.choice(["sequential", "mine"]), "input_shape": shape, "layers": layers}


def has_keras():
    probe = subprocess.run([KERAS_PYTHON, "-c", "import keras, sys; sys.exit(not keras.__version__.startswith('3'))"], capture_output=True)
    return probe.returncode == 0


class ExportedCode(ProgramTest):
    def run_in(self, python, paths):
        """What each program printed when Keras itself ran it."""
        script = self.home / "run.py"
        script.write_text(RUN)
        done = subprocess.run([python, script, *map(str, paths)], capture_output=True, text=True, timeout=900, cwd=self.home)
        failures = [line for line in done.stdout.split("\n") if line.startswith("FAILED")]
        self.assertEqual((failures, done.returncode), ([], 0), done.stderr[-2000:])
        return [line for line in done.stdout.split("\n") if line.startswith("FITTED")]

    def run_in_keras(self, paths):
        """The same; None without Keras 3."""
        return self.run_in(KERAS_PYTHON, paths) if has_keras() else None

    def read_back(self, code, project):
        """The code's own project, whose model, compile, fit and data are those of `project`."""
        back = code.with_suffix(".back.tandem")
        done = self.run_cli("import", code, "--out", back)
        self.assertEqual(done.returncode, 0, done.stderr + code.read_text())
        again = self.run_cli("export", "code", back)
        self.assertEqual(again.stdout, code.read_text(), done.stderr)
        ours, theirs = (json.loads(path.read_text()) for path in (project, back))
        for part in ("scale", "offset", "shuffle", "batch_size_per_replica", "cache", "validate_on_test"):
            if ours["data"]["dataset"] == theirs["data"]["dataset"]:
                self.assertEqual(theirs["data"].get(part), ours["data"].get(part), part)
        return done.stderr

    def test_every_starters_code_runs_and_comes_back(self):
        """Estimators and parameter servers, which Keras 3 has not, run in the TensorFlow of TANDEM_ESTIMATOR_PYTHON."""
        codes, older = [], []
        for project in sorted(TEMPLATES.glob("*.tandem")):
            with self.subTest(project.stem):
                code = self.home / f"{project.stem}.py"
                code.write_text(self.run_cli("export", "code", project.stem).stdout)
                self.assertIn("Strategy(", code.read_text())
                said = self.read_back(code, project)
                if "ParameterServerStrategy" in code.read_text():  # which servers there are is TF_CONFIG's to say
                    said = "".join(line for line in said.splitlines(True) if not line.startswith("error: cluster: "))
                if project.stem != "text_lstm":  # whose files no line of Keras opens
                    self.assertEqual(said, "")
                (older if re.search(r"ParameterServerStrategy|tf\.estimator", code.read_text()) else codes).append(code)
        self.assertEqual(len(older), 3)
        fitted = self.run_in_keras(codes)
        if fitted is not None:
            self.assertEqual(len(fitted), len(codes))
        python = os.environ.get("TANDEM_ESTIMATOR_PYTHON")
        if python:
            for code in older:  # one process each: TensorFlow leaves no cluster that it joined
                self.assertEqual(len(self.run_in(python, [code])), 1, code.name)
        if fitted is None or not python:
            lacks = [f"{KERAS_PYTHON} has no Keras 3"] * (fitted is None) + ["TANDEM_ESTIMATOR_PYTHON names no Python with tf.estimator"] * (not python)
            self.skipTest("read back; " + ", ".join(lacks) + " to run some of it in")

    def test_tensorflow_trains_the_programs_of_canned_estimators(self):
        """TANDEM_ESTIMATOR_PYTHON: a Python with a TensorFlow that has tf.estimator (2.15 is the last). Each evaluates at its last step."""
        table = self.home / "people.csv"
        rows = [(18 + 7 * i % 60, ("Seoul", "Berlin", "Paris")[i % 3], i % 4, i % 12, "abcdef"[i % 6], i % 2) for i in range(64)]
        table.write_text("age,city,floor,month,name,wage\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        column = lambda kind, **config: {"class_name": kind, "config": config}
        columns = [column("NumericColumn", key="age"), column("BucketizedColumn", key="age", boundaries=[30, 50]),
                   column("CategoricalColumnWithVocabularyList", key="city", vocabulary_list=["Seoul", "Berlin"]),
                   column("CategoricalColumnWithVocabularyList", key="floor", vocabulary_list=["0", "1"], num_oov_buckets=1),
                   column("CategoricalColumnWithIdentity", key="month", num_buckets=12),
                   column("CategoricalColumnWithHashBucket", key="name", hash_bucket_size=20)]
        dense = lambda units, name, **config: column("Dense", units=units, **config) | {"name": name}
        hidden = [dense(8, "dense", activation="tanh"), column("Dropout", rate=0.25) | {"name": "dropout"},
                  column("BatchNormalization", momentum=0.999) | {"name": "batch_normalization"}, dense(1, "dense_1")]
        binary = {"loss": column("BinaryCrossentropy", from_logits=True), "metrics": [column("BinaryAccuracy", threshold=0.0, name="accuracy")]}
        guide = json.loads((TEMPLATES / "guide_linear_regressor.tandem").read_text())
        codes = [self.home / "guide.py"]
        codes[0].write_text(self.run_cli("export", "code", "guide_linear_regressor").stdout)
        for name, layers, compiled in (
                ("LinearRegressor", guide["model"]["layers"], {"optimizer": column("Ftrl", learning_rate=0.2)}),
                ("DNNRegressor", hidden, {"optimizer": column("Adagrad", learning_rate=0.05)}),
                ("DNNClassifier", hidden, binary | {"optimizer": column("Adam", learning_rate=column("ExponentialDecay", initial_learning_rate=0.1,
                                                                                                   decay_steps=5, decay_rate=0.5))})):
            project = json.loads(json.dumps(guide))
            project["model"] |= {"input_shape": [41], "layers": layers}
            project["compile"] |= compiled
            project["data"] |= {"dataset": "csv", "train_files": [str(table)], "test_files": [str(table)], "csv": {"label": "wage"},
                                "feature_columns": columns}
            project["estimator"]["name"] = name
            saved, code = self.home / f"{name}.tandem", self.home / f"{name}.py"
            saved.write_text(json.dumps(project))
            code.write_text(self.run_cli("export", "code", saved).stdout)
            self.assertIn(f"tf.estimator.{name}(", code.read_text())
            self.assertIn("make_csv_dataset(", code.read_text())
            self.assertEqual(self.read_back(code, saved), "")
            codes.append(code)
        python = os.environ.get("TANDEM_ESTIMATOR_PYTHON")
        if not python:
            self.skipTest("read back; TANDEM_ESTIMATOR_PYTHON names no Python with tf.estimator to run them in")
        for code in codes:
            program = code.read_text().replace("tf.estimator.train_and_evaluate(", "result = tf.estimator.train_and_evaluate(")
            code.write_text(program + "print('TRAINED', result[0]['global_step'], result[0]['average_loss'])\n")
            done = subprocess.run([python, code], capture_output=True, text=True, timeout=300, env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
            self.assertRegex(done.stdout, r"TRAINED 10 [\d.e-]+", done.stderr[-2000:])

    def test_random_models_run_and_come_back(self):
        choose, codes = random.Random(21), []
        count = int(os.environ.get("TANDEM_RANDOM_MODELS", "200"))
        base = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
        base["data"].update(dataset="npz", train_files=["x.npz"])
        path = self.home / "random.tandem"
        while len(codes) < count:
            base["model"] = random_model(choose)
            path.write_text(json.dumps(base))
            done = self.run_cli("export", "code", path)
            if done.returncode != 0 or self.run_cli("summary", path).returncode != 0:
                continue  # its sizes do not fit
            code = self.home / f"random_{len(codes)}.py"
            code.write_text(done.stdout)
            self.read_back(code, path)
            codes.append(code)
        fitted = self.run_in_keras(codes)
        if fitted is None:
            self.skipTest(f"read back; {KERAS_PYTHON} has no Keras 3 to run it in")
        self.assertEqual(len(fitted), len(codes))
        self.assertTrue(all(line.startswith("FITTED (10,)") for line in fitted), fitted)

    def test_what_makes_ids_of_numbers_runs_and_comes_back(self):
        base = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
        base["data"].update(dataset="npz", train_files=["x.npz"])
        config = lambda class_name, **fields: {"class_name": class_name, "name": "", "config": fields}
        buckets, dense = config("Discretization", bin_boundaries=[-0.5, 0.0, 0.5]), [config("Flatten"), config("Dense", units=10)]
        codes, path = [], self.home / "ids.tandem"
        for index, (dtype, layers) in enumerate((
                ("float32", [buckets, config("Embedding", input_dim=4, output_dim=3)]),
                ("float32", [buckets, config("IntegerLookup", vocabulary=[2, 0], num_oov_indices=2, mask_token=3, output_mode="count")]),
                ("int32", [config("ReversibleEmbedding", input_dim=9, output_dim=3, tie_weights=False, logit_soft_cap=30.0)]),
                ("int32", [config("CategoryEncoding", num_tokens=7, output_mode="one_hot")]),
                ("float32", [config("IntegerLookup", vocabulary=[9, 5, -2], num_oov_indices=3, oov_method="farmhash", salt=[133, 137],
                                    idf_weights=[0.5, 1.0, 1.5], output_mode="tf_idf")]),
                ("int32", [config("Hashing", num_bins=9, mask_value=3), config("Embedding", input_dim=9, output_dim=3)]),
                ("float32", [config("Hashing", num_bins=9, salt=[133, 137], output_mode="multi_hot")]),
                ("int32", [config("Hashing", num_bins=9, salt=7, output_mode="count")]),
                ("int32", [config("IntegerLookup", vocabulary=[9, 5, -2], max_tokens=8, pad_to_max_tokens=True, output_mode="multi_hot")]))):
            base["model"] = {"name": "sequential", "input_shape": [6], "input_dtype": dtype, "layers": layers + dense}
            path.write_text(json.dumps(base))
            code = self.home / f"ids_{index}.py"
            code.write_text(self.run_cli("export", "code", path).stdout)
            self.read_back(code, path)
            codes.append(code)
        fitted = self.run_in_keras(codes)
        if fitted is None:
            self.skipTest(f"read back; {KERAS_PYTHON} has no Keras 3 to run it in")
        self.assertEqual(len(fitted), len(codes))

    def test_layers_of_texts_come_back(self):
        base = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
        base["data"].update(dataset="text", train_files=["texts.tsv"])
        config = lambda class_name, **fields: {"class_name": class_name, "name": "", "config": fields}
        embedding = [config("Embedding", input_dim=50, output_dim=3), config("Flatten")]
        path = self.home / "texts.tandem"
        for index, layers in enumerate((
                [config("TextVectorization", max_tokens=50, standardize="none", output_sequence_length=8), *embedding],
                [config("TextVectorization", split="character", ngrams=[2, 1], output_mode="count", vocabulary=["it's", "\u00fc"])],
                [config("StringLookup", num_oov_indices=3, salt=[1, 2], mask_token="none", vocabulary=["red", "green"]), *embedding],
                [config("StringLookup", output_mode="tf_idf", vocabulary=["red", "green"], idf_weights=[0.5, 1.25])])):
            base["model"] = {"name": "sequential", "input_shape": [1], "input_dtype": "string", "layers": layers + [config("Dense", units=10)]}
            path.write_text(json.dumps(base))
            code = self.home / f"texts_{index}.py"
            code.write_text(self.run_cli("export", "code", path).stdout)
            self.assertIn("dtype='string'", code.read_text())
            self.read_back(code, path)

    def test_a_folder_of_texts_runs_and_comes_back(self):
        for name in ("train/bad", "train/good", "test/bad", "test/good"):
            (self.home / "reviews" / name).mkdir(parents=True)
            for i in range(5):
                (self.home / "reviews" / name / f"{i}.txt").write_text(f"a {name.split('/')[1]} film {i}")
        base, path, codes = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text()), self.home / "folder.tandem", []
        config = lambda class_name, **fields: {"class_name": class_name, "name": "", "config": fields}
        places = [config("TextVectorization", max_tokens=50, output_sequence_length=4), config("Embedding", input_dim=50, output_dim=3), config("Flatten")]
        rows = [config("TextVectorization", max_tokens=50, output_mode="count", pad_to_max_tokens=True)]
        whole = {"test_files": ["reviews/test"], "validate_on_test": True}
        for name, layers, data in (("places", places, whole), ("rows", rows, whole),
                                   ("split", places, {"test_files": [], "validation_split": 0.2, "split_seed": 3, "validate_on_test": False})):
            project = json.loads(json.dumps(base))
            project["data"].update(dataset="text_folder", train_files=["reviews/train"], **data)
            project["model"] = {"name": "sequential", "input_shape": [1], "input_dtype": "string", "layers": layers + [config("Dense", units=10)]}
            path.write_text(json.dumps(project))
            codes.append(self.home / f"folder_{name}.py")
            codes[-1].write_text(self.run_cli("export", "code", path).stdout)
            self.assertIn("keras.utils.text_dataset_from_directory('reviews/train', ", codes[-1].read_text())
            self.read_back(codes[-1], path)
            back = json.loads(codes[-1].with_suffix(".back.tandem").read_text())["data"]
            self.assertEqual((back["dataset"], back["train_files"]), ("text_folder", ["reviews/train"]))
        if subprocess.run([KERAS_PYTHON, "-c", "import tensorflow"], capture_output=True).returncode != 0 or not has_keras():
            self.skipTest(f"read back; {KERAS_PYTHON} has no TensorFlow with Keras 3 to run it in")
        self.assertEqual(len(self.run_in_keras(codes)), len(codes))

    def test_an_equation_runs_and_comes_back(self):
        base = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
        path, codes = self.home / "equation.tandem", []
        for name, sizes in {"known": [28, 7], "open": [-1, 7]}.items():  # which Keras is told, as it could build no Flatten behind it
            equation = {"equation": "abc,cd->abd", "output_shape": sizes, "bias_axes": "d", "activation": "relu"}
            base["model"] = {"name": "sequential", "input_shape": [28, 28], "input_dtype": "float32", "layers": [
                {"class_name": layer, "name": layer.lower(), "config": config}
                for layer, config in (("EinsumDense", equation), ("Flatten", {}), ("Dense", {"units": 10}))]}
            path.write_text(json.dumps(base))
            codes.append(self.home / f"equation_{name}.py")
            codes[-1].write_text(self.run_cli("export", "code", path).stdout)
            self.assertIn("(28, 7)", codes[-1].read_text())
            self.read_back(codes[-1], path)
        if self.run_in_keras(codes) is None:
            self.skipTest(f"read back; {KERAS_PYTHON} has no Keras 3 to run it in")

    def test_what_takes_samples_is_adapted_before_training(self):
        base = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
        path, codes = self.home / "adapted.tandem", []
        norm = "Normalization", {"axis": []}
        for name, change, (class_name, config) in (
                ("plain", {}, norm), ("split", {"validation_split": 0.25, "validate_on_test": False}, norm), ("cut", {"take": 200}, norm),
                ("buckets", {"take": 200}, ("Discretization", {"num_bins": 8, "output_mode": "one_hot"})),
                ("words", {"take": 200}, ("IntegerLookup", {"max_tokens": 4, "pad_to_max_tokens": True, "output_mode": "one_hot"}))):
            project = json.loads(json.dumps(base))
            project["data"] |= change
            project["model"]["layers"].insert(0, {"class_name": class_name, "name": "first", "config": config})
            path.write_text(json.dumps(project))
            code = self.home / f"adapted_{name}.py"
            code.write_text(self.run_cli("export", "code", path).stdout)
            self.assertLess(code.read_text().index("model.layers[0].adapt(tf.data.Dataset"), code.read_text().index("model.fit("))
            self.assertEqual(self.read_back(code, path), "")
            codes.append(code)
        fitted = self.run_in_keras(codes)
        if fitted is None:
            self.skipTest(f"read back; {KERAS_PYTHON} has no Keras 3 to run it in")
        self.assertEqual(len(fitted), len(codes))

    def test_code_changed_from_outside_runs(self):
        for name, text in TEXTS.items():
            with self.subTest(name):
                project = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
                project["code"] = text.split("\n")
                path = self.home / "project.tandem"
                path.write_text(json.dumps(project))
                code = self.run_cli("export", "code", path).stdout
                self.assertNotEqual(code, text, "the project's model differs from the text's")
                with mock.patch.dict(sys.modules, stand_ins()):
                    exec(compile(code, name, "exec"), {"train_dataset": []})  # noqa: S102

    def test_a_tpus_script_finds_connects_and_initializes_it_before_anything_else(self):
        """What the script asks of TensorFlow, in its order. No TPU has run it."""
        resolver = {"class_name": "TPUClusterResolver", "config": {"tpu": "my-tpu", "zone": "us-central1-b"}}
        done = self.run_cli("export", "code", "mnist_mlp", "--set", "strategy.name=TPUStrategy", "--set",
                            "strategy.cluster_resolver=" + json.dumps(resolver), "--set", "data.validation_split=0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        tensorflow, keras = mock.MagicMock(), mock.MagicMock()
        made = tensorflow.distribute.cluster_resolver.TPUClusterResolver.return_value
        strategy = tensorflow.distribute.TPUStrategy.return_value
        strategy.num_replicas_in_sync = 8
        digits = mock.MagicMock(), mock.MagicMock()
        keras.datasets.mnist.load_data.return_value = digits, digits
        keras.Sequential.side_effect = lambda *_: strategy.scope.return_value.__enter__.assert_called_once_with() or mock.DEFAULT
        with mock.patch.dict(sys.modules, tensorflow=tensorflow, keras=keras):
            exec(compile(done.stdout, "tpu.py", "exec"), {})  # noqa: S102
        self.assertEqual(tensorflow.mock_calls[:4], [
            mock.call.distribute.cluster_resolver.TPUClusterResolver(tpu="my-tpu", zone="us-central1-b"),
            mock.call.config.experimental_connect_to_cluster(made),
            mock.call.tpu.experimental.initialize_tpu_system(made),
            mock.call.distribute.TPUStrategy(made),
        ])
        keras.Sequential.assert_called_once()
        batches = [call for call in tensorflow.mock_calls if call[0].endswith(".batch")]
        self.assertEqual([(args, fields) for _, args, fields in batches], [((128 * 8,), {"drop_remainder": True})] * 2)

    def test_keras_takes_the_callbacks(self):
        """Keras 3 itself makes them, where TANDEM_KERAS_PYTHON or this Python has it; fit() is left out."""
        python = KERAS_PYTHON
        if not has_keras():
            self.skipTest(f"{python} has no Keras 3")
        for weights_only in (False, True):
            with self.subTest(save_weights_only=weights_only):
                project = json.loads((TEMPLATES / "mnist_mlp.tandem").read_text())
                project["callbacks"] = {"model_checkpoint": {"save_weights_only": weights_only}}
                path = self.home / "project.tandem"
                path.write_text(json.dumps(project))
                code = self.run_cli("export", "code", path).stdout
                script = "import keras\nimport numpy as np\ndigits = np.zeros((9, 28, 28), 'uint8'), np.zeros(9, 'uint8')\n"
                script += "keras.datasets.mnist.load_data = lambda: (digits, digits)\nkeras.Model.fit = lambda *_, callbacks, **__: print(*[one.filepath for one in callbacks])\n"
                made = subprocess.run([python, "-c", script + "train_dataset = []\n" + code], capture_output=True, text=True, timeout=300,
                                      env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertTrue(made.stdout.strip().endswith(".weights.h5" if weights_only else "ckpt_{epoch}.keras"), made.stdout)


if __name__ == "__main__":
    unittest.main()
