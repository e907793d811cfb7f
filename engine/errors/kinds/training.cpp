#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kTrainingKinds[] = {
    {"TDM-T001",
     "*expected false with a last layer that ends in *\n*expected true with a last layer without *\n*expected a last layer that ends in "
     "softmax with *",
     {"from_logits does not go with the last layer", "from_logits가 마지막 레이어와 맞지 않음", "from_logits 与最后一层不符"},
     {"The loss would apply softmax or sigmoid twice, or never. Training then learns slowly or not at all.",
      "손실이 softmax나 sigmoid를 두 번 하거나 한 번도 하지 않게 됩니다. 그러면 훈련이 느리거나 되지 않습니다.",
      "损失会把 softmax 或 sigmoid 计算两次，或一次也不算，训练因此很慢甚至无效。"},
     {"Set from_logits to true where the last layer has no activation, to false where it has one.",
      "마지막 레이어에 활성화 함수가 없으면 from_logits를 true로, 있으면 false로 하십시오.",
      "最后一层没有激活函数时把 from_logits 设为 true，有则设为 false。"},
     {"model", "Compile"},
     {"tutorial_keras", "The model"}},
    {"TDM-T002",
     "compile.metrics*: *\n*expected no metric beside *\n*expected a metric of labels *\n*expected at most * metrics*\n*expected every "
     "metric once*\n*expected names of "
     "their own in the logs*\n*expected micro, macro or weighted*\n*expected false where labels are rows of classes*\n*expected class ids "
     "from 0 to *\n*expected a model output of at least 2 values a row*",
     {"A metric does not fit", "지표가 맞지 않음", "指标不相容"},
     {"The metric is unknown, stands there twice, or measures labels of another kind than the loss has.",
      "지표를 알 수 없거나, 두 번 있거나, 손실의 레이블과 다른 종류의 레이블을 잽니다.", "指标未知、重复，或衡量的标签类型与损失不同。"},
     {"accuracy chooses the right kind by itself; give two of one class different names.",
      "accuracy는 알맞은 종류를 스스로 고릅니다. 같은 클래스 둘에는 다른 이름을 주십시오.",
      "accuracy 会自行选择合适的类型；同类的两个指标请取不同的名称。"},
     {"model", "Compile"},
     {"tutorial_keras", "The model"}},
    {"TDM-T003",
     "compile.optimizer*: *\n*expected one way to clip gradients*\n*expected a momentum above 0 with nesterov*\n*expected regular "
     "expressions*\n*expected none beside "
     "loss_scale*",
     {"A setting of the optimizer does not hold", "옵티마이저의 설정이 맞지 않음", "优化器的设置不成立"},
     {"The optimizer is unknown, or one of its numbers is out of range or without effect beside another.",
      "옵티마이저를 알 수 없거나, 숫자 하나가 범위를 벗어났거나 다른 것과 함께 쓰면 효과가 없습니다.",
      "优化器未知，或其某个数值超出范围，或与另一个并用时不起作用。"},
     {"The Model page's Compile card lists the optimizers with their fields and defaults.",
      "모델 페이지의 컴파일 카드가 옵티마이저와 필드, 기본값을 보여 줍니다.", "“模型”页的编译卡片列出各优化器及其字段和默认值。"},
     {"model", "Compile"},
     {"tutorial_keras", "The model"}},
    {"TDM-T004",
     "compile.loss*: *\n*expected at least 2 classes as model output*\n*expected one replica with a loss that compares *\n*expected no "
     "weights of "
     "classes with *\n*expected neighbouring axes of the model's output*\ncompile: *\ncompile.*: *",
     {"The loss does not go with the model's output", "손실이 모델의 출력과 맞지 않음", "损失与模型的输出不符"},
     {"A loss compares the output with the labels: the sizes of both and the number of classes have to agree.",
      "손실은 출력과 레이블을 비교합니다. 둘의 크기와 클래스 수가 맞아야 합니다.", "损失比较输出与标签：两者的大小及类别数必须一致。"},
     {"Give the last layer a unit for each class, or choose the loss for the kind of labels.",
      "마지막 레이어에 클래스마다 하나의 유닛을 주거나, 레이블의 종류에 맞는 손실을 고르십시오.",
      "让最后一层每类一个单元，或选择与标签类型相符的损失。"},
     {"model", "Compile"},
     {"tutorial_keras", "The model"}},
    {"TDM-T005",
     "*callbacks*: *\n*expected every callback once*\n*expected min or max for *\n*expected every { with its }*\n*expected a format like "
     "02d*\n"
     "*between braces, got *\n*expected the ending * save_weights_only*\n*filepath *\n*expected true beside the callback SwapEMAWeights*",
     {"A callback's setting does not hold", "콜백의 설정이 맞지 않음", "回调的设置不成立"},
     {"A file name has no valid place for the epoch, a monitored value is none of the run's, or the callback stands there twice.",
      "파일 이름의 에포크 자리가 맞지 않거나, 지켜보는 값이 이 실행에 없거나, 콜백이 두 번 있습니다.",
      "文件名中表示周期的位置有误、监视的值不属于该运行，或回调重复。"},
     {"The Callbacks card lists each callback with its fields; file names look like weights.{epoch:02d}.keras.",
      "콜백 카드가 콜백과 필드를 보여 줍니다. 파일 이름은 weights.{epoch:02d}.keras처럼 씁니다.",
      "回调卡片列出每个回调及其字段；文件名形如 weights.{epoch:02d}.keras。"},
     {"training", "Callbacks"},
     {"tutorial_keras", "Callbacks"}},
    {"TDM-T006",
     "*NaN or Inf loss encountered*\n*NaN*loss*",
     {"The loss is no number any more", "손실이 더는 수가 아님", "损失已不是数"},
     {"A step was so large that the weights ran away, most often through too high a learning rate; or the data holds NaN.",
      "한 스텝이 너무 커서 가중치가 발산했습니다. 대개 학습률이 너무 높습니다. 데이터에 NaN이 있을 수도 있습니다.",
      "某一步过大，权重发散，多半是学习率过高；也可能数据中含有 NaN。"},
     {"Divide the learning rate by ten, clip gradients with clipnorm, and look at the step in Monitor where it began.",
      "학습률을 10으로 나누고, clipnorm으로 그래디언트를 자르고, 모니터에서 시작된 스텝을 보십시오.",
      "把学习率除以十，用 clipnorm 截断梯度，并在“监视”中查看从哪一步开始。"},
     {"troubleshooting", "While it trains"},
     {"tutorial_keras", "Training"}},
    {"TDM-T007",
     "fit.epochs: *\nfit.steps*: *\nfit.batch_size: *\nfit.validation*: *\n*expected either steps or epochs*\n*expected at least one "
     "epoch*\n"
     "*expected less than the * epochs*\n*expected a number of steps where *\n*whose epochs count the steps, got *",
     {"How long to train is not clear", "얼마나 훈련할지 분명하지 않음", "训练长度不明确"},
     {"Epochs and steps contradict each other, or are too few for what else was asked.",
      "에포크와 스텝이 서로 어긋나거나, 다른 설정에 비해 너무 적습니다.", "周期与步数相互矛盾，或少于其他设置所需。"},
     {"Give epochs alone, or steps alone; fit.steps_per_epoch is for data without an end.",
      "에포크만 또는 스텝만 정하십시오. fit.steps_per_epoch은 끝없는 데이터를 위한 것입니다.",
      "请只给周期或只给步数；fit.steps_per_epoch 用于没有尽头的数据。"},
     {"data", "Batch and learning rate"},
     {"tutorial_keras", "Training"}},
    {"TDM-T008",
     "*class_weight*: *\n*expected whole numbers as classes and numbers as their weights*\n*expected a weight of at least 0*",
     {"Class weights do not fit", "클래스 가중치가 맞지 않음", "类别权重不相容"},
     {"Weights are numbers by class index, for a model that has one output a class.",
      "가중치는 클래스 번호마다 하나의 수이며, 클래스마다 출력이 있는 모델에 씁니다.", "权重按类别序号给出，且模型须每类一个输出。"},
     {"Write them as {\"0\": 1.0, \"1\": 2.5}.", "{\"0\": 1.0, \"1\": 2.5}처럼 쓰십시오.", "写成 {\"0\": 1.0, \"1\": 2.5}。"},
     {"training", "Callbacks"},
     {}},
    {"TDM-T009",
     "*fit.initial_weights*: *\n*fit.initial_state*: *\n*expected the file of a training that goes on*\n*expected weights (.weights.h5*\n"
     "*expected a checkpoint, a backup or a .keras file with its optimizer*\n*expected more than the * epochs*\n"
     "*expected weights of the vocabulary that * took*",
     {"The weights to begin with can't be used", "시작할 가중치를 쓸 수 없음", "无法使用起始权重"},
     {"The file is missing or damaged, belongs to another model, or holds no optimizer although the training is to go on with it.",
      "파일이 없거나 손상되었거나, 다른 모델의 것이거나, 훈련을 이어 가야 하는데 옵티마이저가 없습니다.",
      "文件缺失或损坏、属于另一个模型，或在需要继续训练时不含优化器。"},
     {"Choose a checkpoint of a run with the same layers; fit.initial_state=false begins with its weights alone.",
      "같은 레이어를 가진 실행의 체크포인트를 고르십시오. fit.initial_state=false는 가중치만으로 시작합니다.",
      "请选择层相同的运行的检查点；fit.initial_state=false 只用其权重开始。"},
     {"training", "Resuming after a kill"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-T010",
     "*save_weights: *\n*expected a file outside of checkpoints and backup*",
     {"Weights can't be written there", "그곳에 가중치를 쓸 수 없음", "无法在该处写出权重"},
     {"A project may only write below its run's folder; the name has to end as a format does that Keras reads.",
      "프로젝트는 실행 폴더 아래에만 쓸 수 있고, 이름은 Keras가 읽는 형식의 끝말로 끝나야 합니다.",
      "项目只能写入其运行文件夹之下；名称须以 Keras 可读的格式结尾。"},
     {"Take a name such as weights.keras; --save-weights of the command line takes any place.",
      "weights.keras 같은 이름을 쓰십시오. 명령줄의 --save-weights는 어디에나 쓸 수 있습니다.",
      "请用 weights.keras 之类的名称；命令行的 --save-weights 可写到任意位置。"},
     {"export", "Files that a run writes"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-T011",
     "estimator*: *\n*expected an estimator that *\n*expected a name for each exporter*\n*expected none with an estimator*\n*expected "
     "either steps or seconds between checkpoints*\n*expected hours above 0*",
     {"A setting of the estimator does not hold", "에스티메이터의 설정이 맞지 않음", "Estimator 的设置不成立"},
     {"TrainSpec, EvalSpec and RunConfig exclude some values beside each other, as in TensorFlow 1.",
      "TrainSpec, EvalSpec, RunConfig는 TensorFlow 1처럼 어떤 값들을 함께 쓸 수 없습니다.",
      "TrainSpec、EvalSpec 与 RunConfig 中有些值不能并用，与 TensorFlow 1 相同。"},
     {"Give max_steps where the input repeats, and either save_checkpoints_steps or save_checkpoints_secs.",
      "입력이 반복되면 max_steps를 주고, save_checkpoints_steps와 save_checkpoints_secs 가운데 하나만 주십시오.",
      "输入重复时给出 max_steps，并在 save_checkpoints_steps 与 save_checkpoints_secs 中只取其一。"},
     {"training", "Estimators"},
     {"tutorial_estimator", "Training and evaluating"}},
    {"TDM-T012",
     "*learning_rate*: expected *\n*expected one rate for each of the *\n*expected as many epochs as rates *\n*expected epochs in "
     "ascending order*\n*expected rates of 0 or more*\n*expected one value more than the *\n*expected rising *",
     {"The learning rate's schedule does not hold", "학습률 일정이 맞지 않음", "学习率计划不成立"},
     {"Boundaries have to rise, and there is one value more than boundaries, or one for each epoch.",
      "경계는 커지는 순서여야 하고, 값은 경계보다 하나 많거나 에포크마다 하나여야 합니다.",
      "边界须递增，且值比边界多一个，或每个周期一个。"},
     {"Draw the schedule on the Model page: it shows the rate of every step.",
      "모델 페이지에서 일정을 그려 보십시오. 스텝마다의 학습률을 보여 줍니다.", "请在“模型”页绘制计划：它显示每一步的学习率。"},
     {"model", "Learning rate"},
     {"tutorial_keras", "Callbacks"}},
    {"TDM-T013",
     "fit.*: *\nfit: *",
     {"A setting of the training does not hold", "훈련의 설정이 맞지 않음", "训练的设置不成立"},
     {"A field of fit has a value that it can't have, or that does not go with the strategy.",
      "fit의 필드에 가질 수 없는 값이나 전략과 맞지 않는 값이 있습니다.", "fit 的某个字段的值不允许，或与策略不相容。"},
     {"Take a value of those that the message gives.", "메시지가 알려 주는 값 가운데 하나를 쓰십시오.", "请取信息所给的值之一。"},
     {"training", "Callbacks"},
     {"tutorial_keras", "Training"}},
    {"TDM-T014",
     "sweep: expected *\nfield: expected *\nfields: expected *\nobjective: expected *\nobjective: with *: expected *\n*expected a range "
     "*\n*points of the range, got *\n"
     "*expected each field once, got it twice\n*expected one run a configuration *\n*expected another field*\n*expected each value once, "
     "got *\n"
     "*expected a value between two commas*\ntrials: expected *\nmax_epochs: expected *\nservers: expected *\nworkers: expected *\n"
     "spread: expected *\nslurm: expected *\nthe sweep has no result*\n*expected the folder of a sweep*\n"
     "*expected a sweep that nobody goes on with*\n*expected a new folder, got that of a sweep*\n*among the logs of an epoch's end, got *",
     {"A sweep's plan does not hold", "스윕의 계획이 맞지 않음", "参数扫描的计划不成立"},
     {"A field, its values or their number do not go with the method, or the objective is no log of the run.",
      "필드나 값, 개수가 방법과 맞지 않거나, 목표가 실행의 로그가 아닙니다.", "字段、取值或其数量与方法不符，或目标不是该运行的日志。"},
     {"Write PATH=a,b,c or PATH=log:1e-4..1e-1:4, and an objective such as val_accuracy.",
      "PATH=a,b,c 또는 PATH=log:1e-4..1e-1:4처럼 쓰고 목표는 val_accuracy처럼 쓰십시오.",
      "写成 PATH=a,b,c 或 PATH=log:1e-4..1e-1:4，目标写成 val_accuracy 之类。"},
     {"runs", "Sweep"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofTraining() {
    return kTrainingKinds;
}

}  // namespace engine::errors::kinds
