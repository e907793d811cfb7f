#include "engine/data/readers/image_folder_reader.h"

#include <fstream>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/pipeline.h"
#include "engine/spec/error.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;

class ImageFolder : public testing::Test {
protected:
    void write(const std::string& name, const std::string& bytes) {
        const std::filesystem::path path = dir_.path() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << bytes;
    }
    void writeGray(const std::string& name, unsigned char gray) {
        write(name, tests::support::pngBytes(2, 2, 1, std::vector<unsigned char>(4, gray)));
    }
    std::shared_ptr<Samples> read(spec::BadRecord on_error = spec::BadRecord::kRefuse) {
        report_ = std::make_shared<ReadReport>(on_error);
        const spec::ImageFormat format{.size = {2, 2}, .color_mode = "grayscale"};
        return std::make_shared<Samples>(readImageFolder(dir_.path(), format, report_));
    }
    // The first pixel of each sample of a pass, which the pictures use as their name.
    static std::vector<int> pass(Pipeline& pipeline, std::uint64_t number) {
        std::vector<int> seen;
        tensor::BatchView view;
        pipeline.start(number);
        while (pipeline.next(view)) {
            for (const std::uint32_t index : view.indices) {
                seen.push_back(std::to_integer<int>(view.samples[static_cast<std::size_t>(index) * 4]));
                EXPECT_EQ(seen.back() / 100, std::to_integer<int>(view.labels[static_cast<std::size_t>(index) * 4]));
            }
        }
        return seen;
    }

    tests::support::TempDir dir_;
    std::shared_ptr<ReadReport> report_;
};

spec::DataSpec inOrder() {
    spec::DataSpec data;
    data.shuffle = 0;
    data.decode_threads = 3;
    return data;
}

TEST_F(ImageFolder, FindsClassesAndPicturesInByteOrder) {
    writeGray("dog/b.png", 102);
    writeGray("dog/deep/a.PNG", 103);
    writeGray("Cat/z.png", 0);
    write("dog/notes.txt", "no picture");
    writeGray(".hidden/a.png", 1);
    const auto samples = read();
    EXPECT_THAT(samples->class_names, testing::ElementsAre("Cat", "dog"));
    EXPECT_EQ(samples->count, 3);
    EXPECT_EQ(samples->sample_shape, (spec::Shape{2, 2, 1}));
    Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 3}, {.global_batch = 2});
    EXPECT_THAT(pass(pipeline, 0), testing::ElementsAre(0, 102, 103));
}

// Keras' order: the files of a folder before those of the folders in it, whatever their names.
TEST_F(ImageFolder, FindsPicturesFolderByFolder) {
    writeGray("a/Z/b.png", 2);
    writeGray("a/sub-2/b.png", 4);
    writeGray("a/sub/b.png", 3);
    writeGray("a/sub/deep/b.png", 5);
    writeGray("a/x.png", 1);
    writeGray("a/.png", 0);
    const auto samples = read();
    Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 6}, {.global_batch = 6});
    EXPECT_THAT(pass(pipeline, 0), testing::ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(ImageFolder, GivesTheSameOrderWithAndWithoutCacheForAnyNumberOfThreads) {
    for (int i = 0; i < 50; ++i) {
        writeGray("a/" + std::to_string(i) + ".png", static_cast<unsigned char>(i));
        writeGray("b/" + std::to_string(i) + ".png", static_cast<unsigned char>(100 + i));
    }
    std::vector<std::vector<int>> passes;
    for (const int threads : {1, 4}) {
        for (const bool cached : {false, true}) {
            spec::DataSpec data;
            data.shuffle = 30;
            data.decode_threads = threads;
            const auto samples = read();
            samples->cache = cached ? makeCache(*samples) : nullptr;
            Pipeline pipeline = trainingPipeline(data, samples, {0, 100}, {.global_batch = 7, .seed = 3});
            passes.push_back(pass(pipeline, 0));
            EXPECT_EQ(passes.back(), passes.front());
            EXPECT_EQ(passes.back().size(), 100U);
            EXPECT_NE(pass(pipeline, 1), passes.front());
            EXPECT_EQ(pass(pipeline, 0), passes.front());
        }
    }
}

TEST_F(ImageFolder, RefusesABrokenPictureByName) {
    writeGray("a/1.png", 1);
    write("a/2.jpg", "no picture");
    write("a/3.jpg", "no picture either");
    const auto samples = read();
    Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 3}, {.global_batch = 3});
    tensor::BatchView view;
    try {
        pipeline.next(view);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("a/2.jpg: is neither a PNG nor a JPEG"), HasSubstr("data.on_error=skip")));
    }
}

TEST_F(ImageFolder, SkipsBrokenPicturesInEveryPassAndCountsThemOnce) {
    for (const bool cached : {false, true}) {
        writeGray("a/1.png", 1);
        write("a/2.jpg", "no picture");
        writeGray("a/3.png", 3);
        const auto samples = read(spec::BadRecord::kSkip);
        samples->cache = cached ? makeCache(*samples) : nullptr;
        Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 3}, {.global_batch = 2});
        EXPECT_THAT(pass(pipeline, 0), testing::ElementsAre(1, 3));
        EXPECT_THAT(pass(pipeline, 1), testing::ElementsAre(1, 3));
        EXPECT_EQ(report_->skipped(), 1);
        EXPECT_THAT(report_->firstSkipped(), testing::ElementsAre(HasSubstr("a/2.jpg")));
    }
}

