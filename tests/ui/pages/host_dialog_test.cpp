// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_dialog.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTest>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/error.h"
#include "made_up_run.h"
#include "ui/parts/languages.h"
#include "ui/session/host/far_hosts.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/veil.h"

namespace ui::views {
namespace {

using session::FarHost;
using session::FarHostState;
using session::HostQuestion;
using tests::waitUntil;

const QString kPassword = QStringLiteral("s3cret words");

class HostDialogTest : public testing::Test {
protected:
    void SetUp() override {
        translator_.setLanguage(QStringLiteral("en"));
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.agentIsReady());
        ASSERT_TRUE(studio_.openTwoWorkers());
        window_.resize(900, 600);
        window_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window_, 180'000));
        QApplication::setActiveWindow(&window_);  // a display without a window manager activates none
        session().farHosts().setWatched(true);
        ASSERT_TRUE(waitUntil([this] { return session().farHosts().isLoaded(); }));
    }
    void open(const QString& name = {}) {
        dialog_ = new HostDialog(session(), themes_);
        dialog_->showHost(name);
        QObject::connect(dialog_, &HostDialog::useWanted, &window_, [this](const QString& host) { used_ << host; });
        new widgets::Veil(themes_, &window_, dialog_, QSize(920, 600));
        QCoreApplication::processEvents();
    }

    session::Session& session() { return studio_.session(); }
    tests::FakeHostBackend& backend() { return studio_.hosts(); }
    template <typename Widget = QPushButton>
    Widget* find(const char* name) {
        auto* found = dialog_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    bool isShown(const char* name) { return find<QWidget>(name)->isVisible(); }
    std::string textOf(const char* name) { return find<QLabel>(name)->text().toStdString(); }
    std::string title() { return textOf("hostSightTitle"); }
    bool titleBecomes(const QString& begin) {
        return waitUntil([&] { return QString::fromStdString(title()).startsWith(begin); });
    }
    void type(const char* field, const QString& text) {
        find<QLineEdit>(field)->setFocus();
        QTest::keyClicks(find<QLineEdit>(field), text);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : dialog_, key, modifiers);
    }
    bool becomesGone() {
        return waitUntil([this] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return dialog_.isNull();
        });
    }
    static session::HostSight noTandem() {
        session::HostSight sight{.state = FarHostState::kNoTandem, .reached_ms = 38};
        sight.info.cpu_model = "AMD EPYC 9654 96-Core Processor";
        sight.info.cores = 96;
        sight.info.memory_bytes = std::int64_t{256} << 30;
        sight.info.disk_available_bytes = std::int64_t{800} << 30;
        return sight;
    }
    static session::HostSight ready() {
        session::HostSight sight = noTandem();
        sight.state = FarHostState::kReachable;
        sight.version = QStringLiteral("0.1.0");
        return sight;
    }
    static HostQuestion unknownKey() {
        return {.kind = HostQuestion::Kind::kHostKey,
                .text = QStringLiteral("Are you sure you want to continue connecting?"),
                .key_type = QStringLiteral("ED25519"),
                .fingerprint = QStringLiteral("SHA256:zbtC1V5Yhx0Nl6q1Dbn1iMGVsjBmPVgLmLxwYB9dhUc"),
                .key_host = QStringLiteral("gate (192.0.2.1)")};
    }
    static HostQuestion password() { return {.text = QStringLiteral("ann@node1's password:")}; }
    // Saves the dialog in both themes where TANDEM_SHOTS names a folder.
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            window_.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    StudioTranslator translator_;
    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    QWidget window_;
    QLineEdit* behind_ = new QLineEdit(&window_);  // the veil
    QPointer<HostDialog> dialog_;
    QStringList used_;
};

TEST_F(HostDialogTest, ShowsWhatIsThereWhenThePersonPauses) {
    backend().setSight("node1", noTandem());
    open();
    EXPECT_TRUE(find<QLineEdit>("hostName")->hasFocus());
    EXPECT_FALSE(find("hostAdd")->isEnabled());
    shoot("hosts-empty");
    type("hostName", "node1");
    EXPECT_EQ(find<QLineEdit>("hostDestination")->placeholderText(), "node1") << "what an empty field means";
    EXPECT_EQ(title(), "Looking at node1");
    ASSERT_TRUE(titleBecomes("Reached in 38 ms"));
    const QString facts = find<QWidget>("hostFacts")->accessibleName();
    EXPECT_TRUE(facts.contains("AMD EPYC") && facts.contains("Cores: 96") && facts.contains("Tandem there: none")) << facts.toStdString();
    EXPECT_TRUE(find<QLineEdit>("hostName")->hasFocus());
    shoot("hosts-trial");
}

