// Lets this process answer what ssh asks a person: a password, a passphrase, whether an unknown host key is trusted. ssh starts a program
// for each question (SSH_ASKPASS); that one hands it on over a unix socket in a folder of mode 0700 and prints the answer:
//   TANDEM_ASKPASS_FOLDER   the folder; its socket "ask" takes one packet, TOKEN "\n" KIND "\n" TEXT, and gives one, "+" ANSWER or "-"
//   TANDEM_ASKPASS_TOKEN    the token of this connection alone: who has another one is not heard
// KIND is what ssh says in SSH_ASKPASS_PROMPT: nothing, "confirm" or "none".
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent::hosts {

struct SshQuestion {
    enum class Kind {
        kHostKey,  // whether the host's key is trusted: "yes"
        kSecret,   // a password or a passphrase, never shown
        kConfirm,  // yes or no: any answer is yes
        kNotice,   // nothing is to be answered, such as that a key wants to be touched; over when ssh says so
    };
    Kind kind = Kind::kSecret;
    std::string text;                     // ssh's own words, without control characters but newlines
    std::string key_type, fingerprint{};  // of kHostKey: "ED25519", "SHA256:..."
    std::string host{};                   // of kHostKey, as ssh names it: "node1 (192.0.2.7)", which may be a jump host
    friend bool operator==(const SshQuestion&, const SshQuestion&) = default;
};

// `kind` as in SSH_ASKPASS_PROMPT.
SshQuestion sshQuestionIn(std::string_view text, std::string_view kind);

// Whose secret a question of kSecret asks for, by OpenSSH's own words.
enum class SecretOf {
    kKey,      // a passphrase or a PIN of a key here, which the host may well take
    kAccount,  // a password there: no key was taken
    kOther,    // such as a code for this login alone
};
SecretOf secretOf(const SshQuestion& question);

// Answers one ssh from the constructor to the destructor, which ends a question that is open.
class SshAskpass {
public:
    // Called on a thread of this object, for one question at a time. nullopt: there is no answer. `is_over`, asked several times a second,
    // says that nobody waits for the answer any more.
    using Ask = std::function<std::optional<std::string>(const SshQuestion& question, const std::function<bool()>& is_over)>;

    // `program` runs answerSsh() where isAskpassCall(). Throws Error naming the folder where the socket can't be made.
    SshAskpass(std::filesystem::path program, Ask ask);
    ~SshAskpass();
    SshAskpass(const SshAskpass&) = delete;
    SshAskpass& operator=(const SshAskpass&) = delete;

    // The variables that ssh has to be started with (SshCommand::environment).
    std::vector<std::string> environment() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// True when ssh started this process to ask a person.
bool isAskpassCall();
// Prints the answer to `text` and nothing else. The process' exit code: 0, or 1 without an answer.
int answerSsh(std::string_view text);

}  // namespace agent::hosts
