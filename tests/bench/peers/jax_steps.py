"""JAX: one training step jitted whole (XLA), parameters donated, data resident in memory. Adam is optax's."""
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


def main():
    args = steps.parse(__doc__, ["jit"])
    import jax
    import jax.numpy as jnp
    import optax
    x, y = models.samples(args.model)
    text, optimizer = models.is_text(models.MODELS[args.model]), optax.adam(1e-3)

    def loss_of(params, v, t):
        v = v if text else v.astype(jnp.float32) / 255
        return optax.softmax_cross_entropy_with_integer_labels(forward(jax, jnp, args.model, params, v), t).mean()

    @jax.jit
    def step(params, state, v, t):
        loss, gradients = jax.value_and_grad(loss_of)(params, v, t)
        updates, state = optimizer.update(gradients, state)
        return optax.apply_updates(params, updates), state, loss

    for batch in args.batches:
        params = initial(jax, jnp, args.model)
        state = [params, optimizer.init(params)]

        def run(indices):
            state[0], state[1], loss = step(state[0], state[1], x[indices], y[indices])
            loss.block_until_ready()

        steps.measure(args, f"JAX {jax.__version__}", "jit", batch, run)


if __name__ == "__main__":
    main()
