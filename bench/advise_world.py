#!/usr/bin/env python3
"""Months of runs of made-up teams, with planted waste whose money is known.

    advise_world.py SEED RUNS.csv TRUTH.json

A simulation: machines and prices are AWS's of data/offers.csv, names are like users', the work is
drawn at random. About half of the works are run well: on spot, on the machine that is cheapest for
them, without waste. Each other work has one kind of waste, some have two. What a remedy recovers
is computed here from the world, not by the program:

    idle        machines after the work, beyond a guard of 10 minutes (notebooks: 30)
    failed      failed runs, beyond a trial of 5 minutes that would have failed, too
    repeated    runs of a configuration whose result was there already
    spot        on-demand machines of work that saves checkpoints, less interruptions
    oversized   a GPU of which the work needs a fraction: the same on the cheapest that fits
    commitment  machines that run around the clock on demand, and will: three years
    kept        checkpoints in an object store, but for the newest 3 and the best of each run
    power       electricity of one's own machines: what a limit of 85 % of the GPU's power saves

On another GPU work takes the ratio of peaks to the power c times the ratio of bandwidths to the
power 1 - c, where c is the work's own; what the GPU was not busy with takes as long as before.
Interruptions on spot come at random, at a rate of the machine's own. Under a power limit steps take
the ratio of what the GPU has above its idle power to the power x, where x is the work's own.

Some works look like waste and are not: short pauses, runs that fail at once, the same configuration
with another result (another seed), sweeps, short notebooks, runs that keep their last checkpoints, own
machines whose GPUs wait for data.
"""
import csv
import json
import random
import sys

NOW = 1794700800  # 2026-11-15, of which nothing is recorded yet
DAYS = 90  # that are asked for, with that one
DAY = 86400
FIRST = NOW - (DAYS - 1) * DAY
DISCOUNT = 0.5, 0.6  # of a commitment of three years, as data/commitments.csv has it
SAVE_EVERY_H = 0.5
RESTART_H = 0.1
STORE_USD_GB_MONTH = 0.023
TARIFF_USD_KWH = 0.2
OWN = {'RTX3090': 350, 'RTX4090': 450, 'RTXA6000': 300}  # watts
NAMES = {
    'nlp': (['support-bot', 'search-ranking', 'contracts'], ['ann', 'bogdan', 'chiara'],
            ['bert-base-ner', 'roberta-intents', 'llama-3-8b-lora-support', 'e5-large-embeddings', 'deberta-clauses',
             'mistral-7b-qlora-faq', 't5-summaries', 'bge-reranker', 'gliner-pii']),
    'vision': (['defect-detection', 'shelf-audit', 'ocr'], ['dmitri', 'emeka'],
               ['resnet50-defects', 'yolov8-shelves', 'vit-l16-ocr', 'efficientnet-b4-scratches', 'sam-masks',
                'convnext-parts', 'detr-pallets', 'unet-welds']),
    'speech': (['call-center', 'dictation'], ['fatima', 'george'],
               ['whisper-medium-de', 'wav2vec2-calls', 'conformer-dictation', 'hubert-speakers', 'vits-voice']),
    'recsys': (['home-feed', 'ads-ctr'], ['hana', 'ivan'],
               ['dlrm-ctr-daily', 'two-tower-feed', 'sasrec-sessions', 'xdeepfm-ads', 'bandit-slots']),
    'research': (['moe-scaling', 'alignment'], ['jia', 'kwame', 'lena'],
                 ['moe-1b-ablation', 'gpt2-scaling', 'dpo-7b-pairs', 'reward-model-3b', 'mamba-790m', 'lora-rank-study']),
}
# How many works of each kind.
PLAN = {'clean': 14, 'idle': 3, 'notebook': 2, 'failed': 3, 'repeated': 3, 'spot': 4, 'oversized': 3, 'commitment': 2,
        'idle+spot': 1, 'failed+spot': 1, 'kept': 2, 'power': 2}


