<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>ui::views::ClassBars</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::ClusterPage</name>
    <message numerus="yes">
        <source>%n local worker(s)</source>
        <translation>
            <numerusform>%n local worker</numerusform>
            <numerusform>%n local workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on 1 host</source>
        <translation>
            <numerusform>%n task on 1 host</numerusform>
            <numerusform>%n tasks on 1 host</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n core, %1</numerusform>
            <numerusform>%n cores, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Steps in %n epoch(s)</source>
        <translation>
            <numerusform>Steps in %n epoch</numerusform>
            <numerusform>Steps in %n epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Launch %n worker(s)</source>
        <translation>
            <numerusform>Launch %n worker</numerusform>
            <numerusform>Launch %n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::DataPage</name>
    <message numerus="yes">
        <source>DATA: every worker reads all samples and keeps each %n-th.</source>
        <translation>
            <numerusform>DATA: every worker reads all samples and keeps each %n-th.</numerusform>
            <numerusform>DATA: every worker reads all samples and keeps each %n-th.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::EmptyMonitor</name>
    <message numerus="yes">
        <source>Launch %n worker(s) here</source>
        <translation>
            <numerusform>Launch %n worker here</numerusform>
            <numerusform>Launch %n workers here</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::widgets::EpochProgress</name>
    <message numerus="yes">
        <source>%1 of %n epoch(s)</source>
        <translation>
            <numerusform>%1 of %n epoch</numerusform>
            <numerusform>%1 of %n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::ExportDialog</name>
    <message numerus="yes">
        <source>%1 · %n task(s)</source>
        <translation>
            <numerusform>%1 · %n task</numerusform>
            <numerusform>%1 · %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Export %n file(s)</source>
        <translation>
            <numerusform>Export %n file</numerusform>
            <numerusform>Export %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HostChecks</name>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n core, %1</numerusform>
            <numerusform>%n cores, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s) for each task</source>
        <translation>
            <numerusform>%n core for each task</numerusform>
            <numerusform>%n cores for each task</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tasks share %n core(s)</source>
        <translation>
            <numerusform>%1 tasks share %n core</numerusform>
            <numerusform>%1 tasks share %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::MainWindow</name>
    <message numerus="yes">
        <source>%n file(s) in %1</source>
        <translation>
            <numerusform>%n file in %1</numerusform>
            <numerusform>%n files in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::ModelPage</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sequential, %n layer(s)</source>
        <translation>
            <numerusform>Sequential, %n layer</numerusform>
            <numerusform>Sequential, %n layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::MonitorPage</name>
    <message numerus="yes">
        <source>%1 · %n worker(s)</source>
        <translation>
            <numerusform>%1 · %n worker</numerusform>
            <numerusform>%1 · %n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::RunGroup</name>
    <message numerus="yes">
        <source>%n worker(s) on this computer</source>
        <translation>
            <numerusform>%n worker on this computer</numerusform>
            <numerusform>%n workers on this computer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::RunsPage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::session::Session</name>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>Wrote %n file to %1</numerusform>
            <numerusform>Wrote %n files to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Use %n local worker(s)</source>
        <translation>
            <numerusform>Use %n local worker</numerusform>
            <numerusform>Use %n local workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Launched %1 with %n task(s).</source>
        <translation>
            <numerusform>Launched %1 with %n task.</numerusform>
            <numerusform>Launched %1 with %n tasks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::TemplateCard</name>
    <message numerus="yes">
        <source>%n processes on this computer, gradients summed over a ring</source>
        <translation>
            <numerusform>%n processes on this computer, gradients summed over a ring</numerusform>
            <numerusform>%n processes on this computer, gradients summed over a ring</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::WaitingCard</name>
    <message numerus="yes">
        <source>Waiting for %n task(s)</source>
        <translation>
            <numerusform>Waiting for %n task</numerusform>
            <numerusform>Waiting for %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::views::WelcomePage</name>
    <message numerus="yes">
        <source>checked %n min ago</source>
        <translation>
            <numerusform>checked %n min ago</numerusform>
            <numerusform>checked %n min ago</numerusform>
        </translation>
    </message>
</context>
</TS>
