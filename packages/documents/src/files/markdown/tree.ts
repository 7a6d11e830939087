import type { Definition, Nodes, RootContent } from 'mdast';
import { type Extension, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { maxPieceLength, parseInPieces } from './pieces.ts';
import { createNames, type Names, syntaxWith } from './syntax.ts';

/** The blocks of a section of a file. Their positions refer to `text`. */
export interface MarkdownTree {
  /** The offset in the file at which `text` begins. */
  at: number;
  text: string;
  blocks: RootContent[];
}

/** The link definitions of a file, by identifier. */
export type Definitions = ReadonlyMap<string, Definition>;

const treeExtensions: Extension[] = [
  // Their transforms search for addresses with patterns that take quadratic time on hostile text.
  ...gfmFromMarkdown().map(({ transforms, ...rest }) => rest),
  mathFromMarkdown(),
];

const parse = (text: string, names: Names) =>
  fromMarkdown(text, { extensions: syntaxWith(names), mdastExtensions: treeExtensions });

/** Lines that may define a link or a footnote, each with a possible continuation line. */
const definitionLines =
  /^[ \t>]*(\[[^\]\r\n]{1,999}\]:(?:[^\r\n]*\S[^\r\n]*|[ \t]*\r?\n[^\r\n]+))/gm;
const definitionBatchSize = 1000;

function addDefinitions(blocks: readonly Nodes[], definitions: Map<string, Definition>): void {
  const stack: Nodes[] = [...blocks].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'definition') {
      if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
    } else if ('children' in node && node.type !== 'paragraph' && node.type !== 'table') {
      for (let at = node.children.length - 1; at >= 0; at -= 1) stack.push(node.children[at]!);
    }
  }
}

/** Reads all definitions of a file. A reference is a link only if its name is defined. */
function readDefinitions(source: string, names: Names): Map<string, Definition> {
  const definitions = new Map<string, Definition>();
  let lines: string[] = [];
  const flush = (): void => {
    addDefinitions(parse(lines.join('\n\n'), names).children, definitions);
    lines = [];
  };
  for (const [, line = ''] of source.matchAll(definitionLines)) {
    lines.push(line);
    if (lines.length === definitionBatchSize) flush();
  }
  flush();
  return definitions;
}

/**
 * Parses Markdown. A long file becomes several trees; only one of them is in memory at a time.
 * @returns the definitions of the whole file, and its trees
 */
export function parseMarkdown(source: string): {
  definitions: Definitions;
  trees: Iterable<MarkdownTree>;
} {
  const names = createNames();
  if (source.length > maxPieceLength) {
    return { definitions: readDefinitions(source, names), trees: treesOf(source, names) };
  }
  const definitions = new Map<string, Definition>();
  const blocks = parse(source, names).children;
  addDefinitions(blocks, definitions);
  return { definitions, trees: [{ at: 0, text: source, blocks }] };
}

function* treesOf(source: string, names: Names): Generator<MarkdownTree> {
  const pieces = parseInPieces(
    source,
    (text) => parse(text, names).children,
    (blocks) => blocks.at(-1)?.position?.start.offset ?? null,
  );
  for (const { at, text, parsed, cut } of pieces) {
    const blocks = parsed.filter(({ position }) => (position?.start.offset ?? 0) < cut);
    yield { at, text, blocks };
  }
}
