// SPDX-License-Identifier: GPL-3.0-or-later
// Where things lie and what mouse and keys do; the painting is in cluster_canvas_paint.cpp.
#include "ui/canvas/cluster_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/canvas/cluster_canvas_sizes.h"
#include "ui/widgets/buttons.h"

namespace ui::canvas {

using namespace cluster_sizes;
using engine::spec::TaskId;

namespace {

double fullTaskHeight(const HostCard& host) {
    const auto rows = host.tasks.empty() ? std::size_t{0} : host.tasks.front().facts.size();
    return kTaskHead + kFactRow * static_cast<double>(rows) + kStateHeight + theme::kSpace2;
}

double leftWidth(double outer) {
    return std::floor(outer * (outer < kNarrowCanvas ? kLeftShareNarrow : kLeftShare));
}

}  // namespace

ClusterCanvas::ClusterCanvas(const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), themes_(themes), editor_(new QLineEdit(this)) {
    setObjectName("clusterCanvas");
    setProperty("tellsElidedText", true);  // by event()
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    editor_->setObjectName("clusterEditor");
    editor_->hide();
    editor_->installEventFilter(this);
    connect(editor_, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (edited_.kind == Target::Kind::kTask) emit portTyped(boxOf(edited_).task, text);
        if (edited_.kind == Target::Kind::kHost) emit hostTyped(picture_.hosts[edited_.host].key, text);
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, [this] {
        measured_.clear();
        update();
    });
}

void ClusterCanvas::setPicture(ClusterPicture picture) {
    if (picture == picture_) return;
    const Named chosen = nameOf(chosen_), edited = nameOf(edited_);
    picture_ = std::move(picture);
    hovered_ = {};
    chosen_ = find(chosen);
    edited_ = find(edited);
    if (chosen_.kind == Target::Kind::kNone) pressed_ = dragging_ = false;  // what was pressed or dragged is gone
    QStringList names;
    for (const HostCard& host : picture_.hosts) {
        for (const TaskBox& box : host.tasks) {
            names << QString::fromStdString(engine::spec::toString(box.task)) + " (" + host.name + "): " + box.state;
        }
    }
    setAccessibleName(tr("%n host(s)", nullptr, static_cast<int>(picture_.hosts.size())));
    setAccessibleDescription(names.join(", "));
    layOut();
    if (edited_.kind == Target::Kind::kNone && editor_->isVisible()) closeEditor(false);
    updateGeometry();
    update();
}

ClusterCanvas::Named ClusterCanvas::nameOf(const Target& target) const {
    Named named{.kind = target.kind};
    if (target.kind == Target::Kind::kTask) named.task = boxOf(target).task;
    if (target.kind == Target::Kind::kHost) named.host = picture_.hosts[target.host].key;
    return named;
}

ClusterCanvas::Target ClusterCanvas::find(const Named& named) const {
    if (named.kind == Target::Kind::kAddHost) return {named.kind};
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        if (named.kind == Target::Kind::kHost && picture_.hosts[h].key == named.host) return {named.kind, h};
        for (std::size_t t = 0; named.kind == Target::Kind::kTask && t < picture_.hosts[h].tasks.size(); ++t) {
            if (picture_.hosts[h].tasks[t].task == named.task) return {named.kind, h, t};
        }
    }
    return {};
}

// ---- layout ---------------------------------------------------------------------------------------------------------------------

bool ClusterCanvas::compact(const HostCard& host, double width) const {
    if (!host.is_here || static_cast<int>(host.tasks.size()) > kMostFullBoxes) return true;
    const double room = width - 2 * kInner;
    return host.tasks.size() == 2 && (room - kLinkRoom) / 2 < kTaskLeast;
}

int ClusterCanvas::columns(const HostCard& host, double width) const {
    const int count = std::max<int>(1, static_cast<int>(host.tasks.size()));
    const double room = width - 2 * kInner;
    if (compact(host, width))
        return std::clamp(static_cast<int>((room + kLinkNarrow) / (kCompactWidth + kLinkNarrow)), 1, std::min(count, 3));
    if (count == 2) return 2;
    return std::clamp(static_cast<int>((room + kLinkNarrow) / (kTaskNarrow + kLinkNarrow)), 1, std::min(count, kMostColumns));
}

