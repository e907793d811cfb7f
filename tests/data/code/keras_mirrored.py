import os
import tensorflow as tf

mirrored = tf.distribute.MirroredStrategy()

with mirrored.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, input_shape=(28, 28, 1), activation='relu'),
        tf.keras.layers.MaxPooling2D(), tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(64, activation='relu'), tf.keras.layers.Dense(10, activation='softmax'),
    ])
    model.compile(optimizer=tf.keras.optimizers.Adam(), metrics=['accuracy'], loss='sparse_categorical_crossentropy')

# 가중치를 두는 곳
folder = './training_checkpoints'
name = os.path.join(folder, "ckpt_{epoch}")


# 세 단계로 내려가는 학습률
def rate_of(epoch):
    if epoch < 3:
        return 1e-3
    elif epoch >= 3 and epoch < 7:
        return 1e-4
    else:
        return 1e-5


class PrintLR(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rate = model.optimizer.lr.numpy()
        print('epoch', epoch + 1, '학습률', rate)


told = [tf.keras.callbacks.TensorBoard(log_dir='./logs'),
        tf.keras.callbacks.ModelCheckpoint(filepath=name, save_weights_only=True),
        tf.keras.callbacks.LearningRateScheduler(rate_of),
        PrintLR()]
model.fit(digits, callbacks=told, epochs=12)
