// What a column of data.feature_columns makes of a value: numbers, or a place for each bucket, text or value, of which those that are there
// are 1. The rules are those of tf.feature_column with indicator_column around a categorical one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/fields.h"

namespace engine::data {

// A plain value; reading it is safe from any thread. Requires a column that validate() takes.
class FeatureEncoder {
public:
    explicit FeatureEncoder(const spec::ObjectSpec& column);

    const std::string& key() const { return key_; }
    std::size_t width() const { return width_; }
    // Numbers of a sample's value: NumericColumn.shape, 1 of other columns.
    std::size_t numbers() const { return kind_ == Kind::kNumeric ? width_ : 1; }
    bool isNumeric() const { return kind_ == Kind::kNumeric; }
    // Its values are texts: addText() takes them. Those of any other column are numbers: addNumber().
    bool takesText() const { return kind_ == Kind::kVocabulary || kind_ == Kind::kHash; }

    // Write a value into `row`, the width() numbers of one sample, which begin as zeros. A numeric column's `place` says which of its
    // numbers it is. A categorical column may get several values: each adds 1. Throw Error(kDataLoss) for a value that
    // CategoricalColumnWithIdentity has no place for.
    void addNumber(double number, float* row, std::size_t place = 0) const;
    void addText(std::string_view text, float* row) const;

private:
    enum class Kind { kNumeric, kBuckets, kIdentity, kVocabulary, kHash };
    static Kind kindOf(const std::string& class_name);

    Kind kind_;
    std::string key_;
    std::size_t width_;
    std::vector<double> boundaries_;  // of buckets
    std::vector<std::string> texts_;  // of a vocabulary
};

// The places of several columns one after the other in a sample.
std::vector<FeatureEncoder> featureEncoders(const std::vector<spec::ObjectSpec>& columns);

}  // namespace engine::data
