import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
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
/** Folders of src, and packages, that every folder above them may import. */
const lowestLayer = ['contracts', 'entities'];
const lowerLayers = [
  'addresses',
  'outbox',
  'db',
  'storage',
  'documents',
  'pii',
  'sandbox',
  'queues',
  ...lowestLayer,
];
/**
 * The folders that each folder of src may import (ARCHITECTURE.md, "Direction"). A folder that is
 * not listed, or an import against the direction, is an error.
 */
const allowedImports: Record<string, readonly string[]> = {
  entities: lowestLayer,
  addresses: ['addresses', 'contracts'],
  db: ['db', 'addresses', ...lowestLayer],
  storage: ['storage'],
  queues: ['queues', 'addresses', ...lowestLayer],
  outbox: ['outbox', 'db', 'queues', 'addresses', ...lowestLayer],
  policies: ['policies', ...lowerLayers],
  access: ['access', 'policies', ...lowerLayers],
  library: ['library', 'policies', ...lowerLayers],
  jobs: ['jobs', 'library', 'policies', ...lowerLayers],
  webhooks: ['webhooks', 'policies', ...lowerLayers],
  erasure: ['erasure', 'access', 'library', 'policies', 'jobs', 'webhooks', ...lowerLayers],
  workers: [
    'workers',
    'access',
    'library',
    'policies',
    'jobs',
    'webhooks',
    'erasure',
    ...lowerLayers,
  ],
  api: ['api', 'access', 'library', 'policies', 'jobs', 'webhooks', 'erasure', ...lowerLayers],
  admin: ['admin', 'access', 'library', 'policies', 'webhooks', 'erasure', ...lowerLayers],
};
/** Files that any folder may import. */
const importableAnywhere = ['logger.ts', 'tracing.ts', 'start-report.ts'];
const bullmqFiles = /^(queues\/|outbox\/relay\/hand-over\.ts|workers\/runtime\.ts)/;
const programFiles = /^sandbox\/src\/isolation\//;
const configFiles = /^(server|worker|admin)\.ts$/;

interface Import {
  from: string;
  to: string;
  /** The specifier as written. */
  written: string;
}

/**
 * Returns the static and dynamic imports of all files below a folder. Imports of packages of this
 * repository begin with the name of the package, without its scope.
 */
async function importsOf(root: string, isIncluded = (_: string) => true): Promise<Import[]> {
  const files = (await readdir(root, { recursive: true })).filter(
    (name) => /\.tsx?$/.test(name) && isIncluded(name),
  );
  const imports = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8');
      return specifiersIn(text).map((written) => ({
        from: file,
        to: targetOf(file, written),
        written,
      }));
    }),
  );
  return imports.flat();
}

/** Returns the specifiers of `import … from '…'`, `import '…'`, `export … from '…'` and `import('…')`. */
function specifiersIn(text: string): string[] {
  const imports = text.matchAll(/(?:\b(?:from|import)\s+|\bimport\(\s*)'([^']+)'/g);
  return Array.from(imports, ([, specifier = '']) => specifier);
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const scope = '@scriptorium/';
  return specifier.startsWith(scope) ? specifier.slice(scope.length) : `package:${specifier}`;
}

const startsPrograms = ({ to }: Import): boolean =>
  /^package:(node:)?(child_process|cluster)$/.test(to);

describe('the layout of src', () => {
  let imports: Import[];
  before(async () => {
    imports = await importsOf(join(checkout, 'src'));
    expect(imports.length).to.be.greaterThan(200);
  });

  it('is searched for static and dynamic imports, also over several lines', () => {
    const text = `import a, {
      b } from './a.ts';
      import './c.ts';
      export * from './d.ts';
      const e = await import(
        './e.ts'
      );
      type F = import('./f.ts').F;`;
    expect(specifiersIn(text)).to.deep.equal(['./a.ts', './c.ts', './d.ts', './e.ts', './f.ts']);
    const lazy = imports.filter(({ from }) => from === 'storage/open-storage.ts');
    expect(lazy.map(({ to }) => to)).to.include('storage/s3/storage.ts');
  });

  it('lists the allowed imports of every folder', () => {
    const folders = new Set(
      imports
        .map(({ from }) => from)
        .filter((file) => file.includes('/'))
        .map(topFolderOf),
    );
    expect([...folders].filter((folder) => !(folder in allowedImports))).to.deep.equal([]);
  });

  it('is imported in one direction only', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (to.startsWith('package:') || !from.includes('/')) return false;
      if (importableAnywhere.includes(to)) return false;
      return !(allowedImports[topFolderOf(from)] ?? []).includes(topFolderOf(to));
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('uses BullMQ only where queues are opened, filled and read', () => {
    const wrong = imports.filter(
      ({ from, to }) => to === 'package:bullmq' && !bullmqFiles.test(from),
    );
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });

  it('starts no programs', () => {
    expect(imports.filter(startsPrograms).map(({ from }) => from)).to.deep.equal([]);
  });

  it('imports nothing from lab or test', () => {
    const wrong = imports.filter(({ to }) => to.startsWith('../lab/') || to.startsWith('../test/'));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('uses the tables of endpoints and deliveries only in the folder webhooks', async () => {
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
    const wrong = imports.filter(({ from, to }) => to === 'config.ts' && !configFiles.test(from));
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });

  it('keeps Koa out of the domains', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^package:(koa|@koa)/.test(to) &&
        topFolderOf(from) !== 'api' &&
        topFolderOf(from) !== 'queues',
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

  it('lists the allowed imports of every package', () => {
    const packages = new Set(imports.map(({ from }) => topFolderOf(from)));
    expect([...packages].filter((name) => !(name in packagesBelow))).to.deep.equal([]);
  });

  it('is imported in one direction only, and imports nothing of the service', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        !to.startsWith('package:') &&
        ![topFolderOf(from), ...(packagesBelow[topFolderOf(from)] ?? [])].includes(topFolderOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('imports other packages by their names', () => {
    const wrong = imports.filter(
      ({ from, to, written }) =>
        written.startsWith('.') && ![topFolderOf(from), 'client'].includes(topFolderOf(to)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('checks a redaction without the code that made it', () => {
    const redactFolder = /^documents\/src\/redact\/([^/]+)\//;
    const shared = ['check', 'contract', 'matching'];
    const checks = imports.filter(({ from }) => redactFolder.exec(from)?.[1] === 'check');
    expect(checks.length).to.be.greaterThan(50);
    const wrong = [
      ...checks,
      ...imports.filter(({ from }) => redactFolder.exec(from)?.[1] === 'matching'),
    ].filter(({ to }) => redactFolder.test(to) && !shared.includes(redactFolder.exec(to)![1]!));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).to.deep.equal([]);
  });

  it('starts programs only where they are isolated', () => {
    const wrong = imports.filter((each) => startsPrograms(each) && !programFiles.test(each.from));
    expect(wrong.map(({ from }) => from)).to.deep.equal([]);
  });
});

function topFolderOf(file: string): string {
  return file.split('/')[0]!;
}
