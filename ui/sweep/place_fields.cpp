// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/place_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/text_label.h"

namespace ui::views {

namespace {

constexpr int kMostCpus = 4096;

}  // namespace

PlaceFields::PlaceFields(const theme::ThemeController& themes, int columns, QWidget* parent) : QWidget(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(theme::kSpace4);
    grid->setVerticalSpacing(0);
    for (int i = 0; i < columns; ++i) {
        grid->setColumnStretch(i, 1);
        // A column without fields keeps its place too: the others stand below those of the method.
        auto* keeper = new QWidget(this);
        keeper->setFixedHeight(0);
        grid->addWidget(keeper, 1, i);
    }
    const auto named = [](auto* made, const char* name) {
        made->setObjectName(QLatin1String(name));
        made->setProperty("compact", true);
        return made;
    };
    where_ = named(new QComboBox(this), "sweepWhere");
    workers_ = named(new QSpinBox(this), "sweepWorkers");
    workers_->setRange(0, engine::sweep::kMostAtOnce);
    cpus_ = named(new QSpinBox(this), "sweepCpus");
    cpus_->setRange(0, kMostCpus);
    hosts_ = named(new QLineEdit(this), "sweepHosts");
    partition_ = named(new QLineEdit(this), "sweepPartition");
    time_ = named(new QLineEdit(this), "sweepTime");
    spread_ = new QCheckBox(this);
    spread_->setObjectName("sweepSpread");
    // Fields of different places stand in the same cells.
    const auto put = [&](int column, QWidget* part) {
        auto* label = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
        label->setBuddy(part);
        labelled_.emplace_back(label, part);
        auto* cell = new QVBoxLayout;
        cell->setSpacing(theme::kSpace1);
        cell->addWidget(label);
        cell->addWidget(part);
        grid->addLayout(cell, 0, column);
    };
    put(0, where_);
    for (QWidget* part : std::initializer_list<QWidget*>{workers_, hosts_, partition_}) put(1, part);
    put(2, time_);
    put(3, cpus_);
    grid->addWidget(spread_, 0, 2, Qt::AlignBottom);
    connect(where_, &QComboBox::currentIndexChanged, this, [this] {
        refresh();
        emit edited();
    });
    for (QSpinBox* one : {workers_, cpus_}) connect(one, &QSpinBox::valueChanged, this, &PlaceFields::edited);
    for (QLineEdit* one : {hosts_, partition_, time_}) connect(one, &QLineEdit::textEdited, this, &PlaceFields::edited);
    connect(spread_, &QCheckBox::toggled, this, &PlaceFields::edited);
}

PlaceFields::Where PlaceFields::where() const {
    return static_cast<Where>(std::max(0, where_->currentIndex()));
}

engine::sweep::Place PlaceFields::place() const {
    engine::sweep::Place place;
    switch (where()) {
        case Where::kHere:
            place.workers = workers_->value();
            break;
        case Where::kHosts:
            place.hosts = hosts_->text().trimmed().toStdString();
            place.spread = spread_->isChecked() && !place.hosts.empty();
            break;
        case Where::kSlurm:
            place.slurm = engine::sweep::SlurmJob{.cpus_per_task = cpus_->value(),
                                                  .time = time_->text().trimmed().toStdString(),
                                                  .partition = partition_->text().trimmed().toStdString()};
            break;
    }
    return place;
}

QString PlaceFields::problem() const {
    return where() == Where::kHosts && hosts_->text().trimmed().isEmpty() ? tr("Name the hosts, such as node1,node2") : QString();
}

void PlaceFields::refresh() {
    for (const auto& [label, part] : labelled_) {
        const bool is_slurms = part == partition_ || part == time_ || part == cpus_;
        const bool is_shown = part == workers_ ? where() == Where::kHere
                              : part == hosts_ ? where() == Where::kHosts
                                               : !is_slurms || where() == Where::kSlurm;
        label->setVisible(is_shown);
        part->setVisible(is_shown);
    }
    spread_->setVisible(where() == Where::kHosts);
}

void PlaceFields::retranslate() {
    {
        const QSignalBlocker quiet(where_);
        const int index = std::max(0, where_->currentIndex());
        where_->clear();
        where_->addItems({tr("this computer"), tr("hosts"), tr("Slurm")});
        where_->setCurrentIndex(index);
    }
    where_->setToolTip(tr("Slurm: a job for each run; every node has to see the folder of sweeps in your home"));
    workers_->setSpecialValueText(tr("as the project"));
    cpus_->setSpecialValueText(tr("as the cluster has it"));
    for (QLineEdit* one : {partition_, time_}) one->setPlaceholderText(tr("as the cluster has it"));
    hosts_->setPlaceholderText(QStringLiteral("node1,node2:2"));
    hosts_->setToolTip(tr("Names of your hosts with commas between them, as Cluster has them"));
    spread_->setText(tr("One host a run"));
    spread_->setToolTip(tr("Each run on one of the hosts, in place of all of them together"));
    const QStringList texts{tr("Where"), tr("Workers"), tr("Hosts"), tr("Partition"), tr("Longest time"), tr("Cores of a run")};
    for (qsizetype i = 0; i < texts.size(); ++i) {
        auto& [label, part] = labelled_[static_cast<std::size_t>(i)];
        label->setText(texts[i]);
        part->setAccessibleName(texts[i]);
    }
    refresh();
}

}  // namespace ui::views

#include "moc_place_fields.cpp"