double ClusterCanvas::measured(int kind, const QString& text, const std::function<double()>& measure) const {
    constexpr std::size_t kMost = 4096;
    if (measured_.size() > kMost) measured_.clear();
    const auto [entry, is_new] = measured_.try_emplace({kind, text});
    if (is_new) entry->second = measure();
    return entry->second;
}

double ClusterCanvas::wrappedHeight(const QString& text, double width) const {
    constexpr int kWidths = 100;  // kinds from here on are widths in pixels, smaller ones roles
    return measured(kWidths + static_cast<int>(width), text, [&] {
        const QFontMetricsF metrics(themes_.font(theme::TextRole::kSmall));
        return std::ceil(metrics.boundingRect(QRectF(0, 0, std::max(std::floor(width), 1.0), 1e5), Qt::TextWordWrap, text).height());
    });
}

double ClusterCanvas::textWidth(theme::TextRole role, const QString& text) const {
    return measured(static_cast<int>(role), text, [&] { return std::ceil(QFontMetricsF(themes_.font(role)).horizontalAdvance(text)) + 2; });
}

ClusterCanvas::Head ClusterCanvas::headOf(const HostCard& host, double width) const {
    const double icons = (host.is_here ? 0 : kCrossSide + 4) + 24;
    const double room = width - kHostTextLeft - kInner - icons;
    const double aside = textWidth(theme::TextRole::kSmall, host.problem.isEmpty() ? host.security : host.problem);
    const double text = std::max(textWidth(theme::TextRole::kStrong, host.name), textWidth(theme::TextRole::kMono, host.address));
    const bool below = text + theme::kSpace2 + aside > room;
    return {.text_width = below ? room : room - aside - theme::kSpace2,
            .aside_width = below ? width - kHostTextLeft - kInner : aside,
            .height = kHeadHeight + (below ? kHeadRow : 0),
            .aside_below = below};
}

double ClusterCanvas::inventoryHeight(const HostCard& host, double width) const {
    if (host.is_here) return kCoresHeight;
    return noteHeight(host, width) + (host.progress >= 0 ? kProgressHeight : 0) + (host.action.isEmpty() ? 0 : kActionHeight);
}

double ClusterCanvas::noteHeight(const HostCard& host, double width) const {
    const double least = host.action.isEmpty() ? kNoteHeight : 0;
    return host.note.isEmpty() ? 0 : std::max(least, wrappedHeight(host.note, width - 2 * kInner) + kNoteGap);
}

// Returns where a card's link lies: below its note and its bar.
QRectF ClusterCanvas::linkRect(std::size_t host) const {
    const HostCard& card = picture_.hosts[host];
    if (card.action.isEmpty()) return {};
    const QRectF rect = host_rects_[host];
    const double words = QFontMetricsF(themes_.font(theme::TextRole::kButton)).horizontalAdvance(card.action);
    const double top = rect.top() + headOf(card, rect.width()).height + inventoryHeight(card, rect.width()) - kActionHeight;
    return {rect.left() + kInner, top, std::min(std::ceil(words) + 2 * theme::kSpace4, rect.width() - 2 * kInner), theme::kCompactHeight};
}

QRectF ClusterCanvas::actionRect(const QString& key) const {
    for (std::size_t h = 0; h < host_rects_.size(); ++h) {
        if (picture_.hosts[h].key == key) return linkRect(h);
    }
    return {};
}

double ClusterCanvas::addHeight(double width) const {
    return std::max(kAddHeight, kHeadRow + wrappedHeight(addHostHint(), width - kAddTextInset) + 2 * theme::kSpace3);
}

double ClusterCanvas::cardHeight(const HostCard& host, double width) const {
    const int across = columns(host, width);
    const int rows = (static_cast<int>(host.tasks.size()) + across - 1) / across;
    const double head = headOf(host, width).height + inventoryHeight(host, width);
    if (rows == 0) return head + kDropHeight + kInner;
    const double each = compact(host, width) ? kCompactHeight : fullTaskHeight(host);
    return head + rows * each + (rows - 1) * (compact(host, width) ? kCompactGap : kRowGap) + kInner;
}

int ClusterCanvas::contentHeight(double width) const {
    if (picture_.hosts.empty()) return 200;
    const double outer = width - 2 * kMargin, left = leftWidth(outer), right = outer - left - kColumnGap;
    double stack = picture_.can_edit ? addHeight(right) : 0;
    for (std::size_t h = 1; h < picture_.hosts.size(); ++h)
        stack += cardHeight(picture_.hosts[h], right) + (h > 1 || picture_.can_edit ? kCardGap : 0);
    return static_cast<int>(std::ceil(std::max(cardHeight(picture_.hosts.front(), left), stack) + theme::kSpace2 + kMargin));
}

