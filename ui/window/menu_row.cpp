// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menu_row.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "ui/parts/languages.h"
#include "ui/parts/shortcut_store.h"
#include "ui/session/project/project.h"
#include "ui/window/locator.h"

namespace ui::views {
namespace {

class ProjectIcon : public QWidget {
public:
    ProjectIcon(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) { setFixedSize(16, 16); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        themes_.paintIcon(painter, "file", rect(), themes_.theme().text2);
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

MenuRow::MenuRow(session::Project& project, theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), project_(project), themes_(themes) {
    setFixedHeight(theme::kMenuRowHeight + 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kSpace3, 0, theme::kSpace4, 1);
    row->setSpacing(theme::kSpace2);
    menus_ = new QMenuBar(this);
    menus_->setNativeMenuBar(false);
    menus_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    project_icon_ = new ProjectIcon(themes, this);
    title_ = new widgets::TextLabel(themes, theme::TextRole::kSmallMedium, widgets::Ink::kText2, this);
    title_->setObjectName("projectName");
    locator_ = new Locator(themes, this);
    theme_ = new QToolButton(this);
    theme_->setObjectName("themeButton");
    theme_->setProperty("kind", "ghost");
    theme_->setProperty("compact", true);
    theme_->setFocusPolicy(Qt::TabFocus);
    theme_->setIconSize({16, 16});
    language_ = new QToolButton(this);
    language_->setObjectName("languageButton");
    language_->setProperty("kind", "ghost");
    language_->setProperty("compact", true);
    language_->setFocusPolicy(Qt::TabFocus);
    language_->setPopupMode(QToolButton::InstantPopup);
    auto* languages = new QMenu(language_);
    for (const auto& [code, name] : availableLanguages()) {
        QAction* language = languages->addAction(name, this, [this, code = code] { emit languageRequested(code); });
        language->setCheckable(true);
        language->setData(code);
    }
    language_->setMenu(languages);
    row->addWidget(menus_);
    row->addStretch(1);
    row->addWidget(project_icon_);
    row->addWidget(title_);
    row->addSpacing(theme::kSpace1);
    row->addWidget(locator_);
    row->addWidget(theme_);
    row->addWidget(language_);

    connect(theme_, &QToolButton::clicked, &themes_, &theme::ThemeController::toggle);
    connect(&themes_, &theme::ThemeController::themeChanged, this, &MenuRow::refresh);
    connect(&project_, &session::Project::changed, this, &MenuRow::refresh);
    connect(&project_, &session::Project::modifiedChanged, this, &MenuRow::refresh);
    retranslate();
}

void MenuRow::setNarrow(bool narrow) {
    locator_->setNarrow(narrow);
}

void MenuRow::retranslate() {
    locator_->retranslate();
    language_->setText(themes_.language() == "en" ? QStringLiteral("EN") : QLocale(themes_.language()).nativeLanguageName());
    for (QAction* language : language_->menu()->actions()) language->setChecked(language->data().toString() == themes_.language());
    language_->setToolTip(tr("Language"));
    language_->setAccessibleName(tr("Language"));
    refresh();
}

void MenuRow::refresh() {
    theme_->setIcon(themes_.icon(themes_.theme().dark ? "sun" : "moon"));
    theme_->setToolTip((themes_.theme().dark ? tr("Light") : tr("Dark")) + keysInBrackets(this, "actionToggleTheme"));
    theme_->setAccessibleName(theme_->toolTip());
    const QString title = project_.title();
    title_->setText(title.isEmpty() ? tr("no project") : project_.isModified() ? title + QStringLiteral(" •") : title);
    title_->setToolTip(project_.path());
}

void MenuRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themes_.theme().window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), themes_.theme().border);
}

}  // namespace ui::views

#include "moc_menu_row.cpp"
