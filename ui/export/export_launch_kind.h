// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of the export dialog that writes a file by which a scheduler, or whatever else starts tasks, trains the project: the options and
// the texts of `tandem-cli export launch`. The form shows what the chosen way of starting takes, and begins with what the last file asked
// for.
#pragma once

#include <array>

#include "engine/launch/launch_kind.h"
#include "engine/launch/launch_options.h"
#include "ui/export/export_run_kinds.h"

class QGridLayout;

namespace ui::views {

class SettingsField;

class LaunchFilesKind : public OfProject {
    Q_OBJECT
public:
    LaunchFilesKind(ExportContext& context, QWidget* parent);
    KindTexts texts() const override;
    QString refusal() override;
    std::vector<ExportEntry> entries() override;
    void preview(int entry, ExportPreview& preview) override;
    QString command(const QString& folder) override;
    Work work() override;
    void retranslate() override;

private:
    enum Field { kHosts, kNodes, kTasksPerNode, kCores, kGpus, kMemory, kTime, kSeeds, kPartition, kImage, kFields };
    // The fields whose values are kept from one written file to the next.
    static constexpr std::array kKept{kHosts, kTasksPerNode, kCores, kGpus, kMemory, kTime, kPartition, kImage};
    // The result of the form: a file or a refusal.
    struct Outcome {
        engine::launch::LaunchFile file;
        QString refusal;
        bool is_of_settings = false;
    };

    const engine::launch::LaunchKind& launchKind() const;
    engine::launch::LaunchOptions options() const;
    Outcome outcome() const;
    QString place() const;               // of the project, as a command line names it; empty where it is in no file
    bool isUsed(Field field) const;      // false for what the kind does not take, and for what the hosts say already
    QString given(Field field) const;    // numbers, too; empty where it is as usual
    QString labelOf(Field field) const;  // in the words of the kind
    void keep() const;
    void recall();
    void arrange();
    void showState();
    void useOption();

    widgets::TextLabel* launcher_label_;
    QComboBox* launcher_;
    QGridLayout* grid_;
    std::array<widgets::TextLabel*, kFields> labels_{};
    std::array<QWidget*, kFields> editors_{};  // a QSpinBox or a QLineEdit
    widgets::TextLabel* settings_label_;
    SettingsField* settings_;
};

}  // namespace ui::views
