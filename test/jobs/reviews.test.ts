import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { type Reviews, shareReviews } from '../support/reviews.ts';
import { bornDigitalPdf, textOf } from '../support/samples.ts';

/** Through HTTP, with the engines of the service. */
describe('reviews of redactions', () => {
  let on: Reviews;
  before(async () => {
    on = await shareReviews();
  });
  after(() => on.close());

  let letters = 0;
  const letter = async (...pages: string[][]): Promise<string> => {
    letters += 1;
    const lines = pages.map((page) => [...page]);
    lines[0]!.push(`Reference ${letters}`);
    return on.upload(await bornDigitalPdf(lines), `letter ${letters}.pdf`);
  };
  const redaction = (job: JobRecord) => job.operations.find(({ op }) => op === 'redact_pii')!;
  const textIn = async (job: JobRecord): Promise<string> =>
    (await textOf((await on.content(job.outputs[0]!.object_id)).bytes)).join('\n');

  it('keep the reason of a decision no longer than the decision', async () => {
    const source = await letter(['Dear Mara Kleinhoevel,', 'write to mara@example.org.']);
    const review = await on.awaitReview(source);
    const [first, second] = await on.findings(review.id, '&type=PERSON,EMAIL_ADDRESS');
    const shown = async (id: string) => {
      const found = (await on.findings(review.id)).find((one) => one.id === id)!;
      return [found.decision, found.reason];
    };
    const town = { ids: [first!.id, second!.id], decision: 'reject', reason: 'A town.' };
    expect((await on.decide(review.id, town)).json.changed).to.equal(2);
    const again = { text: first!.text, everywhere: true, type: first!.type };
    expect((await on.add(review.id, again)).status).to.equal(201);
    expect(await shown(first!.id)).to.deep.equal(['accepted', null]);
    await on.decide(review.id, { ids: [second!.id], decision: 'accept' });
    expect(await shown(second!.id)).to.deep.equal(['accepted', null]);

    await on.decide(review.id, town);
    const why = { ...again, reason: 'A name after all.' };
    expect((await on.add(review.id, why)).status).to.equal(201);
    expect(await shown(first!.id)).to.deep.equal(['accepted', 'A name after all.']);
    // Saying the same again without a reason keeps the one given.
    await on.decide(review.id, { ids: [second!.id], decision: 'reject', type: 'LOCATION' });
    expect(await shown(second!.id)).to.deep.equal(['rejected', 'A town.']);
  });

  it('record the existing findings that a text accepts, and those that it adds', async () => {
    const source = await letter(
      ['Write to mara@example.org.', 'Project Bluebird meets on Monday.'],
      ['Write to bluebird@example.org or mara@example.org.'],
    );
    const review = await on.awaitReview(source);
    const recorded = async () => {
      const rows = await on.api.rows<{ data: Record<string, unknown> }>(
        `SELECT data FROM event WHERE type = 'documents.review.decided' AND resource_id = $1
         ORDER BY data ->> 'decision'`,
        [review.id],
      );
      return rows.map(({ data: { job_id: _job, ...counts } }) => counts);
    };
    const everywhere = (text: string) =>
      on.add(review.id, { text, everywhere: true, type: 'CUSTOM_PROJECT' });
    const accepted = await everywhere('mara@example.org');
    expect(accepted.json.review.counts).to.deep.include({ accepted: 2, added: 0 });
    const twoMails = {
      decision: 'accepted',
      findings: 2,
      by_type: [{ type: 'EMAIL_ADDRESS', findings: 2 }],
    };
    expect(await recorded()).to.deep.equal([twoMails]);

    // Nothing changes when the same text is added again, so nothing is recorded.
    const again = await everywhere('mara@example.org');
    expect([again.status, again.json.data.length]).to.deep.equal([201, 2]);
    expect(again.json.review.version).to.equal(accepted.json.review.version);
    expect(await recorded()).to.deep.equal([twoMails]);

    const both = await everywhere('bluebird');
    expect(both.json.review.counts).to.deep.include({ accepted: 3, added: 1 });
    expect(await recorded()).to.have.deep.members([
      twoMails,
      {
        decision: 'accepted',
        findings: 1,
        by_type: [{ type: 'EMAIL_ADDRESS', findings: 1 }],
      },
      {
        decision: 'added',
        findings: 1,
        by_type: [{ type: 'CUSTOM_PROJECT', findings: 1 }],
      },
    ]);
  });

  it('hold the job without a task, and remove exactly what was accepted and added', async () => {
    const source = await letter(
      ['Dear Mara Kleinhoevel,', 'write to mara@example.org or call +49 30 1234567.'],
      [
        'Project Bluebird meets on Monday.',
        'Bring the Bluebird folder, and mail otto@example.org.',
      ],
    );
    const review = await on.awaitReview(source);
    expect(review).to.deep.include({ state: 'open', op: 'redact_pii', pages: 2, version: 1 });
    expect(review.counts.pending).to.be.greaterThan(3);
    const waiting: JobRecord = (await on.api.call('GET', `/v1/documents/jobs/${review.job_id}`))
      .json;
    expect([waiting.state, redaction(waiting).state]).to.deep.equal([
      'awaiting_review',
      'awaiting_review',
    ]);
    expect(waiting.progress.eta_seconds).to.equal(null);
    const tasks = await on.api.rows('SELECT kind FROM task WHERE resource_id = ANY($1)', [
      [review.job_id, review.id],
    ]);
    expect(tasks).to.deep.equal([{ kind: 'review.expire' }]);

    const findings = await on.findings(review.id);
    for (const { boxes, removal } of findings) {
      expect(boxes.length).to.be.greaterThan(0);
      const [x0, , x1] = boxes[0]!;
      expect(removal!.some(([a, , b]) => a! <= x0! + 1 && b! >= x1! - 1)).to.equal(true);
    }
    const kept = findings.filter(({ text }) => text === 'otto@example.org');
    expect(kept).to.have.length(1);
    const rejected = await on.decide(review.id, {
      ids: kept.map(({ id }) => id),
      decision: 'reject',
      reason: 'A shared mailbox.',
    });
    expect([rejected.status, rejected.json.changed]).to.deep.equal([200, 1]);
    const added = await on.add(review.id, {
      text: 'bluebird',
      everywhere: true,
      type: 'CUSTOM_PROJECT',
    });
    expect(added.status, added.text).to.equal(201);
    expect(
      added.json.data.map(({ page, text }: { page: number; text: string }) => [page, text]),
    ).to.deep.equal([
      [2, 'Bluebird'],
      [2, 'Bluebird'],
    ]);
    expect(added.json.review.counts).to.deep.include({ rejected: 1, added: 2 });
    const refused = await on.submit(review.id);
    expect([refused.status, refused.json.code]).to.deep.equal([409, 'findings_pending']);
    const stale = await on.submit(review.id, { pending: 'accept' }, { version: 1 });
    expect([stale.status, stale.json.code]).to.deep.equal([412, 'etag_mismatch']);
    const submitted = await on.submit(review.id, { pending: 'accept' });
    expect(submitted.status, submitted.text).to.equal(200);
    expect(submitted.json).to.deep.include({ state: 'submitted', claimed_by: null });

    const job = await on.untilFinished(review.job_id);
    expect(job.state, JSON.stringify(job)).to.equal('succeeded');
    const { result } = redaction(job);
    expect(result!.verified).to.equal(true);
    expect(result!.reviewed).to.deep.include({
      accepted: findings.length - 1,
      rejected: 1,
      added: 2,
    });
    expect(result!.checks).to.deep.include({
      name: 'kept_by_review',
      passed: true,
      detail:
        '1 finding rejected in the review stays in the file, and values that they show are checked only where they were removed.',
      pages: [],
    });
    const text = await textIn(job);
    expect(text).to.include('otto@example.org').and.include('folder');
    expect(text).to.not.match(/bluebird|kleinhoevel|mara@|1234567/i);
    const pages = await on.pages(review.job_id);
    const shown = pages.filter(({ op }) => op === 'redact_pii').map((page) => page.text);
    expect(shown[1]).to.include('otto@example.org').and.include('[CUSTOM_PROJECT]');
    expect(shown.join()).to.not.match(/bluebird|kleinhoevel|mara@|1234567/i);
  });

  it('compute again what will be painted over when a finding is accepted again', async () => {
    const review = await on.awaitReview(await letter(['Dear Mara Kleinhoevel,']));
    const [finding] = await on.findings(review.id);
    const ids = [finding!.id];
    const removal = async () => (await on.findings(review.id))[0]!.removal;
    await on.decide(review.id, { ids, decision: 'reject' });
    expect(await removal()).to.deep.equal([]);
    await on.decide(review.id, { ids, decision: 'accept' });
    expect(await removal()).to.not.deep.equal([]);
    expect(await eventually(removal)).to.deep.equal(finding!.removal);
  });
});
