// SPDX-License-Identifier: GPL-3.0-or-later
// What the studio exports is opened by programs that know nothing of it: PNG by a decoder, SVG and HTML by xmllint and a browser, PDF by
// poppler, CSV by a spreadsheet and Python, JSON by Python, TF_CONFIG by a shell; and what they read is what the run told. Launch files are
// those of the command line.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QUrl>

#include "engine/spec/keras/keras_code.h"
#include "home.h"
#include "studio.h"
#include "ui/charts/chart_card.h"
#include "ui/export/export_dialog.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/widgets/segmented_control.h"

namespace tests {
namespace {

using ui::session::RunState;
using ui::views::ExportDialog;
using ui::views::ExportPage;
using ui::views::Mode;
using ui::widgets::SegmentedControl;

struct Outcome {
    int exit_code = -1;
    QString out, err;
};

Outcome execute(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(kDeadlineMs) || process.exitStatus() != QProcess::NormalExit) return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

bool isMissing(const char* program) {
    return QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
}

#define SKIP_WITHOUT(program) \
    if (isMissing(program)) GTEST_SKIP() << program << " is not installed (installer/setup.sh --tests)"

// Chromium, whole or without its window; empty where it is missing.
QString browser() {
    for (const char* name : {"chromium-headless-shell", "chromium"}) {
        if (const QString path = QStandardPaths::findExecutable(QLatin1String(name)); !path.isEmpty()) return path;
    }
    return {};
}

#define SKIP_WITHOUT_A_BROWSER \
    if (browser().isEmpty()) GTEST_SKIP() << "chromium-headless-shell is not installed (installer/setup.sh --tests)"

// What the browser makes of a file of this computer, with a profile of its own. Its sandbox needs rights that a container has not.
Outcome browse(const QString& profile, const QString& file, const QStringList& wish) {
    return execute(browser(),
                   QStringList{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=" + profile} + wish +
                       QStringList{QUrl::fromLocalFile(file).toString()});
}

int pixelsOf(const QImage& picture, const QColor& color) {
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) count += picture.pixelColor(x, y) == color;
    return count;
}

// A PNG by the letter of its format, with checksums; prints width, height and how many different pixels there are.
constexpr const char* kReadPng = R"(
import struct, sys, zlib
data = open(sys.argv[1], 'rb').read()
assert data[:8] == b'\x89PNG\r\n\x1a\n'
at, pixels, size, end = 8, b'', None, False
while at < len(data):
    length, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    assert zlib.crc32(kind + body) == struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0], kind
    if kind == b'IHDR': size = struct.unpack('>IIBBBBB', body)
    if kind == b'IDAT': pixels += body
    end = kind == b'IEND'
    at += 12 + length
assert end and at == len(data)
width, height, depth, colour = size[:4]
assert depth == 8 and size[6] == 0
channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
raw, stride = zlib.decompress(pixels), width * channels + 1
assert len(raw) == stride * height
before, seen = bytearray(stride - 1), set()
for y in range(height):
    how, line = raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride])
    for x in range(len(line)):
        a = line[x - channels] if x >= channels else 0
        b, c = before[x], before[x - channels] if x >= channels else 0
        p = a + b - c
        paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
        line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
    for x in range(0, len(line), channels): seen.add(bytes(line[x:x + channels]))
    before = line
print(width, height, len(seen))
)";

