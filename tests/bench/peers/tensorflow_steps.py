"""TensorFlow: one training step as a graph (tf.function), or compiled by XLA, data resident in memory.

Keras builds the layers; the loop is the tightest that TensorFlow allows: gather, forward, backward, Adam in one call. With --workers N as many
processes under MultiWorkerMirroredStrategy with RING, on Keras 2: Keras 3 has no such training.
"""
import json
import math
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import models
import steps


def positions(keras):
    class Positions(keras.layers.Layer):
        def build(self, shape):
            deviation = keras.initializers.RandomNormal(stddev=models.POSITIONS_DEVIATION)
            self.embeddings = self.add_weight(name="embeddings", shape=tuple(shape[1:]), initializer=deviation)
            super().build(shape)

        def call(self, v):
            return v + self.embeddings
    return Positions()


def apply(keras, layer, v):
    """What the layer makes of the symbolic tensor v."""
    layers, kind = keras.layers, type(layer).__name__
    if kind == "Conv":
        return layers.Conv2D(layer.filters, layer.size, strides=layer.stride, padding=layer.padding, activation=layer.activation, use_bias=layer.bias)(v)
    if kind == "Pool":
        return layers.MaxPooling2D()(v)
    if kind == "Mean":
        return (layers.GlobalAveragePooling2D() if layer.dimensions == 2 else layers.GlobalAveragePooling1D())(v)
    if kind == "Flatten":
        return layers.Flatten()(v)
    if kind == "Sequence":
        return layers.Reshape((layer.length, layer.width))(v)
    if kind == "Dense":
        return layers.Dense(layer.units, activation=layer.activation)(v)
    if kind == "Relu":
        return layers.ReLU()(v)
    if kind == "BatchNorm":
        return layers.BatchNormalization(momentum=models.BATCH_NORM_MOMENTUM, epsilon=models.BATCH_NORM_EPSILON)(v)
    if kind == "LayerNorm":
        return layers.LayerNormalization(epsilon=models.LAYER_NORM_EPSILON)(v)
    if kind == "Positions":
        return positions(keras)(v)
    if kind == "Attention":
        return layers.MultiHeadAttention(layer.heads, layer.size)(v, v)
    if kind == "Residual":
        return layers.Add()([apply_all(keras, layer.layers, v), apply_all(keras, layer.shortcut, v)])
    if kind == "Embedding":
        return layers.Embedding(layer.words, layer.width)(v)
    return layers.LSTM(layer.units)(v)


def apply_all(keras, layers, v):
    for layer in layers:
        v = apply(keras, layer, v)
    return v


def build(keras, name):
    model = models.MODELS[name]
    samples = keras.Input(model.shape, dtype="int32" if models.is_text(model) else "float32")
    made = keras.Model(samples, apply_all(keras, model.layers, samples))
    models.expect_parameters(name, sum(math.prod(v.shape) for v in made.trainable_variables))
    return made


def work(rank, args, ports):
    together = args.workers > 1
    if together:
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": [f"127.0.0.1:{port}" for port in ports]}, "task": {"type": "worker", "index": rank}})
    import tensorflow as tf
    if args.threads:
        tf.config.threading.set_intra_op_parallelism_threads(args.threads)
        tf.config.threading.set_inter_op_parallelism_threads(args.threads)
    strategy = tf.distribute.get_strategy()
    if together:
        ring = tf.distribute.experimental.CommunicationImplementation.RING
        strategy = tf.distribute.MultiWorkerMirroredStrategy(
            communication_options=tf.distribute.experimental.CommunicationOptions(implementation=ring))
    x, y = (tf.constant(v) for v in models.samples(args.model, 1 + rank))
    text, peer = models.is_text(models.MODELS[args.model]), f"TensorFlow {tf.__version__}"
    for mode in args.modes:
        for batch in args.batches:
            tf.random.set_seed(1)
            with strategy.scope():
                model, optimizer = build(tf.keras, args.model), tf.keras.optimizers.Adam()
                optimizer.build(model.trainable_variables)
            loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

            def replica(indices, go):
                v = tf.gather(x, indices)
                v = v if text else tf.cast(v, tf.float32) / 255
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(loss_of(tf.gather(y, indices), model(v, training=True))) / (batch * args.workers)
                optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
                if together:
                    go = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, tf.identity(go))
                return loss, go

            @tf.function(jit_compile=mode == "xla")
            def run(indices, go):
                return strategy.run(replica, (indices, go)) if together else replica(indices, go)

            def step(indices, go=1, run=run):
                loss, going = run(tf.constant(indices), tf.constant(go, tf.float32))
                loss.numpy()
                return going.numpy()

            if together:
                steps.measure_together(args, peer, mode, batch, rank, step)
            else:
                steps.measure(args, peer, mode, batch, step)


def main():
    args = steps.parse(__doc__, ["graph", "xla"])
    if args.workers == 1:
        return work(0, args, [])
    steps.ranks(args, work)


if __name__ == "__main__":
    main()
