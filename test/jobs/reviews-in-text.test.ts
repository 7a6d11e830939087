import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import { type Reviews, shareReviews } from '../support/reviews.ts';

/** Through HTTP, with the engines of the service. */
describe('reviews of redactions in text', () => {
  let on: Reviews;
  before(async () => {
    on = await shareReviews();
  });
  after(() => on.close());

  const path = '/v1/documents/reviews';
  let number = 0;
  /** A review of a text file whose content no other test has. */
  const reviewText = (text: string, name = 'letter.txt'): Promise<ReviewRecord> => {
    number += 1;
    return on
      .upload(`${text}\nReference no. ${number}\n`, name)
      .then((id) => on.awaitReview(id, { style: 'label' }));
  };
  const textOf = async (review: ReviewRecord, page = 1): Promise<string> => {
    const { json } = await on.api.call('GET', `${path}/${review.id}/text?page=${page}&limit=200`);
    return json.data.map(({ text }: { text: string }) => text).join('');
  };
  const shownAt = async (review: ReviewRecord, { page, range }: FindingRecord) =>
    (await textOf(review, page ?? 0)).slice(range!.start, range!.end);
  const ended = async (review: ReviewRecord): Promise<{ job: JobRecord; text: string }> => {
    const submitted = await on.submit(review.id, { pending: 'accept' });
    expect(submitted.status, submitted.text).to.equal(200);
    const job = await on.untilFinished(review.job_id);
    expect(job.state, JSON.stringify(job)).to.equal('succeeded');
    return { job, text: (await on.content(job.outputs[0]!.object_id)).bytes.toString() };
  };
  const select = async (review: ReviewRecord, selected: string, type = 'CUSTOM_PROJECT') => {
    const start = (await textOf(review)).indexOf(selected);
    expect(start).to.be.at.least(0);
    const range = { start, end: start + selected.length };
    return on.add(review.id, { page: 1, range, type });
  };
  const faultOf = ({
    status,
    json,
  }: {
    status: number;
    json: { errors?: { pointer: string; code: string }[] };
  }) => [status, ...(json.errors ?? []).flatMap(({ pointer, code }) => [pointer, code])];

  it('show where each finding is, and remove exactly what was accepted and added', async () => {
    const review = await reviewText(
      'Dear Mara Kleinhoevel,\nwrite to mara@example.org or otto@example.org.\nProject Bluebird: the Bluebird folder, not the bird.',
    );
    expect(review).to.deep.include({ located_by: 'ranges', pages: 1 });
    const findings = await on.findings(review.id);
    for (const finding of findings) {
      expect(await shownAt(review, finding)).to.equal(finding.text);
      expect(finding).to.deep.include({ page: 1, boxes: [], removal: [] });
    }
    const otto = findings.find(({ text }) => text === 'otto@example.org')!;
    expect(otto.location).to.deep.equal({ part: 'body', line: 2, cell: null });
    await on.decide(review.id, { ids: [otto.id], decision: 'reject' });
    const added = await on.add(review.id, {
      text: 'bluebird',
      everywhere: true,
      type: 'CUSTOM_PROJECT',
    });
    expect(added.status, added.text).to.equal(201);
    expect(added.json.data.map(({ text }: FindingRecord) => text)).to.deep.equal([
      'Bluebird',
      'Bluebird',
    ]);
    const selected = await select(review, 'folder');
    expect(selected.status, selected.text).to.equal(201);
    const pages = (await on.api.call('GET', `${path}/${review.id}/pages`)).json.data;
    expect(pages).to.have.length(1);
    expect(pages[0]).to.deep.include({
      page: 1,
      width: null,
      height: null,
      counts: { pending: findings.length - 1, accepted: 0, rejected: 1, added: 3 },
    });
    expect(pages[0].text).to.deep.include({ layout: 'lines', pieces: [{ start: 0, lines: 4 }] });
    const { job, text } = await ended(review);
    expect(text)
      .to.include('otto@example.org')
      .and.include('not the bird')
      .and.include('[CUSTOM_PROJECT]');
    expect(text).to.not.match(/bluebird|folder|kleinhoevel|mara@/i);
    const { result } = job.operations.find(({ op }) => op === 'redact_pii')!;
    expect(result).to.deep.include({ verified: true, regions: findings.length - 1 + 3 });
    expect(result!.reviewed).to.deep.include({
      accepted: findings.length - 1,
      rejected: 1,
      added: 3,
    });
    const checks = result!.checks as { name: string; passed: boolean }[];
    expect(checks.map(({ name }) => name))
      .to.include('kept_by_review')
      .and.include('strings');
  });

  it('keep a value where a person kept it, and prove that it stands nowhere else', async () => {
    const review = await reviewText('From mara@example.org to all.\nSigned: mara@example.org');
    const mail = (await on.findings(review.id)).filter(({ text }) => text === 'mara@example.org');
    expect(mail).to.have.length(2);
    await on.decide(review.id, { ids: [mail[1]!.id], decision: 'reject' });
    const { job, text } = await ended(review);
    expect(text).to.match(/From \[EMAIL_ADDRESS\] to all\.\nSigned: mara@example\.org/);
    const { result } = job.operations.find(({ op }) => op === 'redact_pii')!;
    const checks = result!.checks as { name: string; passed: boolean; detail: string }[];
    expect(checks.find(({ name }) => name === 'kept_places')).to.deep.include({
      passed: true,
      detail: '1 removed value occurs only where the reviewers kept it.',
    });
  });

  it('locate findings in cells of a table, whose cells have line ends', async () => {
    const review = await reviewText(
      'Name,Email,Note\nMara Kleinhoevel,mara@example.org,"two\nlines"\nOtto Brandt,otto@example.org,"x, y"',
      'people.csv',
    );
    const findings = await on.findings(review.id);
    const mail = findings.find(({ text }) => text === 'otto@example.org')!;
    expect(mail.location).to.deep.equal({ part: 'body', line: 3, cell: 'B3' });
    expect(await textOf(review)).to.include(
      'two\u2028lines\nOtto Brandt\totto@example.org\tx, y\n',
    );
    const selected = await select(review, 'two\u2028lines');
    expect(selected.json.data[0]).to.deep.include({
      text: 'two\nlines',
      location: { part: 'body', line: 2, cell: 'C2' },
    });
    await on.decide(review.id, { ids: [mail.id], decision: 'reject' });
    const { text } = await ended(review);
    expect(text).to.include('otto@example.org,"x, y"').and.include(',"[CUSTOM_PROJECT]"');
    expect(text).to.not.match(/mara|two/i);
  });

  it('accept a finding in place of a range that it covers, preferably one that is accepted', async () => {
    const review = await reviewText('Write to mara@example.org today.');
    const [mail] = await on.findings(review.id);
    await on.decide(review.id, { ids: [mail!.id], decision: 'reject' });
    const added = await select(review, 'example');
    expect(added.json.data.map(({ id }: FindingRecord) => id)).to.deep.equal([mail!.id]);
    expect(added.json.data[0].decision).to.equal('accepted');
    const wider = await select(review, 'to mara@example.org to');
    expect(wider.json.data[0].source).to.equal('person');
    await on.decide(review.id, { ids: [mail!.id], decision: 'reject' });
    const { version } = await on.get(review.id);
    const covered = await select(review, 'example');
    expect(covered.json.data.map(({ id }: FindingRecord) => id)).to.deep.equal([
      wider.json.data[0].id,
    ]);
    expect(covered.json.review.version).to.equal(version);
    const { text } = await ended(review);
    expect(text).to.include('Write [CUSTOM_PROJECT]day.');
  });

  it('take whole characters, in any script', async () => {
    const review = await reviewText(
      'Call 👩‍👩‍👧 Zoe\u0301 now.\nשלום דנה כהן מהבנק\nmail mara@example.org',
    );
    const text = await textOf(review);
    const at = (part: string) => text.indexOf(part);
    const range = { start: at('👩') + 1, end: at('\u0301') };
    const marks = await on.add(review.id, { page: 1, range, type: 'PERSON' });
    expect(marks.json.data[0].text).to.equal('👩‍👩‍👧 Zoe\u0301');
    const hebrew = await select(review, 'דנה כהן', 'PERSON');
    expect(hebrew.status, hebrew.text).to.equal(201);
    const { text: left } = await ended(review);
    expect(left).to.include('Call [PERSON] now.\nשלום [PERSON] מהבנק');
  });

  it('reject ranges that are empty, outside the text or of another kind of file', async () => {
    const review = await reviewText('Write to mara@example.org   today.');
    const text = await textOf(review);
    const add = async (body: object) =>
      faultOf(await on.add(review.id, { type: 'PERSON', ...body }));
    const blank = text.indexOf('   ');
    expect(await add({ page: 1, range: { start: 3, end: 3 } })).to.deep.equal([
      422,
      '/range',
      'empty_range',
    ]);
    expect(await add({ page: 1, range: { start: 5, end: 3 } })).to.deep.equal([
      422,
      '/range',
      'empty_range',
    ]);
    expect(await add({ page: 1, range: { start: blank, end: blank + 2 } })).to.deep.equal([
      422,
      '/range',
      'empty_range',
    ]);
    expect(await add({ page: 1, range: { start: 3, end: text.length + 1 } })).to.deep.equal([
      422,
      '/range',
      'outside_text',
    ]);
    expect(await add({ page: 1, range: { start: 0, end: 10_001 } })).to.deep.equal([
      422,
      '/range',
      'too_long',
    ]);
    expect(await add({ page: 7, range: { start: 0, end: 2 } })).to.deep.equal([
      422,
      '/page',
      'page_not_found',
    ]);
    expect(await add({ range: { start: 0, end: 2 } })).to.deep.equal([422, '/page', 'required']);
    expect(await add({ page: 1, boxes: [[0, 0, 9, 9]] })).to.deep.equal([
      422,
      '/boxes',
      'not_applicable',
    ]);
    expect(await add({ page: 1, words: [0] })).to.deep.equal([422, '/words', 'not_applicable']);
    expect(await add({ page: 1, range: { start: -1, end: 2 } })).to.include(422);
    expect(await add({ text: 'absent text', everywhere: true })).to.deep.equal([
      422,
      '/text',
      'text_not_found',
    ]);
    expect((await on.get(review.id)).counts.added).to.equal(0);
  });

  it('find a text everywhere in a long file, across pieces and over the ends of lines', async () => {
    const filler = 'Nothing to see in this line of the harbour.\n'.repeat(1_000);
    const review = await reviewText(
      `mara@example.org\n${filler}Blue\nBird Berth\n${filler}${'x'.repeat(9_000)} Bluebird Berth`,
    );
    const { json } = await on.api.call('GET', `${path}/${review.id}/pages`);
    const { pieces, characters } = json.data[0].text;
    expect(pieces.length).to.be.greaterThan(9);
    const added = await on.add(review.id, {
      text: 'Bluebird Berth',
      everywhere: true,
      type: 'LOCATION',
    });
    expect(added.status, added.text).to.equal(201);
    const found: FindingRecord[] = added.json.data;
    expect(found.map(({ text }) => text)).to.deep.equal(['Blue\nBird Berth', 'Bluebird Berth']);
    const last = (
      await on.api.call('GET', `${path}/${review.id}/text?page=1&piece=${pieces.length - 1}`)
    ).json;
    expect([last.data.length, last.has_more]).to.deep.equal([1, false]);
    expect(last.data[0].start + last.data[0].text.length).to.equal(characters);
  });

  it('show text only to callers that may read personal data, and delete it with its source', async () => {
    const id = await on.upload('Write to mara@example.org about secret 7.', 'secret.txt');
    const review = await on.awaitReview(id);
    const blind = await on.api.issue(['documents:read', 'documents:review']);
    const own = `${path}/${review.id}/text`;
    expect((await on.api.call('GET', own, blind)).status).to.equal(403);
    expect((await on.api.call('GET', `${own}?piece=1`)).status).to.equal(400);
    const events = await on.api.rows('SELECT data FROM event WHERE resource_id = $1', [review.id]);
    const stored = await on.api.rows('SELECT content FROM review_text WHERE review_id = $1', [
      review.id,
    ]);
    expect(stored).to.have.length(1);
    expect(JSON.stringify([events, stored])).to.not.include('mara');
    await on.api.call('DELETE', `/v1/objects/${id}?purge=true`);
    const job = await on.untilFinished(review.job_id);
    expect([job.state, job.error!.code]).to.deep.equal(['failed', 'source_unavailable']);
    expect(
      await on.api.rows('SELECT FROM review_text WHERE review_id = $1', [review.id]),
    ).to.deep.equal([]);
  });

  it('fail when the file is read differently than when it was reviewed', async () => {
    const review = await reviewText('Write to mara@example.org.');
    await on.api.rows(`UPDATE review SET text_digest = 'other' WHERE id = $1`, [review.id]);
    await on.submit(review.id, { pending: 'accept' });
    const job = await on.untilFinished(review.job_id);
    expect([job.state, job.error!.code, job.outputs]).to.deep.equal([
      'failed',
      'review_outdated',
      [],
    ]);
  });
});
