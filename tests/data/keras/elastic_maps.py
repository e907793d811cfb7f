"""Writes elastic_maps.json beside itself: what Keras' RandomElasticTransform makes of images by normal numbers that are given, and the gradients.

python elastic_maps.py (Keras 3.15 on TensorFlow 2.21). The numbers take the place of those that TensorFlow would draw, for rows and columns
alike; `scale` is the number that the layer would draw for the batch, `changes` tells which images it would change.
"""
import golden
from golden import array, keras, np, tf, write

random = np.random.default_rng(11)
SHAPE = (2, 7, 9, 2)
images = random.uniform(0, 1, SHAPE).astype(np.float32)
normals = random.normal(size=SHAPE[:3]).astype(np.float32)
r = random.uniform(-1, 1, SHAPE).astype(np.float32)
drawn = []


def given_normal(shape, mean=0.0, stddev=1.0, dtype=tf.float32, seed=None, **_):
    assert tuple(shape) == normals.shape and (mean, stddev) == (0.0, 1.0)
    drawn.append(seed)
    return tf.constant(normals, dtype)


tf.random.stateless_normal = given_normal
cases = []


def add(scale, changes=(True, True), **config):
    config = {"value_range": [0.0, 1.0], **config}
    layer = keras.layers.RandomElasticTransform(seed=3, **config)
    x = tf.constant(images)
    transformation = {"apply_transform": tf.constant(changes), "distortion_factor": tf.constant(scale, tf.float32), "seed": layer.generator}
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer.transform_images(x, transformation, training=True)
        loss = tf.reduce_sum(y * r)
    assert np.array_equal(drawn[-1], drawn[-2])  # one seed for rows and columns
    cases.append({"config": config, "scale": scale, "changes": list(changes), "output": array(y), "gradient": array(tape.gradient(loss, x))})


for interpolation in ("bilinear", "nearest"):
    for fill_mode in ("reflect", "constant", "wrap", "nearest"):
        add(6.0, interpolation=interpolation, fill_mode=fill_mode, fill_value=0.25)
    add(1.0, interpolation=interpolation)
add(9.0, (False, True), value_range=[0.2, 0.7])
add(0.4, (True, False), fill_mode="constant", value_range=[-1.0, 2.0])
write("elastic_maps.json", {"images": array(images), "normals": array(normals), "r": array(r), "cases": cases})
