import { expect } from 'chai';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
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
    reviewed = await on.finished(review.job_id);
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
});
