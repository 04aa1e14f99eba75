# SPDX-License-Identifier: MIT
# The projects that are measured: each function makes one below the work directory of a part and returns its path.
import json
import subprocess
import time

from harness import Failed

DAY = 1767225600  # 2026-01-01, in seconds
STOP_STATUS = 'git status --porcelain=v2 -z --branch --no-ahead-behind --untracked-files=all --no-renames --ignore-submodules=untracked -- .'


def bare(b, name, **files):
    """A directory that looks like a repository and holds these files, for what asks git nothing. In their names __ stands for a slash."""
    (b.work / name / '.git').mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        b.write(f'{name}/{path.replace("__", "/")}', text)
    return b.work / name


def commit(b, dir, branch='work'):
    """All files as the first commit of main; then on that branch."""
    b.sh(f'git init -q -b main && git add -A && git commit -q -m start && git checkout -q -b {branch}', dir)
    return dir


def repository(b, name, count):
    """main with so many files, 100 in a directory, and work, on which three of them have changed."""
    def file(i, text):
        return f'M 644 inline d{i // 5000}/s{i // 100}/f{i}.txt\ndata {len(text)}\n{text}\n'

    def branch(name):
        return f'commit refs/heads/{name}\ncommitter b <b@b> 946684800 +0000\ndata 1\nx\n'
    dir = b.work / name
    dir.mkdir()
    b.sh('git init -q -b main', dir)
    stream = [branch('main')] + [file(i, f'line {i}\nanother\nand one more\n') for i in range(count)]
    stream += ['\n', branch('work'), 'from refs/heads/main\n'] + [file(i, f'changed {i}\n') for i in (10, 20, 30)] + ['\n']
    b.sh('git fast-import --quiet && git checkout -q work', dir, input=''.join(stream))
    return dir


def small_files(dir, count, lines=1, prefix='component'):
    """So many small files, 100 in a directory."""
    for i in range(count):
        folder = dir / f'd{i // 100}'
        if i % 100 == 0:
            folder.mkdir(parents=True, exist_ok=True)
        (folder / f'{prefix}_{i}.ts').write_text(''.join(f'line {n} of {i}\n' for n in range(lines)))


def initialised(b, dir, gates='  test: "true"\n'):
    """With hooks and holdfast.yml as `init` writes them, but these gates; all of it is committed."""
    b.write(dir / 'Makefile', 'test:\n\ttrue\n')
    b.sh([b.holdfast, 'init', '--yes'], dir)
    config = (dir / 'holdfast.yml').read_text()
    if '  test: make test\n' not in config:
        raise Failed(f'init wrote no gate: {config}')
    b.write(dir / 'holdfast.yml', config.replace('  test: make test\n', gates))
    b.sh(f'{b.holdfast} trust --pin && git add -A && git commit -q -m gates', dir)
    return dir


def settle(b, dir):
    """Files as old as the index would be read each time."""
    time.sleep(1.1)
    b.sh('git update-index -q --refresh || :', dir)


def passed(b, dir):
    """The gates of a project pass at a stop."""
    with open(b.event(dir)) as event:
        answer = b.sh([b.holdfast, 'stop-hook'], dir, input=event.read())
    if '"status":"passed"' not in answer:
        raise Failed(f'the first stop is not passed: {answer[:300]}')
    return dir


def gauntlet(b, name, entry_points, checks=(('lint', '"true"'),), reviews=()):
    """A project with .gauntlet, not committed yet."""
    b.write(f'{name}/.gauntlet/config.yml', 'base_branch: main\nmax_retries: 1000000\nlog_dir: gauntlet_logs\ncli: {default_preference: [claude]}\n'
            f'entry_points:\n{entry_points}')
    b.write(f'{name}/.gitignore', 'gauntlet_logs\n')
    for check, command in checks:
        b.write(f'{name}/.gauntlet/checks/{check}.yml', f'command: {command}\n')
    for review in reviews:
        b.write(f'{name}/.gauntlet/reviews/{review}.md', '---\nnum_reviews: 1\n---\nLook for bugs.\n')
    return b.work / name


def loop(b, name, budget=''):
    return bare(b, name, **{'.claude__ralph-loop.local.md':
                            f'---\nactive: true\n{budget}iteration: 1\nsession_id: {name}\nmax_iterations: 2000000000\ncompletion_promise: "COMPLETE"\n'
                            'started_at: "2026-01-01T00:00:00Z"\n---\n\n'
                            'Go through the list in PLAN.md, do the next open step, run the tests, commit.\n'})