TEST_F(HostDialogTest, CancelsATrialWhenTheTextChanges) {
    backend().setSight("node12", noTandem());
    backend().hold();
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return backend().surveysOf("node1") == 1; }));
    type("hostName", "2");
    ASSERT_TRUE(waitUntil([&] { return backend().cancelled() == 1; }));
    backend().release();
    ASSERT_TRUE(titleBecomes("Reached in"));
    EXPECT_EQ(backend().surveysOf("node12"), 1);
    type("hostDestination", "node1:none");
    EXPECT_NE(textOf("hostFormProblem"), "");
    EXPECT_EQ(title(), "Not looked at");
}

TEST_F(HostDialogTest, SaysInOneSentenceWhyAHostIsOutOfReach) {
    const QString changed = QStringLiteral(
        "node1: expected the host key that known_hosts has, the host key has changed: ask whoever looks after the host whether it should "
        "have; ssh-keygen -R forgets the former key (Offending ED25519 key in /home/ann/.ssh/known_hosts:7)");
    backend().setSight(
        "node1", {.state = FarHostState::kProblem, .problem = changed, .code = static_cast<int>(engine::ErrorCode::kPermissionDenied)});
    open();
    type("hostName", "node1");
    ASSERT_TRUE(titleBecomes("Out of reach"));
    EXPECT_EQ(textOf("hostSightSentence"), changed.toStdString());
    EXPECT_FALSE(isShown("hostQuestion")) << "a key that changed is nothing to be trusted by a click";
    EXPECT_TRUE(find("hostAdd")->isEnabled()) << "it may be off for now";
    shoot("hosts-changed-key");
}

TEST_F(HostDialogTest, ConnectsToAnUnknownKeyOnlyWhenItIsTrusted) {
    backend().setSight("node1", noTandem());
    backend().setQuestion("node1", unknownKey());
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    EXPECT_EQ(textOf("hostQuestionWords"), "ED25519 SHA256:zbtC1V5Yhx0Nl6q1Dbn1iMGVsjBmPVgLmLxwYB9dhUc");
    EXPECT_EQ(textOf("hostQuestionTitle"), "The key of gate (192.0.2.1) is not known here") << "it may be that of a jump host";
    EXPECT_EQ(find("hostAnswer")->text(), "Trust this key");
    EXPECT_TRUE(find<QLineEdit>("hostName")->hasFocus()) << "who types goes on typing";
    shoot("hosts-unknown-key");
    find("hostDecline")->click();
    EXPECT_EQ(title(), "Not connected");
    EXPECT_FALSE(isShown("hostQuestion"));
    EXPECT_TRUE(backend().answers().empty());
    find("hostSightLink")->click();
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    find("hostAnswer")->click();
    ASSERT_TRUE(titleBecomes("Reached in"));
    EXPECT_EQ(backend().answers(), std::vector<QString>{"yes"});
}

TEST_F(HostDialogTest, HandsAPasswordOnAndKeepsNothingOfIt) {
    session::HostSight sight = noTandem();
    sight.gave = session::HostSight::Gave::kPassword;
    backend().setSight("node1", sight);
    backend().setQuestion("node1", password());
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    auto* secret = find<QLineEdit>("hostSecret");
    EXPECT_EQ(secret->echoMode(), QLineEdit::Password);
    EXPECT_FALSE(find("hostAnswer")->isEnabled());
    type("hostSecret", kPassword);
    shoot("hosts-password");
    key(Qt::Key_Return);
    ASSERT_TRUE(titleBecomes("Reached in"));
    EXPECT_EQ(backend().answers(), std::vector<QString>{kPassword});
    EXPECT_TRUE(backend().listed().empty()) << "Enter answered; it added nothing";
    EXPECT_EQ(secret->text(), "");
    EXPECT_NE(textOf("hostSightSentence").find("ssh-copy-id node1"), std::string::npos) << textOf("hostSightSentence");
}

// Its key is there: another one would not help.
TEST_F(HostDialogTest, APassphraseIsNoReasonForAnotherKey) {
    session::HostSight sight = noTandem();
    sight.gave = session::HostSight::Gave::kSecretOfKey;
    backend().setSight("node1", sight);
    open();
    type("hostName", "node1");
    ASSERT_TRUE(titleBecomes("Reached in"));
    EXPECT_EQ(textOf("hostSightSentence").find("ssh-copy-id"), std::string::npos) << textOf("hostSightSentence");
    EXPECT_NE(textOf("hostSightSentence").find("ssh-add"), std::string::npos) << textOf("hostSightSentence");
}

