#include "engine/data/texts/text_samples.h"

#include <cstring>
#include <utility>

#include "engine/data/sample_decoder.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

using Texts = std::shared_ptr<const std::vector<std::string>>;

// A row may be much longer than its text.
class RowsOfTexts final : public SampleDecoder {
public:
    RowsOfTexts(Texts texts, std::shared_ptr<const TextEncoder> encoder, std::string source)
        : texts_(std::move(texts)), encoder_(std::move(encoder)), source_(std::move(source)) {}

    void decode(std::int64_t index, std::byte* into) const override {
        try {
            encoder_->encode((*texts_)[static_cast<std::size_t>(index)], into);
        } catch (const Error& error) {
            throw Error(error.code(), source_ + ": text " + std::to_string(index) + ": " + error.what());
        }
    }

private:
    const Texts texts_;
    const std::shared_ptr<const TextEncoder> encoder_;
    const std::string source_;
};

}  // namespace

std::vector<std::string> takeTexts(TextLines& lines) {
    std::vector<std::string> texts(lines.texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::int32_t number = 0;
        std::memcpy(&number, std::as_const(lines.samples).samples.data() + i * sizeof(number), sizeof(number));
        texts[i] = std::move(lines.texts[static_cast<std::size_t>(number)]);
    }
    lines.texts.clear();
    return texts;
}

void setEncoded(Samples& samples, std::vector<std::string> texts, const std::shared_ptr<const TextEncoder>& encoder) {
    ENGINE_CHECK(static_cast<std::int64_t>(texts.size()) == samples.count);
    samples.sample_shape = encoder->shape();
    samples.sample_dtype = encoder->dtype();
    samples.shape_field.clear();
    samples.texts = std::make_shared<const std::vector<std::string>>(std::move(texts));
    const auto rows = std::make_shared<const RowsOfTexts>(samples.texts, encoder, samples.source);
    if (encoder->dtype() != tensor::DType::kInt32) {
        samples.samples = ByteBuffer();
        samples.decoder = rows;
        return;
    }
    samples.samples = ByteBuffer(encoder->bytes() * samples.texts->size());
    for (std::int64_t i = 0; i < samples.count; ++i) {
        rows->decode(i, samples.samples.data() + static_cast<std::size_t>(i) * encoder->bytes());
    }
}

std::shared_ptr<const Samples> readEncodedTexts(const std::filesystem::path& file, const spec::LayerSpec& layer) {
    auto samples = std::make_shared<Samples>();
    samples->source = file.string();
    std::vector<std::string> texts = readPlainTexts(file);
    samples->count = static_cast<std::int64_t>(texts.size());
    setEncoded(*samples, std::move(texts), std::make_shared<const TextEncoder>(layer));
    return samples;
}

}  // namespace engine::data
