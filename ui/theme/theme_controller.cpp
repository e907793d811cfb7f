// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme_controller.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPainter>
#include <QProxyStyle>
#include <QTemporaryDir>

#include "ui/theme/icon_store.h"

namespace ui::theme {
namespace {

struct FontRow {
    int pixels;
    QFont::Weight weight;
    bool mono;
};

FontRow rowOf(TextRole role) {
    switch (role) {
        case TextRole::kDisplay:
            return {22, QFont::DemiBold, false};
        case TextRole::kTitle:
            return {18, QFont::DemiBold, false};
        case TextRole::kEmptyTitle:
            return {20, QFont::DemiBold, false};
        case TextRole::kSection:
            return {15, QFont::DemiBold, false};
        case TextRole::kStrong:
            return {13, QFont::DemiBold, false};
        case TextRole::kBody:
            return {13, QFont::Normal, false};
        case TextRole::kButton:
            return {13, QFont::Medium, false};
        case TextRole::kSmall:
            return {12, QFont::Normal, false};
        case TextRole::kSmallMedium:
            return {12, QFont::Medium, false};
        case TextRole::kTick:
            return {11, QFont::Normal, false};
        case TextRole::kTickMedium:
            return {11, QFont::Medium, false};
        case TextRole::kTickStrong:
            return {11, QFont::DemiBold, false};
        case TextRole::kMono:
            return {12, QFont::Normal, true};
        case TextRole::kMonoMedium:
            return {12, QFont::Medium, true};
        case TextRole::kMonoField:
            return {13, QFont::Normal, true};
        case TextRole::kMonoTick:
            return {11, QFont::Normal, true};
    }
    return {13, QFont::Normal, false};
}

QStringList familiesOf(const QString& language, bool mono) {
    QStringList cjk =
        mono ? QStringList{"Noto Sans Mono CJK KR", "Noto Sans Mono CJK SC"} : QStringList{"Noto Sans CJK KR", "Noto Sans CJK SC"};
    if (language.startsWith("zh")) cjk.swapItemsAt(0, 1);
    return mono ? QStringList{"JetBrains Mono"} + cjk + QStringList{"monospace"}
                : QStringList{"Inter"} + cjk + QStringList{"Noto Sans", "sans-serif"};
}

struct StandardIcon {
    QStyle::StandardPixmap pixmap;
    const char* name;
    IconTone tone;
};
// The icons of Qt's own dialogs: questions, and files when the desktop has no dialog for them.
constexpr StandardIcon kStandardIcons[] = {
    {QStyle::SP_MessageBoxInformation, "info", IconTone::kAccent},
    {QStyle::SP_MessageBoxQuestion, "help", IconTone::kAccent},
    {QStyle::SP_MessageBoxWarning, "warning", IconTone::kWarn},
    {QStyle::SP_MessageBoxCritical, "error", IconTone::kError},
    {QStyle::SP_ArrowBack, "chevron-left", IconTone::kAuto},
    {QStyle::SP_ArrowForward, "chevron-right", IconTone::kAuto},
    {QStyle::SP_FileDialogToParent, "arrow-up", IconTone::kAuto},
    {QStyle::SP_FileDialogNewFolder, "plus", IconTone::kAuto},
    {QStyle::SP_FileDialogListView, "columns", IconTone::kAuto},
    {QStyle::SP_FileDialogDetailedView, "list", IconTone::kAuto},
    {QStyle::SP_DirIcon, "folder", IconTone::kAuto},
    {QStyle::SP_DirOpenIcon, "folder", IconTone::kAuto},
    {QStyle::SP_DirClosedIcon, "folder", IconTone::kAuto},
    {QStyle::SP_DirLinkIcon, "folder", IconTone::kAuto},
    {QStyle::SP_DirHomeIcon, "home", IconTone::kAuto},
    {QStyle::SP_FileIcon, "file", IconTone::kAuto},
    {QStyle::SP_FileLinkIcon, "file", IconTone::kAuto},
    {QStyle::SP_ComputerIcon, "laptop", IconTone::kAuto},
    {QStyle::SP_DesktopIcon, "laptop", IconTone::kAuto},
    {QStyle::SP_DriveHDIcon, "disk", IconTone::kAuto},
};

// Fusion without the lines under menu letters (the keys work all the same) and without bitmaps: our icons in their place, words on buttons.
class StudioStyle : public QProxyStyle {
public:
    explicit StudioStyle(std::shared_ptr<IconStore> icons) : QProxyStyle(QStringLiteral("Fusion")), icons_(std::move(icons)) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const override {
        const bool never = hint == SH_UnderlineShortcut || hint == SH_DialogButtonBox_ButtonsHaveIcons;
        return never ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
    }
    QIcon standardIcon(StandardPixmap wanted, const QStyleOption* option, const QWidget* widget) const override {
        for (const StandardIcon& one : kStandardIcons) {
            if (one.pixmap == wanted) return QIcon(new SvgIconEngine(icons_, QString::fromLatin1(one.name), one.tone));
        }
        return QProxyStyle::standardIcon(wanted, option, widget);
    }

private:
    const std::shared_ptr<IconStore> icons_;
};

// Writes the few pictures that a style sheet can only take as files, in the theme's colours.
void writeSheetImages(const QString& folder, const Theme& theme) {
    const auto write = [&folder](const QString& name, const QColor& color) {
        QFile file(folder + "/" + name + ".svg");
        if (file.open(QIODevice::WriteOnly)) file.write(iconSvg(name, color));
    };
    write("check", theme.on_accent);
    write("chevron-up", theme.text2);
    write("chevron-down", theme.text2);
    write("chevron-right", theme.text2);
}

}  // namespace

ThemeController::ThemeController(QObject* parent) : ThemeController(QString(), parent) {}

ThemeController::ThemeController(const QString& image_dir, QObject* parent)
    : QObject(parent),
      desktop_is_dark_(QApplication::palette().color(QPalette::Window).lightnessF() < 0.5),
      own_image_dir_(image_dir.isEmpty() ? std::make_unique<QTemporaryDir>() : nullptr),
      image_dir_(own_image_dir_ ? own_image_dir_->path() : image_dir),
      icons_(std::make_shared<IconStore>()) {
    QApplication::setStyle(new StudioStyle(icons_));
    apply();
}

ThemeController::ThemeController(const Theme& theme)
    : desktop_is_dark_(theme.dark),
      for_pictures_(true),
      choice_(theme.dark ? Choice::kDark : Choice::kLight),
      theme_(theme),
      icons_(std::make_shared<IconStore>()) {
    icons_->theme = theme_;
}

ThemeController::~ThemeController() = default;

void ThemeController::setChoice(Choice choice) {
    if (choice == choice_) return;
    choice_ = choice;
    apply();
}

void ThemeController::setLanguage(const QString& language) {
    if (language == language_) return;
    language_ = language;
    apply();
}

void ThemeController::apply() {
    if (for_pictures_) return;
    const bool dark = choice_ == Choice::kDark || (choice_ == Choice::kDesktop && desktop_is_dark_);
    theme_ = dark ? darkTheme() : lightTheme();
    icons_->theme = theme_;
    icons_->cache.clear();
    // A folder a theme: Qt caches the pictures of a style sheet by their path.
    const QString folder = image_dir_ + (dark ? "/dark" : "/light");
    if (QDir().mkpath(folder)) writeSheetImages(folder, theme_);
    QApplication::setFont(font(TextRole::kBody));
    QApplication::setPalette(paletteOf(theme_));
    qApp->setStyleSheet(styleSheetOf(theme_, folder));
    emit themeChanged();
}

QFont ThemeController::font(TextRole role) const {
    const FontRow row = rowOf(role);
    QFont font;
    font.setFamilies(familiesOf(language_, row.mono));
    font.setPixelSize(row.pixels);
    font.setWeight(row.weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    if (row.mono) font.setStyleHint(QFont::Monospace);
    return font;
}

QIcon ThemeController::icon(const QString& name, IconTone tone) const {
    return QIcon(new SvgIconEngine(icons_, name, tone));
}

void ThemeController::paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color) const {
    const qreal ratio = painter.device()->devicePixelRatioF();
    const QPixmap pixmap = icons_->render(name, (rect.size() * ratio).toSize(), color);
    painter.drawPixmap(rect, pixmap, QRectF(pixmap.rect()));
}

}  // namespace ui::theme

#include "moc_theme_controller.cpp"
