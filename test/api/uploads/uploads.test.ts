import { Readable } from 'node:stream';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { startApi, type TestApi } from '../../support/api.ts';
import { addPolicy } from '../../support/policies.ts';
import { createUploadPath, patch } from '../../support/tus.ts';
import {
  boundary,
  filePart,
  formField,
  formPart,
  formType,
  hashOf,
  listTempFiles,
  multipartForm,
  postForm,
  postRaw,
  sendRaw,
} from '../../support/uploads.ts';

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n');

describe('uploads', () => {
  let api: TestApi;
  let names = 0;
  const fresh = (extension = 'txt') => `file-${++names}.${extension}`;
  const eventsOf = async (id: string) => {
    const rows = await api.rows<{ type: string }>(
      'SELECT type FROM event WHERE resource_id = $1 ORDER BY ordinal',
      [id],
    );
    return rows.map(({ type }) => type);
  };

  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  describe('as requests', () => {
    it('accept a form from fetch, with tags and metadata', async () => {
      const data = new FormData();
      data.append('tags', 'Invoice');
      data.append('file', new Blob([pdf], { type: 'application/pdf' }), 'Rechnung für März.pdf');
      data.append('tags', 'ﬁne');
      data.append('metadata', JSON.stringify({ year: 2026, nested: { a: [1, null] } }));
      const response = await fetch(`${api.url}/v1/objects`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api.key}`,
          'x-service-project-id': api.projectId,
        },
        body: data,
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
      const object: any = await response.json();
      expect(response.status).to.equal(201);
      expect(response.headers.get('location')).to.equal(`/v1/objects/${object.id}`);
      expect(response.headers.get('etag')).to.equal('"1"');
      expect(object).to.deep.include({
        project_id: api.projectId,
        state: 'available',
        filename: 'Rechnung für März.pdf',
        mime: 'application/pdf',
        bytes: pdf.length,
        sha256: hashOf(pdf),
        tags: ['Invoice', 'fine'],
        metadata: { year: 2026, nested: { a: [1, null] } },
        source: { kind: 'upload', job_id: null },
        derived_from: null,
        pages: null,
        deduplicated: false,
        warnings: [],
        version: 1,
      });
      expect(await eventsOf(object.id)).to.deep.equal([
        'dam.object.created',
        'dam.object.available',
      ]);
    });

    it('accept fields in any order, a JSON array of tags and a Blob as metadata', async () => {
      const metadata = formPart(
        [
          'content-disposition: form-data; filename="blob"; name="metadata"',
          'content-type: application/json',
        ],
        '{"a":1}',
      );
      const parts = [filePart('one', fresh()), formField('tags', '["x", "y"]'), metadata];
      for (const order of [
        [0, 1, 2],
        [2, 1, 0],
        [1, 0, 2],
      ]) {
        const body = multipartForm(...order.map((at) => parts[at]!));
        const { status, json } = await postForm(api, body, {
          path: '/v1/objects?on_duplicate=allow',
        });
        expect([status, json.tags, json.metadata]).to.deep.equal([201, ['x', 'y'], { a: 1 }]);
      }
    });

    it('accept raw bytes with the three notations of a name', async () => {
      for (const given of [
        'na%C3%AFve%20%E2%82%AC.txt',
        `UTF-8''na%C3%AFve%20%E2%82%AC.txt`,
        Buffer.from('naïve €.txt').toString('latin1'),
      ]) {
        const { status, json } = await postRaw(api, 'plain', '', {
          headers: { 'x-filename': given, 'content-type': 'text/plain' },
        });
        expect(status, given).to.be.oneOf([200, 201]);
        expect([json.filename, json.mime], given).to.deep.equal(['naïve €.txt', 'text/plain']);
      }
    });

    it('store what was sent, byte for byte, whatever it contains', async () => {
      const noise = Buffer.from(
        Array.from({ length: 300_000 }, (_, at) => [13, 10, 45, 45, 120, 121, at % 256][at % 7]!),
      );
      for (const bytes of [
        noise,
        Buffer.from('\r'.repeat(200_001)),
        Buffer.from(`\r\n--${boundary.slice(0, -1)}\r\n--\r\n`),
        Buffer.from(`--${boundary}--`),
      ]) {
        const { status, json } = await postForm(api, multipartForm(filePart(bytes, fresh())));
        expect([status, json.bytes, json.sha256]).to.deep.equal([201, bytes.length, hashOf(bytes)]);
        const content = await sendRaw(api, 'GET', `/v1/objects/${json.id}/content`, {});
        expect(content.body.equals(bytes)).to.equal(true);
      }
    });

    it('read a form that arrives in pieces of any size', async () => {
      const bytes = Buffer.from(`a\r\n-b\r\n--${boundary.slice(0, 4)}c`.repeat(20));
      const body = multipartForm(
        formField('tags', 'small'),
        filePart(bytes, fresh()),
        formField('metadata', '{}'),
      );
      for (const size of [1, 2, 3, 7, 64, 1000]) {
        const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
          body.subarray(at * size, (at + 1) * size),
        );
        const answer = await sendRaw(
          api,
          'POST',
          '/v1/objects?on_duplicate=allow',
          { 'content-type': formType },
          Readable.from(pieces),
        );
        expect(answer.status, `${size}`).to.equal(201);
        expect(JSON.parse(answer.body.toString()).sha256, `${size}`).to.equal(hashOf(bytes));
      }
    });

    it('require the write scope, and wake the workers', async () => {
      const reader = await api.issue(['objects:read', 'objects:download']);
      const denied = await postRaw(api, 'x', 'x.txt', reader);
      expect([denied.status, denied.json.code]).to.deep.equal([403, 'insufficient_scope']);
      const before = api.wakeCount();
      expect((await postRaw(api, 'x', fresh())).status).to.equal(201);
      expect(api.wakeCount()).to.equal(before + 1);
    });
  });

  describe('by detected type', () => {
    // The default policies deny some of these.
    before(async () => {
      await api.rows('DELETE FROM policy');
    });
    const executable = Buffer.alloc(512);
    executable.write('MZ');
    executable.writeUInt32LE(0x80, 0x3c);
    executable.write('PE\0\0', 0x80, 'latin1');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [what, bytes, mime] of [
      ['an executable', executable, 'application/vnd.microsoft.portable-executable'],
      ['HTML', '<!DOCTYPE html><html><body>x</body></html>', 'text/html'],
      ['SVG', svg, 'image/svg+xml'],
      ['a ZIP', `PK\x05\x06${'\0'.repeat(18)}`, 'application/zip'],
      ['a PDF behind 1,000 bytes', Buffer.concat([Buffer.alloc(1000, 32), pdf]), 'application/pdf'],
    ] as const) {
      it(`are ${mime} for ${what} named scan.pdf`, async () => {
        const { status, json } = await postRaw(api, bytes as string, fresh('pdf'), {
          headers: { 'content-type': 'application/pdf' },
        });
        expect([status, json.mime]).to.deep.equal([201, mime]);
      });
    }
  });

  it('are judged by the type at the end of an archive, sent at once or in parts', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const bytes = Buffer.from(
      zipSync(
        {
          'media/picture.bin': new Uint8Array(200_000).map((_, at) => at % 251),
          'word/document.xml': strToU8('<w/>'),
          '_rels/.rels': strToU8(
            '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
          ),
          '[Content_Types].xml': strToU8(
            `<Types><Override PartName="/word/document.xml" ContentType="${docx}.main+xml"/></Types>`,
          ),
        },
        { level: 0 },
      ),
    );
    const judged = async (rule: object): Promise<unknown[]> => {
      await api.rows('DELETE FROM policy');
      await addPolicy(api, {
        actions: ['upload'],
        rules: [{ type: 'allowed_mime_types', ...rule }],
      });
      const { status, json } = await postRaw(api, bytes, fresh('docx'));
      const path = await createUploadPath(api, bytes.length, { filename: fresh('docx') });
      return [status, json.mime, (await patch(api, path, 0, bytes)).status];
    };
    expect(await judged({ include: [docx] })).to.deep.equal([201, docx, 204]);
    expect(await judged({ exclude: ['application/zip'] })).to.deep.equal([201, docx, 204]);
    expect(await judged({ exclude: [docx] })).to.deep.equal([403, undefined, 403]);
    await api.rows('DELETE FROM policy');
  });

  describe('by name', () => {
    const long = `${'ä'.repeat(400)}.pdf`;
    for (const [given, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['/absolute/path.txt', 'path.txt'],
      ['C:\\Users\\me\\letter.doc', 'letter.doc'],
      ['line\r\nbreak.txt', 'linebreak.txt'],
      ['say "hi"; x=y.txt', 'say _hi_; x=y.txt'],
      ['exe\u202Efdp.exe', 'exefdp.exe'],
      ['.hidden', '.hidden'],
      ['-rf', '-rf'],
      ['CON', 'CON'],
      ['日本語.txt', '日本語.txt'],
      ['e\u0301.txt', 'é.txt'],
      ['100%.txt', '100%.txt'],
      ['..', 'file'],
    ] as const) {
      it(`keep ${JSON.stringify(given)} as ${JSON.stringify(kept)}`, async () => {
        const raw = await postRaw(api, `raw ${given}`, given);
        expect([raw.status, raw.json.filename]).to.deep.equal([201, kept]);
        const escaped = given
          .replaceAll('\r', '%0D')
          .replaceAll('\n', '%0A')
          .replaceAll('"', '%22');
        const made = await postForm(api, multipartForm(filePart(`form ${given}`, escaped)));
        expect([made.status, made.json.filename]).to.deep.equal([201, kept]);
        const content = await sendRaw(api, 'GET', `/v1/objects/${raw.json.id}/content`, {});
        const disposition = String(content.headers['content-disposition']);
        expect(disposition).to.match(
          /^attachment; filename="[\x20-\x7e]+"(; filename\*=UTF-8''\S+)?$/,
        );
      });
    }

    it('shorten 400 characters to 255 bytes and keep the extension', async () => {
      const { json } = await postForm(api, multipartForm(filePart('long', long)));
      expect(Buffer.byteLength(json.filename)).to.be.within(250, 255);
      expect(json.filename.endsWith('ä.pdf')).to.equal(true);
    });

    it('prefer filename* over filename', async () => {
      const header = `Content-Disposition: form-data; name="file"; filename="a.txt"; filename*=UTF-8''%C3%A4.txt`;
      const { json } = await postForm(api, multipartForm(formPart([header], 'star')));
      expect(json.filename).to.equal('ä.txt');
    });

    it('read the escaped quotes of older clients', async () => {
      const header = 'Content-Disposition: form-data; name="file"; filename="a\\"b\\\\c.txt"';
      const { json } = await postForm(api, multipartForm(formPart([header], 'quoted')));
      expect(json.filename).to.equal('c.txt');
    });

    for (const [what, header, code] of [
      ['NUL', 'a%00.txt', 'null_character'],
      ['no UTF-8', '\xff.txt', 'wrong_format'],
      ['a broken escape', '100%.txt', 'wrong_format'],
      ['an escape that is not UTF-8', '%ff.txt', 'wrong_format'],
      ['a broken extended value', `UTF-8''%zz`, 'wrong_format'],
    ] as const) {
      it(`reject ${what} in X-Filename`, async () => {
        const answer = await postRaw(api, 'x', '', { headers: { 'x-filename': header } });
        expect(answer.status).to.equal(422);
        expect(answer.json.errors).to.have.length(1);
        expect(answer.json.errors[0]).to.include({ header: 'X-Filename', code });
      });
    }

    it('reject a raw body without a name', async () => {
      const answer = await postRaw(api, 'x', '', { headers: { 'x-filename': undefined } });
      expect([answer.status, answer.json.errors[0].code]).to.deep.equal([422, 'required']);
    });
  });

  describe('repeated', () => {
    it('return the existing object', async () => {
      const name = fresh();
      const first = await postForm(
        api,
        multipartForm(filePart('same', name), formField('tags', 'one')),
      );
      const plain = await postRaw(api, 'same', name);
      expect([plain.status, plain.json.id]).to.deep.equal([200, first.json.id]);
      expect([plain.json.deduplicated, plain.json.warnings]).to.deep.equal([true, []]);
      const tagged = await postForm(
        api,
        multipartForm(filePart('same', name), formField('tags', 'two')),
      );
      expect([tagged.status, tagged.json.id]).to.deep.equal([200, first.json.id]);
      expect(tagged.json.warnings).to.deep.equal(['tags_ignored']);
      expect([tagged.json.tags, tagged.json.version]).to.deep.equal([['one'], 1]);
      expect(await eventsOf(first.json.id)).to.have.length(2);
    });

    it('create an object for another name or project, or next to one in the trash', async () => {
      const name = fresh();
      const { json: first } = await postRaw(api, 'again', name);
      const path = '/v1/objects?on_duplicate=allow';
      const others = [
        await postRaw(api, 'again', fresh()),
        await postRaw(api, 'again', name, { ...api.other }),
        await postRaw(api, 'again', name, { path }),
      ];
      await api.call('DELETE', `/v1/objects/${first.id}`);
      await api.call('DELETE', `/v1/objects/${others[2]!.json.id}`);
      others.push(await postRaw(api, 'again', name));
      expect(others.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
      const ids = new Set([first.id, ...others.map(({ json }) => json.id)]);
      expect(ids.size).to.equal(5);
    });

    it('create one object for ten concurrent requests', async () => {
      const name = fresh();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => postRaw(api, 'at once', name)),
      );
      expect(new Set(answers.map(({ json }) => json.id)).size).to.equal(1);
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      expect(answers.filter(({ status }) => status === 200)).to.have.length(9);
      expect(await eventsOf(answers[0]!.json.id)).to.have.length(2);
    });
  });

  describe('with an Idempotency-Key', () => {
    it('return the same response for the same upload, and 422 for another', async () => {
      const headers = { 'idempotency-key': 'upload-1' };
      const name = fresh();
      const path = '/v1/objects?on_duplicate=allow';
      const first = await postRaw(api, 'once', name, { headers, path });
      const again = await postRaw(api, 'once', name, { headers, path });
      expect([again.status, again.text]).to.deep.equal([201, first.text]);
      expect(again.headers.get('idempotent-replayed')).to.equal('true');
      expect(again.headers.get('location')).to.equal(first.headers.get('location'));
      for (const other of [
        await postRaw(api, 'twice', name, { headers, path }),
        await postRaw(api, 'once', fresh(), { headers, path }),
        await postForm(api, multipartForm(filePart('once', name)), { headers, path }),
      ]) {
        expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency_key_reused']);
      }
      expect(await listTempFiles(api)).to.deep.equal([]);
    });

    it('create one object for five concurrent requests', async () => {
      const headers = { 'idempotency-key': 'upload-2' };
      const path = '/v1/objects?on_duplicate=allow';
      const name = fresh();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => postRaw(api, 'five', name, { headers, path })),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ json }) => json.id)).size).to.equal(1);
      expect(answers.every(({ status }) => status === 201 || status === 409)).to.equal(true);
    });
  });
});
