/**
 * A process with a secret, as a worker has some, whose child was taken over: prints what the child
 * found, as JSON. Arguments: the kind of isolation, a folder of storage, other files with the
 * secret; SECRET is in its environment.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isolationKinds, isolationOf } from '@scriptorium/sandbox/isolation';
import { findProgram } from '@scriptorium/sandbox/isolation/programs';
import { type Children, createChildren } from '../../packages/sandbox/src/children/pool.ts';
import { fileViewOf } from '../../packages/sandbox/src/isolation/view.ts';
import { checkout } from './run.ts';

const [, , kindName = '', storage = '', ...secretFiles] = process.argv;
const kind = isolationKinds.find((one) => one === kindName);
if (!kind) throw new Error(`Unknown isolation '${kindName}'.`);
const perl = '/usr/bin/perl';
const hasPerl = process.arch === 'x64' && statSync(perl, { throwIfNoEntry: false }) !== undefined;

const module = new URL('./hostile-child.mjs', import.meta.url);
const programs = hasPerl ? [perl] : [];

/** Returns the paths that the child is meant to see. */
function visiblePaths(): string[] {
  const tools = ['prlimit', 'setpriv'].flatMap((name) => findProgram(name) ?? []);
  const { paths, links } = fileViewOf(fileURLToPath(module), [...programs, ...tools]);
  return [...paths, ...links.map(([path]) => path)];
}

async function takeOver(children: Children, folder: string): Promise<object> {
  let connections = 0;
  const server = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  const abstract = `scriptorium-takeover-${process.pid}`;
  const local = createServer(() => (connections += 1)).listen(`\0${abstract}`);
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  socket.on('message', () => (connections += 1));
  await Promise.all([
    once(server, 'listening'),
    once(local, 'listening'),
    once(socket, 'listening'),
  ]);
  const address = server.address();
  const allowedPaths = visiblePaths();
  const files = [
    storage,
    ...secretFiles,
    join(checkout, '.data'),
    join(checkout, '.git'),
    homedir(),
  ];
  files.push('/etc/passwd', '/etc/shadow', '/proc/1/status', '/proc/self/mounts', '/root', '/home');
  // The box of another child.
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'secret'), process.env.SECRET ?? '');
  files.push(other, join(other, 'secret'));
  const run = (name: string, input: object, isolation = 'prj_1') =>
    children.run({ name, input, isolation }, { deadlineMs: 600_000 });
  const found = await run('attack', {
    secret: process.env.SECRET,
    parent: process.pid,
    files,
    meant: [...allowedPaths, join(folder, 'box-0')],
    folders: [
      '/',
      '/tmp',
      '/dev',
      '/dev/shm',
      '/usr/lib',
      storage,
      checkout,
      dirname(folder),
      folder,
    ],
    port: typeof address === 'object' ? address?.port : 0,
    udp: socket.address().port,
    abstract,
    perl: hasPerl ? perl : null,
  });
  await rm(other, { recursive: true });
  await run('leave', { files: [] });
  const next = await run(
    'leave',
    { files: readdirSync(folder).map((name) => join(folder, name, 'tmp')) },
    'prj_2',
  );
  server.close();
  local.close();
  socket.close();
  const leadingFolders = files.filter((path) =>
    allowedPaths.some((one) => one.startsWith(`${path}/`)),
  );
  return { ...Object(found), next, connections, leading: leadingFolders };
}

if (isolationOf(kind) === null) {
  process.stdout.write('null\n');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'takeover-'));
  const children = createChildren({
    module,
    programs,
    processes: 1,
    memoryBytes: 512 * 2 ** 20,
    folder,
    isolation: kind,
  });
  const found = await takeOver(children, folder);
  await children.close();
  const remaining = readdirSync(folder);
  await rm(folder, { recursive: true });
  process.stdout.write(`${JSON.stringify({ ...found, left: remaining })}\n`);
}
