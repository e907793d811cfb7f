#include "engine/spec/keras/code/checkpoint_path.h"

#include "engine/spec/catalog/object_schema.h"

namespace engine::spec::code {

std::string kerasFilepath(const Fields& checkpoint) {
    const FieldSchema& path = findSchema(callbackSchemas(), "ModelCheckpoint")->fields.front();
    const std::string file = checkpoint.getString(path.name, std::get<std::string>(path.fallback));
    if (checkpoint.getBool("save_weights_only", false)) {
        return file.ends_with(".weights.h5") ? file : file + ".weights.h5";
    }
    return file.ends_with(".keras") || file.ends_with(".h5") ? file : file + ".keras";
}

}  // namespace engine::spec::code
