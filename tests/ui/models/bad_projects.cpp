#include "bad_projects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/cluster_text.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/project/setting.h"
#include "engine/spec/validate/sample_check.h"
#include "engine/spec/validate/validate.h"
#include "engine/spec/validate/vocabulary_room.h"

namespace ui::models {
namespace {

using namespace engine::spec;

constexpr const char* kOne = "mnist_mirrored";
constexpr const char* kTwo = "mnist_multi_worker";
constexpr const char* kServers = "book_parameter_servers";
constexpr const char* kEstimator = "tutorial_estimator";
// Models with scores of classes at each time.
constexpr const char* kSequences = R"(model={"input_shape":[6,3],"layers":[{"class_name":"Dense","name":"dense","config":{"units":5}}]})";
constexpr const char* kMaskedSequences = R"(model={"input_shape":[6,3],"layers":[{"class_name":"Masking","name":"masking","config":{}},)"
                                         R"({"class_name":"Dense","name":"dense","config":{"units":5,"activation":"softmax"}}]})";

struct Edit {
    const char* project;
    std::vector<const char*> settings;  // one after the other, as --set takes them
};

const Edit kOfModel[] = {
    {kOne, {"model.layers=[]"}},
    {kOne, {"model.layers=3"}},
    {kOne, {"model.layers=[3]"}},
    {kOne, {R"(model.layers=[{"class_name":"Flatten"},{"class_name":"Dense","config":{"units":10,"trainable":false}}])"}},
    {kOne, {"model.input_shape=[]"}},
    {kOne, {"model.input_shape=28"}},
    {kOne, {"model.input_shape=[0,28,1]"}},
    {kOne, {"model.input_shape=[1048576,1048576,3]"}},
    {kOne, {R"(model={"input_shape":[1048576],"layers":[{"class_name":"Dense","config":{"units":1048576}}]})"}},
    {kOne, {"model.input_dtype=float16"}},
    {kOne, {"model.input_dtype=string"}},
    {kOne,
     {R"(model={"input_shape":[1],"input_dtype":"string","layers":[{"class_name":"StringLookup"},{"class_name":"Dense","config":{"units":10}}]})"}},
    {kOne, {"model.dtype_policy=mixed_float16", R"(strategy.devices=["CPU:0"])"}},
    {kOne, {"model.dtype_policy=float16"}},
    {kOne, {"model.layers[1].class_name=MaxPoolling2D"}},
    {kOne, {"model.layers[2].config={\"rate\":1}"}},
    {kOne, {"model.layers[4].name=dense"}},
    {kOne, {"model.layers[4].name=a b"}},
    {kOne, {"model.layers[3].units=-3"}},
    {kOne, {"model.layers[3].unit=3"}},
    {kOne, {"model.layers[3].config={}"}},
    {kOne, {"model.layers[3].trainable=1"}},
    {kOne, {"model.layers[0].kernel_size=[1,\"a\"]"}},
    {kOne, {"model.layers[0].kernel_size=0"}},
    {kOne, {"model.layers[0].kernel_size=29"}},
    {kOne, {"model.layers[0].kernel_size=[1,29]"}},
    {kOne, {R"(model.layers[0].config={"filters":10,"kernel_size":3,"groups":4})"}},
    {kOne, {R"(model.layers[0].config={"filters":10,"kernel_size":3,"strides":2,"dilation_rate":2})"}},
    {kOne, {R"(model.layers[3].kernel_initializer={"class_name":"RandomUniform","config":{"minval":"x","seed":1.5}})"}},
    {kOne, {R"(model.layers[3].kernel_initializer={"class_name":"VarianceScaling","config":{"scale":0}})"}},
    {kOne, {R"(model.layers[3].kernel_initializer={"class_name":"Nonsense"})"}},
    {kOne, {R"(model.layers[3].kernel_initializer=3)"}},
    {kOne, {R"(model.layers[3].bias_initializer="orthogonal")"}},
    {kOne, {R"(model.layers[0].kernel_initializer="identity")"}},
    {kOne, {R"(model.layers[3].bias_constraint={"class_name":"UnitNorm","config":{"axis":1}})"}},
    {kOne, {"model.layers[3].activation=rleu"}},
};

// The first layers of a model, and the shape of their input.
const std::pair<const char*, const char*> kLayers[] = {
    {"[]", R"({"class_name":"Dense","config":{"units":3}})"},
    {"[4,3]", R"({"class_name":"Identity","config":{"speed":3}})"},
    {"[4,3]", R"({"class_name":"PReLU","config":{"shared_axes":[1,3]}})"},
    {"[4,3]", R"({"class_name":"PReLU","config":{"shared_axes":"a"}})"},
    {"[4,3]", R"({"class_name":"Softmax","config":{"axis":3}})"},
    {"[3,6,4]", R"({"class_name":"Conv2D","config":{"filters":2,"kernel_size":2,"data_format":"channels_first","activation":"softmax"}})"},
    {"[4,2]", R"({"class_name":"Masking"},{"class_name":"Softmax"})"},
    {"[4,3]", R"({"class_name":"BatchNormalization","config":{"axis":0}})"},
    {"[4,3]", R"({"class_name":"CategoryEncoding","config":{"num_tokens":5}})"},
    {"[4,3]", R"({"class_name":"CategoryEncoding","config":{"num_tokens":5,"output_mode":"one_hot","sparse":true}})"},
    {"[4]", R"({"class_name":"Discretization","config":{"bin_boundaries":[1,0]}})"},
    {"[4]", R"({"class_name":"Discretization","config":{"bin_boundaries":[]}})"},
    {"[4]", R"({"class_name":"Discretization","config":{"bin_boundaries":[0,1],"num_bins":3}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[]}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"max_tokens":2,"num_oov_indices":2}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"max_tokens":9,"output_mode":"count"}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"output_mode":"tf_idf"}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"idf_weights":[1.5,2]}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"salt":[1,2]}})"},
    {"[4]", R"({"class_name":"Softmax"},{"class_name":"Discretization","config":{"num_bins":3}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5,3]}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"max_tokens":2}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"pad_to_max_tokens":true}})"},
    {"[4]", R"({"class_name":"IntegerLookup","config":{"vocabulary":[3,5],"invert":true,"output_mode":"count"}})"},
    {"[4]", R"({"class_name":"Hashing","config":{"num_bins":5,"salt":[1,2,3]}})"},
    {"[4]", R"({"class_name":"Hashing","config":{"num_bins":5,"output_mode":"one_hot"}})"},
    {"[4]", R"({"class_name":"Softmax"},{"class_name":"CategoryEncoding","config":{"num_tokens":5}})"},
    {"[4]", R"({"class_name":"TextVectorization","config":{"output_sequence_length":4}})"},
    {"[1]", R"({"class_name":"TextVectorization"})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_mode":"count"}})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_mode":"count","output_sequence_length":4}})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_sequence_length":4,"vocabulary":["a","a"]}})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_sequence_length":4,"vocabulary":["a","b"],"max_tokens":3}})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_sequence_length":4,"max_tokens":2}})"},
    {"[1]", R"({"class_name":"TextVectorization","config":{"output_sequence_length":4,"ragged":true}})"},
    {"[1]", R"({"class_name":"StringLookup","config":{"output_mode":"tf_idf","vocabulary":["a","b"]}})"},
    {"[1]", R"({"class_name":"StringLookup","config":{"idf_weights":[0.5,1]}})"},
    {"[1]", R"({"class_name":"StringLookup","config":{"salt":[1,2,3]}})"},
    {"[4]", R"({"class_name":"Softmax"},{"class_name":"StringLookup"})"},
    {"[4,3]", R"({"class_name":"Residual","config":{"layers":[{"class_name":"StringLookup","config":{}}]}})"},
    {"[4,3]", R"({"class_name":"Normalization","config":{"axis":0}})"},
    {"[4,3,2]", R"({"class_name":"Normalization","config":{"axis":[1,3]}})"},
    {"[4,3]", R"({"class_name":"Normalization","config":{"mean":0.5}})"},
    {"[4,3]", R"({"class_name":"Normalization","config":{"mean":[1,2],"variance":1}})"},
    {"[4,3]", R"({"class_name":"Normalization","config":{"axis":[],"mean":[1,2],"variance":[1,2]}})"},
    {"[4,3]", R"({"class_name":"Normalization","config":{"mean":[1,2,3],"variance":1}})"},
    {"[4,3]", R"({"class_name":"Softmax"},{"class_name":"Normalization"})"},
    {"[4,3]", R"({"class_name":"Residual","config":{"layers":[{"class_name":"Normalization","config":{}}]}})"},
    {"[4,3]", R"({"class_name":"LayerNormalization","config":{"axis":[1,1]}})"},
    {"[4,3]", R"({"class_name":"RMSNormalization","config":{"axis":1}})"},
    {"[4,3]", R"({"class_name":"LayerNormalization","config":{"axis":[0,1]}})"},
    {"[4,3]", R"({"class_name":"LayerNormalization","config":{"rms_scaling":true}})"},
    {"[4,6]", R"({"class_name":"GroupNormalization","config":{"groups":4}})"},
    {"[4]", R"({"class_name":"SimpleRNN","config":{"units":3}})"},
    {"[4,2]", R"({"class_name":"Bidirectional","config":{"layer":"LSTM"}})"},
    {"[4,2]", R"({"class_name":"Bidirectional"})"},
    {"[4,2]", R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":0}}}})"},
    {"[4,2]",
     R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":3}},"backward_layer":{"class_name":"LSTM","config":{"units":3}}}})"},
    {"[4,2]",
     R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":3,"go_backwards":true}},"backward_layer":{"class_name":"LSTM","config":{"units":3,"go_backwards":true}}}})"},
    {"[4,2]",
     R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":3}},"merge_mode":"sum","backward_layer":{"class_name":"GRU","config":{"units":2,"go_backwards":true}}}})"},
    {"[4,2]",
     R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":3}},"backward_layer":{"class_name":"LSTM","config":{"units":3,"go_backwards":true,"return_sequences":true}}}})"},
    {"[4,2]",
     R"({"class_name":"Bidirectional","config":{"layer":{"class_name":"LSTM","config":{"units":3,"activity_regularizer":{"class_name":"L2","config":{}}}}}})"},
    {"[4,2]", R"({"class_name":"LSTMCell","config":{"units":3}})"},
    {"[4,2]", R"({"class_name":"RNN"})"},
    {"[4,2]", R"({"class_name":"RNN","config":{"cell":[]}})"},
    {"[4,2]",
     R"({"class_name":"RNN","config":{"cell":[{"class_name":"GRUCell","config":{"units":3}},{"class_name":"LSTM","config":{}}]}})"},
    {"[4,2]", R"({"class_name":"RNN","config":{"cell":{"class_name":"GRUCell","config":{"units":0}}}})"},
    {"[4,2]", R"({"class_name":"RNN","config":{"cell":{"class_name":"GRUCell","config":{"units":3}},"stateful":true}})"},
    {"[4]", R"({"class_name":"TimeDistributed","config":{"layer":{"class_name":"Dense","config":{"units":3}}}})"},
    {"[4,2]", R"({"class_name":"TimeDistributed","config":{"layer":{"class_name":"BatchNormalization","config":{}}}})"},
    {"[5,4,2]",
     R"({"class_name":"Masking"},{"class_name":"TimeDistributed","config":{"layer":{"class_name":"LSTM","config":{"units":3}}}},{"class_name":"GRU","config":{"units":3}})"},
    {"[5,4,2]",
     R"({"class_name":"Masking"},{"class_name":"TimeDistributed","config":{"layer":{"class_name":"LSTM","config":{"units":3}}}},{"class_name":"Dense","config":{"units":3}})"},
    {"[4,2]", R"({"class_name":"SpectralNormalization","config":{"layer":{"class_name":"LSTM","config":{"units":3}}}})"},
    {"[4,2]", R"({"class_name":"SpectralNormalization","config":{"layer":{"class_name":"Dense","config":{"units":0}}}})"},
    {"[8,8,4]", R"({"class_name":"Residual","config":{"layers":[]}})"},
    {"[8,8,4]", R"({"class_name":"Residual","config":{"layers":3}})"},
    {"[8,8,4]", R"({"class_name":"Residual","config":{"layers":[{"class_name":"Masking","config":{}}]}})"},
    {"[8,8,4]", R"({"class_name":"Residual","config":{"layers":[{"class_name":"Conv2D","config":{"filters":0,"kernel_size":3}}]}})"},
    {"[8,8,4]", R"({"class_name":"Residual","config":{"layers":[{"class_name":"Conv2D","config":{"filters":6,"kernel_size":3}}]}})"},
    {"[4]",
     R"({"class_name":"Residual","config":{"layers":[{"class_name":"Dense","config":{"units":6}}],"shortcut":[{"class_name":"Dense","config":{"units":5}}]}})"},
    {"[4,3]",
     R"({"class_name":"Residual","config":{"layers":[{"class_name":"TimeDistributed","config":{"layer":{"class_name":"Embedding","config":{"input_dim":3,"output_dim":4}}}}]}})"},
    {"[4,3]",
     R"({"class_name":"Masking"},{"class_name":"Residual","config":{"layers":[{"class_name":"Conv1D","config":{"filters":3,"kernel_size":1}}]}})"},
    {"[1048576,1024,4]",
     R"({"class_name":"Residual","config":{"layers":[{"class_name":"UpSampling2D","config":{"size":1048576}},{"class_name":"GlobalMaxPooling2D","config":{}}]}})"},
    {"[4,4,3]", R"({"class_name":"SelfAttention","config":{"num_heads":2,"key_dim":3}})"},
    {"[4,3]", R"({"class_name":"SelfAttention","config":{"num_heads":1048576,"key_dim":3}})"},
    {"[4,3]", R"({"class_name":"SelfAttention","config":{"num_heads":2,"key_dim":3,"dropout":1}})"},
    {"[4]", R"({"class_name":"PositionEmbedding"})"},
    {"[4,2]", R"({"class_name":"Dense","config":{"units":3}},{"class_name":"Embedding","config":{"input_dim":9,"output_dim":3}})"},
    {"[6,6,1]", R"({"class_name":"Conv2DTranspose","config":{"filters":3,"kernel_size":2,"output_padding":1}})"},
    {"[1,1,1]",
     R"({"class_name":"Conv2DTranspose","config":{"filters":3,"kernel_size":2,"strides":2,"padding":"same","output_padding":0}})"},
    {"[6,6,1]", R"({"class_name":"ZeroPadding2D","config":{"padding":[1,2,3]}})"},
    {"[6,1]", R"({"class_name":"ZeroPadding1D","config":{"padding":[1,2,3]}})"},
    {"[6,6,1]", R"({"class_name":"Cropping2D","config":{"cropping":3}})"},
    {"[6,6,1]", R"({"class_name":"RandomZoom","config":{"height_factor":[-1,0.1]}})"},
    {"[6,6,1]", R"({"class_name":"Resizing","config":{"height":3,"width":3,"antialias":true}})"},
    {"[6,6,1]", R"({"class_name":"Resizing","config":{"height":3,"width":3,"crop_to_aspect_ratio":true,"pad_to_aspect_ratio":true}})"},
    {"[6,6,1]", R"({"class_name":"RandomErasing","config":{"fill_value":[1,2,3]}})"},
    {"[6,6,1]", R"({"class_name":"RandomContrast","config":{"factor":0.1,"value_range":[1,0]}})"},
    {"[6,6,1]", R"({"class_name":"RandomGaussianBlur","config":{"kernel_size":[3,4]}})"},
    {"[6,6,1]", R"({"class_name":"RandomGaussianBlur","config":{"sigma":[2,3]}})"},
    {"[6,6,1]", R"({"class_name":"ContrastLimitedAdaptiveHistogramEqualization","config":{"tile_grid_size":4}})"},
    {"[6,6,1]", R"({"class_name":"ContrastLimitedAdaptiveHistogramEqualization","config":{"tile_grid_size":[13,4]}})"},
    {"[6,6,1]", R"({"class_name":"RandomElasticTransform","config":{"scale":[2,3]}})"},
    {"[6,6,2]", R"({"class_name":"RandomHue","config":{"factor":0.1}})"},
    {"[6,6,2]", R"({"class_name":"RandomGrayscale","config":{"factor":0.1}})"},
    {"[9,1]", R"({"class_name":"STFTSpectrogram","config":{"frame_length":4,"frame_step":5}})"},
    {"[9,1]", R"({"class_name":"STFTSpectrogram","config":{"frame_length":4,"fft_length":3}})"},
    {"[9,1]", R"({"class_name":"MelSpectrogram"})"},
    {"[9]", R"({"class_name":"MelSpectrogram","config":{"fft_length":4,"sequence_length":5}})"},
    {"[9]", R"({"class_name":"MelSpectrogram","config":{"fft_length":18}})"},
    {"[9]", R"({"class_name":"MelSpectrogram","config":{"fft_length":4,"min_freq":8000}})"},
    {"[9]", R"({"class_name":"MelSpectrogram","config":{"fft_length":4,"sequence_stride":5}})"},
    {"[4,2]", R"({"class_name":"Dropout","config":{"rate":0.5,"noise_shape":[3,3,3]}})"},
    {"[4]", R"({"class_name":"GaussianDropout","config":{"rate":1}})"},
    {"[4]", R"({"class_name":"Masking"})"},
    {"[4,3]", R"({"class_name":"Permute","config":{"dims":[1,1]}})"},
    {"[4,3]", R"({"class_name":"RepeatVector","config":{"n":2}})"},
    {"[4,3]", R"({"class_name":"Reshape","config":{"target_shape":[5]}})"},
    {"[4]", R"({"class_name":"Conv1D","config":{"filters":3,"kernel_size":2}})"},
    {"[8,8,4]", R"({"class_name":"Conv3D","config":{"filters":2,"kernel_size":3}})"},
    {"[8,4]", R"({"class_name":"ConvLSTM1D","config":{"filters":2,"kernel_size":3}})"},
    {"[8,4]", R"({"class_name":"ConvLSTM2D","config":{"filters":2,"kernel_size":3}})"},
    {"[8,4]", R"({"class_name":"ConvLSTM3D","config":{"filters":2,"kernel_size":3}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd","output_shape":[null,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abb,bd->abd","output_shape":[null,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd->bad","output_shape":[null,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,bcd->abd","output_shape":[null,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,dc->abd","output_shape":[null,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"ab,bc->ac","output_shape":[3]}})"},
    {"[4]", R"({"class_name":"EinsumDense","config":{"equation":"...abc,cd->...abd","output_shape":[1,1,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd->abd","output_shape":[3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd->abd","output_shape":[-1,-1]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd->abd","output_shape":[5,3]}})"},
    {"[4,2]", R"({"class_name":"EinsumDense","config":{"equation":"abc,cd->abd","output_shape":[4,3],"bias_axes":"c"}})"},
    {"[8,8,8,4]", R"({"class_name":"Conv3D","config":{"filters":2,"kernel_size":[9,1,1]}})"},
    {"[8,8,8,4]", R"({"class_name":"Conv3D","config":{"filters":2,"kernel_size":[3,3]}})"},
    {"[8,8,8,4]", R"({"class_name":"ZeroPadding3D","config":{"padding":[1,2,3,4]}})"},
    {"[1,4]", R"({"class_name":"Conv1DTranspose","config":{"filters":3,"kernel_size":2,"padding":"same","output_padding":0}})"},
    {"[4]", R"({"class_name":"Conv2D","config":{"filters":3,"kernel_size":2}})"},
    {"[4,3]", R"({"class_name":"MaxPooling1D","config":{"pool_size":5}})"},
    {"[1]", R"({"class_name":"Dense","config":{"units":1}},{"class_name":"Reshape","config":{"target_shape":[]}})"},
    {"[4,3]", R"({"class_name":"Dense","config":{"units":3}})"},
};

