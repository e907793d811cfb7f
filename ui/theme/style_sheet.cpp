// SPDX-License-Identifier: GPL-3.0-or-later
// The one style sheet. Shape only; where Qt needs a colour for a border or an own ground it comes from the theme by @name.
// Dynamic properties of ours: kind (primary, ghost, link, danger; fixed, of a field to be read alone; field, of a text of several lines),
// compact, invalid.
#include <QHash>

#include "ui/theme/theme.h"

namespace ui::theme {
namespace {

constexpr auto kSheet = R"(
QPushButton, QToolButton[kind="button"] {
  min-height: 30px; max-height: 30px; padding: 0 12px; border: 1px solid @border_strong; border-radius: 6px; background: @surface; font-weight: 500; outline: 0; }
QPushButton:hover, QToolButton[kind="button"]:hover { background: @surface_hover; }
QPushButton:pressed, QToolButton[kind="button"]:pressed { background: @surface_pressed; }
QPushButton:disabled, QToolButton[kind="button"]:disabled { background: @sunken; border-color: @border; color: @text3; }
QPushButton[compact="true"] { min-height: 24px; max-height: 24px; padding: 0 8px; font-size: 12px; }
QPushButton[kind="primary"] { background: @accent_fill; border-color: @accent_fill; color: @on_accent; font-weight: 600; }
QPushButton[kind="primary"]:hover, QPushButton[kind="primary"]:pressed { background: @accent_hover; border-color: @accent_hover; }
QPushButton[kind="primary"]:disabled { background: @sunken; border-color: @border_strong; color: @text3; }
QPushButton[kind="primary"][large="true"] { min-height: 40px; max-height: 40px; font-size: 15px; }
QPushButton[kind="danger"] { color: @err; }
QPushButton[kind="ghost"], QToolButton[kind="ghost"] { border-color: transparent; background: transparent; padding: 0 8px; }
QPushButton[kind="ghost"]:hover, QToolButton[kind="ghost"]:hover { background: @window_hover; }
QPushButton[kind="ghost"]:pressed, QToolButton[kind="ghost"]:pressed { background: @window_pressed; }
QPushButton[kind="link"] { border-color: transparent; background: transparent; color: @accent; padding: 0 4px; text-align: left; font-weight: 500; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 0; background: transparent; }
QToolButton[kind="ghost"], QToolButton[kind="button"] { min-width: 30px; }
QToolButton[compact="true"] { min-height: 24px; max-height: 24px; min-width: 24px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  min-height: 30px; max-height: 30px; padding: 0 8px; border: 1px solid @control; border-radius: 6px; background: @surface;
  selection-background-color: @accent_fill; selection-color: @on_accent; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid @accent; padding: 0 7px; min-height: 28px; max-height: 28px; }
QLineEdit[compact="true"], QSpinBox[compact="true"], QDoubleSpinBox[compact="true"], QComboBox[compact="true"] { min-height: 24px; max-height: 24px; }
QLineEdit[compact="true"]:focus, QSpinBox[compact="true"]:focus, QDoubleSpinBox[compact="true"]:focus, QComboBox[compact="true"]:focus { min-height: 22px; max-height: 22px; }
QLineEdit[invalid="true"], QSpinBox[invalid="true"], QDoubleSpinBox[invalid="true"], QComboBox[invalid="true"] { border: 2px solid @err; padding: 0 7px; min-height: 28px; max-height: 28px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { background: @sunken; border-color: @border_strong; }
QLineEdit[kind="fixed"] { background: @sunken; border-color: @border_strong; }
QLineEdit[kind="fixed"]:focus { border-color: @accent; }
QLineEdit[kind="locator"] { background: @sunken; border-color: @border; min-height: 24px; max-height: 24px; }
QLineEdit[kind="locator"]:focus { border-color: @accent; min-height: 22px; max-height: 22px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 18px; border: 0; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(@images/chevron-up.svg); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(@images/chevron-down.svg); width: 10px; height: 10px; }
QComboBox { padding-right: 4px; }
QComboBox::drop-down { width: 24px; border: 0; background: transparent; }
QComboBox::down-arrow { image: url(@images/chevron-down.svg); width: 14px; height: 14px; }
QComboBox QAbstractItemView { border: 1px solid @border_strong; background: @surface; padding: 4px; outline: 0; }

QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 4px; background: @surface; }
QCheckBox::indicator:focus { border: 2px solid @accent; width: 12px; height: 12px; }
QCheckBox::indicator:checked { background: @accent_fill; border-color: @accent_fill; image: url(@images/check.svg); }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid @control; border-radius: 8px; background: @surface; }
QRadioButton::indicator:checked { border: 4px solid @accent_fill; width: 8px; height: 8px; background: @on_accent; }

QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @border_strong; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: @accent_fill; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border: 2px solid @accent_fill; border-radius: 8px; background: @surface; }
QSlider::handle:horizontal:focus { border-color: @accent; }

