// SPDX-License-Identifier: GPL-3.0-or-later
// Who works in the whole window of a real studio that has hosts over real ssh: obeys lines of standard input, one answer a line. Names are
// those of widgets. What can't be clicked yet, because it is greyed, covered or not there, is waited for, as a person does.
//   starter NAME        opens a starter project           page NAME           clicks a page: data, model, cluster, monitor, runs
//   value PATH=VALUE    sets a field of the project, as tandem-cli's --set does
//   click NAME          clicks a widget                   type TEXT           types where the focus is
//   key NAME            presses Return, Escape or Tab     segment NAME INDEX  clicks an entry of a switch
//   action NAME         chooses an entry of the menus     put NAME TEXT       clicks a field and types in place of what it holds
//   fix TEXT            takes the link of a finding of the Cluster page that holds the text
//   add JOB             adds a task by the Cluster page   move INDEX HOST     drags worker INDEX's chip onto the card of HOST
//   wait NAME TEXT      "yes" once the widget is seen and holds the text; "no: WHAT IT HOLDS" after ten minutes
//   painted TEXT        the same for what the window paints by itself
//   text NAME           its text on one line; "-" while it is not seen
//   tasks               "node1 node2": the host of each worker
//   shoot FILE          a picture of the window
// Arguments: a folder for its settings, the program for SSH_ASKPASS.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <functional>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "engine/launch/launch_options.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "studio.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/parts/finding_list.h"
#include "ui/session/host/host_backend.h"
#include "ui/widgets/painted_text.h"
#include "ui/widgets/segmented_control.h"

namespace {

using ui::views::Mode;

constexpr int kDeadlineMs = 600'000, kSettleMs = 20;  // a loaded machine takes ten times as long as a quiet one
constexpr auto kUnseen = "-";

Mode modeOf(const std::string& page) {
    if (page == "data") return Mode::kData;
    if (page == "model") return Mode::kModel;
    if (page == "cluster") return Mode::kCluster;
    if (page == "monitor") return Mode::kMonitor;
    if (page == "runs") return Mode::kRuns;
    throw std::runtime_error("expected a page, got " + page);
}

Qt::Key keyOf(const std::string& name) {
    if (name == "Return") return Qt::Key_Return;
    if (name == "Escape") return Qt::Key_Escape;
    if (name == "Tab") return Qt::Key_Tab;
    throw std::runtime_error("expected a key, got " + name);
}

class User {
public:
    User(const char* folder, const char* askpass)
        : studio_(QString::fromLocal8Bit(folder),
                  ui::session::sshHostBackend({.version = TANDEM_VERSION, .share_dir = TANDEM_SHARE, .askpass = askpass})) {
        if (!studio_.agentIsReady()) throw std::runtime_error("the agent did not start");
    }