class Exports : public testing::Test {
protected:
    // One run for all of them: two epochs of two workers.
    static void SetUpTestSuite() {
        world_ = new World;
        Studio& studio = world_->studio;
        if (!studio.agentIsReady() || !studio.session().project().openStarter("mnist_multi_worker")) return;
        studio.session().project().change("Train a moment", [](engine::spec::RunSpec& run) {
            run.name = "숫자 <two> & \"quoted\"";
            run.data.take = 2560;
            run.fit.epochs = 2;
            run.fit.validation_steps = 2;
            run.callbacks.push_back({"TensorBoard", {}});
        });
        studio.chooseFreePorts();
        studio.click("railLaunchButton");
        waitFor([&] { return studio.session().runs().current() != nullptr && isFinal(studio.run().state()); });
    }
    static void TearDownTestSuite() {
        delete world_;
        world_ = nullptr;
    }
    void SetUp() override {
        ASSERT_EQ(studio().run().state(), RunState::kDone) << studio().run().summary().detail.toStdString();
        ASSERT_TRUE(waitFor([this] { return studio().run().global().size() == 40; }));
        studio().clickMode(Mode::kMonitor);
        ASSERT_TRUE(waitFor([this] { return !studio().find<ui::charts::ChartCard>("chartLoss").isEmpty(); }));
    }
    static Studio& studio() { return world_->studio; }
    static QString id() { return studio().run().id(); }
    // What files of the run are called.
    static QString stem() { return ui::session::fileStemOf(studio().run().summary()); }
    static QColor curve() { return studio().themes().theme().seriesColor(studio().run().summary().color); }
    // As the browser paints it on a page of this size.
    QImage painted(const QString& name, QSize size) {
        const QString picture = file("browser.png");
        const Outcome outcome =
            browse(world_->home.path("browser"), file(name),
                   {"--screenshot=" + picture, QStringLiteral("--window-size=%1,%2").arg(size.width()).arg(size.height())});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err.toStdString();
        return QImage(picture);
    }

    // By the button on Monitor, then a click on the kind.
    void open(ExportPage page) {
        studio().click("monitorExport");
        auto& kinds = studio().find<QListView>("exportKinds");
        studio().clickRow(kinds, kinds.model()->index(static_cast<int>(page), 0));
        ASSERT_EQ(studio().find<ExportDialog>("exportDialog").page(), page);
        folder_ = world_->home.path(QStringLiteral("export %1").arg(++world_->folders));
        studio().click("exportFolder");
        studio().key(Qt::Key_A, Qt::ControlModifier);
        studio().type(folder_);
    }
    void choose(const char* control, int index) { studio().chooseSegment(studio().find<SegmentedControl>(control), index); }
    // Presses Export; the dialog goes when the files are there.
    QStringList write() {
        studio().click("exportConfirm");
        EXPECT_TRUE(waitFor([] { return studio().window().findChild<ExportDialog*>() == nullptr; }));
        return QDir(folder_).entryList(QDir::Files, QDir::Name);
    }
    QString file(const QString& name) const { return folder_ + "/" + name; }
    QByteArray contentOf(const QString& name) const {
        QFile in(file(name));
        EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << name.toStdString();
        return in.readAll();
    }
    // What the run told, as Python lists.
    static QString column(const char* name) {
        QStringList values;
        for (const double value : *studio().run().global().find(name)) values << QString::number(value, 'g', 17);
        return '[' + values.join(',') + ']';
    }

    struct World {
        Home home;
        Studio studio{home.path("studio")};
        int folders = 0;
    };
    static inline World* world_ = nullptr;
    QString folder_;
};

TEST_F(Exports, PngOpensInADecoder) {
    SKIP_WITHOUT("python3");
    open(ExportPage::kCharts);
    for (const char* side : {"exportWidth", "exportHeight"}) {  // small: the decoder below takes its time
        studio().click(side);
        studio().key(Qt::Key_A, Qt::ControlModifier);
        studio().type("240");
        studio().key(Qt::Key_Tab);
    }
    studio().shoot("export-charts");
    EXPECT_EQ(write(), QStringList{stem() + "-charts.png"});
    const Outcome read = execute("python3", {"-c", kReadPng, file(stem() + "-charts.png")});
    ASSERT_EQ(read.exit_code, 0) << read.err.toStdString();
    const QStringList facts = read.out.split(' ');
    EXPECT_EQ(facts[0].toInt(), 2 * (2 * 240 + 10));
    EXPECT_EQ(facts[1].toInt(), 2 * (2 * 240 + 10));
    EXPECT_GT(facts[2].toInt(), 50) << "curves and letters with smooth edges";
}

