<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>BatchPanel</name>
    <message numerus="yes">
        <source>Use %n replica(s)</source>
        <translation>
            <numerusform>Use %n replica</numerusform>
            <numerusform>Use %n replicas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterCanvas</name>
    <message numerus="yes">
        <source>%n host(s)</source>
        <translation>
            <numerusform>%n host</numerusform>
            <numerusform>%n hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterPage</name>
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
        <source>%n task(s) on this computer</source>
        <translation>
            <numerusform>%n task on this computer</numerusform>
            <numerusform>%n tasks on this computer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) on %1 hosts</source>
        <translation>
            <numerusform>%n task on %1 hosts</numerusform>
            <numerusform>%n tasks on %1 hosts</numerusform>
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
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ClusterRows</name>
    <message numerus="yes">
        <source>%n core(s), %1</source>
        <translation>
            <numerusform>%n core, %1</numerusform>
            <numerusform>%n cores, %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no answer for %n s</source>
        <translation>
            <numerusform>no answer for %n s</numerusform>
            <numerusform>no answer for %n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU(s)</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n layer</numerusform>
            <numerusform>%n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n block(s) of code taken, the other text left.</source>
        <translation>
            <numerusform>%n block of code taken, the other text left.</numerusform>
            <numerusform>%n blocks of code taken, the other text left.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text.</source>
        <translation>
            <numerusform>%n place kept as text.</numerusform>
            <numerusform>%n places kept as text.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s) kept as text</source>
        <translation>
            <numerusform>%n place kept as text</numerusform>
            <numerusform>%n places kept as text</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s)</source>
        <translation>
            <numerusform>%n bad sample</numerusform>
            <numerusform>%n bad samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataSetModel</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DataWizard</name>
    <message numerus="yes">
        <source>%n class(es)</source>
        <translation>
            <numerusform>%n class</numerusform>
            <numerusform>%n classes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>category of %n</source>
        <translation>
            <numerusform>category of %n</numerusform>
            <numerusform>category of %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s) will be skipped:</source>
        <translation>
            <numerusform>%n bad sample will be skipped:</numerusform>
            <numerusform>%n bad samples will be skipped:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad sample(s): training will refuse the set.</source>
        <translation>
            <numerusform>%n bad sample: training will refuse the set.</numerusform>
            <numerusform>%n bad samples: training will refuse the set.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmptyMonitor</name>
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
    <message numerus="yes">
        <source>Launch %n worker(s) on %1 hosts</source>
        <translation>
            <numerusform>Launch %n worker on %1 hosts</numerusform>
            <numerusform>Launch %n workers on %1 hosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpochProgress</name>
    <message numerus="yes">
        <source>%1 of %n epoch(s)</source>
        <translation>
            <numerusform>%1 of %n epoch</numerusform>
            <numerusform>%1 of %n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EvaluateView</name>
    <message numerus="yes">
        <source>accuracy %1   loss %2   %Ln sample(s)</source>
        <translation>
            <numerusform>accuracy %1   loss %2   %Ln sample</numerusform>
            <numerusform>accuracy %1   loss %2   %Ln samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventList</name>
    <message numerus="yes">
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>Wrote %n file to %1</numerusform>
            <numerusform>Wrote %n files to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
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
    <message numerus="yes">
        <source>%n files already exist. Do you want to replace them?</source>
        <translation>
            <numerusform>%n file already exists. Do you want to replace it?</numerusform>
            <numerusform>%n files already exist. Do you want to replace them?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FilterPicturesView</name>
    <message numerus="yes">
        <source>%n kernel(s) of %1</source>
        <translation>
            <numerusform>%n kernel of %1</numerusform>
            <numerusform>%n kernels of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Host</name>
    <message numerus="yes">
        <source>no sign of life for %n second(s)</source>
        <translation>
            <numerusform>no sign of life for %n second</numerusform>
            <numerusform>no sign of life for %n seconds</numerusform>
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
    <name>HostChecksView</name>
    <message numerus="yes">
        <source>checked %n min ago</source>
        <translation>
            <numerusform>checked %n min ago</numerusform>
            <numerusform>checked %n min ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HostListView</name>
    <message numerus="yes">
        <source>Ready, %n core(s)</source>
        <translation>
            <numerusform>Ready, %n core</numerusform>
            <numerusform>Ready, %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabChoice</name>
    <message numerus="yes">
        <source>%n strategy(s)</source>
        <translation>
            <numerusform>%n strategy</numerusform>
            <numerusform>%n strategies</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabView</name>
    <message numerus="yes">
        <source>%n strategy(s) differ(s) and should not</source>
        <translation>
            <numerusform>%n strategy differs and should not</numerusform>
            <numerusform>%n strategies differ and should not</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) failed</source>
        <translation>
            <numerusform>%n run failed</numerusform>
            <numerusform>%n runs failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n strategy(s) equal to Default</source>
        <translation>
            <numerusform>%n strategy equal to Default</numerusform>
            <numerusform>%n strategies equal to Default</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaunchFilesKind</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Launcher</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LocalCluster</name>
    <message numerus="yes">
        <source>Use %n local worker(s)</source>
        <translation>
            <numerusform>Use %n local worker</numerusform>
            <numerusform>Use %n local workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n file(s) in %1</source>
        <translation>
            <numerusform>%n file in %1</numerusform>
            <numerusform>%n files in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ManualView</name>
    <message numerus="yes">
        <source>%n place(s) in this chapter</source>
        <translation>
            <numerusform>%n place in this chapter</numerusform>
            <numerusform>%n places in this chapter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MistakeGallery</name>
    <message numerus="yes">
        <source>%n of this cell, surest first</source>
        <translation>
            <numerusform>%n of this cell, surest first</numerusform>
            <numerusform>%n of this cell, surest first</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n, surest first</source>
        <translation>
            <numerusform>%n, surest first</numerusform>
            <numerusform>%n, surest first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelPage</name>
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
    <message numerus="yes">
        <source>Paste %n layer(s)</source>
        <translation>
            <numerusform>Paste %n layer</numerusform>
            <numerusform>Paste %n layers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MonitorHeader</name>
    <message numerus="yes">
        <source>%1 · %n worker(s)</source>
        <translation>
            <numerusform>%1 · %n worker</numerusform>
            <numerusform>%1 · %n workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Continue with %n worker(s)</source>
        <translation>
            <numerusform>Continue with %n worker</numerusform>
            <numerusform>Continue with %n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MonitorPage</name>
    <message numerus="yes">
        <source>The agent has not answered for %n second(s). Its tasks keep what they have to tell.</source>
        <translation>
            <numerusform>The agent has not answered for %n second. Its tasks keep what they have to tell.</numerusform>
            <numerusform>The agent has not answered for %n seconds. Its tasks keep what they have to tell.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ParallelView</name>
    <message numerus="yes">
        <source>Parallel coordinates of %n run(s)</source>
        <translation>
            <numerusform>Parallel coordinates of %n run</numerusform>
            <numerusform>Parallel coordinates of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) let by.</source>
        <translation>
            <numerusform>%n run let by.</numerusform>
            <numerusform>%n runs let by.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PasteClusterDialog</name>
    <message numerus="yes">
        <source>%1: %n task(s)</source>
        <translation>
            <numerusform>%1: %n task</numerusform>
            <numerusform>%1: %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RankTexts</name>
    <message numerus="yes">
        <source>%n task(s) wait for it, the longest for %1</source>
        <translation>
            <numerusform>%n task waits for it, the longest for %1</numerusform>
            <numerusform>%n tasks wait for it, the longest for %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryBar</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCompare</name>
    <message numerus="yes">
        <source>%n run(s) let by; Enter checks them</source>
        <translation>
            <numerusform>%n run let by; Enter checks them</numerusform>
            <numerusform>%n runs let by; Enter checks them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n run(s) of the table; drag along an axis to brush it</source>
        <translation>
            <numerusform>The first %n run of the table; drag along an axis to brush it</numerusform>
            <numerusform>The first %n runs of the table; drag along an axis to brush it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message numerus="yes">
        <source>%1, mean of %n seed(s)</source>
        <translation>
            <numerusform>%1, mean of %n seed</numerusform>
            <numerusform>%1, mean of %n seeds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunGroup</name>
    <message numerus="yes">
        <source>%n worker(s) on this computer</source>
        <translation>
            <numerusform>%n worker on this computer</numerusform>
            <numerusform>%n workers on this computer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunTableModel</name>
    <message numerus="yes">
        <source>%n attempt(s), %1 in all</source>
        <translation>
            <numerusform>%n attempt, %1 in all</numerusform>
            <numerusform>%n attempts, %1 in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 (%n run(s))</source>
        <translation>
            <numerusform>%1 (%n run)</numerusform>
            <numerusform>%1 (%n runs)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message numerus="yes">
        <source>Launched %1 with %n task(s).</source>
        <translation>
            <numerusform>Launched %1 with %n task.</numerusform>
            <numerusform>Launched %1 with %n tasks.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) hidden by the filter.</source>
        <translation>
            <numerusform>%n run hidden by the filter.</numerusform>
            <numerusform>%n runs hidden by the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s), %1 selected</source>
        <translation>
            <numerusform>%n run, %1 selected</numerusform>
            <numerusform>%n runs, %1 selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the archive</source>
        <translation>
            <numerusform>%n run is in the archive</numerusform>
            <numerusform>%n runs are in the archive</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are in the table again</source>
        <translation>
            <numerusform>%n run is in the table again</numerusform>
            <numerusform>%n runs are in the table again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) copied as CSV</source>
        <translation>
            <numerusform>%n run copied as CSV</numerusform>
            <numerusform>%n runs copied as CSV</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) are kept there.</source>
        <translation>
            <numerusform>%n run is kept there.</numerusform>
            <numerusform>%n runs are kept there.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SampleRows</name>
    <message numerus="yes">
        <source>%n class(es) with samples</source>
        <translation>
            <numerusform>%n class with samples</numerusform>
            <numerusform>%n classes with samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScriptKind</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShardPreview</name>
    <message numerus="yes">
        <source>step %1, %2: %n sample(s)</source>
        <translation>
            <numerusform>step %1, %2: %n sample</numerusform>
            <numerusform>step %1, %2: %n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n a step</source>
        <translation>
            <numerusform>%n a step</numerusform>
            <numerusform>%n a step</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusRow</name>
    <message numerus="yes">
        <source>Agent on this computer: no answer for %n second(s)</source>
        <translation>
            <numerusform>Agent on this computer: no answer for %n second</numerusform>
            <numerusform>Agent on this computer: no answer for %n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SweepPlan</name>
    <message numerus="yes">
        <source>%n configuration(s)</source>
        <translation>
            <numerusform>%n configuration</numerusform>
            <numerusform>%n configurations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s) each</source>
        <translation>
            <numerusform>%1, %n run each</numerusform>
            <numerusform>%1, %n runs each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; all train for %n epoch(s), and one of %2 goes on to each next rung: %3</source>
        <translation>
            <numerusform>%1; all train for %n epoch, and one of %2 goes on to each next rung: %3</numerusform>
            <numerusform>%1; all train for %n epochs, and one of %2 goes on to each next rung: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, each for %n epoch(s)</source>
        <translation>
            <numerusform>%1, each for %n epoch</numerusform>
            <numerusform>%1, each for %n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SweepResult</name>
    <message numerus="yes">
        <source>appears when %n trial(s) have ended</source>
        <translation>
            <numerusform>appears when %n trial has ended</numerusform>
            <numerusform>appears when %n trials have ended</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SweepView</name>
    <message numerus="yes">
        <source>%1 of %n trial(s) ended</source>
        <translation>
            <numerusform>%1 of %n trial ended</numerusform>
            <numerusform>%1 of %n trials ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Over: %n trial(s)</source>
        <translation>
            <numerusform>Over: %n trial</numerusform>
            <numerusform>Over: %n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped: %1 of %n trial(s) ended</source>
        <translation>
            <numerusform>Stopped: %1 of %n trial ended</numerusform>
            <numerusform>Stopped: %1 of %n trials ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n epoch(s) trained</source>
        <translation>
            <numerusform>%1: %n epoch trained</numerusform>
            <numerusform>%1: %n epochs trained</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TemplateCard</name>
    <message numerus="yes">
        <source>%n processes, gradients summed over a ring</source>
        <translation>
            <numerusform>%n processes, gradients summed over a ring</numerusform>
            <numerusform>%n processes, gradients summed over a ring</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n processes, variables on parameter servers</source>
        <translation>
            <numerusform>%n process, variables on parameter servers</numerusform>
            <numerusform>%n processes, variables on parameter servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TfConfigText</name>
    <message numerus="yes">
        <source> … %n character(s) more, which Copy takes along … </source>
        <translation>
            <numerusform> … %n character more, which Copy takes along … </numerusform>
            <numerusform> … %n characters more, which Copy takes along … </numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WaitingCard</name>
    <message numerus="yes">
        <source>Waiting for %n task(s)</source>
        <translation>
            <numerusform>Waiting for %n task</numerusform>
            <numerusform>Waiting for %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n worker(s)</source>
        <translation>
            <numerusform>Go on with %n worker</numerusform>
            <numerusform>Go on with %n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WayMatrix</name>
    <message numerus="yes">
        <source>%n way(s) closed</source>
        <translation>
            <numerusform>%n way closed</numerusform>
            <numerusform>%n ways closed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WeightView</name>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n not finite</numerusform>
            <numerusform>%n not finite</numerusform>
        </translation>
    </message>
</context>
</TS>
