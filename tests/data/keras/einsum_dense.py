"""EinsumDense as Keras computes it, by equations that become one product: python einsum_dense.py (writes beside itself)."""
import numpy as np

from golden import layer_case, write

random = np.random.default_rng(35)


def cases():
    for shape, config in (
            ((3, 5), dict(equation="ab,bc->ac", output_shape=4, bias_axes="c")),
            ((3, 4, 5), dict(equation="abc,cd->abd", output_shape=[None, 6], bias_axes="d", activation="tanh")),
            ((3, 4, 5), dict(equation="...x,xy->...y", output_shape=6, bias_axes="y")),
            ((3, 5), dict(equation="...x,xy->...y", output_shape=2)),
            ((3, 4, 5), dict(equation="abc,cde->abde", output_shape=[None, 2, 3], bias_axes="de")),
            ((3, 4, 2, 3), dict(equation="abcd,cde->abe", output_shape=[None, 5], bias_axes="e")),
            ((3, 4, 5), dict(equation="abc,bd->acd", output_shape=[5, 2], bias_axes="d")),
            ((3, 4, 5), dict(equation="abc,bd->adc", output_shape=[6, None], bias_axes="d")),
            ((3, 4, 5), dict(equation="abc,cde->adbe", output_shape=[2, None, 3], bias_axes="de")),
            ((3, 4, 5), dict(equation="abc,cde->abed", output_shape=[4, 3, 2], bias_axes="d", activation="softmax")),
            ((3, 4, 5), dict(equation="abc,cd->abd", output_shape=[4, 2], bias_axes="b")),
            ((3, 4, 5, 2), dict(equation="ab...,bc->ac...", output_shape=3, bias_axes="c")),
            ((3, 4, 2), dict(equation="ab...,bcd->adc...", output_shape=[2, 3])),
            ((3, 2, 4, 5), dict(equation="...ab,bac->...c", output_shape=3, bias_axes="c")),
            ((3, 4), dict(equation="ab,c->abc", output_shape=[4, 3], bias_axes="bc")),
            ((3, 4, 5), dict(equation="abc,c->ab", output_shape=[4], bias_axes="b", activation="sigmoid"))):
        given = ", ".join(f"{name}={value}" for name, value in config.items())
        case = layer_case(random, f"EinsumDense({given})", "EinsumDense", shape, **config)
        sizes = config["output_shape"]
        case["config"]["output_shape"] = [-1 if size is None else size for size in sizes] if isinstance(sizes, list) else [sizes]
        yield case


write("einsum_dense.json", list(cases()))
