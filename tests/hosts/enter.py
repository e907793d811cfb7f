"""enter.py PID PROGRAM ...: runs a program in the host whose first process is PID. It passes signals on and ends as the program does; when it
is killed, so is the program."""
import ctypes
import os
import signal
import sys

NAMESPACES = ("net", "uts", "ipc", "pid", "mnt")
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)


def main():
    host, argv = sys.argv[1], sys.argv[2:]
    folder = os.getcwd()
    descriptors = [os.open(f"/proc/{host}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in NAMESPACES]
    for descriptor in descriptors:
        if libc.setns(descriptor, 0) != 0:
            sys.exit(f"enter: {os.strerror(ctypes.get_errno())}")
    with_signals = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2]
    signal.pthread_sigmask(signal.SIG_BLOCK, with_signals)
    child = os.fork()
    if child == 0:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, with_signals)
        try:
            os.chdir(folder if os.path.isdir(folder) else "/run/home")
            os.execvpe(argv[0], argv, os.environ)
        except OSError as error:
            os.write(2, f"enter: {argv[0]}: {error.strerror}\n".encode())
        os._exit(127)
    for number in with_signals:
        signal.signal(number, lambda got, _: os.kill(child, got))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, with_signals)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


main()
