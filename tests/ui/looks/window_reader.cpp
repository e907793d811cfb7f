// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_reader.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QGraphicsView>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <algorithm>
#include <vector>

#include "ui/theme/theme.h"
#include "ui/widgets/painted_text.h"

namespace tests {
namespace {

constexpr double kLeastContrast = 4.5, kReadableRatio = 2;
constexpr int kSlack = 1;     // pixel of the logical grid: rounding of hints
constexpr double kTouch = 2;  // painted texts may touch so far, in logical pixels
constexpr int kFewPixels = 24, kIconPlace = 24, kWholeLine = 7;
constexpr int kMargins = 40;  // of a dock, on both sides together, at most

struct Reader {
    QWidget& window;
    WindowReading out;
    std::vector<ui::widgets::PaintedText> painted;

    QString nameOf(const QWidget* widget) const {
        QStringList path;
        for (const QWidget* at = widget; at && at != &window && path.size() < 4; at = at->parentWidget()) {
            path.prepend(at->objectName().isEmpty() ? QString::fromLatin1(at->metaObject()->className()) : at->objectName());
        }
        return path.join('/');
    }

    void fault(const QString& text) {
        if (!out.faults.contains(text)) out.faults << text;
    }

    // What of the widget is on the screen, in the window's logical pixels.
    QRect shownPart(const QWidget* widget) const {
        QRect part(widget->mapTo(&window, QPoint(0, 0)), widget->size());
        for (const QWidget* at = widget->parentWidget(); at && at != &window; at = at->parentWidget()) {
            part &= QRect(at->mapTo(&window, QPoint(0, 0)), at->size());
        }
        return part & window.rect();
    }

    // What is wider than a view without a horizontal scroll bar can't be brought to sight.
    void readScrolled(const QWidget* widget) {
        const auto* area = qobject_cast<const QScrollArea*>(widget);
        if (!area || !area->widget() || area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff) return;
        const int wide = area->widget()->width(), room = area->viewport()->width();
        if (wide <= room) return;
        QStringList needs;  // who asks for that width
        for (const QWidget* child : area->widget()->findChildren<QWidget*>()) {
            if (child->isVisible() && child->minimumSizeHint().width() > room - kMargins) {
                needs << QStringLiteral("%1 needs %2").arg(nameOf(child)).arg(child->minimumSizeHint().width());
            }
        }
        fault(QStringLiteral("%1: %2 px wide in a view of %3 px that scrolls up and down only: %4")
                  .arg(nameOf(area))
                  .arg(wide)
                  .arg(room)
                  .arg(needs.join(QStringLiteral(", "))));
    }

    bool scrolls(const QWidget* widget) const {
        for (const QWidget* at = widget; at && at != &window; at = at->parentWidget()) {
            if (qobject_cast<const QAbstractScrollArea*>(at->parentWidget() ? at->parentWidget()->parentWidget() : nullptr)) return true;
        }
        return false;
    }

    // Something lies over it: a veil, a list that dropped down.
    bool isCovered(const QWidget* widget) const {
        const QRect part = shownPart(widget);
        if (part.isEmpty()) return true;
        const QWidget* top = window.childAt(part.center());
        return top && top != widget && !widget->isAncestorOf(top) && !top->isAncestorOf(widget);
    }

