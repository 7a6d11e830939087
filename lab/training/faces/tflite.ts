import { fromHalf } from '../../../packages/documents/src/networks/half.ts';

/**
 * Reads the convolutions of a TensorFlow Lite model. Positions are those of its schema
 * (schema.fbs, version 3) in the format of FlatBuffers.
 */

export interface Tensor {
  values: Float32Array;
  shape: number[];
}

export interface Convolution {
  isDepthwise: boolean;
  weights: Tensor;
  biases: Tensor;
}

const operators = { conv: 3, depthwise: 4, dequantize: 6 } as const;
const float16 = 1;

/** A table of FlatBuffers, at its position in the file. */
class Table {
  readonly #bytes: DataView;
  readonly #at: number;

  constructor(bytes: DataView, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The position of a field; null if it has its default. */
  #field(index: number): number | null {
    const fields = this.#at - this.#bytes.getInt32(this.#at, true);
    const entry = 4 + 2 * index;
    if (entry >= this.#bytes.getUint16(fields, true)) return null;
    const offset = this.#bytes.getUint16(fields + entry, true);
    return offset === 0 ? null : this.#at + offset;
  }

  #vector(index: number): [start: number, length: number] {
    const at = this.#field(index);
    if (at === null) return [0, 0];
    const start = at + this.#bytes.getUint32(at, true);
    return [start + 4, this.#bytes.getUint32(start, true)];
  }

  uint8(index: number): number {
    const at = this.#field(index);
    return at === null ? 0 : this.#bytes.getUint8(at);
  }

  uint32(index: number): number {
    const at = this.#field(index);
    return at === null ? 0 : this.#bytes.getUint32(at, true);
  }

  ints(index: number): number[] {
    const [start, length] = this.#vector(index);
    return Array.from({ length }, (_, n) => this.#bytes.getInt32(start + 4 * n, true));
  }

  data(index: number): DataView {
    const [start, length] = this.#vector(index);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, length);
  }

  tables(index: number): Table[] {
    const [start, length] = this.#vector(index);
    return Array.from({ length }, (_, n) => {
      const at = start + 4 * n;
      return new Table(this.#bytes, at + this.#bytes.getUint32(at, true));
    });
  }
}

/** Returns the convolutions of a model in their order, with weights that are 16-bit floats. */
export function readTflite(file: Uint8Array): Convolution[] {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const model = new Table(bytes, bytes.getUint32(0, true));
  const codes = model.tables(1).map((code) => code.uint8(0));
  const buffers = model.tables(4);
  const [graph] = model.tables(2);
  if (!graph) throw new Error('The model is empty.');
  const tensors = graph.tables(0);
  const steps = graph.tables(3).map((step) => ({
    code: codes[step.uint32(0)],
    inputs: step.ints(1),
    outputs: step.ints(2),
  }));
  const stored = new Map(
    steps.flatMap(({ code, inputs: [from], outputs: [to] }) =>
      code === operators.dequantize && from !== undefined ? [[to, from]] : [],
    ),
  );
  const read = (index: number | undefined): Tensor => {
    const tensor = tensors[stored.get(index) ?? -1];
    const data = tensor && buffers[tensor.uint32(2)]?.data(0);
    if (!data || tensor.uint8(1) !== float16) throw new Error('The weights are not 16-bit floats.');
    const values = Float32Array.from({ length: data.byteLength / 2 }, (_, n) =>
      fromHalf(data.getUint16(2 * n, true)),
    );
    return { values, shape: tensor.ints(0) };
  };
  return steps.flatMap(({ code, inputs }) => {
    if (code !== operators.conv && code !== operators.depthwise) return [];
    const isDepthwise = code === operators.depthwise;
    return [{ isDepthwise, weights: read(inputs[1]), biases: read(inputs[2]) }];
  });
}
