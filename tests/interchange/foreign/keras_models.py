"""keras_models.py FOLDER: models of Keras as tf2onnx writes them, with an input (NAME.x.npy) and what onnxruntime makes of the file
(NAME.theirs.npy)."""
import os
import sys

os.environ.update(CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="3")
import keras
import numpy as np
import onnxruntime
import tensorflow as tf
import tf2onnx
from keras import layers


def models():
    keras.utils.set_random_seed(3)
    yield "mlp", keras.Sequential([keras.Input((28, 28, 1)), layers.Flatten(), layers.Dense(32, "relu"), layers.Dropout(0.5), layers.Dense(10, "softmax")])
    yield "cnn", keras.Sequential([keras.Input((28, 28, 1)), layers.Conv2D(6, 3, activation="relu"), layers.MaxPooling2D(), layers.Conv2D(8, 3, padding="same"),
                                   layers.BatchNormalization(), layers.ReLU(), layers.AveragePooling2D(2), layers.Flatten(), layers.Dense(16, "relu"), layers.Dense(10)])
    yield "depthwise", keras.Sequential([keras.Input((9, 8, 3)), layers.SeparableConv2D(5, 3), layers.LeakyReLU(), layers.DepthwiseConv2D(3, padding="same"),
                                         layers.GlobalAveragePooling2D(), layers.Dense(4, "sigmoid")])
    yield "sequence", keras.Sequential([keras.Input((10, 3)), layers.Conv1D(5, 3, padding="same", activation="tanh"), layers.MaxPooling1D(), layers.Flatten(),
                                        layers.Dense(4)])
    yield "lstm", keras.Sequential([keras.Input((7, 4)), layers.LSTM(5, return_sequences=True), layers.LSTM(3), layers.Dense(2)])
    yield "gru", keras.Sequential([keras.Input((6, 4)), layers.GRU(5), layers.Dense(2)])
    yield "words", keras.Sequential([keras.Input((6,)), layers.Embedding(20, 4), layers.GRU(3), layers.Dense(2)])


def main(folder):
    generator = np.random.default_rng(5)
    for name, model in models():
        shape = model.input_shape[1:]
        x = generator.integers(0, 20, (2,) + shape) if name == "words" else generator.random((2,) + shape) - 0.5
        x = x.astype(np.float32)
        file = f"{folder}/keras_{name}.onnx"
        try:
            function = tf.function(lambda x, model=model: model(x, training=False), input_signature=[tf.TensorSpec((None,) + shape, tf.float32)])
            tf2onnx.convert.from_function(function, [tf.TensorSpec((None,) + shape, tf.float32)], opset=17, output_path=file)
            session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
        except Exception as error:  # an exporter that can't: nothing to read
            print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        np.save(file[:-5] + ".x.npy", x)
        np.save(file[:-5] + ".theirs.npy", session.run(None, {session.get_inputs()[0].name: x})[0].astype(np.float32))


main(sys.argv[1])