TEST_F(HostDialogTest, AQuestionGoesWithTheTrialThatAskedIt) {
    backend().setQuestion("node1", password());
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    type("hostSecret", "half");
    type("hostName", "2");
    EXPECT_FALSE(isShown("hostQuestion"));
    EXPECT_TRUE(backend().answers().empty());
}

TEST_F(HostDialogTest, AddsInstallsAndUsesAHost) {
    backend().setSight("node1", noTandem());
    open();
    type("hostName", "node1");
    type("hostDestination", "ann@192.0.2.7:2222");
    ASSERT_TRUE(titleBecomes("Reached in"));
    key(Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return isShown("hostInstall"); }));
    ASSERT_EQ(backend().listed().size(), 1U);
    EXPECT_EQ(backend().listed().front().destination, "ann@192.0.2.7:2222");
    EXPECT_EQ(find<HostListView>("hostList")->chosen().name, "node1");
    EXPECT_TRUE(find<QLineEdit>("hostName")->isReadOnly());
    shoot("hosts-added");

    backend().hold();
    find("hostInstall")->click();
    ASSERT_TRUE(titleBecomes("Sending Tandem"));
    EXPECT_EQ(find("hostSightLink")->text(), "Cancel");
    EXPECT_FALSE(isShown("hostInstall"));
    shoot("hosts-installing");
    find("hostSightLink")->click();
    ASSERT_TRUE(waitUntil([&] { return isShown("hostInstall"); }));
    backend().release();
    EXPECT_TRUE(backend().installed().empty());

    backend().install_error = "node1: expected 90 MB of free disk for current, got 3 MB";
    find("hostInstall")->click();
    ASSERT_TRUE(titleBecomes("It was not installed"));
    EXPECT_EQ(textOf("hostSightSentence"), backend().install_error);
    backend().install_error.clear();
    backend().setSight("node1", ready());
    find("hostInstall")->click();
    ASSERT_TRUE(titleBecomes("Ready"));
    EXPECT_EQ(backend().installed().size(), 1U);
    shoot("hosts-ready");
    find("hostUse")->click();
    EXPECT_EQ(used_, QStringList{"node1"});
    EXPECT_TRUE(becomesGone());
}

TEST_F(HostDialogTest, AnInstallationAsksForAPasswordToo) {
    backend().setEntries({{"node1", "ann@node1"}});
    backend().setSight("node1", noTandem());
    open();
    ASSERT_TRUE(waitUntil([&] { return find<HostListView>("hostList")->choose(HostRow::Kind::kListed, "node1"); }));
    ASSERT_TRUE(waitUntil([&] { return isShown("hostInstall"); }));
    backend().setQuestion("node1", password());
    find("hostInstall")->click();
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    EXPECT_TRUE(find<QLineEdit>("hostSecret")->hasFocus()) << "who clicked waits for it";
    type("hostSecret", kPassword);
    key(Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return backend().installed().size() == 1; }));
    EXPECT_EQ(backend().answers(), std::vector<QString>{kPassword});
}

TEST_F(HostDialogTest, AnInstallationFailsRatherThanAskNobody) {
    backend().setEntries({{"node1", "ann@node1"}});
    backend().setSight("node1", noTandem());
    open();
    ASSERT_TRUE(waitUntil([&] { return find<HostListView>("hostList")->choose(HostRow::Kind::kListed, "node1"); }));
    ASSERT_TRUE(waitUntil([&] { return isShown("hostInstall"); }));
    backend().setQuestion("node1", password());
    find("hostInstall")->click();
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    dialog_->reject();
    ASSERT_TRUE(becomesGone());
    ASSERT_TRUE(waitUntil([&] { return !session().farHosts().find("node1")->is_installing; }));
    EXPECT_TRUE(session().farHosts().find("node1")->install_problem.contains("permission was denied"));
}

TEST_F(HostDialogTest, AHostThatLetsNobodyInIsAskedForWhileSomebodyLooks) {
    backend().setEntries({{"node1", "ann@node1"}});
    backend().setSight("node1", {.state = FarHostState::kProblem,
                                 .problem = "node1: expected a host key that is known here, known_hosts has none of it",
                                 .code = static_cast<int>(engine::ErrorCode::kPermissionDenied)});
    backend().setQuestion("node1", unknownKey());
    open();
    ASSERT_TRUE(waitUntil([&] { return find<HostListView>("hostList")->choose(HostRow::Kind::kListed, "node1"); }));
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    backend().setSight("node1", ready());
    find("hostAnswer")->click();
    ASSERT_TRUE(titleBecomes("Ready"));
}

