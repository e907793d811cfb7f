// Functions and classes of a program in PyTorch, by name: what Keras has and PyTorch has otherwise or not. Only files of this folder
// include it.
#pragma once

#include <span>
#include <string_view>

namespace engine::script::torch {

struct Block {
    std::string_view name;
    std::string_view text;  // ends in two empty lines
};
// The blocks in the order in which they stand in a program: what a block uses comes before it.
std::span<const Block> modelBlocks();

}  // namespace engine::script::torch
