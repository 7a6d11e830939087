import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseGuide } from '../../src/api/docs/guides/load.ts';
import { createAnchors, nodeText } from '../../src/api/docs/guides/render.ts';
import { checkout } from '../support/run.ts';
import { nodesOf, pagePaths } from './pages.ts';

/** Pages outside of docs. */
const otherPages = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['examples', 'lab', 'packages', 'src', 'test'].flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  ),
];

describe('links in the documentation', () => {
  it('lead to files and headings that exist', async () => {
    const broken: string[] = [];
    for (const page of [...pagePaths(), ...otherPages]) {
      for (const url of await linksOf(page)) {
        if (/^(https?|mailto):/.test(url)) continue;
        const [path = '', anchor] = url.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        const text = await read(target);
        if (text === null) broken.push(`${page}: ${url}: the file does not exist`);
        else if (anchor && !anchorsOf(target, text).has(anchor))
          broken.push(`${page}: ${url}: the heading does not exist`);
      }
    }
    expect(broken).to.deep.equal([]);
  });

  it('reach every page from the index', async () => {
    const linked = new Set((await linksOf('docs/README.md')).map((url) => `docs/${url}`));
    const pages = pagePaths().filter((page) => !page.endsWith('README.md'));
    expect(pages.filter((page) => !linked.has(page))).to.deep.equal([]);
  });
});

describe('CONTRIBUTING', () => {
  it('names only files that exist', async () => {
    const nodes = await nodesOf('CONTRIBUTING.md');
    const code = nodes.flatMap((node) => (node.type === 'inlineCode' ? node.value.split(' ') : []));
    const paths = code.filter((word) => /^(src|packages|test|lab|docs|script)\/[^<]+$/.test(word));
    expect(paths.length).to.be.greaterThan(40);
    expect(paths.filter((path) => !existsSync(join(checkout, path)))).to.deep.equal([]);
  });
});

describe('README and ARCHITECTURE', () => {
  it('have at most 200 lines', async () => {
    for (const page of ['README.md', 'ARCHITECTURE.md']) {
      const lines = (await readFile(join(checkout, page), 'utf8')).split('\n');
      expect(lines.length, page).to.be.at.most(201);
    }
  });
});

/** The targets of links and pictures, including those in HTML. */
async function linksOf(page: string): Promise<string[]> {
  const nodes = await nodesOf(page);
  return nodes.flatMap((node) => {
    if (node.type === 'link' || node.type === 'image') return [node.url];
    if (node.type !== 'html') return [];
    return [...node.value.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map(([, url]) => url!);
  });
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(join(checkout, path), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EISDIR') return '';
    if (code === 'ENOENT') return null;
    throw error;
  }
}

/** The anchors of pages that have been parsed, by their path: most are linked to many times. */
const anchorCache = new Map<string, Set<string>>();

function anchorsOf(page: string, text: string): Set<string> {
  const cached = anchorCache.get(page);
  if (cached) return cached;
  const anchor = createAnchors();
  const headings = parseGuide(text).children.filter((node) => node.type === 'heading');
  const anchors = new Set(headings.map((node) => anchor(nodeText(node))));
  anchorCache.set(page, anchors);
  return anchors;
}
