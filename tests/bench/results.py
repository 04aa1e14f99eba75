# SPDX-License-Identifier: MIT
# Reads rows.txt, holds results against it, and makes tables and plots of them. Knows nothing of how they were measured.
import itertools
import math
import re
from pathlib import Path

from harness import exponent

NAMES = {'floor': 'the floor', 'shell': 'the shell', 'git': 'the same questions to git', 'without': 'the run without them', 'rules-10': 'ten rules',
         'files-100': '100 files', 'loop-100KB': 'that of 100 KB', 'tokens-1MB': 'that of 1 MB', 'cat': '`cat` of the journal'}
WORDS = {'in-parallel': 'in parallel', 'in-a-row': 'in a row', 'memory': 'in memory', 'disk': 'on disk', '-single': ', one stop a session',
         'hogs': 'in the same session', 'sessions': 'in sessions of their own'}
BOUND = re.compile(r'(?P<factor>[\d.]+) x (?P<of>.+)|below (?P<below>.+)|beside (?P<beside>.+)|(?P<ms>\d+) ms(?: above (?P<above>.+))?|'
                   r'(?P<mib>\d+) MiB|(?P<instructions>\d+) instructions|(?P<git>\d+) git|exponent (?P<exponent>[\d.]+)')


class Row:
    def __init__(self, table, is_cost, measurement, contestant, title, bounds):
        self.table, self.is_cost, self.measurement, self.contestant, self.title, self.bounds = table, is_cost, measurement, contestant, title, bounds


def expand(name):
    """All names that one with {a,b} stands for, each with what was taken."""
    pieces = re.split(r'\{([^}]*)\}', name)
    choices = [piece.split(',') for piece in pieces[1::2]]
    for taken in itertools.product(*choices):
        yield ''.join(itertools.chain(*itertools.zip_longest(pieces[::2], taken, fillvalue=''))), taken


def read_rows(path=Path(__file__).with_name('rows.txt')):
    rows, table = [], None
    for line in path.read_text().splitlines():
        if line.startswith('= '):
            table = line[2:]
        elif line and not line.startswith('#'):
            key, title, bounds = [field.strip() for field in line.split('|')]
            is_cost = key.startswith('* ')
            pattern, contestant = key.removeprefix('* ').rsplit(' ', 1)
            bounds = [BOUND.fullmatch(bound) or exit(f'rows.txt: no bound: {bound}') for bound in bounds.split(', ')]
            for name, taken in expand(pattern):
                said = re.sub(r'\$(\d)', lambda m: WORDS.get(taken[int(m[1]) - 1], taken[int(m[1]) - 1]), title)
                rows.append(Row(table, is_cost, name, contestant, said.replace('1 checks in parallel', '1 check in parallel').replace('1 checks in a row', '1 check'), bounds))
    return rows


def figures(results, row):
    """The figures of all contestants of a row's measurement, at its largest size; None: not measured."""
    found = results['measurements'].get(row.measurement)
    if found and 'points' in found:
        found = found['points'][-1]
    return found if found and row.contestant in found else None


def judge(results, row):
    """(bound as text, value as text, is it met?) of each bound; None: there is nothing to compare with."""
    all, verdicts = figures(results, row), []
    own = all[row.contestant]
    for bound in row.bounds:
        b = bound.groupdict()
        other = all.get(b['of'] or b['below'] or b['beside'] or b['above'])
        if b['of'] or b['below'] or b['beside']:
            ratio = own['ms'] / other['ms'] if other else 0
            is_met = None if not other or b['beside'] else ratio <= float(b['factor']) if b['of'] else ratio < 1
            verdicts.append((bound[0], f'{ratio:.2f}' if other else None, is_met))
        elif b['exponent']:
            points = results['measurements'][row.measurement]['points']
            value = exponent(points, row.contestant)
            verdicts.append((bound[0], f'{value:.2f}', value <= float(b['exponent'])))
        elif b['ms']:
            value = own['ms'] - (other['ms'] if other else 0)
            verdicts.append((bound[0], f'{value:.1f}', value <= float(b['ms'])))
        else:
            measure, limit = next((m, int(b[m])) for m in ('mib', 'instructions', 'git') if b[m])
            value = own['peak_kib'] / 1024 if measure == 'mib' else own.get(measure)
            verdicts.append((bound[0], None if value is None else f'{value:.4g}', None if value is None else value <= limit))
    return verdicts


def missed(results, row):
    return [(bound_text(bound), value) for bound, (_, value, is_met) in zip(row.bounds, judge(results, row)) if is_met is False]


# ---- text ----

def ms(value):
    return f'{value:.2f} ms' if value < 10 else f'{value:.0f} ms' if value < 1000 else f'{value / 1000:.1f} s'


def count(value):
    return f'{value:,}'


def name_of(contestant):
    return NAMES.get(contestant, f'`{contestant}`' if contestant.split()[0] in ('git', 'cp') else contestant)


def bound_text(bound):
    b = bound.groupdict()
    if b['beside']:
        return None
    if b['of']:
        return f'{b["factor"]} × {name_of(b["of"])}'
    if b['instructions']:
        return count(int(b['instructions'])) + ' instructions'
    if b['git']:
        return f'{b["git"]} process of git'
    if b['ms']:
        return ms(int(b['ms'])) + (f' above {name_of(b["above"])}' if b['above'] else '')
    return f'below {name_of(b["below"])}' if b['below'] else bound[0]


