import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { expect } from 'chai';
import type { ApiResponse, Tenant } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { addPolicy } from '../support/policies.ts';
import { type Reviews, shareReviews } from '../support/reviews.ts';
import { bornDigitalPdf } from '../support/samples.ts';

/** Through HTTP, with the engines of the service. */
describe('reviews', () => {
  let on: Reviews;
  let other: Tenant;
  let blind: Tenant;
  before(async () => {
    on = await shareReviews();
    other = await on.api.issue(['documents:read', 'documents:review', 'pii:read']);
    blind = await on.api.issue(['documents:read', 'documents:review']);
  });
  after(() => on.close());

  const path = '/v1/documents/reviews';
  let letters = 0;
  const letter = async (): Promise<string> => {
    letters += 1;
    const lines = [['Dear Mara Kleinhoevel,', `write to mara@example.org, reference ${letters}.`]];
    return on.upload(await bornDigitalPdf(lines), `letter ${letters}.pdf`);
  };
  const codeOf = ({ status, json }: { status: number; json: { code: string } }) => [
    status,
    json.code,
  ];
  const faultOf = ({ json }: { json: { errors?: { pointer: string; code: string }[] } }) =>
    json.errors?.map(({ pointer, code }) => [pointer, code]);
  const jobOf = async ({ job_id }: ReviewRecord): Promise<JobRecord> =>
    (await on.api.call('GET', `/v1/documents/jobs/${job_id}`)).json;
  const events = async (reviewId: string): Promise<{ type: string; data: object }[]> =>
    on.api.rows('SELECT type, data FROM event WHERE resource_id = $1 ORDER BY id', [reviewId]);

  describe('of one document', () => {
    let review: ReviewRecord;
    before(async () => {
      review = await on.awaitReview(await letter(), { reviewers: 'not_requester' });
    });

    it('are listed by their identifiers', async () => {
      const unknown = 'rev_01m7gtek0sx6hv4x5fqk2v9d3e';
      const { json } = await on.api.call('GET', `${path}?id=${review.id},${unknown}&include=total`);
      expect(json.data.map(({ id }: ReviewRecord) => id)).to.deep.equal([review.id]);
      expect(json.total).to.equal(1);
      expect((await on.api.call('GET', `${path}?id=${unknown}`)).json.data).to.deep.equal([]);
    });

    it('reject boxes that are empty, outside the page or too many', async () => {
      const add = (boxes: number[][]) => on.add(review.id, { page: 1, boxes, type: 'CUSTOM_NOTE' });
      const empty = await add([
        [10, 10, 10, 20],
        [10, 10, 5, 20],
        [10, 10, 20, 20],
      ]);
      expect(faultOf(empty)).to.deep.equal([
        ['/boxes/0', 'empty_box'],
        ['/boxes/1', 'empty_box'],
      ]);
      expect(faultOf(await add([[400, 10, 500, 20]]))).to.deep.equal([
        ['/boxes/0', 'outside_page'],
      ]);
      const many = (length: number) => add(Array.from({ length }, () => [1, 1, 2, 2]));
      expect(faultOf(await many(1_001))).to.deep.equal([['/boxes', 'too_many']]);
      const tooMany = await many(10_000);
      expect([tooMany.status, faultOf(tooMany)]).to.deep.equal([422, [['', 'too_many_values']]]);
      const nowhere = await on.add(review.id, { page: 9, boxes: [[1, 1, 2, 2]], type: 'PERSON' });
      expect(faultOf(nowhere)).to.deep.equal([['/page', 'page_not_found']]);
    });

    it('reject words that the page does not have', async () => {
      const answer = await on.add(review.id, { page: 1, words: [0, 5_000], type: 'PERSON' });
      expect(faultOf(answer)).to.deep.equal([['/words/1', 'word_not_found']]);
    });

    it('reject a text of one letter, of 10 kB and one that is absent', async () => {
      const add = (text: string) => on.add(review.id, { text, everywhere: true, type: 'PERSON' });
      expect(faultOf(await add('M'))).to.deep.equal([['/text', 'too_short']]);
      expect(faultOf(await add('x'.repeat(10_240)))).to.deep.equal([['/text', 'too_long']]);
      const absent = await add('Windermere');
      expect(codeOf(absent)).to.deep.equal([422, 'text_not_found']);
      expect(absent.text).to.not.include('Windermere');
    });

    it('reject bodies that select in no way or in two', async () => {
      const type = 'PERSON';
      expect(faultOf(await on.add(review.id, { type }))).to.deep.equal([['', 'one_of']]);
      expect(
        faultOf(await on.add(review.id, { type, boxes: [[1, 1, 2, 2]], words: [1], page: 1 })),
      ).to.deep.equal([['', 'one_of']]);
      expect(faultOf(await on.add(review.id, { type, text: 'Kleinhoevel' }))).to.deep.equal([
        ['/everywhere', 'required'],
      ]);
      expect(faultOf(await on.decide(review.id, { decision: 'accept' }))).to.deep.equal([
        ['', 'one_of'],
      ]);
      const strange = await on.decide(review.id, {
        ids: ['fnd_01m7gtek0sx6hv4x5fqk2v9d3e'],
        decision: 'accept',
      });
      expect(faultOf(strange)).to.deep.equal([['/ids/0', 'reference_not_found']]);
    });

    it('take boxes and words, compute what is painted, and delete what was added', async () => {
      const added = await on.add(review.id, { page: 1, words: [0], type: 'CUSTOM_NOTE' });
      expect(added.status, added.text).to.equal(201);
      const [finding] = added.json.data;
      expect(finding).to.deep.include({ source: 'person', decision: 'accepted', score: null });
      expect(finding.text).to.equal('Dear');
      const painted = await eventually(async () => {
        const [one] = await on.findings(review.id, '&source=person');
        return one?.removal ?? null;
      });
      expect(painted.length).to.be.greaterThan(0);
      const [detected] = await on.findings(review.id, '&source=detector');
      const gone = (id: string) => on.api.call('DELETE', `${path}/${review.id}/findings/${id}`);
      expect(codeOf(await gone(detected!.id))).to.deep.equal([409, 'state_conflict']);
      const rejected = await on.decide(review.id, { ids: [finding.id], decision: 'reject' });
      expect(codeOf(rejected)).to.deep.equal([409, 'state_conflict']);
      expect((await gone(finding.id)).status).to.equal(200);
      expect(codeOf(await gone(finding.id))).to.deep.equal([404, 'not_found']);
      const covered = await on.add(review.id, {
        text: 'mara@example.org',
        everywhere: true,
        type: 'EMAIL_ADDRESS',
      });
      expect(covered.json.data.map(({ source }: { source: string }) => source)).to.deep.equal([
        'detector',
      ]);
      expect(covered.json.review.counts).to.deep.include({ added: 0, accepted: 1 });
    });

    it('accept no rejected finding where an accepted one covers the place', async () => {
      const [rejected] = await on.findings(review.id, '&source=detector&page=1');
      await on.decide(review.id, { ids: [rejected!.id], decision: 'reject' });
      const [left, top, right, bottom] = rejected!.boxes[0]!;
      const area = [left! - 2, top! - 2, right! + 2, bottom! + 2];
      const wider = await on.add(review.id, { page: 1, boxes: [area], type: 'CUSTOM_NOTE' });
      expect(wider.status, wider.text).to.equal(201);
      const inside = { page: 1, boxes: [rejected!.boxes[0]], type: 'CUSTOM_NOTE' };
      const covered = await on.add(review.id, inside);
      const [{ id }] = wider.json.data;
      expect(covered.json.data.map((one: { id: string }) => one.id)).to.deep.equal([id]);
      expect(covered.json.review.version).to.equal(wider.json.review.version);
      await on.api.call('DELETE', `${path}/${review.id}/findings/${id}`);
      await on.decide(review.id, { ids: [rejected!.id], decision: 'reset' });
    });

    it('show values only to callers that may read personal data', async () => {
      const { json } = await on.api.call('GET', `${path}/${review.id}/findings`, blind);
      expect(json.data.length).to.be.greaterThan(0);
      for (const { text, boxes } of json.data) {
        expect(text).to.equal(null);
        expect(boxes).to.have.length.greaterThan(0);
      }
    });

    it('are held by one reviewer at a time', async () => {
      const claimed = await on.decide(review.id, { filter: {}, decision: 'accept' }, other);
      expect(codeOf(claimed)).to.deep.equal([409, 'claimed']);
      expect(claimed.json.claimed_by).to.deep.include({ type: 'api_key', id: on.api.keyId });
      const call = (verb: string, tenant: Partial<Tenant> = {}) =>
        on.api.call('POST', `${path}/${review.id}/${verb}`, tenant);
      expect(codeOf(await call('claim', other))).to.deep.equal([409, 'claimed']);
      expect((await call('release')).json.claimed_by).to.equal(null);
      const taken = await call('claim', other);
      expect(taken.json.claimed_by.id).to.equal(other.keyId);
      const held = await on.api.call('GET', `${path}?claimed_by=${other.keyId}`);
      expect(held.json.data.map(({ id }: { id: string }) => id)).to.deep.equal([review.id]);
      expect(codeOf(await call('claim'))).to.deep.equal([409, 'claimed']);
      await on.api.rows('UPDATE review SET claimed_until = now() WHERE id = $1', [review.id]);
      expect((await call('claim')).status).to.equal(200);
      await call('release');
    });

    it('are held by no one as soon as a claim lapses', async () => {
      const own = `${path}/${review.id}`;
      const held = await on.api.call('POST', `${own}/claim`);
      const isNew = (answer: ApiResponse) =>
        on.api.call('GET', own, { headers: { 'if-none-match': answer.headers.get('etag')! } });
      expect((await isNew(held)).status).to.equal(304);
      await on.api.rows('UPDATE review SET claimed_until = now() WHERE id = $1', [review.id]);
      const lapsed = await isNew(held);
      expect(lapsed.status).to.equal(200);
      expect(lapsed.json).to.deep.include({
        claimed_by: null,
        claimed_until: null,
        version: held.json.version + 1,
      });
      const listed = (await on.api.call('GET', `${path}?job_id=${review.job_id}`)).json.data;
      expect(listed).to.deep.equal([lapsed.json]);
      const stale = await on.submit(review.id, {}, { version: held.json.version });
      expect(codeOf(stale)).to.deep.equal([412, 'etag_mismatch']);
      const current = await on.submit(review.id, {}, { version: lapsed.json.version });
      expect(codeOf(current)).to.deep.equal([403, 'four_eyes']);
      expect((await on.api.call('POST', `${own}/claim`)).json.version).to.equal(
        lapsed.json.version + 1,
      );
      await on.api.call('POST', `${own}/release`);
    });

    it('are held for longer by every change, which claims them once', async () => {
      const soon = async (): Promise<string> => {
        await on.api.rows(
          `UPDATE review SET claimed_until = now() + interval '1 minute' WHERE id = $1`,
          [review.id],
        );
        return (await on.get(review.id)).claimed_until!;
      };
      const claims = async (): Promise<number> =>
        (await events(review.id)).filter(({ type }) => type.endsWith('.claimed')).length;
      const claim = () => on.api.call('POST', `${path}/${review.id}/claim`);
      const note = { page: 1, words: [0], type: 'CUSTOM_NOTE' };
      const [detected] = await on.findings(review.id, '&source=detector');
      expect((await claim()).status).to.equal(200);
      const before = await claims();
      const changes: (() => Promise<{ status: number; text: string }>)[] = [
        claim,
        () => on.decide(review.id, { ids: [detected!.id], decision: 'reject' }),
        () => on.decide(review.id, { ids: [detected!.id], decision: 'reset' }),
        () => on.add(review.id, note),
        async () => {
          const [added] = await on.findings(review.id, '&source=person');
          return on.api.call('DELETE', `${path}/${review.id}/findings/${added!.id}`);
        },
      ];
      for (const change of changes) {
        const until = await soon();
        const { status, text } = await change();
        expect(status, text).to.be.oneOf([200, 201]);
        expect((await on.get(review.id)).claimed_until! > until).to.equal(true);
      }
      expect(await claims()).to.equal(before);
      // What is refused, and what only reads, renews nothing.
      const until = await soon();
      expect((await on.decide(review.id, { ids: [], decision: 'reject' })).status).to.equal(422);
      await on.findings(review.id);
      expect((await on.get(review.id)).claimed_until).to.equal(until);
      // A claim that has lapsed is taken again, also by its former holder.
      await on.api.rows('UPDATE review SET claimed_until = now() WHERE id = $1', [review.id]);
      const again = await on.decide(review.id, { ids: [detected!.id], decision: 'accept' });
      expect(again.status, again.text).to.equal(200);
      expect(await claims()).to.equal(before + 1);
      expect((await on.api.call('POST', `${path}/${review.id}/release`)).status).to.equal(200);
    });

    it('are submitted by another than who started the job, once', async () => {
      expect(codeOf(await on.submit(review.id, { pending: 'accept' }))).to.deep.equal([
        403,
        'four_eyes',
      ]);
      const { version } = await on.get(review.id);
      const once = () => on.submit(review.id, { pending: 'accept' }, { version, key: other.key });
      const answers = await Promise.all([once(), once(), once()]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412]);
      expect((await on.untilFinished(review.job_id)).state).to.equal('succeeded');
      const late = await on.decide(review.id, { filter: {}, decision: 'reject' });
      expect(codeOf(late)).to.deep.equal([409, 'state_conflict']);
      const told = (await events(review.id)).map(({ type }) => type.split('.').at(-1));
      expect(told.filter((type) => type === 'submitted')).to.have.length(1);
      expect(told[0]).to.equal('requested');
      expect(JSON.stringify(await events(review.id))).to.not.match(/mara|kleinhoevel/i);
    });
  });

  it('are not submitted by a key that comes from who started the job, however indirectly', async () => {
    const { api } = on;
    const made = async (path: string, body: object, key: string): Promise<Tenant> => {
      const { status, text, json } = await api.call('POST', path, { body, key });
      if (status !== 201) throw new Error(text);
      return { projectId: api.projectId, keyId: json.id, key: json.api_key };
    };
    const createdBy = async (key: Tenant, person: string): Promise<Tenant> => {
      await api.rows('UPDATE api_key SET created_by = $2 WHERE id = $1', [
        key.keyId,
        { type: 'user', id: person, name: 'Asha Bell' },
      ]);
      return key;
    };
    const create = (by: string) => made('/v1/keys', { name: 'Next', scopes: ['*'] }, by);
    const first = await createdBy(await api.issue(['*']), 'usr_00000000000000000000000001');
    const second = await create(first.key);
    const third = await create(second.key);
    const rolled = await made(`/v1/keys/${third.keyId}/roll`, { overlap_seconds: 600 }, third.key);
    const line = [first, second, third, rolled];
    const ofOther = await createdBy(await api.issue(['*']), 'usr_00000000000000000000000002');
    const start = async ({ key }: { key: string }): Promise<ReviewRecord> => {
      const options = { review: 'required', reviewers: 'not_requester' };
      const body = { source_object_id: await letter(), ...options };
      const { json } = await api.call('POST', '/v1/documents/redact', { body, key });
      return on.reviewOf(json.id);
    };
    const submit = ({ id }: ReviewRecord, { key }: { key: string }) =>
      on.submit(id, { pending: 'accept' }, { key });
    for (const requester of [first, rolled]) {
      const review = await start(requester);
      for (const one of line) {
        expect(codeOf(await submit(review, one))).to.deep.equal([403, 'four_eyes']);
      }
      expect((await submit(review, await create(ofOther.key))).status).to.equal(200);
    }
    // The line of a key that no person created begins with that key.
    const review = await start(api);
    const own = await create((await create(api.key)).key);
    expect(codeOf(await submit(review, own))).to.deep.equal([403, 'four_eyes']);
    expect((await submit(review, other)).status).to.equal(200);
  });

  it('reveal whether a text occurs only to those who may read it and change the review', async () => {
    const source = await letter();
    const review = await on.awaitReview(source);
    // One of them occurs.
    const seek = async (tenant?: Tenant) => {
      const answers = [];
      for (const text of ['Windermere', 'Kleinhoevel']) {
        const body = { text, everywhere: true, type: 'PERSON' };
        answers.push(codeOf(await on.add(review.id, body, tenant)));
      }
      return answers;
    };
    const both = (status: number, code: string) => [
      [status, code],
      [status, code],
    ];
    expect(await seek(blind)).to.deep.equal(both(403, 'insufficient_scope'));
    const policy = await addPolicy(on.api, {
      actions: ['read'],
      rules: [{ type: 'require_redaction', entities: 'all' }],
    });
    expect(await seek()).to.deep.equal(both(403, 'policy_denied'));
    await on.api.rows('DELETE FROM policy WHERE id = $1', [policy]);
    const denials = await on.api.rows<{ data: object }>(
      `SELECT data FROM event WHERE type = 'dam.policy.denied' AND resource_id = $1`,
      [policy],
    );
    expect(denials.map(({ data }) => data)).to.deep.equal(
      Array(2).fill({ action: 'read', rule_type: 'require_redaction', resource_id: source }),
    );
    await on.api.call('POST', `${path}/${review.id}/claim`, other);
    expect(await seek()).to.deep.equal(both(409, 'claimed'));
    await on.api.call('POST', `${path}/${review.id}/release`, other);
    expect((await seek()).map(([status]) => status)).to.deep.equal([422, 201]);
    const rejected = await on.api.call('POST', `${path}/${review.id}/reject`, {
      body: { reason: 'Another file.' },
    });
    expect(rejected.status).to.equal(200);
    expect(await seek()).to.deep.equal(both(409, 'state_conflict'));
  });

  it('reject the operation as a whole', async () => {
    const review = await on.awaitReview(await letter());
    const rejected = await on.api.call('POST', `${path}/${review.id}/reject`, {
      body: { reason: 'Mara Kleinhoevel asked for it back.' },
    });
    expect(rejected.json).to.deep.include({ state: 'rejected' });
    const hidden = await on.api.call('GET', `${path}/${review.id}`, blind);
    expect(hidden.json.reason).to.equal(null);
    const job = await jobOf(review);
    expect([job.state, job.error?.code]).to.deep.equal(['failed', 'review_rejected']);
    expect(job.outputs).to.deep.equal([]);
    const again = await on.submit(review.id, { pending: 'accept' });
    expect(codeOf(again)).to.deep.equal([409, 'state_conflict']);
  });

  it('remove ten thousand boxes that were added', async () => {
    const review = await on.awaitReview(await letter());
    for (let top = 200; top < 300; top += 10) {
      const boxes = Array.from({ length: 1_000 }, (_, at) => {
        const [x, y] = [10 + (at % 100), top + Math.floor(at / 100)];
        return [x, y, x + 1, y + 1];
      });
      const added = await on.add(review.id, { page: 1, boxes, type: 'CUSTOM_NOTE' });
      expect(added.status, added.text).to.equal(201);
    }
    expect((await on.submit(review.id, { pending: 'accept' })).status).to.equal(200);
    const job = await on.untilFinished(review.job_id);
    expect([job.state, job.error]).to.deep.equal(['succeeded', null]);
    expect(job.operations.at(-1)?.result?.reviewed).to.deep.include({ added: 10 });
  });

  it('end with their job when it is cancelled', async () => {
    const review = await on.awaitReview(await letter());
    await on.api.call('POST', `/v1/documents/jobs/${review.job_id}/cancel`);
    const job = await on.untilFinished(review.job_id);
    expect(job.state).to.equal('cancelled');
    expect(job.operations.at(-1)!.state).to.equal('cancelled');
    expect((await on.get(review.id)).state).to.equal('cancelled');
  });

  it('expire, and nothing is removed or released', async () => {
    const review = await on.awaitReview(await letter(), { review_expires_in: 60 });
    const path = 'UPDATE review SET expires_at = now() WHERE id = $1';
    await on.api.rows(path, [review.id]);
    const late = await on.submit(review.id, { pending: 'accept' });
    expect(codeOf(late)).to.deep.equal([409, 'state_conflict']);
    await on.api.rows('UPDATE task SET due_at = now() WHERE resource_id = $1', [review.id]);
    const job = await on.untilFinished(review.job_id);
    expect([job.state, job.error?.code, job.outputs.length]).to.deep.equal([
      'failed',
      'review_expired',
      0,
    ]);
    expect((await on.get(review.id)).state).to.equal('expired');
  });

  it('wait for a source in the trash, and end with a purged one', async () => {
    const source = await letter();
    const review = await on.awaitReview(source);
    await on.api.call('DELETE', `/v1/objects/${source}`);
    const refused = await on.submit(review.id, { pending: 'accept' });
    expect(codeOf(refused)).to.deep.equal([409, 'state_conflict']);
    await on.api.call('POST', `/v1/objects/${source}/restore`);
    expect((await on.get(review.id)).state).to.equal('open');
    await on.api.call('DELETE', `/v1/objects/${source}?purge=true`);
    const job = await on.untilFinished(review.job_id);
    expect([job.state, job.error?.code]).to.deep.equal(['failed', 'source_unavailable']);
    expect(await on.findings(review.id)).to.deep.equal([]);
  });

  it('are submitted although the source was put under hold', async () => {
    const source = await letter();
    const review = await on.awaitReview(source);
    const policy = await on.api.call('POST', '/v1/dam/security/policies', {
      body: {
        name: 'Hold',
        mode: 'enforce',
        scope: { type: 'project' },
        actions: ['delete'],
        rules: [{ type: 'legal_hold', reason: 'Case 7' }],
      },
    });
    expect(policy.status).to.equal(201);
    expect((await on.api.call('DELETE', `/v1/objects/${source}`)).status).to.equal(403);
    expect((await on.submit(review.id, { pending: 'accept' })).status).to.equal(200);
    expect((await on.untilFinished(review.job_id)).state).to.equal('succeeded');
  });

  it('wait below a score only, and not at all if nothing is below it', async () => {
    const body = { source_object_id: await letter(), review: 'below', review_below: 0 };
    const job = await on.redact(body.source_object_id, body);
    expect(job.state).to.equal('succeeded');
    expect(job.operations.at(-1)!.result).to.not.have.property('reviewed');
    const all = await on.findings((await on.awaitReview(await letter())).id);
    const scores = all.map(({ score }) => score!);
    const below = Math.max(...scores);
    const options = { review: 'below', review_below: below };
    const review = await on.awaitReview(await letter(), options);
    expect(review.counts).to.deep.include({
      pending: scores.filter((score) => score < below).length,
      accepted: scores.filter((score) => score >= below).length,
    });
  });

  it('choose the label of a classification', async () => {
    const started = await on.api.call('POST', '/v1/documents/classify', {
      body: { source_object_id: await letter(), review: 'required' },
    });
    const review = await on.reviewOf(started.json.id);
    expect(review.op).to.equal('classify');
    const labels = await on.findings(review.id);
    expect(labels).to.have.length(3);
    const decided = await on.decide(review.id, { filter: {}, decision: 'accept' });
    expect(codeOf(decided)).to.deep.equal([409, 'state_conflict']);
    const none = await on.submit(review.id);
    expect([none.status, faultOf(none)]).to.deep.equal([422, [['/label', 'required']]]);
    const submitted = await on.submit(review.id, { label: 'invoice' });
    expect(submitted.status, submitted.text).to.equal(200);
    const job = await on.untilFinished(review.job_id);
    const result = job.operations.at(-1)!.result as { labels: object[]; reviewed: object };
    expect(result.labels[0]).to.deep.equal({ label: 'invoice', score: 1 });
    const object = await on.api.call('GET', `/v1/objects/${job.source_object_id}`);
    expect(object.json.labels).to.deep.equal([{ label: 'invoice', score: 1 }]);
  });
});
