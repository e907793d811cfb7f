#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kHostsKinds[] = {
    {"TDM-H001",
     "*expected a name that is known here, no computer goes by it*\n*expected one of the list of hosts*\n*: it is not in the list of "
     "hosts*\n*expected a name that is not in the list yet*\n*expected a host of the list*",
     {"A host that is not known", "알 수 없는 컴퓨터", "未知的主机"},
     {"No computer answers to the name, or it is not in your list of hosts.", "그 이름의 컴퓨터가 없거나, 컴퓨터 목록에 없습니다.",
      "没有以此为名的计算机，或它不在主机列表中。"},
     {"Add it by tandem-cli host add, with the name that ssh takes.", "ssh가 받는 이름으로 tandem-cli host add를 실행하여 추가하십시오.",
      "用 ssh 可用的名称通过 tandem-cli host add 添加。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H002",
     "*expected an answer over ssh within *\n*expected an answer of the agent there within *\n*expected an ssh server that "
     "answers*\n*expected ssh to connect, it failed*\n*the host is out of reach*\n*, is out of "
     "reach\n*expected an agent that listens at *\n*No route to host*\n*it was not reached*\n"
     "*: no answer\n*: no route to it*\n*expected a piece of it within * s, got none\n*: agent at *: Deadline Exceeded",
     {"A host can't be reached", "컴퓨터에 닿을 수 없음", "无法到达主机"},
     {"The computer is off, its cable or network is away, or no ssh server or agent listens at the port.",
      "컴퓨터가 꺼져 있거나, 네트워크가 끊겼거나, 그 포트에서 ssh 서버나 에이전트가 기다리지 않습니다.",
      "计算机关机、网络断开，或该端口没有 ssh 服务器或代理监听。"},
     {"Try ssh NAME in a terminal; tandem-cli host check says at which step it ends.",
      "터미널에서 ssh NAME을 해 보십시오. tandem-cli host check가 어디에서 끝나는지 말합니다.",
      "请在终端试 ssh NAME；tandem-cli host check 会说明在哪一步结束。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H003",
     "*expected to be let in, permission was denied*",
     {"The host does not let you in", "컴퓨터가 들여보내지 않음", "主机拒绝登录"},
     {"Its ssh server knows no key of yours, or the key has a passphrase that nobody could be asked for.",
      "ssh 서버가 당신의 키를 모르거나, 키의 암호를 물을 사람이 없었습니다.", "ssh 服务器不认识你的密钥，或密钥有口令而无人可问。"},
     {"Copy your key by ssh-copy-id, or load it into ssh-agent.", "ssh-copy-id로 키를 복사하거나 ssh-agent에 키를 올리십시오.",
      "用 ssh-copy-id 复制密钥，或把它载入 ssh-agent。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H004",
     "*expected the host key that known_hosts has*\n*expected a host key that is known here*",
     {"The host's key is not the known one", "컴퓨터의 키가 알던 것이 아님", "主机密钥与已知的不符"},
     {"You have not been there by ssh before, or another computer answers under the name: after a new installation, or in an attack.",
      "ssh로 가 본 적이 없거나, 그 이름으로 다른 컴퓨터가 답합니다. 새로 설치했거나 공격일 수 있습니다.",
      "你从未通过 ssh 连过它，或另一台计算机以此名应答：可能是重装系统，也可能是攻击。"},
     {"Ask whoever runs the host for its key; confirm it once by ssh, or forget the old one by ssh-keygen -R.",
      "관리자에게 키를 물어 ssh로 한 번 확인하거나, ssh-keygen -R로 옛 키를 지우십시오.",
      "请向管理者核对密钥；用 ssh 确认一次，或用 ssh-keygen -R 忘掉旧密钥。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H005",
     "*expected Tandem in the folder *\n*expected Tandem * as on this computer*\n*to say its version, it said nothing*\n*to find or start "
     "its agent, it did not*\n*expected no run while Tandem *\n*ports that the agent there holds, got *\n"
     "*expected the agent there to have * bytes of it, got *",
     {"No Tandem there, or another one", "그곳에 Tandem이 없거나 다름", "对方没有 Tandem 或版本不同"},
     {"The other computer has no Tandem in its folder or on its PATH, or one of another version, or it does not start.",
      "다른 컴퓨터의 폴더나 PATH에 Tandem이 없거나, 버전이 다르거나, 시작되지 않습니다.",
      "另一台计算机的文件夹或 PATH 中没有 Tandem、版本不同，或无法启动。"},
     {"tandem-cli host install or host update puts this one there.", "tandem-cli host install이나 host update가 이 Tandem을 그곳에 둡니다.",
      "tandem-cli host install 或 host update 会把本机的 Tandem 放过去。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H006",
     "*expected a folder that this user there may make or fill*\n*of free disk for *, got *\n*expected the programs that unpack a "
     "bundle*\n*expected glibc *\n"
     "*expected a sign of life within * while Tandem is installed*\n*as the bundle is for, got *\n*expected a bundle of Tandem "
     "*\n*expected an archive that installer/bundle.sh*\n"
     "*expected a host that is reached over ssh*\n"
     "*to be missing, empty or a link called current*",
     {"Tandem can't be installed there", "그곳에 Tandem을 설치할 수 없음", "无法在那里安装 Tandem"},
     {"The disk or the rights there do not allow it, or its system is of another kind than the bundle was made for.",
      "그곳의 디스크나 권한이 모자라거나, 묶음과 다른 종류의 시스템입니다.", "那里的磁盘或权限不允许，或系统与安装包不符。"},
     {"Name another folder, make room, or build Tandem there.", "다른 폴더를 지정하거나, 자리를 만들거나, 그곳에서 Tandem을 빌드하십시오.",
      "请指定另一个文件夹、腾出空间，或在那里构建 Tandem。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H007",
     "*forwards the agent's socket*\n*expected ssh to forward *\n*expected its sshd to say *\n*expected a configuration that ssh can "
     "read*\n*expected an ssh server with algorithms *\n*expected a shell that runs sh*\n"
     "ssh: expected OpenSSH's client on the PATH*\n"
     "*ssh: expected to start it*\n"
     "*expected a socket whose path ssh can forward*\n"
     "*expected to make a socket there*",
     {"ssh there does not allow what is needed", "그곳의 ssh가 필요한 것을 허락하지 않음", "对方的 ssh 不允许所需功能"},
     {"Tandem reaches the agent there through ssh: a shell, a forwarded socket and a common algorithm are needed.",
      "Tandem은 ssh를 통해 그곳의 에이전트에 닿습니다. 셸, 소켓 전달, 공통 알고리즘이 필요합니다.",
      "Tandem 通过 ssh 连接那里的代理：需要 shell、套接字转发和共同的算法。"},
     {"Allow AllowStreamLocalForwarding in its sshd_config, or pair the computers directly.",
      "sshd_config에서 AllowStreamLocalForwarding을 허락하거나, 두 컴퓨터를 직접 연결하십시오.",
      "在其 sshd_config 中启用 AllowStreamLocalForwarding，或直接配对两台计算机。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H008",
     "*hosts: expected *\n*hosts: *: expected *\n*expected each computer once*\n*expected each computer under one name*\n*expected the "
     "name of a computer*\n*expected each host once*\n*expected a run whose * is on this computer*\n"
     "*expected a run on this computer*\n*expected it on *, where the checkpoints *\n*expected a chief on this computer *\n*--hosts: "
     "*\n*--ssh: *",
     {"The hosts of a run are not named well", "실행의 컴퓨터가 잘못 지정됨", "运行的主机指定有误"},
     {"A run names each computer once, with the number of its workers; the one whose files are written has to be where they go.",
      "실행은 컴퓨터마다 한 번, 워커 수와 함께 지정합니다. 파일을 쓰는 태스크는 파일이 갈 곳에 있어야 합니다.",
      "运行中每台计算机只写一次，并带工作器数；写文件的任务须在文件所在处。"},
     {"Write --hosts node1,node2:2.", "--hosts node1,node2:2처럼 쓰십시오.", "写成 --hosts node1,node2:2。"},
     {"cluster", "Several computers, by one command"},
     {}},
    {"TDM-H009",
     "*expected --ssh or --direct*\n*pairing*\n*expected an agent of Tandem that listens *\n*expected the line that *\n"
     "*expected HOST:PORT to listen at*\n"
     "*expected an address to listen at that other computers reach*\n"
     "*expected the name or the fingerprint of a paired computer*\n"
     "invite: expected a running agent that listens *",
     {"Two computers could not be paired", "두 컴퓨터를 연결하지 못함", "两台计算机未能配对"},
     {"The line of the pairing is old, was copied in part, or something else than an agent listens there.",
      "연결하는 줄이 오래되었거나, 일부만 복사되었거나, 그곳에 에이전트가 아닌 것이 있습니다.",
      "配对行已过期、未复制完整，或那里监听的不是代理。"},
     {"Let the other computer print a new line by tandem-agent --listen, and copy it whole.",
      "다른 컴퓨터에서 tandem-agent --listen으로 새 줄을 출력하여 통째로 복사하십시오.",
      "请在另一台计算机用 tandem-agent --listen 打印新的配对行并完整复制。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H010",
     "*expected a processor of the kind *",
     {"A processor of another kind", "다른 종류의 프로세서", "处理器类型不同"},
     {"The programs of this computer do not run on the other one's processor.",
      "이 컴퓨터의 프로그램은 다른 컴퓨터의 프로세서에서 돌지 않습니다.", "本机的程序无法在另一台计算机的处理器上运行。"},
     {"Take computers of one kind, or build Tandem on the other one.", "같은 종류의 컴퓨터를 쓰거나 다른 컴퓨터에서 Tandem을 빌드하십시오.",
      "请使用同类计算机，或在另一台上构建 Tandem。"},
     {"cluster", "Hosts"},
     {}},
    {"TDM-H011",
     "*there, under the same path or sent before the run*\n*free on its disk for the run's files*\n*files: *\n*, since a file was not "
     "sent*\n*: was sent, and is not there*\n"
     "*expected the backup that the run goes on from on the host of its worker 0*\n"
     "*expected room for * bytes*",
     {"A host lacks files of the run", "컴퓨터에 실행의 파일이 없음", "主机缺少运行的文件"},
     {"Data and weights have to be there under the same path, or are sent before the run, for which its disk needs room.",
      "데이터와 가중치는 같은 경로에 있거나 실행 전에 보내지며, 그러려면 디스크에 자리가 있어야 합니다.",
      "数据和权重须在相同路径下，或在运行前发送，为此其磁盘需要空间。"},
     {"Make room there, or put the files on a folder that both see.", "그곳에 자리를 만들거나, 둘 다 보는 폴더에 파일을 두십시오.",
      "请在那里腾出空间，或把文件放在双方都能看到的文件夹。"},
     {"cluster", "Several computers, by one command"},
     {}},
    {"TDM-H012",
     "*can't reach *\nNo computer can reach *\n*: all its ways are *\nThe way between * is *\nFrom * to * go *, the other way round *",
     {"The way between two tasks is blocked or slow", "두 태스크 사이의 길이 막혔거나 느림", "两个任务之间的通路受阻或缓慢"},
     {"Workers send each other gradients at the ports of their tasks; a firewall drops what comes, or a cable or switch is slower than the "
      "others, and every step waits for the slowest way.",
      "워커들은 태스크의 포트로 그래디언트를 주고받습니다. 방화벽이 막거나, 어떤 케이블이나 스위치가 다른 것보다 느리며, 모든 스텝이 가장 "
      "느린 "
      "길을 기다립니다.",
      "工作器通过任务的端口互传梯度；防火墙丢弃了数据，或某条网线、某台交换机比其余的慢，而每一步都要等最慢的通路。"},
     {"Let the ports of the tasks through on every host, and look at the cable of the one that is named.",
      "모든 컴퓨터에서 태스크의 포트를 열고, 이름이 나온 컴퓨터의 케이블을 살피십시오.",
      "请在每台主机上放行任务的端口，并检查所指主机的网线。"},
     {"cluster", "Diagnostics and the doctor"},
     {}},
    {"TDM-H013",
     "*: its clock is * behind\n*: its clock is * ahead",
     {"A host's clock is wrong", "컴퓨터의 시계가 맞지 않음", "主机的时钟不准"},
     {"The clocks of the computers differ by more than a second. Curves are put on one clock all the same; certificates and logs of other "
      "programs are not.",
      "컴퓨터들의 시계가 1초 넘게 다릅니다. 곡선은 그래도 한 시계에 맞추지만, 다른 프로그램의 인증서와 로그는 그렇지 않습니다.",
      "各计算机的时钟相差超过一秒。曲线仍会对到同一时钟上，但其他程序的证书和日志不会。"},
     {"Switch on a time service (NTP) on every host.", "모든 컴퓨터에서 시간 서비스(NTP)를 켜십시오.",
      "请在每台主机上启用时间同步服务（NTP）。"},
     {"cluster", "Diagnostics and the doctor"},
     {}},
    {"TDM-H014",
     "cluster.threads_per_task: * threads each share * core*\n* share * core\n* share * cores\n*B of memory free",
     {"A computer is short of cores or memory", "컴퓨터의 코어나 메모리가 부족함", "计算机的核心或内存不足"},
     {"More tasks or threads than cores take turns, so that each step waits for the slowest; a task needs about 200 MB and its data.",
      "태스크나 스레드가 코어보다 많으면 번갈아 돌며, 스텝마다 가장 느린 것을 기다립니다. 태스크 하나에는 약 200 MB와 데이터만큼의 "
      "메모리가 "
      "필요합니다.",
      "任务或线程多于核心时会轮流运行，每一步都要等最慢的一个；一个任务约需 200 MB 内存，另加其数据。"},
     {"Use fewer tasks, set the threads of a task to 0, or close other programs.",
      "태스크를 줄이거나, 태스크의 스레드를 0으로 두거나, 다른 프로그램을 닫으십시오.",
      "请减少任务、把每个任务的线程数设为 0，或关闭其他程序。"},
     {"cluster", "Diagnostics and the doctor"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofHosts() {
    return kHostsKinds;
}

}  // namespace engine::errors::kinds
