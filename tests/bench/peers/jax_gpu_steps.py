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
            out = jax_steps.forward(jax, jnp, name, cast, v.astype(kind) / 255).astype(jnp.float32)
            return optax.softmax_cross_entropy_with_integer_labels(out, t).mean()

        @jax.jit
        def steps(params, state):
            def one(carry, index):
                params, state = carry
                gradients = jax.grad(loss_of)(params, images[index], labels[index])
                updates, state = optimizer.update(gradients, state)
                return (optax.apply_updates(params, updates), state), None
            return jax.lax.scan(one, (params, state), order)[0]

        params = jax_steps.initial(jax, jnp, name)
        held = [params, optimizer.init(params)]
        precise = "highest" if precision == "float32" else "default"

        def repeat():
            with jax.default_matmul_precision(precise):
                held[0], held[1] = steps(*held)
            jax.block_until_ready(held)
        return repeat

    gpu_steps.measure(args, f"JAX {jax.__version__}", make)


if __name__ == "__main__":
    main()
