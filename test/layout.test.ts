import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { expect } from 'chai';
import { checkout } from './support/run.ts';

/** The packages that a package may import, besides those of npm. */
const packagesBelow: Record<string, readonly string[]> = {
  client: [],
  contracts: [],
  documents: ['contracts', 'pii', 'sandbox'],
  pii: ['contracts'],
  // Of the client, the types that its generator writes.
  portal: ['contracts', 'client'],
  sandbox: [],
};
/**
 * Who may import whom (ARCHITECTURE.md, "Direction"). A room that is not listed here, or an import
 * that goes against the direction, fails.
 */
const ground = ['contracts', 'entities'];
const base = [
  'addresses',
  'outbox',
  'db',
  'storage',
  'documents',
  'pii',
  'sandbox',
  'queues',
  ...ground,
];
const allowed: Record<string, readonly string[]> = {
  entities: ground,
  addresses: ['addresses', 'contracts'],
  db: ['db', 'addresses', ...ground],
  storage: ['storage'],
  queues: ['queues', 'addresses', ...ground],
  outbox: ['outbox', 'db', 'queues', 'addresses', ...ground],
  policies: ['policies', ...base],
  access: ['access', 'policies', ...base],
  library: ['library', 'policies', ...base],
  jobs: ['jobs', 'library', 'policies', ...base],
  webhooks: ['webhooks', 'policies', ...base],
  workers: ['workers', 'access', 'library', 'policies', 'jobs', 'webhooks', ...base],
  api: ['api', 'access', 'library', 'policies', 'jobs', 'webhooks', ...base],
  admin: ['admin', 'access', 'library', 'policies', 'webhooks', ...base],
};
/** The logger's type, what a span is, and what a process reports of its start may be named anywhere. */
const everywhere = ['logger.ts', 'tracing.ts', 'start-report.ts'];
const bullmqMayBeIn = /^(queues\/|outbox\/relay\/hand-over\.ts|workers\/runtime\.ts)/;
const programsMayStartIn = /^sandbox\/src\/isolation\//;
const configMayBeIn = /^(server|worker|admin)\.ts$/;

interface Import {
  from: string;
  to: string;
  /** What the statement says. */
  written: string;
}

/** The imports of all files below a folder; those of packages of this repository begin with their name. */
async function importsOf(root: string, isIncluded = (_: string) => true): Promise<Import[]> {
  const files = (await readdir(root, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && isIncluded(name),
  );
  const imports = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8');
      return [...text.matchAll(/(?:from|import)\s+'([^']+)'/g)].map(([, written = '']) => ({
        from: file,
        to: written.startsWith('.')
          ? relative('.', posix.join(posix.dirname(file), written))
          : written.startsWith('@scriptorium/')
            ? written.slice('@scriptorium/'.length)
            : `package:${written}`,
        written,
      }));
    }),
  );
  return imports.flat();
}

const startsPrograms = ({ to }: Import): boolean =>
  /^package:(node:)?(child_process|cluster)$/.test(to);

describe('the layout of src', () => {
  let imports: Import[];
  before(async () => {
    imports = await importsOf(join(checkout, 'src'));
    expect(imports.length).to.be.greaterThan(200);
  });

  it('has no room whose neighbours are not written down', () => {
    const rooms = new Set(
      imports
        .map(({ from }) => from)
        .filter((file) => file.includes('/'))
        .map(roomOf),
    );
    expect([...rooms].filter((room) => !(room in allowed))).to.deep.equal([]);
  });

  it('is imported in one direction only', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (to.startsWith('package:') || !from.includes('/')) return false;
      if (everywhere.includes(to)) return false;
      return !(allowed[roomOf(from)] ?? []).includes(roomOf(to));
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('knows BullMQ only where queues are opened, filled and read', () => {
    const wrong = imports.filter(
      ({ from, to }) => to === 'package:bullmq' && !bullmqMayBeIn.test(from),
    );
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });

  it('starts no programs', () => {
    expect(imports.filter(startsPrograms).map(({ from }) => from)).to.deep.equal([]);
  });

  it('starts nothing in production that is for development', () => {
    const wrong = imports.filter(({ to }) => to.startsWith('../lab/') || to.startsWith('../test/'));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('leaves endpoints and deliveries to the webhooks', async () => {
    const files = await readdir(join(checkout, 'src/outbox'), { recursive: true });
    const texts = await Promise.all(
      files
        .filter((name) => name.endsWith('.ts'))
        .map(async (name) => ({
          name,
          text: await readFile(join(checkout, 'src/outbox', name), 'utf8'),
        })),
    );
    const tables =
      /\b(webhook_endpoint|webhook_flow|due_delivery|attempt_record)\b|\b(FROM|INTO|UPDATE|JOIN) (delivery|attempt)\b/;
    expect(texts.filter(({ text }) => tables.test(text)).map(({ name }) => name)).to.deep.equal([]);
  });

  it('reads the configuration in entry files only', () => {
    const wrong = imports.filter(({ from, to }) => to === 'config.ts' && !configMayBeIn.test(from));
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });

  it('keeps Koa out of the domains', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^package:(koa|@koa)/.test(to) && roomOf(from) !== 'api' && roomOf(from) !== 'queues',
    );
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });
});

describe('the layout of packages', () => {
  let imports: Import[];
  before(async () => {
    // The generator of the client reads the routes of the API.
    const excluded = /(^|\/)(dist|node_modules)\/|^client\/generator\//;
    imports = await importsOf(join(checkout, 'packages'), (name) => !excluded.test(name));
    expect(new Set(imports.map(({ from }) => from)).size).to.be.greaterThan(200);
  });

  it('has no package whose neighbours are not written down', () => {
    const packages = new Set(imports.map(({ from }) => roomOf(from)));
    expect([...packages].filter((name) => !(name in packagesBelow))).to.deep.equal([]);
  });

  it('imports nothing of the service, and other packages in one direction only', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        !to.startsWith('package:') &&
        ![roomOf(from), ...(packagesBelow[roomOf(from)] ?? [])].includes(roomOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('imports other packages by their names', () => {
    const wrong = imports.filter(
      ({ from, to, written }) =>
        written.startsWith('.') && ![roomOf(from), 'client'].includes(roomOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('proves a redaction without the code that made it', () => {
    const room = /^documents\/src\/redact\/([^/]+)\//;
    const shared = ['check', 'contract', 'matching'];
    const proof = imports.filter(({ from }) => room.exec(from)?.[1] === 'check');
    expect(proof.length).to.be.greaterThan(50);
    const wrong = [
      ...proof,
      ...imports.filter(({ from }) => room.exec(from)?.[1] === 'matching'),
    ].filter(({ to }) => room.test(to) && !shared.includes(room.exec(to)![1]!));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('starts programs where they are isolated only', () => {
    const wrong = imports.filter(
      (one) => startsPrograms(one) && !programsMayStartIn.test(one.from),
    );
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });
});

function roomOf(file: string): string {
  return file.split('/')[0]!;
}
