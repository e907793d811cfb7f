// SPDX-License-Identifier: GPL-3.0-or-later
// The user's other computers: a list at the left, what makes the chosen one and what is known of it at the right. Adds, installs, removes,
// and answers ssh; what a project does with a host is its owner's. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>

#include "ui/hosts/host_list.h"
#include "ui/hosts/host_sight_card.h"
#include "ui/hosts/host_trial.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::views {

class HostForm;
class HostQuestionCard;

class HostDialog : public QDialog {
    Q_OBJECT
public:
    HostDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);
    ~HostDialog() override;

    // Chooses the host of the list, else begins a new one of that name.
    void showHost(const QString& name);

signals:
    // Emitted when the project shall have a host of that name; it may be in no list.
    void useWanted(QString name);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildRight();
    QWidget* buildFoot();
    void connectAll();
    void retranslate();
    void onChosen();
    void onEdited();
    void onHostsChanged();
    void refresh();
    void refreshSight();
    void refreshFoot();
    HostSightCard::Content trialContent() const;
    HostSightCard::Content hostContent(const session::FarHost& host) const;
    const session::FarHost* listed() const;  // the chosen one; null for one that is not in the list
    bool showsTrial() const;
    // Returns what is known of the chosen host.
    const session::HostSight& sight() const;
    const std::optional<session::HostQuestion>& question() const;
    void answer(const QString& text);
    void decline();
    void followLink();
    void add();
    void install();
    void remove();
    void use(const QString& name);
    bool projectNames(const QString& name) const;

    session::Session& session_;
    session::FarHosts& hosts_;
    const theme::ThemeController& themes_;
    HostTrial* trial_;
    widgets::TextLabel *title_, *list_problem_;
    HostListView* list_;
    HostForm* form_;
    HostSightCard* sight_;
    HostQuestionCard* question_;
    QPushButton *x_, *remove_, *name_only_, *close_, *install_, *use_, *add_;
    session::HostEntry draft_;  // of the new host, while another one is chosen
    QString adding_;            // on its way into the list
};

}  // namespace ui::views
