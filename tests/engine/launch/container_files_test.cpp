// Files for containers, as text; tests/hosts/containers_test.py reads them as their programs do, and runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/launch/compose_file.h"
#include "engine/launch/container_text.h"
#include "engine/launch/kubernetes_file.h"
#include "engine/launch/yaml_text.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const LaunchJob kJob{.project = "/home/ann/My Mnist.tandem", .project_text = "{\n  \"a\": 1\n}\n", .name = "My Mnist"};

spec::RunSpec projectWithBackup() {
    spec::RunSpec run;
    run.callbacks = {{"BackupAndRestore", {}}};
    return run;
}

spec::RunSpec projectOfServers() {
    spec::RunSpec run = projectWithBackup();
    run.cluster.spec.jobs = {
        {"ps", {{0, "localhost:1"}}}, {"chief", {{0, "localhost:2"}}}, {"worker", {{0, "localhost:3"}, {1, "localhost:4"}}}};
    return run;
}

std::string refusal(auto write, const LaunchJob& job, const spec::RunSpec& run = projectWithBackup()) {
    try {
        return "no refusal but " + write(job, run);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(ComposeFile, HasAServiceForEachTask) {
    const std::string text = composeFile(kJob, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("      source: \"/home/ann/My Mnist.tandem\"\n      target: /mnt/project/my-mnist.tandem\n"));
    EXPECT_THAT(text, HasSubstr(R"(  worker-1:
    <<: *task
    environment:
      HOME: /tmp
      TF_CONFIG: "{\"cluster\": {\"worker\": [\"worker-0:2222\", \"worker-1:2222\"]}, \"task\": {\"type\": \"worker\", \"index\": 1}}"
)"));
    EXPECT_THAT(text, HasSubstr("exec tandem-worker \\\"$$@\\\"\"\n")) << "Compose knows no variable @";
    EXPECT_THAT(text, HasSubstr("  # cpus: 2\n  # mem_limit: 4g\n"));
    EXPECT_THAT(text, Not(HasSubstr("nvidia")));
    EXPECT_THAT(text, Not(HasSubstr("begins anew")));
    EXPECT_THAT(composeFile(kJob, {}), HasSubstr("has no callback BackupAndRestore"));
}

TEST(ComposeFile, AsksForWhatItIsTold) {
    LaunchJob job = kJob;
    job.cpus_per_task = 3;
    job.gpus_per_task = 2;
    job.memory = "4G";
    job.image = "registry.example/tandem:1";
    job.settings = {R"(data.dataset="$HOME")"};
    const std::string text = composeFile(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("  cpus: 3\n  mem_limit: 4g\n"));
    EXPECT_THAT(text, HasSubstr(R"("index\": 0}}"
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              device_ids: ["0", "1"]
              capabilities: [gpu]
)"));
    EXPECT_THAT(text, HasSubstr("device_ids: [\"2\", \"3\"]\n")) << "no two tasks share a GPU";
    EXPECT_THAT(text, HasSubstr("mem_limit, device_ids (numbers of its GPUs) and the places"));
    EXPECT_THAT(text, HasSubstr("    - \"--threads\"\n    - \"3\"\n    - \"--set\"\n    - \"data.dataset=\\\"$$HOME\\\"\"\n"));
    EXPECT_THAT(text, HasSubstr("  image: \"registry.example/tandem:1\"\n"));
}

TEST(ContainerFiles, NameTheImageThatInstallerMakesForWhatTheyTrainOn) {
    LaunchJob job = kJob;
    for (const auto write : {&composeFile, &kubernetesFile, &tfJobFile}) {
        job.gpus_per_task = 0;
        EXPECT_THAT(write(job, projectWithBackup()), HasSubstr("image: \"tandem:latest\"\n"));
        job.gpus_per_task = 1;
        EXPECT_THAT(write(job, projectWithBackup()), HasSubstr("image: \"tandem:cuda\"\n")) << "the other one has no back-end for GPUs";
    }
}

TEST(ContainerFiles, GiveSeveralGpusOfATaskSharedMemory) {
    LaunchJob job = kJob;
    for (const int gpus : {0, 1}) {
        job.gpus_per_task = gpus;
        EXPECT_THAT(composeFile(job, projectWithBackup()), Not(HasSubstr("shm")));
        EXPECT_THAT(kubernetesFile(job, projectWithBackup()), Not(HasSubstr("shm")));
    }
    job.gpus_per_task = 2;
    EXPECT_THAT(composeFile(job, projectWithBackup()), HasSubstr("  shm_size: 1g  # NCCL joins "));
    const auto has_volume = [](const std::string& text, const std::string& indent) {
        EXPECT_THAT(text, HasSubstr(indent + "    - name: shm\n" + indent + "      mountPath: /dev/shm\n"));
        EXPECT_THAT(text, HasSubstr(indent + "- name: shm  # NCCL joins "));
        EXPECT_THAT(text, HasSubstr(" of the pod\n" + indent + "  emptyDir:\n" + indent + "    medium: Memory\n"));
    };
    has_volume(kubernetesFile(job, projectWithBackup()), "        ");
    has_volume(tfJobFile(job, projectWithBackup()), "            ");
}

TEST(ContainerFiles, AskNoRegistryForTheImageThatInstallerMakes) {
    LaunchJob job = kJob;
    for (const int gpus : {0, 1}) {
        job.gpus_per_task = gpus;
        EXPECT_THAT(composeFile(job, projectWithBackup()), HasSubstr("\n  pull_policy: never  # installer/image.sh makes it "));
        for (const auto write : {&kubernetesFile, &tfJobFile})
            EXPECT_THAT(write(job, projectWithBackup()), HasSubstr(" imagePullPolicy: Never  # installer/image.sh makes it "));
    }
    job.image = "registry.example/tandem:1";
    EXPECT_THAT(composeFile(job, projectWithBackup()), Not(HasSubstr("pull_policy")));
    for (const auto write : {&kubernetesFile, &tfJobFile}) EXPECT_THAT(write(job, projectWithBackup()), Not(HasSubstr("imagePullPolicy")));
}

TEST(ComposeFile, SeedsThatComeOneAfterTheOtherHaveTheSameGpus) {
    LaunchJob job = kJob;
    job.gpus_per_task = 1;
    job.seeds = 2;
    const std::string text = composeFile(job, projectWithBackup());
    for (const char* ids : {"device_ids: [\"0\"]\n", "device_ids: [\"1\"]\n"}) EXPECT_THAT(text, HasSubstr(ids));
    EXPECT_THAT(text, Not(HasSubstr("device_ids: [\"2\"]")));
}

TEST(ComposeFile, RefusesMoreContainersThanAComputerHas) {
    LaunchJob job = kJob;
    job.nodes = 99999;
    EXPECT_EQ(refusal(composeFile, job), "--nodes: expected at most 256 containers on one computer, got 99999");
    job.nodes = 200;
    job.seeds = 100;
    EXPECT_EQ(refusal(composeFile, job), "--seeds: expected at most 4096 containers in one file, got 20000");
    job = kJob;
    job.gpus_per_task = 129;
    EXPECT_EQ(refusal(composeFile, job), "--gpus-per-task: expected at most 128 GPUs, got 129");
}

TEST(ComposeFile, OfAStarterProjectNeedsNoFile) {
    LaunchJob job = kJob;
    job.project = "mnist_multi_worker";
    job.project_text = "";
    const std::string text = composeFile(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("  command:\n    - \"mnist_multi_worker\"\n"));
    EXPECT_THAT(text, Not(HasSubstr("/mnt/project")));
}

TEST(ComposeFile, TakesTheProjectsJobs) {
    LaunchJob job = kJob;
    job.nodes = 4;
    const std::string text = composeFile(job, projectOfServers());
    for (const char* service : {"  ps-0:\n", "  chief-0:\n", "  worker-0:\n", "  worker-1:\n"}) EXPECT_THAT(text, HasSubstr(service));
    EXPECT_THAT(refusal(composeFile, kJob, projectOfServers()),
                HasSubstr("expected as many tasks in all as the project's cluster has (4)"));
}

TEST(KubernetesFile, IsAServiceAMapAClaimAndAJob) {
    const std::string text = kubernetesFile(kJob, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("data:\n  my-mnist.tandem: |\n    {\n      \"a\": 1\n    }\n---\n"));
    EXPECT_THAT(text, HasSubstr("            - name: TANDEM_POD_HOST\n              value: \"my-mnist-{index}.my-mnist\""));
    EXPECT_THAT(text, HasSubstr("  completions: 2\n  parallelism: 2\n  backoffLimit: 20"));
    EXPECT_THAT(text, HasSubstr("  # activeDeadlineSeconds: 86400\n"));
    // What the policy "restricted" of namespaces asks of pods.
    for (const char* part : {"        runAsNonRoot: true\n", "        seccompProfile:\n          type: RuntimeDefault\n",
                             "            allowPrivilegeEscalation: false\n", "            capabilities:\n              drop: [ALL]\n"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("kubectl create secret generic my-mnist-key --from-file=cluster.key\n"));
    LaunchJob job = kJob;
    job.time = "1-12";
    job.memory = "512";
    job.cpus_per_task = 2;
    job.gpus_per_task = 1;
    job.settings = {"fit.epochs=$(X)$Y"};
    const std::string asked = kubernetesFile(job, projectWithBackup());
    EXPECT_THAT(asked, HasSubstr("  activeDeadlineSeconds: 129600\n"));
    EXPECT_THAT(
        asked,
        HasSubstr("            limits:\n              cpu: \"2\"\n              memory: 512Mi\n              nvidia.com/gpu: \"1\"\n"));
    EXPECT_THAT(asked, HasSubstr("            - \"fit.epochs=$$(X)$Y\"\n")) << "Kubernetes would put a variable there";
}

TEST(KubernetesFile, AProjectThatAMapCannotHoldIsRefused) {
    LaunchJob job = kJob;
    job.project_text = std::string(1'000'001, 'a');
    EXPECT_EQ(refusal(kubernetesFile, job), "PROJECT: expected at most 1000000 bytes, as a ConfigMap holds, got 1000001");
    job = kJob;
    job.nodes = 5000;
    EXPECT_EQ(refusal(kubernetesFile, job), "--nodes: expected at most 4096 pods, got 5000");
}

TEST(TfJobFile, HasReplicasOfEachJob) {
    LaunchJob job = kJob;
    job.nodes = 4;
    const std::string text = tfJobFile(job, projectOfServers());
    for (const char* replicas : {"    Chief:\n      replicas: 1\n", "    Worker:\n      replicas: 2\n", "    PS:\n      replicas: 1\n"})
        EXPECT_THAT(text, HasSubstr(replicas));
    EXPECT_THAT(text, Not(HasSubstr("Evaluator")));
    EXPECT_THAT(text, Not(HasSubstr("--from-kubernetes"))) << "the operator sets TF_CONFIG";
    EXPECT_THAT(text, HasSubstr("          - name: tensorflow\n")) << "a TFJob looks for this name";
    EXPECT_THAT(text, HasSubstr("                - name: tfjob-port\n                  containerPort: 2222\n"));
}

TEST(ContainerFiles, RefuseWhatTheyCannotHold) {
    const auto with = [](auto change) {
        LaunchJob job = kJob;
        change(job);
        return refusal(composeFile, job);
    };
    EXPECT_EQ(with([](LaunchJob& job) { job.image = "a b"; }),
              "--image: expected the name of an image, such as registry.example/tandem:latest, got a b");
    EXPECT_EQ(with([](LaunchJob& job) { job.nodes = 0; }), "--nodes: expected 1 or more, got 0");
    EXPECT_THAT(with([](LaunchJob& job) { job.memory = "4 GB"; }), HasSubstr("--memory: expected a number with K, M, G or T"));
    spec::RunSpec by_mpi;
    by_mpi.strategy = {.name = "MultiWorkerMirroredStrategy", .communication = "MPI"};
    for (const auto& file : {composeFile, kubernetesFile, tfJobFile}) {
        EXPECT_THAT(refusal(file, kJob, by_mpi), HasSubstr("--kind: expected mpirun"));
    }
}

TEST(ComposeFile, TrainsSeedsOneAfterTheOther) {
    LaunchJob job = kJob;
    job.seeds = 2;
    job.settings = {"fit.epochs=3"};
    const std::string text = composeFile(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("# The run's folder is my-mnist-run/seed-0 and so on: 2 runs that differ in their seed."));
    EXPECT_THAT(text, HasSubstr("    - \"/mnt/run/seed-1\"\n"));
    EXPECT_THAT(text, HasSubstr("    - \"fit.epochs=3\"\n    - \"--set\"\n    - \"fit.seed=1\"\n"));
    EXPECT_THAT(text, HasSubstr(R"(  depends_on:
    seed-0-worker-0:
      condition: service_completed_successfully
    seed-0-worker-1:
      condition: service_completed_successfully
)"));
    EXPECT_THAT(text, HasSubstr(R"(  seed-1-worker-1:
    <<: *seed-1
    environment:
      HOME: /tmp
      TF_CONFIG: "{\"cluster\": {\"worker\": [\"seed-1-worker-0:2222\", \"seed-1-worker-1:2222\"]}, \"task\": {\"type\": \"worker\", \"index\": 1}}"
)"));
}

TEST(KubernetesFile, HasAJobForEachSeed) {
    LaunchJob job = kJob;
    job.seeds = 2;
    const std::string text = kubernetesFile(job, projectWithBackup());
    for (const char* part :
         {"  name: my-mnist-seed-0\n", "  name: my-mnist-seed-1\n", "        app: my-mnist-seed-1\n",
          "value: \"my-mnist-seed-1-{index}.my-mnist-seed-1\"", "            - \"/mnt/run/seed-1\"\n", "            - \"fit.seed=1\"\n"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("claimName: my-mnist-seed"))) << "one claim and one project for all";
    EXPECT_THAT(tfJobFile(job, projectWithBackup()),
                HasSubstr("kind: TFJob  # the operator tells each pod its task by TF_CONFIG\nmetadata:\n  name: my-mnist-seed-1\n"));
    job.seeds = 1001;
    for (const auto write : {&composeFile, &kubernetesFile, &tfJobFile})
        EXPECT_EQ(refusal(write, job), "--seeds: expected at most 1000 runs in one file, got 1001");
}

TEST(ContainerText, NamesAreThoseOfDns) {
    EXPECT_EQ(dnsName("mnist_multi_worker"), "mnist-multi-worker");
    EXPECT_EQ(dnsName("2 My__Model (3)"), "my-model-3");
    EXPECT_EQ(dnsName("실험"), "tandem");
    EXPECT_EQ(dnsName(std::string(39, 'a') + "__b"), std::string(39, 'a'));
}

TEST(ContainerText, MemoryHasTheUnitsOfEach) {
    EXPECT_EQ(kubernetesMemory("4G"), "4Gi");
    EXPECT_EQ(kubernetesMemory("512"), "512Mi") << "Slurm's own unit";
    EXPECT_EQ(dockerMemory("4G"), "4g");
    EXPECT_EQ(dockerMemory("512"), "512m");
    EXPECT_EQ(dockerMemory("64K"), "64k");
    EXPECT_EQ(dockerMemory("2T"), "2048g");
}

TEST(YamlText, IsQuotedOnOneLine) {
    EXPECT_EQ(yamlQuoted("a \"b\" \\ # $"), R"("a \"b\" \\ # $")");
    EXPECT_EQ(yamlQuoted("a\nb\tc\x7f"), R"("a\nb\u0009c\u007f")");
    EXPECT_EQ(yamlQuoted("\xc2\x85 \xe2\x80\xa8 \xef\xbb\xbf 학습"), R"("\u0085 \u2028 \ufeff 학습")");
}

TEST(YamlText, LinesStandAsTheyAreWhereTheyCan) {
    EXPECT_EQ(yamlLines("{\n  \"a\": 1\n\n}\n", 4), "|\n    {\n      \"a\": 1\n\n    }");
    for (const char* text : {"", "\n", " a\n", "a", "a\n\n", "a\tb\n", "a\r\n", "\xef\xbb\xbf{}\n"})
        EXPECT_EQ(yamlLines(text, 4), yamlQuoted(text));
}

}  // namespace
}  // namespace engine::launch
