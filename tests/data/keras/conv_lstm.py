"""ConvLSTM1D, ConvLSTM2D and ConvLSTM3D as Keras computes them: python conv_lstm.py (writes two files beside itself)."""
from functools import partial

import numpy as np

import golden
from golden import inner, write

random = np.random.default_rng(33)
layer_case, layers_case = partial(golden.layer_case, random), partial(golden.layers_case, random)
SEQUENCES, IMAGES, VOLUMES = (2, 3, 5, 2), (2, 4, 4, 5, 2), (2, 3, 3, 2, 4, 2)
MASKED = -1.0


def layers():
    for axes, shape, configs in (
            ("1D", SEQUENCES, (dict(kernel_size=3), dict(kernel_size=2, padding="same", return_sequences=True),
                               dict(kernel_size=3, strides=2, padding="same", go_backwards=True))),
            ("2D", IMAGES, (dict(kernel_size=3), dict(kernel_size=[2, 3], padding="same", return_sequences=True),
                            dict(kernel_size=[3, 2], strides=[1, 2], padding="same", use_bias=False),
                            dict(kernel_size=2, dilation_rate=2, return_sequences=True, go_backwards=True),
                            dict(kernel_size=1, padding="same", unit_forget_bias=False),
                            dict(kernel_size=3, padding="same", activation="relu", recurrent_activation="hard_sigmoid", return_sequences=True),
                            dict(kernel_size=[4, 1], padding="same", activation="softsign"))),
            ("3D", VOLUMES, (dict(kernel_size=2), dict(kernel_size=[2, 1, 3], padding="same", return_sequences=True),
                             dict(kernel_size=[1, 1, 2], strides=[2, 1, 1], padding="same"), dict(kernel_size=[3, 2, 2], return_sequences=True)))):
        for config in configs:
            given = ", ".join(f"{name}={value}" for name, value in config.items())
            yield layer_case(f"ConvLSTM{axes}({given})", f"ConvLSTM{axes}", shape, filters=3, **config)
    yield layer_case("TimeDistributed of ConvLSTM1D", "TimeDistributed", (2, 2, 3, 4, 2), layer=inner("ConvLSTM1D", filters=2, kernel_size=2))


def masked():
    x = random.uniform(-1, 1, (4, 5, 6)).astype(np.float32)
    x[0, 1] = x[0, 4] = x[1, 0] = x[2, :] = MASKED
    masking = inner("Masking", mask_value=MASKED)
    for axes, shape, size in (("1D", [3, 2], 2), ("2D", [1, 3, 2], [1, 2])):
        images = inner("TimeDistributed", layer=inner("Reshape", target_shape=shape))
        for config in ({}, {"return_sequences": True}, {"return_sequences": True, "zero_output_for_mask": True}, {"zero_output_for_mask": True},
                       {"return_sequences": True, "go_backwards": True}):
            lstm = inner(f"ConvLSTM{axes}", filters=2, kernel_size=size, padding="same", **config)
            behind = [inner("TimeDistributed", layer=inner("Flatten")), inner("LSTM", units=2)] if config.get("return_sequences") else []
            yield layers_case(f"ConvLSTM{axes} {config}", x, [masking, images, lstm] + behind)


write("conv_lstm.json", list(layers()))
write("conv_lstm_masked.json", list(masked()))
