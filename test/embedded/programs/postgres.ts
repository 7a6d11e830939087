import { startPostgres } from '../../../src/embedded/postgres.ts';

/** Starts Postgres, says where, and is killed as a crash would, leaving the server behind. */
const [dataDir = '', then = 'die'] = process.argv.slice(2);
const running = await startPostgres({ dataDir, durable: false });
process.stdout.write(
  `${JSON.stringify({ pid: running.pid, port: running.port, uid: process.getuid?.() })}\n`,
);
if (then === 'die') process.kill(process.pid, 'SIGKILL');
await running.stop();
