// What differs between processors below the level of kernels.
#pragma once

namespace engine::backend::cpu {

// While it lives, the calling thread treats denormal numbers as zero: arithmetic on them is slower by an order of magnitude, and gradients
// of a trained network are full of them.
class FlushDenormals {
public:
    FlushDenormals();
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned saved_;
};

// Tells the core that this thread spins.
void pauseCore();

}  // namespace engine::backend::cpu
