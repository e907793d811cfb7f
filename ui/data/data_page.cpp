// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_page.h"

#include <QAbstractSpinBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/catalog/dataset_names.h"
#include "ui/data/data_batch.h"
#include "ui/data/data_facts.h"
#include "ui/data/data_mix.h"
#include "ui/data/data_pipeline.h"
#include "ui/data/data_samples.h"
#include "ui/data/data_set_list.h"
#include "ui/data/data_shards.h"
#include "ui/data/data_wizard.h"
#include "ui/models/data_set_model.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/project/project.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/veil.h"

namespace ui::views {

using engine::spec::DataSpec;
using engine::spec::RunSpec;
using session::DataPhase;
using session::DataState;
using session::DataSummary;
using widgets::ButtonKind;

namespace {

constexpr int kRightWidth = 330, kRightNarrow = 280, kLeastMiddle = 440, kWizardWidth = 1080, kWizardHeight = 664;
constexpr auto kShipped = "mnist";

std::int64_t bytesOf(const QString& dtype) {
    return dtype == "uint8" ? 1 : 4;
}

}  // namespace

DataPage::DataPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes), desk_(session.project(), session.events(), session.clientSlot()) {
    setObjectName("dataPage");
    setAcceptDrops(true);
    build();
    connect(&session_.project(), &session::Project::changed, this, &DataPage::refresh);
    connect(&session_.project(), &session::Project::datasetChanged, this, &DataPage::refresh);
    connect(&session_.project(), &session::Project::typingWanted, this, &DataPage::finishTyping);
    connect(&desk_, &session::DataDesk::dataChanged, this, [this] {
        refreshHeader();
        refreshMiddle();
    });
    connect(&desk_, &session::DataDesk::shardsChanged, this, &DataPage::refreshShards);
    connect(&desk_, &session::DataDesk::listChanged, this, [this] {
        refreshList();
        refreshMiddle();
    });
    connect(list_, &DataSetList::setChosenByUser, this, &DataPage::chooseNamed);
    connect(list_, &DataSetList::formatChosen, this, [this](const QString& format) { openWizard(format); });
    connect(list_, &DataSetList::fetchRequested, &desk_, &session::DataDesk::fetch);
    connect(list_, &DataSetList::fetchCancelled, &desk_, &session::DataDesk::cancelFetch);
    // A set that is not the project's has no place on the page but its mark in the list.
    connect(&desk_, &session::DataDesk::fetchStarted, this, [this](const QString& name) {
        if (isShown(name)) return;
        emit toastRequested([this, name] { return tr("Fetching %1").arg(titleOf(name.toStdString())); }, [] { return tr("Cancel"); },
                            [this] { desk_.cancelFetch(); });
    });
    connect(&desk_, &session::DataDesk::fetchFailed, this, [this](const QString& name) {
        if (isShown(name)) return;
        const auto text = [this, name, state = desk_.fetchState()] {
            return tr("%1 was not fetched. %2").arg(titleOf(name.toStdString()), fetchSentence(state));
        };
        emit toastRequested(
            text, [] { return tr("Try again"); }, [this, name] { desk_.fetch(name); });
    });
    connect(samples_, &SampleCard::othersRequested, &desk_, &session::DataDesk::drawOthers);
    connect(state_, &widgets::StatePanel::firstClicked, this, [this] { onStateButton(true); });
    connect(state_, &widgets::StatePanel::secondClicked, this, [this] { onStateButton(false); });
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, list_, &DataSetList::focusSearch);
    retranslate();
}

