// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/evaluate_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "engine/spec/project/run_spec.h"
#include "ui/models/error_text.h"
#include "ui/models/numbers.h"
#include "ui/runs/drawing_card.h"
#include "ui/runs/evaluate_card.h"
#include "ui/runs/evaluate_painted.h"
#include "ui/runs/mistake_gallery.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using session::EvaluationResult;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kHeadRow = 34;
constexpr int kUpper = 54, kLower = 46, kConfusionShare = 58, kMistakeShare = 42;

class RunDot : public QWidget {
public:
    RunDot(const session::RunSummary& run, const theme::ThemeController& themes, QWidget* parent)
        : QWidget(parent), run_(run), themes_(themes) {
        setFixedSize(12, 12);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        widgets::paintDot(painter, QRectF(rect()).center(), 5, themes_.theme().seriesColor(run_.color), run_.dash == 0);
    }

private:
    const session::RunSummary& run_;
    const theme::ThemeController& themes_;
};

}  // namespace

EvaluateView::EvaluateView(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setObjectName("evaluateView");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, 0, theme::kSpace6, theme::kSpace4);
    column->setSpacing(theme::kSpace3);
    column->addWidget(buildHead());
    stack_ = new QStackedWidget(this);
    stack_->addWidget(buildState());
    stack_->addWidget(buildResult());
    column->addWidget(stack_, 1);
    session::Evaluation& evaluation = session_.evaluation();
    connect(back_, &QPushButton::clicked, this, &EvaluateView::closeWanted);
    connect(again_, &QPushButton::clicked, this, &EvaluateView::start);
    connect(state_button_, &QPushButton::clicked, this, [this] {
        if (state_ == State::kNoCheckpoint || state_ == State::kElsewhere) return emit closeWanted();
        if (!session_.evaluation().isEvaluating()) return start();
        session_.evaluation().cancelEvaluation();
        emit closeWanted();
    });
    connect(checkpoint_, &QComboBox::currentIndexChanged, this, &EvaluateView::start);
    connect(&evaluation, &session::Evaluation::evaluated, this, &EvaluateView::take);
    connect(&evaluation, &session::Evaluation::inspected, this, &EvaluateView::takeInspection);
    connect(&evaluation, &session::Evaluation::evaluationFailed, this, [this](const session::ErrorInfo& error) {
        error_ = error;
        showState(State::kFailed);
    });
    connect(&evaluation, &session::Evaluation::inspectionFailed, drawing_, &DrawingCard::showProblem);
    connect(confusion_, &ConfusionView::cellChosen, this, [this] {
        mistakes_->setCell(confusion_->cell());
        refreshTexts();
    });
    connect(mistakes_, &MistakeGallery::chosen, this,
            [this](std::int64_t sample) { session_.evaluation().inspectSample(model(), sample); });
    // The answer about a sample would lay its picture over the drawing.
    connect(drawing_, &DrawingCard::touched, &evaluation, &session::Evaluation::cancelInspection);
    connect(drawing_, &DrawingCard::drawn, this,
            [this](const session::PixelPicture& drawing) { session_.evaluation().inspectDrawing(model(), drawing); });
    retranslate();
}

QWidget* EvaluateView::buildHead() {
    auto* head = new QWidget(this);
    head->setFixedHeight(kHeadRow);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    back_ = widgets::makeButton(themes_, {.object_name = "evaluateBack", .icon = "chevron-left", .compact = true}, head);
    dot_ = new RunDot(run_, themes_, head);
    name_ = new TextLabel(themes_, TextRole::kStrong, Ink::kText, head);
    name_->setElided(true);
    facts_ = new TextLabel(themes_, TextRole::kMono, Ink::kText, head);
    facts_->setObjectName("evaluateFacts");
    checkpoint_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, head);
    checkpoint_ = new QComboBox(head);
    checkpoint_->setObjectName("evaluateCheckpoint");
    checkpoint_->setProperty("compact", true);
    checkpoint_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    again_ = widgets::makeButton(themes_, {.object_name = "evaluateAgain", .icon = "refresh", .compact = true}, head);
    row->addWidget(back_);
    row->addSpacing(theme::kSpace2);
    row->addWidget(dot_);
    row->addWidget(name_);
    row->addSpacing(theme::kSpace3);
    row->addWidget(facts_);
    row->addStretch(1);
    for (QWidget* part : std::initializer_list<QWidget*>{checkpoint_label_, checkpoint_, again_}) row->addWidget(part);
    return head;
}

QWidget* EvaluateView::buildState() {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, this);
    auto* column = cardLayout(card);
    state_title_ = new TextLabel(themes_, TextRole::kEmptyTitle, Ink::kText, card);
    state_text_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, card);
    state_text_->setWordWrap(true);
    state_text_->setAlignment(Qt::AlignHCenter);
    state_button_ = widgets::makeButton(themes_, {.object_name = "evaluateStateButton"}, card);
    column->addStretch();
    column->addWidget(state_title_, 0, Qt::AlignHCenter);
    column->addWidget(state_text_);
    column->addWidget(state_button_, 0, Qt::AlignHCenter);
    column->addStretch();
    return card;
}

QWidget* EvaluateView::buildResult() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace3);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(theme::kSpace3);
    upper->addWidget(buildConfusion(page), kConfusionShare);
    upper->addWidget(mistakes_ = new MistakeGallery(themes_, page), kMistakeShare);
    auto* lower = new QHBoxLayout;
    lower->setSpacing(theme::kSpace3);
    lower->addWidget(drawing_ = new DrawingCard(themes_, page));
    lower->addWidget(buildLayers(page), 1);
    column->addLayout(upper, kUpper);
    column->addLayout(lower, kLower);
    return page;
}

