// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/engine_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <optional>
#include <utility>

#include "ui/models/numbers.h"
#include "ui/models/sentence_list.h"

namespace ui::models {
namespace {

// The sentences as the engine writes them, with places for what varies; the first that fits is taken. A test asks the engine for all of
// them.
constexpr const char* kEngineSentences[] = {
    QT_TRANSLATE_NOOP("EngineTexts", "Every worker keeps a full copy; gradients are summed in each step."),
    QT_TRANSLATE_NOOP("EngineTexts", "Several workers, a full copy each"),
    QT_TRANSLATE_NOOP("EngineTexts", "Several devices of one host, each with a full copy."),
    QT_TRANSLATE_NOOP("EngineTexts", "Several devices of one host"),
    QT_TRANSLATE_NOOP("EngineTexts", "Variables live on ps tasks; workers compute by themselves."),
    QT_TRANSLATE_NOOP("EngineTexts", "Variables on ps tasks"),
    QT_TRANSLATE_NOOP("EngineTexts", "Variables on one device, computation on all of one host."),
    QT_TRANSLATE_NOOP("EngineTexts", "Variables on one device of one host"),
    QT_TRANSLATE_NOOP("EngineTexts", "The cores of a TPU, each with a full copy."),
    QT_TRANSLATE_NOOP("EngineTexts", "A TPU's cores, by an exported script"),
    QT_TRANSLATE_NOOP("EngineTexts", "Everything on one device."),
    QT_TRANSLATE_NOOP("EngineTexts", "Everything on one device"),
    QT_TRANSLATE_NOOP("EngineTexts", "No distribution."),
    QT_TRANSLATE_NOOP("EngineTexts", "No distribution"),
    QT_TRANSLATE_NOOP("EngineTexts", "One process; removes the %1 tasks"),
    QT_TRANSLATE_NOOP("EngineTexts", "Removes the ps, which it would wait for"),
    QT_TRANSLATE_NOOP("EngineTexts", "needs a ps task"),
    QT_TRANSLATE_NOOP("EngineTexts", "needs a worker task"),
    QT_TRANSLATE_NOOP("EngineTexts", "A TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version."),
    QT_TRANSLATE_NOOP("EngineTexts", "a cluster has at most one %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1: %2; TensorFlow 2.21: %3; guide: %4"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keras fit"),
    QT_TRANSLATE_NOOP("EngineTexts", "custom loop"),
    QT_TRANSLATE_NOOP("EngineTexts", "Estimator"),
    QT_TRANSLATE_NOOP("EngineTexts", "experimental (%1)"),
    QT_TRANSLATE_NOOP("EngineTexts", "limited (%1)"),
    QT_TRANSLATE_NOOP("EngineTexts", "planned (%1)"),
    QT_TRANSLATE_NOOP("EngineTexts", "no (%1)"),
    QT_TRANSLATE_NOOP("EngineTexts", "yes"),
    QT_TRANSLATE_NOOP("EngineTexts", "experimental"),
    QT_TRANSLATE_NOOP("EngineTexts", "limited"),
    QT_TRANSLATE_NOOP("EngineTexts", "planned"),
    QT_TRANSLATE_NOOP("EngineTexts", "no"),
    QT_TRANSLATE_NOOP("EngineTexts", "may change in a later version"),
    QT_TRANSLATE_NOOP("EngineTexts", "planned for 2.0 RC"),
    QT_TRANSLATE_NOOP("EngineTexts", "basic training and evaluation; no scaffold"),
    QT_TRANSLATE_NOOP("EngineTexts", "tf.estimator was removed"),
    QT_TRANSLATE_NOOP("EngineTexts", "not in this version"),
    QT_TRANSLATE_NOOP("EngineTexts", "needs a TPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "exported as a script for a TPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keras 2; with Keras 3 fit fails before the first step"),
    QT_TRANSLATE_NOOP("EngineTexts", "not supported yet"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keras 2 with steps_per_epoch; not with Keras 3"),
    QT_TRANSLATE_NOOP("EngineTexts", "not in the guide"),
    QT_TRANSLATE_NOOP("EngineTexts", "steps per epoch: %1 (fit.steps_per_epoch)"),
    QT_TRANSLATE_NOOP("EngineTexts", "steps per epoch: %1 (%2 training samples)"),
    QT_TRANSLATE_NOOP("EngineTexts",
                      "learning rate: %1 as chosen for one replica's batch of %2; for %3, %4 (square root) to %5 (linear) are usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "One worker reads all samples."),
    QT_TRANSLATE_NOOP("EngineTexts", "OFF: each of %1 workers reads all samples, in an order of its own."),
    QT_TRANSLATE_NOOP("EngineTexts", "OFF: each of %1 workers reads all samples, in the same order."),
    QT_TRANSLATE_NOOP("EngineTexts", "AUTO deals whole files (FILE), because the set is read file by file: %1 files for %2 workers."),
    QT_TRANSLATE_NOOP("EngineTexts", "FILE: %1 files for %2 workers."),
    QT_TRANSLATE_NOOP("EngineTexts", "AUTO deals single samples (DATA), because the set is held in memory."),
    QT_TRANSLATE_NOOP("EngineTexts", "DATA: each of %1 workers takes 1/%2 of every batch."),
    QT_TRANSLATE_NOOP("EngineTexts", "AUTO takes RING: no NVIDIA GPU here"),
    QT_TRANSLATE_NOOP("EngineTexts", "AUTO takes RING: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "AUTO takes NCCL %1: every task has a GPU of its own"),
    QT_TRANSLATE_NOOP("EngineTexts", "NCCL needs an NVIDIA GPU; this computer has none"),
    QT_TRANSLATE_NOOP("EngineTexts", "MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem"),
    QT_TRANSLATE_NOOP("EngineTexts", "NCCL needs a GPU of its own in every task: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has no GPU: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has no GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has no NCCL: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has no NCCL"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has several replicas on one GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 and %2 share a GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has NCCL %2, %3 %4"),
    QT_TRANSLATE_NOOP("EngineTexts", "the project's devices are CPUs"),
    QT_TRANSLATE_NOOP("EngineTexts", "no NVIDIA driver"),
    QT_TRANSLATE_NOOP("EngineTexts", "an NVIDIA driver, but no GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "the NVIDIA driver's library can't be loaded: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "the NVIDIA driver does not answer: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 is not the NVIDIA driver's, or too old"),
    QT_TRANSLATE_NOOP("EngineTexts", "CUDA_VISIBLE_DEVICES hides every GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has compute capability %2, Tandem needs %3"),
    QT_TRANSLATE_NOOP("EngineTexts", "the driver %1 runs CUDA %2 at most, Tandem needs %3"),
    QT_TRANSLATE_NOOP("EngineTexts", "this installation has no back-end for GPUs (%1)"),
    QT_TRANSLATE_NOOP("EngineTexts", "no GPU"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 is not installed"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 does not tell its version"),
    QT_TRANSLATE_NOOP("EngineTexts", "IDX files"),
    QT_TRANSLATE_NOOP("EngineTexts", "NumPy arrays"),
    QT_TRANSLATE_NOOP("EngineTexts", "NumPy archive"),
    QT_TRANSLATE_NOOP("EngineTexts", "CSV table"),
    QT_TRANSLATE_NOOP("EngineTexts", "Folder of pictures"),
    QT_TRANSLATE_NOOP("EngineTexts", "TFRecord files"),
    QT_TRANSLATE_NOOP("EngineTexts", "CIFAR-10 files"),
    QT_TRANSLATE_NOOP("EngineTexts", "CIFAR-100 files"),
    QT_TRANSLATE_NOOP("EngineTexts", "Labelled texts"),
    QT_TRANSLATE_NOOP("EngineTexts", "Folder of texts"),
    QT_TRANSLATE_NOOP("EngineTexts", "Ones for ones"),
    QT_TRANSLATE_NOOP("EngineTexts", "Wait 600 seconds, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Restart three times, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Restart all tasks, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Let tasks go on without home, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Wait ten seconds for a sign of life, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Share the cores evenly"),
    QT_TRANSLATE_NOOP("EngineTexts", "Let AUTO choose"),
    QT_TRANSLATE_NOOP("EngineTexts", "Leave the size of packs to the engine"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use one device"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use every device of the list once"),
    QT_TRANSLATE_NOOP("EngineTexts", "Add up on the first device"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use NcclAllReduce, as usual"),
    QT_TRANSLATE_NOOP("EngineTexts", "Move %1 to this computer"),
    QT_TRANSLATE_NOOP("EngineTexts", "Move %1 before %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "Move %1 behind %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use the usual order"),
    QT_TRANSLATE_NOOP("EngineTexts", "Take labels as rows, with CategoricalCrossentropy"),
    QT_TRANSLATE_NOOP("EngineTexts", "Mix no samples"),
    QT_TRANSLATE_NOOP("EngineTexts", "Add a worker on this computer"),
    QT_TRANSLATE_NOOP("EngineTexts", "Add a ps and a worker on this computer"),
    QT_TRANSLATE_NOOP("EngineTexts", "Add a %1 at %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "Train without a cluster"),
    QT_TRANSLATE_NOOP("EngineTexts", "Give %1 port %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "Make the addresses the cluster's workers"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the cluster and the task"),
    QT_TRANSLATE_NOOP("EngineTexts", "Make worker 0 the chief"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the task: without jobs nobody reads it"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the task"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the empty job %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the %1 job"),
    QT_TRANSLATE_NOOP("EngineTexts", "Put the address into a list"),
    QT_TRANSLATE_NOOP("EngineTexts", "Number the tasks from 0"),
    QT_TRANSLATE_NOOP("EngineTexts", "Rename the job to %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Rename it to %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keep the first chief and make the others workers"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keep the first address"),
    QT_TRANSLATE_NOOP("EngineTexts", "Take the number for a port of this computer"),
    QT_TRANSLATE_NOOP("EngineTexts", "Write an address"),
    QT_TRANSLATE_NOOP("EngineTexts", "Leave out what is no host and port"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use port %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Write this computer's name, %1, in place of %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use this computer"),
    QT_TRANSLATE_NOOP("EngineTexts", "Make it the text of %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Name the task's job %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "List the evaluator at %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove the evaluator"),
    QT_TRANSLATE_NOOP("EngineTexts", "Name the master chief"),
    QT_TRANSLATE_NOOP("EngineTexts", "Count it as a number"),
    QT_TRANSLATE_NOOP("EngineTexts", "Count it as %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Make it the last one, %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Make it the first one, 0"),
    QT_TRANSLATE_NOOP("EngineTexts", "Remove %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "Keep the JSON alone"),
    QT_TRANSLATE_NOOP("EngineTexts", "Write {}: training alone"),
    QT_TRANSLATE_NOOP("EngineTexts", "Use %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, and none of its tasks told anything: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, and none of its tasks told anything"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, and its tasks told no end: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, and its tasks told no end"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 waits in Slurm's queue: %2, place %3 of %4"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 waits in Slurm's queue, place %2 of %3"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 waits in Slurm's queue: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 waits in Slurm's queue"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 runs on %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 runs"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 is over"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 was cancelled"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 reached its limit of time"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 lost a node"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 needed more memory than it may have"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 ended with exit code %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 ended as %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "job %1 is gone from Slurm"),
    QT_TRANSLATE_NOOP("EngineTexts", "Slurm does not answer: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, after %2 restarts"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1, after 1 restart"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1; the run goes on with %2 of %3 workers, without %4, its learning rate times %5"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1; the run goes on with %2 of %3 workers, without %4"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1; no worker is left to go on"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1: its home was away for %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "its home was away for %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "out of reach and not asked to stop: %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "left out"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 has not answered for %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "%1 sent no heartbeat for %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "no heartbeat for %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "killed by signal %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "exit code %1 before it was done: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "exit code %1 before it was done"),
    QT_TRANSLATE_NOOP("EngineTexts", "exit code %1: %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "exit code %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "stopped because %1 failed"),
    QT_TRANSLATE_NOOP("EngineTexts", "the agent was stopped"),
    QT_TRANSLATE_NOOP("EngineTexts", "the run was done by then"),
    QT_TRANSLATE_NOOP("EngineTexts", "has told nothing for %1 on %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "has told nothing for %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "ended without a word on %1"),
    QT_TRANSLATE_NOOP("EngineTexts", "ended without a word"),
    QT_TRANSLATE_NOOP("EngineTexts", "its folder is gone, or another run began in it"),
    QT_TRANSLATE_NOOP("EngineTexts", "NaN or Inf loss encountered in batch %1"),
    // agent/client/sweep_run and engine/sweep: why a trial has no value
    QT_TRANSLATE_NOOP("EngineTexts", "the run was stopped"),
    QT_TRANSLATE_NOOP("EngineTexts", "expected %1 among the logs of an epoch's end, got none"),
    QT_TRANSLATE_NOOP("EngineTexts", "expected %1 among the logs of an epoch's end, got %2"),
    QT_TRANSLATE_NOOP("EngineTexts", "no reason is known"),
};

const SentenceList& sentences() {
    static const SentenceList all("EngineTexts", kEngineSentences);
    return all;
}

// Returns the text of a place: a count, a time, a sentence, or a name. A port is a name.
QString partText(const QString& part, const char* source, QString (*sentenceText)(const QString&)) {
    static const QRegularExpression time(QStringLiteral("\\A(\\d+(?:\\.\\d+)?) s\\z"));
    if (const auto seconds = time.match(part); seconds.hasMatch())
        return QCoreApplication::translate("EngineTexts", "%1 s").arg(seconds.captured(1));
    bool is_number = false;
    const qlonglong number = part.toLongLong(&is_number);
    if (!is_number) return sentenceText(part);
    return QLatin1String(source).contains(QLatin1String("port %")) ? part : formatCount(number);
}

}  // namespace

std::optional<QString> engineText(const QString& sentence, QString (*inner)(const QString&)) {
    return sentences().translated(sentence, [inner](const QString& text, const char* source) { return partText(text, source, inner); });
}

QString engineText(const QString& sentence) {
    return engineText(sentence, [](const QString& one) { return engineText(one); }).value_or(sentence);
}

QString engineText(const std::string& sentence) {
    return engineText(QString::fromStdString(sentence));
}

}  // namespace ui::models
