import { createHash } from 'node:crypto';
import { canonicalJson } from '@scriptorium/contracts/certificates/canonical';
import { readCertificateFile } from '@scriptorium/contracts/certificates/read-file';
import { hashFile, Sha256 } from '@scriptorium/contracts/certificates/sha256';
import { verdictOf } from '@scriptorium/contracts/certificates/verdict';
import {
  fileRole,
  type KnownKeys,
  verifyCertificate,
} from '@scriptorium/contracts/certificates/verify';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { bornDigitalPdf } from '../../support/samples.ts';
import { certificateFor, createKey, signWith } from '../../support/signed-certificates.ts';

const key = createKey();
const otherKey = createKey();
const noKeys: KnownKeys = { published: null, given: [] };

describe('verification of certificates', () => {
  let output: Buffer;
  let source: Buffer;
  let signed: Certificate;
  let published: KnownKeys;
  before(async () => {
    output = await bornDigitalPdf([['Dear PERSON,']]);
    source = await bornDigitalPdf([['Dear Mara,']]);
    signed = signWith(key, certificateFor(output, source));
    const { project_id: projectId } = signed.certificate;
    published = { published: { projectId, keys: [{ public_key: key.publicKey }] }, given: [] };
  });

  const hashOf = async (bytes: Uint8Array) => {
    const file = new Blob([Uint8Array.from(bytes)]);
    return { bytes: file.size, sha256: await hashFile(file) };
  };
  const judge = async (certificate: Certificate, file: Uint8Array | null, keys: KnownKeys) =>
    verdictOf(
      await verifyCertificate(certificate, keys),
      file && fileRole(certificate, await hashOf(file)),
    );
  const readBack = (certificate: Certificate): Promise<Certificate | null> =>
    readCertificateFile(new Blob([JSON.stringify(certificate, null, 2)]));

  it('confirms the certified file', async () => {
    expect(await readBack(signed)).to.deep.equal(signed);
    const verdict = await judge(signed, output, published);
    expect(verdict).to.include({ tone: 'good', title: 'Certified and unchanged' });
  });

  it('rejects the file with any other byte', async () => {
    for (const at of [0, Math.floor(output.length / 2), output.length - 1]) {
      const tampered = Buffer.from(output);
      tampered[at]! ^= 1;
      const verdict = await judge(signed, tampered, published);
      expect(verdict).to.include({ tone: 'bad', title: 'Not the certified file' });
    }
    const longer = Buffer.concat([output, Buffer.from('\n')]);
    expect((await judge(signed, longer, published)).tone).to.equal('bad');
  });

  it('rejects a certificate with any other field, whatever the file', async () => {
    const changes: object[] = [
      { pages: '1' },
      { rejected_by_type: { PERSON: 1 } },
      { reviewed: null },
      { note: 'added' },
      { outputs: [{ ...signed.certificate.outputs[0]!, bytes: 1 }] },
      { result: { ...signed.certificate.result, verified: false } },
    ];
    for (const change of changes) {
      const forged = { ...signed, certificate: { ...signed.certificate, ...change } };
      for (const keys of [published, noKeys]) {
        const verdict = await judge(forged, output, keys);
        expect(verdict.title, JSON.stringify(change)).to.equal('The certificate was changed');
      }
    }
    const reordered = JSON.parse(canonicalJson(signed)) as Certificate;
    expect((await judge(reordered, output, published)).tone).to.equal('good');
  });

  it('rejects a certificate that is nested too deeply to be checked', async () => {
    const { certificate, signature } = signed;
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const nested = { certificate: { ...certificate, options: { deep } }, signature };
    expect((await judge(nested, output, published)).title).to.equal('The certificate was changed');
  });

  it('rejects a key that the project has not published', async () => {
    const forged = signWith(otherKey, signed.certificate);
    const verdict = await judge(forged, output, published);
    expect(verdict).to.include({ tone: 'bad', title: 'Signed with an unknown key' });
    // Also under the identifier of the published key, or with its public half.
    for (const change of [{ key_id: key.id }, { key_id: key.id, public_key: key.publicKey }]) {
      const disguised = { ...forged, signature: { ...forged.signature, ...change } };
      expect((await judge(disguised, output, published)).tone).to.equal('bad');
    }
  });

  it('says if the key was not compared with published keys', async () => {
    const verdict = await judge(signWith(otherKey, signed.certificate), output, noKeys);
    expect(verdict.tone).to.equal('warn');
    expect(verdict.title).to.equal('Unchanged, but the signer is not confirmed');
    const ofOtherProject = { published: { projectId: 'prj_2', keys: [] }, given: [] };
    expect((await judge(signed, output, ofOtherProject)).tone).to.equal('warn');
    const given = { published: null, given: [key.publicKey] };
    expect((await judge(signed, output, given)).tone).to.equal('good');
    const { public_key: _key, ...withoutKey } = signed.signature;
    const old = { ...signed, signature: withoutKey };
    expect((await judge(old, output, given)).tone).to.equal('good');
    expect((await judge(old, output, noKeys)).title).to.include('the signature was not checked');
  });

  it('rejects the certificate of another file, and names the original', async () => {
    const other = await bornDigitalPdf([['Another letter.']]);
    expect((await judge(signed, other, published)).title).to.equal('Not the certified file');
    const verdict = await judge(signed, source, published);
    expect(verdict).to.include({ tone: 'warn', title: 'This is the original, not the redaction' });
  });

  it('reads the certificate attached to a PDF, which is not the certified file', async () => {
    for (const useObjectStreams of [true, false]) {
      const document = await PDFDocument.create();
      document.addPage();
      await document.attach(Buffer.from('{"version": 1}'), 'other.json');
      await document.attach(Buffer.from(JSON.stringify(signed)), 'certificate.json');
      const pdf = await document.save({ useObjectStreams });
      expect(await readCertificateFile(new Blob([Uint8Array.from(pdf)]))).to.deep.equal(signed);
      expect((await judge(signed, pdf, published)).tone).to.equal('bad');
    }
  });

  it('takes nothing else for a certificate', async () => {
    const { signature, certificate } = signed;
    const others: (string | Uint8Array)[] = [
      '',
      'null',
      '[]',
      '{"certificate": {}}',
      JSON.stringify({ certificate }),
      JSON.stringify({ certificate: { ...certificate, outputs: [null] }, signature }),
      JSON.stringify({ certificate, signature: { ...signature, algorithm: 'none' } }),
      JSON.stringify(signed).slice(0, -1),
      output,
      '%PDF-1.7 /Type /EmbeddedFile /Length 5 stream\nabcdeendstream',
      '%PDF-1.7 obj << /Type /EmbeddedFile /Filter /FlateDecode /Length 3 >> stream\nabc\nendstream',
    ];
    for (const other of others) {
      const blob = new Blob([typeof other === 'string' ? other : Uint8Array.from(other)]);
      expect(await readCertificateFile(blob), String(other).slice(0, 80)).to.equal(null);
    }
  });

  it('stops at an attachment that expands beyond the size of a certificate', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    const bomb = Buffer.concat([
      Buffer.alloc(20_000_000, ' '),
      Buffer.from(JSON.stringify(signed)),
    ]);
    await document.attach(bomb, 'certificate.json');
    const pdf = new Blob([Uint8Array.from(await document.save())]);
    expect(pdf.size).to.be.lessThan(1_000_000);
    expect(await readCertificateFile(pdf)).to.equal(null);
  });
});

