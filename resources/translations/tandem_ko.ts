<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko_KR">
<context>
    <name>ActivationView</name>
    <message>
        <source>What each layer makes of the sample</source>
        <translation>각 레이어가 샘플로 만드는 것</translation>
    </message>
    <message>
        <source>%1, %2, from %3 to %4</source>
        <translation>%1, %2, %3에서 %4까지</translation>
    </message>
</context>
<context>
    <name>BatchPanel</name>
    <message>
        <source>Change the validation split</source>
        <translation>검증 비율 변경</translation>
    </message>
    <message>
        <source>Change the seed</source>
        <translation>시드 변경</translation>
    </message>
    <message>
        <source>Change the batch</source>
        <translation>배치 변경</translation>
    </message>
    <message>
        <source>Change the sharding</source>
        <translation>샤딩 변경</translation>
    </message>
    <message>
        <source>Change the validation</source>
        <translation>검증 변경</translation>
    </message>
    <message numerus="yes">
        <source>Use %n replica(s)</source>
        <translation>
            <numerusform>복제본 %n개 사용</numerusform>
        </translation>
    </message>
    <message>
        <source>The cluster has tasks on other hosts: change it on the Cluster page.</source>
        <translation>클러스터의 일부 태스크가 다른 호스트에 있습니다. 클러스터 페이지에서 바꾸십시오.</translation>
    </message>
    <message>
        <source>training %1</source>
        <translation>훈련 %1</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>검증 %1</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>검증</translation>
    </message>
    <message>
        <source>the test set</source>
        <translation>테스트 세트</translation>
    </message>
    <message>
        <source>a part of training</source>
        <translation>훈련 데이터의 일부</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>배치</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>per replica</source>
        <translation>복제본당</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>복제본</translation>
    </message>
    <message>
        <source>global</source>
        <translation>전역</translation>
    </message>
    <message>
        <source>Auto-shard</source>
        <translation>자동 샤딩</translation>
    </message>
    <message>
        <source>part of the training samples for validation</source>
        <translation>검증에 쓸 훈련 샘플의 비율</translation>
    </message>
    <message>
        <source>The TPU that the script finds says how many replicas there are.</source>
        <translation>복제본의 수는 스크립트가 찾는 TPU가 정합니다.</translation>
    </message>
</context>
<context>
    <name>BestClasses</name>
    <message>
        <source>Five best classes</source>
        <translation>상위 다섯 클래스</translation>
    </message>
</context>
<context>
    <name>CanvasItems</name>
    <message>
        <source>Add the first layer (A, then C)</source>
        <translation>첫 레이어 추가 (A, 그다음 C)</translation>
    </message>
</context>
<context>
    <name>CanvasZoom</name>
    <message>
        <source>Fit the whole model</source>
        <translation>모델 전체 맞추기</translation>
    </message>
    <message>
        <source>Larger (Shift+Up)</source>
        <translation>크게 (Shift+Up)</translation>
    </message>
    <message>
        <source>Smaller (Shift+Down)</source>
        <translation>작게 (Shift+Down)</translation>
    </message>
</context>
<context>
    <name>ChaosDialog</name>
    <message>
        <source>Its process is killed.</source>
        <translation>프로세스가 강제로 끝납니다.</translation>
    </message>
    <message>
        <source>Its process stands still, then goes on.</source>
        <translation>프로세스가 멈춰 있다가 다시 움직입니다.</translation>
    </message>
    <message>
        <source>Each of its messages to other workers leaves so much later.</source>
        <translation>다른 워커로 가는 메시지마다 그만큼 늦게 떠납니다.</translation>
    </message>
    <message>
        <source>Nothing passes between the two, signs of life neither.</source>
        <translation>둘 사이에 아무것도, 살아 있다는 신호도 오가지 않습니다.</translation>
    </message>
    <message>
        <source>No file that it writes can grow, as on a full disk.</source>
        <translation>디스크가 가득 찬 것처럼 쓰는 파일이 더 커지지 못합니다.</translation>
    </message>
    <message>
        <source>Its clock is so much ahead in all that it tells, or behind below zero.</source>
        <translation>알리는 모든 것에서 시계가 그만큼 빠르고, 0보다 작으면 느립니다.</translation>
    </message>
    <message>
        <source>No run goes on. Faults are for a run that Monitor shows while it trains.</source>
        <translation>진행 중인 실행이 없습니다. 장애는 모니터가 보여 주는, 훈련 중인 실행에 일으킵니다.</translation>
    </message>
    <message>
        <source>Chaos</source>
        <translation>카오스</translation>
    </message>
    <message>
        <source>Lets something go wrong in the run that Monitor shows, to see how soon it is named and healed.</source>
        <translation>모니터가 보여 주는 실행에서 무엇인가 잘못되게 하고, 얼마나 빨리 알려지고 회복되는지 봅니다.</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Cut off from</source>
        <translation>끊을 상대</translation>
    </message>
    <message>
        <source>By</source>
        <translation>정도</translation>
    </message>
    <message>
        <source>For</source>
        <translation>지속 시간</translation>
    </message>
    <message>
        <source>Faults and what came of them</source>
        <translation>장애와 그 결과</translation>
    </message>
    <message>
        <source>No fault yet. A button above begins one, and what comes of it is shown here.</source>
        <translation>아직 장애가 없습니다. 위의 버튼으로 하나를 일으키면 그 결과가 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>Copy as script</source>
        <translation>스크립트로 복사</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>This run is only followed. Faults are for a run that was launched from here.</source>
        <translation>이 실행은 따라가기만 합니다. 장애는 여기서 시작한 실행에만 일으킬 수 있습니다.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Logarithmic y axis	L</source>
        <translation>로그 y축	L</translation>
    </message>
    <message>
        <source>Next x axis	X</source>
        <translation>다음 x축	X</translation>
    </message>
    <message>
        <source>Reset zoom	0</source>
        <translation>확대 초기화	0</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>그림 복사</translation>
    </message>
    <message>
        <source>Copy data as CSV</source>
        <translation>데이터를 CSV로 복사</translation>
    </message>
    <message>
        <source>%1: appears with the first step.</source>
        <translation>%1: 첫 스텝과 함께 나타납니다.</translation>
    </message>
    <message>
        <source>%1 %2 at step %3</source>
        <translation>스텝 %3에서 %1 %2</translation>
    </message>
    <message>
        <source>appears with the first step</source>
        <translation>첫 스텝과 함께 나타납니다</translation>
    </message>
    <message>
        <source>Logarithmic x axis	Shift+L</source>
        <translation>로그 x축	Shift+L</translation>
    </message>
    <message>
        <source>Leave outliers out of the range</source>
        <translation>이상값을 범위에서 제외</translation>
    </message>
    <message>
        <source>Show as a table	Ctrl+Shift+T</source>
        <translation>표로 보기	Ctrl+Shift+T</translation>
    </message>
    <message>
        <source>Move forward	Alt+Left</source>
        <translation>앞으로 이동	Alt+Left</translation>
    </message>
    <message>
        <source>Move back	Alt+Right</source>
        <translation>뒤로 이동	Alt+Right</translation>
    </message>
    <message>
        <source>Remove the chart	Del</source>
        <translation>차트 제거	Del</translation>
    </message>
    <message>
        <source>%1, between %2 and %3</source>
        <translation>%1, %2에서 %3 사이</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
</context>
<context>
    <name>ChartHeader</name>
    <message>
        <source>Pin to the top</source>
        <translation>맨 위에 고정</translation>
    </message>
    <message>
        <source>Full size (Esc leaves)</source>
        <translation>전체 크기 (Esc로 나가기)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>더 보기</translation>
    </message>
</context>
<context>
    <name>ChartPlot</name>
    <message>
        <source>step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>time since launch</source>
        <translation>시작 후 시간</translation>
    </message>
    <message>
        <source>time of day</source>
        <translation>시각</translation>
    </message>
    <message>
        <source>%1 is above this range</source>
        <translation>%1: 이 범위보다 위에 있음</translation>
    </message>
    <message>
        <source>%1 is below this range</source>
        <translation>%1: 이 범위보다 아래에 있음</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>%1 goes up to %2</source>
        <translation>%1: %2까지 올라감</translation>
    </message>
    <message>
        <source>%1 goes down to %2</source>
        <translation>%1: %2까지 내려감</translation>
    </message>
    <message>
        <source>%1 is not a number from step %2 on</source>
        <translation>%1: %2 스텝부터 수가 아님</translation>
    </message>
</context>
<context>
    <name>ChartTableModel</name>
    <message>
        <source>Step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
</context>
<context>
    <name>ChartTooltip</name>
    <message>
        <source>Series</source>
        <translation>계열</translation>
    </message>
    <message>
        <source>Smoothed</source>
        <translation>평활</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>값</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
</context>
<context>
    <name>ChartsKind</name>
    <message>
        <source>Charts</source>
        <translation>차트</translation>
    </message>
    <message>
        <source>Size of a chart</source>
        <translation>차트 크기</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>너비</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>높이</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>색</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>밝게</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>어둡게</translation>
    </message>
    <message>
        <source>All in one picture</source>
        <translation>그림 하나에 모두</translation>
    </message>
    <message>
        <source>Each in a picture of its own</source>
        <translation>그림을 하나씩 따로</translation>
    </message>
    <message>
        <source>As Monitor shows them now: zoom, smoothing, axes and marks. Lines and text stay sharp in SVG and PDF.</source>
        <translation>지금 모니터에 보이는 대로: 확대, 평활, 축, 표시. SVG와 PDF에서는 선과 글자가 선명합니다.</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>아직 스텝이 없습니다</translation>
    </message>
</context>
<context>
    <name>CheckpointKind</name>
    <message>
        <source>Checkpoint</source>
        <translation>체크포인트</translation>
    </message>
    <message>
        <source>Weights and optimizer, as tf.train.latest_checkpoint and model.load_weights read them.</source>
        <translation>tf.train.latest_checkpoint와 model.load_weights가 읽는 가중치와 옵티마이저입니다.</translation>
    </message>
</context>
<context>
    <name>CheckpointModel</name>
    <message>
        <source>%1 · best</source>
        <translation>%1 · 최고</translation>
    </message>
    <message>
        <source>%1: epoch %2, step %3, %4</source>
        <translation>%1: 에포크 %2, 스텝 %3, %4</translation>
    </message>
</context>
<context>
    <name>CheckpointsView</name>
    <message>
        <source>Checkpoints</source>
        <translation>체크포인트</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>폴더 열기</translation>
    </message>
    <message>
        <source>The first one appears at the end of an epoch.</source>
        <translation>첫 체크포인트는 에포크가 끝날 때 나타납니다.</translation>
    </message>
    <message>
        <source>val %1</source>
        <translation>검증 %1</translation>
    </message>
    <message>
        <source>val loss</source>
        <translation>검증 손실</translation>
    </message>
    <message>
        <source>val accuracy</source>
        <translation>검증 정확도</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, 스텝 %2</translation>
    </message>
    <message>
        <source>Weights alone were kept: they have no optimizer to go on with</source>
        <translation>가중치만 남아 있어 이어 갈 옵티마이저가 없습니다</translation>
    </message>
    <message>
        <source>Branch…</source>
        <translation>분기…</translation>
    </message>
    <message>
        <source>Open a project that goes on from a checkpoint, as a run of its own</source>
        <translation>체크포인트에서 이어지는 프로젝트를 독립된 실행으로 엽니다</translation>
    </message>
    <message>
        <source>The run has written none.</source>
        <translation>이 실행은 체크포인트를 쓰지 않았습니다.</translation>
    </message>
</context>
<context>
    <name>ClusterCanvas</name>
    <message numerus="yes">
        <source>%n host(s)</source>
        <translation>
            <numerusform>호스트 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Port of %1</source>
        <translation>%1의 포트</translation>
    </message>
    <message>
        <source>Name of the host %1</source>
        <translation>호스트 %1의 이름</translation>
    </message>
    <message>
        <source>Change the port</source>
        <translation>포트 변경</translation>
    </message>
    <message>
        <source>Rename the host</source>
        <translation>호스트 이름 바꾸기</translation>
    </message>
    <message>
        <source>Move to %1</source>
        <translation>옮기기: %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>제거</translation>
    </message>
    <message>
        <source>Remove the task (Del)</source>
        <translation>태스크 제거 (Del)</translation>
    </message>
    <message>
        <source>Remove the host (Del): its tasks go to this computer</source>
        <translation>호스트 제거 (Del): 태스크는 이 컴퓨터로 옮겨집니다</translation>
    </message>
    <message>
        <source>drop a task here</source>
        <translation>여기에 태스크 놓기</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>호스트 추가</translation>
    </message>
    <message>
        <source>another computer of yours, by ssh or by name alone</source>
        <translation>다른 내 컴퓨터, ssh로 또는 이름만으로</translation>
    </message>
</context>
<context>
    <name>ClusterChecks</name>
    <message>
        <source>Diagnostics</source>
        <translation>진단</translation>
    </message>
    <message>
        <source>Run doctor</source>
        <translation>진단 실행</translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>에이전트가 응답하지 않음</translation>
    </message>
    <message>
        <source>The doctor is looking…</source>
        <translation>진단하는 중…</translation>
    </message>
    <message>
        <source>Ports, hosts, versions, memory, disk, data, clock; latency and bandwidth between tasks and computers</source>
        <translation>포트, 호스트, 버전, 메모리, 디스크, 데이터, 시계, 태스크와 컴퓨터 사이의 지연 시간과 대역폭</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>이 코드의 뜻</translation>
    </message>
</context>
<context>
    <name>ClusterPage</name>
    <message>
        <source>Cluster</source>
        <translation>클러스터</translation>
    </message>
    <message numerus="yes">
        <source>%n local worker(s)</source>
        <translation>
            <numerusform>로컬 워커 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>No project</source>
        <translation>프로젝트 없음</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>실행 중</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>경고 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready to launch</source>
        <translation>시작할 수 있음</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>전역 배치</translation>
    </message>
    <message>
        <source>Steps per epoch</source>
        <translation>에포크당 스텝</translation>
    </message>
    <message numerus="yes">
        <source>Steps in %n epoch(s)</source>
        <translation>
            <numerusform>에포크 %n개의 스텝</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s)</source>
        <translation>
            <numerusform>워커 %n개 시작</numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 이동</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 제거</translation>
    </message>
    <message>
        <source>Change the port of %1</source>
        <translation>%1의 포트 변경</translation>
    </message>
    <message>
        <source>Remove the host %1</source>
        <translation>호스트 %1 제거</translation>
    </message>
    <message>
        <source>Use the template %1</source>
        <translation>템플릿 %1 사용</translation>
    </message>
    <message>
        <source>Add a %1</source>
        <translation>%1 추가</translation>
    </message>
    <message>
        <source>Add the host %1</source>
        <translation>호스트 %1 추가</translation>
    </message>
    <message>
        <source>Rename the host %1</source>
        <translation>호스트 %1 이름 변경</translation>
    </message>
    <message>
        <source>One task</source>
        <translation>태스크 하나</translation>
    </message>
    <message>
        <source>1 ps + 3 workers</source>
        <translation>ps 1개 + 워커 3개</translation>
    </message>
    <message>
        <source>Chief, 2 workers, evaluator</source>
        <translation>치프, 워커 2개, 평가자</translation>
    </message>
    <message>
        <source>Own cluster</source>
        <translation>직접 만든 클러스터</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>템플릿</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Add a task</source>
        <translation>태스크 추가</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>호스트 추가</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on this computer</source>
        <translation>
            <numerusform>이 컴퓨터에 태스크 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on %1 hosts</source>
        <translation>
            <numerusform>호스트 %1개에 태스크 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>실행이 진행 중</translation>
    </message>
    <message>
        <source>Batch of each worker</source>
        <translation>워커별 배치</translation>
    </message>
    <message>
        <source>Steps of all workers</source>
        <translation>모든 워커의 스텝</translation>
    </message>
    <message>
        <source>Batch of each replica</source>
        <translation>복제본마다의 배치</translation>
    </message>
</context>
<context>
    <name>ClusterRows</name>
    <message>
        <source>%1 a step</source>
        <translation>스텝당 %1</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>own socket, token</source>
        <translation>전용 소켓, 토큰</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n코어, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>GPU 없음</translation>
    </message>
    <message numerus="yes">
        <source>no answer for %n s</source>
        <translation>
            <numerusform>%n초 동안 응답 없음</numerusform>
        </translation>
    </message>
    <message>
        <source>another computer</source>
        <translation>다른 컴퓨터</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>응답 없음</translation>
    </message>
    <message>
        <source>no TF_CONFIG</source>
        <translation>TF_CONFIG 없음</translation>
    </message>
    <message>
        <source>keeps variables</source>
        <translation>변수 보관</translation>
    </message>
    <message>
        <source>evaluates</source>
        <translation>평가</translation>
    </message>
    <message>
        <source>chief, saves</source>
        <translation>치프, 저장</translation>
    </message>
    <message>
        <source>trains</source>
        <translation>훈련</translation>
    </message>
    <message>
        <source>duty</source>
        <translation>역할</translation>
    </message>
    <message>
        <source>device</source>
        <translation>장치</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>코어</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>배치</translation>
    </message>
    <message>
        <source>shard</source>
        <translation>샤드</translation>
    </message>
    <message>
        <source>Started by hand</source>
        <translation>직접 시작</translation>
    </message>
    <message>
        <source>Not started from here</source>
        <translation>여기서 시작하지 않음</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>시작 전</translation>
    </message>
    <message>
        <source>Not started, port free</source>
        <translation>시작 전, 포트 사용 가능</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>core %1</source>
        <translation>코어 %1</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>고치기: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>GPU %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>no NCCL</source>
        <translation>NCCL 없음</translation>
    </message>
    <message>
        <source>all</source>
        <translation>전체</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>코어 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>not in the list of hosts</source>
        <translation>호스트 목록에 없음</translation>
    </message>
    <message>
        <source>ssh, then TLS</source>
        <translation>ssh, 그다음 TLS</translation>
    </message>
    <message>
        <source>TLS, without ssh</source>
        <translation>TLS, ssh 없이</translation>
    </message>
    <message>
        <source>Looking at it</source>
        <translation>살펴보는 중</translation>
    </message>
    <message>
        <source>Tandem %1, older</source>
        <translation>Tandem %1, 이전 버전</translation>
    </message>
    <message>
        <source>Tandem %1, newer</source>
        <translation>Tandem %1, 더 새 버전</translation>
    </message>
    <message>
        <source>no Tandem there</source>
        <translation>Tandem이 없음</translation>
    </message>
    <message>
        <source>out of reach</source>
        <translation>연결할 수 없음</translation>
    </message>
    <message>
        <source>In your list of hosts its tasks are started from here. Else export TF_CONFIG, and start them there with tandem-worker --cluster-key.</source>
        <translation>호스트 목록에 있으면 그 태스크를 여기서 시작합니다. 아니면 TF_CONFIG를 내보내 그곳에서 tandem-worker --cluster-key로 시작하십시오.</translation>
    </message>
    <message>
        <source>Add to your hosts</source>
        <translation>호스트 목록에 추가</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Runs need the version of this computer.</source>
        <translation>실행에는 이 컴퓨터와 같은 버전이 필요합니다.</translation>
    </message>
    <message>
        <source>Install this version</source>
        <translation>이 버전 설치</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>업데이트</translation>
    </message>
    <message>
        <source>This Tandem goes there over ssh, without root.</source>
        <translation>이 Tandem을 ssh로, root 권한 없이 그곳에 설치합니다.</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>설치</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>자세히 보기</translation>
    </message>
</context>
<context>
    <name>CodeKind</name>
    <message>
        <source>Keras script</source>
        <translation>Keras 스크립트</translation>
    </message>
    <message>
        <source>Model, compile and fit as Keras Python, as the page Model shows it.</source>
        <translation>모델, 컴파일, fit을 모델 페이지가 보여 주는 Keras Python으로 씁니다.</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Edit code</source>
        <translation>코드 편집</translation>
    </message>
    <message>
        <source>The clipboard holds no model, compile, fit or TF_CONFIG. Nothing was changed.</source>
        <translation>클립보드에 모델, compile, fit, TF_CONFIG가 없습니다. 바뀐 것은 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>레이어 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>compile</source>
        <translation>compile</translation>
    </message>
    <message>
        <source>rates by epoch</source>
        <translation>에포크별 학습률</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>fit</translation>
    </message>
    <message>
        <source>TF_CONFIG</source>
        <translation>TF_CONFIG</translation>
    </message>
    <message>
        <source>Read from the clipboard: %1.</source>
        <translation>클립보드에서 읽음: %1.</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text.</source>
        <translation>
            <numerusform>%n곳을 텍스트로 유지했습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>읽지 못함: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) of code taken, the other text left.</source>
        <translation>
            <numerusform>코드 블록 %n개를 가져오고 나머지 텍스트는 두었습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>바뀐 것은 없습니다.</translation>
    </message>
    <message>
        <source>Paste code</source>
        <translation>코드 붙여넣기</translation>
    </message>
    <message>
        <source>Paste TF_CONFIG</source>
        <translation>TF_CONFIG 붙여넣기</translation>
    </message>
    <message>
        <source>Line %1 not read</source>
        <translation>%1번째 줄을 읽지 못함</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text</source>
        <translation>
            <numerusform>%n곳을 텍스트로 유지</numerusform>
        </translation>
    </message>
    <message>
        <source>Differs: %1</source>
        <translation>다름: %1</translation>
    </message>
    <message>
        <source>The project has other settings than this text; change them in the text.</source>
        <translation>프로젝트의 설정이 이 텍스트와 다릅니다. 텍스트에서 바꾸십시오.</translation>
    </message>
    <message>
        <source>In step</source>
        <translation>일치함</translation>
    </message>
    <message>
        <source>Paste Sequential([…]), compile(…) or TF_CONFIG here.</source>
        <translation>여기에 Sequential([…]), compile(…), TF_CONFIG를 붙여넣으십시오.</translation>
    </message>
    <message>
        <source>Keras, two-way</source>
        <translation>Keras, 양방향</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>코드 복사</translation>
    </message>
    <message>
        <source>The model as Keras code</source>
        <translation>Keras 코드로 본 모델</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>읽는 중…</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>읽지 않음</translation>
    </message>
    <message>
        <source>This text is read when you type on or save the project.</source>
        <translation>계속 입력하거나 프로젝트를 저장할 때 이 텍스트를 읽습니다.</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>읽기 멈춤</translation>
    </message>
</context>
<context>
    <name>CodeTexts</name>
    <message>
        <source>line %1, column %2: kept as text: %3</source>
        <translation>%1번째 줄 %2번째 칸: 텍스트로 둠: %3</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>%1번째 줄 %2번째 칸: %3</translation>
    </message>
    <message>
        <source>read as one epoch of %1 steps</source>
        <translation>%1스텝짜리 한 에포크로 읽음</translation>
    </message>
    <message>
        <source>read as %1 epochs</source>
        <translation>%1에포크로 읽음</translation>
    </message>
    <message>
        <source>read as a print of: %1</source>
        <translation>다음을 출력하는 것으로 읽음: %1</translation>
    </message>
    <message>
        <source>no part of the model</source>
        <translation>모델의 일부가 아님</translation>
    </message>
    <message>
        <source>expected a bracket that closes this %1, got the end of the text</source>
        <translation>%1의 짝이 되는 닫는 괄호가 있어야 하는데 텍스트가 끝납니다</translation>
    </message>
    <message>
        <source>expected a bracket that closes this %1, got %2</source>
        <translation>%1의 짝이 되는 닫는 괄호가 있어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected Python, got the character %1</source>
        <translation>Python이어야 하는데 %1 글자가 있습니다</translation>
    </message>
    <message>
        <source>expected at most %1 brackets within each other, got more</source>
        <translation>괄호는 %1겹까지만 겹칠 수 있는데 더 많습니다</translation>
    </message>
    <message>
        <source>expected a %1 before this %2, got none</source>
        <translation>%2 앞에 있어야 할 %1 기호가 없습니다</translation>
    </message>
    <message>
        <source>expected a text that ends in %1, got the end of the line</source>
        <translation>텍스트 끝에 %1 기호가 있어야 하는데 줄이 끝납니다</translation>
    </message>
    <message>
        <source>expected the end of the line, got %1</source>
        <translation>줄이 끝나야 하는데 있는 것은 %1입니다</translation>
    </message>
    <message>
        <source>expected the end of the statement, got %1</source>
        <translation>문장이 끝나야 하는데 있는 것은 %1입니다</translation>
    </message>
    <message>
        <source>expected at most %1 levels of nesting, got %2</source>
        <translation>%1단계까지만 겹칠 수 있는데 더 있습니다: %2</translation>
    </message>
    <message>
        <source>expected at most %1 operands, got %2</source>
        <translation>피연산자는 %1개까지인데 더 있습니다: %2</translation>
    </message>
    <message>
        <source>expected at most %1 calls in a chain, got %2</source>
        <translation>이어지는 호출은 %1개까지인데 더 있습니다: %2</translation>
    </message>
    <message>
        <source>expected a colon behind the names of a lambda, got %1</source>
        <translation>lambda의 이름 뒤에는 쌍점이 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a name after the dot, got %1</source>
        <translation>점 뒤에는 이름이 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a value, got %1</source>
        <translation>값이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a plain text, got %1</source>
        <translation>보통 텍스트여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected one not, got %1</source>
        <translation>not은 하나여야 하는데 더 있습니다: %1</translation>
    </message>
    <message>
        <source>expected fewer comparisons, got %1</source>
        <translation>비교가 더 적어야 하는데 더 있습니다: %1</translation>
    </message>
    <message>
        <source>expected fewer signs, got %1</source>
        <translation>부호가 더 적어야 하는데 더 있습니다: %1</translation>
    </message>
    <message>
        <source>expected fewer powers, got %1</source>
        <translation>거듭제곱이 더 적어야 하는데 더 있습니다: %1</translation>
    </message>
    <message>
        <source>the end of the line</source>
        <translation>줄의 끝</translation>
    </message>
    <message>
        <source>a tuple</source>
        <translation>튜플</translation>
    </message>
    <message>
        <source>a dictionary</source>
        <translation>사전</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>식</translation>
    </message>
    <message>
        <source>a lambda that does something else</source>
        <translation>다른 일을 하는 lambda</translation>
    </message>
    <message>
        <source>a lambda</source>
        <translation>lambda</translation>
    </message>
    <message>
        <source>expected a value that the text itself gives, got %1</source>
        <translation>텍스트에 적혀 있는 값이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a text or a whole number as a key, got %1</source>
        <translation>키는 텍스트나 정수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected arguments one by one, got %1</source>
        <translation>인수는 하나씩 적어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected %1 arguments by position, got one more: %2</source>
        <translation>위치 인수는 %1개여야 하는데 하나 더 있습니다: %2</translation>
    </message>
    <message>
        <source>expected no argument %1 of %2, got one</source>
        <translation>%2에는 %1 인수가 없어야 하는데 있습니다</translation>
    </message>
    <message>
        <source>expected an argument that is known here, got %1</source>
        <translation>여기에서 아는 인수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected an argument of fit that is known here, got this one</source>
        <translation>여기에서 아는 fit의 인수여야 합니다</translation>
    </message>
    <message>
        <source>expected a whole number, got %1</source>
        <translation>정수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>%1: expected a cluster with tasks, got none</source>
        <translation>%1: 태스크가 있는 클러스터여야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a dictionary of jobs, got %1</source>
        <translation>잡의 사전이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected names of devices such as [&apos;/gpu:0&apos;, &apos;/gpu:1&apos;], got %1</source>
        <translation>[&apos;/gpu:0&apos;, &apos;/gpu:1&apos;] 같은 장치 이름이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected bytes_per_pack and implementation of CommunicationOptions, got %1</source>
        <translation>CommunicationOptions의 bytes_per_pack과 implementation이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got a calculation with it</source>
        <translation>Keras 손실의 평균이어야 하는데 그것으로 한 계산입니다</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got it times %1</source>
        <translation>Keras 손실의 평균이어야 하는데 거기에 곱한 값이 있습니다: %1</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got %1</source>
        <translation>Keras 손실의 평균이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a loss of Keras that this is taken of, got one of the text&apos;s own</source>
        <translation>이것의 바탕이 Keras의 손실이어야 하는데 텍스트 자체의 것입니다</translation>
    </message>
    <message>
        <source>expected a number for %1 of LossScaleOptimizer, got %2</source>
        <translation>LossScaleOptimizer의 %1 값은 숫자여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected the optimizer that LossScaleOptimizer is to scale for, got none</source>
        <translation>LossScaleOptimizer가 감쌀 옵티마이저가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a metric that is known here, got %1</source>
        <translation>여기에서 아는 지표여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected plain settings of a metric, got %1</source>
        <translation>지표의 단순한 설정이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected optimizer, loss and metrics of compile, got %1</source>
        <translation>compile의 optimizer, loss, metrics여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a loss of compile, got none; the project&apos;s stays: %1</source>
        <translation>compile의 loss가 있어야 하는데 없습니다. 프로젝트의 것을 그대로 씁니다: %1</translation>
    </message>
    <message>
        <source>expected an optimizer that is known here, got %1</source>
        <translation>여기에서 아는 옵티마이저여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a multiple of the %1 replicas, got %2</source>
        <translation>복제본 %1개의 배수여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected whole numbers as classes and numbers as their weights, got %1</source>
        <translation>클래스는 정수, 가중치는 숫자여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a dictionary of weights by class, got %1</source>
        <translation>클래스마다 가중치를 적은 사전이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a list of callbacks, got %1</source>
        <translation>콜백 목록이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a callback that is known here, got %1</source>
        <translation>여기에서 아는 콜백이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a function of the epoch that returns rates, got %1</source>
        <translation>에포크를 받아 학습률을 돌려주는 함수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected an exporter that is known here, got %1</source>
        <translation>여기에서 아는 내보내기여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected numeric, bucketized or categorical columns that are known here, got %1</source>
        <translation>여기에서 아는 수치 열, 구간 열, 범주 열 중 하나여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the name of a function, got %1</source>
        <translation>함수 이름이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a function of the epoch, or of epoch and rate, got %1</source>
        <translation>에포크의 함수, 또는 에포크와 학습률의 함수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a constant rate behind return, got %1</source>
        <translation>return 뒤에는 정해진 학습률이 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a condition on the epoch and a colon, got another one</source>
        <translation>에포크에 대한 조건과 쌍점이어야 하는데 다른 것입니다</translation>
    </message>
    <message>
        <source>expected if, elif, else and return alone, got %1</source>
        <translation>if, elif, else, return만 쓸 수 있는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a return below, got %1</source>
        <translation>아래에 return이 있어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a rate for every epoch, got none for some</source>
        <translation>모든 에포크에 학습률이 있어야 하는데 없는 에포크가 있습니다</translation>
    </message>
    <message>
        <source>expected comparisons of %1 with numbers, got another condition</source>
        <translation>%1 값을 숫자와 비교해야 하는데 다른 조건입니다</translation>
    </message>
    <message>
        <source>expected a constant rate from epoch %1 on, got %2</source>
        <translation>에포크 %1부터 정해진 학습률이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a rate, got none</source>
        <translation>학습률이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a value of a model&apos;s size, got a larger one</source>
        <translation>모델 크기의 값이어야 하는데 더 큽니다</translation>
    </message>
    <message>
        <source>expected an input shape (input_shape=…, keras.Input or build), got none</source>
        <translation>입력 형상(input_shape=…, keras.Input, build)이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected fixed sizes of the input such as (28, 28, 1), got %1</source>
        <translation>(28, 28, 1)처럼 고정된 입력 크기여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a layer such as Dense(10), got %1</source>
        <translation>Dense(10) 같은 레이어여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected layers one by one, got a loop that adds them</source>
        <translation>레이어를 하나씩 적어야 하는데 반복문으로 더합니다</translation>
    </message>
    <message>
        <source>expected layers without a condition, got one under %1</source>
        <translation>레이어는 조건 없이 적어야 하는데 %1 아래에 있습니다</translation>
    </message>
    <message>
        <source>expected a model that stays as its layers make it, got an assignment to %1</source>
        <translation>모델은 레이어가 만든 그대로여야 하는데 %1에 대입합니다</translation>
    </message>
    <message>
        <source>expected add() and pop() of the model alone, got %1</source>
        <translation>모델에는 add()와 pop()만 쓸 수 있는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a call that leaves the model as it is, got %1</source>
        <translation>모델을 그대로 두는 호출이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a layer on a layer, got %1</source>
        <translation>레이어 위에는 레이어가 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected one model, got another one under a condition</source>
        <translation>모델은 하나여야 하는데 조건 아래에 다른 것이 있습니다</translation>
    </message>
    <message>
        <source>expected the end of one chain of layers as outputs, got %1</source>
        <translation>출력은 한 레이어 사슬의 끝이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the name of a data set as a text, got %1</source>
        <translation>데이터셋의 이름은 텍스트여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a whole number that the text gives for %1, got %2</source>
        <translation>%1에는 텍스트에 적힌 정수가 있어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a change of arrays that is known here, got %1</source>
        <translation>여기에서 아는 배열 변환이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a cache in memory, got one in a file</source>
        <translation>메모리에 두는 캐시여야 하는데 파일에 둡니다</translation>
    </message>
    <message>
        <source>expected a batch that the text gives, got %1</source>
        <translation>텍스트에 적힌 배치여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the first samples of the set, got skip</source>
        <translation>세트의 앞 샘플이어야 하는데 skip입니다</translation>
    </message>
    <message>
        <source>expected the whole test set, got skip</source>
        <translation>테스트 세트 전체여야 하는데 skip입니다</translation>
    </message>
    <message>
        <source>expected a step of tf.data that is known here (map, cache, shuffle, repeat, batch, prefetch, take), got %1</source>
        <translation>여기에서 아는 tf.data의 단계(map, cache, shuffle, repeat, batch, prefetch, take)여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected samples of a set that the text loads, got others</source>
        <translation>텍스트가 불러오는 세트의 샘플이어야 하는데 다른 것입니다</translation>
    </message>
    <message>
        <source>expected a number of classes that the text gives, got none</source>
        <translation>텍스트에 적힌 클래스 수가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a calculation with numbers, got %1</source>
        <translation>숫자로 하는 계산이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a function of data that is known here, got %1</source>
        <translation>여기에서 아는 데이터 함수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected %1 once, got it again</source>
        <translation>%1 단계는 한 번만 있어야 하는데 또 있습니다</translation>
    </message>
    <message>
        <source>expected samples that are scaled, moved or divided by numbers, got another calculation</source>
        <translation>숫자로 곱하거나 더하거나 나눈 샘플이어야 하는데 다른 계산입니다</translation>
    </message>
    <message>
        <source>expected data without a condition, got some under %1</source>
        <translation>데이터는 조건 없이 적어야 하는데 %1 아래에 있습니다</translation>
    </message>
    <message>
        <source>expected data that the text makes of a set that is known here, got %1 of line %2; the project&apos;s data stay</source>
        <translation>여기에서 아는 세트로 텍스트가 만드는 데이터여야 하는데 %2번째 줄의 %1입니다. 프로젝트의 데이터를 그대로 씁니다</translation>
    </message>
    <message>
        <source>expected data that the text makes of a set that is known here, got %1; the project&apos;s data stay</source>
        <translation>여기에서 아는 세트로 텍스트가 만드는 데이터여야 하는데 %1입니다. 프로젝트의 데이터를 그대로 씁니다</translation>
    </message>
    <message>
        <source>expected True or False, got %1</source>
        <translation>True 또는 False여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected data that the text makes of a known set, got %1</source>
        <translation>아는 세트로 텍스트가 만드는 데이터여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the set&apos;s test part, or the last of its training samples, got others</source>
        <translation>세트의 테스트 부분이나 훈련 샘플의 끝부분이어야 하는데 다른 것입니다</translation>
    </message>
    <message>
        <source>expected a mean a channel and a deviation, got the mean alone</source>
        <translation>채널마다 평균과 편차가 있어야 하는데 평균뿐입니다</translation>
    </message>
    <message>
        <source>expected the training part of the set, got its test part; the project trains with the training part</source>
        <translation>세트의 훈련 부분이어야 하는데 테스트 부분입니다. 프로젝트는 훈련 부분으로 훈련합니다</translation>
    </message>
    <message>
        <source>expected the first samples of the set, got those from %1 on</source>
        <translation>세트의 앞 샘플이어야 하는데 %1부터입니다</translation>
    </message>
    <message>
        <source>expected at most %1 equal samples, got %2; an epoch has %3</source>
        <translation>같은 샘플은 %1개까지인데 %2개입니다. 한 에포크에는 %3개입니다</translation>
    </message>
    <message>
        <source>expected batches of a size that the text gives, got none</source>
        <translation>텍스트에 적힌 크기의 배치가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a batch that is a multiple of the %1 replicas, got %2</source>
        <translation>배치는 복제본 %1개의 배수여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected repeat() once or without an end, got repeat(%1)</source>
        <translation>repeat()는 한 번이거나 끝이 없어야 하는데 repeat(%1)입니다</translation>
    </message>
    <message>
        <source>expected fit(), an estimator or a loop that takes batches of them, got none; the project has batches of %1</source>
        <translation>fit(), 에스티메이터 또는 배치를 받는 반복문이 있어야 하는데 없습니다. 프로젝트의 배치는 %1입니다</translation>
    </message>
    <message>
        <source>expected the part train or test of the set, got %1</source>
        <translation>세트의 부분 train이나 test여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a part such as &apos;train[:80%]&apos; of a set that is known here, got %1</source>
        <translation>여기에서 아는 세트의 &apos;train[:80%]&apos; 같은 부분이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a slice of the first or the last samples, got another one</source>
        <translation>앞이나 뒤의 샘플을 자른 것이어야 하는데 다른 것입니다</translation>
    </message>
    <message>
        <source>expected samples and a number, got %1</source>
        <translation>샘플과 숫자여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a function that scales samples or makes labels one-hot, got %1</source>
        <translation>샘플의 배율을 바꾸거나 레이블을 원-핫으로 만드는 함수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a model that is made of layers, got %1</source>
        <translation>레이어로 만든 모델이어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected fit() once, got a loop that calls it</source>
        <translation>fit()은 한 번이어야 하지만 반복문이 부릅니다</translation>
    </message>
    <message>
        <source>expected every sample of the set, got shard(%1, …)</source>
        <translation>데이터셋의 모든 샘플이어야 하지만 shard(%1, …)입니다</translation>
    </message>
    <message>
        <source>shuffle: expected an order of its own for each epoch, got %1</source>
        <translation>shuffle: 에포크마다 순서가 달라야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>read as the %1() that counts: line %2 has one, too</source>
        <translation>이 %1() 호출을 씁니다. %2번째 줄에도 하나 있습니다</translation>
    </message>
    <message>
        <source>expected a model of class Sequential or Functional, got %1</source>
        <translation>Sequential이나 Functional 클래스의 모델이어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected a list of layers, got none</source>
        <translation>레이어 목록이 있어야 하지만 없습니다</translation>
    </message>
    <message>
        <source>expected an input shape (an InputLayer or build_input_shape), got none: the model was not built</source>
        <translation>입력 형상(InputLayer나 build_input_shape)이 있어야 하지만 없습니다. 모델이 build되지 않았습니다</translation>
    </message>
    <message>
        <source>expected one input, got %1: only chains of layers can be taken</source>
        <translation>입력은 하나여야 하지만 %1개입니다. 한 줄로 이어진 레이어만 가져올 수 있습니다</translation>
    </message>
    <message>
        <source>expected one output, got %1</source>
        <translation>출력은 하나여야 하지만 %1개입니다</translation>
    </message>
    <message>
        <source>expected a layer of this model as its input, got %1</source>
        <translation>입력은 이 모델의 레이어여야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected one chain of layers, got %1 layers of which %2 lead to the output</source>
        <translation>레이어가 한 줄로 이어져야 하지만 레이어 %1개 가운데 %2개만 출력으로 이어집니다</translation>
    </message>
    <message>
        <source>expected fixed sizes behind the batch axis, got %1</source>
        <translation>배치 축 뒤의 크기는 정해져 있어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected concat, sum, ave or mul, got null: two outputs</source>
        <translation>concat, sum, ave, mul 중 하나여야 하지만 null입니다. 출력이 둘이 됩니다</translation>
    </message>
    <message>
        <source>expected JSON, got a mistake at %1</source>
        <translation>JSON이어야 하지만 %1에 잘못이 있습니다</translation>
    </message>
    <message>
        <source>expected a JSON object, got %1</source>
        <translation>JSON 객체여야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>y: expected labels, got %1, the samples themselves: a model can&apos;t learn its own input here</source>
        <translation>y: 레이블이어야 하지만 샘플 자신인 %1입니다. 여기서는 모델이 자기 입력을 배울 수 없습니다</translation>
    </message>
    <message>
        <source>expected the strategy that trains, got %1: an evaluation has none of its own here</source>
        <translation>훈련하는 전략이어야 하는데 %1입니다. 여기에서는 평가에 따로 전략이 없습니다</translation>
    </message>
    <message>
        <source>expected a strategy that is known here, got %1</source>
        <translation>여기에서 아는 전략이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a list of columns, got %1</source>
        <translation>열의 목록이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected columns that the text lists, got none</source>
        <translation>텍스트가 나열하는 열이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected data with columns (csv or tfrecord), got %1: its samples stay as they are</source>
        <translation>열이 있는 데이터(csv 또는 tfrecord)여야 하는데 %1입니다. 그 샘플은 그대로 둡니다</translation>
    </message>
    <message>
        <source>expected a list of whole numbers, got %1</source>
        <translation>정수의 목록이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a number, got %1</source>
        <translation>수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected an activation that is known here, got %1</source>
        <translation>여기에서 아는 활성화 함수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected names of files as texts, got %1; the project&apos;s files stay</source>
        <translation>파일 이름을 텍스트로 주어야 하는데 %1입니다. 프로젝트의 파일을 그대로 씁니다</translation>
    </message>
    <message>
        <source>expected the column of the labels, got none</source>
        <translation>레이블의 열이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a first line that names the columns, got %1</source>
        <translation>열 이름이 있는 첫 줄이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected no settings of a session, got %1: devices and threads are the project&apos;s</source>
        <translation>세션 설정이 없어야 하는데 %1입니다. 장치와 스레드는 프로젝트의 것입니다</translation>
    </message>
    <message>
        <source>expected no function that places operations, got %1: the strategy places them</source>
        <translation>연산을 배치하는 함수가 없어야 하는데 %1입니다. 전략이 배치합니다</translation>
    </message>
    <message>
        <source>expected grpc, got %1: tasks speak as cluster.transport says</source>
        <translation>grpc여야 하는데 %1입니다. 태스크는 cluster.transport가 정한 대로 통신합니다</translation>
    </message>
    <message>
        <source>expected no time for a session to come, got %1: tasks wait as long as cluster.start_timeout_s says</source>
        <translation>세션을 기다리는 시간이 없어야 하는데 %1입니다. 태스크는 cluster.start_timeout_s만큼 기다립니다</translation>
    </message>
    <message>
        <source>expected no hooks, got %1: a run calls none here</source>
        <translation>훅이 없어야 하는데 %1입니다. 여기에서는 실행이 훅을 부르지 않습니다</translation>
    </message>
    <message>
        <source>expected no listeners, got %1: a run calls none here</source>
        <translation>리스너가 없어야 하는데 %1입니다. 여기에서는 실행이 리스너를 부르지 않습니다</translation>
    </message>
    <message>
        <source>expected no SessionRunHook, got one: a run calls none here</source>
        <translation>SessionRunHook이 없어야 하는데 있습니다. 여기에서는 실행이 훅을 부르지 않습니다</translation>
    </message>
    <message>
        <source>expected the global step alone, got %1</source>
        <translation>전역 스텝만 있어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected none, which a program of numpy reads, got %1</source>
        <translation>numpy로 읽는 프로그램에는 없어야 하지만 %1개입니다</translation>
    </message>
    <message>
        <source>expected a set or a format that numpy reads (all but tfrecord), got %1</source>
        <translation>numpy가 읽는 세트나 형식(tfrecord를 뺀 모두)이어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected a strategy whose replicas step together, which strategy.run() is for, got %1</source>
        <translation>strategy.run()은 복제본이 함께 스텝을 밟는 전략을 위한 것이지만 %1입니다</translation>
    </message>
    <message>
        <source>expected no scale of the loss, which fit() alone keeps, got one</source>
        <translation>손실 스케일은 fit()만 다루므로 없어야 하지만 있습니다</translation>
    </message>
    <message>
        <source>expected a layer that PyTorch has an equal for, got %1</source>
        <translation>PyTorch에 같은 것이 있는 레이어여야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected dtype float32, the only one of the program in PyTorch, got another</source>
        <translation>PyTorch 프로그램의 dtype은 float32뿐이지만 다른 것입니다</translation>
    </message>
    <message>
        <source>expected the mask of its input to stay as it is, got another one</source>
        <translation>입력의 마스크가 그대로여야 하지만 다른 마스크입니다</translation>
    </message>
    <message>
        <source>expected an output without a mask, got one with a mask</source>
        <translation>출력에 마스크가 없어야 하지만 있습니다</translation>
    </message>
    <message>
        <source>expected an input without a mask, got one with a mask</source>
        <translation>입력에 마스크가 없어야 하지만 있습니다</translation>
    </message>
    <message>
        <source>expected float32, the only one of the program in PyTorch, got %1</source>
        <translation>PyTorch 프로그램은 float32뿐이지만 %1입니다</translation>
    </message>
    <message>
        <source>expected the order take, cache, shuffle, repeat, batch, which PyTorch&apos;s DataLoader has, got another one</source>
        <translation>PyTorch의 DataLoader처럼 take, cache, shuffle, repeat, batch 순서여야 하지만 다른 순서입니다</translation>
    </message>
    <message>
        <source>expected synchronized=False (DistributedDataParallel takes each process&apos; own statistics), got True</source>
        <translation>synchronized=False여야 하지만 True입니다(DistributedDataParallel은 프로세스마다 자기 통계를 씁니다)</translation>
    </message>
    <message>
        <source>expected a loss that the program in PyTorch has, got %1</source>
        <translation>PyTorch 프로그램에 있는 손실이어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>%1: expected use_ema=False, which the program in PyTorch trains with, got True</source>
        <translation>%1: PyTorch 프로그램은 use_ema=False로 훈련하지만 True입니다</translation>
    </message>
    <message>
        <source>%1: left out, the program in PyTorch has no equal for it</source>
        <translation>%1: PyTorch 프로그램에 같은 것이 없어 뺐습니다</translation>
    </message>
    <message>
        <source>expected the class %1 as exported code defines it, got another one</source>
        <translation>내보낸 코드가 정의하는 %1 클래스여야 하는데 다른 클래스입니다</translation>
    </message>
    <message>
        <source>expected adapt() of %1 before fit(), got none: a run takes its values from the training samples anyway</source>
        <translation>fit() 앞에 %1의 adapt()가 있어야 하는데 없습니다. 그래도 실행은 훈련 샘플에서 그 값을 얻습니다</translation>
    </message>
    <message>
        <source>expected an optimizer that tf.estimator takes (SGD, RMSprop, Adam, Adamax, Nadam, Adagrad, Adadelta, Ftrl), got %1</source>
        <translation>tf.estimator가 받는 옵티마이저(SGD, RMSprop, Adam, Adamax, Nadam, Adagrad, Adadelta, Ftrl)가 필요하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected none, for which tf.estimator has no place, got %1</source>
        <translation>tf.estimator에 둘 곳이 없으므로 없어야 하지만 %1개입니다</translation>
    </message>
    <message>
        <source>%1: left out, tf.estimator takes no callbacks of Keras</source>
        <translation>%1: tf.estimator는 Keras의 콜백을 받지 않아 뺐습니다</translation>
    </message>
    <message>
        <source>expected a file that the program reads (%1), got %2: it begins with random values; tandem-cli export keras --out FILE.npz writes one for its --weights</source>
        <translation>프로그램이 읽는 파일(%1)이 필요하지만 %2입니다. 프로그램은 무작위 값으로 시작합니다. tandem-cli export keras --out FILE.npz가 --weights에 줄 파일을 씁니다</translation>
    </message>
    <message>
        <source>expected no noise_shape, which PyTorch&apos;s alpha_dropout lacks, got one</source>
        <translation>PyTorch의 alpha_dropout에 없는 noise_shape는 없어야 하지만 있습니다</translation>
    </message>
    <message>
        <source>expected batches for %1, which mixes their samples, got samples before batch()</source>
        <translation>배치의 샘플을 섞는 %1에는 배치가 필요하지만 batch() 앞의 샘플입니다</translation>
    </message>
    <message>
        <source>expected one of MixUp and CutMix, got %1 behind %2</source>
        <translation>MixUp과 CutMix 중 하나여야 하지만 %2 뒤에 또 있습니다: %1</translation>
    </message>
    <message>
        <source>expected images and labels for %1, got one without the other</source>
        <translation>%1에는 images와 labels가 필요하지만 하나만 있습니다</translation>
    </message>
    <message>
        <source>expected cache() before %1, which mixes each epoch anew, got it behind</source>
        <translation>에포크마다 새로 섞는 %1 앞에 cache()가 있어야 하지만 뒤에 있습니다</translation>
    </message>
    <message>
        <source>expected channels_last, got %1</source>
        <translation>channels_last여야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected none in a program in PyTorch, which has no such layer, got %1</source>
        <translation>PyTorch에는 그런 레이어가 없으므로 PyTorch 프로그램에는 없어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected none in a program of Keras 2, which has no such layer, got %1</source>
        <translation>Keras 2에는 그런 레이어가 없으므로 Keras 2 프로그램에는 없어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected an input with rows and columns for CutMix in a program, got %1</source>
        <translation>프로그램의 CutMix에는 행과 열이 있는 입력이 필요하지만 %1입니다</translation>
    </message>
    <message>
        <source>Leave data.mix out.</source>
        <translation>data.mix를 빼십시오.</translation>
    </message>
    <message>
        <source>expected bin_boundaries, which the program in PyTorch takes from no samples, got none</source>
        <translation>PyTorch 프로그램은 샘플에서 얻지 않으므로 bin_boundaries가 필요하지만 없습니다</translation>
    </message>
    <message>
        <source>expected a vocabulary, which the program in PyTorch takes from no samples, got none</source>
        <translation>PyTorch 프로그램은 샘플에서 얻지 않으므로 어휘가 필요하지만 없습니다</translation>
    </message>
    <message>
        <source>expected floormod, which the program in PyTorch has, got farmhash</source>
        <translation>PyTorch 프로그램에 있는 floormod가 필요하지만 farmhash입니다</translation>
    </message>
    <message>
        <source>expected labels by the names of sub-folders, got %1</source>
        <translation>하위 폴더의 이름에서 나온 레이블이어야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected int or binary, got %1</source>
        <translation>int나 binary여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected all sub-folders in order, got %1</source>
        <translation>모든 하위 폴더가 이름순이어야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected whole texts, got %1</source>
        <translation>온전한 텍스트여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected a number between 0 and 1, got %1</source>
        <translation>0과 1 사이의 수여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected training, validation or both, got %1</source>
        <translation>training, validation, both 중 하나여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected the rest of the folder that trains, by the same validation_split and seed, got another part</source>
        <translation>같은 validation_split과 seed로 나눈, 훈련하는 폴더의 나머지여야 하는데, 다른 부분입니다</translation>
    </message>
    <message>
        <source>expected at most 1 MB of text, got %1 bytes; a .keras file may have a longer vocabulary</source>
        <translation>텍스트는 1 MB 이하여야 하는데 %1바이트입니다. 더 긴 어휘는 .keras 파일에 담을 수 있습니다</translation>
    </message>
    <message>
        <source>expected what Keras 2 has, which this program is for, got %1, which came with Keras 3</source>
        <translation>이 프로그램은 Keras 2용이므로 Keras 2에 있는 것이어야 하는데, Keras 3에서 생긴 %1입니다</translation>
    </message>
    <message>
        <source>expected fewer comparisons of %1, got too many</source>
        <translation>%1 값의 비교가 더 적어야 하는데 너무 많습니다</translation>
    </message>
</context>
<context>
    <name>CommandsPane</name>
    <message>
        <source># Open a project to see its commands.</source>
        <translation># 프로젝트를 열면 명령이 나타납니다.</translation>
    </message>
    <message>
        <source># Save the project first: these read the file.</source>
        <translation># 먼저 프로젝트를 저장하십시오. 이 명령들은 파일을 읽습니다.</translation>
    </message>
</context>
<context>
    <name>ConfusionView</name>
    <message>
        <source>Confusion matrix</source>
        <translation>혼동 행렬</translation>
    </message>
    <message>
        <source>%1 of class %2 are right</source>
        <translation>클래스 %2에서 %1개 맞음</translation>
    </message>
    <message>
        <source>%1 of class %2 are taken for %3</source>
        <translation>클래스 %2의 %1개를 %3 클래스로 봄</translation>
    </message>
    <message>
        <source>prediction</source>
        <translation>예측</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>정확도</translation>
    </message>
    <message>
        <source>label</source>
        <translation>레이블</translation>
    </message>
</context>
<context>
    <name>DataKind</name>
    <message>
        <source>Series: %1 of %2</source>
        <translation>계열: %2개 중 %1개</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>One for all</source>
        <translation>모두 하나로</translation>
    </message>
    <message>
        <source>One a series</source>
        <translation>계열마다 하나</translation>
    </message>
    <message>
        <source>Series to write</source>
        <translation>쓸 계열</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>계열</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>Every point as it was told: no smoothing, dots as decimal points, seconds since the launch.</source>
        <translation>보고된 그대로의 모든 점: 평활 없음, 소수점은 마침표, 시간은 시작 후 초.</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>아직 스텝이 없습니다</translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message>
        <source>Use %1</source>
        <translation>%1 사용</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>이 컴퓨터에 없음</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>읽을 수 없음</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>읽는 중</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>이 컴퓨터에 있음</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>아직 읽지 않음</translation>
    </message>
    <message>
        <source>%1 of %2 read</source>
        <translation>%2개 중 %1개 읽음</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>읽는 중</translation>
    </message>
    <message>
        <source>%1, %2 to %3</source>
        <translation>%1, %2~%3</translation>
    </message>
    <message>
        <source>%1 samples each</source>
        <translation>각 %1개 샘플</translation>
    </message>
    <message>
        <source>%1 to %2 samples each</source>
        <translation>각 %1~%2개 샘플</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>훈련 샘플</translation>
    </message>
    <message>
        <source>test samples</source>
        <translation>테스트 샘플</translation>
    </message>
    <message>
        <source>shape of a sample</source>
        <translation>샘플의 형상</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>클래스 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>숫자</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>레이블</translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s)</source>
        <translation>
            <numerusform>잘못된 샘플 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>checksum fits</source>
        <translation>체크섬 일치</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>디스크 사용량</translation>
    </message>
    <message>
        <source>Choose a data set on the left, or drop a folder here.</source>
        <translation>왼쪽에서 데이터셋을 고르거나 폴더를 여기에 놓으십시오.</translation>
    </message>
    <message>
        <source>MNIST ships with Tandem; others are fetched once and kept for every project.</source>
        <translation>MNIST는 Tandem에 들어 있습니다. 나머지는 한 번 내려받아 모든 프로젝트에서 씁니다.</translation>
    </message>
    <message>
        <source>Use MNIST</source>
        <translation>MNIST 사용</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>%1 내려받는 중</translation>
    </message>
    <message>
        <source>Asking its mirrors</source>
        <translation>미러에 요청하는 중</translation>
    </message>
    <message>
        <source>%1 was not fetched. %2</source>
        <translation>%1 데이터셋을 가져오지 못했습니다. %2</translation>
    </message>
    <message>
        <source>None of its mirrors can be reached: look at the network, then try again.</source>
        <translation>어느 미러에도 연결할 수 없습니다. 네트워크를 확인한 뒤 다시 시도하십시오.</translation>
    </message>
    <message>
        <source>What came has another checksum than it should: nothing of it was kept.</source>
        <translation>받은 것의 체크섬이 맞지 않아 아무것도 남기지 않았습니다.</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %3 중 %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>No network. MNIST ships with Tandem</source>
        <translation>네트워크가 없습니다. MNIST는 Tandem에 들어 있습니다</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>이것 사용</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>다시 내려받기</translation>
    </message>
    <message>
        <source>%1 is damaged</source>
        <translation>%1 데이터셋이 손상되었습니다</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>파일 선택</translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation>이 컴퓨터에 %1 데이터셋이 없습니다</translation>
    </message>
    <message>
        <source>It is fetched once, checked and kept for every project.</source>
        <translation>한 번 내려받아 확인한 뒤 모든 프로젝트에서 씁니다.</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>%1 내려받기</translation>
    </message>
    <message>
        <source>%1: the data cannot be read</source>
        <translation>%1: 데이터를 읽을 수 없습니다</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>Check files</source>
        <translation>파일 검사</translation>
    </message>
    <message>
        <source>Read every sample and name all that cannot be read</source>
        <translation>모든 샘플을 읽고 읽을 수 없는 것을 모두 알려 줍니다</translation>
    </message>
    <message>
        <source>Open Model</source>
        <translation>모델 열기</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>프로젝트 없음</translation>
    </message>
</context>
<context>
    <name>DataSetList</name>
    <message>
        <source>Find a data set</source>
        <translation>데이터셋 찾기</translation>
    </message>
    <message>
        <source>Data sets</source>
        <translation>데이터셋</translation>
    </message>
</context>
<context>
    <name>DataSetModel</name>
    <message>
        <source>.gz as well</source>
        <translation>.gz 포함</translation>
    </message>
    <message>
        <source>samples and labels</source>
        <translation>샘플과 레이블</translation>
    </message>
    <message>
        <source>arrays of one archive</source>
        <translation>한 압축 파일의 배열</translation>
    </message>
    <message>
        <source>label column, types</source>
        <translation>레이블 열, 자료형</translation>
    </message>
    <message>
        <source>PNG, JPEG</source>
        <translation>PNG, JPEG</translation>
    </message>
    <message>
        <source>label, tab, text</source>
        <translation>레이블, 탭, 텍스트</translation>
    </message>
    <message>
        <source>binary batches</source>
        <translation>이진 배치 파일</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>이름으로</translation>
    </message>
    <message>
        <source>From files</source>
        <translation>파일에서</translation>
    </message>
    <message>
        <source>fetching</source>
        <translation>받는 중</translation>
    </message>
    <message>
        <source>fetching, %1</source>
        <translation>받는 중, %1</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>내장</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>클래스 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>UTF-8, a file a text</source>
        <translation>UTF-8, 파일마다 텍스트 하나</translation>
    </message>
</context>
<context>
    <name>DataWizard</name>
    <message>
        <source>Choose the files of samples and of labels.</source>
        <translation>샘플 파일과 레이블 파일을 고르십시오.</translation>
    </message>
    <message>
        <source>Choose a folder with one sub-folder a class.</source>
        <translation>클래스마다 하위 폴더가 하나씩 있는 폴더를 고르십시오.</translation>
    </message>
    <message>
        <source>Choose the files of the training samples.</source>
        <translation>훈련 샘플 파일을 고르십시오.</translation>
    </message>
    <message>
        <source>%1 of %2 read</source>
        <translation>%2개 중 %1개 읽음</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>읽는 중</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>훈련 샘플</translation>
    </message>
    <message>
        <source>test samples</source>
        <translation>테스트 샘플</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>형상</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>클래스 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>labels</source>
        <translation>레이블</translation>
    </message>
    <message numerus="yes">
        <source>category of %n</source>
        <translation>
            <numerusform>범주 %n가지</numerusform>
        </translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>정수</translation>
    </message>
    <message>
        <source>number</source>
        <translation>수</translation>
    </message>
    <message>
        <source>%1 (label): %2</source>
        <translation>%1 (레이블): %2</translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s) will be skipped:</source>
        <translation>
            <numerusform>잘못된 샘플 %n개를 건너뜁니다:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s): training will refuse the set.</source>
        <translation>
            <numerusform>잘못된 샘플 %n개: 이 데이터셋으로는 훈련하지 않습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Training will stop at the first bad sample.</source>
        <translation>잘못된 샘플이 나오면 훈련이 멈춥니다.</translation>
    </message>
    <message>
        <source>There is nothing to take yet.</source>
        <translation>아직 가져올 것이 없습니다.</translation>
    </message>
    <message>
        <source>Add a data set from files</source>
        <translation>파일로 데이터셋 추가</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>형식</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>훈련 샘플</translation>
    </message>
    <message>
        <source>Training folder</source>
        <translation>훈련 폴더</translation>
    </message>
    <message>
        <source>Training files</source>
        <translation>훈련 파일</translation>
    </message>
    <message>
        <source>Training labels</source>
        <translation>훈련 레이블</translation>
    </message>
    <message>
        <source>Test samples (optional)</source>
        <translation>테스트 샘플 (선택)</translation>
    </message>
    <message>
        <source>Test folder (optional)</source>
        <translation>테스트 폴더 (선택)</translation>
    </message>
    <message>
        <source>Test files (optional)</source>
        <translation>테스트 파일 (선택)</translation>
    </message>
    <message>
        <source>Test labels (optional)</source>
        <translation>테스트 레이블 (선택)</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>선택</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>선택: %1</translation>
    </message>
    <message>
        <source>Bad samples</source>
        <translation>잘못된 샘플</translation>
    </message>
    <message>
        <source>skip</source>
        <translation>건너뛰기</translation>
    </message>
    <message>
        <source>refuse</source>
        <translation>거부</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Use this data set</source>
        <translation>이 데이터셋 사용</translation>
    </message>
</context>
<context>
    <name>DiagramKind</name>
    <message>
        <source>Direction</source>
        <translation>방향</translation>
    </message>
    <message>
        <source>Top down</source>
        <translation>위에서 아래로</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>왼쪽에서 오른쪽으로</translation>
    </message>
    <message>
        <source>In each box</source>
        <translation>상자마다</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>이름</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>형상</translation>
    </message>
    <message>
        <source>All</source>
        <translation>모두</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>다이어그램</translation>
    </message>
    <message>
        <source>The layers as boxes and arrows, as keras.utils.plot_model has them; dot -Tpng or -Tsvg draws them.</source>
        <translation>keras.utils.plot_model처럼 레이어를 상자와 화살표로 씁니다. dot -Tpng나 -Tsvg가 그립니다.</translation>
    </message>
</context>
<context>
    <name>DoctorTexts</name>
    <message>
        <source>The project holds every rule</source>
        <translation>프로젝트가 모든 규칙을 지킵니다</translation>
    </message>
    <message>
        <source>TF_CONFIG: all rules hold</source>
        <translation>TF_CONFIG: 모든 규칙을 지킵니다</translation>
    </message>
    <message>
        <source>%1: no address is known for this name</source>
        <translation>%1: 이 이름의 주소를 찾을 수 없습니다</translation>
    </message>
    <message>
        <source>Write the host&apos;s number, or add the name to /etc/hosts.</source>
        <translation>호스트의 번호를 쓰거나 이름을 /etc/hosts에 더하십시오.</translation>
    </message>
    <message>
        <source>%1: no answer</source>
        <translation>%1: 응답이 없습니다</translation>
    </message>
    <message>
        <source>Is it on, and does its firewall let port %1 through?</source>
        <translation>켜져 있고 방화벽이 %1번 포트를 허용합니까?</translation>
    </message>
    <message>
        <source>%1 answers, %2 away</source>
        <translation>%1에서 응답합니다, 왕복 %2</translation>
    </message>
    <message>
        <source>over the interface %1</source>
        <translation>인터페이스 %1 경유</translation>
    </message>
    <message>
        <source>it was not asked</source>
        <translation>묻지 않았습니다</translation>
    </message>
    <message>
        <source>All tasks are on this computer, over loopback</source>
        <translation>모든 태스크가 이 컴퓨터에 있으며 루프백을 씁니다</translation>
    </message>
    <message>
        <source>The task is on this computer</source>
        <translation>태스크가 이 컴퓨터에 있습니다</translation>
    </message>
    <message>
        <source>tandem-worker can&apos;t be started</source>
        <translation>tandem-worker를 시작할 수 없습니다</translation>
    </message>
    <message>
        <source>The agent looks for it beside itself.</source>
        <translation>에이전트는 자기 옆에서 이것을 찾습니다.</translation>
    </message>
    <message>
        <source>Install it again.</source>
        <translation>다시 설치하십시오.</translation>
    </message>
    <message>
        <source>The worker is %1, the agent %2</source>
        <translation>워커는 %1, 에이전트는 %2입니다</translation>
    </message>
    <message>
        <source>End the agent: the next launch starts the new one.</source>
        <translation>에이전트를 끝내십시오. 다음 실행 때 새 것이 시작됩니다.</translation>
    </message>
    <message>
        <source>Agent and worker are %1</source>
        <translation>에이전트와 워커는 %1입니다</translation>
    </message>
    <message>
        <source>%1 tasks with %2 threads each share %3 cores</source>
        <translation>스레드가 %2개씩인 태스크 %1개가 코어 %3개를 나누어 씁니다</translation>
    </message>
    <message>
        <source>%1 task with %2 threads each share %3 cores</source>
        <translation>스레드가 %2개인 태스크 %1개가 코어 %3개를 나누어 씁니다</translation>
    </message>
    <message>
        <source>%1 tasks with %2 threads each share 1 core</source>
        <translation>스레드가 %2개씩인 태스크 %1개가 코어 하나를 나누어 씁니다</translation>
    </message>
    <message>
        <source>%1 tasks with 1 thread each share %2 cores</source>
        <translation>스레드가 하나씩인 태스크 %1개가 코어 %2개를 나누어 씁니다</translation>
    </message>
    <message>
        <source>%1 tasks share %2 cores</source>
        <translation>태스크 %1개가 코어 %2개를 나누어 씁니다</translation>
    </message>
    <message>
        <source>%1 tasks share 1 core</source>
        <translation>태스크 %1개가 코어 하나를 나누어 씁니다</translation>
    </message>
    <message>
        <source>They take turns: a step waits for the slowest.</source>
        <translation>번갈아 실행되므로 스텝이 가장 느린 것을 기다립니다.</translation>
    </message>
    <message>
        <source>Set the threads of a task to 0.</source>
        <translation>태스크의 스레드 수를 0으로 하십시오.</translation>
    </message>
    <message>
        <source>Use fewer tasks.</source>
        <translation>태스크 수를 줄이십시오.</translation>
    </message>
    <message>
        <source>%1 cores for each task</source>
        <translation>태스크마다 코어 %1개</translation>
    </message>
    <message>
        <source>1 core for each task</source>
        <translation>태스크마다 코어 1개</translation>
    </message>
    <message>
        <source>%1 cores for the task</source>
        <translation>태스크에 코어 %1개</translation>
    </message>
    <message>
        <source>1 core for the task</source>
        <translation>태스크에 코어 1개</translation>
    </message>
    <message>
        <source>%1 of memory free</source>
        <translation>남은 메모리 %1</translation>
    </message>
    <message>
        <source>A task needs about 200 MB and its data.</source>
        <translation>태스크 하나에는 약 200 MB와 데이터만큼이 필요합니다.</translation>
    </message>
    <message>
        <source>Close other programs.</source>
        <translation>다른 프로그램을 닫으십시오.</translation>
    </message>
    <message>
        <source>%1: port %2 is not free</source>
        <translation>%1: %2번 포트가 비어 있지 않습니다</translation>
    </message>
    <message>
        <source>Port %1 is free</source>
        <translation>%1번 포트가 비어 있습니다</translation>
    </message>
    <message>
        <source>Ports %1 and %2 are free</source>
        <translation>비어 있는 포트: %1, %2</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read</source>
        <translation>%1 데이터셋을 읽을 수 없습니다</translation>
    </message>
    <message>
        <source>Choose the file again on the Data page.</source>
        <translation>데이터 페이지에서 파일을 다시 고르십시오.</translation>
    </message>
    <message>
        <source>All tasks see the same %1</source>
        <translation>모든 태스크에서 같은 %1 데이터셋이 보입니다</translation>
    </message>
    <message>
        <source>%1 needs no files</source>
        <translation>%1에는 파일이 필요 없습니다</translation>
    </message>
    <message>
        <source>%1 is fetched before the first step</source>
        <translation>%1 데이터셋을 첫 스텝 전에 받아 옵니다</translation>
    </message>
    <message>
        <source>%1, once for this computer</source>
        <translation>%1, 이 컴퓨터에 한 번만</translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation>이 컴퓨터에 %1 데이터셋이 없습니다</translation>
    </message>
    <message>
        <source>%1 is here</source>
        <translation>%1 데이터셋이 있습니다</translation>
    </message>
    <message>
        <source>Fetch it on the Data page.</source>
        <translation>데이터 페이지에서 받아 오십시오.</translation>
    </message>
    <message>
        <source>%1 free for runs</source>
        <translation>실행에 쓸 수 있는 디스크 %1</translation>
    </message>
    <message>
        <source>this one writes up to %1</source>
        <translation>이 실행이 쓰는 양은 최대 %1</translation>
    </message>
    <message>
        <source>Make room, or keep fewer checkpoints.</source>
        <translation>공간을 비우거나 체크포인트를 적게 남기십시오.</translation>
    </message>
    <message>
        <source>Make room.</source>
        <translation>공간을 비우십시오.</translation>
    </message>
    <message>
        <source>One clock for all tasks</source>
        <translation>모든 태스크가 한 시계를 씁니다</translation>
    </message>
    <message>
        <source>set by a time server</source>
        <translation>시간 서버로 맞춤</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is set by a time server</source>
        <translation>이 컴퓨터의 시계는 시간 서버로 맞춥니다</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is not set by a time server</source>
        <translation>이 컴퓨터의 시계는 시간 서버로 맞추지 않습니다</translation>
    </message>
    <message>
        <source>Switch on NTP on every host.</source>
        <translation>모든 호스트에서 NTP를 켜십시오.</translation>
    </message>
    <message>
        <source>No GPU: %1</source>
        <translation>GPU 없음: %1</translation>
    </message>
    <message>
        <source>No GPU can be used: %1</source>
        <translation>쓸 수 있는 GPU가 없습니다: %1</translation>
    </message>
    <message>
        <source>Training goes on the processor.</source>
        <translation>훈련은 프로세서에서 합니다.</translation>
    </message>
    <message>
        <source>Install a newer NVIDIA driver.</source>
        <translation>더 새로운 NVIDIA 드라이버를 설치하십시오.</translation>
    </message>
    <message>
        <source>%1 free, driver %2 for CUDA %3</source>
        <translation>남은 용량 %1, CUDA %3용 드라이버 %2</translation>
    </message>
    <message>
        <source>No NCCL: %1</source>
        <translation>NCCL 없음: %1</translation>
    </message>
    <message>
        <source>The project needs %1 GPUs for a task, here are %2</source>
        <translation>프로젝트는 태스크마다 GPU %1개가 필요한데 %2개 있습니다</translation>
    </message>
    <message>
        <source>The project needs %1 GPUs for a task, here is none</source>
        <translation>프로젝트는 태스크마다 GPU %1개가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>The project needs 1 GPU for a task, here is none</source>
        <translation>프로젝트는 태스크마다 GPU 1개가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>Use CPUs or fewer devices.</source>
        <translation>CPU를 쓰거나 장치 수를 줄이십시오.</translation>
    </message>
    <message>
        <source>%1 can&apos;t reach %2</source>
        <translation>%1에서 %2에 닿을 수 없습니다</translation>
    </message>
    <message>
        <source>Write an address that this computer has.</source>
        <translation>이 컴퓨터가 가진 주소를 쓰십시오.</translation>
    </message>
    <message>
        <source>Loopback: %1 at most, %2 at least</source>
        <translation>루프백: 최대 %1, 최소 %2</translation>
    </message>
    <message>
        <source>between tasks over TCP, as gRPC goes; shared memory is faster</source>
        <translation>gRPC처럼 TCP로 태스크 사이를 잰 값이며, 공유 메모리는 더 빠릅니다</translation>
    </message>
    <message>
        <source>no time was left</source>
        <translation>남은 시간이 없었습니다</translation>
    </message>
    <message>
        <source>%1: its clock is %2 ahead</source>
        <translation>%1: 시계가 %2 빠릅니다</translation>
    </message>
    <message>
        <source>%1: its clock is %2 behind</source>
        <translation>%1: 시계가 %2 느립니다</translation>
    </message>
    <message>
        <source>What its tasks tell is put on this computer&apos;s clock.</source>
        <translation>그곳의 태스크가 알리는 시각은 이 컴퓨터의 시계로 고칩니다.</translation>
    </message>
    <message>
        <source>Mend it there, or move its tasks.</source>
        <translation>그곳에서 고치거나 태스크를 옮기십시오.</translation>
    </message>
    <message>
        <source>Look at it with tandem-cli host check %1.</source>
        <translation>tandem-cli host check %1 명령으로 살펴보십시오.</translation>
    </message>
    <message>
        <source>%1: %2 of memory free</source>
        <translation>%1: 남은 메모리 %2</translation>
    </message>
    <message>
        <source>%1: %2 free for runs</source>
        <translation>%1: 실행에 쓸 수 있는 공간 %2</translation>
    </message>
    <message>
        <source>1 core, %1 of memory free, %2 free for runs</source>
        <translation>코어 1개, 남은 메모리 %1, 실행에 쓸 수 있는 공간 %2</translation>
    </message>
    <message>
        <source>%1 cores, %2 of memory free, %3 free for runs</source>
        <translation>코어 %1개, 남은 메모리 %2, 실행에 쓸 수 있는 공간 %3</translation>
    </message>
    <message>
        <source>%1: a launch sends %2 of the run&apos;s files there</source>
        <translation>%1: 시작할 때 실행의 파일을 %2만큼 그곳으로 보냅니다</translation>
    </message>
    <message>
        <source>They are kept there: the next launch sends what has changed.</source>
        <translation>그곳에 보관하므로 다음 시작에서는 바뀐 것만 보냅니다.</translation>
    </message>
    <message>
        <source>%1 can&apos;t reach %2 at port %3</source>
        <translation>%1에서 %2의 포트 %3에 닿을 수 없습니다</translation>
    </message>
    <message>
        <source>No computer can reach %1 at port %2</source>
        <translation>어떤 컴퓨터도 포트 %2에서 %1에 닿을 수 없습니다</translation>
    </message>
    <message>
        <source>The connection was refused: a firewall rejects it, or the address is another computer&apos;s.</source>
        <translation>연결이 거부되었습니다. 방화벽이 거부하거나, 주소가 다른 컴퓨터의 것입니다.</translation>
    </message>
    <message>
        <source>There is no route to it: a firewall rejects the connection, or no way leads there.</source>
        <translation>그곳으로 가는 경로가 없습니다. 방화벽이 연결을 거부하거나, 통하는 길이 없습니다.</translation>
    </message>
    <message>
        <source>Nothing came back in time: probably a firewall drops what comes.</source>
        <translation>제시간에 아무 응답도 오지 않았습니다. 아마 방화벽이 들어오는 것을 버립니다.</translation>
    </message>
    <message>
        <source>Something else answers there: it has not proven the secret of this measurement.</source>
        <translation>그곳에서 다른 것이 응답합니다. 이 측정의 비밀을 증명하지 않았습니다.</translation>
    </message>
    <message>
        <source>Let TCP port %1 through on %2, or choose a port that its firewall lets through.</source>
        <translation>%2에서 %1번 TCP 포트를 허용하거나, 그 방화벽이 허용하는 포트를 선택하십시오.</translation>
    </message>
    <message>
        <source>%1: all its ways are slow, %2 at best; the median of the computers is %3</source>
        <translation>%1: 모든 경로가 느려 기껏해야 %2입니다. 컴퓨터들의 중앙값은 %3입니다</translation>
    </message>
    <message>
        <source>%1: all its ways are long, %2 there and back at best; the median of the computers is %3</source>
        <translation>%1: 모든 경로가 길어 왕복에 적어도 %2 걸립니다. 컴퓨터들의 중앙값은 %3입니다</translation>
    </message>
    <message>
        <source>The way between %1 and %2 is slow: %3 at best; the median of all ways is %4</source>
        <translation>%1, %2 사이의 경로가 느립니다. 기껏해야 %3이며, 모든 경로의 중앙값은 %4입니다</translation>
    </message>
    <message>
        <source>The way between %1 and %2 is long: %3 there and back at best; the median of all ways is %4</source>
        <translation>%1, %2 사이의 경로가 깁니다. 왕복에 적어도 %3 걸리며, 모든 경로의 중앙값은 %4입니다</translation>
    </message>
    <message>
        <source>From %1 to %2 go %3, the other way round %4</source>
        <translation>%1에서 %2 쪽으로는 %3, 반대쪽으로는 %4입니다</translation>
    </message>
    <message>
        <source>A step waits for the slowest way: look at cables, switches and what else uses them.</source>
        <translation>스텝은 가장 느린 경로를 기다립니다. 케이블과 스위치, 그것을 쓰는 다른 것을 살펴보십시오.</translation>
    </message>
    <message>
        <source>%1 of %2 ways between computers were not measured</source>
        <translation>컴퓨터 사이의 경로 %2개 중 %1개를 측정하지 않았습니다</translation>
    </message>
    <message>
        <source>Between computers: %1 there and back at most, %2 at least</source>
        <translation>컴퓨터 사이: 왕복 최대 %1, 최소 %2</translation>
    </message>
    <message>
        <source>encrypted, at the ports of the tasks</source>
        <translation>암호화하여, 태스크의 포트에서</translation>
    </message>
    <message>
        <source>%1: it is not in the list of hosts</source>
        <translation>%1: 호스트 목록에 없습니다</translation>
    </message>
    <message>
        <source>%1: it was not reached</source>
        <translation>%1: 연결하지 못했습니다</translation>
    </message>
    <message>
        <source>%1: it can&apos;t have its tasks</source>
        <translation>%1: 자신의 태스크를 맡을 수 없습니다</translation>
    </message>
    <message>
        <source>%1: its sshd does not say by which address it was reached</source>
        <translation>%1: 어느 주소로 연결되었는지 sshd가 알려 주지 않습니다</translation>
    </message>
    <message>
        <source>%1: nobody has said by which address it is reached</source>
        <translation>%1: 어느 주소로 닿는지 아무도 알려 주지 않았습니다</translation>
    </message>
    <message>
        <source>%1: its agent does not answer</source>
        <translation>%1: 에이전트가 응답하지 않습니다</translation>
    </message>
    <message>
        <source>%1: it did not begin to listen in time</source>
        <translation>%1: 제시간에 수신을 시작하지 않았습니다</translation>
    </message>
    <message>
        <source>%1: it has ended</source>
        <translation>%1: 끝났습니다</translation>
    </message>
    <message>
        <source>not measured: both are on %1</source>
        <translation>측정하지 않음: 둘 다 %1에 있습니다</translation>
    </message>
    <message>
        <source>the way from %1 to %2 was not measured</source>
        <translation>%1에서 %2까지의 경로를 측정하지 않았습니다</translation>
    </message>
    <message>
        <source>nothing came back within %1 s</source>
        <translation>%1초 안에 아무 응답도 오지 않았습니다</translation>
    </message>
    <message>
        <source>the other end has closed the connection</source>
        <translation>상대편이 연결을 닫았습니다</translation>
    </message>
    <message>
        <source>what came back is no answer to what was sent</source>
        <translation>돌아온 것이 보낸 것에 대한 응답이 아닙니다</translation>
    </message>
    <message>
        <source>%1: it did not answer in time</source>
        <translation>%1: 제시간에 응답하지 않았습니다</translation>
    </message>
</context>
<context>
    <name>DrawPad</name>
    <message>
        <source>Field to draw in</source>
        <translation>그리는 칸</translation>
    </message>
    <message>
        <source>Arrows move the pen, Space puts it down and lifts it, Delete clears the field.</source>
        <translation>화살표로 펜을 움직이고, Space로 펜을 내리거나 들고, Delete로 지웁니다.</translation>
    </message>
    <message>
        <source>Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, Del clears.</source>
        <translation>마우스로 그리고 오른쪽 버튼으로 지웁니다. 키: 화살표는 이동, Space는 펜 내리기와 들기, Del은 모두 지우기.</translation>
    </message>
    <message>
        <source>Arrows move the pen, Space puts it down and lifts it, 1 to 8 choose its colour, F fills the field, Delete clears it.</source>
        <translation>화살표 키로 펜을 움직이고 Space로 내리거나 들고 1~8로 색을 고르고 F로 전체를 채우고 Delete로 지웁니다.</translation>
    </message>
    <message>
        <source>Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, 1 to 8 choose its colour, F fills, Del clears.</source>
        <translation>마우스로 그리고 오른쪽 버튼으로 지웁니다. 키: 화살표는 이동, Space는 펜 내리기와 들기, 1~8은 색, F는 채우기, Del은 모두 지우기.</translation>
    </message>
</context>
<context>
    <name>DrawingCard</name>
    <message>
        <source>Clear</source>
        <translation>지우기</translation>
    </message>
    <message>
        <source>Draw and see</source>
        <translation>그려서 보기</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>채우기</translation>
    </message>
    <message>
        <source>Fill the field with the colour (F)</source>
        <translation>칸 전체를 이 색으로 채우기 (F)</translation>
    </message>
    <message>
        <source>Sample %1 of the test set. Draw over it to ask about a drawing.</source>
        <translation>테스트 세트의 샘플 %1. 위에 그리면 그림으로 물어볼 수 있습니다.</translation>
    </message>
    <message>
        <source>This model takes no pictures that could be drawn; its samples are shown here.</source>
        <translation>이 모델은 그려서 넣을 수 있는 그림을 받지 않으므로 샘플을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Your drawing</source>
        <translation>직접 그린 그림</translation>
    </message>
</context>
<context>
    <name>EditMenu</name>
    <message>
        <source>Cu&amp;t</source>
        <translation>잘라내기</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>붙여넣기</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>The clipboard holds no text</source>
        <translation>클립보드에 텍스트가 없습니다</translation>
    </message>
    <message>
        <source>Nothing here takes it</source>
        <translation>여기에는 붙여넣을 곳이 없습니다</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>선택한 것이 없습니다</translation>
    </message>
    <message>
        <source>This text can&apos;t be changed</source>
        <translation>이 텍스트는 바꿀 수 없습니다</translation>
    </message>
    <message>
        <source>No text is selected</source>
        <translation>선택한 텍스트가 없습니다</translation>
    </message>
</context>
<context>
    <name>EmptyMonitor</name>
    <message>
        <source>No run yet</source>
        <translation>아직 실행 없음</translation>
    </message>
    <message>
        <source>Launch the project and its curves appear here from the first step.
Training goes on when this window is closed.</source>
        <translation>프로젝트를 시작하면 첫 스텝부터 곡선이 여기에 나타납니다.
이 창을 닫아도 훈련은 계속됩니다.</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>템플릿 선택</translation>
    </message>
    <message>
        <source>Ctrl+R launches from anywhere. To look at an older run, open Runs (Ctrl+6).</source>
        <translation>Ctrl+R은 어디서나 시작합니다. 지난 실행은 실행 기록(Ctrl+6)에서 볼 수 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s) here</source>
        <translation>
            <numerusform>여기서 워커 %n개 시작</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>매개변수 %1개</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation>열린 프로젝트 없음</translation>
    </message>
    <message>
        <source>%1, no problems</source>
        <translation>%1, 문제 없음</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>%1 is on this computer, %2 samples</source>
        <translation>%1: 이 컴퓨터에 있음, 샘플 %2개</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>클러스터</translation>
    </message>
    <message>
        <source>one worker on this computer</source>
        <translation>이 컴퓨터의 워커 1개</translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s) on %1 hosts</source>
        <translation>
            <numerusform>호스트 %1개에서 워커 %n개 시작</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EngineTexts</name>
    <message>
        <source>Every worker keeps a full copy; gradients are summed in each step.</source>
        <translation>모든 워커가 모델 전체를 복제해 가지며, 그래디언트는 스텝마다 합산됩니다.</translation>
    </message>
    <message>
        <source>Several workers, a full copy each</source>
        <translation>워커 여러 개, 각각 전체 복제본</translation>
    </message>
    <message>
        <source>Several devices of one host, each with a full copy.</source>
        <translation>한 호스트의 여러 장치가 각각 전체 복제본을 가집니다.</translation>
    </message>
    <message>
        <source>Several devices of one host</source>
        <translation>한 호스트의 여러 장치</translation>
    </message>
    <message>
        <source>Variables live on ps tasks; workers compute by themselves.</source>
        <translation>변수는 ps 태스크에 있고 워커는 각자 계산합니다.</translation>
    </message>
    <message>
        <source>Variables on ps tasks</source>
        <translation>변수는 ps 태스크에</translation>
    </message>
    <message>
        <source>Variables on one device, computation on all of one host.</source>
        <translation>변수는 한 장치에, 계산은 한 호스트의 모든 장치에서.</translation>
    </message>
    <message>
        <source>Variables on one device of one host</source>
        <translation>변수는 한 호스트의 한 장치에</translation>
    </message>
    <message>
        <source>The cores of a TPU, each with a full copy.</source>
        <translation>TPU의 코어가 각각 전체 복제본을 가집니다.</translation>
    </message>
    <message>
        <source>Everything on one device.</source>
        <translation>모든 것을 한 장치에서.</translation>
    </message>
    <message>
        <source>Everything on one device</source>
        <translation>모든 것을 한 장치에서</translation>
    </message>
    <message>
        <source>No distribution.</source>
        <translation>분산하지 않음.</translation>
    </message>
    <message>
        <source>No distribution</source>
        <translation>분산하지 않음</translation>
    </message>
    <message>
        <source>One process; removes the %1 tasks</source>
        <translation>프로세스 하나, 태스크 %1개를 없앰</translation>
    </message>
    <message>
        <source>Removes the ps, which it would wait for</source>
        <translation>기다리게 될 ps를 없앰</translation>
    </message>
    <message>
        <source>needs a ps task</source>
        <translation>ps 태스크 필요</translation>
    </message>
    <message>
        <source>needs a worker task</source>
        <translation>worker 태스크 필요</translation>
    </message>
    <message>
        <source>a cluster has at most one %1</source>
        <translation>클러스터에 %1 태스크는 하나만 있을 수 있음</translation>
    </message>
    <message>
        <source>%1: %2; TensorFlow 2.21: %3; guide: %4</source>
        <translation>%1: %2; TensorFlow 2.21: %3; 가이드: %4</translation>
    </message>
    <message>
        <source>Keras fit</source>
        <translation>Keras fit</translation>
    </message>
    <message>
        <source>custom loop</source>
        <translation>사용자 지정 루프</translation>
    </message>
    <message>
        <source>Estimator</source>
        <translation>Estimator</translation>
    </message>
    <message>
        <source>experimental (%1)</source>
        <translation>실험적(%1)</translation>
    </message>
    <message>
        <source>limited (%1)</source>
        <translation>제한적(%1)</translation>
    </message>
    <message>
        <source>planned (%1)</source>
        <translation>예정(%1)</translation>
    </message>
    <message>
        <source>no (%1)</source>
        <translation>아니요(%1)</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>예</translation>
    </message>
    <message>
        <source>experimental</source>
        <translation>실험적</translation>
    </message>
    <message>
        <source>limited</source>
        <translation>제한적</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>예정</translation>
    </message>
    <message>
        <source>no</source>
        <translation>아니요</translation>
    </message>
    <message>
        <source>may change in a later version</source>
        <translation>이후 버전에서 바뀔 수 있음</translation>
    </message>
    <message>
        <source>planned for 2.0 RC</source>
        <translation>2.0 RC에 예정</translation>
    </message>
    <message>
        <source>basic training and evaluation; no scaffold</source>
        <translation>기본 훈련과 평가, scaffold 없음</translation>
    </message>
    <message>
        <source>tf.estimator was removed</source>
        <translation>tf.estimator는 제거됨</translation>
    </message>
    <message>
        <source>not in this version</source>
        <translation>이 버전에는 없음</translation>
    </message>
    <message>
        <source>needs a TPU</source>
        <translation>TPU 필요</translation>
    </message>
    <message>
        <source>Keras 2; with Keras 3 fit fails before the first step</source>
        <translation>Keras 2만. Keras 3에서는 첫 스텝 전에 fit이 실패</translation>
    </message>
    <message>
        <source>not supported yet</source>
        <translation>아직 지원되지 않음</translation>
    </message>
    <message>
        <source>Keras 2 with steps_per_epoch; not with Keras 3</source>
        <translation>steps_per_epoch를 쓰는 Keras 2, Keras 3에서는 안 됨</translation>
    </message>
    <message>
        <source>not in the guide</source>
        <translation>가이드에 없음</translation>
    </message>
    <message>
        <source>steps per epoch: %1 (fit.steps_per_epoch)</source>
        <translation>에포크당 스텝: %1(fit.steps_per_epoch)</translation>
    </message>
    <message>
        <source>steps per epoch: %1 (%2 training samples)</source>
        <translation>에포크당 스텝: %1(훈련 샘플 %2개)</translation>
    </message>
    <message>
        <source>learning rate: %1 as chosen for one replica&apos;s batch of %2; for %3, %4 (square root) to %5 (linear) are usual</source>
        <translation>학습률: 복제본 하나의 배치 %2에 맞춰 고른 %1. %3에는 보통 %4(제곱근)~%5(선형)</translation>
    </message>
    <message>
        <source>One worker reads all samples.</source>
        <translation>워커 하나가 모든 샘플을 읽습니다.</translation>
    </message>
    <message>
        <source>OFF: each of %1 workers reads all samples, in an order of its own.</source>
        <translation>OFF: 워커 %1개가 각각 모든 샘플을 자기 순서로 읽습니다.</translation>
    </message>
    <message>
        <source>OFF: each of %1 workers reads all samples, in the same order.</source>
        <translation>OFF: 워커 %1개가 각각 모든 샘플을 같은 순서로 읽습니다.</translation>
    </message>
    <message>
        <source>AUTO deals whole files (FILE), because the set is read file by file: %1 files for %2 workers.</source>
        <translation>세트를 파일별로 읽으므로 AUTO가 파일 단위로 나눕니다(FILE): 파일 %1개, 워커 %2개.</translation>
    </message>
    <message>
        <source>FILE: %1 files for %2 workers.</source>
        <translation>FILE: 파일 %1개, 워커 %2개.</translation>
    </message>
    <message>
        <source>AUTO deals single samples (DATA), because the set is held in memory.</source>
        <translation>세트가 메모리에 있으므로 AUTO가 샘플 단위로 나눕니다(DATA).</translation>
    </message>
    <message>
        <source>DATA: each of %1 workers takes 1/%2 of every batch.</source>
        <translation>DATA: 워커 %1개가 각각 모든 배치의 1/%2만큼 가져갑니다.</translation>
    </message>
    <message>
        <source>AUTO takes RING: no NVIDIA GPU here</source>
        <translation>AUTO가 RING을 선택: 여기에 NVIDIA GPU 없음</translation>
    </message>
    <message>
        <source>AUTO takes RING: %1</source>
        <translation>AUTO가 RING을 선택: %1</translation>
    </message>
    <message>
        <source>AUTO takes NCCL %1: every task has a GPU of its own</source>
        <translation>AUTO의 선택은 NCCL %1: 태스크마다 자기 GPU가 있음</translation>
    </message>
    <message>
        <source>NCCL needs an NVIDIA GPU; this computer has none</source>
        <translation>NCCL에는 NVIDIA GPU가 필요하지만 이 컴퓨터에는 없습니다</translation>
    </message>
    <message>
        <source>NCCL needs a GPU of its own in every task: %1</source>
        <translation>NCCL은 태스크마다 자기 GPU가 필요: %1</translation>
    </message>
    <message>
        <source>%1 has no GPU: %2</source>
        <translation>%1에 GPU 없음: %2</translation>
    </message>
    <message>
        <source>%1 has no GPU</source>
        <translation>%1에 GPU 없음</translation>
    </message>
    <message>
        <source>%1 has no NCCL: %2</source>
        <translation>%1에 NCCL 없음: %2</translation>
    </message>
    <message>
        <source>%1 has no NCCL</source>
        <translation>%1에 NCCL 없음</translation>
    </message>
    <message>
        <source>%1 has several replicas on one GPU</source>
        <translation>GPU 하나에 복제본이 여러 개인 태스크: %1</translation>
    </message>
    <message>
        <source>%1 and %2 share a GPU</source>
        <translation>%1, %2: 같은 GPU를 씀</translation>
    </message>
    <message>
        <source>the project&apos;s devices are CPUs</source>
        <translation>프로젝트의 장치가 CPU임</translation>
    </message>
    <message>
        <source>no NVIDIA driver</source>
        <translation>NVIDIA 드라이버 없음</translation>
    </message>
    <message>
        <source>an NVIDIA driver, but no GPU</source>
        <translation>NVIDIA 드라이버는 있지만 GPU 없음</translation>
    </message>
    <message>
        <source>the NVIDIA driver&apos;s library can&apos;t be loaded: %1</source>
        <translation>NVIDIA 드라이버의 라이브러리를 불러올 수 없음: %1</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not answer: %1</source>
        <translation>NVIDIA 드라이버가 응답하지 않음: %1</translation>
    </message>
    <message>
        <source>%1 is not the NVIDIA driver&apos;s, or too old</source>
        <translation>%1 라이브러리가 NVIDIA 드라이버의 것이 아니거나 너무 오래됨</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES hides every GPU</source>
        <translation>CUDA_VISIBLE_DEVICES가 모든 GPU를 숨김</translation>
    </message>
    <message>
        <source>%1 has compute capability %2, Tandem needs %3</source>
        <translation>%1의 컴퓨팅 성능은 %2, Tandem에는 %3 필요</translation>
    </message>
    <message>
        <source>the driver %1 runs CUDA %2 at most, Tandem needs %3</source>
        <translation>드라이버 %1에서는 CUDA %2까지 실행, Tandem에는 %3 필요</translation>
    </message>
    <message>
        <source>this installation has no back-end for GPUs (%1)</source>
        <translation>이 설치에는 GPU용 백엔드가 없음(%1)</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>GPU 없음</translation>
    </message>
    <message>
        <source>%1 is not installed</source>
        <translation>%1 라이브러리가 설치되지 않음</translation>
    </message>
    <message>
        <source>%1 does not tell its version</source>
        <translation>%1 라이브러리가 버전을 알려 주지 않음</translation>
    </message>
    <message>
        <source>IDX files</source>
        <translation>IDX 파일</translation>
    </message>
    <message>
        <source>NumPy arrays</source>
        <translation>NumPy 배열</translation>
    </message>
    <message>
        <source>NumPy archive</source>
        <translation>NumPy 아카이브</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 표</translation>
    </message>
    <message>
        <source>Folder of pictures</source>
        <translation>이미지 폴더</translation>
    </message>
    <message>
        <source>TFRecord files</source>
        <translation>TFRecord 파일</translation>
    </message>
    <message>
        <source>CIFAR-10 files</source>
        <translation>CIFAR-10 파일</translation>
    </message>
    <message>
        <source>CIFAR-100 files</source>
        <translation>CIFAR-100 파일</translation>
    </message>
    <message>
        <source>Labelled texts</source>
        <translation>레이블이 있는 텍스트</translation>
    </message>
    <message>
        <source>Ones for ones</source>
        <translation>입력 1, 레이블 1</translation>
    </message>
    <message>
        <source>%1 has NCCL %2, %3 %4</source>
        <translation>%1의 NCCL은 %2, %3의 것은 %4</translation>
    </message>
    <message>
        <source>Wait 600 seconds, as usual</source>
        <translation>보통처럼 600초 기다리기</translation>
    </message>
    <message>
        <source>Restart three times, as usual</source>
        <translation>평소대로 세 번 다시 시작</translation>
    </message>
    <message>
        <source>Wait ten seconds for a sign of life, as usual</source>
        <translation>평소대로 10초 동안 응답을 기다리기</translation>
    </message>
    <message>
        <source>Share the cores evenly</source>
        <translation>코어를 고르게 나누기</translation>
    </message>
    <message>
        <source>Let AUTO choose</source>
        <translation>AUTO에 맡기기</translation>
    </message>
    <message>
        <source>Leave the size of packs to the engine</source>
        <translation>묶음 크기를 엔진에 맡기기</translation>
    </message>
    <message>
        <source>Use one device</source>
        <translation>장치 하나만 쓰기</translation>
    </message>
    <message>
        <source>Use every device of the list once</source>
        <translation>목록의 장치를 한 번씩만 쓰기</translation>
    </message>
    <message>
        <source>Add up on the first device</source>
        <translation>첫 번째 장치에서 합산하기</translation>
    </message>
    <message>
        <source>Use NcclAllReduce, as usual</source>
        <translation>보통처럼 NcclAllReduce 쓰기</translation>
    </message>
    <message>
        <source>Move %1 to this computer</source>
        <translation>%1: 이 컴퓨터로 옮기기</translation>
    </message>
    <message>
        <source>Move %1 before %2</source>
        <translation>%1: %2 앞으로 옮기기</translation>
    </message>
    <message>
        <source>Move %1 behind %2</source>
        <translation>%1: %2 뒤로 옮기기</translation>
    </message>
    <message>
        <source>Use the usual order</source>
        <translation>보통 순서 쓰기</translation>
    </message>
    <message>
        <source>Add a worker on this computer</source>
        <translation>이 컴퓨터에 worker 추가</translation>
    </message>
    <message>
        <source>Add a ps and a worker on this computer</source>
        <translation>이 컴퓨터에 ps와 worker 추가</translation>
    </message>
    <message>
        <source>Add a %1 at %2</source>
        <translation>%2에 %1 추가</translation>
    </message>
    <message>
        <source>Train without a cluster</source>
        <translation>클러스터 없이 훈련하기</translation>
    </message>
    <message>
        <source>Give %1 port %2</source>
        <translation>%1에 포트 %2 배정</translation>
    </message>
    <message>
        <source>Make the addresses the cluster&apos;s workers</source>
        <translation>주소들을 클러스터의 worker로 만들기</translation>
    </message>
    <message>
        <source>Remove the cluster and the task</source>
        <translation>클러스터와 태스크 제거</translation>
    </message>
    <message>
        <source>Make worker 0 the chief</source>
        <translation>worker 0을 chief로 만들기</translation>
    </message>
    <message>
        <source>Remove the task: without jobs nobody reads it</source>
        <translation>태스크 제거: 잡이 없으면 아무도 읽지 않음</translation>
    </message>
    <message>
        <source>Remove the task</source>
        <translation>태스크 제거</translation>
    </message>
    <message>
        <source>Remove the empty job %1</source>
        <translation>빈 잡 %1 제거</translation>
    </message>
    <message>
        <source>Remove the %1 job</source>
        <translation>%1 잡 제거</translation>
    </message>
    <message>
        <source>Put the address into a list</source>
        <translation>주소를 목록에 넣기</translation>
    </message>
    <message>
        <source>Number the tasks from 0</source>
        <translation>태스크 번호를 0부터 매기기</translation>
    </message>
    <message>
        <source>Rename the job to %1</source>
        <translation>잡의 새 이름: %1</translation>
    </message>
    <message>
        <source>Rename it to %1</source>
        <translation>새 이름: %1</translation>
    </message>
    <message>
        <source>Keep the first chief and make the others workers</source>
        <translation>첫 번째 chief만 두고 나머지는 worker로</translation>
    </message>
    <message>
        <source>Keep the first address</source>
        <translation>첫 번째 주소만 두기</translation>
    </message>
    <message>
        <source>Take the number for a port of this computer</source>
        <translation>숫자를 이 컴퓨터의 포트로 보기</translation>
    </message>
    <message>
        <source>Write an address</source>
        <translation>주소 쓰기</translation>
    </message>
    <message>
        <source>Leave out what is no host and port</source>
        <translation>호스트와 포트가 아닌 것 빼기</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>포트 %1 쓰기</translation>
    </message>
    <message>
        <source>Write this computer&apos;s name, %1, in place of %2</source>
        <translation>%2 대신 이 컴퓨터 이름 %1 쓰기</translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation>이 컴퓨터 쓰기</translation>
    </message>
    <message>
        <source>Make it the text of %1</source>
        <translation>%1의 텍스트로 만들기</translation>
    </message>
    <message>
        <source>Name the task&apos;s job %1</source>
        <translation>태스크의 잡 바꾸기: %1</translation>
    </message>
    <message>
        <source>List the evaluator at %1</source>
        <translation>evaluator를 %1에 올리기</translation>
    </message>
    <message>
        <source>Name the master chief</source>
        <translation>master를 chief로 바꾸기</translation>
    </message>
    <message>
        <source>Remove the evaluator</source>
        <translation>평가자 제거</translation>
    </message>
    <message>
        <source>Count it as a number</source>
        <translation>숫자로 세기</translation>
    </message>
    <message>
        <source>Count it as %1</source>
        <translation>%1번으로 세기</translation>
    </message>
    <message>
        <source>Make it the last one, %1</source>
        <translation>마지막 번호인 %1번으로 바꾸기</translation>
    </message>
    <message>
        <source>Make it the first one, 0</source>
        <translation>첫 번호 0으로</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 제거</translation>
    </message>
    <message>
        <source>Keep the JSON alone</source>
        <translation>JSON만 두기</translation>
    </message>
    <message>
        <source>Write {}: training alone</source>
        <translation>{} 쓰기: 혼자 훈련</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 쓰기</translation>
    </message>
    <message>
        <source>no heartbeat for %1</source>
        <translation>%1 동안 하트비트 없음</translation>
    </message>
    <message>
        <source>killed by signal %1</source>
        <translation>시그널 %1에 의해 종료됨</translation>
    </message>
    <message>
        <source>%1, after %2 restarts</source>
        <translation>%1, %2번 다시 시작한 뒤</translation>
    </message>
    <message>
        <source>%1, after 1 restart</source>
        <translation>%1, 한 번 다시 시작한 뒤</translation>
    </message>
    <message>
        <source>exit code %1 before it was done: %2</source>
        <translation>끝나기 전에 종료 코드 %1: %2</translation>
    </message>
    <message>
        <source>exit code %1 before it was done</source>
        <translation>끝나기 전에 종료 코드 %1</translation>
    </message>
    <message>
        <source>exit code %1: %2</source>
        <translation>종료 코드 %1: %2</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>종료 코드 %1</translation>
    </message>
    <message>
        <source>stopped because %1 failed</source>
        <translation>%1 태스크의 실패로 중지됨</translation>
    </message>
    <message>
        <source>the agent was stopped</source>
        <translation>에이전트가 중지됨</translation>
    </message>
    <message>
        <source>A TPU&apos;s cores, by an exported script</source>
        <translation>내보낸 스크립트로 TPU의 코어</translation>
    </message>
    <message>
        <source>A TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version.</source>
        <translation>TPU에서는 내보낸 스크립트로 훈련합니다. 이 버전에는 프로젝트를 실행하는 PJRT 플러그인이 없습니다.</translation>
    </message>
    <message>
        <source>exported as a script for a TPU</source>
        <translation>TPU용 스크립트로 내보냄</translation>
    </message>
    <message>
        <source>Restart all tasks, as usual</source>
        <translation>평소대로 모든 태스크 다시 시작</translation>
    </message>
    <message>
        <source>Let tasks go on without home, as usual</source>
        <translation>평소대로 홈 없이도 태스크 계속</translation>
    </message>
    <message>
        <source>%1; the run goes on with %2 of %3 workers, without %4, its learning rate times %5</source>
        <translation>%1. 실행은 워커 %3개 중 %2개로 %4 없이 계속되며, 학습률은 %5배가 됩니다</translation>
    </message>
    <message>
        <source>%1; the run goes on with %2 of %3 workers, without %4</source>
        <translation>%1. 실행은 워커 %3개 중 %2개로 %4 없이 계속됩니다</translation>
    </message>
    <message>
        <source>%1; no worker is left to go on</source>
        <translation>%1. 계속할 워커가 남지 않았습니다</translation>
    </message>
    <message>
        <source>%1: its home was away for %2</source>
        <translation>%1: 홈이 %2 동안 없었습니다</translation>
    </message>
    <message>
        <source>its home was away for %1</source>
        <translation>홈이 %1 동안 없었습니다</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>제외됨</translation>
    </message>
    <message>
        <source>out of reach and not asked to stop: %1</source>
        <translation>연결되지 않아 중지를 요청하지 못함: %1</translation>
    </message>
    <message>
        <source>%1, and none of its tasks told anything: %2</source>
        <translation>%1. 태스크 중 어느 것도 알린 것이 없습니다: %2</translation>
    </message>
    <message>
        <source>%1, and none of its tasks told anything</source>
        <translation>%1. 태스크 중 어느 것도 알린 것이 없습니다</translation>
    </message>
    <message>
        <source>%1, and its tasks told no end: %2</source>
        <translation>%1. 태스크가 종료를 알리지 않았습니다: %2</translation>
    </message>
    <message>
        <source>%1, and its tasks told no end</source>
        <translation>%1. 태스크가 종료를 알리지 않았습니다</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue: %2, place %3 of %4</source>
        <translation>%1번 잡이 Slurm 대기열에서 기다립니다: %2, %4개 중 %3번째</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue, place %2 of %3</source>
        <translation>%1번 잡이 Slurm 대기열에서 기다립니다, %3개 중 %2번째</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue: %2</source>
        <translation>%1번 잡이 Slurm 대기열에서 기다립니다: %2</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue</source>
        <translation>%1번 잡이 Slurm 대기열에서 기다립니다</translation>
    </message>
    <message>
        <source>job %1 runs on %2</source>
        <translation>%1번 잡이 %2에서 실행 중입니다</translation>
    </message>
    <message>
        <source>job %1 runs</source>
        <translation>%1번 잡이 실행 중입니다</translation>
    </message>
    <message>
        <source>job %1 is over</source>
        <translation>%1번 잡이 끝났습니다</translation>
    </message>
    <message>
        <source>job %1 was cancelled</source>
        <translation>%1번 잡이 취소되었습니다</translation>
    </message>
    <message>
        <source>job %1 reached its limit of time</source>
        <translation>%1번 잡이 시간 제한에 도달했습니다</translation>
    </message>
    <message>
        <source>job %1 lost a node</source>
        <translation>%1번 잡이 노드를 잃었습니다</translation>
    </message>
    <message>
        <source>job %1 needed more memory than it may have</source>
        <translation>%1번 잡이 허용된 것보다 많은 메모리를 필요로 했습니다</translation>
    </message>
    <message>
        <source>job %1 ended with exit code %2</source>
        <translation>%1번 잡이 끝났습니다(종료 코드 %2)</translation>
    </message>
    <message>
        <source>job %1 ended as %2</source>
        <translation>%1번 잡이 %2 상태로 끝났습니다</translation>
    </message>
    <message>
        <source>job %1 is gone from Slurm</source>
        <translation>%1번 잡이 Slurm에서 사라졌습니다</translation>
    </message>
    <message>
        <source>Slurm does not answer: %1</source>
        <translation>Slurm이 응답하지 않습니다: %1</translation>
    </message>
    <message>
        <source>MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem</source>
        <translation>MPI에는 Tandem이 아니라 mpirun이 시작한 태스크(tandem-worker --from-mpi)가 있어야 합니다</translation>
    </message>
    <message>
        <source>Take labels as rows, with CategoricalCrossentropy</source>
        <translation>CategoricalCrossentropy로 레이블을 행으로 받기</translation>
    </message>
    <message>
        <source>Mix no samples</source>
        <translation>샘플을 섞지 않기</translation>
    </message>
    <message>
        <source>Folder of texts</source>
        <translation>텍스트 폴더</translation>
    </message>
    <message>
        <source>%1 sent no heartbeat for %2</source>
        <translation>%1: %2 동안 하트비트 없음</translation>
    </message>
    <message>
        <source>%1 has not answered for %2</source>
        <translation>%1: %2 동안 응답 없음</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
    <message>
        <source>the run was done by then</source>
        <translation>그때 실행이 이미 끝나 있었음</translation>
    </message>
    <message>
        <source>has told nothing for %1 on %2</source>
        <translation>%2: %1 동안 알린 것 없음</translation>
    </message>
    <message>
        <source>has told nothing for %1</source>
        <translation>%1 동안 알린 것 없음</translation>
    </message>
    <message>
        <source>ended without a word on %1</source>
        <translation>%1에서 아무 말 없이 끝남</translation>
    </message>
    <message>
        <source>ended without a word</source>
        <translation>아무 말 없이 끝남</translation>
    </message>
    <message>
        <source>its folder is gone, or another run began in it</source>
        <translation>폴더가 없어졌거나 다른 실행이 그곳에서 시작됨</translation>
    </message>
    <message>
        <source>NaN or Inf loss encountered in batch %1</source>
        <translation>%1번 배치에서 손실이 NaN 또는 무한대가 됨</translation>
    </message>
    <message>
        <source>the run was stopped</source>
        <translation>실행이 중지됨</translation>
    </message>
    <message>
        <source>expected %1 among the logs of an epoch&apos;s end, got none</source>
        <translation>에포크 끝의 로그에 %1 값이 있어야 하는데 로그가 없습니다</translation>
    </message>
    <message>
        <source>expected %1 among the logs of an epoch&apos;s end, got %2</source>
        <translation>에포크 끝의 로그에 %1 값이 있어야 하는데 없습니다. 있는 로그: %2</translation>
    </message>
    <message>
        <source>no reason is known</source>
        <translation>알려진 이유 없음</translation>
    </message>
</context>
<context>
    <name>EpochProgress</name>
    <message numerus="yes">
        <source>%1 of %n epoch(s)</source>
        <translation>
            <numerusform>에포크 %n개 중 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpochTableModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>스텝 수</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>The agent does not answer.</source>
        <translation>에이전트가 응답하지 않습니다.</translation>
    </message>
    <message>
        <source>The agent did not answer in time.</source>
        <translation>에이전트가 제때 응답하지 않았습니다.</translation>
    </message>
    <message>
        <source>The project can&apos;t run as it is.</source>
        <translation>지금 상태로는 프로젝트를 실행할 수 없습니다.</translation>
    </message>
    <message>
        <source>It is taken already.</source>
        <translation>이미 사용 중입니다.</translation>
    </message>
    <message>
        <source>This computer has no room for it.</source>
        <translation>이 컴퓨터에 자원이 부족합니다.</translation>
    </message>
    <message>
        <source>This computer does not allow it.</source>
        <translation>이 컴퓨터에서 허용되지 않습니다.</translation>
    </message>
    <message>
        <source>It is not possible now.</source>
        <translation>지금은 할 수 없습니다.</translation>
    </message>
    <message>
        <source>A file is damaged.</source>
        <translation>파일이 손상되었습니다.</translation>
    </message>
    <message>
        <source>This version can&apos;t do it yet.</source>
        <translation>이 버전에서는 아직 할 수 없습니다.</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>취소되었습니다.</translation>
    </message>
    <message>
        <source>It did not work.</source>
        <translation>실패했습니다.</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>실행 없음</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>시작하는 중</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련 중</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>일시 정지됨</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>중지됨</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>It was not found.</source>
        <translation>찾을 수 없습니다.</translation>
    </message>
</context>
<context>
    <name>EvaluateView</name>
    <message>
        <source>Latest</source>
        <translation>최신</translation>
    </message>
    <message>
        <source>%1, the best</source>
        <translation>%1, 가장 좋음</translation>
    </message>
    <message>
        <source>A worker evaluates the checkpoint on the test set</source>
        <translation>워커가 테스트 세트로 체크포인트를 평가합니다</translation>
    </message>
    <message numerus="yes">
        <source>accuracy %1   loss %2   %Ln sample(s)</source>
        <translation>
            <numerusform>정확도 %1   손실 %2   샘플 %Ln개</numerusform>
        </translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation>평가 중</translation>
    </message>
    <message>
        <source>A worker of this computer runs %1 over the test set.</source>
        <translation>이 컴퓨터의 워커가 테스트 세트로 %1 모델을 실행합니다.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>%1 was not evaluated</source>
        <translation>%1 실행을 평가하지 못함</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>%1 has no checkpoint yet</source>
        <translation>%1에 아직 체크포인트가 없음</translation>
    </message>
    <message>
        <source>One is written at the end of each epoch.</source>
        <translation>에포크가 끝날 때마다 하나씩 저장됩니다.</translation>
    </message>
    <message>
        <source>Add ModelCheckpoint to the callbacks and train again.</source>
        <translation>콜백에 ModelCheckpoint를 추가하고 다시 훈련하십시오.</translation>
    </message>
    <message>
        <source>Back to runs</source>
        <translation>실행 기록으로</translation>
    </message>
    <message>
        <source>Back to runs (Esc)</source>
        <translation>실행 기록으로 (Esc)</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>체크포인트</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>다시</translation>
    </message>
    <message>
        <source>Which class is taken for which</source>
        <translation>어느 클래스를 어느 클래스로 보는지</translation>
    </message>
    <message>
        <source>What each layer makes of it</source>
        <translation>각 레이어가 만드는 것</translation>
    </message>
    <message>
        <source>%1 can&apos;t be evaluated here</source>
        <translation>%1 실행을 여기에서 평가할 수 없음</translation>
    </message>
</context>
<context>
    <name>Evaluation</name>
    <message>
        <source>The run&apos;s folder is on %1: evaluate it there. A worker of this computer can&apos;t read %2.</source>
        <translation>실행 폴더가 %1에 있으니 그곳에서 평가하십시오. 이 컴퓨터의 워커는 %2 폴더를 읽을 수 없습니다.</translation>
    </message>
    <message>
        <source>The run&apos;s folder is gone: expected %1 on this computer.</source>
        <translation>실행 폴더가 없습니다: 이 컴퓨터에 %1 폴더가 있어야 합니다.</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>%1에 파일 %n개를 썼습니다</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventsPane</name>
    <message>
        <source>Events</source>
        <translation>이벤트</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>이 코드의 뜻</translation>
    </message>
</context>
<context>
    <name>ExportCommandRow</name>
    <message>
        <source>Copy the command</source>
        <translation>명령 복사</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%1 · %n task(s)</source>
        <translation>
            <numerusform>%1 · 태스크 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>저장 위치</translation>
    </message>
    <message>
        <source>Folder to save to</source>
        <translation>저장할 폴더</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>폴더 선택</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message numerus="yes">
        <source>Export %n file(s)</source>
        <translation>
            <numerusform>파일 %n개 내보내기</numerusform>
        </translation>
    </message>
    <message>
        <source>Export</source>
        <translation>내보내기</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>내보낼 대상</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>선택한 것이 없음</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>내보내는 중…</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>파일 바꾸기</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>바꾸기</translation>
    </message>
    <message>
        <source>%1 already exists. Do you want to replace it?</source>
        <translation>%1 파일이 이미 있습니다. 바꾸시겠습니까?</translation>
    </message>
    <message numerus="yes">
        <source>%n files already exist. Do you want to replace them?</source>
        <translation>
            <numerusform>파일 %n개가 이미 있습니다. 바꾸시겠습니까?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportFileList</name>
    <message>
        <source>%1 KB</source>
        <translation>%1 KB</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>파일</translation>
    </message>
</context>
<context>
    <name>ExportKind</name>
    <message>
        <source>Format</source>
        <translation>형식</translation>
    </message>
</context>
<context>
    <name>ExportPreviewCard</name>
    <message>
        <source>Copy the file</source>
        <translation>파일 복사</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>미리 보기</translation>
    </message>
</context>
<context>
    <name>FailureCard</name>
    <message>
        <source>Open log at this second</source>
        <translation>이 시각의 로그 열기</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>세부 정보 복사</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>실행이 실패했습니다</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>First failure: %1 was killed</source>
        <translation>첫 실패: %1 강제 종료됨</translation>
    </message>
    <message>
        <source>First failure: %1</source>
        <translation>첫 실패: %1</translation>
    </message>
    <message>
        <source>%1 at %2 ended at %3, after step %4: %5.</source>
        <translation>%2의 %1 태스크가 스텝 %4 다음 %3에 끝났습니다: %5.</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>시그널 %1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>종료 코드 %1</translation>
    </message>
    <message>
        <source>It wrote no line.</source>
        <translation>남긴 로그가 없습니다.</translation>
    </message>
    <message>
        <source>last %1 of %2 lines</source>
        <translation>전체 %2줄 중 마지막 %1줄</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>이 코드의 뜻</translation>
    </message>
</context>
<context>
    <name>FailureTimeline</name>
    <message>
        <source>%1%2 ms</source>
        <translation>%1%2 ms</translation>
    </message>
    <message>
        <source>%1%2 s</source>
        <translation>%1%2초</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>강제 종료됨</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>What happened, by one clock</source>
        <translation>하나의 시계로 본 경과</translation>
    </message>
</context>
<context>
    <name>FarHosts</name>
    <message>
        <source>Reading the archive of this Tandem</source>
        <translation>이 Tandem의 보관 파일을 읽는 중</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>연결하는 중</translation>
    </message>
    <message>
        <source>Sending Tandem</source>
        <translation>Tandem을 보내는 중</translation>
    </message>
    <message>
        <source>Unpacking there</source>
        <translation>그곳에서 푸는 중</translation>
    </message>
    <message>
        <source>Starting its agent</source>
        <translation>에이전트를 시작하는 중</translation>
    </message>
</context>
<context>
    <name>FaultTableModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
    <message>
        <source>Kill</source>
        <translation>강제 종료</translation>
    </message>
    <message>
        <source>Stand still</source>
        <translation>멈추기</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>늦추기</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>끊기</translation>
    </message>
    <message>
        <source>Fill the disk</source>
        <translation>디스크 채우기</translation>
    </message>
    <message>
        <source>Set the clock wrong</source>
        <translation>시계 틀리게 하기</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%2에서 %1</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, 스텝 %2</translation>
    </message>
    <message>
        <source>not before the end</source>
        <translation>끝날 때까지 안 됨</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>장애</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시각</translation>
    </message>
    <message>
        <source>Named after</source>
        <translation>알려지기까지</translation>
    </message>
    <message>
        <source>Named by</source>
        <translation>알린 내용</translation>
    </message>
    <message>
        <source>Healed after</source>
        <translation>회복되기까지</translation>
    </message>
</context>
<context>
    <name>FieldEditor</name>
    <message>
        <source>A value is needed here</source>
        <translation>값을 입력해야 합니다</translation>
    </message>
    <message>
        <source>Expected a whole number</source>
        <translation>정수를 입력하십시오</translation>
    </message>
    <message>
        <source>Expected %1 or a whole number</source>
        <translation>%1 또는 정수가 필요합니다</translation>
    </message>
    <message>
        <source>Expected a number, such as 0.5 or 1e-3</source>
        <translation>0.5나 1e-3 같은 수를 입력하십시오</translation>
    </message>
    <message>
        <source>Expected more than %1</source>
        <translation>%1보다 커야 합니다</translation>
    </message>
    <message>
        <source>Expected at least %1</source>
        <translation>%1 이상이어야 합니다</translation>
    </message>
    <message>
        <source>Expected at most %1</source>
        <translation>%1 이하여야 합니다</translation>
    </message>
    <message>
        <source>Expected texts with a comma between two, such as red, &quot;dark, blue&quot;</source>
        <translation>쉼표로 나눈 텍스트를 써야 합니다. 예: red, &quot;dark, blue&quot;</translation>
    </message>
    <message>
        <source>None</source>
        <translation>없음</translation>
    </message>
</context>
<context>
    <name>FieldHints</name>
    <message>
        <source>How often training goes through the data</source>
        <translation>훈련이 데이터 전체를 도는 횟수</translation>
    </message>
    <message>
        <source>Batches of an epoch; 0: all samples once</source>
        <translation>한 에포크의 배치 수, 0: 모든 샘플 한 번</translation>
    </message>
    <message>
        <source>Epochs from one validation to the next</source>
        <translation>검증과 다음 검증 사이의 에포크 수</translation>
    </message>
    <message>
        <source>Batches of a validation; 0: all samples</source>
        <translation>검증 한 번의 배치 수, 0: 모든 샘플</translation>
    </message>
    <message>
        <source>Inputs times normal numbers of mean 1 and deviation sqrt(rate / (1 - rate)) while training</source>
        <translation>훈련 중 입력에 평균 1, 표준 편차 sqrt(rate / (1 - rate))의 정규 난수를 곱함</translation>
    </message>
    <message>
        <source>Steps from one line of the log to the next</source>
        <translation>로그 한 줄과 다음 줄 사이의 스텝 수</translation>
    </message>
    <message>
        <source>0: the cores of the host, shared evenly</source>
        <translation>0: 호스트의 코어를 고르게 나눔</translation>
    </message>
    <message>
        <source>0: gray, 0.5: as it is, 1: full colours; f for -f to f, or two numbers</source>
        <translation>0: 회색, 0.5: 그대로, 1: 가장 진한 색, f는 -f부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Device that adds up; the first one when absent</source>
        <translation>합산하는 장치, 없으면 첫 번째</translation>
    </message>
    <message>
        <source>Each GPU as so many devices; 0: one</source>
        <translation>GPU마다 이 수의 장치로, 0: 하나</translation>
    </message>
    <message>
        <source>Each worker&apos;s processor as so many devices; 0: one</source>
        <translation>워커마다 프로세서를 이 수의 장치로, 0: 하나</translation>
    </message>
    <message>
        <source>Gradients travel in packs of at least so many bytes; 0: as the engine likes</source>
        <translation>그래디언트를 이 바이트 이상의 묶음으로 전송, 0: 엔진이 정함</translation>
    </message>
    <message>
        <source>Half of it is how far corners move, in parts of their coordinates</source>
        <translation>그 절반이 모서리가 움직이는 거리, 좌표에 대한 비율</translation>
    </message>
    <message>
        <source>How the devices add up their gradients</source>
        <translation>장치들이 그래디언트를 더하는 방법</translation>
    </message>
    <message>
        <source>Losses are scaled up before the way back, so that small gradients of float16 are kept</source>
        <translation>float16의 작은 그래디언트를 지키려고 역전파 전에 손실을 키움</translation>
    </message>
    <message>
        <source>On GPUs: float32 products of numbers with 10 bits of mantissa, faster</source>
        <translation>GPU: 가수 10비트인 수의 float32 곱셈, 더 빠름</translation>
    </message>
    <message>
        <source>On GPUs: the same numbers in every run; products and convolutions may be slower</source>
        <translation>GPU: 실행마다 같은 수, 곱셈과 합성곱이 느려질 수 있음</translation>
    </message>
    <message>
        <source>Parts that the gradients travel in; 0: each gradient alone</source>
        <translation>그래디언트를 나누어 보내는 묶음 수, 0: 하나씩</translation>
    </message>
    <message>
        <source>Seconds that a task waits for the others at the start</source>
        <translation>시작할 때 태스크가 다른 태스크를 기다리는 시간(초)</translation>
    </message>
    <message>
        <source>How often one run is started again before it fails</source>
        <translation>한 실행이 실패하기 전에 다시 시작되는 횟수</translation>
    </message>
    <message>
        <source>Seconds without a sign of life after which a task is lost</source>
        <translation>이 시간(초) 동안 응답이 없으면 태스크를 잃은 것으로 봄</translation>
    </message>
    <message>
        <source>The processor as so many devices; 0: one</source>
        <translation>프로세서를 이 수의 장치로, 0: 하나</translation>
    </message>
    <message>
        <source>The run&apos;s log names the device of every variable and op</source>
        <translation>실행 로그에 모든 변수와 연산의 장치를 기록</translation>
    </message>
    <message>
        <source>auto: shared memory between tasks of one host, gRPC otherwise</source>
        <translation>auto: 한 호스트의 태스크끼리는 공유 메모리, 그 밖에는 gRPC</translation>
    </message>
    <message>
        <source>1: a straight line</source>
        <translation>1: 직선</translation>
    </message>
    <message>
        <source>Add a trained offset to every output</source>
        <translation>모든 출력에 학습되는 편향을 더함</translation>
    </message>
    <message>
        <source>Add a trained offset, beta</source>
        <translation>학습되는 편향 beta를 더함</translation>
    </message>
    <message>
        <source>Added to every value</source>
        <translation>모든 값에 더함</translation>
    </message>
    <message>
        <source>Added to the rate&apos;s divisor</source>
        <translation>학습률의 분모에 더함</translation>
    </message>
    <message>
        <source>Added to the rate&apos;s divisor over decay_steps</source>
        <translation>decay_steps 동안 학습률의 분모에 더해지는 양</translation>
    </message>
    <message>
        <source>Added to the root of the second moment</source>
        <translation>2차 모멘트의 제곱근에 더함</translation>
    </message>
    <message>
        <source>Added to the mean square</source>
        <translation>제곱 평균에 더함</translation>
    </message>
    <message>
        <source>Added to the variance</source>
        <translation>분산에 더함</translation>
    </message>
    <message>
        <source>As RandomBrightness has it; empty: as it is</source>
        <translation>RandomBrightness와 같음, 비우면 그대로</translation>
    </message>
    <message>
        <source>As RandomContrast has it; empty: as it is</source>
        <translation>RandomContrast와 같음, 비우면 그대로</translation>
    </message>
    <message>
        <source>As RandomSaturation has it; empty: as it is</source>
        <translation>RandomSaturation과 같음, 비우면 그대로</translation>
    </message>
    <message>
        <source>As RandomHue has it; empty: as it is</source>
        <translation>RandomHue와 같음, 비우면 그대로</translation>
    </message>
    <message>
        <source>Adds the sizes or squares of the values to the loss</source>
        <translation>값의 절댓값이나 제곱을 손실에 더함</translation>
    </message>
    <message>
        <source>Axes, from 1, along which one slope serves all</source>
        <translation>한 기울기를 함께 쓰는 축(1부터)</translation>
    </message>
    <message>
        <source>Axis of the channels</source>
        <translation>채널 축</translation>
    </message>
    <message>
        <source>Begin again, with longer and longer ways down</source>
        <translation>점점 더 긴 하강으로 다시 시작</translation>
    </message>
    <message>
        <source>Bits that are kept of a value&apos;s 8: n for 1 to n, or two; the larger one is never drawn</source>
        <translation>값의 8비트 가운데 남기는 비트 수: n은 1부터 n까지, 또는 두 수, 큰 쪽은 뽑히지 않음</translation>
    </message>
    <message>
        <source>Between cells: straight lines, or the nearest cell</source>
        <translation>칸 사이의 값: 선형 보간 또는 가장 가까운 칸</translation>
    </message>
    <message>
        <source>Cells taken away: one number, rows and columns, or top, bottom, left, right</source>
        <translation>잘라 낼 칸: 수 하나, 행과 열, 또는 위·아래·왼쪽·오른쪽</translation>
    </message>
    <message>
        <source>Channels between the two convolutions, for each input channel</source>
        <translation>입력 채널마다 두 합성곱 사이에 두는 채널 수</translation>
    </message>
    <message>
        <source>Columns of the result</source>
        <translation>결과의 열 수</translation>
    </message>
    <message>
        <source>Columns that a row is moved against the one before: f for -f to f, or two, either way</source>
        <translation>앞 행에 대해 행이 밀리는 열 수: f는 -f부터 f까지, 또는 두 수, 양쪽 방향</translation>
    </message>
    <message>
        <source>Cut the image to the result&apos;s proportions first</source>
        <translation>먼저 이미지를 결과의 비율로 자름</translation>
    </message>
    <message>
        <source>Distance between the cells of the window</source>
        <translation>창의 칸 사이 간격</translation>
    </message>
    <message>
        <source>Divide by the variance instead of the second moment</source>
        <translation>2차 모멘트 대신 분산으로 나눔</translation>
    </message>
    <message>
        <source>Each begins lower by this factor</source>
        <translation>시작할 때마다 이 배율만큼 낮아짐</translation>
    </message>
    <message>
        <source>Each way down is longer by this factor</source>
        <translation>하강할 때마다 이 배율만큼 길어짐</translation>
    </message>
    <message>
        <source>Error up to which the loss is quadratic</source>
        <translation>손실이 이차식인 오차의 한계</translation>
    </message>
    <message>
        <source>Factor of every value</source>
        <translation>모든 값에 곱하는 수</translation>
    </message>
    <message>
        <source>Factor over decay_steps</source>
        <translation>decay_steps 동안의 배율</translation>
    </message>
    <message>
        <source>From the last time to the first</source>
        <translation>마지막 시점부터 처음으로</translation>
    </message>
    <message>
        <source>Function applied to the output</source>
        <translation>출력에 적용할 함수</translation>
    </message>
    <message>
        <source>Function of the gates</source>
        <translation>게이트의 함수</translation>
    </message>
    <message>
        <source>Function of the new state</source>
        <translation>새 상태의 함수</translation>
    </message>
    <message>
        <source>1: say in the log what is done</source>
        <translation>1: 하는 일을 로그에 적음</translation>
    </message>
    <message>
        <source>A first checkpoint must be better than this</source>
        <translation>첫 체크포인트는 이보다 좋아야 함</translation>
    </message>
    <message>
        <source>A value that must be beaten</source>
        <translation>넘어서야 하는 값</translation>
    </message>
    <message>
        <source>Between two columns</source>
        <translation>두 열 사이</translation>
    </message>
    <message>
        <source>Changes smaller than this count as none</source>
        <translation>이보다 작은 변화는 없는 것으로 봄</translation>
    </message>
    <message>
        <source>End with the weights of the best epoch</source>
        <translation>가장 좋은 에포크의 가중치로 끝냄</translation>
    </message>
    <message>
        <source>Epochs after a reduction that do not count</source>
        <translation>낮춘 뒤 세지 않는 에포크</translation>
    </message>
    <message>
        <source>Epochs before this one, from 0, are not looked at</source>
        <translation>0부터 세어 이 에포크 이전은 보지 않음</translation>
    </message>
    <message>
        <source>Epochs between two histograms of weights and gradients; 0: none</source>
        <translation>가중치와 그래디언트 히스토그램 사이의 에포크, 0: 없음</translation>
    </message>
    <message>
        <source>Epochs without a better value before the rate is reduced</source>
        <translation>학습률을 낮추기 전 개선이 없는 에포크 수</translation>
    </message>
    <message>
        <source>Epochs without a better value before training ends</source>
        <translation>훈련을 끝내기 전 개선이 없는 에포크 수</translation>
    </message>
    <message>
        <source>Epochs, from 0, that begin with a new rate</source>
        <translation>0부터 세어 새 학습률로 시작하는 에포크</translation>
    </message>
    <message>
        <source>File below the run&apos;s folder</source>
        <translation>실행 폴더 아래의 파일</translation>
    </message>
    <message>
        <source>Filters as pictures, with the histograms</source>
        <translation>히스토그램과 함께 필터를 그림으로</translation>
    </message>
    <message>
        <source>Folder below the run&apos;s folder</source>
        <translation>실행 폴더 아래의 폴더</translation>
    </message>
    <message>
        <source>Go on in a file that exists</source>
        <translation>있는 파일에 이어 씀</translation>
    </message>
    <message>
        <source>How fast training is</source>
        <translation>훈련이 얼마나 빠른지</translation>
    </message>
    <message>
        <source>Keep only checkpoints better than all before</source>
        <translation>이전보다 좋은 체크포인트만 남김</translation>
    </message>
    <message>
        <source>Keep the backup before the last one too</source>
        <translation>마지막 이전의 백업도 남김</translation>
    </message>
    <message>
        <source>Let the run fail instead of ending it</source>
        <translation>실행을 끝내지 않고 실패하게 함</translation>
    </message>
    <message>
        <source>Only 0: no embeddings</source>
        <translation>0만: 임베딩 없음</translation>
    </message>
    <message>
        <source>Only 0: no profile</source>
        <translation>0만: 프로파일 없음</translation>
    </message>
    <message>
        <source>What the log says after each epoch: {epoch} counts from 1, {index} from 0, {rate} or {rate:.5f} is the learning rate</source>
        <translation>에포크마다 로그에 쓰는 텍스트. {epoch}는 1부터, {index}는 0부터 세고, {rate}나 {rate:.5f}는 학습률</translation>
    </message>
    <message>
        <source>Prefix of the files below the run&apos;s folder; {epoch} counts from 1</source>
        <translation>실행 폴더 아래 파일의 앞부분, {epoch}는 1부터 셈</translation>
    </message>
    <message>
        <source>Remove the backup when training is done</source>
        <translation>훈련이 끝나면 백업을 지움</translation>
    </message>
    <message>
        <source>The model for the page Graphs</source>
        <translation>Graphs 화면에 쓸 모델</translation>
    </message>
    <message>
        <source>The rate does not fall below this</source>
        <translation>학습률의 하한</translation>
    </message>
    <message>
        <source>The rate from each of these epochs on</source>
        <translation>각 에포크부터의 학습률</translation>
    </message>
    <message>
        <source>The rate is multiplied by this, a number below 1</source>
        <translation>학습률에 곱하는 1보다 작은 수</translation>
    </message>
    <message>
        <source>The value that should get better</source>
        <translation>좋아져야 하는 값</translation>
    </message>
    <message>
        <source>The value that tells the best epoch</source>
        <translation>가장 좋은 에포크를 정하는 값</translation>
    </message>
    <message>
        <source>Weights without the model&apos;s description; TensorFlow&apos;s format never has one</source>
        <translation>모델 설명 없이 가중치만, TensorFlow 형식에는 원래 없음</translation>
    </message>
    <message>
        <source>Whether a smaller or a larger value is better</source>
        <translation>작은 값이 좋은지 큰 값이 좋은지</translation>
    </message>
    <message>
        <source>&quot;epoch&quot;, &quot;batch&quot;, or a number of steps between two points</source>
        <translation>&quot;epoch&quot;, &quot;batch&quot; 또는 두 점 사이의 스텝 수</translation>
    </message>
    <message>
        <source>&quot;epoch&quot;, or a number of steps</source>
        <translation>&quot;epoch&quot; 또는 스텝 수</translation>
    </message>
    <message>
        <source>How a batch&apos;s losses become one number</source>
        <translation>배치의 손실들을 한 값으로 만드는 방법</translation>
    </message>
    <message>
        <source>How fast the rate falls</source>
        <translation>학습률이 떨어지는 빠르기</translation>
    </message>
    <message>
        <source>How much less samples count that are right already</source>
        <translation>이미 맞은 샘플을 덜 세는 정도</translation>
    </message>
    <message>
        <source>How often each step is repeated</source>
        <translation>스텝마다 되풀이하는 횟수</translation>
    </message>
    <message>
        <source>How often rows and columns are repeated</source>
        <translation>행과 열을 되풀이하는 횟수</translation>
    </message>
    <message>
        <source>How often the input is repeated</source>
        <translation>입력을 되풀이하는 횟수</translation>
    </message>
    <message>
        <source>How the two directions become one</source>
        <translation>두 방향을 하나로 합치는 방법</translation>
    </message>
    <message>
        <source>Id 0 stands for nothing: layers behind leave its place out</source>
        <translation>번호 0은 빈 자리: 뒤의 레이어는 건너뜀</translation>
    </message>
    <message>
        <source>Keep a moving average of the weights, and end with it</source>
        <translation>가중치의 이동 평균을 유지하고 그것으로 끝냄</translation>
    </message>
    <message>
        <source>Keep the axes, with size 1</source>
        <translation>축을 크기 1로 남김</translation>
    </message>
    <message>
        <source>Label of samples that do not count</source>
        <translation>세지 않을 샘플의 레이블</translation>
    </message>
    <message>
        <source>Largest norm of a variable&apos;s gradient</source>
        <translation>변수 하나의 그래디언트가 가질 수 있는 가장 큰 노름</translation>
    </message>
    <message>
        <source>Largest norm of all gradients together</source>
        <translation>모든 그래디언트를 합친 가장 큰 노름</translation>
    </message>
    <message>
        <source>Largest output; empty: no limit</source>
        <translation>가장 큰 출력, 비움: 제한 없음</translation>
    </message>
    <message>
        <source>Largest size of a gradient&apos;s element</source>
        <translation>그래디언트 원소의 가장 큰 절댓값</translation>
    </message>
    <message>
        <source>Last steps of each piece</source>
        <translation>구간마다의 마지막 스텝</translation>
    </message>
    <message>
        <source>Look ahead along the momentum</source>
        <translation>모멘텀 방향으로 미리 내다봄</translation>
    </message>
    <message>
        <source>Masked steps put out zeros, not the state before them</source>
        <translation>마스크된 시점은 앞 상태가 아니라 0을 출력</translation>
    </message>
    <message>
        <source>Multiply with a trained factor, gamma</source>
        <translation>학습되는 배율 gamma를 곱함</translation>
    </message>
    <message>
        <source>No effect</source>
        <translation>효과 없음</translation>
    </message>
    <message>
        <source>No effect: the loop is native</source>
        <translation>효과 없음: 루프는 네이티브 코드</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>지원하지 않음</translation>
    </message>
    <message>
        <source>Number of ids: they run from 0 to one less</source>
        <translation>번호의 수: 0부터 하나 작은 수까지</translation>
    </message>
    <message>
        <source>Number of output channels</source>
        <translation>출력 채널 수</translation>
    </message>
    <message>
        <source>Number of outputs</source>
        <translation>출력 수</translation>
    </message>
    <message>
        <source>Only whole multiples of decay_steps count</source>
        <translation>decay_steps의 정수 배만 반영</translation>
    </message>
    <message>
        <source>Pad the image to the result&apos;s proportions first</source>
        <translation>먼저 이미지를 결과의 비율로 채움</translation>
    </message>
    <message>
        <source>Output channels of each input channel</source>
        <translation>입력 채널마다의 출력 채널 수</translation>
    </message>
    <message>
        <source>Parts into which the channels are split</source>
        <translation>채널을 나누는 묶음 수</translation>
    </message>
    <message>
        <source>Parts of half a turn of the hue, either way: f for 0 to f, or two numbers</source>
        <translation>색상환 반 바퀴에 대한 비율, 양쪽 방향: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Parts of a full turn: f for -f to f, or two; positive: against the clock</source>
        <translation>한 바퀴에 대한 비율: f는 -f부터 f까지, 또는 두 수, 양수: 반시계 방향</translation>
    </message>
    <message>
        <source>Parts of the channels; -1: each channel is one</source>
        <translation>채널의 묶음 수, -1: 채널마다 하나</translation>
    </message>
    <message>
        <source>Parts of the contrast lost at most and gained at most; one number: the gain alone</source>
        <translation>대비가 줄고 느는 최대 비율, 한 수: 느는 쪽만</translation>
    </message>
    <message>
        <source>Parts of the height: f for -f to f, or two; positive: down</source>
        <translation>높이에 대한 비율: f는 -f부터 f까지, 또는 두 수, 양수: 아래로</translation>
    </message>
    <message>
        <source>Parts of the height: f for -f to f, or two; positive: farther away</source>
        <translation>높이에 대한 비율: f는 -f부터 f까지, 또는 두 수, 양수: 멀리</translation>
    </message>
    <message>
        <source>Parts of the image that the box takes: f for 0 to f, or two numbers</source>
        <translation>상자가 차지하는 이미지의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Parts of the way to gray: f for -f to f, or two numbers</source>
        <translation>회색까지의 비율: f는 -f부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Parts of the width: f for -f to f, or two; positive: right</source>
        <translation>너비에 대한 비율: f는 -f부터 f까지, 또는 두 수, 양수: 오른쪽으로</translation>
    </message>
    <message>
        <source>Parts of value_range from where on values are inverted: f for 0 to f, or two numbers</source>
        <translation>그 위로 값이 반전되는 value_range의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Parts of value_range that are added first: f for 0 to f, or two numbers</source>
        <translation>먼저 더하는 value_range의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Parts of value_range that are added: f for -f to f, or two numbers</source>
        <translation>더하는 value_range의 비율: f는 -f부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Pull of all weights towards 0</source>
        <translation>모든 가중치를 0 쪽으로 당기는 힘</translation>
    </message>
    <message>
        <source>Pull of small weights to 0</source>
        <translation>작은 가중치를 0으로 당기는 힘</translation>
    </message>
    <message>
        <source>Random numbers of its own; empty: from the run&apos;s seed</source>
        <translation>이 레이어만의 난수 시드, 비움: 실행의 시드에서</translation>
    </message>
    <message>
        <source>Rate at the end of a linear rise before</source>
        <translation>앞선 선형 상승이 끝날 때의 학습률</translation>
    </message>
    <message>
        <source>Rate of the first step</source>
        <translation>첫 스텝의 학습률</translation>
    </message>
    <message>
        <source>Rates, one more than boundaries</source>
        <translation>학습률들, boundaries보다 하나 많음</translation>
    </message>
    <message>
        <source>Reads it from the end; without one a copy of the first</source>
        <translation>끝에서부터 읽는 레이어, 없으면 첫 레이어의 복사본</translation>
    </message>
    <message>
        <source>Reads the sequence from its beginning</source>
        <translation>시퀀스를 처음부터 읽는 레이어</translation>
    </message>
    <message>
        <source>Reset after the product with the state, as cuDNN does</source>
        <translation>cuDNN처럼 상태와 곱한 뒤에 리셋</translation>
    </message>
    <message>
        <source>Rows and columns added at the end; empty: by the strides</source>
        <translation>끝에 더하는 행과 열, 비움: strides에 따름</translation>
    </message>
    <message>
        <source>Rows and columns of the window</source>
        <translation>창의 행과 열</translation>
    </message>
    <message>
        <source>Rows of the result</source>
        <translation>결과의 행 수</translation>
    </message>
    <message>
        <source>Rows that a column is moved against the one before: f for -f to f, or two, either way</source>
        <translation>앞 열에 대해 열이 밀리는 행 수: f는 -f부터 f까지, 또는 두 수, 양쪽 방향</translation>
    </message>
    <message>
        <source>Scale of the loss and its gradients; without effect in float32</source>
        <translation>손실과 그래디언트의 배율, float32에서는 효과 없음</translation>
    </message>
    <message>
        <source>Share of each label that is spread over all classes</source>
        <translation>모든 클래스에 나누어 주는 레이블의 비율</translation>
    </message>
    <message>
        <source>Share of the channels set to zero while training</source>
        <translation>훈련 중 0으로 만드는 채널의 비율</translation>
    </message>
    <message>
        <source>Share of the images that are changed: f for 0 to f, or two numbers</source>
        <translation>바뀌는 이미지의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Share of the images that are inverted: f for 0 to f, or two numbers</source>
        <translation>반전되는 이미지의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Share of the images that become gray</source>
        <translation>회색이 되는 이미지의 비율</translation>
    </message>
    <message>
        <source>Share of the input&apos;s features that is dropped, the same at all times</source>
        <translation>버리는 입력 특성의 비율, 모든 시점에서 같음</translation>
    </message>
    <message>
        <source>Share of the inputs set to zero while training</source>
        <translation>훈련 중 0으로 만드는 입력의 비율</translation>
    </message>
    <message>
        <source>Share of the last step that goes on</source>
        <translation>지난 스텝에서 이어지는 비율</translation>
    </message>
    <message>
        <source>Share of the moving statistics that is kept in a step</source>
        <translation>스텝마다 유지하는 이동 통계의 비율</translation>
    </message>
    <message>
        <source>Share of the rate that is left at the end</source>
        <translation>끝에 남는 학습률의 비율</translation>
    </message>
    <message>
        <source>Share of the running mean that is kept in a step</source>
        <translation>스텝마다 유지하는 이동 평균의 비율</translation>
    </message>
    <message>
        <source>Share of the state&apos;s units that each gate does not see</source>
        <translation>게이트마다 보지 않는 상태 유닛의 비율</translation>
    </message>
    <message>
        <source>Share of the weights, times the rate, that goes in every step</source>
        <translation>스텝마다 학습률을 곱해 줄이는 가중치의 비율</translation>
    </message>
    <message>
        <source>Size of the state</source>
        <translation>상태의 크기</translation>
    </message>
    <message>
        <source>Sizes with the batch, -1 as the input&apos;s; 1: one fate for all along an axis; empty: each value its own</source>
        <translation>배치를 포함한 크기, -1은 입력과 같음, 1: 그 축 전체를 함께, 비움: 값마다 따로</translation>
    </message>
    <message>
        <source>Sizes without the batch; one may be -1, the rest</source>
        <translation>배치를 뺀 크기, 하나는 -1로 나머지</translation>
    </message>
    <message>
        <source>Slope below 0</source>
        <translation>0보다 작은 쪽의 기울기</translation>
    </message>
    <message>
        <source>Slope below the threshold</source>
        <translation>임곗값보다 작은 쪽의 기울기</translation>
    </message>
    <message>
        <source>Smaller inputs are cut, or follow the slope</source>
        <translation>이보다 작은 입력은 잘리거나 기울기를 따름</translation>
    </message>
    <message>
        <source>Standard deviation of what is added while training</source>
        <translation>훈련 중 더하는 잡음의 표준 편차</translation>
    </message>
    <message>
        <source>Statistics of the batches of all replicas together</source>
        <translation>모든 복제본의 배치를 합친 통계</translation>
    </message>
    <message>
        <source>Step of the window</source>
        <translation>창의 이동 폭</translation>
    </message>
    <message>
        <source>Step of the window in rows and columns</source>
        <translation>행과 열에서 창의 이동 폭</translation>
    </message>
    <message>
        <source>Step of the window; empty: the pool&apos;s size</source>
        <translation>창의 이동 폭, 비움: 풀의 크기</translation>
    </message>
    <message>
        <source>Step width: a number or a schedule</source>
        <translation>이동 폭: 수 또는 스케줄</translation>
    </message>
    <message>
        <source>Steps after which decay_rate applies in full</source>
        <translation>decay_rate가 모두 적용되기까지의 스텝 수</translation>
    </message>
    <message>
        <source>Steps after which decay_rate counts once</source>
        <translation>decay_rate가 한 번 적용되기까지의 스텝 수</translation>
    </message>
    <message>
        <source>Steps after which the weights become their average</source>
        <translation>가중치를 그 평균으로 바꾸기까지의 스텝 수</translation>
    </message>
    <message>
        <source>Steps of that rise</source>
        <translation>그 상승의 스텝 수</translation>
    </message>
    <message>
        <source>Steps of the first way down</source>
        <translation>첫 하강의 스텝 수</translation>
    </message>
    <message>
        <source>Steps of the way down</source>
        <translation>하강의 스텝 수</translation>
    </message>
    <message>
        <source>Steps of the window</source>
        <translation>창의 시점 수</translation>
    </message>
    <message>
        <source>Steps taken away: one number, or before and after</source>
        <translation>잘라 낼 시점: 수 하나, 또는 앞과 뒤</translation>
    </message>
    <message>
        <source>Steps to the last rate</source>
        <translation>마지막 학습률까지의 스텝 수</translation>
    </message>
    <message>
        <source>Steps whose features all have this value do not count</source>
        <translation>모든 특성이 이 값인 시점은 세지 않음</translation>
    </message>
    <message>
        <source>Steps whose mean gradient makes one update</source>
        <translation>평균 그래디언트로 한 번 갱신하는 스텝 수</translation>
    </message>
    <message>
        <source>Sum of squared gradients before the first step</source>
        <translation>첫 스텝 전의 그래디언트 제곱합</translation>
    </message>
    <message>
        <source>The forget gate&apos;s offsets begin with 1</source>
        <translation>망각 게이트의 편향을 1로 시작</translation>
    </message>
    <message>
        <source>The input&apos;s axes in the output&apos;s order, counted from 1</source>
        <translation>출력 순서로 나열한 입력의 축(1부터)</translation>
    </message>
    <message>
        <source>The last layer has no sigmoid</source>
        <translation>마지막 레이어에 sigmoid가 없음</translation>
    </message>
    <message>
        <source>The last layer has no softmax</source>
        <translation>마지막 레이어에 softmax가 없음</translation>
    </message>
    <message>
        <source>The last rate</source>
        <translation>마지막 학습률</translation>
    </message>
    <message>
        <source>Pull of all weights towards 0, by way of the gradient</source>
        <translation>모든 가중치를 0 쪽으로 당기는 힘, 그래디언트를 통해</translation>
    </message>
    <message>
        <source>The same of the width; empty: as the height</source>
        <translation>너비의 비율, 비움: 높이와 같음</translation>
    </message>
    <message>
        <source>The smallest and the largest value of the images</source>
        <translation>이미지의 가장 작은 값과 가장 큰 값</translation>
    </message>
    <message>
        <source>The states of all times, not the last one alone</source>
        <translation>마지막만이 아니라 모든 시점의 상태</translation>
    </message>
    <message>
        <source>Use the largest second moment so far</source>
        <translation>지금까지 가장 큰 2차 모멘트를 사용</translation>
    </message>
    <message>
        <source>Value beyond the image</source>
        <translation>이미지 바깥의 값</translation>
    </message>
    <message>
        <source>Value beyond the image with fill_mode constant</source>
        <translation>fill_mode가 constant일 때 이미지 바깥의 값</translation>
    </message>
    <message>
        <source>Value of the cells that are added</source>
        <translation>더해지는 칸의 값</translation>
    </message>
    <message>
        <source>Values before the first step</source>
        <translation>첫 스텝 전의 값</translation>
    </message>
    <message>
        <source>Values that stand for an id</source>
        <translation>번호 하나를 나타내는 값의 수</translation>
    </message>
    <message>
        <source>Weigh the class 1 by alpha, the class 0 by the rest</source>
        <translation>클래스 1은 alpha, 클래스 0은 나머지로 가중</translation>
    </message>
    <message>
        <source>Weight of the classes</source>
        <translation>클래스의 가중치</translation>
    </message>
    <message>
        <source>What is done with every time of the sequence</source>
        <translation>시퀀스의 시점마다 적용할 레이어</translation>
    </message>
    <message>
        <source>What the box gets: a number, or one for each of 3 channels; empty: noise</source>
        <translation>상자에 채우는 값: 한 수, 또는 채널 3개마다 하나, 비우면 잡음</translation>
    </message>
    <message>
        <source>What lies beyond the image: its mirror image, fill_value, the image again, or its border</source>
        <translation>이미지 바깥: 거울상, fill_value, 이미지 반복, 또는 가장자리</translation>
    </message>
    <message>
        <source>What the output of large negative inputs comes near to</source>
        <translation>큰 음수 입력의 출력이 가까워지는 값</translation>
    </message>
    <message>
        <source>What the values are held to after every step</source>
        <translation>스텝마다 값이 지킬 제약</translation>
    </message>
    <message>
        <source>Which way half of the images are mirrored</source>
        <translation>이미지의 절반을 뒤집는 방향</translation>
    </message>
    <message>
        <source>Zeros added: one number, or before and after</source>
        <translation>더하는 0: 수 하나, 또는 앞과 뒤</translation>
    </message>
    <message>
        <source>Zeros added: one number, rows and columns, or top, bottom, left, right</source>
        <translation>더하는 0: 수 하나, 행과 열, 또는 위·아래·왼쪽·오른쪽</translation>
    </message>
    <message>
        <source>nearest: repeat; bilinear: straight lines between neighbours</source>
        <translation>nearest: 되풀이, bilinear: 이웃 사이 선형 보간</translation>
    </message>
    <message>
        <source>valid: all that the windows reach; same: cut so that the size is input times stride</source>
        <translation>valid: 창이 닿는 모두, same: 크기가 입력 × 이동 폭이 되게 자름</translation>
    </message>
    <message>
        <source>valid: only whole windows; same: pad so that the size is input divided by stride</source>
        <translation>valid: 온전한 창만, same: 크기가 입력 ÷ 이동 폭이 되게 채움</translation>
    </message>
    <message>
        <source>valid: only whole windows; same: pad so that the size is input divided by stride; causal: pad before alone</source>
        <translation>valid: 온전한 창만, same: 크기가 입력 ÷ 이동 폭이 되게 채움, causal: 앞에만 채움</translation>
    </message>
    <message>
        <source>Exchange them at the end of an epoch too, for the callbacks that follow</source>
        <translation>뒤따르는 콜백이 평균을 보도록 에포크가 끝날 때도 바꿈</translation>
    </message>
    <message>
        <source>Global steps of all workers; empty: until the input ends</source>
        <translation>모든 워커를 합친 전역 스텝, 비움: 입력이 끝날 때까지</translation>
    </message>
    <message>
        <source>Passes over the training samples, as repeat() makes them; 0: without end</source>
        <translation>repeat()처럼 훈련 샘플을 도는 횟수, 0: 끝없이</translation>
    </message>
    <message>
        <source>Batches of an evaluation; empty: all samples</source>
        <translation>한 번 평가의 배치 수, 비움: 모든 샘플</translation>
    </message>
    <message>
        <source>Seconds before an evaluator looks for its first checkpoint</source>
        <translation>평가자가 첫 체크포인트를 찾기까지의 초</translation>
    </message>
    <message>
        <source>Seconds from the beginning of one evaluation to the next</source>
        <translation>한 평가의 시작에서 다음 평가까지의 초</translation>
    </message>
    <message>
        <source>Steps from one checkpoint to the next; empty: by seconds</source>
        <translation>체크포인트 사이의 스텝 수, 비움: 초로 정함</translation>
    </message>
    <message>
        <source>Seconds from one checkpoint to the next; empty: by steps, or 600</source>
        <translation>체크포인트 사이의 초, 비움: 스텝으로 정하거나 600</translation>
    </message>
    <message>
        <source>Older checkpoints go when there are more; 0: all stay</source>
        <translation>더 많아지면 오래된 체크포인트를 지움, 0: 모두 남김</translation>
    </message>
    <message>
        <source>Steps from one line of the log to the next; 0: none</source>
        <translation>로그 줄 사이의 스텝 수, 0: 없음</translation>
    </message>
    <message>
        <source>How variables are cut over the ps tasks; None: each lies on one of them as a whole</source>
        <translation>변수를 ps 태스크에 나누는 방법. None: 변수마다 통째로 한 ps에 둠</translation>
    </message>
    <message>
        <source>Updates of others that a gradient may have missed; None: any number, 0: one update after the other</source>
        <translation>그래디언트가 놓쳐도 되는 다른 워커의 갱신 수. None: 제한 없음, 0: 갱신을 하나씩 차례로</translation>
    </message>
    <message>
        <source>Shards of a variable at the most</source>
        <translation>변수 하나의 최대 조각 수</translation>
    </message>
    <message>
        <source>Of variables that hold texts, which a model has none of</source>
        <translation>텍스트를 담은 변수용, 모델에는 없음</translation>
    </message>
    <message>
        <source>Shards of each variable, by its rows</source>
        <translation>변수마다의 조각 수, 행을 기준으로 나눔</translation>
    </message>
    <message>
        <source>A shard holds so many bytes at least</source>
        <translation>조각 하나의 최소 바이트 수</translation>
    </message>
    <message>
        <source>A shard holds so many bytes at the most</source>
        <translation>조각 하나의 최대 바이트 수</translation>
    </message>
    <message>
        <source>Steps of all workers together, in place of epochs; 0: as epochs say</source>
        <translation>에포크 대신 모든 워커의 스텝 합계, 0: 에포크를 따름</translation>
    </message>
    <message>
        <source>Steps from one point in TensorBoard&apos;s files to the next; 0: none</source>
        <translation>TensorBoard 파일의 점 사이의 스텝 수, 0: 없음</translation>
    </message>
    <message>
        <source>Parameter servers: each worker begins 5 seconds later than the one before it, at most so many; empty: at once</source>
        <translation>매개변수 서버: 워커가 앞의 워커보다 5초씩, 많아야 이만큼 늦게 시작합니다. 비우면 바로</translation>
    </message>
    <message>
        <source>Writes the model as .keras when training is over</source>
        <translation>훈련이 끝나면 모델을 .keras로 씀</translation>
    </message>
    <message>
        <source>Writes the model as .keras after each evaluation and keeps the last five</source>
        <translation>평가마다 모델을 .keras로 쓰고 마지막 다섯 개를 남김</translation>
    </message>
    <message>
        <source>Writes the model as .keras when the loss of an evaluation is the smallest so far</source>
        <translation>평가의 손실이 지금까지 가장 작을 때 모델을 .keras로 씀</translation>
    </message>
    <message>
        <source>Name of the TPU, grpc://host:port, or local on the TPU&apos;s own machine; None: as the environment says</source>
        <translation>TPU의 이름, grpc://host:port, 또는 TPU가 달린 컴퓨터에서는 local. None: 환경이 말하는 대로</translation>
    </message>
    <message>
        <source>Zone of Google Cloud; None: that of the machine that runs the script</source>
        <translation>Google Cloud의 영역. None: 스크립트를 실행하는 컴퓨터의 영역</translation>
    </message>
    <message>
        <source>Project of Google Cloud; None: that of the machine that runs the script</source>
        <translation>Google Cloud의 프로젝트. None: 스크립트를 실행하는 컴퓨터의 프로젝트</translation>
    </message>
    <message>
        <source>Job that the TPU&apos;s tasks belong to</source>
        <translation>TPU의 태스크가 속하는 잡</translation>
    </message>
    <message>
        <source>Job of the coordinator; None: the cluster has none</source>
        <translation>코디네이터의 잡. None: 클러스터에 없음</translation>
    </message>
    <message>
        <source>host:port of the coordinator; None: the script starts a server for it</source>
        <translation>코디네이터의 host:port. None: 스크립트가 서버를 시작함</translation>
    </message>
    <message>
        <source>restart: a run with BackupAndRestore goes on from its backup when a task is killed or silent; continue: with the workers that are left</source>
        <translation>restart: BackupAndRestore가 있는 실행은 태스크가 강제 종료되거나 응답이 없으면 백업에서 이어짐. continue: 남은 워커로 이어짐</translation>
    </message>
    <message>
        <source>The learning rate shrinks with the global batch when the run goes on with fewer workers</source>
        <translation>실행이 더 적은 워커로 이어질 때 학습률을 전역 배치와 함께 줄임</translation>
    </message>
    <message>
        <source>Seconds after which tasks on other computers stop, with a backup, when this one is away; 0: never</source>
        <translation>이 컴퓨터와 연결되지 않는 시간(초)이 이만큼 지나면 다른 컴퓨터의 태스크가 백업을 남기고 멈춥니다. 0: 멈추지 않음</translation>
    </message>
    <message>
        <source>How many numbers a sample has of it</source>
        <translation>샘플 하나에 이 열의 수가 몇 개 있는지</translation>
    </message>
    <message>
        <source>Name of the column in the data</source>
        <translation>데이터에 있는 열의 이름</translation>
    </message>
    <message>
        <source>Places that a hash of the text chooses from; several texts may share one</source>
        <translation>텍스트의 해시가 고르는 자리의 수. 여러 텍스트가 한 자리를 나눌 수 있음</translation>
    </message>
    <message>
        <source>Rising numbers; a value at a boundary belongs to the bucket above it</source>
        <translation>커지는 수. 경계에 있는 값은 그 위의 구간에 들어감</translation>
    </message>
    <message>
        <source>The texts, each once</source>
        <translation>텍스트, 각각 한 번씩</translation>
    </message>
    <message>
        <source>Values are below it</source>
        <translation>값은 이 수보다 작음</translation>
    </message>
    <message>
        <source>1: texts beyond the list have a place of their own; 0: they count as none</source>
        <translation>1: 목록에 없는 텍스트가 따로 한 자리를 가짐, 0: 없는 것으로 침</translation>
    </message>
    <message>
        <source>The file whose weights training begins with; empty: weights are drawn from the seed</source>
        <translation>훈련이 시작할 가중치 파일. 비우면 시드에서 가중치를 뽑음</translation>
    </message>
    <message>
        <source>The training goes on that wrote the file: with its optimizer, its steps and its place in the data</source>
        <translation>파일을 쓴 훈련을 옵티마이저, 스텝, 데이터 속 위치까지 이어 감</translation>
    </message>
    <message>
        <source>Epochs between two reports on weights and gradients, in runs that measure their layers, too; 0: none</source>
        <translation>가중치와 그래디언트 보고 사이의 에포크 수. 레이어도 측정합니다. 0: 둘 다 없음</translation>
    </message>
    <message>
        <source>Cells taken away: one number, planes, rows and columns, or before and after of each</source>
        <translation>잘라 낼 칸: 숫자 하나, 면·행·열, 또는 각 축의 앞과 뒤</translation>
    </message>
    <message>
        <source>How often planes, rows and columns are repeated</source>
        <translation>면, 행, 열을 반복하는 횟수</translation>
    </message>
    <message>
        <source>Planes, rows and columns added at the end; empty: by the strides</source>
        <translation>끝에 더하는 면, 행, 열. 비우면 strides에 따름</translation>
    </message>
    <message>
        <source>Planes, rows and columns of the window</source>
        <translation>창의 면, 행, 열</translation>
    </message>
    <message>
        <source>Share of the inputs that become selu&apos;s least value while training</source>
        <translation>훈련 중에 selu의 가장 작은 값이 되는 입력의 비율</translation>
    </message>
    <message>
        <source>Step of the window in planes, rows and columns</source>
        <translation>면, 행, 열에서 창의 이동 폭</translation>
    </message>
    <message>
        <source>Steps added at the end; empty: by the strides</source>
        <translation>끝에 더하는 스텝. 비우면 strides에 따름</translation>
    </message>
    <message>
        <source>Times the sum of the sizes of all values, added to the loss</source>
        <translation>모든 값의 크기를 더한 것에 곱하여 손실에 더함</translation>
    </message>
    <message>
        <source>Times the sum of the squares of all values, added to the loss</source>
        <translation>모든 값의 제곱을 더한 것에 곱하여 손실에 더함</translation>
    </message>
    <message>
        <source>Zeros added: one number, planes, rows and columns, or before and after of each</source>
        <translation>더할 0: 숫자 하나, 면·행·열, 또는 각 축의 앞과 뒤</translation>
    </message>
    <message>
        <source>Near 0 as cross-entropy; near 1 wrong labels count less</source>
        <translation>0에 가까우면 교차 엔트로피와 같고, 1에 가까우면 틀린 레이블의 영향이 줄어듦</translation>
    </message>
    <message>
        <source>Neighbouring axes over which one loss is taken, 0 is the batch; without them all of a batch makes one</source>
        <translation>손실 하나를 이루는 이웃한 축들, 0은 배치; 없으면 배치 전체가 손실 하나</translation>
    </message>
    <message>
        <source>Weight of what is true and not predicted</source>
        <translation>참인데 예측하지 못한 것의 가중치</translation>
    </message>
    <message>
        <source>Weight of what is predicted and not true</source>
        <translation>예측했지만 참이 아닌 것의 가중치</translation>
    </message>
    <message>
        <source>How steeply distances count</source>
        <translation>거리가 얼마나 가파르게 반영되는지</translation>
    </message>
    <message>
        <source>Distance within which samples of one class are near enough</source>
        <translation>같은 클래스의 샘플이 충분히 가깝다고 보는 거리</translation>
    </message>
    <message>
        <source>A sample makes no pair with itself</source>
        <translation>샘플은 자기 자신과 짝을 이루지 않음</translation>
    </message>
    <message>
        <source>What it has to be at least where the other is the best</source>
        <translation>다른 지표가 가장 좋은 곳에서 이 값이 되어야 할 하한</translation>
    </message>
    <message>
        <source>How many outputs from 0 to 1 are tried as the bound between the classes</source>
        <translation>클래스의 경계로 시험할 0부터 1까지의 출력 수</translation>
    </message>
    <message>
        <source>The one class that counts; without it all do</source>
        <translation>계산할 클래스 하나; 없으면 모두</translation>
    </message>
    <message>
        <source>Classes whose mean it is</source>
        <translation>평균을 낼 클래스들</translation>
    </message>
    <message>
        <source>How many classes there are</source>
        <translation>클래스의 수</translation>
    </message>
    <message>
        <source>Label of what does not count</source>
        <translation>계산하지 않을 것의 레이블</translation>
    </message>
    <message>
        <source>Labels are class indices, not rows with the largest at the class</source>
        <translation>레이블이 클래스 자리가 가장 큰 행이 아니라 클래스 번호임</translation>
    </message>
    <message>
        <source>Outputs are class indices, not rows with the largest at the class</source>
        <translation>출력이 클래스 자리가 가장 큰 행이 아니라 클래스 번호임</translation>
    </message>
    <message>
        <source>How the outputs&apos; scores become one: all alike, or by how much their labels vary</source>
        <translation>출력들의 점수를 하나로 하는 방법: 모두 같게, 또는 레이블이 변하는 정도에 따라</translation>
    </message>
    <message>
        <source>Independent inputs, for the adjusted score; 0: the plain one</source>
        <translation>수정된 점수를 위한 독립 입력의 수; 0: 보통 점수</translation>
    </message>
    <message>
        <source>An output from it on counts as 1</source>
        <translation>이 값 이상의 출력을 1로 봄</translation>
    </message>
    <message>
        <source>Times the mean product of two vectors of length 1</source>
        <translation>길이 1인 두 벡터의 곱의 평균에 곱함</translation>
    </message>
    <message>
        <source>The vectors that are pulled to right angles</source>
        <translation>직각이 되도록 당길 벡터들</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0</source>
        <translation>학습률이 0에서 오르는 스텝 수</translation>
    </message>
    <message>
        <source>The chain whose output the input is added to</source>
        <translation>출력에 입력을 더할 레이어들의 체인</translation>
    </message>
    <message>
        <source>Layers that give the input the shape of the output; none: the input itself</source>
        <translation>입력을 출력의 형상으로 바꾸는 레이어들. 없으면 입력 그대로</translation>
    </message>
    <message>
        <source>Each place looks at itself and those before it alone</source>
        <translation>각 자리가 자신과 그 앞만 봄</translation>
    </message>
    <message>
        <source>Number of heads, which look at the sequence side by side</source>
        <translation>시퀀스를 나란히 보는 헤드의 수</translation>
    </message>
    <message>
        <source>Share of the attention that is dropped while training</source>
        <translation>훈련 중에 버려지는 어텐션의 비율</translation>
    </message>
    <message>
        <source>Size of a head&apos;s queries and keys</source>
        <translation>헤드마다 쿼리와 키의 크기</translation>
    </message>
    <message>
        <source>Size of a head&apos;s values; empty: as key_dim</source>
        <translation>헤드마다 값의 크기. 비우면 key_dim과 같음</translation>
    </message>
    <message>
        <source>Added to the squares of gradients</source>
        <translation>그래디언트의 제곱에 더하는 수</translation>
    </message>
    <message>
        <source>Axes with a mean and a variance for each of their places; none: one of all values</source>
        <translation>자리마다 평균과 분산을 갖는 축. 없으면 모든 값에 하나</translation>
    </message>
    <message>
        <source>Subtracted; empty, as the variance: taken from the training samples</source>
        <translation>뺄 값. 분산과 함께 비우면 훈련 샘플에서 얻음</translation>
    </message>
    <message>
        <source>Its root divides; empty, as the mean: taken from the training samples</source>
        <translation>그 제곱근으로 나눔. 평균과 함께 비우면 훈련 샘플에서 얻음</translation>
    </message>
    <message>
        <source>A row with a one for each value; for all values of a sample, or how often each is there; or the number itself</source>
        <translation>값마다 1이 있는 행, 샘플의 모든 값에 대한 행 또는 각 값의 개수, 아니면 번호 자체</translation>
    </message>
    <message>
        <source>The most places that there may be</source>
        <translation>있을 수 있는 자리의 최대 수</translation>
    </message>
    <message>
        <source>The value that becomes 0; empty: none</source>
        <translation>0이 되는 값. 비우면 없음</translation>
    </message>
    <message>
        <source>With invert: what stands for ids that the vocabulary lacks</source>
        <translation>반전에서 어휘에 없는 id를 대신하는 값</translation>
    </message>
    <message>
        <source>The way back: ids become values</source>
        <translation>반대 방향: id가 값이 됨</translation>
    </message>
    <message>
        <source>A row has as many values as there may be places</source>
        <translation>행의 길이가 자리의 최대 수와 같음</translation>
    </message>
    <message>
        <source>The way back: times the root of the variance, plus the mean</source>
        <translation>반대 방향: 분산의 제곱근을 곱하고 평균을 더함</translation>
    </message>
    <message>
        <source>Axes by letters, as abc,cd-&gt;abd: input,kernel-&gt;output</source>
        <translation>글자로 나타낸 축, 예: abc,cd-&gt;abd: 입력,커널-&gt;출력</translation>
    </message>
    <message>
        <source>Keep a rate below the root of the steps; Keras does so either way</source>
        <translation>학습률을 스텝 수의 제곱근의 역수 아래로 둠. Keras는 어느 쪽이든 그렇게 함</translation>
    </message>
    <message>
        <source>Letters of the output with an offset of their own; empty: none</source>
        <translation>자체 오프셋이 있는 출력의 글자, 비우면 없음</translation>
    </message>
    <message>
        <source>Planes, rows and columns of the result</source>
        <translation>결과의 면, 행, 열</translation>
    </message>
    <message>
        <source>Power of the step that new squares of gradients count by</source>
        <translation>새 그래디언트의 제곱에 주는 비중: 스텝의 이 거듭제곱</translation>
    </message>
    <message>
        <source>Regular expressions of paths of variables that Adam changes</source>
        <translation>Adam이 바꿀 변수의 경로를 나타내는 정규 표현식</translation>
    </message>
    <message>
        <source>Root mean square above which a step is made shorter</source>
        <translation>제곱평균제곱근이 이보다 크면 이동을 줄임</translation>
    </message>
    <message>
        <source>Root mean square of a step&apos;s elements at a rate of 1; none: as they are</source>
        <translation>학습률이 1일 때 이동량의 제곱평균제곱근. 비우면 그대로</translation>
    </message>
    <message>
        <source>Rows and columns of the result</source>
        <translation>결과의 행과 열</translation>
    </message>
    <message>
        <source>Share of the input&apos;s values that each gate does not see, the same at all times</source>
        <translation>각 게이트가 보지 못하는 입력값의 비율, 모든 시점에서 같음</translation>
    </message>
    <message>
        <source>Smallest scale of a variable&apos;s steps</source>
        <translation>변수의 이동 크기의 하한</translation>
    </message>
    <message>
        <source>Sizes of the output&apos;s letters without the batch; -1: as the input</source>
        <translation>배치를 뺀 출력 글자들의 크기, -1: 입력과 같음</translation>
    </message>
    <message>
        <source>Steps of the result</source>
        <translation>결과의 시점 수</translation>
    </message>
    <message>
        <source>Let Adam change the variables with embedding in their path</source>
        <translation>경로에 embedding이 있는 변수는 Adam이 바꿈</translation>
    </message>
    <message>
        <source>Weight decay of the variables that Adam changes</source>
        <translation>Adam이 바꾸는 변수의 가중치 감쇠</translation>
    </message>
    <message>
        <source>Adam&apos;s rate as a share of the rate</source>
        <translation>학습률에 대한 Adam의 학습률의 비율</translation>
    </message>
    <message>
        <source>Coefficient of the polynomial that makes a step orthogonal</source>
        <translation>스텝을 직교로 만드는 다항식의 계수</translation>
    </message>
    <message>
        <source>Times that the polynomial is applied</source>
        <translation>다항식을 적용하는 횟수</translation>
    </message>
    <message>
        <source>0: blurred, 0.5: as it is, 1: sharpened; f for 0 to f, or two numbers</source>
        <translation>0: 흐리게, 0.5: 그대로, 1: 선명하게, f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Places of the table, that of mask_value among them</source>
        <translation>표의 자리 수, mask_value의 자리 포함</translation>
    </message>
    <message>
        <source>One or two whole numbers, which give other places (SipHash); empty: FarmHash&apos;s</source>
        <translation>다른 자리를 주는 정수 하나 또는 둘(SipHash), 비워 두면 FarmHash의 자리</translation>
    </message>
    <message>
        <source>The layer whose kernel training divides by its largest singular value</source>
        <translation>훈련이 커널을 가장 큰 특잇값으로 나누는 레이어</translation>
    </message>
    <message>
        <source>Rounds a step in which that value is come near to</source>
        <translation>한 단계에서 그 값에 다가가는 반복 횟수</translation>
    </message>
    <message>
        <source>Each time goes through them one after the other</source>
        <translation>각 시점이 이들을 차례로 거침</translation>
    </message>
    <message>
        <source>How far cells are spread, in cells: f for 0 to f, or two numbers; drawn once a batch</source>
        <translation>칸이 퍼지는 정도(칸 단위): f는 0부터 f까지, 또는 두 수, 배치마다 한 번 뽑음</translation>
    </message>
    <message>
        <source>Parts of the range that values are counted in</source>
        <translation>값을 세는 범위의 구간 수</translation>
    </message>
    <message>
        <source>Rows and columns of the window, both odd</source>
        <translation>창의 행과 열, 둘 다 홀수</translation>
    </message>
    <message>
        <source>Share of the images that are blurred: f for 0 to f, or two numbers</source>
        <translation>흐려지는 이미지의 비율: f는 0부터 f까지, 또는 두 수</translation>
    </message>
    <message>
        <source>Samples of a frame</source>
        <translation>프레임 하나의 표본 수</translation>
    </message>
    <message>
        <source>What is made of each frequency&apos;s complex number; psd: its power, stft: both its parts</source>
        <translation>각 주파수의 복소수로 만드는 값. psd: 전력, stft: 두 부분 모두</translation>
    </message>
    <message>
        <source>Samples from one frame to the next; empty: half a frame</source>
        <translation>한 프레임에서 다음 프레임까지의 표본 수. 비우면 프레임의 절반</translation>
    </message>
    <message>
        <source>Samples of a Fourier transform; empty: the power of two that holds a frame</source>
        <translation>푸리에 변환의 표본 수. 비우면 프레임이 들어가는 2의 거듭제곱</translation>
    </message>
    <message>
        <source>What the kernels begin with beside the waves: a weight for each sample of a frame</source>
        <translation>커널의 초깃값에서 파동에 곱하는 것: 프레임의 표본마다 하나씩 있는 가중치</translation>
    </message>
    <message>
        <source>The window would go on behind its end as it begins</source>
        <translation>창의 끝 다음이 창의 처음과 이어지는 주기적인 창</translation>
    </message>
    <message>
        <source>What the window is divided by: the root of the sum of its squares, or its sum</source>
        <translation>창을 나누는 값: 제곱합의 제곱근 또는 합</translation>
    </message>
    <message>
        <source>Frequencies and channels have an axis each, as in an image</source>
        <translation>이미지처럼 주파수와 채널이 각각 축을 가짐</translation>
    </message>
    <message>
        <source>Samples of a Fourier transform</source>
        <translation>푸리에 변환의 표본 수</translation>
    </message>
    <message>
        <source>Samples of the signal in a second</source>
        <translation>1초에 들어 있는 신호의 표본 수</translation>
    </message>
    <message>
        <source>Samples that the window takes; empty: all of a Fourier transform</source>
        <translation>창이 차지하는 표본 수. 비우면 푸리에 변환 전체</translation>
    </message>
    <message>
        <source>Where the last band ends, in hertz; empty: half the sampling rate</source>
        <translation>마지막 대역이 끝나는 곳(헤르츠). 비우면 표본화율의 절반</translation>
    </message>
    <message>
        <source>Samples from one frame to the next</source>
        <translation>한 프레임에서 다음 프레임까지의 표본 수</translation>
    </message>
    <message>
        <source>What the samples of a frame are multiplied by</source>
        <translation>프레임의 표본에 곱하는 것</translation>
    </message>
    <message>
        <source>Bands of the mel scale</source>
        <translation>멜 척도의 대역 수</translation>
    </message>
    <message>
        <source>Where the first band begins, in hertz</source>
        <translation>첫 대역이 시작하는 곳(헤르츠)</translation>
    </message>
    <message>
        <source>Decibels in place of powers</source>
        <translation>전력 대신 데시벨</translation>
    </message>
    <message>
        <source>Decibels below a batch&apos;s largest value at which the others end</source>
        <translation>배치의 가장 큰 값보다 이만큼 낮은 데시벨에서 나머지 값을 자름</translation>
    </message>
    <message>
        <source>Exponent of magnitudes; 2: powers</source>
        <translation>크기의 지수. 2: 전력</translation>
    </message>
    <message>
        <source>The least power that decibels are taken of</source>
        <translation>데시벨을 구하는 가장 작은 전력</translation>
    </message>
    <message>
        <source>The power that is 0 decibels</source>
        <translation>0데시벨인 전력</translation>
    </message>
    <message>
        <source>Chains of changes whose results are mixed</source>
        <translation>결과를 섞을 변화 사슬의 수</translation>
    </message>
    <message>
        <source>Changes of a chain at most, each drawn for the whole batch</source>
        <translation>사슬 하나의 변화 수의 최댓값. 각각은 배치 전체에 대해 뽑음</translation>
    </message>
    <message>
        <source>Changes one after the other, each drawn from eleven for the whole batch</source>
        <translation>차례로 일어나는 변화의 수. 각각은 배치 전체에 대해 열한 가지 가운데에서 뽑음</translation>
    </message>
    <message>
        <source>Draw brightness, contrast, grayness and sharpness, too</source>
        <translation>밝기, 대비, 회색 정도, 선명도도 뽑음</translation>
    </message>
    <message>
        <source>How evenly chains and the image are mixed; below 1 one of them outweighs the rest</source>
        <translation>사슬과 이미지를 얼마나 고르게 섞는지. 1보다 작으면 그중 하나가 나머지보다 커짐</translation>
    </message>
    <message>
        <source>Strength of what is drawn: f for 0 to f, or two numbers</source>
        <translation>뽑힌 변화의 세기. f는 0부터 f까지, 또는 수 두 개</translation>
    </message>
    <message>
        <source>A row with a one for each value; for all values of a sample, how often each is there, or that times a weight; or the number itself</source>
        <translation>값마다 1이 하나인 행, 한 샘플의 모든 값에 대해 각 값의 횟수나 거기에 가중치를 곱한 것, 또는 번호 그대로</translation>
    </message>
    <message>
        <source>Rising numbers: a value becomes the number of those that are not above it; empty: from the training samples</source>
        <translation>커지는 숫자. 값은 자기보다 크지 않은 것의 개수가 됨. 비우면 훈련 샘플에서 얻음</translation>
    </message>
    <message>
        <source>Without boundaries: so many buckets, each with about as many values of the training samples</source>
        <translation>경계가 없을 때 구간의 수. 구간마다 훈련 샘플의 값이 비슷한 수만큼 들어감</translation>
    </message>
    <message>
        <source>With num_bins: the error that boundaries may have, as a share of all values</source>
        <translation>num_bins와 함께: 경계에 허용되는 오차, 모든 값에 대한 비율</translation>
    </message>
    <message>
        <source>Places of values that the vocabulary lacks; 0: such a value is an error</source>
        <translation>어휘에 없는 값의 자리. 0이면 그런 값은 오류</translation>
    </message>
    <message>
        <source>The most places that there may be; the most frequent words have them</source>
        <translation>있을 수 있는 자리의 최대 수. 가장 자주 나오는 단어가 차지함</translation>
    </message>
    <message>
        <source>The texts in the order of their places; empty: taken from the training texts, the most frequent first</source>
        <translation>자리 순서대로 적은 텍스트. 비우면 훈련 텍스트에서 자주 나오는 것부터 얻음</translation>
    </message>
    <message>
        <source>With tf_idf and a vocabulary: what the count of each text is multiplied by</source>
        <translation>tf_idf와 어휘가 있을 때: 각 텍스트의 횟수에 곱하는 수</translation>
    </message>
    <message>
        <source>Letters from A to Z become small, the punctuation of ASCII goes</source>
        <translation>A부터 Z까지는 소문자가 되고 ASCII 문장 부호는 없어짐</translation>
    </message>
    <message>
        <source>What a text is cut into; none: it stays whole</source>
        <translation>텍스트를 나누는 단위. none이면 나누지 않음</translation>
    </message>
    <message>
        <source>How many words go together, each number in turn, as 1, 2; empty: each alone</source>
        <translation>함께 묶는 단어 수를 1, 2처럼 차례로. 비우면 하나씩</translation>
    </message>
    <message>
        <source>The places of the words; or a row: which are there, how often, and that weighed by how rare they are</source>
        <translation>단어들의 자리, 또는 한 행: 어느 것이 있는지, 몇 번 있는지, 그것에 드문 정도를 곱한 값</translation>
    </message>
    <message>
        <source>With int: words of a text; shorter ones get zeros behind, of longer ones the first are kept</source>
        <translation>int일 때 텍스트의 단어 수. 짧으면 뒤를 0으로 채우고 길면 앞부분만 남김</translation>
    </message>
    <message>
        <source>Places of texts that the vocabulary lacks, shared by their hash; 0: such a text is an error</source>
        <translation>어휘에 없는 텍스트의 자리 수. 해시로 나눔. 0이면 그런 텍스트는 오류</translation>
    </message>
    <message>
        <source>The text that becomes 0, or is left out of rows</source>
        <translation>0이 되거나 행에서 빠지는 텍스트</translation>
    </message>
    <message>
        <source>What stands for them in a vocabulary; training texts of that name are not counted</source>
        <translation>어휘에서 그런 텍스트를 나타내는 말. 같은 훈련 텍스트는 세지 않음</translation>
    </message>
    <message>
        <source>The place of the text, or a row with a one there; tf_idf weighs it by how rare it is</source>
        <translation>텍스트의 자리, 또는 그 자리가 1인 행. tf_idf는 드문 정도를 곱함</translation>
    </message>
    <message>
        <source>The values in the order of their places; empty: those of the training samples, the most frequent first</source>
        <translation>자리 순서대로 놓인 값. 비우면 훈련 샘플의 값을 자주 나온 순서로 씀</translation>
    </message>
    <message>
        <source>With tf_idf: a weight for each value of the vocabulary; empty without one: from the training samples</source>
        <translation>tf_idf와 함께: 어휘의 값마다 가중치. 어휘 없이 비우면 훈련 샘플에서 얻음</translation>
    </message>
    <message>
        <source>How values that the vocabulary lacks share their places: by what is left of a division, or by a hash</source>
        <translation>어휘에 없는 값이 자리를 나누는 방법: 나눗셈의 나머지 또는 해시</translation>
    </message>
    <message>
        <source>With farmhash: one or two whole numbers, which give other places (SipHash); empty: FarmHash&apos;s</source>
        <translation>farmhash와 함께: 다른 자리를 주는 정수 하나나 둘(SipHash). 비우면 FarmHash</translation>
    </message>
    <message>
        <source>How far and how smoothly cells move: f for 0 to f, or two numbers; drawn once a batch</source>
        <translation>칸이 얼마나 멀리, 얼마나 매끄럽게 움직이는지: f는 0부터 f까지, 또는 두 수, 배치마다 한 번 뽑음</translation>
    </message>
    <message>
        <source>Bound of the pixels that one value of a tile counts, in multiples of their mean; 0: none</source>
        <translation>타일의 한 값이 세는 픽셀 수의 한도, 평균의 배수로; 0: 없음</translation>
    </message>
    <message>
        <source>Bound of what the way back gives, which no chain takes; empty: none</source>
        <translation>체인이 가지 않는 되돌아가는 길의 결과의 한도; 비우면 없음</translation>
    </message>
    <message>
        <source>Numbers of the way back, which no chain takes; empty: those of the layer</source>
        <translation>체인이 가지 않는 되돌아가는 길의 수 형식; 비우면 레이어의 것</translation>
    </message>
    <message>
        <source>The way back, which no chain takes, has the table turned; off: weights of its own, never trained</source>
        <translation>체인이 가지 않는 되돌아가는 길은 표를 뒤집어 씀; 끄면 훈련되지 않는 자체 가중치</translation>
    </message>
    <message>
        <source>Tiles from top to bottom and from left to right</source>
        <translation>위에서 아래로, 왼쪽에서 오른쪽으로의 타일 수</translation>
    </message>
    <message>
        <source>Shares of two samples come from Beta(alpha, alpha): small for little mixing, 1 for any share alike</source>
        <translation>두 샘플을 섞는 비율은 Beta(alpha, alpha)에서 뽑음. 작으면 조금만 섞이고, 1이면 모든 비율이 고르게 나옴</translation>
    </message>
    <message>
        <source>Alpha of a batch&apos;s shares, drawn from 0 to f, or between two numbers: larger for boxes of all sizes</source>
        <translation>배치의 섞는 비율에 쓰는 알파, 0부터 f까지 또는 두 수 사이에서 뽑음. 클수록 상자의 크기가 다양함</translation>
    </message>
    <message>
        <source>Axes that are taken together</source>
        <translation>함께 묶이는 축</translation>
    </message>
    <message>
        <source>Where the channels lie: behind the other axes or in front of them</source>
        <translation>채널의 자리: 다른 축의 뒤 또는 앞</translation>
    </message>
</context>
<context>
    <name>FieldLabels</name>
    <message>
        <source>Filters</source>
        <translation>필터</translation>
    </message>
    <message>
        <source>Kernel size</source>
        <translation>커널 크기</translation>
    </message>
    <message>
        <source>Strides</source>
        <translation>스트라이드</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>패딩</translation>
    </message>
    <message>
        <source>Dilation rate</source>
        <translation>팽창 비율</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>그룹</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>활성화</translation>
    </message>
    <message>
        <source>Use bias</source>
        <translation>편향 사용</translation>
    </message>
    <message>
        <source>Kernel initializer</source>
        <translation>커널 초기화</translation>
    </message>
    <message>
        <source>Bias initializer</source>
        <translation>편향 초기화</translation>
    </message>
    <message>
        <source>Pool size</source>
        <translation>풀 크기</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>유닛</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>비율</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>모멘텀</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>네스테로프</translation>
    </message>
    <message>
        <source>From logits</source>
        <translation>로짓 입력</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>예</translation>
    </message>
    <message>
        <source>no</source>
        <translation>아니요</translation>
    </message>
    <message>
        <source>unknown layer</source>
        <translation>알 수 없는 레이어</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 없음</translation>
    </message>
    <message>
        <source>no settings</source>
        <translation>설정 없음</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Steps per epoch</source>
        <translation>에포크당 스텝</translation>
    </message>
    <message>
        <source>Validation freq</source>
        <translation>검증 주기</translation>
    </message>
    <message>
        <source>Validation steps</source>
        <translation>검증 스텝</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>로그 주기</translation>
    </message>
    <message>
        <source>Histogram freq</source>
        <translation>히스토그램 주기</translation>
    </message>
    <message>
        <source>Activity constraint</source>
        <translation>활성 제약</translation>
    </message>
    <message>
        <source>Activity initializer</source>
        <translation>활성 초기화</translation>
    </message>
    <message>
        <source>Activity regularizer</source>
        <translation>활성 규제</translation>
    </message>
    <message>
        <source>Addition factor</source>
        <translation>더하기 계수</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>알파</translation>
    </message>
    <message>
        <source>Alpha constraint</source>
        <translation>알파 제약</translation>
    </message>
    <message>
        <source>Alpha initializer</source>
        <translation>알파 초기화</translation>
    </message>
    <message>
        <source>Alpha regularizer</source>
        <translation>알파 규제</translation>
    </message>
    <message>
        <source>Amsgrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>Antialias</source>
        <translation>안티에일리어싱</translation>
    </message>
    <message>
        <source>Apply class balancing</source>
        <translation>클래스 균형 적용</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>축</translation>
    </message>
    <message>
        <source>Backward layer</source>
        <translation>역방향 레이어</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>베타</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>베타 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>베타 2</translation>
    </message>
    <message>
        <source>Beta constraint</source>
        <translation>베타 제약</translation>
    </message>
    <message>
        <source>Beta initializer</source>
        <translation>베타 초기화</translation>
    </message>
    <message>
        <source>Beta regularizer</source>
        <translation>베타 규제</translation>
    </message>
    <message>
        <source>Bias constraint</source>
        <translation>편향 제약</translation>
    </message>
    <message>
        <source>Bias regularizer</source>
        <translation>편향 규제</translation>
    </message>
    <message>
        <source>Boundaries</source>
        <translation>경계</translation>
    </message>
    <message>
        <source>Brightness factor</source>
        <translation>밝기 계수</translation>
    </message>
    <message>
        <source>Bytes per pack</source>
        <translation>묶음당 바이트</translation>
    </message>
    <message>
        <source>Center</source>
        <translation>중심 이동</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>중심화</translation>
    </message>
    <message>
        <source>Clipnorm</source>
        <translation>노름 자르기</translation>
    </message>
    <message>
        <source>Clipvalue</source>
        <translation>값 자르기</translation>
    </message>
    <message>
        <source>Contrast factor</source>
        <translation>대비 계수</translation>
    </message>
    <message>
        <source>Cropping</source>
        <translation>잘라내기</translation>
    </message>
    <message>
        <source>Crop to aspect ratio</source>
        <translation>비율에 맞춰 자르기</translation>
    </message>
    <message>
        <source>Cross device ops</source>
        <translation>장치 간 연산</translation>
    </message>
    <message>
        <source>Cycle</source>
        <translation>반복</translation>
    </message>
    <message>
        <source>Decay rate</source>
        <translation>감쇠율</translation>
    </message>
    <message>
        <source>Decay steps</source>
        <translation>감쇠 스텝</translation>
    </message>
    <message>
        <source>Delta</source>
        <translation>델타</translation>
    </message>
    <message>
        <source>Depth multiplier</source>
        <translation>깊이 배수</translation>
    </message>
    <message>
        <source>Depthwise constraint</source>
        <translation>깊이별 제약</translation>
    </message>
    <message>
        <source>Depthwise initializer</source>
        <translation>깊이별 초기화</translation>
    </message>
    <message>
        <source>Depthwise regularizer</source>
        <translation>깊이별 규제</translation>
    </message>
    <message>
        <source>Dims</source>
        <translation>차원</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>드롭아웃</translation>
    </message>
    <message>
        <source>Dynamic growth steps</source>
        <translation>동적 증가 스텝</translation>
    </message>
    <message>
        <source>Ema momentum</source>
        <translation>EMA 모멘텀</translation>
    </message>
    <message>
        <source>Ema overwrite frequency</source>
        <translation>EMA 덮어쓰기 주기</translation>
    </message>
    <message>
        <source>Embeddings constraint</source>
        <translation>임베딩 제약</translation>
    </message>
    <message>
        <source>Embeddings initializer</source>
        <translation>임베딩 초기화</translation>
    </message>
    <message>
        <source>Embeddings regularizer</source>
        <translation>임베딩 규제</translation>
    </message>
    <message>
        <source>End learning rate</source>
        <translation>마지막 학습률</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>엡실론</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>계수</translation>
    </message>
    <message>
        <source>Fill mode</source>
        <translation>채우기 방식</translation>
    </message>
    <message>
        <source>Fill value</source>
        <translation>채움 값</translation>
    </message>
    <message>
        <source>First decay steps</source>
        <translation>첫 감쇠 스텝</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>감마</translation>
    </message>
    <message>
        <source>Gamma constraint</source>
        <translation>감마 제약</translation>
    </message>
    <message>
        <source>Gamma initializer</source>
        <translation>감마 초기화</translation>
    </message>
    <message>
        <source>Gamma regularizer</source>
        <translation>감마 규제</translation>
    </message>
    <message>
        <source>Global clipnorm</source>
        <translation>전역 노름 자르기</translation>
    </message>
    <message>
        <source>Go backwards</source>
        <translation>거꾸로</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>높이</translation>
    </message>
    <message>
        <source>Gradient accumulation steps</source>
        <translation>그래디언트 누적 스텝</translation>
    </message>
    <message>
        <source>Height factor</source>
        <translation>높이 계수</translation>
    </message>
    <message>
        <source>Hue factor</source>
        <translation>색상 계수</translation>
    </message>
    <message>
        <source>Ignore class</source>
        <translation>무시할 클래스</translation>
    </message>
    <message>
        <source>Initial accumulator value</source>
        <translation>누적기 초깃값</translation>
    </message>
    <message>
        <source>Initial learning rate</source>
        <translation>초기 학습률</translation>
    </message>
    <message>
        <source>Initial scale</source>
        <translation>초기 배율</translation>
    </message>
    <message>
        <source>Input dim</source>
        <translation>입력 차원</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>보간</translation>
    </message>
    <message>
        <source>Keepdims</source>
        <translation>차원 유지</translation>
    </message>
    <message>
        <source>Kernel constraint</source>
        <translation>커널 제약</translation>
    </message>
    <message>
        <source>Kernel regularizer</source>
        <translation>커널 규제</translation>
    </message>
    <message>
        <source>L1 regularization strength</source>
        <translation>L1 규제 강도</translation>
    </message>
    <message>
        <source>L2 regularization strength</source>
        <translation>L2 규제 강도</translation>
    </message>
    <message>
        <source>L2 shrinkage regularization strength</source>
        <translation>L2 축소 규제 강도</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>레이블 스무딩</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>레이어</translation>
    </message>
    <message>
        <source>Learning rate power</source>
        <translation>학습률 지수</translation>
    </message>
    <message>
        <source>Log device placement</source>
        <translation>장치 배치 기록</translation>
    </message>
    <message>
        <source>Logical CPUs</source>
        <translation>논리 CPU</translation>
    </message>
    <message>
        <source>Logical GPUs</source>
        <translation>논리 GPU</translation>
    </message>
    <message>
        <source>Loss scale factor</source>
        <translation>손실 배율</translation>
    </message>
    <message>
        <source>M mul</source>
        <translation>M 배수</translation>
    </message>
    <message>
        <source>Mask value</source>
        <translation>마스크 값</translation>
    </message>
    <message>
        <source>Mask zero</source>
        <translation>0 마스킹</translation>
    </message>
    <message>
        <source>Max value</source>
        <translation>최댓값</translation>
    </message>
    <message>
        <source>Merge mode</source>
        <translation>병합 방식</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>방식</translation>
    </message>
    <message>
        <source>Append</source>
        <translation>이어 쓰기</translation>
    </message>
    <message>
        <source>Backup dir</source>
        <translation>백업 폴더</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>기준값</translation>
    </message>
    <message>
        <source>Cooldown</source>
        <translation>대기 에포크</translation>
    </message>
    <message>
        <source>Delete checkpoint</source>
        <translation>백업 삭제</translation>
    </message>
    <message>
        <source>Double checkpoint</source>
        <translation>이전 백업 유지</translation>
    </message>
    <message>
        <source>Embeddings freq</source>
        <translation>임베딩 주기</translation>
    </message>
    <message>
        <source>Filename</source>
        <translation>파일 이름</translation>
    </message>
    <message>
        <source>Filepath</source>
        <translation>파일 경로</translation>
    </message>
    <message>
        <source>Initial value threshold</source>
        <translation>초기 기준값</translation>
    </message>
    <message>
        <source>Log dir</source>
        <translation>로그 폴더</translation>
    </message>
    <message>
        <source>Min delta</source>
        <translation>최소 변화</translation>
    </message>
    <message>
        <source>Min lr</source>
        <translation>최소 학습률</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>감시할 값</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>텍스트</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>인내 에포크</translation>
    </message>
    <message>
        <source>Profile batch</source>
        <translation>프로파일 배치</translation>
    </message>
    <message>
        <source>Raise error</source>
        <translation>오류로 종료</translation>
    </message>
    <message>
        <source>Rates</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Restore best weights</source>
        <translation>최적 가중치 복원</translation>
    </message>
    <message>
        <source>Save best only</source>
        <translation>최적일 때만 저장</translation>
    </message>
    <message>
        <source>Save freq</source>
        <translation>저장 주기</translation>
    </message>
    <message>
        <source>Save weights only</source>
        <translation>가중치만 저장</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>구분 문자</translation>
    </message>
    <message>
        <source>Start from epoch</source>
        <translation>시작 에포크</translation>
    </message>
    <message>
        <source>Update freq</source>
        <translation>갱신 주기</translation>
    </message>
    <message>
        <source>Verbose</source>
        <translation>상세 출력</translation>
    </message>
    <message>
        <source>Write graph</source>
        <translation>그래프 쓰기</translation>
    </message>
    <message>
        <source>X factor</source>
        <translation>X 계수</translation>
    </message>
    <message>
        <source>Y factor</source>
        <translation>Y 계수</translation>
    </message>
    <message>
        <source>Write images</source>
        <translation>이미지 쓰기</translation>
    </message>
    <message>
        <source>Write steps per second</source>
        <translation>초당 스텝 쓰기</translation>
    </message>
    <message>
        <source>Moving mean initializer</source>
        <translation>이동 평균 초기화</translation>
    </message>
    <message>
        <source>Moving variance initializer</source>
        <translation>이동 분산 초기화</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>Negative slope</source>
        <translation>음수 기울기</translation>
    </message>
    <message>
        <source>Noise shape</source>
        <translation>노이즈 형상</translation>
    </message>
    <message>
        <source>Num packs</source>
        <translation>묶음 수</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>오프셋</translation>
    </message>
    <message>
        <source>Op determinism</source>
        <translation>연산 결정성</translation>
    </message>
    <message>
        <source>Output dim</source>
        <translation>출력 차원</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>출력 패딩</translation>
    </message>
    <message>
        <source>Pad to aspect ratio</source>
        <translation>비율에 맞춰 채우기</translation>
    </message>
    <message>
        <source>Pointwise constraint</source>
        <translation>점별 제약</translation>
    </message>
    <message>
        <source>Pointwise initializer</source>
        <translation>점별 초기화</translation>
    </message>
    <message>
        <source>Pointwise regularizer</source>
        <translation>점별 규제</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>거듭제곱</translation>
    </message>
    <message>
        <source>Recurrent activation</source>
        <translation>순환 활성화</translation>
    </message>
    <message>
        <source>Recurrent constraint</source>
        <translation>순환 제약</translation>
    </message>
    <message>
        <source>Recurrent dropout</source>
        <translation>순환 드롭아웃</translation>
    </message>
    <message>
        <source>Recurrent initializer</source>
        <translation>순환 초기화</translation>
    </message>
    <message>
        <source>Recurrent regularizer</source>
        <translation>순환 규제</translation>
    </message>
    <message>
        <source>Reduce to device</source>
        <translation>합산 장치</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>축소 방식</translation>
    </message>
    <message>
        <source>Reset after</source>
        <translation>행렬곱 뒤 리셋</translation>
    </message>
    <message>
        <source>Return sequences</source>
        <translation>시퀀스 반환</translation>
    </message>
    <message>
        <source>Return state</source>
        <translation>상태 반환</translation>
    </message>
    <message>
        <source>Rho</source>
        <translation>로</translation>
    </message>
    <message>
        <source>Rms scaling</source>
        <translation>RMS 배율</translation>
    </message>
    <message>
        <source>Saturation factor</source>
        <translation>채도 계수</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>배율</translation>
    </message>
    <message>
        <source>Shared axes</source>
        <translation>공유 축</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>크기</translation>
    </message>
    <message>
        <source>Staircase</source>
        <translation>계단식</translation>
    </message>
    <message>
        <source>Start timeout, s</source>
        <translation>시작 대기 한도(초)</translation>
    </message>
    <message>
        <source>On task lost</source>
        <translation>태스크를 잃었을 때</translation>
    </message>
    <message>
        <source>Max restarts</source>
        <translation>최대 다시 시작 횟수</translation>
    </message>
    <message>
        <source>Heartbeat fatal, s</source>
        <translation>응답 한도(초)</translation>
    </message>
    <message>
        <source>Stateful</source>
        <translation>상태 유지</translation>
    </message>
    <message>
        <source>Stddev</source>
        <translation>표준 편차</translation>
    </message>
    <message>
        <source>Synchronized</source>
        <translation>동기화</translation>
    </message>
    <message>
        <source>T mul</source>
        <translation>T 배수</translation>
    </message>
    <message>
        <source>Target shape</source>
        <translation>목표 형상</translation>
    </message>
    <message>
        <source>Tensor float 32 execution</source>
        <translation>TensorFloat-32 실행</translation>
    </message>
    <message>
        <source>Threads per task</source>
        <translation>태스크당 스레드</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>임곗값</translation>
    </message>
    <message>
        <source>Threshold factor</source>
        <translation>임곗값 계수</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>전송 방식</translation>
    </message>
    <message>
        <source>Unit forget bias</source>
        <translation>망각 게이트 편향 1</translation>
    </message>
    <message>
        <source>Unroll</source>
        <translation>펼치기</translation>
    </message>
    <message>
        <source>Use cudnn</source>
        <translation>cuDNN 사용</translation>
    </message>
    <message>
        <source>Use ema</source>
        <translation>EMA 사용</translation>
    </message>
    <message>
        <source>Value range</source>
        <translation>값 범위</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>값</translation>
    </message>
    <message>
        <source>Warmup steps</source>
        <translation>워밍업 스텝</translation>
    </message>
    <message>
        <source>Warmup target</source>
        <translation>워밍업 목표</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>가중치 감쇠</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>너비</translation>
    </message>
    <message>
        <source>Width factor</source>
        <translation>너비 계수</translation>
    </message>
    <message>
        <source>Zero output for mask</source>
        <translation>마스크된 출력 0</translation>
    </message>
    <message>
        <source>Swap on epoch</source>
        <translation>에포크 끝에서 교환</translation>
    </message>
    <message>
        <source>Max steps</source>
        <translation>최대 스텝</translation>
    </message>
    <message>
        <source>Variable partitioner</source>
        <translation>변수 파티셔너</translation>
    </message>
    <message>
        <source>Max staleness</source>
        <translation>최대 지연도</translation>
    </message>
    <message>
        <source>Num shards</source>
        <translation>조각 수</translation>
    </message>
    <message>
        <source>Min shard bytes</source>
        <translation>최소 조각 바이트</translation>
    </message>
    <message>
        <source>Max shard bytes</source>
        <translation>최대 조각 바이트</translation>
    </message>
    <message>
        <source>Max shards</source>
        <translation>최대 조각 수</translation>
    </message>
    <message>
        <source>Bytes per string</source>
        <translation>문자열당 바이트</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Start delay secs</source>
        <translation>시작 지연(초)</translation>
    </message>
    <message>
        <source>Throttle secs</source>
        <translation>평가 간격(초)</translation>
    </message>
    <message>
        <source>Save checkpoints steps</source>
        <translation>체크포인트 간격(스텝)</translation>
    </message>
    <message>
        <source>Save checkpoints secs</source>
        <translation>체크포인트 간격(초)</translation>
    </message>
    <message>
        <source>Keep checkpoint max</source>
        <translation>남길 체크포인트 수</translation>
    </message>
    <message>
        <source>Log step count steps</source>
        <translation>로그 간격(스텝)</translation>
    </message>
    <message>
        <source>Save summary steps</source>
        <translation>요약 간격(스텝)</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>이름</translation>
    </message>
    <message>
        <source>Input repeats</source>
        <translation>입력 반복</translation>
    </message>
    <message>
        <source>Final exporter</source>
        <translation>마지막 내보내기</translation>
    </message>
    <message>
        <source>Latest exporter</source>
        <translation>최신 내보내기</translation>
    </message>
    <message>
        <source>Best exporter</source>
        <translation>최선 내보내기</translation>
    </message>
    <message>
        <source>Experimental max worker delay secs</source>
        <translation>실험적 최대 워커 지연(초)</translation>
    </message>
    <message>
        <source>TPU</source>
        <translation>TPU</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>영역</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>프로젝트</translation>
    </message>
    <message>
        <source>Job name</source>
        <translation>잡 이름</translation>
    </message>
    <message>
        <source>Coordinator name</source>
        <translation>코디네이터 이름</translation>
    </message>
    <message>
        <source>Coordinator address</source>
        <translation>코디네이터 주소</translation>
    </message>
    <message>
        <source>Home lost, s</source>
        <translation>홈 부재 한도(초)</translation>
    </message>
    <message>
        <source>Scale learning rate</source>
        <translation>학습률 조정</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>키</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>형상</translation>
    </message>
    <message>
        <source>Vocabulary list</source>
        <translation>어휘 목록</translation>
    </message>
    <message>
        <source>Num oov buckets</source>
        <translation>어휘 밖 자리 수</translation>
    </message>
    <message>
        <source>Num buckets</source>
        <translation>자리 수</translation>
    </message>
    <message>
        <source>Hash bucket size</source>
        <translation>해시 자리 수</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>초기 가중치</translation>
    </message>
    <message>
        <source>Initial state</source>
        <translation>초기 상태</translation>
    </message>
    <message>
        <source>Q</source>
        <translation>Q</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>여유 거리</translation>
    </message>
    <message>
        <source>Remove diagonal</source>
        <translation>대각선 제외</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>재현율</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>정밀도</translation>
    </message>
    <message>
        <source>Specificity</source>
        <translation>특이도</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>민감도</translation>
    </message>
    <message>
        <source>Class id</source>
        <translation>클래스 번호</translation>
    </message>
    <message>
        <source>Target class ids</source>
        <translation>대상 클래스 번호</translation>
    </message>
    <message>
        <source>Num classes</source>
        <translation>클래스 수</translation>
    </message>
    <message>
        <source>Sparse y true</source>
        <translation>레이블이 번호</translation>
    </message>
    <message>
        <source>Sparse y pred</source>
        <translation>출력이 번호</translation>
    </message>
    <message>
        <source>Class aggregation</source>
        <translation>클래스 합치기</translation>
    </message>
    <message>
        <source>Num regressors</source>
        <translation>독립 입력 수</translation>
    </message>
    <message>
        <source>Num thresholds</source>
        <translation>임곗값 수</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>레이어</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>지름길 연결</translation>
    </message>
    <message>
        <source>L1</source>
        <translation>L1</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>Key dim</source>
        <translation>키 차원</translation>
    </message>
    <message>
        <source>Num heads</source>
        <translation>헤드 수</translation>
    </message>
    <message>
        <source>Use causal mask</source>
        <translation>인과 마스크 사용</translation>
    </message>
    <message>
        <source>Value dim</source>
        <translation>값 차원</translation>
    </message>
    <message>
        <source>Bias axes</source>
        <translation>편향 축</translation>
    </message>
    <message>
        <source>Equation</source>
        <translation>식</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>평균</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>분산</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>반전</translation>
    </message>
    <message>
        <source>Num tokens</source>
        <translation>토큰 수</translation>
    </message>
    <message>
        <source>Output mode</source>
        <translation>출력 방식</translation>
    </message>
    <message>
        <source>Sparse</source>
        <translation>희소</translation>
    </message>
    <message>
        <source>Bin boundaries</source>
        <translation>구간 경계</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>최대 토큰 수</translation>
    </message>
    <message>
        <source>Num oov indices</source>
        <translation>어휘 밖 자리 수</translation>
    </message>
    <message>
        <source>Mask token</source>
        <translation>마스크 토큰</translation>
    </message>
    <message>
        <source>Oov token</source>
        <translation>어휘 밖 토큰</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>어휘</translation>
    </message>
    <message>
        <source>Vocabulary dtype</source>
        <translation>어휘의 자료형</translation>
    </message>
    <message>
        <source>Pad to max tokens</source>
        <translation>최대 토큰 수까지 채우기</translation>
    </message>
    <message>
        <source>Oov method</source>
        <translation>어휘 밖 방식</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>출력 형상</translation>
    </message>
    <message>
        <source>Output size</source>
        <translation>출력 크기</translation>
    </message>
    <message>
        <source>Adam beta 1</source>
        <translation>Adam 베타 1</translation>
    </message>
    <message>
        <source>Adam beta 2</source>
        <translation>Adam 베타 2</translation>
    </message>
    <message>
        <source>Adam lr ratio</source>
        <translation>Adam 학습률 비율</translation>
    </message>
    <message>
        <source>Adam weight decay</source>
        <translation>Adam 가중치 감쇠</translation>
    </message>
    <message>
        <source>Beta 2 decay</source>
        <translation>베타 2 감쇠</translation>
    </message>
    <message>
        <source>Clip threshold</source>
        <translation>자르기 임곗값</translation>
    </message>
    <message>
        <source>Epsilon 1</source>
        <translation>엡실론 1</translation>
    </message>
    <message>
        <source>Epsilon 2</source>
        <translation>엡실론 2</translation>
    </message>
    <message>
        <source>Exclude embeddings</source>
        <translation>임베딩 제외</translation>
    </message>
    <message>
        <source>Exclude layers</source>
        <translation>제외할 레이어</translation>
    </message>
    <message>
        <source>Muon a</source>
        <translation>Muon a</translation>
    </message>
    <message>
        <source>Muon b</source>
        <translation>Muon b</translation>
    </message>
    <message>
        <source>Muon c</source>
        <translation>Muon c</translation>
    </message>
    <message>
        <source>Ns steps</source>
        <translation>NS 반복 횟수</translation>
    </message>
    <message>
        <source>Relative step</source>
        <translation>상대 스텝</translation>
    </message>
    <message>
        <source>Rms rate</source>
        <translation>RMS 비율</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>셀</translation>
    </message>
    <message>
        <source>Num bins</source>
        <translation>구간 수</translation>
    </message>
    <message>
        <source>Salt</source>
        <translation>솔트</translation>
    </message>
    <message>
        <source>Power iterations</source>
        <translation>거듭제곱 횟수</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>구간 수</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>시그마</translation>
    </message>
    <message>
        <source>Frame length</source>
        <translation>프레임 길이</translation>
    </message>
    <message>
        <source>Frame step</source>
        <translation>프레임 간격</translation>
    </message>
    <message>
        <source>Fft length</source>
        <translation>FFT 길이</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>창</translation>
    </message>
    <message>
        <source>Periodic</source>
        <translation>주기적</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>정규화</translation>
    </message>
    <message>
        <source>Expand dims</source>
        <translation>차원 확장</translation>
    </message>
    <message>
        <source>Sequence stride</source>
        <translation>시퀀스 간격</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>시퀀스 길이</translation>
    </message>
    <message>
        <source>Sampling rate</source>
        <translation>표본화율</translation>
    </message>
    <message>
        <source>Num mel bins</source>
        <translation>멜 대역 수</translation>
    </message>
    <message>
        <source>Min freq</source>
        <translation>최소 주파수</translation>
    </message>
    <message>
        <source>Max freq</source>
        <translation>최대 주파수</translation>
    </message>
    <message>
        <source>Power to db</source>
        <translation>데시벨로 변환</translation>
    </message>
    <message>
        <source>Top db</source>
        <translation>최대 데시벨 폭</translation>
    </message>
    <message>
        <source>Mag exp</source>
        <translation>크기 지수</translation>
    </message>
    <message>
        <source>Min power</source>
        <translation>최소 전력</translation>
    </message>
    <message>
        <source>Ref power</source>
        <translation>기준 전력</translation>
    </message>
    <message>
        <source>All ops</source>
        <translation>모든 연산</translation>
    </message>
    <message>
        <source>Chain depth</source>
        <translation>사슬 깊이</translation>
    </message>
    <message>
        <source>Num chains</source>
        <translation>사슬 수</translation>
    </message>
    <message>
        <source>Num ops</source>
        <translation>연산 수</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>섞기</translation>
    </message>
    <message>
        <source>Tie weights</source>
        <translation>가중치 공유</translation>
    </message>
    <message>
        <source>Reverse dtype</source>
        <translation>역방향 자료형</translation>
    </message>
    <message>
        <source>Logit soft cap</source>
        <translation>로짓 소프트 캡</translation>
    </message>
    <message>
        <source>Idf weights</source>
        <translation>IDF 가중치</translation>
    </message>
    <message>
        <source>Clip limit</source>
        <translation>클립 한도</translation>
    </message>
    <message>
        <source>Tile grid size</source>
        <translation>타일 격자 크기</translation>
    </message>
    <message>
        <source>Standardize</source>
        <translation>표준화</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>나누기</translation>
    </message>
    <message>
        <source>Ngrams</source>
        <translation>N그램</translation>
    </message>
    <message>
        <source>Output sequence length</source>
        <translation>출력 길이</translation>
    </message>
    <message>
        <source>Ragged</source>
        <translation>비정형</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>인코딩</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>지표</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>손실 배율</translation>
    </message>
    <message>
        <source>Input shape</source>
        <translation>입력 형상</translation>
    </message>
    <message>
        <source>Input dtype</source>
        <translation>입력 자료형</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>콜백</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%2 %1</translation>
    </message>
    <message>
        <source>Data format</source>
        <translation>데이터 형식</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Choose a field</source>
        <translation>필드를 고르십시오</translation>
    </message>
    <message>
        <source>%1: values with commas between them, each once</source>
        <translation>%1: 쉼표로 나눈 값들, 각각 한 번</translation>
    </message>
    <message>
        <source>%1: from one number to another, such as 1e-4</source>
        <translation>%1: 한 수에서 다른 수까지, 예를 들어 1e-4</translation>
    </message>
    <message>
        <source>%1: from a lower number to a higher one</source>
        <translation>%1: 작은 수에서 큰 수까지</translation>
    </message>
    <message>
        <source>%1: a logarithmic range is above 0</source>
        <translation>%1: 로그 범위는 0보다 큽니다</translation>
    </message>
    <message>
        <source>%1: from one integer to another</source>
        <translation>%1: 한 정수에서 다른 정수까지</translation>
    </message>
    <message>
        <source>%1: this is no field and its values</source>
        <translation>%1: 필드와 그 값이 아닙니다</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>값</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>범위</translation>
    </message>
    <message>
        <source>Logarithmic range</source>
        <translation>로그 범위</translation>
    </message>
    <message>
        <source>Integers</source>
        <translation>정수</translation>
    </message>
    <message>
        <source>Integers, logarithmic</source>
        <translation>정수, 로그</translation>
    </message>
    <message>
        <source>to</source>
        <translation>~</translation>
    </message>
    <message>
        <source>points</source>
        <translation>값의 수</translation>
    </message>
    <message>
        <source>Field of the project</source>
        <translation>프로젝트의 필드</translation>
    </message>
    <message>
        <source>Kind of values</source>
        <translation>값의 종류</translation>
    </message>
    <message>
        <source>Values, with commas between them</source>
        <translation>쉼표로 나눈 값</translation>
    </message>
    <message>
        <source>Lowest value</source>
        <translation>가장 작은 값</translation>
    </message>
    <message>
        <source>Highest value</source>
        <translation>가장 큰 값</translation>
    </message>
    <message>
        <source>Values of the range in a grid</source>
        <translation>격자에서 범위의 값의 수</translation>
    </message>
    <message>
        <source>How many values of the range a grid has; drawn configurations have any of it</source>
        <translation>격자가 범위에서 쓰는 값의 수. 무작위로 뽑은 구성은 범위의 어느 값이든 쓸 수 있습니다</translation>
    </message>
    <message>
        <source>Remove the field</source>
        <translation>필드 제거</translation>
    </message>
</context>
<context>
    <name>FileTexts</name>
    <message>
        <source>%1 (data.on_error=skip goes on without it)</source>
        <translation>%1(data.on_error=skip이면 빼고 계속합니다)</translation>
    </message>
    <message>
        <source>%1: expected at least one %2, got none (skipped: %3; the first: %4)</source>
        <translation>%1: %2 하나 이상이 필요한데 없습니다(건너뛴 것: %3, 첫 번째: %4)</translation>
    </message>
    <message>
        <source>%1: expected at least one %2, got none</source>
        <translation>%1: %2 하나 이상이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>line of samples</source>
        <translation>샘플 줄</translation>
    </message>
    <message>
        <source>line &quot;label&lt;TAB&gt;text&quot;</source>
        <translation>&quot;label&lt;TAB&gt;text&quot; 줄</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, the loss expects 0 to 1</source>
        <translation>%1: 샘플 %3의 레이블이 범위를 벗어난 %2입니다. 손실에는 0에서 1까지가 필요합니다</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is no class index, the loss expects whole numbers from 0 (uint8 or int32)</source>
        <translation>%1: 샘플 %3의 레이블이 클래스 번호가 아닌 %2입니다. 손실에는 0부터 시작하는 정수(uint8 또는 int32)가 필요합니다</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, expected 0 to %4 (data.one_hot is %5)</source>
        <translation>%1: 샘플 %3의 레이블이 0~%4의 범위를 벗어난 %2입니다(data.one_hot은 %5)</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, expected 0 to %4 (the model has %5 outputs)</source>
        <translation>%1: 샘플 %3의 레이블이 0~%4의 범위를 벗어난 %2입니다(모델의 출력은 %5개)</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects class indices (uint8 or int32)</source>
        <translation>%1: 레이블이 형상 %3의 %2인데 손실에는 클래스 번호(uint8 또는 int32)가 필요합니다</translation>
    </message>
    <message>
        <source>%1: data.one_hot expects one class index a sample (uint8 or int32), its labels are %2 of shape %3</source>
        <translation>%1: data.one_hot에는 샘플마다 클래스 번호 하나(uint8 또는 int32)가 필요한데 레이블이 형상 %3의 %2입니다</translation>
    </message>
    <message>
        <source>%1: data.one_hot makes its labels rows of %2, the loss expects class indices</source>
        <translation>%1: data.one_hot으로 레이블이 %2개짜리 행이 되는데 손실에는 클래스 번호가 필요합니다</translation>
    </message>
    <message>
        <source>%1: data.one_hot makes its labels rows of %2, the loss expects the shape %3</source>
        <translation>%1: data.one_hot으로 레이블이 %2개짜리 행이 되는데 손실에 필요한 형상은 %3입니다</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects the shape %4 (data.one_hot=%5 makes it of class indices)</source>
        <translation>%1: 레이블이 형상 %3의 %2인데 손실에 필요한 형상은 %4입니다(클래스 번호라면 data.one_hot=%5 설정으로 만들 수 있습니다)</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects the shape %4</source>
        <translation>%1: 레이블이 형상 %3의 %2인데 손실에 필요한 형상은 %4입니다</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3 (%4 and %5 make them so)</source>
        <translation>%1: 샘플의 형상이 %2인데 모델의 입력에 필요한 형상은 %3입니다(%4, %5 설정으로 맞출 수 있습니다)</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3 (%4 makes them so)</source>
        <translation>%1: 샘플의 형상이 %2인데 모델의 입력에 필요한 형상은 %3입니다(%4 설정으로 맞출 수 있습니다)</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3</source>
        <translation>%1: 샘플의 형상이 %2인데 모델의 입력에 필요한 형상은 %3입니다</translation>
    </message>
    <message>
        <source>%1: data.one_hot of %2 classes for %3 samples needs more than 16 GiB; use a sparse loss</source>
        <translation>%1: 샘플 %3개에 클래스 %2개의 data.one_hot은 16 GiB가 넘게 필요합니다. 희소 손실을 쓰십시오</translation>
    </message>
    <message>
        <source>%1: sample %2 has %3 as number %4</source>
        <translation>%1: 샘플 %2의 %4번째 수가 %3입니다</translation>
    </message>
    <message>
        <source>%1: the label of sample %2 has %3 as number %4</source>
        <translation>%1: 샘플 %2의 레이블에서 %4번째 수가 %3입니다</translation>
    </message>
    <message>
        <source>%1 has %2 images, but %3 has %4 labels; expected as many</source>
        <translation>%1에는 이미지가 %2개인데 %3에는 레이블이 %4개입니다. 수가 같아야 합니다</translation>
    </message>
    <message>
        <source>%1: has %2 samples, but %3 has %4 labels; expected as many</source>
        <translation>%1에는 샘플이 %2개인데 %3에는 레이블이 %4개입니다. 수가 같아야 합니다</translation>
    </message>
    <message>
        <source>expected an array whose first axis counts the samples, got a single number</source>
        <translation>첫 축이 샘플을 세는 배열이어야 하는데 수 하나입니다</translation>
    </message>
    <message>
        <source>expected between 1 and 4294967294 samples, got %1</source>
        <translation>샘플은 1~4294967294개여야 하는데 %1개입니다</translation>
    </message>
    <message>
        <source>expected between 1 and 4294967294 images, got %1</source>
        <translation>이미지는 1~4294967294개여야 하는데 %1개입니다</translation>
    </message>
    <message>
        <source>expected labels of shape (n,), got %1</source>
        <translation>레이블의 형상은 (n,)이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected integer labels, got floating point numbers</source>
        <translation>레이블은 정수여야 하는데 부동소수점 수입니다</translation>
    </message>
    <message>
        <source>expected images of shape (n, rows, columns), got %1</source>
        <translation>이미지의 형상은 (n, 행, 열)이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a global batch of at least one sample per replica (%1), got %2</source>
        <translation>전역 배치에는 복제본마다 샘플이 하나 이상(%1) 있어야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>data: FILE sharding expects at least one file per worker (%1), the data set has %2</source>
        <translation>data: FILE 샤딩에는 워커마다 파일이 하나 이상(%1) 필요한데 데이터셋에는 %2개 있습니다</translation>
    </message>
    <message>
        <source>data.auto_shard: FILE expects a data set that is read from several files, but %1 is held in memory; use DATA or AUTO</source>
        <translation>data.auto_shard: FILE에는 여러 파일에서 읽는 데이터셋이 필요한데 %1 데이터셋은 메모리에 있습니다. DATA나 AUTO를 쓰십시오</translation>
    </message>
    <message>
        <source>data.validation_split: %1 of %2 samples leaves %3 for training, expected at least one on both sides</source>
        <translation>data.validation_split: 샘플 %2개에서 %1이면 훈련에 %3개가 남습니다. 양쪽에 하나 이상 있어야 합니다</translation>
    </message>
    <message>
        <source>data: the training samples make no whole batch, expected at least one</source>
        <translation>data: 훈련 샘플로 배치 하나를 채우지 못합니다. 하나 이상이어야 합니다</translation>
    </message>
    <message>
        <source>data.dataset: %1 was not found (expected %2 and the files beside it in one of: %3); set TANDEM_DATA_DIR to its parent folder, or %4</source>
        <translation>data.dataset: %1 데이터셋을 찾지 못했습니다(다음 중 한 곳에 %2 파일과 그 곁의 파일이 있어야 합니다: %3). TANDEM_DATA_DIR을 그 상위 폴더로 정하거나 %4</translation>
    </message>
    <message>
        <source>data.dataset: %1 was not found (expected %2 and the files beside it in one of: %3); set TANDEM_DATA_DIR to its parent folder; it could not be fetched either, is this computer offline? %4</source>
        <translation>data.dataset: %1 데이터셋을 찾지 못했습니다(다음 중 한 곳에 %2 파일과 그 곁의 파일이 있어야 합니다: %3). TANDEM_DATA_DIR을 그 상위 폴더로 정하십시오. 받아 오지도 못했습니다. 이 컴퓨터가 오프라인입니까? %4</translation>
    </message>
    <message>
        <source>fetch it with --fetch</source>
        <translation>--fetch로 받아 오십시오</translation>
    </message>
    <message>
        <source>data.download to true</source>
        <translation>data.download를 true로 하십시오</translation>
    </message>
    <message>
        <source>data: expected train_images and train_labels, the files of the data set %1</source>
        <translation>data: 데이터셋 %1의 파일인 train_images와 train_labels가 있어야 합니다</translation>
    </message>
    <message>
        <source>expected test_images and test_labels both or neither, got one of them</source>
        <translation>test_images와 test_labels는 둘 다 있거나 둘 다 없어야 하는데 하나만 있습니다</translation>
    </message>
    <message>
        <source>%1: expected an array %2 (data.npz names the arrays), it has %3</source>
        <translation>%1: %2 배열이 있어야 하는데(배열 이름은 data.npz가 정합니다) 있는 것은 %3입니다</translation>
    </message>
    <message>
        <source>%1: expected the classes of %2 (%3 sub-folders), got others</source>
        <translation>%1: %2의 클래스(하위 폴더 %3개)와 같아야 하는데 다릅니다</translation>
    </message>
    <message>
        <source>%1: expected files of this pattern, found none</source>
        <translation>%1: 이 패턴의 파일이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected the files of the data set %1, got none</source>
        <translation>데이터셋 %1의 파일이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>%1: could not be downloaded (%2)</source>
        <translation>%1: 내려받지 못했습니다(%2)</translation>
    </message>
    <message>
        <source>%1: the download was cancelled</source>
        <translation>%1: 내려받기를 취소했습니다</translation>
    </message>
    <message>
        <source>%1: the wait for another program&apos;s download was cancelled</source>
        <translation>%1: 다른 프로그램의 내려받기를 기다리는 것을 취소했습니다</translation>
    </message>
    <message>
        <source>%1: looking at it was cancelled</source>
        <translation>%1: 살펴보기를 취소했습니다</translation>
    </message>
    <message>
        <source>%1: cannot be opened: not enough memory</source>
        <translation>%1: 열 수 없습니다: 메모리가 모자랍니다</translation>
    </message>
    <message>
        <source>%1: cannot be opened: %2</source>
        <translation>%1: 열 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: cannot be read: %2</source>
        <translation>%1: 읽을 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: cannot be listed: %2</source>
        <translation>%1: 목록을 볼 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1: 쓸 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: cannot be mapped: %2</source>
        <translation>%1: 매핑할 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: cannot be locked: %2</source>
        <translation>%1: 잠글 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: its compressed data is broken or ends too early</source>
        <translation>%1: 압축 데이터가 깨졌거나 너무 일찍 끝납니다</translation>
    </message>
    <message>
        <source>%1: %2 is larger than 1 GiB</source>
        <translation>%1: %2 파일이 1 GiB보다 큽니다</translation>
    </message>
    <message>
        <source>%1: expected the file %2 in it, found none</source>
        <translation>%1: 그 안에 %2 파일이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a table as text (UTF-8), got a ZIP archive, as .npz files are</source>
        <translation>텍스트(UTF-8) 표여야 하는데 .npz 파일과 같은 ZIP 아카이브입니다</translation>
    </message>
    <message>
        <source>expected a table as text (UTF-8), got binary data</source>
        <translation>텍스트(UTF-8) 표여야 하는데 이진 데이터입니다</translation>
    </message>
    <message>
        <source>expected a table, got no line</source>
        <translation>표여야 하는데 한 줄도 없습니다</translation>
    </message>
    <message>
        <source>expected a quote that closes the cell, got the end of the file</source>
        <translation>칸을 닫는 따옴표가 있어야 하는데 파일이 끝납니다</translation>
    </message>
    <message>
        <source>expected the delimiter or the end of the line after a closing quote</source>
        <translation>닫는 따옴표 뒤에는 구분자나 줄의 끝이 와야 합니다</translation>
    </message>
    <message>
        <source>expected a column of the table (%1) or an index below %2, got %3</source>
        <translation>표의 열(%1)이나 %2보다 작은 번호여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected every column once and without the label, got %1, which is data.csv.label</source>
        <translation>열은 레이블을 빼고 한 번씩만 나와야 하는데 data.csv.label의 열이 있습니다: %1</translation>
    </message>
    <message>
        <source>expected every column once and without the label, got %1 twice</source>
        <translation>열은 레이블을 빼고 한 번씩만 나와야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected at least one column beside the label, the table has none where %1 parts cells (data.csv.delimiter)</source>
        <translation>레이블 말고 열이 하나 이상 있어야 하는데, 칸을 나누는 기호가 %1일 때(data.csv.delimiter) 하나도 없습니다</translation>
    </message>
    <message>
        <source>%1: expected at least one column beside the label, the table has none</source>
        <translation>%1: 레이블 말고 열이 하나 이상 있어야 하는데 표에 없습니다</translation>
    </message>
    <message>
        <source>expected at most %1 different texts in a column, got more in %2</source>
        <translation>한 열의 서로 다른 텍스트는 %1개 이하여야 하는데 %2에 더 많습니다</translation>
    </message>
    <message>
        <source>expected %1 cells, got %2</source>
        <translation>칸이 %1개여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>%1: the cell of %2 is missing (data.csv.missing: skip, zero or mean fills it)</source>
        <translation>%1: %2의 칸이 비어 있습니다(data.csv.missing: skip, zero, mean이 채웁니다)</translation>
    </message>
    <message>
        <source>expected a value of %1 that the training file has, got %2</source>
        <translation>훈련 파일에 있는 %1의 값이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a number in %1, got %2</source>
        <translation>%1에는 숫자가 있어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a whole number below %1 in %2, got %3</source>
        <translation>%2에는 %1보다 작은 정수가 있어야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>%1: expected a label of the training file, a tab and a text</source>
        <translation>%1: 훈련 파일의 레이블, 탭, 텍스트가 있어야 합니다</translation>
    </message>
    <message>
        <source>expected whole records of %1 bytes, got %2 bytes</source>
        <translation>%1바이트짜리 온전한 레코드여야 하는데 %2바이트입니다</translation>
    </message>
    <message>
        <source>%1: broken gzip data (%2)</source>
        <translation>%1: gzip 데이터가 깨졌습니다(%2)</translation>
    </message>
    <message>
        <source>%1: truncated: expected an IDX header of 4 bytes, got %2</source>
        <translation>%1: 잘렸습니다: IDX 머리말은 4바이트여야 하는데 %2바이트입니다</translation>
    </message>
    <message>
        <source>%1: is no IDX file: expected it to begin with the bytes 00 00, got %2</source>
        <translation>%1: IDX 파일이 아닙니다: 바이트 00 00으로 시작해야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>%1: unknown IDX element type %2, expected 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e</source>
        <translation>%1: IDX 요소 형식이 알 수 없는 %2입니다. 0x08, 0x09, 0x0b, 0x0c, 0x0d, 0x0e 중 하나여야 합니다</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 sizes in the header, got %3</source>
        <translation>%1: 잘렸습니다: 머리말에 크기가 %2개 있어야 하는데 %3개입니다</translation>
    </message>
    <message>
        <source>%1: its header asks for more than %2 GiB</source>
        <translation>%1: 머리말이 %2 GiB가 넘게 요구합니다</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes of values, which a file of %3 bytes cannot hold</source>
        <translation>%1: 잘렸습니다: 값이 %2바이트여야 하는데 %3바이트 파일에는 담길 수 없습니다</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes of values, got %3</source>
        <translation>%1: 잘렸습니다: 값이 %2바이트여야 하는데 %3바이트입니다</translation>
    </message>
    <message>
        <source>%1: longer than its header says: expected %2 bytes of values, got %3</source>
        <translation>%1: 머리말보다 깁니다: 값이 %2바이트여야 하는데 %3바이트입니다</translation>
    </message>
    <message>
        <source>%1: longer than its header says: expected %2 bytes of values</source>
        <translation>%1: 머리말보다 깁니다: 값이 %2바이트여야 합니다</translation>
    </message>
    <message>
        <source>%1: is no NPY header: expected %2 at character %3</source>
        <translation>%1: NPY 머리말이 아닙니다: %3번째 글자에 있어야 하는 것은 %2입니다</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>따옴표 안의 텍스트</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True 또는 False</translation>
    </message>
    <message>
        <source>a tuple of at most 32 sizes</source>
        <translation>크기가 32개 이하인 튜플</translation>
    </message>
    <message>
        <source>descr, fortran_order or shape as key</source>
        <translation>키 descr, fortran_order 또는 shape</translation>
    </message>
    <message>
        <source>a dictionary of descr, fortran_order and shape</source>
        <translation>descr, fortran_order, shape의 사전</translation>
    </message>
    <message>
        <source>%1: is no NPY file: expected it to begin with the bytes 93 4e 55 4d 50 59 (\x93NUMPY)</source>
        <translation>%1: NPY 파일이 아닙니다: 바이트 93 4e 55 4d 50 59(\x93NUMPY)로 시작해야 합니다</translation>
    </message>
    <message>
        <source>expected NPY version 1, 2 or 3, got %1</source>
        <translation>NPY 버전은 1, 2, 3 중 하나여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>%1: truncated: its header has %2 bytes, the file %3</source>
        <translation>%1: 잘렸습니다: 머리말은 %2바이트, 파일은 %3바이트입니다</translation>
    </message>
    <message>
        <source>expected an array of numbers, got one of records (structured type)</source>
        <translation>수의 배열이어야 하는데 레코드(구조화 형식)의 배열입니다</translation>
    </message>
    <message>
        <source>expected integers from -2147483648 to 2147483647, got %1</source>
        <translation>-2147483648에서 2147483647까지의 정수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>%1: holds pickled Python objects, which are refused because reading them runs foreign code; save a plain array, such as one padded to a common length</source>
        <translation>%1: pickle로 저장한 Python 객체가 들어 있어 거부합니다. 읽으면 낯선 코드가 실행됩니다. 길이를 맞춘 것처럼 단순한 배열로 저장하십시오</translation>
    </message>
    <message>
        <source>expected bool, integers or floating point numbers, got the type %1</source>
        <translation>bool, 정수, 부동소수점 수 중 하나여야 하는데 형식이 %1입니다</translation>
    </message>
    <message>
        <source>%1: is no whole NPZ archive: %2</source>
        <translation>%1: 온전한 NPZ 아카이브가 아닙니다: %2</translation>
    </message>
    <message>
        <source>%1: its size is not known: %2</source>
        <translation>%1: 크기를 알 수 없습니다: %2</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, its header asks for %2</source>
        <translation>%1바이트 이하여야 하는데 머리말이 %2바이트를 요구합니다</translation>
    </message>
    <message>
        <source>%1: truncated after %2 of %3 bytes: %4</source>
        <translation>%1: %3바이트 중 %2바이트에서 잘렸습니다: %4</translation>
    </message>
    <message>
        <source>%1: damaged: %2</source>
        <translation>%1: 손상되었습니다: %2</translation>
    </message>
    <message>
        <source>expected a picture of at most 268435456 pixels, got %1</source>
        <translation>이미지는 268435456픽셀 이하여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>%1: cut short or damaged: a file of %2 bytes cannot hold a picture of %3 pixels</source>
        <translation>%1: 잘렸거나 손상되었습니다: %2바이트 파일에는 %3픽셀 이미지가 담길 수 없습니다</translation>
    </message>
    <message>
        <source>%1: damaged JPEG: %2</source>
        <translation>%1: 손상된 JPEG: %2</translation>
    </message>
    <message>
        <source>%1: damaged PNG: %2</source>
        <translation>%1: 손상된 PNG: %2</translation>
    </message>
    <message>
        <source>%1: is empty, expected a PNG or JPEG picture</source>
        <translation>%1: 비어 있습니다. PNG나 JPEG 이미지여야 합니다</translation>
    </message>
    <message>
        <source>%1: is neither a PNG nor a JPEG picture</source>
        <translation>%1: PNG도 JPEG도 아닌 이미지입니다</translation>
    </message>
    <message>
        <source>expected a PNG or JPEG picture, got %1</source>
        <translation>PNG나 JPEG 이미지여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a folder of pictures, got a link to a folder that it lies in</source>
        <translation>이미지 폴더여야 하는데 그것이 들어 있는 폴더로 가는 링크입니다</translation>
    </message>
    <message>
        <source>expected at most %1 folders within each other, got more</source>
        <translation>폴더는 %1겹까지만 겹칠 수 있는데 더 많습니다</translation>
    </message>
    <message>
        <source>expected a folder with pictures, got %1 other files and folders and %2 pictures by %3</source>
        <translation>이미지가 있는 폴더여야 하는데 %3까지 다른 파일과 폴더 %1개, 이미지 %2개입니다</translation>
    </message>
    <message>
        <source>expected a folder that can be listed in %1 minutes, was at %2 by then</source>
        <translation>%1분 안에 목록을 볼 수 있는 폴더여야 하는데 그때 %2까지 보았습니다</translation>
    </message>
    <message>
        <source>%1: expected a folder with one sub-folder a class, found none</source>
        <translation>%1: 클래스마다 하위 폴더가 하나씩 있는 폴더여야 하는데 없습니다</translation>
    </message>
    <message>
        <source>%1: expected sub-folders with .png, .jpg or .jpeg pictures, found %2 pictures in %3 sub-folders</source>
        <translation>%1: 하위 폴더에 .png, .jpg, .jpeg 이미지가 있어야 하는데 하위 폴더 %3개에 이미지가 %2개입니다</translation>
    </message>
    <message>
        <source>%1: expected a feature %2, it has none</source>
        <translation>%1: %2 특징이 있어야 하는데 특징이 하나도 없습니다</translation>
    </message>
    <message>
        <source>%1: expected a feature %2, it has %3</source>
        <translation>%1: %2 특징이 있어야 하는데 있는 것은 %3입니다</translation>
    </message>
    <message>
        <source>%1: is no tf.train.Example</source>
        <translation>%1: tf.train.Example이 아닙니다</translation>
    </message>
    <message>
        <source>expected texts or whole numbers in %1, got numbers with fractions</source>
        <translation>%1에는 텍스트나 정수가 있어야 하는데 소수가 있는 수입니다</translation>
    </message>
    <message>
        <source>expected numbers in %1, got texts</source>
        <translation>%1에는 숫자가 있어야 하는데 텍스트입니다</translation>
    </message>
    <message>
        <source>expected 1 number in %1, got texts</source>
        <translation>%1에는 숫자가 1개 있어야 하는데 텍스트입니다</translation>
    </message>
    <message>
        <source>expected 1 number in %1, got %2</source>
        <translation>%1에는 숫자가 1개 있어야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected %1 numbers in %2, got texts</source>
        <translation>%2에는 숫자가 %1개 있어야 하는데 텍스트입니다</translation>
    </message>
    <message>
        <source>expected %1 numbers in %2, got %3</source>
        <translation>%2에는 숫자가 %1개 있어야 하는데 %3개입니다</translation>
    </message>
    <message>
        <source>%1: expected one text of bytes in %2</source>
        <translation>%1: %2에는 바이트로 된 텍스트가 하나 있어야 합니다</translation>
    </message>
    <message>
        <source>expected %1 bytes in %2, got %3</source>
        <translation>%2의 크기는 %1바이트여야 하는데 %3바이트입니다</translation>
    </message>
    <message>
        <source>%1: expected records as they are, got a file compressed by gzip; the file is not read beyond</source>
        <translation>%1: 그대로의 레코드여야 하는데 gzip으로 압축한 파일입니다. 그 뒤는 읽지 않습니다</translation>
    </message>
    <message>
        <source>%1: truncated; the file is not read beyond</source>
        <translation>%1: 잘렸습니다. 그 뒤는 읽지 않습니다</translation>
    </message>
    <message>
        <source>%1: the checksum of its length is wrong; the file is not read beyond</source>
        <translation>%1: 길이의 체크섬이 틀립니다. 그 뒤는 읽지 않습니다</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes, got %3</source>
        <translation>%1: 잘렸습니다: %2바이트여야 하는데 %3바이트입니다</translation>
    </message>
    <message>
        <source>%1: the checksum of its bytes is wrong</source>
        <translation>%1: 바이트의 체크섬이 틀립니다</translation>
    </message>
    <message>
        <source>expected a readable file, could not open it</source>
        <translation>읽을 수 있는 파일이어야 하는데 열 수 없습니다</translation>
    </message>
    <message>
        <source>expected IDX labels (magic 0x00000801), found something else</source>
        <translation>IDX 레이블(매직 0x00000801)이어야 하는데 다른 것입니다</translation>
    </message>
    <message>
        <source>expected %1 labels, found %2</source>
        <translation>레이블이 %1개여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected label files on this computer, found none</source>
        <translation>이 컴퓨터에 레이블 파일이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a file, got %1</source>
        <translation>파일이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>폴더</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>파이프</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>소켓</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>장치</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, got more</source>
        <translation>%1바이트 이하여야 하는데 더 깁니다</translation>
    </message>
    <message>
        <source>%1: record %2</source>
        <translation>%1: 레코드 %2</translation>
    </message>
    <message>
        <source>record</source>
        <translation>레코드</translation>
    </message>
    <message>
        <source>%1: expected at least one dimension, got none</source>
        <translation>%1: 차원이 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 stands behind a zero, which ends a sequence of classes</source>
        <translation>%1: 샘플 %3에서, 클래스의 시퀀스를 끝내는 0 뒤에 레이블이 있습니다: %2</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects sequences of class indices, of the shape (length,)</source>
        <translation>%1: 레이블이 형상 %3의 %2인데 손실에는 형상이 (길이,)인 클래스 번호의 시퀀스가 필요합니다</translation>
    </message>
    <message>
        <source>%1: expected a text in UTF-8, got other bytes</source>
        <translation>%1: UTF-8 텍스트여야 하는데 다른 바이트가 있습니다</translation>
    </message>
    <message>
        <source>%1: expected a text in each line, got none</source>
        <translation>%1: 줄마다 텍스트가 하나씩 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>%1: expected words in the training texts for its vocabulary, got none</source>
        <translation>%1: 어휘를 만들 단어가 훈련 텍스트에 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>%1: expected texts of the vocabulary with num_oov_indices=0, got %2</source>
        <translation>%1: num_oov_indices=0이면 어휘에 있는 텍스트여야 하는데, %2입니다</translation>
    </message>
    <message>
        <source>%1: expected a vocabulary, got none</source>
        <translation>%1: 어휘가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>text in UTF-8</source>
        <translation>UTF-8 텍스트</translation>
    </message>
    <message>
        <source>%1: expected a text in UTF-8, got the byte %2 at position %3</source>
        <translation>%1: UTF-8 텍스트여야 하는데, 위치 %3의 바이트가 %2입니다</translation>
    </message>
    <message>
        <source>expected a folder of texts, got a link to a folder that it lies in</source>
        <translation>텍스트 폴더여야 하는데 그것이 들어 있는 폴더로 가는 링크입니다</translation>
    </message>
    <message>
        <source>expected a folder with texts, got %1 other files and folders and %2 texts by %3</source>
        <translation>텍스트가 든 폴더여야 하는데, %3까지 다른 파일과 폴더 %1개와 텍스트 %2개가 있습니다</translation>
    </message>
    <message>
        <source>%1: expected sub-folders with .txt files, found %2 texts in %3 sub-folders</source>
        <translation>%1: .txt 파일이 든 하위 폴더가 있어야 하는데, 하위 폴더 %3개에서 텍스트 %2개를 찾았습니다</translation>
    </message>
</context>
<context>
    <name>FilterPicturesView</name>
    <message numerus="yes">
        <source>%n kernel(s) of %1</source>
        <translation>
            <numerusform>%1의 커널 %n개</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingTexts</name>
    <message>
        <source>expected no ps with MultiWorkerMirroredStrategy, got %1: TensorFlow waits for it forever</source>
        <translation>MultiWorkerMirroredStrategy에는 ps가 없어야 하는데 %1개 있습니다: TensorFlow가 끝없이 기다립니다</translation>
    </message>
    <message>
        <source>Remove the ps job or use ParameterServerStrategy.</source>
        <translation>ps 잡을 지우거나 ParameterServerStrategy를 쓰십시오.</translation>
    </message>
    <message>
        <source>expected a job named chief, worker, ps or evaluator, got %1, which no task of an Estimator takes part in</source>
        <translation>잡 이름은 chief, worker, ps, evaluator 중 하나여야 하는데 %1입니다. Estimator의 어떤 태스크도 참여하지 않습니다</translation>
    </message>
    <message>
        <source>expected a job named chief, worker, ps or evaluator, got %1</source>
        <translation>잡 이름은 chief, worker, ps, evaluator 중 하나여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Rename or remove the job; names are case-sensitive.</source>
        <translation>잡 이름을 바꾸거나 지우십시오. 대소문자를 구별합니다.</translation>
    </message>
    <message>
        <source>Rename or remove the job.</source>
        <translation>잡 이름을 바꾸거나 지우십시오.</translation>
    </message>
    <message>
        <source>expected either a chief or the older master, got both</source>
        <translation>chief와 옛 이름 master 중 하나만 있어야 하는데 둘 다 있습니다</translation>
    </message>
    <message>
        <source>Remove the master.</source>
        <translation>master를 지우십시오.</translation>
    </message>
    <message>
        <source>expected at least one address, got none</source>
        <translation>주소가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Add an address or remove the job.</source>
        <translation>주소를 더하거나 잡을 지우십시오.</translation>
    </message>
    <message>
        <source>expected at most one %1, got %2</source>
        <translation>%1 태스크는 하나까지만 되는데 %2개 있습니다</translation>
    </message>
    <message>
        <source>Keep one address.</source>
        <translation>주소를 하나만 남기십시오.</translation>
    </message>
    <message>
        <source>expected indices from 0 to %1 without gaps, got %2: TensorFlow refuses that task</source>
        <translation>번호는 0부터 %1까지 빠짐없이 이어져야 하는데 있는 것은 %2입니다: TensorFlow가 그 태스크를 거부합니다</translation>
    </message>
    <message>
        <source>Number the tasks from 0.</source>
        <translation>태스크 번호를 0부터 매기십시오.</translation>
    </message>
    <message>
        <source>expected an address of its own, got %1 as in %2: on one machine the second server can&apos;t start</source>
        <translation>태스크마다 주소가 달라야 하는데 %2의 주소와 같은 %1입니다: 한 컴퓨터에서 두 번째 서버는 시작할 수 없습니다</translation>
    </message>
    <message>
        <source>Give each task a port of its own.</source>
        <translation>태스크마다 다른 포트를 주십시오.</translation>
    </message>
    <message>
        <source>expected names that every host can reach, got a local one beside other hosts (%1): seen from there it means another machine</source>
        <translation>모든 호스트에서 닿는 이름이어야 하는데 다른 호스트(%1) 곁에 로컬 이름이 있습니다: 그쪽에서는 다른 컴퓨터를 뜻합니다</translation>
    </message>
    <message>
        <source>Write the host&apos;s own name or address.</source>
        <translation>호스트의 실제 이름이나 주소를 쓰십시오.</translation>
    </message>
    <message>
        <source>expected at least one %1 for ParameterServerStrategy, got none</source>
        <translation>ParameterServerStrategy에는 %1 태스크가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Add a %1 with its address.</source>
        <translation>%1 태스크를 주소와 함께 더하십시오.</translation>
    </message>
    <message>
        <source>expected one chief for an Estimator, got none</source>
        <translation>Estimator에는 chief가 하나 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Name the first worker&apos;s job chief.</source>
        <translation>첫 워커의 잡 이름을 chief로 하십시오.</translation>
    </message>
    <message>
        <source>expected an address &quot;host:port&quot; with a number as port, got %1</source>
        <translation>주소는 &quot;호스트:포트&quot; 꼴이고 포트는 숫자여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a host name before the port, got %1</source>
        <translation>포트 앞에는 호스트 이름이 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Leave out the scheme and every slash.</source>
        <translation>스킴과 모든 빗금을 빼십시오.</translation>
    </message>
    <message>
        <source>expected a port of at most 65535, got %1</source>
        <translation>포트는 65535 이하여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Choose a port from 1024 to 65535.</source>
        <translation>1024에서 65535 사이의 포트를 고르십시오.</translation>
    </message>
    <message>
        <source>expected a port of at least 1, got 0: the other tasks can&apos;t know where to connect</source>
        <translation>포트는 1 이상이어야 하는데 0입니다: 다른 태스크가 어디로 연결할지 알 수 없습니다</translation>
    </message>
    <message>
        <source>expected a host name that can be resolved, got %1: TensorFlow waits for it forever</source>
        <translation>찾을 수 있는 호스트 이름이어야 하는데 %1입니다: TensorFlow가 끝없이 기다립니다</translation>
    </message>
    <message>
        <source>Write the name or the number of the host alone.</source>
        <translation>호스트의 이름이나 번호만 쓰십시오.</translation>
    </message>
    <message>
        <source>%1: expected a free port, another program holds %2</source>
        <translation>%1: %2번 포트를 다른 프로그램이 쓰고 있습니다</translation>
    </message>
    <message>
        <source>%1: expected a free port, a task that still runs, %2, holds %3</source>
        <translation>%1: %3번 포트를 아직 실행 중인 태스크(%2)가 쓰고 있습니다</translation>
    </message>
    <message>
        <source>%1: expected a free port, %2 holds %3</source>
        <translation>%1: %3번 포트를 %2에서 쓰고 있습니다</translation>
    </message>
    <message>
        <source>Choose a free port.</source>
        <translation>빈 포트를 고르십시오.</translation>
    </message>
    <message>
        <source>expected MultiWorkerMirroredStrategy with a cluster, got %1: its one worker trains without the cluster</source>
        <translation>클러스터에는 MultiWorkerMirroredStrategy가 필요한데 %1입니다: 하나뿐인 워커가 클러스터 없이 훈련합니다</translation>
    </message>
    <message>
        <source>expected MultiWorkerMirroredStrategy with a cluster, got %1</source>
        <translation>클러스터에는 MultiWorkerMirroredStrategy가 필요한데 %1입니다</translation>
    </message>
    <message>
        <source>Change the strategy or remove the cluster&apos;s jobs.</source>
        <translation>전략을 바꾸거나 클러스터의 잡을 지우십시오.</translation>
    </message>
    <message>
        <source>expected at least one chief or worker, got none</source>
        <translation>chief나 worker가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Add a worker with its address.</source>
        <translation>worker를 주소와 함께 더하십시오.</translation>
    </message>
    <message>
        <source>expected seconds above 0, got %1</source>
        <translation>0보다 큰 초여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected %1 to %2 seconds, got %3</source>
        <translation>%1~%2초여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected the name of a computer without a port, got %1</source>
        <translation>포트 없이 컴퓨터 이름만 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Ports belong to tasks.</source>
        <translation>포트는 태스크에 딸린 것입니다.</translation>
    </message>
    <message>
        <source>expected the name of a computer, got none</source>
        <translation>컴퓨터 이름이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected the name of a computer, got %1</source>
        <translation>컴퓨터 이름이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Write the name or the number of the computer alone, such as node1 or 192.0.2.14.</source>
        <translation>node1이나 192.0.2.14처럼 컴퓨터의 이름이나 번호만 쓰십시오.</translation>
    </message>
    <message>
        <source>expected AUTO or RING on CPUs, got NCCL, which needs GPUs</source>
        <translation>CPU에서는 AUTO나 RING이어야 하는데 NCCL입니다. NCCL에는 GPU가 필요합니다</translation>
    </message>
    <message>
        <source>Set it to AUTO.</source>
        <translation>AUTO로 하십시오.</translation>
    </message>
    <message>
        <source>expected CPUs alone or GPUs alone, got %1 beside %2</source>
        <translation>CPU만 또는 GPU만 있어야 하는데 %2 곁에 다른 장치가 있습니다: %1</translation>
    </message>
    <message>
        <source>expected every device once, got %1 a second time</source>
        <translation>장치는 한 번씩만 나와야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected false on processors, where it has no effect, got true</source>
        <translation>프로세서에서는 효과가 없으므로 false여야 하는데 true입니다</translation>
    </message>
    <message>
        <source>expected at least %1 and at most %2, got %3</source>
        <translation>%1 이상 %2 이하여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected at least %1, got %2</source>
        <translation>%1 이상이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected checkpoints to evaluate while the run trains, got none before its end</source>
        <translation>실행이 훈련하는 동안 평가할 체크포인트가 있어야 하는데, 끝나기 전에는 없습니다</translation>
    </message>
    <message>
        <source>Add the callback ModelCheckpoint, or remove the evaluator.</source>
        <translation>ModelCheckpoint 콜백을 더하거나 evaluator를 제거하십시오.</translation>
    </message>
    <message>
        <source>expected either steps or epochs, got %1 steps and %2 epochs</source>
        <translation>스텝 또는 에포크 중 하나여야 하는데 스텝 %1, 에포크 %2입니다</translation>
    </message>
    <message>
        <source>Set fit.epochs to 1, or fit.steps to 0.</source>
        <translation>fit.epochs를 1로, 또는 fit.steps를 0으로 설정하십시오.</translation>
    </message>
    <message>
        <source>expected 0 with %1, whose epochs count the steps, got %2</source>
        <translation>에포크로 스텝을 세는 %1에서는 0이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Set fit.epochs and fit.steps_per_epoch, or choose ParameterServerStrategy.</source>
        <translation>fit.epochs와 fit.steps_per_epoch를 설정하거나 ParameterServerStrategy를 선택하십시오.</translation>
    </message>
    <message>
        <source>expected CPU:0 with ParameterServerStrategy, whose workers compute on processors in this version, got %1</source>
        <translation>이 버전에서 워커가 프로세서로 계산하는 ParameterServerStrategy에는 CPU:0이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Set it to CPU:0.</source>
        <translation>CPU:0으로 설정하십시오.</translation>
    </message>
    <message>
        <source>expected at least 0, or null for no bound, got %1</source>
        <translation>0 이상이거나 제한이 없으면 null이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Set estimator.run_config.save_checkpoints_steps, or remove the evaluator.</source>
        <translation>estimator.run_config.save_checkpoints_steps를 정하거나 evaluator를 제거하십시오.</translation>
    </message>
    <message>
        <source>expected a strategy that trains here, got %1: a TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version</source>
        <translation>여기에서 훈련하는 전략이어야 하는데 %1입니다. TPU에서는 내보낸 스크립트로 훈련합니다. 이 버전에는 프로젝트를 실행하는 PJRT 플러그인이 없습니다</translation>
    </message>
    <message>
        <source>expected a strategy that trains here, got %1: an estimator asked for a TPU, which no PJRT plug-in runs in this version, and whose script needs a TensorFlow that has tf.estimator</source>
        <translation>여기에서 훈련하는 전략이어야 하는데 %1입니다. 에스티메이터가 TPU를 요구했지만 이 버전에는 그것을 실행하는 PJRT 플러그인이 없고, 그 스크립트에는 tf.estimator가 있는 TensorFlow가 필요합니다</translation>
    </message>
    <message>
        <source>Export the script, or choose another strategy.</source>
        <translation>스크립트를 내보내거나 다른 전략을 고르십시오.</translation>
    </message>
    <message>
        <source>expected true with %1, whose shapes are fixed, got false</source>
        <translation>형상이 고정된 %1에서는 true여야 하는데 false입니다</translation>
    </message>
    <message>
        <source>Set it to true.</source>
        <translation>true로 바꾸십시오.</translation>
    </message>
    <message>
        <source>expected the name of a TPU, local, or an address such as grpc://10.240.1.2:8470, got %1</source>
        <translation>TPU의 이름이나 local, 또는 grpc://10.240.1.2:8470 같은 주소여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected none with the TPU %1, which is looked up nowhere, got %2</source>
        <translation>이름이 %1인 TPU는 따로 찾지 않으므로 비워야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>It has no effect.</source>
        <translation>효과가 없습니다.</translation>
    </message>
    <message>
        <source>expected a coordinator_name beside the address of the coordinator, got none</source>
        <translation>코디네이터의 주소에는 coordinator_name이 함께 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Set strategy.cluster_resolver.coordinator_name.</source>
        <translation>strategy.cluster_resolver.coordinator_name을 정하십시오.</translation>
    </message>
    <message>
        <source>%1: expected an address of this computer or of one of the list of hosts, got %2</source>
        <translation>%1: 이 컴퓨터나 호스트 목록에 있는 컴퓨터의 주소여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Add the computer to the list of hosts, move the task to this computer, or export TF_CONFIG and start it there yourself with tandem-worker --cluster-key.</source>
        <translation>컴퓨터를 호스트 목록에 추가하거나, 태스크를 이 컴퓨터로 옮기거나, TF_CONFIG를 내보내 그곳에서 tandem-worker --cluster-key로 직접 시작하십시오.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>expected at least one ps and one worker for %1, got none</source>
        <translation>%1에는 ps와 worker가 하나 이상씩 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Add a ps and a worker with their addresses.</source>
        <translation>ps와 worker를 주소와 함께 더하십시오.</translation>
    </message>
    <message>
        <source>expected a name of at most %1 letters, got %2</source>
        <translation>이름은 %1자 이하여야 하는데 %2자입니다</translation>
    </message>
    <message>
        <source>expected jobs ps and worker for ParameterServerStrategy, got none</source>
        <translation>ParameterServerStrategy에는 ps와 worker 잡이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>Add both with their addresses.</source>
        <translation>둘 다 주소와 함께 더하십시오.</translation>
    </message>
    <message>
        <source>expected jobs beside a task, got none: the task trains alone</source>
        <translation>태스크에는 잡이 함께 있어야 하는데 없습니다: 태스크가 혼자 훈련합니다</translation>
    </message>
    <message>
        <source>Add the workers&apos; addresses.</source>
        <translation>워커들의 주소를 더하십시오.</translation>
    </message>
    <message>
        <source>expected type and index of this task, got none</source>
        <translation>이 태스크의 type과 index가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected an integer, got %1, which is read as %2</source>
        <translation>정수여야 하는데 %1입니다. 읽히는 값은 %2입니다</translation>
    </message>
    <message>
        <source>Write the task&apos;s position in its job, from 0.</source>
        <translation>잡 안에서 태스크의 위치를 0부터 세어 쓰십시오.</translation>
    </message>
    <message>
        <source>expected the job of this task for %1, got none</source>
        <translation>%1에는 이 태스크의 잡이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected the position of this task in its job for %1, got none</source>
        <translation>%1에는 잡 안에서 이 태스크의 위치가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected the position of this task in its job, got none</source>
        <translation>잡 안에서 이 태스크의 위치가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected a type beside the index, got none: the task counts as coordinator</source>
        <translation>index에는 type이 함께 있어야 하는데 없습니다: 태스크를 코디네이터로 봅니다</translation>
    </message>
    <message>
        <source>Names are case-sensitive.</source>
        <translation>이름은 대소문자를 구별합니다.</translation>
    </message>
    <message>
        <source>expected a job of the cluster, got %1</source>
        <translation>클러스터의 잡이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Add the job or change the type.</source>
        <translation>잡을 더하거나 type을 바꾸십시오.</translation>
    </message>
    <message>
        <source>expected chief, worker or evaluator for MultiWorkerMirroredStrategy, got ps</source>
        <translation>MultiWorkerMirroredStrategy에서는 chief, worker, evaluator 중 하나여야 하는데 ps입니다</translation>
    </message>
    <message>
        <source>Use ParameterServerStrategy.</source>
        <translation>ParameterServerStrategy를 쓰십시오.</translation>
    </message>
    <message>
        <source>expected an evaluator that the cluster lists for MultiWorkerMirroredStrategy, got one that it does not</source>
        <translation>MultiWorkerMirroredStrategy에서는 클러스터에 적힌 evaluator여야 하는데 적혀 있지 않습니다</translation>
    </message>
    <message>
        <source>Add the evaluator&apos;s address to the cluster.</source>
        <translation>evaluator의 주소를 클러스터에 더하십시오.</translation>
    </message>
    <message>
        <source>expected worker without a cluster, got %1</source>
        <translation>클러스터가 없으면 worker여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Add a cluster or leave the task out.</source>
        <translation>클러스터를 더하거나 태스크를 빼십시오.</translation>
    </message>
    <message>
        <source>expected no evaluator beside the older master, got one</source>
        <translation>옛 이름 master 곁에는 evaluator가 없어야 하는데 있습니다</translation>
    </message>
    <message>
        <source>Name the master chief.</source>
        <translation>master의 이름을 chief로 바꾸십시오.</translation>
    </message>
    <message>
        <source>expected 0 for the evaluator, got %1</source>
        <translation>evaluator에서는 0이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>There is one evaluator.</source>
        <translation>evaluator는 하나입니다.</translation>
    </message>
    <message>
        <source>Count from 0.</source>
        <translation>0부터 세십시오.</translation>
    </message>
    <message>
        <source>expected 0 without a cluster, got %1</source>
        <translation>클러스터가 없으면 0이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected an index below the number of %1 tasks (%2), got %3</source>
        <translation>%1 태스크의 수(%2)보다 작은 번호여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>빼십시오.</translation>
    </message>
    <message>
        <source>expected cluster, task or rpc_layer, got %1, which nothing reads</source>
        <translation>cluster, task, rpc_layer 중 하나여야 하는데 아무도 읽지 않는 %1입니다</translation>
    </message>
    <message>
        <source>Remove it; names are case-sensitive.</source>
        <translation>지우십시오. 이름은 대소문자를 구별합니다.</translation>
    </message>
    <message>
        <source>TF_CONFIG: expected a JSON object, got %1</source>
        <translation>TF_CONFIG: JSON 객체여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>An unset variable means training alone; an empty one is refused.</source>
        <translation>변수가 없으면 혼자 훈련하고, 비어 있으면 거부됩니다.</translation>
    </message>
    <message>
        <source>Put the address into a list.</source>
        <translation>주소를 목록에 넣으십시오.</translation>
    </message>
    <message>
        <source>expected 0 with %1, which takes class indices, got %2</source>
        <translation>클래스 번호를 받는 %1에서는 0이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Set data.one_hot to 0, or the loss to CategoricalCrossentropy.</source>
        <translation>data.one_hot을 0으로, 또는 손실을 CategoricalCrossentropy로 하십시오.</translation>
    </message>
    <message>
        <source>expected auto_shard OFF with a seed per worker, got another policy: the workers&apos; shards come from one order</source>
        <translation>워커마다 시드가 다르면 auto_shard가 OFF여야 하는데 다른 정책입니다: 워커의 조각은 한 순서에서 나옵니다</translation>
    </message>
    <message>
        <source>Set data.auto_shard to OFF.</source>
        <translation>data.auto_shard를 OFF로 하십시오.</translation>
    </message>
    <message>
        <source>expected each step once, got %1</source>
        <translation>각 단계는 한 번씩 있어야 하는데 다음과 같습니다: %1</translation>
    </message>
    <message>
        <source>Leave data.order out for the usual one.</source>
        <translation>보통 순서를 쓰려면 data.order를 빼십시오.</translation>
    </message>
    <message>
        <source>prefetch: expected it behind all other steps, where it readies whole batches while a step runs, got it before %1</source>
        <translation>prefetch: 스텝이 도는 동안 배치를 통째로 준비하도록 다른 모든 단계 뒤에 있어야 하는데 %1 앞에 있습니다</translation>
    </message>
    <message>
        <source>Move prefetch to the end.</source>
        <translation>prefetch를 맨 뒤로 옮기십시오.</translation>
    </message>
    <message>
        <source>cache: expected it before repeat, got it behind: samples without an end never fill a cache</source>
        <translation>cache: repeat 앞에 있어야 하는데 뒤에 있습니다: 끝없는 샘플은 캐시를 다 채우지 못합니다</translation>
    </message>
    <message>
        <source>Move cache before repeat.</source>
        <translation>cache를 repeat 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>take: expected it before repeat, where it shortens each epoch, got it behind: the data would end in the middle of the run</source>
        <translation>take: 에포크마다 줄이도록 repeat 앞에 있어야 하는데 뒤에 있습니다: 실행 도중에 데이터가 끝나게 됩니다</translation>
    </message>
    <message>
        <source>Move take before repeat.</source>
        <translation>take를 repeat 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>expected a buffer of at most %1 batches behind repeat, which would fill any, got %2</source>
        <translation>repeat 뒤에서는 버퍼가 얼마든지 다 차므로 배치 %1개 이하여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a buffer of at most %1 samples behind repeat, which would fill any, got %2</source>
        <translation>repeat 뒤에서는 버퍼가 얼마든지 다 차므로 샘플 %1개 이하여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Move shuffle before repeat.</source>
        <translation>shuffle을 repeat 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>cache: expected it before shuffle, which then makes a new order in each epoch, got it behind: every epoch has the first one&apos;s</source>
        <translation>cache: shuffle이 에포크마다 새 순서를 만들도록 그 앞에 있어야 하는데 뒤에 있습니다: 모든 에포크가 첫 순서를 따릅니다</translation>
    </message>
    <message>
        <source>Move cache before shuffle, unless one order is meant.</source>
        <translation>한 순서만 쓰려는 것이 아니면 cache를 shuffle 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>shuffle: expected it before batch, where it mixes samples, got it behind: whole batches change places, the samples of each stay together</source>
        <translation>shuffle: 샘플을 섞도록 batch 앞에 있어야 하는데 뒤에 있습니다: 배치가 통째로 자리를 바꾸고 배치 안의 샘플은 그대로 함께 있습니다</translation>
    </message>
    <message>
        <source>Move shuffle before batch, unless that is meant.</source>
        <translation>일부러 그런 것이 아니면 shuffle을 batch 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>take: expected it before cache, got it behind: TensorFlow gives up a cache that is not read to its end</source>
        <translation>take: cache 앞에 있어야 하는데 뒤에 있습니다: TensorFlow는 끝까지 읽지 않은 캐시를 버립니다</translation>
    </message>
    <message>
        <source>Move take before cache.</source>
        <translation>take를 cache 앞으로 옮기십시오.</translation>
    </message>
    <message>
        <source>take behind shuffle: other samples in each epoch</source>
        <translation>shuffle 뒤의 take: 에포크마다 다른 샘플</translation>
    </message>
    <message>
        <source>take behind shuffle, before cache: samples drawn once, the same in each epoch</source>
        <translation>shuffle 뒤, cache 앞의 take: 샘플을 한 번 뽑아 에포크마다 똑같이 씀</translation>
    </message>
    <message>
        <source>take behind batch: it counts batches</source>
        <translation>batch 뒤의 take: 배치를 셈</translation>
    </message>
    <message>
        <source>repeat before shuffle: batches of two epochs are mixed at their border</source>
        <translation>shuffle 앞의 repeat: 두 에포크의 경계에서 배치가 섞임</translation>
    </message>
    <message>
        <source>repeat before shuffle: samples of two epochs are mixed at their border</source>
        <translation>shuffle 앞의 repeat: 두 에포크의 경계에서 샘플이 섞임</translation>
    </message>
    <message>
        <source>repeat behind batch: each epoch drops its own remainder</source>
        <translation>batch 뒤의 repeat: 에포크마다 나머지를 버림</translation>
    </message>
    <message>
        <source>repeat behind batch: each epoch ends in its own smaller batch</source>
        <translation>batch 뒤의 repeat: 에포크마다 더 작은 배치로 끝남</translation>
    </message>
    <message>
        <source>normalize before scale: (x - mean) / std * scale + offset</source>
        <translation>scale 앞의 normalize: (x - mean) / std * scale + offset</translation>
    </message>
    <message>
        <source>expected a set that is read without running foreign code, got %1, whose archive holds pickled objects</source>
        <translation>낯선 코드를 실행하지 않고 읽는 세트여야 하는데 %1입니다. 그 아카이브에는 pickle 객체가 들어 있습니다</translation>
    </message>
    <message>
        <source>Save padded sequences with numpy.savez and use data.dataset npz, or lines &quot;label&lt;TAB&gt;text&quot; and data.dataset text.</source>
        <translation>길이를 맞춘 시퀀스를 numpy.savez로 저장해 data.dataset npz를 쓰거나, &quot;label&lt;TAB&gt;text&quot; 줄로 저장해 data.dataset text를 쓰십시오.</translation>
    </message>
    <message>
        <source>expected a file for the data set %1, got none</source>
        <translation>데이터셋 %1에는 파일이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected both test files or neither, got one of them</source>
        <translation>테스트 파일은 둘 다 있거나 둘 다 없어야 하는데 하나만 있습니다</translation>
    </message>
    <message>
        <source>expected no file with the data set %1, got %2</source>
        <translation>데이터셋 %1에는 파일이 없어야 하는데 있습니다: %2</translation>
    </message>
    <message>
        <source>Set data.dataset to idx or npy to use it.</source>
        <translation>그것을 쓰려면 data.dataset을 idx나 npy로 하십시오.</translation>
    </message>
    <message>
        <source>expected no files with the data set %1, got %2</source>
        <translation>데이터셋 %1에는 파일들이 없어야 하는데 있습니다: %2</translation>
    </message>
    <message>
        <source>Set data.dataset to the files&apos; format to use them.</source>
        <translation>그것들을 쓰려면 data.dataset을 파일의 형식으로 하십시오.</translation>
    </message>
    <message>
        <source>expected at least one file for the data set %1, got none</source>
        <translation>데이터셋 %1에는 파일이 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected one archive with the data set %1, got %2</source>
        <translation>데이터셋 %1에는 아카이브가 하나여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected one folder with the data set %1, got %2</source>
        <translation>데이터셋 %1에는 폴더가 하나여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected one character other than a quote, got %1</source>
        <translation>따옴표가 아닌 글자 하나여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the label&apos;s column by name or index, got none</source>
        <translation>레이블 열의 이름이나 번호가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected columns without the label, got %1, which is data.csv.label</source>
        <translation>레이블을 뺀 열이어야 하는데 data.csv.label의 열이 있습니다: %1</translation>
    </message>
    <message>
        <source>expected either feature_columns or csv.features, got both</source>
        <translation>feature_columns와 csv.features 중 하나만 있어야 하는데 둘 다 있습니다</translation>
    </message>
    <message>
        <source>Set data.csv.features to [].</source>
        <translation>data.csv.features를 []로 하십시오.</translation>
    </message>
    <message>
        <source>expected a column other than the label, got %1</source>
        <translation>레이블이 아닌 열이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected 1 with the data set csv, whose cells are one number each, got %1</source>
        <translation>칸마다 수가 하나인 데이터셋 csv에서는 1이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected at least one text, got none</source>
        <translation>텍스트가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected every text once, got %1 twice</source>
        <translation>텍스트는 한 번씩만 나와야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected %1, the numbers that data.feature_columns make, got %2</source>
        <translation>data.feature_columns가 만드는 수의 개수인 %1이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Set model.input_shape to %1.</source>
        <translation>model.input_shape를 %1에 맞추십시오.</translation>
    </message>
    <message>
        <source>expected none with the data set %1, which has no columns, got %2</source>
        <translation>열이 없는 데이터셋 %1에는 없어야 하는데 %2개 있습니다</translation>
    </message>
    <message>
        <source>Set data.dataset to csv or tfrecord.</source>
        <translation>data.dataset을 csv나 tfrecord로 하십시오.</translation>
    </message>
    <message>
        <source>expected the name of a feature, got none</source>
        <translation>특징의 이름이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected the shape of a sample with encoding %1, got none</source>
        <translation>인코딩이 %1이면 샘플의 형상이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected DATA, AUTO or OFF with the data set %1, which is not read file by file, got FILE</source>
        <translation>파일별로 읽지 않는 데이터셋 %1에서는 DATA, AUTO, OFF 중 하나여야 하는데 FILE입니다</translation>
    </message>
    <message>
        <source>Set data.auto_shard to AUTO.</source>
        <translation>data.auto_shard를 AUTO로 하십시오.</translation>
    </message>
    <message>
        <source>expected at least one file for each of %1 workers, which AUTO and FILE give whole files to, got %2</source>
        <translation>AUTO와 FILE은 파일을 통째로 나누어 주므로 워커 %1개마다 파일이 하나 이상 있어야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>Set data.auto_shard to DATA.</source>
        <translation>data.auto_shard를 DATA로 하십시오.</translation>
    </message>
    <message>
        <source>expected 1 with the data set %1, which holds no pixels, got %2</source>
        <translation>픽셀이 없는 데이터셋 %1에서는 1이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Set data.scale to 1.</source>
        <translation>data.scale을 1로 하십시오.</translation>
    </message>
    <message>
        <source>expected %1, the rows and columns of the model&apos;s input %2, got %3</source>
        <translation>모델 입력 %2의 행과 열인 %1이어야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>Set data.images.size to %1, or the model&apos;s input to the pictures&apos;.</source>
        <translation>data.images.size를 %1에 맞추거나, 모델의 입력을 이미지의 크기로 하십시오.</translation>
    </message>
    <message>
        <source>expected %1 for the model&apos;s input %2, got rgb (3 channels)</source>
        <translation>모델 입력 %2에는 %1이어야 하는데 rgb(채널 3개)입니다</translation>
    </message>
    <message>
        <source>expected %1 for the model&apos;s input %2, got grayscale (1 channel)</source>
        <translation>모델 입력 %2에는 %1여야 하는데 grayscale(채널 1개)입니다</translation>
    </message>
    <message>
        <source>expected 1 or 3 channels in the model&apos;s input %1, got rgb (3 channels)</source>
        <translation>모델 입력 %1의 채널은 1개나 3개여야 하는데 rgb(채널 3개)입니다</translation>
    </message>
    <message>
        <source>expected 1 or 3 channels in the model&apos;s input %1, got grayscale (1 channel)</source>
        <translation>모델 입력 %1의 채널은 1개나 3개여야 하는데 grayscale(채널 1개)입니다</translation>
    </message>
    <message>
        <source>expected as many values as a sample of %1 has, %2, got %3</source>
        <translation>%1의 샘플과 값의 수가 같아야 하는데(%2) %3입니다</translation>
    </message>
    <message>
        <source>%1 makes samples of another shape.</source>
        <translation>%1 설정으로 샘플의 형상을 바꿀 수 있습니다.</translation>
    </message>
    <message>
        <source>expected one label for each place of the model&apos;s output %1, %2 has one a sample</source>
        <translation>모델 출력 %1의 자리마다 레이블이 하나씩 있어야 하는데 %2에는 샘플마다 하나 있습니다</translation>
    </message>
    <message>
        <source>End the model with Flatten and Dense.</source>
        <translation>모델을 Flatten과 Dense로 끝내십시오.</translation>
    </message>
    <message>
        <source>expected a model output of at least the %1 classes of %2, got %3</source>
        <translation>모델 출력은 %2의 클래스 %1개 이상이어야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>Give the last layer %1 units.</source>
        <translation>마지막 레이어에 유닛 %1개를 주십시오.</translation>
    </message>
    <message>
        <source>expected at least the %1 classes of %2, got %3</source>
        <translation>%2의 클래스 %1개 이상이어야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected the %1 values of the model&apos;s output, which %2 compares with the labels, got %3</source>
        <translation>%2에서 레이블과 견주는 모델 출력의 값 %1개여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected labels of the model&apos;s output %1 with %2, %3 has class indices</source>
        <translation>%2에는 모델 출력(%1)과 같은 레이블이 필요한데 %3에는 클래스 번호가 있습니다</translation>
    </message>
    <message>
        <source>Set data.one_hot to %1, or the loss to SparseCategoricalCrossentropy.</source>
        <translation>data.one_hot을 %1에 맞추거나, 손실을 SparseCategoricalCrossentropy로 하십시오.</translation>
    </message>
    <message>
        <source>expected labels from 0 to 1 with %1, %2 has the classes 0 to %3</source>
        <translation>%1에는 0에서 1까지의 레이블이 필요한데 %2의 클래스는 0~%3입니다</translation>
    </message>
    <message>
        <source>expected a share that leaves some of the %1 training samples of %2 to train on, got %3</source>
        <translation>%2의 훈련 샘플 %1개 가운데 훈련할 것이 남는 비율이어야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected a whole batch in the %1 samples that are trained on, got %2 a replica with data.drop_remainder</source>
        <translation>훈련하는 샘플 %1개로 배치 하나를 채울 수 있어야 하는데 data.drop_remainder에 복제본당 %2개입니다</translation>
    </message>
    <message>
        <source>expected 1 or %1 numbers for samples of shape %2, got %3</source>
        <translation>형상이 %2인 샘플에는 수가 1개나 %1개여야 하는데 %3개입니다</translation>
    </message>
    <message>
        <source>expected a project as JSON, got a mistake at %1</source>
        <translation>JSON으로 된 프로젝트여야 하는데 잘못이 있습니다: %1</translation>
    </message>
    <message>
        <source>expected a project as a JSON object, got %1</source>
        <translation>JSON 객체로 된 프로젝트여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a project version from 1 to %1, got %2</source>
        <translation>프로젝트 버전은 1에서 %1까지여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a project version of at most %1, got %2</source>
        <translation>프로젝트 버전은 %1 이하여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>A newer Tandem wrote this project: open it with that one.</source>
        <translation>더 새로운 Tandem이 쓴 프로젝트입니다. 그것으로 여십시오.</translation>
    </message>
    <message>
        <source>unknown key: expected %1, got %2</source>
        <translation>모르는 키: %1만 쓸 수 있는데 %2입니다</translation>
    </message>
    <message>
        <source>expected at most %1 bytes of text, got %2</source>
        <translation>텍스트는 %1바이트 이하여야 하는데 %2바이트입니다</translation>
    </message>
    <message>
        <source>Write it as %1.</source>
        <translation>%1처럼 쓰십시오.</translation>
    </message>
    <message>
        <source>Write %1.</source>
        <translation>다음과 같이 쓰십시오: %1</translation>
    </message>
    <message>
        <source>expected %1, got nothing</source>
        <translation>값이 필요한데 없습니다: %1</translation>
    </message>
    <message>
        <source>expected %1, got none</source>
        <translation>있어야 하는데 없습니다: %1</translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation>%1만 쓸 수 있는데 %2입니다</translation>
    </message>
    <message>
        <source>expected at least one layer, got none</source>
        <translation>레이어가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a layer with trainable weights, got none</source>
        <translation>훈련할 수 있는 가중치를 가진 레이어가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected at most 1e12 values in a sample, got %1</source>
        <translation>샘플 하나의 값은 1e12개 이하여야 하는데 형상이 %1입니다</translation>
    </message>
    <message>
        <source>expected at most 1e12 values in the output and in each variable, got output %1</source>
        <translation>출력과 각 변수의 값은 1e12개 이하여야 하는데 출력이 %1입니다</translation>
    </message>
    <message>
        <source>MNIST&apos;s images are [28, 28, 1].</source>
        <translation>MNIST의 이미지는 [28, 28, 1]입니다.</translation>
    </message>
    <message>
        <source>mixed_%1 computes in %2 and keeps the weights in float32.</source>
        <translation>mixed_%1에서는 %2 형식으로 계산하고 가중치는 float32로 둡니다.</translation>
    </message>
    <message>
        <source>expected a policy for processors as well, got mixed_float16, which trains on GPUs alone</source>
        <translation>프로세서에서도 쓸 수 있는 정책이어야 하는데 GPU에서만 훈련하는 mixed_float16입니다</translation>
    </message>
    <message>
        <source>A task that runs on a processor refuses it; mixed_bfloat16 runs on both and needs no loss scaling.</source>
        <translation>프로세서에서 도는 태스크는 이것을 거부합니다. mixed_bfloat16은 양쪽에서 돌고 손실 스케일링이 필요 없습니다.</translation>
    </message>
    <message>
        <source>expected none on a processor, got a LossScaleOptimizer, which is for GPUs alone</source>
        <translation>프로세서에서는 없어야 하는데 GPU 전용인 LossScaleOptimizer가 있습니다</translation>
    </message>
    <message>
        <source>expected %1 on a processor, got %2, which is for GPUs alone</source>
        <translation>프로세서에서는 %1만 쓸 수 있는데 GPU 전용인 %2입니다</translation>
    </message>
    <message>
        <source>mixed_bfloat16 runs on both and needs no loss scaling.</source>
        <translation>mixed_bfloat16은 양쪽에서 돌고 손실 스케일링이 필요 없습니다.</translation>
    </message>
    <message>
        <source>expected a name of its own, got %1 a second time</source>
        <translation>이름은 저마다 달라야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>Rename one of the layers.</source>
        <translation>한 레이어의 이름을 바꾸십시오.</translation>
    </message>
    <message>
        <source>expected ids from the model&apos;s input, got the output of a layer %1</source>
        <translation>모델의 입력에서 오는 번호여야 하는데 %1 레이어의 출력입니다</translation>
    </message>
    <message>
        <source>expected an output with a mask of the sizes %1 or none, got one of %2</source>
        <translation>출력에는 크기가 %1인 마스크가 있거나 마스크가 없어야 하는데 크기가 %2입니다</translation>
    </message>
    <message>
        <source>A Flatten or a Reshape behind it drops the mask.</source>
        <translation>뒤에 Flatten이나 Reshape를 두면 마스크가 없어집니다.</translation>
    </message>
    <message>
        <source>expected none of a layer inside another (not supported), got one</source>
        <translation>다른 레이어 안의 레이어에는 없어야 하는데 있습니다(지원하지 않음)</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>혹시 %1입니까?</translation>
    </message>
    <message>
        <source>expected no field, got %1</source>
        <translation>필드가 없어야 하는데 있습니다: %1</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 또는 false</translation>
    </message>
    <message>
        <source>an integer or a list of epochs</source>
        <translation>정수 또는 에포크 목록</translation>
    </message>
    <message>
        <source>a whole number or null</source>
        <translation>정수 또는 null</translation>
    </message>
    <message>
        <source>a number or a list of different ones</source>
        <translation>숫자 하나 또는 서로 다른 숫자의 목록</translation>
    </message>
    <message>
        <source>a list of numbers or of texts</source>
        <translation>숫자 또는 텍스트의 목록</translation>
    </message>
    <message>
        <source>a mixed or nested one</source>
        <translation>섞이거나 겹친 목록</translation>
    </message>
    <message>
        <source>one or two integers of at least %1 and at most %2</source>
        <translation>%1 이상 %2 이하의 정수 하나 또는 둘</translation>
    </message>
    <message>
        <source>one, two or four numbers</source>
        <translation>숫자 하나, 둘 또는 넷</translation>
    </message>
    <message>
        <source>one or two numbers above -1</source>
        <translation>-1보다 큰 숫자 하나 또는 둘</translation>
    </message>
    <message>
        <source>one or two numbers</source>
        <translation>숫자 하나 또는 둘</translation>
    </message>
    <message>
        <source>one number, or three for an input of 3 channels</source>
        <translation>한 수, 또는 채널이 3개인 입력에는 세 수</translation>
    </message>
    <message>
        <source>two rising numbers</source>
        <translation>커지는 두 수</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>정수</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>숫자</translation>
    </message>
    <message>
        <source>a text such as &quot;grpc&quot;</source>
        <translation>&quot;grpc&quot; 같은 텍스트</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>텍스트</translation>
    </message>
    <message>
        <source>a list of integers</source>
        <translation>정수 목록</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>숫자 목록</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>텍스트 목록</translation>
    </message>
    <message>
        <source>a list of layers</source>
        <translation>레이어 목록</translation>
    </message>
    <message>
        <source>a list of metrics</source>
        <translation>지표 목록</translation>
    </message>
    <message>
        <source>a list of feature columns</source>
        <translation>특징 열의 목록</translation>
    </message>
    <message>
        <source>a list of exporters</source>
        <translation>내보내기 목록</translation>
    </message>
    <message>
        <source>a list of addresses</source>
        <translation>주소 목록</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>목록</translation>
    </message>
    <message>
        <source>an object with class_name and config</source>
        <translation>class_name과 config가 있는 객체</translation>
    </message>
    <message>
        <source>an object without class_name</source>
        <translation>class_name이 없는 객체</translation>
    </message>
    <message>
        <source>an object with type and index</source>
        <translation>type과 index가 있는 객체</translation>
    </message>
    <message>
        <source>an object of fields</source>
        <translation>필드로 된 객체</translation>
    </message>
    <message>
        <source>an object of jobs</source>
        <translation>잡으로 된 객체</translation>
    </message>
    <message>
        <source>an object of weights by class such as {&quot;0&quot;: 1.5}</source>
        <translation>{&quot;0&quot;: 1.5}처럼 클래스마다 가중치를 적은 객체</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>객체</translation>
    </message>
    <message>
        <source>class numbers as keys and numbers as weights</source>
        <translation>클래스 번호인 키와 수인 가중치</translation>
    </message>
    <message>
        <source>task indices as keys</source>
        <translation>태스크 번호인 키</translation>
    </message>
    <message>
        <source>whole numbers as keys of tasks</source>
        <translation>정수로 된 태스크 키</translation>
    </message>
    <message>
        <source>an address &quot;host:port&quot;</source>
        <translation>&quot;호스트:포트&quot; 꼴의 주소</translation>
    </message>
    <message>
        <source>an address as text</source>
        <translation>텍스트로 된 주소</translation>
    </message>
    <message>
        <source>an empty text</source>
        <translation>빈 텍스트</translation>
    </message>
    <message>
        <source>an Estimator</source>
        <translation>Estimator</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>%1번째 줄 %2번째 칸: %3</translation>
    </message>
    <message>
        <source>expected at most %1 values within each other</source>
        <translation>값은 %1겹까지만 겹칠 수 있습니다</translation>
    </message>
    <message>
        <source>the name %1: expected it once in an object, got it twice</source>
        <translation>이름 %1: 한 객체에 한 번만 있어야 하는데 두 번 있습니다</translation>
    </message>
    <message>
        <source>sizes of at least 1 with at most 2^31 elements</source>
        <translation>요소가 2^31개 이하이고 1 이상인 크기들</translation>
    </message>
    <message>
        <source>sizes of at least 1</source>
        <translation>1 이상인 크기들</translation>
    </message>
    <message>
        <source>a name of letters, digits, dots, - and _</source>
        <translation>글자, 숫자, 점, -, _로 된 이름</translation>
    </message>
    <message>
        <source>a layer of class %1</source>
        <translation>%1 클래스의 레이어</translation>
    </message>
    <message>
        <source>one of the fields %1</source>
        <translation>필드 %1</translation>
    </message>
    <message>
        <source>axes from 1 to %1</source>
        <translation>1에서 %1까지의 축</translation>
    </message>
    <message>
        <source>axes of %1, from 0 to %2</source>
        <translation>%1의 축(0~%2)</translation>
    </message>
    <message>
        <source>an axis from 1 to %1, or -1 for the last</source>
        <translation>1에서 %1까지의 축, 또는 마지막 축인 -1</translation>
    </message>
    <message>
        <source>each axis from 1 to %1 once</source>
        <translation>1에서 %1까지의 축을 한 번씩 쓴 것</translation>
    </message>
    <message>
        <source>weights of two or more axes for %1</source>
        <translation>%1에 쓸 축이 둘 이상인 가중치</translation>
    </message>
    <message>
        <source>weights of two axes for %1</source>
        <translation>%1에 쓸 축이 둘인 가중치</translation>
    </message>
    <message>
        <source>an input without a mask, which this layer takes for one of its own values (Activation softmax passes it on)</source>
        <translation>마스크가 없는 입력(이 레이어는 마스크를 자기 값으로 받으며, Activation softmax는 마스크를 넘겨줌)</translation>
    </message>
    <message>
        <source>one of the sizes %1</source>
        <translation>크기가 %1인 마스크</translation>
    </message>
    <message>
        <source>a mask of the sizes %1</source>
        <translation>크기가 %1인 마스크</translation>
    </message>
    <message>
        <source>a mask with a value for each time</source>
        <translation>시점마다 값이 있는 마스크</translation>
    </message>
    <message>
        <source>one for each sample</source>
        <translation>샘플마다 값이 있는 마스크</translation>
    </message>
    <message>
        <source>less than the strides (%1)</source>
        <translation>strides(%1)보다 작은 값</translation>
    </message>
    <message>
        <source>less than %1</source>
        <translation>%1보다 작은 값</translation>
    </message>
    <message>
        <source>an output of at least one row and column (the input is %1)</source>
        <translation>행과 열이 하나 이상인 출력(입력은 %1)</translation>
    </message>
    <message>
        <source>a window of at most %1 rows (the input is %2)</source>
        <translation>행이 %1개 이하인 창(입력은 %2)</translation>
    </message>
    <message>
        <source>a window of at most %1 columns (the input is %2)</source>
        <translation>열이 %1개 이하인 창(입력은 %2)</translation>
    </message>
    <message>
        <source>a window of at most %1 steps (the input is %2)</source>
        <translation>스텝이 %1개 이하인 창(입력은 %2)</translation>
    </message>
    <message>
        <source>a divisor of %1 filters and of %2 input channels</source>
        <translation>필터 %1개와 입력 채널 %2개의 공약수</translation>
    </message>
    <message>
        <source>a divisor of %1 channels, or -1 for all of them</source>
        <translation>채널 %1개의 약수, 또는 전부를 뜻하는 -1</translation>
    </message>
    <message>
        <source>the batch (-1), then the input&apos;s sizes, %1, or 1 for one value along an axis</source>
        <translation>배치(-1) 다음에 입력의 크기 %1, 또는 한 축에 값 하나면 1</translation>
    </message>
    <message>
        <source>input rank 2 or more (batch and features)</source>
        <translation>랭크 2 이상의 입력(배치, 특징)</translation>
    </message>
    <message>
        <source>input rank 2 (batch and features)</source>
        <translation>랭크 2의 입력(배치, 특징)</translation>
    </message>
    <message>
        <source>input rank 3 (batch, time and features)</source>
        <translation>랭크 3의 입력(배치, 시점, 특징)</translation>
    </message>
    <message>
        <source>input rank 3 (batch, steps and channels)</source>
        <translation>랭크 3의 입력(배치, 스텝, 채널)</translation>
    </message>
    <message>
        <source>input rank 3 or more (batch, time and values)</source>
        <translation>랭크 3 이상의 입력(배치, 시점, 값)</translation>
    </message>
    <message>
        <source>input rank 4 (batch, rows, columns and channels)</source>
        <translation>랭크 4의 입력(배치, 행, 열, 채널)</translation>
    </message>
    <message>
        <source>an input of 3 channels</source>
        <translation>채널이 3개인 입력</translation>
    </message>
    <message>
        <source>an input of 1 or 3 channels</source>
        <translation>채널이 1개 또는 3개인 입력</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>랭크 %1</translation>
    </message>
    <message>
        <source>false (not supported)</source>
        <translation>false(다른 값은 지원하지 않음)</translation>
    </message>
    <message>
        <source>false with crop_to_aspect_ratio</source>
        <translation>crop_to_aspect_ratio와 함께일 때 false</translation>
    </message>
    <message>
        <source>sizes whose product is %1 (the input is %2), one of them -1 for the rest at most</source>
        <translation>곱이 %1인 크기들(입력은 %2, 나머지를 뜻하는 -1은 하나까지)</translation>
    </message>
    <message>
        <source>a model output of rank 2 or more (batch and classes)</source>
        <translation>랭크 2 이상의 모델 출력(배치, 클래스)</translation>
    </message>
    <message>
        <source>a model output of rank 2 or more (batch and values)</source>
        <translation>랭크 2 이상의 모델 출력(배치, 값)</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and classes) with one label a sample</source>
        <translation>샘플마다 레이블이 하나인 랭크 2의 모델 출력(배치, 클래스)</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and classes)</source>
        <translation>랭크 2의 모델 출력(배치, 클래스)</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and values)</source>
        <translation>랭크 2의 모델 출력(배치, 값)</translation>
    </message>
    <message>
        <source>a class of the model&apos;s output, from 0 to %1</source>
        <translation>모델 출력의 클래스(0~%1)</translation>
    </message>
    <message>
        <source>one value more than the %1 boundaries</source>
        <translation>boundaries %1개보다 하나 많은 값</translation>
    </message>
    <message>
        <source>rising steps</source>
        <translation>점점 커지는 스텝</translation>
    </message>
    <message>
        <source>rising epochs</source>
        <translation>점점 커지는 에포크</translation>
    </message>
    <message>
        <source>rising numbers</source>
        <translation>점점 커지는 수</translation>
    </message>
    <message>
        <source>a number above 0 that float32 holds</source>
        <translation>0보다 크고 float32에 담기는 수</translation>
    </message>
    <message>
        <source>1 to 16777216 steps</source>
        <translation>1~16777216스텝</translation>
    </message>
    <message>
        <source>a number below 1</source>
        <translation>1보다 작은 수</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>글자 하나</translation>
    </message>
    <message>
        <source>a file below the run&apos;s folder</source>
        <translation>실행 폴더 아래의 파일</translation>
    </message>
    <message>
        <source>a weight</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>finite numbers</source>
        <translation>유한한 수들</translation>
    </message>
    <message>
        <source>a finite number other than 0</source>
        <translation>0이 아닌 유한한 수</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>유한한 수</translation>
    </message>
    <message>
        <source>rows and columns from 1 to 32768</source>
        <translation>1에서 32768까지의 행과 열</translation>
    </message>
    <message>
        <source>%1 (CPUs count from 0 without a gap; strategy.logical_cpus makes more)</source>
        <translation>%1(CPU는 0부터 빠짐없이 세며, strategy.logical_cpus로 늘릴 수 있음)</translation>
    </message>
    <message>
        <source>%1:0 to %2</source>
        <translation>%1:0에서 %2까지</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 또는 %2</translation>
    </message>
    <message>
        <source>%1 of at least %2 and at most %3</source>
        <translation>%2 이상 %3 이하의 %1</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>%2 이상의 %1</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <translation>%2 이하의 %1</translation>
    </message>
    <message>
        <source>%1 above %2 and at most %3</source>
        <translation>%2 초과 %3 이하의 %1</translation>
    </message>
    <message>
        <source>%1 above %2</source>
        <translation>%2보다 큰 %1</translation>
    </message>
    <message>
        <source>%1 twice, %2</source>
        <translation>%1 두 번, %2</translation>
    </message>
    <message>
        <source>%1 twice and %2</source>
        <translation>%1 두 번, %2</translation>
    </message>
    <message>
        <source>%1 twice</source>
        <translation>%1 두 번</translation>
    </message>
    <message>
        <source>no %1, %2</source>
        <translation>%1 없음, %2</translation>
    </message>
    <message>
        <source>no %1 and %2</source>
        <translation>%1 없음, %2</translation>
    </message>
    <message>
        <source>no %1</source>
        <translation>%1 없음</translation>
    </message>
    <message>
        <source>%1 %2 times, %3</source>
        <translation>%1 %2번, %3</translation>
    </message>
    <message>
        <source>%1 %2 times and %3</source>
        <translation>%1 %2번, %3</translation>
    </message>
    <message>
        <source>%1 %2 times</source>
        <translation>%1 %2번</translation>
    </message>
    <message>
        <source>expected a device such as CPU:0 or GPU:0, got %1</source>
        <translation>CPU:0이나 GPU:0 같은 장치여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected logical CPUs or logical GPUs, got %1 and %2</source>
        <translation>논리 CPU와 논리 GPU 중 하나만 있어야 하는데 %1개와 %2개입니다</translation>
    </message>
    <message>
        <source>Set one of them to 0.</source>
        <translation>둘 중 하나를 0으로 하십시오.</translation>
    </message>
    <message>
        <source>expected one device with %1, got %2</source>
        <translation>%1에서는 장치가 하나여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>Choose MirroredStrategy or CentralStorageStrategy for several devices of one computer, MultiWorkerMirroredStrategy for several of each worker.</source>
        <translation>한 컴퓨터의 여러 장치에는 MirroredStrategy나 CentralStorageStrategy를, 워커마다 여러 장치에는 MultiWorkerMirroredStrategy를 고르십시오.</translation>
    </message>
    <message>
        <source>expected one way to clip gradients, got %1 too</source>
        <translation>그래디언트를 자르는 방법은 하나여야 하는데 %1도 있습니다</translation>
    </message>
    <message>
        <source>expected a momentum above 0 with nesterov, got 0: it changes nothing</source>
        <translation>nesterov에는 0보다 큰 momentum이 필요한데 0입니다: 아무것도 달라지지 않습니다</translation>
    </message>
    <message>
        <source>expected none beside loss_scale, whose scale takes its place</source>
        <translation>loss_scale의 스케일이 대신하므로 함께 쓸 수 없습니다</translation>
    </message>
    <message>
        <source>expected false with a last layer that ends in %1, got true</source>
        <translation>마지막 레이어가 %1 함수로 끝나면 false여야 하는데 true입니다</translation>
    </message>
    <message>
        <source>Set from_logits to false or remove the %1.</source>
        <translation>from_logits를 false로 하거나 %1 함수를 빼십시오.</translation>
    </message>
    <message>
        <source>expected true with a last layer without %1, got false</source>
        <translation>마지막 레이어에 %1 함수가 없으면 true여야 하는데 false입니다</translation>
    </message>
    <message>
        <source>Set from_logits to true or end the model in %1.</source>
        <translation>from_logits를 true로 하거나 모델을 %1 함수로 끝내십시오.</translation>
    </message>
    <message>
        <source>End the model with Flatten and Dense, or give every position a label.</source>
        <translation>모델을 Flatten과 Dense로 끝내거나 모든 위치에 레이블을 주십시오.</translation>
    </message>
    <message>
        <source>expected at least 2 classes as model output, got %1</source>
        <translation>모델 출력은 클래스가 2개 이상이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected micro, macro or weighted, got none: a value for each class is not one number of a curve</source>
        <translation>micro, macro, weighted 중 하나가 필요한데 없습니다: 클래스마다 하나인 값은 곡선의 한 점이 될 수 없습니다</translation>
    </message>
    <message>
        <source>Set average to macro.</source>
        <translation>average를 macro로 하십시오.</translation>
    </message>
    <message>
        <source>expected a metric of labels that are classes, as %1 has them, got %2</source>
        <translation>%1처럼 레이블이 클래스인 지표여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a metric of labels that are values, as %1 has them, got %2</source>
        <translation>%1처럼 레이블이 값인 지표여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Set it to accuracy.</source>
        <translation>accuracy로 하십시오.</translation>
    </message>
    <message>
        <source>expected every metric once, got %1 a second time</source>
        <translation>지표는 한 번씩만 나와야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected at most %1 metrics, got %2</source>
        <translation>지표는 %1개 이하여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>Weighted ones and every threshold count.</source>
        <translation>가중 지표와 임곗값 하나하나도 셉니다.</translation>
    </message>
    <message>
        <source>expected names of their own in the logs, got %1 twice</source>
        <translation>로그에서 이름이 저마다 달라야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>Set name of one of them.</source>
        <translation>그중 하나의 name을 정하십시오.</translation>
    </message>
    <message>
        <source>expected less than the %1 epochs, got %2</source>
        <translation>전체 %1에포크보다 작아야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected weights (.weights.h5, .keras, .h5 or a checkpoint), got JSON: %1</source>
        <translation>가중치 파일(.weights.h5, .keras, .h5 또는 체크포인트)이어야 하는데 JSON입니다: %1</translation>
    </message>
    <message>
        <source>expected a name that ends in .weights.h5, .keras or .h5, got %1</source>
        <translation>이름이 .weights.h5, .keras, .h5 중 하나로 끝나야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Write weights.keras; --save-weights of the command line takes any place.</source>
        <translation>weights.keras로 쓰십시오. 명령줄의 --save-weights에는 어느 위치든 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>expected at least 0 and less than 1, got %1</source>
        <translation>0 이상 1 미만이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a file outside of checkpoints and backup, which hold the run&apos;s own, got %1</source>
        <translation>실행의 파일이 들어가는 checkpoints와 backup 밖의 파일이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected every { with its }, got %1</source>
        <translation>모든 {에 짝이 되는 }가 있어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected %1 between braces, got %2</source>
        <translation>중괄호 안에는 %1만 쓸 수 있는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a format like 02d or .4f of %1, got %2</source>
        <translation>%1의 서식은 02d나 .4f 같은 꼴이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected min or max for %1, whose name does not tell, got auto</source>
        <translation>이름만으로 알 수 없는 %1에는 min 또는 max가 필요한데 auto입니다</translation>
    </message>
    <message>
        <source>expected a learning rate that is a number beside a callback that sets it, got a schedule in the optimizer</source>
        <translation>학습률을 정하는 콜백 곁에서는 학습률이 수여야 하는데 옵티마이저에 스케줄이 있습니다</translation>
    </message>
    <message>
        <source>Remove the callback or set compile.optimizer.learning_rate to a number.</source>
        <translation>콜백을 지우거나 compile.optimizer.learning_rate를 수로 하십시오.</translation>
    </message>
    <message>
        <source>expected the ending .weights.h5 with save_weights_only, or none, got %1</source>
        <translation>save_weights_only를 켜면 .weights.h5로 끝나거나 확장자가 없어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected the ending .keras or .h5 without save_weights_only, or none, got %1</source>
        <translation>save_weights_only를 끄면 .keras나 .h5로 끝나거나 확장자가 없어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected at least one epoch, got none</source>
        <translation>에포크가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected one rate for each of the %1 epochs, got %2</source>
        <translation>에포크 %1개마다 학습률이 하나씩 있어야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected true beside the callback SwapEMAWeights, got false</source>
        <translation>SwapEMAWeights 콜백 곁에서는 true여야 하는데 false입니다</translation>
    </message>
    <message>
        <source>Set it to true or remove the callback.</source>
        <translation>true로 하거나 콜백을 지우십시오.</translation>
    </message>
    <message>
        <source>expected a name beside the run&apos;s own files (project.tandem, run.json, finished.json, checkpoints.jsonl, journal, lock), got %1</source>
        <translation>실행 자체의 파일(project.tandem, run.json, finished.json, checkpoints.jsonl, journal, lock)과 다른 이름이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected every callback once, got %1 a second time</source>
        <translation>콜백은 한 번씩만 나와야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected seconds of at least 0, got %1</source>
        <translation>0 이상의 초여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected hours above 0, got %1</source>
        <translation>0보다 큰 시간이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected either steps or seconds between checkpoints, got %1 steps and %2 seconds</source>
        <translation>체크포인트 사이는 스텝 또는 초 중 하나여야 하는데 스텝 %1, 초 %2입니다</translation>
    </message>
    <message>
        <source>Leave one of them empty (None).</source>
        <translation>둘 중 하나를 비우십시오(None).</translation>
    </message>
    <message>
        <source>expected a number of steps where the input repeats without end, got none</source>
        <translation>입력이 끝없이 반복되면 스텝 수가 필요한데 없습니다</translation>
    </message>
    <message>
        <source>Set estimator.train_spec.max_steps, or estimator.train_spec.input_repeats to a number of passes.</source>
        <translation>estimator.train_spec.max_steps를 정하거나 estimator.train_spec.input_repeats를 반복 횟수로 하십시오.</translation>
    </message>
    <message>
        <source>expected an estimator that counts steps alone, got fit.steps %1 beside it</source>
        <translation>에스티메이터만 스텝을 세어야 하는데 fit.steps도 있습니다: %1</translation>
    </message>
    <message>
        <source>Set fit.steps to 0.</source>
        <translation>fit.steps를 0으로 하십시오.</translation>
    </message>
    <message>
        <source>expected a name for each exporter, got %1 a second time</source>
        <translation>내보내기마다 이름이 달라야 하는데 두 번 나옵니다: %1</translation>
    </message>
    <message>
        <source>Write a plain name.</source>
        <translation>이름만 쓰십시오.</translation>
    </message>
    <message>
        <source>expected a name without a slash, got %1</source>
        <translation>빗금이 없는 이름이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected none with an estimator, which has no callbacks, got %1</source>
        <translation>에스티메이터에는 콜백이 없으므로 없어야 하는데 있습니다: %1</translation>
    </message>
    <message>
        <source>It has no effect: estimator.run_config says when checkpoints are written.</source>
        <translation>효과가 없습니다. 체크포인트를 언제 쓰는지는 estimator.run_config가 정합니다.</translation>
    </message>
    <message>
        <source>%1: expected ports up to 65535 for %2 tasks, counted from %3</source>
        <translation>%1: 태스크 %2개의 포트는 65535까지여야 하는데 %3부터 셉니다</translation>
    </message>
    <message>
        <source>Begin with a smaller port.</source>
        <translation>더 작은 포트에서 시작하십시오.</translation>
    </message>
    <message>
        <source>expected at most %1 tasks in all, got more</source>
        <translation>태스크는 모두 %1개 이하여야 하는데 더 많습니다</translation>
    </message>
    <message>
        <source>hostfile: expected at least one host, got none</source>
        <translation>호스트 파일: 호스트가 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Write a host a line, such as &quot;node1 slots=2&quot;.</source>
        <translation>&quot;node1 slots=2&quot;처럼 한 줄에 호스트 하나를 쓰십시오.</translation>
    </message>
    <message>
        <source>expected slots=N or max_slots=N after the host, got %1</source>
        <translation>호스트 뒤에는 slots=N이나 max_slots=N이 와야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected at least 1 slot as a whole number, got %1</source>
        <translation>슬롯은 1 이상의 정수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>Write slots=2 for two workers.</source>
        <translation>워커 둘이면 slots=2로 쓰십시오.</translation>
    </message>
    <message>
        <source>expected a range such as 01-04, got %1</source>
        <translation>01-04 같은 범위여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected at most 4096 hosts, got more</source>
        <translation>호스트는 4096개 이하여야 하는데 더 많습니다</translation>
    </message>
    <message>
        <source>expected a host between two commas, got none</source>
        <translation>쉼표 사이에는 호스트가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a closing ] in %1</source>
        <translation>%1에 닫는 ]가 있어야 합니다</translation>
    </message>
    <message>
        <source>expected the list of hosts, got none</source>
        <translation>호스트 목록이 필요한데 없습니다</translation>
    </message>
    <message>
        <source>expected counts such as 2(x3),1, got %1</source>
        <translation>2(x3),1 같은 개수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected a count for each of %1 hosts, got %2</source>
        <translation>호스트 %1개마다 개수가 있어야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected at least 1 task as a whole number, got %1</source>
        <translation>태스크 수는 1 이상의 정수여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected 1 to %1 tasks, got %2</source>
        <translation>태스크는 1~%1개여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a rank below the number of tasks (%1), got %2</source>
        <translation>태스크 수(%1)보다 작은 랭크여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected addresses of tasks that the text itself gives, got none</source>
        <translation>텍스트에 태스크의 주소가 적혀 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected JSON, as TensorFlow reads it, got a mistake at %1; Python&apos;s text of a dictionary is none</source>
        <translation>TensorFlow가 읽는 대로 JSON이어야 하는데 잘못이 있습니다: %1. Python의 사전 표기는 JSON이 아닙니다</translation>
    </message>
    <message>
        <source>expected JSON, as TensorFlow reads it, got a mistake at %1</source>
        <translation>TensorFlow가 읽는 대로 JSON이어야 하는데 잘못이 있습니다: %1</translation>
    </message>
    <message>
        <source>Write it as JSON: %1</source>
        <translation>JSON으로 쓰십시오: %1</translation>
    </message>
    <message>
        <source>TF_CONFIG: expected a JSON object, got a mistake at %1</source>
        <translation>TF_CONFIG: JSON 객체여야 하는데 잘못이 있습니다: %1</translation>
    </message>
    <message>
        <source>expected a project version from 1 to %1, got none</source>
        <translation>프로젝트 버전은 1에서 %1까지여야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected one of the two layers with go_backwards, got it in both</source>
        <translation>go_backwards는 두 레이어 중 하나에만 있어야 하는데 둘 다 있습니다</translation>
    </message>
    <message>
        <source>expected one of the two layers with go_backwards, got it in none</source>
        <translation>go_backwards는 두 레이어 중 하나에만 있어야 하는데 둘 다 없습니다</translation>
    </message>
    <message>
        <source>expected a layer with class_name and config, got its name alone</source>
        <translation>class_name과 config가 있는 레이어여야 하는데 이름뿐입니다</translation>
    </message>
    <message>
        <source>expected the return_sequences of the forward layer, got another</source>
        <translation>return_sequences가 정방향 레이어와 같아야 하는데 다릅니다</translation>
    </message>
    <message>
        <source>expected the %1 units of the forward layer, got %2</source>
        <translation>유닛은 정방향 레이어와 같이 %1개여야 하는데 %2개입니다</translation>
    </message>
    <message>
        <source>expected to leave a cell of the input at least, %1, got %2 to take from %3</source>
        <translation>입력 %1에서 칸을 하나 이상 남겨야 하는데 %3에서 빼는 수가 %2입니다</translation>
    </message>
    <message>
        <source>expected 1 with strides above 1, got %1</source>
        <translation>strides가 1보다 크면 1이어야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected 0 for never, or %1 to %2 seconds, got %3</source>
        <translation>0(멈추지 않음)이나 %1~%2초여야 하는데 %3입니다</translation>
    </message>
    <message>
        <source>expected restart or fail with %1, whose other tasks go on by themselves while a lost one is started again, got continue</source>
        <translation>%1에서는 잃은 태스크가 다시 시작되는 동안 나머지가 스스로 계속하므로 restart나 fail이어야 하는데 continue입니다</translation>
    </message>
    <message>
        <source>expected restart or fail with %1, whose one task leaves nobody to go on, got continue</source>
        <translation>%1에는 태스크가 하나뿐이라 이어서 할 태스크가 없으므로 restart나 fail이어야 하는데 continue입니다</translation>
    </message>
    <message>
        <source>Choose restart, or MultiWorkerMirroredStrategy.</source>
        <translation>restart나 MultiWorkerMirroredStrategy를 고르십시오.</translation>
    </message>
    <message>
        <source>unknown key: expected a job with its addresses, transport, start_timeout_s, threads_per_task, on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s or hosts, got %1</source>
        <translation>모르는 키: 주소가 있는 잡, transport, start_timeout_s, threads_per_task, on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s, hosts 중 하나여야 하는데 %1입니다</translation>
    </message>
    <message>
        <source>expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI</source>
        <translation>mpirun이 태스크를 시작하지 않는 곳에서는 AUTO, RING, NCCL 중 하나여야 하는데 MPI입니다</translation>
    </message>
    <message>
        <source>Start them by mpirun -np N tandem-worker --from-mpi PROJECT; tandem-cli export launch --kind mpirun writes a script.</source>
        <translation>mpirun -np N tandem-worker --from-mpi PROJECT로 시작하십시오. tandem-cli export launch --kind mpirun이 스크립트를 씁니다.</translation>
    </message>
    <message>
        <source>expected the file of a training that goes on in fit.initial_weights, got none</source>
        <translation>fit.initial_weights에 이어 갈 훈련의 파일이 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>Name a run&apos;s checkpoint or backup in fit.initial_weights.</source>
        <translation>fit.initial_weights에 실행의 체크포인트나 백업을 적으십시오.</translation>
    </message>
    <message>
        <source>expected a checkpoint, a backup or a .keras file with its optimizer, got weights alone: %1</source>
        <translation>옵티마이저가 있는 체크포인트, 백업 또는 .keras 파일이어야 하는데 가중치만 있습니다: %1</translation>
    </message>
    <message>
        <source>expected a setting PATH=VALUE, got %1</source>
        <translation>경로=값 꼴의 설정이어야 합니다. 받은 값: %1</translation>
    </message>
    <message>
        <source>expected a path such as fit.epochs or model.layers[2].units, got %1</source>
        <translation>fit.epochs나 model.layers[2].units 같은 경로여야 합니다. 받은 값: %1</translation>
    </message>
    <message>
        <source>expected a value of the project, got the version of its format</source>
        <translation>프로젝트의 값이어야 하는데 파일 형식의 버전입니다</translation>
    </message>
    <message>
        <source>expected an index below %1, got %2</source>
        <translation>%1보다 작은 번호여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected a list before [%1], got %2</source>
        <translation>[%1] 앞은 목록이어야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected an object before .%1, got %2</source>
        <translation>.%1 앞은 객체여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>Set fit.initial_state to false to begin with the weights.</source>
        <translation>가중치만으로 시작하려면 fit.initial_state를 false로 두십시오.</translation>
    </message>
    <message>
        <source>one or three integers of at least %1 and at most %2</source>
        <translation>%1 이상 %2 이하의 정수 하나 또는 셋</translation>
    </message>
    <message>
        <source>one, three or six numbers</source>
        <translation>숫자 하나, 셋 또는 여섯</translation>
    </message>
    <message>
        <source>an output of at least one step (the input is %1)</source>
        <translation>한 스텝 이상의 출력(입력은 %1)</translation>
    </message>
    <message>
        <source>a window of at most %1 planes (the input is %2)</source>
        <translation>면이 %1개 이하인 창(입력은 %2)</translation>
    </message>
    <message>
        <source>input rank 5 (batch, planes, rows, columns and channels)</source>
        <translation>랭크 5의 입력(배치, 면, 행, 열, 채널)</translation>
    </message>
    <message>
        <source>expected a last layer that ends in softmax with %1, which takes probabilities, got another</source>
        <translation>확률을 받는 %1에는 softmax로 끝나는 마지막 레이어가 있어야 하는데 다른 레이어입니다</translation>
    </message>
    <message>
        <source>End the model in softmax.</source>
        <translation>모델을 softmax로 끝내십시오.</translation>
    </message>
    <message>
        <source>expected neighbouring axes of the model&apos;s output, each once, from 0 to %1, got %2</source>
        <translation>모델 출력의 이웃한 축을 0부터 %1까지 하나씩 주어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected one replica with a loss that compares the samples of a batch, got %1</source>
        <translation>배치의 샘플을 서로 비교하는 손실에는 복제본이 하나여야 하는데 %1개입니다</translation>
    </message>
    <message>
        <source>Set axis to axes of a sample, from 1 on, or train on one device.</source>
        <translation>axis를 샘플의 축(1부터)으로 하거나 장치 하나에서 훈련하십시오.</translation>
    </message>
    <message>
        <source>Train on one device.</source>
        <translation>장치 하나에서 훈련하십시오.</translation>
    </message>
    <message>
        <source>expected no weights of classes with an axis that joins samples alone, got some</source>
        <translation>샘플만 묶는 axis에는 클래스 가중치가 없어야 하는데 있습니다</translation>
    </message>
    <message>
        <source>expected false where labels are rows of classes, got true</source>
        <translation>레이블이 클래스의 행이면 false여야 하는데 true입니다</translation>
    </message>
    <message>
        <source>expected class ids from 0 to %1, got %2</source>
        <translation>0부터 %1까지의 클래스 번호여야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a model output of at least 2 values a row, along which it correlates them, got %1</source>
        <translation>행마다 상관을 낼 값이 2개 이상인 모델 출력이어야 하는데 %1개입니다</translation>
    </message>
    <message>
        <source>expected layers that make the output %1 of the input %2, such as a %3, got none</source>
        <translation>입력이 %2, 출력이 %1인 레이어(예: %3)가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected an output as that of the layers, %1, got %2</source>
        <translation>레이어들의 출력과 같은 %1이어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected layers that take numbers, got an Embedding, which takes ids</source>
        <translation>수를 받는 레이어여야 하는데 id를 받는 Embedding이 있습니다</translation>
    </message>
    <message>
        <source>expected layers that pass the mask of the input on, got %1, which drops it</source>
        <translation>입력의 마스크를 넘겨주는 레이어여야 하는데 마스크를 버리는 레이어가 있습니다: %1</translation>
    </message>
    <message>
        <source>expected at most 1e12 values behind each layer, got %1 behind %2</source>
        <translation>각 레이어 뒤의 값은 1e12개 이하여야 하는데 %2 뒤가 %1입니다</translation>
    </message>
    <message>
        <source>layers of class %1</source>
        <translation>클래스가 %1인 레이어</translation>
    </message>
    <message>
        <source>%1 with kernel_size 1</source>
        <translation>kernel_size가 1인 %1</translation>
    </message>
    <message>
        <source>at most %1 values of all heads together</source>
        <translation>모든 헤드를 합쳐 최대 %1개의 값</translation>
    </message>
    <message>
        <source>Put the %1 first.</source>
        <translation>%1 레이어를 맨 앞에 두십시오.</translation>
    </message>
    <message>
        <source>expected each value once, got %1 again</source>
        <translation>각 값은 한 번이어야 하는데 다시 나옵니다: %1</translation>
    </message>
    <message>
        <source>expected at least the %1 places of the vocabulary, got %2</source>
        <translation>어휘의 자리 %1개 이상이어야 하는데, %2입니다</translation>
    </message>
    <message>
        <source>expected int with invert, got %1</source>
        <translation>반전에는 int여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>expected a number with pad_to_max_tokens, got none</source>
        <translation>pad_to_max_tokens에는 숫자가 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected a layer that takes values from the training samples as the model&apos;s first, got %1 behind a layer %2</source>
        <translation>훈련 샘플에서 값을 얻는 레이어는 모델의 첫 레이어여야 하는데 %2 레이어 뒤에 있습니다: %1</translation>
    </message>
    <message>
        <source>expected a layer that takes values from the training samples as the model&apos;s first, got %1 in a layer %2</source>
        <translation>훈련 샘플에서 값을 얻는 레이어는 모델의 첫 레이어여야 하는데 %2 레이어 안에 있습니다: %1</translation>
    </message>
    <message>
        <source>expected no layer that takes values from the training samples with an estimator, got %1</source>
        <translation>에스티메이터에는 훈련 샘플에서 값을 얻는 레이어가 없어야 하는데 있습니다: %1</translation>
    </message>
    <message>
        <source>axes that lie side by side</source>
        <translation>나란히 있는 축</translation>
    </message>
    <message>
        <source>input rank 2 (batch and values) with %1</source>
        <translation>%1에는 랭크 2(배치와 값)인 입력</translation>
    </message>
    <message>
        <source>numbers beside those of %1</source>
        <translation>%1에 딸린 숫자</translation>
    </message>
    <message>
        <source>as many numbers as mean has, %1</source>
        <translation>mean만큼의 숫자 %1개</translation>
    </message>
    <message>
        <source>one number or %1</source>
        <translation>숫자 하나 또는 %1개</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>숫자 하나</translation>
    </message>
    <message>
        <source>input rank 4 (batch, time, steps and channels)</source>
        <translation>랭크 4의 입력(배치, 시점, 스텝, 채널)</translation>
    </message>
    <message>
        <source>input rank 5 (batch, time, rows, columns and channels)</source>
        <translation>랭크 5의 입력(배치, 시점, 행, 열, 채널)</translation>
    </message>
    <message>
        <source>input rank 6 (batch, time, planes, rows, columns and channels)</source>
        <translation>랭크 6의 입력(배치, 시점, 면, 행, 열, 채널)</translation>
    </message>
    <message>
        <source>the form X,Y-&gt;Z of letters, with ... on the left or on the right of X and Z or without</source>
        <translation>글자로 된 X,Y-&gt;Z 꼴(...은 X와 Z의 왼쪽이나 오른쪽에 두거나 생략)</translation>
    </message>
    <message>
        <source>the batch first in X and Z and not in Y</source>
        <translation>X와 Z의 맨 앞에 있고 Y에는 없는 배치</translation>
    </message>
    <message>
        <source>each letter once in X, in Y and in Z</source>
        <translation>X, Y, Z 각각에서 한 번씩 나오는 글자</translation>
    </message>
    <message>
        <source>%1 in two of X, Y and Z</source>
        <translation>X, Y, Z 중 두 곳에 있는 %1</translation>
    </message>
    <message>
        <source>the letters of Y that X has before those that Z has</source>
        <translation>Y에서 Z에 있는 글자보다 앞에 오는 X에 있는 글자</translation>
    </message>
    <message>
        <source>letters of Z but the batch&apos;s</source>
        <translation>배치를 뺀 Z의 글자</translation>
    </message>
    <message>
        <source>a size of at least 1 for %1</source>
        <translation>%1에 1 이상의 크기</translation>
    </message>
    <message>
        <source>%1, the input&apos;s size, for %2</source>
        <translation>%2에 입력의 크기인 %1</translation>
    </message>
    <message>
        <source>%1 sizes for %2</source>
        <translation>%2에 크기 %1개</translation>
    </message>
    <message>
        <source>input rank %1 for %2</source>
        <translation>%2에 랭크 %1의 입력</translation>
    </message>
    <message>
        <source>rank %1 or more of the input for %2</source>
        <translation>%2에 랭크 %1 이상의 입력</translation>
    </message>
    <message>
        <source>expected compile settings in the file, got none: %1 go with the model&apos;s output</source>
        <translation>파일에 컴파일 설정이 있어야 하는데 없습니다: 모델의 출력에 맞는 것은 %1입니다</translation>
    </message>
    <message>
        <source>expected regular expressions, got &quot;%1&quot;</source>
        <translation>정규 표현식이어야 하는데 &quot;%1&quot;입니다</translation>
    </message>
    <message>
        <source>expected at least one cell, got none</source>
        <translation>셀이 하나 이상 있어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected an RNN around the cell, got %1 alone</source>
        <translation>셀을 감싸는 RNN이 있어야 하는데 %1만 있습니다</translation>
    </message>
    <message>
        <source>one or two odd integers</source>
        <translation>홀수인 정수 하나 또는 둘</translation>
    </message>
    <message>
        <source>one number of at most 1, or two of which the first is at most 1</source>
        <translation>1 이하의 수 하나, 또는 첫 수가 1 이하인 두 수</translation>
    </message>
    <message>
        <source>a cell or a list of them</source>
        <translation>셀 하나 또는 셀 목록</translation>
    </message>
    <message>
        <source>cells of class %1</source>
        <translation>클래스가 %1인 셀</translation>
    </message>
    <message>
        <source>one or two whole numbers</source>
        <translation>정수 하나 또는 둘</translation>
    </message>
    <message>
        <source>a last axis of 1 with one_hot</source>
        <translation>one_hot에는 마지막 축의 크기 1</translation>
    </message>
    <message>
        <source>less than max_freq, %1</source>
        <translation>max_freq인 %1보다 작은 수</translation>
    </message>
    <message>
        <source>at most the frame_length, %1</source>
        <translation>frame_length인 %1 이하</translation>
    </message>
    <message>
        <source>the frame_length, %1</source>
        <translation>frame_length인 %1</translation>
    </message>
    <message>
        <source>at most the fft_length, %1</source>
        <translation>fft_length인 %1 이하</translation>
    </message>
    <message>
        <source>at most twice the samples less one, %1</source>
        <translation>표본 수의 두 배에서 1을 뺀 %1 이하</translation>
    </message>
    <message>
        <source>as many frames as Keras&apos; shape has, %1</source>
        <translation>Keras의 형상에 있는 만큼의 프레임, %1개</translation>
    </message>
    <message>
        <source>input rank 2 (batch and samples)</source>
        <translation>랭크 2의 입력(배치, 표본)</translation>
    </message>
    <message>
        <source>expected no SpectralNormalization with ParameterServerStrategy, whose servers hold the kernel that a worker would change, got one</source>
        <translation>ParameterServerStrategy에서는 워커가 바꿀 커널을 서버가 가지므로 SpectralNormalization이 없어야 하는데 있습니다</translation>
    </message>
    <message>
        <source>Choose another strategy, or take the layer out of it.</source>
        <translation>다른 전략을 고르거나 안의 레이어만 남기십시오.</translation>
    </message>
    <message>
        <source>expected samples with rows and columns for CutMix, got %1</source>
        <translation>CutMix에는 행과 열이 있는 샘플이 필요하지만 %1입니다</translation>
    </message>
    <message>
        <source>Set data.mix to MixUp, which mixes samples of any shape.</source>
        <translation>data.mix를 MixUp으로 하십시오. 어떤 형상의 샘플이나 섞습니다.</translation>
    </message>
    <message>
        <source>expected a loss of probabilities with %1, which mixes labels, got %2, which takes class indices</source>
        <translation>레이블을 섞는 %1에는 확률을 받는 손실이 필요하지만 클래스 번호를 받는 %2입니다</translation>
    </message>
    <message>
        <source>Set the loss to CategoricalCrossentropy and data.one_hot to the number of classes.</source>
        <translation>손실을 CategoricalCrossentropy로, data.one_hot을 클래스 수로 하십시오.</translation>
    </message>
    <message>
        <source>expected an input of float32 for %1, which mixes values, got %2</source>
        <translation>값을 섞는 %1에는 float32 입력이 필요하지만 %2입니다</translation>
    </message>
    <message>
        <source>Leave data.mix out for ids.</source>
        <translation>번호가 들어오면 data.mix를 빼십시오.</translation>
    </message>
    <message>
        <source>expected none with an estimator, whose TensorFlow has no such layer, got %1</source>
        <translation>Estimator가 쓰는 TensorFlow에는 그런 레이어가 없으므로 비어 있어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>Leave data.mix out, or train with fit.</source>
        <translation>data.mix를 빼거나 fit으로 훈련하십시오.</translation>
    </message>
    <message>
        <source>expected labels that are sequences of classes with %1, %2 has one number a sample</source>
        <translation>%1에는 클래스의 시퀀스인 레이블이 필요한데 %2에는 샘플마다 수가 하나입니다</translation>
    </message>
    <message>
        <source>Set data.dataset to npz, npy or tfrecord.</source>
        <translation>data.dataset을 npz, npy, tfrecord 가운데 하나로 하십시오.</translation>
    </message>
    <message>
        <source>expected one axis with %1, the most classes of a label, got %2</source>
        <translation>%1에는 한 레이블의 최대 클래스 수인 축 하나가 있어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>expected a number where there is no vocabulary, got none</source>
        <translation>어휘가 없으면 숫자가 필요하지만 없습니다</translation>
    </message>
    <message>
        <source>expected true where there is no vocabulary, got false</source>
        <translation>어휘가 없으면 true가 필요하지만 false입니다</translation>
    </message>
    <message>
        <source>expected more than the %1 places in front of the vocabulary, got %2</source>
        <translation>어휘 앞의 자리 %1개보다 많아야 하지만 %2개입니다</translation>
    </message>
    <message>
        <source>expected none beside bin_boundaries, got %1</source>
        <translation>bin_boundaries가 있으면 없어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>expected none without tf_idf, got %1</source>
        <translation>tf_idf가 아니면 없어야 하지만 %1개입니다</translation>
    </message>
    <message>
        <source>expected none without farmhash, got %1</source>
        <translation>farmhash가 아니면 없어야 하지만 %1입니다</translation>
    </message>
    <message>
        <source>Put it first, or give it these values.</source>
        <translation>맨 앞에 두거나 이 값을 주십시오.</translation>
    </message>
    <message>
        <source>Give it these values.</source>
        <translation>이 값을 주십시오.</translation>
    </message>
    <message>
        <source>Give it a vocabulary.</source>
        <translation>어휘를 주십시오.</translation>
    </message>
    <message>
        <source>expected a layer that takes texts as the model&apos;s first, got %1 behind a layer %2</source>
        <translation>텍스트를 받는 레이어는 모델의 첫 레이어여야 하는데 %2 레이어 뒤에 있습니다: %1</translation>
    </message>
    <message>
        <source>expected a layer that takes texts as the model&apos;s first, got %1 in a layer %2</source>
        <translation>텍스트를 받는 레이어는 모델의 첫 레이어여야 하는데 %2 레이어 안에 있습니다: %1</translation>
    </message>
    <message>
        <source>expected string, the type of the texts that a layer %1 takes, got %2</source>
        <translation>%1 레이어가 받는 텍스트의 자료형인 string이어야 하는데, %2입니다</translation>
    </message>
    <message>
        <source>Set model.input_dtype to string.</source>
        <translation>model.input_dtype을 string으로 하십시오.</translation>
    </message>
    <message>
        <source>expected a layer that takes the texts of the model&apos;s input, got a layer %1</source>
        <translation>모델의 입력인 텍스트를 받는 레이어여야 하는데, %1 레이어입니다</translation>
    </message>
    <message>
        <source>Put a TextVectorization first, or set model.input_dtype to float32.</source>
        <translation>TextVectorization을 맨 앞에 두거나 model.input_dtype을 float32로 하십시오.</translation>
    </message>
    <message>
        <source>two integers</source>
        <translation>정수 두 개</translation>
    </message>
    <message>
        <source>at most two tiles for each of %1 rows and %2 columns</source>
        <translation>행 %1개와 열 %2개마다 타일 두 개까지</translation>
    </message>
    <message>
        <source>rising numbers, or num_bins</source>
        <translation>커지는 숫자 또는 num_bins</translation>
    </message>
    <message>
        <source>as many numbers as vocabulary has, %1</source>
        <translation>어휘만큼의 숫자 %1개</translation>
    </message>
    <message>
        <source>a vocabulary or pad_to_max_tokens, which say how many values a row has</source>
        <translation>행의 값이 몇 개인지 정하는 어휘나 pad_to_max_tokens</translation>
    </message>
    <message>
        <source>none but with tf_idf and a vocabulary</source>
        <translation>tf_idf와 어휘가 함께 있을 때 말고는 없음</translation>
    </message>
    <message>
        <source>one for each of the %1 texts of the vocabulary</source>
        <translation>어휘의 텍스트 %1개에 하나씩</translation>
    </message>
    <message>
        <source>one text a sample, (None, 1)</source>
        <translation>샘플마다 텍스트 하나, (None, 1)</translation>
    </message>
    <message>
        <source>a number with output_mode int, so that all texts have one length</source>
        <translation>모든 텍스트의 길이가 같아지도록 output_mode가 int일 때는 숫자</translation>
    </message>
    <message>
        <source>none with output_mode %1</source>
        <translation>output_mode가 %1일 때는 없음</translation>
    </message>
    <message>
        <source>a model output of rank 3 (batch, time and classes)</source>
        <translation>랭크 3의 모델 출력(배치, 시간, 클래스)</translation>
    </message>
    <message>
        <source>End the model with a Dense layer behind one that puts out sequences.</source>
        <translation>시퀀스를 내는 레이어 뒤에 Dense 레이어를 두어 모델을 끝내십시오.</translation>
    </message>
    <message>
        <source>expected a model output without a mask with %1, which takes all times, got one</source>
        <translation>모든 시점을 받는 %1에는 마스크가 없는 모델 출력이 있어야 하는데 마스크가 있습니다</translation>
    </message>
    <message>
        <source>Remove Masking, or mask_zero of the Embedding.</source>
        <translation>Masking 레이어나 Embedding의 mask_zero를 없애십시오.</translation>
    </message>
    <message>
        <source>expected a last layer without softmax with %1, which takes logits, got one that ends in it</source>
        <translation>로짓을 받는 %1에는 softmax가 없는 마지막 레이어가 있어야 하는데 softmax로 끝납니다</translation>
    </message>
    <message>
        <source>Remove the softmax.</source>
        <translation>softmax를 없애십시오.</translation>
    </message>
    <message>
        <source>expected no weights of classes with %1, whose labels are sequences of them, got some</source>
        <translation>레이블이 클래스의 시퀀스인 %1에는 클래스 가중치가 없어야 하는데 있습니다</translation>
    </message>
    <message>
        <source>expected no metric beside %1, whose labels are sequences, got %2</source>
        <translation>레이블이 시퀀스인 %1 옆에는 지표가 없어야 하는데 %2입니다</translation>
    </message>
    <message>
        <source>Remove it.</source>
        <translation>없애십시오.</translation>
    </message>
    <message>
        <source>expected text or text_folder, which have texts for the model&apos;s input of type string, got %1</source>
        <translation>자료형이 string인 모델의 입력에 텍스트를 주는 text나 text_folder여야 하는데, %1입니다</translation>
    </message>
    <message>
        <source>Set data.dataset to text or text_folder.</source>
        <translation>data.dataset을 text나 text_folder로 하십시오.</translation>
    </message>
    <message>
        <source>expected a project of at most %1 bytes with the vocabulary of %2, got %3 bytes with its %4 texts</source>
        <translation>%2의 어휘를 담은 프로젝트는 %1바이트 이하여야 하는데 텍스트 %4개로 %3바이트입니다</translation>
    </message>
    <message>
        <source>Set max_tokens to %1, which keeps the most frequent texts.</source>
        <translation>max_tokens를 %1 이하로 하십시오. 가장 자주 나오는 텍스트가 남습니다.</translation>
    </message>
    <message>
        <source>axes from 1 to %1, or from -1 downwards, each once</source>
        <translation>1부터 %1까지 또는 -1 이하의 축을 한 번씩</translation>
    </message>
    <message>
        <source>a function of each value by itself with data_format channels_first</source>
        <translation>data_format channels_first에서는 값 하나마다 따로 계산하는 함수</translation>
    </message>
    <message>
        <source>the last axis or axes, without the batch</source>
        <translation>배치를 제외한 마지막 축 하나 또는 여러 개</translation>
    </message>
</context>
<context>
    <name>FormatFields</name>
    <message>
        <source>Array of labels</source>
        <translation>레이블 배열</translation>
    </message>
    <message>
        <source>Array of samples</source>
        <translation>샘플 배열</translation>
    </message>
    <message>
        <source>bar |</source>
        <translation>세로줄 |</translation>
    </message>
    <message>
        <source>Cells are parted by</source>
        <translation>셀 구분 기호</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>색</translation>
    </message>
    <message>
        <source>comma ,</source>
        <translation>쉼표 ,</translation>
    </message>
    <message>
        <source>Feature of labels</source>
        <translation>레이블 특성</translation>
    </message>
    <message>
        <source>Feature of samples</source>
        <translation>샘플 특성</translation>
    </message>
    <message>
        <source>First line has names</source>
        <translation>첫 줄이 이름</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>레이블 열</translation>
    </message>
    <message>
        <source>Rows × columns</source>
        <translation>행 × 열</translation>
    </message>
    <message>
        <source>semicolon ;</source>
        <translation>세미콜론 ;</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>탭</translation>
    </message>
</context>
<context>
    <name>HelpPage</name>
    <message>
        <source>Help</source>
        <translation>도움말</translation>
    </message>
    <message>
        <source>Keys of the studio; everything can be done without a mouse</source>
        <translation>스튜디오의 단축키. 마우스 없이 모든 작업을 할 수 있습니다</translation>
    </message>
    <message>
        <source>How to use the studio and the command line</source>
        <translation>스튜디오와 명령줄 사용 방법</translation>
    </message>
    <message>
        <source>Folder of all runs</source>
        <translation>모든 실행의 폴더</translation>
    </message>
    <message>
        <source>This run: checkpoints and logs</source>
        <translation>이 실행: 체크포인트와 로그</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>add a layer by its letter</source>
        <translation>글자 키로 레이어 추가</translation>
    </message>
    <message>
        <source>%1 then %2</source>
        <translation>%1 다음 %2</translation>
    </message>
    <message>
        <source>delete the layer</source>
        <translation>레이어 삭제</translation>
    </message>
    <message>
        <source>duplicate it</source>
        <translation>복제</translation>
    </message>
    <message>
        <source>move it</source>
        <translation>이동</translation>
    </message>
    <message>
        <source>to its properties</source>
        <translation>속성으로 이동</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>차트</translation>
    </message>
    <message>
        <source>logarithmic y axis</source>
        <translation>로그 y축</translation>
    </message>
    <message>
        <source>show everything</source>
        <translation>전체 보기</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>끌기</translation>
    </message>
    <message>
        <source>zoom into a range; double click resets</source>
        <translation>범위 확대, 두 번 클릭하면 초기화</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 기록</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>거르기</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>open the run in Monitor</source>
        <translation>모니터에서 실행 열기</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>설명서</translation>
    </message>
    <message>
        <source>What to read</source>
        <translation>읽을 내용</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>모니터</translation>
    </message>
    <message>
        <source>pause or resume</source>
        <translation>일시 정지 또는 재개</translation>
    </message>
    <message>
        <source>one step while paused</source>
        <translation>정지 중 한 스텝 진행</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>클러스터</translation>
    </message>
    <message>
        <source>move the chosen task to the next host</source>
        <translation>선택한 태스크를 다음 호스트로 이동</translation>
    </message>
    <message>
        <source>Enter, Del</source>
        <translation>Enter, Del</translation>
    </message>
    <message>
        <source>change its port, remove it</source>
        <translation>포트 변경, 제거</translation>
    </message>
    <message>
        <source>paste a cluster</source>
        <translation>클러스터 붙여넣기</translation>
    </message>
    <message>
        <source>copy the TF_CONFIG of every task</source>
        <translation>모든 태스크의 TF_CONFIG 복사</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Space</translation>
    </message>
    <message>
        <source>check the run for the charts</source>
        <translation>차트에 넣을 실행 선택</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>이름 바꾸기</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>고정</translation>
    </message>
    <message>
        <source>archive (the toast undoes it)</source>
        <translation>보관 (알림에서 취소 가능)</translation>
    </message>
    <message>
        <source>logarithmic x axis</source>
        <translation>로그 x축</translation>
    </message>
    <message>
        <source>step, relative or wall time, epoch</source>
        <translation>스텝, 상대 시간, 실제 시각, 에포크</translation>
    </message>
    <message>
        <source>+, −</source>
        <translation>+, −</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>확대와 축소</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>이동</translation>
    </message>
    <message>
        <source>move the cursor</source>
        <translation>커서 이동</translation>
    </message>
    <message>
        <source>next and previous mark; Ctrl+Enter opens it</source>
        <translation>다음과 이전 표시, Ctrl+Enter로 열기</translation>
    </message>
    <message>
        <source>move the chart</source>
        <translation>차트 옮기기</translation>
    </message>
    <message>
        <source>Enter, Esc</source>
        <translation>Enter, Esc</translation>
    </message>
    <message>
        <source>full size and back; ← → change the chart</source>
        <translation>전체 크기와 되돌리기, ← →로 차트 바꾸기</translation>
    </message>
    <message>
        <source>the chart as a table</source>
        <translation>차트를 표로 보기</translation>
    </message>
    <message>
        <source>search</source>
        <translation>찾기</translation>
    </message>
    <message>
        <source>next and previous place</source>
        <translation>다음과 이전 자리</translation>
    </message>
    <message>
        <source>back and forward</source>
        <translation>뒤로와 앞으로</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>move the step of the pipeline</source>
        <translation>파이프라인 단계 이동</translation>
    </message>
    <message>
        <source>switch it on or off</source>
        <translation>켜고 끄기</translation>
    </message>
    <message>
        <source>find a data set</source>
        <translation>데이터셋 찾기</translation>
    </message>
    <message>
        <source>copy or cut it, as Keras code</source>
        <translation>Keras 코드로 복사하거나 잘라내기</translation>
    </message>
    <message>
        <source>paste layers or other Keras code</source>
        <translation>레이어나 다른 Keras 코드 붙여넣기</translation>
    </message>
</context>
<context>
    <name>HistogramStack</name>
    <message>
        <source>Histogram of %1</source>
        <translation>%1의 히스토그램</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>히스토그램</translation>
    </message>
    <message>
        <source>epoch %1: from %2 to %3, mean %4</source>
        <translation>에포크 %1: %2에서 %3까지, 평균 %4</translation>
    </message>
    <message>
        <source>all values are %1</source>
        <translation>모든 값이 %1</translation>
    </message>
</context>
<context>
    <name>Host</name>
    <message>
        <source>The agent of this computer is ready.</source>
        <translation>이 컴퓨터의 에이전트가 준비되었습니다.</translation>
    </message>
    <message>
        <source>The agent does not answer: %1</source>
        <translation>에이전트가 응답하지 않습니다: %1</translation>
    </message>
    <message numerus="yes">
        <source>no sign of life for %n second(s)</source>
        <translation>
            <numerusform>%n초 동안 응답 신호 없음</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent answers again.</source>
        <translation>에이전트가 다시 응답합니다.</translation>
    </message>
    <message>
        <source>The list of runs was lost and built again from their folders (%1).</source>
        <translation>실행 목록이 없어져 실행 폴더에서 다시 만들었습니다(%1).</translation>
    </message>
</context>
<context>
    <name>HostChart</name>
    <message>
        <source>Processor</source>
        <translation>프로세서</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>코어</translation>
    </message>
    <message>
        <source>all</source>
        <translation>전체</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>used</source>
        <translation>사용 중</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>네트워크</translation>
    </message>
    <message>
        <source>MB / s</source>
        <translation>MB / s</translation>
    </message>
    <message>
        <source>received</source>
        <translation>수신</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>송신</translation>
    </message>
    <message>
        <source>loopback</source>
        <translation>루프백</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>사용률</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 메모리</translation>
    </message>
</context>
<context>
    <name>HostChecks</name>
    <message>
        <source>Agent</source>
        <translation>에이전트</translation>
    </message>
    <message>
        <source>ready, this computer only</source>
        <translation>준비됨, 이 컴퓨터 전용</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>연결하는 중</translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>에이전트가 응답하지 않음</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>시작하기</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>프로세서</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n코어, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>찾지 못함</translation>
    </message>
    <message>
        <source>none found: %1</source>
        <translation>찾지 못함: %1</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>%1 GB free of %2 GB</source>
        <translation>%2 GB 중 %1 GB 사용 가능</translation>
    </message>
    <message>
        <source>Data sets</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>none found on this computer</source>
        <translation>이 컴퓨터에 없음</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>디스크</translation>
    </message>
    <message>
        <source>%1 GB free for runs</source>
        <translation>실행에 %1 GB 사용 가능</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>고치기</translation>
    </message>
    <message>
        <source>TF_CONFIG: all rules hold</source>
        <translation>TF_CONFIG: 모든 규칙을 지킴</translation>
    </message>
    <message>
        <source>Ports of this computer are free</source>
        <translation>이 컴퓨터의 포트를 쓸 수 있음</translation>
    </message>
    <message>
        <source>%1 is here: %2 training samples</source>
        <translation>%1 있음: 훈련 샘플 %2개</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s) for each task</source>
        <translation>
            <numerusform>태스크마다 %n코어</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tasks share %n core(s)</source>
        <translation>
            <numerusform>태스크 %1개가 %n코어를 나눠 씀</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 GB</source>
        <translation>%1, %2 GB</translation>
    </message>
    <message>
        <source>no NCCL</source>
        <translation>NCCL 없음</translation>
    </message>
    <message>
        <source>%1 can&apos;t be used: %2</source>
        <translation>%1 사용 불가: %2</translation>
    </message>
</context>
<context>
    <name>HostChecksView</name>
    <message>
        <source>Check again</source>
        <translation>다시 검사</translation>
    </message>
    <message numerus="yes">
        <source>checked %n min ago</source>
        <translation>
            <numerusform>%n분 전 검사함</numerusform>
        </translation>
    </message>
    <message>
        <source>checked just now</source>
        <translation>방금 검사함</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>연결하는 중</translation>
    </message>
    <message>
        <source>No agent</source>
        <translation>에이전트 없음</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>아직 검사 안 함</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>준비됨</translation>
    </message>
    <message>
        <source>State of this computer</source>
        <translation>이 컴퓨터의 상태</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>이 컴퓨터</translation>
    </message>
</context>
<context>
    <name>HostDialog</name>
    <message>
        <source>A Tandem lies there that does not tell its version.</source>
        <translation>그곳의 Tandem이 자기 버전을 알려 주지 않습니다.</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, which is older than this one.</source>
        <translation>그곳의 Tandem은 이 버전보다 오래된 %1입니다.</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, which is newer than this one.</source>
        <translation>그곳의 Tandem은 이 버전보다 새로운 %1입니다.</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, as here.</source>
        <translation>그곳의 Tandem도 여기와 같은 %1입니다.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>프로세서</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>코어</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>Free disk</source>
        <translation>남은 디스크</translation>
    </message>
    <message>
        <source>Tandem there</source>
        <translation>그곳의 Tandem</translation>
    </message>
    <message>
        <source>%1: expected a new name, the list has it</source>
        <translation>%1: 새 이름이 필요하지만 목록에 이미 있습니다</translation>
    </message>
    <message>
        <source>Remove the host</source>
        <translation>호스트 제거</translation>
    </message>
    <message>
        <source>The project has tasks or a card for %1. Do you want to remove it from your list?</source>
        <translation>프로젝트에 %1의 태스크나 카드가 있습니다. 목록에서 제거하시겠습니까?</translation>
    </message>
    <message>
        <source>Its tasks can&apos;t be started from here then. Nothing changes there.</source>
        <translation>그러면 그 태스크를 여기서 시작할 수 없습니다. 그 컴퓨터에서는 아무것도 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>제거</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>Use name only</source>
        <translation>이름만 사용</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>추가</translation>
    </message>
    <message>
        <source>Use in project</source>
        <translation>프로젝트에서 사용</translation>
    </message>
    <message>
        <source>Which computer?</source>
        <translation>어떤 컴퓨터입니까?</translation>
    </message>
    <message>
        <source>Not looked at</source>
        <translation>살펴보지 않음</translation>
    </message>
    <message>
        <source>Looking at %1</source>
        <translation>%1 살펴보는 중</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>연결하지 않음</translation>
    </message>
    <message>
        <source>ssh got no answer from you, so nothing is known of it.</source>
        <translation>ssh의 물음에 답하지 않아 아무것도 알아내지 못했습니다.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>다시 보기</translation>
    </message>
    <message>
        <source>Out of reach</source>
        <translation>연결할 수 없음</translation>
    </message>
    <message>
        <source>Reached in %1 ms</source>
        <translation>%1 ms 만에 연결됨</translation>
    </message>
    <message>
        <source>Install puts this Tandem there, without root.</source>
        <translation>설치하면 이 Tandem을 root 권한 없이 그곳에 둡니다.</translation>
    </message>
    <message>
        <source>Add it first; then Install puts this Tandem there, without root.</source>
        <translation>먼저 추가하십시오. 그런 다음 설치하면 이 Tandem을 root 권한 없이 그곳에 둡니다.</translation>
    </message>
    <message>
        <source>It asked for a password; nobody answers one when a run starts: ssh-copy-id %1 puts a key there.</source>
        <translation>암호를 물었습니다. 실행을 시작할 때는 답할 사람이 없습니다. ssh-copy-id %1 명령으로 키를 그곳에 두십시오.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 중 %1</translation>
    </message>
    <message>
        <source>It was not installed</source>
        <translation>설치하지 못함</translation>
    </message>
    <message>
        <source>Runs may use it. Its agent answers in %1 ms.</source>
        <translation>실행에 쓸 수 있습니다. 에이전트가 %1 ms 만에 응답합니다.</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>설치</translation>
    </message>
    <message>
        <source>Install this version</source>
        <translation>이 버전 설치</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>업데이트</translation>
    </message>
    <message>
        <source>Type a name first</source>
        <translation>먼저 이름을 입력하십시오</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message>
        <source>The project has it</source>
        <translation>프로젝트에 이미 있습니다</translation>
    </message>
    <message>
        <source>A card for its tasks, to export their TF_CONFIG. They are started by hand there</source>
        <translation>그 태스크의 카드를 만들어 TF_CONFIG를 내보냅니다. 태스크는 그곳에서 손수 시작합니다</translation>
    </message>
    <message>
        <source>A pairing line</source>
        <translation>페어링 줄</translation>
    </message>
    <message>
        <source>Pairing with %1</source>
        <translation>페어링 중: %1</translation>
    </message>
    <message>
        <source>Add pairs the two computers. The line is good once, for ten minutes.</source>
        <translation>추가하면 두 컴퓨터가 페어링됩니다. 이 줄은 한 번, 10분 동안만 쓸 수 있습니다.</translation>
    </message>
    <message>
        <source>Type a name, or what ssh takes: what is there is shown as soon as you pause. A computer without ssh is paired by the line that tandem-agent invite prints there.</source>
        <translation>이름이나 ssh가 받는 것을 입력하십시오. 입력을 멈추면 그곳에 무엇이 있는지 표시됩니다. ssh가 없는 컴퓨터는 그곳에서 tandem-agent invite가 출력하는 줄로 페어링합니다.</translation>
    </message>
    <message>
        <source>A key wanted its passphrase or PIN; nobody answers that when a run starts: ssh-add gives the key to ssh-agent.</source>
        <translation>키가 암호문이나 PIN을 요구했습니다. 실행이 시작될 때는 아무도 대답하지 않습니다. ssh-add로 키를 ssh-agent에 넣을 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>HostForm</name>
    <message>
        <source>Name in clusters</source>
        <translation>클러스터에서 쓸 이름</translation>
    </message>
    <message>
        <source>Tandem&apos;s folder there</source>
        <translation>그곳의 Tandem 폴더</translation>
    </message>
    <message>
        <source>Where ssh goes, or a pairing line</source>
        <translation>ssh 대상 또는 페어링 줄</translation>
    </message>
</context>
<context>
    <name>HostListView</name>
    <message>
        <source>Looking at it</source>
        <translation>살펴보는 중</translation>
    </message>
    <message numerus="yes">
        <source>Ready, %n core(s)</source>
        <translation>
            <numerusform>준비됨, 코어 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Tandem %1, older</source>
        <translation>Tandem %1, 오래됨</translation>
    </message>
    <message>
        <source>Tandem %1, newer</source>
        <translation>Tandem %1, 새로움</translation>
    </message>
    <message>
        <source>No Tandem there</source>
        <translation>Tandem 없음</translation>
    </message>
    <message>
        <source>Out of reach</source>
        <translation>연결할 수 없음</translation>
    </message>
    <message>
        <source>New host</source>
        <translation>새 호스트</translation>
    </message>
    <message>
        <source>By name or address</source>
        <translation>이름이나 주소로</translation>
    </message>
    <message>
        <source>Your hosts</source>
        <translation>내 호스트</translation>
    </message>
    <message>
        <source>Of ~/.ssh/config</source>
        <translation>~/.ssh/config의 이름</translation>
    </message>
    <message>
        <source>Not in the list yet</source>
        <translation>아직 목록에 없음</translation>
    </message>
</context>
<context>
    <name>HostLoadRows</name>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>메모리</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>네트워크</translation>
    </message>
    <message>
        <source>Loopback</source>
        <translation>루프백</translation>
    </message>
    <message>
        <source>Over every network card, received and sent.</source>
        <translation>모든 네트워크 카드에서 받고 보낸 양입니다.</translation>
    </message>
    <message>
        <source>What programs of this computer send each other over TCP: workers that exchange gradients by gRPC.</source>
        <translation>이 컴퓨터의 프로그램이 TCP로 서로 주고받는 양입니다. gRPC로 그래디언트를 교환하는 워커가 여기에 들어갑니다.</translation>
    </message>
    <message>
        <source>%1 of %2 cores</source>
        <translation>%1 / %2코어</translation>
    </message>
    <message>
        <source>Tandem&apos;s tasks: %1 cores, other programs: %2.</source>
        <translation>Tandem의 태스크: %1코어, 다른 프로그램: %2.</translation>
    </message>
    <message>
        <source>%1 of %2 GB</source>
        <translation>%1 / %2 GB</translation>
    </message>
    <message>
        <source>Tandem&apos;s tasks: %1 GB, shared memory counted in each of them.</source>
        <translation>Tandem의 태스크: %1 GB, 공유 메모리는 태스크마다 셉니다.</translation>
    </message>
    <message>
        <source>↓ %1 ↑ %2 MB/s</source>
        <translation>↓ %1 ↑ %2 MB/s</translation>
    </message>
    <message>
        <source>%1 MB/s</source>
        <translation>%1 MB/s</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>%1 %, %2 of %3 GB</source>
        <translation>%1 %, %2 / %3 GB</translation>
    </message>
    <message>
        <source>Time in which a kernel ran, and memory. Tandem&apos;s tasks hold %1 GB of all GPUs.</source>
        <translation>커널이 실행된 시간의 비율과 메모리입니다. Tandem의 태스크가 모든 GPU에서 %1 GB를 사용합니다.</translation>
    </message>
</context>
<context>
    <name>HostQuestionCard</name>
    <message>
        <source>Answer to ssh</source>
        <translation>ssh에 줄 답</translation>
    </message>
    <message>
        <source>The key of %1 is not known here</source>
        <translation>%1의 키를 처음 봅니다</translation>
    </message>
    <message>
        <source>%1 did not take that, and asks again</source>
        <translation>%1에서 그 답을 받아들이지 않고 다시 묻습니다</translation>
    </message>
    <message>
        <source>ssh waits for you</source>
        <translation>ssh가 기다립니다</translation>
    </message>
    <message>
        <source>ssh asks you</source>
        <translation>ssh가 묻습니다</translation>
    </message>
    <message>
        <source>Trust it where whoever looks after the computer names the same. ssh keeps it in known_hosts then.</source>
        <translation>그 컴퓨터의 관리자가 같은 지문을 알려 줄 때만 신뢰하십시오. 그러면 ssh가 known_hosts에 둡니다.</translation>
    </message>
    <message>
        <source>Trust this key</source>
        <translation>이 키를 신뢰</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>계속</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>예</translation>
    </message>
    <message>
        <source>Do not trust it</source>
        <translation>신뢰하지 않음</translation>
    </message>
    <message>
        <source>No</source>
        <translation>아니요</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
</context>
<context>
    <name>HostTexts</name>
    <message>
        <source>expected the host key that known_hosts has, the host key has changed: ask whoever looks after the host whether it should have; ssh-keygen -R forgets the former key (%1)</source>
        <translation>known_hosts에 있는 호스트 키가 와야 하지만 호스트 키가 바뀌었습니다. 키가 바뀌는 것이 맞는지 그 호스트 관리자에게 물어보십시오. ssh-keygen -R는 예전 키를 지웁니다(%1)</translation>
    </message>
    <message>
        <source>expected a name that is known here, no computer goes by it (%1)</source>
        <translation>이 컴퓨터가 아는 이름이어야 하지만 그 이름을 가진 컴퓨터가 없습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, no route leads to the host (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 그 호스트로 가는 경로가 없습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, no route leads to its network (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 그 네트워크로 가는 경로가 없습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was refused (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 연결이 거부되었습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, it did not answer in time (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 제시간에 응답하지 않았습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, it does not answer any more (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 더는 응답하지 않습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was closed (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 연결이 닫혔습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was cut (%1)</source>
        <translation>응답하는 ssh 서버가 있어야 하지만 연결이 끊겼습니다(%1)</translation>
    </message>
    <message>
        <source>expected a host key that is known here, known_hosts has none of it: connect once with ssh by hand and confirm its key (%1)</source>
        <translation>이 컴퓨터가 아는 호스트 키여야 하지만 known_hosts에 없습니다. ssh로 한 번 직접 연결하여 키를 확인하십시오(%1)</translation>
    </message>
    <message>
        <source>expected to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password (%1)</source>
        <translation>로그인할 수 있어야 하지만 거부되었습니다. ssh-agent의 키를 쓰거나, 암호라면 터미널 또는 SSH_ASKPASS를 쓰십시오(%1)</translation>
    </message>
    <message>
        <source>expected to be let in, permission was denied (%1)</source>
        <translation>로그인할 수 있어야 하지만 거부되었습니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server with algorithms of this computer&apos;s ssh, they have none in common (%1)</source>
        <translation>이 컴퓨터의 ssh와 알고리즘이 맞는 ssh 서버여야 하지만 공통된 것이 없습니다(%1)</translation>
    </message>
    <message>
        <source>expected a configuration that ssh can read, it can&apos;t (%1)</source>
        <translation>ssh가 읽을 수 있는 설정이어야 하지만 읽지 못합니다(%1)</translation>
    </message>
    <message>
        <source>expected an ssh server that forwards the agent&apos;s socket, it did not: AllowStreamLocalForwarding in its sshd_config lets it; where it does so, the agent there has just ended: try again (%1)</source>
        <translation>에이전트의 소켓을 전달하는 ssh 서버여야 하지만 전달하지 않았습니다. sshd_config의 AllowStreamLocalForwarding이 이를 허용합니다. 이미 허용되어 있다면 그곳 에이전트가 방금 끝난 것이니 다시 시도하십시오(%1)</translation>
    </message>
    <message>
        <source>expected ssh to connect, it failed (%1)</source>
        <translation>ssh가 연결해야 하지만 실패했습니다(%1)</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is older: tandem-cli host update %4 installs this one</source>
        <translation>이 컴퓨터와 같은 Tandem %1이어야 하지만 %2의 버전은 더 오래된 %3입니다. tandem-cli host update %4 명령이 이 버전을 설치합니다</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is newer: tandem-cli host update %4 installs this one</source>
        <translation>이 컴퓨터와 같은 Tandem %1이어야 하지만 %2의 버전은 더 새로운 %3입니다. tandem-cli host update %4 명령이 이 버전을 설치합니다</translation>
    </message>
    <message>
        <source>expected a shell that runs sh, got none (%1)</source>
        <translation>sh를 실행하는 셸이 있어야 하지만 없습니다(%1)</translation>
    </message>
    <message>
        <source>expected a shell that runs sh, got none</source>
        <translation>sh를 실행하는 셸이 있어야 하지만 없습니다</translation>
    </message>
    <message>
        <source>expected a processor of the kind %1 as on this computer, got %2</source>
        <translation>이 컴퓨터와 같은 %1 종류의 프로세서여야 하지만 %2입니다</translation>
    </message>
    <message>
        <source>expected Tandem in the folder %1 or on the PATH, found none (%2)</source>
        <translation>폴더 %1이나 PATH에 Tandem이 있어야 하지만 없습니다(%2)</translation>
    </message>
    <message>
        <source>expected Tandem in the folder %1 or on the PATH, found none</source>
        <translation>폴더 %1이나 PATH에 Tandem이 있어야 하지만 없습니다</translation>
    </message>
    <message>
        <source>expected %1 to say its version, it said nothing (%2)</source>
        <translation>%1 프로그램이 버전을 말해야 하지만 아무 말도 하지 않았습니다(%2)</translation>
    </message>
    <message>
        <source>expected %1 to say its version, it said nothing</source>
        <translation>%1 프로그램이 버전을 말해야 하지만 아무 말도 하지 않았습니다</translation>
    </message>
    <message>
        <source>expected %1 to find or start its agent, it did not (%2)</source>
        <translation>%1 프로그램이 에이전트를 찾거나 시작해야 하지만 그러지 못했습니다(%2)</translation>
    </message>
    <message>
        <source>expected %1 to find or start its agent, it did not</source>
        <translation>%1 프로그램이 에이전트를 찾거나 시작해야 하지만 그러지 못했습니다</translation>
    </message>
    <message>
        <source>expected an answer over ssh within %1 s, got none</source>
        <translation>%1초 안에 ssh로 응답이 와야 하지만 없었습니다</translation>
    </message>
    <message>
        <source>expected an answer of the agent there within %1 s, got none</source>
        <translation>%1초 안에 그곳 에이전트의 응답이 와야 하지만 없었습니다</translation>
    </message>
    <message>
        <source>expected ssh to forward the agent&apos;s socket within %1 s, got none</source>
        <translation>%1초 안에 ssh가 에이전트의 소켓을 전달해야 하지만 그러지 못했습니다</translation>
    </message>
    <message>
        <source>expected an agent that listens on a socket, got one at %1</source>
        <translation>소켓에서 기다리는 에이전트여야 하지만 %1에 있습니다</translation>
    </message>
    <message>
        <source>expected its sshd to say by which addresses it was reached (SSH_CONNECTION), it did not</source>
        <translation>sshd가 어떤 주소로 연결되었는지(SSH_CONNECTION) 말해야 하지만 말하지 않았습니다</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, the connection was refused: tandem-agent --listen starts one there</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 연결이 거부되었습니다. 그곳에서 tandem-agent --listen으로 시작하십시오</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, no route leads to the host</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 그 호스트로 가는 경로가 없습니다</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, no route leads to its network</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 그 네트워크로 가는 경로가 없습니다</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, it did not answer in time</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 제때 응답하지 않았습니다</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, it can&apos;t be reached (%2)</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 연결할 수 없습니다(%2)</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, the connection was cut</source>
        <translation>%1에서 기다리는 에이전트가 있어야 하지만 연결이 끊겼습니다</translation>
    </message>
    <message>
        <source>expected an answer of %1 in time, got none</source>
        <translation>%1에서 제때 응답이 와야 하지만 오지 않았습니다</translation>
    </message>
    <message>
        <source>expected an agent of Tandem that listens at %1, got something else (%2)</source>
        <translation>%1에서 Tandem 에이전트가 기다려야 하지만 다른 것이 있습니다(%2)</translation>
    </message>
    <message>
        <source>expected the certificate that begins with %1, got one that begins with %2: another agent listens there, or somebody is in between</source>
        <translation>인증서의 첫 부분이 %1이어야 하지만 %2입니다. 다른 에이전트가 그곳에서 기다리고 있거나 누군가 중간에 있습니다</translation>
    </message>
    <message>
        <source>expected to be let in, the agent there closed the connection: it does not know this computer, unless it has just ended; a new line of tandem-agent invite pairs the two again</source>
        <translation>들어갈 수 있어야 하지만 그곳의 에이전트가 연결을 닫았습니다. 방금 끝난 것이 아니라면 이 컴퓨터를 알지 못하는 것입니다. tandem-agent invite의 새 줄로 둘을 다시 페어링하십시오</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is older: Tandem is updated there by hand, or over ssh</source>
        <translation>이 컴퓨터와 같은 Tandem %1이어야 하지만 %2의 버전은 더 오래된 %3입니다. 그곳의 Tandem은 손으로 또는 ssh로 업데이트합니다</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is newer: Tandem is updated there by hand, or over ssh</source>
        <translation>이 컴퓨터와 같은 Tandem %1이어야 하지만 %2의 버전은 더 새로운 %3입니다. 그곳의 Tandem은 손으로 또는 ssh로 업데이트합니다</translation>
    </message>
    <message>
        <source>expected a host that is reached over ssh, got one that is reached directly: Tandem is put there by hand, or after tandem-cli host add with --ssh</source>
        <translation>ssh로 연결하는 호스트여야 하지만 직접 연결하는 호스트입니다. Tandem은 손으로, 또는 tandem-cli host add와 --ssh 뒤에 설치합니다</translation>
    </message>
    <message>
        <source>expected a sign of life within %1 s while Tandem is installed, got none</source>
        <translation>Tandem을 설치하는 동안 %1초 안에 응답이 있어야 하지만 없었습니다</translation>
    </message>
    <message>
        <source>expected %1 to be missing, empty or a link called current, it holds something else: move that away, or name another folder</source>
        <translation>%1 자리에는 아무것도 없거나, 빈 폴더나 current라는 링크가 있어야 하지만 다른 것이 들어 있습니다. 그것을 옮기거나 다른 폴더를 지정하십시오</translation>
    </message>
    <message>
        <source>expected a folder that this user there may make or fill, %1 is none: name another folder</source>
        <translation>그곳 사용자가 만들거나 채울 수 있는 폴더여야 하지만 %1 폴더는 아닙니다. 다른 폴더를 지정하십시오</translation>
    </message>
    <message>
        <source>expected %1 of free disk for %2, got %3</source>
        <translation>%2에 디스크 여유 공간이 %1만큼 있어야 하지만 %3입니다</translation>
    </message>
    <message>
        <source>expected a processor of the kind %1 as the bundle is for, got %2</source>
        <translation>번들과 같은 %1 종류의 프로세서여야 하지만 %2입니다</translation>
    </message>
    <message>
        <source>expected the programs that unpack a bundle, these are missing: %1</source>
        <translation>번들을 푸는 프로그램이 있어야 하지만 다음이 없습니다: %1</translation>
    </message>
    <message>
        <source>expected glibc %1 or a newer one, got %2</source>
        <translation>glibc %1 이상이어야 하지만 %2입니다</translation>
    </message>
    <message>
        <source>expected no run while Tandem %1 takes the place of %2, the agent there (process %3) is busy with %4: wait for the end of its runs, or stop them there</source>
        <translation>Tandem %2 대신 %1 버전을 두는 동안에는 실행이 없어야 하지만, 그곳 에이전트(프로세스 %3)가 바쁩니다(%4). 실행이 끝나기를 기다리거나 그곳에서 멈추십시오</translation>
    </message>
    <message>
        <source>expected an archive of Tandem for other computers, found none: in the source tree bash installer/bundle.sh FILE.tar.gz makes one, and --bundle FILE.tar.gz names it</source>
        <translation>다른 컴퓨터용 Tandem 아카이브가 있어야 하지만 없습니다. 소스 트리에서 bash installer/bundle.sh FILE.tar.gz가 만들고, --bundle FILE.tar.gz로 지정합니다</translation>
    </message>
    <message>
        <source>expected %1 free on its disk for the run&apos;s files, got %2</source>
        <translation>실행의 파일을 위해 디스크에 %1의 여유가 있어야 하지만 %2입니다</translation>
    </message>
    <message>
        <source>expected %1 there, under the same path or sent before the run, got neither (%2 are lacking)</source>
        <translation>그곳의 같은 경로에 있거나 실행 전에 보내져 있어야 하지만 둘 다 아닙니다: %1(%2 부족)</translation>
    </message>
    <message>
        <source>%1: was not sent in time</source>
        <translation>%1: 제시간에 보내지 못했습니다</translation>
    </message>
    <message>
        <source>expected each computer under one name, got %1 and %2 for the same one</source>
        <translation>컴퓨터마다 이름이 하나여야 하지만 %1, %2 두 이름이 같은 컴퓨터입니다</translation>
    </message>
    <message>
        <source>expected each computer once, got %1 and %2, both this one</source>
        <translation>컴퓨터는 한 번씩만 나와야 하지만 %1, %2 모두 이 컴퓨터입니다</translation>
    </message>
    <message>
        <source>expected a run whose %1 is on this computer, where it writes the weights, got it on %2</source>
        <translation>가중치를 쓰는 %1 태스크가 이 컴퓨터에 있어야 하지만 %2에 있습니다</translation>
    </message>
    <message>
        <source>expected a run on this computer, where it writes the weights, got it on %1</source>
        <translation>가중치를 쓰는 이 컴퓨터에서 실행해야 하지만 %1에 있습니다</translation>
    </message>
    <message>
        <source>expected it on %1, where the checkpoints of %2 are written, got it on %3</source>
        <translation>%2의 체크포인트가 저장되는 %1에 있어야 하지만 %3에 있습니다</translation>
    </message>
    <message>
        <source>expected a chief on this computer beside an evaluator and parameter servers, got it on %1</source>
        <translation>평가자와 매개변수 서버가 있으면 chief가 이 컴퓨터에 있어야 하지만 %1에 있습니다</translation>
    </message>
    <message>
        <source>expected the backup that the run goes on from on the host of its worker 0 or chief, it was written on another one: name the hosts in the same order, or begin anew (--overwrite)</source>
        <translation>이어 갈 백업이 worker 0이나 chief의 호스트에 있어야 하지만 다른 호스트에서 쓰였습니다. 호스트를 같은 순서로 지정하거나 처음부터 다시 시작하십시오(--overwrite)</translation>
    </message>
    <message>
        <source>the host is out of reach</source>
        <translation>호스트에 연결할 수 없습니다</translation>
    </message>
    <message>
        <source>expected an address of this computer (%1), got %2</source>
        <translation>이 컴퓨터(%1)의 주소여야 하지만 %2입니다</translation>
    </message>
    <message>
        <source>%1: expected a free one, got one that another process uses</source>
        <translation>%1: 비어 있어야 하지만 다른 프로세스가 쓰고 있습니다</translation>
    </message>
    <message>
        <source>%1: expected a free one, got one that %2 uses</source>
        <translation>%1: 비어 있어야 하지만 %2에서 쓰고 있습니다</translation>
    </message>
    <message>
        <source>expected %1 GPUs for each task, this computer has %2 for %3 tasks</source>
        <translation>태스크마다 GPU %1개가 있어야 하지만 이 컴퓨터에는 태스크 %3개에 %2개뿐입니다</translation>
    </message>
    <message>
        <source>expected %1 GPUs for each task, this computer has %2 for 1 task</source>
        <translation>태스크마다 GPU %1개가 있어야 하지만 이 컴퓨터에는 태스크 1개에 %2개뿐입니다</translation>
    </message>
    <message>
        <source>expected 1 GPU for each task, this computer has %1 for %2 tasks</source>
        <translation>태스크마다 GPU 1개가 있어야 하지만 이 컴퓨터에는 태스크 %2개에 %1개뿐입니다</translation>
    </message>
    <message>
        <source>expected 1 GPU for each task, this computer has %1 for 1 task</source>
        <translation>태스크마다 GPU 1개가 있어야 하지만 이 컴퓨터에는 태스크 1개에 %1개뿐입니다</translation>
    </message>
    <message>
        <source>%1: %2 is using this folder</source>
        <translation>%1: 이 폴더를 %2에서 쓰고 있습니다</translation>
    </message>
    <message>
        <source>expected a new folder or that of an unfinished run, got one with a finished run (%1), which would be overwritten; give another folder with --out, or --overwrite to begin anew there</source>
        <translation>새 폴더나 끝나지 않은 실행의 폴더여야 하지만 끝난 실행(%1)의 폴더라서 덮어쓰게 됩니다. --out으로 다른 폴더를 지정하거나, --overwrite로 그곳에서 새로 시작하십시오</translation>
    </message>
    <message>
        <source>%1: can&apos;t be made a folder: %2</source>
        <translation>%1: 폴더를 만들 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: can&apos;t be written: %2</source>
        <translation>%1: 쓸 수 없습니다: %2</translation>
    </message>
    <message>
        <source>%1: the end of its last attempt is not on disk yet, for there is no room; it can&apos;t go on before</source>
        <translation>%1: 공간이 없어 마지막 시도의 끝이 아직 디스크에 없습니다. 그 전에는 이어 갈 수 없습니다</translation>
    </message>
    <message>
        <source>%1: is being started again</source>
        <translation>%1: 다시 시작하는 중입니다</translation>
    </message>
    <message>
        <source>%1: its chief runs on another host</source>
        <translation>%1: chief가 다른 호스트에서 실행 중입니다</translation>
    </message>
    <message>
        <source>%1: not found on this host</source>
        <translation>%1: 이 호스트에서 찾을 수 없습니다</translation>
    </message>
    <message>
        <source>%1: is not running</source>
        <translation>%1: 실행 중이 아닙니다</translation>
    </message>
    <message>
        <source>%1: is ending</source>
        <translation>%1: 끝나는 중입니다</translation>
    </message>
    <message>
        <source>%1: is over</source>
        <translation>%1: 이미 끝났습니다</translation>
    </message>
    <message>
        <source>expected at most %1 connections of this computer at once, the agent there takes no more</source>
        <translation>이 컴퓨터의 연결은 한 번에 최대 %1개여야 하지만, 그곳의 에이전트가 더 받지 않습니다</translation>
    </message>
    <message>
        <source>expected the line that tandem-agent invite prints, tandem://HOST:PORT/FINGERPRINT/SECRET, got another text</source>
        <translation>tandem-agent invite가 출력하는 줄 tandem://HOST:PORT/FINGERPRINT/SECRET이어야 하지만 다른 텍스트입니다</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that was used before: tandem-agent invite there prints another</source>
        <translation>쓸 수 있는 페어링 줄이어야 하지만 이미 쓰인 것입니다. 그곳에서 tandem-agent invite가 새 줄을 출력합니다</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that has expired, since it is good for ten minutes and until the next one is made: tandem-agent invite there prints another</source>
        <translation>쓸 수 있는 페어링 줄이어야 하지만 만료된 것입니다. 줄은 10분 동안, 다음 줄이 만들어질 때까지만 쓸 수 있습니다. 그곳에서 tandem-agent invite가 새 줄을 출력합니다</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that three wrong tries have ended: tandem-agent invite there prints another</source>
        <translation>쓸 수 있는 페어링 줄이어야 하지만 세 번의 잘못된 시도로 끝난 것입니다. 그곳에서 tandem-agent invite가 새 줄을 출력합니다</translation>
    </message>
    <message>
        <source>expected a pairing line of the agent there, it knows none with this secret: tandem-agent invite there prints another</source>
        <translation>그곳 에이전트의 페어링 줄이어야 하지만, 에이전트는 이 비밀을 가진 줄을 알지 못합니다. 그곳에서 tandem-agent invite가 새 줄을 출력합니다</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got an agent of version %2: update Tandem on either computer; the line stays good</source>
        <translation>이 컴퓨터와 같은 Tandem %1이어야 하지만 에이전트의 버전이 %2입니다. 어느 한쪽의 Tandem을 업데이트하십시오. 줄은 계속 쓸 수 있습니다</translation>
    </message>
    <message>
        <source>Slurm took no job: %1</source>
        <translation>Slurm이 잡을 받지 않았습니다: %1</translation>
    </message>
    <message>
        <source>Slurm did not cancel job %1: %2</source>
        <translation>Slurm이 %1번 잡을 취소하지 않았습니다: %2</translation>
    </message>
    <message>
        <source>expected Slurm&apos;s program on the PATH that this computer&apos;s agent was started with, found none</source>
        <translation>이 컴퓨터의 에이전트가 시작된 PATH에 Slurm 프로그램이 있어야 하는데, 찾지 못했습니다</translation>
    </message>
    <message>
        <source>expected an empty folder, or that of an earlier job, got one with other files</source>
        <translation>빈 폴더이거나 이전 잡의 폴더여야 하는데, 다른 파일이 있는 폴더입니다</translation>
    </message>
    <message>
        <source>expected a folder whose run may go on, got run %1 of job %2, which is done</source>
        <translation>이어질 수 있는 실행의 폴더여야 하는데, %2번 잡의 완료된 실행(%1)입니다</translation>
    </message>
    <message>
        <source>expected a folder whose run may go on, got run %1 of job %2, which goes on</source>
        <translation>이어질 수 있는 실행의 폴더여야 하는데, %2번 잡의 아직 진행 중인 실행(%1)입니다</translation>
    </message>
    <message>
        <source>%1: waits for job %2</source>
        <translation>%1: %2번 잡을 기다립니다</translation>
    </message>
    <message>
        <source>expected minutes, hours:minutes:seconds or days-hours, such as 02:00:00, got %1</source>
        <translation>분, 시:분:초 또는 일-시여야 합니다(예: 02:00:00). 받은 값: %1</translation>
    </message>
    <message>
        <source>expected %1 minutes or more, since the tasks stop %2 minutes before the end, got %3</source>
        <translation>태스크가 종료 %2분 전에 멈추므로 %1분 이상이어야 합니다. 받은 값: %3</translation>
    </message>
    <message>
        <source>expected a number with K, M, G or T, such as 4G, got %1</source>
        <translation>K, M, G, T가 붙은 수여야 합니다(예: 4G). 받은 값: %1</translation>
    </message>
    <message>
        <source>expected the name of a partition, or several with commas, got %1</source>
        <translation>파티션 이름이거나 쉼표로 나눈 여러 이름이어야 합니다. 받은 값: %1</translation>
    </message>
    <message>
        <source>expected as many tasks in all as the project&apos;s cluster has (%1), so that each has its job, got %2</source>
        <translation>태스크마다 잡이 있도록 전체 태스크 수가 프로젝트의 클러스터와 같아야 합니다(%1). 받은 값: %2</translation>
    </message>
    <message>
        <source>expected the name of an image, such as registry.example/tandem:latest, got %1</source>
        <translation>이미지 이름이어야 합니다(예: registry.example/tandem:latest). 받은 값: %1</translation>
    </message>
    <message>
        <source>expected the name of a computer, such as node1, got %1</source>
        <translation>컴퓨터 이름이어야 합니다(예: node1). 받은 값: %1</translation>
    </message>
    <message>
        <source>expected the computers on which the tasks are to run, such as node1,node2:2, since the project&apos;s cluster has %1, got none</source>
        <translation>프로젝트의 클러스터에 %1 주소가 있으므로, 태스크를 실행할 컴퓨터가 있어야 합니다(예: node1,node2:2). 받은 값이 없습니다</translation>
    </message>
    <message>
        <source>expected the computers on which the tasks are to run, such as node1,node2:2, got none</source>
        <translation>태스크를 실행할 컴퓨터가 있어야 합니다(예: node1,node2:2). 받은 값이 없습니다</translation>
    </message>
    <message>
        <source>expected names such as node1,node2:2, got an empty one</source>
        <translation>node1,node2:2와 같은 이름이어야 하는데 빈 이름이 있습니다</translation>
    </message>
    <message>
        <source>expected each host once, got %1 twice; &quot;%2:2&quot; gives it two workers</source>
        <translation>호스트는 한 번씩만 적어야 하는데 두 번 있습니다: %1. &quot;%2:2&quot;로 적으면 그 호스트에 워커가 둘입니다</translation>
    </message>
    <message>
        <source>expected a number of workers, 0 to %1, got %2</source>
        <translation>워커의 수는 0에서 %1까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected as many tasks as the %1 has (%2), so that each has its job, got %3</source>
        <translation>태스크마다 잡이 있도록 태스크 수가 %1의 태스크 수와 같아야 합니다(%2). 받은 값: %3</translation>
    </message>
    <message>
        <source>expected at most %1 pods, got %2</source>
        <translation>파드는 %1개까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, as a ConfigMap holds, got %2</source>
        <translation>ConfigMap에 들어가는 %1바이트까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected the jobs chief, worker, ps and evaluator, as a TFJob has them, got %1</source>
        <translation>TFJob에 있는 잡 chief, worker, ps, evaluator여야 합니다. 받은 값: %1</translation>
    </message>
    <message>
        <source>expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it</source>
        <translation>strategy.communication이 MPI인 프로젝트에는 mpirun이 필요한데, mpirun 없이 태스크를 시작하는 종류입니다</translation>
    </message>
    <message>
        <source>expected no setting of fit.seed beside it, which gives each run a seed of its own, got %1</source>
        <translation>실행마다 시드를 따로 주므로 fit.seed 설정과 함께 쓸 수 없습니다. 받은 값: %1</translation>
    </message>
    <message>
        <source>expected at most %1 runs in one file, got %2</source>
        <translation>한 파일의 실행은 %1개까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected a run whose tasks this agent started, got one that it only follows</source>
        <translation>이 에이전트가 태스크를 시작한 실행이어야 하는데, 따라가기만 하는 실행입니다</translation>
    </message>
    <message>
        <source>expected workers that sum with each other, %1 does not</source>
        <translation>서로 합산하는 워커여야 하는데 그렇지 않습니다: %1</translation>
    </message>
    <message>
        <source>expected a process that runs, it has ended</source>
        <translation>돌고 있는 프로세스여야 하는데 이미 끝났습니다</translation>
    </message>
    <message>
        <source>%1: has no task %2</source>
        <translation>%1: %2 태스크가 없습니다</translation>
    </message>
    <message>
        <source>%1: has lost a task; it ends, or is about to start again</source>
        <translation>%1: 태스크 하나를 잃어 끝나는 중이거나 곧 다시 시작합니다</translation>
    </message>
    <message>
        <source>%1: %2, where %3 runs, is out of reach</source>
        <translation>%1: %3의 컴퓨터 %2에 닿지 않습니다</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not over yet</source>
        <translation>%1: &quot;%2&quot; 장애가 아직 끝나지 않았습니다</translation>
    </message>
    <message>
        <source>%1: does not take orders</source>
        <translation>%1: 명령을 받지 않습니다</translation>
    </message>
    <message>
        <source>%1: the supervisor did not answer in time</source>
        <translation>%1: 감독자가 제때 답하지 않았습니다</translation>
    </message>
    <message>
        <source>%1: its event files are only read</source>
        <translation>%1: 이벤트 파일은 읽기만 합니다</translation>
    </message>
    <message>
        <source>expected one task or more, got none</source>
        <translation>태스크가 하나 이상이어야 하는데 없습니다</translation>
    </message>
    <message>
        <source>expected at most %1 containers on one computer, got %2</source>
        <translation>컴퓨터 한 대에 컨테이너는 %1개까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected at most %1 containers in one file, got %2</source>
        <translation>파일 하나에 컨테이너는 %1개까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected at most %1 GPUs, got %2</source>
        <translation>GPU는 %1개까지여야 합니다. 받은 값: %2</translation>
    </message>
    <message>
        <source>expected the folder of a run, got none: %1</source>
        <translation>실행 폴더여야 하는데 없습니다: %1</translation>
    </message>
    <message>
        <source>expected the folder of a run that tells its events there (%1), or one with TensorBoard&apos;s event files, got one without them; a task tells them when tandem-worker trains without an agent</source>
        <translation>이벤트를 적는 실행의 폴더(%1)이거나 TensorBoard 이벤트 파일이 있는 폴더여야 하는데 그런 파일이 없습니다. 태스크는 tandem-worker가 에이전트 없이 훈련할 때 이벤트를 적습니다</translation>
    </message>
    <message>
        <source>expected a file that begins with the start of its task, got none; its first line may be on its way</source>
        <translation>태스크의 시작으로 시작하는 파일이 있어야 하는데 없습니다. 첫 줄이 아직 오는 중일 수 있습니다</translation>
    </message>
    <message>
        <source>expected events of version %1, got version %2, of a newer Tandem</source>
        <translation>버전 %1의 이벤트여야 하는데 더 새로운 Tandem의 버전 %2입니다</translation>
    </message>
    <message>
        <source>expected a run without an agent, got run %1, which an agent trains there</source>
        <translation>에이전트 없는 실행이어야 하는데, 에이전트가 그곳에서 훈련하는 실행 %1입니다</translation>
    </message>
    <message>
        <source>expected a run that no agent of another computer or user follows, got run %1, whose journal such an agent writes; watch it there, or here %2 minutes after that agent has ended</source>
        <translation>다른 컴퓨터나 다른 사용자의 에이전트가 따라가지 않는 실행이어야 하는데, 실행 %1의 저널을 그런 에이전트가 쓰고 있습니다. 그곳에서 보거나, 그 에이전트가 끝나고 %2분 뒤에 여기서 보십시오</translation>
    </message>
    <message>
        <source>expected the folder of a scheduler&apos;s job, got a copy of %1, where run %2 is</source>
        <translation>스케줄러 작업의 폴더여야 하는데 %1의 사본입니다. 실행 %2의 자리는 그곳입니다</translation>
    </message>
    <message>
        <source>job %1 is gone from Slurm, so nothing is left to cancel</source>
        <translation>%1번 잡이 Slurm에서 사라져 취소할 것이 없습니다</translation>
    </message>
    <message>
        <source>Slurm does not answer: sbatch took too long, and no job of it is in the queue</source>
        <translation>Slurm이 응답하지 않습니다. sbatch가 너무 오래 걸렸고, 대기열에 그 잡이 없습니다</translation>
    </message>
    <message>
        <source>Slurm does not answer, so nobody knows whether it took the job; squeue --me will say</source>
        <translation>Slurm이 응답하지 않아 잡을 받았는지 알 수 없습니다. squeue --me가 알려 줄 것입니다</translation>
    </message>
    <message>
        <source>expected a run that no agent of another computer or user follows, got run %1, whose journal %2 writes; watch it there, or here once that program has ended</source>
        <translation>다른 컴퓨터나 다른 사용자의 에이전트가 따라가지 않는 실행이어야 하는데, 실행 %1의 저널을 %2에서 쓰고 있습니다. 그곳에서 보거나, 그 프로그램이 끝난 뒤에 여기서 보십시오</translation>
    </message>
    <message>
        <source>expected a journal that nobody else writes, got one that %1 writes</source>
        <translation>다른 프로그램이 쓰지 않는 저널이어야 하는데 %1에서 쓰고 있습니다</translation>
    </message>
</context>
<context>
    <name>KerasKind</name>
    <message>
        <source>Keras model</source>
        <translation>Keras 모델</translation>
    </message>
    <message>
        <source>One file that keras.saving.load_model opens; .weights.h5 holds the weights alone, for load_weights, and .npz as NumPy&apos;s arrays.</source>
        <translation>keras.saving.load_model이 여는 파일 하나입니다. .weights.h5에는 load_weights가 읽는 가중치만, .npz에는 NumPy 배열로 들어 있습니다.</translation>
    </message>
</context>
<context>
    <name>LabChoice</name>
    <message>
        <source>All of them</source>
        <translation>모두</translation>
    </message>
    <message>
        <source>None of them</source>
        <translation>모두 해제</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s)</source>
        <translation>
            <numerusform>전략 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Tick a strategy to compare with Default</source>
        <translation>Default와 견줄 전략을 고르십시오</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 기록</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Steps of each run</source>
        <translation>실행마다의 스텝 수</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
</context>
<context>
    <name>LabTableModel</name>
    <message>
        <source>Strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>판정</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>가장 큰 차이</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>스텝/초</translation>
    </message>
    <message>
        <source>Moved a step</source>
        <translation>스텝당 전송</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>지연도</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>설명</translation>
    </message>
    <message>
        <source>%1, at most %2</source>
        <translation>%1, 최대 %2</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>기준</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>같음</translation>
    </message>
    <message>
        <source>Differs</source>
        <translation>다름</translation>
    </message>
    <message>
        <source>Differs as expected</source>
        <translation>예상대로 다름</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>비동기</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>실행할 수 없음</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>%2스텝 중 %1</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>대기 중</translation>
    </message>
    <message>
        <source>Not trained</source>
        <translation>훈련하지 않음</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>워커 %1개</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>워커 1개</translation>
    </message>
    <message>
        <source>%1: BatchNormalization takes the statistics of each replica&apos;s own part of the batch, as in Keras</source>
        <translation>%1: BatchNormalization은 Keras처럼 배치 가운데 각 복제본의 몫에서 통계를 냅니다</translation>
    </message>
    <message>
        <source>%1: each replica clips its own gradients before they are summed, as in Keras</source>
        <translation>%1: Keras처럼 각 복제본이 자기 그래디언트를 더하기 전에 자릅니다</translation>
    </message>
    <message>
        <source>%1: the loss is a mean over what the mask leaves of each replica&apos;s part, as in Keras</source>
        <translation>%1: Keras처럼 손실은 각 복제본의 몫에서 마스크가 남긴 것의 평균입니다</translation>
    </message>
    <message>
        <source>The loss is reduced (%1) on each replica&apos;s part, as in Keras</source>
        <translation>Keras처럼 손실을 각 복제본의 몫에서 줄입니다(%1)</translation>
    </message>
    <message>
        <source>The same until step %1, from where on rounding grew</source>
        <translation>%1스텝까지 같고, 그 뒤로 반올림 오차가 커졌습니다</translation>
    </message>
    <message>
        <source>It should be equal and is not, most in %1</source>
        <translation>같아야 하는데 다릅니다. %1에서 가장 많이 다릅니다</translation>
    </message>
    <message>
        <source>Its workers do not wait for each other</source>
        <translation>워커들이 서로 기다리지 않습니다</translation>
    </message>
    <message>
        <source>%1: Equalization counts the values of each replica&apos;s own part of the batch, as in Keras</source>
        <translation>%1: Equalization은 Keras처럼 배치 가운데 각 복제본의 몫에서 값을 셉니다</translation>
    </message>
</context>
<context>
    <name>LabView</name>
    <message>
        <source>Do all strategies train the same?</source>
        <translation>모든 전략이 똑같이 훈련합니까?</translation>
    </message>
    <message>
        <source>%1 of %2 strategies trained</source>
        <translation>전략 %2개 중 %1개 훈련함</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s) differ(s) and should not</source>
        <translation>
            <numerusform>같아야 하는데 다른 전략 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed</source>
        <translation>
            <numerusform>실패한 실행 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped: %1 of %2 strategies trained</source>
        <translation>중지됨: 전략 %2개 중 %1개 훈련함</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s) equal to Default</source>
        <translation>
            <numerusform>Default와 같은 전략 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 steps, global batch %3</source>
        <translation>%1: %2스텝, 전역 배치 %3</translation>
    </message>
    <message>
        <source>%1: %2 steps, global batch %3 (the project&apos;s is %4; all replicas get equal parts)</source>
        <translation>%1: %2스텝, 전역 배치 %3 (프로젝트는 %4. 모든 복제본이 같은 몫을 받습니다)</translation>
    </message>
    <message>
        <source>The lab ended before its first row</source>
        <translation>첫 줄이 나오기 전에 실험이 끝났습니다</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message>
        <source>The lab trains the open project under every strategy. Choose a template, or open a project (Ctrl+O).</source>
        <translation>동등성 실험은 열린 프로젝트를 모든 전략으로 훈련합니다. 템플릿을 고르거나 프로젝트를 여십시오(Ctrl+O).</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>템플릿 고르기</translation>
    </message>
    <message>
        <source>Each strategy trains the project for the same steps on the same samples; what should end with Default&apos;s weights and does not turns red. Every row is a run of its own.</source>
        <translation>각 전략이 같은 샘플로 같은 스텝만큼 프로젝트를 훈련합니다. Default의 가중치로 끝나야 하는데 그렇지 않으면 빨갛게 표시됩니다. 각 줄은 따로 하나의 실행입니다.</translation>
    </message>
    <message>
        <source>It can&apos;t be started now: %1.</source>
        <translation>지금은 시작할 수 없습니다: %1.</translation>
    </message>
    <message>
        <source>Strategies and what came of each</source>
        <translation>전략과 각각의 결과</translation>
    </message>
    <message>
        <source>Loss by step, of each strategy</source>
        <translation>전략마다의 스텝별 손실</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>appears when the first strategy is trained</source>
        <translation>첫 전략의 훈련이 끝나면 나타납니다</translation>
    </message>
</context>
<context>
    <name>LaunchFilesKind</name>
    <message>
        <source>Launch files</source>
        <translation>실행 시작 파일</translation>
    </message>
    <message>
        <source>A batch script for sbatch. Its job is queued again when a node is lost or its time is over.</source>
        <translation>sbatch용 배치 스크립트입니다. 노드를 잃거나 시간이 다 되면 잡이 다시 대기열에 들어갑니다.</translation>
    </message>
    <message>
        <source>Containers of one computer, for docker compose up. What fails is started again.</source>
        <translation>docker compose up으로 시작하는 한 컴퓨터의 컨테이너입니다. 실패한 것은 다시 시작됩니다.</translation>
    </message>
    <message>
        <source>A Job of Kubernetes with all that it needs, for kubectl apply.</source>
        <translation>kubectl apply로 시작하는 Kubernetes의 Job과 여기에 필요한 모든 것입니다.</translation>
    </message>
    <message>
        <source>A TFJob of Kubeflow&apos;s training operator, for kubectl apply.</source>
        <translation>kubectl apply로 시작하는 Kubeflow 훈련 오퍼레이터의 TFJob입니다.</translation>
    </message>
    <message>
        <source>A bash script that starts each task over ssh, and ends all when one fails.</source>
        <translation>태스크를 하나씩 ssh로 시작하고, 하나가 실패하면 모두 끝내는 bash 스크립트입니다.</translation>
    </message>
    <message>
        <source>A bash script that starts the tasks as ranks of Open MPI.</source>
        <translation>태스크를 Open MPI의 랭크로 시작하는 bash 스크립트입니다.</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>save the project first</source>
        <translation>먼저 프로젝트를 저장하십시오</translation>
    </message>
    <message>
        <source>Computers</source>
        <translation>컴퓨터</translation>
    </message>
    <message>
        <source>Pods</source>
        <translation>파드</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>컨테이너</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>노드</translation>
    </message>
    <message>
        <source>Tasks a node</source>
        <translation>노드당 태스크</translation>
    </message>
    <message>
        <source>Cores a task</source>
        <translation>태스크당 코어</translation>
    </message>
    <message>
        <source>GPUs a task</source>
        <translation>태스크당 GPU</translation>
    </message>
    <message>
        <source>Memory a task</source>
        <translation>태스크당 메모리</translation>
    </message>
    <message>
        <source>Memory a node</source>
        <translation>노드당 메모리</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>최대 시간</translation>
    </message>
    <message>
        <source>Seeds (runs)</source>
        <translation>시드(실행 수)</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>파티션</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>이미지</translation>
    </message>
    <message>
        <source>Names as ssh has them, with the number of tasks where it is not 1. Without any: the project&apos;s cluster, at its addresses.</source>
        <translation>ssh가 아는 이름입니다. 태스크가 하나가 아니면 그 수를 붙입니다. 비워 두면 프로젝트의 클러스터를 그 주소에서 씁니다.</translation>
    </message>
    <message>
        <source>Names as mpirun has them, with the number of tasks where it is not 1. Without any: where mpirun puts the ranks.</source>
        <translation>mpirun이 아는 이름입니다. 태스크가 하나가 아니면 그 수를 붙입니다. 비워 두면 mpirun이 랭크를 둘 곳을 정합니다.</translation>
    </message>
    <message>
        <source>Started by</source>
        <translation>시작하는 프로그램</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>기본값</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>With Tandem in it, as installer/image.sh makes it.</source>
        <translation>installer/image.sh가 만드는 것처럼 Tandem이 든 이미지입니다.</translation>
    </message>
    <message>
        <source>Other values of the project, one a line</source>
        <translation>바꿀 프로젝트 값, 한 줄에 하나씩</translation>
    </message>
    <message>
        <source>PATH=VALUE, for this file alone: the project stays as it is.</source>
        <translation>경로=값. 이 파일에만 쓰이며 프로젝트는 그대로입니다.</translation>
    </message>
</context>
<context>
    <name>Launcher</name>
    <message>
        <source>No project</source>
        <translation>프로젝트 없음</translation>
    </message>
    <message>
        <source>Launching</source>
        <translation>시작하는 중</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>실행이 진행 중</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>에이전트가 응답하지 않음</translation>
    </message>
    <message>
        <source>Connecting to the agent</source>
        <translation>에이전트에 연결하는 중</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>실행 없음</translation>
    </message>
    <message>
        <source>The run is not over</source>
        <translation>실행이 끝나지 않음</translation>
    </message>
    <message>
        <source>The project keeps no backup: its callback backup_and_restore is off</source>
        <translation>프로젝트에 백업이 없음: 콜백 backup_and_restore가 꺼져 있음</translation>
    </message>
    <message>
        <source>No backup was written before the end</source>
        <translation>끝나기 전에 쓰인 백업이 없습니다</translation>
    </message>
    <message>
        <source>Sending %1 to %2: %3 %</source>
        <translation>%2에 %1 보내는 중: %3 %</translation>
    </message>
    <message>
        <source>Slurm has taken job %1.</source>
        <translation>Slurm이 %1번 잡을 받았습니다.</translation>
    </message>
</context>
<context>
    <name>LayerAnomaly</name>
    <message>
        <source>%1: NaN or infinite since step %2: %3 numbers of its gradient, %4 of its weights</source>
        <translation>%1: 스텝 %2부터 NaN 또는 무한대: 그래디언트의 수 %3개, 가중치의 수 %4개</translation>
    </message>
    <message>
        <source>%1: its gradient explodes at step %2: a norm of %3, %4 times the median before</source>
        <translation>%1: 스텝 %2에서 그래디언트 폭발: 노름 %3, 앞선 중앙값의 %4배</translation>
    </message>
    <message>
        <source>%1: its update at step %2 is %3 times as large as its weights</source>
        <translation>%1: 스텝 %2의 업데이트가 가중치의 %3배</translation>
    </message>
    <message>
        <source>%1: %2 of %3 ReLU units are dead since step %4: 0 for each of %5 samples</source>
        <translation>%1: 스텝 %4부터 ReLU 유닛 %3개 중 %2개가 죽음: 샘플 %5개 모두에 0</translation>
    </message>
    <message>
        <source>%1: learns nothing since step %2: its updates are lost in the rounding of its weights</source>
        <translation>%1: 스텝 %2부터 아무것도 배우지 않음: 업데이트가 가중치의 반올림에 묻힘</translation>
    </message>
</context>
<context>
    <name>LayerChart</name>
    <message>
        <source>Gradient norm by layer</source>
        <translation>레이어별 그래디언트 노름</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>그래디언트 노름</translation>
    </message>
    <message>
        <source>Update to weight by layer</source>
        <translation>레이어별 업데이트 대 가중치</translation>
    </message>
    <message>
        <source>update / weight</source>
        <translation>업데이트 / 가중치</translation>
    </message>
    <message>
        <source>Dead units by layer</source>
        <translation>레이어별 죽은 유닛</translation>
    </message>
    <message>
        <source>dead units, %</source>
        <translation>죽은 유닛, %</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>그래디언트 노름</translation>
    </message>
    <message>
        <source>Update to weight</source>
        <translation>업데이트 대 가중치</translation>
    </message>
    <message>
        <source>Dead units, %</source>
        <translation>죽은 유닛, %</translation>
    </message>
</context>
<context>
    <name>LayerErrorCard</name>
    <message>
        <source>Move above %1</source>
        <translation>%1 위로 이동</translation>
    </message>
    <message>
        <source>Delete layer</source>
        <translation>레이어 삭제</translation>
    </message>
    <message>
        <source>Wrong input</source>
        <translation>잘못된 입력</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>경고</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>경고: %1</translation>
    </message>
    <message>
        <source>Insert %1 before it</source>
        <translation>앞에 %1 넣기</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1: %2 값으로 설정</translation>
    </message>
    <message>
        <source>Wrong setting: %1</source>
        <translation>잘못된 설정: %1</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>기대</translation>
    </message>
    <message>
        <source>got</source>
        <translation>실제</translation>
    </message>
    <message>
        <source>All problems</source>
        <translation>모든 문제</translation>
    </message>
</context>
<context>
    <name>LayerPalette</name>
    <message>
        <source>Find a layer</source>
        <translation>레이어 찾기</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>레이어</translation>
    </message>
</context>
<context>
    <name>LayerView</name>
    <message>
        <source>Layers</source>
        <translation>레이어</translation>
    </message>
    <message>
        <source>Every layer learns: nothing out of the ordinary.</source>
        <translation>모든 레이어가 학습합니다. 이상한 점이 없습니다.</translation>
    </message>
    <message>
        <source>What goes wrong in the layers</source>
        <translation>레이어에서 잘못되는 일</translation>
    </message>
    <message>
        <source>Show step %1</source>
        <translation>스텝 %1 보기</translation>
    </message>
    <message>
        <source>step %1 · %2 samples</source>
        <translation>스텝 %1 · 샘플 %2개</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message>
        <source>Measured in steps 1, 2, 5, 10, 20, 50, 100, then in every hundredth up to 1,000 and every 500th; dead units over that many samples</source>
        <translation>스텝 1, 2, 5, 10, 20, 50, 100, 그 뒤로 1,000스텝까지 100스텝마다, 다음에는 500스텝마다 측정합니다. 죽은 유닛은 그만큼의 샘플에 대한 것입니다</translation>
    </message>
</context>
<context>
    <name>LinkMatrix</name>
    <message>
        <source>Latency and bandwidth</source>
        <translation>지연 시간과 대역폭</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>One task talks to nobody.</source>
        <translation>태스크가 하나면 통신할 상대가 없습니다.</translation>
    </message>
    <message>
        <source>Measuring between the tasks…</source>
        <translation>태스크 사이를 측정하는 중…</translation>
    </message>
    <message>
        <source>The doctor measures them.</source>
        <translation>진단을 실행하면 측정합니다.</translation>
    </message>
    <message>
        <source>loopback %1 GB/s</source>
        <translation>루프백 %1 GB/s</translation>
    </message>
    <message>
        <source>%1: %2 µs, %3 GB/s</source>
        <translation>%1: %2 µs, %3 GB/s</translation>
    </message>
    <message>
        <source>Not measured: no two tasks are on this computer</source>
        <translation>측정 안 됨: 이 컴퓨터에 태스크가 둘 이상 없음</translation>
    </message>
    <message>
        <source>others not measured</source>
        <translation>나머지는 측정 안 함</translation>
    </message>
</context>
<context>
    <name>LocalCluster</name>
    <message numerus="yes">
        <source>Use %n local worker(s)</source>
        <translation>
            <numerusform>로컬 워커 %n개 사용</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose free ports</source>
        <translation>빈 포트 선택</translation>
    </message>
</context>
<context>
    <name>Locator</name>
    <message>
        <source>page</source>
        <translation>페이지</translation>
    </message>
    <message>
        <source>action</source>
        <translation>동작</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>레이어</translation>
    </message>
    <message>
        <source>task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Locator</source>
        <translation>찾기 상자</translation>
    </message>
    <message>
        <source>What the locator found</source>
        <translation>찾기 결과</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>찾은 것이 없습니다</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>찾기</translation>
    </message>
    <message>
        <source>Search runs, layers, hosts, actions</source>
        <translation>실행, 레이어, 호스트, 동작 찾기</translation>
    </message>
</context>
<context>
    <name>LogModel</name>
    <message>
        <source>agent</source>
        <translation>에이전트</translation>
    </message>
</context>
<context>
    <name>LogsKind</name>
    <message>
        <source>TensorBoard logs</source>
        <translation>TensorBoard 로그</translation>
    </message>
    <message>
        <source>What the callback TensorBoard wrote: scalars, histograms, the graph.</source>
        <translation>콜백 TensorBoard가 쓴 스칼라, 히스토그램, 그래프입니다.</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>아직 실행이 없음</translation>
    </message>
    <message>
        <source>the callback TensorBoard is off</source>
        <translation>콜백 TensorBoard가 꺼져 있음</translation>
    </message>
    <message>
        <source>no log yet</source>
        <translation>아직 로그가 없음</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Events</source>
        <translation>이벤트</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) in %1</source>
        <translation>
            <numerusform>%1에 파일 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>폴더 열기</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>재개</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>일시 정지</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>저장하지 않은 변경</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1에 저장하지 않은 변경이 있습니다.</translation>
    </message>
    <message>
        <source>Tandem projects (*.tandem)</source>
        <translation>Tandem 프로젝트 (*.tandem)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>프로젝트 저장</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>모드</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>문제</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>태스크 로그</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>지표</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>명령</translation>
    </message>
    <message>
        <source>About Tandem</source>
        <translation>Tandem 정보</translation>
    </message>
    <message>
        <source>Tandem %1

Distributed training on this computer and others.
The studio is licensed under the GNU GPL, version 3 or later.</source>
        <translation>Tandem %1

이 컴퓨터와 다른 컴퓨터에서 하는 분산 훈련.
스튜디오는 GNU GPL 버전 3 이상으로 배포됩니다.</translation>
    </message>
    <message>
        <source>No project yet</source>
        <translation>아직 프로젝트 없음</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>편집</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>창</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>도움말</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>최근 프로젝트 열기</translation>
    </message>
    <message>
        <source>&amp;New blank project</source>
        <translation>새 빈 프로젝트</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>열기…</translation>
    </message>
    <message>
        <source>Open a project or a model</source>
        <translation>프로젝트나 모델 열기</translation>
    </message>
    <message>
        <source>Projects and models (*.tandem *.keras *.h5 *.json *.onnx);;Tandem projects (*.tandem);;Keras and ONNX models (*.keras *.h5 *.json *.onnx)</source>
        <translation>프로젝트와 모델 (*.tandem *.keras *.h5 *.json *.onnx);;Tandem 프로젝트 (*.tandem);;Keras와 ONNX 모델 (*.keras *.h5 *.json *.onnx)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>저장</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>다른 이름으로 저장…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>내보내기…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>종료</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>밝게</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>어둡게</translation>
    </message>
    <message>
        <source>&amp;As the desktop</source>
        <translation>데스크톱 설정 따르기</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>밝게/어둡게 전환</translation>
    </message>
    <message>
        <source>Fold the left &amp;list</source>
        <translation>왼쪽 목록 접기</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Stop &amp;now, without a checkpoint</source>
        <translation>체크포인트 없이 바로 중지</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>&amp;About Tandem</source>
        <translation>Tandem 정보</translation>
    </message>
    <message>
        <source>Begin with a template</source>
        <translation>템플릿으로 시작하기</translation>
    </message>
    <message>
        <source>Each card is a whole project: data, model, cluster. The marked one opens and trains at once.</source>
        <translation>카드 하나가 데이터, 모델, 클러스터를 갖춘 프로젝트입니다. 표시된 카드는 열자마자 훈련합니다.</translation>
    </message>
    <message>
        <source>Pages in the order of work</source>
        <translation>작업 순서대로 놓인 페이지</translation>
    </message>
    <message>
        <source>Data, model, cluster, then watch the training and compare runs. Ctrl+1 to Ctrl+7 open them.</source>
        <translation>데이터, 모델, 클러스터를 정한 다음 훈련을 지켜보고 실행을 비교합니다. Ctrl+1부터 Ctrl+7까지로 엽니다.</translation>
    </message>
    <message>
        <source>The model as a chain of layers</source>
        <translation>레이어를 이은 모델</translation>
    </message>
    <message>
        <source>Shapes are worked out while you edit, and the first layer that does not fit is named. Everything can be undone with Ctrl+Z.</source>
        <translation>편집하는 동안 형상이 계산되고, 처음으로 맞지 않는 레이어를 알려 줍니다. 모든 작업은 Ctrl+Z로 되돌릴 수 있습니다.</translation>
    </message>
    <message>
        <source>The cluster and its TF_CONFIG</source>
        <translation>클러스터와 TF_CONFIG</translation>
    </message>
    <message>
        <source>Choose how many workers train and by which strategy. TF_CONFIG of every task is written for you.</source>
        <translation>워커 수와 전략을 고르십시오. 모든 태스크의 TF_CONFIG는 자동으로 작성됩니다.</translation>
    </message>
    <message>
        <source>Launch from any page</source>
        <translation>어느 페이지에서나 시작</translation>
    </message>
    <message>
        <source>Ctrl+R launches, Pause and Stop are below. Training goes on when this window is closed.</source>
        <translation>Ctrl+R로 시작하고, 일시 정지와 중지는 그 아래에 있습니다. 이 창을 닫아도 훈련은 계속됩니다.</translation>
    </message>
    <message>
        <source>Watch it train</source>
        <translation>훈련 지켜보기</translation>
    </message>
    <message>
        <source>Curves move with every step; tasks, the ring and checkpoints stand at the right.</source>
        <translation>스텝마다 곡선이 움직이고, 태스크와 링, 체크포인트는 오른쪽에 있습니다.</translation>
    </message>
    <message>
        <source>The first run fills this page: curves that move with every step, its tasks, the ring and checkpoints.</source>
        <translation>첫 실행이 이 페이지를 채웁니다. 스텝마다 움직이는 곡선, 태스크, 링, 체크포인트가 보입니다.</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>무엇이든 찾기</translation>
    </message>
    <message>
        <source>Ctrl+K finds pages, actions, layers, runs and settings by a few letters. Ctrl+/ lists all keys.</source>
        <translation>Ctrl+K는 몇 글자만으로 페이지, 동작, 레이어, 실행, 설정을 찾습니다. Ctrl+/는 모든 단축키를 보여 줍니다.</translation>
    </message>
    <message>
        <source>&amp;Change shortcuts…</source>
        <translation>단축키 바꾸기…</translation>
    </message>
    <message>
        <source>User &amp;manual</source>
        <translation>사용 설명서</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>둘러보기</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>실행 취소: %1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>실행 취소</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>다시 실행: %1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>다시 실행</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Batch per replica</source>
        <translation>복제본당 배치</translation>
    </message>
    <message>
        <source>Shuffle buffer</source>
        <translation>셔플 버퍼</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>샤딩</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크 수</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>콜백</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>올 리듀스</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>Allow motion</source>
        <translation>움직임 허용</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>움직임 줄이기</translation>
    </message>
    <message>
        <source>Folding and fading</source>
        <translation>접기와 흐려짐</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>레이아웃 초기화</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message>
        <source>Neither a project nor a run is open</source>
        <translation>열린 프로젝트나 실행이 없습니다</translation>
    </message>
    <message>
        <source>No run is going on</source>
        <translation>진행 중인 실행이 없습니다</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>실행 취소할 것이 없습니다</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>다시 실행할 것이 없습니다</translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation>파일이 바뀌었습니다</translation>
    </message>
    <message>
        <source>Another program has changed %1 since it was opened or saved here.</source>
        <translation>여기서 열거나 저장한 뒤에 다른 프로그램이 %1 파일을 바꾸었습니다.</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>다른 이름으로 저장…</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>덮어쓰기</translation>
    </message>
    <message>
        <source>Begin with a project</source>
        <translation>프로젝트로 시작하기</translation>
    </message>
    <message>
        <source>New blank project begins one, Open reads a file. Those that you had open are listed here.</source>
        <translation>&apos;새 빈 프로젝트&apos;로 시작하고 &apos;열기&apos;로 파일을 읽습니다. 열었던 프로젝트는 여기에 나옵니다.</translation>
    </message>
    <message>
        <source>Each card is a whole project: data, model, cluster.</source>
        <translation>카드 하나가 데이터, 모델, 클러스터를 갖춘 프로젝트입니다.</translation>
    </message>
    <message>
        <source>Open run &amp;folder…</source>
        <translation>실행 폴더 열기…</translation>
    </message>
    <message>
        <source>S&amp;ubmit to Slurm…</source>
        <translation>Slurm에 제출…</translation>
    </message>
    <message>
        <source>No run is open</source>
        <translation>열린 실행이 없습니다</translation>
    </message>
    <message>
        <source>The run still goes on</source>
        <translation>실행이 아직 진행 중입니다</translation>
    </message>
    <message>
        <source>Open run arch&amp;ive…</source>
        <translation>실행 보관 파일 열기…</translation>
    </message>
    <message>
        <source>Save run archi&amp;ve…</source>
        <translation>실행 보관 파일 저장…</translation>
    </message>
    <message>
        <source>Open the archive of a run</source>
        <translation>실행 보관 파일 열기</translation>
    </message>
    <message>
        <source>Archives of runs (*.tandem-run)</source>
        <translation>실행 보관 파일 (*.tandem-run)</translation>
    </message>
    <message>
        <source>Save the run in one file</source>
        <translation>실행을 파일 하나로 저장</translation>
    </message>
    <message>
        <source>&amp;Chaos…</source>
        <translation>카오스…</translation>
    </message>
    <message>
        <source>Change what you like and train: the run goes on behind %1, as a run of its own.</source>
        <translation>원하는 것을 바꾸고 훈련하십시오. %1 다음부터 독립된 실행으로 이어집니다.</translation>
    </message>
    <message>
        <source>This run is read from event files</source>
        <translation>이 실행은 이벤트 파일에서 읽습니다</translation>
    </message>
    <message>
        <source>Open even&amp;t files…</source>
        <translation>이벤트 파일 열기…</translation>
    </message>
    <message>
        <source>Open the event files of TensorFlow, Keras or PyTorch in a folder</source>
        <translation>폴더에 있는 TensorFlow, Keras 또는 PyTorch의 이벤트 파일 열기</translation>
    </message>
</context>
<context>
    <name>ManualView</name>
    <message>
        <source>Search the manual</source>
        <translation>설명서 찾기</translation>
    </message>
    <message>
        <source>Contents of the manual</source>
        <translation>설명서 목차</translation>
    </message>
    <message>
        <source>User manual</source>
        <translation>사용 설명서</translation>
    </message>
    <message>
        <source>The manual is not installed: %1 was expected.</source>
        <translation>설명서가 설치되어 있지 않습니다: %1 파일이 있어야 합니다.</translation>
    </message>
    <message>
        <source>Not in this chapter. Enter looks in the others.</source>
        <translation>이 장에는 없습니다. Enter를 누르면 다른 장에서 찾습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) in this chapter</source>
        <translation>
            <numerusform>이 장에 %n곳</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 in this chapter</source>
        <translation>이 장의 %2곳 중 %1</translation>
    </message>
</context>
<context>
    <name>MenuRow</name>
    <message>
        <source>Language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>no project</source>
        <translation>프로젝트 없음</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>밝게</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>어둡게</translation>
    </message>
</context>
<context>
    <name>MetricsPane</name>
    <message>
        <source>A row appears at the end of each epoch.</source>
        <translation>에포크가 끝날 때마다 한 줄씩 나타납니다.</translation>
    </message>
    <message>
        <source>Metrics of each epoch</source>
        <translation>에포크별 지표</translation>
    </message>
</context>
<context>
    <name>MistakeGallery</name>
    <message numerus="yes">
        <source>%n of this cell, surest first</source>
        <translation>
            <numerusform>이 칸의 %n개, 확신이 큰 순서</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n, surest first</source>
        <translation>
            <numerusform>%n개, 확신이 큰 순서</numerusform>
        </translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>Wrong and sure of it</source>
        <translation>확신했지만 틀린 답</translation>
    </message>
    <message>
        <source>Wrong answers</source>
        <translation>틀린 답</translation>
    </message>
</context>
<context>
    <name>MistakeModel</name>
    <message>
        <source>Sample %1: %2, taken for %3 with %4</source>
        <translation>샘플 %1: 정답 %2, 예측 %3(확신 %4)</translation>
    </message>
</context>
<context>
    <name>MixPanel</name>
    <message>
        <source>Change mixing</source>
        <translation>섞기 변경</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 변경</translation>
    </message>
    <message>
        <source>Two samples are blended, and their labels by the same share. Validation sees samples as they are.</source>
        <translation>두 샘플과 레이블을 같은 비율로 섞습니다. 검증에는 섞지 않은 샘플을 씁니다.</translation>
    </message>
    <message>
        <source>A box of another image is pasted; labels are mixed by its area. Validation sees samples as they are.</source>
        <translation>다른 이미지에서 잘라 낸 상자를 붙이고 레이블은 그 넓이의 비율로 섞습니다. 검증에는 섞지 않은 샘플을 씁니다.</translation>
    </message>
    <message>
        <source>Batches are trained with as the steps above make them.</source>
        <translation>위의 단계가 만든 배치 그대로 훈련합니다.</translation>
    </message>
    <message>
        <source>Mix samples</source>
        <translation>샘플 섞기</translation>
    </message>
    <message>
        <source>What is wrong with the mix</source>
        <translation>섞기의 잘못된 점</translation>
    </message>
</context>
<context>
    <name>ModelCanvas</name>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Fits the data</source>
        <translation>데이터에 맞음</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>경고 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>맞지 않음</translation>
    </message>
    <message numerus="yes">
        <source>Sequential, %n layer(s)</source>
        <translation>
            <numerusform>Sequential, 레이어 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo: %1 (Ctrl+Z)</source>
        <translation>실행 취소: %1 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>취소할 작업 없음</translation>
    </message>
    <message>
        <source>Redo: %1 (Ctrl+Shift+Z)</source>
        <translation>다시 실행: %1 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>다시 실행할 작업 없음</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 추가</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 삭제</translation>
    </message>
    <message>
        <source>Duplicate layer</source>
        <translation>레이어 복제</translation>
    </message>
    <message>
        <source>Move layer</source>
        <translation>레이어 이동</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>검사</translation>
    </message>
    <message>
        <source>Lists every problem and goes to the first wrong layer</source>
        <translation>모든 문제를 나열하고 처음 잘못된 레이어로 이동합니다</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>위로 이동</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>아래로 이동</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>복제</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>캔버스</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>나누어 보기</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>View</source>
        <translation>보기</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>요약</translation>
    </message>
    <message>
        <source>The model as Keras&apos; summary(), with work and memory</source>
        <translation>Keras의 summary()로 본 모델, 연산량과 메모리 포함</translation>
    </message>
    <message>
        <source>rate by epoch</source>
        <translation>에포크별 학습률</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>프로젝트 없음</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n layer(s)</source>
        <translation>
            <numerusform>레이어 %n개 붙여넣기</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Reading the text of the clipboard… Nothing has changed by now; closing this stops it.</source>
        <translation>클립보드의 텍스트를 읽는 중입니다… 아직 바뀐 것은 없으며, 이 알림을 닫으면 멈춥니다.</translation>
    </message>
</context>
<context>
    <name>ModelProperties</name>
    <message>
        <source>Choose a layer to see its settings. Add one from the list at the left, or type A and a letter.</source>
        <translation>레이어를 고르면 설정이 나타납니다. 왼쪽 목록에서 추가하거나 A와 글자를 차례로 누르십시오.</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 변경</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>입력</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>형상</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>배율</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>이름</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>계산된 값</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>출력</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>매개변수</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>곱셈-덧셈</translation>
    </message>
    <message>
        <source>Activations, batch %1</source>
        <translation>활성값, 배치 %1</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>컴파일</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>지표</translation>
    </message>
    <message>
        <source>Change metrics</source>
        <translation>지표 변경</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>콜백</translation>
    </message>
    <message>
        <source>Keeps the weights, epoch by epoch</source>
        <translation>에포크마다 가중치를 남깁니다</translation>
    </message>
    <message>
        <source>A run that was lost or stopped goes on where it was</source>
        <translation>중단된 실행을 멈춘 곳에서 이어 갑니다</translation>
    </message>
    <message>
        <source>Ends training when a value gets no better</source>
        <translation>값이 더 좋아지지 않으면 훈련을 끝냅니다</translation>
    </message>
    <message>
        <source>Lowers the rate when a value gets no better</source>
        <translation>값이 더 좋아지지 않으면 학습률을 낮춥니다</translation>
    </message>
    <message>
        <source>Writes the values of every epoch to a table</source>
        <translation>에포크마다 값을 표에 씁니다</translation>
    </message>
    <message>
        <source>Writes logs that TensorBoard shows</source>
        <translation>TensorBoard로 볼 로그를 씁니다</translation>
    </message>
    <message>
        <source>Ends training when the loss is no number</source>
        <translation>손실이 숫자가 아니면 훈련을 끝냅니다</translation>
    </message>
    <message>
        <source>Says the rate of every epoch in the log</source>
        <translation>에포크마다 학습률을 로그에 적습니다</translation>
    </message>
    <message>
        <source>Not known to this version</source>
        <translation>이 버전에서 알지 못합니다</translation>
    </message>
    <message>
        <source>Hide the settings</source>
        <translation>설정 숨기기</translation>
    </message>
    <message>
        <source>Show the settings</source>
        <translation>설정 보기</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 추가</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 제거</translation>
    </message>
    <message>
        <source>layer %1 of %2</source>
        <translation>레이어 %1 / %2</translation>
    </message>
    <message>
        <source>Move, duplicate, delete</source>
        <translation>이동, 복제, 삭제</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1의 설정</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>변화</translation>
    </message>
    <message>
        <source>from epoch</source>
        <translation>시작 에포크</translation>
    </message>
    <message>
        <source>Remove this line</source>
        <translation>이 줄 제거</translation>
    </message>
    <message>
        <source>Change epoch</source>
        <translation>에포크 변경</translation>
    </message>
    <message>
        <source>Change rate</source>
        <translation>학습률 변경</translation>
    </message>
    <message>
        <source>Remove epoch</source>
        <translation>에포크 제거</translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation>줄 추가</translation>
    </message>
    <message>
        <source>Add epoch</source>
        <translation>에포크 추가</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련</translation>
    </message>
    <message>
        <source>Validates with the moving averages of the weights</source>
        <translation>가중치의 이동 평균으로 검증합니다</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>Feature columns</source>
        <translation>특성 열</translation>
    </message>
    <message>
        <source>Without any, a sample is what the file&apos;s own settings say.</source>
        <translation>하나도 없으면 샘플은 파일 자체의 설정을 따릅니다.</translation>
    </message>
    <message>
        <source>Add a column</source>
        <translation>열 추가</translation>
    </message>
    <message>
        <source>Column %1</source>
        <translation>열 %1</translation>
    </message>
    <message>
        <source>Remove column %1</source>
        <translation>열 %1 제거</translation>
    </message>
    <message>
        <source>Remove a column</source>
        <translation>열 제거</translation>
    </message>
    <message>
        <source>Add a layer</source>
        <translation>레이어 추가</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>%1 위로 이동</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>%1 아래로 이동</translation>
    </message>
    <message>
        <source>Add a cell</source>
        <translation>셀 추가</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>자료형</translation>
    </message>
</context>
<context>
    <name>ModelSummary</name>
    <message>
        <source>parameters</source>
        <translation>매개변수</translation>
    </message>
    <message>
        <source>weights, float32</source>
        <translation>가중치, float32</translation>
    </message>
    <message>
        <source>multiply-adds a sample</source>
        <translation>샘플당 곱셈-덧셈</translation>
    </message>
    <message>
        <source>activations, batch %1</source>
        <translation>활성값, 배치 %1</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>요약</translation>
    </message>
    <message>
        <source>parameters by layer</source>
        <translation>레이어별 매개변수</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2에 %1</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 슬롯</translation>
    </message>
</context>
<context>
    <name>MonitorCharts</name>
    <message>
        <source>Throughput</source>
        <translation>처리량</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>이미지 / 초</translation>
    </message>
    <message>
        <source>Input time</source>
        <translation>입력 시간</translation>
    </message>
    <message>
        <source>Compute time</source>
        <translation>계산 시간</translation>
    </message>
    <message>
        <source>Waiting time</source>
        <translation>대기 시간</translation>
    </message>
    <message>
        <source>Processor of each task</source>
        <translation>태스크별 프로세서</translation>
    </message>
    <message>
        <source>Memory of each task</source>
        <translation>태스크별 메모리</translation>
    </message>
    <message>
        <source>Reduce time</source>
        <translation>리듀스 시간</translation>
    </message>
    <message>
        <source>Apply time</source>
        <translation>적용 시간</translation>
    </message>
    <message>
        <source>Norm of the weights</source>
        <translation>가중치의 노름</translation>
    </message>
    <message>
        <source>Norm of the gradients</source>
        <translation>그래디언트의 노름</translation>
    </message>
    <message>
        <source>Throughput of each task</source>
        <translation>태스크별 처리량</translation>
    </message>
    <message>
        <source>%1 of each task</source>
        <translation>태스크별 %1</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>코어</translation>
    </message>
    <message>
        <source>Staleness of each worker</source>
        <translation>워커별 지연도</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>지연도</translation>
    </message>
    <message>
        <source>Updates of each ps</source>
        <translation>ps별 갱신</translation>
    </message>
    <message>
        <source>Variables pulled from each ps</source>
        <translation>ps별로 가져간 변수</translation>
    </message>
    <message>
        <source>Gradients pushed to each ps</source>
        <translation>ps별로 보낸 그래디언트</translation>
    </message>
    <message>
        <source>MB / s</source>
        <translation>MB/초</translation>
    </message>
    <message>
        <source>updates / s</source>
        <translation>갱신/초</translation>
    </message>
    <message>
        <source>this run has told none</source>
        <translation>이 실행은 알리지 않았습니다</translation>
    </message>
    <message>
        <source>global step</source>
        <translation>전역 스텝</translation>
    </message>
</context>
<context>
    <name>MonitorDock</name>
    <message>
        <source>Tasks</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>링</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>%1 of %2 alive</source>
        <translation>%2개 중 %1개 살아 있음</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%2개 중 %1개 준비됨</translation>
    </message>
    <message>
        <source>all-reduce #%1</source>
        <translation>올 리듀스 #%1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>아직 참여 전</translation>
    </message>
    <message>
        <source>one task, nothing to exchange</source>
        <translation>태스크 하나, 교환할 것 없음</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 사라짐</translation>
    </message>
    <message>
        <source>RING · shared memory</source>
        <translation>RING · 공유 메모리</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 응답 없음</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%2개 중 %1개 완료</translation>
    </message>
    <message>
        <source>Other computers</source>
        <translation>다른 컴퓨터</translation>
    </message>
</context>
<context>
    <name>MonitorHeader</name>
    <message numerus="yes">
        <source>%1 · %n worker(s)</source>
        <translation>
            <numerusform>%1 · 워커 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, global batch %2</source>
        <translation>%1, 전역 배치 %2</translation>
    </message>
    <message>
        <source>A learning rate is a number above 0, such as 1e-4</source>
        <translation>학습률은 1e-4처럼 0보다 큰 수입니다</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>실행이 진행 중</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>적용</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>%1번째 시도</translation>
    </message>
    <message>
        <source>Chief, parameter servers and evaluator can&apos;t be left out</source>
        <translation>치프, 매개변수 서버, 평가자는 뺄 수 없음</translation>
    </message>
    <message numerus="yes">
        <source>Continue with %n worker(s)</source>
        <translation>
            <numerusform>워커 %n개로 계속</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the run&apos;s id</source>
        <translation>실행 ID 복사</translation>
    </message>
    <message>
        <source>Done in %1</source>
        <translation>%1 만에 완료</translation>
    </message>
    <message>
        <source>Done in %1, best %2 %3 in epoch %4</source>
        <translation>%1 만에 완료, 최고 %2 %3 (에포크 %4)</translation>
    </message>
    <message>
        <source>In the same folder: the backup holds step, weights, optimizer and place in the data</source>
        <translation>같은 폴더에서: 백업에 스텝, 가중치, 옵티마이저, 데이터 위치가 들어 있음</translation>
    </message>
    <message>
        <source>Launch again</source>
        <translation>다시 시작</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>LR</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>모니터</translation>
    </message>
    <message>
        <source>More: checkpoint now, ways to stop, folder</source>
        <translation>더 보기: 지금 체크포인트, 중지 방법, 폴더</translation>
    </message>
    <message>
        <source>No checkpoint yet to continue from</source>
        <translation>이어 갈 체크포인트가 아직 없음</translation>
    </message>
    <message>
        <source>No task is left to continue with</source>
        <translation>이어 갈 태스크가 남지 않음</translation>
    </message>
    <message>
        <source>nothing is running</source>
        <translation>실행 중인 것 없음</translation>
    </message>
    <message>
        <source>One step (→)</source>
        <translation>한 스텝 (→)</translation>
    </message>
    <message>
        <source>Open as project</source>
        <translation>프로젝트로 열기</translation>
    </message>
    <message>
        <source>Open the run&apos;s folder</source>
        <translation>실행 폴더 열기</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>일시 정지</translation>
    </message>
    <message>
        <source>Pause first, then go step by step</source>
        <translation>먼저 일시 정지한 다음 한 스텝씩 진행하십시오</translation>
    </message>
    <message>
        <source>Paused at step %1</source>
        <translation>스텝 %1에서 일시 정지</translation>
    </message>
    <message>
        <source>Restart from the backup</source>
        <translation>백업에서 다시 시작</translation>
    </message>
    <message>
        <source>Restarting (attempt %1)</source>
        <translation>다시 시작하는 중 (%1번째 시도)</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>재개</translation>
    </message>
    <message>
        <source>Save a checkpoint now</source>
        <translation>지금 체크포인트 저장</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>한 스텝</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Stop after this step, with a checkpoint	Shift+F5</source>
        <translation>이 스텝 뒤 체크포인트를 남기고 중지	Shift+F5</translation>
    </message>
    <message>
        <source>Stop now, without a checkpoint</source>
        <translation>체크포인트 없이 바로 중지</translation>
    </message>
    <message>
        <source>Stops after the present step and keeps a checkpoint (Shift+F5)</source>
        <translation>현재 스텝 뒤에 체크포인트를 남기고 중지합니다 (Shift+F5)</translation>
    </message>
    <message>
        <source>Takes effect on all workers at the same step</source>
        <translation>모든 워커에 같은 스텝부터 적용됩니다</translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>%1 기다리는 중</translation>
    </message>
    <message>
        <source>%1, batch %2 each</source>
        <translation>%1, 배치 각 %2</translation>
    </message>
    <message>
        <source>Done in %1, best %2 %3</source>
        <translation>%1 만에 완료, 최고 %2 %3</translation>
    </message>
    <message>
        <source>Open the copies on this computer</source>
        <translation>이 컴퓨터의 사본 열기</translation>
    </message>
    <message>
        <source>Copy where its folder is: %1</source>
        <translation>폴더가 있는 곳 복사: %1</translation>
    </message>
    <message>
        <source>A new run that goes on behind the newest checkpoint</source>
        <translation>가장 새로운 체크포인트에서 이어지는 새 실행</translation>
    </message>
    <message>
        <source>event files of %1</source>
        <translation>%1의 이벤트 파일</translation>
    </message>
    <message>
        <source>Done in %1, %2 %3</source>
        <translation>%1 만에 완료, %2 %3</translation>
    </message>
</context>
<context>
    <name>MonitorMarks</name>
    <message>
        <source>learning rate %1 from step %2</source>
        <translation>스텝 %2부터 학습률 %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>에포크 %1</translation>
    </message>
    <message>
        <source>%1, epoch %2, step %3</source>
        <translation>%1, 에포크 %2, 스텝 %3</translation>
    </message>
    <message>
        <source>%1 ended</source>
        <translation>%1 종료</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>%1 끊김</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>일시 정지</translation>
    </message>
    <message>
        <source>resume</source>
        <translation>재개</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>stop now</source>
        <translation>즉시 중지</translation>
    </message>
    <message>
        <source>checkpoint now</source>
        <translation>체크포인트 저장</translation>
    </message>
    <message>
        <source>set by hand, %1 after the launch</source>
        <translation>직접 설정, 시작 %1 뒤</translation>
    </message>
    <message>
        <source>by %1, %2 after the launch</source>
        <translation>%1에 의해, 시작 %2 뒤</translation>
    </message>
    <message>
        <source>by the optimizer&apos;s schedule, %1 after the launch</source>
        <translation>옵티마이저 스케줄에 의해, 시작 %1 뒤</translation>
    </message>
    <message>
        <source>%1 by hand at step %2, %3 after the launch</source>
        <translation>스텝 %2에서 %1 직접 설정, 시작 %3 뒤</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>재개됨</translation>
    </message>
    <message>
        <source>went on at step %1 from the backup of an earlier attempt</source>
        <translation>이전 시도의 백업으로 스텝 %1부터 이어짐</translation>
    </message>
    <message>
        <source>restarted</source>
        <translation>다시 시작됨</translation>
    </message>
    <message>
        <source>started again by hand behind step %1, %2 after the launch (attempt %3)</source>
        <translation>스텝 %1 다음부터 직접 다시 시작함, 시작 후 %2 (%3번째 시도)</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; all tasks began again behind step %4 (attempt %5 of %6)</source>
        <translation>%1: %2, 시작 후 %3. 모든 태스크가 스텝 %4 다음부터 다시 시작함 (%6번 중 %5번째 시도)</translation>
    </message>
    <message>
        <source>the best so far</source>
        <translation>지금까지 최고</translation>
    </message>
    <message>
        <source>%1, %2 after the launch</source>
        <translation>%1, 시작 %2 뒤</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, 스텝 %2</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; the tasks that are left began again behind step %4 (attempt %5 of %6)</source>
        <translation>%1: %2, 시작 후 %3. 남은 태스크가 스텝 %4 다음부터 다시 시작함 (%6번 중 %5번째 시도)</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; it alone began again, the others went on</source>
        <translation>%1: %2, 시작 후 %3. 이 태스크만 다시 시작했고 나머지는 계속 실행됨</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>분기</translation>
    </message>
    <message>
        <source>it began here, behind step %1 of the run %2</source>
        <translation>실행 %2의 스텝 %1 다음, 여기서 시작했습니다</translation>
    </message>
</context>
<context>
    <name>MonitorPage</name>
    <message>
        <source>Export…	Ctrl+E</source>
        <translation>내보내기…	Ctrl+E</translation>
    </message>
    <message>
        <source>Open the log at this second</source>
        <translation>이 시각의 로그 열기</translation>
    </message>
    <message>
        <source>Show the steps around it</source>
        <translation>앞뒤 스텝 보기</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>폴더 열기</translation>
    </message>
    <message>
        <source>The agent starts it: one task has no TF_CONFIG</source>
        <translation>에이전트가 시작합니다. 태스크가 하나면 TF_CONFIG가 없습니다</translation>
    </message>
    <message>
        <source>Every task is there</source>
        <translation>모든 태스크가 있음</translation>
    </message>
    <message>
        <source>No task is there yet</source>
        <translation>아직 태스크가 없음</translation>
    </message>
    <message>
        <source>Chief, parameter servers and evaluator can&apos;t be left out</source>
        <translation>치프, 매개변수 서버, 평가자는 뺄 수 없음</translation>
    </message>
    <message>
        <source>Reconnecting to the agent. Points that were missed will come.</source>
        <translation>에이전트에 다시 연결하는 중입니다. 놓친 점은 곧 도착합니다.</translation>
    </message>
    <message numerus="yes">
        <source>The agent has not answered for %n second(s). Its tasks keep what they have to tell.</source>
        <translation>
            <numerusform>에이전트가 %n초 동안 응답하지 않았습니다. 태스크는 전할 내용을 보관합니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Branch here: no checkpoint lies before this step</source>
        <translation>여기서 분기: 이 스텝 앞에 체크포인트가 없습니다</translation>
    </message>
    <message>
        <source>Branch here, behind step %1</source>
        <translation>여기서 분기, 스텝 %1 다음부터</translation>
    </message>
</context>
<context>
    <name>MonitorProgress</name>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>에포크 %1 / %2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>스텝 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 in all</source>
        <translation>전체 %2 중 %1</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>%1 뒤 중지됨</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>%1 경과</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 남음</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>스텝 %1/%2</translation>
    </message>
    <message>
        <source>of all workers</source>
        <translation>모든 워커 합계</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>%1번째 스텝</translation>
    </message>
</context>
<context>
    <name>MonitorTools</name>
    <message>
        <source>Charts</source>
        <translation>차트</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>엑스레이</translation>
    </message>
    <message>
        <source>What is shown of the run</source>
        <translation>실행에서 보여 주는 것</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>실시간</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>실시간으로 돌아가기</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>모두 보기</translation>
    </message>
    <message>
        <source>The workers report the mean of the global batch only</source>
        <translation>워커는 전역 배치의 평균만 보고합니다</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>평활</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x축</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>워커</translation>
    </message>
    <message>
        <source>Copy a picture of the charts</source>
        <translation>차트 그림 복사</translation>
    </message>
    <message>
        <source>Export (Ctrl+E)</source>
        <translation>내보내기 (Ctrl+E)</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>상대 시간</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>실제 시각</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>평균</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>각각</translation>
    </message>
    <message>
        <source>What a run streams is listed with its first step</source>
        <translation>실행이 보내는 값은 첫 스텝과 함께 나열됩니다</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>차트</translation>
    </message>
    <message>
        <source>Adds a chart of anything that the run streams</source>
        <translation>실행이 보내는 값이면 무엇이든 차트로 추가합니다</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Global step</source>
        <translation>전역 스텝</translation>
    </message>
    <message>
        <source>Chief</source>
        <translation>치프</translation>
    </message>
    <message>
        <source>Go back in the run&apos;s time (T)</source>
        <translation>실행의 시간을 되돌리기 (T)</translation>
    </message>
</context>
<context>
    <name>NoProjectPanel</name>
    <message>
        <source>No project yet</source>
        <translation>아직 프로젝트 없음</translation>
    </message>
    <message>
        <source>Choose a template on the Welcome page (Ctrl+1), or open a project (Ctrl+O).</source>
        <translation>시작 페이지(Ctrl+1)에서 템플릿을 고르거나 프로젝트를 여십시오(Ctrl+O).</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>템플릿 선택</translation>
    </message>
    <message>
        <source>New blank project</source>
        <translation>새 빈 프로젝트</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>scalar</source>
        <translation>스칼라</translation>
    </message>
</context>
<context>
    <name>OfCheckpoint</name>
    <message>
        <source>Checkpoint</source>
        <translation>체크포인트</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>아직 실행이 없음</translation>
    </message>
    <message>
        <source>no checkpoint yet</source>
        <translation>아직 체크포인트가 없음</translation>
    </message>
</context>
<context>
    <name>OfProject</name>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message>
        <source>no layer yet</source>
        <translation>아직 레이어가 없음</translation>
    </message>
</context>
<context>
    <name>OnnxKind</name>
    <message>
        <source>Samples at once</source>
        <translation>한 번에 받는 샘플 수</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>아무 수나</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 모델</translation>
    </message>
    <message>
        <source>One file that onnxruntime and other programs predict with: opset 17, channels last, samples as the model takes them.</source>
        <translation>onnxruntime 등 다른 프로그램이 예측에 쓰는 파일 하나입니다. opset 17, 채널이 마지막이며 샘플은 모델이 받는 그대로입니다.</translation>
    </message>
</context>
<context>
    <name>PageTitles</name>
    <message>
        <source>Welcome</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>클러스터</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>모니터</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 기록</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>도움말</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>Core</source>
        <translation>기본</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>풀링</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>형상</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>활성화</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>정규화</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>드롭아웃</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>순환</translation>
    </message>
</context>
<context>
    <name>PaneHost</name>
    <message>
        <source>Close the pane</source>
        <translation>패널 닫기</translation>
    </message>
</context>
<context>
    <name>ParallelPlot</name>
    <message>
        <source>strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>워커</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>전역 배치</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>레이어 수</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>에포크 수</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>이미지/초</translation>
    </message>
    <message>
        <source>val loss</source>
        <translation>검증 손실</translation>
    </message>
    <message>
        <source>best val acc</source>
        <translation>최고 검증 정확도</translation>
    </message>
    <message>
        <source>test acc</source>
        <translation>테스트 정확도</translation>
    </message>
</context>
<context>
    <name>ParallelView</name>
    <message numerus="yes">
        <source>Parallel coordinates of %n run(s)</source>
        <translation>
            <numerusform>실행 %n개의 평행 좌표</numerusform>
        </translation>
    </message>
    <message>
        <source>Axis %1, %2 to %3.</source>
        <translation>축 %1, %2~%3.</translation>
    </message>
    <message>
        <source>Brushed from %1 to %2.</source>
        <translation>%1~%2 선택됨.</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) let by.</source>
        <translation>
            <numerusform>실행 %n개 통과.</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs that the filter lets by appear here as lines.</source>
        <translation>필터를 통과한 실행이 여기에 선으로 나타납니다.</translation>
    </message>
    <message>
        <source>These runs have the same settings and no result yet.</source>
        <translation>이 실행들은 설정이 같고 아직 결과가 없습니다.</translation>
    </message>
</context>
<context>
    <name>PasteClusterDialog</name>
    <message>
        <source>Paste a cluster</source>
        <translation>클러스터 붙여넣기</translation>
    </message>
    <message>
        <source>TF_CONFIG (alone, or inside export, TF_CONFIG=, os.environ), an MPI hostfile (host slots=2), or Slurm&apos;s variables (SLURM_JOB_NODELIST=node[01-04]).</source>
        <translation>TF_CONFIG(그대로, 또는 export, TF_CONFIG=, os.environ 안에서), MPI hostfile(host slots=2), Slurm 변수(SLURM_JOB_NODELIST=node[01-04]).</translation>
    </message>
    <message>
        <source>Text of the cluster</source>
        <translation>클러스터 텍스트</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>진단 결과</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>파일 열기…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Use this cluster</source>
        <translation>이 클러스터 사용</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>고치기: %1</translation>
    </message>
    <message>
        <source>All rules hold</source>
        <translation>모든 규칙을 지킴</translation>
    </message>
    <message>
        <source>Nothing pasted yet</source>
        <translation>아직 붙여넣은 내용 없음</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n task(s)</source>
        <translation>
            <numerusform>%1: 태스크 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: no task found</source>
        <translation>%1: 태스크를 찾지 못함</translation>
    </message>
    <message>
        <source>The findings above come first</source>
        <translation>위의 진단 결과를 먼저 해결하십시오</translation>
    </message>
    <message>
        <source>Open a TF_CONFIG, hostfile or Slurm variables</source>
        <translation>TF_CONFIG, hostfile 또는 Slurm 변수 파일 열기</translation>
    </message>
    <message>
        <source>%1: expected at most 1 MB</source>
        <translation>%1: 1 MB 이하여야 합니다</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>PasteNotice</name>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>PenColors</name>
    <message>
        <source>White</source>
        <translation>흰색</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>검은색</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>회색</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>빨간색</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>노란색</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>초록색</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>파란색</translation>
    </message>
    <message>
        <source>Brown</source>
        <translation>갈색</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Colour of the pen</source>
        <translation>펜 색</translation>
    </message>
</context>
<context>
    <name>PipelinePanel</name>
    <message>
        <source>Change %1</source>
        <translation>%1 변경</translation>
    </message>
    <message>
        <source>Expected mean / standard deviation, such as 0.1307 / 0.3081</source>
        <translation>0.1307 / 0.3081처럼 평균 / 표준 편차를 입력하십시오</translation>
    </message>
    <message>
        <source>Every step is there</source>
        <translation>모든 단계가 들어 있음</translation>
    </message>
    <message>
        <source>Switch %1</source>
        <translation>%1 켜고 끄기</translation>
    </message>
    <message>
        <source>take</source>
        <translation>take</translation>
    </message>
    <message>
        <source>map: scale</source>
        <translation>map: scale</translation>
    </message>
    <message>
        <source>normalize</source>
        <translation>normalize</translation>
    </message>
    <message>
        <source>map: one-hot labels</source>
        <translation>map: one-hot 레이블</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>cache</translation>
    </message>
    <message>
        <source>shuffle</source>
        <translation>shuffle</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>batch</translation>
    </message>
    <message>
        <source>prefetch</source>
        <translation>prefetch</translation>
    </message>
    <message>
        <source>the first samples</source>
        <translation>앞쪽 샘플</translation>
    </message>
    <message>
        <source>values as stored</source>
        <translation>저장된 값 그대로</translation>
    </message>
    <message>
        <source>%1 to float32</source>
        <translation>%1에서 float32로</translation>
    </message>
    <message>
        <source>mean / std</source>
        <translation>평균 / 표준 편차</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>클래스</translation>
    </message>
    <message>
        <source>in memory, %1</source>
        <translation>메모리에 %1</translation>
    </message>
    <message>
        <source>decoded samples stay in memory</source>
        <translation>디코딩한 샘플을 메모리에 유지</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>버퍼</translation>
    </message>
    <message>
        <source>samples in their order</source>
        <translation>샘플 순서 그대로</translation>
    </message>
    <message>
        <source>a smaller last batch is dropped</source>
        <translation>마지막의 작은 배치는 버림</translation>
    </message>
    <message>
        <source>keeps a smaller last batch</source>
        <translation>마지막의 작은 배치도 사용</translation>
    </message>
    <message>
        <source>batches ahead</source>
        <translation>배치 수</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>파이프라인</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>단계</translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>단계 추가</translation>
    </message>
    <message>
        <source>Steps, in the order in which samples pass them</source>
        <translation>샘플이 거치는 순서대로 놓인 단계</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>repeat</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>배치 수</translation>
    </message>
    <message>
        <source>others each epoch</source>
        <translation>에포크마다 다른 샘플</translation>
    </message>
    <message>
        <source>keeps the first epoch&apos;s order</source>
        <translation>첫 에포크의 순서를 유지</translation>
    </message>
    <message>
        <source>whole batches</source>
        <translation>배치 단위로 섞음</translation>
    </message>
    <message>
        <source>steps an epoch</source>
        <translation>에포크당 스텝</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>%2단계 중 %1번째</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 이동</translation>
    </message>
    <message>
        <source>What the order of the steps means</source>
        <translation>단계 순서의 의미</translation>
    </message>
</context>
<context>
    <name>PlaceFields</name>
    <message>
        <source>Name the hosts, such as node1,node2</source>
        <translation>호스트를 적으십시오, 예를 들어 node1,node2</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Slurm: a job for each run; every node has to see the folder of sweeps in your home</source>
        <translation>Slurm: 실행마다 잡 하나. 모든 노드가 홈의 스윕 폴더를 보아야 합니다</translation>
    </message>
    <message>
        <source>as the project</source>
        <translation>프로젝트대로</translation>
    </message>
    <message>
        <source>as the cluster has it</source>
        <translation>클러스터대로</translation>
    </message>
    <message>
        <source>Names of your hosts with commas between them, as Cluster has them</source>
        <translation>클러스터에 있는 호스트의 이름, 쉼표로 나눔</translation>
    </message>
    <message>
        <source>One host a run</source>
        <translation>실행마다 호스트 하나</translation>
    </message>
    <message>
        <source>Each run on one of the hosts, in place of all of them together</source>
        <translation>실행마다 호스트 모두가 아니라 그 가운데 하나에서</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>실행 위치</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>워커</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>파티션</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>최대 시간</translation>
    </message>
    <message>
        <source>Cores of a run</source>
        <translation>실행당 코어</translation>
    </message>
</context>
<context>
    <name>ProblemsPane</name>
    <message>
        <source>Problems</source>
        <translation>문제</translation>
    </message>
    <message>
        <source>No problem: the project can be launched.</source>
        <translation>문제 없음: 프로젝트를 시작할 수 있습니다.</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>열린 프로젝트가 없습니다.</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>이 코드의 뜻</translation>
    </message>
</context>
<context>
    <name>Project</name>
    <message>
        <source>Opened the model %1.</source>
        <translation>%1 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 파일을 저장하지 못했습니다: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>RankRing</name>
    <message>
        <source>silent %1</source>
        <translation>%1째 무응답</translation>
    </message>
    <message>
        <source>operation %1</source>
        <translation>연산 %1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>아직 참여 전</translation>
    </message>
    <message>
        <source>longest wait %1</source>
        <translation>최장 대기 %1</translation>
    </message>
</context>
<context>
    <name>RankTableModel</name>
    <message>
        <source>%1, the others wait for it</source>
        <translation>%1, 다른 태스크가 기다리는 중</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>호스트</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>연산</translation>
    </message>
    <message>
        <source>Bucket</source>
        <translation>버킷</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>바이트</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>대기</translation>
    </message>
    <message>
        <source>For</source>
        <translation>대상</translation>
    </message>
    <message>
        <source>Wait a step</source>
        <translation>스텝당 대기</translation>
    </message>
    <message>
        <source>Last word</source>
        <translation>마지막 소식</translation>
    </message>
</context>
<context>
    <name>RankTexts</name>
    <message>
        <source>%1 on %2</source>
        <translation>%2의 %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1 전</translation>
    </message>
    <message>
        <source>It has exchanged nothing yet</source>
        <translation>아직 교환한 것이 없습니다</translation>
    </message>
    <message>
        <source>operation %1</source>
        <translation>연산 %1</translation>
    </message>
    <message>
        <source>bucket %1</source>
        <translation>버킷 %1</translation>
    </message>
    <message>
        <source>waits for %1: %2</source>
        <translation>%1 대기: %2</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>대기: %1</translation>
    </message>
    <message>
        <source>mean wait of a step: %1</source>
        <translation>스텝당 평균 대기: %1</translation>
    </message>
    <message>
        <source>last word %1</source>
        <translation>마지막 소식 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) wait for it, the longest for %1</source>
        <translation>
            <numerusform>태스크 %n개가 기다리며, 가장 오래 기다린 시간은 %1입니다</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has exchanged nothing yet: %2</source>
        <translation>%1: 아직 교환한 것이 없습니다. %2</translation>
    </message>
    <message>
        <source>%1 has said nothing for %2: %3</source>
        <translation>%1: %2째 소식이 없습니다. %3</translation>
    </message>
    <message>
        <source>%1 has not answered yet: %2</source>
        <translation>%1: 아직 응답하지 않았습니다. %2</translation>
    </message>
    <message>
        <source>%1 is still at operation %2: %3</source>
        <translation>%1: 아직 연산 %2에 있습니다. %3</translation>
    </message>
    <message>
        <source>Appears with the first exchange</source>
        <translation>첫 교환과 함께 나타납니다</translation>
    </message>
    <message>
        <source>No task is late; the longest wait now: %1</source>
        <translation>늦는 태스크가 없습니다. 현재 최장 대기: %1</translation>
    </message>
    <message>
        <source>No task is late</source>
        <translation>늦는 태스크가 없습니다</translation>
    </message>
</context>
<context>
    <name>RateCurve</name>
    <message>
        <source>Learning rate by epoch</source>
        <translation>에포크별 학습률</translation>
    </message>
    <message>
        <source>No curve: the settings are not complete</source>
        <translation>곡선 없음: 설정이 완전하지 않음</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>%1에서 %2까지</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>appears with complete settings</source>
        <translation>설정을 마치면 나타납니다</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>에포크</translation>
    </message>
</context>
<context>
    <name>RecentModel</name>
    <message>
        <source>today, %1</source>
        <translation>오늘 %1</translation>
    </message>
    <message>
        <source>yesterday, %1</source>
        <translation>어제 %1</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>테스트 정확도</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>form of a date, as QDate takes it</comment>
        <translation>M월 d일</translation>
    </message>
    <message>
        <source>starter project, not saved</source>
        <translation>시작 프로젝트, 저장되지 않음</translation>
    </message>
</context>
<context>
    <name>RecentProjectsView</name>
    <message>
        <source>New blank project</source>
        <translation>새 빈 프로젝트</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>최근</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>최근 프로젝트</translation>
    </message>
</context>
<context>
    <name>RecoveryBar</name>
    <message>
        <source>Restore</source>
        <translation>복원</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>버리기</translation>
    </message>
    <message>
        <source>Ask again at the next start</source>
        <translation>다음에 시작할 때 다시 묻기</translation>
    </message>
    <message>
        <source>%1 has changes of %2 that were not saved when the studio ended.</source>
        <translation>%1: 스튜디오가 끝날 때 저장되지 않은 %2의 변경이 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>외 %n개</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportKind</name>
    <message>
        <source>Report</source>
        <translation>보고서</translation>
    </message>
    <message>
        <source>The run on one page to keep or to pass on: results, charts, settings, tasks, epochs and what happened.</source>
        <translation>보관하거나 전달할 한 쪽짜리 실행 보고서: 결과, 차트, 설정, 태스크, 에포크, 경과.</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>아직 실행 없음</translation>
    </message>
</context>
<context>
    <name>ReportWords</name>
    <message>
        <source>%1 lost: %2</source>
        <translation>%1 끊김: %2</translation>
    </message>
    <message>
        <source>attempt %1 of %2: %3 %4</source>
        <translation>%2번 중 %1번째 시도: %3 %4</translation>
    </message>
    <message>
        <source>attempt %1, started by hand; the one before: %2</source>
        <translation>%1번째 시도, 직접 시작함. 바로 전 시도: %2</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>result</source>
        <translation>결과</translation>
    </message>
    <message>
        <source>value</source>
        <translation>값</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>매개변수</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>전역 배치</translation>
    </message>
    <message>
        <source>steps planned</source>
        <translation>계획한 스텝</translation>
    </message>
    <message>
        <source>weights, sha256</source>
        <translation>가중치, sha256</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>항목</translation>
    </message>
    <message>
        <source>model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>data</source>
        <translation>데이터</translation>
    </message>
    <message>
        <source>batch per replica</source>
        <translation>복제본당 배치</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>metrics</source>
        <translation>지표</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>에포크 수</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>executor</source>
        <translation>실행기</translation>
    </message>
    <message>
        <source>transport</source>
        <translation>전송 방식</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>폴더</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1~%2</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>address</source>
        <translation>주소</translation>
    </message>
    <message>
        <source>state</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>last step</source>
        <translation>마지막 스텝</translation>
    </message>
    <message>
        <source>input, ms</source>
        <translation>입력, ms</translation>
    </message>
    <message>
        <source>compute, ms</source>
        <translation>계산, ms</translation>
    </message>
    <message>
        <source>wait, ms</source>
        <translation>대기, ms</translation>
    </message>
    <message>
        <source>reduce, ms</source>
        <translation>리듀스, ms</translation>
    </message>
    <message>
        <source>apply, ms</source>
        <translation>적용, ms</translation>
    </message>
    <message>
        <source>peak memory, MB</source>
        <translation>최대 메모리, MB</translation>
    </message>
    <message>
        <source>detail</source>
        <translation>상세</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>초</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>체크포인트</translation>
    </message>
    <message>
        <source>file</source>
        <translation>파일</translation>
    </message>
    <message>
        <source>step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>best</source>
        <translation>최고</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>있었던 일</translation>
    </message>
    <message>
        <source>after</source>
        <translation>경과</translation>
    </message>
    <message>
        <source>what</source>
        <translation>내용</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>경고와 오류</translation>
    </message>
    <message>
        <source>line</source>
        <translation>줄</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>차트</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>처리량</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>프로젝트</translation>
    </message>
    <message>
        <source>train</source>
        <translation>훈련</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>검증</translation>
    </message>
    <message>
        <source>all tasks</source>
        <translation>모든 태스크</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>이미지/초</translation>
    </message>
    <message>
        <source>%1: no point was told.</source>
        <translation>%1: 점이 하나도 없습니다.</translation>
    </message>
    <message>
        <source>Best %1 %2 in epoch %3.</source>
        <translation>최고 %1 %2 (에포크 %3).</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>실행 %1</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>태스크 1개</translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation>태스크 %1개</translation>
    </message>
    <message>
        <source>launched %1</source>
        <translation>시작 %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>소요 %1</translation>
    </message>
    <message>
        <source>%1 attempts</source>
        <translation>시도 %1번</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>시작 전</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>시작하는 중</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>연결하는 중</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>준비됨</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련 중</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>대기 중</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>일시 정지됨</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>중지됨</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>실패</translation>
    </message>
</context>
<context>
    <name>RunChartFeed</name>
    <message>
        <source>Accuracy</source>
        <translation>정확도</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>이미지 / 초</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>처리량</translation>
    </message>
    <message>
        <source>total</source>
        <translation>합계</translation>
    </message>
    <message>
        <source>train</source>
        <translation>훈련</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>검증</translation>
    </message>
    <message>
        <source>%1, before the branch</source>
        <translation>%1, 분기 전</translation>
    </message>
</context>
<context>
    <name>RunCompare</name>
    <message numerus="yes">
        <source>%n run(s) let by; Enter checks them</source>
        <translation>
            <numerusform>실행 %n개 통과, Enter로 선택</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag along an axis to brush it</source>
        <translation>축을 따라 끌면 범위를 고를 수 있습니다</translation>
    </message>
    <message>
        <source>Choose a run in the table to read its project.</source>
        <translation>표에서 실행을 고르면 그 프로젝트를 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>%1, with what differs from %2</source>
        <translation>%1, %2에 비해 다른 점 표시</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>곡선</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>평행 좌표</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>로그</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>비교</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>검증</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련 중</translation>
    </message>
    <message>
        <source>Each seed</source>
        <translation>시드별</translation>
    </message>
    <message>
        <source>Mean ± std of seeds</source>
        <translation>시드의 평균 ± 표준 편차</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>스텝</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>상대 시간</translation>
    </message>
    <message>
        <source>Curves of</source>
        <translation>곡선 대상</translation>
    </message>
    <message>
        <source>Runs that differ by their seed alone</source>
        <translation>시드만 다른 실행</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x축</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>평활</translation>
    </message>
    <message>
        <source>Project of the run</source>
        <translation>실행의 프로젝트</translation>
    </message>
    <message numerus="yes">
        <source>The first %n run(s) of the table; drag along an axis to brush it</source>
        <translation>
            <numerusform>표의 처음 %n개 실행. 축을 따라 끌면 범위를 고를 수 있습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 from step %2</source>
        <translation>스텝 %2부터 %1</translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message numerus="yes">
        <source>%1, mean of %n seed(s)</source>
        <translation>
            <numerusform>%1, 시드 %n개의 평균</numerusform>
        </translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>정확도</translation>
    </message>
    <message>
        <source>Validation %1</source>
        <comment>a metric&apos;s name</comment>
        <translation>검증 %1</translation>
    </message>
    <message>
        <source>Training %1</source>
        <comment>a metric&apos;s name</comment>
        <translation>훈련 %1</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>검증 손실</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>훈련 손실</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>손실</translation>
    </message>
    <message>
        <source>Check runs in the table (Space) to draw them.</source>
        <translation>표에서 실행을 선택(Space)하면 그려집니다.</translation>
    </message>
    <message>
        <source>appears with the end of the first epoch</source>
        <translation>첫 에포크가 끝나면 나타납니다</translation>
    </message>
    <message>
        <source>none of these runs has told any</source>
        <translation>이 실행들은 알리지 않았습니다</translation>
    </message>
</context>
<context>
    <name>RunDiffModel</name>
    <message>
        <source>workers</source>
        <translation>워커</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>전역 배치</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>에포크 수</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>best val acc</source>
        <translation>최고 검증 정확도</translation>
    </message>
    <message>
        <source>best epoch</source>
        <translation>최고 에포크</translation>
    </message>
    <message>
        <source>time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>differs from most</source>
        <translation>대부분과 다름</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>learning rate, live</source>
        <translation>학습률, 실행 중 변경</translation>
    </message>
</context>
<context>
    <name>RunDiffView</name>
    <message>
        <source>What differs</source>
        <translation>다른 점</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>차이</translation>
    </message>
    <message>
        <source>All</source>
        <translation>모두</translation>
    </message>
    <message>
        <source>Which settings are shown</source>
        <translation>보여 줄 설정</translation>
    </message>
    <message>
        <source>Settings of the compared runs</source>
        <translation>비교하는 실행의 설정</translation>
    </message>
    <message>
        <source>Check two runs or more in the table to see what tells them apart.</source>
        <translation>표에서 실행을 둘 이상 선택하면 차이를 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>These runs have the same settings.</source>
        <translation>이 실행들은 설정이 같습니다.</translation>
    </message>
    <message>
        <source>Best so far: %1</source>
        <translation>지금까지 최고: %1</translation>
    </message>
    <message>
        <source>%1 accuracy over the running one</source>
        <translation>실행 중인 것과의 정확도 차이 %1</translation>
    </message>
    <message>
        <source>%1 accuracy over the next best</source>
        <translation>다음으로 좋은 것과의 정확도 차이 %1</translation>
    </message>
</context>
<context>
    <name>RunFilter</name>
    <message>
        <source>%1: expected a number</source>
        <translation>%1: 수를 입력하십시오</translation>
    </message>
</context>
<context>
    <name>RunFolderDialog</name>
    <message>
        <source>Open run folder</source>
        <translation>실행 폴더 열기</translation>
    </message>
    <message>
        <source>A run without an agent, which a shell, mpirun or a scheduler started, tells what happens in its folder. Monitor shows it from its first step on and follows it while it goes on. A host of the list is reached over ssh.</source>
        <translation>셸, mpirun, 스케줄러가 시작한 에이전트 없는 실행은 자기 폴더에 진행 상황을 적습니다. 모니터는 첫 스텝부터 보여 주고, 진행되는 동안 따라갑니다. 목록의 호스트에는 ssh로 연결합니다.</translation>
    </message>
    <message>
        <source>The folder is on</source>
        <translation>폴더가 있는 곳</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>The run&apos;s folder</source>
        <translation>실행 폴더</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>선택…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>The agent does not answer yet.</source>
        <translation>에이전트가 아직 응답하지 않습니다.</translation>
    </message>
    <message>
        <source>The folder begins with /.</source>
        <translation>폴더는 /로 시작합니다.</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>여는 중…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Open the folder of a run that was started without an agent</source>
        <translation>에이전트 없이 시작된 실행의 폴더 열기</translation>
    </message>
</context>
<context>
    <name>RunGroup</name>
    <message numerus="yes">
        <source>%n worker(s) on this computer</source>
        <translation>
            <numerusform>이 컴퓨터의 워커 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Where the run goes</source>
        <translation>실행할 곳</translation>
    </message>
    <message>
        <source>Run target</source>
        <translation>실행 대상</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Stop after this step, with a checkpoint (Shift+F5)</source>
        <translation>이 스텝 뒤 체크포인트를 남기고 중지 (Shift+F5)</translation>
    </message>
    <message>
        <source>Local ×%1</source>
        <translation>로컬 ×%1</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>로컬</translation>
    </message>
    <message>
        <source>Launch: %1</source>
        <translation>시작: %1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>재개</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>일시 정지</translation>
    </message>
    <message>
        <source>Resume (Space)</source>
        <translation>재개 (Space)</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>일시 정지 (Space)</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>준비됨</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>경고 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Hosts ×%1</source>
        <translation>호스트 ×%1</translation>
    </message>
</context>
<context>
    <name>RunLogView</name>
    <message>
        <source>Check a run in the table to read its log.</source>
        <translation>표에서 실행을 선택하면 로그를 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Log of the run</source>
        <translation>실행의 로그</translation>
    </message>
</context>
<context>
    <name>RunTableModel</name>
    <message>
        <source>Run</source>
        <translation>실행</translation>
    </message>
    <message>
        <source>State</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>테스트 손실</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>이미지/초</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>오늘 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>어제 %1</translation>
    </message>
    <message>
        <source>No tag</source>
        <translation>태그 없음</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>알 수 없음</translation>
    </message>
    <message>
        <source>%1 decay</source>
        <comment>a learning rate that changes on the way</comment>
        <translation>%1 감소</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (실행 %n개)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, in the charts</source>
        <translation>%1, 차트에 있음</translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s), %1 in all</source>
        <translation>
            <numerusform>시도 %n번, 모두 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, not in the charts</source>
        <translation>%1, 차트에 없음</translation>
    </message>
    <message>
        <source>In the charts</source>
        <translation>차트에 있음</translation>
    </message>
    <message>
        <source>Images/s over workers times the best rate of one worker that does the same work</source>
        <translation>초당 이미지 수를 워커 수 × 같은 작업을 하는 워커 하나의 최고 속도로 나눈 값</translation>
    </message>
    <message>
        <source>Over all replicas</source>
        <translation>모든 복제본 합계</translation>
    </message>
    <message>
        <source>Shown in the charts</source>
        <translation>차트에 표시</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>워커</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>배치</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>학습률</translation>
    </message>
    <message>
        <source>Best val acc</source>
        <translation>최고 검증 정확도</translation>
    </message>
    <message>
        <source>Val loss</source>
        <translation>검증 손실</translation>
    </message>
    <message>
        <source>Test acc</source>
        <translation>테스트 정확도</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>확장 효율</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크 수</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>태그</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>메모</translation>
    </message>
    <message>
        <source>Imported from %1</source>
        <translation>%1에서 가져옴</translation>
    </message>
    <message>
        <source>Event files of %1</source>
        <translation>%1의 이벤트 파일</translation>
    </message>
</context>
<context>
    <name>RunTableTools</name>
    <message>
        <source>%1 drawn, %2 more in the table</source>
        <translation>%1개 그림, 표에 %2개 더 있음</translation>
    </message>
    <message>
        <source>%1 of %2 shown in the charts</source>
        <translation>%2개 중 %1개 차트에 표시</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>보관</translation>
    </message>
    <message>
        <source>Archived runs</source>
        <translation>보관한 실행</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>기준: %1</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>열</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>표를 CSV로 복사</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>데이터셋</translation>
    </message>
    <message>
        <source>Filter by name, tag or /regex/</source>
        <translation>이름, 태그, /정규식/으로 거르기</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>실행 거르기</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>그룹: %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>옵티마이저</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>복원</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Seeds of one setting</source>
        <translation>같은 설정의 시드</translation>
    </message>
    <message>
        <source>Space checks a run for the charts</source>
        <translation>Space로 차트에 넣을 실행을 선택합니다</translation>
    </message>
    <message>
        <source>State</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>state</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>전략</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>태그</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>태그</translation>
    </message>
    <message>
        <source>Words in name, tags and notes; /regex/; field:value, such as state:done, tag:paper, accuracy:&gt;0.98, is:pinned; a minus in front turns it round.
Fields: %1</source>
        <translation>이름, 태그, 메모의 낱말; /정규식/; state:done, tag:paper, accuracy:&gt;0.98, is:pinned 같은 필드:값. 앞에 빼기를 붙이면 반대가 됩니다.
필드: %1</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>paused at step %1</source>
        <translation>스텝 %1에서 일시 정지</translation>
    </message>
    <message>
        <source>resumed at step %1</source>
        <translation>스텝 %1에서 재개</translation>
    </message>
    <message>
        <source>told to stop at step %1</source>
        <translation>스텝 %1에서 중지 요청</translation>
    </message>
    <message>
        <source>checkpoint by hand at step %1</source>
        <translation>스텝 %1에서 수동 체크포인트</translation>
    </message>
    <message>
        <source>learning rate %1 from step %2 on</source>
        <translation>스텝 %2부터 학습률 %1</translation>
    </message>
    <message numerus="yes">
        <source>Launched %1 with %n task(s).</source>
        <translation>
            <numerusform>태스크 %n개로 %1 실행을 시작했습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>The stream of %1 broke off: %2</source>
        <translation>%1의 스트림이 끊겼습니다: %2</translation>
    </message>
    <message>
        <source>Started %1 again from its backup (attempt %2).</source>
        <translation>%1 실행을 백업에서 다시 시작했습니다(%2번째 시도).</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Opened the folder of %1.</source>
        <translation>%1의 폴더를 열었습니다.</translation>
    </message>
    <message>
        <source>%1 is here already.</source>
        <translation>%1: 이미 여기에 있습니다.</translation>
    </message>
    <message>
        <source>Imported %1 from %2.</source>
        <translation>%2에서 %1 실행을 가져왔습니다.</translation>
    </message>
    <message>
        <source>Saved %1 in %2.</source>
        <translation>%1 실행을 %2에 저장했습니다.</translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>실행 기록</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>폴더 열기</translation>
    </message>
    <message>
        <source>Open in Monitor</source>
        <translation>모니터에서 열기</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>실행 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>아직 실행 없음</translation>
    </message>
    <message>
        <source>No run matches %1</source>
        <translation>%1에 맞는 실행 없음</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>템플릿 선택</translation>
    </message>
    <message>
        <source>Open in Monitor	Enter</source>
        <translation>모니터에서 열기	Enter</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>평가</translation>
    </message>
    <message>
        <source>Open as project</source>
        <translation>프로젝트로 열기</translation>
    </message>
    <message>
        <source>Rename	F2</source>
        <translation>이름 바꾸기	F2</translation>
    </message>
    <message>
        <source>Unpin	P</source>
        <translation>고정 해제	P</translation>
    </message>
    <message>
        <source>Pin to the top	P</source>
        <translation>맨 위에 고정	P</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>색</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>태그</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>메모</translation>
    </message>
    <message>
        <source>Use as baseline</source>
        <translation>기준으로 사용</translation>
    </message>
    <message>
        <source>Take out of the archive	Del</source>
        <translation>보관 해제	Del</translation>
    </message>
    <message>
        <source>Archive	Del</source>
        <translation>보관	Del</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>색 %1</translation>
    </message>
    <message>
        <source>Colour %1, dashed</source>
        <translation>색 %1, 점선</translation>
    </message>
    <message>
        <source>%1 is in the archive</source>
        <translation>%1 보관됨</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the archive</source>
        <translation>
            <numerusform>실행 %n개 보관됨</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is in the table again</source>
        <translation>%1 다시 표에 있음</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the table again</source>
        <translation>
            <numerusform>실행 %n개 다시 표에 있음</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>실행 취소</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) copied as CSV</source>
        <translation>
            <numerusform>실행 %n개를 CSV로 복사했습니다</numerusform>
        </translation>
    </message>
    <message>
        <source>Confusion matrix, wrong answers, and a drawing of yours through the chosen run&apos;s model</source>
        <translation>혼동 행렬, 틀린 답, 그리고 직접 그린 그림을 선택한 실행의 모델로 보기</translation>
    </message>
    <message>
        <source>Launch the open project (Ctrl+R).</source>
        <translation>열린 프로젝트를 시작하십시오 (Ctrl+R).</translation>
    </message>
    <message>
        <source>Choose a template, then launch it (Ctrl+R).</source>
        <translation>템플릿을 고르고 시작하십시오 (Ctrl+R).</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden by the filter.</source>
        <translation>
            <numerusform>필터로 숨긴 실행 %n개.</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>필터 지우기</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>읽는 중</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), %1 selected</source>
        <translation>
            <numerusform>실행 %n개, %1개 선택됨</numerusform>
        </translation>
    </message>
    <message>
        <source>Every run is in the archive</source>
        <translation>모든 실행이 보관함에 있음</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are kept there.</source>
        <translation>
            <numerusform>실행 %n개가 보관되어 있습니다.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show archived runs</source>
        <translation>보관한 실행 보기</translation>
    </message>
    <message>
        <source>Equivalence lab</source>
        <translation>동등성 실험</translation>
    </message>
    <message>
        <source>The open project under every strategy: do all of them train the same?</source>
        <translation>열린 프로젝트를 모든 전략으로: 모두 똑같이 훈련합니까?</translation>
    </message>
    <message>
        <source>Copies on this computer; its folder is %1</source>
        <translation>이 컴퓨터의 사본입니다. 실행의 폴더는 %1입니다</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>스윕</translation>
    </message>
    <message>
        <source>The open project with many values of some fields: which are best?</source>
        <translation>열린 프로젝트를 몇몇 필드의 여러 값으로: 어떤 값이 가장 좋습니까?</translation>
    </message>
    <message>
        <source>%1 has the best trial&apos;s values</source>
        <translation>%1에 가장 좋은 시도의 값을 넣었습니다</translation>
    </message>
</context>
<context>
    <name>SampleCard</name>
    <message>
        <source>Samples and classes</source>
        <translation>샘플과 클래스</translation>
    </message>
    <message>
        <source>training</source>
        <translation>훈련</translation>
    </message>
    <message>
        <source>test</source>
        <translation>테스트</translation>
    </message>
    <message>
        <source>As ink</source>
        <translation>잉크로</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>저장된 대로</translation>
    </message>
    <message>
        <source>How samples of one channel are drawn</source>
        <translation>채널이 하나인 샘플을 그리는 방식</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>섞기</translation>
    </message>
    <message>
        <source>Show other samples of each class</source>
        <translation>클래스마다 다른 샘플 보기</translation>
    </message>
</context>
<context>
    <name>SampleRows</name>
    <message numerus="yes">
        <source>%n class(es) with samples</source>
        <translation>
            <numerusform>샘플이 있는 클래스 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>all</source>
        <translation>전체</translation>
    </message>
    <message>
        <source>%1: %2 training, %3 test</source>
        <translation>%1: 훈련 %2, 테스트 %3</translation>
    </message>
    <message>
        <source>%1: training sample %2</source>
        <translation>%1: 훈련 샘플 %2</translation>
    </message>
</context>
<context>
    <name>ScriptKind</name>
    <message>
        <source>Python program</source>
        <translation>Python 프로그램</translation>
    </message>
    <message>
        <source>A whole program that trains the project without Tandem: data, model, strategy, callbacks, evaluation.</source>
        <translation>Tandem 없이 프로젝트를 훈련하는 온전한 프로그램입니다. 데이터, 모델, 전략, 콜백, 평가가 들어 있습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>문제 %n개</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerView</name>
    <message>
        <source>shared memory · gRPC</source>
        <translation>공유 메모리 · gRPC</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>공유 메모리</translation>
    </message>
    <message>
        <source>%1: %2 updates and %3 a second</source>
        <translation>%1: 초당 갱신 %2회, %3</translation>
    </message>
    <message>
        <source>global step %1</source>
        <translation>전역 스텝 %1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>아직 참여 전</translation>
    </message>
    <message>
        <source>%1 updates/s · %2/s</source>
        <translation>갱신 %1/초 · %2/초</translation>
    </message>
    <message>
        <source>mean %1 · most %2</source>
        <translation>평균 %1 · 최대 %2</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>매개변수 서버</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>지연도</translation>
    </message>
    <message>
        <source>How many updates of others a gradient had missed when it was applied</source>
        <translation>그래디언트가 적용될 때 놓친 다른 워커의 갱신 수</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>The settings can&apos;t be read whole: %1</source>
        <translation>설정을 모두 읽을 수 없습니다: %1</translation>
    </message>
    <message>
        <source>The settings could not be read whole and were put aside as %1. What could be read stays.</source>
        <translation>설정을 모두 읽을 수 없어 따로 두었습니다(%1). 읽을 수 있는 것은 그대로 남습니다.</translation>
    </message>
</context>
<context>
    <name>SessionToasts</name>
    <message>
        <source>%1 was not opened: %2</source>
        <translation>%1 파일을 열지 못했습니다: %2</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 파일을 저장하지 못했습니다: %2</translation>
    </message>
    <message>
        <source>%1: done in %2</source>
        <translation>%1: %2 만에 완료</translation>
    </message>
    <message>
        <source>%1: done in %2, test accuracy %3</source>
        <translation>%1: %2 만에 완료, 테스트 정확도 %3</translation>
    </message>
    <message>
        <source>Another program has changed %1.</source>
        <translation>다른 프로그램이 %1 파일을 바꾸었습니다.</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>이벤트</translation>
    </message>
    <message>
        <source>Opened the model of %1.</source>
        <translation>%1의 모델을 열었습니다.</translation>
    </message>
    <message>
        <source>Opened the model of %1; training begins with its weights.</source>
        <translation>%1의 모델을 열었습니다. 훈련은 그 가중치로 시작합니다.</translation>
    </message>
    <message>
        <source>Read it again</source>
        <translation>다시 읽기</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>다른 이름으로 저장…</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>훈련이 실패했습니다</translation>
    </message>
    <message>
        <source>Training is done</source>
        <translation>훈련이 끝났습니다</translation>
    </message>
</context>
<context>
    <name>ShardPreview</name>
    <message>
        <source>Sharding preview</source>
        <translation>샤딩 미리 보기</translation>
    </message>
    <message numerus="yes">
        <source>step %1, %2: %n sample(s)</source>
        <translation>
            <numerusform>스텝 %1, %2: 샘플 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>which sample each worker sees, from the engine itself</source>
        <translation>각 워커가 보는 샘플, 엔진이 직접 계산</translation>
    </message>
    <message>
        <source>Asking the engine</source>
        <translation>엔진에 묻는 중</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>스텝 %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>외 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n a step</source>
        <translation>
            <numerusform>스텝당 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1, %2: samples %3</source>
        <translation>스텝 %1, %2: 샘플 %3</translation>
    </message>
    <message>
        <source>which sample each device sees, from the engine itself</source>
        <translation>각 장치가 보는 샘플, 엔진이 직접 계산</translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Action</source>
        <translation>동작</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>키</translation>
    </message>
    <message>
        <source>By default</source>
        <translation>기본값</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”, which will have no key then.</source>
        <translation>%1 키는 “%2”에서 쓰고 있습니다. 가져오면 그 동작에는 키가 없어집니다.</translation>
    </message>
    <message>
        <source>Take it over</source>
        <translation>가져오기</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>지정</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Filter by action or keys</source>
        <translation>동작이나 키로 거르기</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>동작과 키</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>새 키</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>되돌리기</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>모두 되돌리기</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>StalenessBars</name>
    <message>
        <source>%1 missed: %2 of the updates</source>
        <translation>%1회 놓침: 갱신의 %2</translation>
    </message>
    <message>
        <source>appears with the first updates</source>
        <translation>첫 갱신과 함께 나타납니다</translation>
    </message>
</context>
<context>
    <name>StatusRow</name>
    <message>
        <source>Problems</source>
        <translation>문제</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>태스크 로그</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>이벤트</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>지표</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>명령</translation>
    </message>
    <message>
        <source>%1 (Alt+%2)</source>
        <translation>%1 (Alt+%2)</translation>
    </message>
    <message>
        <source>Agent on this computer: ready</source>
        <translation>이 컴퓨터의 에이전트: 준비됨</translation>
    </message>
    <message>
        <source>Agent on this computer: connecting</source>
        <translation>이 컴퓨터의 에이전트: 연결하는 중</translation>
    </message>
    <message>
        <source>Agent on this computer: no answer</source>
        <translation>이 컴퓨터의 에이전트: 응답 없음</translation>
    </message>
    <message numerus="yes">
        <source>Agent on this computer: no answer for %n second(s)</source>
        <translation>
            <numerusform>이 컴퓨터의 에이전트: %n초 동안 응답 없음</numerusform>
        </translation>
    </message>
    <message>
        <source>Project not saved</source>
        <translation>프로젝트 저장 안 됨</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>저장하지 않은 변경</translation>
    </message>
    <message>
        <source>Project saved</source>
        <translation>프로젝트 저장됨</translation>
    </message>
</context>
<context>
    <name>StepTimeBars</name>
    <message>
        <source>input</source>
        <translation>입력</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>계산</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>대기</translation>
    </message>
    <message>
        <source>reduce</source>
        <translation>리듀스</translation>
    </message>
    <message>
        <source>apply</source>
        <translation>적용</translation>
    </message>
    <message>
        <source>Step time: %1</source>
        <translation>스텝 시간: %1</translation>
    </message>
    <message>
        <source>appears with the first step</source>
        <translation>첫 스텝과 함께 나타납니다</translation>
    </message>
    <message>
        <source>this run has told none</source>
        <translation>이 실행은 알리지 않았습니다</translation>
    </message>
</context>
<context>
    <name>StepTimesView</name>
    <message>
        <source>mean of last 100</source>
        <translation>최근 100회 평균</translation>
    </message>
    <message>
        <source>Share of a step that is neither waiting nor exchange: what two workers lose against one.</source>
        <translation>스텝 시간 중 대기도 교환도 아닌 비율: 워커가 둘일 때 하나에 비해 잃는 몫을 보여 줍니다.</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>가장 느린 워커</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>스텝 시간</translation>
    </message>
    <message>
        <source>Time spent training</source>
        <translation>훈련에 쓴 시간</translation>
    </message>
</context>
<context>
    <name>StrategyForm</name>
    <message>
        <source>Change %1</source>
        <translation>%1 변경</translation>
    </message>
</context>
<context>
    <name>StrategyPanel</name>
    <message>
        <source>All-reduce</source>
        <translation>올 리듀스</translation>
    </message>
    <message>
        <source>Choose the all-reduce</source>
        <translation>올 리듀스 선택</translation>
    </message>
    <message>
        <source>Choose the strategy</source>
        <translation>전략 선택</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>옵션</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>전략</translation>
    </message>
</context>
<context>
    <name>SubmitDialog</name>
    <message>
        <source>Submit to Slurm</source>
        <translation>Slurm에 제출</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>노드</translation>
    </message>
    <message>
        <source>Tasks a node</source>
        <translation>노드당 태스크</translation>
    </message>
    <message>
        <source>Cores a task</source>
        <translation>태스크당 코어</translation>
    </message>
    <message>
        <source>GPUs a task</source>
        <translation>태스크당 GPU</translation>
    </message>
    <message>
        <source>Seeds (runs)</source>
        <translation>시드(실행 수)</translation>
    </message>
    <message>
        <source>Memory a node</source>
        <translation>노드당 메모리</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>최대 시간</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>파티션</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>기본값</translation>
    </message>
    <message>
        <source>none</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>The run&apos;s folder, which every node sees</source>
        <translation>모든 노드가 볼 수 있는 실행 폴더</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>선택…</translation>
    </message>
    <message>
        <source>The script for sbatch</source>
        <translation>sbatch용 스크립트</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>The folder begins with /.</source>
        <translation>폴더는 /로 시작합니다.</translation>
    </message>
    <message>
        <source>Asking Slurm…</source>
        <translation>Slurm에 묻는 중…</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>제출</translation>
    </message>
    <message>
        <source>An empty folder for the run</source>
        <translation>실행을 위한 빈 폴더</translation>
    </message>
    <message>
        <source>Slurm&apos;s programs take the job, those of this computer or of a host that is reached over ssh, such as a login node. The run waits in the queue, and Monitor shows it from there on. The project is kept as it is now.</source>
        <translation>이 컴퓨터 또는 로그인 노드처럼 ssh로 연결하는 호스트의 Slurm 프로그램에 잡을 넘깁니다. 실행은 대기열에서 기다리며, 그때부터 모니터에 나타납니다. 프로젝트는 지금 상태 그대로 보관됩니다.</translation>
    </message>
    <message>
        <source>Slurm&apos;s programs are on</source>
        <translation>Slurm 프로그램이 있는 곳</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>이 컴퓨터</translation>
    </message>
    <message>
        <source>among the runs of that host</source>
        <translation>그 호스트의 실행 폴더 안</translation>
    </message>
    <message>
        <source>Other values of the project for this job, one a line</source>
        <translation>이 잡에서만 바꿀 프로젝트 값, 한 줄에 하나씩</translation>
    </message>
    <message>
        <source>PATH=VALUE, for this job alone: the project stays as it is.</source>
        <translation>경로=값. 이 잡에만 쓰이며 프로젝트는 그대로입니다.</translation>
    </message>
</context>
<context>
    <name>SummaryDialog</name>
    <message>
        <source>Summary</source>
        <translation>요약</translation>
    </message>
    <message>
        <source>Summary of the model</source>
        <translation>모델 요약</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>레이어</translation>
    </message>
    <message>
        <source>multiply-adds a sample</source>
        <translation>샘플당 곱셈-덧셈</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>outputs, batch %1</source>
        <translation>출력, 배치 %1</translation>
    </message>
    <message>
        <source>total</source>
        <translation>합계</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 슬롯</translation>
    </message>
</context>
<context>
    <name>SweepPlan</name>
    <message>
        <source>%1 with the value %2: %3</source>
        <translation>%1, 값 %2: %3</translation>
    </message>
    <message>
        <source>Add a field</source>
        <translation>필드를 추가하십시오</translation>
    </message>
    <message>
        <source>%1 is there twice</source>
        <translation>%1 필드가 두 번 있습니다</translation>
    </message>
    <message>
        <source>ASHA says itself how many epochs a run trains: remove fit.epochs</source>
        <translation>실행이 몇 에포크를 훈련하는지는 ASHA가 정합니다: fit.epochs를 제거하십시오</translation>
    </message>
    <message>
        <source>The seed is a field: one run each</source>
        <translation>시드가 필드입니다: 구성마다 실행 하나</translation>
    </message>
    <message>
        <source>Say what is compared, such as val_accuracy</source>
        <translation>무엇을 비교하는지 적으십시오, 예를 들어 val_accuracy</translation>
    </message>
    <message>
        <source>At most %1 configurations</source>
        <translation>구성은 많아야 %1개입니다</translation>
    </message>
    <message>
        <source>The first rung is at most as long as the last</source>
        <translation>첫 단계는 마지막 단계보다 길 수 없습니다</translation>
    </message>
    <message numerus="yes">
        <source>%n configuration(s)</source>
        <translation>
            <numerusform>구성 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s) each</source>
        <translation>
            <numerusform>%1, 각각 실행 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; all train for %n epoch(s), and one of %2 goes on to each next rung: %3</source>
        <translation>
            <numerusform>%1. 모두 %n에포크를 훈련하고, 다음 단계마다 %2개 가운데 하나가 계속합니다: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, each for %n epoch(s)</source>
        <translation>
            <numerusform>%1, 각각 %n에포크</numerusform>
        </translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>필드</translation>
    </message>
    <message>
        <source>Add field</source>
        <translation>필드 추가</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>방법</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>격자</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>무작위</translation>
    </message>
    <message>
        <source>ASHA</source>
        <translation>ASHA</translation>
    </message>
    <message>
        <source>Grid: every combination. Random: drawn ones. ASHA: of those that have trained for some epochs the best go on.</source>
        <translation>격자: 모든 조합. 무작위: 뽑은 조합. ASHA: 몇 에포크를 훈련한 것 가운데 가장 좋은 것들이 계속합니다.</translation>
    </message>
    <message>
        <source>the greatest</source>
        <translation>가장 큰 값</translation>
    </message>
    <message>
        <source>the least</source>
        <translation>가장 작은 값</translation>
    </message>
    <message>
        <source>all of the grid</source>
        <translation>격자 전체</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>목표</translation>
    </message>
    <message>
        <source>Best is</source>
        <translation>최적 기준</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Runs at once</source>
        <translation>동시 실행</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>구성</translation>
    </message>
    <message>
        <source>First rung</source>
        <translation>첫 단계</translation>
    </message>
    <message>
        <source>One goes on of</source>
        <translation>N개 중 하나가 계속</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>시드</translation>
    </message>
</context>
<context>
    <name>SweepResult</name>
    <message>
        <source>fields together, and noise</source>
        <translation>필드의 상호 작용과 잡음</translation>
    </message>
    <message>
        <source>Best so far: %1, trial %2</source>
        <translation>지금까지 가장 좋은 것: %1, 시도 %2</translation>
    </message>
    <message>
        <source>No trial has ended yet</source>
        <translation>아직 끝난 시도가 없습니다</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Importance of fields</source>
        <translation>필드의 중요도</translation>
    </message>
    <message>
        <source>The part of the variance over the first rung&apos;s values that each field explains alone, by a random forest (fANOVA)</source>
        <translation>첫 단계 값의 분산에서 각 필드가 혼자 설명하는 몫, 랜덤 포레스트(fANOVA)로 구함</translation>
    </message>
    <message numerus="yes">
        <source>appears when %n trial(s) have ended</source>
        <translation>
            <numerusform>시도 %n개가 끝나면 나타납니다</numerusform>
        </translation>
    </message>
    <message>
        <source>Trials of the sweep</source>
        <translation>스윕의 시도</translation>
    </message>
    <message>
        <source>Trials appear here as lines when they have ended a rung.</source>
        <translation>시도는 한 단계를 마치면 여기에 선으로 나타납니다.</translation>
    </message>
</context>
<context>
    <name>SweepTableModel</name>
    <message>
        <source>Trial</source>
        <translation>시도</translation>
    </message>
    <message>
        <source>State</source>
        <translation>상태</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>에포크</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>설명</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>지금까지 가장 좋음</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>대기 중</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련 중</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>중지됨</translation>
    </message>
    <message>
        <source>At its rung</source>
        <translation>단계에서 멈춤</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>실패</translation>
    </message>
</context>
<context>
    <name>SweepView</name>
    <message>
        <source>No sweep yet</source>
        <translation>아직 스윕이 없습니다</translation>
    </message>
    <message>
        <source>Use a sweep&apos;s best values</source>
        <translation>스윕의 가장 좋은 값 쓰기</translation>
    </message>
    <message>
        <source>Which values are best?</source>
        <translation>어떤 값이 가장 좋습니까?</translation>
    </message>
    <message>
        <source>Stopping the runs after their step</source>
        <translation>실행을 스텝 뒤에 멈추는 중</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n trial(s) ended</source>
        <translation>
            <numerusform>시도 %n개 가운데 %1개 끝남</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Over: %n trial(s)</source>
        <translation>
            <numerusform>끝남: 시도 %n개</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped: %1 of %n trial(s) ended</source>
        <translation>
            <numerusform>중지됨: 시도 %n개 가운데 %1개 끝남</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop at once</source>
        <translation>바로 중지</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n epoch(s) trained</source>
        <translation>
            <numerusform>%1: %n에포크 훈련함</numerusform>
        </translation>
    </message>
    <message>
        <source>The sweep ended before its first trial</source>
        <translation>스윕이 첫 시도 전에 끝났습니다</translation>
    </message>
    <message>
        <source>The sweep begins</source>
        <translation>스윕을 시작합니다</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트가 없습니다</translation>
    </message>
    <message>
        <source>A sweep trains the open project with many values of some of its fields. Choose a template, or open a project (Ctrl+O).</source>
        <translation>스윕은 열린 프로젝트를 몇몇 필드의 여러 값으로 훈련합니다. 템플릿을 고르거나 프로젝트를 여십시오(Ctrl+O).</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>템플릿 고르기</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>실행 기록</translation>
    </message>
    <message>
        <source>Earlier sweeps</source>
        <translation>이전 스윕</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>새 스윕</translation>
    </message>
    <message>
        <source>Use best values</source>
        <translation>가장 좋은 값 쓰기</translation>
    </message>
    <message>
        <source>The open project gets the best trial&apos;s values; Undo takes them back</source>
        <translation>열린 프로젝트가 가장 좋은 시도의 값을 받습니다. 실행 취소로 되돌립니다</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>계속</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>시작</translation>
    </message>
    <message>
        <source>No trial has a value yet</source>
        <translation>아직 값이 있는 시도가 없습니다</translation>
    </message>
    <message>
        <source>This sweep is of another project: %1</source>
        <translation>이 스윕은 다른 프로젝트의 것입니다: %1</translation>
    </message>
</context>
<context>
    <name>TaskDelegate</name>
    <message>
        <source>chief duty</source>
        <translation>치프 역할</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
</context>
<context>
    <name>TaskListModel</name>
    <message>
        <source>Not started</source>
        <translation>시작 전</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>연결하는 중</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>준비됨</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>훈련 중</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>대기 중</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>일시 정지됨</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>완료</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>중지됨</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>실패</translation>
    </message>
    <message>
        <source>%1 img/s</source>
        <translation>%1 장/초</translation>
    </message>
    <message>
        <source>%1 of %2 cores</source>
        <translation>%1 / %2코어</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1코어</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <translation>%1, %2, %3, %4</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>유휴</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/초</translation>
    </message>
    <message>
        <source>%1 updates and %2 a second</source>
        <translation>초당 갱신 %1회, %2</translation>
    </message>
</context>
<context>
    <name>TaskLogPane</name>
    <message>
        <source>All tasks</source>
        <translation>모든 태스크</translation>
    </message>
    <message>
        <source>No line yet. Every task&apos;s lines appear here from its start.</source>
        <translation>아직 로그가 없습니다. 태스크가 시작되면 모든 줄이 여기에 나타납니다.</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>전부</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>정보 이상</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>경고와 오류</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>오류만</translation>
    </message>
    <message>
        <source>Filter text</source>
        <translation>텍스트 필터</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>태스크</translation>
    </message>
    <message>
        <source>Least level</source>
        <translation>최소 수준</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>따라가기</translation>
    </message>
    <message>
        <source>Stay at the newest line</source>
        <translation>최신 줄 유지</translation>
    </message>
    <message>
        <source>Copy the lines shown</source>
        <translation>보이는 줄 복사</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>태스크 로그</translation>
    </message>
</context>
<context>
    <name>TemplateCard</name>
    <message>
        <source>One process</source>
        <translation>프로세스 하나</translation>
    </message>
    <message numerus="yes">
        <source>%n processes, gradients summed over a ring</source>
        <translation>
            <numerusform>프로세스 %n개, 링으로 합산</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2.
%3 on %4, batch %5 each.</source>
        <translation>%1; %2.
%4에 %3, 배치는 각각 %5.</translation>
    </message>
    <message>
        <source>%1 with decay</source>
        <translation>%1(감소)</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>에포크 %n개</numerusform>
        </translation>
    </message>
    <message>
        <source>Open and train</source>
        <translation>열고 훈련</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Needs %1, which this version can&apos;t train with yet.</source>
        <translation>%1 필요. 이 버전은 아직 이것으로 훈련할 수 없습니다.</translation>
    </message>
    <message numerus="yes">
        <source>%n processes, variables on parameter servers</source>
        <translation>
            <numerusform>프로세스 %n개, 변수는 매개변수 서버에</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n스텝</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TfConfigCard</name>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
    <message>
        <source>TF_CONFIG of %1</source>
        <translation>%1의 TF_CONFIG</translation>
    </message>
</context>
<context>
    <name>TfConfigKind</name>
    <message>
        <source>One file per task. All hold the same cluster; the task&apos;s own type and index differ.</source>
        <translation>태스크마다 파일 하나. 클러스터는 모두 같고, 태스크의 유형과 인덱스만 다릅니다.</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>열린 프로젝트 없음</translation>
    </message>
    <message>
        <source>One task needs no TF_CONFIG</source>
        <translation>태스크가 하나면 TF_CONFIG가 필요 없음</translation>
    </message>
</context>
<context>
    <name>TfConfigPane</name>
    <message>
        <source>Copy all</source>
        <translation>모두 복사</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>내보내기…</translation>
    </message>
    <message>
        <source>Format of TF_CONFIG</source>
        <translation>TF_CONFIG 형식</translation>
    </message>
    <message>
        <source>one per task; only the marked line differs</source>
        <translation>태스크마다 하나, 표시한 줄만 다름</translation>
    </message>
    <message>
        <source>One task needs no TF_CONFIG</source>
        <translation>태스크가 하나면 TF_CONFIG가 필요 없음</translation>
    </message>
    <message>
        <source>Paste yours</source>
        <translation>붙여넣기</translation>
    </message>
    <message>
        <source>TF_CONFIG of every task (Ctrl+Shift+C)</source>
        <translation>모든 태스크의 TF_CONFIG (Ctrl+Shift+C)</translation>
    </message>
    <message>
        <source>TF_CONFIG, hostfile or Slurm&apos;s variables (Ctrl+V)</source>
        <translation>TF_CONFIG, hostfile 또는 Slurm 변수 (Ctrl+V)</translation>
    </message>
</context>
<context>
    <name>TfConfigRow</name>
    <message>
        <source>One task needs no TF_CONFIG. Choose a template with two or more tasks, or add one.</source>
        <translation>태스크가 하나면 TF_CONFIG가 필요 없습니다. 태스크가 둘 이상인 템플릿을 고르거나 태스크를 추가하십시오.</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>태스크</translation>
    </message>
</context>
<context>
    <name>TfConfigText</name>
    <message numerus="yes">
        <source> … %n character(s) more, which Copy takes along … </source>
        <translation>
            <numerusform> … 복사하면 함께 가져가는 %n자 생략 … </numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Open a project that goes on behind step %1, as a run of its own</source>
        <translation>스텝 %1 다음부터 이어지는 프로젝트를 독립된 실행으로 엽니다</translation>
    </message>
    <message>
        <source>No checkpoint lies before this step</source>
        <translation>이 스텝 앞에 체크포인트가 없습니다</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>스텝 %1 / %2</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>학습률 %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>손실 %1</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>읽는 중…</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>시간</translation>
    </message>
    <message>
        <source>Step of the run that is shown</source>
        <translation>보이는 실행의 스텝</translation>
    </message>
    <message>
        <source>Branch here</source>
        <translation>여기서 분기</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>지금으로</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>둘러보기 끝내기</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>뒤로</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>마치기</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>다음</translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message>
        <source>Open task logs</source>
        <translation>태스크 로그 열기</translation>
    </message>
    <message>
        <source>Waiting for the first step</source>
        <translation>첫 스텝을 기다리는 중</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for %n task(s)</source>
        <translation>
            <numerusform>태스크 %n개를 기다리는 중</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>%1 기다리는 중</translation>
    </message>
    <message>
        <source>fails in %1</source>
        <translation>%1 뒤 실패로 처리</translation>
    </message>
    <message>
        <source>given up in %1</source>
        <translation>%1 뒤 포기</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1초</translation>
    </message>
    <message>
        <source>The command that starts it on its own computer, with its TF_CONFIG</source>
        <translation>그 컴퓨터에서 TF_CONFIG와 함께 태스크를 시작하는 명령</translation>
    </message>
    <message>
        <source>Stops these tasks and launches those that are there</source>
        <translation>이 태스크를 멈추고 준비된 태스크로 시작합니다</translation>
    </message>
    <message>
        <source>Copy the start of %1</source>
        <translation>%1 시작 명령 복사</translation>
    </message>
    <message>
        <source>Copy their start</source>
        <translation>시작 명령 복사</translation>
    </message>
    <message>
        <source>Wait %1</source>
        <translation>%1 기다리기</translation>
    </message>
    <message>
        <source>The limit of a launch is fixed: stops these tasks and launches them again with twice the limit</source>
        <translation>시작 제한 시간은 바꿀 수 없으므로, 이 태스크를 멈추고 제한을 두 배로 하여 다시 시작합니다</translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n worker(s)</source>
        <translation>
            <numerusform>워커 %n개로 계속</numerusform>
        </translation>
    </message>
    <message>
        <source>it hangs or was stopped: %1</source>
        <translation>멈춰 있거나 응답이 없습니다: %1</translation>
    </message>
    <message>
        <source>nothing was heard of it yet</source>
        <translation>아직 아무 소식이 없습니다</translation>
    </message>
    <message>
        <source>it runs, but has not met %1</source>
        <translation>실행 중이지만 아직 연결되지 않은 태스크가 있습니다: %1</translation>
    </message>
    <message>
        <source>it is there and waits for %1</source>
        <translation>준비되었고 기다리는 중입니다: %1</translation>
    </message>
    <message>
        <source>Waiting for Slurm</source>
        <translation>Slurm을 기다리는 중</translation>
    </message>
</context>
<context>
    <name>WayMatrix</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 MB/s</source>
        <translation>%1 MB/s</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>거부됨</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>경로 없음</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>응답 없음</translation>
    </message>
    <message>
        <source>stranger</source>
        <translation>낯선 상대</translation>
    </message>
    <message>
        <source>Ways between computers</source>
        <translation>컴퓨터 사이의 경로</translation>
    </message>
    <message>
        <source>%1: %2 there and back, %3</source>
        <translation>%1: 왕복 %2, %3</translation>
    </message>
    <message>
        <source>%1: %2 at port %3</source>
        <translation>%1: 포트 %3에서 %2</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1: 측정하지 않음</translation>
    </message>
    <message>
        <source>Measuring between the computers…</source>
        <translation>컴퓨터 사이를 측정하는 중…</translation>
    </message>
    <message>
        <source>The doctor measures them.</source>
        <translation>진단이 측정합니다.</translation>
    </message>
    <message>
        <source>there and back %1 at most, %2 at least</source>
        <translation>왕복 최대 %1, 최소 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n way(s) closed</source>
        <translation>
            <numerusform>경로 %n개 막힘</numerusform>
        </translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>측정하지 않음</translation>
    </message>
</context>
<context>
    <name>WeightView</name>
    <message>
        <source>Weights</source>
        <translation>가중치</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>그래디언트</translation>
    </message>
    <message>
        <source>Weights or gradients</source>
        <translation>가중치 또는 그래디언트</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>변수</translation>
    </message>
    <message>
        <source>First kernels</source>
        <translation>첫 커널</translation>
    </message>
    <message>
        <source>no batch was seen yet</source>
        <translation>아직 처리한 배치 없음</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>에포크 %1</translation>
    </message>
    <message>
        <source>norm %1 · mean %2 ± %3</source>
        <translation>노름 %1 · 평균 %2 ± %3</translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>유한하지 않은 값 %n개</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Start a project</source>
        <translation>프로젝트 시작</translation>
    </message>
    <message>
        <source>More</source>
        <translation>더 보기</translation>
    </message>
    <message>
        <source>No project yet. The marked template trains in about a minute.</source>
        <translation>아직 프로젝트가 없습니다. 표시된 템플릿은 1분쯤이면 훈련됩니다.</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>배우기</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>단축키</translation>
    </message>
    <message>
        <source>Folder of the runs</source>
        <translation>실행 폴더</translation>
    </message>
    <message>
        <source>Take the tour, 2 minutes</source>
        <translation>둘러보기, 2분</translation>
    </message>
    <message>
        <source>User manual</source>
        <translation>사용 설명서</translation>
    </message>
    <message>
        <source>Needs %1, which this version can&apos;t train with yet.</source>
        <translation>%1 필요. 이 버전은 아직 이것으로 훈련할 수 없습니다.</translation>
    </message>
    <message>
        <source>The starter projects are missing: %1 was expected. Install Tandem again, or open a project of your own.</source>
        <translation>시작 프로젝트가 없습니다. 있어야 할 곳: %1. Tandem을 다시 설치하거나 자신의 프로젝트를 여십시오.</translation>
    </message>
    <message>
        <source>The marked template opens and trains with one click on this computer. No account; the cards need no network.</source>
        <translation>표시된 템플릿은 클릭 한 번으로 열려 이 컴퓨터에서 훈련됩니다. 계정이 필요 없고, 카드는 네트워크도 필요 없습니다.</translation>
    </message>
    <message>
        <source>Each template is a whole project. No account; the cards need no network.</source>
        <translation>템플릿 하나가 온전한 프로젝트입니다. 계정이 필요 없고, 카드는 네트워크도 필요 없습니다.</translation>
    </message>
    <message>
        <source>No project yet. Begin with a blank one, or open a file.</source>
        <translation>아직 프로젝트가 없습니다. 빈 프로젝트로 시작하거나 파일을 여십시오.</translation>
    </message>
</context>
<context>
    <name>XrayView</name>
    <message>
        <source>No run is shown</source>
        <translation>표시된 실행이 없습니다</translation>
    </message>
    <message>
        <source>One task, nothing to exchange</source>
        <translation>태스크가 하나라 교환할 것이 없습니다</translation>
    </message>
    <message>
        <source>The run is over: an X-ray is of tasks that run now</source>
        <translation>실행이 끝났습니다. 엑스레이는 지금 실행 중인 태스크를 보여 줍니다</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>엑스레이</translation>
    </message>
    <message>
        <source>Tasks in their exchange</source>
        <translation>교환 중인 태스크</translation>
    </message>
</context>
</TS>
