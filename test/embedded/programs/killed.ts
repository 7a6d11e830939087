import { spawn } from 'node:child_process';
import { endWithRun } from '../../support/services.ts';

/** Starts a program as a test does, prints its process ID, and is killed. */
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
await endWithRun(child);
process.stdout.write(`${child.pid}`, () => process.kill(process.pid, 'SIGKILL'));
