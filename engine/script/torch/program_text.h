// The text of a program in PyTorch that is the same for every project, with {{PLACES}} for what is not: filled() of python_text.h fills
// them. Only files of this folder include it.
#pragma once

#include <string_view>

namespace engine::script::torch {

// The parts, in the order in which they stand in a program.
extern const std::string_view kProgramHead;      // what it is, imports, numbers
extern const std::string_view kProgramData;      // samples and the share that a process has of them
extern const std::string_view kProgramModel;     // the model's class, its variables, weights read and written
extern const std::string_view kProgramTraining;  // the rest: losses, processes, the loop

// Of the loop, one of both: the model as each process trains it.
extern const std::string_view kReplicaOfMeans;
extern const std::string_view kReplicaOfSums;  // calls the function below
extern const std::string_view kTakeFirstFunction;

}  // namespace engine::script::torch
