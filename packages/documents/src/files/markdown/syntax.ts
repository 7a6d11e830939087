import { gfm } from 'micromark-extension-gfm';
import type { Construct, Extension, ParseContext } from 'micromark-util-types';
import { boundedCommonMark, withBounds } from './bounds.ts';
import { dollarMath } from './dollar-math.ts';

/** Names in an array, as micromark expects, with constant-time lookup. */
class NameList extends Array<string> {
  readonly #known = new Set<string>();

  override includes(name: string): boolean {
    return this.#known.has(name);
  }

  override push(...names: string[]): number {
    for (const name of names) this.#known.add(name);
    return super.push(...names);
  }
}

/** The names of link definitions and footnotes in all pieces of a file. */
export interface Names {
  definitions: string[];
  footnotes: string[];
}

export const createNames = (): Names => ({
  definitions: new NameList(),
  footnotes: new NameList(),
});

/** Returns an extension that gives the parser the known names, to which it adds those it finds. */
function namesExtension(names: Names): Extension {
  const prepare: Construct = {
    tokenize(_, __, nok) {
      const parser: ParseContext = this.parser;
      parser.defined = names.definitions;
      parser.gfmFootnotes = names.footnotes;
      return nok;
    },
  };
  return { document: { null: prepare } };
}

/**
 * GitHub's additions, except for links from e-mail addresses in running text. These links do not
 * change the text, and searching for an address at every word takes half of the time.
 */
function githubExtension(): Extension {
  const extension = gfm();
  const text = Object.entries(extension.text ?? {}).map(([code, constructs]) => [
    code,
    [constructs ?? []].flat().filter(({ name }) => name !== 'emailAutolink'),
  ]);
  return withBounds({ ...extension, text: Object.fromEntries(text) });
}

/**
 * Returns the supported Markdown syntax: CommonMark, GitHub's additions, and formulas between
 * dollar signs.
 */
export const syntaxWith = (names: Names): Extension[] => [
  boundedCommonMark,
  githubExtension(),
  withBounds(dollarMath),
  namesExtension(names),
];
