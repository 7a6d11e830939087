/**
 * Writes the mean of files of weights, each counted as often as it is named, with the lists of the last.
 *
 *   npx tsx lab/training/pii/mean.ts <output> <weights>...
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readTaggerWeights, writeTaggerWeights } from '@scriptorium/pii/tagger/weights';
import { averageWeights } from './crf.ts';

const [output, ...files] = process.argv.slice(2);
const all = files.map((file) => readTaggerWeights(readFileSync(file)));
const last = all.at(-1);
if (!output || !last) throw new Error('Name the output and at least one file of weights.');
const states = all.map(({ table, step, transitions }) => ({
  table: Float32Array.from(table, (value) => value * step),
  steps: transitions,
}));
const { bits, hashes, masks } = last;
writeFileSync(output, writeTaggerWeights(averageWeights(states, bits, { hashes, masks })));
