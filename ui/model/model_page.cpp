// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_page.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/schedule.h"
#include "ui/canvas/layer_look.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/canvas_zoom.h"
#include "ui/model/code_panel.h"
#include "ui/model/model_palette.h"
#include "ui/model/model_problems.h"
#include "ui/model/model_properties.h"
#include "ui/model/model_summary.h"
#include "ui/model/paste_notice.h"
#include "ui/model/square_button.h"
#include "ui/model/summary_dialog.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/parts/code_editor.h"
#include "ui/parts/no_project.h"
#include "ui/session/project/project.h"
#include "ui/session/session.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/veil.h"

namespace ui::views {

using namespace engine::spec;
using canvas::CanvasContent;
using canvas::CanvasEdge;
using canvas::CanvasNode;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kPanelWide = 312, kPanelNarrow = 260, kCodeWidth = 392, kCodeLeast = 280, kPaletteWidth = 228;
constexpr int kPanelLeast = 200, kPanelMost = 420;  // the palette too
constexpr double kCodeMostShare = 0.7;

std::vector<std::string> namesOf(const ModelSpec& model) {
    std::vector<std::string> names;
    for (const LayerSpec& layer : model.layers) names.push_back(layer.name);
    return names;
}

// Returns a new layer with values for what it requires, so that it fits at once wherever its input does.
LayerSpec freshLayer(const LayerSchema& schema, const ModelSpec& model) {
    return {schema.class_name, automaticLayerName(schema.class_name, namesOf(model)), startingFields(schema.class_name)};
}

QString compileSettings(const RunSpec& run) {
    const QString optimizer = QString::fromStdString(run.compile.optimizer.class_name);
    QStringList parts{run.compile.loss_scale ? QStringLiteral("LossScaleOptimizer(%1)").arg(optimizer) : optimizer};
    const std::string kind = rateKind(run);
    if (kind == kRateTable)
        parts << ModelPage::tr("rate by epoch");
    else if (kind != kConstantRate)
        parts << QString::fromStdString(kind);
    parts << QString::fromStdString(run.compile.loss.class_name);
    for (const MetricSpec& metric : run.compile.metrics) parts << QString::fromStdString(logName(metric));
    return parts.join(QStringLiteral(" \u00b7 "));
}

// Marks the node that errors or warnings name; their sentences stand in its tooltip.
void markProblems(CanvasNode& node, const std::vector<const Diagnostic*>& problems) {
    QStringList sentences;
    for (const Diagnostic* problem : problems) {
        sentences << models::findingText(problem->message);
        (problem->severity == Severity::kError ? node.wrong : node.warned) = true;
    }
    node.problem = sentences.join(QLatin1Char('\n'));
}

CanvasContent contentOf(const session::Session& session) {
    CanvasContent content;
    const RunSpec& run = session.project().spec();
    const auto& infos = session.project().layerInfos();
    double total = 0;
    for (const LayerInfo& info : infos) total += static_cast<double>(info.parameters);
    const auto problems = problemsByNode(session.project());

    CanvasNode input;
    input.kind = CanvasNode::Kind::kInput;
    input.type = QStringLiteral("Input");
    input.name = QString::fromStdString(run.data.dataset);
    input.settings = QString::fromStdString(run.model.input_dtype);
    input.icon = QStringLiteral("input");
    markProblems(input, problems.front());
    content.nodes.push_back(input);
    CanvasEdge edge;
    edge.shape = run.model.input_shape;
    edge.from_input = true;
    edge.invites = run.model.layers.empty();
    content.edges.push_back(edge);

    bool after = !infos.empty() && !infos.front().known && infos.front().error.empty();  // the input is to blame
    for (std::size_t i = 0; i < run.model.layers.size(); ++i) {
        const LayerSpec& layer = run.model.layers[i];
        const LayerSchema* schema = findLayerSchema(layer.class_name);
        const LayerInfo info = i < infos.size() ? infos[i] : LayerInfo{};
        CanvasNode node;
        node.type = QString::fromStdString(layer.class_name);
        node.name = QString::fromStdString(layer.name);
        node.settings = canvas::layerSettings(layer);
        node.icon = schema != nullptr ? canvas::layerIcon(*schema) : QStringLiteral("help");
        node.category = schema != nullptr ? schema->category : LayerCategory::kLayer;
        node.parameters = info.known ? info.parameters : -1;
        node.share = total > 0 ? static_cast<double>(info.parameters) / total : 0;
        node.wrong = !info.known && !after;
        node.dimmed = after;
        const bool unfit = node.wrong;
        markProblems(node, problems[i + 1]);
        content.nodes.push_back(node);
        CanvasEdge below;
        below.known = info.known;
        below.shape = info.output_shape;
        below.category = node.category;
        below.wrong = unfit;
        content.edges.push_back(below);
        after = after || !info.known;
    }
    CanvasNode compile;
    compile.kind = CanvasNode::Kind::kCompile;
    compile.type = QStringLiteral("Compile");
    compile.settings = compileSettings(run);
    compile.icon = QStringLiteral("target");
    compile.dimmed = after;
    markProblems(compile, problems.back());
    content.nodes.push_back(compile);
    return content;
}

}  // namespace

