#include "agent/wire/credentials_convert.h"

#include "agent/proto/task_event.pb.h"
#include "engine/spec/error.h"

namespace agent::convert {

void toProto(const trust::RunCredentials& credentials, proto::TaskCredentials& message) {
    message.set_secret(std::string(bytesOf(credentials.secret)));
    message.set_authority_pem(credentials.tls.authority_pem);
    message.set_certificate_pem(credentials.tls.certificate_pem);
    message.set_key_pem(credentials.tls.key_pem);
}

trust::RunCredentials fromProto(const proto::TaskCredentials& message) {
    const std::optional<Secret> secret = secretFromBytes(message.secret());
    if (!secret) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "credentials: expected a secret of 32 bytes, got " + std::to_string(message.secret().size()) + " bytes");
    }
    return {*secret, {message.authority_pem(), message.certificate_pem(), message.key_pem()}};
}

}  // namespace agent::convert
