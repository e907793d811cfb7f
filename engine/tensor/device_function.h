// A function that kernels call as well as the host: formulas are written once for every back-end.
#pragma once

#ifdef __CUDACC__
#define TANDEM_DEVICE __host__ __device__
#else
#define TANDEM_DEVICE
#endif
