#include "engine/spec/keras/checkpoint_path.h"

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {

std::string kerasFilepath(const Fields& checkpoint) {
    ++readOfThisThread();
    const Settings settings = settingsOf(callbackSchemas(), "ModelCheckpoint", checkpoint);
    const std::string file = settings.getString("filepath");
    if (settings.getBool("save_weights_only")) {
        return file.ends_with(".weights.h5") ? file : file + ".weights.h5";
    }
    return file.ends_with(".keras") || file.ends_with(".h5") ? file : file + ".keras";
}

}  // namespace engine::spec::code
