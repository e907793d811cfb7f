#include "engine/spec/keras/code/estimators/column_calls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/keras/code/written_parts.h"

namespace engine::spec::code {
namespace {

Node listOf(Node::Kind kind, std::vector<Node> items) {
    Node node;
    node.kind = kind;
    node.items = std::move(items);
    return node;
}

// Whole ones without a point: 30, not 3e1.
Node realNode(double value) {
    constexpr double kMostWhole = 1e15;
    if (value == std::floor(value) && std::fabs(value) < kMostWhole) return numberNode(static_cast<std::int64_t>(value));
    Node node;
    node.kind = Node::Kind::kReal;
    node.real = value;
    return node;
}

Node calledWith(const std::string& function, Node first) {
    Node call = calledNode("tf.feature_column." + function);
    addCallArgument(call, "", std::move(first));
    return call;
}

std::string keyOf(const ObjectSpec& column) {
    return settingsOf(featureColumnSchemas(), column).getString("key");
}

bool isNumeric(const ObjectSpec& column) {
    return column.class_name == "NumericColumn" || column.class_name == "BucketizedColumn";
}

// "12", as a number is printed.
bool isWhole(const std::string& text) {
    constexpr std::size_t kMostDigits = 9;
    const bool has_length = !text.empty() && text.size() <= kMostDigits;
    return has_length && std::to_string(std::strtol(text.c_str(), nullptr, 10)) == text;
}

// A reader of tables that finds nothing but whole numbers in a column gives numbers; the vocabulary is of the same type.
Node vocabularyNode(const std::vector<std::string>& texts, bool ints) {
    const bool whole = ints && std::all_of(texts.begin(), texts.end(), isWhole);
    std::vector<Node> items;
    items.reserve(texts.size());
    for (const std::string& text : texts) items.push_back(whole ? numberNode(std::strtol(text.c_str(), nullptr, 10)) : textNode(text));
    return listOf(Node::Kind::kList, std::move(items));
}

Node categoriesCall(const ObjectSpec& column, bool ints) {
    const Settings settings = settingsOf(featureColumnSchemas(), column);
    Node key = textNode(settings.getString("key"));
    if (column.class_name == "CategoricalColumnWithVocabularyList") {
        Node call = calledWith("categorical_column_with_vocabulary_list", std::move(key));
        addCallArgument(call, "", vocabularyNode(std::get<std::vector<std::string>>(*settings.find("vocabulary_list")), ints));
        if (const std::int64_t others = settings.getInt("num_oov_buckets"); others > 0) {
            addCallArgument(call, "num_oov_buckets", numberNode(others));
        }
        return call;
    }
    const bool hashes = column.class_name == "CategoricalColumnWithHashBucket";
    Node call = calledWith(hashes ? "categorical_column_with_hash_bucket" : "categorical_column_with_identity", std::move(key));
    const char* size = hashes ? "hash_bucket_size" : "num_buckets";
    addCallArgument(call, size, numberNode(settings.getInt(size)));
    return call;
}

}  // namespace

Node numericColumnCall(const std::string& key, std::int64_t width) {
    Node call = calledWith("numeric_column", textNode(key));
    if (width != 1) addCallArgument(call, "shape", listOf(Node::Kind::kTuple, {numberNode(width)}));
    return call;
}

Node columnCall(const ObjectSpec& column, Categories categories, bool ints) {
    const Settings settings = settingsOf(featureColumnSchemas(), column);
    if (column.class_name == "NumericColumn") return numericColumnCall(settings.getString("key"), settings.getInt("shape"));
    if (column.class_name == "BucketizedColumn") {
        std::vector<Node> boundaries;
        for (const double boundary : settings.getDoubles("boundaries")) boundaries.push_back(realNode(boundary));
        Node call = calledWith("bucketized_column", numericColumnCall(settings.getString("key"), 1));
        addCallArgument(call, "boundaries", listOf(Node::Kind::kList, std::move(boundaries)));
        return call;
    }
    Node call = categoriesCall(column, ints);
    return categories == Categories::kPlain ? call : calledWith("indicator_column", std::move(call));
}

// The features as tf.feature_column.make_parse_example_spec() has them: numbers of a fixed count, categories as many as there are.
std::string featuresStatement(const std::vector<ObjectSpec>& columns, const std::string& label, bool whole_labels, int indent) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    std::set<std::string> told;
    std::string text = "features = {\n";
    for (const ObjectSpec& column : columns) {
        const std::string key = keyOf(column);
        if (!told.insert(key).second) continue;
        std::string feature = "tf.io.VarLenFeature(tf.string)";
        if (isNumeric(column)) {
            const std::int64_t width =
                column.class_name == "NumericColumn" ? settingsOf(featureColumnSchemas(), column).getInt("shape") : 1;
            feature = "tf.io.FixedLenFeature([" + (width == 1 ? std::string() : std::to_string(width)) + "], tf.float32)";
        } else if (column.class_name == "CategoricalColumnWithIdentity") {
            feature = "tf.io.VarLenFeature(tf.int64)";
        }
        text.append(margin).append(nodeLine(textNode(key))).append(": ").append(feature).append(",\n");
    }
    return text + margin + nodeLine(textNode(label)) + ": tf.io.FixedLenFeature([], " + (whole_labels ? "tf.int64" : "tf.float32") +
           ")\n}\n";
}

}  // namespace engine::spec::code
