/**
 * Trains the tagger of `src/engines/pii/tagger` on text generated from templates and word lists, and
 * writes its weights. The same seed gives the same weights.
 *
 *   script/train-tagger [documents] [seed]
 */
import { writeFileSync } from 'node:fs';
import { writeTaggerWeights } from '../../src/engines/pii/tagger/weights.ts';
import { loadComments } from './comments.ts';
import { averageWeights, Learner } from './crf.ts';
import { buildGazetteer } from './gazetteer.ts';
import { allTemplates, document } from './generate.ts';
import { Random } from './random.ts';
import { loadWorld } from './world.ts';

/** Models that are averaged, so that what one of them learned by chance counts less. */
const MODELS = 3;
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
console.log(`${words.hashes.length} words in the gazetteer`);

/** A model trained on documents of its own. */
function train(seed: number): Learner {
  const random = new Random(seed);
  const learner = new Learner(BITS, words, random);
  const began = Date.now();
  for (let made = 0; made < documents; made++) {
    learner.rate =
      made < documents * 0.5
        ? 0.2
        : 0.2 * (1 - (made - documents * 0.5) / (documents * 0.5)) + 0.01;
    learner.learn(document(random, world, allTemplates));
    if ((made + 1) % 10_000 === 0) {
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `${made + 1} documents, loss a token ${learner.takeLoss().toFixed(4)}, ${seconds} s`,
      );
    }
  }
  return learner;
}

const learners = Array.from({ length: MODELS }, (_, model) => train(seed + model));
const weights = averageWeights(learners, BITS, words);
const file =
  process.env.OUT ?? new URL('../../src/engines/pii/tagger/weights.bin', import.meta.url);
const bytes = writeTaggerWeights(weights);
writeFileSync(file, bytes);
console.log(`${bytes.length} bytes written`);
