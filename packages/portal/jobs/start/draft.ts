import { sources } from '@scriptorium/contracts/documents/sources';
import type { Capabilities } from '@scriptorium/contracts/wire/service';
import type { BodyOf } from '../../api/request.ts';
import { isApplicable, optionsOf } from './schema.ts';

/** An operation to run, with the options that differ from their defaults. */
export type RequestedOperation = NonNullable<BodyOf<'createJob'>['operations']>[number];

/** The work of a job: operations, or a preset. */
export type JobWork = { operations: RequestedOperation[] } | { preset_id: string };

/** The selected operations, each with the options that were changed. */
export type JobDraft = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Returns the operations of a request, in the order of `GET /v1/capabilities`, which is valid
 * (`ocr` comes first). Options with their default value are omitted.
 */
export function operationsOf(draft: JobDraft, capabilities: Capabilities): RequestedOperation[] {
  return capabilities.operations.flatMap((operation) => {
    const chosen = draft[operation.op];
    if (!chosen) return [];
    const options = Object.fromEntries(
      optionsOf(operation).flatMap(({ name, usual }) => {
        if (!isApplicable({ name }, chosen)) return [];
        const value = chosen[name];
        const isUsual = value === undefined || JSON.stringify(value) === JSON.stringify(usual);
        return isUsual ? [] : [[name, value]];
      }),
    );
    // The form is generated from the schema of the options, which the API validates.
    const asked = { op: operation.op, ...(Object.keys(options).length > 0 ? { options } : {}) };
    return [asked as RequestedOperation];
  });
}

/** Validates a page selection: returns the error, or undefined. */
export function pagesFault(text: string, total: number | null): string | undefined {
  if (text === '') return undefined;
  for (const part of text.split(',')) {
    const found = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part);
    if (!found) {
      return `“${part}” is not a page or a range of pages. Example: 1-3,7`;
    }
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    if (from > to) return `The range ${part} is reversed. Use ${to}-${from}.`;
    if (total !== null && from > total)
      return `Page ${from} does not exist. The last page is ${total}.`;
  }
  return undefined;
}

/** Whether files of a type have pages. */
export function isPaged(mime: string): boolean {
  return Object.entries(sources).some(([name, { paged }]) => name === mime && paged);
}

/** Why an operation cannot process these types. */
export function obstacleOf(
  operation: Capabilities['operations'][number],
  mimes: readonly string[],
): string | undefined {
  const wrong = mimes.find((mime) => !operation.sources.includes(mime));
  return wrong && `Not available for ${wrong}.`;
}
