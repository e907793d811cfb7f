// What a printed plan says of an op's attributes: one function for each kind of attributes, named in the row of a kind of op
// (op_table.cpp). Each takes an op that holds them; what it says may be empty.
#pragma once

#include <string>

#include "engine/plan/plan.h"

namespace engine::plan {

std::string gatherText(const Op& op);
std::string convolutionText(const Op& op);
std::string fusedConvolutionText(const Op& op);
std::string poolingText(const Op& op);
std::string activationText(const Op& op);
std::string batchNormText(const Op& op);
std::string movingAverageText(const Op& op);
std::string groupNormText(const Op& op);
std::string recurrentText(const Op& op);
std::string attentionText(const Op& op);
std::string mergeText(const Op& op);
std::string maskText(const Op& op);
std::string transposeText(const Op& op);
std::string padText(const Op& op);
std::string resizeText(const Op& op);
std::string resampleText(const Op& op);
std::string affineText(const Op& op);
std::string standardizationText(const Op& op);
std::string indexingText(const Op& op);
std::string encodingText(const Op& op);
std::string randomImageText(const Op& op);
std::string randomColorsText(const Op& op);
std::string randomErasingText(const Op& op);
std::string randomBlurText(const Op& op);
std::string randomElasticText(const Op& op);
std::string imageLevelsText(const Op& op);
std::string randomMixText(const Op& op);
std::string spectrumText(const Op& op);
std::string melSpectrogramText(const Op& op);
std::string hashingText(const Op& op);
std::string spectralNormText(const Op& op);
std::string dropoutText(const Op& op);
std::string gaussianNoiseText(const Op& op);
std::string crossEntropyText(const Op& op);
std::string lossText(const Op& op);
std::string metricText(const Op& op);
std::string penaltyText(const Op& op);
std::string lossScaleText(const Op& op);
std::string preparationText(const Op& op);
std::string constraintText(const Op& op);
std::string routeText(const Op& op);
std::string readText(const Op& op);

}  // namespace engine::plan
