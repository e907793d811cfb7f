"""Layers that work on other axes than the last ones, as Keras computes them: data_format channels_first, and normalizations and Softmax of
axes in front: python axes.py (writes beside itself). TensorFlow has kernels for convolutions of channels in front on a processor only in
what XLA compiles. Where an output's last axis has as many places as there are filters, Keras on TensorFlow takes that for the channels and adds
the bias there (its other backends don't), so that no case has such a shape."""
import numpy as np
import tensorflow as tf

import golden
from golden import array, layer_case, write

random = np.random.default_rng(51)
SEQUENCES, IMAGES, VOLUMES, TIMES = (2, 3, 7), (2, 3, 4, 5), (2, 2, 3, 4, 3), (2, 3, 2, 4, 3)
FIRST = dict(data_format="channels_first")


def first_cases():
    for class_name, shape, config in (
            ("Conv1D", SEQUENCES, dict(filters=5, kernel_size=3, strides=2, padding="same", activation="tanh")),
            ("Conv2D", IMAGES, dict(filters=5, kernel_size=[3, 2])),
            ("Conv2D", IMAGES, dict(filters=2, kernel_size=2, strides=2, padding="same", use_bias=False)),
            ("Conv2D", IMAGES, dict(filters=2, kernel_size=2, dilation_rate=2)),
            ("Conv3D", VOLUMES, dict(filters=3, kernel_size=2)),
            ("Conv1DTranspose", SEQUENCES, dict(filters=4, kernel_size=3, strides=2)),
            ("Conv2DTranspose", IMAGES, dict(filters=2, kernel_size=3, strides=2, padding="same")),
            ("Conv3DTranspose", VOLUMES, dict(filters=2, kernel_size=2)),
            ("DepthwiseConv1D", SEQUENCES, dict(kernel_size=3, depth_multiplier=2)),
            ("DepthwiseConv2D", IMAGES, dict(kernel_size=3, padding="same")),
            ("SeparableConv1D", SEQUENCES, dict(filters=4, kernel_size=2)),
            ("SeparableConv2D", IMAGES, dict(filters=5, kernel_size=2, depth_multiplier=2)),
            ("MaxPooling1D", SEQUENCES, dict(pool_size=2)),
            ("MaxPooling2D", IMAGES, dict(pool_size=[2, 3], strides=1, padding="same")),
            ("MaxPooling3D", VOLUMES, dict(pool_size=[1, 2, 2])),
            ("AveragePooling1D", SEQUENCES, dict(pool_size=3, padding="same")),
            ("AveragePooling2D", IMAGES, dict(pool_size=2)),
            ("AveragePooling3D", VOLUMES, dict(pool_size=2, padding="same")),
            ("GlobalMaxPooling1D", SEQUENCES, dict()),
            ("GlobalMaxPooling2D", IMAGES, dict(keepdims=True)),
            ("GlobalMaxPooling3D", VOLUMES, dict()),
            ("GlobalAveragePooling1D", SEQUENCES, dict(keepdims=True)),
            ("GlobalAveragePooling2D", IMAGES, dict()),
            ("GlobalAveragePooling3D", VOLUMES, dict(keepdims=True)),
            ("AdaptiveAveragePooling1D", SEQUENCES, dict(output_size=3)),
            ("AdaptiveAveragePooling2D", IMAGES, dict(output_size=[2, 4])),
            ("AdaptiveAveragePooling3D", VOLUMES, dict(output_size=2)),
            ("AdaptiveMaxPooling1D", SEQUENCES, dict(output_size=3)),
            ("AdaptiveMaxPooling2D", IMAGES, dict(output_size=[2, 4])),
            ("ConvLSTM1D", (2, 3, 2, 5), dict(filters=2, kernel_size=2, return_sequences=True)),
            ("ConvLSTM2D", TIMES, dict(filters=2, kernel_size=[2, 3], padding="same")),
            ("ConvLSTM2D", TIMES, dict(filters=3, kernel_size=2, strides=2, return_sequences=True, go_backwards=True)),
            ("ZeroPadding1D", SEQUENCES, dict(padding=[1, 2])),
            ("ZeroPadding2D", IMAGES, dict(padding=[[1, 0], [2, 1]])),
            ("ZeroPadding3D", VOLUMES, dict(padding=[[1, 2], [0, 1], [2, 0]])),
            ("Cropping2D", IMAGES, dict(cropping=[[1, 0], [0, 2]])),
            ("Cropping3D", VOLUMES, dict(cropping=[[1, 0], [0, 1], [1, 1]])),
            ("UpSampling2D", IMAGES, dict(size=[2, 1])),
            ("UpSampling2D", IMAGES, dict(size=2, interpolation="bilinear")),
            ("UpSampling3D", VOLUMES, dict(size=[1, 2, 1])),
            ("Flatten", IMAGES, dict()),
            ("Flatten", VOLUMES, dict()),
            ("STFTSpectrogram", (2, 3, 9), dict(mode="psd", frame_length=4, frame_step=2, fft_length=4, window=None, scaling=None)),
            ("STFTSpectrogram", (2, 3, 9), dict(mode="stft", frame_length=4, fft_length=4, window=None, scaling=None, expand_dims=True)),
            ("Resizing", IMAGES, dict(height=7, width=4)),
            ("CenterCrop", IMAGES, dict(height=3, width=4))):
        yield class_name, shape, config | FIRST


