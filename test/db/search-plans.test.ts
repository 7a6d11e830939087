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
    await api.rows(
      `INSERT INTO object_text (project_id, object_id, page, redacted, vector, last_position, worth,
         job_id, text)
       SELECT project_id, object_id, 1, false, v.vector, v.last_position, 1, '', 'ships at dusk ' || object_id
       FROM object_index, page_vector('ships at dusk') v`,
    );
    await api.rows('ANALYZE object, object_index, image_word, passage');
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

  for (const [name, q] of [
    ['a frequent word', 'ships'],
    ['words that are rare or missing', 'dusk nothing'],
    ['a phrase', '"ships at dusk" ship'],
  ]) {
    it(`read passages by their index: ${name}`, async () => {
      const scans = await log.scansDuring(async () => {
        const body = { query: q!, limit: 3 };
        const { status, text, json } = await api.call('POST', '/v1/search/passages', { body });
        expect(status, text).to.equal(200);
        expect(json.data).to.have.lengthOf(3);
      });
      const ofPassages = scans.filter(({ source }) =>
        /^(passage|object|image_word)\b/.test(source),
      );
      expect(ofPassages).not.to.deep.equal([]);
      const whole = ofPassages.filter(({ node }) => node.includes('Seq Scan'));
      expect(whole.map(({ statement, source }) => `${source}: ${statement}`)).to.deep.equal([]);
    });
  }
});
