import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { createProject } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { packClient, unpackClient } from '../support/client-package.ts';
import { findPrograms, type Program, withPrograms } from '../support/debian-program.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { checkout, run } from '../support/run.ts';
import { rasterOf } from '../support/samples.ts';
import { openService, type TestService } from '../support/service.ts';
import { type Block, blocksOf, pagePaths, pagesWith } from './pages.ts';

/**
 * Blocks marked `no-run`, by page: they start servers or containers, install packages, or need a
 * machine that tests don't have. Everything else runs.
 */
const notRun: Record<string, number> = {
  'README.md': 3,
  'docs/guides/client.md': 2,
  'docs/guides/neighbours.md': 2,
  'docs/guides/people.md': 3,
  'docs/guides/review.md': 1,
  'docs/kubernetes.md': 2,
  'docs/monitoring.md': 1,
  'docs/ocr-languages.md': 1,
  'docs/quickstart.md': 2,
  'docs/scaling.md': 4,
  'docs/systemd.md': 2,
  'docs/torture.md': 1,
};

/** Languages whose blocks other tests run: verify.test.ts and test/outbox/neighbour.test.ts. */
const elsewhere = ['python', 'go', 'ruby', 'php', 'java', 'csharp', 'rust', 'js', 'sql'];

/** Pages whose commands test/flows/restore.test.ts and test/deploy run. */
const operators = ['docs/operations.md'];

/** Pages that run jobs in one project: each project has an engine of its own, which takes long to start. */
const together = [
  'README.md',
  ...['client', 'jobs', 'llm', 'packs', 'review'].map((name) => `docs/guides/${name}.md`),
];

describe('commands and snippets in the documentation', () => {
  let service: TestService;
  let receiver: Receiver;
  let folder: string;
  /** What the shell commands use; null where it is not to be had. */
  let tools: Program[] | null;
  const projects = new Map<string, Awaited<ReturnType<typeof createProject>>>();
  const pages = pagePaths();
  before(async () => {
    tools = await findPrograms('jq', 'curl');
    [service, receiver] = await Promise.all([openService(), startReceiver()]);
    await service.startServer();
    service.startWorker('relay,webhooks,ocr,redact,normalize,classify,imaging,maintenance');
    await mkdir(join(checkout, '.data'), { recursive: true });
    // Inside the checkout, so that its packages are found.
    folder = await mkdtemp(join(checkout, '.data/docs-'));
    await unpackClient(await packClient(folder), folder);
    for (const name of ['examples', 'script', '.data']) await mkdir(join(folder, name));
    const scan = await drawScan();
    for (const name of ['scan.pdf', 'examples/scan.pdf']) await writeFile(join(folder, name), scan);
    for (const name of ['script/scriptorium', 'script/capacity']) {
      const commandLine = `#!/usr/bin/env bash\nexec ${join(checkout, name)} "$@"\n`;
      await writeFile(join(folder, name), commandLine, { mode: 0o755 });
    }
  });
  after(async () => {
    await service.close();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Settings for a page, with its project, also written to `.data/dev.env`. */
  const environment = async (page: string): Promise<NodeJS.ProcessEnv> => {
    const name = together.includes(page) ? 'Together' : page;
    const project =
      projects.get(name) ?? (await inTransaction(service.owner, (tx) => createProject(tx, name)));
    projects.set(name, project);
    const settings = {
      SERVICE_URL: service.url,
      PROJECT_ID: project.projectId,
      API_KEY: project.secret,
      RECEIVER_URL: receiver.url,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    await writeFile(join(folder, '.data/dev.env'), lines.join(''));
    return { ...process.env, ...settings };
  };

  it('are all in a tested language, and only listed ones do not run', async () => {
    const found: Record<string, number> = {};
    for (const page of pages) {
      for (const { language, note, line } of await blocksOf(page)) {
        const known = ['sh', 'ts', 'json', 'text', 'mermaid', ...elsewhere];
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

  for (const page of pagesWith('sh').filter((one) => !operators.includes(one))) {
    it(`run in a shell: ${page}`, async function () {
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'sh');
      const script = blocks.filter(isRun).map(({ text }) => text);
      if (!tools) this.skip();
      const { code, stdout, stderr } = await run(
        'bash',
        ['-euo', 'pipefail', '-c', script.join('\n')],
        { cwd: folder, env: withPrograms(tools, await environment(page)) },
      );
      expect(code, `${stdout}\n${stderr}`).to.equal(0);
    });
  }

  it('are TypeScript that compiles', async () => {
    for (const page of pages) {
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'ts');
      if (blocks.length > 0) await writeFile(programOf(page), programText(blocks));
    }
    const blocks = await blocksOf('clients/typescript/README.md');
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

  for (const page of pagesWith('ts')) {
    it(`run in TypeScript: ${page}`, async function () {
      // Some go on with what the shell commands of their page have made.
      if (!tools && pagesWith('sh').includes(page)) this.skip();
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'ts');
      await writeFile(programOf(page), programText(blocks));
      const { code, stdout, stderr } = await run(
        process.execPath,
        ['--import', 'tsx', programOf(page)],
        { cwd: folder, env: await environment(page) },
      );
      expect(code, `${stdout}\n${stderr}`).to.equal(0);
    });
  }

  /** An environment in which a shell finds a program. */
  /** The blocks of a page form one program. */
  const programOf = (page: string): string => join(folder, `${basename(page, '.md')}.mts`);
  const programText = (blocks: Block[]): string =>
    `${blocks.map(({ text }) => text).join('\n')}\nexport {};\n`;

  it('are valid JSON that matches its schema if one is named', async () => {
    const response = await fetch(`${service.url}/docs/openapi.json`);
    const document = (await response.json()) as object;
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(document, 'api');
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
});

const isRun = ({ note }: Block): boolean => note !== 'no-run';

/** What the snippets of the client's README leave to the reader. They are compiled, not run. */
const given = `
declare const lastSequence: number;
declare const rawBody: Uint8Array;
declare const request: Request;
declare const secret: string;
`;

/** A scan of one small page, which takes less time than examples/scan.pdf. */
async function drawScan(): Promise<Uint8Array> {
  const lines = [
    'Harbour Office, 12 Quay Street',
    'Dear Margaret Whitfield,',
    'your berth is booked from the first of May.',
    'Write to margaret.whitfield@example.com',
    'or call +44 20 7946 0958 with questions.',
  ];
  const typed = await PDFDocument.create();
  const page = typed.addPage([360, 195]);
  page.setFont(await typed.embedFont(StandardFonts.TimesRoman));
  for (const [at, line] of lines.entries()) {
    page.drawText(line, { x: 22, y: 155 - at * 29, size: 13.7 });
  }
  const { data, ...raw } = await rasterOf(await typed.save(), 1, 200);
  const document = await PDFDocument.create();
  const picture = await document.embedPng(await sharp(data, { raw }).png().toBuffer());
  document.addPage([360, 195]).drawImage(picture, { x: 0, y: 0, width: 360, height: 195 });
  return document.save();
}
