import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { expect } from 'chai';
import { checkout } from './support/run.ts';

/**
 * Who may import whom (ARCHITECTURE.md, "Direction"). A room that is not listed here, or an import
 * that goes against the direction, fails.
 */
const ground = ['contracts', 'entities'];
const base = ['addresses', 'outbox', 'db', 'storage', 'engines', 'queues', ...ground];
const allowed: Record<string, readonly string[]> = {
  entities: ground,
  addresses: ['addresses', 'contracts'],
  db: ['db', 'addresses', ...ground],
  storage: ['storage'],
  engines: ['engines', 'contracts'],
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
const programsMayStartIn = /^engines\/isolation\//;
const configMayBeIn = /^(server|worker|admin)\.ts$/;

interface Import {
  from: string;
  to: string;
}

describe('the layout of src', () => {
  let imports: Import[];
  before(async () => {
    const root = join(checkout, 'src');
    const files = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    imports = (
      await Promise.all(
        files.map(async (file) => {
          const text = await readFile(join(root, file), 'utf8');
          return [...text.matchAll(/(?:from|import)\s+'([^']+)'/g)].map(([, to]) => ({
            from: file,
            to: to!.startsWith('.')
              ? relative('.', posix.join(posix.dirname(file), to!))
              : to!.startsWith('@scriptorium/')
                ? to!.slice('@scriptorium/'.length)
                : `package:${to}`,
          }));
        }),
      )
    ).flat();
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

  it('starts programs where they are isolated only', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^package:(node:)?(child_process|cluster)$/.test(to) && !programsMayStartIn.test(from),
    );
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
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
  it('imports nothing of the service', async () => {
    const root = join(checkout, 'packages');
    const files = (await readdir(root, { recursive: true })).filter(
      // The generator of the client reads the routes of the API.
      (name) =>
        /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules)\/|^client\/generator\//.test(name),
    );
    expect(files.length).to.be.greaterThan(200);
    const wrong: string[] = [];
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8');
      for (const [, to] of text.matchAll(/(?:from|import)\s+'(\.[^']+)'/g)) {
        if (posix.join(posix.dirname(file), to!).startsWith('../'))
          wrong.push(`${file} imports ${to}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });
});

function roomOf(file: string): string {
  return file.split('/')[0]!;
}
