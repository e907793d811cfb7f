#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kRunsKinds[] = {
    {"TDM-R001",
     "*the agent does not answer*\n*The agent does not answer*\n*tandem-agent*: *\n*agent can't be *\n*tandem-worker can't be "
     "started\n*expected an agent*\n*the "
     "agent*can't be reached*\n*another agent of this user is running*\n*agent: *\n"
     "*expected an answer, got *\n"
     "*expected an answer within *\n"
     "*expected an answer of at most *\n"
     "*expected a folder of this user, got one of another user\n"
     "*expected a folder that this user alone can open*\n"
     "*environment: expected HOME or *\n"
     "*free descriptors of tandem-agent*",
     {"The agent can't be reached", "에이전트에 닿을 수 없음", "无法连接代理"},
     {"The program that supervises tasks is not running, hangs, or could not be started; its tasks keep what they have to tell.",
      "태스크를 감독하는 프로그램이 돌지 않거나, 멈추어 있거나, 시작되지 못했습니다. 태스크들은 전할 것을 간직합니다.",
      "监督任务的程序没有运行、挂起，或无法启动；任务会保留要上报的内容。"},
     {"Start it on the Welcome page, or run tandem-agent in a terminal and read what it says.",
      "시작 페이지에서 시작하거나, 터미널에서 tandem-agent를 실행하고 무엇이라고 하는지 읽으십시오.",
      "在“欢迎”页启动它，或在终端运行 tandem-agent 并阅读其输出。"},
     {"troubleshooting", "The agent"},
     {}},
    {"TDM-R002",
     "*expected a new folder or that of an unfinished run*\n*is using this folder\n*expected a folder whose run may go on*\n*expected a "
     "run without an agent*\n*expected an empty folder, or "
     "that of *\n"
     "*expected a folder that no run uses*\n"
     "*expected a journal that nobody else writes*\n"
     "*expected a run that no agent *\n*expected the folder of a scheduler's job*\n"
     "*expected a folder of this computer's own runs*",
     {"A folder is in use or holds another run", "폴더가 쓰이고 있거나 다른 실행의 것임", "文件夹正被使用或属于另一个运行"},
     {"A run's folder belongs to one run: another process holds it, or it has the files of a run that can't go on.",
      "실행 폴더는 한 실행의 것입니다. 다른 프로세스가 쓰고 있거나, 이어 갈 수 없는 실행의 파일이 있습니다.",
      "运行文件夹只属于一个运行：另一个进程正占用它，或其中有无法继续的运行的文件。"},
     {"Wait for the end of that run or stop it, or choose another folder by --out.",
      "그 실행이 끝나기를 기다리거나 멈추거나, --out으로 다른 폴더를 고르십시오.", "等该运行结束或停止它，或用 --out 选择另一个文件夹。"},
     {"troubleshooting", "While it trains"},
     {}},
    {"TDM-R003",
     "*: cannot be listed: *\n*: cannot be locked: *\n*: cannot be mapped: *\n*: its size is not known: *\n*: can't be made a folder: "
     "*\n*: can't be written: *\n*: cannot be written: *\n*: can't be read or written: *\n*: could not open: *\n*: could not make the "
     "folder: *\n*No space left on device*\n*could not be "
     "written*\n*expected to make a folder there*\n"
     "*expected * of free disk for *\n*B free for runs\n*: can't be made the run's folder*\n*Permission denied\n*: can't be read: *\n*: "
     "cannot be read: "
     "*\n*expected a folder to write *\n*Read-only file system*\n*, for there is no room*",
     {"A file or folder can't be written or read", "파일이나 폴더를 쓰거나 읽을 수 없음", "文件或文件夹无法写入或读取"},
     {"The disk is full, the place belongs to another user, or its medium is read-only. A run waits for room, and loses no epoch.",
      "디스크가 찼거나, 다른 사용자의 자리이거나, 읽기 전용 매체입니다. 실행은 자리를 기다리며 에포크를 잃지 않습니다.",
      "磁盘已满、该处属于另一个用户，或介质只读。运行会等待空间，不会丢失周期。"},
     {"Make room or name another folder; the message says what the system said.",
      "자리를 만들거나 다른 폴더를 지정하십시오. 메시지에 시스템이 말한 것이 있습니다.",
      "请腾出空间或指定另一个文件夹；信息中有系统给出的原因。"},
     {"troubleshooting", "While it trains"},
     {}},
    {"TDM-R004",
     "*: not found on this host*\nrun *: not found*\n*: expected its folder *, it is gone*\n*: expected its journal *, it is "
     "gone*\n*tandem-cli runs lists them*\n*expected a run *, found none*",
     {"No such run here", "그런 실행이 여기에 없음", "此处没有这个运行"},
     {"The id or name is misspelt, the run is another computer's, or its folder was removed.",
      "id나 이름의 철자가 틀렸거나, 다른 컴퓨터의 실행이거나, 폴더가 지워졌습니다.",
      "id 或名称有误、该运行属于另一台计算机，或其文件夹已被删除。"},
     {"tandem-cli runs lists all runs; a few first characters of the id are enough.",
      "tandem-cli runs가 모든 실행을 보여 줍니다. id의 앞 몇 글자면 됩니다.", "tandem-cli runs 列出所有运行；给出 id 的前几个字符即可。"},
     {"runs", "The table"},
     {}},
    {"TDM-R005",
     "run *: is over\nrun *: is not running\nrun *: is ending\nrun *: is being started again\nrun *: expected one that is over*\nrun *: is "
     "*\n*does not take orders\n*is out of reach and not asked to stop*\n"
     "*expected a backup of this run, it holds none*\n"
     "*expected a checkpoint of this run, it holds none*\n"
     "*expected a checkpoint with its optimizer, got weights alone*\n"
     "*expected what tells the best of its checkpoints*\n"
     "*control.json: *",
     {"The run is in no state for that", "실행이 그럴 상태가 아님", "运行的状态不允许"},
     {"Orders such as pause or stop are for a run that trains; archives and removal are for one that is over.",
      "일시 정지나 중지는 훈련 중인 실행에, 보관과 삭제는 끝난 실행에 하는 것입니다.",
      "暂停、停止等命令用于正在训练的运行；存档和删除用于已结束的运行。"},
     {"Wait until its state has changed: tandem-cli watch shows it.", "상태가 바뀔 때까지 기다리십시오. tandem-cli watch가 보여 줍니다.",
      "请等其状态变化：tandem-cli watch 会显示。"},
     {"monitor", "Progress and controls"},
     {}},
    {"TDM-R006",
     "*killed by signal *\n*exit code *\n*no heartbeat for *\n*broke the data stream*\n*is lost*\n*is gone: expected it back within "
     "*\n*stopped because * failed*\nrun * "
     "failed*\n*its home was away for *\n*no worker is left to go on*",
     {"A task was lost", "태스크를 잃음", "任务丢失"},
     {"A worker ended, was killed (out of memory, for one), or gave no sign of life within the time that was set.",
      "워커가 끝났거나, 메모리 부족 따위로 죽었거나, 정해진 시간 안에 살아 있다는 신호를 보내지 않았습니다.",
      "某个工作器已结束、被杀（例如内存不足），或在规定时间内没有发出心跳。"},
     {"Read the task's log in Monitor; with a backup, cluster.max_restarts starts the run again where it was.",
      "모니터에서 태스크의 로그를 읽으십시오. 백업이 있으면 cluster.max_restarts가 실행을 그 자리에서 다시 시작합니다.",
      "请在“监视”中阅读该任务的日志；有备份时 cluster.max_restarts 会从原处重新开始运行。"},
     {"monitor", "When a run fails"},
     {"tutorial_estimator", "Training and evaluating"}},
    {"TDM-R007",
     "*gave up waiting for *\n*stopped while waiting for *\n*is alive but did not answer in time\n*did not apply a push in time\n*: "
     "expected an answer within *\n*did not answer in time*\n*was not sent in time*\n*is not reached: *",
     {"A task was waited for in vain", "태스크를 기다렸으나 오지 않음", "等待任务未果"},
     {"A task of the cluster was never started, listens at another address, or a firewall drops what is sent to it.",
      "클러스터의 태스크가 시작되지 않았거나, 다른 주소에서 기다리거나, 방화벽이 막습니다.",
      "集群中的某个任务从未启动、在别的地址监听，或防火墙丢弃了发给它的数据。"},
     {"Start the missing task with the same cluster in TF_CONFIG; tandem-cli doctor tries every way between computers.",
      "빠진 태스크를 TF_CONFIG의 같은 cluster로 시작하십시오. tandem-cli doctor가 컴퓨터 사이의 모든 길을 시험합니다.",
      "请以 TF_CONFIG 中相同的 cluster 启动缺少的任务；tandem-cli doctor 会测试计算机之间的所有通路。"},
     {"monitor", "Waiting for a task"},
     {"tutorial_estimator", "Two terminals"}},
    {"TDM-R008",
     "*journal: *\n*the index of runs was damaged*\n*bytes that are no event*\n*ends inside an event*\n*runs.sqlite*\n*: expected how the "
     "run was submitted*\n*expected events of version *",
     {"The record of a run is damaged", "실행의 기록이 손상됨", "运行的记录已损坏"},
     {"Each event has a checksum of its own: a damaged one is named and left out, all others are shown.",
      "이벤트마다 체크섬이 있습니다. 손상된 것은 이름을 밝히고 빼며, 나머지는 모두 보여 줍니다.",
      "每个事件都有自己的校验和：损坏的会被指出并略去，其余照常显示。"},
     {"Nothing has to be done to read the rest; look at the disk if it comes again.",
      "나머지를 읽는 데 할 일은 없습니다. 다시 생기면 디스크를 살피십시오.", "其余内容可照常读取；若再次出现，请检查磁盘。"},
     {"troubleshooting", "While it trains"},
     {}},
    {"TDM-R009",
     "*The worker is *, the agent *\n*of version *, which is *\n*expected the agent's version *",
     {"Programs of two versions", "두 버전의 프로그램", "程序版本不一致"},
     {"An agent from before an update still runs, or another computer has another Tandem.",
      "업데이트 전의 에이전트가 아직 돌거나, 다른 컴퓨터의 Tandem 버전이 다릅니다.",
      "更新前的代理仍在运行，或另一台计算机上的 Tandem 版本不同。"},
     {"End the agent when no run is active, or update the other computer: tandem-cli host update.",
      "실행이 없을 때 에이전트를 끝내거나, 다른 컴퓨터를 업데이트하십시오: tandem-cli host update.",
      "在没有运行时结束代理，或更新另一台计算机：tandem-cli host update。"},
     {"troubleshooting", "The agent"},
     {}},
    {"TDM-R010",
     "*, ask again\n*takes no more\n*expected at most * connections *\n*agent: expected at most *\n*nobody waits for the answer any more*",
     {"Too much at once", "한꺼번에 너무 많음", "同时请求过多"},
     {"The agent does one such thing at a time, or has as many callers as it takes.",
      "에이전트는 이런 일을 한 번에 하나만 하거나, 받을 수 있는 만큼의 호출을 이미 받고 있습니다.",
      "代理一次只做一件此类的事，或连接数已达上限。"},
     {"Ask again in a moment.", "잠시 뒤에 다시 하십시오.", "请稍后再试。"},
     {"troubleshooting", "The agent"},
     {}},
    {"TDM-R011",
     "*expected a file, got a link\n*expected a path below *\n*expected a file that has no other name*\n*expected a file of the run's "
     "own*\n*expected * that is no link*\n*expected a file outside *",
     {"A path leaves the folder that it belongs to", "경로가 자기 폴더를 벗어남", "路径越出所属的文件夹"},
     {"Links and .. could lead a run to write over files of somebody else; they are not followed.",
      "링크와 ..은 실행이 남의 파일을 덮어쓰게 할 수 있으므로 따라가지 않습니다.", "链接和 .. 可能让运行覆盖他人的文件，因此不予跟随。"},
     {"Name the real file, or move it below the folder.", "실제 파일을 지정하거나 폴더 아래로 옮기십시오.",
      "请指定真实的文件，或把它移到该文件夹之下。"},
     {"export", "Files that a run writes"},
     {}},
    {"TDM-R012",
     "*got one that it only follows*\n*its event files are only read\n*expected a run whose tasks this agent started*\n*expected a note of "
     "the host *\n*waits for job "
     "*\n*its chief runs on another host*",
     {"The run is only followed here", "여기에서는 지켜보기만 하는 실행", "此处只跟踪该运行"},
     {"Its tasks were started by hand, by a scheduler or by another computer, and this agent has no hold of them.",
      "태스크를 사람이나 스케줄러, 다른 컴퓨터가 시작했으므로 이 에이전트가 다룰 수 없습니다.",
      "其任务由人工、调度器或另一台计算机启动，本机代理无法控制它们。"},
     {"Stop it where it was started: Ctrl+C, scancel, or the other computer's Tandem.",
      "시작한 곳에서 멈추십시오: Ctrl+C, scancel, 또는 다른 컴퓨터의 Tandem.",
      "请在启动处停止它：Ctrl+C、scancel，或另一台计算机的 Tandem。"},
     {"runs", "Runs without an agent"},
     {}},
    {"TDM-R013",
     "standard output could not be written*\n*standard output*",
     {"The output could not be written", "출력을 쓸 수 없음", "输出无法写完"},
     {"The program that was to read the output ended, or the disk it goes to is full. What was printed is not whole.",
      "출력을 읽을 프로그램이 끝났거나, 출력이 가는 디스크가 찼습니다. 출력이 온전하지 않습니다.",
      "接收输出的程序已结束，或目标磁盘已满，输出并不完整。"},
     {"Run it again with room for what it prints.", "자리를 마련하고 다시 실행하십시오.", "请留出空间后重新运行。"},
     {"commands", "Results"},
     {}},
    {"TDM-R014",
     "*expected at least one point to write*\n*expected something to export*\n*has no test samples to evaluate with*",
     {"There is nothing to write yet", "아직 쓸 것이 없음", "尚无可写的内容"},
     {"The run has told no point so far, or the data set has no part to measure on.",
      "실행이 아직 점을 하나도 전하지 않았거나, 데이터셋에 잴 부분이 없습니다.", "该运行尚未上报任何点，或数据集没有可供评估的部分。"},
     {"Wait for its first step, or name test files.", "첫 스텝을 기다리거나 테스트 파일을 지정하십시오.", "请等待第一步，或指定测试文件。"},
     {"export", "What there is"},
     {}},
    {"TDM-R015",
     "*expected workers that sum with each other*\n*expected a fault such as *\n*\" is not over yet\n*has no task *\n*expected a fault, "
     "such as *\n*expected a process that runs, it "
     "has ended\n*--patience: *\n*has lost a task; *",
     {"A fault can't be put in", "장애를 일으킬 수 없음", "无法注入故障"},
     {"Faults on purpose are for a run whose tasks this computer's agent started, for a task that runs, one at a time.",
      "일부러 일으키는 장애는 이 컴퓨터의 에이전트가 시작한 실행의 돌고 있는 태스크에 한 번에 하나씩 할 수 있습니다.",
      "故意的故障只能用于本机代理启动的运行中正在运行的任务，一次一个。"},
     {"Name a task of the run, such as worker:1, and wait for the end of the last fault.",
      "worker:1처럼 실행의 태스크를 지정하고, 지난 장애가 끝나기를 기다리십시오.",
      "请指定运行中的任务，例如 worker:1，并等待上一次故障结束。"},
     {"monitor", "A fault on purpose"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofRuns() {
    return kRunsKinds;
}

}  // namespace engine::errors::kinds
