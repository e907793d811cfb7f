#include "engine/spec/project/data_json.h"

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/names.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/object_reader.h"

namespace engine::spec {
namespace {

constexpr std::initializer_list<std::pair<const char*, AutoShardPolicy>> kShardNames{
    {"AUTO", AutoShardPolicy::kAuto}, {"FILE", AutoShardPolicy::kFile}, {"DATA", AutoShardPolicy::kData}, {"OFF", AutoShardPolicy::kOff}};
constexpr std::initializer_list<std::pair<const char*, BadRecord>> kBadRecordNames{{"refuse", BadRecord::kRefuse},
                                                                                   {"skip", BadRecord::kSkip}};

// One list of fields serves reading and writing.
class Reading {
public:
    explicit Reading(ObjectReader& reader) : reader_(reader) {}
    template <typename Value>
    void field(const char* key, Value& value) {
        reader_.read(key, value);
    }

private:
    ObjectReader& reader_;
};

class Writing {
public:
    template <typename Value>
    void field(const char* key, Value& value) {
        json_[key] = value;
    }
    Json take() { return std::move(json_); }

private:
    Json json_ = Json::object();
};

template <typename Visit>
void visit(Visit& each, CsvFormat& csv) {
    each.field("header", csv.header);
    each.field("delimiter", csv.delimiter);
    each.field("quotes", csv.quotes);
    each.field("label", csv.label);
    each.field("features", csv.features);
    each.field("missing_value", csv.missing_value);
    each.field("missing", csv.missing);
}

template <typename Visit>
void visit(Visit& each, NpzFormat& npz) {
    each.field("train_samples", npz.train_samples);
    each.field("train_labels", npz.train_labels);
    each.field("test_samples", npz.test_samples);
    each.field("test_labels", npz.test_labels);
}

template <typename Visit>
void visit(Visit& each, ImageFormat& images) {
    each.field("size", images.size);
    each.field("color_mode", images.color_mode);
    each.field("interpolation", images.interpolation);
}

template <typename Visit>
void visit(Visit& each, TfRecordFormat& tfrecord) {
    each.field("sample", tfrecord.sample);
    each.field("encoding", tfrecord.encoding);
    each.field("dtype", tfrecord.dtype);
    each.field("shape", tfrecord.shape);
    each.field("label", tfrecord.label);
    each.field("label_shape", tfrecord.label_shape);
}

template <typename Visit>
void visit(Visit& each, TextFormat& text) {
    each.field("vocabulary", text.vocabulary);
    each.field("length", text.length);
}

template <typename Format>
void readFormat(ObjectReader& data, const char* key, Format& format, Diagnostics& diagnostics) {
    if (const Json* value = data.take(key)) {
        ObjectReader reader(*value, data.pathOf(key), diagnostics);
        Reading each(reader);
        visit(each, format);
        reader.finish();
    }
}

template <typename Format>
void writeFormat(Json& data, const char* key, Format format) {
    if (format != Format{}) {
        Writing each;
        visit(each, format);
        data[key] = each.take();
    }
}

template <typename Value>
void writeIfSet(Json& data, const char* key, const Value& value, const Value& fallback) {
    if (value != fallback) {
        data[key] = value;
    }
}

std::vector<std::string> orderNames(const std::vector<DataStep>& order) {
    std::vector<std::string> names;
    for (const DataStep step : order) {
        names.emplace_back(dataStepName(step));
    }
    return names;
}

// Steps that nobody knows are reported and left out; whether each is there once is validate's to say.
void readOrder(ObjectReader& data, DataSpec& spec) {
    std::vector<std::string> names = orderNames(spec.order);
    data.read("order", names);
    spec.order.clear();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto step = dataStepOf(names[i])) {
            spec.order.push_back(*step);
        } else {
            data.wrong("order[" + std::to_string(i) + "]", oneOf(dataStepNames()), Json(names[i]));
        }
    }
}

void readFeatureColumns(const Json& value, std::vector<ObjectSpec>& columns, Diagnostics& diagnostics) {
    const std::string path = "data.feature_columns";
    if (!value.is_array()) {
        diagnostics.push_back({Severity::kError, path, "expected a list of feature columns, got " + shortText(value), ""});
        return;
    }
    columns.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (auto read = readObject(value[i], path + "[" + std::to_string(i) + "]", diagnostics)) {
            columns.push_back({canonicalClass(featureColumnSchemas(), read->class_name), std::move(read->config)});
        }
    }
}

}  // namespace

