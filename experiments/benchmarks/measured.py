import os, subprocess, sys, time


def run(program, *arguments):
    """Runs a command quietly. Returns its seconds and its peak of memory in MB; ends the script where it fails."""
    begun = time.monotonic()
    child = subprocess.Popen([program, *arguments, "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: a verdict
        sys.exit(f"{arguments[0]} failed")
    return time.monotonic() - begun, usage.ru_maxrss // 1024
