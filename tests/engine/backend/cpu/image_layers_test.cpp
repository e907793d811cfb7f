// Layers of images and sequences: nets that hold them train on the CPU as on the reference, with odd sizes, short batches, several threads.
#include <string>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "tests/support/image_cases.h"

namespace engine::backend::cpu {
namespace {

using tests::support::expectTrainsLikeReference;
using tests::support::imageCases;
using tests::support::ModelCase;

class ImageLayers : public ::testing::TestWithParam<int> {};

TEST_P(ImageLayers, TrainLikeTheReference) {
    for (const ModelCase& c : imageCases()) expectTrainsLikeReference(c, makeCpuExecutor, {.threads = GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Threads, ImageLayers, ::testing::Values(1, 3),
                         [](const auto& param) { return std::to_string(param.param) + (param.param == 1 ? "Thread" : "Threads"); });

}  // namespace
}  // namespace engine::backend::cpu
