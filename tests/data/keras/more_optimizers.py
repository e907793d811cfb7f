"""Optimizers that came after those of optimizers.json, on its variables and gradients: python more_optimizers.py (writes beside itself)."""
import json
import os

import numpy as np

from golden import HERE, array, keras, write

with open(os.path.join(HERE, "optimizers.json")) as file:
    given = json.load(file)


def values(one):
    return np.array(one["values"], np.float32).reshape(one["shape"])


def run(class_name, config):
    optimizer = getattr(keras.optimizers, class_name)(**config)
    w, b = (keras.Variable(values(given[name]), name=name[0]) for name in ("w0", "b0"))
    optimizer.build([w, b])
    after = []
    for dw, db in zip(given["grads_w"], given["grads_b"]):
        optimizer.apply_gradients([(values(dw), w), (values(db), b)])
        after.append({"w": array(w), "b": array(b)})
    kept = {variable.path.split("/")[-1]: array(variable) for variable in optimizer.variables if variable.path.split("/")[-1][:2] in ("w_", "b_")}
    return {"class_name": class_name, "config": config, "variables_at_end": kept, "after_each_step": after}


CONFIGS = ({}, {"warmup_steps": 3}, {"beta_1": 0.5, "beta_2": 0.9, "epsilon": 0.1}, {"weight_decay": 0.1}, {"use_ema": True, "ema_momentum": 0.9},
           {"gradient_accumulation_steps": 2, "clipnorm": 0.5})
write("more_optimizers.json", {**{name: given[name] for name in ("w0", "b0", "grads_w", "grads_b")},
                               "runs": [run("ScheduleFreeAdamW", {"learning_rate": 0.05, **config}) for config in CONFIGS]})
