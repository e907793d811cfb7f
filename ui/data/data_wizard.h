// SPDX-License-Identifier: GPL-3.0-or-later
// "Add a data set from files": which files of which format, what they hold (samples, classes, columns, bad ones), and into the project.
#pragma once

#include <QDialog>

#include "engine/spec/model_spec.h"
#include "engine/spec/project/data_spec.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/data/data_desk.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace ui::widgets {
class SegmentedControl;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class DataFacts;
class FormatFields;
class SampleCard;

struct WizardStart {
    engine::spec::DataSpec data;      // the project's; its format decides what is asked first
    engine::spec::Shape input_shape;  // of the model, for what TFRecord files do not say
    QString base;                     // of relative files
    std::shared_ptr<session::ClientSlot> slot;
};

class DataWizard : public QDialog {
    Q_OBJECT
public:
    DataWizard(WizardStart start, const theme::ThemeController& themes, QWidget* parent);

    // Takes files or a folder that were dropped; the format is guessed by their names.
    void setDropped(const QStringList& paths);
    const engine::spec::DataSpec& data() const { return data_; }
    const session::DataState& state() const { return inspection_.state(); }

signals:
    // Emitted when the user takes the set: `data` becomes the project's.
    void taken(engine::spec::DataSpec data, QString title);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct FileRow {
        widgets::TextLabel* label;
        QLineEdit* edit;
        QPushButton* browse;
    };
    void build();
    QWidget* buildForm();
    QLayout* buildFindings();
    QWidget* buildFoot();
    void connectParts();
    FileRow addFile(QFormLayout& form, const char* name);
    void browse(FileRow& row);
    void setFormat(const QString& format);
    void showFields();
    void readFields();
    void recognise();
    void guessTable();
    void look();
    void refresh();
    void retranslate();
    QString problem() const;  // why there is nothing to look at yet

    const theme::ThemeController& themes_;
    engine::spec::DataSpec data_;
    const engine::spec::Shape input_shape_;
    const QString base_;
    session::DataInspection inspection_;
    QTimer delay_;
    widgets::TextLabel *title_, *format_label_, *sentence_, *bad_, *on_error_label_, *columns_;
    QComboBox* format_;
    QString guessed_file_;  // of which guessTable() has told how it is written
    FileRow files_[4];      // training, test; of pairs: images and labels of each
    FormatFields* fields_;  // how they are written
    widgets::SegmentedControl* on_error_;
    DataFacts* facts_;
    SampleCard* samples_;
    QPushButton *take_, *cancel_;
};

// Returns the most likely format of files by their names, of a folder by what is in its folders. Empty: none.
QString guessFormat(const QString& path);

}  // namespace ui::views
