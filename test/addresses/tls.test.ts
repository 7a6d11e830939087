import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readCertificates } from '../../src/addresses/tls.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../webhooks/fixtures/${name}`, import.meta.url));

describe('certificates', () => {
  it('are read again for each connection, and kept while their files are bad', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-tls-'));
    try {
      const path = join(folder, 'ca.pem');
      await copyFile(fixture('receiver.crt'), path);
      const names = { ca: 'ca', cert: 'cert', key: 'key' };
      const certificates = readCertificates(new Map([['ca', path]]), names);
      const first = certificates.secureContext;
      await copyFile(fixture('expired.crt'), path);
      const second = certificates.secureContext;
      expect(second).to.not.equal(first);
      await writeFile(path, 'half a fi');
      expect(certificates.secureContext).to.equal(second);
      // So it is for a connection that comes later.
      expect(readCertificates(new Map([['ca', path]]), names).secureContext).to.equal(second);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
