/**
 * Trains the tagger of `packages/pii/src/tagger` on text generated from templates and word lists,
 * and writes its weights. The same seed and start give the same weights.
 *
 * script/train-tagger [documents] [seed]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readTaggerWeights, writeTaggerWeights } from '@scriptorium/pii/tagger/weights';
import { integerFromEnv, readInteger } from '../../number-options.ts';
import { loadComments } from './comments.ts';
import { averageWeights, Learner } from './crf.ts';
import { buildGazetteer } from './gazetteer.ts';
import { allTemplates, document } from './generate.ts';
import { Random } from './random.ts';
import { loadWorld } from './world.ts';

/** States of the model that are averaged, so that recent random fluctuations count less. */
const STATES = 10;
const BITS = integerFromEnv('BITS', 18);
const scowl = process.env.SCOWL ?? '/usr/share/dict/scowl';
const packages = process.env.PACKAGES;
if (!packages)
  throw new Error('PACKAGES must be a folder of unpacked packages. Use script/train-tagger.');
const start = process.env.START ? readTaggerWeights(readFileSync(process.env.START)) : undefined;
const documents = readInteger(
  'The number of documents',
  process.argv[2] ?? (start ? '200000' : '1000000'),
);
const seed = readInteger('The seed', process.argv[3] ?? '1', 0);
const file =
  process.env.OUT ?? new URL('../../../packages/pii/src/tagger/weights.bin', import.meta.url);

const world = loadWorld({ scowl, packages });
const words = buildGazetteer(world, { scowl, packages });
world.comments = loadComments(words);
console.log(`${words.hashes.length} words in the gazetteer`);

const random = new Random(seed);
const learner = new Learner(BITS, words, random, start);
const fastest = start ? 0.1 : 0.2;
const states: { table: Float32Array; steps: Float32Array }[] = [];
const began = Date.now();
for (let made = 1; made <= documents; made++) {
  const left = 1 - made / documents;
  learner.rate = fastest * Math.min(1, 2 * left) + 0.01;
  learner.learn(document(random, world, allTemplates));
  if (made % Math.ceil(documents / 2 / STATES) !== 0) continue;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`${made} documents, loss a token ${learner.takeLoss().toFixed(4)}, ${seconds} s`);
  if (left > 0.5) continue;
  states.push({ table: learner.table.slice(), steps: learner.steps.slice() });
  writeFileSync(file, writeTaggerWeights(averageWeights(states, BITS, words)));
}
