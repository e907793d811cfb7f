#include "engine/errors/kinds/kinds.h"

namespace engine::errors::kinds {
namespace {

constexpr ErrorKind kUsageKinds[] = {
    {"TDM-U001",
     "--*: expected *\n--*: *\n*: expected a code such as TDM-C001*\n*: * not in {*}\n*: Value * not in range *\nCould not convert: *\n"
     "*: * required * missing\n*: * required at least * but received *",
     {"An option's value can't be used", "옵션의 값을 쓸 수 없음", "选项的值无法使用"},
     {"The option takes another kind of value, or is for another kind of what was asked.",
      "옵션이 다른 종류의 값을 받거나, 다른 종류의 요청을 위한 것입니다.", "该选项接受另一类值，或用于另一类请求。"},
     {"Add --help to the verb: it lists every option with what it takes.",
      "동사 뒤에 --help를 붙이십시오. 옵션과 받는 값을 모두 보여 줍니다.", "在动词后加 --help：列出每个选项及其取值。"},
     {"commands", "Projects"},
     {}},
    {"TDM-U002",
     "*: expected a verb such as *",
     {"No such verb", "그런 동사가 없음", "没有这个动词"},
     {"tandem-cli begins with what to do, such as train, and this word is none of it.",
      "tandem-cli는 train처럼 할 일로 시작하는데, 이 낱말은 그 가운데 하나가 아닙니다.",
      "tandem-cli 以要做的事开头，例如 train，而这个词不是。"},
     {"tandem-cli --help lists the verbs.", "tandem-cli --help가 동사를 보여 줍니다.", "tandem-cli --help 列出各动词。"},
     {"commands", "Projects"},
     {}},
    {"TDM-U003",
     "*beside it, got neither\n*beside it, got none\n*, got both\n*: expected neither *\n*expected a PROJECT or *\n*expected --workers or "
     "--hosts beside it*\n*expected none beside *\n"
     "*sweep: expected a project, a file that names one *\n"
     "--* excludes --*\n--* requires --*",
     {"Options that exclude or need each other", "서로 배제하거나 필요로 하는 옵션", "选项相互排斥或彼此需要"},
     {"Two of the options say contrary things, or one has no meaning without another.",
      "두 옵션이 서로 어긋나거나, 하나가 다른 것 없이는 뜻이 없습니다.", "两个选项相互矛盾，或其中一个离开另一个没有意义。"},
     {"Leave one out, or add the one that the message names.", "하나를 빼거나 메시지가 말하는 것을 더하십시오.",
      "请去掉一个，或加上信息所说的那个。"},
     {"commands", "Projects"},
     {}},
    {"TDM-U005",
     "The following argument was not expected: *\nThe following arguments were not expected: *\n* is required",
     {"An argument too many, or one too few", "인수가 너무 많거나 모자람", "参数过多或过少"},
     {"The verb has no such option, takes no further word, or needs one that was not given. A misspelt option counts as a word.",
      "동사에 그런 옵션이 없거나, 낱말을 더 받지 않거나, 필요한 것이 주어지지 않았습니다. 잘못 쓴 옵션도 낱말로 봅니다.",
      "该动词没有这样的选项、不再接受更多的词，或缺少必需的词。写错的选项也算作一个词。"},
     {"Add --help to the verb: it lists every option and what must be given.",
      "동사 뒤에 --help를 붙이십시오. 모든 옵션과 반드시 줄 것을 보여 줍니다.", "在动词后加 --help：列出每个选项和必须给出的内容。"},
     {"commands", "Projects"},
     {}},
    // withCode() gives it to errors that no other kind knows.
    {"TDM-U004",
     "",
     {"An error without a page of its own", "따로 설명이 없는 오류", "没有专门说明的错误"},
     {"The sentence names the thing, what was expected of it and what was found; nothing more is known of this error.",
      "문장이 대상, 기대한 것, 찾은 것을 말합니다. 이 오류에 대해 그 밖에 알려진 것은 없습니다.",
      "句子指出了对象、期望与实际；关于这个错误没有更多已知的内容。"},
     {"Mend what the sentence names. Where that can't be done, it may be a fault of Tandem: keep the sentence and what was asked for.",
      "문장이 말하는 것을 고치십시오. 고칠 수 없다면 Tandem의 잘못일 수 있으니, 그 문장과 하려던 일을 적어 두십시오.",
      "请改正句子所指之处。若无法改正，可能是 Tandem 的错误：请记下这句话以及当时所做的操作。"},
     {"troubleshooting", "Still stuck"},
     {}},
};

}  // namespace

std::span<const ErrorKind> ofUsage() {
    return kUsageKinds;
}

}  // namespace engine::errors::kinds
