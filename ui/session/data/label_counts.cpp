// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/label_counts.h"

#include <zlib.h>

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <array>
#include <memory>

namespace ui::session {
namespace {

constexpr std::uint32_t kLabelMagic = 0x00000801;

struct Counts {
    std::int64_t samples = 0;
    std::vector<std::int64_t> per_class{};
    QString problem;
};

std::uint32_t bigEndian(const unsigned char* bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

Counts countLabels(const QString& path) {
    const auto name = QFileInfo(path).fileName();
    if (!QFileInfo(path).isFile()) return {.problem = QStringLiteral("%1: expected a readable file, could not open it").arg(name)};
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(QFile::encodeName(path).constData(), "rb"), gzclose);
    if (!file) return {.problem = QStringLiteral("%1: expected a readable file, could not open it").arg(name)};
    std::array<unsigned char, 65536> buffer;
    if (gzread(file.get(), buffer.data(), 8) != 8 || bigEndian(buffer.data()) != kLabelMagic) {
        return {.problem = QStringLiteral("%1: expected IDX labels (magic 0x00000801), found something else").arg(name)};
    }
    Counts counts;
    const std::int64_t announced = bigEndian(buffer.data() + 4);
    for (;;) {
        const int got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (got <= 0) break;
        for (int i = 0; i < got; ++i) {
            const std::size_t label = buffer[static_cast<std::size_t>(i)];
            if (label >= counts.per_class.size()) counts.per_class.resize(label + 1);
            ++counts.per_class[label];
        }
        counts.samples += got;
    }
    if (counts.samples != announced) {
        counts.problem = QStringLiteral("%1: expected %2 labels, found %3").arg(name).arg(announced).arg(counts.samples);
    }
    return counts;
}

QString labelFile(const QString& folder, const QString& part) {
    for (const QString suffix : {"", ".gz"}) {
        const QString path = folder + "/" + part + "-labels-idx1-ubyte" + suffix;
        if (QFileInfo::exists(path)) return path;
    }
    return {};
}

}  // namespace

QStringList datasetFolders(const QString& share_dir) {
    QStringList folders;
    if (const QString extra = qEnvironmentVariable("TANDEM_DATA_DIR"); !extra.isEmpty()) folders << extra;
    folders << share_dir + "/datasets";
    folders << QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + "/tandem/datasets";
    return folders;
}

DatasetFacts readDatasetFacts(const engine::spec::DataSpec& data, const QStringList& folders) {
    QString train, test;
    DatasetFacts facts;
    if (data.dataset == "idx") {
        train = QString::fromStdString(data.train_labels);
        test = QString::fromStdString(data.test_labels);
    } else {
        for (const QString& folder : folders) {
            const QString set = folder + "/" + QString::fromStdString(data.dataset);
            train = labelFile(set, "train");
            test = labelFile(set, "t10k");
            if (!train.isEmpty()) break;
        }
    }
    if (train.isEmpty()) {
        facts.problem = QStringLiteral("%1: expected label files on this computer, found none").arg(QString::fromStdString(data.dataset));
        return facts;
    }
    const Counts of_train = countLabels(train);
    const Counts of_test = test.isEmpty() ? Counts{} : countLabels(test);
    facts.problem = of_train.problem.isEmpty() ? of_test.problem : of_train.problem;
    facts.found = facts.problem.isEmpty();
    facts.train_samples = of_train.samples;
    facts.test_samples = of_test.samples;
    facts.train_per_class = of_train.per_class;
    facts.test_per_class = of_test.per_class;
    facts.test_per_class.resize(std::max(facts.train_per_class.size(), facts.test_per_class.size()));
    facts.train_per_class.resize(facts.test_per_class.size());
    return facts;
}

}  // namespace ui::session
