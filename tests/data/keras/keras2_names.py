"""The names that Keras 2 has of what Keras 3 has, by family: python keras2_names.py > keras2_names.json, with tf_keras, which is Keras 2
beside Keras 3. Keras 2.15 was the last one; later versions of tf_keras added no name."""
import inspect
import json

import keras
import tf_keras

FAMILIES = ("layers", "losses", "metrics", "optimizers", "callbacks", "initializers", "regularizers", "constraints")


def classes(module):
    return {name for name, value in vars(module).items() if inspect.isclass(value) and name[0].isupper()}


def is_activation(name):
    try:
        return tf_keras.activations.get(name) is not None
    except ValueError:
        return False


def main():
    names = {"version": tf_keras.__version__}
    for family in FAMILIES:
        ours, theirs = classes(getattr(keras, family)), classes(getattr(tf_keras, family))
        names[family] = {"both": sorted(ours & theirs), "keras_3": sorted(ours - theirs)}
    functions = {name for name, value in vars(keras.activations).items() if inspect.isfunction(value) and name not in ("get", "serialize", "deserialize")}
    functions |= {"swish", "hard_swish"}  # further names of silu and hard_silu
    names["activations"] = {"both": sorted(filter(is_activation, functions)), "keras_3": sorted(name for name in functions if not is_activation(name))}
    print(json.dumps(names, indent=1))


main()
