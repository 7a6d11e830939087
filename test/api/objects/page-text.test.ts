import { newId } from '@scriptorium/contracts/ids';
import type { PageText } from '@scriptorium/contracts/wire/library/page-text';
import { expect } from 'chai';
import { toStored } from '../../../src/jobs/operations/earlier-result.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { recognisedPage } from '../../support/page-results.ts';
import { addPolicy } from '../../support/policies.ts';
import {
  bornDigitalPdf,
  imageOf,
  pageHeight,
  pageWidth,
  scannedPdf,
} from '../../support/samples.ts';
import { postRaw, type RawResponse } from '../../support/uploads.ts';

describe('the words of pages', () => {
  let api: TestApi;
  let worker: TestImaging;
  let pdf: string;
  before(async () => {
    api = await startApi();
    worker = await openImaging(api);
    pdf = await upload(await bornDigitalPdf([['The quay', 'at dusk'], ['Second']]), 'two.pdf');
  });
  after(async () => {
    await worker.close();
    await api.close();
  });
  beforeEach(() => api.rows('DELETE FROM policy'));

  const upload = async (bytes: Buffer, filename: string): Promise<string> =>
    (await postRaw(api, bytes, filename)).json.id;
  const get = (id: string, page: number | string): Promise<RawResponse> =>
    worker.sendAndProcess('GET', `/v1/objects/${id}/pages/${page}/text`);
  const read = async (id: string, page = 1): Promise<PageText> => {
    const { status, body } = await get(id, page);
    expect(status, body.toString()).to.equal(200);
    return JSON.parse(body.toString());
  };
  const textOf = ({ words }: PageText): string => words.map(({ text }) => text).join(' ');
  const statusAndCode = ({ status, body }: RawResponse) => [
    status,
    JSON.parse(body.toString()).code,
  ];
  /** Stores the text that an `ocr` job recognised on page 1 of an object. */
  const recognise = async (id: string, text: string, sealed = false): Promise<void> => {
    const job = newId('job');
    await api.rows(
      `INSERT INTO job (id, project_id, source_object_id, origin, state)
       VALUES ($1, $2, $3, '{}', 'succeeded')`,
      [job, api.projectId, id],
    );
    await api.rows(
      `INSERT INTO job_operation (project_id, job_id, index, op, options) VALUES ($1, $2, 0, 'ocr', '{}')`,
      [api.projectId, job],
    );
    const box: [number, number, number, number] = [40, 50, 90, 62];
    const words = [{ text, box, confidence: 0.9, line: 0, source: 'ocr' as const }];
    await api.rows(
      `INSERT INTO job_page (project_id, job_id, operation_index, page, state, words, sealed)
       VALUES ($1, $2, 0, 1, 'succeeded', $3, $4)`,
      [api.projectId, job, await toStored(recognisedPage({ words })), sealed],
    );
  };

  it('are those of the file, with positions in points and their lines', async () => {
    const text = await read(pdf);
    expect(text).to.include({ page: 1, width: pageWidth, height: pageHeight, source: 'file' });
    expect(textOf(text)).to.equal('The quay at dusk');
    expect(text.words.map(({ line }) => line)).to.deep.equal([0, 0, 1, 1]);
    const [[left, top, right, bottom] = []] = text.words.map(({ box }) => box);
    expect(left).to.be.closeTo(40, 2);
    expect(right! - left!).to.be.within(15, 40);
    expect(top).to.be.within(30, 50);
    expect(bottom! - top!).to.be.within(8, 24);
    expect(textOf(await read(pdf, 2))).to.equal('Second');
  });

  it('are extracted only once', async () => {
    await read(pdf);
    const count = () => api.rows(`SELECT count(*) AS n FROM task WHERE kind = 'object.words'`);
    const countBefore = await count();
    await read(pdf);
    expect(await count()).to.deep.equal(countBefore);
  });

  it('of scans are those that the latest job recognised, if any', async () => {
    const scan = await upload(await scannedPdf([['Nothing is typed']]), 'scan.pdf');
    expect(await read(scan))
      .to.include({ source: null })
      .and.to.deep.include({ words: [] });
    await recognise(scan, 'Earlier');
    await recognise(scan, 'Latest');
    const text = await read(scan);
    expect([text.source, textOf(text)]).to.deep.equal(['ocr', 'Latest']);
    expect(text.words[0]!.box).to.deep.equal([40, 50, 90, 62]);
    const picture = await upload(await imageOf('png', ['A picture']), 'scan.png');
    expect((await read(picture)).source).to.equal(null);
    await recognise(picture, 'Pictured');
    expect(textOf(await read(picture))).to.equal('Pictured');
  });

  it('leave out what was recognised for a redaction', async () => {
    const scan = await upload(await scannedPdf([['Sealed']]), 'sealed.pdf');
    await recognise(scan, 'Sealed', true);
    expect(await read(scan)).to.include({ source: null });
  });

  it('return 404 for a page after the last one, and 409 for files without positions', async () => {
    expect(statusAndCode(await get(pdf, 3))).to.deep.equal([404, 'not_found']);
    expect(statusAndCode(await get(pdf, 'one'))).to.deep.equal([404, 'not_found']);
    const note = await upload(Buffer.from('Hello'), 'note.txt');
    const broken = await upload(Buffer.from('%PDF-1.7\nnothing'), 'broken.pdf');
    for (const id of [note, broken]) {
      expect(statusAndCode(await get(id, 1))).to.deep.equal([409, 'state_conflict']);
    }
  });

  it('are denied by read policies, even if they have been read before', async () => {
    await read(pdf);
    await addPolicy(api, {
      actions: ['read'],
      rules: [{ type: 'allowed_mime_types', exclude: ['application/pdf'] }],
    });
    expect(statusAndCode(await get(pdf, 1))).to.deep.equal([403, 'policy_denied']);
  });

  it('are those of the redaction if a policy serves it', async () => {
    const source = await upload(await bornDigitalPdf([['Secret']]), 'secret.pdf');
    await recognise(source, 'Secret');
    expect(textOf(await read(source))).to.equal('Secret');
    await addPolicy(api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: 'all', fallback: 'serve_redacted' }],
    });
    expect(statusAndCode(await get(source, 1))).to.deep.equal([403, 'policy_denied']);
    const output = await upload(await bornDigitalPdf([['Redacted']]), 'redacted.pdf');
    await api.rows('UPDATE object SET derived_from = $2 WHERE id = $1', [output, source]);
    await api.rows(
      `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
       VALUES ($1, $2, $3, true, NULL, true)`,
      [api.projectId, output, source],
    );
    expect(textOf(await read(source))).to.equal('Redacted');
  });
});
