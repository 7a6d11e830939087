import { startPostgres } from '../../../lab/embedded/postgres/postgres.ts';

/** Starts Postgres, reports its address and is killed as in a crash, leaving the server behind. */
const [dataDir = '', then = 'die'] = process.argv.slice(2);
const running = await startPostgres({ dataDir, durable: false });
process.stdout.write(
  `${JSON.stringify({ pid: running.pid, port: running.port, uid: process.getuid?.() })}\n`,
);
if (then === 'die') process.kill(process.pid, 'SIGKILL');
await running.stop();
