import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SQL that makes Postgres log every wait for a lock, and each completed migration. */
export const logWaits = [
  'ALTER SYSTEM SET log_lock_waits = on',
  `ALTER SYSTEM SET deadlock_timeout = '20ms'`,
  `ALTER SYSTEM SET log_line_prefix = '%m|%a|'`,
  `ALTER SYSTEM SET lc_messages = 'C'`,
  'SELECT pg_reload_conf()',
  // Its INSERT into the list of migrations marks the end of each.
  `ALTER ROLE owner SET log_statement = 'mod'`,
];

export interface MigrationWaits {
  name: string;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** The longest wait of another process for a lock on a table, in milliseconds; 0 below 20. */
  longestWaitMs: number;
  waitCount: number;
}

const logLine =
  /^(?<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) UTC\|(?<program>[^|]*)\|(?<rest>.*)$/;
const acquired = /acquired \w+ on relation \d+ of database \d+ after (?<ms>[\d.]+) ms/;
const inserted = /[Pp]arameters: \$1 = '\d+', \$2 = '(?<name>\w+?)\d{13}'/;

/** Reads from the log how long others waited for tables while each migration ran. */
export async function readWaits(
  dataDir: string,
  { began }: { began: number },
): Promise<MigrationWaits[]> {
  const log = await readFile(join(dataDir, 'server.log'), 'utf8');
  const migrations: MigrationWaits[] = [];
  const waits: { since: number; ms: number }[] = [];
  let start = began;
  for (const text of log.split('\n')) {
    const { at, program, rest } = logLine.exec(text)?.groups ?? {};
    if (at === undefined || rest === undefined) continue;
    const time = Date.parse(`${at.replace(' ', 'T')}Z`);
    if (time < began) continue;
    const name = program === 'scriptorium migrate' ? inserted.exec(rest)?.groups?.name : undefined;
    if (name) {
      migrations.push({ name, durationMs: time - start, longestWaitMs: 0, waitCount: 0 });
      start = time;
    }
    const ms = Number(acquired.exec(rest)?.groups?.ms ?? 0);
    if (ms > 0 && program !== 'scriptorium migrate') waits.push({ since: time - ms, ms });
  }
  let end = began;
  for (const migration of migrations) {
    const begin = end;
    end += migration.durationMs;
    const ownWaits = waits.filter(({ since }) => since >= begin && since < end);
    migration.waitCount = ownWaits.length;
    migration.longestWaitMs = Math.max(0, ...ownWaits.map(({ ms }) => ms));
  }
  return migrations;
}
