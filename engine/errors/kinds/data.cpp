#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kDataKinds[] = {
    {"TDM-D001",
     "data.dataset: *\n*data.dataset: expected *",
     {"An unknown data set", "알 수 없는 데이터셋", "未知的数据集"},
     {"No data set goes by this name, and none of the formats of own files.", "이 이름의 데이터셋도, 자기 파일의 형식도 없습니다.",
      "没有以此为名的数据集，也没有这个名称的文件格式。"},
     {"Take a name that tandem-cli data lists, or a format such as npy, csv or images.",
      "tandem-cli data가 보여 주는 이름이나 npy, csv, images 같은 형식을 쓰십시오.",
      "请使用 tandem-cli data 列出的名称，或 npy、csv、images 等格式。"},
     {"data", "Sets by name"},
     {"tutorial_keras", "The data"}},
    {"TDM-D002",
     "*: expected a file *, found none*\n*expected files of this pattern, found none*\n*: expected test files beside *\n"
     "*expected a readable file, could not open it\n*: cannot be opened: *\n*: can't be opened: *\n*: expected a file*, found none*\n"
     "*expected a file, a folder with files or files of this pattern, found none\n*: No such file or directory\n"
     "data.dataset: * can't be read\n"
     "*: expected a project's file or the name of a starter project, found neither",
     {"A file is not there", "파일이 없음", "文件不存在"},
     {"The path is misspelt, relative to another folder, or the file lies on another computer. Paths of a project begin at its own folder.",
      "경로의 철자가 틀렸거나, 다른 폴더를 기준으로 하거나, 파일이 다른 컴퓨터에 있습니다. 프로젝트의 경로는 프로젝트 폴더에서 시작합니다.",
      "路径拼写有误、相对于另一个文件夹，或文件在另一台计算机上。项目中的路径以项目所在文件夹为起点。"},
     {"Choose the file again on the Data page, or put it where the message looked for it.",
      "데이터 페이지에서 파일을 다시 고르거나, 메시지가 찾은 자리에 파일을 두십시오.",
      "请在“数据”页重新选择文件，或把它放到信息所指的位置。"},
     {"data", "Your own files"},
     {"tutorial_keras", "The data"}},
    {"TDM-D003",
     "data.train_files*: *\ndata.test_files*: *\ndata.train_images: *\ndata.train_labels: *\ndata.test_images: *\ndata.test_labels: *\n"
     "*expected at least one file for the data set *\n*expected the files of the data set *\n*expected both test files or neither, got *\n"
     "*expected test_images and test_labels both or neither*\n*expected no file with the data set *\n*expected no files with the data set "
     "*\n"
     "*expected one archive with the data set *\n*expected one folder with the data set *\n*expected a file for the data set *\n*expected "
     "train_images and train_labels*",
     {"The files of the data set are not named", "데이터셋의 파일이 지정되지 않음", "未指明数据集的文件"},
     {"A format of own files needs files to read, test files come in pairs, and a set with a name has none.",
      "자기 파일 형식에는 읽을 파일이 필요하고, 테스트 파일은 짝을 이루며, 이름 있는 데이터셋에는 파일이 없습니다.",
      "自有文件的格式需要指明文件；测试文件须成对出现；而有名称的数据集不带文件。"},
     {"Choose the files on the Data page; it shows what each format takes.",
      "데이터 페이지에서 파일을 고르십시오. 형식마다 무엇을 받는지 보여 줍니다.", "请在“数据”页选择文件；那里说明每种格式接受什么。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D004",
     "*expected bool, integers or floating point numbers, got *\n*expected integers from -2147483648 *\n*expected label files on this "
     "computer*\n*holds pickled Python objects*\n*expected the file * in it, found none\n*truncated*\n*: damaged*\n*broken gzip "
     "data*\n*compressed data is broken*\n*: is no NPY *\n*: is no IDX *\n*: is no whole NPZ "
     "archive*\n"
     "*: longer than its header says*\n*expected whole records of *\n*expected * bytes of values, got *\n*its header asks for *\n"
     "*unknown IDX element type *\n*expected IDX labels *\n*expected NPY version *\n*, but * is expected, got *",
     {"A data file is damaged or of another format", "데이터 파일이 손상되었거나 다른 형식임", "数据文件损坏或格式不符"},
     {"The file is shorter or longer than its header says, its compression is broken, or it does not hold what its name promises. A "
      "download or a copy often ended early.",
      "파일이 헤더가 말하는 것보다 짧거나 길고, 압축이 깨졌거나, 이름과 다른 내용입니다. 내려받기나 복사가 중간에 끊긴 경우가 많습니다.",
      "文件比其头部所说的短或长、压缩已损坏，或内容与名称不符。多半是下载或复制中途中断。"},
     {"Fetch or copy the file again, and compare its size with the source's.", "파일을 다시 받거나 복사하고, 크기를 원본과 비교하십시오.",
      "请重新下载或复制文件，并与来源比较大小。"},
     {"troubleshooting", "Data"},
     {"tutorial_keras", "The data"}},
    {"TDM-D005",
     "*: its samples have the shape *\ndata.images.size: *\n*expected as many values as a sample of *\n*that data.feature_columns make, "
     "got *\n"
     "*makes samples of another shape*\n*in the model's input *, got *\n*expected * for the model's input *, got *\n"
     "*expected images of shape (n, rows, columns), got *\n*expected the shape of a sample with encoding *",
     {"Samples do not fit the model's input", "샘플이 모델의 입력과 맞지 않음", "样本与模型的输入不符"},
     {"The files hold samples of other sizes, or of other channels, than model.input_shape says.",
      "파일의 샘플 크기나 채널 수가 model.input_shape가 말하는 것과 다릅니다.",
      "文件中样本的大小或通道数与 model.input_shape 所说的不同。"},
     {"Set the model's input to the samples' shape, or resize pictures with data.images.size.",
      "모델의 입력을 샘플의 형상으로 하거나 data.images.size로 이미지의 크기를 바꾸십시오.",
      "请把模型输入设为样本的形状，或用 data.images.size 缩放图片。"},
     {"data", "What you see"},
     {"tutorial_keras", "The data"}},
    {"TDM-D006",
     "*: label * of sample *\n*expected a model output of at least the * classes *\n*expected at least the * classes of *, got *\n"
     "*expected labels from 0 to *\n*expected classes from 0 to *\n*expected classes from 1 to *\n*expected zeros behind all classes "
     "*\n*expected integer labels, got *\n*expected labels of shape (n,), got *",
     {"Labels that the model has no output for", "모델에 출력이 없는 레이블", "标签超出模型的输出"},
     {"A label is larger than the last layer's units allow, negative, or no whole number.",
      "레이블이 마지막 레이어의 units가 허용하는 것보다 크거나, 음수이거나, 정수가 아닙니다.",
      "标签大于最后一层 units 所允许的值、为负，或不是整数。"},
     {"Give the last layer as many units as there are classes, and count classes from 0.",
      "마지막 레이어의 units를 클래스 수로 하고 클래스는 0부터 세십시오.", "让最后一层的 units 等于类别数，类别从 0 开始编号。"},
     {"troubleshooting", "Data"},
     {"tutorial_keras", "The model"}},
    {"TDM-D007",
     "data.one_hot: *\n*data.one_hot *\n*: its labels are * of shape *\n*expected labels of the model's output *\n"
     "*expected one label for each place of the model's output*\n*which * compares with the labels, got *\n"
     "*expected 0 with *, which takes class indices*\n*expected a loss of probabilities with *, which takes class indices*\n*expected "
     "labels that are sequences of classes *\n*expected one axis with *, the "
     "most classes of a label*\n*expected sequences of class indices *",
     {"Labels and loss disagree", "레이블과 손실이 어긋남", "标签与损失不一致"},
     {"Sparse losses take a class index a sample; the others take a row of values as wide as the model's output.",
      "sparse 손실은 샘플마다 클래스 번호 하나를 받고, 다른 손실은 모델의 출력만큼 넓은 값의 줄을 받습니다.",
      "sparse 类损失对每个样本取一个类别序号；其他损失取与模型输出同宽的一行值。"},
     {"Set data.one_hot to the number of classes, or choose SparseCategoricalCrossentropy.",
      "data.one_hot을 클래스 수로 하거나 SparseCategoricalCrossentropy를 고르십시오.",
      "把 data.one_hot 设为类别数，或选用 SparseCategoricalCrossentropy。"},
     {"model", "Compile"},
     {"tutorial_keras", "The model"}},
    {"TDM-D008",
     "* has * images, but * has * labels*\n*: has * samples, but * has * labels*\n*expected * labels, found *",
     {"Samples and labels are not as many", "샘플과 레이블의 수가 다름", "样本与标签数量不同"},
     {"The two files do not belong together, or one was cut.", "두 파일이 짝이 아니거나 하나가 잘렸습니다.",
      "两个文件并不配套，或其中一个被截断。"},
     {"Choose the label file of these samples.", "이 샘플의 레이블 파일을 고르십시오.", "请选择这些样本的标签文件。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D009",
     "*: sample * has * as number *\n*the label of sample * has * as number *",
     {"A sample holds no finite number", "샘플에 유한하지 않은 수가 있음", "样本中含有非有限的数"},
     {"One value of the files is NaN or infinite. A single one makes every weight NaN within a step.",
      "파일의 값 하나가 NaN이거나 무한대입니다. 하나만 있어도 한 스텝 만에 모든 가중치가 NaN이 됩니다.",
      "文件中有一个值为 NaN 或无穷大。只要一个，就会在一步之内使所有权重变为 NaN。"},
     {"Mend the sample at its source; the message counts samples and numbers from 0.",
      "원본에서 그 샘플을 고치십시오. 메시지는 샘플과 수를 0부터 셉니다.", "请在来源处修正该样本；信息中的样本和数从 0 数起。"},
     {"troubleshooting", "Data"},
     {}},
    {"TDM-D010",
     "data.order*: *\n*cache: expected it before *\n*shuffle: expected it before *\n*take: expected it before *\n*prefetch: expected it "
     "behind *\n"
     "*expected each step once, got *\n*expected a buffer of at most *",
     {"The steps of the pipeline are out of order", "파이프라인의 순서가 맞지 않음", "流水线步骤的顺序有误"},
     {"tf.data would wait for good, keep the wrong samples, or shuffle whole batches in this order.",
      "이 순서라면 tf.data는 끝없이 기다리거나, 엉뚱한 샘플을 두거나, 배치를 통째로 섞게 됩니다.",
      "按此顺序，tf.data 会一直等待、缓存错误的样本，或整批地打乱。"},
     {"Fix puts the steps into the usual order: cache, shuffle, repeat, batch, prefetch.",
      "고치기가 cache, shuffle, repeat, batch, prefetch의 보통 순서로 되돌립니다.",
      "“修复”会恢复通常的顺序：cache、shuffle、repeat、batch、prefetch。"},
     {"data", "The pipeline"},
     {"tutorial_keras", "The data"}},
    {"TDM-D011",
     "*data.validation_split: *\n*training samples make no whole batch*\n*expected samples to train on, none was left*\n"
     "*expected a global batch of at least one sample per replica*\n*expected a share that leaves some of the *\n*expected between 1 and "
     "4294967294 *",
     {"No samples are left", "남는 샘플이 없음", "没有剩余的样本"},
     {"take, validation_split, whole batches or skipped records leave nothing to train or to validate on.",
      "take, validation_split, 온전한 배치 또는 건너뛴 기록 때문에 훈련하거나 검증할 샘플이 남지 않습니다.",
      "take、validation_split、整批要求或跳过的记录使得没有样本可用于训练或验证。"},
     {"Take more samples, a smaller batch, or a smaller share for validation.",
      "샘플을 더 가져오거나, 배치를 줄이거나, 검증 몫을 줄이십시오.", "请取更多样本、更小的批次，或更小的验证比例。"},
     {"data", "Batch and learning rate"},
     {"tutorial_keras", "Batches and scale"}},
    {"TDM-D012",
     "*data.auto_shard: *\n*FILE sharding expects *\n*expected at least one file for each of *\n*expected DATA, AUTO or OFF with the data "
     "set *\n*expected auto_shard OFF *",
     {"The samples can't be dealt out so", "샘플을 그렇게 나눌 수 없음", "样本无法这样分配"},
     {"FILE and AUTO give each worker whole files: there have to be at least as many files as workers, of a format that is read file by "
      "file.",
      "FILE과 AUTO는 워커마다 파일을 통째로 줍니다. 파일별로 읽는 형식이고 파일이 워커 수 이상이어야 합니다.",
      "FILE 与 AUTO 给每个工作器整个文件：文件数至少要等于工作器数，且格式须逐文件读取。"},
     {"Set data.auto_shard to DATA, which deals single samples.", "data.auto_shard를 DATA로 하십시오. 샘플을 하나씩 나눕니다.",
      "把 data.auto_shard 设为 DATA，它逐个样本分配。"},
     {"data", "Sharding"},
     {"tutorial_estimator", "The input function"}},
    {"TDM-D013",
     "*expected a whole number below * in *\n*expected a label of the training file, a tab and a text\n*expected a text in UTF-8, got "
     "*\n*expected a text in each line, got *\n*expected words in the training texts *\n*expected texts of the vocabulary *\n*: expected a "
     "vocabulary, got none\n*data.csv*: *\n*expected * cells, "
     "got *\n*: the cell of * is missing*\n*expected a number in *\n*closes the cell*\n"
     "*expected the delimiter or the end of the line*\n*expected a column of the table *\n*expected every column once *\n"
     "*expected a column other than the label*\n*expected columns without the label*\n*expected the label's column *\n*expected a "
     "table*\n*expected at least one column beside the label*\n*expected one character*",
     {"A table can't be read", "표를 읽을 수 없음", "表格无法读取"},
     {"A row has another number of cells, a cell holds no number or nothing, or a named column is not there.",
      "줄의 칸 수가 다르거나, 칸에 수가 없거나 비어 있거나, 지정한 열이 없습니다.",
      "某行的单元格数不同、单元格不是数字或为空，或指定的列不存在。"},
     {"Set the delimiter, the label's column and what becomes of missing cells on the Data page.",
      "데이터 페이지에서 구분 기호, 레이블 열, 빈 칸의 처리를 정하십시오.", "请在“数据”页设置分隔符、标签列以及缺失单元格的处理方式。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D014",
     "*expected 1 number in *, got *\n*expected numbers in *, got *\n*expected texts or whole numbers in *\n*expected * numbers in *, got "
     "*\n*data.tfrecord*: *\n*expected a feature *\n*is no tf.train.Example\n*: record *\n*the checksum of its length is wrong*\n"
     "*the checksum of its bytes is wrong*\n*expected one text of bytes in *\n*expected records as they are, got *\n*expected the name of "
     "a feature*\n*bytes in *, got *",
     {"A TFRecord file does not hold what was named", "TFRecord 파일에 지정한 내용이 없음", "TFRecord 文件中没有所指的内容"},
     {"A feature of the Example is missing or has other values than its encoding says, or a record's checksum is wrong.",
      "Example에 특징이 없거나 인코딩이 말하는 값과 다르거나, 기록의 체크섬이 틀립니다.",
      "Example 缺少某个特征，或其值与编码不符，或记录的校验和有误。"},
     {"Compare the names with those that the message lists; data.on_error=skip goes on without damaged records.",
      "메시지에 나열된 이름과 비교하십시오. data.on_error=skip은 손상된 기록 없이 계속합니다.",
      "请与信息列出的名称比较；data.on_error=skip 会跳过损坏的记录继续。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D015",
     "*JPEG*\n*PNG*\n*sub-folders with .png*\n*sub-folders with .txt*\n*expected a folder with texts*\n*expected a folder of texts*\n*with "
     "one sub-folder a class*\n*expected a picture of *\n*expected a folder with pictures*\n"
     "*expected a folder of pictures*\n*expected at most * folders within each other*\n*expected a folder that can be listed *\n*hold a "
     "picture of *\n*expected the classes of *\n*data.images*: *",
     {"A folder of pictures or texts can't be read", "이미지나 텍스트 폴더를 읽을 수 없음", "图片或文本文件夹无法读取"},
     {"Pictures are PNG or JPEG files, texts .txt files, in one sub-folder a class; one of them is damaged or of another kind, or the "
      "folders are laid out otherwise.",
      "이미지는 PNG나 JPEG 파일, 텍스트는 .txt 파일이며 클래스마다 하나의 하위 폴더에 듭니다. 하나가 손상되었거나 다른 종류이거나, 폴더 "
      "구조가 다릅니다.",
      "图片应为 PNG 或 JPEG 文件，文本应为 .txt 文件，每类一个子文件夹；其中有的已损坏或为其他格式，或文件夹结构不同。"},
     {"Put each class into a folder of its own; data.on_error=skip goes on without what can't be read.",
      "클래스마다 폴더를 따로 두십시오. data.on_error=skip은 읽을 수 없는 것 없이 계속합니다.",
      "请让每个类别各占一个文件夹；data.on_error=skip 会跳过无法读取的文件。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D016",
     "*data.dataset: * was not found (expected *\n*was cancelled\n*: could not be downloaded *\n*download*cancelled\n*fetch it with "
     "--fetch*\n*or data.download to true*\ndata.dataset: * is not on this computer",
     {"A data set could not be fetched", "데이터셋을 받을 수 없음", "无法下载数据集"},
     {"The computer has no way to the server, the server does not answer, or what came has another checksum.",
      "컴퓨터에서 서버로 가는 길이 없거나, 서버가 답하지 않거나, 받은 것의 체크섬이 다릅니다.",
      "本机无法连到服务器、服务器没有应答，或收到内容的校验和不符。"},
     {"Try again, or copy the files of another computer into the folder that the message names.",
      "다시 해 보거나, 다른 컴퓨터의 파일을 메시지가 말하는 폴더로 복사하십시오.",
      "请重试，或把另一台计算机上的文件复制到信息所指的文件夹。"},
     {"data", "Sets by name"},
     {}},
    {"TDM-D017",
     "*needs more than 16 GiB*\n*is larger than 1 GiB*\n*not enough memory*\n*expected at most * different texts in a column*\n*expected "
     "at most * bytes, its header *",
     {"More data than can be held", "담을 수 없는 양의 데이터", "数据超出可容纳的量"},
     {"What the file or the setting asks for does not fit into memory.", "파일이나 설정이 요구하는 양이 메모리에 들어가지 않습니다.",
      "文件或设置所需的量放不进内存。"},
     {"Take a sparse loss in place of data.one_hot, split the file, or use a computer with more memory.",
      "data.one_hot 대신 sparse 손실을 쓰거나, 파일을 나누거나, 메모리가 더 큰 컴퓨터를 쓰십시오.",
      "请用 sparse 损失代替 data.one_hot，拆分文件，或换用内存更大的计算机。"},
     {"troubleshooting", "Data"},
     {}},
    {"TDM-D018",
     "*: expected a file, got *\n*expected a file, got a *\n*expected the name of a file, found a folder*\n*expected a folder, got another "
     "kind of file*",
     {"A name that is no plain file", "보통 파일이 아닌 이름", "不是普通文件"},
     {"The path leads to a folder, a pipe, a socket or a device; reading a pipe could wait for good.",
      "경로가 폴더, 파이프, 소켓, 장치를 가리킵니다. 파이프를 읽으면 끝없이 기다릴 수 있습니다.",
      "路径指向文件夹、管道、套接字或设备；读取管道可能会一直等待。"},
     {"Name a file; write the output of a pipe to one first.", "파일을 지정하십시오. 파이프의 출력은 먼저 파일로 쓰십시오.",
      "请指定文件；管道的输出请先写入文件。"},
     {"data", "Your own files"},
     {}},
    {"TDM-D019",
     "*data.scale: *\n*data.offset: *\n*data.normalize*: *\n*expected 1 or * numbers for samples of shape *\n*expected other than 0, got *",
     {"Samples can't be scaled so", "샘플을 그렇게 조정할 수 없음", "样本无法这样缩放"},
     {"A scale or a deviation of 0, or a list of numbers that has not one for each channel, makes no samples to learn from.",
      "0인 배율이나 편차, 채널마다 하나가 아닌 목록으로는 배울 수 있는 샘플이 나오지 않습니다.",
      "缩放或标准差为 0，或列表与通道数不符，都得不到可学习的样本。"},
     {"Write one number, or one for each channel; 0.00392157 (1/255) brings pixels to 0…1.",
      "수 하나 또는 채널마다 하나씩 쓰십시오. 0.00392157(1/255)은 픽셀을 0…1로 만듭니다.",
      "请写一个数，或每个通道一个；0.00392157（1/255）把像素变为 0…1。"},
     {"data", "The pipeline"},
     {"tutorial_keras", "The data"}},
    {"TDM-D020",
     "* of the data can't be read*\ndata.*: *\ndata: *",
     {"A setting of the data does not hold", "데이터의 설정이 맞지 않음", "数据的设置不成立"},
     {"A field of the input pipeline has a value that it can't have, or that does not go with the data set.",
      "입력 파이프라인의 필드에 가질 수 없는 값이나 데이터셋과 맞지 않는 값이 있습니다.",
      "输入流水线的某个字段的值不允许，或与数据集不相容。"},
     {"Look at the Data page, where the field is marked.", "데이터 페이지에서 표시된 필드를 보십시오.", "请查看“数据”页上被标出的字段。"},
     {"data", "The pipeline"},
     {"tutorial_keras", "The data"}},
    {"TDM-D021",
     "data.feature_columns*: *\n*feature_columns: *\n*expected either feature_columns or csv.features*\n*which has no columns, got "
     "*\n*expected a value of * that the training file has*",
     {"Feature columns do not fit the data", "특징 열이 데이터와 맞지 않음", "特征列与数据不符"},
     {"tf.feature_column describes columns of a table or of TFRecord files; the column is missing there, or both ways of naming columns "
      "are used.",
      "tf.feature_column은 표나 TFRecord 파일의 열을 설명합니다. 그 열이 없거나 두 가지 지정 방법이 함께 쓰였습니다.",
      "tf.feature_column 描述表格或 TFRecord 文件的列；该列不存在，或同时用了两种指定方式。"},
     {"Name columns that the file has, in one of the two places.", "파일에 있는 열을 두 자리 가운데 하나에만 지정하십시오.",
      "请只在其中一处指定文件中存在的列。"},
     {"training", "Estimators"},
     {"tutorial_estimator", "The input function"}},
};

}  // namespace

std::span<const ErrorKind> ofData() {
    return kDataKinds;
}

}  // namespace engine::errors::kinds
