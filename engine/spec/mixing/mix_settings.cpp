#include "engine/spec/mixing/mix_settings.h"

#include <algorithm>
#include <vector>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::spec {

bool isMixed(const DataSpec& data) {
    return !data.mix.class_name.empty();
}

MixSettings mixSettings(const ObjectSpec& mix) {
    const Settings settings = settingsOf(mixSchemas(), mix);
    MixSettings result;
    result.seed = settings.findInt("seed");
    if (mix.class_name == "MixUp") {
        result.alpha = settings.getDouble("alpha");
        return result;
    }
    result.kind = MixKind::kCutMix;
    const std::vector<double> factor = settings.getDoubles("factor");
    ENGINE_CHECK(factor.size() == 1 || factor.size() == 2);
    result.least = factor.size() == 1 ? 0 : std::min(factor[0], factor[1]);
    result.most = factor.size() == 1 ? factor[0] : std::max(factor[0], factor[1]);
    return result;
}

const std::string& mixName(const DataSpec& data) {
    return data.mix.class_name;
}

std::optional<ImageSize> imageSizeOf(const Shape& input, const Shape& stored) {
    for (const Shape* shape : {&input, &stored}) {
        if (shape->size() == 2 || shape->size() == 3) {
            return ImageSize{(*shape)[0], (*shape)[1], shape->size() == 3 ? (*shape)[2] : 1};
        }
    }
    return std::nullopt;
}

}  // namespace engine::spec
