// Numbers of code that the number of replicas is a factor of: BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync. Only files of
// engine/spec/keras/code and below include it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {

class ReplicaCounts {
public:
    // Both outlive it.
    ReplicaCounts(const CodeReading& reading, const Bindings& bindings) : reading_(reading), bindings_(bindings) {}

    // A name is given that value.
    void assign(const std::string& name, const Node& value);
    // A whole number, also one that the number of replicas is a factor of.
    std::optional<std::int64_t> countOf(const Node& node) const;
    // The node with the entries of dictionaries that the text looks up by such a number: rates[BATCH_SIZE].
    Node lookedUp(Node node) const;
    // What is known of a value when it is printed: constants, and the number of replicas.
    std::optional<std::string> printedValue(const Node& node) const;

private:
    // The replicas of the cluster and the devices that the text has named so far.
    std::int64_t replicas() const;

    const CodeReading& reading_;
    const Bindings& bindings_;
    std::map<std::string, std::int64_t> counts_;  // names of products with the number of replicas
};

}  // namespace engine::spec::code
