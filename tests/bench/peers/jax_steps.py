"""JAX: one training step jitted whole (XLA), data resident in memory; with --workers N as many processes of one core with gradients averaged by
psum over Gloo. Adam is optax's."""
import os

import models
import steps


def initial(jax, jnp, name):
    """Trained values in the layers' order, a tuple each, and the moving mean and variance of each BatchNorm."""
    model = models.MODELS[name]
    keys = iter(jax.random.split(jax.random.PRNGKey(1), 256))
    glorot, params, moving = jax.nn.initializers.glorot_uniform(), [], []

    def product(rows, columns):
        return glorot(next(keys), (rows, columns)), jnp.zeros(columns)

    def add(layers, shape):
        for layer in layers:
            kind, width = type(layer).__name__, shape[-1]
            if kind == "Conv":
                kernel = glorot(next(keys), (layer.size, layer.size, width, layer.filters))
                params.append((kernel, jnp.zeros(layer.filters)) if layer.bias else (kernel,))
            elif kind == "Dense":
                params.append(product(width, layer.units))
            elif kind in ("BatchNorm", "LayerNorm"):
                params.append((jnp.ones(width), jnp.zeros(width)))
                if kind == "BatchNorm":
                    moving.append((jnp.zeros(width), jnp.ones(width)))
            elif kind == "Positions":
                params.append((models.POSITIONS_DEVIATION * jax.random.normal(next(keys), shape),))
            elif kind == "Attention":
                inner = layer.heads * layer.size
                parts = [product(width, inner) for _ in range(3)]  # queries, keys and values by one product
                params.append((jnp.concatenate([w for w, _ in parts], 1), jnp.concatenate([b for _, b in parts]), *product(inner, width)))
            elif kind == "Residual":
                add(layer.layers, shape)
                add(layer.shortcut, shape)
            elif kind == "Embedding":
                params.append((glorot(next(keys), (layer.words, layer.width)),))
            elif kind == "Lstm":
                params.append((glorot(next(keys), (width, 4 * layer.units)), glorot(next(keys), (layer.units, 4 * layer.units)),
                               jnp.zeros(4 * layer.units)))
            shape = models.output_shape(layer, shape)

    add(model.layers, model.shape)
    models.expect_parameters(name, sum(leaf.size for leaf in jax.tree.leaves(params)))
    return params, moving


