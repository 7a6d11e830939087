import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { apiDocument } from '../../src/api/openapi/api-document.ts';
import { routes } from '../../src/api/routes/index.ts';
import { packClient, unpackClient } from '../support/client-package.ts';
import { checkout, run } from '../support/run.ts';
import { openGuides, programName, programText, requireSuccess } from './guides.ts';
import { blocksOf, pagePaths } from './pages.ts';

/**
 * Blocks marked `no-run`, by page: they start servers or containers, install packages, or need a
 * machine that tests don't have. Everything else runs.
 */
const notRun: Record<string, number> = {
  'README.md': 3,
  'docs/guides/client.md': 2,
  'docs/guides/erasure.md': 1,
  'docs/guides/neighbours.md': 2,
  'docs/guides/people.md': 3,
  'docs/guides/python.md': 4,
  'docs/guides/review.md': 1,
  'docs/install.md': 2,
  'docs/kubernetes.md': 2,
  'docs/monitoring.md': 1,
  'docs/ocr-languages.md': 1,
  'docs/quickstart.md': 2,
  'docs/scaling.md': 3,
  'docs/systemd.md': 2,
  'docs/torture.md': 1,
};

/** Languages whose blocks other tests run: verify.test.ts and test/outbox/neighbour.test.ts. */
const elsewhere = ['go', 'ruby', 'php', 'java', 'csharp', 'rust', 'js', 'sql'];

describe('commands and snippets in the documentation', () => {
  const pages = pagePaths();
  let folder: string;
  before(async () => {
    await mkdir(join(checkout, '.data'), { recursive: true });
    // Inside the checkout, so that its packages are found.
    folder = await mkdtemp(join(checkout, '.data/snippets-'));
    await unpackClient(await packClient(folder), folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are all in a tested language, and only listed ones do not run', async () => {
    const found: Record<string, number> = {};
    for (const page of pages) {
      for (const { language, note, line } of await blocksOf(page)) {
        const known = ['sh', 'ts', 'python', 'json', 'text', 'mermaid', ...elsewhere];
        expect(known, `${page}:${line}`).to.include(language);
        if (note === 'no-run') found[page] = (found[page] ?? 0) + 1;
      }
    }
    expect(found).to.deep.equal(notRun);
  });

  it('are shell without syntax errors', async () => {
    const wrong: string[] = [];
    for (const page of pages) {
      for (const { language, text, line } of await blocksOf(page)) {
        if (language !== 'sh') continue;
        const { code, stderr } = await run('bash', ['-n', '-c', text]);
        if (code !== 0) wrong.push(`${page}:${line}: ${stderr}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('are TypeScript that compiles', async () => {
    for (const page of pages) {
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'ts');
      if (blocks.length > 0) await writeFile(join(folder, programName(page)), programText(blocks));
    }
    const blocks = await blocksOf('packages/client/README.md');
    const snippets = blocks.filter(({ language }) => language === 'ts');
    await writeFile(join(folder, 'client-readme.mts'), `${given}${programText(snippets)}`);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(checkout, 'tsconfig.json'),
        compilerOptions: { types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'] },
        include: ['*.mts'],
        exclude: [],
      }),
    );
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]);
    expect(stdout).to.equal('');
  });

  it('are valid JSON that matches its schema if one is named', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(apiDocument(routes), 'api');
    for (const page of pages) {
      for (const { language, note, text, line } of await blocksOf(page)) {
        if (language !== 'json') continue;
        const value: unknown = JSON.parse(text);
        if (note === '') continue;
        const fits = ajv.compile({ $ref: `api#/components/schemas/${note}` });
        expect(fits(value), `${page}:${line} ${ajv.errorsText(fits.errors)}`).to.equal(true);
      }
    }
  });

  it('run in a shell: README.md', async function () {
    const guides = await openGuides();
    try {
      requireSuccess(await guides.runInShell('README.md'), this);
    } finally {
      await guides.close();
    }
  });
});

/** What the snippets of the client's README leave to the reader. They are compiled, not run. */
const given = `
declare const lastSequence: number;
declare const rawBody: Uint8Array;
declare const request: Request;
declare const secret: string;
`;
