/** Children that misbehave, for the tests of the pool. */
import { spawn } from 'node:child_process';
import { serveTasks } from '@scriptorium/sandbox/children/child-main';
import { EngineError } from '@scriptorium/sandbox/errors';

const keptBuffers: Buffer[] = [];
let servedCount = 0;
let warmInput: unknown = null;

serveTasks({
  /** Loads what it is told, but for what never ends, fails or kills. */
  warmUp: async (input) => {
    if (input === 'hang') await new Promise(() => {});
    if (input === 'fail') throw new TypeError('secret value at /some/path');
    if (input === 'exit') process.exit(3);
    warmInput = input;
  },
  loaded: async (_input, { isolation }) => ({
    loaded: warmInput,
    served: ++servedCount,
    isolation,
  }),
  echo: async (input) => input,
  count: async (_input, { isolation }) => ({ served: ++servedCount, isolation }),
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
    const idleScript = ['-e', 'setInterval(() => {}, 1000)'];
    return spawn(process.execPath, idleScript, { stdio: 'ignore' }).pid;
  },
  wait: () => new Promise(() => {}),
  /** Keeps 200 MiB for good. */
  hoard: async () => void keptBuffers.push(Buffer.alloc(200 * 2 ** 20, 1)),
  /** Takes 230 MiB, and does not end where something was kept before. */
  borrow: async () => {
    const buffer = Buffer.alloc(230 * 2 ** 20, 1);
    if (keptBuffers.length > 0) await new Promise(() => {});
    return buffer.length > 0;
  },
  hog: async () => {
    for (;;) keptBuffers.push(Buffer.alloc(8 * 2 ** 20, 1));
  },
});
