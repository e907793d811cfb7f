"""JAX: one training step jitted whole (XLA), data resident in memory; with --workers N as many processes of one core with gradients averaged by
psum over Gloo. Adam is optax's."""
import os

import models
import steps


def initial(jax, jnp, name):
    model = models.MODELS[name]
    keys = iter(jax.random.split(jax.random.PRNGKey(1), 64))
    glorot, params = jax.nn.initializers.glorot_uniform(), []
    height, width, channels = model.shape if not models.is_text(model) else (0, 0, 0)
    flat = 0
    for layer in model.layers:
        kind = type(layer).__name__
        if kind == "Conv":
            params.append((glorot(next(keys), (layer.size, layer.size, channels, layer.filters)), jnp.zeros(layer.filters)))
            channels = layer.filters
            if layer.padding == "valid":
                height, width = height - layer.size + 1, width - layer.size + 1
        elif kind == "Pool":
            height, width = height // 2, width // 2
        elif kind == "Flatten":
            flat = height * width * channels
        elif kind == "Dense":
            params.append((glorot(next(keys), (flat, layer.units)), jnp.zeros(layer.units)))
            flat = layer.units
        elif kind == "Embedding":
            params.append((glorot(next(keys), (layer.words, layer.width)),))
            flat = layer.width
        else:
            params.append((glorot(next(keys), (flat, 4 * layer.units)), glorot(next(keys), (layer.units, 4 * layer.units)), jnp.zeros(4 * layer.units)))
            flat = layer.units
    return params


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


def forward(jax, jnp, name, params, v):
    weights = iter(params)
    for layer in models.MODELS[name].layers:
        kind = type(layer).__name__
        if kind == "Conv":
            w, b = next(weights)
            v = jax.nn.relu(jax.lax.conv_general_dilated(v, w, (1, 1), layer.padding.upper(), dimension_numbers=("NHWC", "HWIO", "NHWC")) + b)
        elif kind == "Pool":
            v = jax.lax.reduce_window(v, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        elif kind == "Flatten":
            v = v.reshape(v.shape[0], -1)
        elif kind == "Dense":
            w, b = next(weights)
            v = v @ w + b
            v = jax.nn.relu(v) if layer.relu else v
        elif kind == "Embedding":
            v = next(weights)[0][v]
        else:
            v = lstm(jax, jnp, next(weights), v)
    return v


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
        return optax.softmax_cross_entropy_with_integer_labels(forward(jax, jnp, args.model, params, v), t).mean()

    def step(params, state, v, t, go):
        loss, gradients = jax.value_and_grad(loss_of)(params, v, t)
        if args.workers > 1:
            gradients, go = jax.lax.pmean(gradients, "worker"), jax.lax.psum(go, "worker")
        updates, state = optimizer.update(gradients, state)
        return optax.apply_updates(params, updates), state, loss, go

    step = jax.pmap(step, "worker") if args.workers > 1 else jax.jit(step)
    lead = (lambda v: jnp.asarray(v)[None]) if args.workers > 1 else (lambda v: v)
    for batch in args.batches:
        params = initial(jax, jnp, args.model)
        state = jax.tree.map(lead, [params, optimizer.init(params)])

        def run(indices, go=1):
            state[0], state[1], loss, going = step(state[0], state[1], lead(x[indices]), lead(y[indices]), lead(jnp.float32(go)))
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
