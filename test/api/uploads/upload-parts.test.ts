import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Problem } from '@scriptorium/contracts/problems';
import { expect } from 'chai';
import fc from 'fast-check';
import { readBody } from '../../../src/api/uploads/bytes.ts';
import { decodeExtended, parseHeaderValue } from '../../../src/api/uploads/header-values.ts';
import { type PartHeaders, readForm } from '../../../src/api/uploads/multipart.ts';

async function* cut(body: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

async function read(body: Buffer, boundary: string, sizes: readonly number[]) {
  const parts: { part: PartHeaders; bytes: Buffer }[] = [];
  for await (const event of readForm(cut(body, sizes), boundary)) {
    if (event.kind === 'part') parts.push({ part: event.part, bytes: Buffer.alloc(0) });
    if (event.kind !== 'bytes') continue;
    const last = parts.at(-1)!;
    last.bytes = Buffer.concat([last.bytes, event.bytes]);
  }
  return parts;
}

describe('multipart uploads', () => {
  describe('as forms', () => {
    it('return any contents, in any chunks, even if they resemble the boundary', async () => {
      const boundary = 'aB-1';
      const near = fc.constantFrom('\r\n--aB-', '\r\n--aB-\r', '\r', '\n', '--', 'x', '\0', '\xff');
      const content = fc
        .array(fc.oneof(near, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 })
        .map((pieces) => Buffer.from(pieces.join(''), 'latin1'))
        .filter(
          (bytes) => !bytes.includes(`\r\n--${boundary}`) && bytes.indexOf(`--${boundary}`) !== 0,
        );
      const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(content, { minLength: 1, maxLength: 5 }),
          sizes,
          async (all, cuts) => {
            const written = all.map((bytes, at) =>
              Buffer.concat([
                Buffer.from(
                  `--${boundary}\r\nContent-Disposition: form-data; name="n${at}"\r\n\r\n`,
                ),
                bytes,
                Buffer.from('\r\n'),
              ]),
            );
            const body = Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
            const parts = await read(body, boundary, cuts);
            expect(parts.map(({ part }) => part.name)).to.deep.equal(all.map((_, at) => `n${at}`));
            expect(parts.map(({ bytes }) => bytes.toString('hex'))).to.deep.equal(
              all.map((bytes) => bytes.toString('hex')),
            );
          },
        ),
        { numRuns: 200 },
      );
    });

    it('accept a preamble, padding after boundaries, odd headers and an epilogue', async () => {
      const body = [
        'This is a form.\r\n--b \t\r\n',
        'x-2_y:z\r\ncontent-DISPOSITION:form-data;name=a\r\n\r\none\r\n--b\r\n',
        'Content-Disposition: form-data; name="%22b%0d%0A"; filename=""\r\n\r\n\r\n--b--\r\n',
        'More --b\r\n',
      ].join('');
      for (const size of [1, 1000]) {
        expect(await read(Buffer.from(body), 'b', [size])).to.deep.equal([
          { part: { name: 'a', filename: null, type: null }, bytes: Buffer.from('one') },
          { part: { name: '"b\r\n', filename: '', type: null }, bytes: Buffer.alloc(0) },
        ]);
      }
    });

    it('return a problem or parts for any input', async () => {
      const pieces = fc.constantFrom(
        '--b',
        '\r\n',
        '--',
        'Content-Disposition: form-data; name="a"',
        ':',
        '\0',
        'x',
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(pieces, { maxLength: 40 }),
          fc.integer({ min: 1, max: 9 }),
          async (all, size) => {
            try {
              await read(Buffer.from(all.join('')), 'b', [size]);
            } catch (error) {
              expect(error).to.be.instanceOf(Problem);
              expect((error as Problem).status).to.be.within(400, 415);
            }
          },
        ),
        { numRuns: 500 },
      );
    });

    it('pass on errors of the source', async () => {
      const problem = new Problem('request_timeout', 'late');
      async function* broken(): AsyncGenerator<Buffer> {
        yield Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nxy');
        throw problem;
      }
      let caught: unknown;
      try {
        for await (const _ of readForm(broken(), 'b'));
      } catch (error) {
        caught = error;
      }
      expect(caught).to.equal(problem);
    });
  });

  describe('with header values', () => {
    for (const [text, value, parameters] of [
      ['Form-Data', 'form-data', {}],
      ['form-data; name=a', 'form-data', { name: 'a' }],
      ['form-data;name="a;b" ; FileName = "c\\"d"', 'form-data', { name: 'a;b', filename: 'c"d' }],
      ['form-data; filename="C:\\dir\\a.txt"', 'form-data', { filename: 'C:\\dir\\a.txt' }],
      ["form-data; filename*=UTF-8''%e4", 'form-data', { 'filename*': "UTF-8''%e4" }],
      ['form-data; name=a;', 'form-data', { name: 'a' }],
    ] as const) {
      it(`read ${text}`, () => {
        const read = parseHeaderValue(text);
        expect(read?.value).to.equal(value);
        expect(Object.fromEntries(read?.parameters ?? [])).to.deep.equal(parameters);
      });
    }
    for (const text of ['a; b', 'a; =c', 'a; b="c', 'a; b=c d=e', 'a; b=1; B=2', 'a; b="c"d']) {
      it(`reject ${text}`, () => {
        expect(parseHeaderValue(text)).to.equal(null);
      });
    }
    it('read any value in linear time', () => {
      fc.assert(
        fc.property(fc.string({ maxLength: 2000 }), (text) => {
          const read = parseHeaderValue(`a; ${text}`);
          expect(read === null || read.value === 'a').to.equal(true);
        }),
      );
    });
    it('read extended values in UTF-8 only', () => {
      expect(decodeExtended("utf-8'de'%C3%A4%20b")).to.equal('ä b');
      for (const text of ["UTF-8''%e4", "ISO-8859-1''a", "UTF-8''a b", 'a', "UTF-8''%4"]) {
        expect(decodeExtended(text), text).to.equal(null);
      }
    });
  });

  describe('as bytes', () => {
    /** The result of reading a request's body while its client sends this and waits. */
    const receive = async (head: string, body: string, maxBytes: number, idleMs: number) => {
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`);
      const [request]: IncomingMessage[] = await once(server, 'request');
      let read = '';
      try {
        for await (const piece of readBody(request!, maxBytes, { idleMs })) read += piece;
        return read;
      } catch (error) {
        return error instanceof Problem ? error.code : error;
      } finally {
        expect(socket.destroyed).to.equal(false);
        socket.destroy();
        server.close();
        server.closeAllConnections();
      }
    };

    it('read the bytes as they are sent, up to the limit', async () => {
      expect(await receive('Content-Length: 4', 'four', 4, 10_000)).to.equal('four');
      expect(await receive('Content-Length: 4', 'four', 3, 10_000)).to.equal('payload_too_large');
      const chunks = '2\r\nfo\r\n2\r\nur\r\n0\r\n\r\n';
      expect(await receive('Transfer-Encoding: chunked', chunks, 4, 10_000)).to.equal('four');
      expect(await receive('Content-Length: 0', '', 4, 10_000)).to.equal('');
    });

    it('end if no more bytes arrive', async () => {
      expect(await receive('Content-Length: 9', 'four', 9, 20)).to.equal('request_timeout');
      expect(await receive('Content-Length: 9', '', 9, 20)).to.equal('request_timeout');
    });

    it('end if the bytes arrive too slowly', async () => {
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nx');
      const [request]: IncomingMessage[] = await once(server, 'request');
      const drip = setInterval(() => socket.write('x'), 10);
      let bytes = 0;
      try {
        for await (const piece of readBody(request!, 1_000_000, { idleMs: 200 })) {
          bytes += piece.length;
        }
        expect.fail('It went on for ever.');
      } catch (error) {
        expect(error).to.include({ code: 'request_timeout' });
        expect(bytes).to.be.greaterThan(0);
      } finally {
        clearInterval(drip);
        socket.destroy();
        server.close();
        server.closeAllConnections();
      }
    });
  });
});
