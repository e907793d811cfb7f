// SPDX-License-Identifier: GPL-3.0-or-later
// The panel at the right of Model: the fields of the selected node, made from its schema; for a layer what follows from them; where
// something is wrong what it is, and ways out.
#pragma once

#include <QScrollArea>
#include <QSet>
#include <functional>
#include <vector>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/project/run_spec.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace ui::session {
class Project;
}
namespace ui::theme {
class ThemeController;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FieldEditor;
class LayerErrorCard;
class RateCurve;

class ModelProperties : public QScrollArea {
    Q_OBJECT
public:
    ModelProperties(session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Shows the form of a node: 0 Input, 1 … n layers, n + 1 Compile, -1 nothing. Keeps the form when only values changed.
    void setNode(int node);
    void focusFirst(const QString& field = {});
    void retranslate();

signals:
    void nodeWanted(int node);       // a fix moved the layer
    void menuWanted(QPoint global);  // of the node: move, duplicate, delete
    void explanationWanted();        // the list of all problems

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    using Edit = std::function<void(engine::spec::RunSpec&, const engine::spec::FieldValue&)>;
    using Read = std::function<engine::spec::FieldValue(const engine::spec::RunSpec&)>;
    struct Row {
        FieldEditor* editor;
        Read read;
        QString path{};     // of the setting in the project
        bool fits = false;  // gives room to its label where the panel is narrow
    };

    // The two widgets of a line in the table of rates, its head among the lines.
    struct RateLine {
        QWidget* epoch;
        QWidget* rate;
    };

    // The line of a layer in a chain.
    struct Member {
        std::string field;
        std::size_t index = 0;
        widgets::TextLabel* settings = nullptr;
    };

    void rebuild();
    void refreshValues();
    void fitEditors();
    QString formKey() const;  // what the form's rows depend on
    void buildInput();
    void buildColumns();  // of a table or of records
    void addColumn(std::size_t index);
    void addColumnHead(std::size_t index);
    QString columnsKey() const;
    void buildLayer(int layer);
    void buildChain(const engine::spec::FieldSchema& field, const QString& path);  // the layers that a field lists
    void addMember(const engine::spec::FieldSchema& field, const QString& path, std::size_t index, std::size_t count);
    void addMemberFields(const engine::spec::FieldSchema& field, const QString& path, std::size_t index);
    void refreshMembers();
    QString chainKey() const;
    void addErrorCard();
    void buildCompile();
    void buildLossScale();
    void buildApi();
    void buildFit();
    void buildBeginning();
    void buildEstimator();
    void buildExporters();
    void buildCallbacks();
    void addCallback(const QString& class_name);
    void addCallbackFields(const engine::spec::ObjectSchema& schema);
    QString callbacksKey() const;
    bool openCallback(const QString& name);  // shows its settings; false: no callback is called that, or it is off
    void buildRate();
    void buildRateTable();
    void addRateTableHead();
    void addRateTableRow(std::size_t index);
    void refreshCurve();
    std::int64_t runSteps() const;  // of the whole run; a guess while the data are unknown
    void addHeading(const QString& title, const QString& side);
    void addSection(const QString& title);
    FieldEditor* addRow(const engine::spec::FieldSchema& schema, const QString& label, const QString& path, Read read, Edit edit);
    void addObjectRows(const std::vector<engine::spec::FieldSchema>& fields, const QString& path,
                       const std::function<engine::spec::ObjectSpec*(engine::spec::RunSpec&)>& object);
    void addChoice(const QString& label, const QString& path, const std::vector<std::string>& choices, Read read, Edit edit);
    widgets::TextLabel* addFact(const QString& label);
    void refreshFacts(int layer);

    session::Project& project_;
    const theme::ThemeController& themes_;
    int node_ = -1, built_node_ = -1;
    QString form_key_;
    QWidget* body_ = nullptr;
    QVBoxLayout* layout_ = nullptr;
    LayerErrorCard* error_ = nullptr;
    RateCurve* curve_ = nullptr;
    std::vector<Row> rows_;
    std::vector<RateLine> rate_lines_;
    std::vector<Member> members_;
    QString open_member_;           // "layers[2]": the layer of a chain whose settings are shown
    QSet<QString> open_callbacks_;  // classes whose settings are shown
    widgets::TextLabel *side_ = nullptr, *input_ = nullptr, *output_ = nullptr, *parameters_ = nullptr, *work_ = nullptr,
                       *activations_ = nullptr;
};

}  // namespace ui::views
