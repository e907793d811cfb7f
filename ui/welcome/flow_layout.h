// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets side by side, in as many rows as the width asks for, each at its own size.
#pragma once

#include <memory>
#include <vector>

#include <QLayout>

namespace ui::views {

class FlowLayout : public QLayout {
public:
    // `spacing`: between widgets of a row, and between rows.
    explicit FlowLayout(int spacing);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;  // takes it over
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& area) override;

private:
    enum class Moves { kNo, kYes };
    // The height of all rows within that area; moves the widgets there where asked.
    int place(const QRect& area, Moves moves) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace ui::views
