/** A process that owns a pool: `hang` waits on a child that never ends, `idle` has nothing to do. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChildren } from '../../src/engines/children/child.ts';
import { findIsolation } from '../../src/engines/isolation/index.ts';

const children = createChildren({
  module: new URL('./child-tasks.ts', import.meta.url),
  processes: 1,
  memoryBytes: 512 * 2 ** 20,
  folder: mkdtempSync(join(tmpdir(), 'children-')),
  isolation: process.argv[3] === 'process' ? 'process' : findIsolation().kind,
});
const run = (name: string, deadlineMs: number) =>
  children.run({ name, input: null, isolation: 'prj_1' }, { deadlineMs });
await run('echo', 30_000);
process.stdout.write(`${children.pids()[0]}\n`);
if (process.argv[2] === 'hang') {
  await run('hang', 60_000);
}
