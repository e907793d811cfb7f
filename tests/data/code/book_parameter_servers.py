import tensorflow as tf
import tensorflow.contrib.slim as slim

STEPS, BATCH = 5000, 50

(images, labels), _ = tf.keras.datasets.mnist.load_data()
images = images.reshape(-1, 784).astype('float32') / 255
labels = tf.keras.utils.to_categorical(labels, num_classes=10)  # 원-핫

# 매개변수 서버 하나, 작업자 셋
servers = ["localhost:2222"]
trainers = ["localhost:2223", "localhost:2224", "localhost:2225"]
cluster = tf.train.ClusterSpec({"ps": servers, "worker": trainers})
tf.app.flags.DEFINE_string("job_name", "", "ps, worker")
tf.app.flags.DEFINE_integer("task_index", 0, "which of them")
FLAGS = tf.app.flags.FLAGS
here = tf.train.Server(cluster, job_name=FLAGS.job_name, task_index=FLAGS.task_index)


def digits_net(pixels):
    out = tf.reshape(pixels, [-1, 28, 28, 1])
    out = slim.layers.conv2d(out, 32, [5, 5], scope='conv1')
    out = slim.layers.max_pool2d(out, [2, 2], scope='pool1')
    out = slim.layers.conv2d(out, 64, [5, 5], scope='conv2')
    out = slim.layers.max_pool2d(out, [2, 2], scope='pool2')
    out = slim.layers.flatten(out, scope='flatten')
    out = slim.layers.fully_connected(out, 500, scope='hidden')
    out = slim.layers.fully_connected(out, 10, activation_fn=None, scope='scores')
    return out


if FLAGS.job_name == "ps":
    here.join()
elif FLAGS.job_name == "worker":
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device="/job:worker/task:%d" % FLAGS.task_index)):
        count = tf.get_variable('global_step', [], initializer=tf.constant_initializer(0), trainable=False)
        pixels = tf.placeholder(tf.float32, shape=[None, 784], name="pixels")
        truth = tf.placeholder(tf.float32, shape=[None, 10], name="truth")
        scores = digits_net(pixels)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=truth, logits=scores))
        train = tf.train.AdamOptimizer(1e-4).minimize(loss, global_step=count)
    chief = tf.train.Supervisor(is_chief=FLAGS.task_index == 0, logdir="./logs", global_step=count)
    with chief.managed_session(here.target) as session:
        step = 0
        while step <= STEPS:
            _, step = session.run([train, count], feed_dict={pixels: images[:BATCH], truth: labels[:BATCH]})
