// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of the export dialog that hand a run's model on: checkpoint, Keras file, ONNX file, TensorBoard logs, and the
// project as Keras code or as a diagram.
#pragma once

#include <optional>

#include "engine/report/model_dot.h"
#include "engine/spec/project/run_spec.h"
#include "ui/export/export_kinds.h"
#include "ui/session/runs/run_files.h"

namespace ui::views {

// A kind that asks which of the run's checkpoints is meant.
class OfCheckpoint : public ExportKind {
    Q_OBJECT
public:
    OfCheckpoint(ExportContext& context, KindLook look, const QString& name_of_list, QWidget* parent);
    void retranslate() override;

protected:
    QString checkpoint() const;  // below the run's folder; empty where there is none
    QString runFolder() const;
    QString runObstacle() const;  // why the shown run has no model to hand on
    QString modelText() const;    // as summary() prints it

private:
    widgets::TextLabel* checkpoint_label_;
    QComboBox* checkpoints_;
};

class CheckpointKind : public OfCheckpoint {
    Q_OBJECT
public:
    CheckpointKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Writer writer() override;
};

class KerasKind : public OfCheckpoint {
    Q_OBJECT
public:
    KerasKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Writer writer() override;

private:
    QString fileName() const;
};

class OnnxKind : public OfCheckpoint {
    Q_OBJECT
public:
    OnnxKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Writer writer() override;
    void retranslate() override;

private:
    QString fileName() const;
    widgets::TextLabel* batch_label_;
    QSpinBox* batch_;  // 0: any number
};

class LogsKind : public ExportKind {
    Q_OBJECT
public:
    LogsKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Writer writer() override;

private:
    std::vector<session::RunFile> files() const;
};

// A kind that writes about the open project, or about the shown run's where none is open.
class OfProject : public ExportKind {
    Q_OBJECT
public:
    using ExportKind::ExportKind;
    ExportSubject subject() const override;

protected:
    const engine::spec::RunSpec* run() const;  // null where there is neither
    QString obstacle() const;                  // why there is no model to write about
    QString projectPath() const;               // quoted for a shell
};

class CodeKind : public OfProject {
    Q_OBJECT
public:
    CodeKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;

private:
    std::string code() const;
};

class DiagramKind : public OfProject {
    Q_OBJECT
public:
    DiagramKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;

private:
    engine::report::DotOptions options() const;
    std::string diagram() const;
    widgets::TextLabel *direction_label_, *boxes_label_;
    widgets::SegmentedControl *direction_, *boxes_;
};

}  // namespace ui::views
