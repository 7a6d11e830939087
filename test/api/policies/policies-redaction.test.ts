import type { ProfileName } from '@scriptorium/contracts/documents/profiles';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { eventually } from '../../support/eventually.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { openRedactions, type Redactions } from '../../support/redactions.ts';
import { bornDigitalPdf, textOf } from '../../support/samples.ts';

/** What policies that require a redaction do to every route that shows a document. */
describe('documents with required redaction', () => {
  let on: Redactions;
  before(async () => {
    on = await openRedactions();
    on.workers.start('maintenance');
  });
  after(() => on.close());
  beforeEach(async () => {
    on.redactor.reset();
    await on.api.rows('DELETE FROM policy');
  });

  const shown = ['read', 'download', 'sign'];
  const require = (
    given: { entities?: ProfileName | string[]; fallback?: string } = {},
    policy: object = {},
  ): Promise<string> =>
    addPolicy(on.api, {
      actions: shown,
      rules: [{ type: 'require_redaction', entities: 'personal', ...given }],
      ...policy,
    });
  let letters = 0;
  const letter = async (...pages: string[]): Promise<string> => {
    letters += 1;
    const lines = pages.map((line) => [line]);
    lines[0]!.push(`letter${letters}`);
    return on.upload(await bornDigitalPdf(lines), `${letters}.pdf`);
  };
  const outputOf = (job: JobRecord): string => {
    expect(job.state).to.be.oneOf(['succeeded', 'partially_succeeded']);
    return job.outputs.find(({ kind }) => kind.startsWith('redacted'))!.object_id;
  };
  /** The delivered text of an object, or the status of the denial. */
  const delivered = async (objectId: string): Promise<string | number> => {
    const { status, bytes } = await on.content(objectId);
    return status === 200 ? (await textOf(bytes)).join(' ') : status;
  };
  const signed = async (objectId: string): Promise<string | number> => {
    const body = { ttl_seconds: 60 };
    const made = await on.api.call('POST', `/v1/objects/${objectId}/signed-urls`, { body });
    if (made.status !== 201) return made.status;
    const answer = await fetch(on.api.url + new URL(made.json.url, on.api.url).pathname);
    if (answer.status !== 200) return answer.status;
    return (await textOf(Buffer.from(await answer.arrayBuffer()))).join(' ');
  };
  const share = (target: object) => on.api.call('POST', '/v1/shares', { body: target });
  /** What a visitor of a link is shown of its files, and downloads of the first. */
  const visited = async (link: string, objectId: string) => {
    const accept = { accept: 'application/json' };
    const shown = await fetch(link, { headers: accept });
    const place = JSON.parse(await shown.text());
    const download = await fetch(`${link}/files/${objectId}/download`);
    const text =
      download.status === 200
        ? (await textOf(Buffer.from(await download.arrayBuffer()))).join(' ')
        : download.status;
    return { files: place.file ? [place.file] : place.files, hidden: place.files_not_shown, text };
  };
  const found = async (q: string): Promise<string[]> => {
    const answer = await on.api.call('GET', `/v1/objects?${new URLSearchParams({ q })}`);
    expect(answer.status).to.equal(200);
    return answer.json.data.map(({ id }: { id: string }) => id);
  };
  const purged = async (objectId: string): Promise<void> => {
    await on.api.call('DELETE', `/v1/objects/${objectId}`);
    await on.api.rows(`UPDATE object SET trashed_at = now() - interval '31 days' WHERE id = $1`, [
      objectId,
    ]);
    await eventually(async () => {
      await on.api.rows(`UPDATE task SET due_at = now() WHERE kind = 'object.purge'`);
      return (await on.content(objectId)).status === 404;
    });
  };
  const pagesStatus = async (job: JobRecord): Promise<number> =>
    (await on.api.call('GET', `/v1/documents/jobs/${job.id}/pages`)).status;

  it('are denied on every route, with the remedy', async () => {
    const source = await letter('Dear Mr Quill about zebras');
    const read = await on.run(source, [{ op: 'ocr' }]);
    expect(await found('zebras Quill')).to.deep.equal([source]);
    expect(await pagesStatus(read)).to.equal(200);
    await require();
    expect([await delivered(source), await signed(source)]).to.deep.equal([403, 403]);
    expect(await pagesStatus(read)).to.equal(403);
    expect(await found('zebras')).to.deep.equal([]);
    // The OCR output is just as private.
    expect(await delivered(read.outputs[0]!.object_id)).to.equal(403);
    const rejected = await on.api.call('GET', `/v1/objects/${source}/content`);
    const { remedy } = rejected.json.violations[0];
    expect(remedy).to.deep.equal({
      method: 'POST',
      path: '/v1/documents/redact',
      body: { source_object_id: source },
    });
    // The remedy works.
    const done = await on.api.call(remedy.method, remedy.path, { body: remedy.body });
    const output = outputOf(await on.untilFinished(done.json.id));
    expect(await delivered(output))
      .to.include('[PERSON]')
      .and.not.include('Quill');
  });

  it('are served as a verified redaction, unlike the source', async () => {
    await require();
    const source = await letter('Dear Mr Quill about yaks');
    const job = await on.redact(source);
    const output = outputOf(job);
    for (const way of [delivered, signed]) {
      expect(await way(output))
        .to.include('about yaks')
        .and.not.include('Quill');
      expect(await way(source)).to.equal(403);
    }
    expect(await pagesStatus(job)).to.equal(403);
  });

  it('are found by the text of their redaction, and not by removed text', async () => {
    await require();
    const source = await letter('Dear Mr Quill about gnus');
    await on.run(source, [{ op: 'ocr' }]);
    expect(await found('gnus')).to.deep.equal([]);
    await on.redact(source);
    expect(await found('gnus')).to.deep.equal([source]);
    expect(await found('Quill gnus')).to.deep.equal([]);
    // After another ocr job they are still found only by the text of the redaction.
    await on.run(source, [{ op: 'ocr' }]);
    expect(await found('gnus')).to.deep.equal([source]);
    expect(await found('Quill gnus')).to.deep.equal([]);
    await on.api.rows('DELETE FROM policy');
    expect(await found('Quill gnus')).to.deep.equal([source]);
    // A later redaction that removes less does not replace one that removed more.
    await on.redact(source, { entities: ['EMAIL_ADDRESS'] });
    await require({ entities: ['EMAIL_ADDRESS', 'PERSON'] });
    expect(await found('gnus')).to.deep.equal([source]);
    expect(await found('Quill gnus')).to.deep.equal([]);
  });

  it('are not found by the text of a redaction that removed less than required', async () => {
    const source = await letter('Dear Mr Quill about okapis');
    await on.redact(source, { entities: ['EMAIL_ADDRESS'] });
    await require({ entities: ['EMAIL_ADDRESS'] });
    expect(await found('okapis')).to.deep.equal([source]);
    await require({ entities: ['EMAIL_ADDRESS', 'PERSON'] });
    expect(await found('okapis')).to.deep.equal([]);
  });

  it('are not searched by the text of an unverified redaction', async () => {
    await require();
    const source = await letter('about emus', 'Dear Mr Quill');
    on.redactor.faults.leakingPages = [2];
    const job = await on.redact(source);
    expect(job.state).to.equal('partially_succeeded');
    expect(await found('emus')).to.deep.equal([]);
    expect(await delivered(outputOf(job))).to.equal(403);
  });

  describe('with a redaction served instead', () => {
    const served = { fallback: 'serve_redacted' };

    it('get the newest verified one of all pages and all required entities', async () => {
      await require({ ...served, entities: ['PERSON', 'EMAIL_ADDRESS'] });
      const source = await letter('Mr Quill at quill@example.org', 'and Mr Inkwell');
      expect([await delivered(source), await signed(source)]).to.deep.equal([403, 403]);
      await on.redact(source, { entities: ['PERSON'] });
      expect(await delivered(source)).to.equal(403);
      await on.redact(source, { pages: '1' });
      expect(await delivered(source)).to.equal(403);
      on.redactor.faults.leakingPages = [2];
      await on.redact(source);
      on.redactor.reset();
      expect(await delivered(source)).to.equal(403);

      const first = outputOf(
        await on.redact(source, { entities: ['EMAIL_ADDRESS', 'PERSON', 'URL'] }),
      );
      expect(await delivered(source)).to.equal(await delivered(first));
      expect(await delivered(source))
        .to.include('[EMAIL_ADDRESS]')
        .and.not.match(/Quill|Inkwell/);
      expect(await signed(source)).to.equal(await delivered(first));
      // Newer ones of fewer entities or pages do not replace it.
      await on.redact(source, { entities: ['PERSON'] });
      const part = outputOf(await on.redact(source, { pages: '2' }));
      expect(await delivered(source)).to.equal(await delivered(first));
      expect(await delivered(part)).to.include('and Mr [PERSON]');
      const second = outputOf(await on.redact(source, { style: 'label' }));
      await on.api.call('DELETE', `/v1/objects/${first}`);
      expect(await delivered(source)).to.equal(await delivered(second));
      await on.api.call('DELETE', `/v1/objects/${second}`);
      expect([await delivered(source), await signed(source)]).to.deep.equal([403, 403]);
    });

    it('are signed and shared as the redaction that `sign` requires', async () => {
      await require({ ...served, entities: 'all' }, { actions: ['sign'] });
      const source = await letter('Mr Quill at quill@example.org about dingos');
      const members = [{ resource_type: 'object', resource_id: source }];
      const holder = await on.api.call('POST', '/v1/collections', { body: { name: 'D', members } });
      const { url: folder } = (await share({ collection_id: holder.json.id })).json;
      expect(await signed(source)).to.equal(403);
      expect((await share({ object_id: source })).status).to.equal(403);
      expect(await visited(folder, source)).to.deep.equal({ files: [], hidden: 1, text: 403 });

      const redaction = outputOf(await on.redact(source, { entities: 'all' }));
      // Newer, and of less: what may be downloaded with a key is not what may be signed.
      await on.redact(source, { entities: ['EMAIL_ADDRESS'] });
      const { json: record } = await on.api.call('GET', `/v1/objects/${redaction}`);
      for (const download of [null, ['EMAIL_ADDRESS']]) {
        if (download) await require({ ...served, entities: download }, { actions: ['download'] });
        expect(await delivered(source)).to.include('Quill');
        const text = await delivered(redaction);
        expect(text)
          .to.include('about dingos')
          .and.not.match(/Quill|quill/);
        expect(await signed(source)).to.equal(text);
        const { url: link } = (await share({ object_id: source })).json;
        for (const place of [link, folder]) {
          const seen = await visited(place, source);
          expect(seen.text).to.equal(text);
          expect(seen.files[0]).to.include({ filename: record.filename, bytes: record.bytes });
        }
        const archive = await fetch(`${folder}/archive`);
        const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
        expect(Object.keys(files)).to.deep.equal([record.filename]);
        const [file] = Object.values(files);
        expect((await textOf(Buffer.from(file!))).join(' ')).to.equal(text);
      }
    });

    it('are signed for as long as policies allow for the redaction', async () => {
      await require(served, { actions: ['sign'] });
      const source = await letter('Dear Mr Quill about quolls');
      const redaction = outputOf(await on.redact(source));
      await on.api.call('PATCH', `/v1/objects/${redaction}`, { body: { tags: ['brief'] } });
      const brief = (action: string, seconds: number) =>
        addPolicy(on.api, {
          scope: { type: 'tag', tags: ['brief'] },
          actions: [action],
          rules: [{ type: 'require_signed_url', max_ttl_seconds: seconds }],
        });
      const secondsOf = async (): Promise<number> => {
        const body = { ttl_seconds: 600 };
        const made = await on.api.call('POST', `/v1/objects/${source}/signed-urls`, { body });
        return made.json.ttl_seconds;
      };
      expect(await secondsOf()).to.equal(600);
      await brief('sign', 300);
      expect(await secondsOf()).to.equal(300);
      await brief('download', 200);
      expect(await secondsOf()).to.equal(200);
      const expires = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
      expect((await share({ object_id: source, expires_at: expires(900) })).status).to.equal(403);
      const { json } = await share({ object_id: source, expires_at: expires(250) });
      const longer = await on.api.call('PATCH', `/v1/shares/${json.id}`, {
        body: { expires_at: expires(900) },
        headers: { 'if-match': '*' },
      });
      expect([longer.status, longer.json.code]).to.deep.equal([403, 'policy_denied']);
    });

    it('do not get one with findings excluded', async () => {
      await require(served);
      const source = await letter('Dear Mr Quill about okapis');
      for (const lax of [{ min_confidence: 0.95 }, { allow_list: ['Quill'] }]) {
        const job = await on.redact(source, lax);
        expect(job.operations[1]!.result).to.include({ verified: true });
        expect(await delivered(outputOf(job))).to.equal(403);
        expect(await delivered(source)).to.equal(403);
      }
      await on.redact(source, { min_confidence: 0.2 });
      expect(await delivered(source)).to.include('okapis');
    });
  });

  it('are served where the redaction holds at least what the required profile holds', async () => {
    const source = await letter('Dear Mr Quill about tapirs');
    await require({ fallback: 'serve_redacted', entities: 'gdpr' });
    for (const entities of ['personal', 'hipaa', ['PERSON', 'EMAIL_ADDRESS']]) {
      await on.redact(source, { entities });
      expect(await delivered(source)).to.equal(403);
    }
    await on.redact(source, { entities: 'gdpr' });
    expect(await delivered(source)).to.include('tapirs');
    await require({ fallback: 'serve_redacted', entities: 'all' });
    expect(await delivered(source)).to.equal(403);
    await on.redact(source, { entities: 'all' });
    expect(await delivered(source)).to.include('tapirs');
  });

  it('pass the requirement to outputs, but not to outputs of a redaction', async () => {
    await require();
    const source = await letter('Dear Mr Quill about lynxes');
    const kept = await on.run(source, [
      { op: 'ocr', options: { output: ['searchable_pdf'] } },
      { op: 'redact_pii', options: { keep_unredacted: true } },
    ]);
    const unredacted = kept.outputs.find(({ kind }) => kind === 'searchable_pdf')!.object_id;
    expect(await delivered(unredacted)).to.equal(403);
    const again = await on.run(outputOf(kept), [{ op: 'ocr' }]);
    expect(await delivered(again.outputs[0]!.object_id)).to.include('[PERSON] about lynxes');
    expect(await pagesStatus(again)).to.equal(200);
    expect(await found('lynxes')).to.include(outputOf(kept));
    // The redaction of an unredacted output frees that output, not its source.
    const third = await on.redact(unredacted);
    expect(await delivered(outputOf(third))).to.include('[PERSON]');
    expect(await delivered(source)).to.equal(403);
  });

  it('pass their policies to outputs, whatever happens to the source', async () => {
    const source = await letter('Mr Quill and tapirs', 'Mr Inkwell');
    await on.api.call('PATCH', `/v1/objects/${source}`, { body: { tags: ['hush'] } });
    await require({}, { scope: { type: 'tag', tags: ['hush'] } });
    on.redactor.faults.leakingPages = [1];
    const unverified = outputOf(await on.redact(source));
    on.redactor.reset();
    const verified = outputOf(await on.redact(source));
    const both = async () => [await delivered(unverified), await delivered(verified)];
    const [rejected, text] = await both();
    expect([rejected, typeof text]).to.deep.equal([403, 'string']);
    await on.api.call('DELETE', `/v1/objects/${source}`);
    // Policies are evaluated before the state.
    expect(await delivered(source)).to.equal(403);
    expect(await both()).to.deep.equal([403, text]);
    await purged(source);
    expect(await both()).to.deep.equal([403, text]);
  });

  it('allow the outputs of a redaction, whatever happens to the redaction', async () => {
    const markdown = { op: 'normalize_for_llm', options: { format: ['markdown'] } };
    const source = await letter('Mr Quill and ocelots', 'Mr Inkwell');
    const made = (job: JobRecord, kind: string): string =>
      job.outputs.find((one) => one.kind === kind)!.object_id;
    const job = await on.run(source, [{ op: 'redact_pii' }, markdown]);
    const some = await on.run(source, [
      { op: 'redact_pii', options: { entities: ['PERSON'] } },
      markdown,
    ]);
    on.redactor.faults.leakingPages = [1];
    const unverified = await on.run(source, [{ op: 'redact_pii' }, markdown]);
    on.redactor.reset();
    const copy = made(
      await on.run(outputOf(job), [{ op: 'ocr', options: { output: ['searchable_pdf'] } }]),
      'searchable_pdf',
    );
    const text = made(await on.run(copy, [markdown]), 'markdown');
    await require();
    const ids = [copy, text];
    for (const one of [job, some, unverified]) ids.push(made(one, 'markdown'));
    const signs = async (id: string) =>
      (await on.api.call('POST', `/v1/objects/${id}/signed-urls`, { body: { ttl_seconds: 60 } }))
        .status;
    const passes = async () => {
      const statuses = [];
      for (const id of ids) statuses.push((await on.content(id)).status);
      return { statuses, found: (await found('ocelots')).includes(copy) };
    };
    const before = { statuses: [200, 200, 200, 403, 403], found: true };
    expect(await passes()).to.deep.equal(before);
    for (const one of [job, some, unverified]) await purged(outputOf(one));
    expect(await passes()).to.deep.equal(before);
    const person = await require({ entities: ['PERSON'] });
    expect(await passes()).to.deep.equal(before);
    // Including outputs of outputs.
    await purged(copy);
    expect((await on.content(text)).status).to.equal(200);
    await on.api.rows('DELETE FROM policy WHERE id <> $1', [person]);
    const signable = [];
    for (const id of ids.slice(1)) signable.push(await signs(id));
    expect(signable).to.deep.equal([201, 201, 201, 403]);
  });

  it('get the same decision from evaluate', async () => {
    const policy = await require({ fallback: 'serve_redacted' });
    const source = await letter('Dear Mr Quill about ibexes');
    const ask = async () => {
      const body = { action: 'download', resource: { type: 'object', id: source } };
      return (await on.api.call('POST', `${policiesPath}/evaluate`, { body })).json;
    };
    const before = await ask();
    expect([before.decision, before.violations[0].policy_id]).to.deep.equal(['deny', policy]);
    const output = outputOf(await on.redact(source));
    const after = await ask();
    expect(after.decision).to.equal('allow');
    expect(after.obligations).to.deep.equal([
      { type: 'serve_redacted', entities: ['personal'], object_id: output },
    ]);
  });
});
