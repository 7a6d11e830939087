import { Value } from 'typebox/value';
import { type OperationName, operations } from '../contracts/operations.ts';

/** The options of an operation, as a client gave them, with the defaults of its schema filled in. */
export function completeOptions(
  op: OperationName,
  given: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  return Value.Default(operations[op].options, { ...given }) as Record<string, unknown>;
}
