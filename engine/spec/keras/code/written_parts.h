// The parts of a project as code, one by one: for a whole program and for what is brought into a text. Only files of this folder, those
// below it and of engine/script include it.
#pragma once

#include <string>
#include <string_view>

#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

// Statements that end in a newline; empty where the project has no such part.
std::string writeModelPart(const RunSpec& run, const CodeLayout& layout);
// The classes of layers that Keras lacks, of those that the model holds; they stand in front of the model.
std::string writeClassesPart(const RunSpec& run, const CodeLayout& layout);
// One of them (tandemClasses()); empty where the model holds none of it.
std::string writeClassPart(const RunSpec& run, std::string_view class_name, const CodeLayout& layout);
std::string writeCompilePart(const RunSpec& run, const CodeLayout& layout);
std::string writePrintLrPart(const RunSpec& run, const CodeLayout& layout);
std::string writeSchedulePart(const RunSpec& run, const CodeLayout& layout);
// adapt() of the layer that takes values from the training samples, in front of fit(): from the sources of writeDataPart(), else from the
// variable that fit() is given. Empty where the model has no such layer.
std::string writeAdaptPart(const RunSpec& run, const CodeLayout& layout);
// `validation`: the variable with the data to validate with; empty: none.
std::string writeFitPart(const RunSpec& run, const CodeLayout& layout, const std::string& validation = {});

// model.compile(…) and model.fit(train_dataset, …) by their arguments.
Node compileCall(const RunSpec& run);
Node fitCall(const RunSpec& run, const CodeLayout& layout);
std::string objectCall(const ObjectSpec& object, Family family);  // "keras.optimizers.SGD(learning_rate=0.1)"

// The calls of an estimator: RunConfig with the variable of its strategy (empty: none), TrainSpec or train(), EvalSpec or evaluate(),
// without the input, which the text names.
Node runConfigCall(const RunSpec& run, const std::string& strategy);
Node trainSpecCall(const RunSpec& run, const std::string& verb);
Node evalSpecCall(const RunSpec& run, const std::string& verb);
// All of a project with an estimator: with layout.imports a program with its input_fn, else the model, compile() and the estimator alone.
std::string writeEstimatorProgram(const RunSpec& run, const CodeLayout& layout);
// Both inputs of an estimator in one function of its mode; a comment that names it where no line of Keras opens the data. `feature`: the
// key of the samples in a dictionary, as canned estimators take them; empty: samples as they are.
std::string writeInputPart(const RunSpec& run, const CodeLayout& layout, const std::string& feature);
// The calls train_and_evaluate(), TrainSpec and EvalSpec with the functions that give their data.
std::string writeTrainAndEvaluate(const RunSpec& run, const CodeLayout& layout, const std::string& train_input,
                                  const std::string& eval_input);

std::string nodeLine(const Node& node);
std::string argumentLine(const Node& call, std::size_t i);  // "epochs=3"
// The same where it stands at `column`, over several lines where one is too long.
std::string argumentBlock(const Node& call, std::size_t i, const CodeLayout& layout, int column);
// A statement with its newline: `prefix` and the tree, over several lines where one is too long.
std::string statementLines(const std::string& prefix, const Node& node, const CodeLayout& layout);
std::string indentedLines(const std::string& code, const CodeLayout& layout);
Node numberNode(std::int64_t value);
Node textNode(std::string value);
Node calledNode(std::string name);  // without arguments
Node wordNode(std::string name);
void addCallArgument(Node& call, std::string keyword, Node value);

// The strategy of tf.distribute that the project trains with: `strategy = …`. Empty for one device without a strategy.
std::string writeStrategyPart(const RunSpec& run, const CodeLayout& layout);
// How the script of a TPU finds it: tf.distribute.cluster_resolver.TPUClusterResolver(tpu='…').
Node resolverCall(const StrategySpec& strategy);
// train_dataset, and test_dataset where it validates with the test set: the data as tf.data reads them. Empty for files of one's own, which
// no line of Keras opens, but for a folder of texts. `feature`: as of writeInputPart().
std::string writeDataPart(const RunSpec& run, const CodeLayout& layout, const std::string& feature = {});
// "test_dataset" where writeDataPart() made it to validate with; else empty.
std::string validationData(const RunSpec& run, const CodeLayout& layout = {});

}  // namespace engine::spec::code
