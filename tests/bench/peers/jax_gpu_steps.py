"""JAX on one GPU: all steps of a repeat in one jitted scan, XLA's best case. float32 is its highest matrix precision, tf32 its default; bfloat16
computes in bfloat16 with float32 weights. Adam is optax's."""
import gpu_steps
import jax_steps
import models


def main():
    args = gpu_steps.parse(__doc__, ["scan"])
    import jax
    import jax.numpy as jnp
    import optax
    if not any(device.platform == "gpu" for device in jax.devices()):
        raise SystemExit("jax sees no GPU")
    optimizer = optax.adam(1e-3)

    def make(name, batch, precision, mode):
        images, labels = (jax.device_put(part) for part in models.samples(name))
        order = jax.random.randint(jax.random.PRNGKey(3), (args.steps, batch), 0, models.SAMPLES)
        kind = jnp.bfloat16 if precision == "bfloat16" else jnp.float32

        def loss_of(params, v, t):
            cast = jax.tree.map(lambda w: w.astype(kind), params)
            out, statistics = jax_steps.forward(jax, jnp, name, cast, v.astype(kind) / 255)
            out, statistics = jax.tree.map(lambda value: value.astype(jnp.float32), (out, statistics))
            return optax.softmax_cross_entropy_with_integer_labels(out, t).mean(), statistics

        @jax.jit
        def steps(params, moving, state):
            def one(carry, index):
                params, moving, state = carry
                gradients, statistics = jax.grad(loss_of, has_aux=True)(params, images[index], labels[index])
                updates, state = optimizer.update(gradients, state)
                return (optax.apply_updates(params, updates), jax_steps.moved(jax, moving, statistics), state), None
            return jax.lax.scan(one, (params, moving, state), order)[0]

        params, moving = jax_steps.initial(jax, jnp, name)
        held = [params, moving, optimizer.init(params)]
        precise = "highest" if precision == "float32" else "default"

        def repeat():
            with jax.default_matmul_precision(precise):
                held[:] = steps(*held)
            jax.block_until_ready(held)
        return repeat

    gpu_steps.measure(args, f"JAX {jax.__version__}", make)


if __name__ == "__main__":
    main()
