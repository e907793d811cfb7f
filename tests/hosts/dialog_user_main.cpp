// SPDX-License-Identifier: GPL-3.0-or-later
// Who works in the host dialog of a real studio, over real ssh: obeys lines of standard input, one answer a line. Names are those of
// widgets.
//   type FIELD TEXT     types behind what is there     click BUTTON     enter     esc
//   wait LABEL TEXT     "yes" once the label is seen and holds the text; "no: WHAT IT HOLDS" after five minutes
//   text LABEL          its text on one line; "-" while it is not seen
// The dialog is open at the begin, and opened again by `open`. Arguments: the program for SSH_ASKPASS, the folder with the bundle.
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/support/fake_agent_client.h"
#include "ui/hosts/host_dialog.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/veil.h"

namespace {

constexpr int kDeadlineMs = 300'000, kSettleMs = 20;

class User {
public:
    User(const std::string& askpass, const std::string& share)
        : session_({.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                    .far_hosts = ui::session::sshHostBackend({.version = TANDEM_VERSION, .share_dir = share, .askpass = askpass})}) {
        window_.resize(1000, 700);
        window_.show();
        QApplication::setActiveWindow(&window_);
        session_.farHosts().setWatched(true);
        open();
    }

    std::string obey(const std::string& line) {
        std::istringstream words(line);
        std::string verb, name, text;
        words >> verb >> name;
        std::getline(words >> std::ws, text);
        if (verb == "open") return open();
        if (verb == "type") return type(name, QString::fromStdString(text));
        if (verb == "click") return click(name);
        if (verb == "enter") return key(Qt::Key_Return);
        if (verb == "esc") return key(Qt::Key_Escape);
        if (verb == "text") return seen(name);
        if (verb != "wait") return "no: expected a verb, got " + verb;
        const bool came = QTest::qWaitFor([&] { return seen(name).find(text) != std::string::npos; }, kDeadlineMs);
        return came ? "yes" : "no: " + seen(name);
    }

private:
    std::string open() {
        dialog_ = new ui::views::HostDialog(session_, themes_);
        new ui::widgets::Veil(themes_, &window_, dialog_, QSize(920, 600));
        return "yes";
    }
    std::string type(const std::string& name, const QString& text) {
        auto* field = find<QLineEdit>(name);
        if (field == nullptr || !field->isVisible()) return "no: " + name + " is not seen";
        field->setFocus();
        QTest::keyClicks(field, text);
        return "yes";
    }
    std::string click(const std::string& name) {
        auto* button = find<QPushButton>(name);
        if (button == nullptr || !button->isVisible() || !button->isEnabled()) return "no: " + name + " can't be clicked";
        button->click();
        return "yes";
    }
    std::string key(Qt::Key key) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : dialog_.data(), key);
        return "yes";
    }
    std::string seen(const std::string& name) {
        const auto* label = find<QLabel>(name);
        return label != nullptr && label->isVisible() ? label->text().simplified().toStdString() : "-";
    }
    template <typename Widget>
    Widget* find(const std::string& name) {
        return dialog_ ? dialog_->findChild<Widget*>(QString::fromStdString(name)) : nullptr;
    }

    const std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    ui::theme::ThemeController themes_;
    ui::session::Session session_;
    QWidget window_;
    QPointer<ui::views::HostDialog> dialog_;
};

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    if (argc != 3) return 2;
    User user(argv[1], argv[2]);
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << user.obey(line) << std::endl;
        QTest::qWait(kSettleMs);
    }
    return 0;
}
