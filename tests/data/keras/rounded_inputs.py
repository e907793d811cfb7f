"""What Discretization makes of numbers that a lower type does not hold: python rounded_inputs.py (writes
rounded_inputs.json). Within fit() and predict() Keras rounds what comes into the layer to the type that its policy computes in, and
compares it with the boundaries as they are; a call outside of them rounds nothing."""
import json

import keras
import numpy as np

NUMBERS = [[0.9999, 1.0001, 257.0, 256.9, -1.0005, 0.25]]
BOUNDARIES = [1.0, 257.0]


def main():
    found = {"numbers": NUMBERS[0], "boundaries": BOUNDARIES}
    for policy in ("float32", "mixed_bfloat16", "mixed_float16"):
        keras.mixed_precision.set_dtype_policy(policy)
        model = keras.Sequential([keras.Input((len(NUMBERS[0]),)), keras.layers.Discretization(bin_boundaries=BOUNDARIES)])
        values = model.predict(np.asarray(NUMBERS, np.float32), verbose=0)
        found[policy] = {"buckets": {"shape": list(values.shape), "values": values.ravel().tolist()}}
    with open("rounded_inputs.json", "w") as file:
        json.dump(found, file, indent=1)


main()