void DataPage::build() {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(list_ = new DataSetList(themes_, this));
    auto* rest = new QVBoxLayout;
    rest->setSpacing(0);
    header_ = new widgets::PageHeader(themes_, this);
    check_ = widgets::makeButton(themes_, {"checkFiles", "shield", ButtonKind::kPlain, false}, this);
    open_model_ = widgets::makeButton(themes_, {"openModel", "layers", ButtonKind::kPlain, false}, this);
    header_->addAction(check_);
    header_->addAction(open_model_);
    rest->addWidget(header_);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    middle_ = new QStackedWidget(this);
    middle_->setMinimumWidth(kLeastMiddle);  // the smallest window asks for the narrow page only once it is that small
    auto* shown = new QWidget(middle_);
    auto* column = new QVBoxLayout(shown);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    column->addWidget(facts_ = new DataFacts(themes_, shown));
    column->addWidget(samples_ = new SampleCard(themes_, shown), 1);
    column->addWidget(shards_ = new ShardPreview(themes_, shown));
    middle_->addWidget(shown);
    middle_->addWidget(state_ = new widgets::StatePanel(themes_, QStringLiteral("dataState"), middle_));
    body->addWidget(middle_, 1);
    body->addWidget(buildRight());
    rest->addLayout(body, 1);
    row->addLayout(rest, 1);
    connect(check_, &QAbstractButton::clicked, &desk_, &session::DataDesk::checkFiles);
    connect(open_model_, &QAbstractButton::clicked, this, [this] { emit modeRequested(Mode::kModel); });
}

QWidget* DataPage::buildRight() {
    right_ = new QScrollArea(this);
    right_->setObjectName("dataRight");
    right_->setFixedWidth(kRightWidth);
    right_->setWidgetResizable(true);
    right_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, right_);
    auto* column = new QVBoxLayout(dock);
    column->setContentsMargins(theme::kSpace5 + 1, theme::kSpace4, theme::kSpace5, theme::kSpace5);
    column->setSpacing(theme::kSpace5);
    column->addWidget(pipeline_ = new PipelinePanel(session_, themes_, dock));
    column->addWidget(mix_ = new MixPanel(session_, themes_, dock));
    column->addWidget(batch_ = new BatchPanel(session_.project(), themes_, dock));
    column->addStretch(1);
    right_->setWidget(dock);
    return right_;
}

void DataPage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    header_->setNarrow(narrow);
    list_->setNarrow(narrow);
    samples_->setNarrow(narrow);
    pipeline_->setNarrow(narrow);
    mix_->setNarrow(narrow);
    batch_->setNarrow(narrow);
    refreshMiddle();
}

// The order is the rows' own: the keyboard goes to the first. The seed stands beside the batch.
bool DataPage::reveal(const QString& path) {
    if (path == "data.order" && !pipeline_->shownSteps().empty()) {
        QWidget& first = pipeline_->row(pipeline_->shownSteps().front());
        right_->ensureWidgetVisible(&first);
        first.setFocus(Qt::OtherFocusReason);
    }
    if (path == QLatin1String("data.mix") || path.startsWith(QLatin1String("data.mix."))) {
        right_->ensureWidgetVisible(mix_);
        mix_->focusField(path);
    }
    if (path == "fit.seed") batch_->focusSeed();
    if (path.startsWith(QLatin1String("data.feature_columns"))) return false;  // Model has their form
    return path.startsWith("data") || path == "fit.seed";
}

QWidget* DataPage::sidebar() const {
    return list_;
}

void DataPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    desk_.setActive(true);
}

void DataPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    desk_.setActive(false);
}

void DataPage::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile() && !guessFormat(urls.front().toLocalFile()).isEmpty()) event->acceptProposedAction();
}

void DataPage::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) paths << url.toLocalFile();
    }
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    openWizard({}, paths);
}

QString DataPage::titleOf(const std::string& dataset) const {
    if (const auto* set = engine::spec::findNamedDataset(dataset)) return models::engineText(set->title);
    const auto* format = engine::spec::findDatasetFormat(dataset);
    return models::engineText(format == nullptr ? dataset : format->title);
}

void DataPage::chooseNamed(const QString& name) {
    if (!session_.project().isOpen()) session_.project().create();
    session_.project().change(tr("Use %1").arg(titleOf(name.toStdString())), [name](RunSpec& run) {
        DataSpec& spec = run.data;
        spec.dataset = name.toStdString();
        spec.train_images = spec.train_labels = spec.test_images = spec.test_labels = {};
        spec.train_files = spec.test_files = {};
        spec.csv = {};
        spec.npz = {};
        spec.images = {};
        spec.tfrecord = {};
        spec.text = {};
    });
}

