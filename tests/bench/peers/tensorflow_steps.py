"""TensorFlow: one training step as a graph (tf.function), or compiled by XLA, data resident in memory.

Keras builds the layers; the loop is the tightest that TensorFlow allows: gather, forward, backward, Adam in one call.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import models
import steps


def build(keras, name):
    layers = keras.layers
    model = models.MODELS[name]
    made = [keras.Input(model.shape, dtype="int32" if models.is_text(model) else "float32")]
    for layer in model.layers:
        kind = type(layer).__name__
        if kind == "Conv":
            made.append(layers.Conv2D(layer.filters, layer.size, padding=layer.padding, activation="relu"))
        elif kind == "Pool":
            made.append(layers.MaxPooling2D())
        elif kind == "Flatten":
            made.append(layers.Flatten())
        elif kind == "Dense":
            made.append(layers.Dense(layer.units, activation="relu" if layer.relu else None))
        elif kind == "Embedding":
            made.append(layers.Embedding(layer.words, layer.width))
        else:
            made.append(layers.LSTM(layer.units))
    return keras.Sequential(made)


def main():
    args = steps.parse(__doc__, ["graph", "xla"])
    import tensorflow as tf
    if args.threads:
        tf.config.threading.set_intra_op_parallelism_threads(args.threads)
        tf.config.threading.set_inter_op_parallelism_threads(args.threads)
    x, y = (tf.constant(v) for v in models.samples(args.model))
    text = models.is_text(models.MODELS[args.model])
    for mode in args.modes:
        for batch in args.batches:
            tf.random.set_seed(1)
            model, optimizer = build(tf.keras, args.model), tf.keras.optimizers.Adam()
            optimizer.build(model.trainable_variables)
            loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

            @tf.function(jit_compile=mode == "xla")
            def run(indices):
                v = tf.gather(x, indices)
                v = v if text else tf.cast(v, tf.float32) / 255
                with tf.GradientTape() as tape:
                    loss = loss_of(tf.gather(y, indices), model(v, training=True))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
                return loss

            steps.measure(args, f"TensorFlow {tf.__version__}", mode, batch, lambda i: run(tf.constant(i)).numpy())


if __name__ == "__main__":
    main()
