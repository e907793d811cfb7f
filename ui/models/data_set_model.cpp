// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data_set_model.h"

#include "engine/spec/catalog/dataset_names.h"
#include "ui/models/engine_text.h"
#include "ui/models/numbers.h"

namespace ui::models {

namespace {

constexpr auto kByName = "named", kFromFiles = "files";

QString formatDetail(const QString& name) {
    if (name == "idx") return DataSetModel::tr(".gz as well");
    if (name == "npy") return DataSetModel::tr("samples and labels");
    if (name == "npz") return DataSetModel::tr("arrays of one archive");
    if (name == "csv") return DataSetModel::tr("label column, types");
    if (name == "image_folder") return DataSetModel::tr("PNG, JPEG");
    if (name == "tfrecord") return QStringLiteral("tf.train.Example");
    if (name == "text_folder") return DataSetModel::tr("UTF-8, a file a text");
    if (name == "text") return DataSetModel::tr("label, tab, text");
    return DataSetModel::tr("binary batches");
}

}  // namespace

DataSetModel::DataSetModel(QObject* parent) : QAbstractListModel(parent) {
    setFilter({});
}

void DataSetModel::setFilter(const QString& text) {
    beginResetModel();
    filter_ = text;
    rows_.clear();
    const auto add = [&](DataSetKind kind, const char* group, const auto& entries) {
        const std::size_t head = rows_.size();
        rows_.push_back({DataSetKind::kGroup, QLatin1String(group)});
        for (const auto& entry : entries) {
            const Row row{kind, QString::fromStdString(entry.name)};
            if (titleOf(row).contains(filter_, Qt::CaseInsensitive) || row.name.contains(filter_, Qt::CaseInsensitive))
                rows_.push_back(row);
        }
        if (rows_.size() == head + 1) rows_.pop_back();
    };
    add(DataSetKind::kNamed, kByName, engine::spec::namedDatasets());
    add(DataSetKind::kFormat, kFromFiles, engine::spec::datasetFormats());
    endResetModel();
}

void DataSetModel::setHere(const QSet<QString>& names) {
    if (here_ == names) return;
    here_ = names;
    retranslate();
}

void DataSetModel::setFetching(const QString& name, double progress) {
    fetching_ = name;
    progress_ = progress;
    retranslate();
}

void DataSetModel::retranslate() {
    if (!rows_.empty()) emit dataChanged(index(0), index(rowCount() - 1));
}

int DataSetModel::rowOf(const QString& name) const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].kind != DataSetKind::kGroup && rows_[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

int DataSetModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QString DataSetModel::titleOf(const Row& row) const {
    if (row.kind == DataSetKind::kGroup) return row.name == kByName ? tr("By name") : tr("From files");
    if (const auto* set = engine::spec::findNamedDataset(row.name.toStdString())) return engineText(set->title);
    const auto* format = engine::spec::findDatasetFormat(row.name.toStdString());
    return format == nullptr ? row.name : engineText(format->title);
}

QString DataSetModel::detailOf(const Row& row) const {
    if (row.kind == DataSetKind::kGroup) return {};
    if (row.kind == DataSetKind::kFormat) return formatDetail(row.name);
    const auto* set = engine::spec::findNamedDataset(row.name.toStdString());
    if (row.name == fetching_) return progress_ < 0 ? tr("fetching") : tr("fetching, %1").arg(formatPercent(progress_));
    const QString shape = formatShape(set->sample_shape);
    const bool is_here = here_.contains(row.name) || set->download_bytes == 0;
    return QStringLiteral("%1 · %2").arg(shape, !is_here            ? formatBytes(set->download_bytes)
                                                : set->classes == 0 ? tr("built in")
                                                                    : tr("%n class(es)", nullptr, static_cast<int>(set->classes)));
}

QVariant DataSetModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return titleOf(row);
        case Qt::AccessibleTextRole:
            return QStringLiteral("%1, %2").arg(titleOf(row), detailOf(row));
        case Qt::ToolTipRole:  // rows are elided where the list is narrow
            return row.kind == DataSetKind::kGroup ? QVariant() : QStringLiteral("%1\n%2").arg(titleOf(row), detailOf(row));
        case kKindRole:
            return static_cast<int>(row.kind);
        case kNameRole:
            return row.name;
        case kDetailRole:
            return detailOf(row);
        case kPlaceRole: {
            const auto* set = engine::spec::findNamedDataset(row.name.toStdString());
            if (row.name == fetching_) return static_cast<int>(DataSetPlace::kFetching);
            const bool is_here = set == nullptr || set->download_bytes == 0 || here_.contains(row.name);
            return static_cast<int>(is_here ? DataSetPlace::kHere : DataSetPlace::kCanBeFetched);
        }
        case kProgressRole:
            return progress_;
        default:
            return {};
    }
}

Qt::ItemFlags DataSetModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (rows_[static_cast<std::size_t>(index.row())].kind == DataSetKind::kGroup) return Qt::ItemNeverHasChildren;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

}  // namespace ui::models

#include "moc_data_set_model.cpp"
