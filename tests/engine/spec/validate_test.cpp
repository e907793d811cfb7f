#include "engine/spec/validate/validate.h"

#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/project/logged_metrics.h"
#include "engine/spec/validate/fitting_compile.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

namespace engine::spec {
namespace {

RunSpec starter(const std::string& name) {
    std::ifstream file(std::string(TANDEM_RESOURCES "/templates/") + name + ".tandem", std::ios::binary);
    return parseProject(std::string(std::istreambuf_iterator<char>(file), {})).run;
}

std::string verdict(const RunSpec& run) {
    std::string text;
    for (const Diagnostic& d : validate(run)) {
        text += (text.empty() ? "" : "; ") + std::string(d.severity == Severity::kError ? "error " : "warning ") + d.path;
        EXPECT_NE(d.message.find("expected"), std::string::npos) << d.message;
        EXPECT_NE(d.message.find("got"), std::string::npos) << d.message;
    }
    return text;
}

TEST(Validate, FindsNothingWrongWithAStarterProject) {
    EXPECT_EQ(verdict(starter("mnist_mirrored")), "");
    EXPECT_EQ(verdict(starter("mnist_multi_worker")), "");
}

TEST(Validate, NamesANameThatIsTooLong) {
    RunSpec run = starter("mnist_mirrored");
    run.name = std::string(1000, 'n');
    EXPECT_TRUE(validate(run).empty());
    run.name += "n";
    const Diagnostics found = validate(run);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(toString(found[0]), "error: name: expected at most 1000 bytes of text, got 1001");
}

TEST(Validate, MixesLabelsThatAreNumbers) {
    RunSpec run = starter("mnist_mirrored");
    run.data.mix = {"MixUp", {}};
    const Diagnostics found = validate(run);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(toString(found[0]),
              "error: data.mix: expected a loss of probabilities with MixUp, which mixes labels, got SparseCategoricalCrossentropy, which "
              "takes class indices [Set the loss to CategoricalCrossentropy and data.one_hot to the number of classes.]");
    const auto repair = repairRun(run, found[0]);
    ASSERT_TRUE(repair);
    EXPECT_EQ(repair->text, "Take labels as rows, with CategoricalCrossentropy");
    EXPECT_EQ(repair->run.data.one_hot, 10);
    EXPECT_EQ(verdict(repair->run), "");
    run = repair->run;
    run.data.mix = {"CutMix", {{"factor", 0.5}}};
    EXPECT_EQ(verdict(run), "");
    const auto ofMix = [](const RunSpec& wrong) {
        for (const Diagnostic& one : validate(wrong)) {
            if (one.path == "data.mix") return one;
        }
        return Diagnostic{};
    };
    run.model.input_dtype = "int32";
    EXPECT_EQ(ofMix(run).message, "expected an input of float32 for CutMix, which mixes values, got int32");
    run.model.input_dtype = "float32";
    run.data.dataset = "ones";
    run.model.input_shape = {1};
    EXPECT_EQ(ofMix(run).message, "expected samples with rows and columns for CutMix, got (None, 1)");
    const auto none = repairRun(run, ofMix(run));
    ASSERT_TRUE(none);
    EXPECT_EQ(none->text, "Mix no samples");
}

TEST(Validate, SaysThatSettingsForGpusAreIdleOnProcessors) {
    RunSpec run = starter("mnist_mirrored");
    run.strategy.op_determinism = run.strategy.tensor_float_32_execution = true;
    run.strategy.devices.clear();
    run.strategy.logical_cpus = 0;
    EXPECT_EQ(verdict(run), "") << "the computer may have GPUs";
    run.strategy.devices = {"CPU:0"};
    EXPECT_EQ(verdict(run), "warning strategy.tensor_float_32_execution; warning strategy.op_determinism");
    run.strategy.devices = {"GPU:0"};
    EXPECT_EQ(verdict(run), "");
}

struct Row {
    const char* name;
    const char* project;
    const char* setting;
    const char* expected;
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

constexpr const char* kOne = "mnist_mirrored";
constexpr const char* kTwo = "mnist_multi_worker";
constexpr const char* kServers = "book_parameter_servers";

const Row kRows[] = {
    {"InputEmpty", kOne, "model.input_shape=[]", "error model.input_shape; error model.layers[0]"},
    {"InputZero", kOne, "model.input_shape=[0,28,1]", "error model.input_shape"},
    {"InputHuge", kOne, "model.input_shape=[1048576,1048576,3]", "error model.input_shape"},
    {"InputType", kOne, "model.input_dtype=float16", "error model.input_dtype"},
    {"HalfPrecision", kOne, "model.dtype_policy=mixed_float16", "warning model.dtype_policy"},
    {"DoublePrecision", kOne, "model.dtype_policy=float64", "error model.dtype_policy"},
    {"HalfPrecisionOfALayer", kOne, "model.layers[0].config.dtype=float16", "error model.layers[0].dtype"},
    {"PolicyOfALayer", kOne, R"(model.layers[0].config.dtype={"class_name":"DTypePolicy","config":{"name":"mixed_bfloat16"}})", ""},
    {"NoLayers", kOne, "model.layers=[]", "error model.layers"},
    {"UnknownLayer", kOne, "model.layers[1].class_name=MaxPoolling2D", "error model.layers[1].class_name"},
    {"SameName", kOne, "model.layers[4].name=dense", "error model.layers[4].name"},
    {"NameWithASlash", kOne, "model.layers[4].name=a/b", "error model.layers[4].name"},
    {"Units", kOne, "model.layers[3].units=-3", "error model.layers[3].units"},
    {"UnitsMissing", kOne, "model.layers[3].config={}", "error model.layers[3].units"},
    {"KernelTooLarge", kOne, "model.layers[0].kernel_size=29", "error model.layers[0].kernel_size"},
    {"UnknownField", kOne, "model.layers[3].unit=3", "error model.layers[3].unit"},
    {"TrainableIsNoNumber", kOne, "model.layers[3].trainable=1", "error model.layers[3].trainable"},
    {"FrozenLayer", kOne, "model.layers[3].trainable=false", ""},
    {"NothingToTrain", kOne, R"(model.layers=[{"class_name":"Flatten"},{"class_name":"Dense","config":{"units":10,"trainable":false}}])",
     "error model.layers; warning compile.loss.from_logits"},
    {"Initializer", kOne, R"(model.layers[3].kernel_initializer="he_normal")", ""},
    {"UnknownInitializer", kOne, R"(model.layers[3].kernel_initializer={"class_name":"Nonsense"})",
     "error model.layers[3].kernel_initializer"},
    {"DatasetEmpty", kOne, "data.dataset=", "error data.dataset"},
    {"IdxWithoutFiles", kOne, "data.dataset=idx", "error data.train_images; error data.train_labels"},
    {"FileWithoutIdx", kOne, "data.train_images=a.gz", "warning data.train_images"},
    {"Batch", kOne, "data.batch_size_per_replica=0", "error data.batch_size_per_replica"},
    {"Shuffle", kOne, "data.shuffle=-1", "error data.shuffle"},
    {"Prefetch", kOne, "data.prefetch=-1", "error data.prefetch"},
    {"Take", kOne, "data.take=-1", "error data.take"},
    {"Split", kOne, "data.validation_split=1", "error data.validation_split"},
    {"SeedPerWorker", kOne, "data.seed_per_worker=true", "warning data.seed_per_worker"},
    {"UnknownDataset", kOne, "data.dataset=imagenet", "error data.dataset"},
    {"PickledDataset", kOne, "data.dataset=imdb", "error data.dataset"},
    {"CsvWithoutFileAndLabel", kOne, "data.dataset=csv", "error data.train_files; error data.csv.label; warning data.scale"},
    {"FolderWithoutFolder", kOne, "data.dataset=image_folder", "error data.train_files"},
    {"TextsWithoutFolder", kOne, "data.dataset=text_folder", "error data.train_files; warning data.scale"},
    {"RecordsWithoutShape", kOne, "data.dataset=tfrecord", "error data.train_files; error data.tfrecord.shape"},
    {"FilesOfANamedSet", kOne, "data.train_files=[\"a\"]", "warning data.train_files"},
    {"FileShardingOfArrays", kTwo, "data.auto_shard=FILE", "error data.auto_shard"},
    {"DecodeThreads", kOne, "data.decode_threads=-1", "error data.decode_threads"},
    {"ShuffleBehindBatch", kOne, R"(data.order=["take","scale","normalize","one_hot","cache","repeat","batch","shuffle","prefetch"])",
     "warning data.order"},
    {"PrefetchBeforeBatch", kOne, R"(data.order=["take","scale","normalize","one_hot","cache","shuffle","repeat","prefetch","batch"])",
     "error data.order"},
    {"StepsLeftOut", kOne, R"(data.order=["batch"])", "error data.order"},
    {"Mean", kOne, "data.mean=[0.1307]", ""},
    {"StdOfZero", kOne, "data.std=[0.5, 0]", "error data.std"},
    {"OneHotWithSparseLoss", kOne, "data.one_hot=10", "error data.one_hot"},
    {"MixOfClassIndices", kOne, "data.mix=MixUp", "error data.mix"},
    {"NoMix", kOne, "data.mix=null", ""},
    {"UnknownMix", kOne, "data.mix=Blend", "error data.mix"},
    {"MixByNothing", kOne, R"(data.mix={"class_name":"MixUp","config":{"alpha":0}})", "error data.mix.alpha; error data.mix"},
    {"MixByAnotherField", kOne, R"(data.mix={"class_name":"MixUp","config":{"factor":1}})", "error data.mix.factor; error data.mix"},
    {"CutBeyondOne", kOne, R"(data.mix={"class_name":"CutMix","config":{"factor":[0.5,1.5]}})", "error data.mix.factor; error data.mix"},
    {"CutByThree", kOne, R"(data.mix={"class_name":"CutMix","config":{"factor":[0.1,0.2,0.3]}})", "error data.mix.factor; error data.mix"},
    {"Optimizer", kOne, "compile.optimizer=Rprop", "error compile.optimizer"},
    {"Rate", kOne, "compile.optimizer.learning_rate=-1", "error compile.optimizer.learning_rate"},
    {"RateBeyondFloat", kOne, "compile.optimizer.learning_rate=1e39", "error compile.optimizer.learning_rate"},
    {"Beta", kOne, "compile.optimizer.beta_1=2", "error compile.optimizer.beta_1"},
    {"BetaOfOne", kOne, "compile.optimizer.beta_1=1", "error compile.optimizer.beta_1"},
    {"BetasOfOne", kOne, R"(compile.optimizer={"class_name":"Lamb","config":{"beta_1":1,"beta_2":1}})",
     "error compile.optimizer.beta_1; error compile.optimizer.beta_2"},
    {"BetasOfOneOfLion", kOne, R"(compile.optimizer={"class_name":"Lion","config":{"beta_1":1,"beta_2":1}})", ""},
    {"NoWeightDecayOfAdamW", kOne, R"(compile.optimizer={"class_name":"AdamW","config":{"weight_decay":null}})",
     "error compile.optimizer.weight_decay"},
    {"NoWeightDecayOfMuon", kOne, R"(compile.optimizer={"class_name":"Muon","config":{"weight_decay":null,"rms_rate":null}})", ""},
    {"MomentumOfAdam", kOne, "compile.optimizer.momentum=0.9", "error compile.optimizer.momentum"},
    {"Momentum", kTwo, "compile.optimizer.momentum=1.5", "error compile.optimizer.momentum"},
    {"NesterovAlone", kTwo, "compile.optimizer.nesterov=true", "warning compile.optimizer.nesterov"},
    {"KerasWholeConfig", kTwo,
     R"(compile.optimizer={"class_name":"SGD","config":{"name":"sgd","learning_rate":0.01,"weight_decay":null,"clipnorm":null,"use_ema":false,"ema_momentum":0.99}})",
     ""},
    {"Clipping", kTwo, "compile.optimizer.clipnorm=0", "error compile.optimizer.clipnorm"},
    {"ClippingTwice", kTwo, R"(compile.optimizer={"class_name":"SGD","config":{"clipnorm":1,"clipvalue":0.5}})",
     "error compile.optimizer.clipvalue"},
    {"WeightDecay", kOne, "compile.optimizer.weight_decay=-0.1", "error compile.optimizer.weight_decay"},
    {"AverageMomentum", kOne, "compile.optimizer.ema_momentum=1.5", "error compile.optimizer.ema_momentum"},
    {"AverageEvery", kOne, "compile.optimizer.ema_overwrite_frequency=0", "error compile.optimizer.ema_overwrite_frequency"},
    {"Accumulation", kOne, "compile.optimizer.gradient_accumulation_steps=1", "error compile.optimizer.gradient_accumulation_steps"},
    {"DynamicLossScale", kOne, R"(compile.loss_scale={"initial_scale":1024,"dynamic_growth_steps":10})", ""},
    {"DynamicLossScaleZero", kOne, R"(compile.loss_scale={"initial_scale":0})", "error compile.loss_scale.initial_scale"},
    {"DynamicLossScaleBeyondFloat", kOne, R"(compile.loss_scale={"initial_scale":1e39})", "error compile.loss_scale.initial_scale"},
    {"DynamicLossScaleSteps", kOne, R"(compile.loss_scale={"dynamic_growth_steps":0})", "error compile.loss_scale.dynamic_growth_steps"},
    {"LossScale", kOne, "compile.optimizer.loss_scale_factor=0", "error compile.optimizer.loss_scale_factor"},
    {"Rho", kOne, R"(compile.optimizer={"class_name":"RMSprop","config":{"rho":2,"momentum":-1,"epsilon":-1,"centered":1}})",
     "error compile.optimizer.rho; error compile.optimizer.momentum; error compile.optimizer.epsilon; error compile.optimizer.centered"},
    {"Accumulator", kOne, R"(compile.optimizer={"class_name":"Adagrad","config":{"initial_accumulator_value":-1}})",
     "error compile.optimizer.initial_accumulator_value"},
    {"FtrlPower", kOne, R"(compile.optimizer={"class_name":"Ftrl","config":{"learning_rate_power":0.5,"beta":-1}})",
     "error compile.optimizer.learning_rate_power; error compile.optimizer.beta"},
    {"EpsilonOfLion", kOne, R"(compile.optimizer={"class_name":"Lion","config":{"epsilon":0.1}})", "error compile.optimizer.epsilon"},
    {"Polynomial", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"PolynomialDecay","config":{"initial_learning_rate":0.1,"decay_steps":0,"power":0,"cycle":1}})",
     "error compile.optimizer.learning_rate.decay_steps; error compile.optimizer.learning_rate.power; "
     "error compile.optimizer.learning_rate.cycle"},
    {"InverseTime", kTwo, R"(compile.optimizer.learning_rate={"class_name":"InverseTimeDecay","config":{"initial_learning_rate":0.1}})",
     "error compile.optimizer.learning_rate.decay_steps; error compile.optimizer.learning_rate.decay_rate"},
    {"Cosine", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"CosineDecay","config":{"initial_learning_rate":0,"decay_steps":9,"alpha":2,"warmup_steps":-1}})",
     "error compile.optimizer.learning_rate.alpha; error compile.optimizer.learning_rate.warmup_steps"},
    {"Restarts", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"CosineDecayRestarts","config":{"initial_learning_rate":0.1,"first_decay_steps":5,"t_mul":0.5,"m_mul":0}})",
     "error compile.optimizer.learning_rate.t_mul; error compile.optimizer.learning_rate.m_mul"},
    {"Schedule", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"ExponentialDecay","config":{"initial_learning_rate":0.1,"decay_steps":9,"decay_rate":0.9}})",
     ""},
    {"ScheduleIncomplete", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"ExponentialDecay","config":{"initial_learning_rate":0.1,"decay_rate":0}})",
     "error compile.optimizer.learning_rate.decay_steps; error compile.optimizer.learning_rate.decay_rate"},
    {"ScheduleUnknown", kTwo, R"(compile.optimizer.learning_rate={"class_name":"Nonsense"})", "error compile.optimizer.learning_rate"},
    {"PiecesAndBoundaries", kTwo,
     R"(compile.optimizer.learning_rate={"class_name":"PiecewiseConstantDecay","config":{"boundaries":[5,3],"values":[1,2]}})",
     "error compile.optimizer.learning_rate.values; error compile.optimizer.learning_rate.boundaries"},
    {"ScheduleBesideATable", kOne,
     R"(compile.optimizer.learning_rate={"class_name":"ExponentialDecay","config":{"initial_learning_rate":0.1,"decay_steps":9,"decay_rate":0.9}})",
     "error callbacks.learning_rate_scheduler"},
    {"Loss", kOne, "compile.loss=nonsense", "error compile.loss"},
    {"LossByItsShortName", kOne, "compile.loss=mse", ""},
    {"MetricOfValues", kOne, R"(compile.metrics=["mse"])", "error compile.metrics[0]"},
    {"MetricOfClasses", kOne, R"(compile={"loss":"mse","metrics":["sparse_categorical_accuracy"]})", "error compile.metrics[0]"},
    {"MetricField", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"AUC","config":{"curve":"XY"}}]})",
     "error compile.metrics[0].curve"},
    {"MetricThresholds", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"Precision","config":{"thresholds":[0.2,0.8]}}]})", ""},
    {"MetricThresholdTwice", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[0.2,0.2]}}]})",
     "error compile.metrics[0].thresholds"},
    {"MetricNoThreshold", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[]}}]})",
     "error compile.metrics[0].thresholds"},
    {"MetricThresholdBeyond", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[0.2,1.2]}}]})",
     "error compile.metrics[0].thresholds"},
    {"TooManyThresholds", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"Recall","config":{"thresholds":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9]}}]})",
     "error compile.metrics"},
    {"MetricOfClassScores", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"F1Score","config":{"average":"macro","threshold":0.5}}]})", ""},
    {"MetricOfClassScoresWithoutAnAverage", kOne, R"(compile={"loss":"mse","metrics":["f1_score"]})", "error compile.metrics[0].average"},
    {"MetricOfClassScoresAverage", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"F1Score","config":{"average":"mean"}}]})",
     "error compile.metrics[0].average"},
    {"MetricOfClassScoresBeta", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"FBetaScore","config":{"average":"micro","beta":0}}]})",
     "error compile.metrics[0].beta"},
    {"MetricOfOverlap", kOne, R"(compile.metrics=[{"class_name":"MeanIoU","config":{"num_classes":10,"sparse_y_pred":false}}])", ""},
    {"MetricOfOverlapOfValues", kOne, R"(compile.metrics=[{"class_name":"MeanIoU","config":{"num_classes":10}}])",
     "error compile.metrics[0]"},
    {"MetricOfOverlapWithoutClasses", kOne, R"(compile={"loss":"mse","metrics":["mean_io_u"]})", "error compile.metrics[0].num_classes"},
    {"MetricOfOverlapTarget", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"OneHotIoU","config":{"num_classes":3,"target_class_ids":[0,3]}}]})",
     "error compile.metrics[0].target_class_ids"},
    {"MetricOfOverlapSparseOutputs", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"OneHotMeanIoU","config":{"num_classes":3,"sparse_y_pred":true}}]})",
     "error compile.metrics[0].sparse_y_pred"},
    {"MetricOfBests", kOne, R"(compile={"loss":"mse","metrics":[{"class_name":"PrecisionAtRecall","config":{"recall":0.8,"class_id":9}}]})",
     ""},
    {"MetricOfBestsOfNoClass", kOne,
     R"(compile={"loss":"mse","metrics":[{"class_name":"PrecisionAtRecall","config":{"recall":0.8,"class_id":10}}]})",
     "error compile.metrics[0].class_id"},
    {"MetricOfBestsWithoutABound", kOne, R"(compile={"loss":"mse","metrics":["recall_at_precision"]})",
     "error compile.metrics[0].precision"},
    {"MetricOfDetermination", kOne, R"(compile={"loss":"mse","metrics":["r2_score","pearson_correlation","concordance_correlation"]})", ""},
    {"WeightedMetrics", kOne, R"(compile={"loss":"mse","metrics":["mae"],"weighted_metrics":["mae","mse"]})", ""},
    {"WeightedMetricUnknown", kOne, R"(compile.weighted_metrics=["acuracy"])", "error compile.weighted_metrics[0]"},
    {"WeightedMetricTwice", kOne, R"(compile={"loss":"mse","weighted_metrics":["mae","mae"]})", "error compile.weighted_metrics[1]"},
    {"MetricK", kOne, R"(compile.metrics=[{"class_name":"SparseTopKCategoricalAccuracy","config":{"k":0}}])", "error compile.metrics[0].k"},
    {"MetricsOfOneName", kOne, R"(compile={"loss":"mse","metrics":["auc",{"class_name":"AUC","config":{}}]})", "error compile.metrics[1]"},
    {"TooManyMetrics", kOne, R"(compile={"loss":"mse","metrics":["mse","mae","mape","msle","auc","precision","recall","accuracy","acc"]})",
     "error compile.metrics"},
    {"Regularizer", kOne, R"(model.layers[3].kernel_regularizer={"class_name":"L2","config":{"l2":-1}})",
     "error model.layers[3].kernel_regularizer.l2"},
    {"RegularizerClass", kOne, "model.layers[3].bias_regularizer=orthogonal", "error model.layers[3].bias_regularizer"},
    {"RegularizerOfVectors", kOne,
     R"(model.layers[3].kernel_regularizer={"class_name":"OrthogonalRegularizer","config":{"factor":0.1,"mode":"columns"}})", ""},
    {"RegularizerOfVectorsMode", kOne,
     R"(model.layers[3].kernel_regularizer={"class_name":"OrthogonalRegularizer","config":{"mode":"all"}})",
     "error model.layers[3].kernel_regularizer.mode"},
    {"RegularizerOfVectorsOnABias", kOne, "model.layers[3].bias_regularizer=orthogonal_regularizer",
     "error model.layers[3].bias_regularizer"},
    {"RegularizerOfVectorsOnAnOutput", kOne, "model.layers[3].activity_regularizer=orthogonal_regularizer",
     "error model.layers[3].activity_regularizer"},
    {"RegularizerByName", kOne, "model.layers[3].activity_regularizer=l1_l2", ""},
    {"LogitsWithSoftmax", kOne, "compile.loss.from_logits=true", "warning compile.loss.from_logits"},
    {"ProbabilitiesWithoutSoftmax", kTwo, "compile.loss.from_logits=false", "warning compile.loss.from_logits"},
    {"LossField", kOne, "compile.loss.label_smoothing=0.1", "error compile.loss.label_smoothing"},
    {"OneClass", kTwo, "model.layers[4].units=1", "error compile.loss"},
    {"OutputOfRank3", kTwo, R"(model.layers[2]={"class_name":"Dropout","config":{"rate":0.5}})", "warning compile.loss"},
    {"LossReduction", kOne, "compile.loss.reduction=none", "error compile.loss.reduction"},
    {"LossSmoothing", kOne, R"(compile.loss={"class_name":"BinaryCrossentropy","config":{"label_smoothing":2,"from_logits":true}})",
     "error compile.loss.label_smoothing"},
    {"LossDelta", kOne, R"(compile.loss={"class_name":"Huber","config":{"delta":0}})", "error compile.loss.delta"},
    {"LossAxis", kOne, R"(compile.loss={"class_name":"CosineSimilarity","config":{"axis":1}})", "error compile.loss.axis"},
    {"LossOfOverlap", kOne, R"(compile={"loss":{"class_name":"Dice","config":{"axis":[1]}},"metrics":[]})", ""},
    {"LossOfOverlapByAxesOfTheEnd", kTwo, R"(compile={"loss":{"class_name":"Tversky","config":{"axis":[-1]}},"metrics":[]})", ""},
    {"LossOfOverlapAxisBeyond", kOne, R"(compile={"loss":{"class_name":"Dice","config":{"axis":[2]}},"metrics":[]})",
     "error compile.loss.axis"},
    {"LossOfOverlapAxisTwice", kOne, R"(compile={"loss":{"class_name":"Dice","config":{"axis":[1,-1]}},"metrics":[]})",
     "error compile.loss.axis"},
    {"LossOfAllSamplesOnTwoWorkers", kTwo, R"(compile={"loss":"dice","metrics":[]})", "error compile.loss"},
    {"LossOfPairsOnTwoWorkers", kTwo, R"(compile={"loss":"circle","metrics":[]})", "error compile.loss"},
    {"LossOfPairs", kOne, R"(compile={"loss":"circle","metrics":[]})", ""},
    {"LossOfSequences", kOne, R"(compile={"loss":"ctc","metrics":[]})", "error compile.loss"},
    {"LossOfSequencesBesideAMetric", kOne, "compile.loss=ctc", "error compile.loss; error compile.metrics[0]"},
    {"LossOfNoise", kOne, R"(compile.loss={"class_name":"CategoricalGeneralizedCrossEntropy","config":{"q":1}})", "error compile.loss.q"},
    {"LossOfProbabilities", kTwo, "compile.loss=categorical_generalized_cross_entropy", "warning compile.loss"},
    {"LossIgnoredClass", kOne, R"(compile.loss={"class_name":"SparseCategoricalCrossentropy","config":{"ignore_class":"a"}})",
     "error compile.loss.ignore_class"},
    {"ClassWeight", kOne, R"(fit.class_weight={"0":1.5,"3":-1})", "error fit.class_weight.3"},
    {"ClassWeightOfNoClass", kOne, R"(fit.class_weight={"0":1.5,"99":2})", "error fit.class_weight.99"},
    {"Metric", kOne, R"(compile.metrics=["accuracy","auc"])", "error compile.metrics[1]"},
    {"MetricTwice", kOne, R"(compile.metrics=["accuracy","accuracy"])", "error compile.metrics[1]"},
    {"Epochs", kOne, "fit.epochs=0", "error fit.epochs"},
    {"InitialEpoch", kOne, "fit.initial_epoch=12", "error fit.initial_epoch"},
    {"LogEvery", kOne, "fit.log_every=0", "error fit.log_every"},
    {"ValidationFreq", kOne, "fit.validation_freq=0", "error fit.validation_freq"},
    {"ValidationEpochs", kOne, "fit.validation_freq=[1,5]", ""},
    {"ValidationEpochsFromOne", kOne, "fit.validation_freq=[0,5]", "error fit.validation_freq"},
    {"HistogramFreq", kOne, "fit.histogram_freq=-1", "error fit.histogram_freq"},
    {"ValidationSteps", kOne, "fit.validation_steps=-1", "error fit.validation_steps"},
    {"ValidationBatch", kOne, "fit.validation_batch_size=-1", "error fit.validation_batch_size"},
    {"Steps", kOne, "fit.steps_per_epoch=-1", "error fit.steps_per_epoch"},
    {"WeightsFromJson", kOne, "fit.initial_weights=model.json", "error fit.initial_weights"},
    {"WeightsFromCheckpoint", kOne, "fit.initial_weights=run/checkpoints/ckpt_3", ""},
    {"StateOfNothing", kOne, "fit.initial_state=true", "error fit.initial_state"},
    {"WeightsToNpz", kOne, "fit.save_weights=out.npz", "error fit.save_weights"},
    {"WeightsToKeras", kOne, "fit.save_weights=out.keras", ""},
    {"WeightsBelow", kOne, "fit.save_weights=weights/out.keras", ""},
    {"WeightsAbsolute", kOne, "fit.save_weights=/tmp/out.keras", "error fit.save_weights"},
    {"WeightsOutside", kOne, "fit.save_weights=a/../../out.keras", "error fit.save_weights"},
    {"WeightsOverTheJournal", kOne, "fit.save_weights=journal/out.keras", "error fit.save_weights"},
    {"WeightsOverTheJournalsLock", kOne, "fit.save_weights=journal.lock/out.keras", "error fit.save_weights"},
    {"WeightsCutShort", kOne, R"(fit.save_weights="/etc/x\u0000.keras")", "error fit.save_weights"},
    {"CheckpointCutShort", kOne, R"(callbacks.model_checkpoint.filepath="x\u0000")", "error callbacks.model_checkpoint.filepath"},
    {"Callback", kOne, "callbacks.early_stop={}", "error callbacks.early_stop"},
    {"CheckpointOutside", kOne, "callbacks.model_checkpoint.filepath=../ckpt", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointAbsolute", kOne, "callbacks.model_checkpoint.filepath=/tmp/ckpt", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointPlaceholder", kOne, "callbacks.model_checkpoint.filepath=c/{step}", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointBrace", kOne, "callbacks.model_checkpoint.filepath=c/{epoch", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointFormatOfAText", kOne, "callbacks.model_checkpoint.filepath=c/{epoch:s}", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointFormatTooWide", kOne, "callbacks.model_checkpoint.filepath=c/{epoch:1000000d}",
     "error callbacks.model_checkpoint.filepath"},
    {"CheckpointIntegerOfANumber", kOne, "callbacks.model_checkpoint.filepath=c/{val_loss:d}", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointFormat", kOne, "callbacks.model_checkpoint.filepath=c/{epoch:02d}-{val_loss:.2f}", ""},
    {"CheckpointMonitor", kOne, R"(callbacks.model_checkpoint={"save_best_only":true,"monitor":"val_acc"})",
     "error callbacks.model_checkpoint.monitor"},
    {"CheckpointNameWithinEpochs", kOne, R"(callbacks.model_checkpoint={"save_freq":9,"filepath":"c/{batch}-{val_loss:.2f}"})",
     "error callbacks.model_checkpoint.filepath"},
    {"CheckpointFreqSteps", kOne, "callbacks.model_checkpoint.save_freq=100", ""},
    {"CheckpointFreq", kOne, "callbacks.model_checkpoint.save_freq=batch", "error callbacks.model_checkpoint.save_freq"},
    {"TableLengths", kOne, "callbacks.learning_rate_scheduler.rates=[0.1]", "error callbacks.learning_rate_scheduler.rates"},
    {"TableOrder", kOne, "callbacks.learning_rate_scheduler.epochs=[0,7,3]", "error callbacks.learning_rate_scheduler.epochs"},
    {"TableRates", kOne, "callbacks.learning_rate_scheduler.rates=[0.1,-1,0.1]", "error callbacks.learning_rate_scheduler.rates"},
    {"PrintLrField", kOne, "callbacks.print_lr.verbose=1", "error callbacks.print_lr.verbose"},
    {"CsvFile", kOne, "callbacks.csv_logger={}", "error callbacks.csv_logger.filename"},
    {"CsvSeparator", kOne, R"(callbacks.csv_logger={"filename":"a.csv","separator":"; "})", "error callbacks.csv_logger.separator"},
    {"CheckpointKerasWeights", kOne, "callbacks.model_checkpoint.filepath=w/{epoch}.weights.h5", ""},
    {"CheckpointKerasModel", kTwo, "callbacks.model_checkpoint.filepath=best.keras", ""},
    {"CheckpointModelOfWeights", kOne, "callbacks.model_checkpoint.filepath=best.keras", "error callbacks.model_checkpoint.filepath"},
    {"CheckpointWeightsOfAModel", kTwo, "callbacks.model_checkpoint.filepath=w.weights.h5", "error callbacks.model_checkpoint.filepath"},
    {"BoardDir", kOne, R"(callbacks.tensor_board={"log_dir":"/tmp"})", "error callbacks.tensor_board.log_dir"},
    {"BoardFreq", kTwo, R"(callbacks.tensor_board={"update_freq":"step"})", "error callbacks.tensor_board.update_freq"},
    {"BoardFreqBatch", kTwo, R"(callbacks.tensor_board={"update_freq":"batch","histogram_freq":1,"write_images":true})", ""},
    {"BoardHistograms", kTwo, R"(callbacks.tensor_board={"histogram_freq":-1})", "error callbacks.tensor_board.histogram_freq"},
    {"BoardProfile", kTwo, R"(callbacks.tensor_board={"profile_batch":2})", "error callbacks.tensor_board.profile_batch"},
    {"BoardEmbeddings", kTwo, R"(callbacks.tensor_board={"embeddings_freq":1})", "error callbacks.tensor_board.embeddings_freq"},
    {"BoardGraph", kTwo, R"(callbacks.tensor_board={"write_graph":1})", "error callbacks.tensor_board.write_graph"},
    {"BackupDir", kOne, "callbacks.backup_and_restore.backup_dir=../b", "error callbacks.backup_and_restore.backup_dir"},
    {"BackupDirEmpty", kOne, "callbacks.backup_and_restore.backup_dir=", "error callbacks.backup_and_restore.backup_dir"},
    {"BackupFreq", kOne, "callbacks.backup_and_restore.save_freq=0", "error callbacks.backup_and_restore.save_freq"},
    {"BackupFreqWord", kOne, "callbacks.backup_and_restore.save_freq=batch", "error callbacks.backup_and_restore.save_freq"},
    {"BackupFlag", kOne, "callbacks.backup_and_restore.delete_checkpoint=1", "error callbacks.backup_and_restore.delete_checkpoint"},
    {"BackupDouble", kOne, "callbacks.backup_and_restore.double_checkpoint=yes", "error callbacks.backup_and_restore.double_checkpoint"},
    {"BackupField", kOne, "callbacks.backup_and_restore.save_before_preemption=true",
     "error callbacks.backup_and_restore.save_before_preemption"},
    {"Stopping", kOne,
     R"(callbacks.early_stopping={"monitor":"val_accuracy","min_delta":0.01,"patience":3,"baseline":0.5,"restore_best_weights":true})", ""},
    {"StoppingMonitor", kOne, R"(callbacks.early_stopping={"monitor":"val_acc"})", "error callbacks.early_stopping.monitor"},
    {"StoppingDirection", kOne, R"(callbacks.early_stopping={"monitor":"learning_rate"})", "error callbacks.early_stopping.mode"},
    {"StoppingDirectionGiven", kOne, R"(callbacks.early_stopping={"monitor":"learning_rate","mode":"min"})", ""},
    {"StoppingMode", kOne, R"(callbacks.early_stopping={"mode":"up"})", "error callbacks.early_stopping.mode"},
    {"StoppingDelta", kOne, R"(callbacks.early_stopping={"min_delta":-1})", "error callbacks.early_stopping.min_delta"},
    {"StoppingPatience", kOne, R"(callbacks.early_stopping={"patience":-1})", "error callbacks.early_stopping.patience"},
    {"StoppingBaseline", kOne, R"(callbacks.early_stopping={"baseline":"low"})", "error callbacks.early_stopping.baseline"},
    {"StoppingStart", kOne, R"(callbacks.early_stopping={"start_from_epoch":-1})", "error callbacks.early_stopping.start_from_epoch"},
    {"StoppingRestore", kOne, R"(callbacks.early_stopping={"restore_best_weights":1})",
     "error callbacks.early_stopping.restore_best_weights"},
    {"StoppingVerbose", kOne, R"(callbacks.early_stopping={"verbose":3})", "error callbacks.early_stopping.verbose"},
    {"PlateauFactor", kTwo, R"(callbacks.reduce_lr_on_plateau={"factor":1})", "error callbacks.reduce_lr_on_plateau.factor"},
    {"PlateauFactorBelow", kTwo, R"(callbacks.reduce_lr_on_plateau={"factor":-0.5})", "error callbacks.reduce_lr_on_plateau.factor"},
    {"PlateauMonitor", kTwo, R"(callbacks.reduce_lr_on_plateau={"monitor":"x"})", "error callbacks.reduce_lr_on_plateau.monitor"},
    {"PlateauPatience", kTwo, R"(callbacks.reduce_lr_on_plateau={"patience":1.5})", "error callbacks.reduce_lr_on_plateau.patience"},
    {"PlateauCooldown", kTwo, R"(callbacks.reduce_lr_on_plateau={"cooldown":-1})", "error callbacks.reduce_lr_on_plateau.cooldown"},
    {"PlateauLeast", kTwo, R"(callbacks.reduce_lr_on_plateau={"min_lr":-1})", "error callbacks.reduce_lr_on_plateau.min_lr"},
    {"AveragesWithoutAny", kOne, "callbacks.swap_ema_weights={}", "error compile.optimizer.use_ema"},
    {"NanFlag", kOne, R"(callbacks.terminate_on_nan={"raise_error":0})", "error callbacks.terminate_on_nan.raise_error"},
    {"CsvOutside", kOne, R"(callbacks.csv_logger={"filename":"../a.csv"})", "error callbacks.csv_logger.filename"},
    {"CsvAppend", kOne, R"(callbacks.csv_logger={"filename":"a.csv","append":"yes"})", "error callbacks.csv_logger.append"},
    {"CheckpointThreshold", kOne, R"(callbacks.model_checkpoint.initial_value_threshold="low")",
     "error callbacks.model_checkpoint.initial_value_threshold"},
    {"CheckpointMode", kOne, "callbacks.model_checkpoint.mode=up", "error callbacks.model_checkpoint.mode"},
    {"UnknownStrategy", kOne, "strategy.name=Mirrored", "error strategy.name"},
    {"ParameterServer", kOne, "strategy.name=ParameterServerStrategy", "error cluster"},
    {"NoPs", kTwo, "strategy.name=ParameterServerStrategy", "error cluster"},
    {"StepsOfEpochs", kOne, "fit.steps=100", "error fit.steps"},
    {"NegativeSteps", kServers, "fit.steps=-1", "error fit.steps"},
    {"StepsAndEpochs", kServers, "fit.epochs=2", "error fit.steps"},
    {"NegativeStaleness", kServers, "strategy.max_staleness=-1", "error strategy.max_staleness"},
    {"NoStaleness", kServers, "strategy.max_staleness=null", ""},
    {"Partitioner", kServers, R"(strategy.variable_partitioner={"class_name":"Halves","config":{}})",
     "error strategy.variable_partitioner"},
    {"Shards", kServers, R"(strategy.variable_partitioner={"class_name":"FixedShardsPartitioner","config":{"num_shards":0}})",
     "error strategy.variable_partitioner.num_shards"},
    {"SmallShards", kServers, R"(strategy.variable_partitioner={"class_name":"MinSizePartitioner","config":{}})", ""},
    {"SpectralNormOnServers", kServers,
     R"(model.layers[0]={"class_name":"SpectralNormalization","config":{"layer":{"class_name":"Dense","config":{"units":3}}}})",
     "error model.layers[0]"},
    {"ServersOnGpus", kServers, R"(strategy.devices=["GPU:0"])", "error strategy.devices"},
    {"CentralStorage", kOne, "strategy.name=CentralStorageStrategy", ""},
    {"Devices", kOne, R"(strategy.devices=["CPU:0","/cpu:1","/device:CPU:2"])", ""},
    {"DeviceUnreadable", kOne, R"(strategy.devices=["CPU:0","second"])", "error strategy.devices[1]"},
    {"DeviceGpu", kOne, R"(strategy.devices=["/gpu:0"])", ""},
    {"DeviceTpu", kOne, R"(strategy.devices=["/tpu:0"])", "error strategy.devices[0]"},
    {"DevicesMixed", kOne, R"(strategy.devices=["GPU:0","CPU:0"])", "error strategy.devices[1]"},
    {"LogicalGpus", kOne, "strategy.logical_gpus=2", ""},
    {"LogicalGpusMany", kOne, "strategy.logical_gpus=65", "error strategy.logical_gpus"},
    {"LogicalGpusAndCpus", kOne, R"(strategy={"logical_gpus":2,"logical_cpus":2})", "error strategy.logical_gpus"},
    {"LogicalGpusOfOneDevice", kOne, R"(strategy={"name":"OneDeviceStrategy","logical_gpus":2})", "error strategy.logical_gpus"},
    {"TensorFloat32", kOne, "strategy.tensor_float_32_execution=true", ""},
    {"OpDeterminism", kOne, "strategy.op_determinism=true", ""},
    {"DeviceTwice", kOne, R"(strategy.devices=["CPU:1","/cpu:1"])", "error strategy.devices[1]"},
    {"DeviceBeyond", kOne, R"(strategy={"devices":["CPU:2"],"logical_cpus":2})", "error strategy.devices[0]"},
    {"LogicalCpus", kOne, "strategy.logical_cpus=4", ""},
    {"LogicalCpusMany", kOne, "strategy.logical_cpus=65", "error strategy.logical_cpus"},
    {"DevicesOfOneDevice", kOne, R"(strategy={"name":"OneDeviceStrategy","logical_cpus":2})", "error strategy.logical_cpus"},
    {"DevicesOfEachWorker", kTwo, R"(strategy.devices=["CPU:0","CPU:1"])", ""},
    {"LogicalCpusOfEachWorker", kTwo, "strategy.logical_cpus=4", ""},
    {"LogicalCpusOfEachWorkerMany", kTwo, "strategy.logical_cpus=65", "error strategy.logical_cpus"},
    {"DeviceOfEachWorkerTwice", kTwo, R"(strategy.devices=["CPU:0","/cpu:0"])", "error strategy.devices[1]"},
    {"CrossDeviceOps", kOne, "strategy.cross_device_ops=HierarchicalCopyAllReduce", ""},
    {"CrossDeviceOpsUnknown", kOne, "strategy.cross_device_ops=RingAllReduce", "error strategy.cross_device_ops"},
    {"NumPacks", kOne, "strategy.cross_device_ops.num_packs=-1", "error strategy.cross_device_ops.num_packs"},
    {"ReduceToDevice", kOne,
     R"(strategy={"logical_cpus":2,"cross_device_ops":{"class_name":"ReductionToOneDevice","config":{"reduce_to_device":"/cpu:1"}}})", ""},
    {"ReduceToDeviceUnknown", kOne,
     R"(strategy.cross_device_ops={"class_name":"ReductionToOneDevice","config":{"reduce_to_device":"CPU:1"}})",
     "error strategy.cross_device_ops.reduce_to_device"},
    {"Tpu", kOne, "strategy.name=TPUStrategy", "error strategy.name; warning data.drop_remainder"},
    {"TpuInACluster", kTwo, "strategy.name=TPUStrategy", "error strategy.name; warning data.drop_remainder; error strategy.name"},
    {"Resolver", kOne, R"(strategy.cluster_resolver={"class_name":"KubernetesClusterResolver","config":{}})",
     "error strategy.cluster_resolver"},
    {"ResolverOfAnotherStrategy", kOne, R"(strategy.cluster_resolver={"class_name":"TPUClusterResolver","config":{"tpu":"a"}})", ""},
    {"MirroredWithACluster", kTwo, "strategy.name=MirroredStrategy", "error strategy.name"},
    {"Communication", kTwo, "strategy.communication=TREE", "error strategy.communication"},
    {"Mpi", kTwo, "strategy.communication=MPI", ""},
    {"Nccl", kTwo, "strategy.communication=NCCL", ""},
    {"NcclOnGpus", kTwo, R"(strategy={"name":"MultiWorkerMirroredStrategy","communication":"NCCL","devices":["GPU:0"]})", ""},
    {"NcclOnCpus", kTwo, R"(strategy={"name":"MultiWorkerMirroredStrategy","communication":"NCCL","devices":["CPU:0"]})",
     "error strategy.communication"},
    {"NcclOnLogicalCpus", kTwo, R"(strategy={"name":"MultiWorkerMirroredStrategy","communication":"NCCL","logical_cpus":2})",
     "error strategy.communication"},
    {"Pack", kTwo, "strategy.bytes_per_pack=-1", "error strategy.bytes_per_pack"},
    {"Address", kTwo, "cluster.worker[1]=localhost", "error cluster.worker[1]"},
    {"AddressTwice", kTwo, "cluster.worker[1]=localhost:12345", "warning cluster.worker[1]"},
    {"PsOnly", kTwo, R"(cluster={"ps":["h:1"]})", "warning cluster.ps; error cluster"},
    {"UnknownJob", kTwo, R"(cluster.trainer=["h0:1"])", "error cluster.trainer; warning cluster.worker[0]"},
    {"StartTimeout", kTwo, "cluster.start_timeout_s=0", "error cluster.start_timeout_s"},
    {"Threads", kTwo, "cluster.threads_per_task=-1", "error cluster.threads_per_task"},
    {"NegativeRestarts", kTwo, "cluster.max_restarts=-1", "error cluster.max_restarts"},
    {"ShortSilence", kTwo, "cluster.heartbeat_fatal_s=2.5", "error cluster.heartbeat_fatal_s"},
    {"EndlessSilence", kTwo, "cluster.heartbeat_fatal_s=1e9", "error cluster.heartbeat_fatal_s"},
    {"GoesOnWithoutWorkers", kTwo, "cluster.on_task_lost=continue", ""},
    {"GoesOnWithoutServers", kServers, "cluster.on_task_lost=continue", "error cluster.on_task_lost"},
    {"GoesOnWithoutItsOnlyTask", kOne, "cluster.on_task_lost=continue", "error cluster.on_task_lost"},
    {"ShortHomeLost", kTwo, "cluster.home_lost_s=4", "error cluster.home_lost_s"},
    {"EndlessHomeLost", kTwo, "cluster.home_lost_s=1e9", "error cluster.home_lost_s"},
    {"NegativeHomeLost", kTwo, "cluster.home_lost_s=-1", "error cluster.home_lost_s"},
    {"ManyRestarts", kTwo, "cluster.max_restarts=1001", "error cluster.max_restarts"},
};

class ValidateTable : public testing::TestWithParam<Row> {};

TEST_P(ValidateTable, GivesItsVerdict) {
    const Row& row = GetParam();
    RunSpec run = starter(row.project);
    const Diagnostics setting = applySetting(run, row.setting);
    ASSERT_FALSE(hasErrors(setting)) << toString(setting.front());
    EXPECT_EQ(verdict(run), row.expected);
}

INSTANTIATE_TEST_SUITE_P(Fields, ValidateTable, testing::ValuesIn(kRows), [](const auto& row) { return row.param.name; });

// A second spelling would stand as a second callback beside the first.
TEST(Validate, ACallbackHasOneName) {
    for (const auto& [given, name] : {std::pair{"tensorboard", "tensor_board"}, {"ModelCheckpoint", "model_checkpoint"}}) {
        RunSpec run = starter(kTwo);
        const RunSpec before = run;
        const Diagnostics diagnostics = applySetting(run, "callbacks." + std::string(given) + R"(={"verbose":0})");
        ASSERT_EQ(diagnostics.size(), 1U) << given;
        EXPECT_EQ(diagnostics[0].path, "callbacks." + std::string(given));
        EXPECT_EQ(diagnostics[0].message, "expected " + std::string(name) + ", got " + given);
        EXPECT_EQ(run.callbacks, before.callbacks);
    }
}

TEST(Validate, EpochsOfValidationAreAnIntegerOrAListOfThem) {
    for (const char* setting : {"fit.validation_freq=[]", "fit.validation_freq=often", "fit.validation_freq=[1,\"two\"]"}) {
        RunSpec run = starter(kOne);
        const Diagnostics diagnostics = applySetting(run, setting);
        ASSERT_EQ(diagnostics.size(), 1U) << setting;
        EXPECT_EQ(diagnostics.front().path, "fit.validation_freq");
    }
}

TEST(Validate, ReportsEveryMistakeAtOnce) {
    RunSpec run = starter(kOne);
    run.fit.epochs = 0;
    run.data.batch_size_per_replica = 0;
    run.model.layers[3].config.set("units", std::int64_t{0});
    run.compile.metrics = {"auc"};
    EXPECT_EQ(verdict(run), "error model.layers[3].units; error data.batch_size_per_replica; error compile.metrics[0]; error fit.epochs");
}

TEST(Validate, RefusesNumbersThatAreNone) {
    RunSpec run = starter(kOne);
    run.data.scale = std::numeric_limits<double>::quiet_NaN();
    run.data.validation_split = std::numeric_limits<double>::quiet_NaN();
    run.compile.optimizer.config.set("learning_rate", std::numeric_limits<double>::infinity());
    run.cluster.start_timeout_s = std::numeric_limits<double>::infinity();
    EXPECT_EQ(verdict(run),
              "error data.scale; error data.validation_split; error compile.optimizer.learning_rate; error cluster.start_timeout_s");
}

TEST(Validate, KnowsThatThereIsNothingToValidateOn) {
    RunSpec run = starter(kOne);
    run.data.validate_on_test = false;
    run.callbacks.push_back({"EarlyStopping", {}});
    EXPECT_EQ(verdict(run), "error callbacks.early_stopping.monitor");
}

TEST(Validate, RefusesASchedulersRateBesideAPlateau) {
    RunSpec run = starter(kTwo);
    run.callbacks.push_back({"ReduceLROnPlateau", {}});
    ASSERT_TRUE(
        applySetting(
            run,
            R"(compile.optimizer.learning_rate={"class_name":"ExponentialDecay","config":{"initial_learning_rate":0.1,"decay_steps":9,"decay_rate":0.9}})")
            .empty());
    EXPECT_EQ(verdict(run), "error callbacks.reduce_lr_on_plateau");
}

TEST(Validate, ChecksWhatEachFormatLeavesOpen) {
    RunSpec run = starter(kTwo);
    run.data.train_files = {"a"};
    run.data.scale = 1;
    run.data.dataset = "csv";
    run.data.csv = {.delimiter = ";;", .label = "y", .missing = "guess"};
    EXPECT_EQ(verdict(run), "error data.csv.delimiter; error data.csv.missing; error data.auto_shard");
    run.data.auto_shard = AutoShardPolicy::kData;
    run.data.dataset = "image_folder";
    run.data.images = {.size = {0, 5}, .color_mode = "cmyk", .interpolation = "cubic"};
    EXPECT_EQ(verdict(run), "error data.images.size; error data.images.color_mode; error data.images.interpolation");
    run.data.dataset = "tfrecord";
    run.data.tfrecord = {.sample = "", .encoding = "webp", .dtype = "float64", .shape = {1 << 20, 1 << 20}};
    EXPECT_EQ(verdict(run),
              "error data.tfrecord.sample; error data.tfrecord.encoding; error data.tfrecord.dtype; error data.tfrecord.shape");
    run.data.dataset = "text";
    run.data.text = {.vocabulary = 2, .length = 0};
    EXPECT_EQ(verdict(run), "error data.text.vocabulary; error data.text.length");
    run.data.dataset = "text_folder";
    EXPECT_EQ(verdict(run), "error data.text.vocabulary; error data.text.length");
    run.data.text = {};
    EXPECT_EQ(verdict(run), "");
    run.data.train_files = {"a", "b"};
    EXPECT_EQ(verdict(run), "error data.train_files");
    run.data.dataset = "npz";
    EXPECT_EQ(verdict(run), "error data.train_files");
    run.data.dataset = "tfrecord";
    run.data.tfrecord = {.shape = {2}};
    run.data.auto_shard = AutoShardPolicy::kAuto;
    EXPECT_EQ(verdict(run), "");
}

struct Ending {
    std::vector<LayerSpec> layers;
    const char* text;
};

TEST(FittingCompile, GoesWithTheModelsOutput) {
    const auto dense = [](std::int64_t units, const char* activation) {
        return LayerSpec{"Dense", "dense", {{"units", units}, {"activation", activation}}};
    };
    const std::vector<Ending> rows{
        {{dense(1, "sigmoid")}, "Adam, BinaryCrossentropy and the metric accuracy"},
        {{dense(3, "sigmoid")}, "Adam, BinaryCrossentropy and the metric accuracy"},
        {{dense(1, "linear")}, "Adam, MeanSquaredError and the metric mae"},
        {{dense(2, "tanh")}, "Adam, MeanSquaredError and the metric mae"},
        {{dense(3, "softmax")}, "Adam, SparseCategoricalCrossentropy and the metric accuracy"},
        {{dense(3, "linear"), {"Softmax", "softmax", {}}}, "Adam, SparseCategoricalCrossentropy and the metric accuracy"},
        {{dense(3, "linear")}, "Adam, SparseCategoricalCrossentropy and the metric accuracy"},
        {{dense(1, "softmax")}, "Adam, MeanSquaredError and the metric mae"},
    };
    for (const Ending& row : rows) {
        RunSpec run;
        run.model.input_shape = {7};
        run.model.layers = row.layers;
        run.compile = fittingCompile(run.model);
        EXPECT_EQ(compileText(run.compile), row.text);
        for (const Diagnostic& one : validate(run)) EXPECT_FALSE(one.path.starts_with("compile")) << toString(one);
    }
}

TEST(MonitoredNames, LackThoseOfAValidationWithoutData) {
    const auto validates = [](const RunSpec& run) { return monitoredNames(run).contains("val_loss"); };
    RunSpec run;
    EXPECT_TRUE(validates(run)) << "a named data set has a test set";
    run.data.dataset = "npz";
    EXPECT_TRUE(validates(run)) << "the archive tells whether it has one";
    run.data.dataset = "npy";
    EXPECT_FALSE(validates(run));
    run.data.test_images = "x_test.npy";
    EXPECT_TRUE(validates(run));
    run.data.dataset = "csv";
    EXPECT_FALSE(validates(run));
    run.data.validation_split = 0.1;
    EXPECT_TRUE(validates(run));
    run.data.validation_split = 0;
    run.data.test_files = {"test.csv"};
    EXPECT_TRUE(validates(run));
    run.data.validate_on_test = false;
    EXPECT_FALSE(validates(run));
}

TEST(Validate, NamesACheckpointByAValidationThatComesAfterEveryEpoch) {
    RunSpec run = starter(kOne);
    run.fit.epochs = 2;
    ASSERT_TRUE(applySetting(run, "callbacks.model_checkpoint.filepath=c/{epoch}-{val_loss:.2f}").empty());
    const auto isNamed = [&run] {
        const Diagnostics found = validate(run);
        return std::none_of(found.begin(), found.end(),
                            [](const Diagnostic& one) { return one.path == "callbacks.model_checkpoint.filepath"; });
    };
    EXPECT_TRUE(isNamed());
    run.fit.validation_freq = 2;
    EXPECT_FALSE(isNamed()) << "the first epoch has no val_loss";
    run.fit.validation_epochs = {2};
    EXPECT_FALSE(isNamed());
    run.fit.validation_epochs = {1, 2};
    EXPECT_TRUE(isNamed());
    run.fit.validation_epochs = {2, 3};
    run.fit.initial_epoch = 1;
    EXPECT_TRUE(isNamed()) << "it begins with the second epoch";
}

TEST(Validate, RefusesOneCallbackTwice) {
    RunSpec run = starter(kOne);
    run.callbacks.push_back({"PrintLR", {}});
    EXPECT_EQ(verdict(run), "error callbacks.print_lr");
}

}  // namespace
}  // namespace engine::spec