    std::string obey(const std::string& line) {
        std::istringstream words(line);
        std::string verb, name, text;
        words >> verb >> name;
        std::getline(words >> std::ws, text);
        const QString widget = QString::fromStdString(name);
        if (verb == "starter") return studio_.session().project().openStarter(widget) ? "yes" : "no: there is none";
        if (verb == "shoot") return studio_.window().grab().save(widget) ? "yes" : "no: it can't be written";
        if (verb == "text") return seen(widget);
        if (verb == "tasks") return hostsOfWorkers();
        if (verb == "wait") {
            const auto holds = [&] { return seen(widget) != kUnseen && seen(widget).find(text) != std::string::npos; };
            return tests::waitFor(holds, kDeadlineMs) ? "yes" : "no: " + seen(widget);
        }
        if (verb == "painted") {
            const std::string wanted = line.substr(verb.size() + 1);
            return tests::waitFor([&] { return paints(wanted); }, kDeadlineMs) ? "yes" : "no: " + all_painted_;
        }
        if (verb == "page") {
            eventually([&, page = modeOf(name)] { studio_.clickMode(page); });
        } else if (verb == "click") {
            eventually([&] { studio_.click(widget); });
        } else if (verb == "type") {
            studio_.type(QString::fromStdString(text.empty() ? name : name + " " + text));
        } else if (verb == "key") {
            studio_.key(keyOf(name));
        } else if (verb == "segment") {
            eventually([&] { studio_.chooseSegment(studio_.find<ui::widgets::SegmentedControl>(widget), std::stoi(text)); });
        } else if (verb == "action") {
            eventually([&] { choose(studio_.find<QAction>(widget)); });
        } else if (verb == "value") {
            set(line.substr(verb.size() + 1));
        } else if (verb == "put") {
            eventually([&] { studio_.click(widget); });
            studio_.key(Qt::Key_A, Qt::ControlModifier);
            studio_.type(QString::fromStdString(text));
        } else if (verb == "add") {
            add(widget);
        } else if (verb == "fix") {
            eventually([&] { fix(QString::fromStdString(line.substr(verb.size() + 1))); });
        } else if (verb == "move") {
            eventually([&] { move(std::stoi(name), text); });
        } else {
            return "no: expected a verb, got " + verb;
        }
        return "yes";
    }

private:
    // Throws what `act` threw last when it has not come through by the deadline. `act` may begin again whenever it has thrown.
    static void eventually(const std::function<void()>& act) {
        std::string problem;
        const auto comes_through = [&] {
            try {
                act();
                return true;
            } catch (const std::exception& error) {
                problem = error.what();
                return false;
            }
        };
        if (!tests::waitFor(comes_through, kDeadlineMs)) throw std::runtime_error(problem);
    }
    void set(const std::string& setting) {
        studio_.session().project().change("Set a field",
                                           [&](engine::spec::RunSpec& run) { run = engine::launch::withSettings(run, {setting}); });
    }
    static void choose(QAction& action) {
        if (!action.isEnabled()) throw std::runtime_error("greyed: " + action.text().toStdString());
        action.trigger();
    }
    void add(const QString& job) {
        eventually([&] { studio_.click("addTask"); });
        studio_.chooseFromMenu({job});
    }
    void fix(const QString& link) {
        auto& list = studio_.find<ui::views::FindingList>("clusterDiagnostics");
        int row = 0;
        while (row < list.rows() && !list.row(row).fix.contains(link)) ++row;
        if (row == list.rows()) throw std::runtime_error("no finding has that link");
        list.setCurrentIndex(list.model()->index(row, 0));
        list.setFocus();
        studio_.key(Qt::Key_Return);
    }
    // A card that grows as its host answers may push the others away while the mouse is on its way.
    void move(int index, const std::string& host) {
        auto& canvas = studio_.find<ui::canvas::ClusterCanvas>("clusterCanvas");
        const engine::spec::TaskId task{"worker", index};
        const QRectF from = canvas.taskRect(task), to = canvas.hostRect(QString::fromStdString(host));
        if (from.isNull() || to.isNull()) throw std::runtime_error("worker or host is not on the page");
        studio_.drag(canvas, from.center().toPoint(), to.center().toPoint());
        const std::string there = engine::spec::hostOf(studio_.session().project().spec().cluster.spec.address(task).value_or(""));
        if (there != host) throw std::runtime_error(toString(task) + " was dropped on " + there);
    }
    std::string hostsOfWorkers() {
        const auto& cluster = studio_.session().project().spec().cluster.spec;
        std::string hosts;
        for (const auto& task : cluster.trainingTasks()) {
            hosts += (hosts.empty() ? "" : " ") + engine::spec::hostOf(cluster.address(task).value_or(""));
        }
        return hosts;
    }
    std::string seen(const QString& name) {
        const auto* widget = studio_.window().findChild<QWidget*>(name);
        if (widget == nullptr || !widget->isVisible()) return kUnseen;
        if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text().simplified().toStdString();
        if (const auto* table = qobject_cast<const QTableView*>(widget)) return cellsOf(*table->model());
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            return (button->isEnabled() ? "" : "greyed: ") + button->text().toStdString();
        }
        return widget->accessibleName().simplified().toStdString();
    }
    // "worker 0|node1|56; worker 1|node2|57"
    static std::string cellsOf(const QAbstractItemModel& model) {
        QStringList rows;
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column) cells << model.index(row, column).data().toString();
            rows << cells.join('|');
        }
        return rows.join("; ").toStdString();
    }
    bool paints(const std::string& text) {
        all_painted_.clear();
        ui::widgets::observePaintedText([&](const ui::widgets::PaintedText& one) { all_painted_ += one.text.toStdString() + " | "; });
        studio_.window().grab();
        ui::widgets::observePaintedText({});
        return all_painted_.find(text) != std::string::npos;
    }

    tests::Studio studio_;
    std::string all_painted_;  // by the last picture
};

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    if (argc != 3) return 2;
    User user(argv[1], argv[2]);
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << user.obey(line) << std::endl;
        } catch (const std::exception& error) {
            std::cout << "no: " << error.what() << std::endl;
        }
        QTest::qWait(kSettleMs);
    }
    return 0;
}
