import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  examplesFolder,
  type RecordedExchange,
  readExamples,
} from '../../src/api/openapi/examples.ts';
import { routes } from '../../src/api/routes/index.ts';
import { playAll } from '../examples/index.ts';
import { openOperations } from '../examples/teller.ts';

/**
 * The recorded examples must match what the API returns now. After an intended change, record them
 * again with `UPDATE_EXAMPLES=1 npx mocha test/api/examples.test.ts`.
 */
describe('recorded API examples', () => {
  const operations = [
    ...routes.map(({ operationId, tag }) => ({ operationId, tag })),
    ...Object.entries(openOperations).map(([operationId, { tag }]) => ({ operationId, tag })),
  ];
  let played: RecordedExchange[];
  let recorded: RecordedExchange[];
  before(async () => {
    played = await playAll();
    if (process.env.UPDATE_EXAMPLES) record(played);
    recorded = readExamples();
  });

  it('include a successful one for every operation', () => {
    const good = played.filter(({ response }) => response.status < 300);
    const shown = new Set(good.map(({ operationId }) => operationId));
    const missing = operations.filter(({ operationId }) => !shown.has(operationId));
    expect(
      missing.map(({ operationId }) => operationId),
      'add them to a scene in test/examples',
    ).to.deep.equal([]);
  });

  for (const { operationId } of operations) {
    it(`match what the API returns now: ${operationId}`, () => {
      const of = (all: RecordedExchange[]) => all.filter((one) => one.operationId === operationId);
      expect(of(played), 'UPDATE_EXAMPLES=1 records them again').to.deep.equal(of(recorded));
    });
  }

  it('have unique names per operation', () => {
    const names = played.map(({ operationId, summary }) => `${operationId}: ${summary}`);
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it('show every family of problems', () => {
    const statuses = new Set(played.map(({ response }) => response.status));
    expect([...statuses]).to.include.members([400, 401, 403, 404, 409, 412, 416, 422, 428, 429]);
  });

  /** One file per tag, so that a change of one is a change of its file only. */
  function record(all: RecordedExchange[]): void {
    rmSync(examplesFolder, { recursive: true });
    mkdirSync(examplesFolder);
    for (const tag of new Set(operations.map((one) => one.tag))) {
      const names = operations.filter((one) => one.tag === tag).map((one) => one.operationId);
      const these = names.flatMap((name) => all.filter((one) => one.operationId === name));
      const file = `${tag.toLowerCase().replaceAll(' ', '-')}.json`;
      writeFileSync(new URL(file, examplesFolder), `${JSON.stringify(these, null, 2)}\n`);
    }
  }
});