ModelPage::ModelPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
    setObjectName(QStringLiteral("modelPage"));
    palette_ = new LayerPalette(themes, this);
    canvas_ = new canvas::ModelCanvas(themes, this);
    properties_ = new ModelProperties(session.project(), themes, this);
    code_ = new CodePanel(session.project(), themes, this);
    summary_ = new ModelSummary(session.project(), themes, this);
    splitter_ = new widgets::DockSplitter(Qt::Horizontal, QStringLiteral("modelSplitter"), this);
    for (QWidget* part : std::initializer_list<QWidget*>{canvas_, properties_, code_}) splitter_->addWidget(part);
    splitter_->setDock(1, {.wide = kPanelWide, .narrow = kPanelNarrow, .least = kPanelLeast, .most = kPanelMost});
    splitter_->setDock(2, {.wide = kCodeWidth, .narrow = kCodeWidth, .least = kCodeLeast, .most_share = kCodeMostShare});
    auto* content = new QWidget(this);
    auto* right = new QVBoxLayout(content);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    right->addWidget(buildHeader());
    stack_ = new QStackedWidget(content);
    stack_->addWidget(splitter_);
    stack_->addWidget(no_project_ = new NoProjectPanel(session.project(), themes, QStringLiteral("layers"), this));
    right->addWidget(stack_, 1);
    right->addWidget(summary_);
    halves_ = new widgets::DockSplitter(Qt::Horizontal, QStringLiteral("modelPaletteSplitter"), this);
    halves_->addWidget(palette_);
    halves_->addWidget(content);
    halves_->setDock(0, {.wide = kPaletteWidth, .narrow = kPaletteWidth, .least = kPanelLeast, .most = kPanelMost});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(halves_);
    zoom_ = new CanvasZoom(*canvas_, themes);
    notice_ = new PasteNotice(*splitter_, themes, this);

    connectCanvas();
    connect(palette_, &LayerPalette::layerChosen, this,
            [this](const QString& name) { insertLayer(name, selected_ < 0 ? layerCount() : std::min(selected_, layerCount())); });
    connect(properties_, &ModelProperties::nodeWanted, this, &ModelPage::selectNode);
    connect(properties_, &ModelProperties::menuWanted, this, [this](QPoint at) { openNodeMenu(selected_, at); });
    connect(properties_, &ModelProperties::explanationWanted, this, [this] { emit paneRequested(1); });
    connect(code_, &CodePanel::pasted, this, &ModelPage::showPasted);
    connect(notice_, &PasteNotice::closed, this, [this] {
        if (std::exchange(notice_waits_, false)) code_->cancelPaste();
    });
    connect(code_, &CodePanel::layerEntered, this, [this](int layer) { selectNode(layer + 1); });
    connect(&session_.project(), &session::Project::changed, this, &ModelPage::refresh);
    connect(&session_.project(), &session::Project::replaced, this, [this] {
        selectNode(-1);
        if (std::exchange(notice_waits_, false)) notice_->hide();  // for what no project takes any more
    });
    onKeys(QKeySequence::keyBindings(QKeySequence::Find), [this] {
        foldSidebar(false);
        palette_->focusSearch();
    });
    onKeys(QKeySequence::keyBindings(QKeySequence::Paste), [this] { edit(EditVerb::kPaste); });
    onKeys(QKeySequence::keyBindings(QKeySequence::Copy), [this] { edit(EditVerb::kCopy); });
    onKeys(QKeySequence::keyBindings(QKeySequence::Cut), [this] { edit(EditVerb::kCut); });
    setView(View::kCanvas);
    retranslate();
}