def compared(results, row):
    """The others of the row's measurement that its bounds name: how long they took, and the ratio to them."""
    all, said = figures(results, row), []
    for bound in row.bounds:
        b = bound.groupdict()
        other = b['of'] or b['below'] or b['beside'] or b['above']
        if other in all:
            said.append(f'{all[row.contestant]["ms"] / all[other]["ms"]:.2f} × {name_of(other)} ({ms(all[other]["ms"])})')
    return '; '.join(said)


COLUMNS = {
    'instructions': lambda f: count(f['instructions']) if f.get('instructions') else '',
    'page faults': lambda f: str(f['faults']),
    'processes of git': lambda f: str(f['git']) if 'git' in f else '',
    'system calls': lambda f: count(f['calls']) if 'calls' in f else '',
    'peak memory': lambda f: f'{f["peak_kib"] / 1024:.1f} MiB',
}
COLUMNS_OF = {'decisions': ('instructions', 'page faults', 'peak memory'), 'stops': ('processes of git', 'system calls', 'peak memory'),
              'guards': ('instructions', 'processes of git', 'peak memory'), 'journals': ('peak memory',)}


def table_of(results, table, rows):
    """One table of doc/performance.md."""
    rows, columns = [row for row in rows if row.table == table], COLUMNS_OF.get(table, ())
    lines = []
    for row in rows:
        all, bounds = figures(results, row), ', '.join(filter(None, map(bound_text, row.bounds)))
        if not all:
            lines.append([row.title, 'not measured', '', *[''] * len(columns), bounds, ''])
            continue
        own, bad = all[row.contestant], missed(results, row)
        growth = [value for bound, value, _ in judge(results, row) if bound.startswith('exponent')]
        points = results['measurements'][row.measurement].get('points')
        lines.append([row.title + (f' ({count(points[-1]["size"])})' if growth else ''), ms(own['ms']), compared(results, row),
                      *[COLUMNS[name](own) for name in columns], bounds,
                      ', '.join(['exponent ' + value for value in growth] + (['**no**'] if bad else ['yes'] if bounds else []))])
    lines = [['work', 'time', 'compared with', *columns, 'bound', 'met'], ['---'] * (len(columns) + 5), *lines]
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines)


def cost_table(results, rows):
    """The table of README.md."""
    lines = ['| work | time | compared with |', '| --- | --- | --- |']
    for row in rows:
        if row.is_cost and figures(results, row):
            lines.append(f'| {row.title} | {ms(figures(results, row)[row.contestant]["ms"])} | {compared(results, row)} |')
    return '\n'.join(lines)


def summary(results, rows):
    """What was measured where, and what was missed."""
    m = results['machine']
    measured = [row for row in rows if figures(results, row)]
    bad = [(row, missed(results, row)) for row in measured if missed(results, row)]
    lefthook = f', lefthook {m["lefthook"]}' if m.get('lefthook') else ', without lefthook'
    lines = [f'Measured on {m["date"]}, commit {m["commit"]}: {m["cores"]} cores, {m["system"]}, Linux {m["kernel"]}, {m["disk"]}, git {m["git"]}{lefthook}; '
             f'load {m["load"]} when it began.', '',
             f'{len(measured) - len(bad)} of {len(rows)} rows are within their bounds; {len(rows) - len(measured)} were not measured.' +
             (' Missed:' if bad else '')]
    lines += [''] * bool(bad) + [f'- {row.title}: ' + ', '.join(f'{value} ({text})' for text, value in verdicts) for row, verdicts in bad]
    return '\n'.join(lines)


def plots(results):
    """The growths that can be drawn."""
    return {name: found['points'] for name, found in sorted(results['measurements'].items()) if len(found.get('points', ())) > 1}


def plot(title, points):
    """An SVG of a growth: milliseconds by size, both axes logarithmic, a line for each contestant."""
    w, h, left, bottom = 420, 260, 60, 40
    names = [name for name in points[0] if name != 'size']
    x = [math.log(p['size']) for p in points]
    every = [math.log(max(p[name]['ms'], 0.01)) for p in points for name in names]
    low, high = min([math.log(1)] + every), max([math.log(10)] + every)

    def px(value):
        return left + (w - left - 20) * (value - x[0]) / ((x[-1] - x[0]) or 1)

    def py(value):
        return h - bottom - (h - bottom - 30) * (value - low) / ((high - low) or 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" font-family="sans-serif" font-size="11">', f'<rect width="{w}" height="{h}" fill="#fff"/>',
           f'<text x="{left}" y="16">{title}: ms</text>']
    for tick in (1, 10, 100, 1000, 10000):
        if low <= math.log(tick) <= high:
            y = py(math.log(tick))
            out.append(f'<line x1="{left}" x2="{w - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                       f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    out += [f'<text x="{px(x[i]):.1f}" y="{h - 18}" text-anchor="middle">{p["size"]}</text>' for i, p in enumerate(points)]
    for name in names:
        colour = '#0a6' if name == 'holdfast' else '#888'
        line = [(px(x[i]), py(math.log(max(p[name]['ms'], 0.01)))) for i, p in enumerate(points)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="' + ' '.join(f'{a:.1f},{b:.1f}' for a, b in line) + '"/>')
        out.append(f'<text x="{line[-1][0]:.1f}" y="{line[-1][1] - 6:.1f}" text-anchor="end" fill="{colour}">{name}</text>')
    return '\n'.join(out + ['</svg>', ''])