describe('SHA-256 in parts', () => {
  const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  it('is that of the whole, at every boundary of blocks', () => {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, at) => (at * 37) % 256));
    for (let length = 0; length <= bytes.length; length += 1) {
      const whole = bytes.subarray(0, length);
      const hash = new Sha256();
      for (let at = 0; at < length; at += 23) hash.update(whole.subarray(at, at + 23));
      expect(hash.digest()).to.equal(expected(whole));
    }
  });

  it('reads a large file a few megabytes at a time', async () => {
    const bytes = Buffer.alloc(9_000_000, 'scriptorium');
    const steps: number[] = [];
    const hash = await hashFile(new Blob([bytes]), (read) => steps.push(read));
    expect(hash).to.equal(expected(bytes));
    expect(steps).to.deep.equal([4_194_304, 8_388_608, 9_000_000]);
  });

  it('counts the bits of files beyond 512 MiB', () => {
    // The length in bits no longer fits into 32 bits.
    const part = Buffer.alloc(64 * 1024 * 1024);
    const [ours, reference] = [new Sha256(), createHash('sha256')];
    for (let at = 0; at < 9; at += 1) {
      ours.update(part);
      reference.update(part);
    }
    expect(ours.digest()).to.equal(reference.digest('hex'));
  });
});

describe('canonical JSON', () => {
  it('is as RFC 8785 says', () => {
    const value = { b: [1e21, 0.1, -0, 'é\n\u001f'], a: { z: null, '\u20ac': true }, c: undefined };
    expect(canonicalJson(value)).to.equal(
      '{"a":{"z":null,"€":true},"b":[1e+21,0.1,0,"é\\n\\u001f"]}',
    );
  });
});
