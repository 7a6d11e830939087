import { readFileSync, writeFileSync } from 'node:fs';
import { denseWeights } from '../networks/dense-weights.ts';
import { toHalf } from '../networks/half.ts';
import { type Model, type Node, readOnnx, type Tensor } from './onnx.ts';

/**
 * Writes the weights of the text detector from the model in a package (see README.md), in the order
 * in which `photos/text-network.ts` takes them, as 16-bit floats. Normalisations and constant
 * factors become part of the convolutions before them, convolutions without a function between them
 * become one, and colour is left out, because pages are searched in greyscale.
 */

/** Means and deviations of the channels of photographs, with which the model was trained. */
const means = [0.485, 0.456, 0.406] as const;
const deviations = [0.229, 0.224, 0.225] as const;
/** The inputs of the first layer: 9 pixels, and 3 zeros. */
const stemInputs = 12;
/** The tone of which the network subtracts all others, of 0–1. */
const blankTone = 114 / 255;
const normalisationEpsilon = 1e-5;

/** A convolution: weights by output, row, column and input, and biases. */
interface Convolution {
  outputs: number;
  inputs: number;
  size: number;
  weights: Float32Array;
  biases: Float32Array;
}

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined)
  throw new Error('Usage: extract.ts MODEL WEIGHTS');
const model: Model = readOnnx(readFileSync(source));
const producers = new Map(model.nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
const consumersOf = (node: Node): Node[] =>
  model.nodes.filter(({ inputs }) => node.outputs.some((name) => inputs.includes(name)));
const constantsOf = (node: Node): Tensor[] =>
  node.inputs.flatMap((name) => model.constants.get(name) ?? []);
const sourceOf = (node: Node): Node | undefined =>
  node.inputs.flatMap((name) => producers.get(name) ?? [])[0];

function convolutionOf(node: Node): Convolution {
  const [kernel, bias] = constantsOf(node);
  if (!kernel) throw new Error('A convolution has no weights.');
  const [outputs = 0, inputs = 0, size = 0] = kernel.shape;
  const weights = new Float32Array(kernel.values.length);
  for (let o = 0; o < outputs; o += 1) {
    for (let i = 0; i < inputs; i += 1) {
      for (let tap = 0; tap < size * size; tap += 1) {
        weights[(o * size * size + tap) * inputs + i] =
          kernel.values[(o * inputs + i) * size * size + tap]!;
      }
    }
  }
  return { outputs, inputs, size, weights, biases: bias?.values ?? new Float32Array(outputs) };
}

/** Multiplies each output by a factor, and adds a term. */
function scaled(
  { weights, biases, ...shape }: Convolution,
  factorOf: (output: number) => number,
  termOf: (output: number) => number,
): Convolution {
  const each = weights.length / shape.outputs;
  return {
    ...shape,
    weights: weights.map((weight, at) => weight * factorOf(Math.floor(at / each))),
    biases: biases.map((bias, output) => bias * factorOf(output) + termOf(output)),
  };
}

/** Applies the normalisation, factor and term that follow a node. Returns the last node of them. */
function absorb(node: Node, first: Convolution): [Convolution, Node] {
  let [convolution, last] = [first, node];
  for (;;) {
    const [next] = consumersOf(last);
    const constants = next ? constantsOf(next) : [];
    const [one] = constants;
    if (next?.operator === 'BatchNormalization') {
      const [gamma, beta, mean, variance] = constants.map(({ values }) => values);
      const factorOf = (o: number) => gamma![o]! / Math.sqrt(variance![o]! + normalisationEpsilon);
      convolution = scaled(convolution, factorOf, (o) => beta![o]! - mean![o]! * factorOf(o));
    } else if (next?.operator === 'Mul' && one?.shape.length === 1) {
      convolution = scaled(
        convolution,
        () => one.values[0]!,
        () => 0,
      );
    } else if (next?.operator === 'Add' && one && one.shape.length > 0) {
      const { values } = one;
      convolution = scaled(
        convolution,
        () => 1,
        (o) => values[values.length > 1 ? o : 0]!,
      );
    } else return [convolution, last];
    last = next;
  }
}

/** The scale and shift after the hard swish of a node: `Add`, `Clip`, `Mul`, `Div`, `Mul`, `Add`. */
function swishOf(node: Node): number[] {
  const division = consumersOf(node)
    .filter(({ operator }) => operator === 'Mul')
    .flatMap(consumersOf)
    .find(({ operator }) => operator === 'Div');
  const [scale] = division ? consumersOf(division) : [];
  const [shift] = scale ? consumersOf(scale) : [];
  if (!scale || !shift) return [];
  return [scale, shift].map((one) => constantsOf(one)[0]!.values[0]!);
}

/** The first convolution, for differences of grey from the blank tone. */
function stem({ outputs, weights, biases }: Convolution): number[] {
  const grey = new Float32Array(outputs * stemInputs);
  const terms = Float32Array.from(biases);
  for (let o = 0; o < outputs; o += 1) {
    for (let tap = 0; tap < 9; tap += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        const weight = weights[(o * 9 + tap) * 3 + channel]! / deviations[channel]!;
        grey[o * stemInputs + tap]! += weight;
        terms[o]! += weight * (blankTone - means[channel]!);
      }
    }
  }
  return [...denseWeights(grey, outputs), ...terms];
}

