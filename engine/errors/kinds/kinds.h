// The rows of the table, a file a letter. Private to engine/errors.
#pragma once

#include <span>

#include "engine/errors/error_kind.h"

namespace engine::errors::kinds {

std::span<const ErrorKind> ofProjects();    // P: a project's file and the form of its values
std::span<const ErrorKind> ofModels();      // M: layers, shapes, precision
std::span<const ErrorKind> ofData();        // D: files, labels, the input pipeline
std::span<const ErrorKind> ofTraining();    // T: compile, fit, callbacks, estimators
std::span<const ErrorKind> ofStrategies();  // S: strategies and devices
std::span<const ErrorKind> ofClusters();    // C: tasks, addresses, TF_CONFIG
std::span<const ErrorKind> ofWeights();     // W: checkpoints, backups, files of models
std::span<const ErrorKind> ofRuns();        // R: runs, their folders, the agent
std::span<const ErrorKind> ofHosts();       // H: other computers
std::span<const ErrorKind> ofEngines();     // E: Slurm, Kubernetes, MPI
std::span<const ErrorKind> ofUsage();       // U: the command line's options

}  // namespace engine::errors::kinds
