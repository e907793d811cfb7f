// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/host_list.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/session/host/far_hosts.h"
#include "ui/widgets/painting.h"

namespace ui::views {

using session::FarHost;
using session::FarHostState;
using theme::IconTone;
using theme::TextRole;
using widgets::paintText;

class HostListView::Delegate : public QStyledItemDelegate {
public:
    Delegate(const theme::ThemeController& themes, const std::vector<HostRow>& rows, QObject* parent)
        : QStyledItemDelegate(parent), themes_(themes), rows_(rows) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {100, rowAt(index).kind == HostRow::Kind::kGroup ? theme::kListRowHeight : theme::kTwoLineRowHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr double kIcon = 18, kTextLeft = 44, kDot = 4;
        const theme::Theme& t = themes_.theme();
        const HostRow& row = rowAt(index);
        const QRectF box = QRectF(option.rect).adjusted(8, 1, -8, -1);
        if (row.kind == HostRow::Kind::kGroup)
            return paintText(*painter, box.adjusted(12, 0, -8, 0), row.name, themes_.font(TextRole::kSmallMedium), t.text2);
        const bool is_chosen = (option.state & QStyle::State_Selected) != 0;
        if (is_chosen) {
            widgets::paintBox(*painter, box, theme::kRadiusControl, t.accent_tint,
                              (option.state & QStyle::State_HasFocus) != 0 ? t.accent : QColor(), 2);
        } else if ((option.state & QStyle::State_MouseOver) != 0) {
            widgets::paintBox(*painter, box, theme::kRadiusControl, t.mixed(t.surface, 4), QColor());
        }
        const bool is_new = row.kind == HostRow::Kind::kNew;
        themes_.paintIcon(*painter, is_new ? QStringLiteral("plus") : QStringLiteral("server"),
                          QRectF(box.left() + 12, box.center().y() - kIcon / 2, kIcon, kIcon), is_chosen || is_new ? t.accent : t.text2);
        const double left = box.left() + kTextLeft, width = box.right() - left - 28;
        paintText(*painter, QRectF(left, box.top() + 4, width, 18), row.name,
                  themes_.font(is_chosen ? TextRole::kStrong : TextRole::kButton), is_chosen ? t.accent : t.text);
        paintText(*painter, QRectF(left, box.top() + 22, box.right() - left - 8, 16), row.detail, themes_.font(TextRole::kSmall), t.text2);
        if (row.kind != HostRow::Kind::kListed) return;
        const QColor color = row.tone == IconTone::kOk      ? t.ok
                             : row.tone == IconTone::kWarn  ? t.warn
                             : row.tone == IconTone::kError ? t.err
                                                            : t.text3;
        widgets::paintDot(*painter, QPointF(box.right() - 14, box.top() + 13), kDot, color, row.tone != IconTone::kAuto);
    }

private:
    const HostRow& rowAt(const QModelIndex& index) const { return rows_[static_cast<std::size_t>(index.row())]; }

    const theme::ThemeController& themes_;
    const std::vector<HostRow>& rows_;
};

QString stateText(const FarHost& host) {
    if (host.is_installing) return session::phaseText(host.progress.phase);
    switch (host.state()) {
        case FarHostState::kUnknown:
        case FarHostState::kLooking:
            return HostListView::tr("Looking at it");
        case FarHostState::kReachable:
            return HostListView::tr("Ready, %n core(s)", nullptr, host.sight.info.cores);
        case FarHostState::kOtherVersion:
            return host.sight.is_older ? HostListView::tr("Tandem %1, older").arg(host.sight.version)
                                       : HostListView::tr("Tandem %1, newer").arg(host.sight.version);
        case FarHostState::kNoTandem:
            return HostListView::tr("No Tandem there");
        case FarHostState::kProblem:
            return HostListView::tr("Out of reach");
    }
    return {};
}

IconTone stateTone(const FarHost& host) {
    switch (host.state()) {
        case FarHostState::kUnknown:
        case FarHostState::kLooking:
            return IconTone::kAuto;
        case FarHostState::kReachable:
            return IconTone::kOk;
        case FarHostState::kOtherVersion:
        case FarHostState::kNoTandem:
            return IconTone::kWarn;
        case FarHostState::kProblem:
            return IconTone::kError;
    }
    return IconTone::kAuto;
}

HostListView::HostListView(const theme::ThemeController& themes, session::FarHosts& hosts, QWidget* parent)
    : QListView(parent), hosts_(hosts), model_(new QStandardItemModel(this)) {
    setObjectName("hostList");
    setModel(model_);
    setItemDelegate(new Delegate(themes, rows_, this));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&themes, &theme::ThemeController::themeChanged, viewport(), qOverload<>(&QWidget::update));
    refresh();
    setCurrentIndex(model_->index(0, 0));
}

void HostListView::refresh() {
    std::vector<HostRow> rows{{HostRow::Kind::kNew, tr("New host"), tr("By name or address")}};
    if (!hosts_.hosts().empty()) rows.push_back({HostRow::Kind::kGroup, tr("Your hosts")});
    for (const FarHost& host : hosts_.hosts()) rows.push_back({HostRow::Kind::kListed, host.entry.name, stateText(host), stateTone(host)});
    bool has_group = false;
    for (const QString& name : hosts_.sshNames()) {
        if (hosts_.reachedAs(name) != nullptr) continue;
        if (!has_group) rows.push_back({HostRow::Kind::kGroup, tr("Of ~/.ssh/config")});
        has_group = true;
        rows.push_back({HostRow::Kind::kConfigured, name, tr("Not in the list yet")});
    }
    if (rows == rows_) return;
    const HostRow before = rows_.empty() ? HostRow{} : chosen();
    is_quiet_ = true;
    rows_ = std::move(rows);
    while (model_->rowCount() > static_cast<int>(rows_.size())) model_->removeRow(model_->rowCount() - 1);
    while (model_->rowCount() < static_cast<int>(rows_.size())) model_->appendRow(new QStandardItem);
    for (int i = 0; i < model_->rowCount(); ++i) {
        const HostRow& row = rows_[static_cast<std::size_t>(i)];
        model_->item(i)->setText(row.detail.isEmpty() ? row.name : row.name + QLatin1String(", ") + row.detail);
        model_->item(i)->setToolTip(row.name);
        model_->item(i)->setFlags(row.kind == HostRow::Kind::kGroup ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    }
    const int stays = find(before.kind, before.name);
    setCurrentIndex(model_->index(std::max(stays, 0), 0));
    is_quiet_ = false;
    if (stays < 0) emit chosenChanged();
    viewport()->update();
}

const HostRow& HostListView::chosen() const {
    return rows_[static_cast<std::size_t>(std::max(0, currentIndex().row()))];
}

int HostListView::find(HostRow::Kind kind, const QString& name) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const HostRow& row) {
        return row.kind == kind && (kind == HostRow::Kind::kNew || row.name == name);
    });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

bool HostListView::choose(HostRow::Kind kind, const QString& name) {
    const int row = find(kind, name);
    if (row >= 0) setCurrentIndex(model_->index(row, 0));
    return row >= 0;
}

void HostListView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QListView::currentChanged(current, previous);
    if (!is_quiet_ && current.isValid()) emit chosenChanged();
}

}  // namespace ui::views

#include "moc_host_list.cpp"
