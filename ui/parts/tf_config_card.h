// SPDX-License-Identifier: GPL-3.0-or-later
// One task's TF_CONFIG, read only: the lines that all tasks share in a quiet colour, the `task` line marked.
#pragma once

#include <QSyntaxHighlighter>
#include <QTextEdit>
#include <QWidget>

#include "engine/launch/tf_config_files.h"
#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class TaskChip;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

// Shows a TF_CONFIG in one of its formats, as it is copied and as Export writes it.
class TfConfigText : public QTextEdit {
    Q_OBJECT
public:
    explicit TfConfigText(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setConfig(const engine::spec::ClusterSpec& cluster, const engine::spec::TaskId& task, engine::launch::TfConfigFormat format);
    // Returns the whole text; of a very long one the widget shows both ends.
    const QString& text() const { return text_; }
    void forget() { text_.clear(); }  // the next setConfig() shows it anew, in the language of then

protected:
    QMimeData* createMimeDataFromSelection() const override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString shown() const;
    void restyle();

    const theme::ThemeController& themes_;
    QSyntaxHighlighter* highlighter_;
    QString text_;
};

class TfConfigCard : public QWidget {
    Q_OBJECT
public:
    explicit TfConfigCard(const theme::ThemeController& themes, QWidget* parent);
    void setConfig(const engine::spec::ClusterSpec& cluster, const engine::spec::TaskId& task, engine::launch::TfConfigFormat format);
    void retranslate();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    widgets::TaskChip* chip_;
    widgets::TextLabel *name_, *address_;
    QPushButton* copy_;
    TfConfigText* text_;
};

}  // namespace ui::views
