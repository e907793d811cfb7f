// SPDX-License-Identifier: GPL-3.0-or-later
// Findings in full, one below the other: a passed check takes one line; a problem takes as many as its sentence needs, and below them
// stands what a click does about it. The list is as high as its rows; the page around it scrolls. Enter does what the link says, or shows
// the field.
#pragma once

#include <QListView>

#include "ui/models/check_list_model.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class FindingList : public QListView {
    Q_OBJECT
public:
    explicit FindingList(const theme::ThemeController& themes, QWidget* parent = nullptr);
    // A row's `fix` is the sentence of its link, `detail` stands in its tooltip.
    void setRows(std::vector<models::CheckRow> rows);
    const models::CheckRow& row(int index) const { return model_->row(index); }
    int rows() const { return model_->rowCount(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }  // the texts wrap

signals:
    void fixWanted(int row);
    void pathWanted(QString path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    class Delegate;
    void act(int row, bool on_link);

    models::CheckListModel* model_;
    Delegate* delegate_;
};

}  // namespace ui::views