void readData(const Json& value, DataSpec& data, Diagnostics& diagnostics) {
    ObjectReader reader(value, "data", diagnostics);
    reader.read("dataset", data.dataset);
    reader.read("train_images", data.train_images);
    reader.read("train_labels", data.train_labels);
    reader.read("test_images", data.test_images);
    reader.read("test_labels", data.test_labels);
    reader.read("train_files", data.train_files);
    reader.read("test_files", data.test_files);
    readFormat(reader, "csv", data.csv, diagnostics);
    if (const Json* columns = reader.take("feature_columns")) {
        readFeatureColumns(*columns, data.feature_columns, diagnostics);
    }
    readFormat(reader, "npz", data.npz, diagnostics);
    readFormat(reader, "images", data.images, diagnostics);
    readFormat(reader, "tfrecord", data.tfrecord, diagnostics);
    readFormat(reader, "text", data.text, diagnostics);
    reader.read("cifar_labels", data.cifar_labels);
    reader.read("on_error", data.on_error, kBadRecordNames);
    reader.read("download", data.download);
    reader.read("scale", data.scale);
    reader.read("offset", data.offset);
    reader.read("mean", data.mean);
    reader.read("std", data.std);
    reader.read("one_hot", data.one_hot);
    reader.read("cache", data.cache);
    reader.read("shuffle", data.shuffle);
    reader.read("batch_size_per_replica", data.batch_size_per_replica);
    reader.read("drop_remainder", data.drop_remainder);
    reader.read("prefetch", data.prefetch);
    reader.read("decode_threads", data.decode_threads);
    reader.read("take", data.take);
    reader.read("validation_split", data.validation_split);
    reader.read("split_seed", data.split_seed);
    reader.read("validate_on_test", data.validate_on_test);
    reader.read("auto_shard", data.auto_shard, kShardNames);
    reader.read("seed_per_worker", data.seed_per_worker);
    reader.read("log_shards", data.log_shards);
    if (const Json* mix = reader.take("mix"); mix != nullptr && !mix->is_null()) {
        if (auto read = readObject(*mix, reader.pathOf("mix"), diagnostics)) {
            data.mix = {canonicalClass(mixSchemas(), read->class_name), std::move(read->config)};
        }
    }
    readOrder(reader, data);
    reader.finish();
}

Json dataJson(const DataSpec& data) {
    const DataSpec fallback;
    Json json{{"dataset", data.dataset}};
    const std::pair<const char*, const std::string*> files[] = {{"train_images", &data.train_images},
                                                                {"train_labels", &data.train_labels},
                                                                {"test_images", &data.test_images},
                                                                {"test_labels", &data.test_labels}};
    for (const auto& [key, path] : files) {
        writeIfSet(json, key, *path, {});
    }
    writeIfSet(json, "train_files", data.train_files, fallback.train_files);
    writeIfSet(json, "test_files", data.test_files, fallback.test_files);
    writeFormat(json, "csv", data.csv);
    for (const ObjectSpec& column : data.feature_columns) {
        json["feature_columns"].push_back(objectJson(column));
    }
    writeFormat(json, "npz", data.npz);
    writeFormat(json, "images", data.images);
    writeFormat(json, "tfrecord", data.tfrecord);
    writeFormat(json, "text", data.text);
    writeIfSet(json, "cifar_labels", data.cifar_labels, fallback.cifar_labels);
    if (data.on_error != fallback.on_error) {
        json["on_error"] = nameOf(data.on_error, kBadRecordNames);
    }
    writeIfSet(json, "download", data.download, fallback.download);
    json["scale"] = data.scale;
    json["offset"] = data.offset;
    writeIfSet(json, "mean", data.mean, fallback.mean);
    writeIfSet(json, "std", data.std, fallback.std);
    writeIfSet(json, "one_hot", data.one_hot, fallback.one_hot);
    json["cache"] = data.cache;
    json["shuffle"] = data.shuffle;
    json["batch_size_per_replica"] = data.batch_size_per_replica;
    json["drop_remainder"] = data.drop_remainder;
    json["prefetch"] = data.prefetch;
    writeIfSet(json, "decode_threads", data.decode_threads, fallback.decode_threads);
    json["take"] = data.take;
    json["validation_split"] = data.validation_split;
    writeIfSet(json, "split_seed", data.split_seed, fallback.split_seed);
    json["validate_on_test"] = data.validate_on_test;
    json["auto_shard"] = nameOf(data.auto_shard, kShardNames);
    json["seed_per_worker"] = data.seed_per_worker;
    writeIfSet(json, "log_shards", data.log_shards, fallback.log_shards);
    if (!data.mix.class_name.empty()) {
        json["mix"] = objectJson(data.mix);
    }
    writeIfSet(json, "order", orderNames(data.order), orderNames(fallback.order));
    return json;
}

}  // namespace engine::spec
