"""Layers of volumes, and those of sequences that came with them, as Keras computes them: python volumes.py (writes beside itself)."""
import numpy as np

from golden import layer_case, write

random = np.random.default_rng(27)
VOLUMES, SEQUENCES = (2, 3, 4, 5, 2), (2, 7, 3)


def cases():
    for class_name, shape, config in (
            ("Conv3D", VOLUMES, dict(filters=3, kernel_size=3, activation="tanh")),
            ("Conv3D", VOLUMES, dict(filters=2, kernel_size=[2, 3, 1], strides=[1, 2, 2], padding="same")),
            ("Conv3D", VOLUMES, dict(filters=4, kernel_size=2, dilation_rate=[2, 1, 3], use_bias=False)),
            ("Conv3D", VOLUMES, dict(filters=2, kernel_size=[1, 1, 3], padding="same")),
            ("Conv3DTranspose", VOLUMES, dict(filters=3, kernel_size=3)),
            ("Conv3DTranspose", VOLUMES, dict(filters=2, kernel_size=[2, 3, 2], strides=[2, 1, 3], padding="same")),
            ("Conv1DTranspose", SEQUENCES, dict(filters=4, kernel_size=3, strides=2)),
            ("Conv1DTranspose", SEQUENCES, dict(filters=2, kernel_size=2, padding="same", activation="tanh")),
            ("DepthwiseConv1D", SEQUENCES, dict(kernel_size=3, depth_multiplier=2)),
            ("DepthwiseConv1D", SEQUENCES, dict(kernel_size=2, strides=2, padding="same")),
            ("SeparableConv1D", SEQUENCES, dict(filters=5, kernel_size=3, depth_multiplier=2, padding="same")),
            ("MaxPooling3D", VOLUMES, dict()),
            ("MaxPooling3D", VOLUMES, dict(pool_size=[3, 2, 1], strides=[2, 1, 1], padding="same")),
            ("MaxPooling3D", VOLUMES, dict(pool_size=[1, 1, 3], strides=2)),
            ("AveragePooling3D", VOLUMES, dict(pool_size=2)),
            ("AveragePooling3D", VOLUMES, dict(pool_size=[3, 2, 3], strides=[2, 1, 2], padding="same")),
            ("GlobalMaxPooling3D", VOLUMES, dict()),
            ("GlobalAveragePooling3D", VOLUMES, dict(keepdims=True)),
            ("ZeroPadding3D", VOLUMES, dict(padding=[[1, 2], [0, 1], [2, 0]])),
            ("ZeroPadding3D", VOLUMES, dict()),
            ("Cropping3D", VOLUMES, dict(cropping=[1, 0, 2])),
            ("Cropping3D", VOLUMES, dict()),
            ("UpSampling3D", VOLUMES, dict(size=[2, 1, 3])),
            ("UpSampling3D", VOLUMES, dict())):
        given = ", ".join(f"{name}={value}" for name, value in config.items())
        case = layer_case(random, f"{class_name}({given})", class_name, shape, **config)
        if "padding" in config and class_name == "ZeroPadding3D":  # a list of numbers, as projects have it
            case["config"] = {"padding": [side for axis in config["padding"] for side in axis]}
        yield case


write("volumes.json", list(cases()))
