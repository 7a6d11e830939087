/** A process that owns a pool: `hang` waits on a child that never ends, `idle` has nothing to do. */
import { createChildren } from '../../src/engines/children/child.ts';

const children = createChildren({
  module: new URL('./child-tasks.ts', import.meta.url),
  processes: 1,
  memoryBytes: 512 * 2 ** 20,
});
const pid = await children.run({ name: 'pid', input: null }, { deadlineMs: 30_000 });
process.stdout.write(`${pid}\n`);
if (process.argv[2] === 'hang') {
  await children.run({ name: 'hang', input: null }, { deadlineMs: 60_000 });
}
