import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { createProject } from '../../src/access/projects.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { packClient, unpackClient } from '../support/client-package.ts';
import { findPrograms, withPrograms } from '../support/debian-program.ts';
import { eventually } from '../support/eventually.ts';
import { hasPython, pythonSources } from '../support/python.ts';
import { startReceiver } from '../support/receiver.ts';
import { checkout, run } from '../support/run.ts';
import { rasterOf } from '../support/samples.ts';
import { openService } from '../support/service.ts';
import { type Block, blocksOf, pagesWith } from './pages.ts';

/** Pages whose commands test/flows/restore.test.ts and test/deploy run. */
const operators = ['docs/operations.md'];

/** Pages that run jobs in one project: each project has an engine of its own, which takes long to start. */
const together = [
  'README.md',
  ...['client', 'jobs', 'llm', 'packs', 'python', 'review'].map((name) => `docs/guides/${name}.md`),
  'clients/python/README.md',
];

/** Pages whose shell commands run. */
export const pagesOfShell = (): string[] =>
  pagesWith('sh').filter((page) => !operators.includes(page));

/** The service and a folder in which the commands and snippets of pages run. */
export interface Guides {
  /** Null on a machine without the programs that the commands use. */
  runInShell(page: string): Promise<Ran | null>;
  /** Null on a machine without Python. */
  runPython(page: string): Promise<Ran | null>;
  /** Null if it goes on with what the shell commands of its page have made, and these did not run. */
  runTypeScript(page: string): Promise<Ran | null>;
  close(): Promise<void>;
}

type Ran = Awaited<ReturnType<typeof run>>;

/** The blocks of a page form one program. */
export const programName = (page: string): string => `${basename(page, '.md')}.mts`;
export const programText = (blocks: readonly Block[]): string =>
  `${blocks.map(({ text }) => text).join('\n')}\nexport {};\n`;

export async function openGuides(): Promise<Guides> {
  const projects = new Map<string, Awaited<ReturnType<typeof createProject>>>();
  const tools = await findPrograms('jq', 'curl');
  const [service, receiver] = await Promise.all([openService(), startReceiver()]);
  await service.startServer();
  service.startWorker('relay,webhooks,ocr,redact,normalize,classify,imaging,maintenance');
  // Commands that read events expect a running relay.
  await service.upload(Buffer.from('first'), 'first.txt');
  await eventually(async () => {
    const response = await service.call('GET', '/v1/events?limit=1');
    return (await response.text()).includes('"sequence"');
  });
  await mkdir(join(checkout, '.data'), { recursive: true });
  // Inside the checkout, so that its packages are found.
  const folder = await mkdtemp(join(checkout, '.data/docs-'));
  await unpackClient(await packClient(folder), folder);
  for (const name of ['examples', 'script', '.data']) await mkdir(join(folder, name));
  const scan = await drawScan();
  for (const name of ['scan.pdf', 'examples/scan.pdf']) await writeFile(join(folder, name), scan);
  for (const name of ['script/scriptorium', 'script/capacity']) {
    const commandLine = `#!/usr/bin/env bash\nexec ${join(checkout, name)} "$@"\n`;
    await writeFile(join(folder, name), commandLine, { mode: 0o755 });
  }
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
  return {
    async runInShell(page) {
      if (!tools) return null;
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'sh');
      const script = blocks.filter(({ note }) => note !== 'no-run').map(({ text }) => text);
      return run('bash', ['-euo', 'pipefail', '-c', script.join('\n')], {
        cwd: folder,
        env: withPrograms(tools, await environment(page)),
      });
    },
    async runTypeScript(page) {
      if (!tools && pagesOfShell().includes(page)) return null;
      const blocks = (await blocksOf(page)).filter(({ language }) => language === 'ts');
      const program = join(folder, programName(page));
      await writeFile(program, programText(blocks));
      return run(process.execPath, ['--import', 'tsx', program], {
        cwd: folder,
        env: await environment(page),
      });
    },
    async runPython(page) {
      if (!(await hasPython())) return null;
      const blocks = await blocksOf(page);
      const snippets = blocks.filter(({ language, note }) => language === 'python' && note === '');
      const program = join(folder, `${basename(page, '.md')}.py`);
      await writeFile(program, snippets.map(({ text }) => text).join('\n'));
      return run('python3', ['-B', program], {
        cwd: folder,
        env: { ...(await environment(page)), PYTHONPATH: pythonSources },
      });
    },
    close: async () => {
      await service.close();
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Requires that a page has run, or skips the test on a machine where it cannot. */
export function requireSuccess(ran: Ran | null, test: Mocha.Context): void {
  if (!ran) test.skip();
  expect(ran?.code, `${ran?.stdout}\n${ran?.stderr}`).to.equal(0);
}

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
