import type { Capabilities } from '../../../contracts/wire/service.ts';
import type { AskedOperation } from '../requests.ts';
import { optionsOf } from './schema.ts';

/** What has been chosen: by operation, the options that were touched. */
export type Draft = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The operations of a request, in the order the API describes them in, which is one it takes (`ocr`
 * comes first). What is as usual is left out.
 */
export function operationsOf(draft: Draft, capabilities: Capabilities): AskedOperation[] {
  return capabilities.operations.flatMap((operation) => {
    const chosen = draft[operation.op];
    if (!chosen) return [];
    const options = Object.fromEntries(
      optionsOf(operation).flatMap(({ name, usual }) => {
        const value = chosen[name];
        const isUsual = value === undefined || JSON.stringify(value) === JSON.stringify(usual);
        return isUsual ? [] : [[name, value]];
      }),
    );
    return [{ op: operation.op, ...(Object.keys(options).length > 0 ? { options } : {}) }];
  });
}

/** What is wrong with a selection of pages, in words; undefined when nothing is. */
export function pagesFault(text: string, total: number | null): string | undefined {
  if (text === '') return undefined;
  for (const part of text.split(',')) {
    const found = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part);
    if (!found) {
      return `“${part}” is neither a page nor a range: write it as in 1-3,7, without blanks.`;
    }
    const from = Number(found[1]);
    const to = Number(found[2] ?? found[1]);
    if (from > to) return `${part} runs backwards: write ${to}-${from}.`;
    if (total !== null && from > total) return `There is no page ${from}: the last is ${total}.`;
  }
  return undefined;
}
