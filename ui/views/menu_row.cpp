// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/menu_row.h"

#include <QAction>
#include <QApplication>
#include <QCompleter>
#include <QDir>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QStandardItemModel>
#include <QTimer>
#include <QToolButton>

namespace ui::views {
namespace {

constexpr int kLocatorWidth = 300, kLocatorNarrow = 230, kMostPlacesShown = 12;

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

std::vector<std::pair<QString, QString>> availableLanguages() {
    std::vector<std::pair<QString, QString>> out{{"en", "English"}};
    for (const QFileInfo& file : QDir(":/translations").entryInfoList({"tandem_*.qm"}, QDir::Files, QDir::Name)) {
        const QString code = file.completeBaseName().mid(7);
        if (code == "en") continue;
        out.emplace_back(code, QLocale(code).nativeLanguageName());
    }
    return out;
}

MenuRow::MenuRow(session::Session& session, theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setFixedHeight(theme::kMenuRowHeight + 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kSpace3, 0, theme::kSpace4, 1);
    row->setSpacing(theme::kSpace2);
    menus_ = new QMenuBar(this);
    menus_->setNativeMenuBar(false);
    menus_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    project_icon_ = new ProjectIcon(themes, this);
    project_ = new widgets::TextLabel(themes, theme::TextRole::kSmallMedium, widgets::Ink::kText2, this);
    project_->setObjectName("projectName");
    locator_ = new QLineEdit(this);
    locator_->setObjectName("locator");
    locator_->setProperty("kind", "locator");
    locator_->setFixedWidth(kLocatorWidth);
    locator_->addAction(themes.icon("search"), QLineEdit::LeadingPosition)->setText(tr("Search"));
    locator_->installEventFilter(this);
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
        languages->addAction(name, this, [this, code = code] { emit languageRequested(code); });
    }
    language_->setMenu(languages);
    row->addWidget(menus_);
    row->addStretch(1);
    row->addWidget(project_icon_);
    row->addWidget(project_);
    row->addSpacing(theme::kSpace1);
    row->addWidget(locator_);
    row->addWidget(theme_);
    row->addWidget(language_);

    found_ = new QStandardItemModel(this);
    auto* completer = new QCompleter(found_, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->setMaxVisibleItems(kMostPlacesShown);
    locator_->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& text) {
        const auto at =
            std::find_if(present_places_.begin(), present_places_.end(), [&](const Place& place) { return place.text == text; });
        const auto go = at != present_places_.end() ? at->go : std::function<void()>();
        // The completer writes the chosen text into the field after this call.
        QTimer::singleShot(0, this, [this, go] {
            locator_->clear();
            locator_->clearFocus();
            if (go) go();
        });
    });
    connect(theme_, &QToolButton::clicked, &themes_, &theme::ThemeController::toggle);
    connect(&themes_, &theme::ThemeController::themeChanged, this, &MenuRow::refresh);
    connect(&session_, &session::Session::projectChanged, this, &MenuRow::refresh);
    connect(&session_, &session::Session::modifiedChanged, this, &MenuRow::refresh);
    retranslate();
}

void MenuRow::setNarrow(bool narrow) {
    locator_->setFixedWidth(narrow ? kLocatorNarrow : kLocatorWidth);
}

void MenuRow::focusLocator() {
    fillPlaces();
    locator_->setFocus(Qt::ShortcutFocusReason);
    locator_->selectAll();
}

void MenuRow::fillPlaces() {
    present_places_ = places_ ? places_() : std::vector<Place>{};
    found_->clear();
    for (const Place& place : present_places_) found_->appendRow(new QStandardItem(place.text));
}

bool MenuRow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == locator_ && event->type() == QEvent::FocusIn) fillPlaces();
    if (watched == locator_ && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        locator_->clear();
        locator_->clearFocus();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void MenuRow::retranslate() {
    locator_->setPlaceholderText(tr("Search runs, layers, actions   Ctrl+K"));
    locator_->setAccessibleName(tr("Locator"));
    language_->setText(themes_.language().left(2).toUpper());
    language_->setToolTip(tr("Language"));
    refresh();
}

void MenuRow::refresh() {
    theme_->setIcon(themes_.icon(themes_.theme().dark ? "sun" : "moon"));
    theme_->setToolTip(themes_.theme().dark ? tr("Light (Alt+Shift+D)") : tr("Dark (Alt+Shift+D)"));
    theme_->setAccessibleName(theme_->toolTip());
    const QString title = session_.projectTitle();
    project_->setText(title.isEmpty() ? tr("no project") : session_.isModified() ? title + QStringLiteral(" •") : title);
    project_->setToolTip(session_.projectPath());
}

void MenuRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themes_.theme().window);
    painter.fillRect(QRect(0, height() - 1, width(), 1), themes_.theme().border);
}

}  // namespace ui::views