TEST_F(Exports, SvgOfEachChartParses) {
    SKIP_WITHOUT("xmllint");
    SKIP_WITHOUT("python3");
    open(ExportPage::kCharts);
    choose("exportPictureFormat", 1);
    studio().chooseFromList(studio().find<QComboBox>("exportCharts"), "Each in a picture of its own");
    const QStringList files = write();
    EXPECT_EQ(files.size(), 4) << files.join(' ').toStdString();
    for (const QString& name : files) {
        SCOPED_TRACE(name.toStdString());
        const Outcome lint = execute("xmllint", {"--noout", "--nonet", file(name)});
        EXPECT_EQ(lint.exit_code, 0) << lint.err.toStdString();
        const Outcome parsed = execute(
            "python3", {"-c",
                        "import sys, xml.etree.ElementTree as t\nr = t.parse(sys.argv[1]).getroot()\nassert r.tag == "
                        "'{http://www.w3.org/2000/svg}svg', r.tag\nn = [e.tag.split('}')[1] for e in r.iter()]\nprint(sum(n.count(k) for k "
                        "in ('path', 'polyline')), n.count('text'))",
                        file(name)});
        ASSERT_EQ(parsed.exit_code, 0) << parsed.err.toStdString();
        EXPECT_GT(parsed.out.split(' ')[0].toInt(), 3) << "curves";
        EXPECT_GT(parsed.out.split(' ')[1].toInt(), 5) << "texts as text";
    }
}

TEST_F(Exports, SvgIsPaintedByABrowser) {
    SKIP_WITHOUT_A_BROWSER;
    open(ExportPage::kCharts);
    choose("exportPictureFormat", 1);
    EXPECT_EQ(write(), QStringList{stem() + "-charts.svg"});
    const Outcome read = browse(world_->home.path("browser"), file(stem() + "-charts.svg"), {"--dump-dom"});
    ASSERT_EQ(read.exit_code, 0) << read.err.toStdString();
    for (const char* word : {"Loss", "Accuracy", "Learning rate", "Throughput"}) EXPECT_TRUE(read.out.contains(word)) << word;
    EXPECT_FALSE(read.out.contains("parsererror")) << read.out.left(2000).toStdString();
    const QImage page = painted(stem() + "-charts.svg", {1400, 900});
    ASSERT_EQ(page.size(), QSize(1400, 900));
    EXPECT_GT(pixelsOf(page, curve()), 200) << "the curves in their colour";
}

TEST_F(Exports, KerasFileOfACheckpointIsWrittenAndOpenedAgain) {
    open(ExportPage::kKeras);
    studio().shoot("export-keras");
    EXPECT_TRUE(studio().find<QPlainTextEdit>("exportText").toPlainText().contains("conv2d")) << "what will be in it";
    ASSERT_EQ(studio().find<QComboBox>("exportKerasCheckpoint").currentText(), "ckpt_2") << "the latest";
    EXPECT_EQ(write(), QStringList{stem() + ".keras"});
    EXPECT_TRUE(contentOf(stem() + ".keras").startsWith("PK"));
    const auto layers = studio().run().run().model.layers;
    studio().inFileDialog(file(stem() + ".keras"),
                          [] { studio().answer("Discard", [] { studio().key(Qt::Key_O, Qt::ControlModifier); }); });
    ASSERT_TRUE(
        waitFor([this] { return studio().session().project().spec().fit.initial_weights == file(stem() + ".keras").toStdString(); }));
    EXPECT_EQ(studio().session().project().spec().model.layers, layers);
    EXPECT_EQ(studio().window().mode(), Mode::kModel);
    studio().clickMode(Mode::kMonitor);
    open(ExportPage::kKeras);
    choose("exportKerasFormat", 2);
    studio().chooseFromList(studio().find<QComboBox>("exportKerasCheckpoint"), "ckpt_1");
    EXPECT_EQ(write(), QStringList{stem() + ".weights.h5"});
    EXPECT_TRUE(contentOf(stem() + ".weights.h5").startsWith("\x89HDF"));
}

