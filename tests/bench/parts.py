# SPDX-License-Identifier: MIT
# What is measured. A part is a word of `tests/bench/run` and a function that sets up its projects, adds the contestants and calls measure() once or
# more often; measurements of one part take the part's name, or that and a word after a slash. Bounds are in rows.txt and nowhere else.
import json
import re
import shutil
import time

import projects
from harness import Failed

PARTS = {}


def part(word, *arguments, where='disk', default=True):
    """Declares that the function measures that part, on disk or in memory; on demand only if not `default`."""
    def declare(function):
        PARTS[word] = (function, arguments, where, default)
        return function
    return declare


def parts(rows, **options):
    def declare(function):
        for word, *arguments in rows:
            part(word, *arguments, **options)(function)
        return function
    return declare


# ---- decisions without gates ----

CONCLAUDE = '''stop:
  commands: []
  infinite: false
preToolUse:
  preventRootAdditions: false
  uneditableFiles:
    - .conclaude.yaml
  toolUsageValidation: []
notifications:
  enabled: false
'''
COMMENTS = ''.join(f'# {n}. What this key is for, with an example:  commands: [{{run: "make test-{n}"}}]\n' for n in range(200))
QUEUE = '''stop:
  promptPrefixBlocking:
    prefixes: ["ULTRATHINK*"]
    messages:
      - text: "Now check your work once more."
        times: 2000000000
'''
GATES = '  - path: src\n    checks: [lint]\n  - path: .\n    reviews: [quality]\n'


def gates_without_git(b, name, more=''):
    dir = projects.gauntlet(b, name, GATES + more, reviews=['quality'])
    projects.bare(b, name, **{'.git__HEAD': 'ref: refs/heads/work\n', 'gauntlet_logs__.execution_state': json.dumps({
        'last_run_completed_at': time.strftime('%Y-%m-%dT%H:%M:%S.000Z', time.gmtime()), 'branch': 'work', 'commit': 'a' * 40,
        'working_tree_ref': 'b' * 40, 'commit_in_base': False, 'outstanding': False, 'attempts': 0})})
    return dir


def queue(b):
    dir = projects.bare(b, 'queue', **{'.conclaude.yaml': QUEUE})
    prompt = b.event(dir, event='UserPromptSubmit', session='queue', prompt='ULTRATHINK about it')
    b.sh([b.holdfast, 'hook', 'UserPromptSubmit'], dir, input=prompt.read_text())
    return dir


LINE = 'cd src && npm test 2>&1 | tail -n 40 >/tmp/log; git add -A && git commit -m "Fix the parser"'


def guarded(b, name, line, cwd, expect='', **more):
    """Asked before a shell command; an empty `expect`: nothing is said, the command may run."""
    event = b.event(cwd, event='PreToolUse', tool_name='Bash', tool_input={'command': line}, last_assistant_message=None)
    b.add(name, [b.holdfast, 'hook', 'PreToolUse'], cwd, input=event, expect=expect, **more)
    return event


