#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kWeightsKinds[] = {
    {"TDM-W001",
     "*expected the checksum 0x*\n*is damaged: its checksum differs*\n*checkpoint *: expected * bytes *\n*expected a checkpoint "
     "index*\n*its object graph can't be read*",
     {"A checkpoint is damaged", "체크포인트가 손상됨", "检查点已损坏"},
     {"The bytes of a file differ from those that were written: a copy ended early, or a disk lost something.",
      "파일의 바이트가 쓴 것과 다릅니다. 복사가 끊겼거나 디스크가 무엇인가 잃었습니다.",
      "文件的字节与写入时不同：复制中断，或磁盘丢失了数据。"},
     {"Take another checkpoint of the run, or copy this one again with all of its files.",
      "실행의 다른 체크포인트를 쓰거나, 이 체크포인트를 모든 파일과 함께 다시 복사하십시오.",
      "请使用该运行的另一个检查点，或连同所有文件重新复制。"},
     {"troubleshooting", "While it trains"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-W002",
     "*no tensor \"*\n*no tensor for *\n*expected weights of layer *\n*: expected the shape *\n*expected * values, got *\n*expected * "
     "arrays*\n*expected an array *\n*expected the * variables of layer *\n*expected * layers with weights as the model has*",
     {"The weights are another model's", "다른 모델의 가중치", "权重属于另一个模型"},
     {"A layer of the project has no weights in the file, or weights of other sizes.",
      "프로젝트의 레이어에 맞는 가중치가 파일에 없거나 크기가 다릅니다.", "文件中没有项目某层的权重，或其大小不同。"},
     {"Open the model together with its weights, or give the layers the names and sizes that it was saved with.",
      "모델을 가중치와 함께 열거나, 레이어의 이름과 크기를 저장할 때와 같게 하십시오.",
      "请把模型与权重一起打开，或让各层的名称和大小与保存时一致。"},
     {"model", "Models of Keras, and ONNX files"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-W003",
     "*its data file * is missing\n*--checkpoint: *\n*expected latest, best, an epoch *\n*expected a checkpoint behind *\n*checkpoint *: "
     "*\n*expected at least one checkpoint*",
     {"No such checkpoint", "그런 체크포인트가 없음", "没有这个检查点"},
     {"The run has written none of this name, it was removed since, or one of its files was left behind in a copy.",
      "실행이 그 이름의 체크포인트를 쓴 적이 없거나, 지워졌거나, 복사할 때 파일 하나가 빠졌습니다.",
      "该运行没有写过此名的检查点、已被删除，或复制时漏了一个文件。"},
     {"Choose one that the message or checkpoints.jsonl in the run's folder names, or latest or best.",
      "메시지나 실행 폴더의 checkpoints.jsonl에 있는 것, 또는 latest나 best를 고르십시오.",
      "请选择信息或运行文件夹中的 checkpoints.jsonl 所列的检查点，或 latest、best。"},
     {"training", "Resuming after a kill"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-W004",
     "*expected a .keras archive*\n*expected a member *, got none\n*expected a model (attribute model_config)*\n*expected weights, got "
     "JSON*\n*HDF5*\n*zip*: *\n*expected a zip archive*",
     {"A file of Keras can't be read", "Keras 파일을 읽을 수 없음", "Keras 文件无法读取"},
     {"The file is damaged, holds weights alone where a model is needed, or was written by something else than Keras.",
      "파일이 손상되었거나, 모델이 필요한데 가중치만 있거나, Keras가 쓴 파일이 아닙니다.",
      "文件已损坏、在需要模型时只含权重，或并非由 Keras 写出。"},
     {"Save it again in Keras by model.save(\"model.keras\").", "Keras에서 model.save(\"model.keras\")로 다시 저장하십시오.",
      "请在 Keras 中用 model.save(\"model.keras\") 重新保存。"},
     {"model", "Models of Keras, and ONNX files"},
     {"tutorial_keras", "Checkpoints"}},
    {"TDM-W005",
     "*node *: expected *\n*expected an ONNX model*\n*expected a chain from the input *\n*expected the input's size along axis "
     "*\n*expected values in the file itself*\n*expected values of *, got none\n*.onnx*: *",
     {"An ONNX file can't be opened or written", "ONNX 파일을 열거나 쓸 수 없음", "ONNX 文件无法打开或写出"},
     {"Tandem opens a chain of the operators that Keras and PyTorch export; the node that is named branches off, or is none of them.",
      "Tandem은 Keras와 PyTorch가 내보내는 연산자의 사슬을 엽니다. 알려 준 노드는 갈라지거나 그 가운데 하나가 아닙니다.",
      "Tandem 可打开由 Keras 和 PyTorch 导出的算子组成的链；所指的节点有分支，或不属于这些算子。"},
     {"Export the model without what surrounds it, with fixed sizes and its values in the file itself.",
      "주변 처리를 빼고, 크기를 고정하고, 값을 파일 안에 넣어 모델을 내보내십시오.",
      "请只导出模型本身，使用固定大小，并把数值存在文件内。"},
     {"model", "Models of Keras, and ONNX files"},
     {}},
    {"TDM-W006",
     "*expected a backup of this project*\n*backup: *\n*expected a backup's header*\n*expected the trainer's state*\n*.backup: *\n*: "
     "expected to resume at *",
     {"A backup does not belong to this project", "이 프로젝트의 백업이 아님", "备份不属于此项目"},
     {"A run goes on from its backup bit for bit, and only where model, optimizer and data are those that it was made with.",
      "실행은 백업에서 비트까지 똑같이 이어집니다. 모델, 옵티마이저, 데이터가 백업을 만들 때와 같아야 합니다.",
      "运行会从备份逐位继续，仅当模型、优化器和数据与制作备份时相同。"},
     {"Choose another folder by --out, or --overwrite to begin anew; tandem-cli branch begins a new run with changed settings.",
      "--out으로 다른 폴더를 고르거나 --overwrite로 새로 시작하십시오. tandem-cli branch는 설정을 바꾼 새 실행을 시작합니다.",
      "用 --out 选择另一个文件夹，或用 --overwrite 重新开始；tandem-cli branch 会以更改后的设置开始新运行。"},
     {"training", "Resuming after a kill"},
     {"tutorial_keras", "Callbacks"}},
    {"TDM-W007",
     "*expected a name that ends in *\n*expected the ending *",
     {"The name's ending says no format", "이름의 끝말이 형식을 나타내지 않음", "名称的结尾未表明格式"},
     {"What is written is chosen by the ending of the name, and this is none of those that the message lists.",
      "무엇을 쓸지는 이름의 끝말로 정해지는데, 메시지에 나열된 것이 아닙니다.", "写出何种格式由名称的结尾决定，而它不在信息列出的之中。"},
     {"Change the ending.", "끝말을 바꾸십시오.", "请更改结尾。"},
     {"export", "What there is"},
     {}},
    {"TDM-W008",
     "*archive*\n*: is not imported, *\n*expected a file that stays as it is while it is archived*\n*expected events up to number "
     "*\n*expected the name of a new file, got one that exists\n"
     "*manifest.json: *\n"
     "*record.json: *\n"
     "*expected events by growing numbers*\n"
     "*expected files that belong to a run*\n"
     "*that its manifest names*\n"
     "*as the manifest says*\n"
     "*whose checksum its manifest gives*\n"
     "*of each member, got something else\n"
     "*expected a member that is stored*\n"
     "*expected a member without a password*\n"
     "*names of files below a run's folder*\n"
     "*bytes as they were stored*",
     {"The archive of a run can't be read or written", "실행 보관 파일을 읽거나 쓸 수 없음", "运行的存档无法读取或写入"},
     {"The file is no archive of a run, is damaged, or the run changed while it was written.",
      "실행의 보관 파일이 아니거나, 손상되었거나, 쓰는 동안 실행이 바뀌었습니다.", "该文件不是运行的存档、已损坏，或写入时运行有变化。"},
     {"Copy the file again, or write it anew once the run is over.", "파일을 다시 복사하거나 실행이 끝난 뒤 다시 쓰십시오.",
      "请重新复制文件，或在运行结束后重新写出。"},
     {"runs", "A run in one file"},
     {}},
    {"TDM-W009",
     "*expected the file that was read before, got another one\n*: damaged at byte *\n*expected a record of at most *\n"
     "*expected the checksum of a record's *\n*expected an event at byte *\n*expected the folder of a run*\n"
     "*expected a file that begins with the start of its task*",
     {"Files of events can't be read whole", "이벤트 파일을 온전히 읽을 수 없음", "事件文件无法完整读取"},
     {"A record was written in part, its checksum is wrong, or the folder holds no run. What can be read is shown.",
      "기록이 일부만 쓰였거나, 체크섬이 틀리거나, 폴더에 실행이 없습니다. 읽을 수 있는 것은 보여 줍니다.",
      "记录只写了一部分、校验和有误，或文件夹中没有运行。能读取的内容会照常显示。"},
     {"Copy the files again, or name the folder above them; a file that still grows is read further by itself.",
      "파일을 다시 복사하거나 위 폴더를 지정하십시오. 자라고 있는 파일은 스스로 이어서 읽습니다.",
      "请重新复制文件，或指定其上层文件夹；仍在增长的文件会自动继续读取。"},
     {"runs", "Runs without an agent"},
     {}},
    {"TDM-W010",
     "*expected a folder without event files, got *\n*expected another folder than that of the run's own event files *",
     {"The folder has event files already", "폴더에 이미 이벤트 파일이 있음", "文件夹中已有事件文件"},
     {"TensorBoard reads all event files of a folder as one run: what an earlier export left there, or the run's own, would be mixed in.",
      "TensorBoard는 한 폴더의 이벤트 파일을 모두 한 실행으로 읽습니다. 앞서 내보낸 것이나 실행 자신의 파일과 섞이게 됩니다.",
      "TensorBoard 把一个文件夹中的所有事件文件当作一个运行来读取：先前导出的或运行自身的文件会混在一起。"},
     {"Name another folder by --out; --overwrite removes what an earlier export left.",
      "--out으로 다른 폴더를 지정하십시오. --overwrite는 앞서 내보낸 것을 지웁니다.",
      "用 --out 指定另一个文件夹；--overwrite 会删除先前导出的文件。"},
     {"export", "What there is"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofWeights() {
    return kWeightsKinds;
}

}  // namespace engine::errors::kinds