const Edit kOfTraining[] = {
    {kOne, {"compile.optimizer=Rprop"}},
    {kOne, {"compile.optimizer=3"}},
    {kOne, {"compile.optimizer={}"}},
    {kOne, {"compile.optimizer.learning_rate=-1"}},
    {kOne, {"compile.optimizer.clipnorm=0"}},
    {kTwo, {R"(compile.optimizer={"class_name":"SGD","config":{"clipnorm":1,"clipvalue":0.5}})"}},
    {kTwo, {"compile.optimizer.nesterov=true"}},
    {kTwo, {R"(compile.optimizer={"class_name":"Muon","config":{"exclude_layers":["out","("]}})"}},
    {kOne, {R"(compile.optimizer={"class_name":"Ftrl","config":{"learning_rate_power":0.5}})"}},
    {kTwo, {R"(compile.optimizer.learning_rate={"class_name":"Nonsense"})"}},
    {kTwo, {R"(compile.optimizer.learning_rate={"class_name":"PiecewiseConstantDecay","config":{"boundaries":[5,3],"values":[1,2]}})"}},
    {kTwo, {R"(compile.optimizer.learning_rate={"class_name":"PiecewiseConstantDecay","config":{"boundaries":"a","values":[1,2]}})"}},
    {kOne,
     {R"(compile.optimizer.learning_rate={"class_name":"ExponentialDecay","config":{"initial_learning_rate":0.1,"decay_steps":9,"decay_rate":0.9}})"}},
    {kOne,
     {R"(compile.loss_scale={"initial_scale":0,"dynamic_growth_steps":0})", "compile.optimizer.loss_scale_factor=2",
      R"(strategy.devices=["CPU:0"])"}},
    {kOne, {"compile.loss_scale={}", R"(strategy.devices=["CPU:0"])"}},
    {kOne, {"compile.loss=nonsense"}},
    {kOne, {"compile.loss=ctc"}},
    {kOne, {R"(compile={"loss":"ctc","metrics":[]})", kMaskedSequences, R"(fit.class_weight={"0":1.5})"}},
    {kOne, {R"(compile={"loss":"ctc","metrics":[]})", kSequences}},
    {kOne,
     {R"(compile={"loss":"ctc","metrics":[]})", kSequences, "data.dataset=tfrecord", R"(data.tfrecord={"shape":[6,3]})",
      R"(data.train_files=["a"])"}},
    {kTwo, {R"(compile={"loss":"dice","metrics":[]})"}},
    {kTwo, {R"(compile={"loss":"circle","metrics":[]})"}},
    {kOne, {R"(compile={"loss":"circle","metrics":[]})", R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})"}},
    {kOne, {R"(compile={"loss":{"class_name":"Tversky","config":{"axis":[0,2]}},"metrics":[]})"}},
    {kOne, {R"(compile={"loss":{"class_name":"Dice","config":{"axis":[0]}},"metrics":[]})", R"(fit.class_weight={"0":1.5})"}},
    {kTwo, {"compile.loss=categorical_generalized_cross_entropy"}},
    {kTwo, {"compile.loss=categorical_generalized_cross_entropy", "data.one_hot=10"}},
    {kOne, {"compile.loss.from_logits=true"}},
    {kTwo, {"compile.loss.from_logits=false"}},
    {kTwo, {"model.layers[4].units=1"}},
    {kOne, {R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})"}},
    {kOne, {R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})", R"(fit.class_weight={"0":1.5})"}},
    {kOne, {R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})", R"(fit.class_weight={"0":1.5})", "compile.loss=mse"}},
    {kOne, {"compile.metrics=accuracy"}},
    {kOne, {R"(compile.metrics=["accuracy","accuracy"])"}},
    {kOne, {R"(compile.metrics=["mse"])"}},
    {kOne, {R"(compile.metrics=["nonsense"])"}},
    {kOne, {R"(compile={"loss":"mse","metrics":["sparse_categorical_accuracy"]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":["f1_score"]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":["r2_score"]})", R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":["pearson_correlation"]})", R"(model.layers[4].config={"units":1})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"OneHotIoU","config":{"num_classes":3,"target_class_ids":[3]}}]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"OneHotMeanIoU","config":{"num_classes":3,"sparse_y_pred":true}}]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"PrecisionAtRecall","config":{"recall":0.5,"class_id":10}}]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[]}}]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9]}}]})"}},
    {kOne, {R"(compile={"loss":"mse","metrics":[{"class_name":"FBetaScore","config":{"average":"micro","threshold":2}}]})"}},
    {kOne,
     {R"(compile={"loss":"mse","metrics":["mae",{"class_name":"MeanSquaredError","config":{"name":"weighted_mae"}}],"weighted_metrics":["mae"]})"}},
    {kOne, {"fit.epochs=0"}},
    {kOne, {"fit.epochs=many"}},
    {kOne, {"fit.epochs=[1]"}},
    {kOne, {"fit.epochs={}"}},
    {kOne, {"fit.rounds=3"}},
    {kOne, {"fit.initial_epoch=12"}},
    {kOne, {"fit.validation_freq=often"}},
    {kOne, {"fit.class_weight=3"}},
    {kOne, {R"(fit.class_weight={"a":1})"}},
    {kOne, {R"(fit.class_weight={"0":-1,"99":2})"}},
    {kOne, {"fit.initial_weights=model.json"}},
    {kOne, {"fit.initial_state=true"}},
    {kOne, {"fit.initial_weights=a.weights.h5", "fit.initial_state=true"}},
    {kOne, {"fit.save_weights=out.npz"}},
    {kOne, {"fit.save_weights=/tmp/out.keras"}},
    {kOne, {"fit.save_weights=journal/out.keras"}},
    {kOne, {"callbacks.early_stop={}"}},
    {kOne, {"callbacks.print_lr=3"}},
    {kOne, {R"(callbacks.tensorboard={"verbose":0})"}},
    {kOne, {"callbacks.model_checkpoint.filepath=../ckpt"}},
    {kOne, {"callbacks.model_checkpoint.filepath=c/{step}"}},
    {kOne, {"callbacks.model_checkpoint.filepath=c/{epoch"}},
    {kOne, {"callbacks.model_checkpoint.filepath=c/{epoch:s}"}},
    {kOne, {"callbacks.model_checkpoint.filepath=best.keras"}},
    {kTwo, {"callbacks.model_checkpoint.filepath=w.weights.h5"}},
    {kOne, {R"(callbacks.model_checkpoint={"save_best_only":true,"monitor":"val_acc"})"}},
    {kOne, {"callbacks.model_checkpoint.save_freq=batch"}},
    {kOne, {"callbacks.learning_rate_scheduler.rates=[0.1]"}},
    {kOne, {"callbacks.learning_rate_scheduler.epochs=[0,7,3]"}},
    {kOne, {"callbacks.learning_rate_scheduler.epochs=[]"}},
    {kOne, {"callbacks.csv_logger={}"}},
    {kOne, {R"(callbacks.csv_logger={"filename":"backup/a.csv","separator":"; "})"}},
    {kOne, {"callbacks.backup_and_restore.backup_dir=../b"}},
    {kOne, {R"(callbacks.early_stopping={"monitor":"learning_rate"})"}},
    {kTwo, {R"(callbacks.reduce_lr_on_plateau={"factor":1})"}},
    {kOne, {"callbacks.swap_ema_weights={}"}},
    {kEstimator, {"estimator.name=Forest"}},
    {kEstimator,
     {R"(model.layers=[{"class_name":"Normalization"},{"class_name":"Flatten"},{"class_name":"Dense","config":{"units":10}}])"}},
    {kEstimator, {R"(model.layers=[{"class_name":"StringLookup"},{"class_name":"Flatten"},{"class_name":"Dense","config":{"units":10}}])"}},
    {kEstimator, {"estimator.run_config.save_checkpoints_steps=500", "estimator.run_config.save_checkpoints_secs=60"}},
    {kEstimator, {"estimator.run_config.save_checkpoints_secs=0"}},
    {kEstimator, {"estimator.run_config.keep_checkpoint_every_n_hours=0"}},
    {kEstimator, {"estimator.run_config.keep_checkpoint_max=-1"}},
    {kEstimator, {"estimator.train_spec.input_repeats=0"}},
    {kEstimator, {"fit.steps=100"}},
    {kEstimator, {"estimator.eval_spec.throttle_secs=-1"}},
    {kEstimator, {"estimator.eval_spec.name=a/b"}},
    {kEstimator, {"estimator.eval_spec.exporters=3"}},
    {kEstimator, {R"(estimator.eval_spec.exporters=["SavedModel"])"}},
    {kEstimator, {R"(estimator.eval_spec.exporters=["FinalExporter",{"class_name":"LatestExporter","config":{"name":"final"}}])"}},
    {kEstimator, {R"(estimator.eval_spec.exporters=[{"class_name":"LatestExporter","config":{"name":"../final"}}])"}},
    {kEstimator, {"callbacks.print_lr={}"}},
};

const Edit kOfData[] = {
    {kOne, {"data.cache=1"}},
    {kOne, {"data.dataset="}},
    {kOne, {"data.dataset=imagenet"}},
    {kOne, {"data.dataset=imdb"}},
    {kOne, {"data.dataset=idx"}},
    {kOne, {"data.dataset=idx", "data.test_images=a"}},
    {kOne, {"data.dataset=csv"}},
    {kOne, {"data.dataset=npz", R"(data.train_files=["a","b"])"}},
    {kOne, {"data.dataset=image_folder", R"(data.train_files=["a","b"])", R"(data.images={"size":[0,5]})"}},
    {kOne, {"data.dataset=tfrecord", R"(data.tfrecord={"sample":"","encoding":"webp"})"}},
    {kOne, {"data.dataset=tfrecord", R"(data.tfrecord={"shape":[1048576,1048576]})"}},
    {kOne, {"data.dataset=tfrecord", R"(data.tfrecord={"shape":[3]})", R"(data.train_files=["a"])"}},
    {kOne, {"data.dataset=text", R"(data.text={"vocabulary":2})"}},
    {kOne, {"data.dataset=text", R"(data.text={"length":7})", R"(data.train_files=["a"])", "data.scale=1"}},
    {kOne, {"data.dataset=text_folder", R"(data.train_files=["a","b"])", R"(data.text={"length":0})"}},
    {kOne, {"data.train_images=a.gz"}},
    {kOne, {R"(data.train_files=["a"])"}},
    {kOne, {"data.train_files=a"}},
    {kOne, {"data.dataset=csv", R"(data.csv={"delimiter":";;","label":"y","features":["y"],"missing":"guess"})"}},
    {kOne, {"data.feature_columns=3"}},
    {kOne, {R"(data.feature_columns=["NumericColumn"])"}},
    {kOne,
     {"data.dataset=csv", R"(data.csv={"label":"y","features":["x"]})",
      R"(data.feature_columns=[{"class_name":"NumericColumn","config":{"key":"y","shape":2}},{"class_name":"BucketizedColumn","config":{"key":"b","boundaries":[2,1]}},{"class_name":"CategoricalColumnWithVocabularyList","config":{"key":"c","vocabulary_list":["a","a"]}},{"class_name":"CategoricalColumnWithVocabularyList","config":{"key":"d","vocabulary_list":3}},{"class_name":"CategoricalColumnWithVocabularyList","config":{"key":"d","vocabulary_list":[]}},{"class_name":"Nonsense","config":{}}])"}},
    {kOne,
     {"data.dataset=csv", R"(data.csv={"label":"y"})", R"(data.train_files=["a"])",
      R"(data.feature_columns=[{"class_name":"NumericColumn","config":{"key":"x"}}])"}},
    {kTwo, {"data.auto_shard=FILE"}},
    {kTwo, {"data.dataset=csv", R"(data.csv={"label":"y"})", R"(data.train_files=["a"])"}},
    {kOne, {"data.seed_per_worker=true"}},
    {kOne, {"data.batch_size_per_replica=0"}},
    {kOne, {"data.shuffle=-1"}},
    {kOne, {"data.validation_split=1"}},
    {kOne, {"data.scale=0"}},
    {kOne, {"data.mean=x"}},
    {kOne, {"data.std=[0.5, 0]"}},
    {kOne, {"data.mean=[0.4, 0.5]"}},
    {kOne, {"data.one_hot=10"}},
    {kOne, {"data.mix=Blend"}},
    {kOne, {"data.mix=MixUp"}},
    {kOne, {"data.mix=CutMix", "data.mix.factor=[0.1,0.2,0.3]"}},
    {kOne, {"data.mix=CutMix", "data.dataset=ones", "model.input_shape=[1]"}},
    {kOne, {"data.mix=MixUp", "model.input_dtype=int32"}},
    {kEstimator, {"data.mix=MixUp"}},
    {kOne, {"data.order=[\"batch\"]"}},
    {kOne, {R"(data.order=["batch","sort"])"}},
    {kOne, {R"(data.order=["take","take","scale","normalize","one_hot","cache","repeat","prefetch"])"}},
    {kOne, {R"(data.order=["take","take","scale","normalize","one_hot","cache","shuffle","repeat","batch"])"}},
    {kOne, {R"(data.order=["take","take","scale","normalize","one_hot","cache","shuffle","repeat","batch","prefetch"])"}},
    {kOne, {R"(data.order=["take","scale","normalize","one_hot","cache","shuffle","repeat","batch"])"}},
    {kOne, {R"(data.order=["take","take","take","scale","normalize","one_hot","cache","shuffle","repeat","batch","prefetch"])"}},
    {kOne, {R"(data.order=["take","take","take","scale","normalize","one_hot","cache","shuffle","repeat","batch"])"}},
    {kOne, {R"(data.order=["take","take","take","scale","normalize","one_hot","cache","shuffle","repeat"])"}},
    {kOne, {"data.take=9", R"(data.order=["scale","normalize","one_hot","shuffle","batch","take","cache","repeat","prefetch"])"}},
    {kOne, {"data.take=9", R"(data.order=["scale","normalize","one_hot","cache","shuffle","take","repeat","batch","prefetch"])"}},
    {kOne,
     {"fit.steps_per_epoch=5", "data.take=9",
      R"(data.order=["scale","normalize","one_hot","repeat","take","cache","shuffle","batch","prefetch"])"}},
    {kOne, {"fit.steps_per_epoch=5", R"(data.order=["take","scale","normalize","one_hot","cache","repeat","batch","shuffle","prefetch"])"}},
    {kOne,
     {"fit.steps_per_epoch=5", "data.shuffle=16777217",
      R"(data.order=["take","scale","normalize","one_hot","cache","repeat","shuffle","prefetch","batch"])"}},
    {kOne,
     {"fit.steps_per_epoch=5", "data.shuffle=16777217",
      R"(data.order=["take","scale","normalize","one_hot","cache","repeat","batch","shuffle","prefetch"])"}},
    {kOne, {"fit.steps_per_epoch=5", R"(data.order=["take","scale","normalize","one_hot","cache","shuffle","batch","repeat","prefetch"])"}},
    {kOne,
     {"fit.steps_per_epoch=5", "data.drop_remainder=true",
      R"(data.order=["take","scale","normalize","one_hot","cache","shuffle","batch","repeat","prefetch"])"}},
    {kOne, {"data.mean=[0.5]", R"(data.order=["take","normalize","scale","one_hot","cache","shuffle","repeat","batch","prefetch"])"}},
    {kOne, {"data.dataset=image_folder", R"(data.train_files=["a"])", R"(data.images={"size":[64,48]})"}},
    {kOne,
     {"data.dataset=image_folder", R"(data.train_files=["a"])", R"(data.images={"color_mode":"grayscale"})",
      "model.input_shape=[28,28,3]"}},
    {kOne,
     {"data.dataset=image_folder", R"(data.train_files=["a"])", R"(data.images={"color_mode":"grayscale"})",
      "model.input_shape=[28,28,2]"}},
    {kOne, {"data.dataset=image_folder", R"(data.train_files=["a"])", "model.input_shape=[28,28,2]"}},
    {kOne, {"model.input_shape=[32,32,3]"}},
    {kOne, {R"(model.layers=[{"class_name":"Conv2D","config":{"filters":8,"kernel_size":3,"activation":"softmax"}}])"}},
    {kOne, {"model.layers[4].units=5"}},
    {kOne, {"compile.loss=categorical_crossentropy", R"(compile.metrics=[])"}},
    {kOne, {"compile.loss=categorical_crossentropy", R"(compile.metrics=[])", "data.one_hot=7"}},
    {kOne, {"compile.loss=categorical_crossentropy", R"(compile.metrics=[])", "data.one_hot=12"}},
    {kOne, {"compile.loss=binary_crossentropy", R"(compile.metrics=[])", R"(model.layers[4].config={"units":1,"activation":"sigmoid"})"}},
    {kOne, {"data.validation_split=0.999999"}},
    {kOne, {"data.batch_size_per_replica=60001", "data.drop_remainder=true"}},
};

const Edit kOfStrategyAndCluster[] = {
    {kOne, {"strategy.name=Mirrored"}},
    {kOne, {"strategy.name=ParameterServerStrategy"}},
    {kTwo, {"strategy.name=ParameterServerStrategy"}},
    {kOne, {"strategy.name=TPUStrategy"}},
    {kEstimator, {"strategy.name=TPUStrategy"}},
    {kTwo, {"strategy.name=MirroredStrategy"}},
    {kTwo, {R"(cluster.worker=["localhost:1"])", "strategy.name=MirroredStrategy"}},
    {kTwo, {"strategy.communication=TREE"}},
    {kTwo, {"strategy.communication=NCCL", R"(strategy.devices=["CPU:0"])"}},
    {kTwo, {"strategy.bytes_per_pack=-1"}},
    {kOne, {R"(strategy.devices=["CPU:0","second"])"}},
    {kOne, {R"(strategy.devices=["CPU:0","CPU:5"])"}},
    {kOne, {R"(strategy.devices=["GPU:64"])"}},
    {kOne, {R"(strategy.devices=["GPU:0","CPU:0"])"}},
    {kOne, {R"(strategy.devices=["CPU:1","/cpu:1"])"}},
    {kOne, {"strategy.logical_cpus=65"}},
    {kOne, {"strategy.logical_cpus=2", "strategy.logical_gpus=2"}},
    {kOne, {"strategy.name=OneDeviceStrategy", "strategy.logical_cpus=2"}},
    {kOne, {"strategy.op_determinism=true", R"(strategy.devices=["CPU:0"])"}},
    {kOne, {R"(strategy.cross_device_ops={"class_name":"ReductionToOneDevice","config":{"reduce_to_device":"CPU:1"}})"}},
    {kOne, {R"(strategy.cluster_resolver={"class_name":"TPUClusterResolver","config":{"tpu":"grpc://10.240.1.2"}})"}},
    {kOne, {R"(strategy.cluster_resolver={"class_name":"TPUClusterResolver","config":{"tpu":"local","zone":"us-central1-b"}})"}},
    {kOne, {R"(strategy.cluster_resolver={"class_name":"TPUClusterResolver","config":{"coordinator_address":"10.0.0.1:2222"}})"}},
    {kOne, {"fit.steps=100"}},
    {kServers, {"fit.epochs=2"}},
    {kServers, {"strategy.max_staleness=-1"}},
    {kServers, {"strategy.max_staleness=x"}},
    {kServers, {R"(strategy.devices=["GPU:0"])"}},
    {kServers,
     {R"(model.layers[0]={"class_name":"SpectralNormalization","config":{"layer":{"class_name":"Dense","config":{"units":3}}}})"}},
    {kTwo, {"cluster.worker=[1]"}},
    {kTwo, {R"(cluster.worker={"a":"h:1"})"}},
    {kTwo, {"cluster.start=3"}},
    {kTwo, {R"(cluster.worker=["localhost:1","localhost"])"}},
    {kTwo, {R"(cluster.worker=["localhost:1","http://a/b:1"])"}},
    {kTwo, {R"(cluster.worker=["localhost:1","localhost:99999"])"}},
    {kTwo, {R"(cluster.worker=["localhost:1","localhost:0"])"}},
    {kTwo, {R"(cluster.worker=["localhost:1","lab gpu:1"])"}},
    {kTwo, {R"(cluster.worker=["localhost:1","localhost:1"])"}},
    {kTwo, {R"(cluster.worker={"0":"localhost:1","5":"localhost:2"})"}},
    {kTwo, {R"(cluster.trainer=["h0:1"])"}},
    {kTwo, {R"(cluster.ps=["localhost:7"])"}},
    {kTwo, {R"(cluster={"ps":["h:1"]})"}},
    {kTwo, {R"(cluster.chief=["localhost:7","localhost:8"])"}},
    {kTwo, {R"(cluster.chief=[])"}},
    {kOne, {R"(cluster.evaluator=["localhost:7"])"}},
    {kEstimator,
     {R"(cluster.evaluator=["localhost:7"])", R"(estimator.run_config={"save_checkpoints_steps":null,"save_checkpoints_secs":null})"}},
    {kOne, {R"(cluster.evaluator=["localhost:7"])", "callbacks.model_checkpoint=null"}},
    {kTwo, {"cluster.start_timeout_s=0"}},
    {kTwo, {"cluster.heartbeat_fatal_s=1"}},
    {kTwo, {"cluster.max_restarts=-1"}},
    {kTwo, {"cluster.on_task_lost=ignore"}},
    {kTwo, {"cluster.home_lost_s=1"}},
    {kServers, {"cluster.on_task_lost=continue"}},
    {kOne, {"cluster.on_task_lost=continue"}},
};

const std::pair<const char*, TfConfigUse> kTfConfigs[] = {
    {"", TfConfigUse::kAuto},
    {"[1]", TfConfigUse::kAuto},
    {"{,}", TfConfigUse::kAuto},
    {R"({"cluster":3})", TfConfigUse::kAuto},
    {R"({"cluster":{"worker":3}})", TfConfigUse::kAuto},
    {R"({"cluster":{"worker":{"a":"h:1"}}})", TfConfigUse::kAuto},
    {R"({"cluster":{"worker":[3]}})", TfConfigUse::kAuto},
    {"{}", TfConfigUse::kParameterServer},
    {R"({"task":{"type":"worker","index":0}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":[]})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":[],"index":"a"}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"worker","index":true}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{}})", TfConfigUse::kEstimator},
    {R"({"cluster":{"worker":["h:1"],"ps":["h:2"]},"task":{"type":"worker"}})", TfConfigUse::kParameterServer},
    {R"({"cluster":{"worker":["h:1"],"ps":["h:2"]},"task":{"index":0}})", TfConfigUse::kParameterServer},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"Worker","index":0}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"chief","index":0}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"ps","index":0}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"evaluator","index":0}})", TfConfigUse::kMultiWorker},
    {R"({"task":{"type":"chief","index":2}})", TfConfigUse::kEstimator},
    {R"({"cluster":{"master":["h:1"],"chief":["h:2"],"trainer":["h:3"]},"task":{"type":"evaluator","index":1}})", TfConfigUse::kEstimator},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"worker","index":7}})", TfConfigUse::kMultiWorker},
    {R"({"cluster":{"worker":["h:1"]},"task":{"type":"worker","index":-1}})", TfConfigUse::kMultiWorker},
    {R"({"rpc_layer":3,"service":3,"jobs":{}})", TfConfigUse::kEstimator},
};