QWidget* ModelPage::buildHeader() {
    auto* header = new QWidget(this);
    header->setFixedHeight(theme::kPageHeaderHeight);
    title_ = new TextLabel(themes_, TextRole::kTitle, Ink::kText, header);
    title_->setObjectName(QStringLiteral("modelTitle"));
    pill_ = new widgets::StatusPill(themes_, header);
    pill_->setObjectName(QStringLiteral("modelState"));
    sentence_ = new TextLabel(themes_, TextRole::kBody, Ink::kText2, header);
    sentence_->setElided(true);
    undo_ = squareButton(header, themes_, "undo", "modelUndo");
    redo_ = squareButton(header, themes_, "redo", "modelRedo");
    views_ = new widgets::SegmentedControl(themes_, header);
    views_->setObjectName(QStringLiteral("modelViews"));
    summary_button_ =
        widgets::makeButton(themes_, {.object_name = QStringLiteral("modelSummaryButton"), .icon = QStringLiteral("columns")}, header);
    check_ = widgets::makeButton(themes_, {.object_name = QStringLiteral("modelCheck"), .icon = QStringLiteral("check-circle")}, header);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, 0);
    layout->setSpacing(theme::kSpace3);
    layout->addWidget(title_);
    layout->addWidget(pill_);
    constexpr int kSentenceStretch = 1000;
    layout->addWidget(sentence_, kSentenceStretch);
    layout->addStretch(1);  // takes the room when the sentence has gone, so that no button does
    for (QWidget* part : std::initializer_list<QWidget*>{undo_, redo_, views_, summary_button_, check_}) layout->addWidget(part);
    QUndoStack& undo = session_.project().undoStack();
    for (auto [button, step] : {std::pair{undo_, session::UndoStep::kUndo}, std::pair{redo_, session::UndoStep::kRedo}})
        connect(button, &QToolButton::clicked, &undo, [this, step = step] { session::takeStep(session_.project(), step); });
    connect(&undo, &QUndoStack::indexChanged, this, &ModelPage::refreshHeader);
    connect(views_, &widgets::SegmentedControl::currentChanged, this, [this](int index) { setView(static_cast<View>(index)); });
    connect(summary_button_, &QPushButton::clicked, this, &ModelPage::openSummary);
    connect(check_, &QPushButton::clicked, this, [this] {
        emit paneRequested(1);
        const auto& nodes = canvas_->content().nodes;
        auto first = std::find_if(nodes.begin(), nodes.end(), [](const CanvasNode& node) { return node.wrong; });
        if (first == nodes.end()) first = std::find_if(nodes.begin(), nodes.end(), [](const CanvasNode& node) { return node.warned; });
        if (first != nodes.end()) selectNode(static_cast<int>(first - nodes.begin()));
    });
    return header;
}

void ModelPage::setView(View view) {
    view_ = view;
    views_->setCurrent(static_cast<int>(view));
    // A part that is hidden must not leave the focus to the next field of the window.
    const QWidget* focus = QApplication::focusWidget();
    if (focus != nullptr && view != View::kCanvas && (focus == properties_ || properties_->isAncestorOf(focus)))
        canvas_->setFocus(Qt::OtherFocusReason);
    if (focus != nullptr && view == View::kCanvas && code_->isAncestorOf(focus)) canvas_->setFocus(Qt::OtherFocusReason);
    canvas_->setVisible(view != View::kCode);
    properties_->setVisible(view == View::kCanvas);
    code_->setVisible(view != View::kCanvas);
    splitter_->arrange();
    if (view == View::kCode) code_->focusEditor();
}

