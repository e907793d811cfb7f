#include "engine/launch/kubernetes_file.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/launch/container_text.h"
#include "engine/launch/yaml_text.h"
#include "engine/spec/cluster/kubernetes_task.h"
#include "engine/spec/cluster/ranked_task.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

constexpr std::size_t kMostProjectBytes = 1'000'000;  // a ConfigMap holds a MiB, with its names
constexpr int kRestartsPerTask = 10;
// One of the task's exit codes (agent::worker::ExitCode): options or a project with errors, which no new start mends.
constexpr int kUsageCode = 2;

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

// Kubernetes puts variables in the place of $(NAME).
std::string podLiteral(const std::string& text) {
    std::string doubled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '$' && i + 1 < text.size() && text[i + 1] == '(') doubled += '$';
        doubled += text[i];
    }
    return yamlQuoted(doubled);
}

class Lines {
public:
    void add(std::size_t depth, const std::string& line) { text_ += std::string(depth * 2, ' ') + line + "\n"; }
    void document() { text_ += text_.ends_with("\n") && text_.find("\nkind: ") != std::string::npos ? "---\n" : "\n"; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

struct Pod {
    std::string container, port_name;
    std::vector<std::string> extra{};                              // arguments of the worker
    std::vector<std::pair<std::string, std::string>> variables{};  // names, and values as YAML
    std::string subdomain{}, restart_policy{};                     // empty: what makes the pods says so
};

void checkFile(const LaunchJob& job, const spec::RunSpec& run) {
    checkJobWithoutMpirun(job, run);
    if (job.project_text.size() > kMostProjectBytes) {
        refuse("PROJECT: expected at most " + std::to_string(kMostProjectBytes) + " bytes, as a ConfigMap holds, got " +
               std::to_string(job.project_text.size()));
    }
    if (taskCount(job) > spec::kMostPods) {
        refuse("--nodes: expected at most " + std::to_string(spec::kMostPods) + " pods, got " + std::to_string(taskCount(job)));
    }
}

// `kind`: in what each run of several is; `file`: the end of the name of the text's file.
void addHeader(Lines& lines, const LaunchJob& job, const spec::RunSpec& run, const std::string& name, const std::string& needs,
               const std::string& kind, const std::string& file) {
    lines.add(0, "# Trains with Tandem, " + std::to_string(taskCount(job)) + " tasks as pods of " + needs + ". Start it:");
    lines.add(0, "#   tandem-cli cluster-key --out cluster.key");
    lines.add(0, "#   kubectl create secret generic " + name + "-key --from-file=cluster.key");
    lines.add(0, "#   kubectl apply -f " + name + "-" + file + ".yaml");
    lines.add(0, "# Change what your cluster needs: image, storageClassName and the size of the claim, resources, nodeSelector.");
    lines.add(0, keepsBackup(run)
                     ? "# A pod that is lost or fails is started again, and so are those that missed it: the run goes on from its backup."
                     : "# The project has no callback BackupAndRestore: pods that are started again begin the run anew.");
    if (job.seeds > 1) {
        lines.add(0, "# " + std::to_string(job.seeds) + " runs that differ in their seed: each is a " + kind +
                         ", in seed-0 and so on below the claim. They begin together; on a cluster");
        lines.add(0, "# without room for all of them put each " + kind + " into a file of its own, and apply it when another is done.");
    }
}

void addProject(Lines& lines, const LaunchJob& job, const std::string& name) {
    if (job.project_text.empty()) return;
    lines.document();
    lines.add(0, "apiVersion: v1");
    lines.add(0, "kind: ConfigMap");
    lines.add(0, "metadata:");
    lines.add(1, "name: " + name + "-project");
    lines.add(0, "data:");
    lines.add(1, name + ".tandem: " + yamlLines(job.project_text, 4));
}

void addClaim(Lines& lines, const std::string& name) {
    lines.document();
    lines.add(0,
              "# The run's folder, which outlives the pods: with the curves, checkpoints and the backup. The chief writes it, and the "
              "others look");
    lines.add(
        0, "# whether the run is done: so all nodes must see it (ReadWriteMany, such as NFS or CephFS). ReadWriteOnce does on one node.");
    lines.add(0, "apiVersion: v1");
    lines.add(0, "kind: PersistentVolumeClaim");
    lines.add(0, "metadata:");
    lines.add(1, "name: " + name + "-run");
    lines.add(0, "spec:");
    lines.add(1, "accessModes:");
    lines.add(2, "- ReadWriteMany");
    lines.add(1, "# storageClassName: nfs");
    lines.add(1, "resources:");
    lines.add(2, "requests:");
    lines.add(3, "storage: 10Gi");
}

void addResources(Lines& lines, std::size_t depth, const LaunchJob& job) {
    std::vector<std::string> needs;
    if (job.cpus_per_task > 0) needs.push_back("cpu: " + yamlQuoted(std::to_string(job.cpus_per_task)));
    if (!job.memory.empty()) needs.push_back("memory: " + kubernetesMemory(job.memory));
    std::vector<std::string> limits = needs;
    if (job.gpus_per_task > 0) limits.push_back("nvidia.com/gpu: " + yamlQuoted(std::to_string(job.gpus_per_task)));
    if (limits.empty()) {
        lines.add(depth, "# resources: {requests: {cpu: \"2\", memory: 4Gi}, limits: {cpu: \"2\", memory: 4Gi}}");
        return;
    }
    lines.add(depth, "resources:");
    if (!needs.empty()) lines.add(depth + 1, "requests:");
    for (const std::string& need : needs) lines.add(depth + 2, need);
    lines.add(depth + 1, "limits:");
    for (const std::string& limit : limits) lines.add(depth + 2, limit);
}

void addMount(Lines& lines, std::size_t depth, const std::string& name, std::string_view path, bool is_read_only) {
    lines.add(depth, "- name: " + name);
    lines.add(depth + 1, "mountPath: " + std::string(path));
    if (is_read_only) lines.add(depth + 1, "readOnly: true");
}

void addContainer(Lines& lines, std::size_t depth, const LaunchJob& job, const ContainerRun& run, const Pod& pod) {
    lines.add(depth, "- name: " + pod.container);
    const std::size_t in = depth + 1;
    lines.add(in, "image: " + yamlQuoted(imageOf(job)));
    if (isImageMadeHere(job)) {
        lines.add(in, "imagePullPolicy: Never  # installer/image.sh makes it on the node; leave this out for an image of a registry");
    }
    lines.add(in, "command:");
    for (const std::string& word : {std::string("sh"), std::string("-c"), podLiteral(startCommand()), std::string("tandem-worker")}) {
        lines.add(in + 1, "- " + word);
    }
    lines.add(in, "args:");
    for (const std::string& word : workerArguments(job, run, pod.extra)) lines.add(in + 1, "- " + podLiteral(word));
    lines.add(in, "env:");
    for (const auto& [name, value] : pod.variables) {
        lines.add(in + 1, "- name: " + name);
        lines.add(in + 2, "value: " + value);
    }
    lines.add(in, "ports:");
    lines.add(in + 1, "- name: " + pod.port_name);
    lines.add(in + 2, "containerPort: " + std::to_string(kContainerPort));
    addResources(lines, in, job);
    lines.add(in, "securityContext:");
    lines.add(in + 1, "allowPrivilegeEscalation: false");
    lines.add(in + 1, "readOnlyRootFilesystem: true");
    lines.add(in + 1, "capabilities:");
    lines.add(in + 2, "drop: [ALL]");
    lines.add(in, "volumeMounts:");
    addMount(lines, in + 1, "key", kContainerKey.substr(0, kContainerKey.rfind('/')), true);
    if (!job.project_text.empty()) addMount(lines, in + 1, "project", kContainerProjects, true);
    addMount(lines, in + 1, "run", kContainerRun, false);
    addMount(lines, in + 1, "tmp", "/tmp", false);
    if (needsSharedMemory(job)) addMount(lines, in + 1, "shm", "/dev/shm", false);
}

void addPod(Lines& lines, std::size_t depth, const LaunchJob& job, const ContainerRun& run, const Pod& pod) {
    const std::string name = dnsName(job.name);
    lines.add(depth, "template:");
    if (!pod.subdomain.empty()) {
        lines.add(depth + 1, "metadata:");
        lines.add(depth + 2, "labels:");
        lines.add(depth + 3, "app: " + run.name);
    }
    lines.add(depth + 1, "spec:");
    const std::size_t in = depth + 2;
    if (!pod.subdomain.empty())
        lines.add(in, "subdomain: " + pod.subdomain + "  # of the Service: by it a pod's name is known to the others");
    if (!pod.restart_policy.empty()) lines.add(in, "restartPolicy: " + pod.restart_policy);
    lines.add(in, "# nodeSelector: {kubernetes.io/arch: amd64}");
    lines.add(in, "terminationGracePeriodSeconds: 120  # a task stops after its step, with a backup");
    lines.add(in, "automountServiceAccountToken: false");
    lines.add(in, "securityContext:  # with the container's below, as namespaces ask that enforce the policy \"restricted\"");
    lines.add(in + 1, "runAsNonRoot: true");
    lines.add(in + 1, "runAsUser: 1000");
    lines.add(in + 1, "runAsGroup: 1000");
    lines.add(in + 1, "fsGroup: 1000");
    lines.add(in + 1, "seccompProfile:");
    lines.add(in + 2, "type: RuntimeDefault");
    lines.add(in, "containers:");
    addContainer(lines, in + 1, job, run, pod);
    lines.add(in, "volumes:");
    lines.add(in + 1, "- name: key");
    lines.add(in + 2, "secret:");
    lines.add(in + 3, "secretName: " + name + "-key");
    lines.add(in + 3, "defaultMode: 288  # 0440: the group reads, as fsGroup says");
    if (!job.project_text.empty()) {
        lines.add(in + 1, "- name: project");
        lines.add(in + 2, "configMap:");
        lines.add(in + 3, "name: " + name + "-project");
    }
    lines.add(in + 1, "- name: run");
    lines.add(in + 2, "persistentVolumeClaim:");
    lines.add(in + 3, "claimName: " + name + "-run");
    lines.add(in + 1, "- name: tmp");
    lines.add(in + 2, "emptyDir:");
    lines.add(in + 3, "medium: Memory");
    if (!needsSharedMemory(job)) return;
    lines.add(in + 1,
              "- name: shm  # NCCL joins the pod's GPUs there, for which the usual 64 MB are too few; it counts as memory of the pod");
    lines.add(in + 2, "emptyDir:");
    lines.add(in + 3, "medium: Memory");
}

void addService(Lines& lines, const std::string& name) {
    lines.document();
    lines.add(0, "# Headless: it gives each pod a name, also before the pod is ready.");
    lines.add(0, "apiVersion: v1");
    lines.add(0, "kind: Service");
    lines.add(0, "metadata:");
    lines.add(1, "name: " + name);
    lines.add(0, "spec:");
    lines.add(1, "clusterIP: None");
    lines.add(1, "publishNotReadyAddresses: true");
    lines.add(1, "selector:");
    lines.add(2, "app: " + name);
    lines.add(1, "ports:");
    lines.add(2, "- name: tasks");
    lines.add(3, "port: " + std::to_string(kContainerPort));
}

void addJob(Lines& lines, const LaunchJob& job, const ContainerRun& run) {
    const std::string& name = run.name;
    const std::int64_t pods = taskCount(job);
    lines.document();
    lines.add(0, "apiVersion: batch/v1");
    lines.add(0, "kind: Job");
    lines.add(0, "metadata:");
    lines.add(1, "name: " + name);
    lines.add(0, "spec:");
    lines.add(1, "completionMode: Indexed  # pod " + name + "-0, " + name + "-1 and so on");
    lines.add(1, "completions: " + std::to_string(pods));
    lines.add(1, "parallelism: " + std::to_string(pods));
    lines.add(1, "backoffLimit: " + std::to_string(pods * kRestartsPerTask) + "  # starts of pods after failures, of all together");
    if (const std::int64_t seconds = secondsOf(job); seconds > 0) {
        lines.add(1, "activeDeadlineSeconds: " + std::to_string(seconds));
    } else {
        lines.add(1, "# activeDeadlineSeconds: 86400");
    }
    lines.add(1, "podFailurePolicy:");
    lines.add(2, "rules:");
    lines.add(3, "- action: FailJob  # options or a project with errors: a new start would find the same");
    lines.add(4, "onExitCodes:");
    lines.add(5, "operator: In");
    lines.add(5, "values: [" + std::to_string(kUsageCode) + "]");
    lines.add(3, "- action: Ignore  # a node that is drained is no failure of the pod");
    lines.add(4, "onPodConditions:");
    lines.add(5, "- type: DisruptionTarget");
    lines.add(6, "status: \"True\"");
    addPod(lines, 1, job, run,
           {.container = "tandem",
            .port_name = "tasks",
            .extra = {"--from-kubernetes", "--first-port", std::to_string(kContainerPort)},
            .variables = {{"HOME", "/tmp"},
                          {"TANDEM_PODS", yamlQuoted(std::to_string(pods)) + "  # as many as completions"},
                          {"TANDEM_POD_HOST", yamlQuoted(name + "-{index}." + name) + "  # of the Job and the Service"}},
            .subdomain = name,
            .restart_policy = "Never"});
}

struct Replicas {
    std::string_view job, kind;
    int count = 0;
};

// The replicas in Kubeflow's words.
std::vector<Replicas> replicasOf(const std::vector<spec::TaskId>& tasks) {
    std::vector<Replicas> replicas{{"chief", "Chief"}, {"worker", "Worker"}, {"ps", "PS"}, {spec::kEvaluator, "Evaluator"}};
    for (const spec::TaskId& task : tasks) {
        const auto found = std::find_if(replicas.begin(), replicas.end(), [&](const Replicas& one) { return one.job == task.type; });
        if (found == replicas.end())
            refuse("cluster: expected the jobs chief, worker, ps and evaluator, as a TFJob has them, got " + task.type);
        ++found->count;
    }
    std::erase_if(replicas, [](const Replicas& one) { return one.count == 0; });
    return replicas;
}

void addTfJob(Lines& lines, const LaunchJob& job, const ContainerRun& run, const std::vector<Replicas>& replicas) {
    lines.document();
    lines.add(0, "apiVersion: kubeflow.org/v1");
    lines.add(0, "kind: TFJob  # the operator tells each pod its task by TF_CONFIG");
    lines.add(0, "metadata:");
    lines.add(1, "name: " + run.name);
    lines.add(0, "spec:");
    lines.add(1, "runPolicy:");
    lines.add(2, "cleanPodPolicy: Running");
    lines.add(2, "backoffLimit: " + std::to_string(taskCount(job) * kRestartsPerTask));
    if (const std::int64_t seconds = secondsOf(job); seconds > 0) {
        lines.add(2, "activeDeadlineSeconds: " + std::to_string(seconds));
    } else {
        lines.add(2, "# activeDeadlineSeconds: 86400");
    }
    lines.add(1, "tfReplicaSpecs:");
    for (const Replicas& one : replicas) {
        lines.add(2, std::string(one.kind) + ":");
        lines.add(3, "replicas: " + std::to_string(one.count));
        lines.add(3, "restartPolicy: OnFailure");
        addPod(lines, 3, job, run, {.container = "tensorflow", .port_name = "tfjob-port", .variables = {{"HOME", "/tmp"}}});
    }
}

}  // namespace

std::string kubernetesFile(const LaunchJob& job, const spec::RunSpec& run) {
    checkFile(job, run);
    const std::string name = dnsName(job.name);
    Lines lines;
    addHeader(lines, job, run, name, "a Job of Kubernetes 1.26 or newer", "Job", "kubernetes");
    const std::vector<ContainerRun> runs = containerRunsOf(job);
    for (const ContainerRun& one : runs) addService(lines, one.name);
    addProject(lines, job, name);
    addClaim(lines, name);
    for (const ContainerRun& one : runs) addJob(lines, job, one);
    return lines.text();
}

std::string tfJobFile(const LaunchJob& job, const spec::RunSpec& run) {
    checkFile(job, run);
    const std::string name = dnsName(job.name);
    const auto replicas = replicasOf(spec::tasksOfRanks(run.cluster.spec, static_cast<std::size_t>(taskCount(job)), "file"));
    Lines lines;
    addHeader(lines, job, run, name, "a TFJob of Kubeflow's training operator", "TFJob", "tfjob");
    addProject(lines, job, name);
    addClaim(lines, name);
    for (const ContainerRun& one : containerRunsOf(job)) addTfJob(lines, job, one, replicas);
    return lines.text();
}

}  // namespace engine::launch
