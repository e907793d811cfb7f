#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kEnginesKinds[] = {
    {"TDM-E001",
     "*Slurm took no job: *\n*Slurm did not cancel job *\n*expected Slurm's program on the PATH*\n*Slurm does not answer*\n*job * is gone "
     "from Slurm*\n*job * was cancelled*\n*job * needed more memory*\n*job * reached its limit*\n*job * ended *\n*job * lost a node*",
     {"Slurm refused or ended a job", "Slurm이 잡을 거부하거나 끝냄", "Slurm 拒绝或结束了作业"},
     {"The words behind are Slurm's own: a partition that is not there, a limit, or programs that are not on the agent's PATH.",
      "뒤의 말은 Slurm의 것입니다. 없는 파티션, 제한, 또는 에이전트의 PATH에 없는 프로그램입니다.",
      "后面的话来自 Slurm：分区不存在、超出限制，或程序不在代理的 PATH 中。"},
     {"Compare partition, time and memory with what sinfo shows, and submit again.",
      "파티션, 시간, 메모리를 sinfo가 보여 주는 것과 비교하고 다시 제출하십시오.", "请与 sinfo 显示的分区、时间和内存比较后重新提交。"},
     {"runs", "Runs without an agent"},
     {}},
    {"TDM-E002",
     "*SLURM_*: *",
     {"Slurm's variables are missing or wrong", "Slurm 변수가 없거나 틀림", "Slurm 变量缺失或有误"},
     {"--from-slurm takes a task's place from what srun sets for each of them; sbatch alone sets less.",
      "--from-slurm은 srun이 태스크마다 정하는 변수에서 자리를 읽습니다. sbatch만으로는 모자랍니다.",
      "--from-slurm 从 srun 为每个任务设置的变量中取得位置；仅有 sbatch 不够。"},
     {"Start the tasks by srun, as the exported script does.", "내보낸 스크립트처럼 srun으로 태스크를 시작하십시오.",
      "请像导出的脚本那样用 srun 启动任务。"},
     {"commands", "Cluster"},
     {}},
    {"TDM-E003",
     "*JOB_COMPLETION_INDEX*: *\n*--from-kubernetes*: *\n*expected at most * pods*\n*as a ConfigMap holds*\n*as a TFJob has "
     "them*\n*expected at most * runs in one file*",
     {"Kubernetes does not say or take that", "Kubernetes가 알려 주거나 받지 않음", "Kubernetes 未给出或不接受"},
     {"A pod learns its place from its Job's completion index; a ConfigMap holds 1 MiB, and a TFJob has fixed roles.",
      "포드는 Job의 completion index에서 자리를 압니다. ConfigMap은 1 MiB까지이고 TFJob의 역할은 정해져 있습니다.",
      "pod 通过 Job 的 completion index 得知自己的位置；ConfigMap 最多 1 MiB，TFJob 的角色固定。"},
     {"Apply the exported file as it is; own data files belong on a volume.",
      "내보낸 파일을 그대로 적용하고, 자기 데이터 파일은 볼륨에 두십시오.", "请原样应用导出的文件；自有数据文件应放在卷上。"},
     {"export", "Launch files"},
     {}},
    {"TDM-E004",
     "*OMPI_COMM_WORLD_RANK*: *\n*--meet*: *\n*expected all * ranks there within *\n*--from-mpi*: *\n*as a rank leaves it*\n*expected "
     "ranks that all train*",
     {"The ranks of an mpirun do not meet", "mpirun의 랭크들이 만나지 못함", "mpirun 的各 rank 未能会合"},
     {"Ranks tell each other their hosts in a folder that all see, unless mpirun itself names them.",
      "mpirun이 알려 주지 않으면, 랭크들은 모두가 보는 폴더에서 서로의 컴퓨터를 알립니다.",
      "除非 mpirun 自己给出，各 rank 通过大家都能看到的文件夹互告主机。"},
     {"Give --meet a new folder on a disk that every host has.", "모든 컴퓨터에 있는 디스크의 새 폴더를 --meet에 주십시오.",
      "请给 --meet 一个所有主机都有的磁盘上的新文件夹。"},
     {"commands", "Cluster"},
     {}},
    {"TDM-E005",
     "*expected minutes, hours:minutes:seconds *\n*minutes or more, since the tasks stop *\n*expected a number with K, M, G or "
     "T*\n*expected the name of a partition*\n*--time: *\n*expected as many tasks in all as *\n"
     "*expected as many tasks as the *\n*a job: expected *\n*expected no setting of fit.seed beside it*\n*expected --kind *\n"
     "*expected at most * containers *\n*--gpus-per-task: *\n*expected one task or more*",
     {"A job's form is not right", "잡 양식이 맞지 않음", "作业的写法有误"},
     {"Times, memory and counts are written as the scheduler takes them, and the tasks of all nodes make up the project's cluster.",
      "시간, 메모리, 개수는 스케줄러가 받는 대로 쓰고, 모든 노드의 태스크가 프로젝트의 클러스터와 같아야 합니다.",
      "时间、内存和数量须按调度器的写法，所有节点的任务合起来须等于项目的集群。"},
     {"Write 02:00:00 for two hours, 4G for memory, and nodes times tasks as many as the cluster has.",
      "두 시간은 02:00:00, 메모리는 4G, 노드 × 태스크는 클러스터의 태스크 수로 쓰십시오.",
      "两小时写 02:00:00，内存写 4G，节点数×任务数等于集群的任务数。"},
     {"export", "Launch files"},
     {}},
    {"TDM-E006",
     "*expected the name of an image*",
     {"The image's name is not one", "이미지 이름이 아님", "镜像名称有误"},
     {"Containers are made of an image that the engine finds by its name.", "컨테이너는 엔진이 이름으로 찾는 이미지로 만들어집니다.",
      "容器由引擎按名称找到的镜像创建。"},
     {"Write it as registry.example/tandem:latest; installer/image.sh makes one.",
      "registry.example/tandem:latest처럼 쓰십시오. installer/image.sh가 이미지를 만듭니다.",
      "写成 registry.example/tandem:latest；installer/image.sh 可以制作镜像。"},
     {"export", "Launch files"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofEngines() {
    return kEnginesKinds;
}

}  // namespace engine::errors::kinds
