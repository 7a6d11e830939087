import { type PolicyAction, type PolicyRule, rules, weekdays } from '@scriptorium/contracts/rules';
import { expect } from 'chai';
import { type ApiResponse, startApi, type TestApi } from '../../support/api.ts';
import { onePixelPng } from '../../support/fixtures.ts';
import { openImaging, type TestImaging } from '../../support/imaging.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { postForm, postRaw } from '../../support/uploads.ts';

// Three days away, even if midnight passes during the test.
const notToday = weekdays[(new Date().getUTCDay() + 2) % 7]!;

/** A rule of each type that denies everything tried here, with the code of its denial. */
const refusing: { [R in PolicyRule['type']]: [PolicyRule & { type: R }, string] | null } = {
  allowed_mime_types: [{ type: 'allowed_mime_types', include: ['audio/*'] }, 'mime_not_allowed'],
  max_bytes: [{ type: 'max_bytes', bytes: 1 }, 'too_many_bytes'],
  max_pixels: [{ type: 'max_pixels', pixels: 9_999 }, 'too_many_pixels'],
  max_pages: [{ type: 'max_pages', pages: 4 }, 'too_many_pages'],
  require_signed_url: [
    { type: 'require_signed_url', max_ttl_seconds: 60 },
    'signed_url_ttl_too_long',
  ],
  ip_allow: [{ type: 'ip_allow', cidrs: ['192.0.2.0/24'] }, 'address_not_allowed'],
  ip_deny: [{ type: 'ip_deny', cidrs: ['0.0.0.0/0', '::/0'] }, 'address_denied'],
  time_window: [
    { type: 'time_window', time_zone: 'UTC', days: [notToday], from: '00:00', to: '23:59' },
    'outside_time_window',
  ],
  // Add an obligation, and deny nothing.
  strip_metadata: null,
  external: null,
  require_redaction: [{ type: 'require_redaction', entities: 'all' }, 'redaction_required'],
  require_review: [{ type: 'require_review', ops: ['redact_pii'] }, 'review_required'],
  deny_labels: [{ type: 'deny_labels', labels: ['passport'] }, 'label_denied'],
  retention: [{ type: 'retention', min_days: 30 }, 'retention_running'],
  legal_hold: [{ type: 'legal_hold', reason: 'Case 7' }, 'legal_hold'],
};

