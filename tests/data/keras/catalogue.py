"""The names of Keras' own classes, one list a family: python catalogue.py (writes beside itself). Second names of a class, and classes that
are there for others to be made from, are left out."""
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
            "initializers": (keras.initializers, keras.initializers.Initializer)}
FOR_OTHERS = {"Layer", "Wrapper", "Optimizer", "Loss", "Metric", "MeanMetricWrapper", "Callback", "CallbackList", "Regularizer", "Constraint",
              "Initializer"}


def names(module, base):
    found = {one.__name__ for name, one in vars(module).items()
             if inspect.isclass(one) and issubclass(one, base) and one.__name__ == name}
    return sorted(found - FOR_OTHERS)


catalogue = {"keras": keras.__version__} | {family: names(*of) for family, of in FAMILIES.items()}
with open(os.path.join(HERE, "catalogue.json"), "w") as file:
    json.dump(catalogue, file, indent=1)
    file.write("\n")
