// A library of the right name with nothing of NVML in it.
extern "C" int notNvml() {
    return 0;
}