describe('policies wherever bytes and text are accessed', () => {
  let api: TestApi;
  let imaging: TestImaging;
  let objectId: string;
  let imageId: string;
  let jobId: string;
  let signedUrl: string;
  before(async () => {
    api = await startApi();
    imaging = await openImaging(api);
    await api.rows('DELETE FROM policy');
    objectId = (await postRaw(api, onePixelPng, 'seen.png')).json.id;
    imageId = await imageOf(objectId);
    await imaging.run();
    const job = { source_object_id: objectId, operations: [{ op: 'ocr' }] };
    jobId = (await api.call('POST', '/v1/documents/jobs', { body: job })).json.id;
    const url = { ttl_seconds: 3600 };
    const signed = await api.call('POST', `/v1/objects/${objectId}/signed-urls`, { body: url });
    signedUrl = new URL(signed.json.url, api.url).pathname;
    // Facts that no rule allows by chance.
    await api.rows(`UPDATE object SET pages = 5, labels = '[{"label": "passport", "score": 1}]'`);
    await api.rows('UPDATE image SET width = 100, height = 100');
    await api.rows(
      `INSERT INTO inherited_fact (project_id, object_id, tags, labels, collection_ids, unreviewed)
       VALUES ($1, $2, '{}', '{}', '{}', '{redact_pii}')`,
      [api.projectId, objectId],
    );
  });
  after(async () => {
    await imaging.close();
    await api.close();
  });
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
    await api.rows('DELETE FROM denial');
  });

  const imageOf = async (id: string): Promise<string> =>
    (await api.rows<{ id: string }>('SELECT id FROM image WHERE object_id = $1', [id]))[0]!.id;
  let names = 0;
  const another = async (): Promise<string> =>
    (await postRaw(api, onePixelPng, `another-${++names}.png`)).json.id;
  const tus = (): Promise<ApiResponse> =>
    api.call('POST', '/v1/uploads', {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '100',
        'upload-metadata': `filename ${Buffer.from('a.png').toString('base64')},filetype ${Buffer.from('image/png').toString('base64')}`,
      },
    });
  const upload = (options = {}) =>
    postRaw(api, onePixelPng, `upload-${++names}.png`, {
      headers: { 'content-type': 'image/png' },
      ...options,
    });

  interface Place {
    action: PolicyAction;
    /** Uses a separate resource, `fresh`, if the attempt may succeed. */
    attempt(fresh?: string): Promise<ApiResponse>;
    /** The status without a denial. */
    status: number;
    /** Rules of the action that cannot deny it here. */
    not?: PolicyRule['type'][];
    ends?: boolean;
  }
  const get = (at: string) => api.call('GET', at);
  const places: Record<string, Place> = {
    'a direct upload': {
      action: 'upload',
      attempt: () => upload(),
      status: 201,
      // Facts from a worker delay it instead.
      not: ['max_pixels', 'max_pages'],
    },
    'an upload as a form': {
      action: 'upload',
      attempt: () => {
        const form = new FormData();
        form.append('file', new Blob([onePixelPng]), `form-${++names}.png`);
        return formOf(form);
      },
      status: 201,
      not: ['max_pixels', 'max_pages'],
    },
    'a resumable upload': {
      action: 'upload',
      attempt: tus,
      status: 201,
      not: ['max_pixels', 'max_pages'],
    },
    content: {
      action: 'download',
      attempt: () => get(`/v1/objects/${objectId}/content`),
      status: 200,
    },
    'a signed URL in use': { action: 'download', attempt: () => get(signedUrl), status: 200 },
    'the making of a signed URL': {
      action: 'sign',
      attempt: () =>
        api.call('POST', `/v1/objects/${objectId}/signed-urls`, { body: { ttl_seconds: 3600 } }),
      status: 201,
      // Shortens the lifetime instead.
      not: ['require_signed_url'],
    },
    'a rendition': {
      action: 'read',
      attempt: () => get(`/v1/images/${imageId}/renditions/thumb`),
      status: 200,
    },
    'the pages of a job': {
      action: 'read',
      attempt: () => get(`/v1/documents/jobs/${jobId}/pages`),
      status: 200,
    },
    'a job': {
      action: 'process',
      attempt: () =>
        api.call('POST', '/v1/documents/ocr', { body: { source_object_id: objectId } }),
      status: 202,
    },
    'the trash of objects': {
      action: 'delete',
      attempt: (fresh) => api.call('DELETE', `/v1/objects/${fresh}`),
      status: 204,
      ends: true,
    },
    'the trash of images': {
      action: 'delete',
      attempt: async (fresh) => api.call('DELETE', `/v1/images/${await imageOf(fresh!)}`),
      status: 204,
      ends: true,
    },
  };
  const formOf = async (form: FormData): Promise<ApiResponse> => {
    const packed = new Response(form);
    const type = packed.headers.get('content-type')!;
    const body = Buffer.from(await packed.arrayBuffer());
    return postForm(api, body, { headers: { 'content-type': type } });
  };

  const eventsOf = (policyId: string) =>
    api.rows<{ type: string; data: { action: string; rule_type: string } }>(
      `SELECT type, data - '{filename,sha256}'::text[] AS data FROM event
       WHERE resource_id = $1 AND type LIKE 'dam.policy.deni%'
       ORDER BY ordinal`,
      [policyId],
    );

  for (const [where, place] of Object.entries(places)) {
    for (const sample of Object.values(refusing)) {
      if (!sample) continue;
      const [rule, code] = sample;
      const speaks: readonly PolicyAction[] = rules[rule.type].actions;
      if (!speaks.includes(place.action) || place.not?.includes(rule.type)) continue;
      it(`${rule.type} denies ${where}; in audit mode it only reports, disabled it does nothing`, async () => {
        const fresh = place.ends ? await another() : undefined;
        const { action } = place;
        const id = await addPolicy(api, { actions: [action], rules: [rule] });
        const rejected = await place.attempt(fresh);
        expect([rejected.status, rejected.json.code]).to.deep.equal([403, 'policy_denied']);
        const wanted = where === 'content' && rule.type === 'require_signed_url';
        expect(
          rejected.json.violations.map((violation: { policy_id: string; code: string }) => [
            violation.policy_id,
            violation.code,
          ]),
        ).to.deep.equal([[id, wanted ? 'signed_url_required' : code]]);
        const change = async (mode: string, version: number) => {
          const headers = { 'if-match': `"${version}"` };
          await api.call('PATCH', `${policiesPath}/${id}`, { body: { mode }, headers });
        };
        await change('audit', 1);
        expect((await place.attempt(fresh)).status).to.equal(place.status);
        expect(await eventsOf(id)).to.deep.equal(
          ['denied', 'denial_observed'].map((kind) => ({
            type: `dam.policy.${kind}`,
            data: {
              action,
              rule_type: rule.type,
              resource_id: action === 'upload' ? null : (fresh ?? objectId),
            },
          })),
        );
        await change('disabled', 2);
        const again = place.ends ? await another() : undefined;
        expect((await place.attempt(again)).status).to.equal(place.status);
        expect(await eventsOf(id)).to.have.length(2);
      });
    }
  }

  it('report what a policy in audit mode would deny, even if another one denies it', async () => {
    for (const [action, attempt] of [
      ['download', () => get(`/v1/objects/${objectId}/content`)],
      ['upload', () => upload()],
    ] as const) {
      const made = (mode: string, bytes: number): Promise<string> =>
        addPolicy(api, { mode, actions: [action], rules: [{ type: 'max_bytes', bytes }] });
      const [enforced, observed] = [await made('enforce', 1), await made('audit', 2)];
      for (let time = 0; time < 2; time++) expect((await attempt()).status).to.equal(403);
      const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
      expect(await typesOf(enforced)).to.deep.equal(['dam.policy.denied', 'dam.policy.denied']);
      expect(await typesOf(observed)).to.deep.equal(['dam.policy.denial_observed']);
    }
  });

  it('never hide records, lists or totals', async () => {
    for (const [rule] of Object.values(refusing).flatMap((sample) => (sample ? [sample] : []))) {
      await addPolicy(api, { actions: rules[rule.type].actions, rules: [rule] });
    }
    for (const shown of [
      `/v1/objects/${objectId}`,
      '/v1/objects?include=total',
      `/v1/images/${imageId}`,
      `/v1/documents/jobs/${jobId}`,
    ]) {
      expect((await get(shown)).status, shown).to.equal(200);
    }
  });
});
