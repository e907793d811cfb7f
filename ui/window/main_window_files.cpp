// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's project file: opened, saved, and changed by others.
#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTimer>
#include <QUrl>

#include "engine/run/run_archive.h"
#include "ui/hosts/run_folder_dialog.h"
#include "ui/session/project/model_import.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/message_box.h"
#include "ui/widgets/veil.h"
#include "ui/window/main_window.h"

namespace ui::views {

namespace {
constexpr QSize kRunFolderSize{640, 288};
}

bool MainWindow::mayReplaceProject() {
    emit session_.project().typingWanted();
    if (!session_.project().isModified()) return true;
    QMessageBox question(QMessageBox::NoIcon, tr("Unsaved changes"), tr("%1 has unsaved changes.").arg(session_.project().title()),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    question.setDefaultButton(QMessageBox::Save);
    widgets::dressMessageBox(question, themes_, "save", theme::IconTone::kAccent);
    const int answer = question.exec();
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveProject());
}

void MainWindow::openProject() {
    if (!mayReplaceProject()) return;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a project or a model"), QFileInfo(session_.project().path()).path(),
        tr("Projects and models (*.tandem *.keras *.h5 *.json *.onnx);;Tandem projects (*.tandem);;Keras and ONNX models "
           "(*.keras *.h5 *.json *.onnx)"));
    if (path.isEmpty()) return;
    if (!session::ModelImport::isModelFile(path)) {
        if (session_.project().open(path)) showMode(Mode::kModel);
        return;
    }
    // Asked above already, but for what is changed while the model is read.
    session_.project().openModel(
        path, [this, before = session_.project().spec()] { return session_.project().spec() == before || mayReplaceProject(); });
}

void MainWindow::openRunFolder() {
    new widgets::Veil(themes_, this, new RunFolderDialog(session_, themes_), kRunFolderSize);
}

void MainWindow::openEventFiles() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open the event files of TensorFlow, Keras or PyTorch in a folder"),
                                                             QFileInfo(session_.project().path()).path());
    if (!folder.isEmpty()) session_.runs().openFolder(folder);
}

namespace {

bool isArchive(const QString& path) {
    return path.endsWith(QLatin1String(engine::run::kArchiveEnding), Qt::CaseInsensitive);
}

}  // namespace

void MainWindow::openArchive() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open the archive of a run"), QFileInfo(session_.project().path()).path(),
                                                      tr("Archives of runs (*.tandem-run)"));
    if (!file.isEmpty()) session_.runs().openArchive(file);
}

void MainWindow::saveArchive() {
    const auto* run = session_.runs().current();
    if (run == nullptr) return;
    QString file = QFileDialog::getSaveFileName(
        this, tr("Save the run in one file"),
        QDir(QFileInfo(session_.project().path()).path()).filePath(run->id() + QLatin1String(engine::run::kArchiveEnding)),
        tr("Archives of runs (*.tandem-run)"));
    if (file.isEmpty()) return;
    if (!isArchive(file)) file += QLatin1String(engine::run::kArchiveEnding);
    session_.runs().saveArchive(run->id(), QFileInfo(file).absoluteFilePath());
}

void MainWindow::openFile(const QString& path) {
    if (isArchive(path)) return session_.runs().openArchive(QFileInfo(path).absoluteFilePath());
    if (QFileInfo(path).isDir()) return session_.runs().openFolder(QFileInfo(path).absoluteFilePath());
    if (session::isEventFile(QFileInfo(path).fileName())) return session_.runs().openFolder(QFileInfo(path).absolutePath());
    if (session::ModelImport::isModelFile(path)) return session_.project().openModel(path, [this] { return mayReplaceProject(); });
    if (mayReplaceProject() && session_.project().open(path)) showMode(Mode::kModel);
}

namespace {

// Returns the one file that was dropped and can be opened, or the folder of a run or of event files; empty for anything else.
QString openableIn(const QMimeData* dropped) {
    const QList<QUrl> urls = dropped->urls();
    if (urls.size() != 1 || !urls.front().isLocalFile()) return {};
    const QString path = urls.front().toLocalFile();
    if (session::isFolderOfTasks(path) || session::holdsEventFiles(path) || session::isEventFile(urls.front().fileName())) return path;
    static const QStringList kEndings{"tandem", "tandem-run", "keras", "h5", "json", "onnx"};
    return kEndings.contains(QFileInfo(path).suffix().toLower()) ? path : QString();
}

}  // namespace

// Takes files that are dropped where no page takes them.
void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!openableIn(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = openableIn(event->mimeData());
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    // A question must not hold up whoever the file came from.
    QTimer::singleShot(0, this, [this, path] { openFile(path); });
}

void MainWindow::openTemplate(const QString& id, bool train) {
    if (!mayReplaceProject() || !session_.project().openStarter(id)) return;
    if (train && session_.launcher().obstacle().isEmpty()) return session_.launcher().launch();
    showMode(train ? Mode::kCluster : Mode::kModel);
}

bool MainWindow::saveProject() {
    if (session_.project().path().isEmpty()) return saveProjectAs();
    if (!session_.project().isFileChanged()) return session_.project().save();
    QMessageBox question(QMessageBox::NoIcon, tr("The file has changed"),
                         tr("Another program has changed %1 since it was opened or saved here.").arg(session_.project().title()),
                         QMessageBox::Cancel, this);
    const QPushButton* save_as = question.addButton(tr("Save as…"), QMessageBox::AcceptRole);
    const QPushButton* replace = question.addButton(tr("Replace it"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    widgets::dressMessageBox(question, themes_, "warning");
    question.exec();
    if (question.clickedButton() == replace) return session_.project().save();
    return question.clickedButton() == save_as && saveProjectAs();
}

bool MainWindow::saveProjectAs() {
    QString path = QFileDialog::getSaveFileName(this, tr("Save the project"), session_.project().title(), tr("Tandem projects (*.tandem)"));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += ".tandem";
    return session_.project().saveAs(path);
}

}  // namespace ui::views