def rules(b, name, count):
    return projects.bare(b, name, **{'holdfast.yml': 'guards:\n  use: [destructive, secrets]\n  protect:\n' +
                                     ''.join(f'    - src/generated/module{i}/**\n' for i in range(count * 6 // 10)) + '  commands:\n    deny:\n' +
                                     ''.join(f'      - tool{i} deploy\n' for i in range(count * 4 // 10 - 2))})


@part('decisions')
def decisions(b, word):
    count = ('instructions',)
    b.floor(count=count)
    b.stop('nothing', projects.bare(b, 'nothing'), 'no_config', count=count)
    b.stop('conclaude', projects.bare(b, 'conclaude', **{'.conclaude.yaml': CONCLAUDE}), 'no_config', count=count)
    b.stop('conclaude-16k', projects.bare(b, 'long', **{'.conclaude.yaml': COMMENTS + CONCLAUDE}), 'no_config', count=count)
    b.stop('rounds', projects.bare(b, 'rounds', **{'.conclaude.yaml': 'stop:\n  rounds: 4000000000\n'}), 'round_completed', count=count, session='rounds')
    b.stop('follow-up', queue(b), 'follow_up', count=count, session='queue')
    b.stop('loop', projects.loop(b, 'loop'), 'loop_continues', count=count, session='loop')
    b.stop('disabled', gates_without_git(b, 'disabled', 'stop_hook:\n  enabled: false\n'), 'stop_hook_disabled', count=count)
    b.stop('hook-active', gates_without_git(b, 'active'), 'stop_hook_active', count=count, stop_hook_active=True)
    guarded(b, 'rules-10', LINE, rules(b, 'few', 10), count=count)
    guarded(b, 'rules-1000', LINE, rules(b, 'many', 1000), count=count)
    return b.measure(word)


@part('transcripts')
def transcripts(b, word):
    b.floor()
    for size, bytes in (('100KB', 100 << 10), ('1MB', 1 << 20), ('1GB', 1 << 30)):
        dir = projects.loop(b, f'loop-{size}')
        projects.transcript(dir / 'transcript.jsonl', bytes)
        b.stop(f'loop-{size}', dir, 'loop_continues', session=f'loop-{size}', last_assistant_message=None)
        if size != '100KB':
            tokens = projects.loop(b, f'tokens-{size}', 'max_tokens: 999999999999\n')
            (tokens / 'transcript.jsonl').hardlink_to(dir / 'transcript.jsonl')
            b.stop(f'tokens-{size}', tokens, 'loop_continues', session=f'tokens-{size}')
    b.measure(word)


# ---- stops with gates ----

def first_change(b, dir):
    b.sh('echo changed >>d0/s0/f1.txt && echo new >d0/new.txt', dir)
    return dir


@part('stop-500000', 500000, default=False)
@parts([(f'stop-{n}-memory', n) for n in (1000, 10000, 100000)], where='memory')
@parts([(f'stop-{n}', n) for n in (1000, 10000, 100000)])
def stop(b, word, files):
    """As `init` sets a project up. A stop that runs the gate has a project of its own, and so has lefthook, with a change that is staged."""
    unchanged, changing, theirs = (projects.repository(b, name, files) for name in ('unchanged', 'changing', 'lefthook'))
    for dir in (unchanged, changing):
        projects.settle(b, first_change(b, projects.initialised(b, dir)))
        projects.passed(b, dir)
    projects.lefthook(b, theirs, 'pre-commit', ['true'])
    b.sh('echo changed >>d0/s0/f1.txt && git add d0', theirs)
    projects.settle(b, theirs)
    count = ('calls', 'instructions')
    b.add('git status', ['git', 'status'], unchanged, count=('calls',))
    b.stop('unchanged', unchanged, 'unchanged', count=count)
    b.stop('gate', changing, 'passed', before='date +%s%N >>d0/s0/f1.txt', count=count)
    b.add('detect', [b.holdfast, 'detect'], unchanged)
    for name in ('lefthook', 'hk'):
        b.peer(name, ['run', 'pre-commit'], theirs, count=('calls',))
    return b.measure(word, rounds=200)


@part('protected')
def protected(b, word):
    """The fingerprints of ten protected paths are taken at a prompt, and compared after a shell tool."""
    for files in (100, 100000):
        dir = projects.repository(b, f'files-{files}', files)
        b.write(dir / 'holdfast.yml', 'guards:\n  protect:\n' + ''.join(f'    - d0/s0/f{i}.txt\n' for i in range(1, 11)))
        b.sh('git add -A && git commit -q -m guards', dir)
        b.sh([b.holdfast, 'hook', 'UserPromptSubmit'], dir, input=b.event(dir, event='UserPromptSubmit', prompt='x').read_text())
        after = b.event(dir, event='PostToolUse', tool_name='Bash', tool_input={'command': 'make'})
        b.add(f'files-{files}', [b.holdfast, 'hook', 'PostToolUse'], dir, input=after, expect='')
    b.measure(word)


@part('untracked-60000')
def untracked_files(b, word, count=60000):
    dir = projects.initialised(b, projects.repository(b, 'p', 100))
    projects.small_files(dir / 'new', count)
    projects.settle(b, dir)
    projects.passed(b, dir)
    names = b.write('names', b.sh('git ls-files -o --exclude-standard', dir))
    b.add('git status -uall', ['git', 'status', '--porcelain', '-uall'], dir)
    b.add('git hash-object', ['git', 'hash-object', '--stdin-paths'], dir, input=names)
    b.stop('first', dir, 'passed', before=f'rm -rf {b.state}/projects', count=('calls',))
    b.stop('unchanged', dir, 'unchanged', count=('calls',))
    b.stop('one-changed', dir, 'passed', before='date +%s%N >>new/d0/component_0.ts')
    b.measure(word, rounds=20)


def modified(b, count):
    """A project in which so many files have been modified, and the gate has passed since."""
    dir = b.work / f'modified-{count}'
    projects.small_files(dir / 'src', count, lines=30)
    projects.initialised(b, projects.commit(b, dir))
    b.sh("find src -name '*.ts' -exec sed -i '1s/.*/changed/' {} +", dir)
    projects.settle(b, dir)
    return projects.passed(b, dir)


@part('modified-10000')
def modified_files(b, word, count=10000):
    dir = modified(b, count)
    b.add('git status', ['git', 'status'], dir)
    b.stop('unchanged', dir, 'unchanged', count=('calls',))
    b.stop('one-more', dir, 'passed', before='date +%s%N >>src/d0/component_0.ts')
    b.add('detect', [b.holdfast, 'detect'], dir)
    b.measure(word, rounds=100)


def many_gates(b, count):
    dir = projects.repository(b, f'gates-{count}', 100)
    projects.initialised(b, dir, ''.join(f'  check-{n}: {{run: "true", files: ["src/m{n}/**"]}}\n' for n in range(count - 1)) + '  test: "true"\n')
    projects.settle(b, first_change(b, dir))
    return projects.passed(b, dir)


@part('gates-1000')
def gates_1000(b, word, count=1000):
    dir = many_gates(b, count)
    b.floor()
    b.add('git status', ['git', 'status'], dir)
    b.add('validate', [b.holdfast, 'validate'], dir, count=('instructions',))
    b.add('statusline', [b.holdfast, 'statusline'], dir, input=statusline_input(b, dir), count=('instructions',))
    b.stop('unchanged', dir, 'unchanged', count=('instructions',))
    return b.measure(word, rounds=200)


def statusline_input(b, dir):
    return b.event(dir, event=None, workspace={'current_dir': str(dir), 'project_dir': str(dir)})


# ---- runs of checks ----

def script_like_run(b, dir, count, parallel):
    """A shell that starts the same commands, asks git the same, and does nothing else."""
    status = projects.STOP_STATUS
    before = ('git rev-parse --git-path index --revs-only "HEAD^{commit}" "HEAD^{tree}" --symbolic-full-name HEAD main...HEAD &\n'
              f'git diff-tree -r --raw --no-abbrev -z --no-renames --relative --merge-base main HEAD -- & {status} & wait\n')
    return b.write(dir.with_suffix('.sh'), '#!/bin/sh\n' + before + f'/bin/sh -c true {"&" if parallel else ""}\n' * count + f'wait\n{status}\nexit 0\n', 0o755)


RUNS = [(f'run-{count}-{where}-{beside or "idle"}', count, beside) for where in ('memory', 'disk') for count in (1, 8, 32, 200, 800)
        for beside in (None, 'hogs', 'sessions') if count >= 32 or not beside and where == 'memory']


@parts([row for row in RUNS if '-disk-' in row[0]])
@parts([row for row in RUNS if '-memory-' in row[0]], where='memory')
def run_checks(b, word, count, beside):
    for parallel, order in ((True, 'in-parallel'), (False, 'in-a-row')):
        dir = b.work / order
        b.write(dir / 'src/a.txt', 'a\n')
        key = '' if parallel else ', parallel: false'
        projects.commit(b, dir)
        projects.initialised(b, dir, ''.join(f'  check-{n}: {{run: "true"{key}}}\n' for n in range(count)))
        b.write(dir / 'src/a.txt', 'a\nchanged\n')
        projects.lefthook(b, dir, 'pre-push', ['true'] * count, parallel)
        b.add('holdfast', [b.holdfast, 'run'], dir, expect=f'{count} passed')
        b.add('shell', [script_like_run(b, dir, count, parallel)], dir)
        b.peer('lefthook', ['run', 'pre-push', '--force'], dir)
        b.peer('hk', ['run', 'pre-push', '--all'], dir)
        b.measure(f'{word}/{order}', rounds=60, beside=beside)
        shutil.rmtree(dir)


@part('old-logs', where='memory')
def old_logs(b, word):
    """Verification: 200 logs of 25 runs in which all failed, put back before each run."""
    dir = projects.gauntlet(b, 'p', '  - path: src\n    checks: [' + ', '.join(f'check-{n}' for n in range(1, 9)) + ']\n',
                            [(f'check-{n}', '"true"\nworking_directory: .') for n in range(1, 9)])
    b.write(dir / 'src/a.txt', 'a\n')
    projects.commit(b, dir)
    b.write(dir / 'src/a.txt', 'a\nchanged\n')
    stamp = '[2026-01-01T00:00:00.000Z] '
    for run in range(1, 26):
        for n in range(1, 9):
            b.write(f'old/check_._check-{n}.{run}.log', f'{stamp}{stamp}Starting check: check-{n}\n{stamp}Executing command: make test\n' +
                    '\n'.join(map(str, range(2000))) + f'\n{stamp}Result: fail - Exited with code 1\n')
    back = 'rm -rf gauntlet_logs; cp -r ../old gauntlet_logs'
    b.add('holdfast', [b.holdfast, 'run'], dir, before=back, expect='after 26 iterations')
    b.add('shell', [script_like_run(b, dir, 8, True)], dir, before=back)
    b.measure(word, rounds=60)


# ---- many at once ----

def rounds_of(times):
    if 'holdfast' not in times:
        raise Failed('some of the stops failed')
    return times['holdfast']['rounds']


def storm(b, word, at_once, dir, status, counter, session, floor=None, rounds=5):
    """Blocks at once, each of which counts exactly once."""
    b.add('floor', floor or [b.bin / 'floor'], dir)
    b.stop('holdfast', dir, status, session=session)
    before = counter()
    done = rounds_of(b.measure(word, rounds=rounds, at_once=at_once))
    if counter() - before != done * at_once + 1:
        raise Failed(f'{word}: {done} times {at_once} stops and one were counted as {counter() - before}')


@part('storm-rounds')
def storm_rounds(b, word):
    dir = projects.bare(b, 'rounds', **{'.conclaude.yaml': 'stop:\n  rounds: 4000000000\n'})
    storm(b, word, 200, dir, 'round_completed', lambda: projects.count_of(f'cat {b.work}/state/*.rounds'), 'rounds')


@part('storm-loop')
def storm_loop(b, word):
    dir = projects.loop(b, 'loop')
    storm(b, word, 200, dir, 'loop_continues', lambda: projects.count_of(f"sed -n 's/^iteration: *//p' {dir}/.claude/*.md"), 'loop')


@parts([('storm-follow-ups-200', 200), ('storm-follow-ups-1000', 1000)])
def storm_follow_ups(b, word, at_once):
    select = "select 2000000000 - times_remaining from prompt_prefix_sessions where session_id = 'queue'"
    dir = queue(b)
    storm(b, word, at_once, dir, 'follow_up', lambda: projects.count_of(f'find {b.home} -name conclaude.db -exec sqlite3 {{}} "{select}" ";"'), 'queue')


@part('storm-race')
def storm_race(b, word, at_once=200):
    """All find the same change; the gate runs once for all of them."""
    dir = projects.initialised(b, projects.repository(b, 'p', 200), '  test: sleep 0.2; echo >>../ran\n')
    projects.settle(b, dir)
    b.add('git status', ['git', 'status'], dir)
    b.stop('holdfast', dir, '', before='date +%s%N >>d0/s0/f1.txt')
    b.contestants[-1].expect = '"decision":"approve"'
    before = projects.count_of(f'cat {b.work}/ran | wc -l')
    done = rounds_of(b.measure(word, rounds=3, at_once=at_once))
    ran = projects.count_of(f'cat {b.work}/ran | wc -l') - before
    if ran != done + 1:
        raise Failed(f'{word}: the gate ran {ran} times for {done + 1} changes')


# ---- journals ----

@parts([(f'journal-{mb}', mb, 12) for mb in (1, 10, 40)] + [(f'journal-{mb}-single', mb, 1) for mb in (1, 10, 40)])
def journals(b, word, mb, stops_of_a_session):
    """Sessions of twelve stops, or of one."""
    dir = projects.initialised(b, projects.repository(b, 'p', 100))
    projects.settle(b, dir)
    projects.passed(b, dir)
    projects.journal(b, dir, mb * 1000000, stops_of_a_session)
    count = ('instructions',) if b.only_count is not None else ()
    b.add('cat', ['sh', '-c', f'cat {b.state}/decisions*.jsonl'], dir)
    b.add('report', [b.holdfast, 'report'], dir, expect='test', count=count)
    b.add('log-20', [b.holdfast, 'log', '-n', '20'], dir, expect='gates', count=count)
    b.add('explain', [b.holdfast, 'explain'], dir, expect='gates', count=count)
    b.add('report-html', [b.holdfast, 'report', '--html', '-'], dir, expect='<html')
    return b.measure(word, rounds=100)


# ---- others ----

@part('prove-38000')
def prove(b, word, files=38000):
    dir = projects.repository(b, 'p', files)
    b.write(dir / 'src/a.sh', 'echo a\n')
    b.write(dir / 'src/b.sh', 'echo b\n')
    b.write(dir / 'holdfast.yml', 'gates:\n  test: cat src/*.sh | sh -n\n  lint: for f in src/*.sh; do sh -n "$f" || exit 1; done\n')
    b.sh('git add -A && git commit -q -m gates', dir)
    b.add('cp -a', ['cp', '-a', str(dir), str(b.work / 'copy')], dir, before=f'rm -rf {b.work}/copy')
    b.add('holdfast', [b.holdfast, 'validate', '--prove'], dir, expect='fails, as it should')
    b.measure(word, rounds=3)


@parts([('guards', None), ('guards-hogs', 'hogs'), ('guards-sessions', 'sessions')])
def guards(b, word, beside=None):
    """A line that deletes nothing, and one that deletes 3,000 files that git has, or has not. The verdict is the same beside hogs."""
    dir = projects.repository(b, 'p', 100)
    for name in ('out', 'new'):
        projects.small_files(dir / name, 3000)
        b.sh(f'mkdir t && mv {name}/d*/* t && rm -r {name} && mv t {name}', dir)
    projects.bare(b, 'p', **{'holdfast.yml': 'guards:\n  use: [destructive]\n'})
    b.sh('git add out holdfast.yml && git commit -q -m out', dir)
    projects.settle(b, dir)
    count = ('instructions', 'calls') if not beside else ()
    b.floor()
    b.add('git status', ['git', 'status', '-uall'], dir)
    event = guarded(b, 'plain', 'ls -l src && cat README.md', dir, count=count)
    guarded(b, 'rm-3000', 'rm -rf out/*', dir, count=count)
    guarded(b, 'rm-3000-untracked', 'rm -rf new/*', dir, '"permissionDecision":"deny"', count=count)
    b.peer('cc-safety-net', ['hook', '--claude-code'], dir, input=event)
    return b.measure(word, rounds=100, beside=beside)


def reviewed(b, name):
    """50 reviews have 500 findings each; each project has a journal of its own, as it would not in a copy."""
    list = [f'review-{n}' for n in range(50)]
    dir = projects.gauntlet(b, name, f'  - path: .\n    reviews: [{", ".join(list)}]\n', (), list)
    for n in range(20):
        b.write(f'{name}/src/f{n}.txt', 'first\n')
    projects.commit(b, dir)
    for n in range(20):
        b.write(f'{name}/src/f{n}.txt', 'first\n' + '\n'.join(map(str, range(200))) + '\n')
    b.sh(f'{b.holdfast} review || :', dir)
    found = sum(len(json.loads(path.read_text()).get('violations', ())) for path in (dir / 'gauntlet_logs').glob('*.json'))
    if found != 25000:
        raise Failed(f'there are {found} findings, not 25,000')
    return dir


@part('reviews')
def reviews(b, word):
    """The rerun is planned where nothing has changed since, and where a file has; beside a shell that asks git the same."""
    projects.reviewer(b, [{'file': f'src/f{n % 20}.txt', 'line': n % 100 + 2, 'priority': 'high',
                           'issue': f'The value is taken before it is checked, in step {n} of the loop',
                           'fix': f'Check the value first and return early, as in step {n}.'} for n in range(500)])
    same, changed = reviewed(b, 'same'), reviewed(b, 'changed')
    with open(changed / 'src/f0.txt', 'a') as file:
        file.write('more\n')
    tree = re.search(r'"tree": *"(\w+)"', (same / 'gauntlet_logs/.execution_state').read_text()).group(1)
    status = projects.STOP_STATUS
    ask = ('#!/bin/sh\ngit rev-parse --git-path index --revs-only "HEAD^{commit}" "HEAD^{tree}" --symbolic-full-name HEAD main...HEAD &\n'
           f'git diff-tree -r --raw --no-abbrev -z --no-renames --relative --merge-base main HEAD -- & {status} & wait\n'
           f'git diff-tree -r --raw --no-abbrev -z --no-renames --relative {tree} HEAD --\nfind src -type f | git hash-object --stdin-paths\n'
           f'git diff --patch {tree} -- . &\n')
    for name, dir, more in (('same', same, 'wait\n'), ('changed', changed, 'git diff --patch --merge-base main -- . & wait\n')):
        b.add('git', [b.write(f'git-{name}', ask + more, 0o755)], dir)
        b.add('holdfast', [b.holdfast, 'review', '--dry-run'], dir)
        b.measure(f'{word}/{name}', rounds=60)


# ---- growth: one measurement for each size ----

def growth(word, *sizes, where='memory'):
    def declare(function):
        def measure_all(b, word, *sizes):
            for size in sizes:
                function(b, size)
                b.measure(word, rounds=15, size=size)
        part(word, *sizes, where=where)(measure_all)
        return function
    return declare


@growth('growth-gates', 125, 250, 500, 1000)
def growth_gates(b, size):
    b.add('holdfast', [b.holdfast, 'validate'], many_gates(b, size))


@growth('growth-sessions', 100, 1000, 10000)
def growth_sessions(b, size):
    dir = b.work / f'p{size}'
    b.write(dir / 'holdfast.yml', 'gates: {test: "true"}\n')
    projects.commit(b, dir)
    projects.journal(b, dir, size * 400, 1)
    b.add('holdfast', [b.holdfast, 'report'], dir)
    b.add('cat', ['sh', '-c', f'cat {b.state}/decisions*.jsonl'], dir)


@growth('growth-untracked', 1000, 7500, 60000)
def growth_untracked(b, size):
    dir = projects.initialised(b, projects.repository(b, f'p{size}', 100))
    projects.small_files(dir / 'new', size)
    projects.settle(b, dir)
    projects.passed(b, dir)
    b.stop('holdfast', dir, 'unchanged')
    b.add('git status -uall', ['git', 'status', '--porcelain', '-uall'], dir)


@growth('growth-changed', 100, 1000, 10000)
def growth_changed(b, size):
    dir = modified(b, size)
    b.stop('holdfast', dir, 'unchanged')
    b.add('git status', ['git', 'status'], dir)


@part('growth-at-once', 10, 25, 50, 100, 200)
def growth_at_once(b, word, *sizes):
    dir = projects.initialised(b, projects.repository(b, 'p', 200))
    projects.settle(b, first_change(b, dir))
    projects.passed(b, dir)
    for size in sizes:
        b.add('git status', ['git', 'status'], dir)
        b.stop('holdfast', dir, 'unchanged')
        b.measure(word, rounds=5, at_once=size, size=size)


@growth('growth-entry-points', 200, 632, 2000)
def growth_entry_points(b, size):
    dir = projects.gauntlet(b, f'p{size}', ''.join(
        f'  - path: packages/component-number-{i:05}\n    exclude: [packages/component-number-{i:05}/dist, "**/*.snap"]\n    checks: [lint]\n' for i in range(size)))
    projects.commit(b, dir)
    projects.small_files(dir / 'changed', 10000)
    b.add('holdfast', [b.holdfast, 'detect', '--json'], dir)
    b.add('git status -uall', ['git', 'status', '--porcelain', '-uall'], dir)


@growth('growth-untracked-mib', 90, 285, 1020)
def growth_untracked_mib(b, size):
    """Files of 15 MiB that take no room on the disk; git reads all of their zeros. Compared with the same project without them."""
    for name, count in (('holdfast', size // 15), ('without', 0)):
        dir = projects.gauntlet(b, f'p{size}-{name}', '  - path: .\n    checks: [lint]\n')
        projects.commit(b, dir)
        b.write(dir / 'small.txt', 'new\n')
        for n in range(count):
            with open(dir / f'big{n}.bin', 'wb') as file:
                file.truncate(15 << 20)
        time.sleep(0.2)
        b.sh([b.holdfast, 'run'], dir)  # the first one reads them
        b.add(name, [b.holdfast, 'run'], dir)


@growth('growth-jobs', 3000, 6000, 12000)
def growth_jobs(b, size):
    checks = [f'lint{n}' for n in range(size // 200)]
    dir = projects.gauntlet(b, f'p{size}', ''.join(f'  - path: packages/p{i:03}\n    checks: [{", ".join(checks)}]\n' for i in range(200)),
                            [(check, '"true"') for check in checks])
    projects.commit(b, dir)
    for i in range(200):
        b.write(dir / f'packages/p{i:03}/a.ts', '\n')
    b.add('holdfast', [b.holdfast, 'detect', '--json'], dir)
    b.add('git status -uall', ['git', 'status', '--porcelain', '-uall'], dir)


@growth('growth-findings', 2000, 4000, 8000)
def growth_findings(b, size):
    dir = projects.gauntlet(b, f'p{size}', '  - path: .\n    reviews: [bugs]\n', (), ['bugs'])
    projects.commit(b, dir)
    projects.small_files(dir / 'src', size, lines=3)
    projects.reviewer(b, [{'file': f'src/d{n // 100}/component_{n}.ts', 'line': 2, 'priority': 'high', 'issue': f'Problem {n} is here', 'fix': 'Fix it.'}
                          for n in range(size)])
    b.sh(f'{b.holdfast} review || :; echo more >>src/d0/component_0.ts', dir)
    b.add('holdfast', [b.holdfast, 'review', '--dry-run'], dir)
    b.add('git status -uall', ['git', 'status', '--porcelain', '-uall'], dir)


@growth('growth-logs', 1000, 10000, 99000)
def growth_logs(b, size):
    """They are put back, and what is known about them is forgotten: each run imports them."""
    dir = projects.gauntlet(b, f'p{size}', '  - path: .\n    checks: [lint]\n')
    projects.commit(b, dir)
    b.write(dir / 'new.txt', '\n')
    old = b.work / f'old{size}'
    old.mkdir()
    stamp = '[2026-01-01T00:00:00.000Z] '
    for n in range(size):
        (old / f'check_._gate-{n}.1.log').write_text(f'{stamp}Starting check: gate-{n}\n{stamp}Result: fail - Exited with code 1\n')
    back = f'rm -rf gauntlet_logs {b.home}/.local; cp -r {old} gauntlet_logs'
    b.add('holdfast', [b.holdfast, 'run'], dir, before=back)
    b.add('cat', ['sh', '-c', f'find {old} -type f -exec cat {{}} +'], dir)
