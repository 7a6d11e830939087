import { readFileSync, writeFileSync } from 'node:fs';
import { denseWeights } from '../networks/dense-weights.ts';
import { toHalf } from '../networks/half.ts';
import { readTflite, type Tensor } from './tflite.ts';

/**
 * Writes the weights of the face detector from the model in a package (see README.md): the weights
 * and biases of each convolution in the order of the model, as 16-bit floats. Two things are left
 * out: colour, because pages are searched in greyscale, and the positions of eyes, nose and ears.
 */

/** Outputs of the last convolution: the score, the centre and the size of a face, and padding. */
const outputs = 8;
const boxOutputs = 4;

const denseOf = ({ values, shape: [outputCount = 0] }: Tensor): Float32Array =>
  denseWeights(values, outputCount);

/** Adds the weights of red, green and blue. */
function withoutColour({ values, shape: [outs = 0, height = 0, width = 0] }: Tensor): Tensor {
  const sums = new Float32Array(outs * height * width);
  sums.forEach((_, at) => {
    sums[at] = (values[3 * at] ?? 0) + (values[3 * at + 1] ?? 0) + (values[3 * at + 2] ?? 0);
  });
  return { values: sums, shape: [outs, height, width, 1] };
}

/** Joins the convolution for the scores with the part for the boxes of the other one. */
function joinHeads(scores: Tensor, boxes: Tensor): Tensor {
  const inputs = scores.values.length;
  const values = new Float32Array(outputs * inputs);
  values.set(scores.values);
  values.set(boxes.values.subarray(0, boxOutputs * inputs), inputs);
  return { values, shape: [outputs, 1, 1, inputs] };
}

function joinBiases(scores: Tensor, boxes: Tensor): Float32Array {
  const values = new Float32Array(outputs);
  values.set(scores.values);
  values.set(boxes.values.subarray(0, boxOutputs), 1);
  return values;
}

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined)
  throw new Error('Usage: extract.ts MODEL WEIGHTS');
const convolutions = readTflite(readFileSync(source));
const [scores, boxes] = convolutions.slice(-2);
if (!scores || !boxes) throw new Error('The model has no convolutions.');
const parts = convolutions.slice(0, -2).flatMap(({ isDepthwise, weights, biases }) => {
  const isFirst = weights.shape[3] === 3;
  const laidOut = isDepthwise
    ? weights.values
    : denseOf(isFirst ? withoutColour(weights) : weights);
  return [laidOut, biases.values];
});
parts.push(
  denseOf(joinHeads(scores.weights, boxes.weights)),
  joinBiases(scores.biases, boxes.biases),
);
const numbers = parts.flatMap((part) => [...part]);
writeFileSync(target, new Uint8Array(Uint16Array.from(numbers, toHalf).buffer));
process.stdout.write(`${numbers.length} numbers\n`);
