#include "engine/data/readers/feature_encoder.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <farmhash.h>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/feature_columns.h"

namespace engine::data {

FeatureEncoder::Kind FeatureEncoder::kindOf(const std::string& class_name) {
    if (class_name == "BucketizedColumn") return Kind::kBuckets;
    if (class_name == "CategoricalColumnWithIdentity") return Kind::kIdentity;
    if (class_name == "CategoricalColumnWithVocabularyList") return Kind::kVocabulary;
    if (class_name == "CategoricalColumnWithHashBucket") return Kind::kHash;
    return Kind::kNumeric;
}

FeatureEncoder::FeatureEncoder(const spec::ObjectSpec& column)
    : kind_(kindOf(column.class_name)), width_(static_cast<std::size_t>(spec::featureWidth(column))) {
    const spec::Settings settings = spec::settingsOf(spec::featureColumnSchemas(), column);
    key_ = settings.getString("key");
    if (kind_ == Kind::kBuckets) boundaries_ = settings.getDoubles("boundaries");
    if (kind_ == Kind::kVocabulary) texts_ = std::get<std::vector<std::string>>(*settings.find("vocabulary_list"));
}

void FeatureEncoder::addNumber(double number, float* row, std::size_t place) const {
    if (kind_ == Kind::kNumeric) {
        row[place] = static_cast<float>(number);
        return;
    }
    if (kind_ == Kind::kBuckets) {
        row[std::upper_bound(boundaries_.begin(), boundaries_.end(), number) - boundaries_.begin()] += 1;
        return;
    }
    if (!(number >= 0) || number >= static_cast<double>(width_) || std::floor(number) != number) {
        std::ostringstream got;
        got << number;
        throw Error(ErrorCode::kDataLoss,
                    "expected a whole number below " + std::to_string(width_) + " in \"" + key_ + "\", got " + got.str());
    }
    row[static_cast<std::size_t>(number)] += 1;
}

// A text beyond the vocabulary has the place behind it, where there is one. TensorFlow hashes by FarmHash's fingerprint of 64 bits.
void FeatureEncoder::addText(std::string_view text, float* row) const {
    const std::size_t place = kind_ == Kind::kHash
                                  ? static_cast<std::size_t>(util::Fingerprint64(text.data(), text.size()) % width_)
                                  : static_cast<std::size_t>(std::find(texts_.begin(), texts_.end(), text) - texts_.begin());
    if (place < width_) row[place] += 1;
}

std::vector<FeatureEncoder> featureEncoders(const std::vector<spec::ObjectSpec>& columns) {
    return {columns.begin(), columns.end()};
}

}  // namespace engine::data