void ModelPage::pasteCode() {
    if (!session_.project().isOpen()) return;
    if (std::optional<CodePanel::Pasted> pasted = code_->paste(QApplication::clipboard()->text())) return showPasted(*std::move(pasted));
    notice_waits_ = true;
    notice_->say(tr("Reading the text of the clipboard\u2026 Nothing has changed by now; closing this stops it."));
}

void ModelPage::showPasted(CodePanel::Pasted pasted) {
    const bool waited = std::exchange(notice_waits_, false);
    if (!pasted.taken && pasted.layers) {
        if (waited) notice_->hide();
        return pasteLayers(*std::move(pasted.layers));
    }
    notice_->say(pasted.message);
}

// Copies the layer as Keras code, which an editor takes as well as another project does.
bool ModelPage::copyLayer(int layer) {
    if (layer < 0 || layer >= layerCount()) return false;
    const LayerSpec& one = session_.project().spec().model.layers[static_cast<std::size_t>(layer)];
    QApplication::clipboard()->setText(QString::fromStdString(engine::spec::writeLayersCode({one})));
    return true;
}

void ModelPage::pasteLayers(std::vector<LayerSpec> layers) {
    const int count = static_cast<int>(layers.size());
    const int position = selected_ < 0 ? layerCount() : std::min(selected_, layerCount());
    session_.project().change(tr("Paste %n layer(s)", nullptr, count), [&](RunSpec& run) {
        for (LayerSpec& layer : layers) {
            const std::vector<std::string> taken = namesOf(run.model);
            const bool is_taken = std::find(taken.begin(), taken.end(), layer.name) != taken.end();
            if (is_taken || engine::spec::isAutomaticLayerName(layer.class_name, layer.name))
                layer.name = automaticLayerName(layer.class_name, taken);
            const auto place = run.model.layers.begin() + position + (&layer - layers.data());
            run.model.layers.insert(place, std::move(layer));
        }
    });
    selectNode(position + count);
}

void ModelPage::focusCanvas() {
    setView(View::kCanvas);
    canvas_->setFocus(Qt::ShortcutFocusReason);
}

bool ModelPage::canEdit(EditVerb verb) const {
    if (verb == EditVerb::kPaste) return session_.project().isOpen();
    return session_.project().isOpen() && selected_ >= 1 && selected_ <= layerCount();
}

void ModelPage::edit(EditVerb verb) {
    if (verb == EditVerb::kPaste) return pasteCode();
    if (verb != EditVerb::kDelete && !copyLayer(selected_ - 1)) return;
    if (verb != EditVerb::kCopy) deleteLayer(selected_ - 1);
}

void ModelPage::openSummary() {
    if (!session_.project().isOpen()) return;
    new widgets::Veil(themes_, window(), new SummaryDialog(session_.project(), themes_), kSummarySize);
}

// Opens a menu with the layers that have a key first, then all of them by group.
void ModelPage::openInsertMenu(int edge, const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("insertMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](QMenu* into, const LayerSchema& schema) {
        const QString name = QString::fromStdString(schema.class_name);
        into->addAction(themes_.icon(canvas::layerIcon(schema)), name, this, [this, name, edge] { insertLayer(name, edge); });
    };
    for (const LayerSchema& schema : layerSchemas()) {
        if (!canvas::addKey(schema.class_name).isEmpty()) add(menu, schema);
    }
    menu->addSeparator();
    const PaletteModel groups;
    QMenu* group = nullptr;
    for (int row = 0; row < groups.rowCount(); ++row) {
        const QModelIndex index = groups.index(row);
        if (index.data(PaletteModel::kIsGroupRole).toBool())
            group = menu->addMenu(index.data().toString());
        else if (const LayerSchema* schema = findLayerSchema(index.data(PaletteModel::kClassRole).toString().toStdString()))
            add(group, *schema);
    }
    menu->popup(at);
}

