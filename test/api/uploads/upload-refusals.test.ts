import { limits } from '@scriptorium/contracts/limits';
import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  boundary,
  countObjects,
  filePart,
  formField,
  formPart,
  formType,
  listTempFiles,
  multipartForm,
  openUpload,
  postForm,
  postRaw,
  readToEnd,
} from '../../support/uploads.ts';

describe('rejected uploads', () => {
  let api: TestApi;
  let names = 0;
  const fresh = () => `file-${++names}.txt`;

  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  describe('by cause', () => {
    const file = filePart('x', 'x.txt');
    const table: [what: string, body: Buffer, status: number, code: string, fault?: object][] = [
      [
        'no file',
        multipartForm(formField('tags', 'a')),
        422,
        'validation_failed',
        { pointer: '/file', code: 'required' },
      ],
      [
        'two files',
        multipartForm(file, file),
        422,
        'validation_failed',
        { pointer: '/file', code: 'too_many' },
      ],
      [
        'an empty file',
        multipartForm(filePart('')),
        422,
        'validation_failed',
        { pointer: '/file', code: 'empty_file' },
      ],
      [
        'a file that is text',
        multipartForm(formField('file', 'a.txt')),
        422,
        'validation_failed',
        { pointer: '/file', code: 'wrong_type' },
      ],
      [
        'an unknown field',
        multipartForm(file, formField('colour', 'red')),
        422,
        'unknown_field',
        { pointer: '/colour', code: 'unknown_field' },
      ],
      [
        '__proto__',
        multipartForm(file, formField('__proto__', '{}')),
        422,
        'unknown_field',
        { pointer: '/__proto__', code: 'unknown_field' },
      ],
      [
        'a file called __proto__',
        multipartForm(file, filePart('x', 'x', '__proto__')),
        422,
        'unknown_field',
        { pointer: '/__proto__', code: 'unknown_field' },
      ],
      [
        'constructor',
        multipartForm(file, formField('constructor', 'x')),
        422,
        'unknown_field',
        { pointer: '/constructor', code: 'unknown_field' },
      ],
      [
        'metadata twice',
        multipartForm(file, formField('metadata', '{}'), formField('metadata', '{}')),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'duplicate_field' },
      ],
      [
        'metadata that is not JSON',
        multipartForm(file, formField('metadata', '{a:1}')),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'malformed_json' },
      ],
      [
        'metadata that is a list',
        multipartForm(file, formField('metadata', '[]')),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'wrong_type' },
      ],
      [
        'empty metadata',
        multipartForm(file, formField('metadata', '')),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'empty_body' },
      ],
      [
        '__proto__ in metadata',
        multipartForm(file, formField('metadata', '{"__proto__":{"a":1}}')),
        422,
        'unknown_field',
        { pointer: '/metadata/__proto__', code: 'unknown_field' },
      ],
      [
        'NUL in metadata',
        multipartForm(file, formField('metadata', '{"a":"\\u0000"}')),
        422,
        'validation_failed',
        { pointer: '/metadata/a', code: 'null_character' },
      ],
      [
        'deep metadata',
        multipartForm(file, formField('metadata', `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`)),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'too_deep' },
      ],
      [
        'much metadata',
        multipartForm(file, formField('metadata', JSON.stringify({ a: 'x'.repeat(16 * 1024) }))),
        422,
        'validation_failed',
        { pointer: '/metadata', code: 'too_large' },
      ],
      [
        'an empty tag',
        multipartForm(file, formField('tags', ' ')),
        422,
        'validation_failed',
        { pointer: '/tags/0', code: 'too_short' },
      ],
      [
        'a long tag',
        multipartForm(file, formField('tags', 'a'), formField('tags', 'x'.repeat(101))),
        422,
        'validation_failed',
        { pointer: '/tags/1', code: 'too_long' },
      ],
      [
        'a tag with NUL',
        multipartForm(file, formField('tags', 'a\0b')),
        422,
        'validation_failed',
        { pointer: '/tags', code: 'null_character' },
      ],
      [
        'a tag that is not UTF-8',
        multipartForm(file, formField('tags', Buffer.from([0xff]))),
        422,
        'validation_failed',
        { pointer: '/tags', code: 'invalid_utf8' },
      ],
      [
        'tags that are numbers',
        multipartForm(file, formField('tags', '[1]')),
        422,
        'validation_failed',
        { pointer: '/tags', code: 'wrong_type' },
      ],
      [
        '101 tags',
        multipartForm(
          file,
          formField('tags', JSON.stringify(Array.from({ length: 101 }, (_, n) => `t${n}`))),
        ),
        422,
        'validation_failed',
        { pointer: '/tags', code: 'too_many' },
      ],
      [
        '129 parts',
        multipartForm(file, ...Array.from({ length: 128 }, () => formField('tags', 'a'))),
        413,
        'payload_too_large',
      ],
      [
        '10,000 parts',
        multipartForm(...Array.from({ length: 10_000 }, () => formField('x', ''))),
        413,
        'payload_too_large',
      ],
      [
        'a field of 300 KB',
        multipartForm(file, formField('metadata', 'x'.repeat(300_000))),
        413,
        'payload_too_large',
      ],
      [
        'a field name of 1 MB',
        multipartForm(file, formField('x'.repeat(1_000_000), '')),
        400,
        'malformed_request',
      ],
      [
        'a header name of 1 MB',
        multipartForm(formPart([`${'x'.repeat(1_000_000)}: 1`], '')),
        400,
        'malformed_request',
      ],
      [
        '30 headers',
        multipartForm(
          formPart(
            Array.from({ length: 30 }, (_, n) => `x${'y'.repeat(n)}: 1`),
            '',
          ),
        ),
        400,
        'malformed_request',
      ],
      [
        'a nested form',
        multipartForm(
          formPart(
            [
              'Content-Disposition: form-data; name="file"',
              'Content-Type: multipart/mixed; boundary=b',
            ],
            '--b--',
          ),
        ),
        400,
        'malformed_request',
      ],
      [
        'a part without a name',
        multipartForm(formPart(['Content-Disposition: form-data; filename="x"'], 'x')),
        400,
        'malformed_request',
      ],
      [
        'a part with two names',
        multipartForm(formPart(['Content-Disposition: form-data; name="tags"; name="file"'], 'x')),
        400,
        'malformed_request',
      ],
      [
        'a part without headers',
        Buffer.from(`--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`),
        400,
        'malformed_request',
      ],
      [
        'a header twice',
        multipartForm(
          formPart(
            [
              'Content-Disposition: form-data; name="file"; filename="a"',
              'Content-Disposition: form-data; name="tags"',
            ],
            'x',
          ),
        ),
        400,
        'malformed_request',
      ],
      [
        'an attachment',
        multipartForm(formPart(['Content-Disposition: attachment; name="file"'], 'x')),
        400,
        'malformed_request',
      ],
      [
        'a name that is not UTF-8',
        Buffer.from(multipartForm(filePart('x', '\xff')).toString(), 'latin1'),
        400,
        'malformed_request',
      ],
      [
        'base64',
        multipartForm(
          formPart(
            [
              'Content-Disposition: form-data; name="file"; filename="a"',
              'Content-Transfer-Encoding: base64',
            ],
            'eA==',
          ),
        ),
        415,
        'unsupported_media_type',
      ],
      ['no last boundary', multipartForm(file).subarray(0, -8), 400, 'malformed_request'],
      ['an end in the headers', multipartForm(file).subarray(0, 30), 400, 'malformed_request'],
      [
        'another boundary',
        Buffer.from(multipartForm(file).toString().replaceAll(boundary, 'other')),
        400,
        'malformed_request',
      ],
      ['no parts', multipartForm(), 400, 'malformed_request'],
      ['no form', Buffer.from('hello'), 400, 'malformed_request'],
      ['NUL in a name', multipartForm(filePart('x', 'a\0b.txt')), 400, 'malformed_request'],
    ];
    for (const [what, body, status, code, fault] of table) {
      it(`${what}: ${status} ${code}`, async () => {
        const before = await countObjects(api);
        const answer = await postForm(api, body);
        expect([answer.status, answer.json.code], answer.text).to.deep.equal([status, code]);
        if (fault) {
          expect(answer.json.errors).to.have.length(1);
          expect(answer.json.errors[0]).to.include(fault);
        }
        expect(await countObjects(api)).to.equal(before);
        expect(await listTempFiles(api)).to.deep.equal([]);
      });
    }

    it('reports all faults at once', async () => {
      const body = multipartForm(
        filePart(''),
        formField('tags', ''),
        formField('metadata', '1'),
        formField('x', ''),
      );
      const { json } = await postForm(api, body);
      expect(json.errors.map((one: { pointer: string }) => one.pointer)).to.have.members([
        '/file',
        '/tags/0',
        '/metadata',
        '/x',
      ]);
    });

    const x = Buffer.from('x');
    for (const [what, headers, status, code] of [
      ['gzip', { 'content-encoding': 'gzip', 'x-filename': 'a' }, 415, 'unsupported_media_type'],
      [
        'multipart/mixed',
        { 'content-type': 'multipart/mixed; boundary=b' },
        415,
        'unsupported_media_type',
      ],
      ['no boundary', { 'content-type': 'multipart/form-data' }, 400, 'malformed_request'],
      [
        'an empty boundary',
        { 'content-type': 'multipart/form-data; boundary=""' },
        400,
        'malformed_request',
      ],
      [
        'a long boundary',
        { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` },
        400,
        'malformed_request',
      ],
      [
        'two boundaries',
        { 'content-type': 'multipart/form-data; boundary=a; boundary=b' },
        415,
        'unsupported_media_type',
      ],
      [
        'no type at all',
        { 'content-type': 'nothing', 'x-filename': 'a' },
        415,
        'unsupported_media_type',
      ],
      [
        'too much announced',
        { 'content-length': String(limits.direct_upload_bytes + 1), 'x-filename': 'a' },
        413,
        'payload_too_large',
      ],
      [
        '10 GB announced, waiting',
        { 'content-length': '10000000000', 'x-filename': 'a', expect: '100-continue' },
        413,
        'payload_too_large',
      ],
      ['an empty body', { 'content-length': '0', 'x-filename': 'a' }, 422, 'validation_failed'],
    ] as const) {
      it(`${what}: ${status} ${code}`, async () => {
        const announced = 'content-length' in headers;
        const body = announced ? undefined : x;
        const socket = await openUpload(api, {
          'content-type': 'text/plain',
          ...(body ? { 'content-length': String(body.length) } : {}),
          connection: 'close',
          ...headers,
        });
        if (body) socket.write(body);
        const answer = await readToEnd(socket);
        expect(answer).to.match(new RegExp(`^HTTP/1.1 ${status} `));
        expect(answer).to.include(`"code":"${code}"`);
        expect(answer).not.to.include('100 Continue');
      });
    }

    it('an unknown query parameter: 400', async () => {
      const { status, json } = await postRaw(api, 'x', 'x', { path: '/v1/objects?duplicate=1' });
      expect([status, json.code]).to.deep.equal([400, 'unknown_parameter']);
    });

    it('sends 100 Continue once the body is expected', async () => {
      const socket = await openUpload(api, {
        'content-type': 'text/plain',
        'x-filename': fresh(),
        'content-length': '2',
        expect: '100-continue',
        connection: 'close',
      });
      const [first] = await new Promise<[Buffer]>((resolve) =>
        socket.once('data', (chunk) => resolve([Buffer.from(chunk)])),
      );
      expect(first.toString()).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('ok');
      expect(await readToEnd(socket)).to.match(/^HTTP\/1.1 201 /);
    });

    it('get a response although the client stalls in the middle of the body', async () => {
      const parts = Array.from({ length: 129 }, () => formField('tags', 'a'));
      for (const [headers, start, status] of [
        [{ 'content-type': formType }, Buffer.concat(parts), 413],
        [{ 'content-type': formType }, Buffer.concat([filePart('x'), filePart('y')]), 422],
        [{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, Buffer.from('x'), 415],
      ] as const) {
        const socket = await openUpload(api, { ...headers, 'content-length': '1000000' });
        socket.write(start);
        // The response comes, and then the end, without another byte from the client.
        expect(await readToEnd(socket)).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      }
      expect(await listTempFiles(api)).to.deep.equal([]);
    });

    it('get a response although the client keeps sending, as does its next request', async () => {
      const body = multipartForm(
        formField('metadata', 'x'.repeat(300_000)),
        filePart('y'.repeat(4_000_000)),
      );
      const answer = await postForm(api, body);
      expect(answer.status).to.equal(413);
      expect((await api.call('GET', '/v1/objects?limit=1')).status).to.equal(200);
    });
  });
});