int ClusterCanvas::heightForWidth(int width) const {
    return contentHeight(width);
}

void ClusterCanvas::layOut() {
    host_rects_.clear();
    task_rects_.clear();
    add_rect_ = {};
    setMinimumHeight(contentHeight(width()));
    if (picture_.hosts.empty()) return;
    const QRectF outer = QRectF(rect()).adjusted(kMargin, theme::kSpace2, -kMargin, -kMargin);
    const bool one_column = picture_.hosts.size() == 1 && !picture_.can_edit;
    const double left = one_column ? outer.width() : leftWidth(outer.width()), right = outer.width() - left - kColumnGap;
    host_rects_.push_back({outer.left(), outer.top(), left, outer.height()});
    double natural = picture_.can_edit ? addHeight(right) : 0;
    for (std::size_t h = 1; h < picture_.hosts.size(); ++h) natural += cardHeight(picture_.hosts[h], right) + kCardGap;
    const double others = static_cast<double>(picture_.hosts.size() - 1);
    const double extra = std::max(0.0, outer.height() - natural), share = others > 0 ? std::min(kMostSlack, extra * 0.6 / others) : 0;
    double top = outer.top();
    const double x = outer.left() + left + kColumnGap;
    for (std::size_t h = 1; h < picture_.hosts.size(); ++h) {
        const double height = cardHeight(picture_.hosts[h], right) + share;
        host_rects_.push_back({x, top, right, height});
        top += height + kCardGap;
    }
    if (picture_.can_edit)
        add_rect_ = QRectF(x, top, right, std::clamp(outer.bottom() - top, addHeight(right), std::max(addHeight(right), kMostAddHeight)));
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        const HostCard& host = picture_.hosts[h];
        const QRectF card = host_rects_[h];
        const int across = columns(host, card.width());
        const bool small = compact(host, card.width());
        const double room = card.width() - 2 * kInner, count = static_cast<double>(host.tasks.size());
        const double gap = !small && host.tasks.size() == 2 ? std::clamp(room * 0.24, kLinkRoom, kLinkMost) : kLinkNarrow;
        double box_width = (room - (across - 1) * gap) / across;
        if (!small && host.tasks.size() == 1) box_width = std::min(box_width, kTaskMost);
        const double rows = std::ceil(count / across), row_gap = small ? kCompactGap : kRowGap;
        const double begin = card.top() + headOf(host, card.width()).height + inventoryHeight(host, card.width());
        const double least = small ? kCompactHeight : fullTaskHeight(host);
        const double height =
            small ? least
                  : std::clamp((card.bottom() - kInner - begin - (rows - 1) * row_gap) / std::max(rows, 1.0), least, least + kMostSlack);
        std::vector<QRectF> boxes;
        for (std::size_t t = 0; t < host.tasks.size(); ++t) {
            const auto column = static_cast<double>(t % static_cast<std::size_t>(across)),
                       line = static_cast<double>(t / static_cast<std::size_t>(across));
            boxes.push_back({card.left() + kInner + column * (box_width + gap), begin + line * (height + row_gap), box_width, height});
        }
        task_rects_.push_back(std::move(boxes));
    }
}

void ClusterCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

QRectF ClusterCanvas::hostRect(const QString& key) const {
    for (std::size_t h = 0; h < host_rects_.size(); ++h) {
        if (picture_.hosts[h].key == key) return host_rects_[h];
    }
    return {};
}

QRectF ClusterCanvas::taskRect(const TaskId& task) const {
    for (std::size_t h = 0; h < task_rects_.size(); ++h) {
        for (std::size_t t = 0; t < task_rects_[h].size(); ++t) {
            if (picture_.hosts[h].tasks[t].task == task) return task_rects_[h][t];
        }
    }
    return {};
}

QString ClusterCanvas::addHostHint() {
    return tr("another computer of yours, by ssh or by name alone");
}

// ---- choosing -------------------------------------------------------------------------------------------------------------------