void ModelPage::openNodeMenu(int node, const QPoint& at) {
    if (node < 1 || node > layerCount()) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("layerMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const char* icon, const QString& text, const char* key, const std::function<void()>& act) {
        QAction* action = menu->addAction(themes_.icon(QLatin1String(icon)), text, this, act);
        action->setShortcut(QKeySequence(QLatin1String(key)));  // shown; the canvas takes the key
        return action;
    };
    add("arrow-up", tr("Move up"), "Alt+Up", [this, node] { moveLayer(node - 1, -1); })->setEnabled(node > 1);
    add("arrow-down", tr("Move down"), "Alt+Down", [this, node] { moveLayer(node - 1, 1); })->setEnabled(node < layerCount());
    add("copy", tr("Copy"), "Ctrl+C", [this, node] { copyLayer(node - 1); });
    add("duplicate", tr("Duplicate"), "Ctrl+D", [this, node] { duplicateLayer(node - 1); });
    menu->addSeparator();
    add("trash", tr("Delete"), "Del", [this, node] { deleteLayer(node - 1); });
    menu->popup(at);
}

int ModelPage::layerCount() const {
    return static_cast<int>(session_.project().spec().model.layers.size());
}

void ModelPage::connectCanvas() {
    using canvas::ModelCanvas;
    connect(canvas_, &ModelCanvas::nodeSelected, this, &ModelPage::selectNode);
    connect(canvas_, &ModelCanvas::propertiesWanted, this, [this] { properties_->focusFirst(); });
    connect(canvas_, &ModelCanvas::insertWanted, this, &ModelPage::insertLayer);
    connect(canvas_, &ModelCanvas::deleteWanted, this, [this](int node) { deleteLayer(node - 1); });
    connect(canvas_, &ModelCanvas::duplicateWanted, this, [this](int node) { duplicateLayer(node - 1); });
    connect(canvas_, &ModelCanvas::moveWanted, this, [this](int node, int by) { moveLayer(node - 1, by); });
    connect(canvas_, &ModelCanvas::insertMenuWanted, this, &ModelPage::openInsertMenu);
    connect(canvas_, &ModelCanvas::nodeMenuWanted, this, &ModelPage::openNodeMenu);
}

void ModelPage::refresh() {
    stack_->setCurrentIndex(session_.project().isOpen() ? 0 : 1);
    canvas_->setContent(session_.project().isOpen() ? contentOf(session_) : CanvasContent{});
    if (selected_ > layerCount() + 1) selectNode(-1);
    canvas_->setSelected(selected_);
    summary_->refresh();
    refreshHeader();
}

void ModelPage::refreshHeader() {
    const auto& infos = session_.project().layerInfos();
    const bool fits = std::all_of(infos.begin(), infos.end(), [](const LayerInfo& info) { return info.known; });
    const int errors = session_.project().errorCount(), warnings = session_.project().warningCount();
    title_->setText(session_.project().isOpen() ? QString::fromStdString(session_.project().spec().model.name) : tr("Model"));
    const bool open = session_.project().isOpen();
    for (QWidget* action : std::initializer_list<QWidget*>{views_, summary_button_, check_}) action->setEnabled(open);
    if (!open)
        pill_->setState(widgets::PillTone::kNeutral, tr("No project"), widgets::PillMark::kHollowDot);
    else if (!fits)
        pill_->setState(widgets::PillTone::kError, tr("Does not fit"));
    else if (errors > 0)
        pill_->setState(widgets::PillTone::kError, tr("%n problem(s)", nullptr, errors));
    else if (warnings > 0)
        pill_->setState(widgets::PillTone::kWarn, tr("%n warning(s)", nullptr, warnings));
    else
        pill_->setState(widgets::PillTone::kOk, tr("Fits the data"), widgets::PillMark::kCheck);
    sentence_->setText(!open  ? QString()
                       : fits ? tr("Sequential, %n layer(s)", nullptr, layerCount())
                              : tr("%n problem(s)", nullptr, std::max(1, errors)));
    const QUndoStack& undo = session_.project().undoStack();
    undo_->setEnabled(undo.canUndo());
    redo_->setEnabled(undo.canRedo());
    undo_->setToolTip(undo.canUndo() ? tr("Undo: %1 (Ctrl+Z)").arg(models::engineText(undo.undoText())) : tr("Nothing to undo"));
    redo_->setToolTip(undo.canRedo() ? tr("Redo: %1 (Ctrl+Shift+Z)").arg(models::engineText(undo.redoText())) : tr("Nothing to redo"));
    undo_->setAccessibleName(undo_->toolTip());
    redo_->setAccessibleName(redo_->toolTip());
}

