"""Layers of images and sequences inside TimeDistributed as Keras computes them: python time_distributed.py (writes beside itself)."""
import numpy as np

from golden import inner, layer_case, write

random = np.random.default_rng(11)
IMAGES, SEQUENCES = (2, 3, 6, 5, 2), (2, 3, 5, 2)


def cases():
    for name, shape, layer in (
            ("Conv2D", IMAGES, inner("Conv2D", filters=3, kernel_size=3, activation="relu")),
            ("Conv2D with strides", IMAGES, inner("Conv2D", filters=4, kernel_size=[3, 2], strides=2, padding="same", use_bias=False)),
            ("DepthwiseConv2D", IMAGES, inner("DepthwiseConv2D", kernel_size=3, depth_multiplier=2)),
            ("SeparableConv2D", IMAGES, inner("SeparableConv2D", filters=3, kernel_size=2)),
            ("Conv2DTranspose", IMAGES, inner("Conv2DTranspose", filters=3, kernel_size=3, strides=2)),
            ("MaxPooling2D", IMAGES, inner("MaxPooling2D", pool_size=2)),
            ("AveragePooling2D", IMAGES, inner("AveragePooling2D", pool_size=2, padding="same")),
            ("GlobalMaxPooling2D", IMAGES, inner("GlobalMaxPooling2D")),
            ("GlobalAveragePooling2D", IMAGES, inner("GlobalAveragePooling2D", keepdims=True)),
            ("ZeroPadding2D", IMAGES, inner("ZeroPadding2D", padding=1)),
            ("Cropping2D", IMAGES, inner("Cropping2D", cropping=1)),
            ("UpSampling2D", IMAGES, inner("UpSampling2D", size=2, interpolation="bilinear")),
            ("Permute", IMAGES, inner("Permute", dims=[3, 1, 2])),
            ("GroupNormalization", IMAGES, inner("GroupNormalization", groups=2, epsilon=0.1)),
            ("PReLU", IMAGES, inner("PReLU", shared_axes=[1, 2])),
            ("Conv1D", SEQUENCES, inner("Conv1D", filters=3, kernel_size=2, padding="causal", activation="tanh")),
            ("MaxPooling1D", SEQUENCES, inner("MaxPooling1D", pool_size=2)),
            ("AveragePooling1D", SEQUENCES, inner("AveragePooling1D", pool_size=3, strides=2)),
            ("GlobalAveragePooling1D", SEQUENCES, inner("GlobalAveragePooling1D")),
            ("GlobalMaxPooling1D", SEQUENCES, inner("GlobalMaxPooling1D")),
            ("ZeroPadding1D", SEQUENCES, inner("ZeroPadding1D", padding=2)),
            ("Cropping1D", SEQUENCES, inner("Cropping1D", cropping=1)),
            ("UpSampling1D", SEQUENCES, inner("UpSampling1D", size=2)),
            ("RepeatVector", (2, 3, 4), inner("RepeatVector", n=2)),
            ("SimpleRNN", SEQUENCES, inner("SimpleRNN", units=3)),
            ("LSTM", SEQUENCES, inner("LSTM", units=3, return_sequences=True)),
            ("GRU", SEQUENCES, inner("GRU", units=3, go_backwards=True))):
        yield layer_case(random, f"TimeDistributed {name}", "TimeDistributed", shape, layer=layer)


write("time_distributed.json", list(cases()))
