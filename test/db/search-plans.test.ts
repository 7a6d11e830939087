import { expect } from 'chai';
import { startApi, type TestApi } from '../support/api.ts';
import { logPlans, type PlanLog } from '../support/hot/plan-log.ts';
import { addImages } from '../support/library.ts';
import { createDatabase } from '../support/services.ts';

/** Enough to make reading all of a table expensive. */
const images = 1_500;

describe('the statements of a search', () => {
  let api: TestApi;
  let log: PlanLog;
  before(async () => {
    const database = await createDatabase();
    log = await logPlans(database);
    api = await startApi({ database });
    await addImages(
      api,
      api,
      Array.from({ length: images }, (_, at) => ({
        title: `${at % 2 ? 'harbour' : 'quay'} number${at}`,
        description: at % 100 ? 'ships at dusk' : 'ships at dawn',
      })),
    );
    await api.rows('ANALYZE object, object_index, image_word');
  });
  after(async () => {
    await log.close();
    await api.close();
  });

  for (const [name, q] of [
    ['a rare word', 'number711'],
    ['a frequent word', 'harbour'],
    ['two words', 'quay dawn'],
    ['a phrase', '"ships at dawn"'],
    ['an excluded word', 'ships -harbour'],
    ['a misspelt word', 'harbuor'],
  ]) {
    it(`read objects and their words by indexes: ${name}`, async () => {
      const scans = await log.scansDuring(async () => {
        const { status, text, json } = await api.call(
          'GET',
          `/v1/search?${new URLSearchParams({ q: q! })}`,
        );
        expect(status, text).to.equal(200);
        expect(json.data).not.to.deep.equal([]);
      });
      const ofObjects = scans.filter(({ source }) => /^object(_index)?\b/.test(source));
      expect(ofObjects).not.to.deep.equal([]);
      const whole = ofObjects.filter(({ node }) => node.includes('Seq Scan'));
      expect(whole.map(({ statement, source }) => `${source}: ${statement}`)).to.deep.equal([]);
    });
  }
});