QWidget* EvaluateView::buildConfusion(QWidget* parent) {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, parent);
    auto* column = cardLayout(card);
    confusion_title_ = new TextLabel(themes_, TextRole::kStrong, Ink::kText, card);
    confusion_ = new ConfusionView(themes_, card);
    column->addWidget(confusion_title_);
    column->addWidget(confusion_, 1);
    return card;
}

QWidget* EvaluateView::buildLayers(QWidget* parent) {
    auto* card = new widgets::CardFrame(themes_, widgets::FrameKind::kCard, parent);
    auto* column = cardLayout(card);
    layers_title_ = new TextLabel(themes_, TextRole::kStrong, Ink::kText, card);
    layers_ = new ActivationView(themes_, card);
    column->addWidget(layers_title_);
    column->addWidget(layers_, 1);
    return card;
}

session::ModelOfRun EvaluateView::model() const {
    return {run_.id, run_.run_dir, checkpoint_->currentData().toString()};
}

void EvaluateView::show(const session::RunSummary& run) {
    run_ = run;
    dot_->update();
    {
        const QSignalBlocker quiet(checkpoint_);
        checkpoint_->clear();
        const auto checkpoints = session::Evaluation::checkpoints(run.run_dir);
        if (!checkpoints.empty()) checkpoint_->addItem(tr("Latest"), QString());
        for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); ++one) {
            const QString name = one->file.section(QLatin1Char('/'), -1);
            checkpoint_->addItem(one->best ? tr("%1, the best").arg(name) : name, one->file);
        }
    }
    layers_->setLayers({});
    drawing_->setInput(engine::spec::parseProject(run.project_json.toStdString()).run.model.input_shape);
    if (!session::Evaluation::obstacle(run_, session_.host().info()).isEmpty()) return showState(State::kElsewhere);
    if (result_ && result_->model == model() && isFinal(run.state)) return showState(State::kResult);
    start();
}

void EvaluateView::start() {
    result_.reset();
    confusion_->setResult(nullptr);
    if (checkpoint_->count() == 0) return showState(State::kNoCheckpoint);
    showState(State::kWorking);
    session_.evaluation().evaluate(model());
}

void EvaluateView::take(const EvaluationResult& result) {
    if (result.model != model()) return;
    result_ = result;
    confusion_->setResult(&*result_);
    mistakes_->setResult(result);
    showState(State::kResult);
    mistakes_->chooseFirst();
}

void EvaluateView::takeInspection(const session::InspectionResult& result) {
    if (result.model != model()) return;
    layers_->setLayers(result.layers);
    drawing_->showAnswer(result);
}

QString EvaluateView::sentence() const {
    return state_ == State::kWorking ? tr("A worker evaluates the checkpoint on the test set") : QString();
}

void EvaluateView::showState(State state) {
    state_ = state;
    stack_->setCurrentIndex(state == State::kResult ? 1 : 0);
    refreshTexts();
    emit sentenceChanged();
}

void EvaluateView::refreshTexts() {
    name_->setText(run_.name);
    again_->setEnabled(state_ == State::kResult || state_ == State::kFailed);
    facts_->setVisible(result_.has_value());
    if (result_) {
        facts_->setText(tr("accuracy %1   loss %2   %Ln sample(s)", nullptr, static_cast<int>(result_->samples))
                            .arg(models::formatMetric(result_->accuracy), models::formatMetric(result_->loss)));
    }
    switch (state_) {
        case State::kWorking:
            state_title_->setText(tr("Evaluating"));
            state_text_->setText(tr("A worker of this computer runs %1 over the test set.").arg(run_.name));
            state_button_->setText(tr("Cancel"));
            break;
        case State::kFailed:
            state_title_->setText(tr("%1 was not evaluated").arg(run_.name));
            state_text_->setText(models::errorText(error_));
            state_button_->setText(tr("Try again"));
            break;
        case State::kNoCheckpoint:
            state_title_->setText(tr("%1 has no checkpoint yet").arg(run_.name));
            state_text_->setText(isActive(run_.state) ? tr("One is written at the end of each epoch.")
                                                      : tr("Add ModelCheckpoint to the callbacks and train again."));
            state_button_->setText(tr("Back to runs"));
            break;
        case State::kElsewhere:
            state_title_->setText(tr("%1 can't be evaluated here").arg(run_.name));
            state_text_->setText(session::Evaluation::obstacle(run_, session_.host().info()));
            state_button_->setText(tr("Back to runs"));
            break;
        case State::kResult:
            break;
    }
    const auto cell = confusion_->cell();
    mistakes_->refresh(cell ? std::optional(confusion_->sentence(cell->first, cell->second)) : std::nullopt);
    if (checkpoint_->count() > 0) checkpoint_->setItemText(0, tr("Latest"));
    drawing_->setEvaluated(result_.has_value());
}

void EvaluateView::setNarrow(bool narrow) {
    drawing_->setNarrow(narrow);
}

void EvaluateView::retranslate() {
    back_->setText(tr("Back to runs"));
    back_->setToolTip(tr("Back to runs (Esc)"));
    checkpoint_label_->setText(tr("Checkpoint"));
    checkpoint_->setAccessibleName(tr("Checkpoint"));
    again_->setText(tr("Again"));
    confusion_title_->setText(tr("Which class is taken for which"));
    layers_title_->setText(tr("What each layer makes of it"));
    confusion_->retranslate();
    mistakes_->retranslate();
    drawing_->retranslate();
    layers_->retranslate();
    refreshTexts();
}

}  // namespace ui::views

#include "moc_evaluate_view.cpp"