std::vector<ClusterCanvas::Target> ClusterCanvas::targets() const {
    std::vector<Target> all;
    for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
        if (!picture_.hosts[h].is_here) all.push_back({Target::Kind::kHost, h});
        for (std::size_t t = 0; t < picture_.hosts[h].tasks.size(); ++t) all.push_back({Target::Kind::kTask, h, t});
    }
    if (!add_rect_.isNull()) all.push_back({Target::Kind::kAddHost});
    return all;
}

QRectF ClusterCanvas::targetRect(const Target& target) const {
    switch (target.kind) {
        case Target::Kind::kTask:
            return task_rects_[target.host][target.task];
        case Target::Kind::kHost:
            return host_rects_[target.host];
        case Target::Kind::kAddHost:
            return add_rect_;
        case Target::Kind::kNone:
            break;
    }
    return {};
}

ClusterCanvas::Target ClusterCanvas::targetAt(const QPointF& position) const {
    const std::vector<Target> all = targets();
    for (const Target::Kind kind : {Target::Kind::kTask, Target::Kind::kAddHost, Target::Kind::kHost}) {
        for (const Target& target : all) {
            if (target.kind == kind && targetRect(target).contains(position)) return target;
        }
    }
    return {};
}

int ClusterCanvas::hostAt(const QPointF& position) const {
    for (std::size_t h = 0; h < host_rects_.size(); ++h) {
        if (host_rects_[h].contains(position)) return static_cast<int>(h);
    }
    return -1;
}

std::optional<TaskId> ClusterCanvas::chosenTask() const {
    if (chosen_.kind != Target::Kind::kTask) return std::nullopt;
    return boxOf(chosen_).task;
}

bool ClusterCanvas::chooseTask(const TaskId& task) {
    for (const Target& target : targets()) {
        if (target.kind != Target::Kind::kTask || boxOf(target).task != task) continue;
        choose(target);
        return true;
    }
    return false;
}

void ClusterCanvas::choose(const Target& target) {
    chosen_ = target;
    if (target.kind == Target::Kind::kTask) {
        const TaskBox& box = boxOf(target);
        setAccessibleDescription(QString::fromStdString(engine::spec::toString(box.task)) + ", " + picture_.hosts[target.host].name + ", " +
                                 box.address + ", " + box.state + (box.problem.isEmpty() ? QString() : ", " + box.problem));
    }
    update();
}

void ClusterCanvas::step(int direction) {
    const std::vector<Target> all = targets();
    if (all.empty()) return;
    const auto at = std::find(all.begin(), all.end(), chosen_);
    if (at == all.end()) return choose(direction > 0 ? all.front() : all.back());
    const auto next = std::clamp<std::ptrdiff_t>(at - all.begin() + direction, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    choose(all[static_cast<std::size_t>(next)]);
}

void ClusterCanvas::moveChosen(int direction) {
    if (chosen_.kind != Target::Kind::kTask || !picture_.can_edit) return;
    const int to = static_cast<int>(chosen_.host) + direction;
    if (to < 0 || to >= static_cast<int>(picture_.hosts.size())) return;
    emit taskMoved(boxOf(chosen_).task, picture_.hosts[static_cast<std::size_t>(to)].key);
}

// ---- editing --------------------------------------------------------------------------------------------------------------------

void ClusterCanvas::openEditor(const Target& target, const QRectF& rect, const QString& text) {
    edited_ = target;
    choose(target);
    widgets::setSheetProperty(editor_, "invalid", false);
    editor_->setToolTip(QString());
    editor_->setFont(themes_.font(theme::TextRole::kMonoField));
    editor_->setGeometry(rect.toRect());
    editor_->setText(text);
    editor_->show();
    editor_->setFocus(Qt::OtherFocusReason);
    editor_->selectAll();
}

void ClusterCanvas::editPort(const TaskId& task) {
    if (!picture_.can_edit || !chooseTask(task)) return;
    if (boxOf(chosen_).port.isEmpty() && boxOf(chosen_).problem.isEmpty()) return;  // a task alone has no address
    const QRectF box = targetRect(chosen_);
    const bool small = compact(picture_.hosts[chosen_.host], host_rects_[chosen_.host].width());
    const double left = box.left() + (small ? kCompactTextLeft : kTaskTextLeft);
    editor_->setAccessibleName(tr("Port of %1").arg(QString::fromStdString(engine::spec::toString(task))));
    openEditor(chosen_,
               QRectF(left, box.top() + (small ? 13 : 30), std::max(72.0, std::min(120.0, box.right() - left - 8)), theme::kCompactHeight),
               boxOf(chosen_).port);
}

void ClusterCanvas::editHost(const QString& key) {
    if (!picture_.can_edit) return;
    for (const Target& target : targets()) {
        if (target.kind != Target::Kind::kHost || picture_.hosts[target.host].key != key) continue;
        const QRectF card = host_rects_[target.host];
        editor_->setAccessibleName(tr("Name of the host %1").arg(key));
        return openEditor(
            target, QRectF(card.left() + kHostTextLeft - 6, card.top() + 10, card.width() - kHostTextLeft - 44, theme::kControlHeight),
            key);
    }
}

void ClusterCanvas::closeEditor(bool accept) {
    const Target target = edited_;
    const QString text = editor_->text().trimmed();
    edited_ = {};
    editor_->hide();
    setFocus(Qt::OtherFocusReason);
    update();
    if (accept && target.kind == Target::Kind::kHost) emit hostEntered(picture_.hosts[target.host].key, text);
}

void ClusterCanvas::setEditorProblem(const QString& problem) {
    widgets::setSheetProperty(editor_, "invalid", !problem.isEmpty());
    editor_->setToolTip(problem);
    if (!problem.isEmpty() && editor_->isVisible())
        QToolTip::showText(editor_->mapToGlobal(QPoint(0, editor_->height())), problem, editor_);
}

bool ClusterCanvas::eventFilter(QObject* watched, QEvent* event) {
    if (watched == editor_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape) {
            closeEditor(false);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (edited_.kind != Target::Kind::kTask && editor_->property("invalid").toBool()) return true;
            closeEditor(true);
            return true;
        }
    }
    // An open menu takes the focus for a while: only another widget ends the editing.
    if (watched == editor_ && event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason && editor_->isVisible()) {
        closeEditor(false);
    }
    return QWidget::eventFilter(watched, event);
}

