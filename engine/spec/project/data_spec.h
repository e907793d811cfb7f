// The data of a project: which set, how its files are read, what happens to its samples on the way into a step.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

enum class AutoShardPolicy { kAuto, kFile, kData, kOff };
enum class BadRecord { kRefuse, kSkip };

// What samples pass on their way into a step of training; each works with its own fields of DataSpec, repeat with fit.steps_per_epoch. What
// an order means: data_order.h.
enum class DataStep { kTake, kScale, kNormalize, kOneHot, kCache, kShuffle, kRepeat, kBatch, kPrefetch };
inline constexpr std::array kUsualDataOrder{DataStep::kTake,   DataStep::kScale, DataStep::kNormalize,
                                            DataStep::kOneHot, DataStep::kCache, DataStep::kShuffle,
                                            DataStep::kRepeat, DataStep::kBatch, DataStep::kPrefetch};

// What the formats leave open; each is looked at for its own `dataset` alone.

struct CsvFormat {
    bool header = true;  // the first line has the columns' names
    std::string delimiter = ",";
    bool quotes = true;                 // "a, b" is one cell, "" in it one quote
    std::string label;                  // column by name, or by index from 0 (-1 = the last); required
    std::vector<std::string> features;  // columns by name or index; empty = all but the label
    std::string missing_value;          // the text of a missing cell
    std::string missing = "refuse";     // refuse, skip (the line), zero, mean
    friend bool operator==(const CsvFormat&, const CsvFormat&) = default;
};

struct NpzFormat {
    std::string train_samples = "x_train", train_labels = "y_train";  // arrays of the archive
    std::string test_samples = "x_test", test_labels = "y_test";      // missing in the archive = no test set
    friend bool operator==(const NpzFormat&, const NpzFormat&) = default;
};

struct ImageFormat {                           // image_folder, and encoded images in tfrecord
    std::vector<std::int64_t> size{256, 256};  // rows, columns
    std::string color_mode = "rgb";            // rgb, grayscale
    std::string interpolation = "bilinear";    // bilinear, nearest
    friend bool operator==(const ImageFormat&, const ImageFormat&) = default;
};

struct TfRecordFormat {  // features of tf.train.Example
    std::string sample = "image";
    std::string encoding = "raw";  // raw (bytes of `dtype`), image (PNG or JPEG), list (float_list or int64_list)
    std::string dtype = "uint8";   // of raw: uint8, int32, float32
    Shape shape;                   // of a sample; empty = the model's input shape
    std::string label = "label";
    Shape label_shape;  // empty = one number
    friend bool operator==(const TfRecordFormat&, const TfRecordFormat&) = default;
};

struct TextFormat {                   // text and text_folder, for a model that takes no texts
    std::int64_t vocabulary = 10000;  // indices: 0 padding, 1 unknown, then the most frequent words of the training file
    std::int64_t length = 100;        // words a sample: shorter ones are padded in front, of longer ones the last are kept
    friend bool operator==(const TextFormat&, const TextFormat&) = default;
};

struct DataSpec {
    std::string dataset = "mnist";           // a name or a format of dataset_names.h
    std::string train_images, train_labels;  // samples and labels in files of their own: idx (.gz allowed), npy
    std::string test_images, test_labels;
    std::vector<std::string>
        train_files;  // of the other formats; the last part of a path may hold *; of image_folder and text_folder one folder
    std::vector<std::string> test_files;
    CsvFormat csv;
    // For csv and tfrecord: what a sample is made of, by featureColumnSchemas(), each column in turn; empty = as csv.features or
    // tfrecord.sample say.
    std::vector<ObjectSpec> feature_columns;
    NpzFormat npz;
    ImageFormat images;
    TfRecordFormat tfrecord;
    TextFormat text;
    std::string cifar_labels = "fine";        // of CIFAR-100: fine, coarse
    BadRecord on_error = BadRecord::kRefuse;  // what happens to records that cannot be read
    bool download = true;                     // a named set that is nowhere on this computer may be fetched
    double scale = 1.0 / 255.0;               // x * scale + offset in float32
    double offset = 0.0;
    std::vector<double> mean, std;  // then (x - mean) / std: one number, or one a channel (the last axis); empty = left out
    std::int64_t one_hot = 0;       // classes: labels become rows of zeros with a one; 0 = labels as they are
    bool cache = true;              // decoded samples stay in memory (while they fit), in the source's type
    std::int64_t shuffle = 10000;   // buffer size; 0 = off
    std::int64_t batch_size_per_replica = 64;
    bool drop_remainder = false;
    std::int64_t prefetch = 2;        // batches ahead
    std::int64_t decode_threads = 0;  // that run ahead of the step; 0 = the cores of the computer
    std::int64_t take = 0;            // first n training samples only (batches behind batch); 0 = all
    double validation_split = 0.0;    // last fraction of the training samples, before shuffling
    std::int64_t split_seed = -1;     // mixes the training samples before the split (Keras does so for folders); -1 = as they come
    bool validate_on_test = true;     // val_ metrics from the test set when there is no split
    AutoShardPolicy auto_shard = AutoShardPolicy::kAuto;
    bool seed_per_worker = false;  // with OFF: every worker shuffles everything by a seed of its own
    std::int64_t log_shards = 0;   // steps of which each task logs its samples
    ObjectSpec mix{};              // by mixSchemas(): what mixes the samples of training batches (mixing/mix_settings.h); no class: none
    std::vector<DataStep> order{kUsualDataOrder.begin(), kUsualDataOrder.end()};  // each step once
    friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

}  // namespace engine::spec
