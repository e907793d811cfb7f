#include "engine/spec/keras/tandem_classes.h"

#include <array>

namespace engine::spec {
namespace {

// The attributes have the names that Tandem's files give them.
constexpr std::string_view kResidual = R"py(@keras.saving.register_keras_serializable(package='tandem')
class Residual(layers.Layer):
    # The output of a chain of layers plus the input, or plus what the layers of the shortcut make of it.
    def __init__(self, layers, shortcut=None, **kwargs):
        super().__init__(**kwargs)
        self.layers = list(layers)
        self.shortcut = list(shortcut or [])
        for i, layer in enumerate(self.layers + self.shortcut):  # TensorFlow's checkpoints see attributes alone
            setattr(self, f'stage_{i}', layer)
            if not self.trainable:
                layer.trainable = False
        self.supports_masking = True

    def build(self, input_shape):
        for chain in [self.layers, self.shortcut]:
            shape = input_shape
            for layer in chain:
                if not layer.built:
                    layer.build(shape)
                shape = layer.compute_output_shape(shape)
        self.built = True

    def call(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)
        for layer in self.shortcut:
            x = layer(x)
        return x + y

    def compute_output_shape(self, input_shape):
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def get_config(self):
        config = super().get_config()
        for name in ['layers', 'shortcut']:
            config[name] = [keras.saving.serialize_keras_object(layer) for layer in getattr(self, name)]
        return config

    @classmethod
    def from_config(cls, config):
        for name in ['layers', 'shortcut']:
            config[name] = [keras.saving.deserialize_keras_object(layer) for layer in config.get(name) or []]
        return cls(**config)
)py";

constexpr std::string_view kSelfAttention = R"py(@keras.saving.register_keras_serializable(package='tandem')
class SelfAttention(layers.MultiHeadAttention):
    # The attention of a sequence to itself.
    def __init__(self, num_heads, key_dim, use_causal_mask=False, **kwargs):
        super().__init__(num_heads, key_dim, **kwargs)
        self.use_causal_mask = use_causal_mask

    def build(self, input_shape):
        super().build(input_shape, input_shape)
        for layer in [self.query_dense, self.key_dense, self.value_dense, self.output_dense]:
            layer.trainable = self.trainable

    def call(self, x, mask=None, training=None):
        return super().call(x, x, value_mask=mask, training=training, use_causal_mask=self.use_causal_mask)

    def compute_output_shape(self, input_shape):
        return input_shape

    def compute_output_spec(self, x, mask=None, training=None):
        return keras.KerasTensor(x.shape, dtype=self.compute_dtype)

    def get_config(self):
        config = super().get_config()
        for name in ['output_shape', 'attention_axes', 'activity_regularizer', 'sliding_window', 'use_gate']:
            config.pop(name, None)
        return {**config, 'use_causal_mask': self.use_causal_mask}
)py";

constexpr std::string_view kPositionEmbedding = R"py(@keras.saving.register_keras_serializable(package='tandem')
class PositionEmbedding(layers.Layer):
    # A trained value for each place of a sequence, added to it.
    def __init__(self, embeddings_initializer='glorot_uniform', embeddings_regularizer=None, embeddings_constraint=None, **kwargs):
        super().__init__(**kwargs)
        self.embeddings_initializer = keras.initializers.get(embeddings_initializer)
        self.embeddings_regularizer = keras.regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = keras.constraints.get(embeddings_constraint)
        self.supports_masking = True

    def build(self, input_shape):
        self.embeddings = self.add_weight(
            name='embeddings', shape=input_shape[1:], initializer=self.embeddings_initializer,
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint)

    def call(self, x):
        return x + self.embeddings

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        config = super().get_config()
        for name, kind in [('initializer', keras.initializers), ('regularizer', keras.regularizers), ('constraint', keras.constraints)]:
            config[f'embeddings_{name}'] = kind.serialize(getattr(self, f'embeddings_{name}'))
        return config
)py";

constexpr std::string_view kEqualization = R"py(@keras.saving.register_keras_serializable(package='tandem')
class Equalization(layers.Equalization):
    # Keras' own gives a model its input back in the place of an output, which the model takes for a cycle.
    def compute_output_spec(self, inputs, **kwargs):
        return keras.KerasTensor(inputs.shape, dtype=self.compute_dtype)
)py";

constexpr std::string_view kGeluApproximate = R"py(@keras.saving.register_keras_serializable(package='tandem')
def gelu_approximate(x):
    return keras.activations.gelu(x, approximate=True)
)py";

struct Row {
    std::string_view name, text;
};
constexpr std::array kRows{
    Row{"Residual", kResidual},         Row{"SelfAttention", kSelfAttention},      Row{"PositionEmbedding", kPositionEmbedding},
    Row{"Equalization", kEqualization}, Row{"gelu_approximate", kGeluApproximate},
};

}  // namespace

std::span<const std::string_view> tandemClasses() {
    static constexpr std::array kNames{kRows[0].name, kRows[1].name, kRows[2].name, kRows[3].name, kRows[4].name};
    return kNames;
}

std::string_view tandemClassText(std::string_view class_name) {
    for (const Row& row : kRows) {
        if (row.name == class_name) return row.text;
    }
    return {};
}

}  // namespace engine::spec
