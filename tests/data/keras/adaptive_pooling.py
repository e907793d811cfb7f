"""The poolings whose windows adapt to the size of the result, as Keras computes them: python adaptive_pooling.py (writes beside itself)."""
import numpy as np

from golden import layer_case, write

random = np.random.default_rng(31)
SEQUENCES, IMAGES, VOLUMES = (2, 7, 3), (2, 7, 6, 3), (2, 5, 4, 7, 2)


def cases():
    for kind in ("Average", "Max"):
        for axes, shape, sizes in (("1D", SEQUENCES, (3, 7, 1, 9)), ("2D", IMAGES, ([3, 4], 2, [7, 3], [1, 1], [2, 8])),
                                   ("3D", VOLUMES, ([2, 3, 4], 2, [5, 2, 7], [5, 3, 4], [1, 4, 3]))):
            for size in sizes:
                # TensorFlow 2.21 gives memory that nobody wrote as the gradient of a maximum over the whole of a sequence or an image.
                if kind == "Max" and size in (1, [1, 1]):
                    continue
                class_name = f"Adaptive{kind}Pooling{axes}"
                yield layer_case(random, f"{class_name}({size})", class_name, shape, output_size=size)


write("adaptive_pooling.json", list(cases()))
