import type { PassageRecord } from '@scriptorium/contracts/wire/library/passages';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { addPolicy } from '../support/policies.ts';
import { type Redactions, shareRedactions } from '../support/redactions.ts';
import { bornDigitalPdf, scannedPdf } from '../support/samples.ts';

/** Through HTTP with the real engines and redaction. */
describe('the passages of a document', () => {
  let on: Redactions;
  let source: string;
  before(async () => {
    on = await shareRedactions('real');
    const pdf = await scannedPdf([
      ['The pangolin sleeps in the shade'],
      ['Contact: john.quillfeather@example.com', 'about the wildebeest on page two'],
    ]);
    source = await on.upload(pdf, 'scan.pdf');
  });
  after(() => on.close());

  const find = async (q: string, more: object = {}): Promise<PassageRecord[]> => {
    const { status, text, json } = await on.api.call('POST', '/v1/search/passages', {
      body: { query: q, ...more },
    });
    expect(status, text).to.equal(200);
    return json.data;
  };
  const run = async (id: string, ...operations: { op: string; options?: object }[]) => {
    const job = await on.run(id, operations);
    expect(job.error).to.equal(null);
  };
  const isWithinPage = ({ boxes }: PassageRecord): boolean =>
    boxes.length > 0 &&
    boxes.every(({ box: [x0, y0, x1, y1] }) => x0! >= 0 && y0! >= 0 && x1! > x0! && y1! > y0!);

  it('have the boxes of the words that a job recognised', async () => {
    await run(source, { op: 'ocr' });
    const [found] = await find('sleeping pangolin');
    expect([found!.object_id, found!.page, found!.heading_path]).to.deep.equal([source, 1, []]);
    expect(isWithinPage(found!)).to.equal(true);
  });

  it('are the chunks of a job, with their boxes, and with the id of their citation in a pack', async () => {
    await run(source, {
      op: 'normalize_for_llm',
      options: { chunk_tokens: 32, overlap_tokens: 0 },
    });
    const [found] = await find('pangolin');
    expect(found!.citation_id).to.equal(null);
    expect(isWithinPage(found!)).to.equal(true);
    const created = await on.api.call('POST', '/v1/documents/packs', {
      body: { name: 'Animals', source: { object_ids: [source] } },
    });
    await eventually(async () => {
      const { json } = await on.api.call('GET', `/v1/documents/packs/${created.json.id}`);
      return json.state === 'succeeded';
    }, 60_000);
    const [packed] = await find('pangolin');
    const { status, json } = await on.api.call(
      'GET',
      `/v1/documents/citations/${packed!.citation_id}`,
    );
    expect(status).to.equal(200);
    expect(json.text).to.equal(packed!.text);
    expect(json.boxes).to.deep.equal(packed!.boxes);
    // Every page is found once.
    expect(await find('pangolin')).to.have.lengthOf(1);
  });

  it('of a redaction are found where a policy requires one', async () => {
    await run(
      source,
      { op: 'redact_pii', options: { style: 'label' } },
      { op: 'normalize_for_llm' },
    );
    expect((await find('quillfeather')).map(({ redacted }) => redacted)).to.deep.equal([false]);
    await addPolicy(on.api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: ['EMAIL_ADDRESS'] }],
    });
    expect(await find('quillfeather')).to.deep.equal([]);
    const [found] = await find('wildebeest');
    expect(found!.redacted).to.equal(true);
    expect(found!.text).to.not.include('quillfeather');
    expect(isWithinPage(found!)).to.equal(true);
    await on.api.rows('DELETE FROM policy');
  });

  it('are those of the text in a file as soon as it is read', async () => {
    const id = await on.upload(await bornDigitalPdf([['The ferry leaves at nine']]), 'letter.pdf');
    await eventually(async () => (await find('ferries')).some(({ object_id }) => object_id === id));
    const before = (await find('ferries'))[0]!;
    expect(before.boxes).to.deep.equal([]);
    await on.api.call('GET', `/v1/objects/${id}/pages/1/text`);
    expect(isWithinPage((await find('ferries'))[0]!)).to.equal(true);
  });
});
