"""What the scripts of this folder have in common: arrays as JSON, and a layer with its gradients as Keras computes them."""
import json
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
import keras
import numpy as np
import tensorflow as tf

from exported_classes import CLASSES

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
            config[field] = build(**config[field])
    if isinstance(config.get("cell"), dict):
        config["cell"] = build(**config["cell"])
    for field in ("layers", "shortcut", "cell"):
        if isinstance(config.get(field), list):
            config[field] = [build(**layer) for layer in config[field]]
    return (CLASSES.get(class_name) or getattr(keras.layers, class_name))(**config)


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


def sequential(x, layers):
    dtype = "int32" if x.dtype == np.int32 else "float32"
    return keras.Sequential([keras.Input(x.shape[1:], dtype=dtype)] + [build(layer["class_name"], layer["config"]) for layer in layers])


def started(random, x, layers):
    model = sequential(x, layers)
    for layer in model.layers:
        for weight in layer.weights:
            moving_variance = weight.path.endswith("moving_variance")
            weight.assign(random.uniform(0.5 if moving_variance else -1, 1.5 if moving_variance else 1, weight.shape))
    return model


def layers_case(random, name, x, layers, training=True):
    model = started(random, x, layers)
    before = [array(weight) for weight in model.weights]
    x_tensor = tf.constant(x)
    has_gradient = x.dtype == np.float32  # ids have none
    with tf.GradientTape() as tape:
        tape.watch([x_tensor] if has_gradient else [])
        y = model(x_tensor, training=training)
        r = random.uniform(-1, 1, y.shape).astype(np.float32)
        loss = tf.reduce_sum(y * r)
    gradients = tape.gradient(loss, [weight.value for weight in model.trainable_weights] + ([x_tensor] if has_gradient else []))
    case = {"name": name, "layers": layers, "training": training, "input": array(x), "ids": not has_gradient, "weights": before,
            "weights_after": [array(weight) for weight in model.weights], "output": array(y), "r": array(r),
            "grad_weights": [array(tf.convert_to_tensor(gradient)) for gradient in gradients[:len(model.trainable_weights)]]}
    if has_gradient:
        case["grad_input"] = array(gradients[-1])
    return case
