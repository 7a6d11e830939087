"""Trains the tagger on the rows of dump.ts and writes its weights as arrays, which pack.ts joins to a file.

    train.py <folder> <steps> [seed]
"""

import glob
import json
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

folder, steps = sys.argv[1], int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
torch.manual_seed(seed)
random = np.random.RandomState(seed)
torch.set_num_threads(int(os.environ.get('THREADS', '2')))

EMBEDDING = int(os.environ.get('EMBEDDING', '64'))
HIDDEN = int(os.environ.get('HIDDEN', '96'))
DILATIONS = [int(part) for part in os.environ.get('DILATIONS', '1,2').split(',')]
BATCH = int(os.environ.get('BATCH', '4000'))
RATE = float(os.environ.get('RATE', '0.003'))
# How often a token of a source is read, compared with others; passages of writers without any name count
# more, since they are full of what looks like names.
WEIGHTS = {'de-europeana': 0.7, 'fr-europeana': 0.5, 'nl-europeana': 0.5, 'en-': 1.5, 'pt-': 0.6, 'w': 1.0, 'generated': 1.0}
LABELS, SLOTS, VECTOR = 13, 30, 64
# How often a token's word, and the lists that it is in, are hidden: of an entity, and of other text.
HIDDEN_WORD, HIDDEN_LIST = (0.3, 0.08), (0.25, 0.08)

layout = json.load(open(f'{folder}/layout.json'))
rows_count = 1 + layout['words'] + layout['kinds'] + layout['parts']
vectors = np.fromfile(f'{folder}/vectors.bin', np.int8).reshape(-1, VECTOR).astype(np.float32) * 0.125
vectors = np.concatenate([np.zeros((1, VECTOR), np.float32), vectors])


def passages(name):
    data = np.fromfile(f'{folder}/{name}.rows', np.uint16).reshape(-1, layout['columns'])
    starts = np.flatnonzero(data[:, -1])
    ends = np.append(starts[1:], len(data))
    return data, list(zip(starts, ends))


names = sorted(os.path.basename(path)[:-5] for path in glob.glob(f'{folder}/*.rows'))
held = [name.replace('/', '-') for name in layout['held'] if name]
train, weights, test = [], [], []
for name in names:
    data, parts = passages(name)
    if name in held:
        test.append((name, [data[a:b] for a, b in parts]))
        continue
    weight = next((value for key, value in WEIGHTS.items() if name.startswith(key)), 1.0)
    train += [data[a:b] for a, b in parts]
    bare = 1.8 if name.startswith('w') else 1.0
    weights += [weight * (b - a) * (bare if (data[a:b, -2] == 1).all() else 1.0) for a, b in parts]
weights = np.cumsum(np.asarray(weights, np.float64))
print(len(train), 'passages', sum(len(part) for part in train), 'tokens', flush=True)


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.randn(rows_count, EMBEDDING) * 0.1)
        self.vector = torch.nn.Linear(VECTOR, EMBEDDING, bias=False)
        self.first = torch.nn.Linear(3 * EMBEDDING, HIDDEN)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(3 * HIDDEN, HIDDEN) for _ in DILATIONS)
        self.last = torch.nn.Linear(HIDDEN, LABELS)
        self.steps = torch.nn.Parameter(torch.zeros(LABELS + 1, LABELS))

    def forward(self, rows, vector, inside):
        batch, length, slots = rows.shape
        x = F.embedding_bag(rows.reshape(-1, slots), self.table, mode='sum', padding_idx=0).view(batch, length, -1)
        x = (x + self.vector(vector)) * inside
        x = F.dropout(x, 0.2, self.training)
        x = F.relu(self.first(around(x, 1)))
        for layer, dilation in zip(self.layers, DILATIONS):
            x = F.dropout(x, 0.15, self.training) * inside
            x = x + F.relu(layer(around(x, dilation)))
        x = F.dropout(x, 0.2, self.training)
        return self.last(x)


def around(x, dilation):
    padded = F.pad(x, (0, 0, dilation, dilation))
    length = x.shape[1]
    return torch.cat([padded[:, :length], x, padded[:, 2 * dilation:]], dim=2)


MAY = np.ones((LABELS + 1, LABELS), np.float32)
for label in range(2, LABELS, 2):
    MAY[:, label] = 0
    MAY[label - 1, label] = MAY[label, label] = 1


