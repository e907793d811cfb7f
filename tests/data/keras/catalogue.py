"""The names of Keras' own classes, one list a family, and of its activations: python catalogue.py (writes beside itself). Second names of a
class, and classes that are there for others to be made from, are left out. A class that Keras offers under other names than its own has the
first of these."""
import inspect
import json
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import keras

HERE = os.path.dirname(os.path.abspath(__file__))
FAMILIES = {"layers": (keras.layers, keras.layers.Layer), "optimizers": (keras.optimizers, keras.optimizers.Optimizer),
            "losses": (keras.losses, keras.losses.Loss), "metrics": (keras.metrics, keras.metrics.Metric),
            "callbacks": (keras.callbacks, keras.callbacks.Callback), "regularizers": (keras.regularizers, keras.regularizers.Regularizer),
            "constraints": (keras.constraints, keras.constraints.Constraint),
            "initializers": (keras.initializers, keras.initializers.Initializer),
            "schedules": (keras.optimizers.schedules, keras.optimizers.schedules.LearningRateSchedule)}
FOR_OTHERS = {"Layer", "Wrapper", "Optimizer", "Loss", "Metric", "MeanMetricWrapper", "Callback", "CallbackList", "Regularizer", "Constraint",
              "Initializer", "LearningRateSchedule"}


def names(module, base):
    offered = {}
    for name, one in sorted(vars(module).items()):
        if inspect.isclass(one) and issubclass(one, base):
            offered.setdefault(one, []).append(name)
    return sorted({one.__name__ if one.__name__ in named else named[0] for one, named in offered.items()} - FOR_OTHERS)


def activations():
    functions = {one: name for name, one in sorted(vars(keras.activations).items()) if inspect.isfunction(one)}
    return sorted(set(functions.values()) - {"get", "serialize", "deserialize"})


catalogue = {"keras": keras.__version__} | {family: names(*of) for family, of in FAMILIES.items()} | {"activations": activations()}
with open(os.path.join(HERE, "catalogue.json"), "w") as file:
    json.dump(catalogue, file, indent=1)
    file.write("\n")
