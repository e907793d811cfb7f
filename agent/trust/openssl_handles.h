// OpenSSL's objects with an owner each.
#pragma once

#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace agent::trust {

struct OpensslDeleter {
    void operator()(BIO* it) const { BIO_free_all(it); }
    void operator()(BIO_METHOD* it) const { BIO_meth_free(it); }
    void operator()(EVP_PKEY* it) const { EVP_PKEY_free(it); }
    void operator()(EVP_PKEY_CTX* it) const { EVP_PKEY_CTX_free(it); }
    void operator()(SSL* it) const { SSL_free(it); }
    void operator()(SSL_CTX* it) const { SSL_CTX_free(it); }
    void operator()(X509* it) const { X509_free(it); }
    void operator()(X509_EXTENSION* it) const { X509_EXTENSION_free(it); }
    void operator()(X509_NAME* it) const { X509_NAME_free(it); }
    void operator()(ASN1_TIME* it) const { ASN1_TIME_free(it); }
    void operator()(BIGNUM* it) const { BN_free(it); }
};
template <typename T>
using Handle = std::unique_ptr<T, OpensslDeleter>;

}  // namespace agent::trust
