import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readWaits } from '../../lab/rolling/waits.ts';

describe('the waits that Postgres logs during a migration', () => {
  it('belong to the migration in which they began', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-waits-'));
    const at = (seconds: string, program: string, text: string) =>
      `2026-01-01 00:00:${seconds} UTC|scriptorium ${program}|${text}`;
    const wait = (ms: string) =>
      `LOG:  process 7 acquired RowExclusiveLock on relation 16500 of database 16384 after ${ms} ms`;
    const end = (name: string) => `DETAIL:  Parameters: $1 = '2000000000002', $2 = '${name}'`;
    await writeFile(
      join(folder, 'server.log'),
      [
        at('00.500', 'server', wait('90.000')),
        at('02.000', 'migrate', end('ObjectColours2000000000002')),
        // Its lock is released by the commit, which follows.
        at('02.100', 'server', wait('600.250')),
        at('02.200', 'worker', wait('30.000')),
        at('02.300', 'migrate', wait('200.000')),
        at('03.000', 'migrate', end('JobNames2000000000003')),
      ].join('\n'),
    );
    const began = Date.parse('2026-01-01T00:00:01.000Z');
    expect(await readWaits(folder, { began })).to.deep.equal([
      { name: 'ObjectColours', durationMs: 1_000, waitCount: 1, longestWaitMs: 600.25 },
      { name: 'JobNames', durationMs: 1_000, waitCount: 1, longestWaitMs: 30 },
    ]);
    await rm(folder, { recursive: true });
  });
});
