"""Makes loss_scale.json, and scaled.keras, .h5 and .weights.h5 in ../keras_files, with real Keras: `TF_ENABLE_ONEDNN_OPTS=0 python make_loss_scale.py` in
this folder (Keras 3.15 on TensorFlow 2.21, CPU).

A small net in float32 whose optimizer is inside a LossScaleOptimizer, from weights that are written here. The scale begins so high that
gradients overflow at once, and grows after three finite steps: steps are left out at the beginning and again and again. One sample: no sum
over a batch overflows in one order alone. After each step:
weights, scale, counter and the inner optimizer's iterations; the rate where a schedule gives it. The files hold the run with Adam at its end.
"""
import json
import os
import pathlib

os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
import keras
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
STEPS, SAMPLES, INITIAL_SCALE, GROWTH_STEPS = 22, 1, 2.0**125, 3
OPTIMIZERS = {
    "SGD": lambda: keras.optimizers.SGD(0.002, momentum=0.5),
    "Adam": lambda: keras.optimizers.Adam(0.05),
    "Scheduled": lambda: keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.004, 4, 0.5)),
}


def weights():
    random = np.random.default_rng(11)
    return [(random.integers(-8, 9, shape) / 16).astype("float32") for shape in [(3, 5), (5,), (5, 2), (2,)]]


def data():
    random = np.random.default_rng(12)
    return (random.integers(-16, 17, (SAMPLES, 3)) / 8).astype("float32"), (random.integers(-16, 17, (SAMPLES, 2)) * 16.0).astype("float32")


def train(name):
    keras.utils.clear_session()  # names begin anew
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(5, activation="relu", name="hidden"), keras.layers.Dense(2, name="out")],
                             name="scaled")
    model.set_weights(weights())
    optimizer = keras.optimizers.LossScaleOptimizer(OPTIMIZERS[name](), initial_scale=INITIAL_SCALE, dynamic_growth_steps=GROWTH_STEPS)
    model.compile(optimizer=optimizer, loss="mean_squared_error")
    x, y = data()
    steps = []
    for _ in range(STEPS):
        rate = float(keras.ops.convert_to_numpy(optimizer.learning_rate)) if optimizer.built else None
        model.train_on_batch(x, y)
        steps.append({"scale": float(optimizer.dynamic_scale.numpy()), "counter": int(optimizer.step_counter.numpy()),
                      "iterations": int(optimizer.iterations.numpy()), "rate": rate,
                      "weights": [float(value) for weight in model.get_weights() for value in weight.flatten()]})
    return model, steps


if __name__ == "__main__":
    x, y = data()
    golden = {"initial_scale": INITIAL_SCALE, "dynamic_growth_steps": GROWTH_STEPS, "x": x.flatten().tolist(), "y": y.flatten().tolist(),
              "weights": [float(value) for weight in weights() for value in weight.flatten()], "steps": {}}
    for name in OPTIMIZERS:
        model, golden["steps"][name] = train(name)
        if name == "Adam":
            for file in ["scaled.keras", "scaled.h5"]:
                model.save(HERE.parent / "keras_files" / file)
            model.save_weights(HERE.parent / "keras_files" / "scaled.weights.h5")
    (HERE / "loss_scale.json").write_text(json.dumps(golden) + "\n")