/** Combines a convolution of single pixels with the one before it. */
function after(first: Convolution, second: Convolution): Convolution {
  const weights = new Float32Array(second.outputs * first.inputs);
  const biases = Float32Array.from(second.biases);
  for (let o = 0; o < second.outputs; o += 1) {
    for (let m = 0; m < first.outputs; m += 1) {
      const weight = second.weights[o * first.outputs + m]!;
      biases[o]! += weight * first.biases[m]!;
      for (let i = 0; i < first.inputs; i += 1) {
        weights[o * first.inputs + i]! += weight * first.weights[m * first.inputs + i]!;
      }
    }
  }
  return { ...second, inputs: first.inputs, weights, biases };
}

/** A convolution of 3 × 3 pixels: its biases, and the weights of each pixel. */
function wide({ outputs, inputs, weights, biases }: Convolution): number[] {
  const taps = Array.from({ length: 9 }, (_, tap) =>
    Float32Array.from({ length: outputs * inputs }, (__, at) => {
      const [o, i] = [Math.floor(at / inputs), at % inputs];
      return weights[(o * 9 + tap) * inputs + i]!;
    }),
  );
  return [...biases, ...taps.flatMap((tap) => [...denseWeights(tap, outputs)])];
}

/** A convolution of each channel: for each position, the weight of each channel. */
function filter({ outputs, size, weights, biases }: Convolution): number[] {
  const positions = Array.from({ length: size * size * outputs }, (_, at) => {
    const [tap, channel] = [Math.floor(at / outputs), at % outputs];
    return weights[channel * size * size + tap]!;
  });
  return [...positions, ...biases];
}

/** A transposed convolution by steps of 2 as one of single pixels, with 4 groups of outputs. */
function transposed(node: Node): Convolution {
  const [kernel] = constantsOf(node);
  if (!kernel) throw new Error('A convolution has no weights.');
  const [inputs = 0, outputs = 0] = kernel.shape;
  const weights = new Float32Array(inputs * outputs * 4);
  for (let i = 0; i < inputs; i += 1) {
    for (let o = 0; o < outputs; o += 1) {
      for (let part = 0; part < 4; part += 1) {
        weights[(o * 4 + part) * inputs + i] = kernel.values[(i * outputs + o) * 4 + part]!;
      }
    }
  }
  const each = { outputs, inputs, size: 1, weights, biases: new Float32Array(outputs) };
  const [{ weights: all, biases }] = absorb(node, each);
  const grouped = new Float32Array(all.length);
  for (let part = 0; part < 4; part += 1) {
    for (let o = 0; o < outputs; o += 1) {
      grouped.set(
        all.subarray((o * 4 + part) * inputs, (o * 4 + part + 1) * inputs),
        (part * outputs + o) * inputs,
      );
    }
  }
  const repeated = Float32Array.from({ length: 4 * outputs }, (_, at) => biases[at % outputs]!);
  return { outputs: 4 * outputs, inputs, size: 1, weights: grouped, biases: repeated };
}

/** Applies a convolution of single pixels to each of 4 groups of inputs. */
function onGroups({ outputs, inputs, weights, biases }: Convolution): Convolution {
  const all = new Float32Array(16 * outputs * inputs);
  for (let group = 0; group < 4; group += 1) {
    for (let o = 0; o < outputs; o += 1) {
      all.set(
        weights.subarray(o * inputs, (o + 1) * inputs),
        (group * outputs + o) * 4 * inputs + group * inputs,
      );
    }
  }
  const repeated = Float32Array.from({ length: 4 * outputs }, (_, at) => biases[at % outputs]!);
  return { outputs: 4 * outputs, inputs: 4 * inputs, size: 1, weights: all, biases: repeated };
}

const single = ({ outputs, weights, biases }: Convolution): number[] => [
  ...denseWeights(weights, outputs),
  ...biases,
];

function layerOf(node: Node, index: number): number[] {
  if (node.operator === 'ConvTranspose') {
    const isLast = !model.nodes.slice(index + 1).some(({ operator }) => operator === node.operator);
    return single(isLast ? onGroups(transposed(node)) : transposed(node));
  }
  if (node.operator !== 'Conv') return [];
  const before = sourceOf(node);
  const own = convolutionOf(node);
  const [convolution, last] = absorb(node, own);
  if (!before) return stem(convolution);
  const isGate = ['GlobalAveragePool', 'Relu'].includes(before.operator) && own.size === 1;
  if (isGate) return [...own.weights, ...own.biases];
  if (own.size === 3 && own.inputs > 1) return wide(convolution);
  if (own.size > 1) return [...filter(convolution), ...swishOf(last)];
  const [next] = consumersOf(node);
  const isJoined =
    next?.operator === 'Conv' && own.outputs % 6 === 0 && consumersOf(node).length === 1;
  if (isJoined && constantsOf(next).length === 1) return [];
  if (before.operator === 'Conv') return single(after(convolutionOf(before), own));
  return [...single(convolution), ...swishOf(last)];
}

const numbers = model.nodes.flatMap(layerOf);
writeFileSync(target, new Uint8Array(Uint16Array.from(numbers, toHalf).buffer));
process.stdout.write(`${numbers.length} numbers\n`);