void ClusterCanvas::activate(const Target& target) {
    if (target.kind == Target::Kind::kTask) editPort(boxOf(target).task);
    if (target.kind == Target::Kind::kHost) editHost(picture_.hosts[target.host].key);
    if (target.kind == Target::Kind::kAddHost) emit hostWanted();
}

void ClusterCanvas::act(const Target& target) {
    if (target.kind == Target::Kind::kHost) emit hostActed(picture_.hosts[target.host].key);
}

void ClusterCanvas::remove(const Target& target) {
    if (!picture_.can_edit) return;
    if (target.kind == Target::Kind::kTask) emit taskRemoved(boxOf(target).task);
    if (target.kind == Target::Kind::kHost) emit hostRemoved(picture_.hosts[target.host].key);
}

// Returns where the cross of a task or host lies that is under the mouse or chosen.
QRectF ClusterCanvas::removeRect(const Target& target) const {
    if (!picture_.can_edit || (target.kind != Target::Kind::kTask && target.kind != Target::Kind::kHost)) return {};
    const QRectF box = targetRect(target);
    const bool host = target.kind == Target::Kind::kHost, low = host && !headOf(picture_.hosts[target.host], box.width()).aside_below;
    const bool small = !host && compact(picture_.hosts[target.host], host_rects_[target.host].width());  // its dot lies below
    return {box.right() - kCrossSide - 6, box.top() + (low ? 14 : host ? 5 : small ? 4 : 10), kCrossSide, kCrossSide};
}

// ---- mouse and keys -------------------------------------------------------------------------------------------------------------

void ClusterCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    press_ = drag_ = event->position();
    pressed_ = true;
    dragging_ = false;
    choose(targetAt(press_));
}