void DataPage::takeFiles(const DataSpec& spec, const QString& title) {
    if (!session_.project().isOpen()) session_.project().create();
    session_.project().change(tr("Use %1").arg(title), [&spec](RunSpec& run) { run.data = spec; });
}

DataWizard* DataPage::openWizard(const QString& format, const QStringList& dropped) {
    WizardStart start;
    if (session_.project().isOpen()) start.data = session_.project().spec().data;
    if (!format.isEmpty() && start.data.dataset != format.toStdString()) {
        start.data.dataset = format.toStdString();
        start.data.train_images = start.data.train_labels = start.data.test_images = start.data.test_labels = {};
        start.data.train_files = start.data.test_files = {};
    }
    start.input_shape = session_.project().spec().model.input_shape;
    start.base = desk_.baseFolder();
    start.slot = session_.clientSlot();
    auto* wizard = new DataWizard(std::move(start), themes_, this);
    connect(wizard, &DataWizard::taken, this, &DataPage::takeFiles);
    if (!dropped.isEmpty()) wizard->setDropped(dropped);
    new widgets::Veil(themes_, window(), wizard, QSize(kWizardWidth, kWizardHeight));
    return wizard;
}

void DataPage::onStateButton(bool first) {
    switch (first ? first_action_ : second_action_) {
        case StateAction::kFetch:
            return desk_.fetch(QString::fromStdString(session_.project().spec().data.dataset));
        case StateAction::kCancelFetch:
            return desk_.cancelFetch();
        case StateAction::kChooseFiles:
            openWizard(engine::spec::findDatasetFormat(session_.project().spec().data.dataset) == nullptr
                           ? QStringLiteral("idx")
                           : QString::fromStdString(session_.project().spec().data.dataset));
            return;
        case StateAction::kUseMnist:
            return chooseNamed(QLatin1String(kShipped));
        case StateAction::kTryAgain:
            return desk_.lookAgain();
        case StateAction::kNone:
            return;
    }
}

// A number or text that has the focus reaches the project when the focus goes; a key that saves or trains takes none.
void DataPage::finishTyping() {
    if (auto* number = qobject_cast<QAbstractSpinBox*>(focusWidget())) number->interpretText();
    pipeline_->finishTyping();
}

void DataPage::refresh() {
    const bool open = session_.project().isOpen();
    check_->setEnabled(open);
    open_model_->setEnabled(open);
    pipeline_->refresh();
    mix_->refresh();
    refreshList();
    refreshHeader();
    refreshMiddle();
    refreshShards();
}

void DataPage::refreshList() {
    QSet<QString> here;
    for (const auto& set : engine::spec::namedDatasets()) {
        const QString name = QString::fromStdString(set.name);
        if (desk_.isHere(name)) here.insert(name);
    }
    list_->model().setHere(here);
    const DataState& fetch = desk_.fetchState();
    const double progress = fetch.total > 0 ? static_cast<double>(fetch.done) / static_cast<double>(fetch.total) : -1;
    list_->model().setFetching(desk_.fetching(), progress);
    list_->setChosen(session_.project().isOpen() ? QString::fromStdString(session_.project().spec().data.dataset) : QString());
}

void DataPage::refreshHeader() {
    const bool open = session_.project().isOpen();
    const DataState& state = desk_.data();
    header_->title().setText(open ? titleOf(session_.project().spec().data.dataset) : tr("Data"));
    QString sentence;
    if (open && engine::spec::findDatasetFormat(session_.project().spec().data.dataset) != nullptr) {
        const DataSpec& spec = session_.project().spec().data;
        const std::string& file = spec.train_files.empty() ? spec.train_images : spec.train_files.front();
        sentence = QString::fromStdString(file);
    }
    header_->sentence().setText(sentence);
    if (!open) {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("No project"), widgets::PillMark::kHollowDot);
    } else if (state.phase == DataPhase::kFailed) {
        const bool is_missing = state.code == "not found" || state.code == "unavailable";
        header_->pill().setState(is_missing ? widgets::PillTone::kWarn : widgets::PillTone::kError,
                                 is_missing ? tr("Not here") : tr("Cannot be read"), widgets::PillMark::kHollowDot);
    } else if (state.phase == DataPhase::kReading && !state.has_summary) {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("Reading"), widgets::PillMark::kHollowDot);
    } else if (state.has_summary || session_.project().dataset().found) {
        header_->pill().setState(widgets::PillTone::kOk, tr("On this computer"), widgets::PillMark::kCheck);
    } else {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("Not read yet"), widgets::PillMark::kHollowDot);
    }
}