TEST_F(HostDialogTest, RemovesAtOnceWhatTheProjectDoesNotName) {
    backend().setEntries({{"node1", "ann@node1"}, {"node2", "node2"}});
    session().project().change("host", [](engine::spec::RunSpec& run) { addHost(run, "node2"); });
    open();
    auto* list = find<HostListView>("hostList");
    ASSERT_TRUE(waitUntil([&] { return list->choose(HostRow::Kind::kListed, "node1"); }));
    find("hostRemove")->click();
    ASSERT_TRUE(waitUntil([&] { return backend().listed().size() == 1 && list->chosen().kind == HostRow::Kind::kNew; }));
    EXPECT_EQ(find<QLineEdit>("hostDestination")->text(), "ann@node1") << "so that it can be put back";

    ASSERT_TRUE(list->choose(HostRow::Kind::kListed, "node2"));
    EXPECT_FALSE(find("hostUse")->isEnabled()) << "the project has it";
    find("hostRemove")->click();
    auto* question = dialog_->findChild<QMessageBox*>("hostRemoveQuestion");
    ASSERT_NE(question, nullptr);
    QTest::keyClick(question, Qt::Key_Escape);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_EQ(backend().listed().size(), 1U);
    find("hostRemove")->click();
    question = dialog_->findChild<QMessageBox*>("hostRemoveQuestion");
    ASSERT_NE(question, nullptr);
    for (QAbstractButton* button : question->buttons()) {
        if (question->buttonRole(button) == QMessageBox::AcceptRole) button->click();
    }
    EXPECT_TRUE(waitUntil([&] { return backend().listed().empty(); }));
}

TEST_F(HostDialogTest, OffersTheNamesOfSshsConfiguration) {
    backend().setEntries({{"node1", "node1"}});
    backend().ssh_names = QStringList{"node1", "lab"};
    backend().setSight("lab", noTandem());
    open();
    auto* list = find<HostListView>("hostList");
    ASSERT_TRUE(waitUntil([&] { return list->choose(HostRow::Kind::kConfigured, "lab"); }));
    EXPECT_FALSE(list->choose(HostRow::Kind::kConfigured, "node1")) << "it is in the list";
    EXPECT_EQ(find<QLineEdit>("hostName")->text(), "lab");
    ASSERT_TRUE(titleBecomes("Reached in"));
    shoot("hosts-configured");
    find("hostAdd")->click();
    ASSERT_TRUE(waitUntil([&] { return list->chosen().kind == HostRow::Kind::kListed; }));
    EXPECT_EQ(list->chosen().name, "lab");
    EXPECT_FALSE(list->choose(HostRow::Kind::kConfigured, "lab"));
}

TEST_F(HostDialogTest, PairsWithAComputerThatHasNoSsh) {
    backend().setSight("node7", ready());
    backend().pairing_error =
        "node7: expected a pairing line that is good, got one that was used before: tandem-agent invite there prints another";
    open();
    const QString line = "tandem://node7:7443/" + QString(64, 'a') + "/" + QString(32, 'b');
    type("hostDestination", line.chopped(1));
    EXPECT_EQ(textOf("hostFormProblem"),
              "expected the line that tandem-agent invite prints, tandem://HOST:PORT/FINGERPRINT/SECRET, got another text");
    EXPECT_FALSE(find("hostAdd")->isEnabled());
    shoot("hosts-pairing-wrong");
    type("hostDestination", line.right(1));
    EXPECT_EQ(textOf("hostFormProblem"), "");
    EXPECT_EQ(find<QLineEdit>("hostName")->placeholderText(), "node7") << "what an empty name means";
    EXPECT_EQ(title(), "A pairing line");
    shoot("hosts-pairing");
    EXPECT_TRUE(find("hostAdd")->isEnabled());

    find("hostAdd")->click();
    ASSERT_TRUE(waitUntil([&] { return textOf("hostFormProblem") == backend().pairing_error; }));
    EXPECT_TRUE(backend().listed().empty());
    translator_.setLanguage(QStringLiteral("ko"));
    QCoreApplication::processEvents();
    shoot("hosts-pairing-ko");
    translator_.setLanguage(QStringLiteral("en"));
    backend().pairing_error.clear();
    find("hostAdd")->click();
    ASSERT_TRUE(titleBecomes("Ready"));
    ASSERT_EQ(backend().listed().size(), 1U);
    const session::HostEntry added = backend().listed().front();
    EXPECT_EQ(added.name, "node7");
    EXPECT_EQ(added.destination, "node7:7443");
    EXPECT_EQ(added.fingerprint, QString(64, 'a'));
    EXPECT_EQ(backend().surveysOf("node7"), 0) << "ssh has nothing to do with it";
}

