import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Code, Nodes } from 'mdast';
import { parseGuide } from '../../src/api/docs/guides/load.ts';
import { checkout } from '../support/run.ts';

/** A code block of a page. */
export interface Block {
  language: string;
  /** What follows the language on the fence, such as `no-run`. */
  note: string;
  text: string;
  line: number;
}

/** The README and every page of docs/, by their paths in the checkout. */
export function pagePaths(): string[] {
  const files = readdirSync(join(checkout, 'docs'), { recursive: true }).map(String);
  const pages = files.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  return ['README.md', ...pages.sort()];
}

/** Pages with a block in a language that is run. */
export function pagesWith(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}$`, 'm');
  return pagePaths().filter((page) => fence.test(readFileSync(join(checkout, page), 'utf8')));
}

export async function nodesOf(page: string): Promise<Nodes[]> {
  const root = parseGuide(await readFile(join(checkout, page), 'utf8'));
  return [...walk(root)];
}

export async function blocksOf(page: string): Promise<Block[]> {
  const nodes = await nodesOf(page);
  return nodes
    .filter((node): node is Code => node.type === 'code')
    .map(({ lang, meta, value, position }) => ({
      language: lang ?? '',
      note: meta ?? '',
      text: value,
      line: position?.start.line ?? 0,
    }));
}

function* walk(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* walk(child);
}
