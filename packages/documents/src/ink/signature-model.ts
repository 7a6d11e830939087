import { strokeFeatures } from './pen-strokes.ts';
import { signatureWeights } from './signature-weights.ts';

/** Number of hidden units of the network. */
export const hiddenUnits = 16;

/**
 * A network with one hidden layer: the means and scales of the features, the weights of each hidden
 * unit with its bias, and the weights of the output with its bias.
 */
export type SignatureWeights = Float32Array;

const inputs = strokeFeatures.length;
export const weightCount = 2 * inputs + hiddenUnits * (inputs + 1) + hiddenUnits + 1;

/** Returns the probability that a group of strokes is a signature or other writing by hand. */
export function signatureScore(
  features: readonly number[],
  weights: SignatureWeights = shippedWeights,
): number {
  const scaled = features.map((value, at) => clamp((value - weights[at]!) / weights[inputs + at]!));
  let at = 2 * inputs;
  const hidden: number[] = [];
  for (let unit = 0; unit < hiddenUnits; unit += 1) {
    let sum = weights[at + inputs]!;
    for (let input = 0; input < inputs; input += 1) sum += weights[at + input]! * scaled[input]!;
    hidden.push(Math.tanh(sum));
    at += inputs + 1;
  }
  let sum = weights[at + hiddenUnits]!;
  for (let unit = 0; unit < hiddenUnits; unit += 1) sum += weights[at + unit]! * hidden[unit]!;
  return 1 / (1 + Math.exp(-sum));
}

/** Features far outside of the learned range count as its edge. */
export const clamp = (value: number): number => Math.max(-4, Math.min(4, value));

/** Reads weights from base64. */
export function readSignatureWeights(base64: string): SignatureWeights {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 4 * weightCount) throw new Error('The weights are for other features.');
  return Float32Array.from({ length: weightCount }, (_, at) => bytes.readFloatLE(4 * at));
}

const shippedWeights = readSignatureWeights(signatureWeights);
