import { expect } from 'chai';
import { entity, findInMail, inBase64, multipart, readWithPython } from '../support/mail.ts';
import { requirePython } from '../support/python.ts';
import { shareRedactions } from '../support/redactions.ts';
import { shareReviews } from '../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';

let number = 0;
/** A message with attachments, whose content no other test has. */
const message = async (...attached: Uint8Array[]): Promise<Buffer> => {
  number += 1;
  return multipart(
    'mixed',
    [
      entity(
        ['Content-Type: text/plain'],
        `Dear Mara Kleinhoevel,\r\nwrite to otto@lakeside.example. Message no. ${number}.\r\n`,
      ),
      inBase64('application/pdf', await bornDigitalPdf([['Kleinhoevel']])),
      ...attached,
    ],
    [
      'From: Mara Kleinhoevel <mara@lakeside.example>',
      'To: Otto <otto@lakeside.example>',
      'Subject: The boat of Mrs Kleinhoevel',
      'Date: Tue, 1 Dec 2026 04:16:56 +0000',
    ],
  );
};

/** Through HTTP, with the engines of the service. */
describe('redactions of messages', () => {
  before(async function () {
    await requirePython(this);
  });

  it('redact the message and its attachments, also for the text of the same job', async () => {
    const on = await shareRedactions('real');
    const table = inBase64(
      'text/csv',
      'Name;Amount\r\nMara Kleinhoevel;12\r\n',
      'Content-Disposition: attachment; filename=Kleinhoevel.csv',
    );
    const source = await on.upload(await message(table), 'from Mara Kleinhoevel.eml');
    const operations = [
      { op: 'redact_pii', options: { style: 'label' } },
      { op: 'normalize_for_llm' },
    ];
    const job = await on.run(source, operations);
    expect(job.error).to.equal(null);
    expect(job.state).to.equal('succeeded');
    const { result } = job.operations[0]!;
    expect(result).to.include({ verified: true, profile: 'personal' });
    expect(job.warnings.map(({ code }) => code)).to.not.include('content_not_read');
    expect(job.outputs.map(({ kind }) => kind)).to.deep.equal([
      'redacted_file',
      'chunks',
      'json',
      'markdown',
      'attachment',
      'attachment',
    ]);
    const outputs = await Promise.all(
      job.outputs.map(async ({ object_id }) => {
        const { json } = await on.api.call('GET', `/v1/objects/${object_id}`);
        return { ...json, bytes: (await on.content(object_id)).bytes };
      }),
    );
    const [file, , , markdown, attachedPdf, table2] = outputs;
    expect([file.mime, file.filename]).to.deep.equal([
      'message/rfc822',
      'from PERSON.redacted.eml',
    ]);
    const parts = readWithPython(file.bytes);
    for (const secret of ['Mara Kleinhoevel', 'mara@lakeside.example']) {
      expect(findInMail(file.bytes, parts, secret)).to.deep.equal([]);
      for (const { bytes } of outputs) expect(bytes.toString()).to.not.contain(secret);
    }
    for (const { bytes } of [parts.find(({ type }) => type === 'application/pdf')!, attachedPdf]) {
      expect((await textOf(bytes)).join()).to.not.include('Kleinhoevel');
    }
    expect(markdown.bytes.toString()).to.match(/^# The boat of Mrs \[PERSON\]/);
    expect(table2.bytes.toString()).to.equal('Name;Amount\r\n[PERSON];12\r\n');
    await on.close();
  });

  it('follow the decisions of a review', async () => {
    const on = await shareReviews();
    const id = await on.upload(await message(), 'to review.eml');
    const review = await on.awaitReview(id, { style: 'label' });
    expect(review).to.include({ located_by: 'ranges', pages: 1 });
    const findings = await on.findings(review.id);
    const otto = findings.filter(({ text }) => /otto/i.test(text ?? ''));
    expect(otto.length).to.be.at.least(2);
    expect(otto.map(({ location }) => location?.part)).to.include.members(['header', 'body']);
    const decided = await on.decide(review.id, {
      ids: otto.map((finding) => finding.id),
      decision: 'reject',
    });
    expect(decided.status, decided.text).to.equal(200);
    const submitted = await on.submit(review.id, { pending: 'accept' });
    expect(submitted.status, submitted.text).to.equal(200);
    const job = await on.untilFinished(review.job_id);
    expect(job.state, JSON.stringify(job)).to.equal('succeeded');
    const { bytes } = await on.content(job.outputs[0]!.object_id);
    const parts = readWithPython(bytes);
    expect(findInMail(bytes, parts, 'Mara Kleinhoevel')).to.deep.equal([]);
    expect(parts[0]?.fields.slice(0, 2)).to.deep.equal([
      ['From', '"[PERSON] [EMAIL_ADDRESS]":;'],
      ['To', 'Otto <otto@lakeside.example>'],
    ]);
    expect(parts[1]?.text).to.match(/^Dear \[PERSON\],\r\nwrite to otto@lakeside\.example\./);
    await on.close();
  });
});
