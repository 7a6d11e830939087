import { readdir, readFile } from 'node:fs/promises';
import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { createAnchors, guidePath, hrefOf, nodeText } from './render.ts';

/** The folder docs/, next to src and dist. */
const docsFolder = new URL('../../../../docs/', import.meta.url);

/** A Markdown page of docs/. */
export interface Guide {
  /** The path within docs/. */
  file: string;
  path: string;
  title: string;
  root: Root;
}

/** A part of a page from one heading to the next, for the search. */
export interface Section {
  anchor: string | null;
  heading: string;
  text: string;
}

/** A heading of the index page with the pages listed under it. */
export interface ContentsGroup {
  title: string;
  pages: { path: string; title: string }[];
}

export function parseGuide(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Every page of docs/, in the order of their names. */
export async function loadGuides(): Promise<Guide[]> {
  const files = (await readdir(docsFolder, { recursive: true })).filter((file) =>
    file.endsWith('.md'),
  );
  return Promise.all(
    files.sort().map(async (file) => {
      const root = parseGuide(await readFile(new URL(file, docsFolder), 'utf8'));
      const title = root.children.find((node) => node.type === 'heading' && node.depth === 1);
      return { file, path: guidePath(file), title: title ? nodeText(title) : file, root };
    }),
  );
}

/** The pictures of the pages, by the path they are served at. */
export async function loadImages(): Promise<{ path: string; bytes: Buffer }[]> {
  const names = await readdir(new URL('images/', docsFolder));
  return Promise.all(
    names.map(async (name) => ({
      path: `/docs/images/${name}`,
      bytes: await readFile(new URL(`images/${name}`, docsFolder)),
    })),
  );
}

/** The contents of the index page: each heading of level 2 with the links that follow it. */
export function contentsOf(index: Guide): ContentsGroup[] {
  const groups: ContentsGroup[] = [];
  for (const node of index.root.children) {
    if (node.type === 'heading' && node.depth === 2) {
      groups.push({ title: nodeText(node), pages: [] });
    }
    if (node.type !== 'list') continue;
    for (const item of node.children) {
      const [first] = item.children;
      const [link] = first?.type === 'paragraph' ? first.children : [];
      if (link?.type !== 'link' || !link.url.endsWith('.md')) continue;
      groups.at(-1)?.pages.push({ path: guidePath(link.url), title: nodeText(link) });
    }
  }
  return groups.filter(({ pages }) => pages.length > 0);
}

export function sectionsOf({ root, title }: Guide): Section[] {
  const anchor = createAnchors();
  const sections: Section[] = [{ anchor: null, heading: title, text: '' }];
  for (const node of root.children) {
    if (node.type === 'heading') {
      const heading = nodeText(node);
      const id = anchor(heading);
      if (node.depth > 1) sections.push({ anchor: id, heading, text: '' });
    } else {
      sections.at(-1)!.text += `${blockText(node)}\n`;
    }
  }
  return sections;
}

/** The links in the lists of a page, with the paths at which they are served. */
export function linksOf({ root, file }: Guide): { text: string; url: string }[] {
  const items = root.children.flatMap((node) => (node.type === 'list' ? node.children : []));
  return items
    .flatMap((item) => item.children)
    .flatMap((block) => (block.type === 'paragraph' ? block.children : []))
    .flatMap((node) =>
      node.type === 'link' ? [{ text: nodeText(node), url: hrefOf(node.url, file) ?? '' }] : [],
    );
}

/** The text of a block, with spaces between its cells and items. */
function blockText(node: Root['children'][number]): string {
  if (node.type === 'table') {
    return node.children.map((row) => row.children.map(nodeText).join(' ')).join('\n');
  }
  if (node.type === 'list') return node.children.map(nodeText).join('\n');
  return nodeText(node);
}