TEST_F(Exports, OnnxFileOfACheckpointIsWritten) {
    open(ExportPage::kOnnx);
    studio().shoot("export-onnx");
    EXPECT_TRUE(studio().find<QPlainTextEdit>("exportText").toPlainText().contains("conv2d")) << "what will be in it";
    EXPECT_EQ(write(), QStringList{stem() + ".onnx"});
    const QByteArray any = contentOf(stem() + ".onnx");
    EXPECT_TRUE(any.startsWith("\x08")) << "ModelProto begins with ir_version";
    EXPECT_TRUE(any.contains("MaxPool")) << "the nodes are there";
    open(ExportPage::kOnnx);
    studio().find<QSpinBox>("exportOnnxBatch").setValue(3);
    EXPECT_EQ(write(), QStringList{stem() + ".onnx"});
    EXPECT_NE(contentOf(stem() + ".onnx"), any) << "of three samples at once";
}

TEST_F(Exports, CheckpointIsTheRunsOwnAndIsEvaluated) {
    open(ExportPage::kCheckpoint);
    studio().shoot("export-checkpoint");
    const QStringList files = write();
    EXPECT_EQ(files, (QStringList{"checkpoint", "ckpt_2.data-00000-of-00001", "ckpt_2.index"}));
    const QString folder = studio().run().summary().run_dir;
    for (const QString& name : files.mid(1)) {
        QFile own(folder + "/checkpoints/" + name);
        ASSERT_TRUE(own.open(QIODevice::ReadOnly));
        EXPECT_EQ(contentOf(name), own.readAll()) << name.toStdString();
    }
    const Outcome read = execute(QStringLiteral(TANDEM_BIN "/tandem-cli"),
                                 {"evaluate", folder + "/run.json", "--checkpoint", folder_, "--set", "data.take=100", "--json"});
    EXPECT_EQ(read.exit_code, 0) << read.err.toStdString();
    EXPECT_TRUE(read.out.contains("test_accuracy"));
}

TEST_F(Exports, LogsAreThoseOfTensorBoard) {
    open(ExportPage::kLogs);
    write();
    int files = 0;
    for (const char* part : {"train", "validation"}) {
        const QDir own(studio().run().summary().run_dir + "/logs/" + part), copy(file(part));
        EXPECT_FALSE(own.isEmpty()) << part;
        EXPECT_EQ(copy.entryList(QDir::Files), own.entryList(QDir::Files)) << part;
        for (const QString& name : own.entryList(QDir::Files)) {
            ++files;
            EXPECT_EQ(QFileInfo(copy.filePath(name)).size(), QFileInfo(own.filePath(name)).size()) << name.toStdString();
        }
    }
    EXPECT_GE(files, 2);
}