void ClusterCanvas::mouseMoveEvent(QMouseEvent* event) {
    drag_ = event->position();
    const bool far = (drag_ - press_).manhattanLength() >= QApplication::startDragDistance();
    if (pressed_ && far && picture_.can_edit && chosen_.kind == Target::Kind::kTask && (event->buttons() & Qt::LeftButton)) {
        dragging_ = true;
        setCursor(Qt::ClosedHandCursor);
        return update();
    }
    const Target under = targetAt(drag_);
    if (under != hovered_) {
        hovered_ = under;
        const bool grips = under.kind == Target::Kind::kTask && picture_.can_edit;
        setCursor(grips ? Qt::OpenHandCursor : under.kind == Target::Kind::kAddHost ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
    if (under.kind != Target::Kind::kHost || picture_.hosts[under.host].action.isEmpty()) return;
    setCursor(linkRect(under.host).contains(drag_) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void ClusterCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_) return;
    pressed_ = false;
    if (dragging_) {
        dragging_ = false;
        setCursor(Qt::ArrowCursor);
        update();
        const int to = hostAt(event->position());
        if (to >= 0 && to != static_cast<int>(chosen_.host))
            emit taskMoved(boxOf(chosen_).task, picture_.hosts[static_cast<std::size_t>(to)].key);
        return;
    }
    const Target target = targetAt(event->position());
    if (removeRect(target).contains(event->position()) && target == chosen_) return remove(target);
    if (target.kind == Target::Kind::kHost && linkRect(target.host).contains(event->position()) && target == chosen_) return act(target);
    if (target.kind == Target::Kind::kAddHost && add_rect_.contains(press_)) activate(target);
}

void ClusterCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const Target target = targetAt(event->position());
    if (target.kind == Target::Kind::kHost && linkRect(target.host).contains(event->position())) return;
    if (target.kind != Target::Kind::kAddHost && !removeRect(target).contains(event->position())) activate(target);
}

void ClusterCanvas::leaveEvent(QEvent*) {
    hovered_ = {};
    update();
}

void ClusterCanvas::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Up:
            return control ? moveChosen(-1) : step(-1);
        case Qt::Key_Right:
        case Qt::Key_Down:
            return control ? moveChosen(1) : step(1);
        case Qt::Key_Home:
            choose({});
            return step(1);
        case Qt::Key_End:
            choose({});
            return step(-1);
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            return remove(chosen_);
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_F2:
            return activate(chosen_);
        case Qt::Key_Escape:
            if (!dragging_) break;
            dragging_ = pressed_ = false;
            return update();
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void ClusterCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Mouse) choose(targetAt(event->pos()));
    if (!picture_.can_edit || (chosen_.kind != Target::Kind::kTask && chosen_.kind != Target::Kind::kHost)) return;
    const Target target = chosen_;
    const Named named = nameOf(target);  // hosts and tasks may come and go while the menu is open
    const QString action = target.kind == Target::Kind::kHost ? picture_.hosts[target.host].action : QString();
    auto* menu = new QMenu(this);
    menu->setObjectName("clusterMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool task = target.kind == Target::Kind::kTask;
    if (!action.isEmpty()) connect(menu->addAction(action), &QAction::triggered, this, [this, named] { act(find(named)); });
    connect(menu->addAction(task ? tr("Change the port") : tr("Rename the host")), &QAction::triggered, this,
            [this, named] { activate(find(named)); });
    if (task) {
        for (std::size_t h = 0; h < picture_.hosts.size(); ++h) {
            if (h == target.host) continue;
            connect(menu->addAction(tr("Move to %1").arg(picture_.hosts[h].name)), &QAction::triggered, this,
                    [this, id = boxOf(target).task, key = picture_.hosts[h].key] { emit taskMoved(id, key); });
        }
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Remove")), &QAction::triggered, this, [this, named] { remove(find(named)); });
    menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos() : mapToGlobal(targetRect(target).center().toPoint()));
}

bool ClusterCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Target target = targetAt(help->pos());
        QString text;
        if (target.kind == Target::Kind::kTask) text = boxOf(target).problem.isEmpty() ? boxOf(target).brief : boxOf(target).problem;
        if (target.kind == Target::Kind::kTask && !boxOf(target).state.isEmpty()) text += '\n' + boxOf(target).state;
        if (const int at = hostAt(help->pos()); at >= 0 && target.kind != Target::Kind::kTask) {
            const HostCard& host = picture_.hosts[static_cast<std::size_t>(at)];
            QStringList lines{host.name,      host.address, host.problem.isEmpty() ? host.security : host.problem,
                              host.processor, host.gpu,     host.note};
            lines.removeAll(QString());
            text = lines.join('\n');
        }
        if (target.kind == Target::Kind::kAddHost) text = addHostHint();
        if (removeRect(target).contains(help->pos()))
            text = target.kind == Target::Kind::kTask ? tr("Remove the task (Del)")
                                                      : tr("Remove the host (Del): its tasks go to this computer");
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace ui::canvas

#include "moc_cluster_canvas.cpp"
