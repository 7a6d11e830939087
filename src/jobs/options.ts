import { Value } from 'typebox/value';
import { type OperationName, type OperationOptions, operations } from '../contracts/operations.ts';
import type { Fault } from '../contracts/problems.ts';
import { checkPattern } from '../engines/pii/custom.ts';

/** The options of an operation, as a client gave them, with the defaults of its schema filled in. */
export function completeOptions(
  op: OperationName,
  given: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  return Value.Default(operations[op].options, { ...given }) as Record<string, unknown>;
}

/**
 * What is wrong with the options of `redact_pii` beyond what their schema says.
 * @param at where they stand in the body, as a pointer
 */
export function redactionFaults(options: OperationOptions<'redact_pii'>, at: string): Fault[] {
  return options.custom_patterns.flatMap(({ pattern }, index) => {
    const reason = checkPattern(pattern);
    if (reason === null) return [];
    const pointer = `${at}/custom_patterns/${index}/pattern`;
    return [{ pointer, code: 'invalid_pattern', detail: reason }];
  });
}