TEST_F(HostDialogTest, TakesANameThatIsInNoList) {
    open("node9");
    EXPECT_EQ(find<QLineEdit>("hostName")->text(), "node9");
    find("hostNameOnly")->click();
    EXPECT_EQ(used_, QStringList{"node9"});
    EXPECT_TRUE(backend().listed().empty());
}

TEST_F(HostDialogTest, ASecondHostOfANameIsRefusedInPlace) {
    backend().setEntries({{"node1", "node1"}});
    open();
    ASSERT_TRUE(waitUntil([&] { return session().farHosts().find("node1") != nullptr; }));
    type("hostName", "node1");
    EXPECT_FALSE(find("hostAdd")->isEnabled());
    EXPECT_NE(textOf("hostFormProblem").find("the list has it"), std::string::npos);
}

TEST_F(HostDialogTest, IsWorkedByKeysAlone) {
    backend().setSight("node1", noTandem());
    backend().setQuestion("node1", unknownKey());
    open();
    QTest::keyClicks(QApplication::focusWidget(), "node1");
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    QStringList reached;
    for (int i = 0; i < 20; ++i) {
        reached << QApplication::focusWidget()->objectName();
        EXPECT_TRUE(dialog_->isAncestorOf(QApplication::focusWidget())) << "nothing behind the veil";
        EXPECT_FALSE(QApplication::focusWidget()->accessibleName().isEmpty() &&
                     qobject_cast<QAbstractButton*>(QApplication::focusWidget()) == nullptr)
            << reached.back().toStdString();
        key(Qt::Key_Tab);
    }
    for (const char* name :
         {"hostList", "hostName", "hostDestination", "hostFolder", "hostAnswer", "hostDecline", "hostNameOnly", "hostsClose", "hostAdd"})
        EXPECT_TRUE(reached.contains(QLatin1String(name))) << name << " of " << reached.join(' ').toStdString();
    while (QApplication::focusWidget()->objectName() != "hostAnswer") key(Qt::Key_Tab);
    key(Qt::Key_Return);
    ASSERT_TRUE(titleBecomes("Reached in"));
    find<QLineEdit>("hostName")->setFocus();
    key(Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return isShown("hostInstall"); }));
    key(Qt::Key_Escape);
    EXPECT_TRUE(becomesGone());
}

TEST_F(HostDialogTest, EscEndsATrial) {
    backend().hold();
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return backend().surveysOf("node1") == 1; }));
    key(Qt::Key_Escape);
    EXPECT_TRUE(becomesGone());
    EXPECT_TRUE(waitUntil([&] { return backend().cancelled() == 1; }));
    backend().release();
}

TEST_F(HostDialogTest, CutsNothingInASmallWindow) {
    backend().setSight("node1", noTandem());
    backend().setQuestion("node1", unknownKey());
    open();
    type("hostName", "node1");
    ASSERT_TRUE(waitUntil([&] { return isShown("hostQuestion"); }));
    for (const char* language : {"en", "ko", "zh_CN"}) {
        translator_.setLanguage(QLatin1String(language));
        themes_.setLanguage(QLatin1String(language));
        QEvent changed(QEvent::LanguageChange);
        QApplication::sendEvent(&window_, &changed);
        EXPECT_EQ(find("hostAnswer")->text() == "Trust this key", QLatin1String(language) == QLatin1String("en"));
        QCoreApplication::processEvents();
        shoot(QStringLiteral("hosts-small-") + QLatin1String(language));
        EXPECT_TRUE(window_.rect().contains(QRect(dialog_->mapTo(&window_, QPoint()), dialog_->size()))) << language;
        for (const QPushButton* button : dialog_->findChildren<QPushButton*>()) {
            if (!button->isVisible()) continue;
            EXPECT_GE(button->width(), button->sizeHint().width()) << language << ' ' << button->objectName().toStdString();
            EXPECT_TRUE(dialog_->rect().contains(QRect(button->mapTo(dialog_, QPoint()), button->size())))
                << language << ' ' << button->objectName().toStdString();
        }
        for (const QLabel* label : dialog_->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty()) continue;
            const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
            EXPECT_GE(label->height(), needed) << language << ' ' << label->text().toStdString();
        }
    }
    translator_.setLanguage(QStringLiteral("en"));
}

}  // namespace
}  // namespace ui::views
