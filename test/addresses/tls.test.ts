import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { logInvalidFiles, readCertificates } from '../../src/addresses/tls.ts';
import { createLogger } from '../../src/logger.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../webhooks/fixtures/${name}`, import.meta.url));

describe('certificates', () => {
  it('are read again for each connection, and kept while their files are bad', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-tls-'));
    try {
      const path = join(folder, 'ca.pem');
      await copyFile(fixture('receiver.crt'), path);
      const names = { ca: 'ca', cert: 'cert', key: 'key' };
      const lines: Record<string, unknown>[] = [];
      logInvalidFiles(
        createLogger('info', 'test', { write: (line) => lines.push(JSON.parse(line)) }),
      );
      const reasons = () => lines.map(({ reason }) => reason);
      const certificates = readCertificates(new Map([['ca', path]]), names);
      const first = certificates.secureContext;
      await copyFile(fixture('expired.crt'), path);
      const second = certificates.secureContext;
      expect(second).to.not.equal(first);
      await writeFile(path, 'half a fi');
      expect(certificates.secureContext).to.equal(second);
      // So it is for a connection that comes later.
      expect(readCertificates(new Map([['ca', path]]), names).secureContext).to.equal(second);
      // That is logged once, and without what the file contains.
      const noPem = `names the file ${path} in 'ca', which is not a PEM file`;
      expect(reasons()).to.deep.equal([noPem]);
      expect(lines[0]).to.deep.include({ level: 40, files: [path] });
      await rm(path);
      expect(certificates.secureContext).to.equal(second);
      const gone = `names the file ${path} in 'ca', which cannot be read (ENOENT)`;
      expect(reasons()).to.deep.equal([noPem, gone]);
      await copyFile(fixture('receiver.crt'), path);
      expect(certificates.secureContext).to.not.equal(second);
      expect(lines[2]).to.deep.include({ level: 30, msg: 'the TLS files are valid again' });
    } finally {
      logInvalidFiles(null);
      await rm(folder, { recursive: true });
    }
  });
});
