import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fuzzApi } from '../../lab/fuzz/api/run.ts';
import { incidentsOf } from '../../lab/fuzz/api/target.ts';
import { supervise } from '../../lab/torture/supervise.ts';
import { eventually } from '../support/eventually.ts';

describe('the API, asked at random', () => {
  it('answers as its document says, shows no project another, and never fails', async () => {
    const { findings } = await fuzzApi({ seed: 21, requests: 1_500, lanes: 2 });
    const told = findings.all.map(({ what, operation, request, answer }) =>
      [`${operation}: ${what}`, request, '=>', answer].join('\n'),
    );
    expect(told).to.deep.equal([]);
    // Requests that only fail would prove little.
    expect(findings.succeeded.length).to.be.greaterThan(90);
  });

  it('is noticed if it ends without a line in its log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fuzz-api-'));
    const program = join(folder, 'silent.mjs');
    await writeFile(program, 'process.exit(1);');
    const server = supervise('server', program, { PATH: process.env.PATH }, join(folder, 'log'));
    try {
      await eventually(async () => incidentsOf(server).length > 0);
      expect(incidentsOf(server)).to.deep.equal(['The server ended. Its log: empty']);
    } finally {
      await server.end();
      await rm(folder, { recursive: true });
    }
  });
});
