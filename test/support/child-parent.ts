/**
 * A process that owns a pool: `hang` waits on a child that never ends, `idle` has nothing to do, and
 * `spare` keeps an unused child ready.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findIsolation } from '@scriptorium/sandbox/isolation';
import { extension } from '../../lab/embedded/programs.ts';
import { createChildren } from '../../packages/sandbox/src/children/pool.ts';

const children = createChildren({
  module: new URL(`./child-tasks${extension}`, import.meta.url),
  processes: 1,
  memoryBytes: 512 * 2 ** 20,
  folder: mkdtempSync(join(tmpdir(), 'children-')),
  spares: process.argv[2] === 'spare' ? 1 : 0,
  isolation: process.argv[3] === 'process' ? 'process' : findIsolation().kind,
});
const run = (name: string, deadlineMs: number) =>
  children.run({ name, input: null, isolation: 'prj_1' }, { deadlineMs });
if (process.argv[2] === 'spare') while (children.pids().length === 0) await delay(20);
else await run('echo', 30_000);
process.stdout.write(`${children.pids()[0]}\n`);
if (process.argv[2] === 'hang') {
  await run('hang', 60_000);
}