def axis_cases():
    for class_name, config in (("LayerNormalization", dict(axis=[1], epsilon=0.1)), ("LayerNormalization", dict(axis=[1, 3], epsilon=0.1)),
                               ("LayerNormalization", dict(axis=[2, 3], epsilon=0.1, center=False)),
                               ("GroupNormalization", dict(axis=1, groups=3, epsilon=0.1)),
                               ("GroupNormalization", dict(axis=2, groups=-1, epsilon=0.1)),
                               ("RMSNormalization", dict(axis=[2, 3])),
                               ("UnitNormalization", dict(axis=[1])), ("UnitNormalization", dict(axis=[1, 2])),
                               ("Softmax", dict(axis=1)), ("Softmax", dict(axis=-2))):
        yield class_name, IMAGES, config


def sides(field, value):
    """A list of numbers, as projects have the two sides of each axis."""
    is_pairs = field in ("padding", "cropping") and isinstance(value, list) and isinstance(value[0], list)
    return [side for axis in value for side in axis] if is_pairs else "none" if value is None else value


def compiled_case(name, class_name, shape, **config):
    """layer_case() of golden.py, where call and gradients are one program that XLA compiles."""
    layer = golden.build(class_name, config)
    x = tf.constant(random.uniform(-1, 1, shape), tf.float32)
    layer.build(shape)
    for weight in layer.weights:
        weight.assign(random.uniform(-1, 1, weight.shape))
    r = tf.constant(random.uniform(-1, 1, layer.compute_output_shape(shape)), tf.float32)

    @tf.function(jit_compile=True)
    def both():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
            loss = tf.reduce_sum(y * r)
        return y, tape.gradient(loss, [x, [weight.value for weight in layer.trainable_weights]])

    y, (grad_x, grad_weights) = both()
    return {"name": name, "class_name": class_name, "config": config, "training": True, "input": array(x),
            "weights": [array(weight) for weight in layer.weights], "output": array(y), "r": array(r), "grad_input": array(grad_x),
            "grad_weights": [array(gradient) for gradient in grad_weights]}


def cases():
    for class_name, shape, config in [*first_cases(), *axis_cases()]:
        given = ", ".join(f"{name}={value}" for name, value in config.items())
        name = f"{class_name}({given})"
        is_convolution = "Conv" in class_name or class_name == "STFTSpectrogram"
        case = compiled_case(name, class_name, shape, **config) if is_convolution else layer_case(random, name, class_name, shape, **config)
        case["config"] = {field: sides(field, value) for field, value in config.items()}
        yield case


write("axes.json", list(cases()))
