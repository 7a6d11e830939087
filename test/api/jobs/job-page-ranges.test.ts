import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { postRaw } from '../../support/uploads.ts';

describe('pages past the end of a document', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(async () => {
    await api.close();
  });

  let made = 0;
  /** A document with a number of pages, or null if they have not been counted. */
  const document = async (pages: number | null): Promise<string> => {
    const { json } = await postRaw(api, `%PDF-1.7\n%${++made}\n%%EOF`, `${made}.pdf`);
    await api.rows('UPDATE object SET pages = $2 WHERE id = $1', [json.id, pages]);
    return json.id;
  };
  const routes: Record<string, (source: string, pages: string) => Promise<ApiResponse>> = {
    '/v1/documents/jobs': (source_object_id, pages) =>
      api.call('POST', '/v1/documents/jobs', {
        body: { source_object_id, pages, operations: [{ op: 'ocr' }] },
      }),
    ...Object.fromEntries(
      ['ocr', 'redact', 'classify'].map((name) => [
        `/v1/documents/${name}`,
        (source_object_id: string, pages: string) =>
          api.call('POST', `/v1/documents/${name}`, { body: { source_object_id, pages } }),
      ]),
    ),
  };

  for (const [path, post] of Object.entries(routes)) {
    it(`are rejected by ${path}, even if other selected pages exist`, async () => {
      const source = await document(3);
      for (const [pages, named] of [
        ['9', 'page 9'],
        ['4', 'page 4'],
        ['1-3,7', 'page 7'],
        ['2-5', 'pages 4-5'],
        ['7,1-4', 'pages 4, 7'],
        ['999999', 'page 999999'],
      ] as const) {
        const { status, json } = await post(source, pages);
        expect([status, json.code], pages).to.deep.equal([422, 'pages_out_of_range']);
        const detail = `'${pages}' names ${named}; the document has 3 pages.`;
        expect(json.detail).to.equal(detail);
        expect(json.errors).to.deep.equal([
          { pointer: '/pages', code: 'pages_out_of_range', detail },
        ]);
      }
      for (const pages of ['3', '1-3', '2,1', '1-2,2-3']) {
        expect((await post(source, pages)).status, pages).to.equal(202);
      }
    });
  }

  it('are accepted before the pages are counted, up to the maximum of a document', async () => {
    const source = await document(null);
    expect((await routes['/v1/documents/ocr']!(source, '9')).status).to.equal(202);
    const { status, json } = await routes['/v1/documents/ocr']!(source, '1,2001');
    expect([status, json.code]).to.deep.equal([422, 'pages_out_of_range']);
  });

  it('start with page 2 for a picture', async () => {
    const source = await document(null);
    await api.rows(`UPDATE object SET mime = 'image/png' WHERE id = $1`, [source]);
    const { json } = await routes['/v1/documents/ocr']!(source, '2');
    expect(json.detail).to.equal(`'2' names page 2; the document has 1 page.`);
  });

  it('are rejected when a job that selected them is retried', async () => {
    const source = await document(null);
    const job = (await routes['/v1/documents/ocr']!(source, '1,5')).json.id;
    await api.rows(`UPDATE job SET state = 'failed' WHERE id = $1`, [job]);
    await api.rows('UPDATE object SET pages = 3 WHERE id = $1', [source]);
    const { status, json } = await api.call('POST', `/v1/documents/jobs/${job}/retry`, {
      body: { scope: 'all' },
    });
    expect([status, json.code]).to.deep.equal([422, 'pages_out_of_range']);
  });

  it('are distinguished from a reversed range', async () => {
    const { json } = await routes['/v1/documents/ocr']!(await document(3), '7-3');
    expect(json.errors[0].code).to.equal('invalid_pages');
  });
});