void DataPage::refreshMiddle() {
    const DataState& state = desk_.data();
    const bool is_reading = state.phase == DataPhase::kReading;
    samples_->setBusy(!is_reading       ? QString()
                      : state.total > 0 ? tr("%1 of %2 read").arg(models::formatCount(state.done), models::formatCount(state.total))
                                        : tr("reading"));
    const bool is_fetched =
        session_.project().isOpen() && desk_.fetching() == QString::fromStdString(session_.project().spec().data.dataset);
    const bool has_state = !session_.project().isOpen() || state.phase == DataPhase::kFailed || is_fetched;
    middle_->setCurrentIndex(has_state ? 1 : 0);
    if (has_state) refreshState();
    const DataSummary shown = state.has_summary ? state.summary : DataSummary{};
    const QString missing(models::kMissing);
    std::int64_t least = 0, most = 0;
    for (const session::SampleGroup& group : shown.groups) {
        least = &group == &shown.groups.front() ? group.train : std::min(least, group.train);
        most = std::max(most, group.train);
    }
    const int groups = static_cast<int>(shown.groups.size()) + static_cast<int>(shown.groups_left_out);
    const QString range = tr("%1, %2 to %3").arg(shown.dtype).arg(shown.smallest, 0, 'g', 4).arg(shown.largest, 0, 'g', 4);
    const QString each = least == most ? tr("%1 samples each").arg(models::formatCount(most))
                                       : tr("%1 to %2 samples each").arg(models::formatCount(least), models::formatCount(most));
    facts_->setFacts({{state.has_summary ? models::formatCount(shown.train_samples) : missing, tr("training samples")},
                      {state.has_summary ? models::formatCount(shown.test_samples) : missing, tr("test samples")},
                      {state.has_summary ? models::formatShape(shown.shape) : missing, state.has_summary ? range : tr("shape of a sample")},
                      {!state.has_summary  ? missing
                       : shown.has_classes ? tr("%n class(es)", nullptr, groups)
                                           : tr("numbers"),
                       state.has_summary ? each : tr("labels")},
                      {state.has_summary ? models::formatBytes(shown.bytes) : missing,
                       shown.bad > 0         ? tr("%n bad sample(s)", nullptr, static_cast<int>(shown.bad))
                       : shown.checksum_fits ? tr("checksum fits")
                                             : tr("on disk")}});
    samples_->setSummary(shown);
    std::int64_t elements = 1;
    for (const std::int64_t size : shown.shape) elements *= size;
    pipeline_->setCacheBytes(state.has_summary ? shown.train_samples * elements * bytesOf(shown.dtype) : 0);
    const session::DatasetFacts& facts = session_.project().dataset();
    batch_->setSamples(state.has_summary ? engine::spec::SetSize{shown.train_samples, shown.train_files}
                                         : engine::spec::SetSize{facts.train_samples, facts.train_files},
                       state.has_summary ? shown.test_samples : facts.test_samples);
}

bool DataPage::isShown(const QString& dataset) const {
    return session_.project().isOpen() && QString::fromStdString(session_.project().spec().data.dataset) == dataset;
}

// Returns one sentence on what went wrong with a fetch; the addresses that were tried stand in its tooltip and among the events.
QString DataPage::fetchSentence(const DataState& failure) {
    if (failure.code == "unavailable") return tr("None of its mirrors can be reached: look at the network, then try again.");
    if (failure.code == "data loss") return tr("What came has another checksum than it should: nothing of it was kept.");
    return models::findingText(failure.problem);
}

