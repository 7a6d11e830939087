import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { addPolicy } from '../support/policies.ts';
import { type Reviews, shareReviews } from '../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';

/** What policies about reviews let through, with outputs as the engines of the service make them. */
describe('policies about reviews', () => {
  let on: Reviews;
  let source: string;
  let unreviewed: JobRecord;
  let reviewed: JobRecord;
  before(async () => {
    on = await shareReviews();
    const lines = [['Dear Mara Kleinhoevel,', 'write to mara@example.org.']];
    source = await on.upload(await bornDigitalPdf(lines), 'letter.pdf');
  });
  after(() => on.close());
  afterEach(() => on.api.rows('DELETE FROM policy'));

  const outputOf = (job: JobRecord): string => job.outputs[0]!.object_id;
  const textIn = async (bytes: Buffer): Promise<string> => (await textOf(bytes)).join('\n');
  const content = (id: string) => on.api.call('GET', `/v1/objects/${id}/content`);
  /** The codes of the violations; null where the content is delivered. */
  const violations = async (id: string): Promise<string[] | null> => {
    const answer = await content(id);
    if (answer.status === 200) return null;
    expect(answer.status).to.equal(403);
    return answer.json.violations.map(({ code }: { code: string }) => code);
  };
  const sign = async (id: string): Promise<number> => {
    const body = { ttl_seconds: 60 };
    return (await on.api.call('POST', `/v1/objects/${id}/signed-urls`, { body })).status;
  };

  it('serve a redaction only once a person has reviewed it', async () => {
    await addPolicy(on.api, {
      actions: ['read', 'download', 'sign'],
      rules: [
        {
          type: 'require_redaction',
          entities: 'personal',
          reviewed: true,
          fallback: 'serve_redacted',
        },
      ],
    });
    expect((await content(source)).status).to.equal(403);
    unreviewed = await on.redact(source);
    expect(unreviewed.state).to.equal('succeeded');
    expect((await content(source)).status).to.equal(403);
    expect((await content(outputOf(unreviewed))).status).to.equal(403);

    const review = await on.awaitReview(source);
    expect((await content(source)).status).to.equal(403);
    const submitted = await on.submit(review.id, { pending: 'accept' });
    expect(submitted.status, submitted.text).to.equal(200);
    reviewed = await on.untilFinished(review.job_id);
    expect(reviewed.state).to.equal('succeeded');

    const served = await on.content(source);
    expect(served.status).to.equal(200);
    const made = await on.content(outputOf(reviewed));
    expect(made.status).to.equal(200);
    expect(served.bytes.equals(made.bytes)).to.equal(true);
    expect(await textIn(served.bytes)).not.to.match(/mara@|kleinhoevel/i);
    expect((await content(outputOf(unreviewed))).status).to.equal(403);
    expect([await sign(source), await sign(outputOf(unreviewed))]).to.deep.equal([201, 403]);
  });

  it('hold what was not reviewed, and nothing else', async () => {
    expect(await violations(outputOf(unreviewed))).to.equal(null);
    await addPolicy(on.api, {
      actions: ['read', 'download', 'sign'],
      rules: [{ type: 'require_review', ops: ['redact_pii'] }],
    });
    expect(await violations(outputOf(unreviewed))).to.deep.equal(['review_required']);
    expect(await violations(outputOf(reviewed))).to.equal(null);
    // An upload is the output of no job.
    expect(await violations(source)).to.equal(null);
    expect(await sign(outputOf(unreviewed))).to.equal(403);
    expect(await sign(outputOf(reviewed))).to.equal(201);
    const other = await on.run(source, [{ op: 'normalize_for_llm' }]);
    expect(await violations(outputOf(other))).to.equal(null);
  });

  it('hold what was released by rejecting findings, unless the rule accepts that', async () => {
    const lines = ['Dear Mara Kleinhoevel,', 'write to mara@example.org.', 'Second letter.'];
    const letter = await on.upload(await bornDigitalPdf([lines]), 'second.pdf');
    const blind = await on.api.issue(['documents:read', 'documents:write', 'documents:review']);
    const review = await on.awaitReview(letter);
    const all = { filter: { min_score: 0 }, decision: 'reject' };
    const rejected = await on.decide(review.id, all, blind);
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'insufficient_scope']);
    const accepted = await on.decide(review.id, { ...all, decision: 'accept' }, blind);
    expect(accepted.status, accepted.text).to.equal(200);
    await on.api.call('POST', `/v1/documents/reviews/${review.id}/release`, blind);
    const emails = { filter: { type: ['EMAIL_ADDRESS'] } };
    // A finding that counts as another type was detected as one of its own.
    const retyped = { ...emails, decision: 'accept', type: 'PHONE_NUMBER' };
    expect((await on.decide(review.id, retyped)).json.changed).to.equal(1);
    const renamed = { filter: { type: ['PHONE_NUMBER'] }, decision: 'reject' };
    expect((await on.decide(review.id, renamed)).json.changed).to.equal(1);
    expect((await on.submit(review.id)).status).to.equal(200);
    const output = outputOf(await on.untilFinished(review.job_id));

    const denied = async (rule: object): Promise<string[] | null> => {
      await on.api.rows('DELETE FROM policy');
      await addPolicy(on.api, {
        actions: ['read', 'download', 'sign'],
        rules: [{ type: 'require_redaction', reviewed: true, ...rule }],
      });
      return violations(output);
    };
    for (const entities of [
      'personal',
      ['EMAIL_ADDRESS'],
      ['PHONE_NUMBER'],
      ['PERSON', 'EMAIL_ADDRESS'],
    ]) {
      expect(await denied({ entities }), String(entities)).to.deep.equal(['redaction_required']);
      expect(await denied({ entities, reviewed: false })).to.deep.equal(['redaction_required']);
      expect(await denied({ entities, accept_rejections: true }), String(entities)).to.equal(null);
    }
    expect(await denied({ entities: ['PERSON'] })).to.equal(null);
    expect(await denied({ entities: ['PERSON'], four_eyes: true })).to.deep.equal([
      'redaction_required',
    ]);

    const path = `/v1/documents/jobs/${review.job_id}/certificate`;
    const { certificate } = (await on.api.call('GET', path)).json;
    expect(Object.keys(certificate).slice(0, 2)).to.deep.equal(['version', 'rejected_by_type']);
    expect(certificate.rejected_by_type).to.deep.equal({ EMAIL_ADDRESS: 1 });
  });

  it('take a review by four eyes, of someone other than the requester', async () => {
    const letter = await on.upload(
      await bornDigitalPdf([['Write to mara@example.org.', 'Third.']]),
      'third.pdf',
    );
    const review = await on.awaitReview(letter, { reviewers: 'not_requester' });
    const other = await on.api.issue(['documents:read', 'documents:review']);
    expect((await on.submit(review.id, { pending: 'accept' }, other)).status).to.equal(200);
    const output = outputOf(await on.untilFinished(review.job_id));
    await addPolicy(on.api, {
      actions: ['read', 'download', 'sign'],
      rules: [{ type: 'require_redaction', entities: 'personal', four_eyes: true }],
    });
    expect(await violations(output)).to.equal(null);
  });

  it('leave what others added to those who may see it', async () => {
    const letter = await on.upload(await bornDigitalPdf([['Project Bluebird.']]), 'fourth.pdf');
    const review = await on.awaitReview(letter, { review: 'required' });
    const blind = await on.api.issue(['documents:read', 'documents:review']);
    const place = { page: 1, boxes: [[10, 10, 200, 200]], type: 'CUSTOM_PROJECT' };
    const [theirs] = (await on.add(review.id, place)).json.data;
    await on.api.call('POST', `/v1/documents/reviews/${review.id}/release`);
    const path = (id: string) => `/v1/documents/reviews/${review.id}/findings/${id}`;
    const rejected = await on.api.call('DELETE', path(theirs.id), blind);
    expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'insufficient_scope']);
    const more = { ...place, boxes: [[300, 300, 400, 400]] };
    const [own] = (await on.add(review.id, more, blind)).json.data;
    expect((await on.api.call('DELETE', path(own.id), blind)).status).to.equal(200);
  });
});
