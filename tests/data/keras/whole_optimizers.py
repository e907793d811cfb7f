"""Optimizers that look at whole variables, on variables of every shape: python whole_optimizers.py (writes beside itself)."""
import numpy as np

from golden import array, keras, write

SHAPES = {"tall": (7, 4), "wide": (3, 9), "row": (1, 5), "square": (6, 6), "kernel": (2, 3, 4, 5), "volume": (3, 2, 4), "bias": (6,), "number": ()}
chance = np.random.default_rng(11)
START = {name: chance.normal(size=shape).astype("float32") for name, shape in SHAPES.items()}
GRADIENTS = [{name: chance.normal(scale=0.3, size=shape).astype("float32") for name, shape in SHAPES.items()} for _ in range(4)]


def run(class_name, config):
    optimizer = getattr(keras.optimizers, class_name)(**config)
    variables = {name: keras.Variable(value, name=name) for name, value in START.items()}
    optimizer.build(list(variables.values()))
    after = []
    for step in GRADIENTS:
        optimizer.apply_gradients([(step[name], variable) for name, variable in variables.items()])
        after.append({name: array(variable) for name, variable in variables.items()})
    kept = optimizer.variables[2:]
    names = ("r", "c", "v") if class_name == "Adafactor" else ("m", "v")
    slots, at = {}, 0
    for name, variable in variables.items():
        for slot in names:
            if class_name == "Muon" and slot == "v" and not optimizer._should_use_adamw(variable):
                continue
            slots[f"{name}:{slot}"] = array(kept[at])
            at += 1
    assert at == len(kept)
    return {"class_name": class_name, "config": config, "after_each_step": after, "slots_at_end": slots}


# Two kernels whose paths Muon's rule looks at, and where Keras 3.15 finds layers inside others.
def paths():
    layers = keras.layers
    model = keras.Sequential([keras.Input((4,)), layers.Embedding(7, 3, name="words"), layers.LSTM(2, return_sequences=True, name="rnn"),
                              layers.Bidirectional(layers.GRU(2, return_sequences=True), name="both"),
                              layers.TimeDistributed(layers.Dense(3), name="each"), layers.Flatten(), layers.Dense(2, name="out")], name="net")
    return [variable.path for variable in model.trainable_variables]


write("whole_optimizers.json", {
    "start": {name: array(value) for name, value in START.items()},
    "gradients": [{name: array(value) for name, value in step.items()} for step in GRADIENTS], "paths": paths(),
    "runs": [run("Adafactor", {"learning_rate": 0.05}),
             run("Adafactor", {"learning_rate": 0.8, "beta_2_decay": -0.5, "epsilon_1": 1e-3, "epsilon_2": 0.5, "clip_threshold": 0.4,
                               "weight_decay": 0.1, "relative_step": False}),
             run("Muon", {"learning_rate": 0.05}),
             run("Muon", {"learning_rate": 0.05, "nesterov": False, "rms_rate": None, "ns_steps": 2, "momentum": 0.5, "weight_decay": None,
                          "adam_weight_decay": 0.1, "adam_lr_ratio": 0.3, "exclude_layers": ["^ta", "re$"]})]})