void DataPage::refreshState() {
    widgets::StatePanel::Content content{"database", {}, {}, {}, {}, -2};
    first_action_ = second_action_ = StateAction::kNone;
    const auto offer = [&](StateAction first, const QString& text, StateAction second, const QString& other) {
        first_action_ = first;
        content.first = text;
        second_action_ = second;
        content.second = other;
    };
    if (!session_.project().isOpen()) {
        content.title = tr("Choose a data set on the left, or drop a folder here.");
        content.sentence = tr("MNIST ships with Tandem; others are fetched once and kept for every project.");
        offer(StateAction::kUseMnist, tr("Use MNIST"), StateAction::kNone, {});
        return state_->setContent(content);
    }
    const QString name = QString::fromStdString(session_.project().spec().data.dataset);
    const QString title = titleOf(name.toStdString());
    const auto* set = engine::spec::findNamedDataset(name.toStdString());
    const DataState& fetch = desk_.fetchState();
    if (desk_.fetching() == name) {
        content.icon = "fetch";
        content.title = tr("Fetching %1").arg(title);
        const bool comes = fetch.total > 0 && fetch.done > 0;
        content.sentence = comes ? tr("%1: %2 of %3").arg(fetch.name, models::formatBytes(fetch.done), models::formatBytes(fetch.total))
                                 : tr("Asking its mirrors");
        content.progress = comes ? static_cast<double>(fetch.done) / static_cast<double>(fetch.total) : -1;
        offer(StateAction::kNone, {}, StateAction::kCancelFetch, tr("Cancel"));
        return state_->setContent(content);
    }
    // What went wrong with a fetch says more than that the set is not here.
    const bool has_fetched = desk_.failedFetch() == name && desk_.data().code == "not found";
    const DataState& failure = has_fetched ? fetch : desk_.data();
    content.sentence = has_fetched ? fetchSentence(failure) : models::findingText(failure.problem);
    if (has_fetched) content.detail = models::findingText(failure.problem);
    if (failure.code == "unavailable") {
        content.icon = "warning";
        content.title = tr("No network. MNIST ships with Tandem");
        offer(StateAction::kUseMnist, tr("Use it"), StateAction::kFetch, tr("Try again"));
    } else if (failure.code == "data loss" && failure.can_fetch) {
        content.icon = "error";
        content.title = tr("%1 is damaged").arg(title);
        offer(StateAction::kFetch, tr("Fetch again"), StateAction::kChooseFiles, tr("Choose file"));
    } else if (failure.can_fetch && set != nullptr && set->download_bytes > 0) {
        content.icon = "fetch";
        content.title = tr("%1 is not on this computer").arg(title);
        content.sentence = tr("It is fetched once, checked and kept for every project.");
        offer(StateAction::kFetch, tr("Fetch %1").arg(models::formatBytes(set->download_bytes)), StateAction::kChooseFiles,
              tr("Choose file"));
    } else {
        content.icon = "error";
        content.title = tr("%1: the data cannot be read").arg(title);
        offer(StateAction::kChooseFiles, tr("Choose file"), StateAction::kTryAgain, tr("Try again"));
    }
    state_->setContent(content);
}

void DataPage::refreshShards() {
    std::vector<ShardTask> tasks;
    for (const engine::spec::TaskPlan& plan : session_.project().taskPlans()) tasks.push_back({plan.task, plan.devices});
    shards_->setState(desk_.shards(), session_.project().spec().data.auto_shard, tasks);
    batch_->setShardReason(desk_.shards().reason);
}

void DataPage::retranslate() {
    check_->setText(tr("Check files"));
    check_->setToolTip(tr("Read every sample and name all that cannot be read"));
    open_model_->setText(tr("Open Model"));
    list_->retranslate();
    samples_->retranslate();
    pipeline_->retranslate();
    mix_->retranslate();
    batch_->retranslate();
    refresh();
}

}  // namespace ui::views

#include "moc_data_page.cpp"
