import { type Static, Type } from 'typebox';
import { type OperationName, operationNames, operations } from '../operations.ts';
import { partial, strictObject, taggedUnion } from './shapes.ts';

/** An operation in a request. All options have defaults. */
const operationSchema = taggedUnion(
  'op',
  operationNames.map((op) =>
    strictObject({ op: Type.Literal(op), options: Type.Optional(partial(operations[op].options)) }),
  ),
  { title: 'JobOperation' },
);

/** The operations of a job or a preset in a request. */
export const OperationList = Type.Array(operationSchema, { minItems: 1, maxItems: 10 });
export type OperationList = Static<typeof OperationList>;

/** An operation of a preset, as shown in responses. */
export const PresetOperation = Type.Object(
  {
    op: Type.Enum(operationNames),
    options: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false, title: 'PresetOperation' },
);

/** An operation with its options. */
export interface OperationWithOptions {
  op: OperationName;
  options: Readonly<Record<string, unknown>>;
}
