#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kProjectsKinds[] = {
    {"TDM-P001",
     "expected a project as *\n*expected a project as JSON*\n*: expected JSON*\nline *, column *: *",
     {"The text can't be read", "텍스트를 읽을 수 없음", "文本无法读取"},
     {"The file holds something else than was expected, or has a slip such as a missing comma or bracket at the place that is named.",
      "파일에 다른 내용이 있거나, 알려 준 위치에 쉼표나 괄호가 빠지는 등의 실수가 있습니다.",
      "文件的内容不是所需的，或者在所指出的位置有疏漏，例如缺少逗号或括号。"},
     {"Mend the place by line and column, or save the project again from the studio, which writes it whole.",
      "알려 준 줄과 열을 고치거나, 스튜디오에서 프로젝트를 다시 저장하십시오. 스튜디오는 온전한 파일을 씁니다.",
      "按行号和列号改正，或在工作室中重新保存项目，它会写出完整的文件。"},
     {"model", "Code, both ways"},
     {"tutorial_keras", "The model"}},
    {"TDM-P002",
     "*expected a project version*",
     {"A project of another version", "다른 버전의 프로젝트", "其他版本的项目"},
     {"A newer Tandem wrote the project, or its version is missing. What it says could be misread.",
      "더 새로운 Tandem이 쓴 프로젝트이거나 버전이 없습니다. 내용을 잘못 읽을 수 있습니다.",
      "该项目由更新的 Tandem 写出，或缺少版本号，内容可能被误读。"},
     {"Open it with the Tandem that wrote it, or update this one.", "프로젝트를 쓴 Tandem으로 열거나 이 Tandem을 업데이트하십시오.",
      "请用写出它的 Tandem 打开，或更新本机的 Tandem。"},
     {"troubleshooting", "Before the launch"},
     {}},
    {"TDM-P003",
     "*unknown key: expected *\n*expected one of the fields *\n*expected no field, got *",
     {"A field that does not exist", "없는 필드", "不存在的字段"},
     {"Nothing reads a field of this name here; most often it is misspelt or stands at another object.",
      "이 이름의 필드는 여기에서 읽히지 않습니다. 대개 철자가 틀렸거나 다른 객체에 있어야 합니다.",
      "此处没有任何部分读取这个名称的字段；多半是拼写有误，或应属于另一个对象。"},
     {"Compare the name with those that the message lists; Keras' names hold, with their case.",
      "메시지에 나열된 이름과 비교하십시오. 대소문자까지 Keras의 이름 그대로입니다.",
      "请与信息中列出的名称比较；名称与 Keras 一致，区分大小写。"},
     {"model", "Settings"},
     {}},
    {"TDM-P004",
     "*: expected an integer, got *\n*: expected a whole number, got *\n*: expected a number, got *\n*: expected true or false, got *\n"
     "*: expected a text, got *\n*: expected a list, got *\n*: expected a list of *, got *\n*: expected an object, got *\n"
     "*: expected an object of fields, got *\n*: expected an object with class_name and config, got *",
     {"A value of another type", "형식이 다른 값", "类型不符的值"},
     {"The field takes values of one type, such as a whole number, and the value has another, such as a text.",
      "이 필드는 정수처럼 정해진 형식의 값을 받는데, 문자열처럼 다른 형식의 값이 있습니다.",
      "该字段只接受某一类型的值（例如整数），而给出的值是另一类型（例如文本）。"},
     {"Write a value of the type that the message names: numbers without quotes, true and false in lower case.",
      "메시지가 말하는 형식으로 쓰십시오. 숫자는 따옴표 없이, true와 false는 소문자로 씁니다.",
      "请写成信息所说的类型：数字不加引号，true 和 false 用小写。"},
     {"model", "Settings"},
     {}},
    {"TDM-P005",
     "*: expected at least *, got *\n*: expected at most *, got *\n*: expected less than *, got *\n*: expected finite *, got *\n"
     "*: expected at least * and *, got *\n"
     "*: line *, column *: *: expected an integer of *, got *\n*: line *, column *: *: expected a number of *, got *",
     {"A value out of its range", "범위를 벗어난 값", "超出范围的值"},
     {"The number is smaller or larger than what makes sense for the field.", "숫자가 이 필드에 뜻이 있는 범위보다 작거나 큽니다.",
      "该数值小于或大于此字段有意义的范围。"},
     {"Choose a value within the bounds that the message gives.", "메시지가 알려 주는 한계 안의 값을 고르십시오.",
      "请在信息给出的界限内选取数值。"},
     {"model", "Settings"},
     {}},
    {"TDM-P006",
     "*expected a setting PATH=VALUE*\n*expected a path such as fit.epochs*\n*expected a value of the project, got the version of its "
     "format\n"
     "*expected an index below *\n*expected a list before [*\n*expected an object before .*",
     {"A setting names no place of the project", "설정이 프로젝트의 자리를 가리키지 않음", "设置未指向项目中的位置"},
     {"--set changes one value by its path, and the path leads nowhere in this project.",
      "--set은 경로로 값 하나를 바꾸는데, 이 프로젝트에는 그 경로가 없습니다.", "--set 按路径更改一个值，而此项目中没有这条路径。"},
     {"Write it as fit.epochs=3 or model.layers[2].units=64; tandem-cli summary lists the layers with their indices.",
      "fit.epochs=3 또는 model.layers[2].units=64처럼 쓰십시오. tandem-cli summary가 레이어를 번호와 함께 보여 줍니다.",
      "写成 fit.epochs=3 或 model.layers[2].units=64；tandem-cli summary 会列出各层及其序号。"},
     {"commands", "Training"},
     {}},
    {"TDM-P007",
     "*expected at most * bytes of text, got *\n*: expected a text of at most *, got more\n*: expected at most 1 MB of text*\n*expected a "
     "project of at most * bytes with the vocabulary of *",
     {"A text that is too long", "너무 긴 텍스트", "文本过长"},
     {"Names, texts and files of a project have a limit, so that one of them can't lock the agent out.",
      "프로젝트의 이름, 텍스트, 파일에는 길이 제한이 있습니다. 하나 때문에 에이전트를 쓸 수 없게 되지 않도록 하기 위해서입니다.",
      "项目的名称、文本和文件有长度限制，以免其中之一使代理无法使用。"},
     {"Shorten it, or look whether it is the file that was meant.", "줄이거나, 뜻한 파일이 맞는지 확인하십시오.",
      "请缩短它，或检查是否选错了文件。"},
     {"troubleshooting", "Before the launch"},
     {}},
    {"TDM-P008",
     "*: expected a project file or a starter project*\n*: expected a file or a starter project*\n*: expected a file (*found neither*",
     {"No such project", "그런 프로젝트가 없음", "没有这个项目"},
     {"Neither a file nor a starter project goes by this name.", "이 이름의 파일도 시작 프로젝트도 없습니다.",
      "没有以此为名的文件，也没有这个名称的入门项目。"},
     {"Give the path of a .tandem file; tandem-cli templates lists the starter projects.",
      ".tandem 파일의 경로를 주십시오. tandem-cli templates가 시작 프로젝트를 보여 줍니다.",
      "请给出 .tandem 文件的路径；tandem-cli templates 会列出入门项目。"},
     {"commands", "Projects"},
     {}},
    {"TDM-P009",
     "*expected a value that the text itself gives, got *\n*expected an argument that is known here, got *\n"
     "*expected * without a condition, got *\n*expected layers one by one, got a loop*\n*expected one model, got *\n"
     "*expected the end of the statement, got *\n*expected the end of the line, got *\n*expected a bracket that closes this*\n"
     "*expected one chain of layers, got *\n*expected add() and pop() *\n*expected fit() once, got *\n"
     "*expected arguments one by one, got *\n*expected a layer such as Dense(10), got *\n"
     "*: line *, column *: *: expected *, got nothing\n*: line *, column *: *: expected an integer of *, got nothing\n"
     "*: line *, column *: *: expected a number of *, got nothing",
     {"Code that can't be followed", "따라갈 수 없는 코드", "无法理解的代码"},
     {"Tandem reads Keras code without running it. What a loop, a condition or a computed value makes is only known to Python.",
      "Tandem은 Keras 코드를 실행하지 않고 읽습니다. 반복, 조건, 계산된 값의 결과는 Python만 압니다.",
      "Tandem 读取 Keras 代码但不运行它；循环、条件和计算得到的值只有 Python 才知道。"},
     {"Write the layers one by one with plain values, or save the model in Keras and open the .keras file.",
      "레이어를 하나씩 단순한 값으로 쓰거나, Keras에서 모델을 저장하고 그 .keras 파일을 여십시오.",
      "请用简单的值逐层写出，或在 Keras 中保存模型后打开 .keras 文件。"},
     {"model", "Code, both ways"},
     {"tutorial_keras", "The model"}},
};

}  // namespace

std::span<const ErrorKind> ofProjects() {
    return kProjectsKinds;
}

}  // namespace engine::errors::kinds