def marginals(scores, steps, inside, allowed):
    """The probability of each label and the expected number of each step, over the allowed labels."""
    length, batch, _ = scores.shape
    factors = np.exp(steps) * MAY
    emit = np.exp(scores - scores.max(axis=2, keepdims=True)) * allowed
    emit = np.maximum(emit, allowed * 1e-20)
    forward = np.empty_like(emit)
    scale = np.ones((length, batch, 1), np.float32)
    way = np.broadcast_to(factors[LABELS], (batch, LABELS))
    for at in range(length):
        value = way * emit[at]
        total = value.sum(axis=1, keepdims=True)
        value = value / np.maximum(total, 1e-30)
        value = np.where(inside[at], value, forward[at - 1] if at else value)
        scale[at] = np.where(inside[at], total, 1)
        forward[at] = value
        way = value @ factors[:LABELS]
    backward = np.ones_like(emit)
    back = np.ones((batch, LABELS), np.float32)
    counts = np.zeros((LABELS + 1, LABELS), np.float32)
    for at in range(length - 1, 0, -1):
        next_ = emit[at] * back / np.maximum(scale[at], 1e-30) * inside[at]
        counts[:LABELS] += factors[:LABELS] * (forward[at - 1].T @ next_)
        back = np.where(inside[at], next_ @ factors[:LABELS].T, back)
        backward[at - 1] = back
    likely = forward * backward
    likely /= np.maximum(likely.sum(axis=2, keepdims=True), 1e-30)
    counts[LABELS] = likely[0].sum(axis=0)
    return likely * inside, counts, np.log(np.maximum(scale, 1e-30)).sum()


class Chain(torch.autograd.Function):
    """The negative logarithm of the probability of the allowed labels, by token."""

    @staticmethod
    def forward(context, scores, steps, inside, allowed):
        own = scores.detach().numpy().transpose(1, 0, 2)
        transitions = steps.detach().numpy()
        here = inside.transpose(1, 0, 2)
        every, every_steps, every_log = marginals(own, transitions, here, np.ones_like(own))
        right, right_steps, right_log = marginals(own, transitions, here, allowed.transpose(1, 0, 2))
        tokens = float(inside.sum())
        context.slopes = (
            torch.from_numpy(np.ascontiguousarray((every - right).transpose(1, 0, 2))) / tokens,
            torch.from_numpy((every_steps - right_steps) * MAY) / tokens,
        )
        return torch.tensor((every_log - right_log) / tokens)

    @staticmethod
    def backward(context, slope):
        return context.slopes[0] * slope, context.slopes[1] * slope, None, None


BITS = (1 << np.arange(LABELS)).astype(np.uint16)


def batch_of(parts, hide):
    length = max(len(part) for part in parts)
    data = np.zeros((len(parts), length, layout['columns']), np.uint16)
    inside = np.zeros((len(parts), length, 1), np.float32)
    for at, part in enumerate(parts):
        data[at, : len(part)] = part
        inside[at, : len(part)] = 1
    allowed = ((data[:, :, -2][:, :, None] & BITS) != 0).astype(np.float32)
    allowed[inside[:, :, 0] == 0] = 1
    rows, words = data[:, :, :SLOTS].astype(np.int32), data[:, :, SLOTS].astype(np.int64)
    if hide:
        is_name = (data[:, :, -2] & 1) == 0
        chance = random.random_sample(is_name.shape)
        hidden = chance < np.where(is_name, *HIDDEN_WORD)
        listless = random.random_sample(is_name.shape) < np.where(is_name, *HIDDEN_LIST)
        # Letters stay: they tell a name of a country from another.
        rows[:, :, 0][hidden] = 0
        deep = hidden & (random.random_sample(is_name.shape) < 0.5)
        rows[:, :, 3][deep] = rows[:, :, 6][deep] = 0
        rows[:, :, 7:13][deep] = 0
        words[hidden & (random.random_sample(is_name.shape) < 0.6)] = 0
        rows[:, :, 15:23][listless] = 0
    return torch.from_numpy(rows), torch.from_numpy(vectors[words]), inside, allowed


def spans(labels, type_):
    found, start = [], None
    for at, label in enumerate(list(labels) + [0]):
        is_in = label in (1 + 2 * type_, 2 + 2 * type_)
        if start is not None and (not is_in or label == 1 + 2 * type_):
            found.append((start, at))
            start = None
        if is_in and start is None:
            start = at
    return found


