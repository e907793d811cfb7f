// image_folder FOLDER ROWS COLUMNS THREADS: seconds to list a folder of pictures, to decode it in a first pass and to go over it in a
// second one that finds everything in the cache; one line of JSON.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "engine/data/pipeline.h"
#include "engine/data/readers/image_folder_reader.h"
#include "engine/spec/error.h"

namespace {

namespace data = engine::data;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double pass(data::Pipeline& pipeline, std::uint64_t number) {
    const auto begin = Clock::now();
    engine::tensor::BatchView view;
    pipeline.start(number);
    while (pipeline.next(view)) {
    }
    return secondsSince(begin);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::cerr << "usage: image_folder FOLDER ROWS COLUMNS THREADS\n";
        return 2;
    }
    try {
        const auto begin = Clock::now();
        const engine::spec::ImageFormat format{.size = {std::atoll(argv[2]), std::atoll(argv[3])}};
        auto report = std::make_shared<data::ReadReport>(engine::spec::BadRecord::kRefuse);
        auto samples = std::make_shared<data::Samples>(data::readImageFolder(argv[1], format, report));
        samples->cache = data::makeCache(*samples);
        const double listed = secondsSince(begin);
        engine::spec::DataSpec settings;
        settings.decode_threads = std::atoll(argv[4]);
        data::Pipeline pipeline =
            data::trainingPipeline(settings, samples, {0, static_cast<std::uint32_t>(samples->count)}, {.global_batch = 64});
        const double first = pass(pipeline, 0);
        const double second = pass(pipeline, 1);
        std::cout << "{\"pictures\":" << samples->count << ",\"list_s\":" << listed << ",\"decode_s\":" << first
                  << ",\"cached_s\":" << second << "}\n";
    } catch (const engine::Error& error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
