// SPDX-License-Identifier: GPL-3.0-or-later
// Model: palette, canvas, properties and summary of the project's Sequential model. Every edit is one of Session's undoable commands.
#pragma once

#include <QString>
#include <vector>

#include "engine/spec/model_spec.h"
#include "ui/model/code_panel.h"
#include "ui/parts/page.h"

class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace ui::canvas {
class ModelCanvas;
}
namespace ui::session {
class Session;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class SegmentedControl;
class StatusPill;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class CanvasZoom;
class LayerPalette;
class ModelProperties;
class ModelSummary;
class NoProjectPanel;
class PasteNotice;

// Nodes are numbered as on the canvas: 0 Input, 1 … n the layers, n + 1 Compile. GUI thread only.
class ModelPage : public Page {
    Q_OBJECT
public:
    ModelPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);

    void retranslate() override;
    void setNarrow(bool narrow) override;
    bool reveal(const QString& path) override;
    QWidget* sidebar() const override;
    QList<widgets::DockSplitter*> splitters() const override { return {splitter_, halves_}; }
    canvas::ModelCanvas& canvas() { return *canvas_; }

    enum class View { kCanvas, kSplit, kCode };
    void setView(View view);
    View view() const { return view_; }
    // Ctrl+V: code or a TF_CONFIG from the clipboard changes the project.
    void pasteCode();
    void openSummary();
    // Gives the keyboard to the canvas, which has the keys that add and move layers.
    void focusCanvas();
    bool canEdit(EditVerb verb) const override;
    void edit(EditVerb verb) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* buildHeader();
    void openInsertMenu(int edge, const QPoint& at);
    void openNodeMenu(int node, const QPoint& at);
    void connectCanvas();
    void refresh();
    void refreshHeader();
    void selectNode(int node);
    int layerCount() const;

    // Edits. `position` counts layers from 0.
    void insertLayer(const QString& class_name, int position);
    void deleteLayer(int layer);
    void duplicateLayer(int layer);
    bool copyLayer(int layer);
    void showPasted(CodePanel::Pasted pasted);
    // Adds the layers below the chosen one, or at the end when none is chosen; names that are taken become Keras' next.
    void pasteLayers(std::vector<engine::spec::LayerSpec> layers);
    void moveLayer(int layer, int by);

    session::Session& session_;
    const theme::ThemeController& themes_;
    int selected_ = -1;
    LayerPalette* palette_;
    canvas::ModelCanvas* canvas_;
    ModelProperties* properties_;
    CodePanel* code_;
    widgets::DockSplitter* splitter_;  // canvas, properties or code
    widgets::DockSplitter* halves_;    // palette beside the rest
    QStackedWidget* stack_;            // the splitter, or that there is no project
    NoProjectPanel* no_project_;
    ModelSummary* summary_;
    View view_ = View::kCanvas;
    bool narrow_ = false;
    widgets::TextLabel *title_, *sentence_;
    widgets::SegmentedControl* views_;
    widgets::StatusPill* pill_;
    QPushButton *summary_button_, *check_;
    QToolButton *undo_, *redo_;
    CanvasZoom* zoom_;
    PasteNotice* notice_;
    bool notice_waits_ = false;  // for a paste that is read
};

}  // namespace ui::views
