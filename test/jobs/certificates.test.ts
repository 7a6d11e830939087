import { createPublicKey, verify } from 'node:crypto';
import { isDescribedCheck } from '@scriptorium/contracts/certificates/words';
import type { Certificate } from '@scriptorium/contracts/wire/certificates';
import { expect } from 'chai';
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { eventually } from '../support/eventually.ts';
import { type Reviews, shareReviews } from '../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';

/** As docs/guides/certificates.md says, with nothing of the service. */
function isGenuine({ certificate, signature }: Certificate, publicKey: string): boolean {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, one]) => [name, sorted(one)]),
          )
        : value;
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'base64').toString('base64url') },
  });
  const signed = Buffer.from(JSON.stringify(sorted(certificate)));
  return verify(null, signed, key, Buffer.from(signature.value, 'base64'));
}

/** The pictures in a PDF. */
async function imagesOf(pdf: Uint8Array): Promise<PDFRawStream[]> {
  const { context } = await PDFDocument.load(pdf);
  return context
    .enumerateIndirectObjects()
    .map(([, one]) => one)
    .filter((one) => one instanceof PDFRawStream)
    .filter(({ dict }) => dict.get(PDFName.of('Subtype'))?.toString() === '/Image');
}

describe('certificates of redactions', () => {
  let on: Reviews;
  before(async () => {
    on = await shareReviews();
  });
  after(() => on.close());

  const fetchPdf = (jobId: string, key = on.api.key) =>
    fetch(`${on.api.url}${path(jobId)}`, {
      headers: {
        accept: 'application/pdf',
        authorization: `Bearer ${key}`,
        'x-service-project-id': on.api.projectId,
      },
    });
  const path = (jobId: string) => `/v1/documents/jobs/${jobId}/certificate`;

  it('say what was redacted and who reviewed it, and verify', async () => {
    const source = await on.upload(
      await bornDigitalPdf([['Dear Mara Kleinhoevel,', 'write to mara@example.org.']]),
      'Mara Kleinhoevel.pdf',
    );
    const review = await on.awaitReview(source, { allow_list: ['Kleinhoevel GmbH'] });
    const early = await on.api.call('GET', path(review.job_id));
    expect([early.status, early.json.code]).to.deep.equal([409, 'state_conflict']);
    expect((await on.submit(review.id, { pending: 'accept' })).status).to.equal(200);
    const job = await on.untilFinished(review.job_id);
    const answers = await Promise.all([1, 2].map(() => on.api.call('GET', path(job.id))));
    const [signed, again] = answers.map(({ json }): Certificate => json);
    expect(again).to.deep.equal(signed);
    const { certificate, signature } = signed!;
    const object = await on.api.call('GET', `/v1/objects/${source}`);
    expect(certificate.source).to.deep.include({ object_id: source, sha256: object.json.sha256 });
    expect(certificate.outputs[0]!.sha256).to.equal(job.outputs[0]!.sha256);
    expect(certificate.result.verified).to.equal(true);
    const checks = certificate.result.checks.map(({ name }) => name);
    expect(checks.length).to.be.greaterThan(5);
    expect(
      checks.filter((name) => !isDescribedCheck(name)),
      'without words',
    ).to.deep.equal([]);
    expect(certificate.first_page).to.include({ width: 420, height: 595 });
    expect(certificate.first_page!.boxes.length).to.be.greaterThan(1);
    expect(certificate.reviewed).to.deep.include({ added: 0, rejected: 0 });
    expect(certificate.reviewed!.by).to.deep.equal([
      { type: 'api_key', id: on.api.keyId, name: null, role: null },
    ]);
    expect(certificate.engines).to.include.keys('pdfium', 'pdfjs', 'tesseract', 'name_weights');
    expect(JSON.stringify(certificate)).to.not.match(/mara|kleinhoevel/i);

    const keys = await on.api.call('GET', '/v1/documents/certificate-keys');
    const [key] = keys.json.data;
    expect([key.id, key.public_key]).to.deep.equal([signature.key_id, signature.public_key]);
    expect(isGenuine(signed!, key.public_key)).to.equal(true);
    const forged = { ...certificate, pages: '1' };
    expect(isGenuine({ certificate: forged, signature }, key.public_key)).to.equal(false);
  });

  it('are also PDFs that contain what is signed', async () => {
    const source = await on.upload(await bornDigitalPdf([['Call +49 30 1234567.']]), 'call.pdf');
    const job = await on.redact(source);
    const json: Certificate = (await on.api.call('GET', path(job.id))).json;
    expect(json.certificate.reviewed).to.equal(null);
    const answer = await fetchPdf(job.id);
    expect(answer.headers.get('content-type')).to.equal('application/pdf');
    const document = await PDFDocument.load(await answer.arrayBuffer());
    const attached = document.context
      .enumerateIndirectObjects()
      .map(([, one]) => one)
      .find(
        (one) =>
          one instanceof PDFRawStream &&
          one.dict.get(PDFName.of('Type'))?.toString() === '/EmbeddedFile',
      );
    if (!(attached instanceof PDFRawStream)) throw new Error('Nothing is attached.');
    const text = Buffer.from(decodePDFRawStream(attached).decode()).toString();
    expect(JSON.parse(text)).to.deep.equal(json);
    const strange = await on.api.call('GET', path(job.id), { headers: { accept: 'text/csv' } });
    expect(strange.status).to.equal(406);
  });

  it('show the redacted page only, and only to those who may read it', async () => {
    const source = await on.upload(
      await bornDigitalPdf([['Dear Mara Kleinhoevel,', 'write to mara@example.org.']]),
      'Mara Kleinhoevel.pdf',
    );
    const job = await on.redact(source);
    // The picture may take longer to draw than a request waits.
    const pdf = await eventually(async () => {
      const bytes = Buffer.from(await (await fetchPdf(job.id)).arrayBuffer());
      return (await textOf(bytes)).join('\n').includes('Page 1 after') ? bytes : null;
    }, 500_000);
    const text = (await textOf(pdf)).join('\n');
    expect(text).to.include('Page 1 before: what was found, covered');
    expect(text)
      .to.include('.redacted.pdf')
      .and.not.match(/mara|kleinhoevel/i);
    const images = await imagesOf(pdf);
    // Both pictures are the same, that of the redacted page.
    expect(images.length).to.equal(1);
    const { json: output } = await on.api.call('GET', `/v1/objects/${job.outputs[0]!.object_id}`);
    expect(text).to.include(output.filename);

    const made = await on.api.call('POST', '/v1/keys', {
      body: { name: 'Certificates', scopes: ['documents:read'] },
    });
    const restricted = Buffer.from(await (await fetchPdf(job.id, made.json.api_key)).arrayBuffer());
    expect((await textOf(restricted)).join('\n')).to.not.match(/Page 1|[.]redacted[.]pdf/);
    expect(await imagesOf(restricted)).to.deep.equal([]);
  });

  it('name the role of people who reviewed', async () => {
    const source = await on.upload(await bornDigitalPdf([['Call +49 30 7654321.']]), 'role.pdf');
    const review = await on.awaitReview(source);
    const person = { type: 'user', id: 'usr_00000000000000000000000001', name: 'Ada Okafor' };
    await on.api.rows(
      `INSERT INTO person (id, issuer, subject) VALUES ($1, 'https://id.example', 'ada')`,
      [person.id],
    );
    await on.api.rows(
      `INSERT INTO member (project_id, id, user_id, role, source)
       VALUES ($1, 'mem_00000000000000000000000001', $2, 'reviewer', 'added')`,
      [on.api.projectId, person.id],
    );
    await on.api.rows('UPDATE review SET decided_by = $2 WHERE id = $1', [
      review.id,
      JSON.stringify([person]),
    ]);
    await on.submit(review.id, { pending: 'accept' });
    const job = await on.untilFinished(review.job_id);
    const { json } = await on.api.call('GET', path(job.id));
    expect(json.certificate.reviewed.by).to.deep.include({ ...person, role: 'reviewer' });
  });

  it('exist for redactions only', async () => {
    const source = await on.upload(await bornDigitalPdf([['Nothing here.']]), 'none.pdf');
    const job = await on.run(source, [{ op: 'ocr' }]);
    const none = await on.api.call('GET', path(job.id));
    expect([none.status, none.json.code]).to.deep.equal([409, 'state_conflict']);
  });
});