def judge(model, parts, type_, caution):
    right = found = hit = gold = 0
    order = sorted(range(len(parts)), key=lambda at: len(parts[at]))
    for at in range(0, len(order), 64):
        chosen = [parts[i] for i in order[at : at + 64]]
        rows, vector, inside, _ = batch_of(chosen, False)
        with torch.no_grad():
            scores = model(rows, vector, torch.from_numpy(inside)).numpy()
        likely, _, _ = marginals(scores.transpose(1, 0, 2), model.steps.detach().numpy(), inside.transpose(1, 0, 2), np.ones_like(scores.transpose(1, 0, 2)))
        likely[:, :, 0] *= np.exp(-caution)
        best = likely.transpose(1, 0, 2).argmax(axis=2)
        for part, labels in zip(chosen, best):
            bits = part[:, -2]
            must = [next((l for l in range(LABELS) if b == 1 << l), -1) for b in bits]
            truth, guess = spans(must, type_), spans(labels[: len(part)], type_)
            free = [b not in BITS for b in bits]
            gold += len(truth)
            hit += sum(any(a < d and c < b for c, d in guess) for a, b in truth)
            guess = [(c, d) for c, d in guess if not all(free[c:d])]
            found += len(guess)
            right += sum(any(a < d and c < b for a, b in truth) for c, d in guess)
    precision, recall = right / max(1, found), hit / max(1, gold)
    return recall, precision, 2 * precision * recall / max(1e-9, precision + recall)


def report(model):
    model.eval()
    for name, parts in test:
        line = [f'{value:.3f}' for value in judge(model, parts, 0, 1.0)]
        line += ['| ORG'] + [f'{value:.3f}' for value in judge(model, parts, 2, 1.0)]
        line += ['| LOC'] + [f'{value:.3f}' for value in judge(model, parts, 3, 1.0)]
        print(f'   {name:20}', *line, flush=True)
    model.train()


def save(model):
    layers = [model.first, *model.layers, model.last]
    arrays = [model.table, model.vector.weight.T, model.steps]
    arrays += [part for layer in layers for part in (layer.weight.T, layer.bias)]
    with open(f'{folder}/model.bin', 'wb') as file:
        for array in arrays:
            file.write(np.ascontiguousarray(array.detach().numpy(), dtype=np.float32).tobytes())
    widths = {'vector': VECTOR, 'embedding': EMBEDDING, 'hidden': HIDDEN, 'distances': [1, *DILATIONS, 0]}
    with open(f'{folder}/model.json', 'w') as file:
        json.dump(widths, file)


model = Tagger()
mean = [value.detach().clone() for value in model.parameters()]
optimiser = torch.optim.Adam(model.parameters(), lr=RATE, betas=(0.9, 0.99))
began, loss_sum = time.time(), 0.0
pool = []
for step in range(1, steps + 1):
    left = 1 - step / steps
    for group in optimiser.param_groups:
        group['lr'] = RATE * min(1, step / 100) * (0.02 + 0.98 * min(1, 1.4 * left))
    if not pool:
        # Passages of similar length go together.
        drawn = np.searchsorted(weights, random.random_sample(BATCH // 4) * weights[-1])
        drawn = sorted(drawn, key=lambda at: len(train[at]))
        at = 0
        while at < len(drawn):
            to, longest = at, 0
            while to < len(drawn) and (to - at + 1) * len(train[drawn[to]]) <= BATCH:
                to += 1
            to = max(to, at + 1)
            pool.append([train[i] for i in drawn[at:to]])
            at = to
        random.shuffle(pool)
    rows, vector, inside, allowed = batch_of(pool.pop(), True)
    scores = model(rows, vector, torch.from_numpy(inside))
    loss = Chain.apply(scores, model.steps, inside, allowed)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    loss_sum += loss.item()
    # The mean of the last states: what was learned last by chance counts less.
    if step > steps * 0.6:
        with torch.no_grad():
            for value, own in zip(mean, model.parameters()):
                value.lerp_(own, max(0.01, 1 / (step - int(steps * 0.6))))
    if step % 100 == 0:
        print(f'{step} loss {loss_sum / 100:.4f} {time.time() - began:.0f} s', flush=True)
        loss_sum = 0.0
    if step % 500 == 0 and step < steps:
        report(model)
        save(model)
with torch.no_grad():
    for value, own in zip(mean, model.parameters()):
        own.copy_(value)
report(model)
save(model)
