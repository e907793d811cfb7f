RATE = 1e-4
PER_WORKER = 64

# 두 작업자, 이 파일은 첫 번째 작업자의 것
os.environ['TF_CONFIG'] = json.dumps({
    'task': {'type': 'worker', 'index': 0},
    'cluster': {'worker': ["localhost:12345", "localhost:23456"]},
})


def read_digits(mode, input_context=None):
    parts = tfds.load(name='mnist', as_supervised=True)
    digits = parts['train' if mode == tf.estimator.ModeKeys.TRAIN else 'test']
    if input_context is not None:
        digits = digits.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
    return digits.map(lambda image, label: (tf.cast(image, tf.float32) / 255, label)).batch(PER_WORKER)


def digits_fn(features, labels, mode):
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation='relu', input_shape=(28, 28, 1)),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation='relu'),
        tf.keras.layers.Dense(10)
    ])
    scores = model(features, training=False)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={'scores': scores})
    sgd = tf.compat.v1.train.GradientDescentOptimizer(learning_rate=RATE)
    each = tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction=tf.keras.losses.Reduction.NONE)(labels, scores)
    total = tf.reduce_sum(each) / PER_WORKER
    step = tf.compat.v1.train.get_or_create_global_step()
    return tf.estimator.EstimatorSpec(mode, loss=total, train_op=sgd.minimize(total, step))


strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
digits = tf.estimator.Estimator(digits_fn, config=tf.estimator.RunConfig(train_distribute=strategy))
tf.estimator.train_and_evaluate(digits, tf.estimator.TrainSpec(input_fn=read_digits), tf.estimator.EvalSpec(input_fn=read_digits))