QHeaderView { background: @surface; }
QHeaderView::section { height: 34px; padding: 0 10px; border: 0; border-bottom: 1px solid @border_strong; background: @surface; font-weight: 500; }
QHeaderView::up-arrow { image: url(@images/chevron-up.svg); width: 10px; height: 10px; subcontrol-position: top right; right: 0px; top: 2px; }
QHeaderView::down-arrow { image: url(@images/chevron-down.svg); width: 10px; height: 10px; subcontrol-position: top right; right: 0px; top: 2px; }
QTableView { border: 0; gridline-color: @border; }
QTableView#metricsTable::item { border: 0; padding: 0 17px 0 7px; }
QTableView#shortcutTable::item, QTableView#xrayTable::item, QTableView#chaosTable::item { border: 0; padding: 0 7px; }
QMenuBar { background: @window; border: 0; spacing: 0; }
QMenuBar::item { padding: 4px 10px; margin: 5px 2px; border-radius: 6px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @window_pressed; }
QMenu { background: @surface; border: 1px solid @border_strong; padding: 4px; }
QMenu::item { min-height: 20px; padding: 4px 28px 4px 12px; border-radius: 4px; background: transparent; }
QMenu::item:selected { background: @accent_tint; }
QMenu::item:disabled { color: @text3; }
QMenu::separator { height: 1px; margin: 4px 8px; background: @border; }
QToolTip { border: 1px solid @border_strong; padding: 4px; background: @surface; color: @text; }
QPlainTextEdit, QTextEdit { border: 0; background: @surface; selection-background-color: @accent_fill; selection-color: @on_accent; }
QPlainTextEdit#pasteText { border: 1px solid @control; border-radius: 6px; padding: 4px; }
QPlainTextEdit#pasteText:focus { border: 2px solid @accent; padding: 3px; }
QPlainTextEdit[kind="field"] { border: 1px solid @control; border-radius: 6px; padding: 1px 4px; }
QPlainTextEdit[kind="field"]:focus { border: 2px solid @accent; padding: 0px 3px; }
QPlainTextEdit[kind="field"][invalid="true"] { border: 2px solid @err; padding: 0px 3px; }
QScrollArea, QListView, QTreeView { border: 0; outline: 0; }
QAbstractScrollArea::corner { border: 0; background: transparent; }
QTreeView { background: transparent; }
QTreeView::item { height: 28px; padding: 0 2px; border-radius: 6px; color: @text; }
QTreeView::item:hover { background: @surface_hover; }
QTreeView::item:selected { background: @accent_tint; color: @accent; }
QTreeView::branch, QTreeView::branch:selected { background: transparent; }
QTreeView::branch:has-children:closed { image: url(@images/chevron-right.svg); }
QTreeView::branch:has-children:open { image: url(@images/chevron-down.svg); }
QScrollBar:vertical { width: 10px; background: transparent; margin: 0; }
QScrollBar:horizontal { height: 10px; background: transparent; margin: 0; }
QScrollBar::handle { background: @border_strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:hover { background: @control; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
)";

}  // namespace

QString styleSheetOf(const Theme& theme, const QString& imagesFolder) {
    const QHash<QString, QString> values{
        {"images", imagesFolder},
        {"window", theme.window.name()},
        {"window_hover", theme.mixed(theme.window, 4).name()},
        {"window_pressed", theme.mixed(theme.window, 8).name()},
        {"surface", theme.surface.name()},
        {"surface_hover", theme.mixed(theme.surface, 4).name()},
        {"surface_pressed", theme.mixed(theme.surface, 8).name()},
        {"sunken", theme.sunken.name()},
        {"border", theme.border.name()},
        {"border_strong", theme.border_strong.name()},
        {"control", theme.control.name()},
        {"text", theme.text.name()},
        {"text3", theme.text3.name()},
        {"accent", theme.accent.name()},
        {"accent_fill", theme.accent_fill.name()},
        {"accent_hover", theme.accent_hover.name()},
        {"accent_tint", theme.accent_tint.name()},
        {"on_accent", theme.on_accent.name()},
        {"err", theme.err.name()},
    };
    const QString sheet = QString::fromLatin1(kSheet);
    QString out;
    out.reserve(sheet.size() * 2);
    for (qsizetype i = 0; i < sheet.size(); ++i) {
        if (sheet[i] != '@') {
            out += sheet[i];
            continue;
        }
        qsizetype end = i + 1;
        while (end < sheet.size() && (sheet[end].isLetterOrNumber() || sheet[end] == '_')) ++end;
        out += values.value(sheet.mid(i + 1, end - i - 1));
        i = end - 1;
    }
    return out;
}

}  // namespace ui::theme
