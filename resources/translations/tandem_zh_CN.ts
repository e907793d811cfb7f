<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ActivationView</name>
    <message>
        <source>What each layer makes of the sample</source>
        <translation>每一层对样本的输出</translation>
    </message>
    <message>
        <source>%1, %2, from %3 to %4</source>
        <translation>%1，%2，从 %3 到 %4</translation>
    </message>
</context>
<context>
    <name>BatchPanel</name>
    <message>
        <source>Change the validation split</source>
        <translation>更改验证比例</translation>
    </message>
    <message>
        <source>Change the seed</source>
        <translation>更改随机种子</translation>
    </message>
    <message>
        <source>Change the batch</source>
        <translation>更改批次</translation>
    </message>
    <message>
        <source>Change the sharding</source>
        <translation>更改分片</translation>
    </message>
    <message>
        <source>Change the validation</source>
        <translation>更改验证</translation>
    </message>
    <message numerus="yes">
        <source>Use %n replica(s)</source>
        <translation>
            <numerusform>使用 %n 个副本</numerusform>
        </translation>
    </message>
    <message>
        <source>The cluster has tasks on other hosts: change it on the Cluster page.</source>
        <translation>集群中有任务位于其他主机：请在“集群”页面更改。</translation>
    </message>
    <message>
        <source>training %1</source>
        <translation>训练 %1</translation>
    </message>
    <message>
        <source>validation %1</source>
        <translation>验证 %1</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>the test set</source>
        <translation>测试集</translation>
    </message>
    <message>
        <source>a part of training</source>
        <translation>训练集的一部分</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>per replica</source>
        <translation>每个副本</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>副本数</translation>
    </message>
    <message>
        <source>global</source>
        <translation>全局</translation>
    </message>
    <message>
        <source>Auto-shard</source>
        <translation>自动分片</translation>
    </message>
    <message>
        <source>part of the training samples for validation</source>
        <translation>用于验证的训练样本比例</translation>
    </message>
    <message>
        <source>The TPU that the script finds says how many replicas there are.</source>
        <translation>副本数由脚本找到的 TPU 决定。</translation>
    </message>
</context>
<context>
    <name>BestClasses</name>
    <message>
        <source>Five best classes</source>
        <translation>得分最高的五个类别</translation>
    </message>
</context>
<context>
    <name>CanvasItems</name>
    <message>
        <source>Add the first layer (A, then C)</source>
        <translation>添加第一层（先按 A，再按 C）</translation>
    </message>
</context>
<context>
    <name>CanvasZoom</name>
    <message>
        <source>Fit the whole model</source>
        <translation>适应整个模型</translation>
    </message>
    <message>
        <source>Larger (Shift+Up)</source>
        <translation>放大（Shift+Up）</translation>
    </message>
    <message>
        <source>Smaller (Shift+Down)</source>
        <translation>缩小（Shift+Down）</translation>
    </message>
</context>
<context>
    <name>ChaosDialog</name>
    <message>
        <source>Its process is killed.</source>
        <translation>它的进程被强行结束。</translation>
    </message>
    <message>
        <source>Its process stands still, then goes on.</source>
        <translation>它的进程停住，然后继续。</translation>
    </message>
    <message>
        <source>Each of its messages to other workers leaves so much later.</source>
        <translation>它发给其他工作器的每条消息都晚这么久才离开。</translation>
    </message>
    <message>
        <source>Nothing passes between the two, signs of life neither.</source>
        <translation>两者之间什么都不通过，存活信号也不通过。</translation>
    </message>
    <message>
        <source>No file that it writes can grow, as on a full disk.</source>
        <translation>它写的文件都不能再变大，如同磁盘已满。</translation>
    </message>
    <message>
        <source>Its clock is so much ahead in all that it tells, or behind below zero.</source>
        <translation>在它所报告的一切中时钟快这么多，小于零则慢这么多。</translation>
    </message>
    <message>
        <source>No run goes on. Faults are for a run that Monitor shows while it trains.</source>
        <translation>没有正在进行的运行。故障用于监视页面显示的、正在训练的运行。</translation>
    </message>
    <message>
        <source>Chaos</source>
        <translation>混沌</translation>
    </message>
    <message>
        <source>Lets something go wrong in the run that Monitor shows, to see how soon it is named and healed.</source>
        <translation>让监视页面显示的运行出点差错，看它多快被指出和恢复。</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Cut off from</source>
        <translation>切断对象</translation>
    </message>
    <message>
        <source>By</source>
        <translation>幅度</translation>
    </message>
    <message>
        <source>For</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>Faults and what came of them</source>
        <translation>故障及其结果</translation>
    </message>
    <message>
        <source>No fault yet. A button above begins one, and what comes of it is shown here.</source>
        <translation>还没有故障。用上面的按钮引发一个，其结果会显示在这里。</translation>
    </message>
    <message>
        <source>Copy as script</source>
        <translation>复制为脚本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>This run is only followed. Faults are for a run that was launched from here.</source>
        <translation>此运行只是被跟随。故障只能用于从这里启动的运行。</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Logarithmic y axis	L</source>
        <translation>对数 y 轴	L</translation>
    </message>
    <message>
        <source>Next x axis	X</source>
        <translation>下一种 x 轴	X</translation>
    </message>
    <message>
        <source>Reset zoom	0</source>
        <translation>重置缩放	0</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy data as CSV</source>
        <translation>复制数据为 CSV</translation>
    </message>
    <message>
        <source>%1: appears with the first step.</source>
        <translation>%1：第一步之后出现。</translation>
    </message>
    <message>
        <source>%1 %2 at step %3</source>
        <translation>第 %3 步：%1 %2</translation>
    </message>
    <message>
        <source>appears with the first step</source>
        <translation>第一步之后出现</translation>
    </message>
    <message>
        <source>Logarithmic x axis	Shift+L</source>
        <translation>对数 x 轴	Shift+L</translation>
    </message>
    <message>
        <source>Leave outliers out of the range</source>
        <translation>范围不含离群值</translation>
    </message>
    <message>
        <source>Show as a table	Ctrl+Shift+T</source>
        <translation>以表格显示	Ctrl+Shift+T</translation>
    </message>
    <message>
        <source>Move forward	Alt+Left</source>
        <translation>前移	Alt+Left</translation>
    </message>
    <message>
        <source>Move back	Alt+Right</source>
        <translation>后移	Alt+Right</translation>
    </message>
    <message>
        <source>Remove the chart	Del</source>
        <translation>移除图表	Del</translation>
    </message>
    <message>
        <source>%1, between %2 and %3</source>
        <translation>%1，介于 %2 和 %3 之间</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
</context>
<context>
    <name>ChartHeader</name>
    <message>
        <source>Pin to the top</source>
        <translation>固定在顶部</translation>
    </message>
    <message>
        <source>Full size (Esc leaves)</source>
        <translation>全尺寸（按 Esc 退出）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
</context>
<context>
    <name>ChartPlot</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>time since launch</source>
        <translation>启动后的时间</translation>
    </message>
    <message>
        <source>time of day</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>%1 is above this range</source>
        <translation>%1 高于此范围</translation>
    </message>
    <message>
        <source>%1 is below this range</source>
        <translation>%1 低于此范围</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>%1 goes up to %2</source>
        <translation>%1 最高到 %2</translation>
    </message>
    <message>
        <source>%1 goes down to %2</source>
        <translation>%1 最低到 %2</translation>
    </message>
    <message>
        <source>%1 is not a number from step %2 on</source>
        <translation>%1 从第 %2 步起不是数</translation>
    </message>
</context>
<context>
    <name>ChartTableModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>ChartTooltip</name>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Smoothed</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>ChartsKind</name>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Size of a chart</source>
        <translation>图表大小</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>All in one picture</source>
        <translation>全部在一张图片中</translation>
    </message>
    <message>
        <source>Each in a picture of its own</source>
        <translation>每个一张图片</translation>
    </message>
    <message>
        <source>As Monitor shows them now: zoom, smoothing, axes and marks. Lines and text stay sharp in SVG and PDF.</source>
        <translation>与“监视”中当前显示一致：缩放、平滑、坐标轴和标记。SVG 和 PDF 中线条和文字保持清晰。</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>尚无任何步</translation>
    </message>
</context>
<context>
    <name>CheckpointKind</name>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Weights and optimizer, as tf.train.latest_checkpoint and model.load_weights read them.</source>
        <translation>权重和优化器，可由 tf.train.latest_checkpoint 和 model.load_weights 读取。</translation>
    </message>
</context>
<context>
    <name>CheckpointModel</name>
    <message>
        <source>%1 · best</source>
        <translation>%1 · 最佳</translation>
    </message>
    <message>
        <source>%1: epoch %2, step %3, %4</source>
        <translation>%1：周期 %2，第 %3 步，%4</translation>
    </message>
</context>
<context>
    <name>CheckpointsView</name>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>The first one appears at the end of an epoch.</source>
        <translation>第一个检查点在周期结束时出现。</translation>
    </message>
    <message>
        <source>val %1</source>
        <translation>验证 %1</translation>
    </message>
    <message>
        <source>val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>val accuracy</source>
        <translation>验证准确率</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>Weights alone were kept: they have no optimizer to go on with</source>
        <translation>只保存了权重，没有可接着用的优化器</translation>
    </message>
    <message>
        <source>Branch…</source>
        <translation>分支…</translation>
    </message>
    <message>
        <source>Open a project that goes on from a checkpoint, as a run of its own</source>
        <translation>打开一个从检查点继续的项目，作为独立的运行</translation>
    </message>
    <message>
        <source>The run has written none.</source>
        <translation>此运行没有写出检查点。</translation>
    </message>
</context>
<context>
    <name>ClusterCanvas</name>
    <message numerus="yes">
        <source>%n host(s)</source>
        <translation>
            <numerusform>%n 台主机</numerusform>
        </translation>
    </message>
    <message>
        <source>Port of %1</source>
        <translation>%1 的端口</translation>
    </message>
    <message>
        <source>Name of the host %1</source>
        <translation>主机 %1 的名称</translation>
    </message>
    <message>
        <source>Change the port</source>
        <translation>更改端口</translation>
    </message>
    <message>
        <source>Rename the host</source>
        <translation>重命名主机</translation>
    </message>
    <message>
        <source>Move to %1</source>
        <translation>移到 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the task (Del)</source>
        <translation>移除任务（Del）</translation>
    </message>
    <message>
        <source>Remove the host (Del): its tasks go to this computer</source>
        <translation>移除主机（Del）：其任务转到本机</translation>
    </message>
    <message>
        <source>drop a task here</source>
        <translation>将任务拖到此处</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>添加主机</translation>
    </message>
    <message>
        <source>another computer of yours, by ssh or by name alone</source>
        <translation>你的另一台计算机，经 ssh 或仅用名称</translation>
    </message>
</context>
<context>
    <name>ClusterChecks</name>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Run doctor</source>
        <translation>运行诊断</translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>代理没有响应</translation>
    </message>
    <message>
        <source>The doctor is looking…</source>
        <translation>正在诊断…</translation>
    </message>
    <message>
        <source>Ports, hosts, versions, memory, disk, data, clock; latency and bandwidth between tasks and computers</source>
        <translation>端口、主机、版本、内存、磁盘、数据、时钟；任务之间和计算机之间的延迟和带宽</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>这个代码的含义</translation>
    </message>
</context>
<context>
    <name>ClusterPage</name>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message numerus="yes">
        <source>%n local worker(s)</source>
        <translation>
            <numerusform>%n 个本地工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>No project</source>
        <translation>无项目</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready to launch</source>
        <translation>可以启动</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批次</translation>
    </message>
    <message>
        <source>Steps per epoch</source>
        <translation>每周期步数</translation>
    </message>
    <message numerus="yes">
        <source>Steps in %n epoch(s)</source>
        <translation>
            <numerusform>%n 个周期的步数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s)</source>
        <translation>
            <numerusform>启动 %n 个工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Change the port of %1</source>
        <translation>更改 %1 的端口</translation>
    </message>
    <message>
        <source>Remove the host %1</source>
        <translation>移除主机 %1</translation>
    </message>
    <message>
        <source>Use the template %1</source>
        <translation>使用模板 %1</translation>
    </message>
    <message>
        <source>Add a %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Add the host %1</source>
        <translation>添加主机 %1</translation>
    </message>
    <message>
        <source>Rename the host %1</source>
        <translation>重命名主机 %1</translation>
    </message>
    <message>
        <source>One task</source>
        <translation>单个任务</translation>
    </message>
    <message>
        <source>1 ps + 3 workers</source>
        <translation>1 个 ps + 3 个工作器</translation>
    </message>
    <message>
        <source>Chief, 2 workers, evaluator</source>
        <translation>首席、2 个工作器、评估器</translation>
    </message>
    <message>
        <source>Own cluster</source>
        <translation>自定义集群</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Add a task</source>
        <translation>添加任务</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>添加主机</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on this computer</source>
        <translation>
            <numerusform>本机上的 %n 个任务</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on %1 hosts</source>
        <translation>
            <numerusform>%1 台主机上的 %n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>有运行正在进行</translation>
    </message>
    <message>
        <source>Batch of each worker</source>
        <translation>每个工作器的批次</translation>
    </message>
    <message>
        <source>Steps of all workers</source>
        <translation>所有工作器的步数</translation>
    </message>
    <message>
        <source>Batch of each replica</source>
        <translation>每个副本的批次</translation>
    </message>
</context>
<context>
    <name>ClusterRows</name>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>own socket, token</source>
        <translation>专用套接字，令牌</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n 个核心，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>无 GPU</translation>
    </message>
    <message numerus="yes">
        <source>no answer for %n s</source>
        <translation>
            <numerusform>%n 秒无响应</numerusform>
        </translation>
    </message>
    <message>
        <source>another computer</source>
        <translation>另一台计算机</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>no TF_CONFIG</source>
        <translation>无 TF_CONFIG</translation>
    </message>
    <message>
        <source>keeps variables</source>
        <translation>保存变量</translation>
    </message>
    <message>
        <source>evaluates</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>chief, saves</source>
        <translation>首席，负责保存</translation>
    </message>
    <message>
        <source>trains</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>duty</source>
        <translation>职责</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>shard</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Started by hand</source>
        <translation>手动启动</translation>
    </message>
    <message>
        <source>Not started from here</source>
        <translation>不从此处启动</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Not started, port free</source>
        <translation>未启动，端口空闲</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>core %1</source>
        <translation>核心 %1</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n 个 GPU</numerusform>
        </translation>
    </message>
    <message>
        <source>no NCCL</source>
        <translation>没有 NCCL</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 个核心</numerusform>
        </translation>
    </message>
    <message>
        <source>not in the list of hosts</source>
        <translation>不在主机列表中</translation>
    </message>
    <message>
        <source>ssh, then TLS</source>
        <translation>先 ssh，后 TLS</translation>
    </message>
    <message>
        <source>TLS, without ssh</source>
        <translation>TLS，不经 ssh</translation>
    </message>
    <message>
        <source>Looking at it</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>Tandem %1, older</source>
        <translation>Tandem %1，较旧</translation>
    </message>
    <message>
        <source>Tandem %1, newer</source>
        <translation>Tandem %1，较新</translation>
    </message>
    <message>
        <source>no Tandem there</source>
        <translation>没有 Tandem</translation>
    </message>
    <message>
        <source>out of reach</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>In your list of hosts its tasks are started from here. Else export TF_CONFIG, and start them there with tandem-worker --cluster-key.</source>
        <translation>加入主机列表后，它的任务可从这里启动。否则请导出 TF_CONFIG，并在那里用 tandem-worker --cluster-key 启动。</translation>
    </message>
    <message>
        <source>Add to your hosts</source>
        <translation>加入主机列表</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Runs need the version of this computer.</source>
        <translation>运行需要与本机相同的版本。</translation>
    </message>
    <message>
        <source>Install this version</source>
        <translation>安装此版本</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>This Tandem goes there over ssh, without root.</source>
        <translation>经 ssh、不需要 root，把本机的 Tandem 安装到那里。</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>仔细查看</translation>
    </message>
</context>
<context>
    <name>CodeKind</name>
    <message>
        <source>Keras script</source>
        <translation>Keras 脚本</translation>
    </message>
    <message>
        <source>Model, compile and fit as Keras Python, as the page Model shows it.</source>
        <translation>以 Keras Python 写出模型、compile 和 fit，与模型页所示相同。</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Edit code</source>
        <translation>编辑代码</translation>
    </message>
    <message>
        <source>The clipboard holds no model, compile, fit or TF_CONFIG. Nothing was changed.</source>
        <translation>剪贴板中没有模型、compile、fit 或 TF_CONFIG。未做任何更改。</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>compile</source>
        <translation>compile</translation>
    </message>
    <message>
        <source>rates by epoch</source>
        <translation>各周期的学习率</translation>
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
        <translation>已从剪贴板读取：%1。</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text.</source>
        <translation>
            <numerusform>%n 处保留为文本。</numerusform>
        </translation>
    </message>
    <message>
        <source>Not read: %1</source>
        <translation>未能读取：%1</translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) of code taken, the other text left.</source>
        <translation>
            <numerusform>已取 %n 个代码块，其余文字未取。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>未做任何更改。</translation>
    </message>
    <message>
        <source>Paste code</source>
        <translation>粘贴代码</translation>
    </message>
    <message>
        <source>Paste TF_CONFIG</source>
        <translation>粘贴 TF_CONFIG</translation>
    </message>
    <message>
        <source>Line %1 not read</source>
        <translation>第 %1 行未能读取</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text</source>
        <translation>
            <numerusform>%n 处保留为文本</numerusform>
        </translation>
    </message>
    <message>
        <source>Differs: %1</source>
        <translation>不一致：%1</translation>
    </message>
    <message>
        <source>The project has other settings than this text; change them in the text.</source>
        <translation>项目的设置与此文本不同，请在文本中修改。</translation>
    </message>
    <message>
        <source>In step</source>
        <translation>已同步</translation>
    </message>
    <message>
        <source>Paste Sequential([…]), compile(…) or TF_CONFIG here.</source>
        <translation>在此粘贴 Sequential([…])、compile(…) 或 TF_CONFIG。</translation>
    </message>
    <message>
        <source>Keras, two-way</source>
        <translation>Keras，双向</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>The model as Keras code</source>
        <translation>模型的 Keras 代码</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>This text is read when you type on or save the project.</source>
        <translation>继续输入或保存项目时会读取这段文本。</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>停止读取</translation>
    </message>
</context>
<context>
    <name>CodeTexts</name>
    <message>
        <source>line %1, column %2: kept as text: %3</source>
        <translation>第 %1 行第 %2 列：保留为文本：%3</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>read as one epoch of %1 steps</source>
        <translation>读作 %1 步的一个周期</translation>
    </message>
    <message>
        <source>read as %1 epochs</source>
        <translation>读作 %1 个周期</translation>
    </message>
    <message>
        <source>read as a print of: %1</source>
        <translation>读作打印：%1</translation>
    </message>
    <message>
        <source>no part of the model</source>
        <translation>不属于模型</translation>
    </message>
    <message>
        <source>expected a bracket that closes this %1, got the end of the text</source>
        <translation>应有与 %1 配对的右括号，实际到了文本末尾</translation>
    </message>
    <message>
        <source>expected a bracket that closes this %1, got %2</source>
        <translation>应有与 %1 配对的右括号，实为 %2</translation>
    </message>
    <message>
        <source>expected Python, got the character %1</source>
        <translation>应为 Python，现有字符 %1</translation>
    </message>
    <message>
        <source>expected at most %1 brackets within each other, got more</source>
        <translation>括号的嵌套不应超过 %1 层，实际更多</translation>
    </message>
    <message>
        <source>expected a %1 before this %2, got none</source>
        <translation>%2 之前应有 %1，现没有</translation>
    </message>
    <message>
        <source>expected a text that ends in %1, got the end of the line</source>
        <translation>文本应以 %1 结尾，实际到了行尾</translation>
    </message>
    <message>
        <source>expected the end of the line, got %1</source>
        <translation>应为行尾，实为 %1</translation>
    </message>
    <message>
        <source>expected the end of the statement, got %1</source>
        <translation>语句应在此结束，实为 %1</translation>
    </message>
    <message>
        <source>expected at most %1 levels of nesting, got %2</source>
        <translation>嵌套不应超过 %1 层，又有 %2</translation>
    </message>
    <message>
        <source>expected at most %1 operands, got %2</source>
        <translation>操作数不应超过 %1 个，又有 %2</translation>
    </message>
    <message>
        <source>expected at most %1 calls in a chain, got %2</source>
        <translation>连续的调用不应超过 %1 个，又有 %2</translation>
    </message>
    <message>
        <source>expected a colon behind the names of a lambda, got %1</source>
        <translation>lambda 的名称之后应为冒号，实为 %1</translation>
    </message>
    <message>
        <source>expected a name after the dot, got %1</source>
        <translation>点号之后应为名称，实为 %1</translation>
    </message>
    <message>
        <source>expected a value, got %1</source>
        <translation>应为一个值，实为 %1</translation>
    </message>
    <message>
        <source>expected a plain text, got %1</source>
        <translation>应为普通文本，实为 %1</translation>
    </message>
    <message>
        <source>expected one not, got %1</source>
        <translation>应只有一个 not，又有 %1</translation>
    </message>
    <message>
        <source>expected fewer comparisons, got %1</source>
        <translation>比较应更少，又有 %1</translation>
    </message>
    <message>
        <source>expected fewer signs, got %1</source>
        <translation>正负号应更少，又有 %1</translation>
    </message>
    <message>
        <source>expected fewer powers, got %1</source>
        <translation>乘方应更少，又有 %1</translation>
    </message>
    <message>
        <source>the end of the line</source>
        <translation>行尾</translation>
    </message>
    <message>
        <source>a tuple</source>
        <translation>元组</translation>
    </message>
    <message>
        <source>a dictionary</source>
        <translation>字典</translation>
    </message>
    <message>
        <source>an expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>a lambda that does something else</source>
        <translation>做其他事的 lambda</translation>
    </message>
    <message>
        <source>a lambda</source>
        <translation>lambda</translation>
    </message>
    <message>
        <source>expected a value that the text itself gives, got %1</source>
        <translation>应为文本本身给出的值，实为 %1</translation>
    </message>
    <message>
        <source>expected a text or a whole number as a key, got %1</source>
        <translation>键应为文本或整数，实为 %1</translation>
    </message>
    <message>
        <source>expected arguments one by one, got %1</source>
        <translation>参数应逐个写出，实为 %1</translation>
    </message>
    <message>
        <source>expected %1 arguments by position, got one more: %2</source>
        <translation>位置参数应为 %1 个，又多一个：%2</translation>
    </message>
    <message>
        <source>expected no argument %1 of %2, got one</source>
        <translation>%2 不应有参数 %1，现有一个</translation>
    </message>
    <message>
        <source>expected an argument that is known here, got %1</source>
        <translation>应为此处已知的参数，实为 %1</translation>
    </message>
    <message>
        <source>expected an argument of fit that is known here, got this one</source>
        <translation>应为此处已知的 fit 的参数</translation>
    </message>
    <message>
        <source>expected a whole number, got %1</source>
        <translation>应为整数，实为 %1</translation>
    </message>
    <message>
        <source>%1: expected a cluster with tasks, got none</source>
        <translation>%1：应为有任务的集群，现没有</translation>
    </message>
    <message>
        <source>expected a dictionary of jobs, got %1</source>
        <translation>应为作业的字典，实为 %1</translation>
    </message>
    <message>
        <source>expected names of devices such as [&apos;/gpu:0&apos;, &apos;/gpu:1&apos;], got %1</source>
        <translation>应为 [&apos;/gpu:0&apos;, &apos;/gpu:1&apos;] 这样的设备名，实为 %1</translation>
    </message>
    <message>
        <source>expected bytes_per_pack and implementation of CommunicationOptions, got %1</source>
        <translation>应为 CommunicationOptions 的 bytes_per_pack 和 implementation，实为 %1</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got a calculation with it</source>
        <translation>应为 Keras 损失的均值，实为用它做的计算</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got it times %1</source>
        <translation>应为 Keras 损失的均值，实为它乘以 %1</translation>
    </message>
    <message>
        <source>expected the mean of a loss of Keras, got %1</source>
        <translation>应为 Keras 损失的均值，实为 %1</translation>
    </message>
    <message>
        <source>expected a loss of Keras that this is taken of, got one of the text&apos;s own</source>
        <translation>应基于 Keras 的损失，实为文本自己的损失</translation>
    </message>
    <message>
        <source>expected a number for %1 of LossScaleOptimizer, got %2</source>
        <translation>LossScaleOptimizer 的 %1 应为数，实为 %2</translation>
    </message>
    <message>
        <source>expected the optimizer that LossScaleOptimizer is to scale for, got none</source>
        <translation>应有 LossScaleOptimizer 所包裹的优化器，现没有</translation>
    </message>
    <message>
        <source>expected a metric that is known here, got %1</source>
        <translation>应为此处已知的指标，实为 %1</translation>
    </message>
    <message>
        <source>expected plain settings of a metric, got %1</source>
        <translation>应为指标的普通设置，实为 %1</translation>
    </message>
    <message>
        <source>expected optimizer, loss and metrics of compile, got %1</source>
        <translation>应为 compile 的 optimizer、loss 和 metrics，实为 %1</translation>
    </message>
    <message>
        <source>expected a loss of compile, got none; the project&apos;s stays: %1</source>
        <translation>compile 应有 loss，现没有；保留项目的：%1</translation>
    </message>
    <message>
        <source>expected an optimizer that is known here, got %1</source>
        <translation>应为此处已知的优化器，实为 %1</translation>
    </message>
    <message>
        <source>expected a multiple of the %1 replicas, got %2</source>
        <translation>应为 %1 个副本的倍数，实为 %2</translation>
    </message>
    <message>
        <source>expected whole numbers as classes and numbers as their weights, got %1</source>
        <translation>类别应为整数，权重应为数，实为 %1</translation>
    </message>
    <message>
        <source>expected a dictionary of weights by class, got %1</source>
        <translation>应为按类别给出权重的字典，实为 %1</translation>
    </message>
    <message>
        <source>expected a list of callbacks, got %1</source>
        <translation>应为回调列表，实为 %1</translation>
    </message>
    <message>
        <source>expected a callback that is known here, got %1</source>
        <translation>应为此处已知的回调，实为 %1</translation>
    </message>
    <message>
        <source>expected a function of the epoch that returns rates, got %1</source>
        <translation>应为由周期返回学习率的函数，实为 %1</translation>
    </message>
    <message>
        <source>expected an exporter that is known here, got %1</source>
        <translation>应为此处已知的导出器，实为 %1</translation>
    </message>
    <message>
        <source>expected numeric, bucketized or categorical columns that are known here, got %1</source>
        <translation>应为此处已知的数值列、分桶列或类别列，实为 %1</translation>
    </message>
    <message>
        <source>expected the name of a function, got %1</source>
        <translation>应为函数名，实为 %1</translation>
    </message>
    <message>
        <source>expected a function of the epoch, or of epoch and rate, got %1</source>
        <translation>应为周期的函数，或周期与学习率的函数，实为 %1</translation>
    </message>
    <message>
        <source>expected a constant rate behind return, got %1</source>
        <translation>return 之后应为固定的学习率，实为 %1</translation>
    </message>
    <message>
        <source>expected a condition on the epoch and a colon, got another one</source>
        <translation>应为关于周期的条件和冒号，实为其他</translation>
    </message>
    <message>
        <source>expected if, elif, else and return alone, got %1</source>
        <translation>应只有 if、elif、else 和 return，实为 %1</translation>
    </message>
    <message>
        <source>expected a return below, got %1</source>
        <translation>下面应有 return，实为 %1</translation>
    </message>
    <message>
        <source>expected a rate for every epoch, got none for some</source>
        <translation>每个周期都应有学习率，有些没有</translation>
    </message>
    <message>
        <source>expected comparisons of %1 with numbers, got another condition</source>
        <translation>应为 %1 与数的比较，实为其他条件</translation>
    </message>
    <message>
        <source>expected a constant rate from epoch %1 on, got %2</source>
        <translation>从周期 %1 起应为固定的学习率，实为 %2</translation>
    </message>
    <message>
        <source>expected a rate, got none</source>
        <translation>应有学习率，现没有</translation>
    </message>
    <message>
        <source>expected a value of a model&apos;s size, got a larger one</source>
        <translation>应为模型大小的值，实际更大</translation>
    </message>
    <message>
        <source>expected an input shape (input_shape=…, keras.Input or build), got none</source>
        <translation>应有输入形状（input_shape=…、keras.Input 或 build），现没有</translation>
    </message>
    <message>
        <source>expected fixed sizes of the input such as (28, 28, 1), got %1</source>
        <translation>应为 (28, 28, 1) 这样固定的输入大小，实为 %1</translation>
    </message>
    <message>
        <source>expected a layer such as Dense(10), got %1</source>
        <translation>应为 Dense(10) 这样的层，实为 %1</translation>
    </message>
    <message>
        <source>expected layers one by one, got a loop that adds them</source>
        <translation>层应逐个写出，实为用循环添加</translation>
    </message>
    <message>
        <source>expected layers without a condition, got one under %1</source>
        <translation>层不应带条件，现有一个在 %1 之下</translation>
    </message>
    <message>
        <source>expected a model that stays as its layers make it, got an assignment to %1</source>
        <translation>模型应保持由各层构成的样子，现有对 %1 的赋值</translation>
    </message>
    <message>
        <source>expected add() and pop() of the model alone, got %1</source>
        <translation>应只有模型的 add() 和 pop()，实为 %1</translation>
    </message>
    <message>
        <source>expected a call that leaves the model as it is, got %1</source>
        <translation>应为不改变模型的调用，实为 %1</translation>
    </message>
    <message>
        <source>expected a layer on a layer, got %1</source>
        <translation>层之上应为层，实为 %1</translation>
    </message>
    <message>
        <source>expected one model, got another one under a condition</source>
        <translation>应只有一个模型，条件之下另有一个</translation>
    </message>
    <message>
        <source>expected the end of one chain of layers as outputs, got %1</source>
        <translation>输出应为一条层链的末端，实为 %1</translation>
    </message>
    <message>
        <source>expected the name of a data set as a text, got %1</source>
        <translation>数据集的名称应为文本，实为 %1</translation>
    </message>
    <message>
        <source>expected a whole number that the text gives for %1, got %2</source>
        <translation>%1 应为文本给出的整数，实为 %2</translation>
    </message>
    <message>
        <source>expected a change of arrays that is known here, got %1</source>
        <translation>应为此处已知的数组变换，实为 %1</translation>
    </message>
    <message>
        <source>expected a cache in memory, got one in a file</source>
        <translation>应为内存中的缓存，实为文件中的缓存</translation>
    </message>
    <message>
        <source>expected a batch that the text gives, got %1</source>
        <translation>应为文本给出的批次，实为 %1</translation>
    </message>
    <message>
        <source>expected the first samples of the set, got skip</source>
        <translation>应为数据集开头的样本，实为 skip</translation>
    </message>
    <message>
        <source>expected the whole test set, got skip</source>
        <translation>应为整个测试集，实为 skip</translation>
    </message>
    <message>
        <source>expected a step of tf.data that is known here (map, cache, shuffle, repeat, batch, prefetch, take), got %1</source>
        <translation>应为此处已知的 tf.data 步骤（map、cache、shuffle、repeat、batch、prefetch、take），实为 %1</translation>
    </message>
    <message>
        <source>expected samples of a set that the text loads, got others</source>
        <translation>应为文本所加载数据集的样本，实为其他</translation>
    </message>
    <message>
        <source>expected a number of classes that the text gives, got none</source>
        <translation>应有文本给出的类别数，现没有</translation>
    </message>
    <message>
        <source>expected a calculation with numbers, got %1</source>
        <translation>应为与数的计算，实为 %1</translation>
    </message>
    <message>
        <source>expected a function of data that is known here, got %1</source>
        <translation>应为此处已知的数据函数，实为 %1</translation>
    </message>
    <message>
        <source>expected %1 once, got it again</source>
        <translation>%1 应只有一次，现又出现</translation>
    </message>
    <message>
        <source>expected samples that are scaled, moved or divided by numbers, got another calculation</source>
        <translation>应为以数缩放、平移或相除的样本，实为其他计算</translation>
    </message>
    <message>
        <source>expected data without a condition, got some under %1</source>
        <translation>数据不应带条件，现有一些在 %1 之下</translation>
    </message>
    <message>
        <source>expected data that the text makes of a set that is known here, got %1 of line %2; the project&apos;s data stay</source>
        <translation>应为文本由此处已知的数据集得到的数据，实为第 %2 行的 %1；保留项目的数据</translation>
    </message>
    <message>
        <source>expected data that the text makes of a set that is known here, got %1; the project&apos;s data stay</source>
        <translation>应为文本由此处已知的数据集得到的数据，实为 %1；保留项目的数据</translation>
    </message>
    <message>
        <source>expected True or False, got %1</source>
        <translation>应为 True 或 False，实为 %1</translation>
    </message>
    <message>
        <source>expected data that the text makes of a known set, got %1</source>
        <translation>应为文本由已知数据集得到的数据，实为 %1</translation>
    </message>
    <message>
        <source>expected the set&apos;s test part, or the last of its training samples, got others</source>
        <translation>应为数据集的测试部分，或其训练样本的末尾，实为其他</translation>
    </message>
    <message>
        <source>expected a mean a channel and a deviation, got the mean alone</source>
        <translation>应有每个通道的均值和标准差，现只有均值</translation>
    </message>
    <message>
        <source>expected the training part of the set, got its test part; the project trains with the training part</source>
        <translation>应为数据集的训练部分，实为测试部分；项目用训练部分训练</translation>
    </message>
    <message>
        <source>expected the first samples of the set, got those from %1 on</source>
        <translation>应为数据集开头的样本，实为从 %1 起</translation>
    </message>
    <message>
        <source>expected at most %1 equal samples, got %2; an epoch has %3</source>
        <translation>相同的样本不应超过 %1 个，实为 %2；一个周期有 %3 个</translation>
    </message>
    <message>
        <source>expected batches of a size that the text gives, got none</source>
        <translation>应有文本给出大小的批次，现没有</translation>
    </message>
    <message>
        <source>expected a batch that is a multiple of the %1 replicas, got %2</source>
        <translation>批次应为 %1 个副本的倍数，实为 %2</translation>
    </message>
    <message>
        <source>expected repeat() once or without an end, got repeat(%1)</source>
        <translation>repeat() 应为一次或没有尽头，实为 repeat(%1)</translation>
    </message>
    <message>
        <source>expected fit(), an estimator or a loop that takes batches of them, got none; the project has batches of %1</source>
        <translation>应有使用其批次的 fit()、Estimator 或循环，现没有；项目的批次为 %1</translation>
    </message>
    <message>
        <source>expected the part train or test of the set, got %1</source>
        <translation>应为数据集的 train 或 test 部分，实为 %1</translation>
    </message>
    <message>
        <source>expected a part such as &apos;train[:80%]&apos; of a set that is known here, got %1</source>
        <translation>应为此处已知数据集的 &apos;train[:80%]&apos; 这样的部分，实为 %1</translation>
    </message>
    <message>
        <source>expected a slice of the first or the last samples, got another one</source>
        <translation>应为开头或末尾样本的切片，实为其他切片</translation>
    </message>
    <message>
        <source>expected samples and a number, got %1</source>
        <translation>应为样本和数，实为 %1</translation>
    </message>
    <message>
        <source>expected a function that scales samples or makes labels one-hot, got %1</source>
        <translation>应为缩放样本或把标签变为 one-hot 的函数，实为 %1</translation>
    </message>
    <message>
        <source>expected a model that is made of layers, got %1</source>
        <translation>应为由层构成的模型，但为 %1</translation>
    </message>
    <message>
        <source>expected fit() once, got a loop that calls it</source>
        <translation>fit() 应只调用一次，但在循环中调用</translation>
    </message>
    <message>
        <source>expected every sample of the set, got shard(%1, …)</source>
        <translation>应为数据集的全部样本，但为 shard(%1, …)</translation>
    </message>
    <message>
        <source>shuffle: expected an order of its own for each epoch, got %1</source>
        <translation>shuffle：每个周期应有各自的顺序，但为 %1</translation>
    </message>
    <message>
        <source>read as the %1() that counts: line %2 has one, too</source>
        <translation>以这里的 %1() 为准：第 %2 行也有一个</translation>
    </message>
    <message>
        <source>expected a model of class Sequential or Functional, got %1</source>
        <translation>应为 Sequential 或 Functional 类的模型，实际为 %1</translation>
    </message>
    <message>
        <source>expected a list of layers, got none</source>
        <translation>应有层的列表，却没有</translation>
    </message>
    <message>
        <source>expected an input shape (an InputLayer or build_input_shape), got none: the model was not built</source>
        <translation>应有输入形状（InputLayer 或 build_input_shape），却没有：模型没有 build</translation>
    </message>
    <message>
        <source>expected one input, got %1: only chains of layers can be taken</source>
        <translation>应只有一个输入，实际有 %1 个：只能读取连成一串的层</translation>
    </message>
    <message>
        <source>expected one output, got %1</source>
        <translation>应只有一个输出，实际有 %1 个</translation>
    </message>
    <message>
        <source>expected a layer of this model as its input, got %1</source>
        <translation>输入应为此模型的层，实际为 %1</translation>
    </message>
    <message>
        <source>expected one chain of layers, got %1 layers of which %2 lead to the output</source>
        <translation>各层应连成一串，实际有 %1 层，其中只有 %2 层通向输出</translation>
    </message>
    <message>
        <source>expected fixed sizes behind the batch axis, got %1</source>
        <translation>批次轴之后的大小应固定，实际为 %1</translation>
    </message>
    <message>
        <source>expected concat, sum, ave or mul, got null: two outputs</source>
        <translation>应为 concat、sum、ave 或 mul，实际为 null：会有两个输出</translation>
    </message>
    <message>
        <source>expected JSON, got a mistake at %1</source>
        <translation>应为 JSON，%1 处有错误</translation>
    </message>
    <message>
        <source>expected a JSON object, got %1</source>
        <translation>应为 JSON 对象，实际为 %1</translation>
    </message>
    <message>
        <source>y: expected labels, got %1, the samples themselves: a model can&apos;t learn its own input here</source>
        <translation>y：应为标签，实际为样本自身 %1：模型在这里不能学习自己的输入</translation>
    </message>
    <message>
        <source>expected the strategy that trains, got %1: an evaluation has none of its own here</source>
        <translation>应为用于训练的策略，实为 %1：此处的评估没有单独的策略</translation>
    </message>
    <message>
        <source>expected a strategy that is known here, got %1</source>
        <translation>应为此处已知的策略，实为 %1</translation>
    </message>
    <message>
        <source>expected a list of columns, got %1</source>
        <translation>应为列的列表，实为 %1</translation>
    </message>
    <message>
        <source>expected columns that the text lists, got none</source>
        <translation>应为文本列出的列，实际没有</translation>
    </message>
    <message>
        <source>expected data with columns (csv or tfrecord), got %1: its samples stay as they are</source>
        <translation>应为带有列的数据（csv 或 tfrecord），实为 %1：其样本保持原样</translation>
    </message>
    <message>
        <source>expected a list of whole numbers, got %1</source>
        <translation>应为整数列表，实为 %1</translation>
    </message>
    <message>
        <source>expected a number, got %1</source>
        <translation>应为数字，实为 %1</translation>
    </message>
    <message>
        <source>expected an activation that is known here, got %1</source>
        <translation>应为此处已知的激活函数，实为 %1</translation>
    </message>
    <message>
        <source>expected names of files as texts, got %1; the project&apos;s files stay</source>
        <translation>应以文本给出文件名，实为 %1；项目的文件保持不变</translation>
    </message>
    <message>
        <source>expected the column of the labels, got none</source>
        <translation>应给出标签所在的列，实际没有</translation>
    </message>
    <message>
        <source>expected a first line that names the columns, got %1</source>
        <translation>应有写明列名的首行，实为 %1</translation>
    </message>
    <message>
        <source>expected no settings of a session, got %1: devices and threads are the project&apos;s</source>
        <translation>不应有会话的设置，实为 %1：设备和线程由项目决定</translation>
    </message>
    <message>
        <source>expected no function that places operations, got %1: the strategy places them</source>
        <translation>不应有放置运算的函数，实为 %1：由策略放置</translation>
    </message>
    <message>
        <source>expected grpc, got %1: tasks speak as cluster.transport says</source>
        <translation>应为 grpc，实为 %1：任务按 cluster.transport 通信</translation>
    </message>
    <message>
        <source>expected no time for a session to come, got %1: tasks wait as long as cluster.start_timeout_s says</source>
        <translation>不应有等待会话的时间，实为 %1：任务等待的时间由 cluster.start_timeout_s 决定</translation>
    </message>
    <message>
        <source>expected no hooks, got %1: a run calls none here</source>
        <translation>不应有钩子，实为 %1：此处的运行不会调用</translation>
    </message>
    <message>
        <source>expected no listeners, got %1: a run calls none here</source>
        <translation>不应有监听器，实为 %1：此处的运行不会调用</translation>
    </message>
    <message>
        <source>expected no SessionRunHook, got one: a run calls none here</source>
        <translation>不应有 SessionRunHook，实有一个：此处的运行不会调用</translation>
    </message>
    <message>
        <source>expected the global step alone, got %1</source>
        <translation>应仅为全局步数，实为 %1</translation>
    </message>
    <message>
        <source>expected none, which a program of numpy reads, got %1</source>
        <translation>用 numpy 读取的程序应没有，实际为 %1</translation>
    </message>
    <message>
        <source>expected a set or a format that numpy reads (all but tfrecord), got %1</source>
        <translation>应为 numpy 可读取的数据集或格式（tfrecord 除外），实际为 %1</translation>
    </message>
    <message>
        <source>expected a strategy whose replicas step together, which strategy.run() is for, got %1</source>
        <translation>strategy.run() 用于各副本同步前进的策略，实际为 %1</translation>
    </message>
    <message>
        <source>expected no scale of the loss, which fit() alone keeps, got one</source>
        <translation>损失缩放只由 fit() 处理，应没有，实际有</translation>
    </message>
    <message>
        <source>expected a layer that PyTorch has an equal for, got %1</source>
        <translation>应为 PyTorch 中有对应的层，实际为 %1</translation>
    </message>
    <message>
        <source>expected dtype float32, the only one of the program in PyTorch, got another</source>
        <translation>PyTorch 程序的 dtype 只能是 float32，实际为其他</translation>
    </message>
    <message>
        <source>expected the mask of its input to stay as it is, got another one</source>
        <translation>其输入的掩码应保持不变，实际为另一个掩码</translation>
    </message>
    <message>
        <source>expected an output without a mask, got one with a mask</source>
        <translation>输出应没有掩码，实际有</translation>
    </message>
    <message>
        <source>expected an input without a mask, got one with a mask</source>
        <translation>输入应没有掩码，实际有</translation>
    </message>
    <message>
        <source>expected float32, the only one of the program in PyTorch, got %1</source>
        <translation>PyTorch 程序只用 float32，实际为 %1</translation>
    </message>
    <message>
        <source>expected the order take, cache, shuffle, repeat, batch, which PyTorch&apos;s DataLoader has, got another one</source>
        <translation>应为 take、cache、shuffle、repeat、batch 的顺序（PyTorch 的 DataLoader 如此），实际为其他顺序</translation>
    </message>
    <message>
        <source>expected synchronized=False (DistributedDataParallel takes each process&apos; own statistics), got True</source>
        <translation>应为 synchronized=False（DistributedDataParallel 使用各进程自己的统计），实际为 True</translation>
    </message>
    <message>
        <source>expected a loss that the program in PyTorch has, got %1</source>
        <translation>应为 PyTorch 程序中有的损失，实际为 %1</translation>
    </message>
    <message>
        <source>%1: expected use_ema=False, which the program in PyTorch trains with, got True</source>
        <translation>%1：PyTorch 程序以 use_ema=False 训练，实际为 True</translation>
    </message>
    <message>
        <source>%1: left out, the program in PyTorch has no equal for it</source>
        <translation>%1：PyTorch 程序中没有对应项，已略去</translation>
    </message>
    <message>
        <source>expected the class %1 as exported code defines it, got another one</source>
        <translation>应为导出代码所定义的 %1 类，现为另一个类</translation>
    </message>
    <message>
        <source>expected adapt() of %1 before fit(), got none: a run takes its values from the training samples anyway</source>
        <translation>fit() 之前应有 %1 的 adapt()，而没有：运行仍会从训练样本取得其值</translation>
    </message>
    <message>
        <source>expected an optimizer that tf.estimator takes (SGD, RMSprop, Adam, Adamax, Nadam, Adagrad, Adadelta, Ftrl), got %1</source>
        <translation>应为 tf.estimator 接受的优化器（SGD、RMSprop、Adam、Adamax、Nadam、Adagrad、Adadelta、Ftrl），实为 %1</translation>
    </message>
    <message>
        <source>expected none, for which tf.estimator has no place, got %1</source>
        <translation>tf.estimator 中没有它的位置，应为空，实有 %1 项</translation>
    </message>
    <message>
        <source>%1: left out, tf.estimator takes no callbacks of Keras</source>
        <translation>%1：tf.estimator 不接受 Keras 的回调，已略去</translation>
    </message>
    <message>
        <source>expected a file that the program reads (%1), got %2: it begins with random values; tandem-cli export keras --out FILE.npz writes one for its --weights</source>
        <translation>应为程序能读取的文件（%1），实为 %2：程序以随机值开始；tandem-cli export keras --out FILE.npz 可写出供 --weights 使用的文件</translation>
    </message>
    <message>
        <source>expected no noise_shape, which PyTorch&apos;s alpha_dropout lacks, got one</source>
        <translation>PyTorch 的 alpha_dropout 没有 noise_shape，应为空，实有一项</translation>
    </message>
    <message>
        <source>expected batches for %1, which mixes their samples, got samples before batch()</source>
        <translation>%1 混合批次中的样本，需要批次，实际为 batch() 之前的样本</translation>
    </message>
    <message>
        <source>expected one of MixUp and CutMix, got %1 behind %2</source>
        <translation>MixUp 与 CutMix 只能有一个，实际为 %2 之后的 %1</translation>
    </message>
    <message>
        <source>expected images and labels for %1, got one without the other</source>
        <translation>%1 需要 images 和 labels，实际只有其中之一</translation>
    </message>
    <message>
        <source>expected cache() before %1, which mixes each epoch anew, got it behind</source>
        <translation>%1 每个周期重新混合，cache() 应在其前，实际在其后</translation>
    </message>
    <message>
        <source>expected channels_last, got %1</source>
        <translation>应为 channels_last，实际为 %1</translation>
    </message>
    <message>
        <source>expected none in a program in PyTorch, which has no such layer, got %1</source>
        <translation>PyTorch 没有这种层，PyTorch 程序中应为空，实际为 %1</translation>
    </message>
    <message>
        <source>expected none in a program of Keras 2, which has no such layer, got %1</source>
        <translation>Keras 2 没有这种层，Keras 2 程序中应为空，实际为 %1</translation>
    </message>
    <message>
        <source>expected an input with rows and columns for CutMix in a program, got %1</source>
        <translation>程序中的 CutMix 需要有行和列的输入，实际为 %1</translation>
    </message>
    <message>
        <source>Leave data.mix out.</source>
        <translation>请去掉 data.mix。</translation>
    </message>
    <message>
        <source>expected bin_boundaries, which the program in PyTorch takes from no samples, got none</source>
        <translation>PyTorch 程序不从样本取得 bin_boundaries，需要给出，但没有</translation>
    </message>
    <message>
        <source>expected a vocabulary, which the program in PyTorch takes from no samples, got none</source>
        <translation>PyTorch 程序不从样本取得词表，需要给出，但没有</translation>
    </message>
    <message>
        <source>expected floormod, which the program in PyTorch has, got farmhash</source>
        <translation>需要 PyTorch 程序所具备的 floormod，但得到 farmhash</translation>
    </message>
    <message>
        <source>expected labels by the names of sub-folders, got %1</source>
        <translation>应为由子文件夹名称得出的标签，却是 %1</translation>
    </message>
    <message>
        <source>expected int or binary, got %1</source>
        <translation>应为 int 或 binary，却是 %1</translation>
    </message>
    <message>
        <source>expected all sub-folders in order, got %1</source>
        <translation>应为按顺序的全部子文件夹，却是 %1</translation>
    </message>
    <message>
        <source>expected whole texts, got %1</source>
        <translation>应为完整的文本，却是 %1</translation>
    </message>
    <message>
        <source>expected a number between 0 and 1, got %1</source>
        <translation>应为 0 与 1 之间的数，却是 %1</translation>
    </message>
    <message>
        <source>expected training, validation or both, got %1</source>
        <translation>应为 training、validation 或 both，却是 %1</translation>
    </message>
    <message>
        <source>expected the rest of the folder that trains, by the same validation_split and seed, got another part</source>
        <translation>应为按相同的 validation_split 和 seed 划分的、训练文件夹的其余部分，却是别的部分</translation>
    </message>
    <message>
        <source>expected at most 1 MB of text, got %1 bytes; a .keras file may have a longer vocabulary</source>
        <translation>文本不应超过 1 MB，实为 %1 字节；更长的词表可以放在 .keras 文件中</translation>
    </message>
    <message>
        <source>expected what Keras 2 has, which this program is for, got %1, which came with Keras 3</source>
        <translation>此程序用于 Keras 2，应为 Keras 2 具有的内容，实为随 Keras 3 出现的 %1</translation>
    </message>
    <message>
        <source>expected fewer comparisons of %1, got too many</source>
        <translation>%1 的比较应更少，实为过多</translation>
    </message>
</context>
<context>
    <name>CommandsPane</name>
    <message>
        <source># Open a project to see its commands.</source>
        <translation># 打开项目后，此处显示相应的命令。</translation>
    </message>
    <message>
        <source># Save the project first: these read the file.</source>
        <translation># 请先保存项目：这些命令会读取该文件。</translation>
    </message>
</context>
<context>
    <name>ConfusionView</name>
    <message>
        <source>Confusion matrix</source>
        <translation>混淆矩阵</translation>
    </message>
    <message>
        <source>%1 of class %2 are right</source>
        <translation>类别 %2 中有 %1 个正确</translation>
    </message>
    <message>
        <source>%1 of class %2 are taken for %3</source>
        <translation>类别 %2 中有 %1 个被当作 %3</translation>
    </message>
    <message>
        <source>prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>label</source>
        <translation>标签</translation>
    </message>
</context>
<context>
    <name>DataKind</name>
    <message>
        <source>Series: %1 of %2</source>
        <translation>系列：%1 / %2</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>One for all</source>
        <translation>合为一个</translation>
    </message>
    <message>
        <source>One a series</source>
        <translation>每个系列一个</translation>
    </message>
    <message>
        <source>Series to write</source>
        <translation>要写出的系列</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Every point as it was told: no smoothing, dots as decimal points, seconds since the launch.</source>
        <translation>每个点均为原始值：无平滑，小数点用句点，时间为启动后的秒数。</translation>
    </message>
    <message>
        <source>no step yet</source>
        <translation>尚无任何步</translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Not here</source>
        <translation>不在本机</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>已在本机</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>尚未读取</translation>
    </message>
    <message>
        <source>%1 of %2 read</source>
        <translation>已读取 %1，共 %2</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>%1, %2 to %3</source>
        <translation>%1，%2 到 %3</translation>
    </message>
    <message>
        <source>%1 samples each</source>
        <translation>每类 %1 个样本</translation>
    </message>
    <message>
        <source>%1 to %2 samples each</source>
        <translation>每类 %1 到 %2 个样本</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>test samples</source>
        <translation>测试样本</translation>
    </message>
    <message>
        <source>shape of a sample</source>
        <translation>样本形状</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>标签</translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s)</source>
        <translation>
            <numerusform>%n 个损坏的样本</numerusform>
        </translation>
    </message>
    <message>
        <source>checksum fits</source>
        <translation>校验和一致</translation>
    </message>
    <message>
        <source>on disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Choose a data set on the left, or drop a folder here.</source>
        <translation>请在左侧选择数据集，或将文件夹拖到此处。</translation>
    </message>
    <message>
        <source>MNIST ships with Tandem; others are fetched once and kept for every project.</source>
        <translation>MNIST 随 Tandem 提供；其他数据集只下载一次，供所有项目使用。</translation>
    </message>
    <message>
        <source>Use MNIST</source>
        <translation>使用 MNIST</translation>
    </message>
    <message>
        <source>Fetching %1</source>
        <translation>正在下载 %1</translation>
    </message>
    <message>
        <source>Asking its mirrors</source>
        <translation>正在请求镜像</translation>
    </message>
    <message>
        <source>%1 was not fetched. %2</source>
        <translation>未能获取 %1。%2</translation>
    </message>
    <message>
        <source>None of its mirrors can be reached: look at the network, then try again.</source>
        <translation>无法连接任何镜像：请检查网络，然后重试。</translation>
    </message>
    <message>
        <source>What came has another checksum than it should: nothing of it was kept.</source>
        <translation>收到的内容校验和不符：未保留任何部分。</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2，共 %3</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No network. MNIST ships with Tandem</source>
        <translation>没有网络。MNIST 随 Tandem 提供</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用它</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>重新下载</translation>
    </message>
    <message>
        <source>%1 is damaged</source>
        <translation>%1 已损坏</translation>
    </message>
    <message>
        <source>Choose file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation>%1 不在本机</translation>
    </message>
    <message>
        <source>It is fetched once, checked and kept for every project.</source>
        <translation>只需下载并校验一次，即可供所有项目使用。</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>%1: the data cannot be read</source>
        <translation>%1：无法读取数据</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Check files</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Read every sample and name all that cannot be read</source>
        <translation>读取每个样本并列出所有无法读取的样本</translation>
    </message>
    <message>
        <source>Open Model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>无项目</translation>
    </message>
</context>
<context>
    <name>DataSetList</name>
    <message>
        <source>Find a data set</source>
        <translation>查找数据集</translation>
    </message>
    <message>
        <source>Data sets</source>
        <translation>数据集</translation>
    </message>
</context>
<context>
    <name>DataSetModel</name>
    <message>
        <source>.gz as well</source>
        <translation>也支持 .gz</translation>
    </message>
    <message>
        <source>samples and labels</source>
        <translation>样本和标签</translation>
    </message>
    <message>
        <source>arrays of one archive</source>
        <translation>同一归档中的数组</translation>
    </message>
    <message>
        <source>label column, types</source>
        <translation>标签列、类型</translation>
    </message>
    <message>
        <source>PNG, JPEG</source>
        <translation>PNG、JPEG</translation>
    </message>
    <message>
        <source>label, tab, text</source>
        <translation>标签、制表符、文本</translation>
    </message>
    <message>
        <source>binary batches</source>
        <translation>二进制批次文件</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>按名称</translation>
    </message>
    <message>
        <source>From files</source>
        <translation>从文件</translation>
    </message>
    <message>
        <source>fetching</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>fetching, %1</source>
        <translation>正在下载，%1</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>内置</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>UTF-8, a file a text</source>
        <translation>UTF-8，每个文件一个文本</translation>
    </message>
</context>
<context>
    <name>DataWizard</name>
    <message>
        <source>Choose the files of samples and of labels.</source>
        <translation>请选择样本文件和标签文件。</translation>
    </message>
    <message>
        <source>Choose a folder with one sub-folder a class.</source>
        <translation>请选择每个类别一个子文件夹的文件夹。</translation>
    </message>
    <message>
        <source>Choose the files of the training samples.</source>
        <translation>请选择训练样本文件。</translation>
    </message>
    <message>
        <source>%1 of %2 read</source>
        <translation>已读取 %1 / %2</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>test samples</source>
        <translation>测试样本</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n 个类别</numerusform>
        </translation>
    </message>
    <message>
        <source>labels</source>
        <translation>标签</translation>
    </message>
    <message numerus="yes">
        <source>category of %n</source>
        <translation>
            <numerusform>%n 种类别</numerusform>
        </translation>
    </message>
    <message>
        <source>whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>%1 (label): %2</source>
        <translation>%1（标签）：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s) will be skipped:</source>
        <translation>
            <numerusform>将跳过 %n 个坏样本：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s): training will refuse the set.</source>
        <translation>
            <numerusform>有 %n 个坏样本：训练将拒绝此数据集。</numerusform>
        </translation>
    </message>
    <message>
        <source>Training will stop at the first bad sample.</source>
        <translation>训练会在遇到第一个坏样本时停止。</translation>
    </message>
    <message>
        <source>There is nothing to take yet.</source>
        <translation>还没有可用的内容。</translation>
    </message>
    <message>
        <source>Add a data set from files</source>
        <translation>从文件添加数据集</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>训练样本</translation>
    </message>
    <message>
        <source>Training folder</source>
        <translation>训练文件夹</translation>
    </message>
    <message>
        <source>Training files</source>
        <translation>训练文件</translation>
    </message>
    <message>
        <source>Training labels</source>
        <translation>训练标签</translation>
    </message>
    <message>
        <source>Test samples (optional)</source>
        <translation>测试样本（可选）</translation>
    </message>
    <message>
        <source>Test folder (optional)</source>
        <translation>测试文件夹（可选）</translation>
    </message>
    <message>
        <source>Test files (optional)</source>
        <translation>测试文件（可选）</translation>
    </message>
    <message>
        <source>Test labels (optional)</source>
        <translation>测试标签（可选）</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>选择：%1</translation>
    </message>
    <message>
        <source>Bad samples</source>
        <translation>坏样本</translation>
    </message>
    <message>
        <source>skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>refuse</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use this data set</source>
        <translation>使用此数据集</translation>
    </message>
</context>
<context>
    <name>DiagramKind</name>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Top down</source>
        <translation>从上到下</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>In each box</source>
        <translation>每个方框内</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Diagram</source>
        <translation>结构图</translation>
    </message>
    <message>
        <source>The layers as boxes and arrows, as keras.utils.plot_model has them; dot -Tpng or -Tsvg draws them.</source>
        <translation>像 keras.utils.plot_model 那样用方框和箭头表示各层；用 dot -Tpng 或 -Tsvg 绘制。</translation>
    </message>
</context>
<context>
    <name>DoctorTexts</name>
    <message>
        <source>The project holds every rule</source>
        <translation>项目符合所有规则</translation>
    </message>
    <message>
        <source>TF_CONFIG: all rules hold</source>
        <translation>TF_CONFIG：符合所有规则</translation>
    </message>
    <message>
        <source>%1: no address is known for this name</source>
        <translation>%1：找不到该名称的地址</translation>
    </message>
    <message>
        <source>Write the host&apos;s number, or add the name to /etc/hosts.</source>
        <translation>请写主机的 IP 地址，或把名称加入 /etc/hosts。</translation>
    </message>
    <message>
        <source>%1: no answer</source>
        <translation>%1：无应答</translation>
    </message>
    <message>
        <source>Is it on, and does its firewall let port %1 through?</source>
        <translation>它是否已开机，防火墙是否放行端口 %1？</translation>
    </message>
    <message>
        <source>%1 answers, %2 away</source>
        <translation>%1 有应答，往返 %2</translation>
    </message>
    <message>
        <source>over the interface %1</source>
        <translation>经由接口 %1</translation>
    </message>
    <message>
        <source>it was not asked</source>
        <translation>未询问</translation>
    </message>
    <message>
        <source>All tasks are on this computer, over loopback</source>
        <translation>所有任务都在本机，经由回环</translation>
    </message>
    <message>
        <source>The task is on this computer</source>
        <translation>任务在本机</translation>
    </message>
    <message>
        <source>tandem-worker can&apos;t be started</source>
        <translation>无法启动 tandem-worker</translation>
    </message>
    <message>
        <source>The agent looks for it beside itself.</source>
        <translation>代理会在自身所在目录查找它。</translation>
    </message>
    <message>
        <source>Install it again.</source>
        <translation>请重新安装。</translation>
    </message>
    <message>
        <source>The worker is %1, the agent %2</source>
        <translation>工作器为 %1，代理为 %2</translation>
    </message>
    <message>
        <source>End the agent: the next launch starts the new one.</source>
        <translation>请结束代理：下次启动运行时会启动新的代理。</translation>
    </message>
    <message>
        <source>Agent and worker are %1</source>
        <translation>代理与工作器均为 %1</translation>
    </message>
    <message>
        <source>%1 tasks with %2 threads each share %3 cores</source>
        <translation>%1 个任务（各 %2 个线程）共用 %3 个核心</translation>
    </message>
    <message>
        <source>%1 task with %2 threads each share %3 cores</source>
        <translation>%1 个任务（%2 个线程）共用 %3 个核心</translation>
    </message>
    <message>
        <source>%1 tasks with %2 threads each share 1 core</source>
        <translation>%1 个任务（各 %2 个线程）共用 1 个核心</translation>
    </message>
    <message>
        <source>%1 tasks with 1 thread each share %2 cores</source>
        <translation>%1 个任务（各 1 个线程）共用 %2 个核心</translation>
    </message>
    <message>
        <source>%1 tasks share %2 cores</source>
        <translation>%1 个任务共用 %2 个核心</translation>
    </message>
    <message>
        <source>%1 tasks share 1 core</source>
        <translation>%1 个任务共用 1 个核心</translation>
    </message>
    <message>
        <source>They take turns: a step waits for the slowest.</source>
        <translation>它们轮流运行：每步都要等最慢的一个。</translation>
    </message>
    <message>
        <source>Set the threads of a task to 0.</source>
        <translation>请把每个任务的线程数设为 0。</translation>
    </message>
    <message>
        <source>Use fewer tasks.</source>
        <translation>请减少任务。</translation>
    </message>
    <message>
        <source>%1 cores for each task</source>
        <translation>每个任务 %1 个核心</translation>
    </message>
    <message>
        <source>1 core for each task</source>
        <translation>每个任务 1 个核心</translation>
    </message>
    <message>
        <source>%1 cores for the task</source>
        <translation>任务有 %1 个核心</translation>
    </message>
    <message>
        <source>1 core for the task</source>
        <translation>任务有 1 个核心</translation>
    </message>
    <message>
        <source>%1 of memory free</source>
        <translation>可用内存 %1</translation>
    </message>
    <message>
        <source>A task needs about 200 MB and its data.</source>
        <translation>一个任务需要约 200 MB，外加其数据。</translation>
    </message>
    <message>
        <source>Close other programs.</source>
        <translation>请关闭其他程序。</translation>
    </message>
    <message>
        <source>%1: port %2 is not free</source>
        <translation>%1：端口 %2 不空闲</translation>
    </message>
    <message>
        <source>Port %1 is free</source>
        <translation>端口 %1 空闲</translation>
    </message>
    <message>
        <source>Ports %1 and %2 are free</source>
        <translation>端口 %1、%2 空闲</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>Choose the file again on the Data page.</source>
        <translation>请在“数据”页重新选择文件。</translation>
    </message>
    <message>
        <source>All tasks see the same %1</source>
        <translation>所有任务看到相同的 %1</translation>
    </message>
    <message>
        <source>%1 needs no files</source>
        <translation>%1 不需要文件</translation>
    </message>
    <message>
        <source>%1 is fetched before the first step</source>
        <translation>%1 会在第一步之前下载</translation>
    </message>
    <message>
        <source>%1, once for this computer</source>
        <translation>%1，本机只需一次</translation>
    </message>
    <message>
        <source>%1 is not on this computer</source>
        <translation>本机没有 %1</translation>
    </message>
    <message>
        <source>%1 is here</source>
        <translation>%1 已就绪</translation>
    </message>
    <message>
        <source>Fetch it on the Data page.</source>
        <translation>请在“数据”页获取。</translation>
    </message>
    <message>
        <source>%1 free for runs</source>
        <translation>可用于运行的磁盘空间 %1</translation>
    </message>
    <message>
        <source>this one writes up to %1</source>
        <translation>本次运行最多写入 %1</translation>
    </message>
    <message>
        <source>Make room, or keep fewer checkpoints.</source>
        <translation>请腾出空间，或少保留检查点。</translation>
    </message>
    <message>
        <source>Make room.</source>
        <translation>请腾出空间。</translation>
    </message>
    <message>
        <source>One clock for all tasks</source>
        <translation>所有任务使用同一时钟</translation>
    </message>
    <message>
        <source>set by a time server</source>
        <translation>由时间服务器校准</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is set by a time server</source>
        <translation>本机时钟由时间服务器校准</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is not set by a time server</source>
        <translation>本机时钟未由时间服务器校准</translation>
    </message>
    <message>
        <source>Switch on NTP on every host.</source>
        <translation>请在每台主机上启用 NTP。</translation>
    </message>
    <message>
        <source>No GPU: %1</source>
        <translation>没有 GPU：%1</translation>
    </message>
    <message>
        <source>No GPU can be used: %1</source>
        <translation>没有可用的 GPU：%1</translation>
    </message>
    <message>
        <source>Training goes on the processor.</source>
        <translation>训练将在处理器上进行。</translation>
    </message>
    <message>
        <source>Install a newer NVIDIA driver.</source>
        <translation>请安装较新的 NVIDIA 驱动。</translation>
    </message>
    <message>
        <source>%1 free, driver %2 for CUDA %3</source>
        <translation>可用 %1，驱动 %2 支持 CUDA %3</translation>
    </message>
    <message>
        <source>No NCCL: %1</source>
        <translation>没有 NCCL：%1</translation>
    </message>
    <message>
        <source>The project needs %1 GPUs for a task, here are %2</source>
        <translation>项目的每个任务需要 %1 个 GPU，这里有 %2 个</translation>
    </message>
    <message>
        <source>The project needs %1 GPUs for a task, here is none</source>
        <translation>项目的每个任务需要 %1 个 GPU，这里没有</translation>
    </message>
    <message>
        <source>The project needs 1 GPU for a task, here is none</source>
        <translation>项目的每个任务需要 1 个 GPU，这里没有</translation>
    </message>
    <message>
        <source>Use CPUs or fewer devices.</source>
        <translation>请使用 CPU 或减少设备。</translation>
    </message>
    <message>
        <source>%1 can&apos;t reach %2</source>
        <translation>%1 无法连接 %2</translation>
    </message>
    <message>
        <source>Write an address that this computer has.</source>
        <translation>请写本机拥有的地址。</translation>
    </message>
    <message>
        <source>Loopback: %1 at most, %2 at least</source>
        <translation>回环：延迟最多 %1，带宽至少 %2</translation>
    </message>
    <message>
        <source>between tasks over TCP, as gRPC goes; shared memory is faster</source>
        <translation>任务之间经 TCP 测得，与 gRPC 相同；共享内存更快</translation>
    </message>
    <message>
        <source>no time was left</source>
        <translation>时间不足</translation>
    </message>
    <message>
        <source>%1: its clock is %2 ahead</source>
        <translation>%1：其时钟快 %2</translation>
    </message>
    <message>
        <source>%1: its clock is %2 behind</source>
        <translation>%1：其时钟慢 %2</translation>
    </message>
    <message>
        <source>What its tasks tell is put on this computer&apos;s clock.</source>
        <translation>其任务报告的时间会换算到本机时钟。</translation>
    </message>
    <message>
        <source>Mend it there, or move its tasks.</source>
        <translation>请在那里解决，或移走其任务。</translation>
    </message>
    <message>
        <source>Look at it with tandem-cli host check %1.</source>
        <translation>请用 tandem-cli host check %1 查看。</translation>
    </message>
    <message>
        <source>%1: %2 of memory free</source>
        <translation>%1：可用内存 %2</translation>
    </message>
    <message>
        <source>%1: %2 free for runs</source>
        <translation>%1：可用于运行的空间 %2</translation>
    </message>
    <message>
        <source>1 core, %1 of memory free, %2 free for runs</source>
        <translation>1 个核心，可用内存 %1，可用于运行的空间 %2</translation>
    </message>
    <message>
        <source>%1 cores, %2 of memory free, %3 free for runs</source>
        <translation>%1 个核心，可用内存 %2，可用于运行的空间 %3</translation>
    </message>
    <message>
        <source>%1: a launch sends %2 of the run&apos;s files there</source>
        <translation>%1：启动时会把运行的文件（%2）发送到那里</translation>
    </message>
    <message>
        <source>They are kept there: the next launch sends what has changed.</source>
        <translation>文件保存在那里：下次启动只发送有变化的部分。</translation>
    </message>
    <message>
        <source>%1 can&apos;t reach %2 at port %3</source>
        <translation>%1 无法连接 %2 的端口 %3</translation>
    </message>
    <message>
        <source>No computer can reach %1 at port %2</source>
        <translation>没有计算机能连接 %1 的端口 %2</translation>
    </message>
    <message>
        <source>The connection was refused: a firewall rejects it, or the address is another computer&apos;s.</source>
        <translation>连接被拒绝：被防火墙拒绝，或者该地址属于另一台计算机。</translation>
    </message>
    <message>
        <source>There is no route to it: a firewall rejects the connection, or no way leads there.</source>
        <translation>没有到它的路由：防火墙拒绝了连接，或者没有路通向那里。</translation>
    </message>
    <message>
        <source>Nothing came back in time: probably a firewall drops what comes.</source>
        <translation>没有及时收到任何响应：很可能是防火墙丢弃了到达的数据。</translation>
    </message>
    <message>
        <source>Something else answers there: it has not proven the secret of this measurement.</source>
        <translation>那里响应的是别的程序：它没有证明这次测量的密钥。</translation>
    </message>
    <message>
        <source>Let TCP port %1 through on %2, or choose a port that its firewall lets through.</source>
        <translation>在 %2 上放行 TCP 端口 %1，或者选择其防火墙放行的端口。</translation>
    </message>
    <message>
        <source>%1: all its ways are slow, %2 at best; the median of the computers is %3</source>
        <translation>%1：它的所有通路都很慢，最好为 %2；各计算机的中位数为 %3</translation>
    </message>
    <message>
        <source>%1: all its ways are long, %2 there and back at best; the median of the computers is %3</source>
        <translation>%1：它的所有通路都很长，往返最好为 %2；各计算机的中位数为 %3</translation>
    </message>
    <message>
        <source>The way between %1 and %2 is slow: %3 at best; the median of all ways is %4</source>
        <translation>%1 与 %2 之间的通路很慢：最好为 %3；所有通路的中位数为 %4</translation>
    </message>
    <message>
        <source>The way between %1 and %2 is long: %3 there and back at best; the median of all ways is %4</source>
        <translation>%1 与 %2 之间的通路很长：往返最好为 %3；所有通路的中位数为 %4</translation>
    </message>
    <message>
        <source>From %1 to %2 go %3, the other way round %4</source>
        <translation>从 %1 到 %2 为 %3，反方向为 %4</translation>
    </message>
    <message>
        <source>A step waits for the slowest way: look at cables, switches and what else uses them.</source>
        <translation>每一步都要等待最慢的通路：请检查网线、交换机以及占用它们的其他程序。</translation>
    </message>
    <message>
        <source>%1 of %2 ways between computers were not measured</source>
        <translation>计算机之间的 %2 条通路中有 %1 条没有测量</translation>
    </message>
    <message>
        <source>Between computers: %1 there and back at most, %2 at least</source>
        <translation>计算机之间：往返最多 %1，至少 %2</translation>
    </message>
    <message>
        <source>encrypted, at the ports of the tasks</source>
        <translation>已加密，在各任务的端口上</translation>
    </message>
    <message>
        <source>%1: it is not in the list of hosts</source>
        <translation>%1：它不在主机列表中</translation>
    </message>
    <message>
        <source>%1: it was not reached</source>
        <translation>%1：未能连接到它</translation>
    </message>
    <message>
        <source>%1: it can&apos;t have its tasks</source>
        <translation>%1：它无法承担自己的任务</translation>
    </message>
    <message>
        <source>%1: its sshd does not say by which address it was reached</source>
        <translation>%1：它的 sshd 没有说明是通过哪个地址连接的</translation>
    </message>
    <message>
        <source>%1: nobody has said by which address it is reached</source>
        <translation>%1：没有谁说明通过哪个地址可以连接到它</translation>
    </message>
    <message>
        <source>%1: its agent does not answer</source>
        <translation>%1：它的代理没有响应</translation>
    </message>
    <message>
        <source>%1: it did not begin to listen in time</source>
        <translation>%1：它没有及时开始监听</translation>
    </message>
    <message>
        <source>%1: it has ended</source>
        <translation>%1：它已结束</translation>
    </message>
    <message>
        <source>not measured: both are on %1</source>
        <translation>未测量：两者都在 %1 上</translation>
    </message>
    <message>
        <source>the way from %1 to %2 was not measured</source>
        <translation>从 %1 到 %2 的通路没有测量</translation>
    </message>
    <message>
        <source>nothing came back within %1 s</source>
        <translation>%1 秒内没有收到任何响应</translation>
    </message>
    <message>
        <source>the other end has closed the connection</source>
        <translation>对方关闭了连接</translation>
    </message>
    <message>
        <source>what came back is no answer to what was sent</source>
        <translation>收到的内容不是对所发内容的响应</translation>
    </message>
    <message>
        <source>%1: it did not answer in time</source>
        <translation>%1：它没有及时响应</translation>
    </message>
</context>
<context>
    <name>DrawPad</name>
    <message>
        <source>Field to draw in</source>
        <translation>绘图区</translation>
    </message>
    <message>
        <source>Arrows move the pen, Space puts it down and lifts it, Delete clears the field.</source>
        <translation>方向键移动画笔，空格键落笔和抬笔，Delete 清除。</translation>
    </message>
    <message>
        <source>Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, Del clears.</source>
        <translation>用鼠标绘制，用右键擦除。按键：方向键移动，空格键落笔和抬笔，Del 清除。</translation>
    </message>
    <message>
        <source>Arrows move the pen, Space puts it down and lifts it, 1 to 8 choose its colour, F fills the field, Delete clears it.</source>
        <translation>方向键移动画笔，空格键落笔或抬笔，1 到 8 选择颜色，F 填满绘图区，Delete 清空。</translation>
    </message>
    <message>
        <source>Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, 1 to 8 choose its colour, F fills, Del clears.</source>
        <translation>用鼠标绘制，用右键擦除。按键：方向键移动，空格键落笔或抬笔，1 到 8 选择颜色，F 填满，Del 清空。</translation>
    </message>
</context>
<context>
    <name>DrawingCard</name>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Draw and see</source>
        <translation>绘制并查看</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fill the field with the colour (F)</source>
        <translation>用所选颜色填满绘图区（F）</translation>
    </message>
    <message>
        <source>Sample %1 of the test set. Draw over it to ask about a drawing.</source>
        <translation>测试集的第 %1 个样本。在上面绘制即可询问该图。</translation>
    </message>
    <message>
        <source>This model takes no pictures that could be drawn; its samples are shown here.</source>
        <translation>此模型不接受可绘制的图片，这里显示它的样本。</translation>
    </message>
    <message>
        <source>Your drawing</source>
        <translation>你的绘图</translation>
    </message>
</context>
<context>
    <name>EditMenu</name>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>The clipboard holds no text</source>
        <translation>剪贴板中没有文本</translation>
    </message>
    <message>
        <source>Nothing here takes it</source>
        <translation>此处无法粘贴</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>未选择任何内容</translation>
    </message>
    <message>
        <source>This text can&apos;t be changed</source>
        <translation>此文本不能更改</translation>
    </message>
    <message>
        <source>No text is selected</source>
        <translation>未选择文本</translation>
    </message>
</context>
<context>
    <name>EmptyMonitor</name>
    <message>
        <source>No run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>Launch the project and its curves appear here from the first step.
Training goes on when this window is closed.</source>
        <translation>启动项目后，曲线从第一步起在此显示。
关闭此窗口后训练仍会继续。</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>Ctrl+R launches from anywhere. To look at an older run, open Runs (Ctrl+6).</source>
        <translation>在任何页面按 Ctrl+R 即可启动。查看以前的运行请打开“运行记录”（Ctrl+6）。</translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s) here</source>
        <translation>
            <numerusform>在此启动 %n 个工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>no project is open</source>
        <translation>未打开项目</translation>
    </message>
    <message>
        <source>%1, no problems</source>
        <translation>%1，没有问题</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>%1 is on this computer, %2 samples</source>
        <translation>%1 在本机上，%2 个样本</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>one worker on this computer</source>
        <translation>本机的一个工作器</translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s) on %1 hosts</source>
        <translation>
            <numerusform>在 %1 台主机上启动 %n 个工作器</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EngineTexts</name>
    <message>
        <source>Every worker keeps a full copy; gradients are summed in each step.</source>
        <translation>每个工作器保存完整副本；梯度在每一步求和。</translation>
    </message>
    <message>
        <source>Several workers, a full copy each</source>
        <translation>多个工作器，各有完整副本</translation>
    </message>
    <message>
        <source>Several devices of one host, each with a full copy.</source>
        <translation>一台主机的多个设备，各有完整副本。</translation>
    </message>
    <message>
        <source>Several devices of one host</source>
        <translation>一台主机的多个设备</translation>
    </message>
    <message>
        <source>Variables live on ps tasks; workers compute by themselves.</source>
        <translation>变量存放在 ps 任务上；工作器各自计算。</translation>
    </message>
    <message>
        <source>Variables on ps tasks</source>
        <translation>变量在 ps 任务上</translation>
    </message>
    <message>
        <source>Variables on one device, computation on all of one host.</source>
        <translation>变量在一个设备上，计算在一台主机的所有设备上。</translation>
    </message>
    <message>
        <source>Variables on one device of one host</source>
        <translation>变量在一台主机的一个设备上</translation>
    </message>
    <message>
        <source>The cores of a TPU, each with a full copy.</source>
        <translation>TPU 的各个核心，各有完整副本。</translation>
    </message>
    <message>
        <source>Everything on one device.</source>
        <translation>全部在一个设备上。</translation>
    </message>
    <message>
        <source>Everything on one device</source>
        <translation>全部在一个设备上</translation>
    </message>
    <message>
        <source>No distribution.</source>
        <translation>不做分布式训练。</translation>
    </message>
    <message>
        <source>No distribution</source>
        <translation>不做分布式训练</translation>
    </message>
    <message>
        <source>One process; removes the %1 tasks</source>
        <translation>单个进程；会移除 %1 个任务</translation>
    </message>
    <message>
        <source>Removes the ps, which it would wait for</source>
        <translation>会移除它要等待的 ps</translation>
    </message>
    <message>
        <source>needs a ps task</source>
        <translation>需要 ps 任务</translation>
    </message>
    <message>
        <source>needs a worker task</source>
        <translation>需要 worker 任务</translation>
    </message>
    <message>
        <source>a cluster has at most one %1</source>
        <translation>一个集群最多有一个 %1</translation>
    </message>
    <message>
        <source>%1: %2; TensorFlow 2.21: %3; guide: %4</source>
        <translation>%1：%2；TensorFlow 2.21：%3；指南：%4</translation>
    </message>
    <message>
        <source>Keras fit</source>
        <translation>Keras fit</translation>
    </message>
    <message>
        <source>custom loop</source>
        <translation>自定义循环</translation>
    </message>
    <message>
        <source>Estimator</source>
        <translation>Estimator</translation>
    </message>
    <message>
        <source>experimental (%1)</source>
        <translation>实验性（%1）</translation>
    </message>
    <message>
        <source>limited (%1)</source>
        <translation>有限（%1）</translation>
    </message>
    <message>
        <source>planned (%1)</source>
        <translation>计划中（%1）</translation>
    </message>
    <message>
        <source>no (%1)</source>
        <translation>否（%1）</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>experimental</source>
        <translation>实验性</translation>
    </message>
    <message>
        <source>limited</source>
        <translation>有限</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>计划中</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>may change in a later version</source>
        <translation>后续版本可能更改</translation>
    </message>
    <message>
        <source>planned for 2.0 RC</source>
        <translation>计划用于 2.0 RC</translation>
    </message>
    <message>
        <source>basic training and evaluation; no scaffold</source>
        <translation>基本训练和评估；无 scaffold</translation>
    </message>
    <message>
        <source>tf.estimator was removed</source>
        <translation>tf.estimator 已移除</translation>
    </message>
    <message>
        <source>not in this version</source>
        <translation>此版本没有</translation>
    </message>
    <message>
        <source>needs a TPU</source>
        <translation>需要 TPU</translation>
    </message>
    <message>
        <source>Keras 2; with Keras 3 fit fails before the first step</source>
        <translation>Keras 2；在 Keras 3 中 fit 在第一步之前失败</translation>
    </message>
    <message>
        <source>not supported yet</source>
        <translation>尚不支持</translation>
    </message>
    <message>
        <source>Keras 2 with steps_per_epoch; not with Keras 3</source>
        <translation>带 steps_per_epoch 的 Keras 2；Keras 3 不行</translation>
    </message>
    <message>
        <source>not in the guide</source>
        <translation>指南中没有</translation>
    </message>
    <message>
        <source>steps per epoch: %1 (fit.steps_per_epoch)</source>
        <translation>每个周期的步数：%1（fit.steps_per_epoch）</translation>
    </message>
    <message>
        <source>steps per epoch: %1 (%2 training samples)</source>
        <translation>每个周期的步数：%1（%2 个训练样本）</translation>
    </message>
    <message>
        <source>learning rate: %1 as chosen for one replica&apos;s batch of %2; for %3, %4 (square root) to %5 (linear) are usual</source>
        <translation>学习率：%1 是为单个副本的批次 %2 选择的；对于 %3，通常用 %4（平方根）到 %5（线性）</translation>
    </message>
    <message>
        <source>One worker reads all samples.</source>
        <translation>一个工作器读取全部样本。</translation>
    </message>
    <message>
        <source>OFF: each of %1 workers reads all samples, in an order of its own.</source>
        <translation>OFF：%1 个工作器各自按自己的顺序读取全部样本。</translation>
    </message>
    <message>
        <source>OFF: each of %1 workers reads all samples, in the same order.</source>
        <translation>OFF：%1 个工作器各自按相同的顺序读取全部样本。</translation>
    </message>
    <message>
        <source>AUTO deals whole files (FILE), because the set is read file by file: %1 files for %2 workers.</source>
        <translation>数据集按文件读取，因此 AUTO 按整个文件分配（FILE）：%1 个文件，%2 个工作器。</translation>
    </message>
    <message>
        <source>FILE: %1 files for %2 workers.</source>
        <translation>FILE：%1 个文件，%2 个工作器。</translation>
    </message>
    <message>
        <source>AUTO deals single samples (DATA), because the set is held in memory.</source>
        <translation>数据集保存在内存中，因此 AUTO 按单个样本分配（DATA）。</translation>
    </message>
    <message>
        <source>DATA: each of %1 workers takes 1/%2 of every batch.</source>
        <translation>DATA：%1 个工作器各取每个批次的 1/%2。</translation>
    </message>
    <message>
        <source>AUTO takes RING: no NVIDIA GPU here</source>
        <translation>AUTO 选用 RING：此处没有 NVIDIA GPU</translation>
    </message>
    <message>
        <source>AUTO takes RING: %1</source>
        <translation>AUTO 选用 RING：%1</translation>
    </message>
    <message>
        <source>AUTO takes NCCL %1: every task has a GPU of its own</source>
        <translation>AUTO 选用 NCCL %1：每个任务都有自己的 GPU</translation>
    </message>
    <message>
        <source>NCCL needs an NVIDIA GPU; this computer has none</source>
        <translation>NCCL 需要 NVIDIA GPU；本机没有</translation>
    </message>
    <message>
        <source>NCCL needs a GPU of its own in every task: %1</source>
        <translation>NCCL 要求每个任务有自己的 GPU：%1</translation>
    </message>
    <message>
        <source>%1 has no GPU: %2</source>
        <translation>%1 没有 GPU：%2</translation>
    </message>
    <message>
        <source>%1 has no GPU</source>
        <translation>%1 没有 GPU</translation>
    </message>
    <message>
        <source>%1 has no NCCL: %2</source>
        <translation>%1 没有 NCCL：%2</translation>
    </message>
    <message>
        <source>%1 has no NCCL</source>
        <translation>%1 没有 NCCL</translation>
    </message>
    <message>
        <source>%1 has several replicas on one GPU</source>
        <translation>%1 在一个 GPU 上有多个副本</translation>
    </message>
    <message>
        <source>%1 and %2 share a GPU</source>
        <translation>%1 和 %2 共用一个 GPU</translation>
    </message>
    <message>
        <source>the project&apos;s devices are CPUs</source>
        <translation>项目的设备是 CPU</translation>
    </message>
    <message>
        <source>no NVIDIA driver</source>
        <translation>没有 NVIDIA 驱动程序</translation>
    </message>
    <message>
        <source>an NVIDIA driver, but no GPU</source>
        <translation>有 NVIDIA 驱动程序，但没有 GPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver&apos;s library can&apos;t be loaded: %1</source>
        <translation>无法加载 NVIDIA 驱动程序的库：%1</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not answer: %1</source>
        <translation>NVIDIA 驱动程序没有响应：%1</translation>
    </message>
    <message>
        <source>%1 is not the NVIDIA driver&apos;s, or too old</source>
        <translation>%1 不是 NVIDIA 驱动程序的，或者版本过旧</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES hides every GPU</source>
        <translation>CUDA_VISIBLE_DEVICES 隐藏了所有 GPU</translation>
    </message>
    <message>
        <source>%1 has compute capability %2, Tandem needs %3</source>
        <translation>%1 的计算能力为 %2，Tandem 需要 %3</translation>
    </message>
    <message>
        <source>the driver %1 runs CUDA %2 at most, Tandem needs %3</source>
        <translation>驱动程序 %1 最高运行 CUDA %2，Tandem 需要 %3</translation>
    </message>
    <message>
        <source>this installation has no back-end for GPUs (%1)</source>
        <translation>此安装没有 GPU 后端（%1）</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message>
        <source>%1 is not installed</source>
        <translation>未安装 %1</translation>
    </message>
    <message>
        <source>%1 does not tell its version</source>
        <translation>%1 不告知其版本</translation>
    </message>
    <message>
        <source>IDX files</source>
        <translation>IDX 文件</translation>
    </message>
    <message>
        <source>NumPy arrays</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>NumPy archive</source>
        <translation>NumPy 归档</translation>
    </message>
    <message>
        <source>CSV table</source>
        <translation>CSV 表格</translation>
    </message>
    <message>
        <source>Folder of pictures</source>
        <translation>图像文件夹</translation>
    </message>
    <message>
        <source>TFRecord files</source>
        <translation>TFRecord 文件</translation>
    </message>
    <message>
        <source>CIFAR-10 files</source>
        <translation>CIFAR-10 文件</translation>
    </message>
    <message>
        <source>CIFAR-100 files</source>
        <translation>CIFAR-100 文件</translation>
    </message>
    <message>
        <source>Labelled texts</source>
        <translation>带标签的文本</translation>
    </message>
    <message>
        <source>Ones for ones</source>
        <translation>输入 1，标签 1</translation>
    </message>
    <message>
        <source>%1 has NCCL %2, %3 %4</source>
        <translation>%1 的 NCCL 为 %2，%3 的为 %4</translation>
    </message>
    <message>
        <source>Wait 600 seconds, as usual</source>
        <translation>照常等待 600 秒</translation>
    </message>
    <message>
        <source>Restart three times, as usual</source>
        <translation>照常重启三次</translation>
    </message>
    <message>
        <source>Wait ten seconds for a sign of life, as usual</source>
        <translation>照常等待 10 秒的生命迹象</translation>
    </message>
    <message>
        <source>Share the cores evenly</source>
        <translation>平均分配核心</translation>
    </message>
    <message>
        <source>Let AUTO choose</source>
        <translation>让 AUTO 选择</translation>
    </message>
    <message>
        <source>Leave the size of packs to the engine</source>
        <translation>打包大小交给引擎决定</translation>
    </message>
    <message>
        <source>Use one device</source>
        <translation>使用一个设备</translation>
    </message>
    <message>
        <source>Use every device of the list once</source>
        <translation>列表中的每个设备只用一次</translation>
    </message>
    <message>
        <source>Add up on the first device</source>
        <translation>在第一个设备上求和</translation>
    </message>
    <message>
        <source>Use NcclAllReduce, as usual</source>
        <translation>照常使用 NcclAllReduce</translation>
    </message>
    <message>
        <source>Move %1 to this computer</source>
        <translation>将 %1 移到本机</translation>
    </message>
    <message>
        <source>Move %1 before %2</source>
        <translation>将 %1 移到 %2 之前</translation>
    </message>
    <message>
        <source>Move %1 behind %2</source>
        <translation>将 %1 移到 %2 之后</translation>
    </message>
    <message>
        <source>Use the usual order</source>
        <translation>使用通常的顺序</translation>
    </message>
    <message>
        <source>Add a worker on this computer</source>
        <translation>在本机上添加 worker</translation>
    </message>
    <message>
        <source>Add a ps and a worker on this computer</source>
        <translation>在本机上添加 ps 和 worker</translation>
    </message>
    <message>
        <source>Add a %1 at %2</source>
        <translation>在 %2 添加 %1</translation>
    </message>
    <message>
        <source>Train without a cluster</source>
        <translation>不使用集群训练</translation>
    </message>
    <message>
        <source>Give %1 port %2</source>
        <translation>为 %1 分配端口 %2</translation>
    </message>
    <message>
        <source>Make the addresses the cluster&apos;s workers</source>
        <translation>将这些地址作为集群的 worker</translation>
    </message>
    <message>
        <source>Remove the cluster and the task</source>
        <translation>移除集群和任务</translation>
    </message>
    <message>
        <source>Make worker 0 the chief</source>
        <translation>将 worker 0 设为 chief</translation>
    </message>
    <message>
        <source>Remove the task: without jobs nobody reads it</source>
        <translation>移除任务：没有作业就没有谁会读取它</translation>
    </message>
    <message>
        <source>Remove the task</source>
        <translation>移除任务</translation>
    </message>
    <message>
        <source>Remove the empty job %1</source>
        <translation>移除空作业 %1</translation>
    </message>
    <message>
        <source>Remove the %1 job</source>
        <translation>移除作业 %1</translation>
    </message>
    <message>
        <source>Put the address into a list</source>
        <translation>将地址放入列表</translation>
    </message>
    <message>
        <source>Number the tasks from 0</source>
        <translation>任务从 0 开始编号</translation>
    </message>
    <message>
        <source>Rename the job to %1</source>
        <translation>将作业重命名为 %1</translation>
    </message>
    <message>
        <source>Rename it to %1</source>
        <translation>将其重命名为 %1</translation>
    </message>
    <message>
        <source>Keep the first chief and make the others workers</source>
        <translation>保留第一个 chief，其余作为 worker</translation>
    </message>
    <message>
        <source>Keep the first address</source>
        <translation>保留第一个地址</translation>
    </message>
    <message>
        <source>Take the number for a port of this computer</source>
        <translation>将该数字作为本机端口</translation>
    </message>
    <message>
        <source>Write an address</source>
        <translation>写入地址</translation>
    </message>
    <message>
        <source>Leave out what is no host and port</source>
        <translation>去掉主机和端口以外的内容</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>使用端口 %1</translation>
    </message>
    <message>
        <source>Write this computer&apos;s name, %1, in place of %2</source>
        <translation>用本机名称 %1 代替 %2</translation>
    </message>
    <message>
        <source>Use this computer</source>
        <translation>使用本机</translation>
    </message>
    <message>
        <source>Make it the text of %1</source>
        <translation>作为 %1 的文本</translation>
    </message>
    <message>
        <source>Name the task&apos;s job %1</source>
        <translation>将任务的作业写为 %1</translation>
    </message>
    <message>
        <source>List the evaluator at %1</source>
        <translation>将 evaluator 列在 %1</translation>
    </message>
    <message>
        <source>Name the master chief</source>
        <translation>将 master 改名为 chief</translation>
    </message>
    <message>
        <source>Remove the evaluator</source>
        <translation>移除评估器</translation>
    </message>
    <message>
        <source>Count it as a number</source>
        <translation>按数字计</translation>
    </message>
    <message>
        <source>Count it as %1</source>
        <translation>计为 %1</translation>
    </message>
    <message>
        <source>Make it the last one, %1</source>
        <translation>设为最后一个，%1</translation>
    </message>
    <message>
        <source>Make it the first one, 0</source>
        <translation>设为第一个，0</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Keep the JSON alone</source>
        <translation>只保留 JSON</translation>
    </message>
    <message>
        <source>Write {}: training alone</source>
        <translation>写入 {}：单独训练</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>no heartbeat for %1</source>
        <translation>%1 没有心跳</translation>
    </message>
    <message>
        <source>killed by signal %1</source>
        <translation>被信号 %1 终止</translation>
    </message>
    <message>
        <source>%1, after %2 restarts</source>
        <translation>%1，已重启 %2 次</translation>
    </message>
    <message>
        <source>%1, after 1 restart</source>
        <translation>%1，已重启一次</translation>
    </message>
    <message>
        <source>exit code %1 before it was done: %2</source>
        <translation>未完成即退出，退出代码 %1：%2</translation>
    </message>
    <message>
        <source>exit code %1 before it was done</source>
        <translation>未完成即退出，退出代码 %1</translation>
    </message>
    <message>
        <source>exit code %1: %2</source>
        <translation>退出代码 %1：%2</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出代码 %1</translation>
    </message>
    <message>
        <source>stopped because %1 failed</source>
        <translation>因 %1 失败而停止</translation>
    </message>
    <message>
        <source>the agent was stopped</source>
        <translation>代理已停止</translation>
    </message>
    <message>
        <source>A TPU&apos;s cores, by an exported script</source>
        <translation>由导出的脚本使用 TPU 的核心</translation>
    </message>
    <message>
        <source>A TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version.</source>
        <translation>在 TPU 上由导出的脚本训练，因为此版本没有运行项目的 PJRT 插件。</translation>
    </message>
    <message>
        <source>exported as a script for a TPU</source>
        <translation>导出为用于 TPU 的脚本</translation>
    </message>
    <message>
        <source>Restart all tasks, as usual</source>
        <translation>照常重启所有任务</translation>
    </message>
    <message>
        <source>Let tasks go on without home, as usual</source>
        <translation>照常让任务在没有主端时继续</translation>
    </message>
    <message>
        <source>%1; the run goes on with %2 of %3 workers, without %4, its learning rate times %5</source>
        <translation>%1；运行以 %3 个工作器中的 %2 个继续，不含 %4，学习率乘以 %5</translation>
    </message>
    <message>
        <source>%1; the run goes on with %2 of %3 workers, without %4</source>
        <translation>%1；运行以 %3 个工作器中的 %2 个继续，不含 %4</translation>
    </message>
    <message>
        <source>%1; no worker is left to go on</source>
        <translation>%1；没有剩下可以继续的工作器</translation>
    </message>
    <message>
        <source>%1: its home was away for %2</source>
        <translation>%1：主端离开了 %2</translation>
    </message>
    <message>
        <source>its home was away for %1</source>
        <translation>主端离开了 %1</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>out of reach and not asked to stop: %1</source>
        <translation>无法连接，未能请求停止：%1</translation>
    </message>
    <message>
        <source>%1, and none of its tasks told anything: %2</source>
        <translation>%1，且没有任何任务发来消息：%2</translation>
    </message>
    <message>
        <source>%1, and none of its tasks told anything</source>
        <translation>%1，且没有任何任务发来消息</translation>
    </message>
    <message>
        <source>%1, and its tasks told no end: %2</source>
        <translation>%1，且其任务没有报告结束：%2</translation>
    </message>
    <message>
        <source>%1, and its tasks told no end</source>
        <translation>%1，且其任务没有报告结束</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue: %2, place %3 of %4</source>
        <translation>作业 %1 在 Slurm 队列中等待：%2，第 %3 位，共 %4 个</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue, place %2 of %3</source>
        <translation>作业 %1 在 Slurm 队列中等待，第 %2 位，共 %3 个</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue: %2</source>
        <translation>作业 %1 在 Slurm 队列中等待：%2</translation>
    </message>
    <message>
        <source>job %1 waits in Slurm&apos;s queue</source>
        <translation>作业 %1 在 Slurm 队列中等待</translation>
    </message>
    <message>
        <source>job %1 runs on %2</source>
        <translation>作业 %1 正在 %2 上运行</translation>
    </message>
    <message>
        <source>job %1 runs</source>
        <translation>作业 %1 正在运行</translation>
    </message>
    <message>
        <source>job %1 is over</source>
        <translation>作业 %1 已结束</translation>
    </message>
    <message>
        <source>job %1 was cancelled</source>
        <translation>作业 %1 已被取消</translation>
    </message>
    <message>
        <source>job %1 reached its limit of time</source>
        <translation>作业 %1 达到了时间上限</translation>
    </message>
    <message>
        <source>job %1 lost a node</source>
        <translation>作业 %1 失去了一个节点</translation>
    </message>
    <message>
        <source>job %1 needed more memory than it may have</source>
        <translation>作业 %1 需要的内存超出了允许的量</translation>
    </message>
    <message>
        <source>job %1 ended with exit code %2</source>
        <translation>作业 %1 以退出代码 %2 结束</translation>
    </message>
    <message>
        <source>job %1 ended as %2</source>
        <translation>作业 %1 以 %2 状态结束</translation>
    </message>
    <message>
        <source>job %1 is gone from Slurm</source>
        <translation>作业 %1 已不在 Slurm 中</translation>
    </message>
    <message>
        <source>Slurm does not answer: %1</source>
        <translation>Slurm 没有响应：%1</translation>
    </message>
    <message>
        <source>MPI needs tasks that mpirun starts (tandem-worker --from-mpi), not Tandem</source>
        <translation>MPI 需要由 mpirun（tandem-worker --from-mpi）而不是 Tandem 启动的任务</translation>
    </message>
    <message>
        <source>Take labels as rows, with CategoricalCrossentropy</source>
        <translation>用 CategoricalCrossentropy，把标签作为行</translation>
    </message>
    <message>
        <source>Mix no samples</source>
        <translation>不混合样本</translation>
    </message>
    <message>
        <source>Folder of texts</source>
        <translation>文本文件夹</translation>
    </message>
    <message>
        <source>%1 sent no heartbeat for %2</source>
        <translation>%1 有 %2 没有心跳</translation>
    </message>
    <message>
        <source>%1 has not answered for %2</source>
        <translation>%1 有 %2 没有响应</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>the run was done by then</source>
        <translation>此前运行已完成</translation>
    </message>
    <message>
        <source>has told nothing for %1 on %2</source>
        <translation>%2 上已有 %1 没有消息</translation>
    </message>
    <message>
        <source>has told nothing for %1</source>
        <translation>已有 %1 没有消息</translation>
    </message>
    <message>
        <source>ended without a word on %1</source>
        <translation>在 %1 上未作任何报告便结束</translation>
    </message>
    <message>
        <source>ended without a word</source>
        <translation>未作任何报告便结束</translation>
    </message>
    <message>
        <source>its folder is gone, or another run began in it</source>
        <translation>其文件夹已不存在，或另一个运行已在其中开始</translation>
    </message>
    <message>
        <source>NaN or Inf loss encountered in batch %1</source>
        <translation>第 %1 批出现 NaN 或无穷大的损失</translation>
    </message>
    <message>
        <source>the run was stopped</source>
        <translation>运行已停止</translation>
    </message>
    <message>
        <source>expected %1 among the logs of an epoch&apos;s end, got none</source>
        <translation>周期末的日志中应有 %1，现没有任何日志</translation>
    </message>
    <message>
        <source>expected %1 among the logs of an epoch&apos;s end, got %2</source>
        <translation>周期末的日志中应有 %1，现有 %2</translation>
    </message>
    <message>
        <source>no reason is known</source>
        <translation>原因未知</translation>
    </message>
</context>
<context>
    <name>EpochProgress</name>
    <message numerus="yes">
        <source>%1 of %n epoch(s)</source>
        <translation>
            <numerusform>%1 / %n 个周期</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpochTableModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>The agent does not answer.</source>
        <translation>代理没有响应。</translation>
    </message>
    <message>
        <source>The agent did not answer in time.</source>
        <translation>代理未及时响应。</translation>
    </message>
    <message>
        <source>The project can&apos;t run as it is.</source>
        <translation>项目目前无法运行。</translation>
    </message>
    <message>
        <source>It is taken already.</source>
        <translation>已被占用。</translation>
    </message>
    <message>
        <source>This computer has no room for it.</source>
        <translation>本机资源不足。</translation>
    </message>
    <message>
        <source>This computer does not allow it.</source>
        <translation>本机不允许此操作。</translation>
    </message>
    <message>
        <source>It is not possible now.</source>
        <translation>现在无法执行。</translation>
    </message>
    <message>
        <source>A file is damaged.</source>
        <translation>文件已损坏。</translation>
    </message>
    <message>
        <source>This version can&apos;t do it yet.</source>
        <translation>此版本尚不支持。</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>It did not work.</source>
        <translation>操作失败。</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>无运行</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>It was not found.</source>
        <translation>没有找到。</translation>
    </message>
</context>
<context>
    <name>EvaluateView</name>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>%1, the best</source>
        <translation>%1，最佳</translation>
    </message>
    <message>
        <source>A worker evaluates the checkpoint on the test set</source>
        <translation>由一个工作器在测试集上评估检查点</translation>
    </message>
    <message numerus="yes">
        <source>accuracy %1   loss %2   %Ln sample(s)</source>
        <translation>
            <numerusform>准确率 %1   损失 %2   %Ln 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation>正在评估</translation>
    </message>
    <message>
        <source>A worker of this computer runs %1 over the test set.</source>
        <translation>本机的一个工作器正在用 %1 处理测试集。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 was not evaluated</source>
        <translation>%1 未能评估</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 has no checkpoint yet</source>
        <translation>%1 还没有检查点</translation>
    </message>
    <message>
        <source>One is written at the end of each epoch.</source>
        <translation>每个周期结束时写入一个。</translation>
    </message>
    <message>
        <source>Add ModelCheckpoint to the callbacks and train again.</source>
        <translation>请将 ModelCheckpoint 添加到回调并重新训练。</translation>
    </message>
    <message>
        <source>Back to runs</source>
        <translation>返回运行记录</translation>
    </message>
    <message>
        <source>Back to runs (Esc)</source>
        <translation>返回运行记录（Esc）</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>重新评估</translation>
    </message>
    <message>
        <source>Which class is taken for which</source>
        <translation>哪个类别被当作哪个</translation>
    </message>
    <message>
        <source>What each layer makes of it</source>
        <translation>每一层的输出</translation>
    </message>
    <message>
        <source>%1 can&apos;t be evaluated here</source>
        <translation>无法在此评估 %1</translation>
    </message>
</context>
<context>
    <name>Evaluation</name>
    <message>
        <source>The run&apos;s folder is on %1: evaluate it there. A worker of this computer can&apos;t read %2.</source>
        <translation>运行的文件夹位于 %1，请在那里评估。本机的工作器无法读取 %2。</translation>
    </message>
    <message>
        <source>The run&apos;s folder is gone: expected %1 on this computer.</source>
        <translation>运行的文件夹不存在：本机上应有 %1。</translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>已将 %n 个文件写入 %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventsPane</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>这个代码的含义</translation>
    </message>
</context>
<context>
    <name>ExportCommandRow</name>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%1 · %n task(s)</source>
        <translation>
            <numerusform>%1 · %n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>Folder to save to</source>
        <translation>保存到的文件夹</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message numerus="yes">
        <source>Export %n file(s)</source>
        <translation>
            <numerusform>导出 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>What to export</source>
        <translation>导出内容</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>未选择任何内容</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Replace files</source>
        <translation>替换文件</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>%1 already exists. Do you want to replace it?</source>
        <translation>%1 已存在。要替换它吗？</translation>
    </message>
    <message numerus="yes">
        <source>%n files already exist. Do you want to replace them?</source>
        <translation>
            <numerusform>%n 个文件已存在。要替换它们吗？</numerusform>
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
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>ExportKind</name>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
</context>
<context>
    <name>ExportPreviewCard</name>
    <message>
        <source>Copy the file</source>
        <translation>复制文件</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
</context>
<context>
    <name>FailureCard</name>
    <message>
        <source>Open log at this second</source>
        <translation>打开此刻的日志</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>运行失败</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>First failure: %1 was killed</source>
        <translation>首个失败：%1 被终止</translation>
    </message>
    <message>
        <source>First failure: %1</source>
        <translation>首个失败：%1</translation>
    </message>
    <message>
        <source>%1 at %2 ended at %3, after step %4: %5.</source>
        <translation>%2 上的 %1 在第 %4 步之后于 %3 结束：%5。</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出代码 %1</translation>
    </message>
    <message>
        <source>It wrote no line.</source>
        <translation>没有写入任何日志。</translation>
    </message>
    <message>
        <source>last %1 of %2 lines</source>
        <translation>共 %2 行，显示最后 %1 行</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>这个代码的含义</translation>
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
        <translation>%1%2 秒</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>被终止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>What happened, by one clock</source>
        <translation>按同一时钟的经过</translation>
    </message>
</context>
<context>
    <name>FarHosts</name>
    <message>
        <source>Reading the archive of this Tandem</source>
        <translation>正在读取此 Tandem 的归档</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Sending Tandem</source>
        <translation>正在发送 Tandem</translation>
    </message>
    <message>
        <source>Unpacking there</source>
        <translation>正在对方解包</translation>
    </message>
    <message>
        <source>Starting its agent</source>
        <translation>正在启动其代理</translation>
    </message>
</context>
<context>
    <name>FaultTableModel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Kill</source>
        <translation>强行结束</translation>
    </message>
    <message>
        <source>Stand still</source>
        <translation>停住</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>放慢</translation>
    </message>
    <message>
        <source>Cut off</source>
        <translation>切断</translation>
    </message>
    <message>
        <source>Fill the disk</source>
        <translation>填满磁盘</translation>
    </message>
    <message>
        <source>Set the clock wrong</source>
        <translation>调错时钟</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 与 %2</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>not before the end</source>
        <translation>直到结束也没有</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Named after</source>
        <translation>指出用时</translation>
    </message>
    <message>
        <source>Named by</source>
        <translation>指出内容</translation>
    </message>
    <message>
        <source>Healed after</source>
        <translation>恢复用时</translation>
    </message>
</context>
<context>
    <name>FieldEditor</name>
    <message>
        <source>A value is needed here</source>
        <translation>此处需要一个值</translation>
    </message>
    <message>
        <source>Expected a whole number</source>
        <translation>应为整数</translation>
    </message>
    <message>
        <source>Expected %1 or a whole number</source>
        <translation>应为 %1 或整数</translation>
    </message>
    <message>
        <source>Expected a number, such as 0.5 or 1e-3</source>
        <translation>应为数字，例如 0.5 或 1e-3</translation>
    </message>
    <message>
        <source>Expected more than %1</source>
        <translation>应大于 %1</translation>
    </message>
    <message>
        <source>Expected at least %1</source>
        <translation>应至少为 %1</translation>
    </message>
    <message>
        <source>Expected at most %1</source>
        <translation>应至多为 %1</translation>
    </message>
    <message>
        <source>Expected texts with a comma between two, such as red, &quot;dark, blue&quot;</source>
        <translation>应为以逗号分隔的文本，例如 red, &quot;dark, blue&quot;</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>FieldHints</name>
    <message>
        <source>How often training goes through the data</source>
        <translation>训练遍历数据的次数</translation>
    </message>
    <message>
        <source>Batches of an epoch; 0: all samples once</source>
        <translation>一个周期的批次数，0：所有样本一遍</translation>
    </message>
    <message>
        <source>Epochs from one validation to the next</source>
        <translation>两次验证之间的周期数</translation>
    </message>
    <message>
        <source>Batches of a validation; 0: all samples</source>
        <translation>一次验证的批次数，0：所有样本</translation>
    </message>
    <message>
        <source>Inputs times normal numbers of mean 1 and deviation sqrt(rate / (1 - rate)) while training</source>
        <translation>训练时输入乘以均值为 1、标准差为 sqrt(rate / (1 - rate)) 的正态随机数</translation>
    </message>
    <message>
        <source>Steps from one line of the log to the next</source>
        <translation>两行日志之间的步数</translation>
    </message>
    <message>
        <source>0: the cores of the host, shared evenly</source>
        <translation>0：平分主机的核心</translation>
    </message>
    <message>
        <source>0: gray, 0.5: as it is, 1: full colours; f for -f to f, or two numbers</source>
        <translation>0：灰色，0.5：保持不变，1：最饱和；f 表示 -f 到 f，或两个数</translation>
    </message>
    <message>
        <source>Device that adds up; the first one when absent</source>
        <translation>做归约的设备；不填则为第一个</translation>
    </message>
    <message>
        <source>Each GPU as so many devices; 0: one</source>
        <translation>每个 GPU 算作这么多设备；0：一个</translation>
    </message>
    <message>
        <source>Each worker&apos;s processor as so many devices; 0: one</source>
        <translation>每个工作器的处理器算作这么多设备；0：一个</translation>
    </message>
    <message>
        <source>Gradients travel in packs of at least so many bytes; 0: as the engine likes</source>
        <translation>梯度按至少这么多字节打包传输；0：由引擎决定</translation>
    </message>
    <message>
        <source>Half of it is how far corners move, in parts of their coordinates</source>
        <translation>其一半是各角移动的距离，以坐标的比例计</translation>
    </message>
    <message>
        <source>How the devices add up their gradients</source>
        <translation>设备怎样把梯度相加</translation>
    </message>
    <message>
        <source>Losses are scaled up before the way back, so that small gradients of float16 are kept</source>
        <translation>反向传播前放大损失，以保留 float16 的小梯度</translation>
    </message>
    <message>
        <source>On GPUs: float32 products of numbers with 10 bits of mantissa, faster</source>
        <translation>GPU：尾数 10 位的数做 float32 乘法，更快</translation>
    </message>
    <message>
        <source>On GPUs: the same numbers in every run; products and convolutions may be slower</source>
        <translation>GPU：每次运行的数都相同；乘法和卷积可能变慢</translation>
    </message>
    <message>
        <source>Parts that the gradients travel in; 0: each gradient alone</source>
        <translation>梯度分成的包数；0：每个梯度单独传输</translation>
    </message>
    <message>
        <source>Seconds that a task waits for the others at the start</source>
        <translation>启动时任务等待其他任务的秒数</translation>
    </message>
    <message>
        <source>How often one run is started again before it fails</source>
        <translation>一次运行在失败之前最多重新启动几次</translation>
    </message>
    <message>
        <source>Seconds without a sign of life after which a task is lost</source>
        <translation>超过这么多秒没有生命迹象的任务视为丢失</translation>
    </message>
    <message>
        <source>The processor as so many devices; 0: one</source>
        <translation>处理器算作这么多设备；0：一个</translation>
    </message>
    <message>
        <source>The run&apos;s log names the device of every variable and op</source>
        <translation>运行日志写明每个变量和算子的设备</translation>
    </message>
    <message>
        <source>auto: shared memory between tasks of one host, gRPC otherwise</source>
        <translation>auto：同一主机的任务之间用共享内存，其余用 gRPC</translation>
    </message>
    <message>
        <source>1: a straight line</source>
        <translation>1：直线</translation>
    </message>
    <message>
        <source>Add a trained offset to every output</source>
        <translation>给每个输出加上可训练的偏置</translation>
    </message>
    <message>
        <source>Add a trained offset, beta</source>
        <translation>加上可训练的偏移 beta</translation>
    </message>
    <message>
        <source>Added to every value</source>
        <translation>加到每个值上</translation>
    </message>
    <message>
        <source>Added to the rate&apos;s divisor</source>
        <translation>加到学习率的分母上</translation>
    </message>
    <message>
        <source>Added to the rate&apos;s divisor over decay_steps</source>
        <translation>在 decay_steps 步内加到学习率分母上的量</translation>
    </message>
    <message>
        <source>Added to the root of the second moment</source>
        <translation>加到二阶矩的平方根上</translation>
    </message>
    <message>
        <source>Added to the mean square</source>
        <translation>加到均方值上</translation>
    </message>
    <message>
        <source>Added to the variance</source>
        <translation>加到方差上</translation>
    </message>
    <message>
        <source>As RandomBrightness has it; empty: as it is</source>
        <translation>与 RandomBrightness 相同；留空：保持不变</translation>
    </message>
    <message>
        <source>As RandomContrast has it; empty: as it is</source>
        <translation>与 RandomContrast 相同；留空：保持不变</translation>
    </message>
    <message>
        <source>As RandomSaturation has it; empty: as it is</source>
        <translation>与 RandomSaturation 相同；留空：保持不变</translation>
    </message>
    <message>
        <source>As RandomHue has it; empty: as it is</source>
        <translation>与 RandomHue 相同；留空：保持不变</translation>
    </message>
    <message>
        <source>Adds the sizes or squares of the values to the loss</source>
        <translation>把数值的绝对值或平方加到损失中</translation>
    </message>
    <message>
        <source>Axes, from 1, along which one slope serves all</source>
        <translation>共用一个斜率的轴（从 1 数起）</translation>
    </message>
    <message>
        <source>Axis of the channels</source>
        <translation>通道所在的轴</translation>
    </message>
    <message>
        <source>Begin again, with longer and longer ways down</source>
        <translation>重新开始，每次下降的过程更长</translation>
    </message>
    <message>
        <source>Bits that are kept of a value&apos;s 8: n for 1 to n, or two; the larger one is never drawn</source>
        <translation>数值 8 位中保留的位数：n 表示 1 到 n，或两个数；较大的那个不会被抽到</translation>
    </message>
    <message>
        <source>Between cells: straight lines, or the nearest cell</source>
        <translation>格点之间：线性插值或取最近的格点</translation>
    </message>
    <message>
        <source>Cells taken away: one number, rows and columns, or top, bottom, left, right</source>
        <translation>裁去的格数：一个数，行和列，或上、下、左、右</translation>
    </message>
    <message>
        <source>Channels between the two convolutions, for each input channel</source>
        <translation>两次卷积之间每个输入通道的通道数</translation>
    </message>
    <message>
        <source>Columns of the result</source>
        <translation>结果的列数</translation>
    </message>
    <message>
        <source>Columns that a row is moved against the one before: f for -f to f, or two, either way</source>
        <translation>每行相对上一行错开的列数：f 表示 -f 到 f，或两个数，两个方向皆可</translation>
    </message>
    <message>
        <source>Cut the image to the result&apos;s proportions first</source>
        <translation>先将图像裁剪为结果的宽高比</translation>
    </message>
    <message>
        <source>Distance between the cells of the window</source>
        <translation>窗口中各格之间的间隔</translation>
    </message>
    <message>
        <source>Divide by the variance instead of the second moment</source>
        <translation>用方差代替二阶矩作除数</translation>
    </message>
    <message>
        <source>Each begins lower by this factor</source>
        <translation>每次开始时按此系数降低</translation>
    </message>
    <message>
        <source>Each way down is longer by this factor</source>
        <translation>每次下降按此系数变长</translation>
    </message>
    <message>
        <source>Error up to which the loss is quadratic</source>
        <translation>误差不超过此值时损失为二次</translation>
    </message>
    <message>
        <source>Factor of every value</source>
        <translation>每个值所乘的系数</translation>
    </message>
    <message>
        <source>Factor over decay_steps</source>
        <translation>经过 decay_steps 步的系数</translation>
    </message>
    <message>
        <source>From the last time to the first</source>
        <translation>从最后的时间步到第一个</translation>
    </message>
    <message>
        <source>Function applied to the output</source>
        <translation>作用于输出的函数</translation>
    </message>
    <message>
        <source>Function of the gates</source>
        <translation>门所用的函数</translation>
    </message>
    <message>
        <source>Function of the new state</source>
        <translation>新状态所用的函数</translation>
    </message>
    <message>
        <source>1: say in the log what is done</source>
        <translation>1：在日志中说明所做的事</translation>
    </message>
    <message>
        <source>A first checkpoint must be better than this</source>
        <translation>第一个检查点必须优于此值</translation>
    </message>
    <message>
        <source>A value that must be beaten</source>
        <translation>必须超过的值</translation>
    </message>
    <message>
        <source>Between two columns</source>
        <translation>两列之间</translation>
    </message>
    <message>
        <source>Changes smaller than this count as none</source>
        <translation>小于此值的变化不计</translation>
    </message>
    <message>
        <source>End with the weights of the best epoch</source>
        <translation>以最佳周期的权重结束</translation>
    </message>
    <message>
        <source>Epochs after a reduction that do not count</source>
        <translation>降低之后不计入的周期数</translation>
    </message>
    <message>
        <source>Epochs before this one, from 0, are not looked at</source>
        <translation>从 0 起，此周期之前的不予考察</translation>
    </message>
    <message>
        <source>Epochs between two histograms of weights and gradients; 0: none</source>
        <translation>权重和梯度直方图之间的周期数；0：无</translation>
    </message>
    <message>
        <source>Epochs without a better value before the rate is reduced</source>
        <translation>降低学习率之前没有改善的周期数</translation>
    </message>
    <message>
        <source>Epochs without a better value before training ends</source>
        <translation>结束训练之前没有改善的周期数</translation>
    </message>
    <message>
        <source>Epochs, from 0, that begin with a new rate</source>
        <translation>从 0 起，以新学习率开始的周期</translation>
    </message>
    <message>
        <source>File below the run&apos;s folder</source>
        <translation>运行文件夹下的文件</translation>
    </message>
    <message>
        <source>Filters as pictures, with the histograms</source>
        <translation>与直方图一起，将滤波器存为图片</translation>
    </message>
    <message>
        <source>Folder below the run&apos;s folder</source>
        <translation>运行文件夹下的文件夹</translation>
    </message>
    <message>
        <source>Go on in a file that exists</source>
        <translation>在已有文件中续写</translation>
    </message>
    <message>
        <source>How fast training is</source>
        <translation>训练的速度</translation>
    </message>
    <message>
        <source>Keep only checkpoints better than all before</source>
        <translation>仅保留优于之前所有的检查点</translation>
    </message>
    <message>
        <source>Keep the backup before the last one too</source>
        <translation>同时保留上一个备份</translation>
    </message>
    <message>
        <source>Let the run fail instead of ending it</source>
        <translation>让运行失败而不是结束</translation>
    </message>
    <message>
        <source>Only 0: no embeddings</source>
        <translation>仅 0：无嵌入</translation>
    </message>
    <message>
        <source>Only 0: no profile</source>
        <translation>仅 0：无性能分析</translation>
    </message>
    <message>
        <source>What the log says after each epoch: {epoch} counts from 1, {index} from 0, {rate} or {rate:.5f} is the learning rate</source>
        <translation>每个周期后写入日志的文字：{epoch} 从 1 计数，{index} 从 0 计数，{rate} 或 {rate:.5f} 为学习率</translation>
    </message>
    <message>
        <source>Prefix of the files below the run&apos;s folder; {epoch} counts from 1</source>
        <translation>运行文件夹下文件的前缀；{epoch} 从 1 计数</translation>
    </message>
    <message>
        <source>Remove the backup when training is done</source>
        <translation>训练完成后删除备份</translation>
    </message>
    <message>
        <source>The model for the page Graphs</source>
        <translation>供 Graphs 页面使用的模型</translation>
    </message>
    <message>
        <source>The rate does not fall below this</source>
        <translation>学习率不低于此值</translation>
    </message>
    <message>
        <source>The rate from each of these epochs on</source>
        <translation>从这些周期起各自的学习率</translation>
    </message>
    <message>
        <source>The rate is multiplied by this, a number below 1</source>
        <translation>学习率乘以此数，须小于 1</translation>
    </message>
    <message>
        <source>The value that should get better</source>
        <translation>应当改善的值</translation>
    </message>
    <message>
        <source>The value that tells the best epoch</source>
        <translation>用于判断最佳周期的值</translation>
    </message>
    <message>
        <source>Weights without the model&apos;s description; TensorFlow&apos;s format never has one</source>
        <translation>只有权重而无模型描述；TensorFlow 格式本来就没有</translation>
    </message>
    <message>
        <source>Whether a smaller or a larger value is better</source>
        <translation>较小还是较大的值更好</translation>
    </message>
    <message>
        <source>&quot;epoch&quot;, &quot;batch&quot;, or a number of steps between two points</source>
        <translation>&quot;epoch&quot;、&quot;batch&quot; 或两点之间的步数</translation>
    </message>
    <message>
        <source>&quot;epoch&quot;, or a number of steps</source>
        <translation>&quot;epoch&quot; 或步数</translation>
    </message>
    <message>
        <source>How a batch&apos;s losses become one number</source>
        <translation>如何把一个批次的损失变成一个数</translation>
    </message>
    <message>
        <source>How fast the rate falls</source>
        <translation>学习率下降的快慢</translation>
    </message>
    <message>
        <source>How much less samples count that are right already</source>
        <translation>已经分对的样本权重降低的程度</translation>
    </message>
    <message>
        <source>How often each step is repeated</source>
        <translation>每个时间步重复的次数</translation>
    </message>
    <message>
        <source>How often rows and columns are repeated</source>
        <translation>行和列重复的次数</translation>
    </message>
    <message>
        <source>How often the input is repeated</source>
        <translation>输入重复的次数</translation>
    </message>
    <message>
        <source>How the two directions become one</source>
        <translation>两个方向如何合并</translation>
    </message>
    <message>
        <source>Id 0 stands for nothing: layers behind leave its place out</source>
        <translation>编号 0 表示空位：后面的层会跳过</translation>
    </message>
    <message>
        <source>Keep a moving average of the weights, and end with it</source>
        <translation>保留权重的移动平均，并以它结束</translation>
    </message>
    <message>
        <source>Keep the axes, with size 1</source>
        <translation>保留这些轴，长度为 1</translation>
    </message>
    <message>
        <source>Label of samples that do not count</source>
        <translation>不计入的样本的标签</translation>
    </message>
    <message>
        <source>Largest norm of a variable&apos;s gradient</source>
        <translation>单个变量梯度的最大范数</translation>
    </message>
    <message>
        <source>Largest norm of all gradients together</source>
        <translation>全部梯度合在一起的最大范数</translation>
    </message>
    <message>
        <source>Largest output; empty: no limit</source>
        <translation>最大输出；留空：不限</translation>
    </message>
    <message>
        <source>Largest size of a gradient&apos;s element</source>
        <translation>梯度元素的最大绝对值</translation>
    </message>
    <message>
        <source>Last steps of each piece</source>
        <translation>每一段的最后一步</translation>
    </message>
    <message>
        <source>Look ahead along the momentum</source>
        <translation>沿动量方向向前看一步</translation>
    </message>
    <message>
        <source>Masked steps put out zeros, not the state before them</source>
        <translation>被掩码的时间步输出 0，而不是之前的状态</translation>
    </message>
    <message>
        <source>Multiply with a trained factor, gamma</source>
        <translation>乘以可训练的系数 gamma</translation>
    </message>
    <message>
        <source>No effect</source>
        <translation>无作用</translation>
    </message>
    <message>
        <source>No effect: the loop is native</source>
        <translation>无作用：循环是原生代码</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>Number of ids: they run from 0 to one less</source>
        <translation>编号的个数：从 0 到个数减一</translation>
    </message>
    <message>
        <source>Number of output channels</source>
        <translation>输出通道数</translation>
    </message>
    <message>
        <source>Number of outputs</source>
        <translation>输出个数</translation>
    </message>
    <message>
        <source>Only whole multiples of decay_steps count</source>
        <translation>只按 decay_steps 的整数倍计算</translation>
    </message>
    <message>
        <source>Pad the image to the result&apos;s proportions first</source>
        <translation>先将图像填充为结果的宽高比</translation>
    </message>
    <message>
        <source>Output channels of each input channel</source>
        <translation>每个输入通道的输出通道数</translation>
    </message>
    <message>
        <source>Parts into which the channels are split</source>
        <translation>通道分成的组数</translation>
    </message>
    <message>
        <source>Parts of half a turn of the hue, either way: f for 0 to f, or two numbers</source>
        <translation>色相半圈的比例，两个方向皆可：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Parts of a full turn: f for -f to f, or two; positive: against the clock</source>
        <translation>占一整圈的比例：f 表示 -f 到 f，或两个数；正数：逆时针</translation>
    </message>
    <message>
        <source>Parts of the channels; -1: each channel is one</source>
        <translation>通道的组数；-1：每个通道一组</translation>
    </message>
    <message>
        <source>Parts of the contrast lost at most and gained at most; one number: the gain alone</source>
        <translation>对比度最多降低和最多提高的比例；一个数：仅提高</translation>
    </message>
    <message>
        <source>Parts of the height: f for -f to f, or two; positive: down</source>
        <translation>占高度的比例：f 表示 -f 到 f，或两个数；正数：向下</translation>
    </message>
    <message>
        <source>Parts of the height: f for -f to f, or two; positive: farther away</source>
        <translation>占高度的比例：f 表示 -f 到 f，或两个数；正数：缩小</translation>
    </message>
    <message>
        <source>Parts of the image that the box takes: f for 0 to f, or two numbers</source>
        <translation>方框所占的图像比例：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Parts of the way to gray: f for -f to f, or two numbers</source>
        <translation>趋向灰色的比例：f 表示 -f 到 f，或两个数</translation>
    </message>
    <message>
        <source>Parts of the width: f for -f to f, or two; positive: right</source>
        <translation>占宽度的比例：f 表示 -f 到 f，或两个数；正数：向右</translation>
    </message>
    <message>
        <source>Parts of value_range from where on values are inverted: f for 0 to f, or two numbers</source>
        <translation>从 value_range 的哪个比例起反转数值：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Parts of value_range that are added first: f for 0 to f, or two numbers</source>
        <translation>先加上的 value_range 的比例：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Parts of value_range that are added: f for -f to f, or two numbers</source>
        <translation>加上的 value_range 的比例：f 表示 -f 到 f，或两个数</translation>
    </message>
    <message>
        <source>Pull of all weights towards 0</source>
        <translation>把所有权重拉向 0 的力度</translation>
    </message>
    <message>
        <source>Pull of small weights to 0</source>
        <translation>把小权重拉到 0 的力度</translation>
    </message>
    <message>
        <source>Random numbers of its own; empty: from the run&apos;s seed</source>
        <translation>自己的随机种子；留空：取自运行的种子</translation>
    </message>
    <message>
        <source>Rate at the end of a linear rise before</source>
        <translation>之前线性上升结束时的学习率</translation>
    </message>
    <message>
        <source>Rate of the first step</source>
        <translation>第一步的学习率</translation>
    </message>
    <message>
        <source>Rates, one more than boundaries</source>
        <translation>各段学习率，比 boundaries 多一个</translation>
    </message>
    <message>
        <source>Reads it from the end; without one a copy of the first</source>
        <translation>从末尾读取的层；不填则复制第一个</translation>
    </message>
    <message>
        <source>Reads the sequence from its beginning</source>
        <translation>从开头读取序列的层</translation>
    </message>
    <message>
        <source>Reset after the product with the state, as cuDNN does</source>
        <translation>与状态相乘之后再重置，与 cuDNN 相同</translation>
    </message>
    <message>
        <source>Rows and columns added at the end; empty: by the strides</source>
        <translation>末尾补的行和列；留空：由 strides 决定</translation>
    </message>
    <message>
        <source>Rows and columns of the window</source>
        <translation>窗口的行数和列数</translation>
    </message>
    <message>
        <source>Rows of the result</source>
        <translation>结果的行数</translation>
    </message>
    <message>
        <source>Rows that a column is moved against the one before: f for -f to f, or two, either way</source>
        <translation>每列相对上一列错开的行数：f 表示 -f 到 f，或两个数，两个方向皆可</translation>
    </message>
    <message>
        <source>Scale of the loss and its gradients; without effect in float32</source>
        <translation>损失及其梯度的缩放；对 float32 无作用</translation>
    </message>
    <message>
        <source>Share of each label that is spread over all classes</source>
        <translation>每个标签分摊给所有类别的比例</translation>
    </message>
    <message>
        <source>Share of the channels set to zero while training</source>
        <translation>训练时置零的通道比例</translation>
    </message>
    <message>
        <source>Share of the images that are changed: f for 0 to f, or two numbers</source>
        <translation>被改变的图像的比例：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Share of the images that are inverted: f for 0 to f, or two numbers</source>
        <translation>被反转的图像的比例：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Share of the images that become gray</source>
        <translation>变为灰色的图像的比例</translation>
    </message>
    <message>
        <source>Share of the input&apos;s features that is dropped, the same at all times</source>
        <translation>丢弃的输入特征比例，各时间步相同</translation>
    </message>
    <message>
        <source>Share of the inputs set to zero while training</source>
        <translation>训练时置零的输入比例</translation>
    </message>
    <message>
        <source>Share of the last step that goes on</source>
        <translation>上一步保留下来的比例</translation>
    </message>
    <message>
        <source>Share of the moving statistics that is kept in a step</source>
        <translation>每步保留的移动统计量比例</translation>
    </message>
    <message>
        <source>Share of the rate that is left at the end</source>
        <translation>结束时剩下的学习率比例</translation>
    </message>
    <message>
        <source>Share of the running mean that is kept in a step</source>
        <translation>每步保留的移动平均比例</translation>
    </message>
    <message>
        <source>Share of the state&apos;s units that each gate does not see</source>
        <translation>每个门看不到的状态单元比例</translation>
    </message>
    <message>
        <source>Share of the weights, times the rate, that goes in every step</source>
        <translation>每步按比例乘学习率减去的权重</translation>
    </message>
    <message>
        <source>Size of the state</source>
        <translation>状态的大小</translation>
    </message>
    <message>
        <source>Sizes with the batch, -1 as the input&apos;s; 1: one fate for all along an axis; empty: each value its own</source>
        <translation>含批次的形状，-1 与输入相同；1：沿该轴共用；留空：每个值各自独立</translation>
    </message>
    <message>
        <source>Sizes without the batch; one may be -1, the rest</source>
        <translation>不含批次的形状；其中一个可为 -1，表示其余部分</translation>
    </message>
    <message>
        <source>Slope below 0</source>
        <translation>小于 0 处的斜率</translation>
    </message>
    <message>
        <source>Slope below the threshold</source>
        <translation>低于阈值处的斜率</translation>
    </message>
    <message>
        <source>Smaller inputs are cut, or follow the slope</source>
        <translation>更小的输入被截断，或按斜率变化</translation>
    </message>
    <message>
        <source>Standard deviation of what is added while training</source>
        <translation>训练时所加噪声的标准差</translation>
    </message>
    <message>
        <source>Statistics of the batches of all replicas together</source>
        <translation>所有副本的批次合在一起的统计量</translation>
    </message>
    <message>
        <source>Step of the window</source>
        <translation>窗口的步长</translation>
    </message>
    <message>
        <source>Step of the window in rows and columns</source>
        <translation>窗口在行和列上的步长</translation>
    </message>
    <message>
        <source>Step of the window; empty: the pool&apos;s size</source>
        <translation>窗口的步长；留空：等于池化大小</translation>
    </message>
    <message>
        <source>Step width: a number or a schedule</source>
        <translation>步长：一个数或一个调度</translation>
    </message>
    <message>
        <source>Steps after which decay_rate applies in full</source>
        <translation>decay_rate 完全生效所需的步数</translation>
    </message>
    <message>
        <source>Steps after which decay_rate counts once</source>
        <translation>decay_rate 生效一次所需的步数</translation>
    </message>
    <message>
        <source>Steps after which the weights become their average</source>
        <translation>每隔多少步把权重换成其平均值</translation>
    </message>
    <message>
        <source>Steps of that rise</source>
        <translation>该上升过程的步数</translation>
    </message>
    <message>
        <source>Steps of the first way down</source>
        <translation>第一次下降的步数</translation>
    </message>
    <message>
        <source>Steps of the way down</source>
        <translation>下降过程的步数</translation>
    </message>
    <message>
        <source>Steps of the window</source>
        <translation>窗口的时间步数</translation>
    </message>
    <message>
        <source>Steps taken away: one number, or before and after</source>
        <translation>裁去的时间步：一个数，或前和后</translation>
    </message>
    <message>
        <source>Steps to the last rate</source>
        <translation>到最后学习率的步数</translation>
    </message>
    <message>
        <source>Steps whose features all have this value do not count</source>
        <translation>特征全为此值的时间步不计入</translation>
    </message>
    <message>
        <source>Steps whose mean gradient makes one update</source>
        <translation>用平均梯度更新一次所累积的步数</translation>
    </message>
    <message>
        <source>Sum of squared gradients before the first step</source>
        <translation>第一步之前的梯度平方和</translation>
    </message>
    <message>
        <source>The forget gate&apos;s offsets begin with 1</source>
        <translation>遗忘门的偏置从 1 开始</translation>
    </message>
    <message>
        <source>The input&apos;s axes in the output&apos;s order, counted from 1</source>
        <translation>按输出顺序排列的输入轴，从 1 数起</translation>
    </message>
    <message>
        <source>The last layer has no sigmoid</source>
        <translation>最后一层没有 sigmoid</translation>
    </message>
    <message>
        <source>The last layer has no softmax</source>
        <translation>最后一层没有 softmax</translation>
    </message>
    <message>
        <source>The last rate</source>
        <translation>最后的学习率</translation>
    </message>
    <message>
        <source>Pull of all weights towards 0, by way of the gradient</source>
        <translation>通过梯度把所有权重拉向 0 的力度</translation>
    </message>
    <message>
        <source>The same of the width; empty: as the height</source>
        <translation>宽度的比例；留空：与高度相同</translation>
    </message>
    <message>
        <source>The smallest and the largest value of the images</source>
        <translation>图像的最小值和最大值</translation>
    </message>
    <message>
        <source>The states of all times, not the last one alone</source>
        <translation>所有时间步的状态，而不只是最后一个</translation>
    </message>
    <message>
        <source>Use the largest second moment so far</source>
        <translation>使用迄今最大的二阶矩</translation>
    </message>
    <message>
        <source>Value beyond the image</source>
        <translation>图像之外的值</translation>
    </message>
    <message>
        <source>Value beyond the image with fill_mode constant</source>
        <translation>fill_mode 为 constant 时图像之外的值</translation>
    </message>
    <message>
        <source>Value of the cells that are added</source>
        <translation>补充的单元的值</translation>
    </message>
    <message>
        <source>Values before the first step</source>
        <translation>第一步之前的值</translation>
    </message>
    <message>
        <source>Values that stand for an id</source>
        <translation>表示一个编号的数值个数</translation>
    </message>
    <message>
        <source>Weigh the class 1 by alpha, the class 0 by the rest</source>
        <translation>类别 1 按 alpha 加权，类别 0 按其余加权</translation>
    </message>
    <message>
        <source>Weight of the classes</source>
        <translation>类别的权重</translation>
    </message>
    <message>
        <source>What is done with every time of the sequence</source>
        <translation>对序列的每个时间步所做的运算</translation>
    </message>
    <message>
        <source>What the box gets: a number, or one for each of 3 channels; empty: noise</source>
        <translation>方框填入的值：一个数，或 3 个通道各一个；留空：噪声</translation>
    </message>
    <message>
        <source>What lies beyond the image: its mirror image, fill_value, the image again, or its border</source>
        <translation>图像之外：镜像、fill_value、重复图像或边缘</translation>
    </message>
    <message>
        <source>What the output of large negative inputs comes near to</source>
        <translation>很大的负输入的输出所趋近的值</translation>
    </message>
    <message>
        <source>What the values are held to after every step</source>
        <translation>每步之后数值所受的约束</translation>
    </message>
    <message>
        <source>Which way half of the images are mirrored</source>
        <translation>把一半图像翻转的方向</translation>
    </message>
    <message>
        <source>Zeros added: one number, or before and after</source>
        <translation>补零个数：一个数，或前和后</translation>
    </message>
    <message>
        <source>Zeros added: one number, rows and columns, or top, bottom, left, right</source>
        <translation>补零个数：一个数，行和列，或上、下、左、右</translation>
    </message>
    <message>
        <source>nearest: repeat; bilinear: straight lines between neighbours</source>
        <translation>nearest：重复；bilinear：相邻值间线性插值</translation>
    </message>
    <message>
        <source>valid: all that the windows reach; same: cut so that the size is input times stride</source>
        <translation>valid：窗口所及的全部；same：裁到输入乘以步长的大小</translation>
    </message>
    <message>
        <source>valid: only whole windows; same: pad so that the size is input divided by stride</source>
        <translation>valid：只取完整窗口；same：补齐，使大小为输入除以步长</translation>
    </message>
    <message>
        <source>valid: only whole windows; same: pad so that the size is input divided by stride; causal: pad before alone</source>
        <translation>valid：只取完整窗口；same：补齐，使大小为输入除以步长；causal：只在前面补</translation>
    </message>
    <message>
        <source>Exchange them at the end of an epoch too, for the callbacks that follow</source>
        <translation>在周期结束时也交换，供其后的回调使用</translation>
    </message>
    <message>
        <source>Global steps of all workers; empty: until the input ends</source>
        <translation>所有工作器合计的全局步数；留空：直到输入结束</translation>
    </message>
    <message>
        <source>Passes over the training samples, as repeat() makes them; 0: without end</source>
        <translation>如 repeat() 那样遍历训练样本的次数；0：没有尽头</translation>
    </message>
    <message>
        <source>Batches of an evaluation; empty: all samples</source>
        <translation>一次评估的批次数；留空：所有样本</translation>
    </message>
    <message>
        <source>Seconds before an evaluator looks for its first checkpoint</source>
        <translation>评估器寻找第一个检查点之前的秒数</translation>
    </message>
    <message>
        <source>Seconds from the beginning of one evaluation to the next</source>
        <translation>从一次评估开始到下一次的秒数</translation>
    </message>
    <message>
        <source>Steps from one checkpoint to the next; empty: by seconds</source>
        <translation>两个检查点之间的步数；留空：按秒</translation>
    </message>
    <message>
        <source>Seconds from one checkpoint to the next; empty: by steps, or 600</source>
        <translation>两个检查点之间的秒数；留空：按步数，或 600</translation>
    </message>
    <message>
        <source>Older checkpoints go when there are more; 0: all stay</source>
        <translation>超出时删除较旧的检查点；0：全部保留</translation>
    </message>
    <message>
        <source>Steps from one line of the log to the next; 0: none</source>
        <translation>两行日志之间的步数；0：没有</translation>
    </message>
    <message>
        <source>How variables are cut over the ps tasks; None: each lies on one of them as a whole</source>
        <translation>变量如何切分到各 ps 任务；None：每个变量整个放在其中一个上</translation>
    </message>
    <message>
        <source>Updates of others that a gradient may have missed; None: any number, 0: one update after the other</source>
        <translation>梯度可以错过的其他工作器更新次数；None：不限，0：更新逐个进行</translation>
    </message>
    <message>
        <source>Shards of a variable at the most</source>
        <translation>一个变量最多的分片数</translation>
    </message>
    <message>
        <source>Of variables that hold texts, which a model has none of</source>
        <translation>用于存放文本的变量，模型中没有</translation>
    </message>
    <message>
        <source>Shards of each variable, by its rows</source>
        <translation>每个变量的分片数，按行切分</translation>
    </message>
    <message>
        <source>A shard holds so many bytes at least</source>
        <translation>一个分片至少的字节数</translation>
    </message>
    <message>
        <source>A shard holds so many bytes at the most</source>
        <translation>一个分片至多的字节数</translation>
    </message>
    <message>
        <source>Steps of all workers together, in place of epochs; 0: as epochs say</source>
        <translation>以所有工作器合计的步数代替周期；0：按周期</translation>
    </message>
    <message>
        <source>Steps from one point in TensorBoard&apos;s files to the next; 0: none</source>
        <translation>TensorBoard 文件中两点之间的步数；0：没有</translation>
    </message>
    <message>
        <source>Parameter servers: each worker begins 5 seconds later than the one before it, at most so many; empty: at once</source>
        <translation>参数服务器：每个工作器比前一个晚 5 秒开始，最多晚这么多；留空：立即</translation>
    </message>
    <message>
        <source>Writes the model as .keras when training is over</source>
        <translation>训练结束时将模型写为 .keras</translation>
    </message>
    <message>
        <source>Writes the model as .keras after each evaluation and keeps the last five</source>
        <translation>每次评估后将模型写为 .keras，保留最近五个</translation>
    </message>
    <message>
        <source>Writes the model as .keras when the loss of an evaluation is the smallest so far</source>
        <translation>评估的损失为目前最小时将模型写为 .keras</translation>
    </message>
    <message>
        <source>Name of the TPU, grpc://host:port, or local on the TPU&apos;s own machine; None: as the environment says</source>
        <translation>TPU 的名称、grpc://host:port，或在 TPU 所在机器上写 local；None：按环境给出的</translation>
    </message>
    <message>
        <source>Zone of Google Cloud; None: that of the machine that runs the script</source>
        <translation>Google Cloud 的可用区；None：运行脚本的机器所在的可用区</translation>
    </message>
    <message>
        <source>Project of Google Cloud; None: that of the machine that runs the script</source>
        <translation>Google Cloud 的项目；None：运行脚本的机器所属的项目</translation>
    </message>
    <message>
        <source>Job that the TPU&apos;s tasks belong to</source>
        <translation>TPU 的任务所属的作业</translation>
    </message>
    <message>
        <source>Job of the coordinator; None: the cluster has none</source>
        <translation>协调器的作业；None：集群没有协调器</translation>
    </message>
    <message>
        <source>host:port of the coordinator; None: the script starts a server for it</source>
        <translation>协调器的 host:port；None：脚本为它启动服务器</translation>
    </message>
    <message>
        <source>restart: a run with BackupAndRestore goes on from its backup when a task is killed or silent; continue: with the workers that are left</source>
        <translation>restart：带 BackupAndRestore 的运行在任务被终止或无响应时从备份继续；continue：用剩下的工作器继续</translation>
    </message>
    <message>
        <source>The learning rate shrinks with the global batch when the run goes on with fewer workers</source>
        <translation>运行以更少的工作器继续时，学习率随全局批次一起减小</translation>
    </message>
    <message>
        <source>Seconds after which tasks on other computers stop, with a backup, when this one is away; 0: never</source>
        <translation>本机（主端）离开超过这么多秒后，其他计算机上的任务留下备份并停止；0：从不</translation>
    </message>
    <message>
        <source>How many numbers a sample has of it</source>
        <translation>一个样本中它有多少个数</translation>
    </message>
    <message>
        <source>Name of the column in the data</source>
        <translation>数据中该列的名称</translation>
    </message>
    <message>
        <source>Places that a hash of the text chooses from; several texts may share one</source>
        <translation>文本的哈希从中选取的位置数；多个文本可能共用一个</translation>
    </message>
    <message>
        <source>Rising numbers; a value at a boundary belongs to the bucket above it</source>
        <translation>递增的数；恰在边界上的值属于其上方的区间</translation>
    </message>
    <message>
        <source>The texts, each once</source>
        <translation>各个文本，每个一次</translation>
    </message>
    <message>
        <source>Values are below it</source>
        <translation>值小于它</translation>
    </message>
    <message>
        <source>1: texts beyond the list have a place of their own; 0: they count as none</source>
        <translation>1：列表之外的文本有单独的位置；0：视为没有</translation>
    </message>
    <message>
        <source>The file whose weights training begins with; empty: weights are drawn from the seed</source>
        <translation>训练开始时所用权重的文件；留空则由种子生成权重</translation>
    </message>
    <message>
        <source>The training goes on that wrote the file: with its optimizer, its steps and its place in the data</source>
        <translation>接着写出该文件的训练：连同优化器、步数和数据中的位置</translation>
    </message>
    <message>
        <source>Epochs between two reports on weights and gradients, in runs that measure their layers, too; 0: none</source>
        <translation>两次权重与梯度报告之间的周期数，同时测量各层；0：都不做</translation>
    </message>
    <message>
        <source>Cells taken away: one number, planes, rows and columns, or before and after of each</source>
        <translation>去掉的单元：一个数，面、行、列各一个数，或每个轴的前后各一个数</translation>
    </message>
    <message>
        <source>How often planes, rows and columns are repeated</source>
        <translation>面、行和列重复的次数</translation>
    </message>
    <message>
        <source>Planes, rows and columns added at the end; empty: by the strides</source>
        <translation>在末尾添加的面、行和列；留空：由步长决定</translation>
    </message>
    <message>
        <source>Planes, rows and columns of the window</source>
        <translation>窗口的面、行和列</translation>
    </message>
    <message>
        <source>Share of the inputs that become selu&apos;s least value while training</source>
        <translation>训练时变为 selu 最小值的输入所占比例</translation>
    </message>
    <message>
        <source>Step of the window in planes, rows and columns</source>
        <translation>窗口在面、行、列方向上的步长</translation>
    </message>
    <message>
        <source>Steps added at the end; empty: by the strides</source>
        <translation>在末尾添加的步；留空：由步长决定</translation>
    </message>
    <message>
        <source>Times the sum of the sizes of all values, added to the loss</source>
        <translation>乘以所有值的绝对值之和，加到损失上</translation>
    </message>
    <message>
        <source>Times the sum of the squares of all values, added to the loss</source>
        <translation>乘以所有值的平方之和，加到损失上</translation>
    </message>
    <message>
        <source>Zeros added: one number, planes, rows and columns, or before and after of each</source>
        <translation>添加的零：一个数，面、行、列各一个数，或每个轴的前后各一个数</translation>
    </message>
    <message>
        <source>Near 0 as cross-entropy; near 1 wrong labels count less</source>
        <translation>接近 0 时如交叉熵；接近 1 时错误标签的影响更小</translation>
    </message>
    <message>
        <source>Neighbouring axes over which one loss is taken, 0 is the batch; without them all of a batch makes one</source>
        <translation>合成一个损失的相邻轴，0 为批次；留空则整个批次合成一个</translation>
    </message>
    <message>
        <source>Weight of what is true and not predicted</source>
        <translation>为真却未预测到的部分的权重</translation>
    </message>
    <message>
        <source>Weight of what is predicted and not true</source>
        <translation>预测了却不为真的部分的权重</translation>
    </message>
    <message>
        <source>How steeply distances count</source>
        <translation>距离影响的陡峭程度</translation>
    </message>
    <message>
        <source>Distance within which samples of one class are near enough</source>
        <translation>同类样本视为足够接近的距离</translation>
    </message>
    <message>
        <source>A sample makes no pair with itself</source>
        <translation>样本不与自身配对</translation>
    </message>
    <message>
        <source>What it has to be at least where the other is the best</source>
        <translation>另一指标取最优处，此值至少应达到的数</translation>
    </message>
    <message>
        <source>How many outputs from 0 to 1 are tried as the bound between the classes</source>
        <translation>从 0 到 1 试作类别分界的输出个数</translation>
    </message>
    <message>
        <source>The one class that counts; without it all do</source>
        <translation>只计这一类别；留空则全部计入</translation>
    </message>
    <message>
        <source>Classes whose mean it is</source>
        <translation>取平均的类别</translation>
    </message>
    <message>
        <source>How many classes there are</source>
        <translation>类别的数量</translation>
    </message>
    <message>
        <source>Label of what does not count</source>
        <translation>不计入者的标签</translation>
    </message>
    <message>
        <source>Labels are class indices, not rows with the largest at the class</source>
        <translation>标签是类别序号，而非以最大值表示类别的一行</translation>
    </message>
    <message>
        <source>Outputs are class indices, not rows with the largest at the class</source>
        <translation>输出是类别序号，而非以最大值表示类别的一行</translation>
    </message>
    <message>
        <source>How the outputs&apos; scores become one: all alike, or by how much their labels vary</source>
        <translation>各输出的得分如何合成一个：一视同仁，或按其标签的变化程度</translation>
    </message>
    <message>
        <source>Independent inputs, for the adjusted score; 0: the plain one</source>
        <translation>用于调整得分的独立输入数；0：普通得分</translation>
    </message>
    <message>
        <source>An output from it on counts as 1</source>
        <translation>不小于它的输出算作 1</translation>
    </message>
    <message>
        <source>Times the mean product of two vectors of length 1</source>
        <translation>乘以两个单位长度向量之积的平均值</translation>
    </message>
    <message>
        <source>The vectors that are pulled to right angles</source>
        <translation>被拉向直角的向量</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0</source>
        <translation>学习率从 0 升起的步数</translation>
    </message>
    <message>
        <source>The chain whose output the input is added to</source>
        <translation>其输出将与输入相加的层链</translation>
    </message>
    <message>
        <source>Layers that give the input the shape of the output; none: the input itself</source>
        <translation>使输入具有输出形状的层；没有则为输入本身</translation>
    </message>
    <message>
        <source>Each place looks at itself and those before it alone</source>
        <translation>每个位置只看自己和之前的位置</translation>
    </message>
    <message>
        <source>Number of heads, which look at the sequence side by side</source>
        <translation>并排观察序列的头的数量</translation>
    </message>
    <message>
        <source>Share of the attention that is dropped while training</source>
        <translation>训练时被丢弃的注意力比例</translation>
    </message>
    <message>
        <source>Size of a head&apos;s queries and keys</source>
        <translation>每个头的查询和键的大小</translation>
    </message>
    <message>
        <source>Size of a head&apos;s values; empty: as key_dim</source>
        <translation>每个头的值的大小；留空则与 key_dim 相同</translation>
    </message>
    <message>
        <source>Added to the squares of gradients</source>
        <translation>加到梯度平方上的数</translation>
    </message>
    <message>
        <source>Axes with a mean and a variance for each of their places; none: one of all values</source>
        <translation>各位置都有自己的均值和方差的轴；没有：所有值共用一个</translation>
    </message>
    <message>
        <source>Subtracted; empty, as the variance: taken from the training samples</source>
        <translation>要减去的值；与方差一同留空：从训练样本取得</translation>
    </message>
    <message>
        <source>Its root divides; empty, as the mean: taken from the training samples</source>
        <translation>以其平方根相除；与均值一同留空：从训练样本取得</translation>
    </message>
    <message>
        <source>A row with a one for each value; for all values of a sample, or how often each is there; or the number itself</source>
        <translation>每个值一行，其中一处为 1；样本的所有值共一行，或各值出现的次数；或编号本身</translation>
    </message>
    <message>
        <source>The most places that there may be</source>
        <translation>位置的最大数目</translation>
    </message>
    <message>
        <source>The value that becomes 0; empty: none</source>
        <translation>变为 0 的值；留空：没有</translation>
    </message>
    <message>
        <source>With invert: what stands for ids that the vocabulary lacks</source>
        <translation>反转时代表词表中没有的 id 的值</translation>
    </message>
    <message>
        <source>The way back: ids become values</source>
        <translation>反向：id 变为值</translation>
    </message>
    <message>
        <source>A row has as many values as there may be places</source>
        <translation>一行的长度等于位置的最大数目</translation>
    </message>
    <message>
        <source>The way back: times the root of the variance, plus the mean</source>
        <translation>反向：乘以方差的平方根，再加上均值</translation>
    </message>
    <message>
        <source>Axes by letters, as abc,cd-&gt;abd: input,kernel-&gt;output</source>
        <translation>用字母表示的轴，例如 abc,cd-&gt;abd：输入,核-&gt;输出</translation>
    </message>
    <message>
        <source>Keep a rate below the root of the steps; Keras does so either way</source>
        <translation>让学习率不高于步数平方根的倒数；Keras 无论如何都这样做</translation>
    </message>
    <message>
        <source>Letters of the output with an offset of their own; empty: none</source>
        <translation>有自己偏移量的输出字母；留空：没有</translation>
    </message>
    <message>
        <source>Planes, rows and columns of the result</source>
        <translation>结果的面、行和列</translation>
    </message>
    <message>
        <source>Power of the step that new squares of gradients count by</source>
        <translation>新梯度平方所占的比重：步数的这个幂</translation>
    </message>
    <message>
        <source>Regular expressions of paths of variables that Adam changes</source>
        <translation>由 Adam 更新的变量路径的正则表达式</translation>
    </message>
    <message>
        <source>Root mean square above which a step is made shorter</source>
        <translation>均方根超过此值时缩短更新量</translation>
    </message>
    <message>
        <source>Root mean square of a step&apos;s elements at a rate of 1; none: as they are</source>
        <translation>学习率为 1 时更新量各元素的均方根；留空则保持原样</translation>
    </message>
    <message>
        <source>Rows and columns of the result</source>
        <translation>结果的行数和列数</translation>
    </message>
    <message>
        <source>Share of the input&apos;s values that each gate does not see, the same at all times</source>
        <translation>每个门看不到的输入值比例，各时间步相同</translation>
    </message>
    <message>
        <source>Smallest scale of a variable&apos;s steps</source>
        <translation>变量更新尺度的下限</translation>
    </message>
    <message>
        <source>Sizes of the output&apos;s letters without the batch; -1: as the input</source>
        <translation>输出各字母的大小，不含批次；-1：与输入相同</translation>
    </message>
    <message>
        <source>Steps of the result</source>
        <translation>结果的时间步数</translation>
    </message>
    <message>
        <source>Let Adam change the variables with embedding in their path</source>
        <translation>路径中含 embedding 的变量由 Adam 更新</translation>
    </message>
    <message>
        <source>Weight decay of the variables that Adam changes</source>
        <translation>由 Adam 更新的变量的权重衰减</translation>
    </message>
    <message>
        <source>Adam&apos;s rate as a share of the rate</source>
        <translation>Adam 的学习率占学习率的比例</translation>
    </message>
    <message>
        <source>Coefficient of the polynomial that makes a step orthogonal</source>
        <translation>使更新量正交的多项式的系数</translation>
    </message>
    <message>
        <source>Times that the polynomial is applied</source>
        <translation>应用该多项式的次数</translation>
    </message>
    <message>
        <source>0: blurred, 0.5: as it is, 1: sharpened; f for 0 to f, or two numbers</source>
        <translation>0：模糊，0.5：保持不变，1：锐化；f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Places of the table, that of mask_value among them</source>
        <translation>表的位置数，包括 mask_value 的位置</translation>
    </message>
    <message>
        <source>One or two whole numbers, which give other places (SipHash); empty: FarmHash&apos;s</source>
        <translation>一个或两个整数，给出另外的位置（SipHash）；留空：FarmHash 的位置</translation>
    </message>
    <message>
        <source>The layer whose kernel training divides by its largest singular value</source>
        <translation>训练时其核除以最大奇异值的层</translation>
    </message>
    <message>
        <source>Rounds a step in which that value is come near to</source>
        <translation>每一步中逼近该值的轮数</translation>
    </message>
    <message>
        <source>Each time goes through them one after the other</source>
        <translation>每个时间步依次经过它们</translation>
    </message>
    <message>
        <source>How far cells are spread, in cells: f for 0 to f, or two numbers; drawn once a batch</source>
        <translation>每格扩散的远近（以格计）：f 表示 0 到 f，或两个数；每个批次抽取一次</translation>
    </message>
    <message>
        <source>Parts of the range that values are counted in</source>
        <translation>统计数值时把范围分成的份数</translation>
    </message>
    <message>
        <source>Rows and columns of the window, both odd</source>
        <translation>窗口的行数和列数，均为奇数</translation>
    </message>
    <message>
        <source>Share of the images that are blurred: f for 0 to f, or two numbers</source>
        <translation>被模糊的图像的比例：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>Samples of a frame</source>
        <translation>一帧的采样数</translation>
    </message>
    <message>
        <source>What is made of each frequency&apos;s complex number; psd: its power, stft: both its parts</source>
        <translation>由每个频率的复数得到什么；psd：功率，stft：实部和虚部都要</translation>
    </message>
    <message>
        <source>Samples from one frame to the next; empty: half a frame</source>
        <translation>从一帧到下一帧的采样数；留空：半帧</translation>
    </message>
    <message>
        <source>Samples of a Fourier transform; empty: the power of two that holds a frame</source>
        <translation>傅里叶变换的采样数；留空：能容纳一帧的 2 的幂</translation>
    </message>
    <message>
        <source>What the kernels begin with beside the waves: a weight for each sample of a frame</source>
        <translation>卷积核初值中除波形外的部分：帧内每个采样一个权重</translation>
    </message>
    <message>
        <source>The window would go on behind its end as it begins</source>
        <translation>窗在末尾之后会像开头那样继续（周期窗）</translation>
    </message>
    <message>
        <source>What the window is divided by: the root of the sum of its squares, or its sum</source>
        <translation>窗除以什么：平方和的平方根，或总和</translation>
    </message>
    <message>
        <source>Frequencies and channels have an axis each, as in an image</source>
        <translation>频率和通道各占一个轴，如同图像</translation>
    </message>
    <message>
        <source>Samples of a Fourier transform</source>
        <translation>傅里叶变换的采样数</translation>
    </message>
    <message>
        <source>Samples of the signal in a second</source>
        <translation>信号每秒的采样数</translation>
    </message>
    <message>
        <source>Samples that the window takes; empty: all of a Fourier transform</source>
        <translation>窗所取的采样数；留空：整个傅里叶变换</translation>
    </message>
    <message>
        <source>Where the last band ends, in hertz; empty: half the sampling rate</source>
        <translation>最后一个频带的终点（赫兹）；留空：采样率的一半</translation>
    </message>
    <message>
        <source>Samples from one frame to the next</source>
        <translation>从一帧到下一帧的采样数</translation>
    </message>
    <message>
        <source>What the samples of a frame are multiplied by</source>
        <translation>帧内采样乘以什么</translation>
    </message>
    <message>
        <source>Bands of the mel scale</source>
        <translation>梅尔刻度的频带数</translation>
    </message>
    <message>
        <source>Where the first band begins, in hertz</source>
        <translation>第一个频带的起点（赫兹）</translation>
    </message>
    <message>
        <source>Decibels in place of powers</source>
        <translation>用分贝代替功率</translation>
    </message>
    <message>
        <source>Decibels below a batch&apos;s largest value at which the others end</source>
        <translation>其余的值最多比批次中的最大值低多少分贝</translation>
    </message>
    <message>
        <source>Exponent of magnitudes; 2: powers</source>
        <translation>幅度的指数；2：功率</translation>
    </message>
    <message>
        <source>The least power that decibels are taken of</source>
        <translation>取分贝时的最小功率</translation>
    </message>
    <message>
        <source>The power that is 0 decibels</source>
        <translation>对应 0 分贝的功率</translation>
    </message>
    <message>
        <source>Chains of changes whose results are mixed</source>
        <translation>把结果混合起来的改变链的数目</translation>
    </message>
    <message>
        <source>Changes of a chain at most, each drawn for the whole batch</source>
        <translation>一条链中改变的最多数目，每个都为整个批次抽取</translation>
    </message>
    <message>
        <source>Changes one after the other, each drawn from eleven for the whole batch</source>
        <translation>依次进行的改变数，每个都为整个批次从十一种中抽取</translation>
    </message>
    <message>
        <source>Draw brightness, contrast, grayness and sharpness, too</source>
        <translation>也抽取亮度、对比度、灰度和锐度</translation>
    </message>
    <message>
        <source>How evenly chains and the image are mixed; below 1 one of them outweighs the rest</source>
        <translation>各链与图像混合得有多均匀；小于 1 时其中之一占优势</translation>
    </message>
    <message>
        <source>Strength of what is drawn: f for 0 to f, or two numbers</source>
        <translation>所抽改变的强度：f 表示 0 到 f，或两个数</translation>
    </message>
    <message>
        <source>A row with a one for each value; for all values of a sample, how often each is there, or that times a weight; or the number itself</source>
        <translation>每个值一行，其中一处为 1；或一个样本的所有值各出现几次，或再乘以权重；或编号本身</translation>
    </message>
    <message>
        <source>Rising numbers: a value becomes the number of those that are not above it; empty: from the training samples</source>
        <translation>递增的数：值变为不大于它的数的个数；留空：取自训练样本</translation>
    </message>
    <message>
        <source>Without boundaries: so many buckets, each with about as many values of the training samples</source>
        <translation>没有边界时的区间数，每个区间含有大致同样多的训练样本值</translation>
    </message>
    <message>
        <source>With num_bins: the error that boundaries may have, as a share of all values</source>
        <translation>与 num_bins 一起：边界允许的误差，占全部值的比例</translation>
    </message>
    <message>
        <source>Places of values that the vocabulary lacks; 0: such a value is an error</source>
        <translation>词表中没有的值的位置数；0：遇到这样的值即出错</translation>
    </message>
    <message>
        <source>The most places that there may be; the most frequent words have them</source>
        <translation>位置的最大数目；由最常见的词占据</translation>
    </message>
    <message>
        <source>The texts in the order of their places; empty: taken from the training texts, the most frequent first</source>
        <translation>按位置顺序排列的文本；留空：取自训练文本，最常见的在前</translation>
    </message>
    <message>
        <source>With tf_idf and a vocabulary: what the count of each text is multiplied by</source>
        <translation>有 tf_idf 和词表时：每个文本的次数所乘的数</translation>
    </message>
    <message>
        <source>Letters from A to Z become small, the punctuation of ASCII goes</source>
        <translation>A 到 Z 的字母变为小写，ASCII 标点被去掉</translation>
    </message>
    <message>
        <source>What a text is cut into; none: it stays whole</source>
        <translation>文本切分成什么；none：保持完整</translation>
    </message>
    <message>
        <source>How many words go together, each number in turn, as 1, 2; empty: each alone</source>
        <translation>多少个词连在一起，依次写出，如 1, 2；留空：各自单独</translation>
    </message>
    <message>
        <source>The places of the words; or a row: which are there, how often, and that weighed by how rare they are</source>
        <translation>各词的位置；或者一行：有哪些词、各出现几次，以及再按稀有程度加权</translation>
    </message>
    <message>
        <source>With int: words of a text; shorter ones get zeros behind, of longer ones the first are kept</source>
        <translation>为 int 时：文本的词数；较短的在后面补零，较长的保留前面的</translation>
    </message>
    <message>
        <source>Places of texts that the vocabulary lacks, shared by their hash; 0: such a text is an error</source>
        <translation>词表中没有的文本的位置数，按其哈希分配；0：这样的文本是错误</translation>
    </message>
    <message>
        <source>The text that becomes 0, or is left out of rows</source>
        <translation>变为 0 或不计入行的文本</translation>
    </message>
    <message>
        <source>What stands for them in a vocabulary; training texts of that name are not counted</source>
        <translation>在词表中代表它们的文本；训练文本中与之相同的不计</translation>
    </message>
    <message>
        <source>The place of the text, or a row with a one there; tf_idf weighs it by how rare it is</source>
        <translation>文本的位置，或在该处为 1 的一行；tf_idf 按稀有程度加权</translation>
    </message>
    <message>
        <source>The values in the order of their places; empty: those of the training samples, the most frequent first</source>
        <translation>按位置排列的值；留空：训练样本中的值，最常见的在前</translation>
    </message>
    <message>
        <source>With tf_idf: a weight for each value of the vocabulary; empty without one: from the training samples</source>
        <translation>与 tf_idf 一起：词表中每个值的权重；没有词表且留空：取自训练样本</translation>
    </message>
    <message>
        <source>How values that the vocabulary lacks share their places: by what is left of a division, or by a hash</source>
        <translation>词表中没有的值如何分配位置：按除法余数，或按哈希</translation>
    </message>
    <message>
        <source>With farmhash: one or two whole numbers, which give other places (SipHash); empty: FarmHash&apos;s</source>
        <translation>与 farmhash 一起：一个或两个整数，给出不同的位置（SipHash）；留空：FarmHash</translation>
    </message>
    <message>
        <source>How far and how smoothly cells move: f for 0 to f, or two numbers; drawn once a batch</source>
        <translation>每格移动多远、多平滑：f 表示 0 到 f，或两个数；每个批次抽取一次</translation>
    </message>
    <message>
        <source>Bound of the pixels that one value of a tile counts, in multiples of their mean; 0: none</source>
        <translation>图块中一个值所计像素数的上限，以平均数的倍数计；0：无</translation>
    </message>
    <message>
        <source>Bound of what the way back gives, which no chain takes; empty: none</source>
        <translation>层链不走的反向之路的结果的界限；留空：无</translation>
    </message>
    <message>
        <source>Numbers of the way back, which no chain takes; empty: those of the layer</source>
        <translation>层链不走的反向之路所用的数；留空：与该层相同</translation>
    </message>
    <message>
        <source>The way back, which no chain takes, has the table turned; off: weights of its own, never trained</source>
        <translation>层链不走的反向之路使用转置的表；关闭时有自己的权重，从不训练</translation>
    </message>
    <message>
        <source>Tiles from top to bottom and from left to right</source>
        <translation>从上到下、从左到右的图块数</translation>
    </message>
    <message>
        <source>Shares of two samples come from Beta(alpha, alpha): small for little mixing, 1 for any share alike</source>
        <translation>两个样本的份额取自 Beta(alpha, alpha)：值小则混合少，为 1 时任何份额的可能性相同</translation>
    </message>
    <message>
        <source>Alpha of a batch&apos;s shares, drawn from 0 to f, or between two numbers: larger for boxes of all sizes</source>
        <translation>一批的份额所用的 alpha，从 0 到 f 或在两个数之间抽取：越大，方框的大小越多样</translation>
    </message>
    <message>
        <source>Axes that are taken together</source>
        <translation>合在一起的轴</translation>
    </message>
    <message>
        <source>Where the channels lie: behind the other axes or in front of them</source>
        <translation>通道的位置：在其他轴之后或之前</translation>
    </message>
</context>
<context>
    <name>FieldLabels</name>
    <message>
        <source>Filters</source>
        <translation>滤波器</translation>
    </message>
    <message>
        <source>Kernel size</source>
        <translation>卷积核大小</translation>
    </message>
    <message>
        <source>Strides</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Dilation rate</source>
        <translation>膨胀率</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Use bias</source>
        <translation>使用偏置</translation>
    </message>
    <message>
        <source>Kernel initializer</source>
        <translation>核初始化器</translation>
    </message>
    <message>
        <source>Bias initializer</source>
        <translation>偏置初始化器</translation>
    </message>
    <message>
        <source>Pool size</source>
        <translation>池化大小</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元数</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>比率</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>From logits</source>
        <translation>输入为 logits</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>unknown layer</source>
        <translation>未知的层</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>no settings</source>
        <translation>无设置</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Steps per epoch</source>
        <translation>每周期步数</translation>
    </message>
    <message>
        <source>Validation freq</source>
        <translation>验证间隔</translation>
    </message>
    <message>
        <source>Validation steps</source>
        <translation>验证步数</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>日志间隔</translation>
    </message>
    <message>
        <source>Histogram freq</source>
        <translation>直方图间隔</translation>
    </message>
    <message>
        <source>Activity constraint</source>
        <translation>激活约束</translation>
    </message>
    <message>
        <source>Activity initializer</source>
        <translation>激活初始化器</translation>
    </message>
    <message>
        <source>Activity regularizer</source>
        <translation>激活正则化器</translation>
    </message>
    <message>
        <source>Addition factor</source>
        <translation>加数系数</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Alpha constraint</source>
        <translation>Alpha 约束</translation>
    </message>
    <message>
        <source>Alpha initializer</source>
        <translation>Alpha 初始化器</translation>
    </message>
    <message>
        <source>Alpha regularizer</source>
        <translation>Alpha 正则化器</translation>
    </message>
    <message>
        <source>Amsgrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>Antialias</source>
        <translation>抗锯齿</translation>
    </message>
    <message>
        <source>Apply class balancing</source>
        <translation>类别平衡</translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>Backward layer</source>
        <translation>反向层</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Beta constraint</source>
        <translation>Beta 约束</translation>
    </message>
    <message>
        <source>Beta initializer</source>
        <translation>Beta 初始化器</translation>
    </message>
    <message>
        <source>Beta regularizer</source>
        <translation>Beta 正则化器</translation>
    </message>
    <message>
        <source>Bias constraint</source>
        <translation>偏置约束</translation>
    </message>
    <message>
        <source>Bias regularizer</source>
        <translation>偏置正则化器</translation>
    </message>
    <message>
        <source>Boundaries</source>
        <translation>边界</translation>
    </message>
    <message>
        <source>Brightness factor</source>
        <translation>亮度系数</translation>
    </message>
    <message>
        <source>Bytes per pack</source>
        <translation>每包字节数</translation>
    </message>
    <message>
        <source>Center</source>
        <translation>中心偏移</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>中心化</translation>
    </message>
    <message>
        <source>Clipnorm</source>
        <translation>范数裁剪</translation>
    </message>
    <message>
        <source>Clipvalue</source>
        <translation>值裁剪</translation>
    </message>
    <message>
        <source>Contrast factor</source>
        <translation>对比度系数</translation>
    </message>
    <message>
        <source>Cropping</source>
        <translation>裁剪</translation>
    </message>
    <message>
        <source>Crop to aspect ratio</source>
        <translation>按宽高比裁剪</translation>
    </message>
    <message>
        <source>Cross device ops</source>
        <translation>跨设备操作</translation>
    </message>
    <message>
        <source>Cycle</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Decay rate</source>
        <translation>衰减率</translation>
    </message>
    <message>
        <source>Decay steps</source>
        <translation>衰减步数</translation>
    </message>
    <message>
        <source>Delta</source>
        <translation>Delta</translation>
    </message>
    <message>
        <source>Depth multiplier</source>
        <translation>深度乘数</translation>
    </message>
    <message>
        <source>Depthwise constraint</source>
        <translation>逐通道约束</translation>
    </message>
    <message>
        <source>Depthwise initializer</source>
        <translation>逐通道初始化器</translation>
    </message>
    <message>
        <source>Depthwise regularizer</source>
        <translation>逐通道正则化器</translation>
    </message>
    <message>
        <source>Dims</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Dynamic growth steps</source>
        <translation>动态增长步数</translation>
    </message>
    <message>
        <source>Ema momentum</source>
        <translation>EMA 动量</translation>
    </message>
    <message>
        <source>Ema overwrite frequency</source>
        <translation>EMA 覆盖间隔</translation>
    </message>
    <message>
        <source>Embeddings constraint</source>
        <translation>嵌入约束</translation>
    </message>
    <message>
        <source>Embeddings initializer</source>
        <translation>嵌入初始化器</translation>
    </message>
    <message>
        <source>Embeddings regularizer</source>
        <translation>嵌入正则化器</translation>
    </message>
    <message>
        <source>End learning rate</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>Fill mode</source>
        <translation>填充方式</translation>
    </message>
    <message>
        <source>Fill value</source>
        <translation>填充值</translation>
    </message>
    <message>
        <source>First decay steps</source>
        <translation>首次衰减步数</translation>
    </message>
    <message>
        <source>Gamma</source>
        <translation>Gamma</translation>
    </message>
    <message>
        <source>Gamma constraint</source>
        <translation>Gamma 约束</translation>
    </message>
    <message>
        <source>Gamma initializer</source>
        <translation>Gamma 初始化器</translation>
    </message>
    <message>
        <source>Gamma regularizer</source>
        <translation>Gamma 正则化器</translation>
    </message>
    <message>
        <source>Global clipnorm</source>
        <translation>全局范数裁剪</translation>
    </message>
    <message>
        <source>Go backwards</source>
        <translation>反向处理</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Gradient accumulation steps</source>
        <translation>梯度累积步数</translation>
    </message>
    <message>
        <source>Height factor</source>
        <translation>高度系数</translation>
    </message>
    <message>
        <source>Hue factor</source>
        <translation>色相系数</translation>
    </message>
    <message>
        <source>Ignore class</source>
        <translation>忽略的类别</translation>
    </message>
    <message>
        <source>Initial accumulator value</source>
        <translation>累加器初始值</translation>
    </message>
    <message>
        <source>Initial learning rate</source>
        <translation>初始学习率</translation>
    </message>
    <message>
        <source>Initial scale</source>
        <translation>初始缩放</translation>
    </message>
    <message>
        <source>Input dim</source>
        <translation>输入维度</translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation>插值</translation>
    </message>
    <message>
        <source>Keepdims</source>
        <translation>保留维度</translation>
    </message>
    <message>
        <source>Kernel constraint</source>
        <translation>核约束</translation>
    </message>
    <message>
        <source>Kernel regularizer</source>
        <translation>核正则化器</translation>
    </message>
    <message>
        <source>L1 regularization strength</source>
        <translation>L1 正则化强度</translation>
    </message>
    <message>
        <source>L2 regularization strength</source>
        <translation>L2 正则化强度</translation>
    </message>
    <message>
        <source>L2 shrinkage regularization strength</source>
        <translation>L2 收缩正则化强度</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Learning rate power</source>
        <translation>学习率幂</translation>
    </message>
    <message>
        <source>Log device placement</source>
        <translation>记录设备分配</translation>
    </message>
    <message>
        <source>Logical CPUs</source>
        <translation>逻辑 CPU</translation>
    </message>
    <message>
        <source>Logical GPUs</source>
        <translation>逻辑 GPU</translation>
    </message>
    <message>
        <source>Loss scale factor</source>
        <translation>损失缩放系数</translation>
    </message>
    <message>
        <source>M mul</source>
        <translation>M 乘数</translation>
    </message>
    <message>
        <source>Mask value</source>
        <translation>掩码值</translation>
    </message>
    <message>
        <source>Mask zero</source>
        <translation>屏蔽 0</translation>
    </message>
    <message>
        <source>Max value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Merge mode</source>
        <translation>合并方式</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Append</source>
        <translation>追加</translation>
    </message>
    <message>
        <source>Backup dir</source>
        <translation>备份文件夹</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基准值</translation>
    </message>
    <message>
        <source>Cooldown</source>
        <translation>冷却周期数</translation>
    </message>
    <message>
        <source>Delete checkpoint</source>
        <translation>删除备份</translation>
    </message>
    <message>
        <source>Double checkpoint</source>
        <translation>保留上一个备份</translation>
    </message>
    <message>
        <source>Embeddings freq</source>
        <translation>嵌入间隔</translation>
    </message>
    <message>
        <source>Filename</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>Filepath</source>
        <translation>文件路径</translation>
    </message>
    <message>
        <source>Initial value threshold</source>
        <translation>初始阈值</translation>
    </message>
    <message>
        <source>Log dir</source>
        <translation>日志文件夹</translation>
    </message>
    <message>
        <source>Min delta</source>
        <translation>最小变化</translation>
    </message>
    <message>
        <source>Min lr</source>
        <translation>最小学习率</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监测值</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>耐心周期数</translation>
    </message>
    <message>
        <source>Profile batch</source>
        <translation>分析批次</translation>
    </message>
    <message>
        <source>Raise error</source>
        <translation>抛出错误</translation>
    </message>
    <message>
        <source>Rates</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Restore best weights</source>
        <translation>恢复最佳权重</translation>
    </message>
    <message>
        <source>Save best only</source>
        <translation>仅保存最佳</translation>
    </message>
    <message>
        <source>Save freq</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>Save weights only</source>
        <translation>仅保存权重</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>Start from epoch</source>
        <translation>起始周期</translation>
    </message>
    <message>
        <source>Update freq</source>
        <translation>更新间隔</translation>
    </message>
    <message>
        <source>Verbose</source>
        <translation>详细输出</translation>
    </message>
    <message>
        <source>Write graph</source>
        <translation>写入图</translation>
    </message>
    <message>
        <source>X factor</source>
        <translation>X 系数</translation>
    </message>
    <message>
        <source>Y factor</source>
        <translation>Y 系数</translation>
    </message>
    <message>
        <source>Write images</source>
        <translation>写入图片</translation>
    </message>
    <message>
        <source>Write steps per second</source>
        <translation>写入每秒步数</translation>
    </message>
    <message>
        <source>Moving mean initializer</source>
        <translation>移动均值初始化器</translation>
    </message>
    <message>
        <source>Moving variance initializer</source>
        <translation>移动方差初始化器</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>Negative slope</source>
        <translation>负斜率</translation>
    </message>
    <message>
        <source>Noise shape</source>
        <translation>噪声形状</translation>
    </message>
    <message>
        <source>Num packs</source>
        <translation>包数</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>Op determinism</source>
        <translation>算子确定性</translation>
    </message>
    <message>
        <source>Output dim</source>
        <translation>输出维度</translation>
    </message>
    <message>
        <source>Output padding</source>
        <translation>输出填充</translation>
    </message>
    <message>
        <source>Pad to aspect ratio</source>
        <translation>按宽高比填充</translation>
    </message>
    <message>
        <source>Pointwise constraint</source>
        <translation>逐点约束</translation>
    </message>
    <message>
        <source>Pointwise initializer</source>
        <translation>逐点初始化器</translation>
    </message>
    <message>
        <source>Pointwise regularizer</source>
        <translation>逐点正则化器</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>幂</translation>
    </message>
    <message>
        <source>Recurrent activation</source>
        <translation>循环激活</translation>
    </message>
    <message>
        <source>Recurrent constraint</source>
        <translation>循环约束</translation>
    </message>
    <message>
        <source>Recurrent dropout</source>
        <translation>循环 Dropout</translation>
    </message>
    <message>
        <source>Recurrent initializer</source>
        <translation>循环初始化器</translation>
    </message>
    <message>
        <source>Recurrent regularizer</source>
        <translation>循环正则化器</translation>
    </message>
    <message>
        <source>Reduce to device</source>
        <translation>归约设备</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>归约方式</translation>
    </message>
    <message>
        <source>Reset after</source>
        <translation>乘后重置</translation>
    </message>
    <message>
        <source>Return sequences</source>
        <translation>返回序列</translation>
    </message>
    <message>
        <source>Return state</source>
        <translation>返回状态</translation>
    </message>
    <message>
        <source>Rho</source>
        <translation>Rho</translation>
    </message>
    <message>
        <source>Rms scaling</source>
        <translation>RMS 缩放</translation>
    </message>
    <message>
        <source>Saturation factor</source>
        <translation>饱和度系数</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Shared axes</source>
        <translation>共享轴</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Staircase</source>
        <translation>阶梯式</translation>
    </message>
    <message>
        <source>Start timeout, s</source>
        <translation>启动超时（秒）</translation>
    </message>
    <message>
        <source>On task lost</source>
        <translation>任务失联时</translation>
    </message>
    <message>
        <source>Max restarts</source>
        <translation>最多重启次数</translation>
    </message>
    <message>
        <source>Heartbeat fatal, s</source>
        <translation>无响应时限（秒）</translation>
    </message>
    <message>
        <source>Stateful</source>
        <translation>保留状态</translation>
    </message>
    <message>
        <source>Stddev</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Synchronized</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>T mul</source>
        <translation>T 乘数</translation>
    </message>
    <message>
        <source>Target shape</source>
        <translation>目标形状</translation>
    </message>
    <message>
        <source>Tensor float 32 execution</source>
        <translation>TensorFloat-32 执行</translation>
    </message>
    <message>
        <source>Threads per task</source>
        <translation>每任务线程数</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Threshold factor</source>
        <translation>阈值系数</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>Unit forget bias</source>
        <translation>遗忘门偏置为 1</translation>
    </message>
    <message>
        <source>Unroll</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Use cudnn</source>
        <translation>使用 cuDNN</translation>
    </message>
    <message>
        <source>Use ema</source>
        <translation>使用 EMA</translation>
    </message>
    <message>
        <source>Value range</source>
        <translation>取值范围</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Warmup steps</source>
        <translation>预热步数</translation>
    </message>
    <message>
        <source>Warmup target</source>
        <translation>预热目标</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Width factor</source>
        <translation>宽度系数</translation>
    </message>
    <message>
        <source>Zero output for mask</source>
        <translation>掩码处输出 0</translation>
    </message>
    <message>
        <source>Swap on epoch</source>
        <translation>周期末交换</translation>
    </message>
    <message>
        <source>Max steps</source>
        <translation>最大步数</translation>
    </message>
    <message>
        <source>Variable partitioner</source>
        <translation>变量分区器</translation>
    </message>
    <message>
        <source>Max staleness</source>
        <translation>最大陈旧度</translation>
    </message>
    <message>
        <source>Num shards</source>
        <translation>分片数</translation>
    </message>
    <message>
        <source>Min shard bytes</source>
        <translation>最小分片字节</translation>
    </message>
    <message>
        <source>Max shard bytes</source>
        <translation>最大分片字节</translation>
    </message>
    <message>
        <source>Max shards</source>
        <translation>最大分片数</translation>
    </message>
    <message>
        <source>Bytes per string</source>
        <translation>每个字符串的字节</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Start delay secs</source>
        <translation>启动延迟（秒）</translation>
    </message>
    <message>
        <source>Throttle secs</source>
        <translation>评估间隔（秒）</translation>
    </message>
    <message>
        <source>Save checkpoints steps</source>
        <translation>检查点间隔（步）</translation>
    </message>
    <message>
        <source>Save checkpoints secs</source>
        <translation>检查点间隔（秒）</translation>
    </message>
    <message>
        <source>Keep checkpoint max</source>
        <translation>保留检查点数</translation>
    </message>
    <message>
        <source>Log step count steps</source>
        <translation>日志间隔（步）</translation>
    </message>
    <message>
        <source>Save summary steps</source>
        <translation>摘要间隔（步）</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Input repeats</source>
        <translation>输入重复</translation>
    </message>
    <message>
        <source>Final exporter</source>
        <translation>最终导出器</translation>
    </message>
    <message>
        <source>Latest exporter</source>
        <translation>最新导出器</translation>
    </message>
    <message>
        <source>Best exporter</source>
        <translation>最佳导出器</translation>
    </message>
    <message>
        <source>Experimental max worker delay secs</source>
        <translation>实验性最大工作器延迟（秒）</translation>
    </message>
    <message>
        <source>TPU</source>
        <translation>TPU</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>可用区</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Job name</source>
        <translation>作业名</translation>
    </message>
    <message>
        <source>Coordinator name</source>
        <translation>协调器名称</translation>
    </message>
    <message>
        <source>Coordinator address</source>
        <translation>协调器地址</translation>
    </message>
    <message>
        <source>Home lost, s</source>
        <translation>主端离开时限（秒）</translation>
    </message>
    <message>
        <source>Scale learning rate</source>
        <translation>缩放学习率</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Vocabulary list</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Num oov buckets</source>
        <translation>词表外位置数</translation>
    </message>
    <message>
        <source>Num buckets</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>Hash bucket size</source>
        <translation>哈希位置数</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>初始权重</translation>
    </message>
    <message>
        <source>Initial state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>Q</source>
        <translation>Q</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>Remove diagonal</source>
        <translation>去除对角线</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>召回率</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精确率</translation>
    </message>
    <message>
        <source>Specificity</source>
        <translation>特异度</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>灵敏度</translation>
    </message>
    <message>
        <source>Class id</source>
        <translation>类别序号</translation>
    </message>
    <message>
        <source>Target class ids</source>
        <translation>目标类别序号</translation>
    </message>
    <message>
        <source>Num classes</source>
        <translation>类别数</translation>
    </message>
    <message>
        <source>Sparse y true</source>
        <translation>标签为序号</translation>
    </message>
    <message>
        <source>Sparse y pred</source>
        <translation>输出为序号</translation>
    </message>
    <message>
        <source>Class aggregation</source>
        <translation>类别合并</translation>
    </message>
    <message>
        <source>Num regressors</source>
        <translation>自变量数</translation>
    </message>
    <message>
        <source>Num thresholds</source>
        <translation>阈值数</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>捷径连接</translation>
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
        <translation>键维度</translation>
    </message>
    <message>
        <source>Num heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Use causal mask</source>
        <translation>使用因果掩码</translation>
    </message>
    <message>
        <source>Value dim</source>
        <translation>值维度</translation>
    </message>
    <message>
        <source>Bias axes</source>
        <translation>偏置的轴</translation>
    </message>
    <message>
        <source>Equation</source>
        <translation>算式</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>Invert</source>
        <translation>反转</translation>
    </message>
    <message>
        <source>Num tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Output mode</source>
        <translation>输出方式</translation>
    </message>
    <message>
        <source>Sparse</source>
        <translation>稀疏</translation>
    </message>
    <message>
        <source>Bin boundaries</source>
        <translation>区间边界</translation>
    </message>
    <message>
        <source>Max tokens</source>
        <translation>最大词元数</translation>
    </message>
    <message>
        <source>Num oov indices</source>
        <translation>词表外位置数</translation>
    </message>
    <message>
        <source>Mask token</source>
        <translation>掩码词元</translation>
    </message>
    <message>
        <source>Oov token</source>
        <translation>词表外词元</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Vocabulary dtype</source>
        <translation>词表的数据类型</translation>
    </message>
    <message>
        <source>Pad to max tokens</source>
        <translation>填充到最大词元数</translation>
    </message>
    <message>
        <source>Oov method</source>
        <translation>词表外方法</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>输出形状</translation>
    </message>
    <message>
        <source>Output size</source>
        <translation>输出大小</translation>
    </message>
    <message>
        <source>Adam beta 1</source>
        <translation>Adam beta 1</translation>
    </message>
    <message>
        <source>Adam beta 2</source>
        <translation>Adam beta 2</translation>
    </message>
    <message>
        <source>Adam lr ratio</source>
        <translation>Adam 学习率比例</translation>
    </message>
    <message>
        <source>Adam weight decay</source>
        <translation>Adam 权重衰减</translation>
    </message>
    <message>
        <source>Beta 2 decay</source>
        <translation>Beta 2 衰减</translation>
    </message>
    <message>
        <source>Clip threshold</source>
        <translation>裁剪阈值</translation>
    </message>
    <message>
        <source>Epsilon 1</source>
        <translation>Epsilon 1</translation>
    </message>
    <message>
        <source>Epsilon 2</source>
        <translation>Epsilon 2</translation>
    </message>
    <message>
        <source>Exclude embeddings</source>
        <translation>排除嵌入</translation>
    </message>
    <message>
        <source>Exclude layers</source>
        <translation>排除的层</translation>
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
        <translation>NS 迭代次数</translation>
    </message>
    <message>
        <source>Relative step</source>
        <translation>相对步长</translation>
    </message>
    <message>
        <source>Rms rate</source>
        <translation>RMS 比例</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>Num bins</source>
        <translation>桶数</translation>
    </message>
    <message>
        <source>Salt</source>
        <translation>盐值</translation>
    </message>
    <message>
        <source>Power iterations</source>
        <translation>幂迭代次数</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>分箱数</translation>
    </message>
    <message>
        <source>Sigma</source>
        <translation>标准差 σ</translation>
    </message>
    <message>
        <source>Frame length</source>
        <translation>帧长</translation>
    </message>
    <message>
        <source>Frame step</source>
        <translation>帧移</translation>
    </message>
    <message>
        <source>Fft length</source>
        <translation>FFT 长度</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗</translation>
    </message>
    <message>
        <source>Periodic</source>
        <translation>周期性</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Expand dims</source>
        <translation>扩展维度</translation>
    </message>
    <message>
        <source>Sequence stride</source>
        <translation>序列步长</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Sampling rate</source>
        <translation>采样率</translation>
    </message>
    <message>
        <source>Num mel bins</source>
        <translation>梅尔频带数</translation>
    </message>
    <message>
        <source>Min freq</source>
        <translation>最低频率</translation>
    </message>
    <message>
        <source>Max freq</source>
        <translation>最高频率</translation>
    </message>
    <message>
        <source>Power to db</source>
        <translation>转换为分贝</translation>
    </message>
    <message>
        <source>Top db</source>
        <translation>分贝范围</translation>
    </message>
    <message>
        <source>Mag exp</source>
        <translation>幅度指数</translation>
    </message>
    <message>
        <source>Min power</source>
        <translation>最小功率</translation>
    </message>
    <message>
        <source>Ref power</source>
        <translation>参考功率</translation>
    </message>
    <message>
        <source>All ops</source>
        <translation>全部操作</translation>
    </message>
    <message>
        <source>Chain depth</source>
        <translation>链深度</translation>
    </message>
    <message>
        <source>Num chains</source>
        <translation>链数</translation>
    </message>
    <message>
        <source>Num ops</source>
        <translation>操作数</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Tie weights</source>
        <translation>共享权重</translation>
    </message>
    <message>
        <source>Reverse dtype</source>
        <translation>反向数据类型</translation>
    </message>
    <message>
        <source>Logit soft cap</source>
        <translation>logit 软上限</translation>
    </message>
    <message>
        <source>Idf weights</source>
        <translation>IDF 权重</translation>
    </message>
    <message>
        <source>Clip limit</source>
        <translation>裁剪上限</translation>
    </message>
    <message>
        <source>Tile grid size</source>
        <translation>图块网格大小</translation>
    </message>
    <message>
        <source>Standardize</source>
        <translation>规范化</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Ngrams</source>
        <translation>N 元组</translation>
    </message>
    <message>
        <source>Output sequence length</source>
        <translation>输出长度</translation>
    </message>
    <message>
        <source>Ragged</source>
        <translation>不规则</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放</translation>
    </message>
    <message>
        <source>Input shape</source>
        <translation>输入形状</translation>
    </message>
    <message>
        <source>Input dtype</source>
        <translation>输入数据类型</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>回调</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%2 %1</translation>
    </message>
    <message>
        <source>Data format</source>
        <translation>数据格式</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Choose a field</source>
        <translation>请选择字段</translation>
    </message>
    <message>
        <source>%1: values with commas between them, each once</source>
        <translation>%1：用逗号分隔的值，每个一次</translation>
    </message>
    <message>
        <source>%1: from one number to another, such as 1e-4</source>
        <translation>%1：从一个数到另一个数，例如 1e-4</translation>
    </message>
    <message>
        <source>%1: from a lower number to a higher one</source>
        <translation>%1：从较小的数到较大的数</translation>
    </message>
    <message>
        <source>%1: a logarithmic range is above 0</source>
        <translation>%1：对数范围须大于 0</translation>
    </message>
    <message>
        <source>%1: from one integer to another</source>
        <translation>%1：从一个整数到另一个整数</translation>
    </message>
    <message>
        <source>%1: this is no field and its values</source>
        <translation>%1：这不是字段及其取值</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Logarithmic range</source>
        <translation>对数范围</translation>
    </message>
    <message>
        <source>Integers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>Integers, logarithmic</source>
        <translation>整数，对数</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>points</source>
        <translation>取值个数</translation>
    </message>
    <message>
        <source>Field of the project</source>
        <translation>项目的字段</translation>
    </message>
    <message>
        <source>Kind of values</source>
        <translation>取值的种类</translation>
    </message>
    <message>
        <source>Values, with commas between them</source>
        <translation>用逗号分隔的值</translation>
    </message>
    <message>
        <source>Lowest value</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Highest value</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Values of the range in a grid</source>
        <translation>网格中该范围取值的个数</translation>
    </message>
    <message>
        <source>How many values of the range a grid has; drawn configurations have any of it</source>
        <translation>网格在该范围内取多少个值；随机抽取的配置可取其中任意值</translation>
    </message>
    <message>
        <source>Remove the field</source>
        <translation>移除该字段</translation>
    </message>
</context>
<context>
    <name>FileTexts</name>
    <message>
        <source>%1 (data.on_error=skip goes on without it)</source>
        <translation>%1（data.on_error=skip 可跳过它继续）</translation>
    </message>
    <message>
        <source>%1: expected at least one %2, got none (skipped: %3; the first: %4)</source>
        <translation>%1：至少应有一个%2，现没有（已跳过：%3；第一个：%4）</translation>
    </message>
    <message>
        <source>%1: expected at least one %2, got none</source>
        <translation>%1：至少应有一个%2，现没有</translation>
    </message>
    <message>
        <source>line of samples</source>
        <translation>样本行</translation>
    </message>
    <message>
        <source>line &quot;label&lt;TAB&gt;text&quot;</source>
        <translation>&quot;label&lt;TAB&gt;text&quot; 行</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, the loss expects 0 to 1</source>
        <translation>%1：样本 %3 的标签 %2 超出范围，损失需要 0 到 1</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is no class index, the loss expects whole numbers from 0 (uint8 or int32)</source>
        <translation>%1：样本 %3 的标签 %2 不是类别序号，损失需要从 0 起的整数（uint8 或 int32）</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, expected 0 to %4 (data.one_hot is %5)</source>
        <translation>%1：样本 %3 的标签 %2 超出范围，应为 0 到 %4（data.one_hot 为 %5）</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is out of range, expected 0 to %4 (the model has %5 outputs)</source>
        <translation>%1：样本 %3 的标签 %2 超出范围，应为 0 到 %4（模型有 %5 个输出）</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects class indices (uint8 or int32)</source>
        <translation>%1：标签是形状为 %3 的 %2，损失需要类别序号（uint8 或 int32）</translation>
    </message>
    <message>
        <source>%1: data.one_hot expects one class index a sample (uint8 or int32), its labels are %2 of shape %3</source>
        <translation>%1：data.one_hot 需要每个样本一个类别序号（uint8 或 int32），而标签是形状为 %3 的 %2</translation>
    </message>
    <message>
        <source>%1: data.one_hot makes its labels rows of %2, the loss expects class indices</source>
        <translation>%1：data.one_hot 使标签成为 %2 个数的行，而损失需要类别序号</translation>
    </message>
    <message>
        <source>%1: data.one_hot makes its labels rows of %2, the loss expects the shape %3</source>
        <translation>%1：data.one_hot 使标签成为 %2 个数的行，而损失需要形状 %3</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects the shape %4 (data.one_hot=%5 makes it of class indices)</source>
        <translation>%1：标签是形状为 %3 的 %2，损失需要形状 %4（data.one_hot=%5 可由类别序号得到）</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects the shape %4</source>
        <translation>%1：标签是形状为 %3 的 %2，损失需要形状 %4</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3 (%4 and %5 make them so)</source>
        <translation>%1：样本的形状为 %2，模型的输入需要 %3（由 %4 和 %5 决定）</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3 (%4 makes them so)</source>
        <translation>%1：样本的形状为 %2，模型的输入需要 %3（由 %4 决定）</translation>
    </message>
    <message>
        <source>%1: its samples have the shape %2, the model&apos;s input expects %3</source>
        <translation>%1：样本的形状为 %2，模型的输入需要 %3</translation>
    </message>
    <message>
        <source>%1: data.one_hot of %2 classes for %3 samples needs more than 16 GiB; use a sparse loss</source>
        <translation>%1：%3 个样本用 %2 个类别的 data.one_hot 需要超过 16 GiB；请使用稀疏损失</translation>
    </message>
    <message>
        <source>%1: sample %2 has %3 as number %4</source>
        <translation>%1：样本 %2 的第 %4 个数为 %3</translation>
    </message>
    <message>
        <source>%1: the label of sample %2 has %3 as number %4</source>
        <translation>%1：样本 %2 的标签的第 %4 个数为 %3</translation>
    </message>
    <message>
        <source>%1 has %2 images, but %3 has %4 labels; expected as many</source>
        <translation>%1 有 %2 个图像，而 %3 有 %4 个标签；应一样多</translation>
    </message>
    <message>
        <source>%1: has %2 samples, but %3 has %4 labels; expected as many</source>
        <translation>%1 有 %2 个样本，而 %3 有 %4 个标签；应一样多</translation>
    </message>
    <message>
        <source>expected an array whose first axis counts the samples, got a single number</source>
        <translation>应为首轴表示样本的数组，实为单个数</translation>
    </message>
    <message>
        <source>expected between 1 and 4294967294 samples, got %1</source>
        <translation>样本应有 1 到 4294967294 个，现有 %1 个</translation>
    </message>
    <message>
        <source>expected between 1 and 4294967294 images, got %1</source>
        <translation>图像应有 1 到 4294967294 个，现有 %1 个</translation>
    </message>
    <message>
        <source>expected labels of shape (n,), got %1</source>
        <translation>标签的形状应为 (n,)，实为 %1</translation>
    </message>
    <message>
        <source>expected integer labels, got floating point numbers</source>
        <translation>标签应为整数，实为浮点数</translation>
    </message>
    <message>
        <source>expected images of shape (n, rows, columns), got %1</source>
        <translation>图像的形状应为 (n, 行, 列)，实为 %1</translation>
    </message>
    <message>
        <source>expected a global batch of at least one sample per replica (%1), got %2</source>
        <translation>全局批次中每个副本至少应有一个样本（%1），实为 %2</translation>
    </message>
    <message>
        <source>data: FILE sharding expects at least one file per worker (%1), the data set has %2</source>
        <translation>data：FILE 分片需要每个工作器至少一个文件（%1），而数据集有 %2 个</translation>
    </message>
    <message>
        <source>data.auto_shard: FILE expects a data set that is read from several files, but %1 is held in memory; use DATA or AUTO</source>
        <translation>data.auto_shard：FILE 需要从多个文件读取的数据集，而 %1 存放在内存中；请使用 DATA 或 AUTO</translation>
    </message>
    <message>
        <source>data.validation_split: %1 of %2 samples leaves %3 for training, expected at least one on both sides</source>
        <translation>data.validation_split：%2 个样本取 %1 后剩 %3 个用于训练，两侧至少应各有一个</translation>
    </message>
    <message>
        <source>data: the training samples make no whole batch, expected at least one</source>
        <translation>data：训练样本不够一个完整批次，至少应有一个</translation>
    </message>
    <message>
        <source>data.dataset: %1 was not found (expected %2 and the files beside it in one of: %3); set TANDEM_DATA_DIR to its parent folder, or %4</source>
        <translation>data.dataset：找不到 %1（以下之一应有 %2 及其旁边的文件：%3）；请把 TANDEM_DATA_DIR 设为其上级文件夹，或%4</translation>
    </message>
    <message>
        <source>data.dataset: %1 was not found (expected %2 and the files beside it in one of: %3); set TANDEM_DATA_DIR to its parent folder; it could not be fetched either, is this computer offline? %4</source>
        <translation>data.dataset：找不到 %1（以下之一应有 %2 及其旁边的文件：%3）；请把 TANDEM_DATA_DIR 设为其上级文件夹；也无法下载，本机是否离线？%4</translation>
    </message>
    <message>
        <source>fetch it with --fetch</source>
        <translation>用 --fetch 获取</translation>
    </message>
    <message>
        <source>data.download to true</source>
        <translation>把 data.download 设为 true</translation>
    </message>
    <message>
        <source>data: expected train_images and train_labels, the files of the data set %1</source>
        <translation>data：应有 train_images 和 train_labels，即数据集 %1 的文件</translation>
    </message>
    <message>
        <source>expected test_images and test_labels both or neither, got one of them</source>
        <translation>test_images 和 test_labels 应都有或都没有，现只有其一</translation>
    </message>
    <message>
        <source>%1: expected an array %2 (data.npz names the arrays), it has %3</source>
        <translation>%1：应有数组 %2（数组名由 data.npz 指定），现有 %3</translation>
    </message>
    <message>
        <source>%1: expected the classes of %2 (%3 sub-folders), got others</source>
        <translation>%1：应与 %2 的类别（%3 个子文件夹）相同，实际不同</translation>
    </message>
    <message>
        <source>%1: expected files of this pattern, found none</source>
        <translation>%1：应有符合此模式的文件，现没有</translation>
    </message>
    <message>
        <source>expected the files of the data set %1, got none</source>
        <translation>应有数据集 %1 的文件，现没有</translation>
    </message>
    <message>
        <source>%1: could not be downloaded (%2)</source>
        <translation>%1：无法下载（%2）</translation>
    </message>
    <message>
        <source>%1: the download was cancelled</source>
        <translation>%1：下载已取消</translation>
    </message>
    <message>
        <source>%1: the wait for another program&apos;s download was cancelled</source>
        <translation>%1：已取消等待其他程序的下载</translation>
    </message>
    <message>
        <source>%1: looking at it was cancelled</source>
        <translation>%1：查看已取消</translation>
    </message>
    <message>
        <source>%1: cannot be opened: not enough memory</source>
        <translation>%1：无法打开：内存不足</translation>
    </message>
    <message>
        <source>%1: cannot be opened: %2</source>
        <translation>%1：无法打开：%2</translation>
    </message>
    <message>
        <source>%1: cannot be read: %2</source>
        <translation>%1：无法读取：%2</translation>
    </message>
    <message>
        <source>%1: cannot be listed: %2</source>
        <translation>%1：无法列出：%2</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1：无法写入：%2</translation>
    </message>
    <message>
        <source>%1: cannot be mapped: %2</source>
        <translation>%1：无法映射：%2</translation>
    </message>
    <message>
        <source>%1: cannot be locked: %2</source>
        <translation>%1：无法锁定：%2</translation>
    </message>
    <message>
        <source>%1: its compressed data is broken or ends too early</source>
        <translation>%1：压缩数据已损坏或过早结束</translation>
    </message>
    <message>
        <source>%1: %2 is larger than 1 GiB</source>
        <translation>%1：%2 大于 1 GiB</translation>
    </message>
    <message>
        <source>%1: expected the file %2 in it, found none</source>
        <translation>%1：其中应有文件 %2，现没有</translation>
    </message>
    <message>
        <source>expected a table as text (UTF-8), got a ZIP archive, as .npz files are</source>
        <translation>应为文本（UTF-8）表格，实为与 .npz 文件相同的 ZIP 归档</translation>
    </message>
    <message>
        <source>expected a table as text (UTF-8), got binary data</source>
        <translation>应为文本（UTF-8）表格，实为二进制数据</translation>
    </message>
    <message>
        <source>expected a table, got no line</source>
        <translation>应为表格，实际一行也没有</translation>
    </message>
    <message>
        <source>expected a quote that closes the cell, got the end of the file</source>
        <translation>应有结束单元格的引号，实际到了文件末尾</translation>
    </message>
    <message>
        <source>expected the delimiter or the end of the line after a closing quote</source>
        <translation>结束引号之后应为分隔符或行尾</translation>
    </message>
    <message>
        <source>expected a column of the table (%1) or an index below %2, got %3</source>
        <translation>应为表格的列（%1）或小于 %2 的序号，实为 %3</translation>
    </message>
    <message>
        <source>expected every column once and without the label, got %1, which is data.csv.label</source>
        <translation>各列应只出现一次且不含标签，现有 %1，它是 data.csv.label</translation>
    </message>
    <message>
        <source>expected every column once and without the label, got %1 twice</source>
        <translation>各列应只出现一次且不含标签，%1 出现了两次</translation>
    </message>
    <message>
        <source>expected at least one column beside the label, the table has none where %1 parts cells (data.csv.delimiter)</source>
        <translation>除标签外至少应有一列，以 %1 分隔单元格（data.csv.delimiter）时表格没有</translation>
    </message>
    <message>
        <source>%1: expected at least one column beside the label, the table has none</source>
        <translation>%1：除标签外至少应有一列，表格没有</translation>
    </message>
    <message>
        <source>expected at most %1 different texts in a column, got more in %2</source>
        <translation>一列中不同的文本不应超过 %1 个，%2 中更多</translation>
    </message>
    <message>
        <source>expected %1 cells, got %2</source>
        <translation>应有 %1 个单元格，现有 %2 个</translation>
    </message>
    <message>
        <source>%1: the cell of %2 is missing (data.csv.missing: skip, zero or mean fills it)</source>
        <translation>%1：%2 的单元格缺失（data.csv.missing：可用 skip、zero 或 mean 处理）</translation>
    </message>
    <message>
        <source>expected a value of %1 that the training file has, got %2</source>
        <translation>应为训练文件中有的 %1 的值，实为 %2</translation>
    </message>
    <message>
        <source>expected a number in %1, got %2</source>
        <translation>%1 中应为数，实为 %2</translation>
    </message>
    <message>
        <source>expected a whole number below %1 in %2, got %3</source>
        <translation>%2 中应为小于 %1 的整数，实为 %3</translation>
    </message>
    <message>
        <source>%1: expected a label of the training file, a tab and a text</source>
        <translation>%1：应为训练文件中的标签、制表符和文本</translation>
    </message>
    <message>
        <source>expected whole records of %1 bytes, got %2 bytes</source>
        <translation>应为每条 %1 字节的完整记录，实为 %2 字节</translation>
    </message>
    <message>
        <source>%1: broken gzip data (%2)</source>
        <translation>%1：gzip 数据已损坏（%2）</translation>
    </message>
    <message>
        <source>%1: truncated: expected an IDX header of 4 bytes, got %2</source>
        <translation>%1：被截断：IDX 头应为 4 字节，实为 %2</translation>
    </message>
    <message>
        <source>%1: is no IDX file: expected it to begin with the bytes 00 00, got %2</source>
        <translation>%1：不是 IDX 文件：应以字节 00 00 开头，实为 %2</translation>
    </message>
    <message>
        <source>%1: unknown IDX element type %2, expected 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e</source>
        <translation>%1：未知的 IDX 元素类型 %2，应为 0x08、0x09、0x0b、0x0c、0x0d 或 0x0e</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 sizes in the header, got %3</source>
        <translation>%1：被截断：头中应有 %2 个大小，实为 %3</translation>
    </message>
    <message>
        <source>%1: its header asks for more than %2 GiB</source>
        <translation>%1：其头要求超过 %2 GiB</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes of values, which a file of %3 bytes cannot hold</source>
        <translation>%1：被截断：值应有 %2 字节，%3 字节的文件容纳不下</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes of values, got %3</source>
        <translation>%1：被截断：值应有 %2 字节，实为 %3</translation>
    </message>
    <message>
        <source>%1: longer than its header says: expected %2 bytes of values, got %3</source>
        <translation>%1：比其头所说的长：值应有 %2 字节，实为 %3</translation>
    </message>
    <message>
        <source>%1: longer than its header says: expected %2 bytes of values</source>
        <translation>%1：比其头所说的长：值应有 %2 字节</translation>
    </message>
    <message>
        <source>%1: is no NPY header: expected %2 at character %3</source>
        <translation>%1：不是 NPY 头：第 %3 个字符处应为 %2</translation>
    </message>
    <message>
        <source>a text in quotes</source>
        <translation>引号中的文本</translation>
    </message>
    <message>
        <source>True or False</source>
        <translation>True 或 False</translation>
    </message>
    <message>
        <source>a tuple of at most 32 sizes</source>
        <translation>至多 32 个大小的元组</translation>
    </message>
    <message>
        <source>descr, fortran_order or shape as key</source>
        <translation>键 descr、fortran_order 或 shape</translation>
    </message>
    <message>
        <source>a dictionary of descr, fortran_order and shape</source>
        <translation>由 descr、fortran_order 和 shape 组成的字典</translation>
    </message>
    <message>
        <source>%1: is no NPY file: expected it to begin with the bytes 93 4e 55 4d 50 59 (\x93NUMPY)</source>
        <translation>%1：不是 NPY 文件：应以字节 93 4e 55 4d 50 59（\x93NUMPY）开头</translation>
    </message>
    <message>
        <source>expected NPY version 1, 2 or 3, got %1</source>
        <translation>NPY 版本应为 1、2 或 3，实为 %1</translation>
    </message>
    <message>
        <source>%1: truncated: its header has %2 bytes, the file %3</source>
        <translation>%1：被截断：其头有 %2 字节，文件有 %3 字节</translation>
    </message>
    <message>
        <source>expected an array of numbers, got one of records (structured type)</source>
        <translation>应为数的数组，实为记录（结构化类型）的数组</translation>
    </message>
    <message>
        <source>expected integers from -2147483648 to 2147483647, got %1</source>
        <translation>应为 -2147483648 到 2147483647 的整数，实为 %1</translation>
    </message>
    <message>
        <source>%1: holds pickled Python objects, which are refused because reading them runs foreign code; save a plain array, such as one padded to a common length</source>
        <translation>%1：含有 pickle 的 Python 对象，读取它们会运行外来代码，因此被拒绝；请保存为普通数组，例如补齐到相同长度的数组</translation>
    </message>
    <message>
        <source>expected bool, integers or floating point numbers, got the type %1</source>
        <translation>应为 bool、整数或浮点数，实际类型为 %1</translation>
    </message>
    <message>
        <source>%1: is no whole NPZ archive: %2</source>
        <translation>%1：不是完整的 NPZ 归档：%2</translation>
    </message>
    <message>
        <source>%1: its size is not known: %2</source>
        <translation>%1：大小未知：%2</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, its header asks for %2</source>
        <translation>不应超过 %1 字节，其头要求 %2</translation>
    </message>
    <message>
        <source>%1: truncated after %2 of %3 bytes: %4</source>
        <translation>%1：在 %3 字节中的 %2 字节后被截断：%4</translation>
    </message>
    <message>
        <source>%1: damaged: %2</source>
        <translation>%1：已损坏：%2</translation>
    </message>
    <message>
        <source>expected a picture of at most 268435456 pixels, got %1</source>
        <translation>图片不应超过 268435456 像素，实为 %1</translation>
    </message>
    <message>
        <source>%1: cut short or damaged: a file of %2 bytes cannot hold a picture of %3 pixels</source>
        <translation>%1：被截断或已损坏：%2 字节的文件容纳不下 %3 像素的图片</translation>
    </message>
    <message>
        <source>%1: damaged JPEG: %2</source>
        <translation>%1：已损坏的 JPEG：%2</translation>
    </message>
    <message>
        <source>%1: damaged PNG: %2</source>
        <translation>%1：已损坏的 PNG：%2</translation>
    </message>
    <message>
        <source>%1: is empty, expected a PNG or JPEG picture</source>
        <translation>%1：为空，应为 PNG 或 JPEG 图片</translation>
    </message>
    <message>
        <source>%1: is neither a PNG nor a JPEG picture</source>
        <translation>%1：既不是 PNG 也不是 JPEG 图片</translation>
    </message>
    <message>
        <source>expected a PNG or JPEG picture, got %1</source>
        <translation>应为 PNG 或 JPEG 图片，实为 %1</translation>
    </message>
    <message>
        <source>expected a folder of pictures, got a link to a folder that it lies in</source>
        <translation>应为图片文件夹，实为指向其所在文件夹的链接</translation>
    </message>
    <message>
        <source>expected at most %1 folders within each other, got more</source>
        <translation>文件夹的嵌套不应超过 %1 层，实际更多</translation>
    </message>
    <message>
        <source>expected a folder with pictures, got %1 other files and folders and %2 pictures by %3</source>
        <translation>应为有图片的文件夹，到 %3 为止有 %1 个其他文件和文件夹、%2 张图片</translation>
    </message>
    <message>
        <source>expected a folder that can be listed in %1 minutes, was at %2 by then</source>
        <translation>应为可在 %1 分钟内列完的文件夹，届时才到 %2</translation>
    </message>
    <message>
        <source>%1: expected a folder with one sub-folder a class, found none</source>
        <translation>%1：应为每个类别一个子文件夹的文件夹，现没有</translation>
    </message>
    <message>
        <source>%1: expected sub-folders with .png, .jpg or .jpeg pictures, found %2 pictures in %3 sub-folders</source>
        <translation>%1：子文件夹中应有 .png、.jpg 或 .jpeg 图片，现 %3 个子文件夹中有 %2 张图片</translation>
    </message>
    <message>
        <source>%1: expected a feature %2, it has none</source>
        <translation>%1：应有特征 %2，现没有特征</translation>
    </message>
    <message>
        <source>%1: expected a feature %2, it has %3</source>
        <translation>%1：应有特征 %2，现有 %3</translation>
    </message>
    <message>
        <source>%1: is no tf.train.Example</source>
        <translation>%1：不是 tf.train.Example</translation>
    </message>
    <message>
        <source>expected texts or whole numbers in %1, got numbers with fractions</source>
        <translation>%1 中应为文本或整数，实为带小数的数</translation>
    </message>
    <message>
        <source>expected numbers in %1, got texts</source>
        <translation>%1 中应为数，实为文本</translation>
    </message>
    <message>
        <source>expected 1 number in %1, got texts</source>
        <translation>%1 中应有 1 个数，实为文本</translation>
    </message>
    <message>
        <source>expected 1 number in %1, got %2</source>
        <translation>%1 中应有 1 个数，实为 %2 个</translation>
    </message>
    <message>
        <source>expected %1 numbers in %2, got texts</source>
        <translation>%2 中应有 %1 个数，实为文本</translation>
    </message>
    <message>
        <source>expected %1 numbers in %2, got %3</source>
        <translation>%2 中应有 %1 个数，实为 %3 个</translation>
    </message>
    <message>
        <source>%1: expected one text of bytes in %2</source>
        <translation>%1：%2 中应有一个字节文本</translation>
    </message>
    <message>
        <source>expected %1 bytes in %2, got %3</source>
        <translation>%2 中应有 %1 字节，实为 %3</translation>
    </message>
    <message>
        <source>%1: expected records as they are, got a file compressed by gzip; the file is not read beyond</source>
        <translation>%1：应为未压缩的记录，实为 gzip 压缩的文件；之后不再读取</translation>
    </message>
    <message>
        <source>%1: truncated; the file is not read beyond</source>
        <translation>%1：被截断；之后不再读取</translation>
    </message>
    <message>
        <source>%1: the checksum of its length is wrong; the file is not read beyond</source>
        <translation>%1：长度的校验和不对；之后不再读取</translation>
    </message>
    <message>
        <source>%1: truncated: expected %2 bytes, got %3</source>
        <translation>%1：被截断：应有 %2 字节，实为 %3</translation>
    </message>
    <message>
        <source>%1: the checksum of its bytes is wrong</source>
        <translation>%1：字节的校验和不对</translation>
    </message>
    <message>
        <source>expected a readable file, could not open it</source>
        <translation>应为可读的文件，无法打开</translation>
    </message>
    <message>
        <source>expected IDX labels (magic 0x00000801), found something else</source>
        <translation>应为 IDX 标签（魔数 0x00000801），实为其他内容</translation>
    </message>
    <message>
        <source>expected %1 labels, found %2</source>
        <translation>应有 %1 个标签，现有 %2 个</translation>
    </message>
    <message>
        <source>expected label files on this computer, found none</source>
        <translation>本机应有标签文件，现没有</translation>
    </message>
    <message>
        <source>expected a file, got %1</source>
        <translation>应为文件，实为%1</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>a pipe</source>
        <translation>管道</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>套接字</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, got more</source>
        <translation>不应超过 %1 字节，实际更长</translation>
    </message>
    <message>
        <source>%1: record %2</source>
        <translation>%1：记录 %2</translation>
    </message>
    <message>
        <source>record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>%1: expected at least one dimension, got none</source>
        <translation>%1：至少应有一个维度，现没有</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 stands behind a zero, which ends a sequence of classes</source>
        <translation>%1：样本 %3 的标签 %2 在零之后，而零结束类别的序列</translation>
    </message>
    <message>
        <source>%1: its labels are %2 of shape %3, the loss expects sequences of class indices, of the shape (length,)</source>
        <translation>%1：标签是形状为 %3 的 %2，损失需要形状为 (长度,) 的类别序号序列</translation>
    </message>
    <message>
        <source>%1: expected a text in UTF-8, got other bytes</source>
        <translation>%1：应为 UTF-8 文本，而有其他字节</translation>
    </message>
    <message>
        <source>%1: expected a text in each line, got none</source>
        <translation>%1：每行应有一个文本，而没有</translation>
    </message>
    <message>
        <source>%1: expected words in the training texts for its vocabulary, got none</source>
        <translation>%1：训练文本中应有用于词表的词，而没有</translation>
    </message>
    <message>
        <source>%1: expected texts of the vocabulary with num_oov_indices=0, got %2</source>
        <translation>%1：num_oov_indices=0 时应为词表中的文本，而得到 %2</translation>
    </message>
    <message>
        <source>%1: expected a vocabulary, got none</source>
        <translation>%1：应有词表，而没有</translation>
    </message>
    <message>
        <source>text in UTF-8</source>
        <translation>UTF-8 文本</translation>
    </message>
    <message>
        <source>%1: expected a text in UTF-8, got the byte %2 at position %3</source>
        <translation>%1：应为 UTF-8 文本，位置 %3 处却是字节 %2</translation>
    </message>
    <message>
        <source>expected a folder of texts, got a link to a folder that it lies in</source>
        <translation>应为文本文件夹，实为指向其所在文件夹的链接</translation>
    </message>
    <message>
        <source>expected a folder with texts, got %1 other files and folders and %2 texts by %3</source>
        <translation>应为含有文本的文件夹，到 %3 为止却有 %1 个其他文件和文件夹以及 %2 个文本</translation>
    </message>
    <message>
        <source>%1: expected sub-folders with .txt files, found %2 texts in %3 sub-folders</source>
        <translation>%1：应有含 .txt 文件的子文件夹，却在 %3 个子文件夹中找到 %2 个文本</translation>
    </message>
</context>
<context>
    <name>FilterPicturesView</name>
    <message numerus="yes">
        <source>%n kernel(s) of %1</source>
        <translation>
            <numerusform>%1 的 %n 个卷积核</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindingTexts</name>
    <message>
        <source>expected no ps with MultiWorkerMirroredStrategy, got %1: TensorFlow waits for it forever</source>
        <translation>使用 MultiWorkerMirroredStrategy 时不应有 ps，现有 %1 个：TensorFlow 会一直等待它</translation>
    </message>
    <message>
        <source>Remove the ps job or use ParameterServerStrategy.</source>
        <translation>请删除 ps 作业，或改用 ParameterServerStrategy。</translation>
    </message>
    <message>
        <source>expected a job named chief, worker, ps or evaluator, got %1, which no task of an Estimator takes part in</source>
        <translation>作业名应为 chief、worker、ps 或 evaluator，实为 %1，Estimator 的任务都不参与其中</translation>
    </message>
    <message>
        <source>expected a job named chief, worker, ps or evaluator, got %1</source>
        <translation>作业名应为 chief、worker、ps 或 evaluator，实为 %1</translation>
    </message>
    <message>
        <source>Rename or remove the job; names are case-sensitive.</source>
        <translation>请重命名或删除该作业；名称区分大小写。</translation>
    </message>
    <message>
        <source>Rename or remove the job.</source>
        <translation>请重命名或删除该作业。</translation>
    </message>
    <message>
        <source>expected either a chief or the older master, got both</source>
        <translation>chief 与旧称 master 只应有其一，现两者都有</translation>
    </message>
    <message>
        <source>Remove the master.</source>
        <translation>请删除 master。</translation>
    </message>
    <message>
        <source>expected at least one address, got none</source>
        <translation>至少应有一个地址，现一个也没有</translation>
    </message>
    <message>
        <source>Add an address or remove the job.</source>
        <translation>请添加地址或删除该作业。</translation>
    </message>
    <message>
        <source>expected at most one %1, got %2</source>
        <translation>最多只能有一个 %1，现有 %2 个</translation>
    </message>
    <message>
        <source>Keep one address.</source>
        <translation>请只保留一个地址。</translation>
    </message>
    <message>
        <source>expected indices from 0 to %1 without gaps, got %2: TensorFlow refuses that task</source>
        <translation>序号应从 0 到 %1 连续，现有 %2：TensorFlow 会拒绝该任务</translation>
    </message>
    <message>
        <source>Number the tasks from 0.</source>
        <translation>请从 0 开始为任务编号。</translation>
    </message>
    <message>
        <source>expected an address of its own, got %1 as in %2: on one machine the second server can&apos;t start</source>
        <translation>每个任务应有自己的地址，现为 %1，与 %2 相同：同一台机器上第二个服务器无法启动</translation>
    </message>
    <message>
        <source>Give each task a port of its own.</source>
        <translation>请给每个任务各自的端口。</translation>
    </message>
    <message>
        <source>expected names that every host can reach, got a local one beside other hosts (%1): seen from there it means another machine</source>
        <translation>名称应能从所有主机访问，现有本地名称与其他主机（%1）并存：从那里看它指另一台机器</translation>
    </message>
    <message>
        <source>Write the host&apos;s own name or address.</source>
        <translation>请写该主机自己的名称或地址。</translation>
    </message>
    <message>
        <source>expected at least one %1 for ParameterServerStrategy, got none</source>
        <translation>ParameterServerStrategy 至少需要一个 %1，现一个也没有</translation>
    </message>
    <message>
        <source>Add a %1 with its address.</source>
        <translation>请添加一个带地址的 %1。</translation>
    </message>
    <message>
        <source>expected one chief for an Estimator, got none</source>
        <translation>Estimator 需要一个 chief，现一个也没有</translation>
    </message>
    <message>
        <source>Name the first worker&apos;s job chief.</source>
        <translation>请把第一个 worker 的作业命名为 chief。</translation>
    </message>
    <message>
        <source>expected an address &quot;host:port&quot; with a number as port, got %1</source>
        <translation>地址应为“主机:端口”，端口为数字，实为 %1</translation>
    </message>
    <message>
        <source>expected a host name before the port, got %1</source>
        <translation>端口前应为主机名，实为 %1</translation>
    </message>
    <message>
        <source>Leave out the scheme and every slash.</source>
        <translation>请去掉协议名和所有斜杠。</translation>
    </message>
    <message>
        <source>expected a port of at most 65535, got %1</source>
        <translation>端口不应超过 65535，实为 %1</translation>
    </message>
    <message>
        <source>Choose a port from 1024 to 65535.</source>
        <translation>请选择 1024 到 65535 之间的端口。</translation>
    </message>
    <message>
        <source>expected a port of at least 1, got 0: the other tasks can&apos;t know where to connect</source>
        <translation>端口至少应为 1，实为 0：其他任务无从得知连接到哪里</translation>
    </message>
    <message>
        <source>expected a host name that can be resolved, got %1: TensorFlow waits for it forever</source>
        <translation>应为可解析的主机名，实为 %1：TensorFlow 会一直等待它</translation>
    </message>
    <message>
        <source>Write the name or the number of the host alone.</source>
        <translation>请只写主机的名称或 IP 地址。</translation>
    </message>
    <message>
        <source>%1: expected a free port, another program holds %2</source>
        <translation>%1：端口 %2 被其他程序占用</translation>
    </message>
    <message>
        <source>%1: expected a free port, a task that still runs, %2, holds %3</source>
        <translation>%1：端口 %3 被仍在运行的任务 %2 占用</translation>
    </message>
    <message>
        <source>%1: expected a free port, %2 holds %3</source>
        <translation>%1：端口 %3 被 %2 占用</translation>
    </message>
    <message>
        <source>Choose a free port.</source>
        <translation>请选择空闲端口。</translation>
    </message>
    <message>
        <source>expected MultiWorkerMirroredStrategy with a cluster, got %1: its one worker trains without the cluster</source>
        <translation>有集群时应使用 MultiWorkerMirroredStrategy，实为 %1：唯一的 worker 将不使用集群进行训练</translation>
    </message>
    <message>
        <source>expected MultiWorkerMirroredStrategy with a cluster, got %1</source>
        <translation>有集群时应使用 MultiWorkerMirroredStrategy，实为 %1</translation>
    </message>
    <message>
        <source>Change the strategy or remove the cluster&apos;s jobs.</source>
        <translation>请更换策略或删除集群的作业。</translation>
    </message>
    <message>
        <source>expected at least one chief or worker, got none</source>
        <translation>至少应有一个 chief 或 worker，现一个也没有</translation>
    </message>
    <message>
        <source>Add a worker with its address.</source>
        <translation>请添加一个带地址的 worker。</translation>
    </message>
    <message>
        <source>expected seconds above 0, got %1</source>
        <translation>秒数应大于 0，实为 %1</translation>
    </message>
    <message>
        <source>expected %1 to %2 seconds, got %3</source>
        <translation>应为 %1 到 %2 秒，实为 %3</translation>
    </message>
    <message>
        <source>expected the name of a computer without a port, got %1</source>
        <translation>应为不带端口的计算机名，实为 %1</translation>
    </message>
    <message>
        <source>Ports belong to tasks.</source>
        <translation>端口属于任务。</translation>
    </message>
    <message>
        <source>expected the name of a computer, got none</source>
        <translation>应填写计算机名，现为空</translation>
    </message>
    <message>
        <source>expected the name of a computer, got %1</source>
        <translation>应为计算机名，实为 %1</translation>
    </message>
    <message>
        <source>Write the name or the number of the computer alone, such as node1 or 192.0.2.14.</source>
        <translation>请只写计算机的名称或 IP 地址，例如 node1 或 192.0.2.14。</translation>
    </message>
    <message>
        <source>expected AUTO or RING on CPUs, got NCCL, which needs GPUs</source>
        <translation>在 CPU 上应为 AUTO 或 RING，实为需要 GPU 的 NCCL</translation>
    </message>
    <message>
        <source>Set it to AUTO.</source>
        <translation>请设为 AUTO。</translation>
    </message>
    <message>
        <source>expected CPUs alone or GPUs alone, got %1 beside %2</source>
        <translation>应只有 CPU 或只有 GPU，现 %2 与 %1 并存</translation>
    </message>
    <message>
        <source>expected every device once, got %1 a second time</source>
        <translation>每个设备只应出现一次，%1 出现了第二次</translation>
    </message>
    <message>
        <source>expected false on processors, where it has no effect, got true</source>
        <translation>在处理器上不起作用，应为 false，实为 true</translation>
    </message>
    <message>
        <source>expected at least %1 and at most %2, got %3</source>
        <translation>应不小于 %1 且不大于 %2，实为 %3</translation>
    </message>
    <message>
        <source>expected at least %1, got %2</source>
        <translation>应不小于 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected checkpoints to evaluate while the run trains, got none before its end</source>
        <translation>应有可在训练期间评估的检查点，实际在结束前没有</translation>
    </message>
    <message>
        <source>Add the callback ModelCheckpoint, or remove the evaluator.</source>
        <translation>添加回调 ModelCheckpoint，或删除 evaluator。</translation>
    </message>
    <message>
        <source>expected either steps or epochs, got %1 steps and %2 epochs</source>
        <translation>应为步数或周期之一，实为 %1 步和 %2 个周期</translation>
    </message>
    <message>
        <source>Set fit.epochs to 1, or fit.steps to 0.</source>
        <translation>将 fit.epochs 设为 1，或将 fit.steps 设为 0。</translation>
    </message>
    <message>
        <source>expected 0 with %1, whose epochs count the steps, got %2</source>
        <translation>%1 以周期计步，应为 0，实为 %2</translation>
    </message>
    <message>
        <source>Set fit.epochs and fit.steps_per_epoch, or choose ParameterServerStrategy.</source>
        <translation>设置 fit.epochs 和 fit.steps_per_epoch，或选择 ParameterServerStrategy。</translation>
    </message>
    <message>
        <source>expected CPU:0 with ParameterServerStrategy, whose workers compute on processors in this version, got %1</source>
        <translation>ParameterServerStrategy 的工作器在此版本中用处理器计算，应为 CPU:0，实为 %1</translation>
    </message>
    <message>
        <source>Set it to CPU:0.</source>
        <translation>将其设为 CPU:0。</translation>
    </message>
    <message>
        <source>expected at least 0, or null for no bound, got %1</source>
        <translation>应至少为 0，不设限则为 null，实为 %1</translation>
    </message>
    <message>
        <source>Set estimator.run_config.save_checkpoints_steps, or remove the evaluator.</source>
        <translation>设置 estimator.run_config.save_checkpoints_steps，或删除 evaluator。</translation>
    </message>
    <message>
        <source>expected a strategy that trains here, got %1: a TPU is trained on by the exported script, since no PJRT plug-in runs a project in this version</source>
        <translation>应为在此处训练的策略，实为 %1：在 TPU 上由导出的脚本训练，因为此版本没有运行项目的 PJRT 插件</translation>
    </message>
    <message>
        <source>expected a strategy that trains here, got %1: an estimator asked for a TPU, which no PJRT plug-in runs in this version, and whose script needs a TensorFlow that has tf.estimator</source>
        <translation>应为在此处训练的策略，实为 %1：Estimator 要求使用 TPU，此版本没有运行它的 PJRT 插件，而它的脚本需要带有 tf.estimator 的 TensorFlow</translation>
    </message>
    <message>
        <source>Export the script, or choose another strategy.</source>
        <translation>导出脚本，或选择其他策略。</translation>
    </message>
    <message>
        <source>expected true with %1, whose shapes are fixed, got false</source>
        <translation>%1 的形状是固定的，应为 true，实为 false</translation>
    </message>
    <message>
        <source>Set it to true.</source>
        <translation>设为 true。</translation>
    </message>
    <message>
        <source>expected the name of a TPU, local, or an address such as grpc://10.240.1.2:8470, got %1</source>
        <translation>应为 TPU 的名称、local 或 grpc://10.240.1.2:8470 这样的地址，实为 %1</translation>
    </message>
    <message>
        <source>expected none with the TPU %1, which is looked up nowhere, got %2</source>
        <translation>TPU %1 无需查找，此项应为空，实为 %2</translation>
    </message>
    <message>
        <source>It has no effect.</source>
        <translation>没有效果。</translation>
    </message>
    <message>
        <source>expected a coordinator_name beside the address of the coordinator, got none</source>
        <translation>协调器的地址需要同时有 coordinator_name，现没有</translation>
    </message>
    <message>
        <source>Set strategy.cluster_resolver.coordinator_name.</source>
        <translation>设置 strategy.cluster_resolver.coordinator_name。</translation>
    </message>
    <message>
        <source>%1: expected an address of this computer or of one of the list of hosts, got %2</source>
        <translation>%1：应为本机或主机列表中某台计算机的地址，实为 %2</translation>
    </message>
    <message>
        <source>Add the computer to the list of hosts, move the task to this computer, or export TF_CONFIG and start it there yourself with tandem-worker --cluster-key.</source>
        <translation>请把该计算机加入主机列表，或把任务移到本机，或导出 TF_CONFIG 并在那里用 tandem-worker --cluster-key 自行启动。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>expected at least one ps and one worker for %1, got none</source>
        <translation>%1 至少需要一个 ps 和一个 worker，现没有</translation>
    </message>
    <message>
        <source>Add a ps and a worker with their addresses.</source>
        <translation>请添加带地址的 ps 和 worker。</translation>
    </message>
    <message>
        <source>expected a name of at most %1 letters, got %2</source>
        <translation>名称不应超过 %1 个字母，实为 %2 个</translation>
    </message>
    <message>
        <source>expected jobs ps and worker for ParameterServerStrategy, got none</source>
        <translation>ParameterServerStrategy 需要作业 ps 和 worker，现没有</translation>
    </message>
    <message>
        <source>Add both with their addresses.</source>
        <translation>请添加两者及其地址。</translation>
    </message>
    <message>
        <source>expected jobs beside a task, got none: the task trains alone</source>
        <translation>有任务时应同时有作业，现没有：该任务将单独训练</translation>
    </message>
    <message>
        <source>Add the workers&apos; addresses.</source>
        <translation>请添加各 worker 的地址。</translation>
    </message>
    <message>
        <source>expected type and index of this task, got none</source>
        <translation>需要该任务的 type 和 index，现没有</translation>
    </message>
    <message>
        <source>expected an integer, got %1, which is read as %2</source>
        <translation>应为整数，实为 %1，会被读作 %2</translation>
    </message>
    <message>
        <source>Write the task&apos;s position in its job, from 0.</source>
        <translation>请写该任务在其作业中的位置，从 0 起。</translation>
    </message>
    <message>
        <source>expected the job of this task for %1, got none</source>
        <translation>%1 需要该任务的作业，现没有</translation>
    </message>
    <message>
        <source>expected the position of this task in its job for %1, got none</source>
        <translation>%1 需要该任务在其作业中的位置，现没有</translation>
    </message>
    <message>
        <source>expected the position of this task in its job, got none</source>
        <translation>需要该任务在其作业中的位置，现没有</translation>
    </message>
    <message>
        <source>expected a type beside the index, got none: the task counts as coordinator</source>
        <translation>有 index 时应同时有 type，现没有：该任务视为协调器</translation>
    </message>
    <message>
        <source>Names are case-sensitive.</source>
        <translation>名称区分大小写。</translation>
    </message>
    <message>
        <source>expected a job of the cluster, got %1</source>
        <translation>应为集群的作业，实为 %1</translation>
    </message>
    <message>
        <source>Add the job or change the type.</source>
        <translation>请添加该作业或更改 type。</translation>
    </message>
    <message>
        <source>expected chief, worker or evaluator for MultiWorkerMirroredStrategy, got ps</source>
        <translation>使用 MultiWorkerMirroredStrategy 时应为 chief、worker 或 evaluator，实为 ps</translation>
    </message>
    <message>
        <source>Use ParameterServerStrategy.</source>
        <translation>请使用 ParameterServerStrategy。</translation>
    </message>
    <message>
        <source>expected an evaluator that the cluster lists for MultiWorkerMirroredStrategy, got one that it does not</source>
        <translation>使用 MultiWorkerMirroredStrategy 时 evaluator 应列在集群中，实际没有列出</translation>
    </message>
    <message>
        <source>Add the evaluator&apos;s address to the cluster.</source>
        <translation>请把 evaluator 的地址加入集群。</translation>
    </message>
    <message>
        <source>expected worker without a cluster, got %1</source>
        <translation>没有集群时应为 worker，实为 %1</translation>
    </message>
    <message>
        <source>Add a cluster or leave the task out.</source>
        <translation>请添加集群或去掉该任务。</translation>
    </message>
    <message>
        <source>expected no evaluator beside the older master, got one</source>
        <translation>有旧称 master 时不应有 evaluator，现有一个</translation>
    </message>
    <message>
        <source>Name the master chief.</source>
        <translation>请把 master 改名为 chief。</translation>
    </message>
    <message>
        <source>expected 0 for the evaluator, got %1</source>
        <translation>evaluator 应为 0，实为 %1</translation>
    </message>
    <message>
        <source>There is one evaluator.</source>
        <translation>evaluator 只有一个。</translation>
    </message>
    <message>
        <source>Count from 0.</source>
        <translation>请从 0 数起。</translation>
    </message>
    <message>
        <source>expected 0 without a cluster, got %1</source>
        <translation>没有集群时应为 0，实为 %1</translation>
    </message>
    <message>
        <source>expected an index below the number of %1 tasks (%2), got %3</source>
        <translation>序号应小于 %1 任务的个数（%2），实为 %3</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请去掉它。</translation>
    </message>
    <message>
        <source>expected cluster, task or rpc_layer, got %1, which nothing reads</source>
        <translation>应为 cluster、task 或 rpc_layer，实为无人读取的 %1</translation>
    </message>
    <message>
        <source>Remove it; names are case-sensitive.</source>
        <translation>请删除它；名称区分大小写。</translation>
    </message>
    <message>
        <source>TF_CONFIG: expected a JSON object, got %1</source>
        <translation>TF_CONFIG：应为 JSON 对象，实为 %1</translation>
    </message>
    <message>
        <source>An unset variable means training alone; an empty one is refused.</source>
        <translation>未设置该变量表示单独训练；空变量会被拒绝。</translation>
    </message>
    <message>
        <source>Put the address into a list.</source>
        <translation>请把地址放进列表。</translation>
    </message>
    <message>
        <source>expected 0 with %1, which takes class indices, got %2</source>
        <translation>%1 采用类别序号，应为 0，实为 %2</translation>
    </message>
    <message>
        <source>Set data.one_hot to 0, or the loss to CategoricalCrossentropy.</source>
        <translation>请把 data.one_hot 设为 0，或把损失设为 CategoricalCrossentropy。</translation>
    </message>
    <message>
        <source>expected auto_shard OFF with a seed per worker, got another policy: the workers&apos; shards come from one order</source>
        <translation>每个工作器各用一个种子时 auto_shard 应为 OFF，实为其他策略：各工作器的分片来自同一顺序</translation>
    </message>
    <message>
        <source>Set data.auto_shard to OFF.</source>
        <translation>请把 data.auto_shard 设为 OFF。</translation>
    </message>
    <message>
        <source>expected each step once, got %1</source>
        <translation>每个步骤应恰有一次，实际为：%1</translation>
    </message>
    <message>
        <source>Leave data.order out for the usual one.</source>
        <translation>若用通常的顺序，请省略 data.order。</translation>
    </message>
    <message>
        <source>prefetch: expected it behind all other steps, where it readies whole batches while a step runs, got it before %1</source>
        <translation>prefetch：应在所有其他步骤之后，以便在一步运行时备好整个批次，实际在 %1 之前</translation>
    </message>
    <message>
        <source>Move prefetch to the end.</source>
        <translation>请把 prefetch 移到最后。</translation>
    </message>
    <message>
        <source>cache: expected it before repeat, got it behind: samples without an end never fill a cache</source>
        <translation>cache：应在 repeat 之前，实际在其后：没有尽头的样本永远填不满缓存</translation>
    </message>
    <message>
        <source>Move cache before repeat.</source>
        <translation>请把 cache 移到 repeat 之前。</translation>
    </message>
    <message>
        <source>take: expected it before repeat, where it shortens each epoch, got it behind: the data would end in the middle of the run</source>
        <translation>take：应在 repeat 之前，以缩短每个周期，实际在其后：数据会在运行中途结束</translation>
    </message>
    <message>
        <source>Move take before repeat.</source>
        <translation>请把 take 移到 repeat 之前。</translation>
    </message>
    <message>
        <source>expected a buffer of at most %1 batches behind repeat, which would fill any, got %2</source>
        <translation>在 repeat 之后缓冲区再大也会被填满，应不超过 %1 个批次，实为 %2</translation>
    </message>
    <message>
        <source>expected a buffer of at most %1 samples behind repeat, which would fill any, got %2</source>
        <translation>在 repeat 之后缓冲区再大也会被填满，应不超过 %1 个样本，实为 %2</translation>
    </message>
    <message>
        <source>Move shuffle before repeat.</source>
        <translation>请把 shuffle 移到 repeat 之前。</translation>
    </message>
    <message>
        <source>cache: expected it before shuffle, which then makes a new order in each epoch, got it behind: every epoch has the first one&apos;s</source>
        <translation>cache：应在 shuffle 之前，使其每个周期都产生新顺序，实际在其后：每个周期都用第一个周期的顺序</translation>
    </message>
    <message>
        <source>Move cache before shuffle, unless one order is meant.</source>
        <translation>若并非有意只用一种顺序，请把 cache 移到 shuffle 之前。</translation>
    </message>
    <message>
        <source>shuffle: expected it before batch, where it mixes samples, got it behind: whole batches change places, the samples of each stay together</source>
        <translation>shuffle：应在 batch 之前以打乱样本，实际在其后：只有整个批次换位置，每批的样本仍在一起</translation>
    </message>
    <message>
        <source>Move shuffle before batch, unless that is meant.</source>
        <translation>若非有意如此，请把 shuffle 移到 batch 之前。</translation>
    </message>
    <message>
        <source>take: expected it before cache, got it behind: TensorFlow gives up a cache that is not read to its end</source>
        <translation>take：应在 cache 之前，实际在其后：TensorFlow 会放弃没有读到末尾的缓存</translation>
    </message>
    <message>
        <source>Move take before cache.</source>
        <translation>请把 take 移到 cache 之前。</translation>
    </message>
    <message>
        <source>take behind shuffle: other samples in each epoch</source>
        <translation>take 在 shuffle 之后：每个周期用不同的样本</translation>
    </message>
    <message>
        <source>take behind shuffle, before cache: samples drawn once, the same in each epoch</source>
        <translation>take 在 shuffle 之后、cache 之前：样本只抽取一次，每个周期相同</translation>
    </message>
    <message>
        <source>take behind batch: it counts batches</source>
        <translation>take 在 batch 之后：按批次计数</translation>
    </message>
    <message>
        <source>repeat before shuffle: batches of two epochs are mixed at their border</source>
        <translation>repeat 在 shuffle 之前：两个周期交界处的批次会混在一起</translation>
    </message>
    <message>
        <source>repeat before shuffle: samples of two epochs are mixed at their border</source>
        <translation>repeat 在 shuffle 之前：两个周期交界处的样本会混在一起</translation>
    </message>
    <message>
        <source>repeat behind batch: each epoch drops its own remainder</source>
        <translation>repeat 在 batch 之后：每个周期丢弃各自的余数</translation>
    </message>
    <message>
        <source>repeat behind batch: each epoch ends in its own smaller batch</source>
        <translation>repeat 在 batch 之后：每个周期以各自较小的批次结束</translation>
    </message>
    <message>
        <source>normalize before scale: (x - mean) / std * scale + offset</source>
        <translation>normalize 在 scale 之前：(x - mean) / std * scale + offset</translation>
    </message>
    <message>
        <source>expected a set that is read without running foreign code, got %1, whose archive holds pickled objects</source>
        <translation>应为无需运行外来代码即可读取的数据集，实为 %1，其归档中含有 pickle 对象</translation>
    </message>
    <message>
        <source>Save padded sequences with numpy.savez and use data.dataset npz, or lines &quot;label&lt;TAB&gt;text&quot; and data.dataset text.</source>
        <translation>请用 numpy.savez 保存补齐的序列并使用 data.dataset npz，或保存为 &quot;label&lt;TAB&gt;text&quot; 各行并使用 data.dataset text。</translation>
    </message>
    <message>
        <source>expected a file for the data set %1, got none</source>
        <translation>数据集 %1 需要文件，现没有</translation>
    </message>
    <message>
        <source>expected both test files or neither, got one of them</source>
        <translation>两个测试文件应都有或都没有，现只有其一</translation>
    </message>
    <message>
        <source>expected no file with the data set %1, got %2</source>
        <translation>数据集 %1 不应有文件，现有 %2</translation>
    </message>
    <message>
        <source>Set data.dataset to idx or npy to use it.</source>
        <translation>若要使用它，请把 data.dataset 设为 idx 或 npy。</translation>
    </message>
    <message>
        <source>expected no files with the data set %1, got %2</source>
        <translation>数据集 %1 不应有文件列表，现有 %2</translation>
    </message>
    <message>
        <source>Set data.dataset to the files&apos; format to use them.</source>
        <translation>若要使用它们，请把 data.dataset 设为这些文件的格式。</translation>
    </message>
    <message>
        <source>expected at least one file for the data set %1, got none</source>
        <translation>数据集 %1 至少需要一个文件，现一个也没有</translation>
    </message>
    <message>
        <source>expected one archive with the data set %1, got %2</source>
        <translation>数据集 %1 应只有一个归档，现有 %2 个</translation>
    </message>
    <message>
        <source>expected one folder with the data set %1, got %2</source>
        <translation>数据集 %1 应只有一个文件夹，现有 %2 个</translation>
    </message>
    <message>
        <source>expected one character other than a quote, got %1</source>
        <translation>应为引号以外的一个字符，实为 %1</translation>
    </message>
    <message>
        <source>expected the label&apos;s column by name or index, got none</source>
        <translation>需要标签列的名称或序号，现没有</translation>
    </message>
    <message>
        <source>expected columns without the label, got %1, which is data.csv.label</source>
        <translation>应为不含标签的列，现有 %1，它是 data.csv.label</translation>
    </message>
    <message>
        <source>expected either feature_columns or csv.features, got both</source>
        <translation>feature_columns 与 csv.features 只应有其一，现两者都有</translation>
    </message>
    <message>
        <source>Set data.csv.features to [].</source>
        <translation>请把 data.csv.features 设为 []。</translation>
    </message>
    <message>
        <source>expected a column other than the label, got %1</source>
        <translation>应为标签以外的列，实为 %1</translation>
    </message>
    <message>
        <source>expected 1 with the data set csv, whose cells are one number each, got %1</source>
        <translation>数据集 csv 的每个单元格只有一个数，应为 1，实为 %1</translation>
    </message>
    <message>
        <source>expected at least one text, got none</source>
        <translation>至少应有一个文本，现一个也没有</translation>
    </message>
    <message>
        <source>expected every text once, got %1 twice</source>
        <translation>每个文本只应出现一次，%1 出现了两次</translation>
    </message>
    <message>
        <source>expected %1, the numbers that data.feature_columns make, got %2</source>
        <translation>应为 data.feature_columns 产生的数的个数 %1，实为 %2</translation>
    </message>
    <message>
        <source>Set model.input_shape to %1.</source>
        <translation>请把 model.input_shape 设为 %1。</translation>
    </message>
    <message>
        <source>expected none with the data set %1, which has no columns, got %2</source>
        <translation>数据集 %1 没有列，不应有此项，现有 %2 个</translation>
    </message>
    <message>
        <source>Set data.dataset to csv or tfrecord.</source>
        <translation>请把 data.dataset 设为 csv 或 tfrecord。</translation>
    </message>
    <message>
        <source>expected the name of a feature, got none</source>
        <translation>需要特征的名称，现没有</translation>
    </message>
    <message>
        <source>expected the shape of a sample with encoding %1, got none</source>
        <translation>编码为 %1 时需要样本的形状，现没有</translation>
    </message>
    <message>
        <source>expected DATA, AUTO or OFF with the data set %1, which is not read file by file, got FILE</source>
        <translation>数据集 %1 不按文件读取，应为 DATA、AUTO 或 OFF，实为 FILE</translation>
    </message>
    <message>
        <source>Set data.auto_shard to AUTO.</source>
        <translation>请把 data.auto_shard 设为 AUTO。</translation>
    </message>
    <message>
        <source>expected at least one file for each of %1 workers, which AUTO and FILE give whole files to, got %2</source>
        <translation>AUTO 和 FILE 按整个文件分配，%1 个工作器每个至少应有一个文件，现有 %2 个</translation>
    </message>
    <message>
        <source>Set data.auto_shard to DATA.</source>
        <translation>请把 data.auto_shard 设为 DATA。</translation>
    </message>
    <message>
        <source>expected 1 with the data set %1, which holds no pixels, got %2</source>
        <translation>数据集 %1 不含像素，应为 1，实为 %2</translation>
    </message>
    <message>
        <source>Set data.scale to 1.</source>
        <translation>请把 data.scale 设为 1。</translation>
    </message>
    <message>
        <source>expected %1, the rows and columns of the model&apos;s input %2, got %3</source>
        <translation>应为模型输入 %2 的行和列 %1，实为 %3</translation>
    </message>
    <message>
        <source>Set data.images.size to %1, or the model&apos;s input to the pictures&apos;.</source>
        <translation>请把 data.images.size 设为 %1，或把模型的输入设为图片的大小。</translation>
    </message>
    <message>
        <source>expected %1 for the model&apos;s input %2, got rgb (3 channels)</source>
        <translation>模型输入 %2 需要 %1，实为 rgb（3 个通道）</translation>
    </message>
    <message>
        <source>expected %1 for the model&apos;s input %2, got grayscale (1 channel)</source>
        <translation>模型输入 %2 需要 %1，实为 grayscale（1 个通道）</translation>
    </message>
    <message>
        <source>expected 1 or 3 channels in the model&apos;s input %1, got rgb (3 channels)</source>
        <translation>模型输入 %1 应有 1 个或 3 个通道，实为 rgb（3 个通道）</translation>
    </message>
    <message>
        <source>expected 1 or 3 channels in the model&apos;s input %1, got grayscale (1 channel)</source>
        <translation>模型输入 %1 应有 1 个或 3 个通道，实为 grayscale（1 个通道）</translation>
    </message>
    <message>
        <source>expected as many values as a sample of %1 has, %2, got %3</source>
        <translation>值的个数应与 %1 的样本 %2 相同，实为 %3</translation>
    </message>
    <message>
        <source>%1 makes samples of another shape.</source>
        <translation>可用 %1 改变样本的形状。</translation>
    </message>
    <message>
        <source>expected one label for each place of the model&apos;s output %1, %2 has one a sample</source>
        <translation>模型输出 %1 的每个位置应有一个标签，而 %2 每个样本只有一个</translation>
    </message>
    <message>
        <source>End the model with Flatten and Dense.</source>
        <translation>请用 Flatten 和 Dense 结束模型。</translation>
    </message>
    <message>
        <source>expected a model output of at least the %1 classes of %2, got %3</source>
        <translation>模型输出至少应有 %2 的 %1 个类别，实为 %3</translation>
    </message>
    <message>
        <source>Give the last layer %1 units.</source>
        <translation>请给最后一层 %1 个单元。</translation>
    </message>
    <message>
        <source>expected at least the %1 classes of %2, got %3</source>
        <translation>至少应为 %2 的 %1 个类别，实为 %3</translation>
    </message>
    <message>
        <source>expected the %1 values of the model&apos;s output, which %2 compares with the labels, got %3</source>
        <translation>应为模型输出的 %1 个值，%2 把它们与标签比较，实为 %3</translation>
    </message>
    <message>
        <source>expected labels of the model&apos;s output %1 with %2, %3 has class indices</source>
        <translation>使用 %2 时标签应与模型输出 %1 一致，而 %3 的标签是类别序号</translation>
    </message>
    <message>
        <source>Set data.one_hot to %1, or the loss to SparseCategoricalCrossentropy.</source>
        <translation>请把 data.one_hot 设为 %1，或把损失设为 SparseCategoricalCrossentropy。</translation>
    </message>
    <message>
        <source>expected labels from 0 to 1 with %1, %2 has the classes 0 to %3</source>
        <translation>使用 %1 时标签应在 0 到 1 之间，而 %2 有类别 0 到 %3</translation>
    </message>
    <message>
        <source>expected a share that leaves some of the %1 training samples of %2 to train on, got %3</source>
        <translation>该比例应使 %2 的 %1 个训练样本中还有剩余可供训练，实为 %3</translation>
    </message>
    <message>
        <source>expected a whole batch in the %1 samples that are trained on, got %2 a replica with data.drop_remainder</source>
        <translation>用于训练的 %1 个样本应至少够一个完整批次，实际启用 data.drop_remainder 且每个副本 %2 个</translation>
    </message>
    <message>
        <source>expected 1 or %1 numbers for samples of shape %2, got %3</source>
        <translation>形状为 %2 的样本应有 1 个或 %1 个数，现有 %3 个</translation>
    </message>
    <message>
        <source>expected a project as JSON, got a mistake at %1</source>
        <translation>应为 JSON 格式的项目，现有错误：%1</translation>
    </message>
    <message>
        <source>expected a project as a JSON object, got %1</source>
        <translation>应为 JSON 对象形式的项目，实为 %1</translation>
    </message>
    <message>
        <source>expected a project version from 1 to %1, got %2</source>
        <translation>项目版本应在 1 到 %1 之间，实为 %2</translation>
    </message>
    <message>
        <source>expected a project version of at most %1, got %2</source>
        <translation>项目版本不应高于 %1，实为 %2</translation>
    </message>
    <message>
        <source>A newer Tandem wrote this project: open it with that one.</source>
        <translation>此项目由较新的 Tandem 写成：请用那个版本打开。</translation>
    </message>
    <message>
        <source>unknown key: expected %1, got %2</source>
        <translation>未知的键：应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected at most %1 bytes of text, got %2</source>
        <translation>文本不应超过 %1 字节，实为 %2 字节</translation>
    </message>
    <message>
        <source>Write it as %1.</source>
        <translation>请写成 %1 的形式。</translation>
    </message>
    <message>
        <source>Write %1.</source>
        <translation>请写 %1。</translation>
    </message>
    <message>
        <source>expected %1, got nothing</source>
        <translation>需要 %1，现没有</translation>
    </message>
    <message>
        <source>expected %1, got none</source>
        <translation>应有 %1，现没有</translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation>应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected at least one layer, got none</source>
        <translation>至少应有一个层，现一个也没有</translation>
    </message>
    <message>
        <source>expected a layer with trainable weights, got none</source>
        <translation>应有带可训练权重的层，现没有</translation>
    </message>
    <message>
        <source>expected at most 1e12 values in a sample, got %1</source>
        <translation>一个样本的值不应超过 1e12 个，实际形状为 %1</translation>
    </message>
    <message>
        <source>expected at most 1e12 values in the output and in each variable, got output %1</source>
        <translation>输出和每个变量的值不应超过 1e12 个，实际输出为 %1</translation>
    </message>
    <message>
        <source>MNIST&apos;s images are [28, 28, 1].</source>
        <translation>MNIST 的图像为 [28, 28, 1]。</translation>
    </message>
    <message>
        <source>mixed_%1 computes in %2 and keeps the weights in float32.</source>
        <translation>mixed_%1 以 %2 计算，权重保持为 float32。</translation>
    </message>
    <message>
        <source>expected a policy for processors as well, got mixed_float16, which trains on GPUs alone</source>
        <translation>应为处理器也能用的策略，实为只能在 GPU 上训练的 mixed_float16</translation>
    </message>
    <message>
        <source>A task that runs on a processor refuses it; mixed_bfloat16 runs on both and needs no loss scaling.</source>
        <translation>在处理器上运行的任务会拒绝它；mixed_bfloat16 两者皆可运行，且无需损失缩放。</translation>
    </message>
    <message>
        <source>expected none on a processor, got a LossScaleOptimizer, which is for GPUs alone</source>
        <translation>在处理器上不应有，现有仅用于 GPU 的 LossScaleOptimizer</translation>
    </message>
    <message>
        <source>expected %1 on a processor, got %2, which is for GPUs alone</source>
        <translation>在处理器上应为 %1，实为仅用于 GPU 的 %2</translation>
    </message>
    <message>
        <source>mixed_bfloat16 runs on both and needs no loss scaling.</source>
        <translation>mixed_bfloat16 两者皆可运行，且无需损失缩放。</translation>
    </message>
    <message>
        <source>expected a name of its own, got %1 a second time</source>
        <translation>每层应有自己的名称，%1 出现了第二次</translation>
    </message>
    <message>
        <source>Rename one of the layers.</source>
        <translation>请重命名其中一个层。</translation>
    </message>
    <message>
        <source>expected ids from the model&apos;s input, got the output of a layer %1</source>
        <translation>应为来自模型输入的编号，实为层 %1 的输出</translation>
    </message>
    <message>
        <source>expected an output with a mask of the sizes %1 or none, got one of %2</source>
        <translation>输出的掩码大小应为 %1 或没有掩码，实为 %2</translation>
    </message>
    <message>
        <source>A Flatten or a Reshape behind it drops the mask.</source>
        <translation>在其后放 Flatten 或 Reshape 可去掉掩码。</translation>
    </message>
    <message>
        <source>expected none of a layer inside another (not supported), got one</source>
        <translation>位于另一层内部的层不应有此项（不支持），现有一个</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>expected no field, got %1</source>
        <translation>不应有字段，现有 %1</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>an integer or a list of epochs</source>
        <translation>整数或周期列表</translation>
    </message>
    <message>
        <source>a whole number or null</source>
        <translation>整数或 null</translation>
    </message>
    <message>
        <source>a number or a list of different ones</source>
        <translation>一个数或各不相同的数的列表</translation>
    </message>
    <message>
        <source>a list of numbers or of texts</source>
        <translation>数的列表或文本列表</translation>
    </message>
    <message>
        <source>a mixed or nested one</source>
        <translation>混合或嵌套的列表</translation>
    </message>
    <message>
        <source>one or two integers of at least %1 and at most %2</source>
        <translation>不小于 %1 且不大于 %2 的一个或两个整数</translation>
    </message>
    <message>
        <source>one, two or four numbers</source>
        <translation>一个、两个或四个数</translation>
    </message>
    <message>
        <source>one or two numbers above -1</source>
        <translation>大于 -1 的一个或两个数</translation>
    </message>
    <message>
        <source>one or two numbers</source>
        <translation>一个或两个数</translation>
    </message>
    <message>
        <source>one number, or three for an input of 3 channels</source>
        <translation>一个数，或对 3 个通道的输入为三个数</translation>
    </message>
    <message>
        <source>two rising numbers</source>
        <translation>两个递增的数</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>a text such as &quot;grpc&quot;</source>
        <translation>&quot;grpc&quot; 这样的文本</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a list of integers</source>
        <translation>整数列表</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>数的列表</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a list of layers</source>
        <translation>层的列表</translation>
    </message>
    <message>
        <source>a list of metrics</source>
        <translation>指标列表</translation>
    </message>
    <message>
        <source>a list of feature columns</source>
        <translation>特征列的列表</translation>
    </message>
    <message>
        <source>a list of exporters</source>
        <translation>导出器列表</translation>
    </message>
    <message>
        <source>a list of addresses</source>
        <translation>地址列表</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>an object with class_name and config</source>
        <translation>带有 class_name 和 config 的对象</translation>
    </message>
    <message>
        <source>an object without class_name</source>
        <translation>没有 class_name 的对象</translation>
    </message>
    <message>
        <source>an object with type and index</source>
        <translation>带有 type 和 index 的对象</translation>
    </message>
    <message>
        <source>an object of fields</source>
        <translation>由字段组成的对象</translation>
    </message>
    <message>
        <source>an object of jobs</source>
        <translation>由作业组成的对象</translation>
    </message>
    <message>
        <source>an object of weights by class such as {&quot;0&quot;: 1.5}</source>
        <translation>按类别给出权重的对象，例如 {&quot;0&quot;: 1.5}</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>class numbers as keys and numbers as weights</source>
        <translation>以类别号为键、以数为权重</translation>
    </message>
    <message>
        <source>task indices as keys</source>
        <translation>以任务序号为键</translation>
    </message>
    <message>
        <source>whole numbers as keys of tasks</source>
        <translation>以整数为任务的键</translation>
    </message>
    <message>
        <source>an address &quot;host:port&quot;</source>
        <translation>“主机:端口”形式的地址</translation>
    </message>
    <message>
        <source>an address as text</source>
        <translation>文本形式的地址</translation>
    </message>
    <message>
        <source>an empty text</source>
        <translation>空文本</translation>
    </message>
    <message>
        <source>an Estimator</source>
        <translation>Estimator</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>第 %1 行第 %2 列：%3</translation>
    </message>
    <message>
        <source>expected at most %1 values within each other</source>
        <translation>值的嵌套不应超过 %1 层</translation>
    </message>
    <message>
        <source>the name %1: expected it once in an object, got it twice</source>
        <translation>名称 %1 在一个对象中只应出现一次，实际出现两次</translation>
    </message>
    <message>
        <source>sizes of at least 1 with at most 2^31 elements</source>
        <translation>各为 1 以上且元素不超过 2^31 个的大小</translation>
    </message>
    <message>
        <source>sizes of at least 1</source>
        <translation>各为 1 以上的大小</translation>
    </message>
    <message>
        <source>a name of letters, digits, dots, - and _</source>
        <translation>由字母、数字、点、- 和 _ 组成的名称</translation>
    </message>
    <message>
        <source>a layer of class %1</source>
        <translation>类为 %1 的层</translation>
    </message>
    <message>
        <source>one of the fields %1</source>
        <translation>字段 %1</translation>
    </message>
    <message>
        <source>axes from 1 to %1</source>
        <translation>从 1 到 %1 的轴</translation>
    </message>
    <message>
        <source>axes of %1, from 0 to %2</source>
        <translation>%1 的轴，从 0 到 %2</translation>
    </message>
    <message>
        <source>an axis from 1 to %1, or -1 for the last</source>
        <translation>从 1 到 %1 的轴，或表示最后一轴的 -1</translation>
    </message>
    <message>
        <source>each axis from 1 to %1 once</source>
        <translation>从 1 到 %1 的每个轴各一次</translation>
    </message>
    <message>
        <source>weights of two or more axes for %1</source>
        <translation>用于 %1 的两个或更多轴的权重</translation>
    </message>
    <message>
        <source>weights of two axes for %1</source>
        <translation>用于 %1 的两个轴的权重</translation>
    </message>
    <message>
        <source>an input without a mask, which this layer takes for one of its own values (Activation softmax passes it on)</source>
        <translation>没有掩码的输入（本层会把掩码当作自己的值；Activation softmax 会把它传下去）</translation>
    </message>
    <message>
        <source>one of the sizes %1</source>
        <translation>大小为 %1 的掩码</translation>
    </message>
    <message>
        <source>a mask of the sizes %1</source>
        <translation>大小为 %1 的掩码</translation>
    </message>
    <message>
        <source>a mask with a value for each time</source>
        <translation>每个时间步各有一个值的掩码</translation>
    </message>
    <message>
        <source>one for each sample</source>
        <translation>每个样本一个值的掩码</translation>
    </message>
    <message>
        <source>less than the strides (%1)</source>
        <translation>小于 strides（%1）的值</translation>
    </message>
    <message>
        <source>less than %1</source>
        <translation>小于 %1 的值</translation>
    </message>
    <message>
        <source>an output of at least one row and column (the input is %1)</source>
        <translation>至少一行一列的输出（输入为 %1）</translation>
    </message>
    <message>
        <source>a window of at most %1 rows (the input is %2)</source>
        <translation>不超过 %1 行的窗口（输入为 %2）</translation>
    </message>
    <message>
        <source>a window of at most %1 columns (the input is %2)</source>
        <translation>不超过 %1 列的窗口（输入为 %2）</translation>
    </message>
    <message>
        <source>a window of at most %1 steps (the input is %2)</source>
        <translation>不超过 %1 个时间步的窗口（输入为 %2）</translation>
    </message>
    <message>
        <source>a divisor of %1 filters and of %2 input channels</source>
        <translation>%1 个滤波器与 %2 个输入通道的公约数</translation>
    </message>
    <message>
        <source>a divisor of %1 channels, or -1 for all of them</source>
        <translation>%1 个通道的约数，或表示全部的 -1</translation>
    </message>
    <message>
        <source>the batch (-1), then the input&apos;s sizes, %1, or 1 for one value along an axis</source>
        <translation>批次（-1），其后为输入的大小 %1，或以 1 表示该轴共用一个值</translation>
    </message>
    <message>
        <source>input rank 2 or more (batch and features)</source>
        <translation>秩为 2 或以上的输入（批次、特征）</translation>
    </message>
    <message>
        <source>input rank 2 (batch and features)</source>
        <translation>秩为 2 的输入（批次、特征）</translation>
    </message>
    <message>
        <source>input rank 3 (batch, time and features)</source>
        <translation>秩为 3 的输入（批次、时间、特征）</translation>
    </message>
    <message>
        <source>input rank 3 (batch, steps and channels)</source>
        <translation>秩为 3 的输入（批次、时间步、通道）</translation>
    </message>
    <message>
        <source>input rank 3 or more (batch, time and values)</source>
        <translation>秩为 3 或以上的输入（批次、时间、值）</translation>
    </message>
    <message>
        <source>input rank 4 (batch, rows, columns and channels)</source>
        <translation>秩为 4 的输入（批次、行、列、通道）</translation>
    </message>
    <message>
        <source>an input of 3 channels</source>
        <translation>3 个通道的输入</translation>
    </message>
    <message>
        <source>an input of 1 or 3 channels</source>
        <translation>1 个或 3 个通道的输入</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>秩 %1</translation>
    </message>
    <message>
        <source>false (not supported)</source>
        <translation>false（其他值不支持）</translation>
    </message>
    <message>
        <source>false with crop_to_aspect_ratio</source>
        <translation>与 crop_to_aspect_ratio 同时使用时为 false</translation>
    </message>
    <message>
        <source>sizes whose product is %1 (the input is %2), one of them -1 for the rest at most</source>
        <translation>乘积为 %1 的大小（输入为 %2，其中最多一个可为表示其余的 -1）</translation>
    </message>
    <message>
        <source>a model output of rank 2 or more (batch and classes)</source>
        <translation>秩为 2 或以上的模型输出（批次、类别）</translation>
    </message>
    <message>
        <source>a model output of rank 2 or more (batch and values)</source>
        <translation>秩为 2 或以上的模型输出（批次、值）</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and classes) with one label a sample</source>
        <translation>每个样本一个标签、秩为 2 的模型输出（批次、类别）</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and classes)</source>
        <translation>秩为 2 的模型输出（批次、类别）</translation>
    </message>
    <message>
        <source>a model output of rank 2 (batch and values)</source>
        <translation>秩为 2 的模型输出（批次、值）</translation>
    </message>
    <message>
        <source>a class of the model&apos;s output, from 0 to %1</source>
        <translation>模型输出的类别，从 0 到 %1</translation>
    </message>
    <message>
        <source>one value more than the %1 boundaries</source>
        <translation>比 %1 个 boundaries 多一个的值</translation>
    </message>
    <message>
        <source>rising steps</source>
        <translation>递增的步数</translation>
    </message>
    <message>
        <source>rising epochs</source>
        <translation>递增的周期</translation>
    </message>
    <message>
        <source>rising numbers</source>
        <translation>递增的数</translation>
    </message>
    <message>
        <source>a number above 0 that float32 holds</source>
        <translation>大于 0 且 float32 能表示的数</translation>
    </message>
    <message>
        <source>1 to 16777216 steps</source>
        <translation>1 到 16777216 步</translation>
    </message>
    <message>
        <source>a number below 1</source>
        <translation>小于 1 的数</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>一个字符</translation>
    </message>
    <message>
        <source>a file below the run&apos;s folder</source>
        <translation>运行文件夹下的文件</translation>
    </message>
    <message>
        <source>a weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>finite numbers</source>
        <translation>有限的数</translation>
    </message>
    <message>
        <source>a finite number other than 0</source>
        <translation>0 以外的有限数</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>有限数</translation>
    </message>
    <message>
        <source>rows and columns from 1 to 32768</source>
        <translation>从 1 到 32768 的行和列</translation>
    </message>
    <message>
        <source>%1 (CPUs count from 0 without a gap; strategy.logical_cpus makes more)</source>
        <translation>%1（CPU 从 0 起连续编号；可用 strategy.logical_cpus 增加）</translation>
    </message>
    <message>
        <source>%1:0 to %2</source>
        <translation>%1:0 到 %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 of at least %2 and at most %3</source>
        <translation>不小于 %2 且不大于 %3 的%1</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>不小于 %2 的%1</translation>
    </message>
    <message>
        <source>%1 of at most %2</source>
        <translation>不大于 %2 的%1</translation>
    </message>
    <message>
        <source>%1 above %2 and at most %3</source>
        <translation>大于 %2 且不大于 %3 的%1</translation>
    </message>
    <message>
        <source>%1 above %2</source>
        <translation>大于 %2 的%1</translation>
    </message>
    <message>
        <source>%1 twice, %2</source>
        <translation>%1 两次，%2</translation>
    </message>
    <message>
        <source>%1 twice and %2</source>
        <translation>%1 两次，%2</translation>
    </message>
    <message>
        <source>%1 twice</source>
        <translation>%1 两次</translation>
    </message>
    <message>
        <source>no %1, %2</source>
        <translation>没有 %1，%2</translation>
    </message>
    <message>
        <source>no %1 and %2</source>
        <translation>没有 %1，%2</translation>
    </message>
    <message>
        <source>no %1</source>
        <translation>没有 %1</translation>
    </message>
    <message>
        <source>%1 %2 times, %3</source>
        <translation>%1 %2 次，%3</translation>
    </message>
    <message>
        <source>%1 %2 times and %3</source>
        <translation>%1 %2 次，%3</translation>
    </message>
    <message>
        <source>%1 %2 times</source>
        <translation>%1 %2 次</translation>
    </message>
    <message>
        <source>expected a device such as CPU:0 or GPU:0, got %1</source>
        <translation>应为 CPU:0 或 GPU:0 这样的设备，实为 %1</translation>
    </message>
    <message>
        <source>expected logical CPUs or logical GPUs, got %1 and %2</source>
        <translation>逻辑 CPU 与逻辑 GPU 只应有其一，现有 %1 个和 %2 个</translation>
    </message>
    <message>
        <source>Set one of them to 0.</source>
        <translation>请把其中一个设为 0。</translation>
    </message>
    <message>
        <source>expected one device with %1, got %2</source>
        <translation>使用 %1 时应只有一个设备，现有 %2 个</translation>
    </message>
    <message>
        <source>Choose MirroredStrategy or CentralStorageStrategy for several devices of one computer, MultiWorkerMirroredStrategy for several of each worker.</source>
        <translation>一台计算机的多个设备请选 MirroredStrategy 或 CentralStorageStrategy，每个工作器的多个设备请选 MultiWorkerMirroredStrategy。</translation>
    </message>
    <message>
        <source>expected one way to clip gradients, got %1 too</source>
        <translation>裁剪梯度的方式只应有一种，现另有 %1</translation>
    </message>
    <message>
        <source>expected a momentum above 0 with nesterov, got 0: it changes nothing</source>
        <translation>使用 nesterov 时 momentum 应大于 0，实为 0：不会有任何变化</translation>
    </message>
    <message>
        <source>expected none beside loss_scale, whose scale takes its place</source>
        <translation>loss_scale 的缩放会取代它，两者不应同时出现</translation>
    </message>
    <message>
        <source>expected false with a last layer that ends in %1, got true</source>
        <translation>最后一层以 %1 结尾时应为 false，实为 true</translation>
    </message>
    <message>
        <source>Set from_logits to false or remove the %1.</source>
        <translation>请把 from_logits 设为 false，或去掉 %1。</translation>
    </message>
    <message>
        <source>expected true with a last layer without %1, got false</source>
        <translation>最后一层没有 %1 时应为 true，实为 false</translation>
    </message>
    <message>
        <source>Set from_logits to true or end the model in %1.</source>
        <translation>请把 from_logits 设为 true，或让模型以 %1 结尾。</translation>
    </message>
    <message>
        <source>End the model with Flatten and Dense, or give every position a label.</source>
        <translation>请用 Flatten 和 Dense 结束模型，或给每个位置一个标签。</translation>
    </message>
    <message>
        <source>expected at least 2 classes as model output, got %1</source>
        <translation>模型输出至少应有 2 个类别，实为 %1</translation>
    </message>
    <message>
        <source>expected micro, macro or weighted, got none: a value for each class is not one number of a curve</source>
        <translation>应为 micro、macro 或 weighted，现没有：每个类别一个值无法成为曲线上的一个数</translation>
    </message>
    <message>
        <source>Set average to macro.</source>
        <translation>请把 average 设为 macro。</translation>
    </message>
    <message>
        <source>expected a metric of labels that are classes, as %1 has them, got %2</source>
        <translation>应为标签是类别的指标，与 %1 一致，实为 %2</translation>
    </message>
    <message>
        <source>expected a metric of labels that are values, as %1 has them, got %2</source>
        <translation>应为标签是数值的指标，与 %1 一致，实为 %2</translation>
    </message>
    <message>
        <source>Set it to accuracy.</source>
        <translation>请设为 accuracy。</translation>
    </message>
    <message>
        <source>expected every metric once, got %1 a second time</source>
        <translation>每个指标只应出现一次，%1 出现了第二次</translation>
    </message>
    <message>
        <source>expected at most %1 metrics, got %2</source>
        <translation>指标不应超过 %1 个，现有 %2 个</translation>
    </message>
    <message>
        <source>Weighted ones and every threshold count.</source>
        <translation>加权指标和每个阈值都计入。</translation>
    </message>
    <message>
        <source>expected names of their own in the logs, got %1 twice</source>
        <translation>日志中的名称应各不相同，%1 出现了两次</translation>
    </message>
    <message>
        <source>Set name of one of them.</source>
        <translation>请设置其中一个的 name。</translation>
    </message>
    <message>
        <source>expected less than the %1 epochs, got %2</source>
        <translation>应小于总周期数 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected weights (.weights.h5, .keras, .h5 or a checkpoint), got JSON: %1</source>
        <translation>应为权重文件（.weights.h5、.keras、.h5 或检查点），实为 JSON：%1</translation>
    </message>
    <message>
        <source>expected a name that ends in .weights.h5, .keras or .h5, got %1</source>
        <translation>名称应以 .weights.h5、.keras 或 .h5 结尾，实为 %1</translation>
    </message>
    <message>
        <source>Write weights.keras; --save-weights of the command line takes any place.</source>
        <translation>请写 weights.keras；命令行的 --save-weights 可用任意位置。</translation>
    </message>
    <message>
        <source>expected at least 0 and less than 1, got %1</source>
        <translation>应不小于 0 且小于 1，实为 %1</translation>
    </message>
    <message>
        <source>expected a file outside of checkpoints and backup, which hold the run&apos;s own, got %1</source>
        <translation>应为 checkpoints 和 backup 之外的文件，这两处存放运行自己的文件，实为 %1</translation>
    </message>
    <message>
        <source>expected every { with its }, got %1</source>
        <translation>每个 { 都应有对应的 }，实为 %1</translation>
    </message>
    <message>
        <source>expected %1 between braces, got %2</source>
        <translation>花括号中应为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected a format like 02d or .4f of %1, got %2</source>
        <translation>%1 的格式应如 02d 或 .4f，实为 %2</translation>
    </message>
    <message>
        <source>expected min or max for %1, whose name does not tell, got auto</source>
        <translation>仅凭名称无法判断 %1 的方向，应为 min 或 max，实为 auto</translation>
    </message>
    <message>
        <source>expected a learning rate that is a number beside a callback that sets it, got a schedule in the optimizer</source>
        <translation>有回调设置学习率时，学习率应为一个数，而优化器中是调度</translation>
    </message>
    <message>
        <source>Remove the callback or set compile.optimizer.learning_rate to a number.</source>
        <translation>请删除该回调，或把 compile.optimizer.learning_rate 设为一个数。</translation>
    </message>
    <message>
        <source>expected the ending .weights.h5 with save_weights_only, or none, got %1</source>
        <translation>使用 save_weights_only 时应以 .weights.h5 结尾或没有扩展名，实为 %1</translation>
    </message>
    <message>
        <source>expected the ending .keras or .h5 without save_weights_only, or none, got %1</source>
        <translation>不使用 save_weights_only 时应以 .keras 或 .h5 结尾或没有扩展名，实为 %1</translation>
    </message>
    <message>
        <source>expected at least one epoch, got none</source>
        <translation>至少应有一个周期，现一个也没有</translation>
    </message>
    <message>
        <source>expected one rate for each of the %1 epochs, got %2</source>
        <translation>%1 个周期应各有一个学习率，现有 %2 个</translation>
    </message>
    <message>
        <source>expected true beside the callback SwapEMAWeights, got false</source>
        <translation>有回调 SwapEMAWeights 时应为 true，实为 false</translation>
    </message>
    <message>
        <source>Set it to true or remove the callback.</source>
        <translation>请设为 true，或删除该回调。</translation>
    </message>
    <message>
        <source>expected a name beside the run&apos;s own files (project.tandem, run.json, finished.json, checkpoints.jsonl, journal, lock), got %1</source>
        <translation>名称不应与运行自己的文件（project.tandem、run.json、finished.json、checkpoints.jsonl、journal、lock）相同，实为 %1</translation>
    </message>
    <message>
        <source>expected every callback once, got %1 a second time</source>
        <translation>每个回调只应出现一次，%1 出现了第二次</translation>
    </message>
    <message>
        <source>expected seconds of at least 0, got %1</source>
        <translation>秒数应不小于 0，实为 %1</translation>
    </message>
    <message>
        <source>expected hours above 0, got %1</source>
        <translation>小时数应大于 0，实为 %1</translation>
    </message>
    <message>
        <source>expected either steps or seconds between checkpoints, got %1 steps and %2 seconds</source>
        <translation>检查点之间应为步数或秒数之一，实为 %1 步和 %2 秒</translation>
    </message>
    <message>
        <source>Leave one of them empty (None).</source>
        <translation>请将其中之一留空（None）。</translation>
    </message>
    <message>
        <source>expected a number of steps where the input repeats without end, got none</source>
        <translation>输入无限重复时需要步数，现没有</translation>
    </message>
    <message>
        <source>Set estimator.train_spec.max_steps, or estimator.train_spec.input_repeats to a number of passes.</source>
        <translation>请设置 estimator.train_spec.max_steps，或把 estimator.train_spec.input_repeats 设为遍数。</translation>
    </message>
    <message>
        <source>expected an estimator that counts steps alone, got fit.steps %1 beside it</source>
        <translation>应只由 Estimator 计步，现另有 fit.steps %1</translation>
    </message>
    <message>
        <source>Set fit.steps to 0.</source>
        <translation>请把 fit.steps 设为 0。</translation>
    </message>
    <message>
        <source>expected a name for each exporter, got %1 a second time</source>
        <translation>每个导出器应有自己的名称，%1 出现了第二次</translation>
    </message>
    <message>
        <source>Write a plain name.</source>
        <translation>请只写名称。</translation>
    </message>
    <message>
        <source>expected a name without a slash, got %1</source>
        <translation>名称不应含斜杠，实为 %1</translation>
    </message>
    <message>
        <source>expected none with an estimator, which has no callbacks, got %1</source>
        <translation>Estimator 没有回调，不应有此项，现有 %1</translation>
    </message>
    <message>
        <source>It has no effect: estimator.run_config says when checkpoints are written.</source>
        <translation>没有效果：何时写检查点由 estimator.run_config 决定。</translation>
    </message>
    <message>
        <source>%1: expected ports up to 65535 for %2 tasks, counted from %3</source>
        <translation>%1：%2 个任务的端口不应超过 65535，现从 %3 数起</translation>
    </message>
    <message>
        <source>Begin with a smaller port.</source>
        <translation>请从较小的端口开始。</translation>
    </message>
    <message>
        <source>expected at most %1 tasks in all, got more</source>
        <translation>任务总数不应超过 %1，实际更多</translation>
    </message>
    <message>
        <source>hostfile: expected at least one host, got none</source>
        <translation>主机文件：至少应有一台主机，现一台也没有</translation>
    </message>
    <message>
        <source>Write a host a line, such as &quot;node1 slots=2&quot;.</source>
        <translation>请每行写一台主机，例如 &quot;node1 slots=2&quot;。</translation>
    </message>
    <message>
        <source>expected slots=N or max_slots=N after the host, got %1</source>
        <translation>主机之后应为 slots=N 或 max_slots=N，实为 %1</translation>
    </message>
    <message>
        <source>expected at least 1 slot as a whole number, got %1</source>
        <translation>slots 应为不小于 1 的整数，实为 %1</translation>
    </message>
    <message>
        <source>Write slots=2 for two workers.</source>
        <translation>两个 worker 请写 slots=2。</translation>
    </message>
    <message>
        <source>expected a range such as 01-04, got %1</source>
        <translation>应为 01-04 这样的范围，实为 %1</translation>
    </message>
    <message>
        <source>expected at most 4096 hosts, got more</source>
        <translation>主机不应超过 4096 台，实际更多</translation>
    </message>
    <message>
        <source>expected a host between two commas, got none</source>
        <translation>两个逗号之间应有主机，现没有</translation>
    </message>
    <message>
        <source>expected a closing ] in %1</source>
        <translation>%1 中应有右括号 ]</translation>
    </message>
    <message>
        <source>expected the list of hosts, got none</source>
        <translation>需要主机列表，现没有</translation>
    </message>
    <message>
        <source>expected counts such as 2(x3),1, got %1</source>
        <translation>应为 2(x3),1 这样的个数，实为 %1</translation>
    </message>
    <message>
        <source>expected a count for each of %1 hosts, got %2</source>
        <translation>%1 台主机应各有一个个数，现有 %2 个</translation>
    </message>
    <message>
        <source>expected at least 1 task as a whole number, got %1</source>
        <translation>任务数应为不小于 1 的整数，实为 %1</translation>
    </message>
    <message>
        <source>expected 1 to %1 tasks, got %2</source>
        <translation>任务应为 1 到 %1 个，实为 %2</translation>
    </message>
    <message>
        <source>expected a rank below the number of tasks (%1), got %2</source>
        <translation>序号应小于任务数（%1），实为 %2</translation>
    </message>
    <message>
        <source>expected addresses of tasks that the text itself gives, got none</source>
        <translation>文本本身应给出任务的地址，现没有</translation>
    </message>
    <message>
        <source>expected JSON, as TensorFlow reads it, got a mistake at %1; Python&apos;s text of a dictionary is none</source>
        <translation>应为 TensorFlow 所读的 JSON，现有错误：%1；Python 的字典写法不是 JSON</translation>
    </message>
    <message>
        <source>expected JSON, as TensorFlow reads it, got a mistake at %1</source>
        <translation>应为 TensorFlow 所读的 JSON，现有错误：%1</translation>
    </message>
    <message>
        <source>Write it as JSON: %1</source>
        <translation>请写成 JSON：%1</translation>
    </message>
    <message>
        <source>TF_CONFIG: expected a JSON object, got a mistake at %1</source>
        <translation>TF_CONFIG：应为 JSON 对象，现有错误：%1</translation>
    </message>
    <message>
        <source>expected a project version from 1 to %1, got none</source>
        <translation>项目版本应在 1 到 %1 之间，现没有</translation>
    </message>
    <message>
        <source>expected one of the two layers with go_backwards, got it in both</source>
        <translation>两层中应恰有一层带 go_backwards，实际两层都有</translation>
    </message>
    <message>
        <source>expected one of the two layers with go_backwards, got it in none</source>
        <translation>两层中应恰有一层带 go_backwards，实际两层都没有</translation>
    </message>
    <message>
        <source>expected a layer with class_name and config, got its name alone</source>
        <translation>应为带有 class_name 和 config 的层，现只有名称</translation>
    </message>
    <message>
        <source>expected the return_sequences of the forward layer, got another</source>
        <translation>return_sequences 应与正向层相同，实际不同</translation>
    </message>
    <message>
        <source>expected the %1 units of the forward layer, got %2</source>
        <translation>单元数应与正向层相同，为 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected to leave a cell of the input at least, %1, got %2 to take from %3</source>
        <translation>输入 %1 中至少应留下一格，实际从 %3 中去掉 %2</translation>
    </message>
    <message>
        <source>expected 1 with strides above 1, got %1</source>
        <translation>strides 大于 1 时应为 1，实为 %1</translation>
    </message>
    <message>
        <source>expected 0 for never, or %1 to %2 seconds, got %3</source>
        <translation>应为 0（从不）或 %1 到 %2 秒，实为 %3</translation>
    </message>
    <message>
        <source>expected restart or fail with %1, whose other tasks go on by themselves while a lost one is started again, got continue</source>
        <translation>使用 %1 时应为 restart 或 fail，因为丢失的任务重新启动时其他任务自行继续，实为 continue</translation>
    </message>
    <message>
        <source>expected restart or fail with %1, whose one task leaves nobody to go on, got continue</source>
        <translation>使用 %1 时应为 restart 或 fail，因为它只有一个任务，没有可以继续的任务，实为 continue</translation>
    </message>
    <message>
        <source>Choose restart, or MultiWorkerMirroredStrategy.</source>
        <translation>请选择 restart 或 MultiWorkerMirroredStrategy。</translation>
    </message>
    <message>
        <source>unknown key: expected a job with its addresses, transport, start_timeout_s, threads_per_task, on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s or hosts, got %1</source>
        <translation>未知的键：应为带地址的作业、transport、start_timeout_s、threads_per_task、on_task_lost、scale_learning_rate、max_restarts、heartbeat_fatal_s、home_lost_s 或 hosts，实为 %1</translation>
    </message>
    <message>
        <source>expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI</source>
        <translation>不由 mpirun 启动任务时应为 AUTO、RING 或 NCCL，实为 MPI</translation>
    </message>
    <message>
        <source>Start them by mpirun -np N tandem-worker --from-mpi PROJECT; tandem-cli export launch --kind mpirun writes a script.</source>
        <translation>请用 mpirun -np N tandem-worker --from-mpi PROJECT 启动；tandem-cli export launch --kind mpirun 会写出脚本。</translation>
    </message>
    <message>
        <source>expected the file of a training that goes on in fit.initial_weights, got none</source>
        <translation>fit.initial_weights 中应有要接着的训练的文件，但没有</translation>
    </message>
    <message>
        <source>Name a run&apos;s checkpoint or backup in fit.initial_weights.</source>
        <translation>请在 fit.initial_weights 中写明某个运行的检查点或备份。</translation>
    </message>
    <message>
        <source>expected a checkpoint, a backup or a .keras file with its optimizer, got weights alone: %1</source>
        <translation>应为带优化器的检查点、备份或 .keras 文件，但只有权重：%1</translation>
    </message>
    <message>
        <source>expected a setting PATH=VALUE, got %1</source>
        <translation>应为 路径=值 形式的设置，得到 %1</translation>
    </message>
    <message>
        <source>expected a path such as fit.epochs or model.layers[2].units, got %1</source>
        <translation>应为 fit.epochs 或 model.layers[2].units 这样的路径，得到 %1</translation>
    </message>
    <message>
        <source>expected a value of the project, got the version of its format</source>
        <translation>应为项目的值，实为文件格式的版本</translation>
    </message>
    <message>
        <source>expected an index below %1, got %2</source>
        <translation>序号应小于 %1，得到 %2</translation>
    </message>
    <message>
        <source>expected a list before [%1], got %2</source>
        <translation>[%1] 之前应为列表，得到 %2</translation>
    </message>
    <message>
        <source>expected an object before .%1, got %2</source>
        <translation>.%1 之前应为对象，得到 %2</translation>
    </message>
    <message>
        <source>Set fit.initial_state to false to begin with the weights.</source>
        <translation>若只想从权重开始，请把 fit.initial_state 设为 false。</translation>
    </message>
    <message>
        <source>one or three integers of at least %1 and at most %2</source>
        <translation>一个或三个不小于 %1 且不大于 %2 的整数</translation>
    </message>
    <message>
        <source>one, three or six numbers</source>
        <translation>一个、三个或六个数</translation>
    </message>
    <message>
        <source>an output of at least one step (the input is %1)</source>
        <translation>至少一步的输出（输入为 %1）</translation>
    </message>
    <message>
        <source>a window of at most %1 planes (the input is %2)</source>
        <translation>最多 %1 个面的窗口（输入为 %2）</translation>
    </message>
    <message>
        <source>input rank 5 (batch, planes, rows, columns and channels)</source>
        <translation>秩为 5 的输入（批次、面、行、列、通道）</translation>
    </message>
    <message>
        <source>expected a last layer that ends in softmax with %1, which takes probabilities, got another</source>
        <translation>%1 采用概率，最后一层应以 softmax 结束，实为其他层</translation>
    </message>
    <message>
        <source>End the model in softmax.</source>
        <translation>让模型以 softmax 结束。</translation>
    </message>
    <message>
        <source>expected neighbouring axes of the model&apos;s output, each once, from 0 to %1, got %2</source>
        <translation>应为模型输出的相邻轴，每个一次，范围 0 到 %1，实为 %2</translation>
    </message>
    <message>
        <source>expected one replica with a loss that compares the samples of a batch, got %1</source>
        <translation>损失要相互比较批次中的样本，应只有一个副本，实为 %1 个</translation>
    </message>
    <message>
        <source>Set axis to axes of a sample, from 1 on, or train on one device.</source>
        <translation>把 axis 设为样本的轴（从 1 起），或在一个设备上训练。</translation>
    </message>
    <message>
        <source>Train on one device.</source>
        <translation>在一个设备上训练。</translation>
    </message>
    <message>
        <source>expected no weights of classes with an axis that joins samples alone, got some</source>
        <translation>axis 只合并样本时不应有类别权重，现有</translation>
    </message>
    <message>
        <source>expected false where labels are rows of classes, got true</source>
        <translation>标签为类别行时应为 false，实为 true</translation>
    </message>
    <message>
        <source>expected class ids from 0 to %1, got %2</source>
        <translation>应为 0 到 %1 的类别序号，实为 %2</translation>
    </message>
    <message>
        <source>expected a model output of at least 2 values a row, along which it correlates them, got %1</source>
        <translation>模型输出每行至少应有 2 个值才能求相关，实为 %1 个</translation>
    </message>
    <message>
        <source>expected layers that make the output %1 of the input %2, such as a %3, got none</source>
        <translation>应有能由输入 %2 得到输出 %1 的层（例如 %3），现在没有</translation>
    </message>
    <message>
        <source>expected an output as that of the layers, %1, got %2</source>
        <translation>输出应与各层的输出 %1 相同，现为 %2</translation>
    </message>
    <message>
        <source>expected layers that take numbers, got an Embedding, which takes ids</source>
        <translation>应为接受数值的层，现有接受 id 的 Embedding</translation>
    </message>
    <message>
        <source>expected layers that pass the mask of the input on, got %1, which drops it</source>
        <translation>应为会传递输入掩码的层，现有会丢弃掩码的 %1</translation>
    </message>
    <message>
        <source>expected at most 1e12 values behind each layer, got %1 behind %2</source>
        <translation>每层之后最多应有 1e12 个值，现在 %2 之后为 %1</translation>
    </message>
    <message>
        <source>layers of class %1</source>
        <translation>类为 %1 的层</translation>
    </message>
    <message>
        <source>%1 with kernel_size 1</source>
        <translation>kernel_size 为 1 的 %1</translation>
    </message>
    <message>
        <source>at most %1 values of all heads together</source>
        <translation>所有头合计最多 %1 个值</translation>
    </message>
    <message>
        <source>Put the %1 first.</source>
        <translation>把 %1 放在最前。</translation>
    </message>
    <message>
        <source>expected each value once, got %1 again</source>
        <translation>每个值应只出现一次，而 %1 再次出现</translation>
    </message>
    <message>
        <source>expected at least the %1 places of the vocabulary, got %2</source>
        <translation>应至少为词表的 %1 个位置，而得到 %2</translation>
    </message>
    <message>
        <source>expected int with invert, got %1</source>
        <translation>反转时应为 int，而得到 %1</translation>
    </message>
    <message>
        <source>expected a number with pad_to_max_tokens, got none</source>
        <translation>使用 pad_to_max_tokens 时应给出一个数，而没有</translation>
    </message>
    <message>
        <source>expected a layer that takes values from the training samples as the model&apos;s first, got %1 behind a layer %2</source>
        <translation>从训练样本取值的层应为模型的第一层，而 %1 在 %2 层之后</translation>
    </message>
    <message>
        <source>expected a layer that takes values from the training samples as the model&apos;s first, got %1 in a layer %2</source>
        <translation>从训练样本取值的层应为模型的第一层，而 %1 在 %2 层之内</translation>
    </message>
    <message>
        <source>expected no layer that takes values from the training samples with an estimator, got %1</source>
        <translation>使用 Estimator 时不应有从训练样本取值的层，实为 %1</translation>
    </message>
    <message>
        <source>axes that lie side by side</source>
        <translation>相邻的轴</translation>
    </message>
    <message>
        <source>input rank 2 (batch and values) with %1</source>
        <translation>使用 %1 时应为秩 2（批次和值）的输入</translation>
    </message>
    <message>
        <source>numbers beside those of %1</source>
        <translation>与 %1 一同给出的数</translation>
    </message>
    <message>
        <source>as many numbers as mean has, %1</source>
        <translation>与 mean 一样多的 %1 个数</translation>
    </message>
    <message>
        <source>one number or %1</source>
        <translation>1 个或 %1 个数</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>1 个数</translation>
    </message>
    <message>
        <source>input rank 4 (batch, time, steps and channels)</source>
        <translation>秩为 4 的输入（批次、时间、时间步、通道）</translation>
    </message>
    <message>
        <source>input rank 5 (batch, time, rows, columns and channels)</source>
        <translation>秩为 5 的输入（批次、时间、行、列、通道）</translation>
    </message>
    <message>
        <source>input rank 6 (batch, time, planes, rows, columns and channels)</source>
        <translation>秩为 6 的输入（批次、时间、面、行、列、通道）</translation>
    </message>
    <message>
        <source>the form X,Y-&gt;Z of letters, with ... on the left or on the right of X and Z or without</source>
        <translation>由字母组成的 X,Y-&gt;Z 形式，... 位于 X 和 Z 的左侧或右侧，或没有</translation>
    </message>
    <message>
        <source>the batch first in X and Z and not in Y</source>
        <translation>批次位于 X 和 Z 的最前，且不在 Y 中</translation>
    </message>
    <message>
        <source>each letter once in X, in Y and in Z</source>
        <translation>每个字母在 X、Y、Z 中各只出现一次</translation>
    </message>
    <message>
        <source>%1 in two of X, Y and Z</source>
        <translation>%1 出现在 X、Y、Z 中的两处</translation>
    </message>
    <message>
        <source>the letters of Y that X has before those that Z has</source>
        <translation>Y 中 X 所含的字母位于 Z 所含的字母之前</translation>
    </message>
    <message>
        <source>letters of Z but the batch&apos;s</source>
        <translation>Z 中除批次外的字母</translation>
    </message>
    <message>
        <source>a size of at least 1 for %1</source>
        <translation>%1 的大小至少为 1</translation>
    </message>
    <message>
        <source>%1, the input&apos;s size, for %2</source>
        <translation>%2 为输入的大小 %1</translation>
    </message>
    <message>
        <source>%1 sizes for %2</source>
        <translation>%2 有 %1 个大小</translation>
    </message>
    <message>
        <source>input rank %1 for %2</source>
        <translation>%2 的输入秩为 %1</translation>
    </message>
    <message>
        <source>rank %1 or more of the input for %2</source>
        <translation>%2 的输入秩为 %1 或以上</translation>
    </message>
    <message>
        <source>expected compile settings in the file, got none: %1 go with the model&apos;s output</source>
        <translation>文件中应有编译设置，却没有：%1 与模型的输出相符</translation>
    </message>
    <message>
        <source>expected regular expressions, got &quot;%1&quot;</source>
        <translation>应为正则表达式，实际为“%1”</translation>
    </message>
    <message>
        <source>expected at least one cell, got none</source>
        <translation>至少应有一个单元，现一个也没有</translation>
    </message>
    <message>
        <source>expected an RNN around the cell, got %1 alone</source>
        <translation>单元外应有 RNN，现只有 %1</translation>
    </message>
    <message>
        <source>one or two odd integers</source>
        <translation>一个或两个奇数</translation>
    </message>
    <message>
        <source>one number of at most 1, or two of which the first is at most 1</source>
        <translation>一个不大于 1 的数，或两个数，其中第一个不大于 1</translation>
    </message>
    <message>
        <source>a cell or a list of them</source>
        <translation>一个单元或单元的列表</translation>
    </message>
    <message>
        <source>cells of class %1</source>
        <translation>类为 %1 的单元</translation>
    </message>
    <message>
        <source>one or two whole numbers</source>
        <translation>一个或两个整数</translation>
    </message>
    <message>
        <source>a last axis of 1 with one_hot</source>
        <translation>使用 one_hot 时最后一轴的大小为 1</translation>
    </message>
    <message>
        <source>less than max_freq, %1</source>
        <translation>小于 max_freq（%1）</translation>
    </message>
    <message>
        <source>at most the frame_length, %1</source>
        <translation>不超过 frame_length（%1）</translation>
    </message>
    <message>
        <source>the frame_length, %1</source>
        <translation>frame_length（%1）</translation>
    </message>
    <message>
        <source>at most the fft_length, %1</source>
        <translation>不超过 fft_length（%1）</translation>
    </message>
    <message>
        <source>at most twice the samples less one, %1</source>
        <translation>不超过采样数的两倍减一，即 %1</translation>
    </message>
    <message>
        <source>as many frames as Keras&apos; shape has, %1</source>
        <translation>与 Keras 形状中一样多的帧，即 %1 个</translation>
    </message>
    <message>
        <source>input rank 2 (batch and samples)</source>
        <translation>秩为 2 的输入（批次、采样）</translation>
    </message>
    <message>
        <source>expected no SpectralNormalization with ParameterServerStrategy, whose servers hold the kernel that a worker would change, got one</source>
        <translation>ParameterServerStrategy 的服务器保存着工作器要改变的核，因此不应有 SpectralNormalization，而有一个</translation>
    </message>
    <message>
        <source>Choose another strategy, or take the layer out of it.</source>
        <translation>请选择其他策略，或只保留其中的层。</translation>
    </message>
    <message>
        <source>expected samples with rows and columns for CutMix, got %1</source>
        <translation>CutMix 需要有行和列的样本，实际为 %1</translation>
    </message>
    <message>
        <source>Set data.mix to MixUp, which mixes samples of any shape.</source>
        <translation>请把 data.mix 设为 MixUp，它可混合任何形状的样本。</translation>
    </message>
    <message>
        <source>expected a loss of probabilities with %1, which mixes labels, got %2, which takes class indices</source>
        <translation>%1 会混合标签，需要接受概率的损失，实际为接受类别序号的 %2</translation>
    </message>
    <message>
        <source>Set the loss to CategoricalCrossentropy and data.one_hot to the number of classes.</source>
        <translation>请把损失设为 CategoricalCrossentropy，把 data.one_hot 设为类别数。</translation>
    </message>
    <message>
        <source>expected an input of float32 for %1, which mixes values, got %2</source>
        <translation>%1 会混合数值，需要 float32 的输入，实际为 %2</translation>
    </message>
    <message>
        <source>Leave data.mix out for ids.</source>
        <translation>输入为编号时请去掉 data.mix。</translation>
    </message>
    <message>
        <source>expected none with an estimator, whose TensorFlow has no such layer, got %1</source>
        <translation>Estimator 所用的 TensorFlow 没有这种层，应为空，实际为 %1</translation>
    </message>
    <message>
        <source>Leave data.mix out, or train with fit.</source>
        <translation>请去掉 data.mix，或用 fit 训练。</translation>
    </message>
    <message>
        <source>expected labels that are sequences of classes with %1, %2 has one number a sample</source>
        <translation>使用 %1 时标签应为类别的序列，而 %2 的每个样本只有一个数</translation>
    </message>
    <message>
        <source>Set data.dataset to npz, npy or tfrecord.</source>
        <translation>请把 data.dataset 设为 npz、npy 或 tfrecord。</translation>
    </message>
    <message>
        <source>expected one axis with %1, the most classes of a label, got %2</source>
        <translation>使用 %1 时应有一个轴，即一个标签的最多类别数，实为 %2</translation>
    </message>
    <message>
        <source>expected a number where there is no vocabulary, got none</source>
        <translation>没有词表时需要一个数，但没有</translation>
    </message>
    <message>
        <source>expected true where there is no vocabulary, got false</source>
        <translation>没有词表时需要 true，但得到 false</translation>
    </message>
    <message>
        <source>expected more than the %1 places in front of the vocabulary, got %2</source>
        <translation>需要多于词表之前的 %1 个位置，但得到 %2</translation>
    </message>
    <message>
        <source>expected none beside bin_boundaries, got %1</source>
        <translation>有 bin_boundaries 时不应给出，但得到 %1</translation>
    </message>
    <message>
        <source>expected none without tf_idf, got %1</source>
        <translation>没有 tf_idf 时不应给出，但得到 %1</translation>
    </message>
    <message>
        <source>expected none without farmhash, got %1</source>
        <translation>没有 farmhash 时不应给出，但得到 %1</translation>
    </message>
    <message>
        <source>Put it first, or give it these values.</source>
        <translation>把它放在最前，或给出这些值。</translation>
    </message>
    <message>
        <source>Give it these values.</source>
        <translation>请给出这些值。</translation>
    </message>
    <message>
        <source>Give it a vocabulary.</source>
        <translation>请给出词表。</translation>
    </message>
    <message>
        <source>expected a layer that takes texts as the model&apos;s first, got %1 behind a layer %2</source>
        <translation>接受文本的层应为模型的第一层，而 %1 在 %2 层之后</translation>
    </message>
    <message>
        <source>expected a layer that takes texts as the model&apos;s first, got %1 in a layer %2</source>
        <translation>接受文本的层应为模型的第一层，而 %1 在 %2 层之内</translation>
    </message>
    <message>
        <source>expected string, the type of the texts that a layer %1 takes, got %2</source>
        <translation>应为 string，即 %1 层所接受文本的类型，而得到 %2</translation>
    </message>
    <message>
        <source>Set model.input_dtype to string.</source>
        <translation>请把 model.input_dtype 设为 string。</translation>
    </message>
    <message>
        <source>expected a layer that takes the texts of the model&apos;s input, got a layer %1</source>
        <translation>应为接受模型输入文本的层，而得到 %1 层</translation>
    </message>
    <message>
        <source>Put a TextVectorization first, or set model.input_dtype to float32.</source>
        <translation>把 TextVectorization 放在最前，或把 model.input_dtype 设为 float32。</translation>
    </message>
    <message>
        <source>two integers</source>
        <translation>两个整数</translation>
    </message>
    <message>
        <source>at most two tiles for each of %1 rows and %2 columns</source>
        <translation>%1 行和 %2 列每行每列至多两个图块</translation>
    </message>
    <message>
        <source>rising numbers, or num_bins</source>
        <translation>递增的数，或 num_bins</translation>
    </message>
    <message>
        <source>as many numbers as vocabulary has, %1</source>
        <translation>与词表同样多的数，即 %1 个</translation>
    </message>
    <message>
        <source>a vocabulary or pad_to_max_tokens, which say how many values a row has</source>
        <translation>词表或 pad_to_max_tokens（它们决定一行有多少个值）</translation>
    </message>
    <message>
        <source>none but with tf_idf and a vocabulary</source>
        <translation>除非有 tf_idf 和词表，否则没有</translation>
    </message>
    <message>
        <source>one for each of the %1 texts of the vocabulary</source>
        <translation>词表的 %1 个文本各一个</translation>
    </message>
    <message>
        <source>one text a sample, (None, 1)</source>
        <translation>每个样本一个文本，(None, 1)</translation>
    </message>
    <message>
        <source>a number with output_mode int, so that all texts have one length</source>
        <translation>output_mode 为 int 时应有一个数，使所有文本长度相同</translation>
    </message>
    <message>
        <source>none with output_mode %1</source>
        <translation>output_mode 为 %1 时没有</translation>
    </message>
    <message>
        <source>a model output of rank 3 (batch, time and classes)</source>
        <translation>秩为 3 的模型输出（批次、时间、类别）</translation>
    </message>
    <message>
        <source>End the model with a Dense layer behind one that puts out sequences.</source>
        <translation>让模型以输出序列的层之后的 Dense 层结束。</translation>
    </message>
    <message>
        <source>expected a model output without a mask with %1, which takes all times, got one</source>
        <translation>%1 计入所有时间步，模型输出不应带掩码，现带有掩码</translation>
    </message>
    <message>
        <source>Remove Masking, or mask_zero of the Embedding.</source>
        <translation>请移除 Masking，或 Embedding 的 mask_zero。</translation>
    </message>
    <message>
        <source>expected a last layer without softmax with %1, which takes logits, got one that ends in it</source>
        <translation>%1 采用 logits，最后一层不应有 softmax，现以 softmax 结束</translation>
    </message>
    <message>
        <source>Remove the softmax.</source>
        <translation>请移除 softmax。</translation>
    </message>
    <message>
        <source>expected no weights of classes with %1, whose labels are sequences of them, got some</source>
        <translation>%1 的标签是类别的序列，不应有类别权重，现有</translation>
    </message>
    <message>
        <source>expected no metric beside %1, whose labels are sequences, got %2</source>
        <translation>%1 的标签是序列，不应另有指标，实为 %2</translation>
    </message>
    <message>
        <source>Remove it.</source>
        <translation>请移除。</translation>
    </message>
    <message>
        <source>expected text or text_folder, which have texts for the model&apos;s input of type string, got %1</source>
        <translation>应为 text 或 text_folder，它们为类型是 string 的模型输入提供文本，而得到 %1</translation>
    </message>
    <message>
        <source>Set data.dataset to text or text_folder.</source>
        <translation>请把 data.dataset 设为 text 或 text_folder。</translation>
    </message>
    <message>
        <source>expected a project of at most %1 bytes with the vocabulary of %2, got %3 bytes with its %4 texts</source>
        <translation>连同 %2 的词表，项目不应超过 %1 字节，其 %4 个文本使它达到 %3 字节</translation>
    </message>
    <message>
        <source>Set max_tokens to %1, which keeps the most frequent texts.</source>
        <translation>把 max_tokens 设为 %1，这样会保留最常见的文本。</translation>
    </message>
    <message>
        <source>axes from 1 to %1, or from -1 downwards, each once</source>
        <translation>从 1 到 %1 或从 -1 往下的轴，各一次</translation>
    </message>
    <message>
        <source>a function of each value by itself with data_format channels_first</source>
        <translation>在 data_format channels_first 时需要逐个值计算的函数</translation>
    </message>
    <message>
        <source>the last axis or axes, without the batch</source>
        <translation>除批次外的最后一个或几个轴</translation>
    </message>
</context>
<context>
    <name>FormatFields</name>
    <message>
        <source>Array of labels</source>
        <translation>标签数组</translation>
    </message>
    <message>
        <source>Array of samples</source>
        <translation>样本数组</translation>
    </message>
    <message>
        <source>bar |</source>
        <translation>竖线 |</translation>
    </message>
    <message>
        <source>Cells are parted by</source>
        <translation>单元格分隔符</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>comma ,</source>
        <translation>逗号 ,</translation>
    </message>
    <message>
        <source>Feature of labels</source>
        <translation>标签特征</translation>
    </message>
    <message>
        <source>Feature of samples</source>
        <translation>样本特征</translation>
    </message>
    <message>
        <source>First line has names</source>
        <translation>首行为名称</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>标签列</translation>
    </message>
    <message>
        <source>Rows × columns</source>
        <translation>行 × 列</translation>
    </message>
    <message>
        <source>semicolon ;</source>
        <translation>分号 ;</translation>
    </message>
    <message>
        <source>tab</source>
        <translation>制表符</translation>
    </message>
</context>
<context>
    <name>HelpPage</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Keys of the studio; everything can be done without a mouse</source>
        <translation>工作室的快捷键；一切都可以不用鼠标完成</translation>
    </message>
    <message>
        <source>How to use the studio and the command line</source>
        <translation>工作室与命令行的用法</translation>
    </message>
    <message>
        <source>Folder of all runs</source>
        <translation>所有运行的文件夹</translation>
    </message>
    <message>
        <source>This run: checkpoints and logs</source>
        <translation>此运行：检查点和日志</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>add a layer by its letter</source>
        <translation>用字母键添加层</translation>
    </message>
    <message>
        <source>%1 then %2</source>
        <translation>先 %1 再 %2</translation>
    </message>
    <message>
        <source>delete the layer</source>
        <translation>删除层</translation>
    </message>
    <message>
        <source>duplicate it</source>
        <translation>创建副本</translation>
    </message>
    <message>
        <source>move it</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>to its properties</source>
        <translation>转到属性</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>logarithmic y axis</source>
        <translation>对数 y 轴</translation>
    </message>
    <message>
        <source>show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>拖动</translation>
    </message>
    <message>
        <source>zoom into a range; double click resets</source>
        <translation>放大一个范围；双击重置</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>open the run in Monitor</source>
        <translation>在“监视”中打开运行</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>What to read</source>
        <translation>阅读内容</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>pause or resume</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>one step while paused</source>
        <translation>暂停时执行一步</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>move the chosen task to the next host</source>
        <translation>将选中的任务移到下一台主机</translation>
    </message>
    <message>
        <source>Enter, Del</source>
        <translation>Enter、Del</translation>
    </message>
    <message>
        <source>change its port, remove it</source>
        <translation>更改端口、移除</translation>
    </message>
    <message>
        <source>paste a cluster</source>
        <translation>粘贴集群</translation>
    </message>
    <message>
        <source>copy the TF_CONFIG of every task</source>
        <translation>复制每个任务的 TF_CONFIG</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格键</translation>
    </message>
    <message>
        <source>check the run for the charts</source>
        <translation>勾选要绘制的运行</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>archive (the toast undoes it)</source>
        <translation>归档（可在提示中撤销）</translation>
    </message>
    <message>
        <source>logarithmic x axis</source>
        <translation>对数 x 轴</translation>
    </message>
    <message>
        <source>step, relative or wall time, epoch</source>
        <translation>步、相对时间、实际时刻或周期</translation>
    </message>
    <message>
        <source>+, −</source>
        <translation>+、−</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>move the cursor</source>
        <translation>移动光标</translation>
    </message>
    <message>
        <source>next and previous mark; Ctrl+Enter opens it</source>
        <translation>下一个和上一个标记；按 Ctrl+Enter 打开</translation>
    </message>
    <message>
        <source>move the chart</source>
        <translation>移动图表</translation>
    </message>
    <message>
        <source>Enter, Esc</source>
        <translation>Enter、Esc</translation>
    </message>
    <message>
        <source>full size and back; ← → change the chart</source>
        <translation>全尺寸和返回；← → 切换图表</translation>
    </message>
    <message>
        <source>the chart as a table</source>
        <translation>以表格显示图表</translation>
    </message>
    <message>
        <source>search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>next and previous place</source>
        <translation>下一处和上一处</translation>
    </message>
    <message>
        <source>back and forward</source>
        <translation>后退和前进</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>move the step of the pipeline</source>
        <translation>移动流水线步骤</translation>
    </message>
    <message>
        <source>switch it on or off</source>
        <translation>打开或关闭</translation>
    </message>
    <message>
        <source>find a data set</source>
        <translation>查找数据集</translation>
    </message>
    <message>
        <source>copy or cut it, as Keras code</source>
        <translation>作为 Keras 代码复制或剪切</translation>
    </message>
    <message>
        <source>paste layers or other Keras code</source>
        <translation>粘贴层或其他 Keras 代码</translation>
    </message>
</context>
<context>
    <name>HistogramStack</name>
    <message>
        <source>Histogram of %1</source>
        <translation>%1 的直方图</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>epoch %1: from %2 to %3, mean %4</source>
        <translation>周期 %1：从 %2 到 %3，均值 %4</translation>
    </message>
    <message>
        <source>all values are %1</source>
        <translation>所有值均为 %1</translation>
    </message>
</context>
<context>
    <name>Host</name>
    <message>
        <source>The agent of this computer is ready.</source>
        <translation>本机的代理已就绪。</translation>
    </message>
    <message>
        <source>The agent does not answer: %1</source>
        <translation>代理没有响应：%1</translation>
    </message>
    <message numerus="yes">
        <source>no sign of life for %n second(s)</source>
        <translation>
            <numerusform>已 %n 秒没有响应</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent answers again.</source>
        <translation>代理重新响应了。</translation>
    </message>
    <message>
        <source>The list of runs was lost and built again from their folders (%1).</source>
        <translation>运行列表已丢失，并已根据运行的文件夹重新建立（%1）。</translation>
    </message>
</context>
<context>
    <name>HostChart</name>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>used</source>
        <translation>已用</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>MB / s</source>
        <translation>MB / s</translation>
    </message>
    <message>
        <source>received</source>
        <translation>接收</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>loopback</source>
        <translation>环回</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>使用率</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 内存</translation>
    </message>
</context>
<context>
    <name>HostChecks</name>
    <message>
        <source>Agent</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>ready, this computer only</source>
        <translation>就绪，仅限本机</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>代理没有响应</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n 个核心，%1</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>none found: %1</source>
        <translation>未找到：%1</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1 GB free of %2 GB</source>
        <translation>可用 %1 GB，共 %2 GB</translation>
    </message>
    <message>
        <source>Data sets</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>none found on this computer</source>
        <translation>本机上未找到</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1 GB free for runs</source>
        <translation>有 %1 GB 可用于运行</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>TF_CONFIG: all rules hold</source>
        <translation>TF_CONFIG：符合所有规则</translation>
    </message>
    <message>
        <source>Ports of this computer are free</source>
        <translation>本机端口空闲</translation>
    </message>
    <message>
        <source>%1 is here: %2 training samples</source>
        <translation>%1 已就绪：%2 个训练样本</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s) for each task</source>
        <translation>
            <numerusform>每个任务 %n 个核心</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tasks share %n core(s)</source>
        <translation>
            <numerusform>%1 个任务共用 %n 个核心</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 GB</source>
        <translation>%1，%2 GB</translation>
    </message>
    <message>
        <source>no NCCL</source>
        <translation>没有 NCCL</translation>
    </message>
    <message>
        <source>%1 can&apos;t be used: %2</source>
        <translation>%1 无法使用：%2</translation>
    </message>
</context>
<context>
    <name>HostChecksView</name>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message numerus="yes">
        <source>checked %n min ago</source>
        <translation>
            <numerusform>%n 分钟前检查</numerusform>
        </translation>
    </message>
    <message>
        <source>checked just now</source>
        <translation>刚刚检查过</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>No agent</source>
        <translation>无代理</translation>
    </message>
    <message>
        <source>not checked yet</source>
        <translation>尚未检查</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>State of this computer</source>
        <translation>本机状态</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
</context>
<context>
    <name>HostDialog</name>
    <message>
        <source>A Tandem lies there that does not tell its version.</source>
        <translation>那里的 Tandem 没有给出版本。</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, which is older than this one.</source>
        <translation>那里是 Tandem %1，比本机的旧。</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, which is newer than this one.</source>
        <translation>那里是 Tandem %1，比本机的新。</translation>
    </message>
    <message>
        <source>Tandem %1 lies there, as here.</source>
        <translation>那里是 Tandem %1，与本机相同。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Free disk</source>
        <translation>剩余磁盘</translation>
    </message>
    <message>
        <source>Tandem there</source>
        <translation>那里的 Tandem</translation>
    </message>
    <message>
        <source>%1: expected a new name, the list has it</source>
        <translation>%1：需要新的名称，列表中已有它</translation>
    </message>
    <message>
        <source>Remove the host</source>
        <translation>移除主机</translation>
    </message>
    <message>
        <source>The project has tasks or a card for %1. Do you want to remove it from your list?</source>
        <translation>项目中有 %1 的任务或卡片。要把它从列表中移除吗？</translation>
    </message>
    <message>
        <source>Its tasks can&apos;t be started from here then. Nothing changes there.</source>
        <translation>之后就不能从这里启动它的任务。那台计算机上不会有任何改变。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Use name only</source>
        <translation>仅用名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Use in project</source>
        <translation>用于项目</translation>
    </message>
    <message>
        <source>Which computer?</source>
        <translation>哪台计算机？</translation>
    </message>
    <message>
        <source>Not looked at</source>
        <translation>未查看</translation>
    </message>
    <message>
        <source>Looking at %1</source>
        <translation>正在查看 %1</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>ssh got no answer from you, so nothing is known of it.</source>
        <translation>没有回答 ssh 的询问，因此对它一无所知。</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Out of reach</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>Reached in %1 ms</source>
        <translation>%1 毫秒内连上</translation>
    </message>
    <message>
        <source>Install puts this Tandem there, without root.</source>
        <translation>安装会把本机的 Tandem 放到那里，不需要 root。</translation>
    </message>
    <message>
        <source>Add it first; then Install puts this Tandem there, without root.</source>
        <translation>请先添加；然后安装会把本机的 Tandem 放到那里，不需要 root。</translation>
    </message>
    <message>
        <source>It asked for a password; nobody answers one when a run starts: ssh-copy-id %1 puts a key there.</source>
        <translation>它询问了密码；运行启动时没有人回答：用 ssh-copy-id %1 把密钥放到那里。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>It was not installed</source>
        <translation>未能安装</translation>
    </message>
    <message>
        <source>Runs may use it. Its agent answers in %1 ms.</source>
        <translation>运行可以使用它。其代理在 %1 毫秒内应答。</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Install this version</source>
        <translation>安装此版本</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Type a name first</source>
        <translation>请先输入名称</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>The project has it</source>
        <translation>项目中已有它</translation>
    </message>
    <message>
        <source>A card for its tasks, to export their TF_CONFIG. They are started by hand there</source>
        <translation>为其任务生成卡片，以便导出 TF_CONFIG。任务在那里手动启动</translation>
    </message>
    <message>
        <source>A pairing line</source>
        <translation>配对行</translation>
    </message>
    <message>
        <source>Pairing with %1</source>
        <translation>正在与 %1 配对</translation>
    </message>
    <message>
        <source>Add pairs the two computers. The line is good once, for ten minutes.</source>
        <translation>“添加”会将两台计算机配对。这一行只能用一次，十分钟内有效。</translation>
    </message>
    <message>
        <source>Type a name, or what ssh takes: what is there is shown as soon as you pause. A computer without ssh is paired by the line that tandem-agent invite prints there.</source>
        <translation>请输入名称，或 ssh 接受的写法：停下来就会显示那里有什么。没有 ssh 的计算机用 tandem-agent invite 在那里打印的一行来配对。</translation>
    </message>
    <message>
        <source>A key wanted its passphrase or PIN; nobody answers that when a run starts: ssh-add gives the key to ssh-agent.</source>
        <translation>密钥需要口令或 PIN；运行启动时没有人回答：ssh-add 可将密钥交给 ssh-agent。</translation>
    </message>
</context>
<context>
    <name>HostForm</name>
    <message>
        <source>Name in clusters</source>
        <translation>集群中的名称</translation>
    </message>
    <message>
        <source>Tandem&apos;s folder there</source>
        <translation>那里的 Tandem 文件夹</translation>
    </message>
    <message>
        <source>Where ssh goes, or a pairing line</source>
        <translation>ssh 目标，或配对行</translation>
    </message>
</context>
<context>
    <name>HostListView</name>
    <message>
        <source>Looking at it</source>
        <translation>正在查看</translation>
    </message>
    <message numerus="yes">
        <source>Ready, %n core(s)</source>
        <translation>
            <numerusform>就绪，%n 个核心</numerusform>
        </translation>
    </message>
    <message>
        <source>Tandem %1, older</source>
        <translation>Tandem %1，较旧</translation>
    </message>
    <message>
        <source>Tandem %1, newer</source>
        <translation>Tandem %1，较新</translation>
    </message>
    <message>
        <source>No Tandem there</source>
        <translation>没有 Tandem</translation>
    </message>
    <message>
        <source>Out of reach</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>New host</source>
        <translation>新主机</translation>
    </message>
    <message>
        <source>By name or address</source>
        <translation>按名称或地址</translation>
    </message>
    <message>
        <source>Your hosts</source>
        <translation>你的主机</translation>
    </message>
    <message>
        <source>Of ~/.ssh/config</source>
        <translation>来自 ~/.ssh/config</translation>
    </message>
    <message>
        <source>Not in the list yet</source>
        <translation>还不在列表中</translation>
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
        <translation>内存</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Loopback</source>
        <translation>环回</translation>
    </message>
    <message>
        <source>Over every network card, received and sent.</source>
        <translation>所有网卡接收和发送的数据。</translation>
    </message>
    <message>
        <source>What programs of this computer send each other over TCP: workers that exchange gradients by gRPC.</source>
        <translation>本机程序之间通过 TCP 互相发送的数据，例如用 gRPC 交换梯度的工作器。</translation>
    </message>
    <message>
        <source>%1 of %2 cores</source>
        <translation>%1 / %2 个核心</translation>
    </message>
    <message>
        <source>Tandem&apos;s tasks: %1 cores, other programs: %2.</source>
        <translation>Tandem 的任务：%1 个核心，其他程序：%2。</translation>
    </message>
    <message>
        <source>%1 of %2 GB</source>
        <translation>%1 / %2 GB</translation>
    </message>
    <message>
        <source>Tandem&apos;s tasks: %1 GB, shared memory counted in each of them.</source>
        <translation>Tandem 的任务：%1 GB，共享内存在每个任务中都计入。</translation>
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
        <translation>%1 %，%2 / %3 GB</translation>
    </message>
    <message>
        <source>Time in which a kernel ran, and memory. Tandem&apos;s tasks hold %1 GB of all GPUs.</source>
        <translation>内核运行时间所占的比例，以及内存。Tandem 的任务在所有 GPU 上共占用 %1 GB。</translation>
    </message>
</context>
<context>
    <name>HostQuestionCard</name>
    <message>
        <source>Answer to ssh</source>
        <translation>给 ssh 的回答</translation>
    </message>
    <message>
        <source>The key of %1 is not known here</source>
        <translation>此处不认识 %1 的密钥</translation>
    </message>
    <message>
        <source>%1 did not take that, and asks again</source>
        <translation>%1 没有接受，再次询问</translation>
    </message>
    <message>
        <source>ssh waits for you</source>
        <translation>ssh 正在等你</translation>
    </message>
    <message>
        <source>ssh asks you</source>
        <translation>ssh 询问</translation>
    </message>
    <message>
        <source>Trust it where whoever looks after the computer names the same. ssh keeps it in known_hosts then.</source>
        <translation>只有当管理该计算机的人给出相同的指纹时才信任它。ssh 随后把它存入 known_hosts。</translation>
    </message>
    <message>
        <source>Trust this key</source>
        <translation>信任此密钥</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Do not trust it</source>
        <translation>不信任</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>HostTexts</name>
    <message>
        <source>expected the host key that known_hosts has, the host key has changed: ask whoever looks after the host whether it should have; ssh-keygen -R forgets the former key (%1)</source>
        <translation>应为 known_hosts 中的主机密钥，但主机密钥已更改：请向该主机的管理员确认是否应当如此；ssh-keygen -R 可删除旧密钥（%1）</translation>
    </message>
    <message>
        <source>expected a name that is known here, no computer goes by it (%1)</source>
        <translation>应为本机能解析的名称，但没有叫这个名称的计算机（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, no route leads to the host (%1)</source>
        <translation>应有可应答的 ssh 服务器，但没有通往该主机的路由（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, no route leads to its network (%1)</source>
        <translation>应有可应答的 ssh 服务器，但没有通往其网络的路由（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was refused (%1)</source>
        <translation>应有可应答的 ssh 服务器，但连接被拒绝（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, it did not answer in time (%1)</source>
        <translation>应有可应答的 ssh 服务器，但它没有按时应答（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, it does not answer any more (%1)</source>
        <translation>应有可应答的 ssh 服务器，但它不再应答（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was closed (%1)</source>
        <translation>应有可应答的 ssh 服务器，但连接已被关闭（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that answers, the connection was cut (%1)</source>
        <translation>应有可应答的 ssh 服务器，但连接已中断（%1）</translation>
    </message>
    <message>
        <source>expected a host key that is known here, known_hosts has none of it: connect once with ssh by hand and confirm its key (%1)</source>
        <translation>应为本机已知的主机密钥，但 known_hosts 中没有：请用 ssh 手动连接一次并确认其密钥（%1）</translation>
    </message>
    <message>
        <source>expected to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password (%1)</source>
        <translation>应能登录，但被拒绝：请使用 ssh-agent 中的密钥，密码则使用终端或 SSH_ASKPASS（%1）</translation>
    </message>
    <message>
        <source>expected to be let in, permission was denied (%1)</source>
        <translation>应能登录，但被拒绝（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server with algorithms of this computer&apos;s ssh, they have none in common (%1)</source>
        <translation>应为支持本机 ssh 算法的 ssh 服务器，但双方没有共同的算法（%1）</translation>
    </message>
    <message>
        <source>expected a configuration that ssh can read, it can&apos;t (%1)</source>
        <translation>应为 ssh 能读取的配置，但无法读取（%1）</translation>
    </message>
    <message>
        <source>expected an ssh server that forwards the agent&apos;s socket, it did not: AllowStreamLocalForwarding in its sshd_config lets it; where it does so, the agent there has just ended: try again (%1)</source>
        <translation>应为能转发代理套接字的 ssh 服务器，但它没有转发：其 sshd_config 中的 AllowStreamLocalForwarding 可允许转发；若已允许，则那里的代理刚刚结束：请重试（%1）</translation>
    </message>
    <message>
        <source>expected ssh to connect, it failed (%1)</source>
        <translation>应由 ssh 建立连接，但失败了（%1）</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is older: tandem-cli host update %4 installs this one</source>
        <translation>应为与本机相同的 Tandem %1，但 %2 的版本是更旧的 %3：tandem-cli host update %4 会安装本机的版本</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is newer: tandem-cli host update %4 installs this one</source>
        <translation>应为与本机相同的 Tandem %1，但 %2 的版本是更新的 %3：tandem-cli host update %4 会安装本机的版本</translation>
    </message>
    <message>
        <source>expected a shell that runs sh, got none (%1)</source>
        <translation>应有能运行 sh 的 shell，但没有（%1）</translation>
    </message>
    <message>
        <source>expected a shell that runs sh, got none</source>
        <translation>应有能运行 sh 的 shell，但没有</translation>
    </message>
    <message>
        <source>expected a processor of the kind %1 as on this computer, got %2</source>
        <translation>处理器应为与本机相同的 %1 类型，但为 %2</translation>
    </message>
    <message>
        <source>expected Tandem in the folder %1 or on the PATH, found none (%2)</source>
        <translation>文件夹 %1 或 PATH 中应有 Tandem，但没有找到（%2）</translation>
    </message>
    <message>
        <source>expected Tandem in the folder %1 or on the PATH, found none</source>
        <translation>文件夹 %1 或 PATH 中应有 Tandem，但没有找到</translation>
    </message>
    <message>
        <source>expected %1 to say its version, it said nothing (%2)</source>
        <translation>%1 应给出其版本，但没有任何输出（%2）</translation>
    </message>
    <message>
        <source>expected %1 to say its version, it said nothing</source>
        <translation>%1 应给出其版本，但没有任何输出</translation>
    </message>
    <message>
        <source>expected %1 to find or start its agent, it did not (%2)</source>
        <translation>%1 应找到或启动其代理，但没有成功（%2）</translation>
    </message>
    <message>
        <source>expected %1 to find or start its agent, it did not</source>
        <translation>%1 应找到或启动其代理，但没有成功</translation>
    </message>
    <message>
        <source>expected an answer over ssh within %1 s, got none</source>
        <translation>应在 %1 秒内通过 ssh 收到应答，但没有</translation>
    </message>
    <message>
        <source>expected an answer of the agent there within %1 s, got none</source>
        <translation>应在 %1 秒内收到那里代理的应答，但没有</translation>
    </message>
    <message>
        <source>expected ssh to forward the agent&apos;s socket within %1 s, got none</source>
        <translation>ssh 应在 %1 秒内转发代理的套接字，但没有</translation>
    </message>
    <message>
        <source>expected an agent that listens on a socket, got one at %1</source>
        <translation>应为在套接字上监听的代理，但它位于 %1</translation>
    </message>
    <message>
        <source>expected its sshd to say by which addresses it was reached (SSH_CONNECTION), it did not</source>
        <translation>其 sshd 应说明通过哪些地址连接（SSH_CONNECTION），但没有说明</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, the connection was refused: tandem-agent --listen starts one there</source>
        <translation>应有在 %1 监听的代理，但连接被拒绝：在那里用 tandem-agent --listen 启动</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, no route leads to the host</source>
        <translation>应有在 %1 监听的代理，但没有通往该主机的路由</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, no route leads to its network</source>
        <translation>应有在 %1 监听的代理，但没有通往其网络的路由</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, it did not answer in time</source>
        <translation>应有在 %1 监听的代理，但它没有及时应答</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, it can&apos;t be reached (%2)</source>
        <translation>应有在 %1 监听的代理，但无法连接（%2）</translation>
    </message>
    <message>
        <source>expected an agent that listens at %1, the connection was cut</source>
        <translation>应有在 %1 监听的代理，但连接已中断</translation>
    </message>
    <message>
        <source>expected an answer of %1 in time, got none</source>
        <translation>应及时得到 %1 的应答，但没有得到</translation>
    </message>
    <message>
        <source>expected an agent of Tandem that listens at %1, got something else (%2)</source>
        <translation>在 %1 监听的应是 Tandem 的代理，但实际是别的程序（%2）</translation>
    </message>
    <message>
        <source>expected the certificate that begins with %1, got one that begins with %2: another agent listens there, or somebody is in between</source>
        <translation>证书应以 %1 开头，但收到的以 %2 开头：那里监听的是另一个代理，或有人处在中间</translation>
    </message>
    <message>
        <source>expected to be let in, the agent there closed the connection: it does not know this computer, unless it has just ended; a new line of tandem-agent invite pairs the two again</source>
        <translation>应获准进入，但那里的代理关闭了连接：若它不是刚刚结束，就是不认识本机；用 tandem-agent invite 的新一行让两者重新配对</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is older: Tandem is updated there by hand, or over ssh</source>
        <translation>应为与本机相同的 Tandem %1，但 %2 的版本是较旧的 %3：那里的 Tandem 要手动或经 ssh 更新</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got %2 of version %3, which is newer: Tandem is updated there by hand, or over ssh</source>
        <translation>应为与本机相同的 Tandem %1，但 %2 的版本是较新的 %3：那里的 Tandem 要手动或经 ssh 更新</translation>
    </message>
    <message>
        <source>expected a host that is reached over ssh, got one that is reached directly: Tandem is put there by hand, or after tandem-cli host add with --ssh</source>
        <translation>应是经 ssh 连接的主机，但实际是直接连接的：Tandem 要手动放到那里，或在用 tandem-cli host add 与 --ssh 添加之后安装</translation>
    </message>
    <message>
        <source>expected a sign of life within %1 s while Tandem is installed, got none</source>
        <translation>安装 Tandem 期间应在 %1 秒内有响应，但没有</translation>
    </message>
    <message>
        <source>expected %1 to be missing, empty or a link called current, it holds something else: move that away, or name another folder</source>
        <translation>%1 应不存在、为空或是名为 current 的链接，但其中是别的内容：请将其移走，或指定另一个文件夹</translation>
    </message>
    <message>
        <source>expected a folder that this user there may make or fill, %1 is none: name another folder</source>
        <translation>应为那里的用户可以创建或写入的文件夹，但 %1 不是：请指定另一个文件夹</translation>
    </message>
    <message>
        <source>expected %1 of free disk for %2, got %3</source>
        <translation>%2 应有 %1 的可用磁盘空间，但只有 %3</translation>
    </message>
    <message>
        <source>expected a processor of the kind %1 as the bundle is for, got %2</source>
        <translation>处理器应为软件包所适用的 %1 类型，但为 %2</translation>
    </message>
    <message>
        <source>expected the programs that unpack a bundle, these are missing: %1</source>
        <translation>应有解开软件包所需的程序，但缺少：%1</translation>
    </message>
    <message>
        <source>expected glibc %1 or a newer one, got %2</source>
        <translation>应为 glibc %1 或更新版本，但为 %2</translation>
    </message>
    <message>
        <source>expected no run while Tandem %1 takes the place of %2, the agent there (process %3) is busy with %4: wait for the end of its runs, or stop them there</source>
        <translation>用 Tandem %1 替换 %2 时不应有运行，但那里的代理（进程 %3）正忙于 %4：请等待其运行结束，或在那里停止</translation>
    </message>
    <message>
        <source>expected an archive of Tandem for other computers, found none: in the source tree bash installer/bundle.sh FILE.tar.gz makes one, and --bundle FILE.tar.gz names it</source>
        <translation>应有供其他计算机使用的 Tandem 归档，但没有找到：在源代码目录中 bash installer/bundle.sh FILE.tar.gz 可生成，用 --bundle FILE.tar.gz 指定</translation>
    </message>
    <message>
        <source>expected %1 free on its disk for the run&apos;s files, got %2</source>
        <translation>其磁盘应有 %1 的空间用于运行的文件，但只有 %2</translation>
    </message>
    <message>
        <source>expected %1 there, under the same path or sent before the run, got neither (%2 are lacking)</source>
        <translation>那里应有 %1，位于相同路径或在运行前已发送，但两者都不是（缺少 %2）</translation>
    </message>
    <message>
        <source>%1: was not sent in time</source>
        <translation>%1：未能按时发送</translation>
    </message>
    <message>
        <source>expected each computer under one name, got %1 and %2 for the same one</source>
        <translation>每台计算机应只有一个名称，但 %1 和 %2 是同一台</translation>
    </message>
    <message>
        <source>expected each computer once, got %1 and %2, both this one</source>
        <translation>每台计算机应只出现一次，但 %1 和 %2 都是本机</translation>
    </message>
    <message>
        <source>expected a run whose %1 is on this computer, where it writes the weights, got it on %2</source>
        <translation>运行的 %1 应位于写入权重的本机，但在 %2 上</translation>
    </message>
    <message>
        <source>expected a run on this computer, where it writes the weights, got it on %1</source>
        <translation>运行应位于写入权重的本机，但在 %1 上</translation>
    </message>
    <message>
        <source>expected it on %1, where the checkpoints of %2 are written, got it on %3</source>
        <translation>应位于写入 %2 检查点的 %1，但在 %3 上</translation>
    </message>
    <message>
        <source>expected a chief on this computer beside an evaluator and parameter servers, got it on %1</source>
        <translation>有评估器和参数服务器时，chief 应位于本机，但在 %1 上</translation>
    </message>
    <message>
        <source>expected the backup that the run goes on from on the host of its worker 0 or chief, it was written on another one: name the hosts in the same order, or begin anew (--overwrite)</source>
        <translation>运行接续所用的备份应位于其 worker 0 或 chief 的主机上，但它写在另一台主机上：请按相同顺序指定主机，或重新开始（--overwrite）</translation>
    </message>
    <message>
        <source>the host is out of reach</source>
        <translation>无法连接该主机</translation>
    </message>
    <message>
        <source>expected an address of this computer (%1), got %2</source>
        <translation>应为本机（%1）的地址，但为 %2</translation>
    </message>
    <message>
        <source>%1: expected a free one, got one that another process uses</source>
        <translation>%1：应为空闲端口，但正被另一个进程使用</translation>
    </message>
    <message>
        <source>%1: expected a free one, got one that %2 uses</source>
        <translation>%1：应为空闲端口，但正被 %2 使用</translation>
    </message>
    <message>
        <source>expected %1 GPUs for each task, this computer has %2 for %3 tasks</source>
        <translation>每个任务应有 %1 个 GPU，但本机 %3 个任务共有 %2 个</translation>
    </message>
    <message>
        <source>expected %1 GPUs for each task, this computer has %2 for 1 task</source>
        <translation>每个任务应有 %1 个 GPU，但本机 1 个任务只有 %2 个</translation>
    </message>
    <message>
        <source>expected 1 GPU for each task, this computer has %1 for %2 tasks</source>
        <translation>每个任务应有 1 个 GPU，但本机 %2 个任务共有 %1 个</translation>
    </message>
    <message>
        <source>expected 1 GPU for each task, this computer has %1 for 1 task</source>
        <translation>每个任务应有 1 个 GPU，但本机 1 个任务只有 %1 个</translation>
    </message>
    <message>
        <source>%1: %2 is using this folder</source>
        <translation>%1：%2 正在使用此文件夹</translation>
    </message>
    <message>
        <source>expected a new folder or that of an unfinished run, got one with a finished run (%1), which would be overwritten; give another folder with --out, or --overwrite to begin anew there</source>
        <translation>应为新文件夹或未完成运行的文件夹，但其中是已完成的运行（%1），会被覆盖；请用 --out 指定另一个文件夹，或用 --overwrite 在那里重新开始</translation>
    </message>
    <message>
        <source>%1: can&apos;t be made a folder: %2</source>
        <translation>%1：无法创建文件夹：%2</translation>
    </message>
    <message>
        <source>%1: can&apos;t be written: %2</source>
        <translation>%1：无法写入：%2</translation>
    </message>
    <message>
        <source>%1: the end of its last attempt is not on disk yet, for there is no room; it can&apos;t go on before</source>
        <translation>%1：由于空间不足，其上一次尝试的结尾尚未写入磁盘；在此之前无法继续</translation>
    </message>
    <message>
        <source>%1: is being started again</source>
        <translation>%1：正在重新启动</translation>
    </message>
    <message>
        <source>%1: its chief runs on another host</source>
        <translation>%1：其 chief 在另一台主机上运行</translation>
    </message>
    <message>
        <source>%1: not found on this host</source>
        <translation>%1：在此主机上未找到</translation>
    </message>
    <message>
        <source>%1: is not running</source>
        <translation>%1：未在运行</translation>
    </message>
    <message>
        <source>%1: is ending</source>
        <translation>%1：正在结束</translation>
    </message>
    <message>
        <source>%1: is over</source>
        <translation>%1：已经结束</translation>
    </message>
    <message>
        <source>expected at most %1 connections of this computer at once, the agent there takes no more</source>
        <translation>本机同时最多应有 %1 个连接，那里的代理不再接受更多连接</translation>
    </message>
    <message>
        <source>expected the line that tandem-agent invite prints, tandem://HOST:PORT/FINGERPRINT/SECRET, got another text</source>
        <translation>应为 tandem-agent invite 打印的一行 tandem://HOST:PORT/FINGERPRINT/SECRET，却是别的文字</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that was used before: tandem-agent invite there prints another</source>
        <translation>应为有效的配对行，这一行已被用过：在那里运行 tandem-agent invite 会打印新的一行</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that has expired, since it is good for ten minutes and until the next one is made: tandem-agent invite there prints another</source>
        <translation>应为有效的配对行，这一行已过期，因为它只在十分钟内、且在生成下一行之前有效：在那里运行 tandem-agent invite 会打印新的一行</translation>
    </message>
    <message>
        <source>expected a pairing line that is good, got one that three wrong tries have ended: tandem-agent invite there prints another</source>
        <translation>应为有效的配对行，这一行已因三次错误尝试而失效：在那里运行 tandem-agent invite 会打印新的一行</translation>
    </message>
    <message>
        <source>expected a pairing line of the agent there, it knows none with this secret: tandem-agent invite there prints another</source>
        <translation>应为那里代理的配对行，它不知道带有此密钥的任何一行：在那里运行 tandem-agent invite 会打印新的一行</translation>
    </message>
    <message>
        <source>expected Tandem %1 as on this computer, got an agent of version %2: update Tandem on either computer; the line stays good</source>
        <translation>应为与本机相同的 Tandem %1，那里的代理版本为 %2：请更新其中一台上的 Tandem；这一行仍然有效</translation>
    </message>
    <message>
        <source>Slurm took no job: %1</source>
        <translation>Slurm 没有接受作业：%1</translation>
    </message>
    <message>
        <source>Slurm did not cancel job %1: %2</source>
        <translation>Slurm 没有取消作业 %1：%2</translation>
    </message>
    <message>
        <source>expected Slurm&apos;s program on the PATH that this computer&apos;s agent was started with, found none</source>
        <translation>启动本机的代理时的 PATH 中应有 Slurm 的程序，但没有找到</translation>
    </message>
    <message>
        <source>expected an empty folder, or that of an earlier job, got one with other files</source>
        <translation>应为空文件夹或以前作业的文件夹，实际文件夹中有其他文件</translation>
    </message>
    <message>
        <source>expected a folder whose run may go on, got run %1 of job %2, which is done</source>
        <translation>应为可以继续的运行的文件夹，但作业 %2 的运行 %1 已完成</translation>
    </message>
    <message>
        <source>expected a folder whose run may go on, got run %1 of job %2, which goes on</source>
        <translation>应为可以继续的运行的文件夹，但作业 %2 的运行 %1 仍在进行</translation>
    </message>
    <message>
        <source>%1: waits for job %2</source>
        <translation>%1：正在等待作业 %2</translation>
    </message>
    <message>
        <source>expected minutes, hours:minutes:seconds or days-hours, such as 02:00:00, got %1</source>
        <translation>应为分钟、时:分:秒或天-时，例如 02:00:00，实际为 %1</translation>
    </message>
    <message>
        <source>expected %1 minutes or more, since the tasks stop %2 minutes before the end, got %3</source>
        <translation>任务在结束前 %2 分钟停止，因此应为 %1 分钟或更长，实际为 %3</translation>
    </message>
    <message>
        <source>expected a number with K, M, G or T, such as 4G, got %1</source>
        <translation>应为带 K、M、G 或 T 的数，例如 4G，实际为 %1</translation>
    </message>
    <message>
        <source>expected the name of a partition, or several with commas, got %1</source>
        <translation>应为一个分区名，或用逗号分隔的多个分区名，实际为 %1</translation>
    </message>
    <message>
        <source>expected as many tasks in all as the project&apos;s cluster has (%1), so that each has its job, got %2</source>
        <translation>任务总数应与项目的集群相同（%1），使每个任务都有自己的作业，实际为 %2</translation>
    </message>
    <message>
        <source>expected the name of an image, such as registry.example/tandem:latest, got %1</source>
        <translation>应为镜像名称，例如 registry.example/tandem:latest，得到 %1</translation>
    </message>
    <message>
        <source>expected the name of a computer, such as node1, got %1</source>
        <translation>应为计算机名称，例如 node1，得到 %1</translation>
    </message>
    <message>
        <source>expected the computers on which the tasks are to run, such as node1,node2:2, since the project&apos;s cluster has %1, got none</source>
        <translation>由于项目的集群中有 %1，应给出运行任务的计算机，例如 node1,node2:2，但没有给出</translation>
    </message>
    <message>
        <source>expected the computers on which the tasks are to run, such as node1,node2:2, got none</source>
        <translation>应给出运行任务的计算机，例如 node1,node2:2，但没有给出</translation>
    </message>
    <message>
        <source>expected names such as node1,node2:2, got an empty one</source>
        <translation>应为 node1,node2:2 这样的名称，得到一个空名称</translation>
    </message>
    <message>
        <source>expected each host once, got %1 twice; &quot;%2:2&quot; gives it two workers</source>
        <translation>每台主机应只出现一次，而 %1 出现了两次；写成“%2:2”则该主机有两个工作器</translation>
    </message>
    <message>
        <source>expected a number of workers, 0 to %1, got %2</source>
        <translation>工作器数应为 0 到 %1，得到 %2</translation>
    </message>
    <message>
        <source>expected as many tasks as the %1 has (%2), so that each has its job, got %3</source>
        <translation>任务数应与%1的任务数相同（%2），使每个任务都有作业，得到 %3</translation>
    </message>
    <message>
        <source>expected at most %1 pods, got %2</source>
        <translation>最多应为 %1 个 Pod，得到 %2</translation>
    </message>
    <message>
        <source>expected at most %1 bytes, as a ConfigMap holds, got %2</source>
        <translation>最多应为 ConfigMap 能容纳的 %1 字节，得到 %2</translation>
    </message>
    <message>
        <source>expected the jobs chief, worker, ps and evaluator, as a TFJob has them, got %1</source>
        <translation>应为 TFJob 所具有的作业 chief、worker、ps 和 evaluator，得到 %1</translation>
    </message>
    <message>
        <source>expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it</source>
        <translation>strategy.communication 为 MPI 的项目应使用 mpirun，而这种方式不用它启动任务</translation>
    </message>
    <message>
        <source>expected no setting of fit.seed beside it, which gives each run a seed of its own, got %1</source>
        <translation>它为每个运行给出各自的种子，因此不能同时设置 fit.seed，得到 %1</translation>
    </message>
    <message>
        <source>expected at most %1 runs in one file, got %2</source>
        <translation>一个文件最多应有 %1 个运行，得到 %2</translation>
    </message>
    <message>
        <source>expected a run whose tasks this agent started, got one that it only follows</source>
        <translation>应为由此代理启动任务的运行，实为它只是跟随的运行</translation>
    </message>
    <message>
        <source>expected workers that sum with each other, %1 does not</source>
        <translation>应为彼此求和的 worker，%1 不是</translation>
    </message>
    <message>
        <source>expected a process that runs, it has ended</source>
        <translation>应为正在运行的进程，它已经结束</translation>
    </message>
    <message>
        <source>%1: has no task %2</source>
        <translation>%1：没有任务 %2</translation>
    </message>
    <message>
        <source>%1: has lost a task; it ends, or is about to start again</source>
        <translation>%1：失去了一个任务；它正在结束，或即将重新开始</translation>
    </message>
    <message>
        <source>%1: %2, where %3 runs, is out of reach</source>
        <translation>%1：%3 所在的 %2 无法连接</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is not over yet</source>
        <translation>%1：“%2”尚未结束</translation>
    </message>
    <message>
        <source>%1: does not take orders</source>
        <translation>%1：不接受命令</translation>
    </message>
    <message>
        <source>%1: the supervisor did not answer in time</source>
        <translation>%1：监督者未及时应答</translation>
    </message>
    <message>
        <source>%1: its event files are only read</source>
        <translation>%1：事件文件只供读取</translation>
    </message>
    <message>
        <source>expected one task or more, got none</source>
        <translation>应为一个或更多任务，却没有</translation>
    </message>
    <message>
        <source>expected at most %1 containers on one computer, got %2</source>
        <translation>一台计算机上最多应为 %1 个容器，得到 %2</translation>
    </message>
    <message>
        <source>expected at most %1 containers in one file, got %2</source>
        <translation>一个文件中最多应为 %1 个容器，得到 %2</translation>
    </message>
    <message>
        <source>expected at most %1 GPUs, got %2</source>
        <translation>最多应为 %1 个 GPU，得到 %2</translation>
    </message>
    <message>
        <source>expected the folder of a run, got none: %1</source>
        <translation>应为运行的文件夹，却没有：%1</translation>
    </message>
    <message>
        <source>expected the folder of a run that tells its events there (%1), or one with TensorBoard&apos;s event files, got one without them; a task tells them when tandem-worker trains without an agent</source>
        <translation>应为在其中写入事件的运行的文件夹（%1），或有 TensorBoard 事件文件的文件夹，得到的文件夹里没有这些；tandem-worker 在没有代理的情况下训练时，任务才会写入事件</translation>
    </message>
    <message>
        <source>expected a file that begins with the start of its task, got none; its first line may be on its way</source>
        <translation>应有以任务的启动开头的文件，却没有；它的第一行可能还在路上</translation>
    </message>
    <message>
        <source>expected events of version %1, got version %2, of a newer Tandem</source>
        <translation>应为版本 %1 的事件，得到更新的 Tandem 的版本 %2</translation>
    </message>
    <message>
        <source>expected a run without an agent, got run %1, which an agent trains there</source>
        <translation>应为没有代理的运行，得到由代理在那里训练的运行 %1</translation>
    </message>
    <message>
        <source>expected a run that no agent of another computer or user follows, got run %1, whose journal such an agent writes; watch it there, or here %2 minutes after that agent has ended</source>
        <translation>应为没有其他计算机或用户的代理在跟随的运行，得到运行 %1，其日志簿正由这样的代理写入；请在那里查看，或在那个代理结束 %2 分钟后在这里查看</translation>
    </message>
    <message>
        <source>expected the folder of a scheduler&apos;s job, got a copy of %1, where run %2 is</source>
        <translation>应为调度器作业的文件夹，得到 %1 的副本，运行 %2 在那里</translation>
    </message>
    <message>
        <source>job %1 is gone from Slurm, so nothing is left to cancel</source>
        <translation>作业 %1 已不在 Slurm 中，没有可取消的内容</translation>
    </message>
    <message>
        <source>Slurm does not answer: sbatch took too long, and no job of it is in the queue</source>
        <translation>Slurm 没有回应：sbatch 用时过长，队列中没有它的作业</translation>
    </message>
    <message>
        <source>Slurm does not answer, so nobody knows whether it took the job; squeue --me will say</source>
        <translation>Slurm 没有回应，不知道它是否接收了作业；squeue --me 会给出答案</translation>
    </message>
    <message>
        <source>expected a run that no agent of another computer or user follows, got run %1, whose journal %2 writes; watch it there, or here once that program has ended</source>
        <translation>应为没有其他计算机或用户的代理在跟随的运行，得到运行 %1，其日志簿正由 %2 写入；请在那里查看，或等那个程序结束后在这里查看</translation>
    </message>
    <message>
        <source>expected a journal that nobody else writes, got one that %1 writes</source>
        <translation>应为没有其他程序在写的日志簿，得到的正由 %1 写入</translation>
    </message>
</context>
<context>
    <name>KerasKind</name>
    <message>
        <source>Keras model</source>
        <translation>Keras 模型</translation>
    </message>
    <message>
        <source>One file that keras.saving.load_model opens; .weights.h5 holds the weights alone, for load_weights, and .npz as NumPy&apos;s arrays.</source>
        <translation>keras.saving.load_model 可打开的单个文件；.weights.h5 只含权重，供 load_weights 使用，.npz 则以 NumPy 数组保存权重。</translation>
    </message>
</context>
<context>
    <name>LabChoice</name>
    <message>
        <source>All of them</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>None of them</source>
        <translation>全不选</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s)</source>
        <translation>
            <numerusform>%n 种策略</numerusform>
        </translation>
    </message>
    <message>
        <source>Tick a strategy to compare with Default</source>
        <translation>请勾选要与 Default 比较的策略</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Steps of each run</source>
        <translation>每次运行的步数</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>LabTableModel</name>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Largest difference</source>
        <translation>最大差异</translation>
    </message>
    <message>
        <source>Steps/s</source>
        <translation>步/秒</translation>
    </message>
    <message>
        <source>Moved a step</source>
        <translation>每步传输</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>陈旧度</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>%1, at most %2</source>
        <translation>%1，最多 %2</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Differs as expected</source>
        <translation>按预期不同</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>异步</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Not trained</source>
        <translation>未训练</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 个工作器</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 个工作器</translation>
    </message>
    <message>
        <source>%1: BatchNormalization takes the statistics of each replica&apos;s own part of the batch, as in Keras</source>
        <translation>%1：与 Keras 一样，BatchNormalization 取各副本自己那部分批次的统计量</translation>
    </message>
    <message>
        <source>%1: each replica clips its own gradients before they are summed, as in Keras</source>
        <translation>%1：与 Keras 一样，各副本在求和前裁剪自己的梯度</translation>
    </message>
    <message>
        <source>%1: the loss is a mean over what the mask leaves of each replica&apos;s part, as in Keras</source>
        <translation>%1：与 Keras 一样，损失是各副本那部分中掩码留下部分的平均</translation>
    </message>
    <message>
        <source>The loss is reduced (%1) on each replica&apos;s part, as in Keras</source>
        <translation>与 Keras 一样，损失在各副本的部分上归约（%1）</translation>
    </message>
    <message>
        <source>The same until step %1, from where on rounding grew</source>
        <translation>到第 %1 步为止相同，此后舍入误差增大</translation>
    </message>
    <message>
        <source>It should be equal and is not, most in %1</source>
        <translation>应当相同却不同，差异最大的是 %1</translation>
    </message>
    <message>
        <source>Its workers do not wait for each other</source>
        <translation>各工作器互不等待</translation>
    </message>
    <message>
        <source>%1: Equalization counts the values of each replica&apos;s own part of the batch, as in Keras</source>
        <translation>%1：与 Keras 一样，Equalization 统计各副本自己那部分批次的值</translation>
    </message>
</context>
<context>
    <name>LabView</name>
    <message>
        <source>Do all strategies train the same?</source>
        <translation>所有策略的训练结果都相同吗？</translation>
    </message>
    <message>
        <source>%1 of %2 strategies trained</source>
        <translation>已训练 %1 种策略，共 %2 种</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s) differ(s) and should not</source>
        <translation>
            <numerusform>%n 种策略应当相同却不同</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed</source>
        <translation>
            <numerusform>%n 次运行失败</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped: %1 of %2 strategies trained</source>
        <translation>已停止：训练了 %1 种策略，共 %2 种</translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s) equal to Default</source>
        <translation>
            <numerusform>%n 种策略与 Default 相同</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2 steps, global batch %3</source>
        <translation>%1：%2 步，全局批次 %3</translation>
    </message>
    <message>
        <source>%1: %2 steps, global batch %3 (the project&apos;s is %4; all replicas get equal parts)</source>
        <translation>%1：%2 步，全局批次 %3（项目为 %4；各副本分得相同的部分）</translation>
    </message>
    <message>
        <source>The lab ended before its first row</source>
        <translation>实验在第一行之前就结束了</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>The lab trains the open project under every strategy. Choose a template, or open a project (Ctrl+O).</source>
        <translation>等价实验用每种策略训练打开的项目。请选择模板，或打开一个项目（Ctrl+O）。</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>Each strategy trains the project for the same steps on the same samples; what should end with Default&apos;s weights and does not turns red. Every row is a run of its own.</source>
        <translation>每种策略用相同的样本把项目训练相同的步数；应当得到 Default 的权重却没有得到的会变红。每一行都是一次独立的运行。</translation>
    </message>
    <message>
        <source>It can&apos;t be started now: %1.</source>
        <translation>现在无法开始：%1。</translation>
    </message>
    <message>
        <source>Strategies and what came of each</source>
        <translation>各策略及其结果</translation>
    </message>
    <message>
        <source>Loss by step, of each strategy</source>
        <translation>各策略逐步的损失</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>appears when the first strategy is trained</source>
        <translation>第一种策略训练完后显示</translation>
    </message>
</context>
<context>
    <name>LaunchFilesKind</name>
    <message>
        <source>Launch files</source>
        <translation>启动文件</translation>
    </message>
    <message>
        <source>A batch script for sbatch. Its job is queued again when a node is lost or its time is over.</source>
        <translation>用于 sbatch 的批处理脚本。失去节点或时间用完时，作业会重新排队。</translation>
    </message>
    <message>
        <source>Containers of one computer, for docker compose up. What fails is started again.</source>
        <translation>一台计算机上的容器，用 docker compose up 启动。失败的会再次启动。</translation>
    </message>
    <message>
        <source>A Job of Kubernetes with all that it needs, for kubectl apply.</source>
        <translation>Kubernetes 的 Job 及其所需的一切，用 kubectl apply 启动。</translation>
    </message>
    <message>
        <source>A TFJob of Kubeflow&apos;s training operator, for kubectl apply.</source>
        <translation>Kubeflow 训练 operator 的 TFJob，用 kubectl apply 启动。</translation>
    </message>
    <message>
        <source>A bash script that starts each task over ssh, and ends all when one fails.</source>
        <translation>通过 ssh 逐个启动任务的 bash 脚本，一个失败时全部结束。</translation>
    </message>
    <message>
        <source>A bash script that starts the tasks as ranks of Open MPI.</source>
        <translation>把任务作为 Open MPI 的 rank 启动的 bash 脚本。</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>save the project first</source>
        <translation>请先保存项目</translation>
    </message>
    <message>
        <source>Computers</source>
        <translation>计算机</translation>
    </message>
    <message>
        <source>Pods</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Tasks a node</source>
        <translation>每节点任务数</translation>
    </message>
    <message>
        <source>Cores a task</source>
        <translation>每任务核数</translation>
    </message>
    <message>
        <source>GPUs a task</source>
        <translation>每任务 GPU 数</translation>
    </message>
    <message>
        <source>Memory a task</source>
        <translation>每任务内存</translation>
    </message>
    <message>
        <source>Memory a node</source>
        <translation>每节点内存</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>最长时间</translation>
    </message>
    <message>
        <source>Seeds (runs)</source>
        <translation>种子（运行数）</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Names as ssh has them, with the number of tasks where it is not 1. Without any: the project&apos;s cluster, at its addresses.</source>
        <translation>ssh 所用的名称，任务数不是 1 时加上任务数。留空则使用项目的集群及其地址。</translation>
    </message>
    <message>
        <source>Names as mpirun has them, with the number of tasks where it is not 1. Without any: where mpirun puts the ranks.</source>
        <translation>mpirun 所用的名称，任务数不是 1 时加上任务数。留空则由 mpirun 安排各 rank。</translation>
    </message>
    <message>
        <source>Started by</source>
        <translation>启动方式</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>With Tandem in it, as installer/image.sh makes it.</source>
        <translation>装有 Tandem 的镜像，如 installer/image.sh 所生成的。</translation>
    </message>
    <message>
        <source>Other values of the project, one a line</source>
        <translation>不同的项目值，每行一个</translation>
    </message>
    <message>
        <source>PATH=VALUE, for this file alone: the project stays as it is.</source>
        <translation>路径=值，只用于这个文件：项目保持不变。</translation>
    </message>
</context>
<context>
    <name>Launcher</name>
    <message>
        <source>No project</source>
        <translation>无项目</translation>
    </message>
    <message>
        <source>Launching</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>有运行正在进行</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>The agent does not answer</source>
        <translation>代理没有响应</translation>
    </message>
    <message>
        <source>Connecting to the agent</source>
        <translation>正在连接代理</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>无运行</translation>
    </message>
    <message>
        <source>The run is not over</source>
        <translation>运行尚未结束</translation>
    </message>
    <message>
        <source>The project keeps no backup: its callback backup_and_restore is off</source>
        <translation>项目没有备份：回调 backup_and_restore 已关闭</translation>
    </message>
    <message>
        <source>No backup was written before the end</source>
        <translation>结束之前没有写入备份</translation>
    </message>
    <message>
        <source>Sending %1 to %2: %3 %</source>
        <translation>正在把 %1 发送到 %2：%3 %</translation>
    </message>
    <message>
        <source>Slurm has taken job %1.</source>
        <translation>Slurm 已接受作业 %1。</translation>
    </message>
</context>
<context>
    <name>LayerAnomaly</name>
    <message>
        <source>%1: NaN or infinite since step %2: %3 numbers of its gradient, %4 of its weights</source>
        <translation>%1：自第 %2 步起出现 NaN 或无穷大：梯度中 %3 个数，权重中 %4 个数</translation>
    </message>
    <message>
        <source>%1: its gradient explodes at step %2: a norm of %3, %4 times the median before</source>
        <translation>%1：梯度在第 %2 步爆炸：范数 %3，是此前中位数的 %4 倍</translation>
    </message>
    <message>
        <source>%1: its update at step %2 is %3 times as large as its weights</source>
        <translation>%1：第 %2 步的更新是其权重的 %3 倍</translation>
    </message>
    <message>
        <source>%1: %2 of %3 ReLU units are dead since step %4: 0 for each of %5 samples</source>
        <translation>%1：自第 %4 步起 %3 个 ReLU 单元中有 %2 个死亡：对 %5 个样本都输出 0</translation>
    </message>
    <message>
        <source>%1: learns nothing since step %2: its updates are lost in the rounding of its weights</source>
        <translation>%1：自第 %2 步起不再学习：更新消失在权重的舍入中</translation>
    </message>
</context>
<context>
    <name>LayerChart</name>
    <message>
        <source>Gradient norm by layer</source>
        <translation>各层的梯度范数</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Update to weight by layer</source>
        <translation>各层更新与权重之比</translation>
    </message>
    <message>
        <source>update / weight</source>
        <translation>更新 / 权重</translation>
    </message>
    <message>
        <source>Dead units by layer</source>
        <translation>各层的死亡单元</translation>
    </message>
    <message>
        <source>dead units, %</source>
        <translation>死亡单元，%</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>Update to weight</source>
        <translation>更新与权重之比</translation>
    </message>
    <message>
        <source>Dead units, %</source>
        <translation>死亡单元，%</translation>
    </message>
</context>
<context>
    <name>LayerErrorCard</name>
    <message>
        <source>Move above %1</source>
        <translation>移到 %1 上方</translation>
    </message>
    <message>
        <source>Delete layer</source>
        <translation>删除层</translation>
    </message>
    <message>
        <source>Wrong input</source>
        <translation>输入有误</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>Insert %1 before it</source>
        <translation>在其前插入 %1</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>将 %1 设为 %2</translation>
    </message>
    <message>
        <source>Wrong setting: %1</source>
        <translation>设置有误：%1</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>应为</translation>
    </message>
    <message>
        <source>got</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>All problems</source>
        <translation>所有问题</translation>
    </message>
</context>
<context>
    <name>LayerPalette</name>
    <message>
        <source>Find a layer</source>
        <translation>查找层</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
</context>
<context>
    <name>LayerView</name>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Every layer learns: nothing out of the ordinary.</source>
        <translation>每一层都在学习，没有异常。</translation>
    </message>
    <message>
        <source>What goes wrong in the layers</source>
        <translation>各层中出错的事</translation>
    </message>
    <message>
        <source>Show step %1</source>
        <translation>显示第 %1 步</translation>
    </message>
    <message>
        <source>step %1 · %2 samples</source>
        <translation>第 %1 步 · %2 个样本</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Measured in steps 1, 2, 5, 10, 20, 50, 100, then in every hundredth up to 1,000 and every 500th; dead units over that many samples</source>
        <translation>在第 1、2、5、10、20、50、100 步，此后到 1,000 步为止每一百步、再往后每五百步测量；死亡单元以这么多样本为准</translation>
    </message>
</context>
<context>
    <name>LinkMatrix</name>
    <message>
        <source>Latency and bandwidth</source>
        <translation>延迟和带宽</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>One task talks to nobody.</source>
        <translation>单个任务不与其他任务通信。</translation>
    </message>
    <message>
        <source>Measuring between the tasks…</source>
        <translation>正在测量任务之间的链路…</translation>
    </message>
    <message>
        <source>The doctor measures them.</source>
        <translation>运行诊断即可测量。</translation>
    </message>
    <message>
        <source>loopback %1 GB/s</source>
        <translation>环回 %1 GB/s</translation>
    </message>
    <message>
        <source>%1: %2 µs, %3 GB/s</source>
        <translation>%1：%2 µs，%3 GB/s</translation>
    </message>
    <message>
        <source>Not measured: no two tasks are on this computer</source>
        <translation>未测量：本机上没有两个任务</translation>
    </message>
    <message>
        <source>others not measured</source>
        <translation>其余未测量</translation>
    </message>
</context>
<context>
    <name>LocalCluster</name>
    <message numerus="yes">
        <source>Use %n local worker(s)</source>
        <translation>
            <numerusform>使用 %n 个本地工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose free ports</source>
        <translation>选择空闲端口</translation>
    </message>
</context>
<context>
    <name>Locator</name>
    <message>
        <source>page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Locator</source>
        <translation>定位器</translation>
    </message>
    <message>
        <source>What the locator found</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到任何内容</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search runs, layers, hosts, actions</source>
        <translation>搜索运行、层、主机、操作</translation>
    </message>
</context>
<context>
    <name>LogModel</name>
    <message>
        <source>agent</source>
        <translation>代理</translation>
    </message>
</context>
<context>
    <name>LogsKind</name>
    <message>
        <source>TensorBoard logs</source>
        <translation>TensorBoard 日志</translation>
    </message>
    <message>
        <source>What the callback TensorBoard wrote: scalars, histograms, the graph.</source>
        <translation>回调 TensorBoard 所写的内容：标量、直方图、计算图。</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>the callback TensorBoard is off</source>
        <translation>回调 TensorBoard 未开启</translation>
    </message>
    <message>
        <source>no log yet</source>
        <translation>尚无日志</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) in %1</source>
        <translation>
            <numerusform>%1 中的 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>%1 has unsaved changes.</source>
        <translation>%1 有未保存的更改。</translation>
    </message>
    <message>
        <source>Tandem projects (*.tandem)</source>
        <translation>Tandem 项目 (*.tandem)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>任务日志</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>About Tandem</source>
        <translation>关于 Tandem</translation>
    </message>
    <message>
        <source>Tandem %1

Distributed training on this computer and others.
The studio is licensed under the GNU GPL, version 3 or later.</source>
        <translation>Tandem %1

在本机及其他计算机上进行分布式训练。
工作室采用 GNU GPL 第 3 版或更高版本许可。</translation>
    </message>
    <message>
        <source>No project yet</source>
        <translation>尚无项目</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的项目</translation>
    </message>
    <message>
        <source>&amp;New blank project</source>
        <translation>新建空白项目</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Open a project or a model</source>
        <translation>打开项目或模型</translation>
    </message>
    <message>
        <source>Projects and models (*.tandem *.keras *.h5 *.json *.onnx);;Tandem projects (*.tandem);;Keras and ONNX models (*.keras *.h5 *.json *.onnx)</source>
        <translation>项目和模型 (*.tandem *.keras *.h5 *.json *.onnx);;Tandem 项目 (*.tandem);;Keras 和 ONNX 模型 (*.keras *.h5 *.json *.onnx)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>&amp;As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>切换浅色和深色</translation>
    </message>
    <message>
        <source>Fold the left &amp;list</source>
        <translation>折叠左侧列表</translation>
    </message>
    <message>
        <source>&amp;Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop &amp;now, without a checkpoint</source>
        <translation>立即停止，不保存检查点</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>&amp;About Tandem</source>
        <translation>关于 Tandem</translation>
    </message>
    <message>
        <source>Begin with a template</source>
        <translation>从模板开始</translation>
    </message>
    <message>
        <source>Each card is a whole project: data, model, cluster. The marked one opens and trains at once.</source>
        <translation>每张卡片都是一个完整的项目：数据、模型、集群。带标记的卡片打开后立即训练。</translation>
    </message>
    <message>
        <source>Pages in the order of work</source>
        <translation>按工作顺序排列的页面</translation>
    </message>
    <message>
        <source>Data, model, cluster, then watch the training and compare runs. Ctrl+1 to Ctrl+7 open them.</source>
        <translation>依次设置数据、模型、集群，然后观察训练并比较运行。用 Ctrl+1 到 Ctrl+7 打开。</translation>
    </message>
    <message>
        <source>The model as a chain of layers</source>
        <translation>由层依次连接的模型</translation>
    </message>
    <message>
        <source>Shapes are worked out while you edit, and the first layer that does not fit is named. Everything can be undone with Ctrl+Z.</source>
        <translation>编辑时会即时推导形状，并指出第一个不匹配的层。一切都可以用 Ctrl+Z 撤销。</translation>
    </message>
    <message>
        <source>The cluster and its TF_CONFIG</source>
        <translation>集群及其 TF_CONFIG</translation>
    </message>
    <message>
        <source>Choose how many workers train and by which strategy. TF_CONFIG of every task is written for you.</source>
        <translation>选择训练用的工作器数量和策略。每个任务的 TF_CONFIG 会自动生成。</translation>
    </message>
    <message>
        <source>Launch from any page</source>
        <translation>在任何页面启动</translation>
    </message>
    <message>
        <source>Ctrl+R launches, Pause and Stop are below. Training goes on when this window is closed.</source>
        <translation>Ctrl+R 启动，下方是暂停和停止。关闭此窗口后训练仍会继续。</translation>
    </message>
    <message>
        <source>Watch it train</source>
        <translation>观察训练</translation>
    </message>
    <message>
        <source>Curves move with every step; tasks, the ring and checkpoints stand at the right.</source>
        <translation>曲线随每一步更新；任务、环和检查点在右侧。</translation>
    </message>
    <message>
        <source>The first run fills this page: curves that move with every step, its tasks, the ring and checkpoints.</source>
        <translation>第一次运行会填满此页：随每一步更新的曲线、任务、环和检查点。</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找任意内容</translation>
    </message>
    <message>
        <source>Ctrl+K finds pages, actions, layers, runs and settings by a few letters. Ctrl+/ lists all keys.</source>
        <translation>按 Ctrl+K，输入几个字母即可找到页面、操作、层、运行和设置。Ctrl+/ 列出所有快捷键。</translation>
    </message>
    <message>
        <source>&amp;Change shortcuts…</source>
        <translation>更改快捷键…</translation>
    </message>
    <message>
        <source>User &amp;manual</source>
        <translation>用户手册</translation>
    </message>
    <message>
        <source>&amp;Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销：%1</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做：%1</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Batch per replica</source>
        <translation>每个副本的批次大小</translation>
    </message>
    <message>
        <source>Shuffle buffer</source>
        <translation>乱序缓冲区</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>回调</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>全归约</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Allow motion</source>
        <translation>允许动画</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Folding and fading</source>
        <translation>折叠与淡出</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>重置布局</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>Neither a project nor a run is open</source>
        <translation>没有打开的项目或运行</translation>
    </message>
    <message>
        <source>No run is going on</source>
        <translation>没有正在进行的运行</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>The file has changed</source>
        <translation>文件已被更改</translation>
    </message>
    <message>
        <source>Another program has changed %1 since it was opened or saved here.</source>
        <translation>%1 在此处打开或保存之后，被另一个程序更改过。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Begin with a project</source>
        <translation>从项目开始</translation>
    </message>
    <message>
        <source>New blank project begins one, Open reads a file. Those that you had open are listed here.</source>
        <translation>“新建空白项目”用于开始，“打开”用于读取文件。打开过的项目列在这里。</translation>
    </message>
    <message>
        <source>Each card is a whole project: data, model, cluster.</source>
        <translation>每张卡片都是一个完整的项目：数据、模型、集群。</translation>
    </message>
    <message>
        <source>Open run &amp;folder…</source>
        <translation>打开运行文件夹…</translation>
    </message>
    <message>
        <source>S&amp;ubmit to Slurm…</source>
        <translation>提交到 Slurm…</translation>
    </message>
    <message>
        <source>No run is open</source>
        <translation>没有打开的运行</translation>
    </message>
    <message>
        <source>The run still goes on</source>
        <translation>运行仍在进行</translation>
    </message>
    <message>
        <source>Open run arch&amp;ive…</source>
        <translation>打开运行归档…</translation>
    </message>
    <message>
        <source>Save run archi&amp;ve…</source>
        <translation>保存运行归档…</translation>
    </message>
    <message>
        <source>Open the archive of a run</source>
        <translation>打开运行的归档</translation>
    </message>
    <message>
        <source>Archives of runs (*.tandem-run)</source>
        <translation>运行归档 (*.tandem-run)</translation>
    </message>
    <message>
        <source>Save the run in one file</source>
        <translation>把运行保存为一个文件</translation>
    </message>
    <message>
        <source>&amp;Chaos…</source>
        <translation>混沌…</translation>
    </message>
    <message>
        <source>Change what you like and train: the run goes on behind %1, as a run of its own.</source>
        <translation>按需更改后即可训练：从 %1 之后继续，作为独立的运行。</translation>
    </message>
    <message>
        <source>This run is read from event files</source>
        <translation>此运行是从事件文件读取的</translation>
    </message>
    <message>
        <source>Open even&amp;t files…</source>
        <translation>打开事件文件…</translation>
    </message>
    <message>
        <source>Open the event files of TensorFlow, Keras or PyTorch in a folder</source>
        <translation>打开文件夹中 TensorFlow、Keras 或 PyTorch 的事件文件</translation>
    </message>
</context>
<context>
    <name>ManualView</name>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Contents of the manual</source>
        <translation>手册目录</translation>
    </message>
    <message>
        <source>User manual</source>
        <translation>用户手册</translation>
    </message>
    <message>
        <source>The manual is not installed: %1 was expected.</source>
        <translation>未安装手册：应有 %1。</translation>
    </message>
    <message>
        <source>Not in this chapter. Enter looks in the others.</source>
        <translation>本章没有。按 Enter 在其他章中查找。</translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) in this chapter</source>
        <translation>
            <numerusform>本章有 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 in this chapter</source>
        <translation>本章第 %1 处，共 %2 处</translation>
    </message>
</context>
<context>
    <name>MenuRow</name>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>no project</source>
        <translation>无项目</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
</context>
<context>
    <name>MetricsPane</name>
    <message>
        <source>A row appears at the end of each epoch.</source>
        <translation>每个周期结束时出现一行。</translation>
    </message>
    <message>
        <source>Metrics of each epoch</source>
        <translation>各周期的指标</translation>
    </message>
</context>
<context>
    <name>MistakeGallery</name>
    <message numerus="yes">
        <source>%n of this cell, surest first</source>
        <translation>
            <numerusform>此单元格的 %n 个，置信度从高到低</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n, surest first</source>
        <translation>
            <numerusform>%n 个，置信度从高到低</numerusform>
        </translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Wrong and sure of it</source>
        <translation>错误但很确信</translation>
    </message>
    <message>
        <source>Wrong answers</source>
        <translation>错误答案</translation>
    </message>
</context>
<context>
    <name>MistakeModel</name>
    <message>
        <source>Sample %1: %2, taken for %3 with %4</source>
        <translation>样本 %1：%2，以 %4 的置信度当作 %3</translation>
    </message>
</context>
<context>
    <name>MixPanel</name>
    <message>
        <source>Change mixing</source>
        <translation>更改混合</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>Two samples are blended, and their labels by the same share. Validation sees samples as they are.</source>
        <translation>两个样本按一定份额混合，标签按同样的份额混合。验证使用未混合的样本。</translation>
    </message>
    <message>
        <source>A box of another image is pasted; labels are mixed by its area. Validation sees samples as they are.</source>
        <translation>贴入另一张图像的一个方框，标签按其面积混合。验证使用未混合的样本。</translation>
    </message>
    <message>
        <source>Batches are trained with as the steps above make them.</source>
        <translation>直接用以上各步骤得到的批次训练。</translation>
    </message>
    <message>
        <source>Mix samples</source>
        <translation>混合样本</translation>
    </message>
    <message>
        <source>What is wrong with the mix</source>
        <translation>混合的问题</translation>
    </message>
</context>
<context>
    <name>ModelCanvas</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Fits the data</source>
        <translation>与数据匹配</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>不匹配</translation>
    </message>
    <message numerus="yes">
        <source>Sequential, %n layer(s)</source>
        <translation>
            <numerusform>Sequential，%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo: %1 (Ctrl+Z)</source>
        <translation>撤销：%1（Ctrl+Z）</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>没有可撤销的操作</translation>
    </message>
    <message>
        <source>Redo: %1 (Ctrl+Shift+Z)</source>
        <translation>重做：%1（Ctrl+Shift+Z）</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>没有可重做的操作</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Duplicate layer</source>
        <translation>复制层</translation>
    </message>
    <message>
        <source>Move layer</source>
        <translation>移动层</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Lists every problem and goes to the first wrong layer</source>
        <translation>列出所有问题并转到第一个有误的层</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>画布</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>拆分</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>The model as Keras&apos; summary(), with work and memory</source>
        <translation>模型的 Keras summary()，含计算量和内存</translation>
    </message>
    <message>
        <source>rate by epoch</source>
        <translation>各周期的学习率</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>无项目</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n layer(s)</source>
        <translation>
            <numerusform>粘贴 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Reading the text of the clipboard… Nothing has changed by now; closing this stops it.</source>
        <translation>正在读取剪贴板的文本…目前没有任何改动；关闭此提示即停止。</translation>
    </message>
</context>
<context>
    <name>ModelProperties</name>
    <message>
        <source>Choose a layer to see its settings. Add one from the list at the left, or type A and a letter.</source>
        <translation>选择一层以查看其设置。可从左侧列表添加，或先按 A 再按字母。</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>计算值</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>Activations, batch %1</source>
        <translation>激活值，批次 %1</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Change metrics</source>
        <translation>更改指标</translation>
    </message>
    <message>
        <source>Callbacks</source>
        <translation>回调</translation>
    </message>
    <message>
        <source>Keeps the weights, epoch by epoch</source>
        <translation>逐周期保存权重</translation>
    </message>
    <message>
        <source>A run that was lost or stopped goes on where it was</source>
        <translation>丢失或停止的运行从原处继续</translation>
    </message>
    <message>
        <source>Ends training when a value gets no better</source>
        <translation>当某值不再改善时结束训练</translation>
    </message>
    <message>
        <source>Lowers the rate when a value gets no better</source>
        <translation>当某值不再改善时降低学习率</translation>
    </message>
    <message>
        <source>Writes the values of every epoch to a table</source>
        <translation>将每个周期的数值写入表格</translation>
    </message>
    <message>
        <source>Writes logs that TensorBoard shows</source>
        <translation>写入可在 TensorBoard 中查看的日志</translation>
    </message>
    <message>
        <source>Ends training when the loss is no number</source>
        <translation>当损失不是数值时结束训练</translation>
    </message>
    <message>
        <source>Says the rate of every epoch in the log</source>
        <translation>在日志中写出每个周期的学习率</translation>
    </message>
    <message>
        <source>Not known to this version</source>
        <translation>此版本不认识</translation>
    </message>
    <message>
        <source>Hide the settings</source>
        <translation>隐藏设置</translation>
    </message>
    <message>
        <source>Show the settings</source>
        <translation>显示设置</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>layer %1 of %2</source>
        <translation>第 %1 层，共 %2 层</translation>
    </message>
    <message>
        <source>Move, duplicate, delete</source>
        <translation>移动、复制、删除</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>变化过程</translation>
    </message>
    <message>
        <source>from epoch</source>
        <translation>起始周期</translation>
    </message>
    <message>
        <source>Remove this line</source>
        <translation>移除此行</translation>
    </message>
    <message>
        <source>Change epoch</source>
        <translation>更改周期</translation>
    </message>
    <message>
        <source>Change rate</source>
        <translation>更改学习率</translation>
    </message>
    <message>
        <source>Remove epoch</source>
        <translation>移除周期</translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation>添加一行</translation>
    </message>
    <message>
        <source>Add epoch</source>
        <translation>添加周期</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Validates with the moving averages of the weights</source>
        <translation>用权重的移动平均进行验证</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>Feature columns</source>
        <translation>特征列</translation>
    </message>
    <message>
        <source>Without any, a sample is what the file&apos;s own settings say.</source>
        <translation>一列也没有时，样本由文件自身的设置决定。</translation>
    </message>
    <message>
        <source>Add a column</source>
        <translation>添加列</translation>
    </message>
    <message>
        <source>Column %1</source>
        <translation>第 %1 列</translation>
    </message>
    <message>
        <source>Remove column %1</source>
        <translation>移除第 %1 列</translation>
    </message>
    <message>
        <source>Remove a column</source>
        <translation>移除列</translation>
    </message>
    <message>
        <source>Add a layer</source>
        <translation>添加层</translation>
    </message>
    <message>
        <source>Move %1 up</source>
        <translation>将 %1 上移</translation>
    </message>
    <message>
        <source>Move %1 down</source>
        <translation>将 %1 下移</translation>
    </message>
    <message>
        <source>Add a cell</source>
        <translation>添加单元</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
</context>
<context>
    <name>ModelSummary</name>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>weights, float32</source>
        <translation>权重，float32</translation>
    </message>
    <message>
        <source>multiply-adds a sample</source>
        <translation>每样本乘加次数</translation>
    </message>
    <message>
        <source>activations, batch %1</source>
        <translation>激活值，批次 %1</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>parameters by layer</source>
        <translation>各层参数</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中 %1</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 槽</translation>
    </message>
</context>
<context>
    <name>MonitorCharts</name>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>图像 / 秒</translation>
    </message>
    <message>
        <source>Input time</source>
        <translation>输入时间</translation>
    </message>
    <message>
        <source>Compute time</source>
        <translation>计算时间</translation>
    </message>
    <message>
        <source>Waiting time</source>
        <translation>等待时间</translation>
    </message>
    <message>
        <source>Processor of each task</source>
        <translation>每个任务的处理器</translation>
    </message>
    <message>
        <source>Memory of each task</source>
        <translation>每个任务的内存</translation>
    </message>
    <message>
        <source>Reduce time</source>
        <translation>归约时间</translation>
    </message>
    <message>
        <source>Apply time</source>
        <translation>应用时间</translation>
    </message>
    <message>
        <source>Norm of the weights</source>
        <translation>权重的范数</translation>
    </message>
    <message>
        <source>Norm of the gradients</source>
        <translation>梯度的范数</translation>
    </message>
    <message>
        <source>Throughput of each task</source>
        <translation>各任务的吞吐量</translation>
    </message>
    <message>
        <source>%1 of each task</source>
        <translation>各任务的%1</translation>
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
        <translation>核心</translation>
    </message>
    <message>
        <source>Staleness of each worker</source>
        <translation>每个工作器的陈旧度</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>陈旧度</translation>
    </message>
    <message>
        <source>Updates of each ps</source>
        <translation>每个 ps 的更新</translation>
    </message>
    <message>
        <source>Variables pulled from each ps</source>
        <translation>从每个 ps 取走的变量</translation>
    </message>
    <message>
        <source>Gradients pushed to each ps</source>
        <translation>推送到每个 ps 的梯度</translation>
    </message>
    <message>
        <source>MB / s</source>
        <translation>MB/秒</translation>
    </message>
    <message>
        <source>updates / s</source>
        <translation>次更新/秒</translation>
    </message>
    <message>
        <source>this run has told none</source>
        <translation>此运行没有报告</translation>
    </message>
    <message>
        <source>global step</source>
        <translation>全局步</translation>
    </message>
</context>
<context>
    <name>MonitorDock</name>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>环</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 of %2 alive</source>
        <translation>存活 %1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>就绪 %1 / %2</translation>
    </message>
    <message>
        <source>all-reduce #%1</source>
        <translation>全归约 #%1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>尚未加入</translation>
    </message>
    <message>
        <source>one task, nothing to exchange</source>
        <translation>单个任务，无需交换</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 已消失</translation>
    </message>
    <message>
        <source>RING · shared memory</source>
        <translation>RING · 共享内存</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 无响应</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>完成 %1 / %2</translation>
    </message>
    <message>
        <source>Other computers</source>
        <translation>其他计算机</translation>
    </message>
</context>
<context>
    <name>MonitorHeader</name>
    <message numerus="yes">
        <source>%1 · %n worker(s)</source>
        <translation>
            <numerusform>%1 · %n 个工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, global batch %2</source>
        <translation>%1，全局批次 %2</translation>
    </message>
    <message>
        <source>A learning rate is a number above 0, such as 1e-4</source>
        <translation>学习率是大于 0 的数，例如 1e-4</translation>
    </message>
    <message>
        <source>A run is going on</source>
        <translation>有运行正在进行</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>第 %1 次尝试</translation>
    </message>
    <message>
        <source>Chief, parameter servers and evaluator can&apos;t be left out</source>
        <translation>首席、参数服务器和评估器不能省略</translation>
    </message>
    <message numerus="yes">
        <source>Continue with %n worker(s)</source>
        <translation>
            <numerusform>用 %n 个工作器继续</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the run&apos;s id</source>
        <translation>复制运行的 ID</translation>
    </message>
    <message>
        <source>Done in %1</source>
        <translation>用时 %1 完成</translation>
    </message>
    <message>
        <source>Done in %1, best %2 %3 in epoch %4</source>
        <translation>用时 %1 完成，最佳 %2 %3（周期 %4）</translation>
    </message>
    <message>
        <source>In the same folder: the backup holds step, weights, optimizer and place in the data</source>
        <translation>在同一文件夹中：备份包含步数、权重、优化器和数据位置</translation>
    </message>
    <message>
        <source>Launch again</source>
        <translation>再次启动</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>LR</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>More: checkpoint now, ways to stop, folder</source>
        <translation>更多：立即保存检查点、停止方式、文件夹</translation>
    </message>
    <message>
        <source>No checkpoint yet to continue from</source>
        <translation>还没有可继续的检查点</translation>
    </message>
    <message>
        <source>No task is left to continue with</source>
        <translation>没有剩余任务可继续</translation>
    </message>
    <message>
        <source>nothing is running</source>
        <translation>没有正在运行的任务</translation>
    </message>
    <message>
        <source>One step (→)</source>
        <translation>执行一步（→）</translation>
    </message>
    <message>
        <source>Open as project</source>
        <translation>作为项目打开</translation>
    </message>
    <message>
        <source>Open the run&apos;s folder</source>
        <translation>打开运行的文件夹</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause first, then go step by step</source>
        <translation>请先暂停，再逐步执行</translation>
    </message>
    <message>
        <source>Paused at step %1</source>
        <translation>在第 %1 步暂停</translation>
    </message>
    <message>
        <source>Restart from the backup</source>
        <translation>从备份重新启动</translation>
    </message>
    <message>
        <source>Restarting (attempt %1)</source>
        <translation>正在重新启动（第 %1 次尝试）</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Save a checkpoint now</source>
        <translation>立即保存检查点</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>单步</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop after this step, with a checkpoint	Shift+F5</source>
        <translation>在此步之后停止并保存检查点	Shift+F5</translation>
    </message>
    <message>
        <source>Stop now, without a checkpoint</source>
        <translation>立即停止，不保存检查点</translation>
    </message>
    <message>
        <source>Stops after the present step and keeps a checkpoint (Shift+F5)</source>
        <translation>在当前步之后停止并保留检查点（Shift+F5）</translation>
    </message>
    <message>
        <source>Takes effect on all workers at the same step</source>
        <translation>在同一步对所有工作器生效</translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>正在等待 %1</translation>
    </message>
    <message>
        <source>%1, batch %2 each</source>
        <translation>%1，每个批次 %2</translation>
    </message>
    <message>
        <source>Done in %1, best %2 %3</source>
        <translation>用时 %1 完成，最佳 %2 %3</translation>
    </message>
    <message>
        <source>Open the copies on this computer</source>
        <translation>打开本机上的副本</translation>
    </message>
    <message>
        <source>Copy where its folder is: %1</source>
        <translation>复制文件夹所在位置：%1</translation>
    </message>
    <message>
        <source>A new run that goes on behind the newest checkpoint</source>
        <translation>从最新的检查点继续的新运行</translation>
    </message>
    <message>
        <source>event files of %1</source>
        <translation>%1 的事件文件</translation>
    </message>
    <message>
        <source>Done in %1, %2 %3</source>
        <translation>用时 %1 完成，%2 %3</translation>
    </message>
</context>
<context>
    <name>MonitorMarks</name>
    <message>
        <source>learning rate %1 from step %2</source>
        <translation>从第 %2 步起学习率 %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>周期 %1</translation>
    </message>
    <message>
        <source>%1, epoch %2, step %3</source>
        <translation>%1，周期 %2，第 %3 步</translation>
    </message>
    <message>
        <source>%1 ended</source>
        <translation>%1 已结束</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>%1 失联</translation>
    </message>
    <message>
        <source>pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>stop now</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>checkpoint now</source>
        <translation>立即保存检查点</translation>
    </message>
    <message>
        <source>set by hand, %1 after the launch</source>
        <translation>手动设置，启动后 %1</translation>
    </message>
    <message>
        <source>by %1, %2 after the launch</source>
        <translation>由 %1 设置，启动后 %2</translation>
    </message>
    <message>
        <source>by the optimizer&apos;s schedule, %1 after the launch</source>
        <translation>由优化器的调度设置，启动后 %1</translation>
    </message>
    <message>
        <source>%1 by hand at step %2, %3 after the launch</source>
        <translation>在第 %2 步手动设为 %1，启动后 %3</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>went on at step %1 from the backup of an earlier attempt</source>
        <translation>从先前尝试的备份在第 %1 步继续</translation>
    </message>
    <message>
        <source>restarted</source>
        <translation>已重启</translation>
    </message>
    <message>
        <source>started again by hand behind step %1, %2 after the launch (attempt %3)</source>
        <translation>手动从第 %1 步之后重新开始，启动后 %2（第 %3 次尝试）</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; all tasks began again behind step %4 (attempt %5 of %6)</source>
        <translation>%1：%2，启动后 %3；所有任务从第 %4 步之后重新开始（第 %5 次尝试，共 %6 次）</translation>
    </message>
    <message>
        <source>the best so far</source>
        <translation>目前最佳</translation>
    </message>
    <message>
        <source>%1, %2 after the launch</source>
        <translation>%1，启动后 %2</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; the tasks that are left began again behind step %4 (attempt %5 of %6)</source>
        <translation>%1：%2，启动后 %3；其余任务从第 %4 步之后重新开始（第 %5 次尝试，共 %6 次）</translation>
    </message>
    <message>
        <source>%1: %2, %3 after the launch; it alone began again, the others went on</source>
        <translation>%1：%2，启动后 %3；只有该任务重新开始，其余任务继续运行</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>it began here, behind step %1 of the run %2</source>
        <translation>它从运行 %2 的第 %1 步之后在此开始</translation>
    </message>
</context>
<context>
    <name>MonitorPage</name>
    <message>
        <source>Export…	Ctrl+E</source>
        <translation>导出…	Ctrl+E</translation>
    </message>
    <message>
        <source>Open the log at this second</source>
        <translation>打开此刻的日志</translation>
    </message>
    <message>
        <source>Show the steps around it</source>
        <translation>显示前后的步</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>打开其文件夹</translation>
    </message>
    <message>
        <source>The agent starts it: one task has no TF_CONFIG</source>
        <translation>由代理启动：单个任务没有 TF_CONFIG</translation>
    </message>
    <message>
        <source>Every task is there</source>
        <translation>所有任务都已就位</translation>
    </message>
    <message>
        <source>No task is there yet</source>
        <translation>尚无任务就位</translation>
    </message>
    <message>
        <source>Chief, parameter servers and evaluator can&apos;t be left out</source>
        <translation>首席、参数服务器和评估器不能省略</translation>
    </message>
    <message>
        <source>Reconnecting to the agent. Points that were missed will come.</source>
        <translation>正在重新连接代理。缺失的数据点稍后会补上。</translation>
    </message>
    <message numerus="yes">
        <source>The agent has not answered for %n second(s). Its tasks keep what they have to tell.</source>
        <translation>
            <numerusform>代理已 %n 秒没有响应。任务会保留要报告的内容。</numerusform>
        </translation>
    </message>
    <message>
        <source>Branch here: no checkpoint lies before this step</source>
        <translation>在此分支：这一步之前没有检查点</translation>
    </message>
    <message>
        <source>Branch here, behind step %1</source>
        <translation>在此分支，从第 %1 步之后</translation>
    </message>
</context>
<context>
    <name>MonitorProgress</name>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>周期 %1 / %2</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>%1 of %2 in all</source>
        <translation>总计 %1 / %2</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>%1 后停止</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>of all workers</source>
        <translation>所有工作器合计</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>第 %1 步</translation>
    </message>
</context>
<context>
    <name>MonitorTools</name>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>透视</translation>
    </message>
    <message>
        <source>What is shown of the run</source>
        <translation>显示运行的哪一面</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>返回实时</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>The workers report the mean of the global batch only</source>
        <translation>工作器仅报告全局批次的平均值</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作器</translation>
    </message>
    <message>
        <source>Copy a picture of the charts</source>
        <translation>复制图表图片</translation>
    </message>
    <message>
        <source>Export (Ctrl+E)</source>
        <translation>导出（Ctrl+E）</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对时间</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>实际时刻</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>各个</translation>
    </message>
    <message>
        <source>What a run streams is listed with its first step</source>
        <translation>运行输出的内容会随第一步列出</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Adds a chart of anything that the run streams</source>
        <translation>为运行输出的任何内容添加图表</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Global step</source>
        <translation>全局步</translation>
    </message>
    <message>
        <source>Chief</source>
        <translation>首席</translation>
    </message>
    <message>
        <source>Go back in the run&apos;s time (T)</source>
        <translation>回到运行的过去（T）</translation>
    </message>
</context>
<context>
    <name>NoProjectPanel</name>
    <message>
        <source>No project yet</source>
        <translation>尚无项目</translation>
    </message>
    <message>
        <source>Choose a template on the Welcome page (Ctrl+1), or open a project (Ctrl+O).</source>
        <translation>请在“欢迎”页（Ctrl+1）选择模板，或打开项目（Ctrl+O）。</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>New blank project</source>
        <translation>新建空白项目</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
</context>
<context>
    <name>OfCheckpoint</name>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>no checkpoint yet</source>
        <translation>尚无检查点</translation>
    </message>
</context>
<context>
    <name>OfProject</name>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>no layer yet</source>
        <translation>还没有层</translation>
    </message>
</context>
<context>
    <name>OnnxKind</name>
    <message>
        <source>Samples at once</source>
        <translation>一次的样本数</translation>
    </message>
    <message>
        <source>any number</source>
        <translation>任意数量</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX 模型</translation>
    </message>
    <message>
        <source>One file that onnxruntime and other programs predict with: opset 17, channels last, samples as the model takes them.</source>
        <translation>onnxruntime 等程序用于预测的单个文件：opset 17，通道在最后，样本与模型所接受的相同。</translation>
    </message>
</context>
<context>
    <name>PageTitles</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>Core</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>循环</translation>
    </message>
</context>
<context>
    <name>PaneHost</name>
    <message>
        <source>Close the pane</source>
        <translation>关闭窗格</translation>
    </message>
</context>
<context>
    <name>ParallelPlot</name>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>工作器</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>全局批次</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>best val acc</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>test acc</source>
        <translation>测试准确率</translation>
    </message>
</context>
<context>
    <name>ParallelView</name>
    <message numerus="yes">
        <source>Parallel coordinates of %n run(s)</source>
        <translation>
            <numerusform>%n 次运行的平行坐标</numerusform>
        </translation>
    </message>
    <message>
        <source>Axis %1, %2 to %3.</source>
        <translation>坐标轴 %1，%2 到 %3。</translation>
    </message>
    <message>
        <source>Brushed from %1 to %2.</source>
        <translation>已选取 %1 到 %2。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) let by.</source>
        <translation>
            <numerusform>保留 %n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs that the filter lets by appear here as lines.</source>
        <translation>符合筛选的运行在此显示为线。</translation>
    </message>
    <message>
        <source>These runs have the same settings and no result yet.</source>
        <translation>这些运行的设置相同，且尚无结果。</translation>
    </message>
</context>
<context>
    <name>PasteClusterDialog</name>
    <message>
        <source>Paste a cluster</source>
        <translation>粘贴集群</translation>
    </message>
    <message>
        <source>TF_CONFIG (alone, or inside export, TF_CONFIG=, os.environ), an MPI hostfile (host slots=2), or Slurm&apos;s variables (SLURM_JOB_NODELIST=node[01-04]).</source>
        <translation>TF_CONFIG（单独，或位于 export、TF_CONFIG=、os.environ 中）、MPI hostfile（host slots=2）或 Slurm 变量（SLURM_JOB_NODELIST=node[01-04]）。</translation>
    </message>
    <message>
        <source>Text of the cluster</source>
        <translation>集群文本</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断结果</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Use this cluster</source>
        <translation>使用此集群</translation>
    </message>
    <message>
        <source>Fix: %1</source>
        <translation>修复：%1</translation>
    </message>
    <message>
        <source>All rules hold</source>
        <translation>符合所有规则</translation>
    </message>
    <message>
        <source>Nothing pasted yet</source>
        <translation>尚未粘贴内容</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n task(s)</source>
        <translation>
            <numerusform>%1：%n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: no task found</source>
        <translation>%1：未找到任务</translation>
    </message>
    <message>
        <source>The findings above come first</source>
        <translation>请先处理上面的诊断结果</translation>
    </message>
    <message>
        <source>Open a TF_CONFIG, hostfile or Slurm variables</source>
        <translation>打开 TF_CONFIG、hostfile 或 Slurm 变量文件</translation>
    </message>
    <message>
        <source>%1: expected at most 1 MB</source>
        <translation>%1：最大应为 1 MB</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>PasteNotice</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PenColors</name>
    <message>
        <source>White</source>
        <translation>白色</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>黑色</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰色</translation>
    </message>
    <message>
        <source>Red</source>
        <translation>红色</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>黄色</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Brown</source>
        <translation>棕色</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Colour of the pen</source>
        <translation>画笔颜色</translation>
    </message>
</context>
<context>
    <name>PipelinePanel</name>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>Expected mean / standard deviation, such as 0.1307 / 0.3081</source>
        <translation>应为 均值 / 标准差，例如 0.1307 / 0.3081</translation>
    </message>
    <message>
        <source>Every step is there</source>
        <translation>所有步骤都已添加</translation>
    </message>
    <message>
        <source>Switch %1</source>
        <translation>开关 %1</translation>
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
        <translation>map: one-hot 标签</translation>
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
        <translation>前若干个样本</translation>
    </message>
    <message>
        <source>values as stored</source>
        <translation>原始存储值</translation>
    </message>
    <message>
        <source>%1 to float32</source>
        <translation>%1 转为 float32</translation>
    </message>
    <message>
        <source>mean / std</source>
        <translation>均值 / 标准差</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>in memory, %1</source>
        <translation>在内存中，%1</translation>
    </message>
    <message>
        <source>decoded samples stay in memory</source>
        <translation>解码后的样本保留在内存中</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>samples in their order</source>
        <translation>样本按原有顺序</translation>
    </message>
    <message>
        <source>a smaller last batch is dropped</source>
        <translation>丢弃最后不足的批次</translation>
    </message>
    <message>
        <source>keeps a smaller last batch</source>
        <translation>保留最后不足的批次</translation>
    </message>
    <message>
        <source>batches ahead</source>
        <translation>批次数</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>添加步骤</translation>
    </message>
    <message>
        <source>Steps, in the order in which samples pass them</source>
        <translation>样本依次经过的步骤</translation>
    </message>
    <message>
        <source>repeat</source>
        <translation>repeat</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批次数</translation>
    </message>
    <message>
        <source>others each epoch</source>
        <translation>每个周期不同的样本</translation>
    </message>
    <message>
        <source>keeps the first epoch&apos;s order</source>
        <translation>保持第一个周期的顺序</translation>
    </message>
    <message>
        <source>whole batches</source>
        <translation>整批打乱</translation>
    </message>
    <message>
        <source>steps an epoch</source>
        <translation>每个周期的步数</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>What the order of the steps means</source>
        <translation>步骤顺序的含义</translation>
    </message>
</context>
<context>
    <name>PlaceFields</name>
    <message>
        <source>Name the hosts, such as node1,node2</source>
        <translation>请写主机名，例如 node1,node2</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Slurm: a job for each run; every node has to see the folder of sweeps in your home</source>
        <translation>Slurm：每次运行一个作业；所有节点都须能看到你主目录中的扫描文件夹</translation>
    </message>
    <message>
        <source>as the project</source>
        <translation>按项目</translation>
    </message>
    <message>
        <source>as the cluster has it</source>
        <translation>按集群设置</translation>
    </message>
    <message>
        <source>Names of your hosts with commas between them, as Cluster has them</source>
        <translation>你的主机名，用逗号分隔，与集群页中的相同</translation>
    </message>
    <message>
        <source>One host a run</source>
        <translation>每次运行一台主机</translation>
    </message>
    <message>
        <source>Each run on one of the hosts, in place of all of them together</source>
        <translation>每次运行只用其中一台主机，而不是全部一起</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>运行位置</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作器</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>最长时间</translation>
    </message>
    <message>
        <source>Cores of a run</source>
        <translation>每次运行的核心数</translation>
    </message>
</context>
<context>
    <name>ProblemsPane</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>No problem: the project can be launched.</source>
        <translation>没有问题：可以启动项目。</translation>
    </message>
    <message>
        <source>No project is open.</source>
        <translation>未打开项目。</translation>
    </message>
    <message>
        <source>What its code means</source>
        <translation>这个代码的含义</translation>
    </message>
</context>
<context>
    <name>Project</name>
    <message>
        <source>Opened the model %1.</source>
        <translation>已打开模型 %1。</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>未能保存 %1：%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>RankRing</name>
    <message>
        <source>silent %1</source>
        <translation>静默 %1</translation>
    </message>
    <message>
        <source>operation %1</source>
        <translation>操作 %1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>尚未加入</translation>
    </message>
    <message>
        <source>longest wait %1</source>
        <translation>最长等待 %1</translation>
    </message>
</context>
<context>
    <name>RankTableModel</name>
    <message>
        <source>%1, the others wait for it</source>
        <translation>%1，其他任务正在等它</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Bucket</source>
        <translation>分桶</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>For</source>
        <translation>等待对象</translation>
    </message>
    <message>
        <source>Wait a step</source>
        <translation>每步等待</translation>
    </message>
    <message>
        <source>Last word</source>
        <translation>最后消息</translation>
    </message>
</context>
<context>
    <name>RankTexts</name>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>It has exchanged nothing yet</source>
        <translation>尚未交换任何内容</translation>
    </message>
    <message>
        <source>operation %1</source>
        <translation>操作 %1</translation>
    </message>
    <message>
        <source>bucket %1</source>
        <translation>分桶 %1</translation>
    </message>
    <message>
        <source>waits for %1: %2</source>
        <translation>等待 %1：%2</translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>等待：%1</translation>
    </message>
    <message>
        <source>mean wait of a step: %1</source>
        <translation>每步平均等待：%1</translation>
    </message>
    <message>
        <source>last word %1</source>
        <translation>最后消息 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) wait for it, the longest for %1</source>
        <translation>
            <numerusform>%n 个任务在等它，最久的已等 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has exchanged nothing yet: %2</source>
        <translation>%1 尚未交换任何内容：%2</translation>
    </message>
    <message>
        <source>%1 has said nothing for %2: %3</source>
        <translation>%1 已有 %2 没有消息：%3</translation>
    </message>
    <message>
        <source>%1 has not answered yet: %2</source>
        <translation>%1 还没有响应：%2</translation>
    </message>
    <message>
        <source>%1 is still at operation %2: %3</source>
        <translation>%1 仍停在操作 %2：%3</translation>
    </message>
    <message>
        <source>Appears with the first exchange</source>
        <translation>首次交换后显示</translation>
    </message>
    <message>
        <source>No task is late; the longest wait now: %1</source>
        <translation>没有任务落后；当前最长等待：%1</translation>
    </message>
    <message>
        <source>No task is late</source>
        <translation>没有任务落后</translation>
    </message>
</context>
<context>
    <name>RateCurve</name>
    <message>
        <source>Learning rate by epoch</source>
        <translation>各周期的学习率</translation>
    </message>
    <message>
        <source>No curve: the settings are not complete</source>
        <translation>没有曲线：设置不完整</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>appears with complete settings</source>
        <translation>设置完整后出现</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>周期</translation>
    </message>
</context>
<context>
    <name>RecentModel</name>
    <message>
        <source>today, %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday, %1</source>
        <translation>昨天 %1</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>form of a date, as QDate takes it</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>starter project, not saved</source>
        <translation>入门项目，未保存</translation>
    </message>
</context>
<context>
    <name>RecentProjectsView</name>
    <message>
        <source>New blank project</source>
        <translation>新建空白项目</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的项目</translation>
    </message>
</context>
<context>
    <name>RecoveryBar</name>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Ask again at the next start</source>
        <translation>下次启动时再询问</translation>
    </message>
    <message>
        <source>%1 has changes of %2 that were not saved when the studio ended.</source>
        <translation>%1 有 %2 的更改在工作室退出时未保存。</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportKind</name>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>The run on one page to keep or to pass on: results, charts, settings, tasks, epochs and what happened.</source>
        <translation>将运行汇总为一页，便于保存或转交：结果、图表、设置、任务、周期和经过。</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>尚无运行</translation>
    </message>
</context>
<context>
    <name>ReportWords</name>
    <message>
        <source>%1 lost: %2</source>
        <translation>%1 已失联：%2</translation>
    </message>
    <message>
        <source>attempt %1 of %2: %3 %4</source>
        <translation>第 %1 次尝试（共 %2 次）：%3 %4</translation>
    </message>
    <message>
        <source>attempt %1, started by hand; the one before: %2</source>
        <translation>第 %1 次尝试，手动启动；上一次：%2</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>全局批次</translation>
    </message>
    <message>
        <source>steps planned</source>
        <translation>计划步数</translation>
    </message>
    <message>
        <source>weights, sha256</source>
        <translation>权重，sha256</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>batch per replica</source>
        <translation>每个副本的批次</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>executor</source>
        <translation>执行器</translation>
    </message>
    <message>
        <source>transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>input, ms</source>
        <translation>输入，ms</translation>
    </message>
    <message>
        <source>compute, ms</source>
        <translation>计算，ms</translation>
    </message>
    <message>
        <source>wait, ms</source>
        <translation>等待，ms</translation>
    </message>
    <message>
        <source>reduce, ms</source>
        <translation>归约，ms</translation>
    </message>
    <message>
        <source>apply, ms</source>
        <translation>应用，ms</translation>
    </message>
    <message>
        <source>peak memory, MB</source>
        <translation>内存峰值，MB</translation>
    </message>
    <message>
        <source>detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>发生的事</translation>
    </message>
    <message>
        <source>after</source>
        <translation>经过</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>all tasks</source>
        <translation>所有任务</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>%1: no point was told.</source>
        <translation>%1：没有任何数据点。</translation>
    </message>
    <message>
        <source>Best %1 %2 in epoch %3.</source>
        <translation>最佳 %1 为 %2（第 %3 周期）。</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>1 task</source>
        <translation>1 个任务</translation>
    </message>
    <message>
        <source>%1 tasks</source>
        <translation>%1 个任务</translation>
    </message>
    <message>
        <source>launched %1</source>
        <translation>启动于 %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>用时 %1</translation>
    </message>
    <message>
        <source>%1 attempts</source>
        <translation>%1 次尝试</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>RunChartFeed</name>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>images / s</source>
        <translation>图像 / 秒</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>%1, before the branch</source>
        <translation>%1，分支之前</translation>
    </message>
</context>
<context>
    <name>RunCompare</name>
    <message numerus="yes">
        <source>%n run(s) let by; Enter checks them</source>
        <translation>
            <numerusform>保留 %n 次运行；按 Enter 勾选</numerusform>
        </translation>
    </message>
    <message>
        <source>Drag along an axis to brush it</source>
        <translation>沿坐标轴拖动以选取范围</translation>
    </message>
    <message>
        <source>Choose a run in the table to read its project.</source>
        <translation>在表中选择一次运行以查看其项目。</translation>
    </message>
    <message>
        <source>%1, with what differs from %2</source>
        <translation>%1，标出与 %2 的不同</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>平行坐标</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Each seed</source>
        <translation>每个种子</translation>
    </message>
    <message>
        <source>Mean ± std of seeds</source>
        <translation>各种子的均值 ± 标准差</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对时间</translation>
    </message>
    <message>
        <source>Curves of</source>
        <translation>曲线对象</translation>
    </message>
    <message>
        <source>Runs that differ by their seed alone</source>
        <translation>仅种子不同的运行</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Project of the run</source>
        <translation>运行的项目</translation>
    </message>
    <message numerus="yes">
        <source>The first %n run(s) of the table; drag along an axis to brush it</source>
        <translation>
            <numerusform>表中前 %n 次运行；沿坐标轴拖动以选取范围</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 from step %2</source>
        <translation>从第 %2 步起为 %1</translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message numerus="yes">
        <source>%1, mean of %n seed(s)</source>
        <translation>
            <numerusform>%1，%n 个种子的均值</numerusform>
        </translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Validation %1</source>
        <comment>a metric&apos;s name</comment>
        <translation>验证%1</translation>
    </message>
    <message>
        <source>Training %1</source>
        <comment>a metric&apos;s name</comment>
        <translation>训练 %1</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Check runs in the table (Space) to draw them.</source>
        <translation>在表中勾选运行（空格键）即可绘制。</translation>
    </message>
    <message>
        <source>appears with the end of the first epoch</source>
        <translation>第一个周期结束后出现</translation>
    </message>
    <message>
        <source>none of these runs has told any</source>
        <translation>这些运行都没有报告</translation>
    </message>
</context>
<context>
    <name>RunDiffModel</name>
    <message>
        <source>workers</source>
        <translation>工作器</translation>
    </message>
    <message>
        <source>global batch</source>
        <translation>全局批次</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>best val acc</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>best epoch</source>
        <translation>最佳周期</translation>
    </message>
    <message>
        <source>time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>differs from most</source>
        <translation>与多数不同</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>learning rate, live</source>
        <translation>学习率，运行中更改</translation>
    </message>
</context>
<context>
    <name>RunDiffView</name>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Which settings are shown</source>
        <translation>显示哪些设置</translation>
    </message>
    <message>
        <source>Settings of the compared runs</source>
        <translation>所比较运行的设置</translation>
    </message>
    <message>
        <source>Check two runs or more in the table to see what tells them apart.</source>
        <translation>在表中勾选两次或更多运行，查看它们的区别。</translation>
    </message>
    <message>
        <source>These runs have the same settings.</source>
        <translation>这些运行的设置相同。</translation>
    </message>
    <message>
        <source>Best so far: %1</source>
        <translation>目前最佳：%1</translation>
    </message>
    <message>
        <source>%1 accuracy over the running one</source>
        <translation>与正在运行的准确率之差 %1</translation>
    </message>
    <message>
        <source>%1 accuracy over the next best</source>
        <translation>与次优的准确率之差 %1</translation>
    </message>
</context>
<context>
    <name>RunFilter</name>
    <message>
        <source>%1: expected a number</source>
        <translation>%1：应为数字</translation>
    </message>
</context>
<context>
    <name>RunFolderDialog</name>
    <message>
        <source>Open run folder</source>
        <translation>打开运行文件夹</translation>
    </message>
    <message>
        <source>A run without an agent, which a shell, mpirun or a scheduler started, tells what happens in its folder. Monitor shows it from its first step on and follows it while it goes on. A host of the list is reached over ssh.</source>
        <translation>由 shell、mpirun 或调度器启动、没有代理的运行会把经过写在自己的文件夹里。监视从第一步起显示它，并在它进行时跟随。列表中的主机经 ssh 连接。</translation>
    </message>
    <message>
        <source>The folder is on</source>
        <translation>文件夹所在</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>The run&apos;s folder</source>
        <translation>运行的文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The agent does not answer yet.</source>
        <translation>代理尚未应答。</translation>
    </message>
    <message>
        <source>The folder begins with /.</source>
        <translation>文件夹以 / 开头。</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the folder of a run that was started without an agent</source>
        <translation>打开未经代理启动的运行的文件夹</translation>
    </message>
</context>
<context>
    <name>RunGroup</name>
    <message numerus="yes">
        <source>%n worker(s) on this computer</source>
        <translation>
            <numerusform>本机的 %n 个工作器</numerusform>
        </translation>
    </message>
    <message>
        <source>Where the run goes</source>
        <translation>运行位置</translation>
    </message>
    <message>
        <source>Run target</source>
        <translation>运行目标</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop after this step, with a checkpoint (Shift+F5)</source>
        <translation>在此步之后停止并保存检查点（Shift+F5）</translation>
    </message>
    <message>
        <source>Local ×%1</source>
        <translation>本地 ×%1</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>本地</translation>
    </message>
    <message>
        <source>Launch: %1</source>
        <translation>启动：%1</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume (Space)</source>
        <translation>继续（Space）</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停（Space）</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
    <message>
        <source>Hosts ×%1</source>
        <translation>主机 ×%1</translation>
    </message>
</context>
<context>
    <name>RunLogView</name>
    <message>
        <source>Check a run in the table to read its log.</source>
        <translation>在表中勾选一次运行以查看其日志。</translation>
    </message>
    <message>
        <source>Log of the run</source>
        <translation>运行的日志</translation>
    </message>
</context>
<context>
    <name>RunTableModel</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>图像/秒</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
    <message>
        <source>No tag</source>
        <translation>无标签</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>%1 decay</source>
        <comment>a learning rate that changes on the way</comment>
        <translation>%1 衰减</translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1（%n 次运行）</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, in the charts</source>
        <translation>%1，在图表中</translation>
    </message>
    <message numerus="yes">
        <source>%n attempt(s), %1 in all</source>
        <translation>
            <numerusform>%n 次尝试，共 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, not in the charts</source>
        <translation>%1，不在图表中</translation>
    </message>
    <message>
        <source>In the charts</source>
        <translation>在图表中</translation>
    </message>
    <message>
        <source>Images/s over workers times the best rate of one worker that does the same work</source>
        <translation>每秒图像数除以工作器数 × 完成同样工作的单个工作器的最高速率</translation>
    </message>
    <message>
        <source>Over all replicas</source>
        <translation>所有副本合计</translation>
    </message>
    <message>
        <source>Shown in the charts</source>
        <translation>在图表中显示</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>工作器</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Best val acc</source>
        <translation>最佳验证准确率</translation>
    </message>
    <message>
        <source>Val loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Test acc</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Scaling</source>
        <translation>扩展效率</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Imported from %1</source>
        <translation>从 %1 导入</translation>
    </message>
    <message>
        <source>Event files of %1</source>
        <translation>%1 的事件文件</translation>
    </message>
</context>
<context>
    <name>RunTableTools</name>
    <message>
        <source>%1 drawn, %2 more in the table</source>
        <translation>已绘制 %1 个，表中还有 %2 个</translation>
    </message>
    <message>
        <source>%1 of %2 shown in the charts</source>
        <translation>图表中显示 %1 / %2</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Archived runs</source>
        <translation>已归档的运行</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>复制表格为 CSV</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Filter by name, tag or /regex/</source>
        <translation>按名称、标签或 /正则/ 筛选</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>分组：%1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>seeds</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seeds of one setting</source>
        <translation>同一设置的种子</translation>
    </message>
    <message>
        <source>Space checks a run for the charts</source>
        <translation>按空格键勾选要绘制的运行</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>tag</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Words in name, tags and notes; /regex/; field:value, such as state:done, tag:paper, accuracy:&gt;0.98, is:pinned; a minus in front turns it round.
Fields: %1</source>
        <translation>名称、标签和备注中的词；/正则/；字段：值，例如 state:done、tag:paper、accuracy:&gt;0.98、is:pinned；前面加减号表示取反。
字段：%1</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>paused at step %1</source>
        <translation>在第 %1 步暂停</translation>
    </message>
    <message>
        <source>resumed at step %1</source>
        <translation>在第 %1 步继续</translation>
    </message>
    <message>
        <source>told to stop at step %1</source>
        <translation>在第 %1 步被要求停止</translation>
    </message>
    <message>
        <source>checkpoint by hand at step %1</source>
        <translation>在第 %1 步手动保存检查点</translation>
    </message>
    <message>
        <source>learning rate %1 from step %2 on</source>
        <translation>从第 %2 步起学习率 %1</translation>
    </message>
    <message numerus="yes">
        <source>Launched %1 with %n task(s).</source>
        <translation>
            <numerusform>已用 %n 个任务启动 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The stream of %1 broke off: %2</source>
        <translation>%1 的数据流中断：%2</translation>
    </message>
    <message>
        <source>Started %1 again from its backup (attempt %2).</source>
        <translation>已从备份重新启动 %1（第 %2 次尝试）。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Opened the folder of %1.</source>
        <translation>已打开 %1 的文件夹。</translation>
    </message>
    <message>
        <source>%1 is here already.</source>
        <translation>%1 已在这里。</translation>
    </message>
    <message>
        <source>Imported %1 from %2.</source>
        <translation>已从 %2 导入 %1。</translation>
    </message>
    <message>
        <source>Saved %1 in %2.</source>
        <translation>已将 %1 保存到 %2。</translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Open in Monitor</source>
        <translation>在“监视”中打开</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>尚无运行</translation>
    </message>
    <message>
        <source>No run matches %1</source>
        <translation>没有匹配 %1 的运行</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>Open in Monitor	Enter</source>
        <translation>在“监视”中打开	Enter</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Open as project</source>
        <translation>作为项目打开</translation>
    </message>
    <message>
        <source>Rename	F2</source>
        <translation>重命名	F2</translation>
    </message>
    <message>
        <source>Unpin	P</source>
        <translation>取消固定	P</translation>
    </message>
    <message>
        <source>Pin to the top	P</source>
        <translation>固定在顶部	P</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Use as baseline</source>
        <translation>用作基线</translation>
    </message>
    <message>
        <source>Take out of the archive	Del</source>
        <translation>取消归档	Del</translation>
    </message>
    <message>
        <source>Archive	Del</source>
        <translation>归档	Del</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>颜色 %1</translation>
    </message>
    <message>
        <source>Colour %1, dashed</source>
        <translation>颜色 %1，虚线</translation>
    </message>
    <message>
        <source>%1 is in the archive</source>
        <translation>%1 已归档</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the archive</source>
        <translation>
            <numerusform>%n 次运行已归档</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is in the table again</source>
        <translation>%1 已回到表中</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the table again</source>
        <translation>
            <numerusform>%n 次运行已回到表中</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) copied as CSV</source>
        <translation>
            <numerusform>已将 %n 次运行复制为 CSV</numerusform>
        </translation>
    </message>
    <message>
        <source>Confusion matrix, wrong answers, and a drawing of yours through the chosen run&apos;s model</source>
        <translation>混淆矩阵、错误答案，以及用所选运行的模型识别你的绘图</translation>
    </message>
    <message>
        <source>Launch the open project (Ctrl+R).</source>
        <translation>启动已打开的项目（Ctrl+R）。</translation>
    </message>
    <message>
        <source>Choose a template, then launch it (Ctrl+R).</source>
        <translation>选择模板，然后启动（Ctrl+R）。</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden by the filter.</source>
        <translation>
            <numerusform>筛选隐藏了 %n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), %1 selected</source>
        <translation>
            <numerusform>%n 次运行，已选 %1 次</numerusform>
        </translation>
    </message>
    <message>
        <source>Every run is in the archive</source>
        <translation>所有运行都在归档中</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are kept there.</source>
        <translation>
            <numerusform>其中保存着 %n 次运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show archived runs</source>
        <translation>显示已归档的运行</translation>
    </message>
    <message>
        <source>Equivalence lab</source>
        <translation>等价实验</translation>
    </message>
    <message>
        <source>The open project under every strategy: do all of them train the same?</source>
        <translation>用每种策略训练打开的项目：结果都相同吗？</translation>
    </message>
    <message>
        <source>Copies on this computer; its folder is %1</source>
        <translation>本机上的副本；运行的文件夹是 %1</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>参数扫描</translation>
    </message>
    <message>
        <source>The open project with many values of some fields: which are best?</source>
        <translation>用若干字段的多种取值训练打开的项目：哪些最好？</translation>
    </message>
    <message>
        <source>%1 has the best trial&apos;s values</source>
        <translation>%1 已取得最佳试验的值</translation>
    </message>
</context>
<context>
    <name>SampleCard</name>
    <message>
        <source>Samples and classes</source>
        <translation>样本和类别</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>As ink</source>
        <translation>墨迹</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>How samples of one channel are drawn</source>
        <translation>单通道样本的绘制方式</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>Show other samples of each class</source>
        <translation>显示各类别的其他样本</translation>
    </message>
</context>
<context>
    <name>SampleRows</name>
    <message numerus="yes">
        <source>%n class(es) with samples</source>
        <translation>
            <numerusform>%n 个有样本的类别</numerusform>
        </translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>%1: %2 training, %3 test</source>
        <translation>%1：训练 %2，测试 %3</translation>
    </message>
    <message>
        <source>%1: training sample %2</source>
        <translation>%1：训练样本 %2</translation>
    </message>
</context>
<context>
    <name>ScriptKind</name>
    <message>
        <source>Python program</source>
        <translation>Python 程序</translation>
    </message>
    <message>
        <source>A whole program that trains the project without Tandem: data, model, strategy, callbacks, evaluation.</source>
        <translation>不依赖 Tandem 训练该项目的完整程序：数据、模型、策略、回调与评估。</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n 个问题</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerView</name>
    <message>
        <source>shared memory · gRPC</source>
        <translation>共享内存 · gRPC</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>%1: %2 updates and %3 a second</source>
        <translation>%1：每秒 %2 次更新，%3</translation>
    </message>
    <message>
        <source>global step %1</source>
        <translation>全局步 %1</translation>
    </message>
    <message>
        <source>not joined yet</source>
        <translation>尚未加入</translation>
    </message>
    <message>
        <source>%1 updates/s · %2/s</source>
        <translation>%1 次更新/秒 · %2/秒</translation>
    </message>
    <message>
        <source>mean %1 · most %2</source>
        <translation>平均 %1 · 最多 %2</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>参数服务器</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>陈旧度</translation>
    </message>
    <message>
        <source>How many updates of others a gradient had missed when it was applied</source>
        <translation>梯度被应用时错过的其他工作器更新次数</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>The settings can&apos;t be read whole: %1</source>
        <translation>无法完整读取设置：%1</translation>
    </message>
    <message>
        <source>The settings could not be read whole and were put aside as %1. What could be read stays.</source>
        <translation>设置无法完整读取，已另存为 %1。能读取的内容保留不变。</translation>
    </message>
</context>
<context>
    <name>SessionToasts</name>
    <message>
        <source>%1 was not opened: %2</source>
        <translation>未能打开 %1：%2</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>未能保存 %1：%2</translation>
    </message>
    <message>
        <source>%1: done in %2</source>
        <translation>%1：用时 %2 完成</translation>
    </message>
    <message>
        <source>%1: done in %2, test accuracy %3</source>
        <translation>%1：用时 %2 完成，测试准确率 %3</translation>
    </message>
    <message>
        <source>Another program has changed %1.</source>
        <translation>另一个程序更改了 %1。</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Opened the model of %1.</source>
        <translation>已打开 %1 的模型。</translation>
    </message>
    <message>
        <source>Opened the model of %1; training begins with its weights.</source>
        <translation>已打开 %1 的模型；训练从其权重开始。</translation>
    </message>
    <message>
        <source>Read it again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Training failed</source>
        <translation>训练失败</translation>
    </message>
    <message>
        <source>Training is done</source>
        <translation>训练完成</translation>
    </message>
</context>
<context>
    <name>ShardPreview</name>
    <message>
        <source>Sharding preview</source>
        <translation>分片预览</translation>
    </message>
    <message numerus="yes">
        <source>step %1, %2: %n sample(s)</source>
        <translation>
            <numerusform>第 %1 步，%2：%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>which sample each worker sees, from the engine itself</source>
        <translation>每个工作器看到的样本，由引擎给出</translation>
    </message>
    <message>
        <source>Asking the engine</source>
        <translation>正在询问引擎</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n a step</source>
        <translation>
            <numerusform>每步 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1, %2: samples %3</source>
        <translation>第 %1 步，%2：样本 %3</translation>
    </message>
    <message>
        <source>which sample each device sees, from the engine itself</source>
        <translation>每个设备看到的样本，由引擎给出</translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>By default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”, which will have no key then.</source>
        <translation>%1 已用于“%2”，更改后该操作将没有快捷键。</translation>
    </message>
    <message>
        <source>Take it over</source>
        <translation>改为此操作</translation>
    </message>
    <message>
        <source>Assign</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Filter by action or keys</source>
        <translation>按操作或按键筛选</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>操作及其按键</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>新按键</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>StalenessBars</name>
    <message>
        <source>%1 missed: %2 of the updates</source>
        <translation>错过 %1 次：占更新的 %2</translation>
    </message>
    <message>
        <source>appears with the first updates</source>
        <translation>首次更新后显示</translation>
    </message>
</context>
<context>
    <name>StatusRow</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>任务日志</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1 (Alt+%2)</source>
        <translation>%1（Alt+%2）</translation>
    </message>
    <message>
        <source>Agent on this computer: ready</source>
        <translation>本机代理：就绪</translation>
    </message>
    <message>
        <source>Agent on this computer: connecting</source>
        <translation>本机代理：正在连接</translation>
    </message>
    <message>
        <source>Agent on this computer: no answer</source>
        <translation>本机代理：无响应</translation>
    </message>
    <message numerus="yes">
        <source>Agent on this computer: no answer for %n second(s)</source>
        <translation>
            <numerusform>本机代理：已 %n 秒没有响应</numerusform>
        </translation>
    </message>
    <message>
        <source>Project not saved</source>
        <translation>项目未保存</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Project saved</source>
        <translation>项目已保存</translation>
    </message>
</context>
<context>
    <name>StepTimeBars</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>reduce</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Step time: %1</source>
        <translation>每步时间：%1</translation>
    </message>
    <message>
        <source>appears with the first step</source>
        <translation>第一步之后出现</translation>
    </message>
    <message>
        <source>this run has told none</source>
        <translation>此运行没有报告</translation>
    </message>
</context>
<context>
    <name>StepTimesView</name>
    <message>
        <source>mean of last 100</source>
        <translation>最近 100 步平均</translation>
    </message>
    <message>
        <source>Share of a step that is neither waiting nor exchange: what two workers lose against one.</source>
        <translation>每步中既非等待也非交换的比例：可看出两个工作器相比一个损失了多少。</translation>
    </message>
    <message>
        <source>Slowest</source>
        <translation>最慢</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>Time spent training</source>
        <translation>训练所占时间</translation>
    </message>
</context>
<context>
    <name>StrategyForm</name>
    <message>
        <source>Change %1</source>
        <translation>更改%1</translation>
    </message>
</context>
<context>
    <name>StrategyPanel</name>
    <message>
        <source>All-reduce</source>
        <translation>全归约</translation>
    </message>
    <message>
        <source>Choose the all-reduce</source>
        <translation>选择全归约</translation>
    </message>
    <message>
        <source>Choose the strategy</source>
        <translation>选择策略</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
</context>
<context>
    <name>SubmitDialog</name>
    <message>
        <source>Submit to Slurm</source>
        <translation>提交到 Slurm</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Tasks a node</source>
        <translation>每节点任务数</translation>
    </message>
    <message>
        <source>Cores a task</source>
        <translation>每任务核数</translation>
    </message>
    <message>
        <source>GPUs a task</source>
        <translation>每任务 GPU 数</translation>
    </message>
    <message>
        <source>Seeds (runs)</source>
        <translation>种子（运行数）</translation>
    </message>
    <message>
        <source>Memory a node</source>
        <translation>每节点内存</translation>
    </message>
    <message>
        <source>Longest time</source>
        <translation>最长时间</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The run&apos;s folder, which every node sees</source>
        <translation>每个节点都能看到的运行文件夹</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>The script for sbatch</source>
        <translation>用于 sbatch 的脚本</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The folder begins with /.</source>
        <translation>文件夹以 / 开头。</translation>
    </message>
    <message>
        <source>Asking Slurm…</source>
        <translation>正在询问 Slurm…</translation>
    </message>
    <message>
        <source>Submit</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>An empty folder for the run</source>
        <translation>用于运行的空文件夹</translation>
    </message>
    <message>
        <source>Slurm&apos;s programs take the job, those of this computer or of a host that is reached over ssh, such as a login node. The run waits in the queue, and Monitor shows it from there on. The project is kept as it is now.</source>
        <translation>作业交给本机的 Slurm 程序，或经 ssh 连接的主机（例如登录节点）上的 Slurm 程序。运行在队列中等待，从那时起监视页面就显示它。项目按现在的样子保存。</translation>
    </message>
    <message>
        <source>Slurm&apos;s programs are on</source>
        <translation>Slurm 的程序位于</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>among the runs of that host</source>
        <translation>在那台主机的运行文件夹中</translation>
    </message>
    <message>
        <source>Other values of the project for this job, one a line</source>
        <translation>仅在此作业中不同的项目值，每行一个</translation>
    </message>
    <message>
        <source>PATH=VALUE, for this job alone: the project stays as it is.</source>
        <translation>路径=值，只用于这个作业：项目保持不变。</translation>
    </message>
</context>
<context>
    <name>SummaryDialog</name>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Summary of the model</source>
        <translation>模型摘要</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>multiply-adds a sample</source>
        <translation>每样本乘加次数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>outputs, batch %1</source>
        <translation>输出，批次 %1</translation>
    </message>
    <message>
        <source>total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 槽</translation>
    </message>
</context>
<context>
    <name>SweepPlan</name>
    <message>
        <source>%1 with the value %2: %3</source>
        <translation>%1，取值 %2：%3</translation>
    </message>
    <message>
        <source>Add a field</source>
        <translation>请添加字段</translation>
    </message>
    <message>
        <source>%1 is there twice</source>
        <translation>%1 出现了两次</translation>
    </message>
    <message>
        <source>ASHA says itself how many epochs a run trains: remove fit.epochs</source>
        <translation>一次运行训练多少个周期由 ASHA 决定：请移除 fit.epochs</translation>
    </message>
    <message>
        <source>The seed is a field: one run each</source>
        <translation>种子是字段：每个配置一次运行</translation>
    </message>
    <message>
        <source>Say what is compared, such as val_accuracy</source>
        <translation>请写明比较什么，例如 val_accuracy</translation>
    </message>
    <message>
        <source>At most %1 configurations</source>
        <translation>最多 %1 个配置</translation>
    </message>
    <message>
        <source>The first rung is at most as long as the last</source>
        <translation>第一级不得比最后一级长</translation>
    </message>
    <message numerus="yes">
        <source>%n configuration(s)</source>
        <translation>
            <numerusform>%n 个配置</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s) each</source>
        <translation>
            <numerusform>%1，每个 %n 次运行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; all train for %n epoch(s), and one of %2 goes on to each next rung: %3</source>
        <translation>
            <numerusform>%1；全部训练 %n 个周期，每 %2 个中有一个进入下一级：%3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, each for %n epoch(s)</source>
        <translation>
            <numerusform>%1，每个 %n 个周期</numerusform>
        </translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>Add field</source>
        <translation>添加字段</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>ASHA</source>
        <translation>ASHA</translation>
    </message>
    <message>
        <source>Grid: every combination. Random: drawn ones. ASHA: of those that have trained for some epochs the best go on.</source>
        <translation>网格：所有组合。随机：抽取的组合。ASHA：训练若干周期之后，其中最好的继续训练。</translation>
    </message>
    <message>
        <source>the greatest</source>
        <translation>最大者</translation>
    </message>
    <message>
        <source>the least</source>
        <translation>最小者</translation>
    </message>
    <message>
        <source>all of the grid</source>
        <translation>整个网格</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Best is</source>
        <translation>最好的是</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Runs at once</source>
        <translation>同时运行数</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>First rung</source>
        <translation>第一级</translation>
    </message>
    <message>
        <source>One goes on of</source>
        <translation>每 N 个中有一个继续</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>种子</translation>
    </message>
</context>
<context>
    <name>SweepResult</name>
    <message>
        <source>fields together, and noise</source>
        <translation>字段共同作用与噪声</translation>
    </message>
    <message>
        <source>Best so far: %1, trial %2</source>
        <translation>目前最好：%1，试验 %2</translation>
    </message>
    <message>
        <source>No trial has ended yet</source>
        <translation>尚无结束的试验</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Importance of fields</source>
        <translation>字段的重要性</translation>
    </message>
    <message>
        <source>The part of the variance over the first rung&apos;s values that each field explains alone, by a random forest (fANOVA)</source>
        <translation>第一级取值的方差中每个字段单独解释的部分，由随机森林（fANOVA）求得</translation>
    </message>
    <message numerus="yes">
        <source>appears when %n trial(s) have ended</source>
        <translation>
            <numerusform>%n 个试验结束后显示</numerusform>
        </translation>
    </message>
    <message>
        <source>Trials of the sweep</source>
        <translation>参数扫描的试验</translation>
    </message>
    <message>
        <source>Trials appear here as lines when they have ended a rung.</source>
        <translation>试验结束一级后在此显示为线。</translation>
    </message>
</context>
<context>
    <name>SweepTableModel</name>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>目前最好</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>At its rung</source>
        <translation>停在本级</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>SweepView</name>
    <message>
        <source>No sweep yet</source>
        <translation>尚无参数扫描</translation>
    </message>
    <message>
        <source>Use a sweep&apos;s best values</source>
        <translation>采用参数扫描的最佳取值</translation>
    </message>
    <message>
        <source>Which values are best?</source>
        <translation>哪些取值最好？</translation>
    </message>
    <message>
        <source>Stopping the runs after their step</source>
        <translation>正在各步之后停止运行</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n trial(s) ended</source>
        <translation>
            <numerusform>%n 个试验中 %1 个已结束</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Over: %n trial(s)</source>
        <translation>
            <numerusform>已结束：%n 个试验</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped: %1 of %n trial(s) ended</source>
        <translation>
            <numerusform>已停止：%n 个试验中 %1 个已结束</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop at once</source>
        <translation>立即停止</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n epoch(s) trained</source>
        <translation>
            <numerusform>%1：已训练 %n 个周期</numerusform>
        </translation>
    </message>
    <message>
        <source>The sweep ended before its first trial</source>
        <translation>参数扫描在第一个试验之前结束</translation>
    </message>
    <message>
        <source>The sweep begins</source>
        <translation>参数扫描开始</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>没有打开的项目</translation>
    </message>
    <message>
        <source>A sweep trains the open project with many values of some of its fields. Choose a template, or open a project (Ctrl+O).</source>
        <translation>参数扫描用若干字段的多种取值训练打开的项目。请选择模板，或打开项目（Ctrl+O）。</translation>
    </message>
    <message>
        <source>Choose a template</source>
        <translation>选择模板</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Earlier sweeps</source>
        <translation>以前的扫描</translation>
    </message>
    <message>
        <source>New sweep</source>
        <translation>新的扫描</translation>
    </message>
    <message>
        <source>Use best values</source>
        <translation>采用最佳取值</translation>
    </message>
    <message>
        <source>The open project gets the best trial&apos;s values; Undo takes them back</source>
        <translation>打开的项目采用最好试验的取值；撤销可恢复</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>No trial has a value yet</source>
        <translation>还没有试验有结果</translation>
    </message>
    <message>
        <source>This sweep is of another project: %1</source>
        <translation>这次扫描属于另一个项目：%1</translation>
    </message>
</context>
<context>
    <name>TaskDelegate</name>
    <message>
        <source>chief duty</source>
        <translation>首席职责</translation>
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
        <translation>未启动</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>%1 img/s</source>
        <translation>%1 张/秒</translation>
    </message>
    <message>
        <source>%1 of %2 cores</source>
        <translation>%1 / %2 个核心</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 个核心</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <translation>%1，%2，%3，%4</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>%1 updates and %2 a second</source>
        <translation>每秒 %1 次更新，%2</translation>
    </message>
</context>
<context>
    <name>TaskLogPane</name>
    <message>
        <source>All tasks</source>
        <translation>所有任务</translation>
    </message>
    <message>
        <source>No line yet. Every task&apos;s lines appear here from its start.</source>
        <translation>还没有日志。任务启动后，其所有日志都会显示在此。</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>仅错误</translation>
    </message>
    <message>
        <source>Filter text</source>
        <translation>筛选文本</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Least level</source>
        <translation>最低级别</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Stay at the newest line</source>
        <translation>停留在最新一行</translation>
    </message>
    <message>
        <source>Copy the lines shown</source>
        <translation>复制显示的行</translation>
    </message>
    <message>
        <source>Task logs</source>
        <translation>任务日志</translation>
    </message>
</context>
<context>
    <name>TemplateCard</name>
    <message>
        <source>One process</source>
        <translation>一个进程</translation>
    </message>
    <message numerus="yes">
        <source>%n processes, gradients summed over a ring</source>
        <translation>
            <numerusform>%n 个进程，梯度经环求和</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2.
%3 on %4, batch %5 each.</source>
        <translation>%1；%2。
%3，%4，各批次 %5。</translation>
    </message>
    <message>
        <source>%1 with decay</source>
        <translation>带衰减的 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n 个周期</numerusform>
        </translation>
    </message>
    <message>
        <source>Open and train</source>
        <translation>打开并训练</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Needs %1, which this version can&apos;t train with yet.</source>
        <translation>需要 %1，此版本尚无法用它训练。</translation>
    </message>
    <message numerus="yes">
        <source>%n processes, variables on parameter servers</source>
        <translation>
            <numerusform>%n 个进程，变量位于参数服务器</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n 步</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TfConfigCard</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>TF_CONFIG of %1</source>
        <translation>%1 的 TF_CONFIG</translation>
    </message>
</context>
<context>
    <name>TfConfigKind</name>
    <message>
        <source>One file per task. All hold the same cluster; the task&apos;s own type and index differ.</source>
        <translation>每个任务一个文件。集群部分都相同，只有任务自身的类型和索引不同。</translation>
    </message>
    <message>
        <source>No project is open</source>
        <translation>未打开项目</translation>
    </message>
    <message>
        <source>One task needs no TF_CONFIG</source>
        <translation>单个任务不需要 TF_CONFIG</translation>
    </message>
</context>
<context>
    <name>TfConfigPane</name>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Format of TF_CONFIG</source>
        <translation>TF_CONFIG 的格式</translation>
    </message>
    <message>
        <source>one per task; only the marked line differs</source>
        <translation>每个任务一份，仅标记的行不同</translation>
    </message>
    <message>
        <source>One task needs no TF_CONFIG</source>
        <translation>单个任务不需要 TF_CONFIG</translation>
    </message>
    <message>
        <source>Paste yours</source>
        <translation>粘贴已有配置</translation>
    </message>
    <message>
        <source>TF_CONFIG of every task (Ctrl+Shift+C)</source>
        <translation>每个任务的 TF_CONFIG（Ctrl+Shift+C）</translation>
    </message>
    <message>
        <source>TF_CONFIG, hostfile or Slurm&apos;s variables (Ctrl+V)</source>
        <translation>TF_CONFIG、hostfile 或 Slurm 变量（Ctrl+V）</translation>
    </message>
</context>
<context>
    <name>TfConfigRow</name>
    <message>
        <source>One task needs no TF_CONFIG. Choose a template with two or more tasks, or add one.</source>
        <translation>单个任务不需要 TF_CONFIG。请选择有两个或更多任务的模板，或添加一个任务。</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
</context>
<context>
    <name>TfConfigText</name>
    <message numerus="yes">
        <source> … %n character(s) more, which Copy takes along … </source>
        <translation>
            <numerusform> … 此处省略 %n 个字符，复制时会一并带上 … </numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Open a project that goes on behind step %1, as a run of its own</source>
        <translation>打开一个从第 %1 步之后继续的项目，作为独立的运行</translation>
    </message>
    <message>
        <source>No checkpoint lies before this step</source>
        <translation>这一步之前没有检查点</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Step of the run that is shown</source>
        <translation>所示运行的步数</translation>
    </message>
    <message>
        <source>Branch here</source>
        <translation>在此分支</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
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
        <translation>关闭</translation>
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
        <translation>退出导览</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message>
        <source>Open task logs</source>
        <translation>打开任务日志</translation>
    </message>
    <message>
        <source>Waiting for the first step</source>
        <translation>正在等待第一步</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for %n task(s)</source>
        <translation>
            <numerusform>正在等待 %n 个任务</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for %1</source>
        <translation>正在等待 %1</translation>
    </message>
    <message>
        <source>fails in %1</source>
        <translation>%1 后视为失败</translation>
    </message>
    <message>
        <source>given up in %1</source>
        <translation>%1 后放弃</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>The command that starts it on its own computer, with its TF_CONFIG</source>
        <translation>在其所在计算机上带 TF_CONFIG 启动它的命令</translation>
    </message>
    <message>
        <source>Stops these tasks and launches those that are there</source>
        <translation>停止这些任务，并启动已就位的任务</translation>
    </message>
    <message>
        <source>Copy the start of %1</source>
        <translation>复制 %1 的启动命令</translation>
    </message>
    <message>
        <source>Copy their start</source>
        <translation>复制它们的启动命令</translation>
    </message>
    <message>
        <source>Wait %1</source>
        <translation>等待 %1</translation>
    </message>
    <message>
        <source>The limit of a launch is fixed: stops these tasks and launches them again with twice the limit</source>
        <translation>启动时限是固定的：停止这些任务，并以两倍时限重新启动</translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n worker(s)</source>
        <translation>
            <numerusform>用 %n 个工作器继续</numerusform>
        </translation>
    </message>
    <message>
        <source>it hangs or was stopped: %1</source>
        <translation>已停住或无响应：%1</translation>
    </message>
    <message>
        <source>nothing was heard of it yet</source>
        <translation>尚无任何消息</translation>
    </message>
    <message>
        <source>it runs, but has not met %1</source>
        <translation>正在运行，但尚未与 %1 连接</translation>
    </message>
    <message>
        <source>it is there and waits for %1</source>
        <translation>已就位，正在等待 %1</translation>
    </message>
    <message>
        <source>Waiting for Slurm</source>
        <translation>正在等待 Slurm</translation>
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
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>无路由</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>无响应</translation>
    </message>
    <message>
        <source>stranger</source>
        <translation>陌生程序</translation>
    </message>
    <message>
        <source>Ways between computers</source>
        <translation>计算机之间的通路</translation>
    </message>
    <message>
        <source>%1: %2 there and back, %3</source>
        <translation>%1：往返 %2，%3</translation>
    </message>
    <message>
        <source>%1: %2 at port %3</source>
        <translation>%1：端口 %3 %2</translation>
    </message>
    <message>
        <source>%1: not measured</source>
        <translation>%1：未测量</translation>
    </message>
    <message>
        <source>Measuring between the computers…</source>
        <translation>正在测量计算机之间的通路…</translation>
    </message>
    <message>
        <source>The doctor measures them.</source>
        <translation>由诊断来测量。</translation>
    </message>
    <message>
        <source>there and back %1 at most, %2 at least</source>
        <translation>往返最多 %1，至少 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n way(s) closed</source>
        <translation>
            <numerusform>%n 条通路不通</numerusform>
        </translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>未测量</translation>
    </message>
</context>
<context>
    <name>WeightView</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Weights or gradients</source>
        <translation>权重或梯度</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>First kernels</source>
        <translation>首层卷积核</translation>
    </message>
    <message>
        <source>no batch was seen yet</source>
        <translation>尚未处理任何批次</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>周期 %1</translation>
    </message>
    <message>
        <source>norm %1 · mean %2 ± %3</source>
        <translation>范数 %1 · 均值 %2 ± %3</translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n 个非有限值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Start a project</source>
        <translation>开始项目</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>No project yet. The marked template trains in about a minute.</source>
        <translation>还没有项目。带标记的模板约一分钟即可训练完成。</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Folder of the runs</source>
        <translation>运行文件夹</translation>
    </message>
    <message>
        <source>Take the tour, 2 minutes</source>
        <translation>导览，2 分钟</translation>
    </message>
    <message>
        <source>User manual</source>
        <translation>用户手册</translation>
    </message>
    <message>
        <source>Needs %1, which this version can&apos;t train with yet.</source>
        <translation>需要 %1，此版本尚无法用它训练。</translation>
    </message>
    <message>
        <source>The starter projects are missing: %1 was expected. Install Tandem again, or open a project of your own.</source>
        <translation>缺少入门项目：应有 %1。请重新安装 Tandem，或打开自己的项目。</translation>
    </message>
    <message>
        <source>The marked template opens and trains with one click on this computer. No account; the cards need no network.</source>
        <translation>带标记的模板单击一次即可在本机打开并训练。无需账户，卡片也不需要网络。</translation>
    </message>
    <message>
        <source>Each template is a whole project. No account; the cards need no network.</source>
        <translation>每个模板都是一个完整的项目。无需账户，卡片也不需要网络。</translation>
    </message>
    <message>
        <source>No project yet. Begin with a blank one, or open a file.</source>
        <translation>还没有项目。从空白项目开始，或打开一个文件。</translation>
    </message>
</context>
<context>
    <name>XrayView</name>
    <message>
        <source>No run is shown</source>
        <translation>没有显示运行</translation>
    </message>
    <message>
        <source>One task, nothing to exchange</source>
        <translation>只有一个任务，没有可交换的内容</translation>
    </message>
    <message>
        <source>The run is over: an X-ray is of tasks that run now</source>
        <translation>运行已结束：透视只显示正在运行的任务</translation>
    </message>
    <message>
        <source>X-ray</source>
        <translation>透视</translation>
    </message>
    <message>
        <source>Tasks in their exchange</source>
        <translation>交换中的任务</translation>
    </message>
</context>
</TS>