def transcript(path, size):
    """A conversation of that many bytes: prompts, answers, tool calls and their results; the last turn promises nothing."""
    common = {'isSidechain': False, 'userType': 'external', 'cwd': '/srv/project', 'sessionId': 'bench', 'timestamp': '2026-01-01T00:00:00.000Z'}
    out = ' '.join(map(str, range(400)))

    def line(kind, content, id=None):
        message = {'role': kind, 'content': content} | ({'id': id, 'usage': {'input_tokens': 12, 'output_tokens': 345}} if id else {})
        return json.dumps(common | {'type': kind, 'message': message}) + '\n'

    def turn(i, text):
        return (line('user', f'Do step {i} of the plan.') + line('assistant', [{'type': 'text', 'text': text}], f'a{i}') +
                line('assistant', [{'type': 'tool_use', 'id': f't{i}', 'name': 'Bash', 'input': {'command': 'make test'}}], f'b{i}') +
                line('user', [{'type': 'tool_result', 'tool_use_id': f't{i}', 'content': 'ok ' + out}]))
    megabyte = ''.join(turn(i, f'Step {i}: I look at the code first. {out}') for i in range(300))[:1 << 20].rsplit('\n', 1)[0] + '\n'
    with open(path, 'w') as file:
        for _ in range(size // len(megabyte)):
            file.write(megabyte)
        file.write(megabyte[:size % len(megabyte)].rpartition('\n')[0] + '\n')
        file.write(turn(999, 'I begin.') + line('assistant', [{'type': 'text', 'text': 'One step is done, others remain.'}], 'z'))


def journal(b, dir, size, stops_of_a_session):
    """A journal of that many bytes, in files as holdfast keeps them: 8 MiB each, the newest called decisions.jsonl."""
    files, text, length, number = [], [], 0, 0
    total = 0
    while total < size:
        block = number % stops_of_a_session != stops_of_a_session - 1
        at = time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(DAY + number * 60))
        line = json.dumps({'time': at + '.000Z', 'project': str(dir), 'session': f'{number // stops_of_a_session:08x}-0000-4000-8000-000000000000',
                           'client': 'claude', 'event': 'Stop', 'policy': 'gates', 'decision': 'block' if block else 'allow',
                           'status': 'failed' if block else 'passed', 'message': '1 of 2 gates failed: test' if block else '✓ gates passed',
                           'gates': [{'gate': 'test', 'in': '.', 'outcome': 'fail' if block else 'pass', 'ms': 1234},
                                     {'gate': 'lint', 'in': '.', 'outcome': 'pass', 'ms': 321}], 'ms': 1300},
                          ensure_ascii=False, separators=(',', ':')) + '\n'
        text.append(line)
        length, total, number = length + len(line.encode()), total + len(line.encode()), number + 1
        if length >= 8 << 20 or total >= size:
            files.append(''.join(text))
            text, length = [], 0
    b.state.mkdir(parents=True, exist_ok=True)
    for old, content in enumerate(reversed(files)):
        (b.state / ('decisions.jsonl' if old == 0 else f'decisions.{old}.jsonl')).write_text(content)
    return number


def reviewer(b, findings):
    """A program that answers with these findings at each review."""
    b.write('home/answer', json.dumps({'status': 'fail', 'violations': findings}))
    b.write('bin/claude', '#!/bin/sh\ncat >/dev/null\nexec cat "$HOME/answer"\n', 0o755)


def lefthook(b, dir, hook, commands, parallel=False):
    """Configured with these commands for that hook of git."""
    b.write(dir / 'lefthook.yml', f'{hook}:\n  parallel: {str(parallel).lower()}\n  commands:\n' +
            ''.join(f'    check-{n}:\n      run: "{command}"\n' for n, command in enumerate(commands)))
    b.write(dir / 'hk.pkl', f'hooks {{ ["{hook}"] {{ steps {{\n' +
            ''.join(f'["check-{n}"] {{ check = "{command}" }}\n' for n, command in enumerate(commands)) + '} } }\n')
    with open(dir / '.git/info/exclude', 'a') as exclude:
        exclude.write('lefthook.yml\nhk.pkl\n')


def count_of(command):
    return int(subprocess.run(command, shell=True, capture_output=True, text=True).stdout or 0)
