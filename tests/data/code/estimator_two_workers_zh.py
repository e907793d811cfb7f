# 两个工作进程
os.environ['TF_CONFIG'] = json.dumps({
    'cluster': {'worker': ["localhost:12345", "localhost:23456"]},
    'task': {'type': 'worker', 'index': 0}
})
LEARNING_RATE = 1e-4


def model_fn(features, labels, mode):
  net = tf.keras.Sequential([
      tf.keras.layers.Conv2D(32, 3, activation='relu', input_shape=(28, 28, 1)), tf.keras.layers.MaxPooling2D(),
      tf.keras.layers.Flatten(),
      tf.keras.layers.Dense(64, activation='relu'), tf.keras.layers.Dense(10)])
  logits = net(features, training=False)
  optimizer = tf.compat.v1.train.GradientDescentOptimizer(learning_rate=LEARNING_RATE)
  losses = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=tf.keras.losses.Reduction.NONE)(labels, logits)
  mean = tf.reduce_mean(losses)
  return tf.estimator.EstimatorSpec(mode=mode, loss=mean, train_op=optimizer.minimize(mean))


workers = tf.distribute.experimental.MultiWorkerMirroredStrategy()
settings = tf.estimator.RunConfig(train_distribute=workers)