void ModelPage::selectNode(int node) {
    selected_ = node;
    canvas_->setSelected(node);
    properties_->setNode(node);
    code_->setSelectedLayer(node >= 1 && node <= layerCount() ? node - 1 : -1);
}

void ModelPage::insertLayer(const QString& class_name, int position) {
    const LayerSchema* schema = findLayerSchema(class_name.toStdString());
    if (schema == nullptr) return;
    if (!session_.project().isOpen()) session_.project().create();
    position = std::clamp(position, 0, layerCount());
    session_.project().change(tr("Add %1").arg(class_name), [&](RunSpec& run) {
        run.model.layers.insert(run.model.layers.begin() + position, freshLayer(*schema, run.model));
    });
    selectNode(position + 1);
}

void ModelPage::deleteLayer(int layer) {
    if (layer < 0 || layer >= layerCount()) return;
    const QString name = QString::fromStdString(session_.project().spec().model.layers[static_cast<std::size_t>(layer)].name);
    session_.project().change(tr("Delete %1").arg(name), [&](RunSpec& run) { run.model.layers.erase(run.model.layers.begin() + layer); });
    selectNode(layerCount() == 0 ? -1 : std::min(layer + 1, layerCount()));
}

void ModelPage::duplicateLayer(int layer) {
    if (layer < 0 || layer >= layerCount()) return;
    session_.project().change(tr("Duplicate layer"), [&](RunSpec& run) {
        LayerSpec copy = run.model.layers[static_cast<std::size_t>(layer)];
        copy.name = automaticLayerName(copy.class_name, namesOf(run.model));
        run.model.layers.insert(run.model.layers.begin() + layer + 1, std::move(copy));
    });
    selectNode(layer + 2);
}

void ModelPage::moveLayer(int layer, int by) {
    const int target = layer + by;
    if (layer < 0 || layer >= layerCount() || target < 0 || target >= layerCount()) return;
    session_.project().change(tr("Move layer"), [&](RunSpec& run) {
        const auto begin = run.model.layers.begin();
        if (by < 0)
            std::rotate(begin + target, begin + layer, begin + layer + 1);
        else
            std::rotate(begin + layer, begin + layer + 1, begin + target + 1);
    });
    selectNode(target + 1);
}

bool ModelPage::reveal(const QString& path) {
    const auto place = modelPlaceOf(path.toStdString(), layerCount());
    if (!place) {
        if (path == QLatin1String("model.layers")) selectNode(0);
        return path == QLatin1String("model.layers");
    }
    selectNode(place->node);
    if (!place->field.isEmpty()) properties_->focusFirst(place->field);
    return true;
}

QWidget* ModelPage::sidebar() const {
    return palette_;
}

void ModelPage::setNarrow(bool narrow) {
    sentence_->setVisible(!narrow);
    if (narrow == narrow_) return;
    narrow_ = narrow;
    splitter_->setNarrow(narrow);
    halves_->setNarrow(narrow);
}

void ModelPage::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.window);
}

void ModelPage::retranslate() {
    views_->setEntries({tr("Canvas"), tr("Split"), tr("Code")});
    views_->setAccessibleName(tr("View"));
    summary_button_->setText(tr("Summary"));
    summary_button_->setToolTip(tr("The model as Keras' summary(), with work and memory"));
    notice_->retranslate();
    code_->retranslate();
    check_->setText(tr("Check"));
    check_->setToolTip(tr("Lists every problem and goes to the first wrong layer"));
    zoom_->retranslate();
    palette_->retranslate();
    no_project_->retranslate();
    properties_->retranslate();
    refresh();
}

}  // namespace ui::views

#include "moc_model_page.cpp"
