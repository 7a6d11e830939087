import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { addPolicy } from '../support/policies.ts';
import { openReviews, type Reviews } from '../support/reviews.ts';
import { bornDigitalPdf } from '../support/samples.ts';

/** Sources that are purged while jobs read them, or store what they read. */
describe('sources that are purged during a job', () => {
  let on: Reviews;
  before(async () => {
    on = await openReviews();
  });
  after(() => on.close());
  beforeEach(() => on.api.rows('DELETE FROM policy'));

  let letters = 0;
  const text = 'Write to jane.roe@example.com today.';
  const note = async (): Promise<string> => {
    letters += 1;
    return on.upload(`# Note ${letters}\n\n${text}\n`, 'note.md');
  };
  const pdf = async (): Promise<string> => {
    letters += 1;
    return on.upload(await bornDigitalPdf([[text, `number ${letters}`]]), 'letter.pdf');
  };
  const purge = (id: string) => on.api.call('DELETE', `/v1/objects/${id}?purge=true`);
  const madeBy = ({ id }: JobRecord) =>
    on.api.rows<{ id: string }>('SELECT id FROM object WHERE source_job_id = $1', [id]);
  const normalize = { op: 'normalize_for_llm', options: { format: ['markdown'] } };

  /** Does something once, when the next file of the workers has arrived in storage. */
  const withFiles = async <T>(
    meanwhile: { before?: () => Promise<unknown>; stored?: () => Promise<unknown> },
    work: () => Promise<T>,
  ): Promise<T> => {
    const { deps } = on.workers;
    const { storage } = deps;
    let left = 1;
    deps.storage = Object.assign(Object.create(storage), {
      async receiveFile(...given: Parameters<typeof storage.receiveFile>) {
        const received = await storage.receiveFile(...given);
        if (left === 0) return received;
        left -= 1;
        await meanwhile.before?.();
        let commits = 0;
        return Object.assign(Object.create(received), {
          sha256: received.sha256,
          bytes: received.bytes,
          async commit() {
            commits += 1;
            // The second time is in the transaction that stores the output.
            if (commits === 2) await meanwhile.stored?.();
            return received.commit();
          },
        });
      },
    });
    return work().finally(() => {
      deps.storage = storage;
    });
  };

  /** Purges an object, or does something else, whenever an engine has done something. */
  const purgingAfter = async <T>(
    name: 'readPageLayout' | 'findInKind' | 'redactInKind',
    objectId: string,
    work: () => Promise<T>,
    meanwhile: () => Promise<unknown> = () => purge(objectId),
  ): Promise<T> => {
    const { deps } = on.workers;
    const { engines } = deps;
    const purging = <I, O, R>(call: (input: I, options: O) => Promise<R>) => {
      return async (input: I, options: O): Promise<R> => {
        const result = await call(input, options);
        await meanwhile();
        return result;
      };
    };
    const replaced: Partial<Engines> = {
      findInKind: { findInKind: purging(engines.findInKind) },
      redactInKind: { redactInKind: purging(engines.redactInKind) },
      readPageLayout: { readPageLayout: purging(engines.readPageLayout) },
    }[name];
    deps.engines = { ...engines, ...replaced };
    return work().finally(() => {
      deps.engines = engines;
    });
  };

  const expectNothing = async (job: JobRecord, code = 'source_unavailable'): Promise<void> => {
    expect([job.state, job.error?.code, job.outputs]).to.deep.equal(['failed', code, []]);
    expect(await madeBy(job)).to.deep.equal([]);
    const kept = await on.api.rows(
      `SELECT page FROM job_page WHERE job_id = $1
         AND (text IS NOT NULL OR words IS NOT NULL OR result IS NOT NULL)`,
      [job.id],
    );
    expect(kept).to.deep.equal([]);
  };

  it('leave no output of what was read before', async () => {
    const source = await note();
    const job = await withFiles({ before: () => purge(source) }, () => on.run(source, [normalize]));
    await expectNothing(job);
  });

  it('leave no output of a redaction that was purged before', async () => {
    const source = await note();
    let redaction = '';
    const purgeRedaction = async () => {
      const [made] = await on.api.rows<{ id: string }>(
        'SELECT id FROM object WHERE derived_from = $1',
        [source],
      );
      redaction = made?.id ?? '';
      if (redaction !== '') await purge(redaction);
    };
    const { deps } = on.workers;
    const { engines } = deps;
    deps.engines = {
      ...engines,
      async normalizeFile(input, options) {
        const result = await engines.normalizeFile(input, options);
        await purgeRedaction();
        return result;
      },
    };
    const job = await on.run(source, [{ op: 'redact_pii' }, normalize]).finally(() => {
      deps.engines = engines;
    });
    expect(redaction).not.to.equal('');
    expect([job.state, job.error?.code]).to.deep.equal(['failed', 'source_unavailable']);
    expect(await madeBy(job)).to.deep.equal([]);
  });

  it('are purged after the outputs that are being stored, which inherit their facts', async () => {
    const source = await note();
    await on.api.call('PATCH', `/v1/objects/${source}`, { body: { tags: ['board'] } });
    let purged: ReturnType<typeof purge> | undefined;
    const stored = async () => {
      purged = purge(source);
      await eventually(async () => {
        const [waiting] = await on.api.rows(
          `SELECT pid FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting;
      });
    };
    const job = await withFiles({ stored }, () => on.run(source, [normalize]));
    expect((await purged!).status).to.equal(204);
    expect(job.state).to.equal('succeeded');
    await addPolicy(on.api, {
      scope: { type: 'tag', tags: ['board'] },
      actions: ['download'],
      rules: [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }],
    });
    expect((await on.content(job.outputs[0]!.object_id)).status).to.equal(403);
  });

  it('leave their type to outputs, for the conditions of policies', async () => {
    const source = await pdf();
    const job = await on.run(source, [normalize]);
    const status = async () => (await on.content(job.outputs[0]!.object_id)).status;
    const rules = [{ type: 'ip_allow', cidrs: ['203.0.113.0/24'] }];
    await addPolicy(on.api, { when: { mime: ['image/*'] }, actions: ['download'], rules });
    expect(await status()).to.equal(200);
    await addPolicy(on.api, { when: { mime: ['application/pdf'] }, actions: ['download'], rules });
    expect(await status()).to.equal(403);
    expect((await purge(source)).status).to.equal(204);
    expect(await status()).to.equal(403);
    await on.api.rows('DELETE FROM policy');
    // The type of the file itself is another matter.
    await addPolicy(on.api, {
      actions: ['download'],
      rules: [{ type: 'allowed_mime_types', exclude: ['application/pdf'] }],
    });
    expect(await status()).to.equal(200);
  });

  it('leave nothing of pages that were read before', async () => {
    const source = await pdf();
    const job = await purgingAfter('readPageLayout', source, () => on.run(source, [normalize]));
    await expectNothing(job, 'all_pages_failed');
    const pages = (await on.pages(job.id)).filter(({ op }) => op === 'normalize_for_llm');
    expect(pages.map(({ state, text, error }) => [state, text, error?.code])).to.deep.equal([
      ['failed', null, 'source_unavailable'],
    ]);
  });

  it('leave no findings and no text for a review', async () => {
    const source = await note();
    const job = await purgingAfter('findInKind', source, () =>
      on.redact(source, { review: 'required' }),
    );
    await expectNothing(job);
    const { json } = await on.api.call('GET', `/v1/documents/reviews?job_id=${job.id}`);
    expect(json.data).to.deep.equal([]);
  });

  it('leave no output of a redaction', async () => {
    const source = await note();
    await expectNothing(await purgingAfter('redactInKind', source, () => on.redact(source)));
  });

  it('are kept with their redaction if they are put on hold instead', async () => {
    const source = await note();
    const hold = () =>
      addPolicy(on.api, { actions: ['delete'], rules: [{ type: 'legal_hold', reason: 'Case 7' }] });
    const job = await purgingAfter('redactInKind', source, () => on.redact(source), hold);
    expect([job.state, job.error, job.outputs.length]).to.deep.equal(['succeeded', null, 1]);
    for (const id of [source, job.outputs[0]!.object_id]) {
      const denied = await purge(id);
      expect([denied.status, denied.json.code]).to.deep.equal([403, 'policy_denied']);
      expect((await on.content(id)).status).to.equal(200);
    }
  });

  it('leave nothing to show of what was stored without them', async () => {
    const [source, paged] = [await note(), await pdf()];
    const review = await on.awaitReview(source);
    const job = await on.run(paged, [normalize]);
    const shown = async () => ({
      findings: (await on.findings(review.id)).length,
      texts: (await on.api.call('GET', `/v1/documents/reviews/${review.id}/text`)).json.data.length,
      pages: (await on.pages(job.id)).filter(({ text, result }) => text ?? result).length,
    });
    expect(await shown()).to.deep.equal({ findings: 1, texts: 1, pages: 2 });
    await on.api.rows('DELETE FROM object WHERE id = ANY($1)', [[source, paged]]);
    expect(await shown()).to.deep.equal({ findings: 0, texts: 0, pages: 0 });
  });
});