def read(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def read_machines():
    """Machines of all regions with both prices: the newest of each, with what the GPU can do."""
    gpus = {row['name']: row for row in read('data/accelerators.csv')}
    newest = {}
    for row in read('data/offers.csv'):
        key = row['region'], row['instance']
        if row['provider'] == 'aws' and (key not in newest or row['date'] >= newest[key]['date']):
            newest[key] = row
    machines = []
    for (region, name), row in sorted(newest.items()):
        gpu = gpus[row['accelerator']]
        peak = gpu['bf16_tflops'] or gpu['fp16_tflops']
        if row['on_demand_usd_h'] and row['spot_usd_h'] and peak and gpu['vendor'].lower() == 'nvidia':
            machines.append({'name': f'{region}/{name}', 'gpu': row['accelerator'], 'gpus': int(row['count']), 'demand': float(row['on_demand_usd_h']),
                             'spot': float(row['spot_usd_h']), 'memory': float(gpu['memory_gb']) * 1e9,
                             'peak': float(peak),
                             'bandwidth': float(gpu['bandwidth_gb_s'])})
    return machines


class World:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.machines = read_machines()
        for machine in self.machines:
            machine['lost_every_h'] = self.draw.uniform(20, 80)
        self.names = [(team, name + more) for more in ('', '-v2') for team in NAMES for name in NAMES[team][2]]
        self.draw.shuffle(self.names)
        self.rows, self.planted = [], {}

    # ---- physics ----

    def factor(self, work, machine, other):
        """How long the work takes on another machine, of its time on this one."""
        peaks, bandwidths = machine['peak'] / other['peak'], machine['bandwidth'] / other['bandwidth']
        slower = peaks ** work['bound'] * bandwidths ** (1 - work['bound'])
        return 1 - work['busy'] + work['busy'] * slower

    def overhead(self, machine):
        """The share of time that interruptions on spot add."""
        return (SAVE_EVERY_H / 2 + RESTART_H) / machine['lost_every_h']

    def cheapest(self, work, machine, market):
        """The cheapest other machine for it, and its cost as a share of the cost now."""
        best, share = machine, 1.0
        for other in self.machines:
            if other['gpus'] != machine['gpus'] or other['memory'] < work['memory'] * 1.1:
                continue
            cost = other[market] * self.factor(work, machine, other) / machine[market]
            if cost < share:
                best, share = other, cost
        return best, share

    # ---- works and runs ----

    def work(self, kind):
        team, name = self.names.pop()
        projects, users, _ = NAMES[team]
        project = self.draw.choice(projects)
        work = {'name': name, 'team': team, 'project': project, 'users': users, 'market': 'spot',
                'bound': self.draw.uniform(.35, .65), 'busy': self.draw.uniform(.82, .96), 'checkpoints': True,
                'memory': self.draw.uniform(5e9, 20e9), 'step_s': round(self.draw.uniform(.1, 2), 3),
                'command': f'python train.py --config configs/{name}.yaml', 'kind': kind}
        count = 1 if kind in ('notebook', 'commitment') else self.draw.choice([1, 1, 4, 8])
        start = self.draw.choice([m for m in self.machines if m['gpus'] == count and m['memory'] >= work['memory'] * 1.1])
        work['machine'], _ = self.cheapest(work, start, 'spot')
        return work

    def starts(self, count):
        return sorted(FIRST + self.draw.uniform(0, (DAYS - 4) * DAY) for _ in range(count))

    def add(self, work, started, hours, **more):
        machine = work['machine']
        number, train = len(self.rows) + 1, hours * 3600
        row = {
            'id': f'019d0000-0000-7000-8000-{number:012x}', 'name': work['name'], 'team': 'team=' + work['team'],
            'project': 'project=' + work['project'], 'user': self.draw.choice(work['users']),
            'host': f'ip-10-0-{number // 250}-{number % 250}', 'folder': f"/home/ubuntu/{work['project']}",
            'command': work['command'], 'commit': f'{self.draw.getrandbits(48):012x}',
            'digest': f'{self.draw.getrandbits(64):016x}', 'offer': f"aws/{machine['name']}",
            'market': work['market'], 'usd_h': machine['spot' if work['market'] == 'spot' else 'demand'],
            'started': int(started), 'state': 'done', 'status': 0, 'reason': '', 'gpu': machine['gpu'], 'gpus': machine['gpus'],
            'busy': round(work['busy'] * self.draw.uniform(.98, 1.02), 4),
            'memory_peak': round(work['memory'] * self.draw.uniform(.97, 1)), 'memory_total': round(machine['memory']),
            'startup_s': round(self.draw.uniform(60, 90)), 'data_s': round(train * .01), 'train_s': round(train),
            'eval_s': round(train * .02), 'save_s': round(train / 1800 * 4) if work['checkpoints'] else 0,
            'idle_s': round(self.draw.uniform(0, 300)), 'setup_usd': 0, 'storage_usd': 0.01,
            'steps': round(train / work['step_s']), 'step_s': work['step_s'], 'metric': round(self.draw.uniform(.2, .9), 6),
            'checkpoint_bytes': 2e9 if work['checkpoints'] else '', 'one_save_s': 4 if work['checkpoints'] else '',
            'estimated_usd': '', 'estimated_h': '', 'store_usd': STORE_USD_GB_MONTH if work['checkpoints'] else '',
            'kept': self.draw.randint(1, 3) if work['checkpoints'] else 0, 'best': 0, 'kept_bytes': 2e9,
            'tariff_usd': '', 'watts': '', 'wall_watts': ''}
        row.update(more)
        self.rows.append(row)
        return row

    def cost(self, row):
        seconds = sum(row[k] for k in ('startup_s', 'data_s', 'train_s', 'eval_s', 'save_s', 'idle_s'))
        return row['usd_h'] * seconds / 3600

    def plant(self, work, kind, usd):
        key = (work['name'], work['project'], kind)
        self.planted[key] = self.planted.get(key, 0) + usd * 30 / DAYS

    # ---- kinds ----

    def train(self, work, waste):
        """Runs of a work that trains now and then; `waste` has the kinds that are planted."""
        rows = []
        for started in self.starts(self.draw.randint(8, 24)):
            hours = self.draw.uniform(1, 12) if self.draw.random() < .8 else self.draw.uniform(12, 40)
            more = {}
            bait = self.draw.random()
            if 'idle' in waste and self.draw.random() < .5:
                more['idle_s'] = round(self.draw.uniform(1800, 14400))
            if 'failed' in waste and self.draw.random() < .35:
                more.update(state='failed', status=self.draw.choice([1, 1, 137]), metric='')
            elif bait < .05:
                hours, more = .04, dict(more, state='failed', status=1, metric='', idle_s=0)
            row = self.add(work, started, hours, **more)
            if 'repeated' in waste and row['state'] == 'done' and self.draw.random() < .5:
                again = self.add(work, started + DAY, hours, digest=row['digest'], metric=row['metric'])
                rows.append((again, True))
            elif bait > .9 and row['state'] == 'done':  # another seed: the same configuration, another result
                rows.append((self.add(work, started + DAY, hours, digest=row['digest']), False))
            rows.append((row, False))
        return rows

    def count_waste(self, work, rows, waste):
        """What remedies recover; idle time, failures and repeats first, a cheaper market for what is left."""
        guard = 1800 if 'jupyter' in work['command'] else 600
        machine = work['machine']
        for row, repeat in rows:
            left = self.cost(row)
            if repeat:
                self.plant(work, 'repeated', left)
                left = 0
            elif row['state'] == 'failed':
                trial = 300 / 3600 * row['usd_h']
                self.plant(work, 'failed', max(0, left - trial))
                left = min(left, trial)
            elif row['idle_s'] > guard:
                idle = (row['idle_s'] - guard) / 3600 * row['usd_h']
                self.plant(work, 'idle', idle)
                left -= idle
            if 'spot' in waste:
                share = machine['spot'] / machine['demand'] * (1 + self.overhead(machine))
                self.plant(work, 'spot', left * (1 - share))

    def fill_training(self, kind):
        work, waste = self.work(kind), kind.split('+')
        if 'spot' in waste:
            # The cheapest on demand whose spot price is lower by a good part.
            work['machine'], _ = self.cheapest(work, work['machine'], 'spot')
            work['market'] = 'on-demand'
        self.count_waste(work, self.train(work, waste), waste)

    def fill_notebook(self):
        work = self.work('notebook')
        work.update(command='jupyter lab --no-browser', checkpoints=False)
        rows = []
        for started in self.starts(self.draw.randint(15, 30)):
            idle = self.draw.choice([self.draw.uniform(0, 1500), self.draw.uniform(7200, 36000)])
            rows.append((self.add(work, started, self.draw.uniform(.5, 3), idle_s=round(idle), steps='', step_s='',
                                  metric='', save_s=0), False))
        self.count_waste(work, rows, ['idle'])

    def fill_oversized(self):
        """On a large GPU that is a fraction busy: the rest is the host's."""
        work = self.work('oversized')
        work.update(busy=self.draw.uniform(.08, .22), memory=self.draw.uniform(3e9, 9e9))
        large = [m for m in self.machines if m['memory'] > 40e9]
        work['machine'] = self.draw.choice(large)
        _, share = self.cheapest(work, work['machine'], 'spot')
        for row, _ in self.train(work, []):
            self.plant(work, 'oversized', self.cost(row) * (1 - share))

    def fill_commitment(self):
        """A service that runs around the clock, a run a day."""
        work = self.work('commitment')
        work.update(command=f"python serve.py --model {work['name']}", checkpoints=False, market='on-demand')
        work['machine'], _ = self.cheapest(work, work['machine'], 'demand')
        discount = self.draw.uniform(*DISCOUNT)
        for day in range(DAYS - 1):
            row = self.add(work, FIRST + day * DAY, 24, startup_s=0, data_s=0, train_s=DAY, eval_s=0, save_s=0,
                           idle_s=0, steps='', step_s='', metric='')
            self.plant(work, 'commitment', self.cost(row) * discount)

    def fill_kept(self):
        """Every checkpoint stays; the best is somewhere among them."""
        work = self.work('kept')
        size = self.draw.uniform(10e9, 60e9)
        for row, _ in self.train(work, []):
            count = self.draw.randint(8, 40)
            row.update(kept=count, best=self.draw.randint(0, count - 1), kept_bytes=round(size),
                       checkpoint_bytes=round(size * count))
            spare = count - 3 - (row['best'] < count - 3)
            self.plant(work, 'kept', spare * size / 1e9 * STORE_USD_GB_MONTH * DAYS / 30)  # a month already

    def fill_power(self, planted):
        """On a machine of one's own: only electricity is paid. Bait: GPUs that wait most of the time."""
        work = self.work('power')
        gpu = self.draw.choice(sorted(OWN))
        limit, power = OWN[gpu], self.draw.uniform(.1, .33)
        watts = round(limit * (self.draw.uniform(.94, 1) if planted else self.draw.uniform(.35, .6)), 1)
        wall = round((watts + 120) / .9, 1)
        work.update(busy=.97 if planted else .6, checkpoints=False)
        for row, _ in self.train(work, []):
            row.update(offer='', market='', usd_h=wall / 1000 * TARIFF_USD_KWH, gpu=gpu, gpus=1, watts=watts, wall_watts=wall,
                       tariff_usd=TARIFF_USD_KWH, memory_total=24e9, memory_peak=15e9, storage_usd=0)
            if planted and row['state'] == 'done':
                time = ((watts - .17 * limit) / (.68 * limit)) ** power
                left = ((.85 * limit + 120) / .9) / wall * time
                self.plant(work, 'power', row['usd_h'] * row['train_s'] / 3600 * (1 - left))

    def fill(self):
        special = {'notebook': self.fill_notebook, 'oversized': self.fill_oversized, 'commitment': self.fill_commitment,
                   'kept': self.fill_kept, 'power': lambda: self.fill_power(True)}
        for kind, count in PLAN.items():
            for _ in range(count):
                if kind in special:
                    special[kind]()
                else:
                    self.fill_training(kind)
        self.fill_power(False)


def main():
    world = World(int(sys.argv[1]))
    world.fill()
    with open(sys.argv[2], 'w', newline='') as file:
        writer = csv.DictWriter(file, fieldnames=list(world.rows[0]))
        writer.writeheader()
        writer.writerows(sorted(world.rows, key=lambda row: row['started']))
    planted = [{'work': name, 'project': project, 'kind': kind, 'usd_month': usd}
               for (name, project, kind), usd in sorted(world.planted.items())]
    spent = sum(world.cost(row) for row in world.rows) * 30 / DAYS
    with open(sys.argv[3], 'w') as file:
        json.dump({'spent_usd_month': spent, 'runs': len(world.rows), 'planted': planted}, file, indent=1)


if __name__ == '__main__':
    main()