TEST_F(Exports, CodeIsPython) {
    SKIP_WITHOUT("python3");
    open(ExportPage::kCode);
    studio().shoot("export-code");
    EXPECT_EQ(write(), QStringList{"train.py"});
    EXPECT_EQ(contentOf("train.py").toStdString(), engine::spec::projectCode(studio().session().project().spec()));
    const Outcome read = execute("python3", {"-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file("train.py")});
    EXPECT_EQ(read.exit_code, 0) << read.err.toStdString();
}

TEST_F(Exports, ADiagramIsDrawnByGraphviz) {
    SKIP_WITHOUT("dot");
    open(ExportPage::kDiagram);
    studio().shoot("export-diagram");
    EXPECT_EQ(write(), QStringList{"model.dot"});
    const Outcome drawn = execute("dot", {"-Tsvg", file("model.dot")});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err.toStdString();
    EXPECT_TRUE(drawn.out.contains("conv2d (Conv2D)")) << drawn.out.toStdString();
    EXPECT_TRUE(drawn.out.contains("params: 320"));
    open(ExportPage::kDiagram);
    studio().find<SegmentedControl>("exportDiagramBoxes").setCurrent(0);
    EXPECT_EQ(write(), QStringList{"model.dot"});
    EXPECT_FALSE(contentOf("model.dot").contains("params"));
}

TEST_F(Exports, PdfOpensInPoppler) {
    SKIP_WITHOUT("pdftoppm");
    SKIP_WITHOUT("pdftotext");
    open(ExportPage::kCharts);
    choose("exportPictureFormat", 2);
    EXPECT_EQ(write(), QStringList{stem() + "-charts.pdf"});
    Outcome drawn = execute("pdftoppm", {"-r", "72", "-png", file(stem() + "-charts.pdf"), file("page")});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err.toStdString();
    const QImage page(file("page-1.png"));
    ASSERT_FALSE(page.isNull());
    EXPECT_GT(page.width(), page.height());
    EXPECT_GT(pixelsOf(page, curve()), 50) << "the curve in its colour";
    const Outcome words = execute("pdftotext", {"-layout", file(stem() + "-charts.pdf"), "-"});
    ASSERT_EQ(words.exit_code, 0) << words.err.toStdString();
    for (const char* word : {"Loss", "Learning rate", "Throughput"}) EXPECT_TRUE(words.out.contains(word)) << word;
}

TEST_F(Exports, ReportOpensAsHtmlAndAsPdf) {
    SKIP_WITHOUT("xmllint");
    SKIP_WITHOUT("pdftotext");
    open(ExportPage::kReport);
    studio().shoot("export-report");
    EXPECT_EQ(write(), QStringList{stem() + ".html"});
    const QString name = file(stem() + ".html");
    const Outcome strict = execute("xmllint", {"--noout", "--nonet", name});
    EXPECT_EQ(strict.exit_code, 0) << strict.err.toStdString();
    const Outcome html = execute("xmllint", {"--html", "--nonet", "--xpath", "string(//h1)", name});
    EXPECT_EQ(html.exit_code, 0) << html.err.toStdString();
    EXPECT_TRUE(html.out.contains("숫자 <two> & \"quoted\"")) << html.out.toStdString();
    // libxml2 knows the elements of HTML 4: those of HTML 5 are all that it may complain about.
    for (const QString& line : html.err.split('\n'))
        EXPECT_FALSE(line.contains(": HTML parser error") && !line.contains("invalid")) << line.toStdString();
    const Outcome charts = execute("xmllint", {"--html", "--nonet", "--xpath", "count(//svg)", name});
    EXPECT_GE(charts.out.trimmed().toDouble(), 4);

    open(ExportPage::kReport);
    choose("exportReportFormat", 1);
    EXPECT_EQ(write(), QStringList{stem() + ".pdf"});
    const Outcome words = execute("pdftotext", {"-layout", file(stem() + ".pdf"), "-"});
    ASSERT_EQ(words.exit_code, 0) << words.err.toStdString();
    const QString address = QString::fromStdString(studio().run().tasks()[1].address);
    for (const QString& part : {QStringLiteral("숫자"), QStringLiteral("Settings"), QStringLiteral("Tasks"), address,
                                QStringLiteral("Epochs"), QStringLiteral("Checkpoints"), id()})
        EXPECT_TRUE(words.out.contains(part)) << part.toStdString() << " in\n" << words.out.toStdString();
}

TEST_F(Exports, ReportIsPaintedByABrowser) {
    SKIP_WITHOUT_A_BROWSER;
    open(ExportPage::kReport);
    EXPECT_EQ(write(), QStringList{stem() + ".html"});
    const Outcome read = browse(world_->home.path("browser"), file(stem() + ".html"), {"--dump-dom"});
    ASSERT_EQ(read.exit_code, 0) << read.err.toStdString();
    EXPECT_TRUE(read.out.contains(QStringLiteral("<h1>숫자 &lt;two&gt; &amp; \"quoted\"</h1>"))) << read.out.left(4000).toStdString();
    for (const QString& part :
         {QString::fromStdString(studio().run().tasks()[1].address), id(), QStringLiteral("MultiWorkerMirroredStrategy")})
        EXPECT_TRUE(read.out.contains(part)) << part.toStdString();
    const QImage page = painted(stem() + ".html", {1200, 3000});
    ASSERT_EQ(page.size(), QSize(1200, 3000));
    const ui::theme::Theme& light = ui::theme::lightTheme();
    EXPECT_GT(pixelsOf(page, light.seriesColor(1)), 200) << "curves";
    EXPECT_GT(pixelsOf(page, light.text), 500) << "letters";
    EXPECT_GT(pixelsOf(page, light.surface), 100'000) << "cards on their ground";
}

// As cells with numbers, not with texts that look like them.
TEST_F(Exports, CsvOpensInASpreadsheet) {
    SKIP_WITHOUT("ssconvert");
    SKIP_WITHOUT("python3");
    open(ExportPage::kData);
    EXPECT_EQ(write(), QStringList{stem() + ".csv"});
    const QString book = file("book.xml");
    const Outcome opened = execute("ssconvert", {"--export-type=Gnumeric_XmlIO:sax:0", file(stem() + ".csv"), book});
    ASSERT_EQ(opened.exit_code, 0) << opened.err.toStdString();
    const Outcome cells = execute(
        "python3", {"-c",
                    "import sys, xml.etree.ElementTree as t\nns = '{http://www.gnumeric.org/v10.dtd}'\nrows = {}\nfor c in "
                    "t.parse(sys.argv[1]).getroot().iter(ns + 'Cell'):\n  rows.setdefault(int(c.get('Row')), {})[int(c.get('Col'))] = "
                    "(c.get('ValueType'), c.text)\nhead = [rows[0][i][1] for i in range(5)]\nassert head == ['series', 'step', 'epoch', "
                    "'time_s', 'value'], head\nloss = [r for r in rows.values() if r[0][1] == 'loss']\nassert len(loss) == 40, "
                    "len(loss)\nfor r in loss:\n  assert r[0][0] == '60' and all(r[i][0] == '40' for i in (1, 3, 4)), r  # a text, "
                    "numbers\nassert [float(r[1][1]) for r in loss] == list(range(1, 41))\nassert all(abs(float(r[4][1]) - w) <= 1e-6 * "
                    "abs(w) for r, w in zip(loss, " +
                        column("loss") + "))",
                    book});
    EXPECT_EQ(cells.exit_code, 0) << cells.err.toStdString();
}

TEST_F(Exports, CsvAndJsonHoldEveryPointOfTheRun) {
    SKIP_WITHOUT("python3");
    open(ExportPage::kData);
    EXPECT_EQ(write(), QStringList{stem() + ".csv"});
    const QString check =
        QStringLiteral(
            "loss, rate = %1, %2\nassert len(got['loss']) == len(loss) == 40\nfor series, want in (('loss', loss), "
            "('learning_rate', rate)):\n  assert [s for s, v in got[series]] == list(range(1, 41))\n  assert all(abs(v - w) <= "
            "1e-6 * abs(w) for (s, v), w in zip(got[series], want)), series\n")
            .arg(column("loss"), column("learning_rate"));
    const Outcome csv = execute("python3", {"-c",
                                            "import csv, sys\ngot = {}\nfor r in csv.DictReader(open(sys.argv[1], newline='')):\n  "
                                            "got.setdefault(r['series'], []).append((int(r['step']), float(r['value'])))\n" +
                                                check + "assert 'worker 1/wait_us' in got and 'val_loss' in got, sorted(got)",
                                            file(stem() + ".csv")});
    EXPECT_EQ(csv.exit_code, 0) << csv.err.toStdString();

    open(ExportPage::kData);
    choose("exportDataFormat", 1);
    EXPECT_EQ(write(), QStringList{stem() + ".json"});
    const Outcome json =
        execute("python3", {"-c",
                            "import json, sys\nd = json.load(open(sys.argv[1]))\ngot = {s['name']: list(zip(s['step'], "
                            "s['value'])) for s in d['series']}\n" +
                                check + "assert d['run']['id'] == sys.argv[2] and d['run']['name'] == sys.argv[3], d['run']",
                            file(stem() + ".json"), id(), "숫자 <two> & \"quoted\""});
    EXPECT_EQ(json.exit_code, 0) << json.err.toStdString();

    open(ExportPage::kData);
    choose("exportDataFiles", 1);
    const QStringList files = write();
    EXPECT_TRUE(files.contains(stem() + "-loss.csv")) << files.join(' ').toStdString();
    EXPECT_GT(files.size(), 10);
}

TEST_F(Exports, TfConfigOpensInShellAndPython) {
    SKIP_WITHOUT("python3");
    ASSERT_TRUE(studio().session().openRunAsProject(id())) << "another test may have opened another";
    const auto& cluster = studio().session().project().spec().cluster.spec;
    ASSERT_EQ(cluster.taskCount("worker"), 2);
    const QString want =
        QStringLiteral(
            "import json, sys\nc = json.loads(%1)\nassert c == {'cluster': {'worker': ['%2', '%3']}, 'task': {'type': "
            "'worker', 'index': 1}}, c")
            .arg("%1", QString::fromStdString(*cluster.address({"worker", 0})), QString::fromStdString(*cluster.address({"worker", 1})));
    open(ExportPage::kTfConfig);
    EXPECT_EQ(write(), (QStringList{"worker-0.json", "worker-1.json"}));
    Outcome read = execute("python3", {"-c", want.arg("open(sys.argv[1]).read()"), file("worker-1.json")});
    EXPECT_EQ(read.exit_code, 0) << read.err.toStdString();
    open(ExportPage::kTfConfig);
    choose("exportFormats", 2);
    const QStringList shell = write();
    ASSERT_EQ(shell.size(), 2) << shell.join(' ').toStdString();
    read = execute("bash", {"-c", ". \"$0\" && python3 -c \"$1\"", file(shell[1]), "import os\n" + want.arg("os.environ['TF_CONFIG']")});
    EXPECT_EQ(read.exit_code, 0) << read.err.toStdString();
    open(ExportPage::kTfConfig);
    choose("exportFormats", 1);
    const QStringList variables = write();
    ASSERT_EQ(variables.size(), 2) << variables.join(' ').toStdString();
    read = execute("python3", {"-c",
                               "import sys\nk, v = open(sys.argv[1]).read().rstrip('\\n').split('=', 1)\nassert k == 'TF_CONFIG'\n" +
                                   want.arg("v.strip(\"'\")"),
                               file(variables[1])});
    EXPECT_EQ(read.exit_code, 0) << read.err.toStdString();
}

// The command line at the foot, in a shell, gives what the dialog wrote.
TEST_F(Exports, LaunchFilesAreThoseOfTheCommandLine) {
    SKIP_WITHOUT("bash");
    ui::session::Project& project = studio().session().project();
    ASSERT_TRUE(project.openStarter("mnist_multi_worker"));
    ASSERT_TRUE(project.saveAs(world_->home.path("The \"launched\" one's.tandem")));
    const QString path = QStringLiteral("PATH='" TANDEM_BIN "':\"$PATH\" ");
    for (const char* launcher : {"Slurm", "Docker Compose", "Kubernetes", "TFJob (Kubeflow)", "ssh", "Open MPI (mpirun)"}) {
        SCOPED_TRACE(launcher);
        open(ExportPage::kLaunch);
        studio().chooseFromList(studio().find<QComboBox>("exportLauncher"), launcher);
        for (const auto& [field, value] :
             {std::pair{"exportLaunchHosts", "node1,node2:2"}, std::pair{"exportLaunchNodes", "3"}, std::pair{"exportLaunchMemory", "4G"},
              std::pair{"exportLaunchTime", "02:00:00"}, std::pair{"exportLaunchPartition", "gpu,long"},
              std::pair{"exportLaunchSeeds", "3"}, std::pair{"exportLaunchImage", "registry.example/tandem:cuda"}}) {
            auto& editor = studio().find<QWidget>(field);
            if (!editor.isVisible() || !editor.isEnabled()) continue;
            studio().click(field);
            studio().key(Qt::Key_A, Qt::ControlModifier);
            studio().type(value);
        }
        studio().click("exportCopyCommand");
        const QString command = QApplication::clipboard()->text();
        const qsizetype out = command.indexOf(" --out ");
        ASSERT_GT(out, 0) << command.toStdString();
        const Outcome printed = execute("bash", {"-c", path + command.left(out)});
        ASSERT_EQ(printed.exit_code, 0) << command.toStdString() << '\n' << printed.err.toStdString();
        const QStringList files = write();
        ASSERT_EQ(files.size(), 1) << files.join(' ').toStdString();
        EXPECT_TRUE(command.endsWith('/' + files[0])) << command.toStdString();
        EXPECT_EQ(contentOf(files[0]).toStdString(), printed.out.toStdString());
        if (files[0].endsWith(".sh")) {
            EXPECT_EQ(execute("bash", {"-n", file(files[0])}).exit_code, 0);
        }
    }
}

}  // namespace
}  // namespace tests
