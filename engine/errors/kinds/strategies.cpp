#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kStrategiesKinds[] = {
    {"TDM-S001",
     "strategy.communication: *\n*got NCCL, which needs GPUs*\n*where no mpirun starts the tasks, got MPI*\n*expected a GPU of its own and "
     "NCCL in every task*",
     {"The tasks can't sum gradients so", "태스크들이 그렇게 그래디언트를 더할 수 없음", "任务无法这样汇总梯度"},
     {"NCCL needs a GPU of its own in every task, MPI needs tasks that mpirun starts; RING works everywhere.",
      "NCCL은 태스크마다 자기 GPU가 있어야 하고, MPI는 mpirun이 시작한 태스크여야 합니다. RING은 어디서나 됩니다.",
      "NCCL 要求每个任务有自己的 GPU，MPI 要求任务由 mpirun 启动；RING 在任何地方都可用。"},
     {"Choose AUTO: it takes NCCL where that can work, else RING, and says why.",
      "AUTO를 고르십시오. 되는 곳에서는 NCCL, 아니면 RING을 쓰고 까닭을 말합니다.", "选择 AUTO：能用时取 NCCL，否则取 RING，并说明原因。"},
     {"cluster", "Strategies"},
     {"guide_strategies", "MultiWorkerMirroredStrategy"}},
    {"TDM-S002",
     "strategy.devices*: *\n*expected a device such as *\n*expected CPUs alone or GPUs alone*\n*expected every device once*\n*expected "
     "logical CPUs *\n"
     "*expected one device with *\n*expected CPU:0*\n*one of the strategy's devices, got *\n*The project needs * for a task, here *",
     {"A device that is not there or not allowed", "없거나 쓸 수 없는 장치", "设备不存在或不可用"},
     {"Devices are named CPU:0 or GPU:0, all of one kind and each once; some strategies take one device alone.",
      "장치 이름은 CPU:0이나 GPU:0이며, 모두 같은 종류이고 하나씩이어야 합니다. 어떤 전략은 장치를 하나만 받습니다.",
      "设备写作 CPU:0 或 GPU:0，须为同一类且各出现一次；有些策略只接受一个设备。"},
     {"tandem-cli doctor lists what this computer has; logical CPUs split a processor into several devices.",
      "tandem-cli doctor가 이 컴퓨터의 장치를 보여 줍니다. 논리 CPU는 프로세서를 여러 장치로 나눕니다.",
      "tandem-cli doctor 列出本机的设备；逻辑 CPU 可把一个处理器分成多个设备。"},
     {"cluster", "Strategies"},
     {"guide_strategies", "MirroredStrategy"}},
    {"TDM-S003",
     "*expected MultiWorkerMirroredStrategy with a cluster*\n*expected no ps with MultiWorkerMirroredStrategy*\n*for "
     "MultiWorkerMirroredStrategy, got *",
     {"Strategy and cluster do not go together", "전략과 클러스터가 맞지 않음", "策略与集群不相容"},
     {"Only MultiWorkerMirroredStrategy and ParameterServerStrategy use the jobs of a cluster, and the first has no use for a ps.",
      "클러스터의 태스크를 쓰는 것은 MultiWorkerMirroredStrategy와 ParameterServerStrategy뿐이고, 앞의 것에는 ps가 쓸모없습니다.",
      "只有 MultiWorkerMirroredStrategy 与 ParameterServerStrategy 使用集群的任务，且前者不需要 ps。"},
     {"Choose the strategy for the cluster, or remove the jobs that it can't use.",
      "클러스터에 맞는 전략을 고르거나 쓸 수 없는 태스크를 지우십시오.", "选择适合该集群的策略，或删去它无法使用的任务。"},
     {"cluster", "Strategies"},
     {"guide_strategies", "MultiWorkerMirroredStrategy"}},
    {"TDM-S004",
     "*TPU*\nstrategy.cluster_resolver*: *\n*expected a coordinator_name *\n*whose shapes are fixed, got *\n*Export the script, or choose "
     "another strategy*",
     {"A TPU is trained by the exported script", "TPU는 내보낸 스크립트로 훈련함", "TPU 由导出的脚本训练"},
     {"Tandem has no back-end for TPUs: it checks the project and writes a TensorFlow program for one.",
      "Tandem에는 TPU 백엔드가 없습니다. 프로젝트를 확인하고 TPU를 위한 TensorFlow 프로그램을 씁니다.",
      "Tandem 没有 TPU 后端：它检查项目并写出用于 TPU 的 TensorFlow 程序。"},
     {"Export the script and run it where the TPU is, or choose another strategy to train here.",
      "스크립트를 내보내 TPU가 있는 곳에서 실행하거나, 여기에서 훈련하려면 다른 전략을 고르십시오.",
      "导出脚本并在有 TPU 的地方运行，或选择其他策略在此训练。"},
     {"cluster", "A script for a TPU"},
     {"guide_strategies", "TPUStrategy"}},
    {"TDM-S005",
     "strategy.variable_partitioner*: *\n*for ParameterServerStrategy, got none\n*or null for no bound, got *\n*expected jobs ps and "
     "worker for *\n*expected at least one ps and one worker *",
     {"A setting for parameter servers does not hold", "매개변수 서버의 설정이 맞지 않음", "参数服务器的设置不成立"},
     {"ParameterServerStrategy needs a ps and a worker at least; its epochs count steps, and its partitioner has bounds.",
      "ParameterServerStrategy에는 적어도 ps 하나와 워커 하나가 필요합니다. 에포크는 스텝으로 세고 분할기에는 한계가 있습니다.",
      "ParameterServerStrategy 至少需要一个 ps 和一个工作器；其周期按步计数，分割器有界限。"},
     {"Add the jobs on the Cluster page, or by --workers 2 --servers 1.",
      "클러스터 페이지에서 태스크를 추가하거나 --workers 2 --servers 1을 쓰십시오.",
      "在“集群”页添加任务，或使用 --workers 2 --servers 1。"},
     {"cluster", "Strategies"},
     {"book_parameter_servers", "Cluster and server"}},
    {"TDM-S006",
     "strategy.*: *\nstrategy: *",
     {"A setting of the strategy does not hold", "전략의 설정이 맞지 않음", "策略的设置不成立"},
     {"The strategy is unknown, or the field has a value that this strategy does not take.",
      "전략을 알 수 없거나 필드에 이 전략이 받지 않는 값이 있습니다.", "策略未知，或该字段的值不被此策略接受。"},
     {"tandem-cli strategies lists them with what each needs.", "tandem-cli strategies가 전략과 필요한 것을 보여 줍니다.",
      "tandem-cli strategies 列出各策略及其所需。"},
     {"cluster", "Strategies"},
     {"guide_strategies", "What works with what"}},
    {"TDM-S007",
     "*GPUs for each task, this computer has *\n*GPU for each task, this computer has *\n*no back-end for GPUs*\n*NVIDIA driver*\n*has "
     "compute capability *\n*CUDA*\n*no GPU*",
     {"No GPU can be used", "쓸 수 있는 GPU가 없음", "没有可用的 GPU"},
     {"The project names GPUs, and this computer has none, too few, an old driver, or a Tandem without the back-end for them.",
      "프로젝트는 GPU를 지정하는데, 이 컴퓨터에 없거나 모자라거나, 드라이버가 오래되었거나, Tandem에 GPU 백엔드가 없습니다.",
      "项目指定了 GPU，而本机没有、不够、驱动过旧，或 Tandem 未带相应的后端。"},
     {"Train with --device CPU:0, or install the driver and the package tandem-cuda; the doctor says which is missing.",
      "--device CPU:0으로 훈련하거나 드라이버와 tandem-cuda 패키지를 설치하십시오. 진단이 무엇이 없는지 말합니다.",
      "用 --device CPU:0 训练，或安装驱动和 tandem-cuda 包；诊断会说明缺少什么。"},
     {"cluster", "Diagnostics and the doctor"},
     {"guide_strategies", "MirroredStrategy"}},
};

}  // namespace

std::span<const ErrorKind> ofStrategies() {
    return kStrategiesKinds;
}

}  // namespace engine::errors::kinds