    void readWidget(const QWidget* widget) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) return readLabel(label);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return readButton(button);
        if (const auto* combo = qobject_cast<const QComboBox*>(widget)) return readCombo(combo);
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) return readEdit(edit);
        if (const auto* header = qobject_cast<const QHeaderView*>(widget)) return readHeader(header);
    }

    void readLabel(const QLabel* label) {
        if (label->text().isEmpty()) return;
        ++out.texts;
        const QRect room = label->contentsRect();
        const bool tip = !label->toolTip().isEmpty();
        if (label->wordWrap()) {
            const int needed = label->heightForWidth(label->width());
            if (needed > label->height() + kSlack && !tip) {
                fault(QStringLiteral("%1: \"%2\" needs %3 px of height, has %4")
                          .arg(nameOf(label), label->text())
                          .arg(needed)
                          .arg(label->height()));
            }
        } else if (label->textFormat() == Qt::PlainText && !tip) {
            const int needed = label->fontMetrics().size(0, label->text()).width();
            if (needed > room.width() + kSlack) {
                fault(QStringLiteral("%1: \"%2\" needs %3 px, has %4").arg(nameOf(label), label->text()).arg(needed).arg(room.width()));
            }
        }
        if (shownPart(label).size() == label->size()) readContrast(label->text(), shownPart(label), nameOf(label));
    }

    void readButton(const QAbstractButton* button) {
        if (button->text().isEmpty() || button->toolTip().contains(button->text())) return;
        ++out.texts;
        const QString text = QString(button->text()).remove('&');
        const int icon = button->icon().isNull() || button->icon().availableSizes().isEmpty() ? 0 : button->iconSize().width() + 4;
        const int needed = button->fontMetrics().horizontalAdvance(text) + icon;
        if (needed > button->width() - 4 && button->inherits("QPushButton")) {
            fault(QStringLiteral("%1: \"%2\" needs %3 px, has %4").arg(nameOf(button), text).arg(needed).arg(button->width() - 4));
        }
        readContrast(text, shownPart(button).adjusted(3, 3, -3, -3), nameOf(button));
    }

    void readCombo(const QComboBox* combo) {
        ++out.texts;
        QStyleOptionComboBox option;
        option.initFrom(combo);
        option.editable = combo->isEditable();
        const QRect field = combo->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, combo);
        const int needed = combo->fontMetrics().horizontalAdvance(combo->currentText());
        if (needed > field.width() + kSlack && combo->toolTip().isEmpty()) {
            fault(QStringLiteral("%1: \"%2\" needs %3 px, has %4").arg(nameOf(combo), combo->currentText()).arg(needed).arg(field.width()));
        }
    }

    void readEdit(const QLineEdit* edit) {
        if (!edit->text().isEmpty() || edit->placeholderText().isEmpty()) return;
        ++out.texts;
        const int needed = edit->fontMetrics().horizontalAdvance(edit->placeholderText());
        const int room = edit->width() - 10 - kIconPlace * static_cast<int>(edit->actions().size());
        if (needed > room && edit->toolTip().isEmpty()) {
            fault(QStringLiteral("%1: \"%2\" needs %3 px, has %4").arg(nameOf(edit), edit->placeholderText()).arg(needed).arg(room));
        }
    }

    void readHeader(const QHeaderView* header) {
        if (header->orientation() != Qt::Horizontal || !header->model()) return;
        for (int i = 0; i < header->count(); ++i) {
            const QString text = header->model()->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
            if (text.isEmpty() || header->isSectionHidden(i)) continue;
            ++out.texts;
            const int needed = header->fontMetrics().horizontalAdvance(text);
            const bool tip = header->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).isValid();
            if (needed > header->sectionSize(i) && !tip) {
                fault(QStringLiteral("%1: column \"%2\" needs %3 px, has %4")
                          .arg(nameOf(header), text)
                          .arg(needed)
                          .arg(header->sectionSize(i)));
            }
        }
    }

    static void collect(const QLayout* layout, std::vector<const QWidget*>& widgets) {
        for (int i = 0; i < layout->count(); ++i) {
            const QLayoutItem* item = const_cast<QLayout*>(layout)->itemAt(i);
            if (const QWidget* widget = const_cast<QLayoutItem*>(item)->widget()) widgets.push_back(widget);
            if (const QLayout* inner = const_cast<QLayoutItem*>(item)->layout()) collect(inner, widgets);
        }
    }

    void readLayout(const QWidget* parent) {
        if (!parent->layout()) return;
        std::vector<const QWidget*> widgets;
        collect(parent->layout(), widgets);
        std::erase_if(widgets, [](const QWidget* widget) { return !widget->isVisible() || widget->size().isEmpty(); });
        for (std::size_t i = 0; i < widgets.size(); ++i) {
            const QRect part = widgets[i]->geometry();
            if (!parent->rect().adjusted(-kSlack, -kSlack, kSlack, kSlack).contains(part)) {
                fault(QStringLiteral("%1: reaches out of %2").arg(nameOf(widgets[i]), nameOf(parent)));
            }
            for (std::size_t j = i + 1; j < widgets.size(); ++j) {
                const QRect both = part & widgets[j]->geometry();
                if (both.width() > kSlack && both.height() > kSlack) {
                    fault(QStringLiteral("%1 overlaps %2").arg(nameOf(widgets[i]), nameOf(widgets[j])));
                }
            }
        }
    }

    // A tooltip at this point of the window tells the whole text.
    bool hasToolTip(const QPoint& at) const {
        for (QWidget* widget = window.childAt(at); widget; widget = widget->parentWidget()) {
            if (!widget->toolTip().isEmpty()) return true;
            if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
                const QModelIndex index = view->indexAt(view->viewport()->mapFrom(&window, at));
                if (index.isValid() && !index.data(Qt::ToolTipRole).toString().isEmpty()) return true;
            }
            if (qobject_cast<QGraphicsView*>(widget)) return true;  // its items have tooltips of their own
            if (widget->property("tellsElidedText").toBool()) return true;
        }
        return false;
    }

    // Tools that float over a canvas, which scrolls below them.
    static bool floatsOverCanvas(const QWidget* owner) {
        for (const QWidget* at = owner; at; at = at->parentWidget()) {
            if (const auto* view = qobject_cast<const QGraphicsView*>(at->parentWidget())) return at != view->viewport();
        }
        return false;
    }

    void readPainted() {
        const double ratio = out.picture.devicePixelRatio();
        for (std::size_t i = 0; i < painted.size(); ++i) {
            const auto& text = painted[i];
            const QRect logical = QRectF(text.ink.topLeft() / ratio, text.ink.size() / ratio).toAlignedRect();
            const QWidget* owner = window.childAt(logical.center());
            if (!owner || floatsOverCanvas(owner)) continue;
            ++out.texts;
            if (text.elided && !hasToolTip(logical.center())) {
                fault(QStringLiteral("%1: painted \"%2\" is cut off, without a tooltip").arg(nameOf(owner), text.text));
            }
            for (std::size_t j = i + 1; j < painted.size(); ++j) {
                const QRectF both = text.ink & painted[j].ink;
                if (both.width() > kTouch * ratio && both.height() > kTouch * ratio && text.text != painted[j].text &&
                    window.childAt(logical.center()) ==
                        window.childAt(QRectF(painted[j].ink.topLeft() / ratio, painted[j].ink.size() / ratio).toAlignedRect().center())) {
                    fault(QStringLiteral("painted \"%1\" overlaps \"%2\"").arg(text.text, painted[j].text));
                }
            }
            if (logical.height() >= kWholeLine) readContrast(text.text, logical, nameOf(owner));  // not of a line cut by a scrolled edge
        }
    }

    void readContrast(const QString& text, const QRect& place, const QString& where) {
        const double ratio = out.picture.devicePixelRatio();
        if (ratio < kReadableRatio || text.trimmed().isEmpty()) return;
        const QRect pixels = QRect((QPointF(place.topLeft()) * ratio).toPoint(), place.size() * ratio) & out.picture.rect();
        if (pixels.width() * pixels.height() < kFewPixels) return;
        QHash<QRgb, int> counts;
        for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
            for (int x = pixels.left(); x <= pixels.right(); ++x) ++counts[out.picture.pixel(x, y)];
        }
        const auto ground = std::max_element(counts.begin(), counts.end());
        double best = 1;
        for (auto color = counts.begin(); color != counts.end(); ++color) {
            best = std::max(best, ui::theme::contrast(QColor::fromRgb(ground.key()), QColor::fromRgb(color.key())));
        }
        if (best < kLeastContrast - 0.05) {
            fault(QStringLiteral("%1: \"%2\" has a contrast of %3:1 on %4")
                      .arg(where, text, QString::number(best, 'f', 1), QColor::fromRgb(ground.key()).name()));
        }
    }
};

}  // namespace

WindowReading readWindow(QWidget& window) {
    Reader reader{window, {}, {}};
    reader.out.picture = window.grab().toImage();
    // What is painted under an overlay is not looked at.
    QWidget* top = &window;
    for (const char* overlay : {"veil", "tour"}) {
        auto* over = window.findChild<QWidget*>(overlay);
        if (over && over->isVisible()) top = over;
    }
    const QPointF offset = QPointF(top->mapTo(&window, QPoint(0, 0))) * reader.out.picture.devicePixelRatio();
    ui::widgets::observePaintedText([&](ui::widgets::PaintedText text) {
        text.ink.translate(offset);
        reader.painted.push_back(std::move(text));
    });
    top->grab();
    ui::widgets::observePaintedText({});
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || reader.isCovered(widget)) continue;
        if (!widget->objectName().startsWith("qt_")) reader.readWidget(widget);
        reader.readLayout(widget);
        reader.readScrolled(widget);
    }
    reader.readPainted();
    return reader.out;
}

}  // namespace tests
