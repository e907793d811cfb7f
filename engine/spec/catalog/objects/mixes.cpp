// What data.mix may be: layers of Keras that mix the samples of a batch and their labels, so that they stand in the data's way and in no
// model.
#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {

std::vector<ObjectSchema> mixes() {
    const FieldSchema seed{
        .name = "seed", .kind = FieldKind::kInt, .minimum = 0, .hint = "Random numbers of its own; empty: from the run's seed"};
    return {{"MixUp",
             {{.name = "alpha",
               .kind = FieldKind::kDouble,
               .fallback = 0.2,
               .minimum = 0,
               .maximum = 1e6,
               .minimum_excluded = true,
               .hint = "Shares of two samples come from Beta(alpha, alpha): small for little mixing, 1 for any share alike"},
              seed}},
            {"CutMix",
             {{.name = "factor",
               .kind = FieldKind::kDoubleList,
               .fallback = 1.0,
               .minimum = 0,
               .maximum = 1,
               .hint = "Alpha of a batch's shares, drawn from 0 to f, or between two numbers: larger for boxes of all sizes"},
              seed}}};
}

}  // namespace engine::spec::objects
