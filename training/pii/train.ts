/**
 * Trains the tagger of `src/engines/pii/tagger` on text generated from templates and word lists, and
 * writes its weights. The same seed gives the same weights.
 *
 *   script/train-tagger [documents] [seed]
 */
import { writeFileSync } from 'node:fs';
import { writeTaggerWeights } from '../../src/engines/pii/tagger/weights.ts';
import { loadComments } from './comments.ts';
import { Learner } from './crf.ts';
import { buildGazetteer } from './gazetteer.ts';
import { allTemplates, document } from './generate.ts';
import { Random } from './random.ts';
import { loadWorld } from './world.ts';

const BITS = Number(process.env.BITS ?? 18);
const scowl = process.env.SCOWL ?? '/usr/share/dict/scowl';
const packages = process.env.PACKAGES;
if (!packages)
  throw new Error('PACKAGES must be a folder of unpacked packages. Use script/train-tagger.');
const documents = Number(process.argv[2] ?? 420_000);
const seed = Number(process.argv[3] ?? 1);

const world = loadWorld({ scowl, packages });
const words = buildGazetteer(world, scowl);
world.comments = loadComments(words);
const random = new Random(seed);
const learner = new Learner(BITS, words, random);
const began = Date.now();
console.log(`${words.hashes.length} words in the gazetteer`);
for (let made = 0; made < documents; made++) {
  learner.rate =
    made < documents * 0.5 ? 0.2 : 0.2 * (1 - (made - documents * 0.5) / (documents * 0.5)) + 0.01;
  learner.learn(document(random, world, allTemplates));
  if ((made + 1) % 10_000 === 0) {
    const seconds = Math.round((Date.now() - began) / 1000);
    console.log(
      `${made + 1} documents, loss a token ${learner.takeLoss().toFixed(4)}, ${seconds} s`,
    );
  }
}
const weights = learner.weights();
const file =
  process.env.OUT ?? new URL('../../src/engines/pii/tagger/weights.bin', import.meta.url);
const bytes = writeTaggerWeights(weights);
writeFileSync(file, bytes);
console.log(`${bytes.length} bytes written`);
