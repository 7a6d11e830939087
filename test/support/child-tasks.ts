/** Children that misbehave, for the tests of the pool. */
import { spawn } from 'node:child_process';
import { serveTasks } from '@scriptorium/sandbox/children/child-main';
import { EngineError } from '@scriptorium/sandbox/errors';

const hoard: Buffer[] = [];
let served = 0;
let loaded: unknown = null;

serveTasks({
  /** Loads what it is told, but for what never ends, fails or kills. */
  warmUp: async (input) => {
    if (input === 'hang') await new Promise(() => {});
    if (input === 'fail') throw new TypeError('secret value at /some/path');
    if (input === 'exit') process.exit(3);
    loaded = input;
  },
  loaded: async (_input, { isolation }) => ({ loaded, served: ++served, isolation }),
  echo: async (input) => input,
  count: async (_input, { isolation }) => ({ served: ++served, isolation }),
  environment: async () => Object.keys(process.env),
  refuse: async () => {
    throw new EngineError('damaged', 'The document is damaged.');
  },
  fail: async () => {
    throw new TypeError('secret value at /some/path');
  },
  fill: async () => {
    throw Object.assign(new Error('ENOSPC: write /some/path'), { code: 'ENOSPC' });
  },
  crash: async () => process.abort(),
  exit: async () => process.exit(3),
  hang: async () => {
    for (;;);
  },
  /** Starts a process that outlives its task. */
  start: async () => {
    const waits = ['-e', 'setInterval(() => {}, 1000)'];
    return spawn(process.execPath, waits, { stdio: 'ignore' }).pid;
  },
  wait: () => new Promise(() => {}),
  /** Keeps 200 MiB for good. */
  hoard: async () => void hoard.push(Buffer.alloc(200 * 2 ** 20, 1)),
  /** Takes 230 MiB, and does not end where something was kept before. */
  borrow: async () => {
    const taken = Buffer.alloc(230 * 2 ** 20, 1);
    if (hoard.length > 0) await new Promise(() => {});
    return taken.length > 0;
  },
  hog: async () => {
    for (;;) hoard.push(Buffer.alloc(8 * 2 ** 20, 1));
  },
});
