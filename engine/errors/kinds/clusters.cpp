#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kClustersKinds[] = {
    {"TDM-C001",
     "*expected an address of its own, got * as in *",
     {"Two tasks have one address", "두 태스크의 주소가 같음", "两个任务地址相同"},
     {"Each task listens at an address of its own. On one machine the second server can't start, and TensorFlow would wait for ever.",
      "태스크마다 자기 주소에서 기다립니다. 한 컴퓨터에서는 두 번째 서버가 시작하지 못하고, TensorFlow는 끝없이 기다립니다.",
      "每个任务在自己的地址监听。在同一台机器上第二个服务器无法启动，TensorFlow 会一直等待。"},
     {"Give one of them another port: Fix in Diagnostics does.", "하나에 다른 포트를 주십시오. 진단의 고치기가 해 줍니다.",
      "给其中一个换端口：“诊断”中的“修复”可以完成。"},
     {"cluster", "TF_CONFIG"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C002",
     "*expected an address \"host:port\"*\n*expected a host name before the port*\n*expected a port of at *\n*expected an address as "
     "text*\n"
     "*: expected ports up to 65535 *\n*is not an address*\n*expected an address such as *",
     {"An address is no host:port", "주소가 host:port가 아님", "地址不是 host:port"},
     {"Addresses are a host's name or number, a colon and a port from 1 to 65535, without scheme or slash.",
      "주소는 컴퓨터의 이름이나 번호, 쌍점, 1에서 65535까지의 포트이며, 스킴이나 빗금이 없습니다.",
      "地址由主机名或编号、冒号和 1 至 65535 的端口组成，不带协议前缀或斜杠。"},
     {"Write it as node1:12345, or [fd00::1]:12345 with IPv6.", "node1:12345처럼, IPv6이면 [fd00::1]:12345처럼 쓰십시오.",
      "写成 node1:12345，IPv6 写成 [fd00::1]:12345。"},
     {"cluster", "TF_CONFIG"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C003",
     "*expected a host name that can be resolved*\n*expected names that every host can reach*\n*no address is known for this name*\n"
     "*the host does not resolve*\n*expected a name or an address that other computers know*",
     {"A host's name leads nowhere", "컴퓨터 이름이 이어지지 않음", "主机名无法到达"},
     {"The name is not known here, or it is localhost, which means another computer on each host.",
      "여기에서 모르는 이름이거나, 컴퓨터마다 자신을 뜻하는 localhost입니다.",
      "此处不认识该名称，或它是 localhost，在每台主机上指不同的计算机。"},
     {"Write the name or the number by which the other hosts reach it, or add it to /etc/hosts.",
      "다른 컴퓨터가 닿을 수 있는 이름이나 번호를 쓰거나 /etc/hosts에 추가하십시오.",
      "写出其他主机能到达它的名称或编号，或把它加入 /etc/hosts。"},
     {"cluster", "Hosts"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C004",
     "rpc_layer: *\n*expected a job named chief, worker, ps or evaluator*\n*expected either a chief or the older master*\n*expected an "
     "object of "
     "jobs*\n*expected a job of the cluster, got *\n*expected cluster, task or rpc_layer, got *",
     {"A job that a cluster does not have", "클러스터에 없는 잡 이름", "集群中没有的作业名"},
     {"TF_CONFIG knows the jobs chief, worker, ps and evaluator, in lower case; nothing reads another name.",
      "TF_CONFIG가 아는 잡은 소문자로 chief, worker, ps, evaluator입니다. 다른 이름은 아무도 읽지 않습니다.",
      "TF_CONFIG 只认识小写的 chief、worker、ps 和 evaluator；其他名称不会被读取。"},
     {"Rename or remove the job.", "잡의 이름을 바꾸거나 지우십시오.", "请改名或删除该作业。"},
     {"cluster", "Tasks and roles"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C005",
     "*expected indices from 0 to *\n*expected an index below the number of *\n*expected 0 for the evaluator*\n*expected whole numbers as "
     "keys of tasks*\n*expected task indices as keys*",
     {"Tasks are not numbered from 0", "태스크 번호가 0부터가 아님", "任务未从 0 编号"},
     {"The tasks of a job have the indices 0, 1, 2 … without gaps, and a task's own index is one of them.",
      "잡의 태스크 번호는 빈자리 없이 0, 1, 2 …이고, 태스크의 자기 번호는 그 가운데 하나입니다.",
      "一个作业的任务序号为 0、1、2……且不间断，任务自己的序号须在其中。"},
     {"Number them from 0; Fix does where it is clear what was meant.", "0부터 번호를 매기십시오. 뜻이 분명하면 고치기가 해 줍니다.",
      "从 0 开始编号；意图明确时“修复”可以完成。"},
     {"cluster", "TF_CONFIG"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C006",
     "*TF_CONFIG, task*: *\ntask*: *\n*expected type and index of this task*\n*expected the position of this task *\n*expected the job of "
     "this task *\n"
     "*expected a type beside the index*\n*expected worker without a cluster*\n*expected 0 without a cluster*\n*expected jobs beside a "
     "task*\n*expected an object with type and index*",
     {"TF_CONFIG does not say which task this is", "TF_CONFIG가 어느 태스크인지 말하지 않음", "TF_CONFIG 未说明这是哪个任务"},
     {"Each process needs type and index of its own beside the cluster, which is the same for all.",
      "프로세스마다 모두 같은 cluster 옆에 자기의 type과 index가 있어야 합니다.",
      "每个进程除了大家相同的 cluster 之外，还需要自己的 type 和 index。"},
     {"Write \"task\": {\"type\": \"worker\", \"index\": 0}, with another index in each terminal.",
      "\"task\": {\"type\": \"worker\", \"index\": 0}처럼 쓰고, 터미널마다 index를 다르게 하십시오.",
      "写成 \"task\": {\"type\": \"worker\", \"index\": 0}，每个终端的 index 不同。"},
     {"cluster", "TF_CONFIG"},
     {"tutorial_estimator", "Two terminals"}},
    {"TDM-C007",
     "*TF_CONFIG: expected *\n*expected JSON, as TensorFlow reads it*",
     {"TF_CONFIG is no JSON object", "TF_CONFIG가 JSON 객체가 아님", "TF_CONFIG 不是 JSON 对象"},
     {"TensorFlow reads the variable with a JSON parser: Python's text of a dictionary, with single quotes, is none.",
      "TensorFlow는 이 변수를 JSON으로 읽습니다. 작은따옴표를 쓰는 Python 사전의 텍스트는 JSON이 아닙니다.",
      "TensorFlow 用 JSON 解析器读取该变量：Python 字典的文本（单引号）不是 JSON。"},
     {"Write it with json.dumps, or export it: tandem-cli export tf-config.",
      "json.dumps로 쓰거나 tandem-cli export tf-config로 내보내십시오.", "用 json.dumps 写出，或导出：tandem-cli export tf-config。"},
     {"cluster", "TF_CONFIG"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C008",
     "*expected a free port*\n*expected a free one, got one that *\n*is in use by another program*\n*: port * is not free\n*: port * is "
     "taken*\n"
     "port *: *\n"
     "*ports: expected a free one*",
     {"A port is not free", "포트가 비어 있지 않음", "端口被占用"},
     {"Another program, often a worker of an earlier try, listens at the port.",
      "다른 프로그램이, 흔히 지난번의 워커가, 그 포트에서 기다리고 있습니다.", "另一个程序（多半是上次的工作器）正在该端口监听。"},
     {"End it, or choose another port: Fix does; tandem-cli doctor names who holds it.",
      "그것을 끝내거나 다른 포트를 고르십시오. 고치기가 해 주며, tandem-cli doctor가 누가 쓰는지 말합니다.",
      "结束它，或换一个端口（“修复”可完成）；tandem-cli doctor 会指出占用者。"},
     {"troubleshooting", "Before the launch"},
     {"tutorial_estimator", "Two terminals"}},
    {"TDM-C009",
     "*expected at least one chief or worker*\n*expected at least one * for ParameterServerStrategy*\n*expected one chief for an "
     "Estimator*\n"
     "*expected at least one task to export*\n*expected at least one address, got none\n*expected at most one *, got *\ncluster.*: "
     "expected at least one *",
     {"A role of the cluster is missing or filled twice", "클러스터의 역할이 없거나 겹침", "集群的角色缺失或重复"},
     {"A cluster has a chief or a worker at least, at most one chief, and a job that is there has an address.",
      "클러스터에는 적어도 chief나 worker가 하나 있고, chief는 하나까지이며, 있는 잡에는 주소가 있어야 합니다.",
      "集群至少有一个 chief 或 worker，最多一个 chief；已有的作业须有地址。"},
     {"Add the task that is missing with its address, or remove the job.", "빠진 태스크를 주소와 함께 추가하거나 그 잡을 지우십시오.",
      "添加缺少的任务及其地址，或删除该作业。"},
     {"cluster", "Tasks and roles"},
     {"tutorial_estimator", "TF_CONFIG"}},
    {"TDM-C010",
     "*evaluator*: *\n*expected checkpoints to evaluate while the run trains*\n*expected an evaluator that the cluster lists*\n*expected "
     "no evaluator *\n*beside an evaluator and parameter servers*",
     {"The evaluator has nothing to do", "evaluator가 할 일이 없음", "评估器无事可做"},
     {"An evaluator reads checkpoints while the run trains: one has to write them, where the evaluator sees them.",
      "evaluator는 훈련하는 동안 체크포인트를 읽습니다. 그것이 보는 자리에 누군가 체크포인트를 써야 합니다.",
      "evaluator 在训练期间读取检查点：须有任务把检查点写到它能看到的地方。"},
     {"Add the callback ModelCheckpoint, or save_checkpoints_steps of an estimator, or remove the evaluator.",
      "ModelCheckpoint 콜백이나 에스티메이터의 save_checkpoints_steps를 넣거나 evaluator를 지우십시오.",
      "添加 ModelCheckpoint 回调或 Estimator 的 save_checkpoints_steps，或删除 evaluator。"},
     {"cluster", "Tasks and roles"},
     {"tutorial_estimator", "An evaluator"}},
    {"TDM-C011",
     "*hostfile: *\n*expected slots=N *\n*expected at least 1 slot *\n*expected a range such as 01-04*\n*expected at most 4096 "
     "hosts*\n*expected a host between two commas*\n"
     "*expected the list of hosts, got none\n*expected counts such as 2(x3)*\n*expected a count for each of *\n*expected at least 1 task "
     "*\n*expected a rank below *\n*expected 1 to * tasks, got *\n*expected addresses of tasks that the text itself gives*\n*expected a "
     "TF_CONFIG, a hostfile or Slurm's variables*",
     {"A pasted cluster can't be read", "붙여 넣은 클러스터를 읽을 수 없음", "粘贴的集群无法读取"},
     {"Tandem reads TF_CONFIG, hostfiles of mpirun, Slurm's variables and code of TensorFlow; the line that is named is none of them.",
      "Tandem은 TF_CONFIG, mpirun의 hostfile, Slurm 변수, TensorFlow 코드를 읽습니다. 알려 준 줄은 그 무엇도 아닙니다.",
      "Tandem 可读取 TF_CONFIG、mpirun 的 hostfile、Slurm 变量和 TensorFlow 代码；所指的那一行都不是。"},
     {"Write a host a line, such as node2 slots=2, or paste the whole text that the scheduler printed.",
      "node2 slots=2처럼 줄마다 컴퓨터 하나를 쓰거나, 스케줄러가 출력한 텍스트를 통째로 붙여 넣으십시오.",
      "每行写一台主机，例如 node2 slots=2，或粘贴调度器输出的全文。"},
     {"cluster", "Paste what you have"},
     {}},
    {"TDM-C012",
     "*expected an address of this computer*\n*is another's*\n*expected an address of this computer or of one of the list of hosts*",
     {"The address is another computer's", "다른 컴퓨터의 주소", "地址属于另一台计算机"},
     {"A task listens at its own address, so that it has to be one of the computer on which it was started.",
      "태스크는 자기 주소에서 기다리므로, 그것을 시작한 컴퓨터의 주소여야 합니다.", "任务在自己的地址监听，因此地址须属于启动它的计算机。"},
     {"Start the task on that computer, add the computer to the list of hosts, or write an address that is here.",
      "태스크를 그 컴퓨터에서 시작하거나, 그 컴퓨터를 목록에 추가하거나, 이곳의 주소를 쓰십시오.",
      "在那台计算机上启动任务、把它加入主机列表，或写本机的地址。"},
     {"cluster", "Several computers, by hand"},
     {"tutorial_estimator", "Two terminals"}},
    {"TDM-C013",
     "cluster.max_restarts: *\ncluster.on_task_lost: *\ncluster.heartbeat_fatal_s: *\ncluster.home_lost_s: *\ncluster.threads_per_task: *\n"
     "*expected restart or fail with *\n*expected 0 for never, or *\ncluster*: *",
     {"A setting of the cluster does not hold", "클러스터의 설정이 맞지 않음", "集群的设置不成立"},
     {"A field of the cluster has a value out of its bounds, or one that this strategy can't follow.",
      "클러스터의 필드에 한계를 벗어난 값이나 이 전략이 따를 수 없는 값이 있습니다.", "集群的某个字段的值超出界限，或此策略无法遵从。"},
     {"Take a value of those that the message gives; restart works with every strategy that keeps a backup.",
      "메시지가 알려 주는 값을 쓰십시오. restart는 백업을 두는 모든 전략에서 됩니다.",
      "请取信息所给的值；restart 适用于所有保留备份的策略。"},
     {"cluster", "Strategies"},
     {}},
    {"TDM-C014",
     "*has not proven the secret*\n*has not proven the cluster's key*\n*tandem-cli cluster-key*\n*expected a key that *\n*expected a new "
     "file, since a key is never overwritten*\n"
     "*to which the way must be encrypted*\n*that have not proven the cluster's key*\n*certificate: *\n*TLS: *\n"
     "*expected the secret of the run from the agent*\n"
     "*expected the file of *\n"
     "*expected a file of this user, got one of user *\n"
     "*expected a file that this user alone may write*",
     {"A task is not trusted", "태스크를 믿을 수 없음", "任务未被信任"},
     {"Tasks prove a secret to each other: by the agent on one computer, by a key file between computers. Somebody without it is turned "
      "away.",
      "태스크들은 비밀을 서로 증명합니다. 한 컴퓨터에서는 에이전트가, 컴퓨터 사이에서는 키 파일이 그 비밀입니다. 없는 쪽은 거절됩니다.",
      "任务之间须相互证明秘密：同一台计算机由代理提供，计算机之间由密钥文件提供。没有它的一方会被拒绝。"},
     {"Make a key by tandem-cli cluster-key, copy it to every computer with mode 600, and name it to each task.",
      "tandem-cli cluster-key로 키를 만들고, 모든 컴퓨터에 권한 600으로 복사하여 태스크마다 지정하십시오.",
      "用 tandem-cli cluster-key 生成密钥，以 600 权限复制到每台计算机，并告知每个任务。"},
     {"cluster", "Several computers, by hand"},
     {"tutorial_estimator", "Two terminals"}},
};

}  // namespace

std::span<const ErrorKind> ofClusters() {
    return kClustersKinds;
}

}  // namespace engine::errors::kinds
