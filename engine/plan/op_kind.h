// What each kind of op computes. What else is known of a kind stands in its row of engine/plan/op_table.cpp.
#pragma once

namespace engine::plan {

enum class OpKind {
    // Forward and backward ops as the layers contribute them. Inputs -> outputs in the order given. Shapes have the batch axis first, with
    // one item a sample or, inside TimeDistributed, several (itemsPerSample); a step with fewer samples works on the first ones. Plans with
    // training = false hold no backward ops, no argmax and no masks.
    kGather,            // batch view -> input (float32), label (, sample weight)    (GatherAttributes). Label: int32 classes of the
                        // output's shape without the last axis, float32 of the output's shape, or a sequence of
                        // int32 classes, as the loss wants it
    kConv2D,            // x, kernel -> y                            (ConvolutionAttributes)
    kConv2DBackInput,   // dy, kernel -> dx
    kConv2DBackKernel,  // x, dy -> dkernel
    kMatMul,            // x (B, ..., K), w (K, N) -> y (B, ..., N): every axis but the last counts rows; w by matrixShape()
    kMatMulBackInput,   // dy, w -> dx
    kMatMulBackWeight,  // x, dy -> dw
    kBiasAdd,           // x, bias -> y                              (bias along the last axis)
    kBiasAddBack,       // dy -> dbias
    kActivation,        // x -> y                                    (ActivationAttributes)
    kActivationBack,    // y or x (derivesFromInput), dy -> dx
    kPrelu,             // x, alpha -> y: alpha x below 0            (alpha by broadcastIndices)
    kPreluBack,         // x, alpha, dy -> dx (, dalpha)
    kBatchNorm,         // x (, gamma) (, beta), moving mean, moving variance -> y (, mean, 1 / sqrt(variance + epsilon), step of the
                        // moving mean, of the moving variance)       (BatchNormAttributes)
                        // (x - mean) / sqrt(variance + epsilon) gamma + beta, with statistics of the batch when training, else (and of
                        // an empty batch) the moving ones. A step is statistic * (1 - momentum) / replicas. synchronized: the sums of
                        // kBatchSums are the last input. masked: statistics of what counts, 0 where nothing does; the mask is the last
                        // input, the number of values by channel the last output
    kBatchNormBack,     // x (, gamma), mean, 1 / deviation (frozen: moving mean, moving variance), dy -> dx (, dgamma) (, dbeta)
                        // synchronized: the sums of kBatchBackSums are the last input, dx the only output. masked: the numbers of
                        // values and the mask are the last inputs
    kBatchSums,         // x, moving mean m -> sums: of x - m, of (x - m)^2 by channel, number of values. Reduced before it is read
    kBatchBackSums,     // x, mean, 1 / deviation, dy -> sums: of dy normalized, of dy by channel, number of values (, dgamma) (, dbeta)
    kMovingAverage,     // state, its step -> state: state * momentum + step; phase kUpdate    (BatchNormAttributes). Of a weight without a
                        // gradient: the slot of its moving average and, as the step, itself, with momentum 0
    kGroupNorm,         // x (, gamma) (, beta) -> y                 (GroupNormAttributes; gamma, beta: (groups * width))
    kGroupNormBack,     // x (, gamma), dy -> dx (, dgamma) (, dbeta)
    kUnitNorm,          // x -> y = x / |x| by rows                  (GroupNormAttributes: width)
    kUnitNormBack,      // x, dy -> dx
    kSpectralNorm,      // kernel, u (1, N) -> kernel, u: before its step, the kernel divided by its largest singular value, which
                        // powers of u come near to; a kernel of zeros stays                    (SpectralNormAttributes)
    kIndex,             // x[, values[, places]] -> y: a whole number for each value     (Indexing)
    kHash,              // ids -> y: the place of each id's text in a table of hashes    (Hashing: engine/backend/hashing.h)
    kEncode,            // ids -> y (..., depth): ones at their places    (Encoding)
    kEmbedding,         // ids (whole numbers as float32), table (V, D) -> y (ids' shape, D)
    kEmbeddingBack,     // ids, dy -> dtable
    kRecurrent,         // products of the input z (N, T, gates * units), kernel U (units, gates * units) (, bias) -> y, gates as they
                        // act (as z), state before each time (N, T, units) (, inner (N, T, units)). h, c: states; a: activation, s:
                        // recurrent one                              (RecurrentAttributes)
                        //   simple  h = a(z + h U)
                        //   LSTM    i, f, g, o: c = f c + i g, h = o a(c); i, f, o by s, g by a; inner: c
                        //   GRU     u, r, g: h = u h + (1 - u) g; u, r by s; g = a(z + r (h U)), inner: h U; without reset_after
                        //           g = a(z + (r h) U), inner: r h
    // recurrent_dropout > 0: the last output is a mask (N, gates, units), uint8: each gate's product with U takes h with its
    // own units dropped, the same at all times  (engine/backend/dropout_mask.h)
    // masked: the times' mask is the last input; c stays, too, and nothing else is kept of such a time
    // window: all have the axes of the cells (planes, rows, columns) before the last one, U those of the window. In place of the state
    // before each time stands what the product saw of it: (..., units), or with recurrent_dropout (..., gates, units) as one axis, of
    // which each gate's part of U takes its own. The mask is of that shape, for a sample.
    kRecurrentBack,     // U, gates, states before (, inner) (, mask), dy (, times' mask) -> dz (, scratch (N, T, units) of a GRU) (, dU)
                        // (, dbias). window: U, gates, inner (, mask), dy (, times' mask) -> dz; dU is a convolution's
    kAttentionWeights,  // q, k (N, T, heads * size) (, mask) -> p (N, heads, T, T): the softmax of scale q k over the keys that a
                        // query looks at, 0 elsewhere                (AttentionAttributes)
    kAttentionWeightsBack,  // q, k, p, dp (, mask) -> dq, dk. A query that no key counts for has none
    kAttentionValues,       // p, v (N, T, heads * size) -> y (N, T, heads * size): each query's sum of values
    kAttentionValuesBack,   // p, v, dy -> dp, dv
    kMerge,                 // a, b -> y, along the last axis            (MergeAttributes)
    kMergeBack,             // a, b, dy -> da, db
    kMaxPool2D,             // x -> y, argmax                            (Window2D). argmax: row * kernel_w + column of the first
                            // maximum within its window; uint8, or int32 for windows above 256 cells
    kMaxPool2DBack,         // dy, argmax -> dx. Of a whole image: dy, x, y -> dx, in equal shares to the maxima, and argmax is not there
    kAveragePool2D,         // x -> y: the mean of the window's cells that lie in the image    (Window2D)
    kAveragePool2DBack,     // dy -> dx
    kMask,                  // x -> mask: 1 where a value of the row is not `value`    (MaskAttributes)
    kApplyMask,             // x, mask -> y: the rows that count, else 0. Its own way back
    kMaskedMean,            // x (N, T, C), mask (N, T) -> y (N, C): the mean of the rows that count; 0 / 0 where none does, as in Keras
    kMaskedMeanBack,        // dy, mask -> dx
    kReshape,               // x -> y: the same bytes, aliased by the memory planner
    kCast,                  // x... -> y...: the same values in the types of the ys; to bfloat16 by engine/tensor/bfloat16.h. Made by
                            // withMixedPrecision()
    kTranspose,             // x -> y                                    (Permutation)
    kPad2D,                 // x -> y                                    (Pads2D; the way back is the op with the signs turned)
    kUpsample2D,            // x -> y                                    (Resize2D)
    kUpsample2DBack,        // dy -> dx
    kPatches,               // x -> y (N, OH, OW kh kw, C): the cells of each window, row by row, zeros beyond the image    (Window2D)
    kPatchesBack,           // dy -> dx: the sum of what became of each cell
    kResample2D,            // x -> y                                    (Resample2D: engine/backend/image/resample_taps.h)
    kResample2DBack,        // dy -> dx
    kAffine,                // x -> y = scale x + offset                 (Affine)
    kStandardize,           // x (, mean, variance) -> y = (x - mean) / deviation    (Standardization)
    kDropout,          // x -> y, mask                              (DropoutAttributes; mask uint8: 1 = kept. engine/backend/dropout_mask.h)
                       // A size 1 in the mask's shape where x has more: one fate for all along that axis
    kDropoutBack,      // dy, mask -> dx
    kGaussianNoise,    // x -> y                                    (GaussianNoiseAttributes. engine/backend/gaussian_noise.h)
                       // Where it multiplies, it is its own way back
    kRandomImage,      // x -> y, maps                              (RandomImage; maps float32 (N, 8): engine/backend/image/image_map.h)
    kRandomImageBack,  // dy, maps -> dx
    kRandomColors,     // x -> y                                    (RandomColors: engine/backend/image/color_map.h)
    kRandomColorsBack,     // dy, x -> dx: draws the same numbers again
    kRandomErasing,        // x -> y                                    (RandomErasing: engine/backend/image/erasing.h)
    kRandomErasingBack,    // dy -> dx: draws the same box again
    kRandomBlur,           // x -> y                                    (RandomBlur: engine/backend/image/blur.h)
    kRandomBlurBack,       // dy, x -> dx: draws the same numbers again
    kRandomElastic,        // x -> y, field                             (RandomElastic; field float32 (N, H, W): how far away each cell is
                           // read: engine/backend/image/elastic_map.h)
    kRandomElasticBack,    // dy, x, field -> dx
    kImageLevels,          // x -> y                                    (ImageLevels: engine/backend/image/levels.h)
    kImageLevelsBack,      // dy, x -> dx
    kRandomMix,            // x, a... -> y, weights                     (RandomMix; weights float32 (N, inputs), of each input:
                           // engine/backend/image/random_mix.h)
    kRandomMixBack,        // dy, weights, x, a... -> dx, da...
    kSpectrum,             // real part, imaginary part (..., frequencies) -> y    (Spectrum)
    kSpectrumBack,         // dy, real part, imaginary part -> their gradients
    kMelSpectrogram,       // x (N, samples) -> y (N, bands, frames)    (MelSpectrogram: engine/backend/signal/mel_spectrogram.h)
    kMelSpectrogramBack,   // dy, x -> dx
    kSoftmaxCrossEntropy,  // logits, label -> dlogits, header: loss sum, correct, count. Not training: -> header alone (always the last).
                           // dlogits is divided by (samples in the batch * replicas)           (CrossEntropyAttributes)
    kLoss,                 // scores, label (, sample weight) (, mask) -> dscores, header: loss * samples, count    (LossAttributes). Not
                           // training: -> header alone. What the op above does not cover. Rows that the mask leaves out weigh nothing
    kPenalty,              // variables and outputs of layers -> header: adds their penalties times samples to the loss  (PenaltyAttributes)
    kPenaltyBack,          // x, gradient (, scale) -> the same gradient, with the penalty's slope over the replicas added, times the
                           // loss scale where there is one
    kMetric,               // output, label (, sample weight) (, mask) -> header: what the batch adds to a metric's sums (MetricAttributes)
    kScaleGradient,        // gradient, scale -> gradient: that of the scaled loss
    kUnscaleGradients,     // all gradients, scale, finite steps in a row, steps left out -> these three. The gradients, after their
                           // reduction, are divided by the scale in place. Where one of them is not finite, the scale is halved, the row
                           // is over and the step leaves out every op behind this one that applies them; else the row grows, and at its
                           // end the scale is doubled (LossScaleAttributes). Updates count the steps that were not left out. Made by
                           // withLossScale()
    kPrepareGradients,     // all gradients (, an accumulator slot of each) (-> accumulators): accumulates, clips. They change in place,
                           // before their reduction, or where they are accumulated or scaled behind it    (OptimizerAttributes)
    kCustomLoss,           // scores -> dscores, header: loss sum, count. A function of the program's own: ExecutorOptions::loss
    kUpdate,               // parameter, gradient, slots... -> parameter, slots...   (OptimizerAttributes)
    kConstrain,            // parameter -> parameter: after its update  (ConstraintAttributes)
    kAllReduce,            // gradients of `bucket` (bucket 0: header first) -> the same. Starts the reduction; the first op that reads one
                           // of them, and the end of the step, wait for it. Between the devices of one task it goes a ReduceRoute
    kReadVariables,        // -> parameters, states: this replica's copies of what ReduceRoute::main holds (CentralStorageStrategy)
    kPull,                 // -> parameters, states: what the parameter servers hold now       (ParameterServerStrategy)
    kPush,                 // gradients of `bucket` (bucket 0: header first) -> the same. Hands them to the parameter servers; the end of
                           // the step waits until they are applied
    // Made by fuse().
    kFusedConvBlock,      // conv + bias + activation (linear, relu) (+ pooling): x, kernel, bias -> y (, argmax when it pools and trains)
    kFusedConvBlockBack,  // x, kernel, y (, argmax), dy -> dkernel, dbias (, dx); dy in the place of y where nothing follows the product
    kFusedDense,          // x, w, bias -> y                            (linear, relu)
    kFusedDenseBack,      // x, w, y, dy -> dw, dbias (, dx); the same
    kFusedUpdate,         // (parameter, gradient, slots...) of each parameter of `bucket` (-1: all) -> (parameter, slots...) of each, in
                          // memory order: see engine/backend/flat_update.h
};

}  // namespace engine::plan