const char* const kClusterTexts[] = {"# nobody",
                                     "node1 slots=0",
                                     "node1 speed=3",
                                     "node1 slots=5000",
                                     "node1 slots=4000\nnode2 slots=96",
                                     "SLURM_NTASKS=2",
                                     "SLURM_JOB_NODELIST=node[4-1]",
                                     "SLURM_JOB_NODELIST=node[1-9999]",
                                     "SLURM_JOB_NODELIST=a,,b",
                                     "SLURM_JOB_NODELIST=node[1-2",
                                     "SLURM_JOB_NODELIST=node[1-2] SLURM_TASKS_PER_NODE=many",
                                     "SLURM_JOB_NODELIST=node[1-2] SLURM_TASKS_PER_NODE=2(x3)",
                                     "SLURM_JOB_NODELIST=node[1-2] SLURM_NTASKS_PER_NODE=0",
                                     "SLURM_JOB_NODELIST=node[1-2] SLURM_NTASKS=0",
                                     "SLURM_JOB_NODELIST=node[1-2] SLURM_PROCID=7",
                                     "cluster = tf.train.ClusterSpec({})"};

const char* const kProjectTexts[] = {
    "[1]", "{}", R"({"version":99})", R"({"version":"one"})", R"({"version":1,"fit":{"epochs":1,"epochs":2}})", "{"};

