"""Writes tiled_levels.json beside itself: what Keras' ContrastLimitedAdaptiveHistogramEqualization makes of images, in training as in predictions:
python tiled_levels.py (Keras 3.15 on TensorFlow 2.21). Its gradient is none."""
import golden
from golden import array, keras, np, tf, write

random = np.random.default_rng(5)
SHAPE = (2, 9, 7, 2)
parts = random.uniform(-0.1, 1.1, SHAPE)
images = {"bytes": 255 * parts, "parts": parts, "signed": 2 * parts - 1, "few": np.round(3 * parts) * 60 + 10, "one": np.full(SHAPE, 77.0)}
images["few"][0, :, :, 1] = 0
images = {name: np.float32(values) for name, values in images.items()}
cases = []


def add(name, **config):
    layer = keras.layers.ContrastLimitedAdaptiveHistogramEqualization(**config)
    x = tf.constant(images[name])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x, training=True)
    assert tape.gradient(y, x) is None
    assert np.array_equal(layer(x, training=False), y)
    cases.append({"images": name, "config": config, "output": array(y)})


add("bytes")
for grid in ([1, 1], [2, 3], [4, 7], [18, 14]):
    for limit in (0.0, 1.5, 40.0):
        add("bytes", tile_grid_size=grid, clip_limit=limit)
add("parts", value_range=[0.0, 1.0], tile_grid_size=[3, 2])
add("signed", value_range=[-0.6, 0.7], tile_grid_size=[2, 2], clip_limit=2.5)
add("few", tile_grid_size=[2, 2], clip_limit=-1.0)
add("few", tile_grid_size=[3, 3], clip_limit=60.0)
add("one", tile_grid_size=[2, 4])
write("tiled_levels.json", {"images": {name: array(values) for name, values in images.items()}, "cases": cases})
