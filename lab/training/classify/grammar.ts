import type { DocumentLabel } from '@scriptorium/contracts/documents/labels';
import type { Language } from './sentences.ts';

/*
 * The format of `kinds/`: below `## language section`, one fragment per line. In a fragment, `⏎` is a
 * new line, `→` the next cell of a row, and `{slot}` is filled in. Prefixes of a line: `!` an optional
 * heading; `*` a repeated row; `#`, `§§`, `¶` a numbered clause, `¡` an unnumbered one; `@` a form
 * field, with the slot of its value after `|`.
 */
type Sections = ReadonlyMap<string, readonly string[]>;
export type Grammar = ReadonlyMap<Language, Sections>;

/** `kept` and `learned` templates share no fragments, and so no phrases. */
export type Split = 'learned' | 'kept' | 'all';

const isLanguage = (name: string): name is Language =>
  ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].includes(name);

export function parseGrammar(text: string): Grammar {
  const grammar = new Map<Language, Map<string, string[]>>();
  let section: string[] | undefined;
  for (const line of text.split('\n')) {
    const [, language, name] = /^## (\w\w) (\w+)$/.exec(line) ?? [];
    if (language && name) {
      if (!isLanguage(language)) throw new Error(`Unknown language '${language}'.`);
      const sections = grammar.get(language) ?? new Map<string, string[]>();
      section = [];
      sections.set(name, section);
      grammar.set(language, sections);
    } else if (line !== '') {
      if (!section) throw new Error(`Fragment without a section: ${line}`);
      section.push(line);
    }
  }
  return grammar;
}

export function fragmentsOf(
  grammar: Grammar,
  language: Language,
  section: string,
  split: Split,
): readonly string[] {
  const all = grammar.get(language)?.get(section) ?? [];
  if (split === 'all') return all;
  const interval = all.length < 4 ? all.length : 4;
  return all.filter(
    (_, index) => (interval > 1 && index % interval === interval - 1) === (split === 'kept'),
  );
}

/** The structure of a kind of document: its sections in order, each with a number of fragments. */
export type Part = { section: string; min: number; max: number; chance?: number };
export type Plan = { parts: readonly Part[]; isShuffled?: boolean };

const part = (section: string, least = 1, most = 1, chance = 1): Part => ({
  section,
  min: least,
  max: most,
  chance,
});

/** The first plan is a single or first page, the others are later pages. */
export const plans: Record<Exclude<DocumentLabel, 'other' | 'presentation'>, readonly Plan[]> = {
  invoice: [
    {
      parts: [
        part('head'),
        part('meta', 1, 2, 0.9),
        part('rows'),
        part('total'),
        part('foot', 1, 2, 0.85),
      ],
    },
    { parts: [part('rows'), part('total', 1, 1, 0.7), part('foot', 1, 1, 0.6)] },
  ],
  receipt: [{ parts: [part('head'), part('rows', 1, 2), part('total'), part('foot', 1, 2, 0.85)] }],
  bank_statement: [
    {
      parts: [
        part('head'),
        part('summary', 1, 2, 0.85),
        part('rows', 1, 2),
        part('foot', 1, 1, 0.6),
      ],
    },
    { parts: [part('rows', 1, 2), part('foot', 1, 1, 0.5)] },
  ],
  contract: [
    {
      parts: [
        part('head'),
        part('recitals', 1, 2, 0.6),
        part('clauses', 3, 10),
        part('close', 1, 1, 0.6),
      ],
    },
    { parts: [part('clauses', 4, 12), part('close', 1, 2, 0.3)] },
  ],
  letter: [
    { parts: [part('head', 1, 2, 0.92), part('salute'), part('body', 1, 3), part('close')] },
  ],
  email: [
    {
      parts: [
        part('head', 1, 1, 0.93),
        part('salute', 1, 1, 0.8),
        part('body', 1, 2),
        part('close', 1, 3, 0.9),
      ],
    },
  ],
  form: [
    { parts: [part('head'), part('fields', 2, 6), part('foot', 1, 2, 0.7)] },
    { parts: [part('fields', 2, 6), part('foot', 1, 2, 0.6)] },
  ],
  identity_document: [
    { parts: [part('head', 1, 1, 0.93), part('fields', 1, 2), part('zone', 1, 2, 0.65)] },
  ],
  cv: [
    {
      parts: [
        part('head'),
        part('profile', 1, 1, 0.5),
        part('work', 1, 2),
        part('school', 1, 2),
        part('skills', 1, 3, 0.9),
      ],
    },
    {
      parts: [part('work', 1, 2), part('school', 1, 1, 0.6), part('skills', 1, 2, 0.7)],
      isShuffled: true,
    },
  ],
  report: [
    {
      parts: [
        part('head'),
        part('contents', 1, 1, 0.25),
        part('body', 1, 4),
        part('end', 1, 1, 0.35),
      ],
    },
    { parts: [part('body', 1, 4), part('end', 1, 2, 0.5)] },
  ],
};