RunSpec starter(const std::string& name) {
    std::ifstream file(TANDEM_RESOURCES "/templates/" + name + ".tandem", std::ios::binary);
    return parseProject(std::string(std::istreambuf_iterator<char>(file), {})).run;
}

class Findings {
public:
    void add(const Diagnostics& found) {
        for (const Diagnostic& one : found) {
            if (seen_.insert(one.message + '\n' + one.fix).second) all_.push_back(one);
        }
    }
    void addFindingsOf(const RunSpec& run) {
        add(validate(run));
        add(orderFindings(run.data, passesOf(run)));
        if (hasErrors(validate(run))) return;  // the others are for projects that hold every rule
        add(checkProject(run));
        add(gpuErrors(run));
    }
    Diagnostics take() { return std::move(all_); }

private:
    std::set<std::string> seen_;
    Diagnostics all_;
};

}  // namespace

Diagnostics findingsOfBadProjects() {
    Findings findings;
    const auto edit = [&](const char* project, const std::vector<const char*>& settings) {
        RunSpec run = starter(project);
        for (const char* setting : settings) findings.add(applySetting(run, setting));
        const std::size_t before = validate(starter(project)).size();
        EXPECT_EQ(before, 0U) << project << " is no good project";
        findings.addFindingsOf(run);
    };
    for (const auto& edits : {std::span<const Edit>(kOfModel), {kOfTraining}, {kOfData}, {kOfStrategyAndCluster}}) {
        for (const Edit& one : edits) edit(one.project, one.settings);
    }
    for (const auto& [input, layers] : kLayers) {
        const std::string model = std::string(R"(model={"input_shape":)") + input + R"(,"layers":[)" + layers + "]}";
        for (const char* loss : {"compile.loss=mse", "compile.loss=sparse_categorical_crossentropy"}) edit(kOne, {loss, model.c_str()});
    }
    for (const char* setting : {"epochs", "fit..epochs=1", "version=2", "model.layers[99].units=3", "fit[0]=1", "fit.epochs.more=1"}) {
        RunSpec changed = starter(kOne);
        findings.add(applySetting(changed, setting));
    }
    RunSpec run = starter(kOne);
    run.name = std::string(1001, 'n');
    run.data.offset = std::numeric_limits<double>::infinity();
    run.data.mean = {std::numeric_limits<double>::infinity()};
    run.callbacks.push_back({"PrintLR", {}});
    run.data.dataset = "csv";
    run.data.feature_columns = {
        {"CategoricalColumnWithVocabularyList", {{"key", std::string("a")}, {"vocabulary_list", std::vector<std::string>()}}}};
    findings.addFindingsOf(run);
    for (const auto& [text, use] : kTfConfigs) findings.add(checkTfConfig(text, use).diagnostics);
    findings.add(checkTfConfig(std::string(2000, '['), TfConfigUse::kAuto).diagnostics);
    for (const char* text : kClusterTexts) findings.add(readClusterText(text).diagnostics);
    findings.add(readClusterText("node1 slots=9", {.kind = ClusterTextKind::kHostfile, .first_port = 65530}).diagnostics);
    for (const char* text : {"{'a': 1}", "{'a': "}) findings.add(readClusterText(text, {.strict_json = true}).diagnostics);
    for (const char* text : kProjectTexts) findings.add(parseProject(text).diagnostics);
    for (const std::string& name : {std::string(), std::string("lab gpu"), std::string("node1:1"), std::string(500, 'n')}) {
        if (const auto found = checkHostName(name, "cluster.hosts")) findings.add({*found});
    }
    findings.add({foreignTask({"worker", 1}, "node1:1")});
    RunSpec by_mpi = starter(kTwo);
    by_mpi.strategy.communication = "MPI";
    findings.add(errorsWithoutMpirun(by_mpi));
    RunSpec wordy = starter(kOne);
    wordy.model.input_dtype = "string";
    wordy.model.layers = {
        {"TextVectorization", "words", {{"vocabulary", std::vector<std::string>{"a", std::string(kMostProjectBytes, 'b')}}}}};
    const auto room = vocabularyRoomFault(wordy);
    EXPECT_TRUE(room);
    if (room) findings.add({*room});
    return findings.take();
}

}  // namespace ui::models