def lstm(jax, jnp, weights, v):
    kernel, recurrent, bias = weights
    units = recurrent.shape[0]
    inputs = (v @ kernel + bias).swapaxes(0, 1)

    def one(carry, gates):
        h, c = carry
        i, f, g, o = jnp.split(gates + h @ recurrent, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
    zeros = jnp.zeros((v.shape[0], units))
    return jax.lax.scan(one, (zeros, zeros), inputs)[0][0]


def attention(jax, jnp, layer, weights, v):
    w, b, joining, offset = weights
    items, time, _ = v.shape
    query, key, value = jnp.moveaxis((v @ w + b).reshape(items, time, 3, layer.heads, layer.size), 2, 0)
    scores = jnp.einsum("ntha,nsha->nhts", query, key) / layer.size ** 0.5
    sums = jnp.einsum("nhts,nsha->ntha", jax.nn.softmax(scores), value)
    return sums.reshape(items, time, layer.heads * layer.size) @ joining + offset


def normalized(jax, weights, v, axes, epsilon):
    """v with mean 0 and variance 1 over the axes, scaled and moved, and the two."""
    scale, offset = weights
    mean, variance = v.mean(axes, keepdims=True), v.var(axes, keepdims=True)
    return (v - mean) * jax.lax.rsqrt(variance + epsilon) * scale + offset, mean, variance


def forward(jax, jnp, name, params, v):
    """The logits, and the mean and variance of the batch of each BatchNorm."""
    weights, statistics = iter(params), []
    activations = {"relu": jax.nn.relu, "gelu": lambda value: jax.nn.gelu(value, approximate=False), "linear": lambda value: value}

    def one(layer, v):
        kind = type(layer).__name__
        if kind == "Conv":
            w, *b = next(weights)
            v = jax.lax.conv_general_dilated(v, w, (layer.stride, layer.stride), layer.padding.upper(), dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return activations[layer.activation](v + b[0] if b else v)
        if kind == "Pool":
            return jax.lax.reduce_window(v, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        if kind == "Mean":
            return v.mean((1, 2) if layer.dimensions == 2 else 1)
        if kind == "Flatten":
            return v.reshape(v.shape[0], -1)
        if kind == "Sequence":
            return v.reshape(v.shape[0], layer.length, layer.width)
        if kind == "Dense":
            w, b = next(weights)
            return activations[layer.activation](v @ w + b)
        if kind == "Relu":
            return jax.nn.relu(v)
        if kind == "BatchNorm":
            v, mean, variance = normalized(jax, next(weights), v, (0, 1, 2), models.BATCH_NORM_EPSILON)
            statistics.append((mean.reshape(-1), variance.reshape(-1)))
            return v
        if kind == "LayerNorm":
            return normalized(jax, next(weights), v, -1, models.LAYER_NORM_EPSILON)[0]
        if kind == "Positions":
            return v + next(weights)[0]
        if kind == "Attention":
            return attention(jax, jnp, layer, next(weights), v)
        if kind == "Residual":
            main = through(layer.layers, v)
            return main + through(layer.shortcut, v)
        if kind == "Embedding":
            return next(weights)[0][v]
        return lstm(jax, jnp, next(weights), v)

    def through(layers, v):
        for layer in layers:
            v = one(layer, v)
        return v

    return through(models.MODELS[name].layers, v), statistics


def moved(jax, moving, statistics):
    """The moving averages after a batch."""
    momentum = models.BATCH_NORM_MOMENTUM
    return jax.tree.map(lambda old, new: momentum * old + (1 - momentum) * new, moving, statistics)


def work(rank, args, ports):
    if args.workers > 1 and args.threads == 1:
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[rank % len(cores)]})
    import jax
    import jax.numpy as jnp
    import optax
    if args.workers > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(f"127.0.0.1:{ports[0]}", args.workers, rank)
    x, y = models.samples(args.model, 1 + rank)
    text, optimizer, peer = models.is_text(models.MODELS[args.model]), optax.adam(1e-3), f"JAX {jax.__version__}"

    def loss_of(params, v, t):
        v = v if text else v.astype(jnp.float32) / 255
        logits, statistics = forward(jax, jnp, args.model, params, v)
        return optax.softmax_cross_entropy_with_integer_labels(logits, t).mean(), statistics

    def step(params, moving, state, v, t, go):
        (loss, statistics), gradients = jax.value_and_grad(loss_of, has_aux=True)(params, v, t)
        if args.workers > 1:
            gradients, go = jax.lax.pmean(gradients, "worker"), jax.lax.psum(go, "worker")
        updates, state = optimizer.update(gradients, state)
        return optax.apply_updates(params, updates), moved(jax, moving, statistics), state, loss, go

    step = jax.pmap(step, "worker") if args.workers > 1 else jax.jit(step)
    lead = (lambda v: jnp.asarray(v)[None]) if args.workers > 1 else (lambda v: v)
    for batch in args.batches:
        params, moving = initial(jax, jnp, args.model)
        state = jax.tree.map(lead, [params, moving, optimizer.init(params)])

        def run(indices, go=1):
            *state[:], loss, going = step(*state, lead(x[indices]), lead(y[indices]), lead(jnp.float32(go)))
            loss.block_until_ready()
            return float(going.addressable_data(0).reshape(())) if args.workers > 1 else 0

        if args.workers > 1:
            steps.measure_together(args, peer, "jit", batch, rank, run)
        else:
            steps.measure(args, peer, "jit", batch, run)


def main():
    args = steps.parse(__doc__, ["jit"])
    if args.workers == 1:
        return work(0, args, [])
    steps.ranks(args, work)


if __name__ == "__main__":
    main()
