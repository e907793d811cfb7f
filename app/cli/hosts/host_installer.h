// Puts this Tandem on hosts of the user's list and prints how far it is.
#pragma once

#include <string>

#include "agent/hosts/installation.h"
#include "app/cli/verb.h"

namespace app::cli {

// The source of the bundle, and what is printed while it is sent.
struct BundleChoice {
    std::string file;  // empty: the one beside the programs
    bool json = false;
};

// Does not outlive `context`.
class HostInstaller {
public:
    // Throws what openBundle throws.
    HostInstaller(Context& context, const BundleChoice& choice);

    // Installs Tandem on a host. On a terminal it prints one line that is written anew; with json an object for each tenth: name,
    // sent_bytes, all_bytes. Throws what agent::hosts::install throws.
    agent::hosts::Installation install(const agent::hosts::Host& host);
    const agent::hosts::Bundle& bundle() const { return bundle_; }

private:
    Context& context_;
    const bool json_;
    const agent::hosts::Bundle bundle_;
};

// Returns "Tandem 0.1.0 installed: PROGRAM" and what was used before, or that this version is there.
std::string installedLine(const agent::hosts::Installation& installation);

}  // namespace app::cli
