/**
 * Joins the arrays that `train.py` and `dump.ts` wrote to the file of weights, as small integers.
 *
 *   pack.ts <folder> [file]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from '@scriptorium/pii/tagger/features';
import { LABELS } from '@scriptorium/pii/tagger/labels';
import {
  sizesOf,
  type Table,
  type TaggerWeights,
  writeTaggerWeights,
} from '@scriptorium/pii/tagger/weights';

const [folder, file] = process.argv.slice(2);
if (!folder) throw new Error('A folder is needed. Use script/train-tagger.');
const read = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(folder, name))).buffer;
const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const { words, kinds, parts, lists } = json('layout.json');
const { vector, embedding, hidden, distances } = json('model.json');
const layout = { words, kinds, parts };
const widths = { vector, embedding, hidden };

const floats = new Float32Array(read('model.bin'));
let at = 0;
const take = (count: number): Float32Array => {
  at += count;
  return floats.slice(at - count, at);
};

/** Rounds each column of a matrix to steps of its own; the few largest values are cut off. */
function rounded(values: Float32Array, columns: number, kept = 1): Table {
  const scales = new Float32Array(columns);
  for (let column = 0; column < columns; column++) {
    const own = values.filter((_, cell) => cell % columns === column).map(Math.abs);
    own.sort();
    scales[column] = Math.max(1e-9, own[Math.floor((own.length - 1) * kept)]!) / 127;
  }
  const whole = Int8Array.from(values, (value, cell) =>
    Math.max(-127, Math.min(127, Math.round(value / scales[cell % columns]!))),
  );
  return { values: whole, scales };
}

const table = rounded(take(rowsOf(layout) * embedding), embedding, 0.9999);
const projection = rounded(take(vector * embedding), embedding);
const transitions = take((LABELS + 1) * LABELS);
const layers = sizesOf(widths, distances.length).map(([inputs, outputs], layer) => {
  const own = layer === distances.length - 1 ? LABELS : outputs;
  const wide = new Float32Array(inputs * outputs);
  const weights = take(inputs * own);
  for (const [cell, value] of weights.entries()) {
    wide[Math.floor(cell / own) * outputs + (cell % own)] = value;
  }
  const bias = new Float32Array(outputs);
  bias.set(take(own));
  return { ...rounded(wide, outputs), bias };
});
if (at !== floats.length) throw new Error('the arrays have other sizes');

const gazetteer = new Int32Array(read('lists.bin'));
const pairs = new Int32Array(read('vector-words.bin'));
const vectorRows = Array.from(
  { length: pairs.length / 2 },
  (_, pair) => [pairs[2 * pair]!, pairs[2 * pair + 1]! - 1] as const,
).sort(([a], [b]) => a - b);
const all = new Int8Array(read('vectors.bin'));
const weights: TaggerWeights = {
  layout,
  widths,
  distances,
  transitions,
  table,
  projection,
  layers,
  hashes: gazetteer.slice(0, lists),
  masks: new Uint32Array(gazetteer.slice(lists)),
  words: new Int32Array(read('words.bin')),
  vectorWords: Int32Array.from(vectorRows, ([hash]) => hash),
  vectors: Int8Array.from(
    vectorRows.flatMap(([, row]) => [...all.subarray(row * vector, (row + 1) * vector)]),
  ),
};
const packed = writeTaggerWeights(weights);
writeFileSync(
  file ?? new URL('../../../packages/pii/src/tagger/weights.bin', import.meta.url),
  packed,
);
console.log(`${packed.length} bytes`);
