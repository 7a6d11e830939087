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
 * What is wrong with the options of an operation, which are complete, beyond what their schema says.
 * @param at where they stand in the body, as a pointer
 */
export function optionFaults(
  op: OperationName,
  options: Readonly<Record<string, unknown>>,
  at: string,
): Fault[] {
  // They were checked against the operation's schema.
  const checks = extraChecks as {
    [name: string]: ((options: never, at: string) => Fault[]) | undefined;
  };
  return checks[op]?.(options as never, at) ?? [];
}

const extraChecks: {
  [O in OperationName]?: (options: OperationOptions<O>, at: string) => Fault[];
} = {
  redact_pii: ({ custom_patterns: patterns }, at) =>
    patterns.flatMap(({ pattern }, index) => {
      const reason = checkPattern(pattern);
      if (reason === null) return [];
      const pointer = `${at}/custom_patterns/${index}/pattern`;
      return [{ pointer, code: 'invalid_pattern', detail: reason }];
    }),
  normalize_for_llm: ({ chunk_tokens: most, overlap_tokens: overlap }, at) => {
    if (overlap < most) return [];
    const detail = `It must be less than 'chunk_tokens', which is ${most}: a chunk has to have something of its own.`;
    return [{ pointer: `${at}/overlap_tokens`, code: 'too_large', detail }];
  },
};
