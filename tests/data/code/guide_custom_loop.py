replicas = tf.distribute.MirroredStrategy()
with replicas.scope():
  line = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])
  sgd = tf.keras.optimizers.SGD()


@tf.function
def global_step(batch):
  def local_step(part):
    x, y = part
    with tf.GradientTape() as tape:
      each = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=line(x))
      total = tf.reduce_sum(each) * (1.0 / global_batch)
    sgd.apply_gradients(zip(tape.gradient(total, line.trainable_variables), line.trainable_variables))
    return each

  return replicas.reduce(tf.distribute.ReduceOp.MEAN, replicas.run(local_step, args=(batch,)), axis=0)
