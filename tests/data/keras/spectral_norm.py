"""SpectralNormalization as Keras computes it: python spectral_norm.py (writes beside itself). Layers with their gradients and what a call that
trains leaves in them, and five steps of a small net of them."""
from functools import partial

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(31)
layers_case = partial(golden.layers_case, random)


def spectral(layer, **config):
    return inner("SpectralNormalization", layer=layer, **config)


def zeros_case(name, x, layers):
    """The first layer's kernel begins with zeros, which stay."""
    started = golden.started

    def with_zeros(*arguments):
        model = started(*arguments)
        model.layers[0].layer.kernel.assign(np.zeros(model.layers[0].layer.kernel.shape))
        return model

    golden.started = with_zeros
    try:
        return layers_case(name, x, layers)
    finally:
        golden.started = started


def layer_cases():
    rows = random.uniform(-1, 1, (4, 5)).astype(np.float32)
    sequences = random.uniform(-1, 1, (3, 6, 3)).astype(np.float32)
    images = random.uniform(-1, 1, (2, 6, 5, 3)).astype(np.float32)
    volumes = random.uniform(-1, 1, (2, 4, 4, 3, 2)).astype(np.float32)
    dense = inner("Dense", units=4, activation="tanh")
    yield layers_case("Dense", rows, [spectral(dense)])
    yield layers_case("three powers", rows, [spectral(dense, power_iterations=3), spectral(inner("Dense", units=2), power_iterations=2)])
    yield layers_case("one column", rows, [spectral(inner("Dense", units=1))])
    yield layers_case("not training", rows, [spectral(dense)], training=False)
    # What is set on a layer that stands in its model already reaches the layer within; a constructor's argument doesn't, so both have it.
    frozen = inner("Dense", units=4, activation="tanh", trainable=False)
    yield layers_case("frozen", rows, [inner("Dense", units=5), spectral(frozen, trainable=False)])
    yield layers_case("frozen within", rows, [inner("Dense", units=5), spectral(inner("Dense", units=4, trainable=False))])
    yield zeros_case("zeros", rows, [spectral(dense), inner("Dense", units=2)])
    case = layers_case("EinsumDense", sequences, [spectral(inner("EinsumDense", equation="abc,cde->abde", output_shape=[None, 2, 4], bias_axes="e"))])
    case["layers"][0]["config"]["layer"]["config"]["output_shape"] = [-1, 2, 4]  # as a project has it
    yield case
    yield layers_case("Conv1D", sequences, [spectral(inner("Conv1D", filters=4, kernel_size=2))])
    yield layers_case("Conv1DTranspose", sequences, [spectral(inner("Conv1DTranspose", filters=4, kernel_size=2, strides=2))])
    yield layers_case("DepthwiseConv1D", sequences, [spectral(inner("DepthwiseConv1D", kernel_size=3, depth_multiplier=2))])
    yield layers_case("Conv2D", images, [spectral(inner("Conv2D", filters=4, kernel_size=3, padding="same", activation="relu"))])
    yield layers_case("Conv2DTranspose", images, [spectral(inner("Conv2DTranspose", filters=2, kernel_size=3), power_iterations=2)])
    yield layers_case("DepthwiseConv2D", images, [spectral(inner("DepthwiseConv2D", kernel_size=3))])
    yield layers_case("Conv3D", volumes, [spectral(inner("Conv3D", filters=3, kernel_size=2))])
    yield layers_case("Conv3DTranspose", volumes, [spectral(inner("Conv3DTranspose", filters=3, kernel_size=2))])
    yield layers_case("within another", rows, [inner("Residual", layers=[spectral(inner("Dense", units=5)), inner("Activation", activation="tanh")])])
    for sample, length in enumerate((6, 2, 4)):
        sequences[sample, length:] = 0
    yield layers_case("masked", sequences, [inner("Masking"), spectral(inner("Dense", units=4)), inner("SimpleRNN", units=2)])


def training_case():
    images = random.uniform(-1, 1, (8, 7, 7, 2)).astype(np.float32)
    layers = [spectral(inner("Conv2D", filters=4, kernel_size=3, activation="relu", kernel_regularizer=inner("L2", l2=0.01)), power_iterations=2),
              inner("GlobalAveragePooling2D"), spectral(inner("Dense", units=6, activation="tanh")), inner("Dense", units=3, activation="softmax")]
    model = golden.started(random, images, layers)
    before = [array(weight) for weight in model.weights]
    labels = random.integers(0, 3, 8).astype(np.int32)
    model.compile(keras.optimizers.SGD(0.05, momentum=0.9), keras.losses.SparseCategoricalCrossentropy())
    losses = [float(model.train_on_batch(images, labels)) for _ in range(5)]
    return {"name": "five steps", "layers": layers, "input": array(images), "ids": False, "labels": array(labels), "weights": before,
            "losses": losses, "weights_after": [array(weight) for weight in model.weights]}


write("spectral_norm.json", {"layers": list(layer_cases()), "training": training_case()})