TEST_F(ImageFolder, TakesABrokenPictureFromThePartOfItsDevice) {
    for (const bool cached : {false, true}) {
        for (int i = 0; i < 6; ++i) {
            const std::string name = "a/" + std::to_string(i) + ".png";
            i == 1 ? write(name, "no picture") : writeGray(name, static_cast<unsigned char>(i));
        }
        const auto samples = read(spec::BadRecord::kSkip);
        samples->cache = cached ? makeCache(*samples) : nullptr;
        Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 6}, {.devices = 3, .global_batch = 6});
        tensor::BatchView view;
        ASSERT_TRUE(pipeline.next(view));
        EXPECT_THAT(pipeline.elements(), testing::ElementsAre(0, 2, 3, 4, 5));
        EXPECT_THAT(view.numbersInSet(), testing::ElementsAre(0, 2, 3, 4, 5)) << "random layers draw by them, cached or not";
        EXPECT_THAT(view.parts, testing::ElementsAre(1, 2, 2));
        EXPECT_FALSE(pipeline.next(view));
        EXPECT_TRUE(view.parts.empty());
    }
}

TEST_F(ImageFolder, NamesWhatIsMissing) {
    EXPECT_THROW(read(), Error);
    writeGray("a/1.png", 1);
    write("a/2.gif", "GIF89a");
    EXPECT_THROW(read(), Error);
    EXPECT_EQ(read(spec::BadRecord::kSkip)->count, 1);
    EXPECT_THAT(report_->firstSkipped(), testing::ElementsAre(HasSubstr("a/2.gif: expected a PNG or JPEG picture")));
    write("a/2.gif.WebP", "RIFF");
    write("a/notes.txt", "no picture, and none is said of it");
    EXPECT_EQ(read(spec::BadRecord::kSkip)->count, 1);
    EXPECT_THAT(report_->firstSkipped(),
                testing::ElementsAre(HasSubstr("a/2.gif: "), HasSubstr("a/2.gif.WebP: expected a PNG or JPEG picture, got .webp")));
}

TEST_F(ImageFolder, NamesALinkThatLeadsBackAndCanPassOverIt) {
    writeGray("cat/a.png", 1);
    std::filesystem::create_directory_symlink(dir_.path(), dir_.path() / "cat" / "all");
    std::filesystem::create_directory_symlink(".", dir_.path() / "cat" / "self");
    const auto samples = read(spec::BadRecord::kSkip);
    EXPECT_EQ(samples->count, 1);
    EXPECT_EQ(report_->skipped(), 2);
    EXPECT_THAT(report_->firstSkipped(), testing::Contains((dir_.path() / "cat" / "all").string() +
                                                           ": expected a folder of pictures, got a link to a folder that it lies in"));
    try {
        read();
        FAIL() << "a link to a folder that it lies in was followed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("got a link to a folder that it lies in"));
    }
}

TEST_F(ImageFolder, FollowsALinkToAnotherFolder) {
    const tests::support::TempDir elsewhere;
    std::ofstream(elsewhere.path() / "b.png", std::ios::binary) << tests::support::pngBytes(2, 2, 1, std::vector<unsigned char>(4, 2));
    writeGray("cat/a.png", 1);
    std::filesystem::create_directory_symlink(elsewhere.path(), dir_.path() / "cat" / "more");
    EXPECT_EQ(read()->count, 2);
}

TEST_F(ImageFolder, GivesUpATreeThatIsNoDataSet) {
    writeGray("cat/a.png", 1);
    const std::filesystem::path many = dir_.path() / "cat" / "many";
    std::filesystem::create_directories(many);
    for (int i = 0; i < 2300; ++i) {
        std::ofstream(many / std::to_string(i)) << "";
    }
    for (int i = 0; i < 24; ++i) {  // each listed anew: folders that nobody could copy by hand
        std::filesystem::create_directory_symlink(many, dir_.path() / "cat" / ("link" + std::to_string(i)));
    }
    try {
        read();
        FAIL() << "55,000 files that are no pictures were listed";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("expected a folder with pictures, got 50001 other files and folders and"));
    }
}

TEST_F(ImageFolder, GivesUpFoldersWithinFoldersWithoutEnd) {
    std::string deep = "cat";
    for (int i = 0; i < 40; ++i) {
        deep += "/d";
    }
    writeGray(deep + "/a.png", 1);
    try {
        read();
        FAIL() << "40 folders within each other were listed";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("expected at most 32 folders within each other"));
    }
}

TEST_F(ImageFolder, RefusesAPipeAmongThePicturesByName) {
    writeGray("cat/a.png", 1);
    ASSERT_EQ(mkfifo((dir_.path() / "cat" / "b.png").c_str(), 0600), 0);
    const auto samples = read();
    std::byte pixels[4];
    try {
        samples->decoder->decode(1, pixels);
        FAIL() << "a pipe was read as a picture";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("b.png: expected a file, got a pipe"));
    }
}

TEST_F(ImageFolder, LetsGoOfWhatItDrewAheadWhenAPassEndsEarly) {
    for (int i = 0; i < 40; ++i) {
        writeGray("a/" + std::to_string(i) + ".png", static_cast<unsigned char>(i));
    }
    const auto samples = read();
    Pipeline pipeline = trainingPipeline(inOrder(), samples, {0, 40}, {.global_batch = 4});
    const std::vector<int> whole = pass(pipeline, 0);
    tensor::BatchView view;
    for (int round = 0; round < 20; ++round) {
        pipeline.start(0);
        ASSERT_TRUE(pipeline.next(view));
        EXPECT_THAT(pipeline.elements(), testing::ElementsAre(0, 1, 2, 3));
    }
    EXPECT_EQ(pass(pipeline, 0), whole);
}

}  // namespace
}  // namespace engine::data
