/**
 * Trains the model of signatures on generated drawings and writes its weights. The same seed gives
 * the same weights with the same versions of Node, sharp and the fonts of the machine.
 *
 *   script/train-signatures [drawings] [seed]
 */
import { writeFileSync } from 'node:fs';
import { strokeFeatures } from '@scriptorium/documents/ink/pen-strokes';
import {
  clamp,
  hiddenUnits,
  type SignatureWeights,
  signatureScore,
  weightCount,
} from '@scriptorium/documents/ink/signature-model';
import { readInteger } from '../../number-options.ts';
import { Random } from '../pii/random.ts';
import { type Example, generateExamples } from './examples.ts';
import { styleNames } from './shapes.ts';

const drawings = readInteger('The number of drawings', process.argv[2] ?? '6000');
const seed = readInteger('The seed', process.argv[3] ?? '1', 0);
const rounds = 40;
const decay = 1e-5;
const inputs = strokeFeatures.length;

async function collect(from: number, count: number): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const example of generateExamples(from, count)) examples.push(example);
  return examples;
}

/** Stochastic gradient descent with AdaGrad on the logarithmic loss. */
function train(examples: readonly Example[], random: Random): SignatureWeights {
  const weights = new Float32Array(weightCount);
  for (let input = 0; input < inputs; input += 1) {
    const values = examples.map(({ features }) => features[input]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    weights[input] = mean;
    weights[inputs + input] = Math.max(1e-3, Math.sqrt(variance));
  }
  for (let at = 2 * inputs; at < weightCount; at += 1) weights[at] = (random.next() - 0.5) * 0.6;
  const squares = new Float64Array(weightCount).fill(0.1);
  const step = (at: number, gradient: number, rate: number): void => {
    const full = gradient + decay * weights[at]!;
    squares[at]! += full * full;
    weights[at]! -= (rate * full) / Math.sqrt(squares[at]!);
  };
  const order = examples.map((_, at) => at);
  const output = 2 * inputs + hiddenUnits * (inputs + 1);
  for (let round = 0; round < rounds; round += 1) {
    const rate = 0.1 * (1 - round / rounds) + 0.005;
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = random.int(0, at);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    for (const index of order) {
      const { features, isSignature } = examples[index]!;
      const scaled = features.map((value, at) =>
        clamp((value - weights[at]!) / weights[inputs + at]!),
      );
      const hidden = Array.from({ length: hiddenUnits }, (_, unit) => {
        const from = 2 * inputs + unit * (inputs + 1);
        let sum = weights[from + inputs]!;
        for (let at = 0; at < inputs; at += 1) sum += weights[from + at]! * scaled[at]!;
        return Math.tanh(sum);
      });
      let sum = weights[output + hiddenUnits]!;
      for (let unit = 0; unit < hiddenUnits; unit += 1)
        sum += weights[output + unit]! * hidden[unit]!;
      const error = 1 / (1 + Math.exp(-sum)) - (isSignature ? 1 : 0);
      for (let unit = 0; unit < hiddenUnits; unit += 1) {
        const back = error * weights[output + unit]! * (1 - hidden[unit]! ** 2);
        step(output + unit, error * hidden[unit]!, rate);
        const from = 2 * inputs + unit * (inputs + 1);
        for (let at = 0; at < inputs; at += 1) step(from + at, back * scaled[at]!, rate);
        step(from + inputs, back, rate);
      }
      step(output + hiddenUnits, error, rate);
    }
  }
  return weights;
}

function report(name: string, examples: readonly Example[], weights: SignatureWeights): void {
  const scores = (isSignature: boolean): number[] =>
    examples
      .filter((one) => one.isSignature === isSignature)
      .map(({ features }) => signatureScore(features, weights))
      .sort((a, b) => a - b);
  const [found, others] = [scores(true), scores(false)];
  const shares = [0.3, 0.5, 0.7].map((min) => {
    const share = (list: readonly number[]) =>
      (list.filter((score) => score >= min).length / Math.max(1, list.length)).toFixed(3);
    return `${min}: ${share(found)} of ${found.length}, others ${share(others)} of ${others.length}`;
  });
  console.log(`${name}  ${shares.join('; ')}`);
}

const examples = await collect(seed, drawings);
// Each style is measured with a model that did not learn it.
for (const style of styleNames) {
  const learned = examples.filter((one, at) => one.style !== style && at % 5 !== 0);
  const kept = examples.filter(
    (one, at) => one.style === style || (one.style === 'other' && at % 5 === 0),
  );
  report(`without ${style}`, kept, train(learned, new Random(seed)));
}
const weights = train(examples, new Random(seed));
report('all', await collect(seed + 1_000_003, Math.ceil(drawings / 5)), weights);
const bytes = Buffer.alloc(4 * weightCount);
weights.forEach((weight, at) => {
  bytes.writeFloatLE(weight, 4 * at);
});
const file =
  process.env.OUT ??
  new URL('../../../packages/documents/src/ink/signature-weights.ts', import.meta.url);
writeFileSync(
  file,
  `/** Weights of \`signature-model\`: little-endian floats in base64. \`script/train-signatures\` writes this file. */
export const signatureWeights =
  '${bytes.toString('base64')}';
`,
);
