"""What the scripts of this folder have in common: arrays as JSON, and a layer with its gradients as Keras computes them."""
import json
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import keras
import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))


def array(values):
    values = np.asarray(values, np.float32)
    return {"shape": list(values.shape), "values": [float(f"{value:.9g}") for value in values.reshape(-1)]}


def write(name, cases):
    with open(os.path.join(HERE, name), "w") as file:
        json.dump(cases, file, separators=(",", ":"))
        file.write("\n")


def inner(class_name, **config):
    return {"class_name": class_name, "config": config}


def build(class_name, config):
    config = dict(config)
    for field in ("layer", "backward_layer"):
        if field in config:
            config[field] = getattr(keras.layers, config[field]["class_name"])(**config[field]["config"])
    return getattr(keras.layers, class_name)(**config)


def layer_case(random, name, class_name, shape, **config):
    layer = build(class_name, config)
    x = tf.constant(random.uniform(-1, 1, shape), tf.float32)
    layer(x)
    for weight in layer.weights:
        weight.assign(random.uniform(-1, 1, weight.shape))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
        r = random.uniform(-1, 1, y.shape).astype(np.float32)
        loss = tf.reduce_sum(y * r)
    grad_x, grad_weights = tape.gradient(loss, [x, [weight.value for weight in layer.trainable_weights]])
    return {"name": name, "class_name": class_name, "config": config, "training": True, "input": array(x),
            "weights": [array(weight) for weight in layer.weights], "output": array(y), "r": array(r), "grad_input": array(grad_x),
            "grad_weights": [array(gradient) for gradient in grad_weights]}
