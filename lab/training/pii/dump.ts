/**
 * Writes the texts to learn from as rows of numbers, which `train.py` reads: for each token the rows of
 * its features, its word vector, the labels that are right, and whether a new passage starts.
 *
 *   dump.ts <folder of vectors.txt, to which the rows are written> [seed]
 *
 * `NER` is the folder of annotated corpora, `HELD` has names of corpora and writers to leave out of
 * the training, separated by commas.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Context } from '@scriptorium/pii/tagger/context';
import {
  FORM_SLOTS,
  formFeatures,
  type Layout,
  PLACE_SLOTS,
  placeFeatures,
} from '@scriptorium/pii/tagger/features';
import { Gazetteer } from '@scriptorium/pii/tagger/gazetteer';
import { gaps, PAD, TaggerSegment } from '@scriptorium/pii/tagger/segment';
import { varied } from './augment.ts';
import { loadComments } from './comments.ts';
import { joinedSamples, readCorpora } from './corpora.ts';
import { buildGazetteer } from './gazetteer.ts';
import { allTemplates, document } from './generate.ts';
import { Random } from './random.ts';
import { allowedLabels, type Sample, sampleOf } from './sample.ts';
import { wordHash } from './vocabulary.ts';
import { loadWorld } from './world.ts';
import { sealedWriter, writers, writtenBy } from './written.ts';

const [folder, seed = '1'] = process.argv.slice(2);
const { PACKAGES: packages, SCOWL: scowl, NER: ner } = process.env;
if (!folder || !packages || !scowl || !ner)
  throw new Error('A folder, PACKAGES, SCOWL and NER are needed. Use script/train-tagger.');
const held = new Set((process.env.HELD ?? '').split(','));
const documents = Number(process.env.DOCUMENTS ?? 50_000);
const layout: Layout = {
  words: Number(process.env.WORDS ?? 12_000),
  kinds: 4_000,
  parts: Number(process.env.PARTS ?? 20_000),
};
/** Words in fewer passages have no row of their own. */
const MIN_PASSAGES = 3;
/** Passages are at most this long, and end at an end of line after half of it. */
const PASSAGE = 128;
const COLUMNS = FORM_SLOTS + PLACE_SLOTS + 3;

const world = loadWorld({ scowl, packages });
const lists = buildGazetteer(world, { scowl, packages });
world.comments = loadComments(lists);
const gazetteer = new Gazetteer(lists.hashes, lists.masks);
writeFileSync(
  join(folder, 'lists.bin'),
  Buffer.concat([Buffer.from(lists.hashes.buffer), Buffer.from(lists.masks.buffer)]),
);

const random = new Random(Number(seed));
const sources = new Map<string, Sample[]>();
for (const corpus of readCorpora(ner)) {
  const samples = joinedSamples(random, corpus.sentences);
  const isHeld = held.has(corpus.name);
  sources.set(corpus.name, [
    ...samples,
    ...(isHeld
      ? []
      : joinedSamples(random, corpus.sentences).map((one) => varied(random, world, one))),
  ]);
}
for (const writer of writers) {
  if (writer === sealedWriter) continue;
  const samples = writtenBy(writer);
  const copies = held.has(writer) ? 0 : 3;
  sources.set(writer, [
    ...samples,
    ...Array.from({ length: copies }, () =>
      samples.map((one) => varied(random, world, one)),
    ).flat(),
  ]);
}
sources.set(
  'generated',
  Array.from({ length: documents }, () => sampleOf(document(random, world, allTemplates))),
);

const segment = new TaggerSegment();
const context = new Context();

/** Reads all segments of the samples. */
function eachSegment(samples: readonly Sample[], use: (sample: Sample) => void): void {
  for (const sample of samples) {
    for (let from = 0; from < sample.value.length; ) {
      from = segment.read(sample.value, from, gazetteer);
      if (segment.count > 0) use(sample);
    }
  }
}

const counts = new Map<number, number>();
for (const [name, samples] of sources) {
  if (held.has(name)) continue;
  eachSegment(name === 'generated' ? samples.slice(0, 8000) : samples, () => {
    const words = new Set(segment.word.subarray(PAD, PAD + segment.count));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  });
}
const frequent = [...counts]
  .filter(([, count]) => count >= MIN_PASSAGES)
  .sort(([a, left], [b, right]) => right - left || a - b)
  .slice(0, layout.words)
  .map(([word]) => word)
  .sort((a, b) => a - b);
layout.words = frequent.length;
const rows = new Map(frequent.map((word, at) => [word, at + 1]));
const vocabulary = { rowOf: (hash: number): number => rows.get(hash) ?? 0 };
writeFileSync(join(folder, 'words.bin'), Buffer.from(Int32Array.from(frequent).buffer));

const vectors = new Map<number, number>();
for (const [at, word] of readFileSync(join(folder, 'vectors.txt'), 'utf8').split('\n').entries()) {
  const hash = wordHash(word);
  if (!vectors.has(hash)) vectors.set(hash, at + 1);
}
writeFileSync(
  join(folder, 'vector-words.bin'),
  Buffer.from(Int32Array.from([...vectors].flat()).buffer),
);

const features = new Int32Array(FORM_SLOTS + PLACE_SLOTS);
let all = 0;
for (const [name, samples] of sources) {
  const out: Uint16Array[] = [];
  eachSegment(samples, (sample) => {
    const allowed = allowedLabels(segment, sample);
    context.read(segment);
    const table = new Uint16Array(segment.count * COLUMNS);
    let started = 0;
    for (let token = 0; token < segment.count; token++) {
      formFeatures(segment, token, vocabulary, layout, features, 0);
      placeFeatures(segment, context, token, vocabulary, layout, features, FORM_SLOTS);
      const row = token * COLUMNS;
      table.set(features, row);
      const length = token - started;
      const isEnd =
        allowed[token]! === 1 &&
        (length >= PASSAGE || (length >= PASSAGE / 2 && segment.gap[PAD + token]! >= gaps.line));
      const starts = token === 0 || isEnd;
      if (starts) started = token;
      table[row + COLUMNS - 3] = vectors.get(segment.word[PAD + token]!) ?? 0;
      table[row + COLUMNS - 2] = allowed[token]!;
      table[row + COLUMNS - 1] = starts ? 1 : 0;
    }
    out.push(table);
    all += segment.count;
  });
  writeFileSync(
    join(folder, `${name.replace('/', '-')}.rows`),
    Buffer.concat(out.map((part) => Buffer.from(part.buffer))),
  );
}
writeFileSync(
  join(folder, 'layout.json'),
  JSON.stringify({
    ...layout,
    columns: COLUMNS,
    forms: FORM_SLOTS,
    lists: lists.hashes.length,
    held: [...held],
  }),
);
console.log(`${all} tokens, ${layout.words} words with a row`);
