// SPDX-License-Identifier: GPL-3.0-or-later
// The left side of the host dialog: a place for a new one, the hosts of the user's list with what is known of each, and the names of
// ~/.ssh/config that are not in it.
#pragma once

#include <QListView>
#include <vector>

#include "ui/theme/theme_controller.h"

class QStandardItemModel;

namespace ui::session {
class FarHosts;
struct FarHost;
}  // namespace ui::session

namespace ui::views {

struct HostRow {
    enum class Kind { kNew, kGroup, kListed, kConfigured } kind = Kind::kNew;
    QString name{}, detail{};  // a group's name is its title
    theme::IconTone tone = theme::IconTone::kAuto;
    friend bool operator==(const HostRow&, const HostRow&) = default;
};

// Returns the state of a host in few words: "Ready, 8 cores".
QString stateText(const session::FarHost& host);
theme::IconTone stateTone(const session::FarHost& host);

class HostListView : public QListView {
    Q_OBJECT
public:
    HostListView(const theme::ThemeController& themes, session::FarHosts& hosts, QWidget* parent);

    // Reads the hosts again; the chosen row stays while it exists. Emits no signal.
    void refresh();
    const HostRow& chosen() const;
    const std::vector<HostRow>& rows() const { return rows_; }
    // Chooses the row; false when there is no such row, and nothing happens. chosenChanged() follows when the row was not chosen before.
    bool choose(HostRow::Kind kind, const QString& name = {});

signals:
    void chosenChanged();

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Delegate;
    int find(HostRow::Kind kind, const QString& name) const;

    session::FarHosts& hosts_;
    std::vector<HostRow> rows_;
    QStandardItemModel* model_;
    bool is_quiet_ = false;
};

}  // namespace ui::views
