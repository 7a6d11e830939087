import { expect } from 'chai';
import { chunksOf } from '../../../src/jobs/recogniser/chunks.ts';
import { requirePython } from '../../support/python.ts';
import { startRecogniser, type TestRecogniser } from '../../support/recogniser.ts';

describe('the external recogniser', () => {
  let service: TestRecogniser;
  before(async function () {
    await requirePython(this);
    service = await startRecogniser();
  });
  after(() => service?.close());
  beforeEach(() => service.setMode('works'));

  const { signal } = new AbortController();
  const failureOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it('finds values at offsets in UTF-16 units, whatever precedes them', async () => {
    const client = service.connect();
    const text =
      'Dear 😀 🇩🇪 e\u0301 and \ud800 friends, Bluebird 😀😀 meets Harbour Works. My left knee.';
    const found = await client.find(text, 0.4, signal);
    const shown = found.map(({ type, start, end }) => [type, text.slice(start, end)]);
    expect(shown).to.have.deep.members([
      ['CUSTOM_CODENAME', 'Bluebird'],
      ['ORGANIZATION', 'Harbour Works'],
      ['CUSTOM_EMOJI', '😀😀'],
      ['CUSTOM_BODY_PART', 'left knee'],
    ]);
  });

  it('is asked in a language that it supports, with the minimum score and its credentials', async () => {
    const german =
      'Sehr geehrte Damen und Herren, der Brief ist für die Frau und den Mann bestimmt.';
    const french = 'Bonjour, la lettre est pour les amis de la maison et pour vous dans la ville.';
    const client = service.connect({ userInfo: 'ann:p%40ss@' });
    for (const text of [german, french, '42']) await client.find(text, 0.7, signal);
    const sent = await service.requests();
    expect(sent.map(({ language }) => language)).to.deep.equal(['de', 'en', 'en']);
    const authorization = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
    expect(sent[0]).to.deep.include({ text: german, score_threshold: 0.7, authorization });
    expect(await client.find('Bluebird', 0.9, signal)).to.deep.equal([]);
  });

  it('reads long texts in parts that overlap, so that no value is lost', async () => {
    const filler = 'word 😀 '.repeat(2_850);
    const text = `${filler}Bluebird ${filler}Bluebird ${'x'.repeat(45_000)}Bluebird`;
    const client = service.connect();
    const found = await client.find(text, 0, signal);
    const places = new Set(found.map(({ start, end }) => `${start} ${text.slice(start, end)}`));
    const expected = [...text.matchAll(/Bluebird/g)].map(({ index }) => `${index} Bluebird`);
    expect([...places].sort()).to.deep.equal(expected.sort());
    expect(Math.max(...(await service.requests()).map((sent) => sent.text.length))).to.be.at.most(
      20_000,
    );
  });

  it('cuts texts without losing or inventing a character', () => {
    const texts = [
      '',
      'short',
      '😀'.repeat(30_001),
      `${' '.repeat(50_000)}a`,
      'a\n'.repeat(35_000),
    ];
    for (const text of texts) {
      let end = 0;
      for (const chunk of chunksOf(text)) {
        expect(chunk.start).to.be.at.most(end);
        expect(text.startsWith(chunk.text, chunk.start)).to.equal(true);
        expect(chunk.text).to.not.match(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
        end = chunk.start + chunk.text.length;
      }
      expect(end).to.equal(text.length);
    }
  });

  it('is asked again after a failure', async () => {
    await service.setMode('fails once');
    expect(await service.connect().find('Bluebird', 0, signal)).to.have.length(1);
    expect(await service.requests()).to.have.length(2);
  });

  it('is asked at most three times, and not at all for a while after that', async () => {
    await service.setMode('down');
    const client = service.connect({ restMs: 3_600_000 });
    expect(await failureOf(client.find('Bluebird', 0, signal))).to.equal(
      'RecogniserError: it responded with the status 503',
    );
    expect(await service.requests()).to.have.length(3);
    expect(await failureOf(client.find('Bluebird', 0, signal))).to.equal(
      'RecogniserError: it was unavailable',
    );
    expect(await service.requests()).to.have.length(3);
  });

  const refusals: [mode: string, reason: RegExp][] = [
    ['rejects', /the status 400$/],
    ['redirects', /the status 307$/],
    ['not json', /not valid JSON$/],
    ['object', /not a list of findings$/],
    ['nan', /not valid JSON$/],
    ['null score', /`score` of finding 0 is not a number from 0 to 1$/],
    [
      'outside',
      /`start` and `end` of finding 0 are not a range in the text, which has 8 characters$/,
    ],
    ['negative', /not a range in the text/],
    ['fraction', /not a range in the text/],
    ['empty range', /not a range in the text/],
    ['no type', /`entity_type` of finding 0 is not a name of a type$/],
    ['hostile type', /`entity_type` of finding 0 is not a name of a type$/],
    ['list of null', /`entity_type` of finding 0 is not a name of a type$/],
    ['many', /has 20000 findings for one text, and the maximum is 10000$/],
    ['a million', /its response is larger than 4194304 bytes$/],
  ];
  for (const [mode, reason] of refusals) {
    it(`is not believed, and not asked again, if it answers wrongly (${mode})`, async () => {
      await service.setMode(mode);
      const failure = await failureOf(service.connect().find('Bluebird', 0, signal));
      expect(failure).to.match(reason).and.not.include('secret detail');
      expect(await service.requests()).to.have.length(1);
    });
  }

  it('is given up on after the time limit, and at once when the job is cancelled', async () => {
    await service.setMode('hangs');
    const slow = service.connect({ timeoutMs: 50 });
    expect(await failureOf(slow.find('Bluebird', 0, signal))).to.equal(
      'RecogniserError: it did not respond within 0.05 s',
    );
    const cancelled = new AbortController();
    const work = service.connect().find('Bluebird', 0, cancelled.signal);
    cancelled.abort(new Error('The job was cancelled.'));
    expect(await failureOf(work)).to.equal('Error: The job was cancelled.');
  });

  it('is unavailable if nothing listens', async () => {
    const other = await startRecogniser();
    const client = other.connect();
    await other.close();
    const late = service.connect();
    expect(await late.find('Bluebird', 0, signal)).to.have.length(1);
    expect(await failureOf(client.find('Bluebird', 0, signal))).to.match(/^RecogniserError/);
  });
});
