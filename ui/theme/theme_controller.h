// SPDX-License-Identifier: GPL-3.0-or-later
// The theme in force, its fonts and its icons. One object, made by the program before the first window, handed to every view by
// reference (it outlives them). GUI thread only.
#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>
#include <QRectF>
#include <QString>
#include <memory>

#include "ui/theme/theme.h"

class QPainter;
class QTemporaryDir;

namespace ui::theme {

enum class Choice { kLight, kDark, kDesktop };

// Roles of text. Sizes are pixels of the logical grid; numbers that change or align take a kMono role.
enum class TextRole {
    kDisplay,      // 22, 600: the Welcome title only
    kTitle,        // 18, 600
    kEmptyTitle,   // 20, 600
    kSection,      // 15, 600
    kStrong,       // 13, 600
    kBody,         // 13, 400: the application font
    kButton,       // 13, 500
    kSmall,        // 12, 400
    kSmallMedium,  // 12, 500
    kTick,         // 11, 400
    kTickMedium,   // 11, 500
    kTickStrong,   // 11, 600
    kMono,         // 12, 400
    kMonoMedium,   // 12, 500
    kMonoField,    // 13, 400
    kMonoTick,     // 11, 400
};

struct IconStore;

class ThemeController : public QObject {
    Q_OBJECT
public:
    explicit ThemeController(QObject* parent = nullptr);
    // `image_dir` is a folder of the caller's, which outlives this: the pictures of the style sheet are written there. Empty: one is made
    // among the system's temporary ones.
    explicit ThemeController(const QString& image_dir, QObject* parent = nullptr);
    // Makes a controller for a picture or a page of paper: nothing of it reaches the application, and no choice changes it.
    explicit ThemeController(const Theme& theme);
    ~ThemeController() override;

    const Theme& theme() const { return theme_; }
    Choice choice() const { return choice_; }
    // Builds palette, sheet and fonts, sets each once on the application, then tells the views. It takes less than 100 ms.
    void setChoice(Choice choice);
    void toggle() { setChoice(theme_.dark ? Choice::kLight : Choice::kDark); }

    // Sets the language ("en", "ko", "zh_CN"), which says which CJK family comes first, as Han shapes differ.
    void setLanguage(const QString& language);
    const QString& language() const { return language_; }
    QFont font(TextRole role) const;

    // Returns a QIcon of our own SVG `name` (resources/icons, without ".svg"): sharp at every size and ratio, recoloured with the theme. An
    // unknown name is a broken invariant: it paints nothing and warns.
    QIcon icon(const QString& name, IconTone tone = IconTone::kAuto) const;
    // Fills `rect` with the icon in `color`; for delegates and painted widgets.
    void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color) const;

    // "Reduce motion": the durations of folds and fades are 0.
    bool reduceMotion() const { return reduce_motion_; }
    void setReduceMotion(bool on) { reduce_motion_ = on; }
    int duration(int milliseconds) const { return reduce_motion_ ? 0 : milliseconds; }

signals:
    void themeChanged();

private:
    void apply();

    const bool desktop_is_dark_;
    const bool for_pictures_ = false;
    Choice choice_ = Choice::kDesktop;
    Theme theme_;
    QString language_ = QStringLiteral("en");
    bool reduce_motion_ = false;
    std::unique_ptr<QTemporaryDir> own_image_dir_;  // null where the caller has one
    QString image_dir_;                             // for what the style sheet takes as files
    std::shared_ptr<IconStore> icons_;              // shared with the icon engines, which may outlive this
};

}  // namespace ui::theme
