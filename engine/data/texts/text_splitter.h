// What a text layer cuts a text into before it looks for places: Keras' standardization, splits and n-grams, which are TensorFlow's.
//
// Small letters: those from A to Z alone (tf.strings.lower without an encoding). Punctuation: the 32 signs of ASCII. White space: that of
// C's isspace in ASCII. Characters: code points of UTF-8. Words that go together stand with a space between two, all of one number before
// those of the next (tf.strings.ngrams).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::data {

// Owned by whoever reads texts; any thread may call it.
class TextSplitter {
public:
    // A layer that takes texts; a StringLookup leaves them whole.
    explicit TextSplitter(const spec::LayerSpec& layer);

    // `text` is UTF-8.
    std::vector<std::string> tokens(std::string_view text) const;

private:
    enum class Split { kNone, kWords, kCharacters };

    bool lowers_ = false, strips_ = false;
    Split split_ = Split::kNone;
    std::vector<std::size_t> widths_;  // words that go together; empty: each by itself
};

}  // namespace engine::data
