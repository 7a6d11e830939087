import type { Said } from './round.ts';

/** A statement that may be merged, split at its parameters. */
interface Part {
  id: number;
  /** A check that runs before any row is written: it can only come first. */
  leads: boolean;
  /** The text between the parameters, and the parameter after each piece. */
  pieces: string[];
  parameters: number[];
}

interface Merged {
  name: string;
  text: string;
}

const parts = new Map<string, Part>();
const mergedTexts = new Map<string, Merged>();
/** Each connection keeps a plan for each. */
const mostMerged = 64;
/** The maximum number of statements that become one. */
const mostParts = 8;

function declare(text: string, leads: boolean): string {
  const pieces = text.split(/\$\d+/);
  const parameters = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  parts.set(text, { id: parts.size, leads, pieces, parameters });
  return text;
}

/**
 * Declares an `INSERT … VALUES` that reads nothing and returns nothing. Consecutive ones are sent to
 * Postgres as one statement, which saves all but one of them the protocol's messages and the executor's
 * start. They share a snapshot, and foreign keys are checked after all rows are inserted. A table has at
 * most one such text, so that its rows keep their order.
 */
export function insertion(text: string): string {
  return declare(text, false);
}

/** Declares a `SELECT` that fails unless the insertions after it are allowed. */
export function guard(text: string): string {
  return declare(text, true);
}

/** Merges statements that may be sent as one, in their order. */
export function mergeStatements(said: readonly Said[]): readonly Said[] {
  if (said.length < 3) return said;
  const result: Said[] = [];
  for (let at = 0; at < said.length; ) {
    let end = at;
    const texts = new Set<string>();
    while (end < said.length && texts.size < mostParts && mayFollow(said[end]!, texts)) {
      texts.add(said[end]!.text);
      end += 1;
    }
    const together = end - at > 1 ? mergeAll(said.slice(at, end)) : null;
    if (together) {
      result.push(together);
      at = end;
    } else {
      result.push(said[at]!);
      at += 1;
    }
  }
  return result;
}

/**
 * Postgres runs the parts of a statement in its own order. Rows of one table, such as events, which are
 * numbered as they arrive, keep their order by never being in the same statement.
 */
function mayFollow({ text }: Said, before: ReadonlySet<string>): boolean {
  const part = parts.get(text);
  return part !== undefined && !before.has(text) && !(part.leads && before.size > 0);
}

function mergeAll(list: readonly Said[]): Said | null {
  const own = list.map(({ text }) => parts.get(text)!);
  const key = own.map(({ id }) => id).join(' ');
  let merged = mergedTexts.get(key);
  if (!merged) {
    if (mergedTexts.size >= mostMerged) return null;
    merged = { name: `m${mergedTexts.size + 1}`, text: textOf(list, own) };
    mergedTexts.set(key, merged);
  }
  return {
    ...merged,
    values: list.flatMap(({ values }) => values),
    resolve: ({ rows }) => {
      for (const [at, { resolve }] of list.entries()) {
        resolve({ rows: at === 0 && own[0]!.leads ? rows : [], tag: '' });
      }
    },
    reject: (error) => {
      for (const { reject } of list) reject(error);
    },
  };
}

/** A guard, or else the last insertion, is the main statement; the others precede it and run after it. */
function textOf(list: readonly Said[], own: readonly Part[]): string {
  let offset = 0;
  const texts = own.map(({ pieces, parameters }, at) => {
    const text = pieces
      .map((piece, index) => {
        const parameter = parameters[index];
        return parameter === undefined ? piece : `${piece}$${parameter + offset}`;
      })
      .join('');
    offset += list[at]!.values.length;
    return text;
  });
  const main = own[0]!.leads ? texts.shift()! : texts.pop()!;
  return `WITH ${texts.map((text, at) => `w${at} AS (${text})`).join(', ')} ${main}`;
}
