# SPDX-License-Identifier: MIT
# How a part of the benchmarks is measured: a work directory, an environment that is the same on every machine, contestants that take turns,
# and what is counted of each. What is measured is in parts.py.
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / 'build'
HOLDFAST = os.path.abspath(os.environ.get('HOLDFAST_BIN', BUILD / 'holdfast'))
HOGS = 6
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # work directories and hogs go, too


class Failed(Exception):
    """A part could not be set up, or a contestant does not answer what it should."""


PEERS = ('lefthook', 'hk', 'cc-safety-net')


def program(name):
    """Of a peer: on PATH, or where scripts/install-deps puts it."""
    found = shutil.which(name)
    native = [str(p) for p in BUILD.glob(f'peers/node_modules/{name}-*/bin/{name}') if os.access(p, os.X_OK)]
    return found or (native[0] if native else None)


def file_system(path):
    return subprocess.run(['stat', '-f', '-c', '%T', path], capture_output=True, text=True).stdout.strip()


def machine():
    """Facts without which the figures mean nothing."""
    def said(*argv):
        return subprocess.run(argv, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', Path('/etc/os-release').read_text(), re.M)
    return {
        'cores': os.cpu_count(), 'kernel': platform.release().split('-')[0], 'system': system.group(1) if system else platform.system(),
        'disk': file_system(BUILD).replace('ext2/ext3', 'ext4'), 'git': said('git', '--version').split()[-1],
        'lefthook': said(program('lefthook'), 'version').split()[0] if program('lefthook') else None,
        'commit': said('git', 'rev-parse', '--short=12', 'HEAD'), 'date': said('date', '-u', '+%Y-%m-%d'),
        'load': round(os.getloadavg()[0], 1),
    }


class Contestant:
    def __init__(self, name, argv, cwd, input='/dev/null', before='', expect=None, count=()):
        self.name, self.argv, self.cwd, self.input, self.before = name, [str(word) for word in argv], str(cwd), str(input), before
        self.expect, self.count = expect, count

    def is_answer(self, text):
        """Is that what is expected? Something that is in it, nothing (''), or anything (None)."""
        return self.expect is None or (self.expect in text if self.expect else not text)


class Bench:
    """One part: `where` is disk (the build directory), memory or tmp, `seconds` the time for a measurement. With `only_count`, a list of contestants, only their
    instructions are counted; an empty one: of all that have instructions."""

    def __init__(self, where='disk', seconds=5, only_count=None):
        places = {'disk': BUILD, 'memory': '/dev/shm' if os.access('/dev/shm', os.W_OK) else BUILD, 'tmp': tempfile.gettempdir()}
        top = os.environ.get('BENCH_DIR') or places[where]
        self.work = Path(tempfile.mkdtemp(prefix='bench-', dir=top))
        self.seconds, self.only_count = seconds, only_count
        self.contestants, self.results, self.failures = [], {}, []
        self.home, self.bin = self.work / 'home', self.work / 'bin'
        self.home.mkdir()
        self.bin.mkdir()
        (self.work / 'state').mkdir()
        self.state = self.home / '.local/state/holdfast'
        self.environment = {
            'PATH': f'{self.bin}:{os.environ["PATH"]}', 'HOME': str(self.home), 'TMPDIR': str(self.work), 'LANG': 'C.UTF-8',
            'XDG_CONFIG_HOME': str(self.home / '.config'), 'XDG_STATE_HOME': str(self.home / '.local/state'),
            'XDG_DATA_HOME': str(self.home / '.local/share'), 'CONCLAUDE_STATE_DIR': str(self.work / 'state'),
            'GIT_CONFIG_NOSYSTEM': '1', 'GIT_OPTIONAL_LOCKS': '0',
            'GIT_AUTHOR_NAME': 'b', 'GIT_AUTHOR_EMAIL': 'b@b', 'GIT_COMMITTER_NAME': 'b', 'GIT_COMMITTER_EMAIL': 'b@b',
        }
        # A copy, as an installed program is: what the linker wrote starts more slowly than that.
        self.holdfast = str(self.bin / 'holdfast')
        shutil.copy2(HOLDFAST, self.holdfast)
        for name in ('floor', 'timer'):
            subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-D_GNU_SOURCE', '-static-pie', '-fPIE', '-o', self.work / f'{name}.linked',
                            HERE / f'{name}.c'], check=True)
            shutil.copy2(self.work / f'{name}.linked', self.bin / name)

    def close(self):
        subprocess.run(['rm', '-rf', self.work])

    def sh(self, command, cwd=None, input=None):
        """The output of a command of the set-up, which must succeed."""
        done = subprocess.run(command, shell=isinstance(command, str), cwd=cwd or self.work, env=self.environment, input=input,
                              capture_output=True, text=True)
        if done.returncode:
            raise Failed(f'{command}: exit code {done.returncode}: {(done.stdout + done.stderr)[-300:]}')
        return done.stdout

    def write(self, path, text, mode=0o644):
        path = self.work / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    # ---- contestants ----

    def add(self, name, argv, cwd, **more):
        """A contestant of the next measurement. `before` is a shell command that is not measured; `expect` must be in what it prints, and is
        looked for before and after the measurement; `count` may have calls and instructions."""
        self.contestants.append(Contestant(name, argv, cwd, **more))

    def floor(self, **more):
        self.add('floor', [self.bin / 'floor'], self.work, **more)

    def peer(self, name, words, cwd, **more):
        """Somebody else's program, if it is there."""
        if program(name) and self.only_count is None:
            self.add(name, [program(name), *words], cwd, **more)

    def event(self, cwd, session='bench', event='Stop', **fields):
        """An event as Claude Code sends it, in a file."""
        number = len(list(self.work.glob('event-*')))
        text = {'session_id': session, 'transcript_path': f'{cwd}/transcript.jsonl', 'cwd': str(cwd), 'permission_mode': 'default',
                'hook_event_name': event, 'stop_hook_active': False, 'last_assistant_message': 'All the steps are done; the tests pass.'}
        return self.write(f'event-{number}', json.dumps({k: v for k, v in (text | fields).items() if v is not None}))

    def stop(self, name, cwd, status, before='', count=(), **fields):
        """A stop that must be answered with this status."""
        self.add(name, [self.holdfast, 'stop-hook'], cwd, input=self.event(cwd, **fields), before=before, expect=f'"status":"{status}"', count=count)

    def say(self, c):
        """Runs a contestant once."""
        if c.before:
            self.sh(c.before, c.cwd)
        with open(c.input) as input:
            done = subprocess.run(c.argv, cwd=c.cwd, env=self.environment, stdin=input, capture_output=True, text=True)
        said = done.stdout + done.stderr
        if done.returncode:
            raise Failed(f'{c.name}: exit code {done.returncode}: {said[-300:]}')
        if not c.is_answer(said):
            raise Failed(f'{c.name}: the answer has not {c.expect!r}: {said[-300:]}')

    def is_able(self, c):
        """Is the answer right? One that is not is named and left out; of holdfast it is a failure."""
        try:
            self.say(c)
            return True
        except Failed as reason:
            if c.name in PEERS:
                print(f'bench: not compared with {reason}', file=sys.stderr)
            else:
                self.failures.append(str(reason))
            return False

    # ---- measuring ----

    def measure(self, name, rounds=400, at_once=1, beside=None, size=None):
        """Measures what was added. `beside`: six processes that never sleep, in this session or each in its own. `size` makes the measurement a
        point of a series."""
        wanted = self.contestants
        if self.only_count is not None:
            wanted = [c for c in wanted if 'instructions' in c.count and (not self.only_count or c.name in self.only_count)]
        contestants, self.contestants = [c for c in wanted if self.is_able(c)], []
        if self.only_count is not None:
            return {c.name: self.instructions(c) for c in contestants}
        hogs = [subprocess.Popen(['timeout', '600', 'sh', '-c', 'while :; do :; done'], start_new_session=beside == 'sessions')
                for _ in range(HOGS if beside else 0)]
        try:
            times = self.time(contestants, rounds, at_once, keep_answers=at_once > 1 or beside)
            if at_once == 1 and not beside and self.seconds >= 1:
                times = {c.name: times[c.name] for c in contestants if c.name in times and self.is_able(c)}
        finally:
            for hog in hogs:
                hog.terminate()
                hog.wait()
        for c in contestants:
            if c.name not in times:
                continue
            if 'instructions' in c.count:
                times[c.name]['instructions'] = self.instructions(c)
            if 'calls' in c.count:
                times[c.name] |= self.calls(c)
        if size is None:
            self.results[name] = times
        elif 'holdfast' in times:
            self.results.setdefault(name, {'points': []})['points'].append({'size': size} | times)
        return times

    def time(self, contestants, rounds, at_once, keep_answers):
        answers = self.work / 'answers'
        shutil.rmtree(answers, ignore_errors=True)
        answers.mkdir()
        plan = self.write('plan', ''.join('\t'.join([c.cwd, c.input, c.before] + c.argv) + '\n' for c in contestants))
        printed = self.sh([str(self.bin / 'timer'), str(rounds), str(self.seconds), str(at_once), str(plan)] + ([str(answers)] if keep_answers else []))
        times = {}
        for number, (c, line) in enumerate(zip(contestants, printed.splitlines())):
            done, ns, least, cpu, peak, faults, failures = map(int, line.split())
            if failures:
                self.failures.append(f'{c.name}: {failures} of {done * at_once} runs failed')
                continue
            wrong = [text for text in (path.read_text() for path in answers.glob(f'{number}.*')) if not c.is_answer(text)]
            if wrong:
                self.failures.append(f'{c.name}: {len(wrong)} of {at_once} answers have not {c.expect!r}: {wrong[0][-300:]}')
                continue
            times[c.name] = {'ms': round(ns / 1e6, 3), 'min_ms': round(least / 1e6, 3), 'cpu_ms': round(cpu / 1e6, 3), 'peak_kib': peak,
                             'faults': faults, 'rounds': done}
        return times

    def instructions(self, c):
        """Of the program itself: a child that only starts git counts for itself, and git not at all. None without valgrind."""
        if not shutil.which('valgrind'):
            return None
        if c.before:
            self.sh(c.before, c.cwd)
        with open(c.input) as input:
            done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null'] + c.argv, cwd=c.cwd, env=self.environment,
                                  stdin=input, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return max(map(int, re.findall(r'Collected : (\d+)', done.stderr)), default=None)

    def calls(self, c):
        """System calls and programs that are started, of all processes; and how many of the programs are git."""
        if not shutil.which('strace'):
            return {}
        if c.before:
            self.sh(c.before, c.cwd)
        trace = self.work / 'trace'
        with open(c.input) as input:
            subprocess.run(['strace', '-f', '-qq', '-s', '4096', '-e', 'signal=none', '-o', trace] + c.argv, cwd=c.cwd, env=self.environment, stdin=input,
                           capture_output=True)
        calls, begun, started = 0, {}, []
        for line in trace.read_text(errors='replace').splitlines():
            process, call = line.split(None, 1)
            calls += not call.startswith(('<...', '+++'))
            if call.startswith('execve('):
                begun[process] = call.split('"')[1]
            if call.startswith(('execve(', '<... execve')) and call.endswith('= 0'):
                started.append(begun[process])
        return {'calls': calls, 'programs': len(started), 'git': sum(path.endswith('/git') for path in started)}


def exponent(points, name='holdfast'):
    """Of the growth of time with size, fitted to the largest three sizes: at small ones it is the start of a program that takes the time."""
    from math import log
    x, y = zip(*[(log(p['size']), log(p[name]['ms'])) for p in points[-3:]])
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / (sum((a - mean_x) ** 2 for a in x) or 1)
