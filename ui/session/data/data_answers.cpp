// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_answers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace ui::session {

namespace {

QImage imageOf(const QJsonObject& sample) {
    const int rows = sample["rows"].toInt(), columns = sample["columns"].toInt(), channels = sample["channels"].toInt();
    const QByteArray pixels = QByteArray::fromBase64(sample["pixels"].toString().toLatin1());
    const bool is_known = rows > 0 && columns > 0 && (channels == 1 || channels == 3);
    if (!is_known || pixels.size() != qsizetype{rows} * columns * channels) return {};
    const auto format = channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888;
    return QImage(reinterpret_cast<const uchar*>(pixels.constData()), columns, rows, qsizetype{columns} * channels, format).copy();
}

SampleGroup groupOf(const QJsonObject& json) {
    SampleGroup group{json["name"].toString(), json["train"].toInteger(), json["test"].toInteger(), {}};
    for (const QJsonValue& entry : json["samples"].toArray()) {
        const QJsonObject sample = entry.toObject();
        group.samples.push_back({sample["index"].toInteger(), imageOf(sample), sample["text"].toString()});
    }
    return group;
}

DataSummary summaryOf(const QJsonObject& json) {
    DataSummary summary;
    summary.dataset = json["dataset"].toString();
    summary.train_samples = json["train_samples"].toInteger();
    summary.test_samples = json["test_samples"].toInteger();
    summary.bytes = json["bytes"].toInteger();
    for (const QJsonValue& count : json["train_files"].toArray()) summary.train_files.push_back(count.toInteger());
    for (const QJsonValue& size : json["sample_shape"].toArray()) summary.shape.push_back(size.toInteger());
    summary.dtype = json["sample_dtype"].toString();
    summary.label_dtype = json["label_dtype"].toString();
    summary.smallest = json["smallest"].toDouble();
    summary.largest = json["largest"].toDouble();
    summary.checksum_fits = json["checksum"].toBool();
    summary.bad = json["bad"]["count"].toInteger();
    for (const QJsonValue& bad : json["bad"]["first"].toArray()) summary.first_bad << bad.toString();
    for (const QJsonValue& column : json["columns"].toArray()) {
        summary.columns.push_back(
            {column["name"].toString(), column["type"].toString(), column["label"].toBool(), column["categories"].toInt()});
    }
    summary.has_classes = json["has_classes"].toBool();
    summary.groups_left_out = json["groups_left_out"].toInteger();
    for (const QJsonValue& group : json["groups"].toArray()) summary.groups.push_back(groupOf(group.toObject()));
    return summary;
}

QStringList textsOf(const QJsonArray& array) {
    QStringList texts;
    for (const QJsonValue& text : array) texts << text.toString();
    return texts;
}

std::vector<std::vector<std::uint32_t>> listsOf(const QJsonArray& tasks) {
    std::vector<std::vector<std::uint32_t>> lists;
    for (const QJsonValue& task : tasks) {
        std::vector<std::uint32_t>& numbers = lists.emplace_back();
        for (const QJsonValue& number : task.toArray()) numbers.push_back(static_cast<std::uint32_t>(number.toInteger()));
    }
    return lists;
}

}  // namespace

bool readDataLine(const QByteArray& line, DataState& state) {
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    if (json.contains("data")) {
        state.summary = summaryOf(json["data"].toObject());
        state.has_summary = true;
        state.phase = DataPhase::kReady;
        state.problem.clear();
        state.code.clear();
        return true;
    }
    if (json.contains("error")) {
        const QJsonObject error = json["error"].toObject();
        state.phase = DataPhase::kFailed;
        state.problem = error["message"].toString();
        state.code = error["code"].toString();
        state.can_fetch = error["can_fetch"].toBool();
        return true;
    }
    if (json.contains("progress")) {
        const QJsonObject progress = json["progress"].toObject();
        state.phase = progress["stage"].toString() == "fetch" ? DataPhase::kFetching : DataPhase::kReading;
        state.name = progress["name"].toString();
        state.done = progress["done"].toInteger();
        state.total = progress["total"].toInteger();
        return true;
    }
    return json.contains("log");
}

std::optional<ShardState> readShards(const QByteArray& line) {
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    if (!json.contains("steps")) return std::nullopt;
    ShardState state;
    state.policy = json["policy"].toString();
    state.reason = json["reason"].toString();
    state.tasks = textsOf(json["tasks"].toArray());
    state.advice = textsOf(json["advice"].toArray());
    state.global_batch = json["global_batch_size"].toInteger();
    state.steps_per_epoch = json["steps_per_epoch"].toInteger();
    state.training_samples = json["training_samples"].toInteger();
    for (const QJsonValue& entry : json["steps"].toArray()) {
        state.steps.push_back({.step = entry["step"].toInteger(),
                               .epoch = entry["epoch"].toInteger(),
                               .samples = listsOf(entry["samples"].toArray()),
                               .parts = listsOf(entry["parts"].toArray())});
    }
    return state;
}

}  // namespace ui::session
