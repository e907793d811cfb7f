// SPDX-License-Identifier: GPL-3.0-or-later
// The strategy with its devices.
#include <QCoreApplication>

#include "ui/models/findings/sentences.h"

namespace ui::models::findings {
namespace {

constexpr const char* kStrategySentences[] = {
    QT_TRANSLATE_NOOP("FindingTexts", "expected AUTO or RING on CPUs, got NCCL, which needs GPUs"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set it to AUTO."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI"),
    QT_TRANSLATE_NOOP(
        "FindingTexts",
        "Start them by mpirun -np N tandem-worker --from-mpi PROJECT; tandem-cli export launch --kind mpirun writes a script."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected CPUs alone or GPUs alone, got %1 beside %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected every device once, got %1 a second time"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a device such as CPU:0 or GPU:0, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected logical CPUs or logical GPUs, got %1 and %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set one of them to 0."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected one device with %1, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "Choose MirroredStrategy or CentralStorageStrategy for several devices of one computer, MultiWorkerMirroredStrategy "
                      "for several of each worker."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected false on processors, where it has no effect, got true"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a strategy that trains here, got %1: a TPU is trained on by the exported script, since no PJRT plug-in "
                      "runs a project in this version"),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected a strategy that trains here, got %1: an estimator asked for a TPU, which no PJRT plug-in runs in this "
                      "version, and whose script needs a TensorFlow that has tf.estimator"),
    QT_TRANSLATE_NOOP("FindingTexts", "Export the script, or choose another strategy."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected true with %1, whose shapes are fixed, got false"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set it to true."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected the name of a TPU, local, or an address such as grpc://10.240.1.2:8470, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "expected none with the TPU %1, which is looked up nowhere, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "It has no effect."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected a coordinator_name beside the address of the coordinator, got none"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set strategy.cluster_resolver.coordinator_name."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected either steps or epochs, got %1 steps and %2 epochs"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set fit.epochs to 1, or fit.steps to 0."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected 0 with %1, whose epochs count the steps, got %2"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set fit.epochs and fit.steps_per_epoch, or choose ParameterServerStrategy."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected CPU:0 with ParameterServerStrategy, whose workers compute on processors in this version, got %1"),
    QT_TRANSLATE_NOOP("FindingTexts", "Set it to CPU:0."),
    QT_TRANSLATE_NOOP("FindingTexts",
                      "expected no SpectralNormalization with ParameterServerStrategy, whose servers hold the kernel that a worker would "
                      "change, got one"),
    QT_TRANSLATE_NOOP("FindingTexts", "Choose another strategy, or take the layer out of it."),
    QT_TRANSLATE_NOOP("FindingTexts", "expected at least 0, or null for no bound, got %1"),
};

}  // namespace

Sentences ofStrategy() {
    return kStrategySentences;
}

}  // namespace ui::models::findings
