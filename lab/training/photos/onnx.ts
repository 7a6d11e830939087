/**
 * Reads the nodes of an ONNX model. Field numbers are those of its schema (onnx.proto3) in the
 * format of Protocol Buffers.
 */

export interface Tensor {
  values: Float32Array;
  shape: number[];
}

export interface Node {
  operator: string;
  inputs: string[];
  outputs: string[];
}

export interface Model {
  /** All nodes but constants, in order. */
  nodes: Node[];
  constants: Map<string, Tensor>;
}

const wires = { number: 0, bytes: 2, fixed32: 5 } as const;
const fields = {
  graph: 7,
  node: 1,
  input: 1,
  output: 2,
  operator: 4,
  attribute: 5,
  tensor: 5,
  dims: 1,
  floats: 4,
  raw: 9,
} as const;

interface Field {
  number: number;
  value: number;
  bytes: Uint8Array;
}

/** Returns the fields of a message. Numbers above 2^53 are not exact. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  const none = new Uint8Array();
  while (at < bytes.length) {
    const key = varint();
    const [number, wire] = [key >>> 3, key & 7];
    if (wire === wires.number) yield { number, value: varint(), bytes: none };
    else if (wire === wires.bytes) {
      const length = varint();
      yield { number, value: 0, bytes: bytes.subarray(at, at + length) };
      at += length;
    } else if (wire === wires.fixed32) {
      yield { number, value: 0, bytes: bytes.subarray(at, at + 4) };
      at += 4;
    } else throw new Error(`Wire type ${wire} is not supported.`);
  }
}

const partsOf = (bytes: Uint8Array, field: number): Uint8Array[] =>
  [...fieldsOf(bytes)].filter(({ number }) => number === field).map((part) => part.bytes);

const textsOf = (bytes: Uint8Array, field: number): string[] =>
  partsOf(bytes, field).map((part) => new TextDecoder().decode(part));

function tensorOf(bytes: Uint8Array): Tensor {
  const shape: number[] = [];
  const data: Uint8Array[] = [];
  for (const field of fieldsOf(bytes)) {
    if (field.number === fields.dims) shape.push(field.value);
    if (field.number === fields.raw || field.number === fields.floats) data.push(field.bytes);
  }
  const joined = Uint8Array.from(Buffer.concat(data));
  return { shape, values: new Float32Array(joined.buffer, 0, Math.floor(joined.length / 4)) };
}

export function readOnnx(file: Uint8Array): Model {
  const [graph] = partsOf(file, fields.graph);
  if (!graph) throw new Error('The model has no graph.');
  const model: Model = { nodes: [], constants: new Map() };
  for (const bytes of partsOf(graph, fields.node)) {
    const [operator = ''] = textsOf(bytes, fields.operator);
    const [inputs, outputs] = [textsOf(bytes, fields.input), textsOf(bytes, fields.output)];
    if (operator !== 'Constant') {
      model.nodes.push({ operator, inputs, outputs });
      continue;
    }
    const [tensor] = partsOf(bytes, fields.attribute).flatMap((one) => partsOf(one, fields.tensor));
    if (tensor && outputs[0] !== undefined) model.constants.set(outputs[0], tensorOf(tensor));
  }
  return model;
}
