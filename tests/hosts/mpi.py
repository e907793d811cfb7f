"""Debian's Open MPI over the hosts of hosts.py, between which its mpirun goes by ssh:

    with Hosts(3, share=[folder], ssh=True) as hosts:
        process = mpi.start(hosts, folder, ["mpirun", "-np", "3", "--host", "node1,node2,node3", "hostname"], stdout=log)

The hosts' processors are this machine's: ranks are bound to none of them, and more of them than processors may run.
"""
import shutil

from hosts import PATH

PROGRAMS = ("mpirun", "orted")
SETTINGS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def missing():
    absent = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
    return f"Open MPI: expected the programs {', '.join(absent)} (bash installer/setup.sh --tests), found none" if absent else None


def start(hosts, folder, argv, env=None, **options):
    """On node1, in `folder`, which all hosts see; a subprocess.Popen."""
    return hosts.start("node1", ["env", "-C", folder, *argv], env={**SETTINGS, **(env or {})}, **options)
