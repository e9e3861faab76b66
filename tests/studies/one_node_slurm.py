# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node in a folder of its own, for a test: controller and node daemon, started, killed and started again. It
touches no other Slurm of the machine, and asks for no munge.
"""
import contextlib
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

DAEMONS, CLIENTS = ("slurmctld", "slurmd"), ("sbatch", "squeue", "scancel", "scontrol", "sinfo")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
CONFIGURATION = """ClusterName=heddle
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
# A job that is requeued waits until its credential is over.
AuthInfo=cred_expire=5
CredType=cred/none
CryptoType=crypto/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=100000,sched_interval=1,batch_sched_delay=0
KillWait=2
MessageTimeout=5
ReturnToService=2
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class CannotStart(Exception):
    """Why not."""


def free_ports(count):
    """Free now; whoever takes one meanwhile makes the daemon say so."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class OneNodeSlurm:
    def __init__(self, folder, cpus):
        self.folder, self.running = pathlib.Path(folder), {}
        missing = [name for name in (*DAEMONS, *CLIENTS) if not shutil.which(name, path=PATH)]
        if missing:
            raise CannotStart(f"{', '.join(missing)} not installed: scripts/bootstrap slurm")
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        self.host = socket.gethostname().partition(".")[0]
        self.file = self.folder / "slurm.conf"
        self.file.write_text(CONFIGURATION.format(host=self.host, user=getpass.getuser(),
                                                  ports=free_ports(2), folder=self.folder, cpus=cpus))
        os.environ.update(SLURM_CONF=str(self.file), PATH=PATH)
        for daemon in DAEMONS:
            self.start(daemon)
        self.wait_for_node()

    def start(self, daemon):
        with (self.folder / f"{daemon}.out").open("a") as out:
            self.running[daemon] = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", daemon, "-D", "-f", self.file],
                                                    stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def kill(self, daemon):
        self.running[daemon].kill()
        self.running.pop(daemon).wait()

    def wait_for_node(self, seconds=30):
        """\\throws CannotStart"""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            ended = [daemon for daemon, process in self.running.items() if process.poll() is not None]
            if not ended and self.node() in ("idle", "mixed", "allocated"):
                return
            if ended:
                break
            time.sleep(0.2)
        words = [f"{daemon}: {line}" for daemon in DAEMONS for line in self.last_words(daemon)]
        self.stop()
        raise CannotStart("a Slurm of one node does not start here; " + "; ".join(words))

    def node(self):
        """idle, mixed, draining, ... or nothing."""
        return self.say("sinfo", "--noheader", "-o", "%T").strip()

    def crash_controller(self):
        """As soon as it has brought what happened to its disk, which it does some seconds later; else it has forgotten that
        it started tasks, and holds them when it starts them again. Still it may forget how one ended."""
        saved, until, before = self.folder / "state/job_state", time.monotonic() + 8, time.time()
        while time.monotonic() < until and not (saved.exists() and saved.stat().st_mtime > before):
            time.sleep(0.1)
        self.kill("slurmctld")
        time.sleep(0.5)
        self.start("slurmctld")
        self.wait_for_node()

    def mend(self):
        """What an administrator does when a crash has left the node drained."""
        if self.node().startswith(("drain", "down")):
            self.say("scontrol", "update", f"NodeName={self.host}", "State=RESUME")

    def restart_node(self):
        """... or tasks that the controller takes for running, and that the node does not know: it is told which there are."""
        self.kill("slurmd")
        self.start("slurmd")

    def last_words(self, daemon):
        files = [self.folder / f"{daemon}.{end}" for end in ("out", "log")]
        lines = [line for file in files if file.exists() for line in file.read_text(errors="replace").splitlines()]
        return [line for line in lines if "error" in line or "fatal" in line][-3:]

    def say(self, *words):
        """What a command of Slurm says, or nothing."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return subprocess.run(words, text=True, capture_output=True, timeout=20).stdout
        return ""

    def stop(self):
        """Its jobs end with the node daemon's children."""
        if "slurmctld" in self.running:
            self.say("scancel", "--signal=KILL", "--full", "--me")
            self.say("scancel", "--me")
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        for process in self.running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            process.kill()
            process.wait()
        self.running = {}
