#include "engine/spec/objects/object_rows.h"

namespace engine::spec::objects {

std::vector<ObjectSchema> losses() {
    return {{"SparseCategoricalCrossentropy",
             {flagField("from_logits", false, "The last layer has no softmax"),
              {.name = "reduction",
               .kind = FieldKind::kChoice,
               .fallback = "sum_over_batch_size",
               .choices = {"sum_over_batch_size", "mean", "mean_with_sample_weight"},
               .hint = "How a batch's losses become one number"}}}};
}

}  // namespace engine::spec::objects
