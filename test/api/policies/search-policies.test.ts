import {
  type PolicyAction,
  type PolicyRule,
  type RuleName,
  type RuleParameters,
  rules as ruleTypes,
  weekdays,
} from '@scriptorium/contracts/rules';
import { expect } from 'chai';
import fc from 'fast-check';
import { startApi, type TestApi } from '../../support/api.ts';
import { addPolicy, policiesPath } from '../../support/policies.ts';
import { postRaw } from '../../support/uploads.ts';

const today = weekdays[(new Date().getUTCDay() + 6) % 7]!;
const inThreeDays = weekdays[(weekdays.indexOf(today) + 3) % 7]!;
const window = { time_zone: 'UTC', from: '00:00', to: '00:00' };

/**
 * Each rule in a form that denies the document below to this caller now, and in one that does not.
 * Null for rules without an effect on `read`. A new type of rule does not compile without its line.
 */
const samples: {
  [R in RuleName]: { refuses: RuleParameters<R>; allows: RuleParameters<R> } | null;
} = {
  allowed_mime_types: {
    refuses: { exclude: ['application/*'] },
    allows: { include: ['application/pdf'], exclude: ['*/*;executable'] },
  },
  max_bytes: { refuses: { bytes: 10 }, allows: { bytes: 1_000_000 } },
  // The rule does not apply to other objects, so that the picture below is the denied one.
  max_pixels: { refuses: { pixels: 100 }, allows: { pixels: 1_000_000 } },
  max_pages: { refuses: { pages: 2 }, allows: { pages: 3 } },
  require_signed_url: null,
  ip_allow: { refuses: { cidrs: ['192.0.2.0/24'] }, allows: { cidrs: ['127.0.0.0/8', '::1/128'] } },
  ip_deny: { refuses: { cidrs: ['127.0.0.0/8', '::1/128'] }, allows: { cidrs: ['192.0.2.0/24'] } },
  time_window: {
    refuses: { ...window, days: [inThreeDays] },
    allows: { ...window, days: [...weekdays] },
  },
  strip_metadata: null,
  require_redaction: { refuses: { entities: ['email'] }, allows: { entities: ['name'] } },
  require_review: { refuses: { ops: ['redact_pii'] }, allows: { ops: ['classify'] } },
  deny_labels: {
    refuses: { labels: ['invoice'] },
    allows: { labels: ['letter'], require_labels: false },
  },
  external: null,
  retention: null,
  legal_hold: null,
};
const sampled = Object.entries(samples).flatMap(([type, sample]) =>
  sample
    ? [
        {
          type,
          refuses: { type, ...sample.refuses } as PolicyRule,
          allows: { type, ...sample.allows } as PolicyRule,
        },
      ]
    : [],
);

describe('the search of unreadable text', () => {
  let api: TestApi;
  const objects: string[] = [];
  before(async () => {
    api = await startApi();
    const add = async (fields: string): Promise<void> => {
      const { json } = await postRaw(api, `some bytes ${objects.length}`, `f${objects.length}.txt`);
      await api.rows(`UPDATE object SET ${fields} WHERE id = $1`, [json.id]);
      await api.rows(
        `UPDATE object_index SET text = to_tsvector('library', 'xanadu dome') WHERE object_id = $1`,
        [json.id],
      );
      objects.push(json.id);
    };
    const image = async (width: number | null): Promise<void> => {
      await add(`mime = 'image/png', tags = '{red}', traits = '{}'`);
      await api.rows(
        `INSERT INTO image (id, project_id, object_id, width, height)
         SELECT replace(id, 'obj_', 'img_'), project_id, id, $2, $2 FROM object WHERE id = $1`,
        [objects.at(-1), width],
      );
    };
    await add(`mime = 'application/pdf', pages = 3, traits = '{}',
      labels = '[{"label": "invoice", "score": 1}]'`);
    await add(`mime = 'application/pdf', pages = NULL, traits = '{scripted}'`);
    await add(`mime = 'text/html', traits = NULL, bytes = 5,
      labels = '[{"label": "letter", "score": 1}]'`);
    await image(200);
    await image(5);
    await image(null);
    await add(`mime = 'text/plain', traits = '{}', tags = '{red}'`);
    await add(`mime = 'text/plain', traits = '{}', derived_from = '${objects[0]}'`);
    await api.rows(
      `INSERT INTO inherited_fact (project_id, object_id, tags, labels, collection_ids, unreviewed)
       VALUES ($1, $2, '{}', '{}', '{}', '{redact_pii}')`,
      [api.projectId, objects[0]],
    );
    // The first document's redaction has no names left, and neither has its index entry.
    await api.rows(
      `INSERT INTO redaction_fact (project_id, object_id, source_object_id, verified, entities, all_pages)
       VALUES ($1, $2, $3, true, '{name}', true)`,
      [api.projectId, objects.at(-1), objects[0]],
    );
    await api.rows(
      `UPDATE object_index SET redacted_text = to_tsvector('library', 'xanadu'), redacted_free_of = '{name}'
       WHERE object_id = $1`,
      [objects[0]],
    );
    // An archive of a letter and of a picture that is not classified, and whose traits are not known.
    await add(`mime = 'application/zip', traits = '{}'`);
    await api.rows(
      `INSERT INTO inherited_fact (project_id, object_id, tags, labels, collection_ids, unclassified, types)
       VALUES ($1, $2, '{}', '{letter}', '{}', true, $3)`,
      [api.projectId, objects.at(-1), '[{"mime": "image/png", "traits": null}]'],
    );
  });
  after(async () => {
    await api.close();
  });
  beforeEach(async () => {
    await api.rows('DELETE FROM policy');
  });

  const search = async (q: string): Promise<string[]> => {
    const { status, text, json } = await api.call('GET', `/v1/objects?q=${q}&include=total`);
    expect(status, text).to.equal(200);
    expect(json.total).to.equal(json.data.length);
    return json.data.map(({ id }: { id: string }) => id).toSorted();
  };
  /** What may be read, by the same policies and in the same place. */
  const readable = async (): Promise<string[]> => {
    const decided = await Promise.all(
      objects.map(async (id) => {
        const body = { action: 'read', resource: { type: 'object', id } };
        const { json } = await api.call('POST', `${policiesPath}/evaluate`, { body });
        return json.decision === 'allow' ? [id] : [];
      }),
    );
    return decided.flat().toSorted();
  };

  it('is sampled for every rule on reading', () => {
    const speaking = Object.entries(ruleTypes).flatMap(([type, { actions }]) =>
      (actions as readonly PolicyAction[]).includes('read') ? [type] : [],
    );
    expect(sampled.map(({ type }) => type)).to.have.members(speaking);
  });

  for (const { type, refuses, allows } of sampled) {
    it(`finds nothing in it if ${type} denies, and everything otherwise`, async () => {
      const about = type === 'max_pixels' ? objects[3]! : objects[0]!;
      expect(await search('dome')).to.deep.equal(objects.toSorted());
      await addPolicy(api, { actions: ['read'], rules: [refuses] });
      expect(await search('dome')).to.not.include(about);
      expect(await search('dome')).to.deep.equal(await readable());
      // Policies do not hide names, which are details; and unread text excludes no result.
      expect(await search('f0')).to.deep.equal([objects[0]]);
      const allowed = await readable();
      expect(await search('txt%20-dome')).to.deep.equal(
        objects.filter((id) => !allowed.includes(id)).toSorted(),
      );
      await api.rows('DELETE FROM policy');
      await addPolicy(api, { actions: ['read'], rules: [allows] });
      expect(await search('dome')).to.deep.equal(await readable());
      if (type !== 'require_redaction') expect(await search('dome')).to.include(about);
    });
  }

  it('finds the text of a redaction if only that may be read', async () => {
    const rule = { type: 'require_redaction', entities: ['name'] };
    await addPolicy(api, { actions: ['read'], rules: [rule] });
    expect(await search('xanadu')).to.deep.equal([objects[0]!, objects[7]!].toSorted());
    expect(await search('xanadu%20f0')).to.deep.equal([objects[0]]);
    expect(await search('dome')).to.deep.equal([objects[7]]);
    expect(await search('xanadu%20-dome')).to.deep.equal([objects[0]]);
    // Any other denial of reading hides it as well.
    await addPolicy(api, { actions: ['read'], rules: [{ type: 'max_pages', pages: 2 }] });
    expect(await search('xanadu')).to.deep.equal([objects[7]]);
    expect(await search('f0')).to.deep.equal([objects[0]]);
  });

  it('agrees with the policies on reading for each object, for any policies', async () => {
    const rule = fc.constantFrom(...sampled.flatMap(({ refuses, allows }) => [refuses, allows]));
    const policy = fc.record({
      actions: fc.constantFrom(['read'], ['read'], ['read', 'download'], ['download']),
      mode: fc.constantFrom('enforce', 'enforce', 'audit', 'disabled'),
      scope: fc.constantFrom({ type: 'project' }, { type: 'tag', tags: ['red'] }),
      when: fc.constantFrom(
        null,
        null,
        { mime: ['application/pdf', 'image/*'] },
        { mime: ['*/*;scripted'] },
        { labels: ['invoice'] },
        { labels: ['letter'] },
      ),
      rules: fc.uniqueArray(rule, { minLength: 1, maxLength: 2, selector: ({ type }) => type }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(policy, { minLength: 1, maxLength: 3 }), async (policies) => {
        await api.rows('DELETE FROM policy');
        for (const { actions, rules, ...one } of policies) {
          const speaks = rules.filter(({ type }) =>
            actions.some((action) =>
              (ruleTypes[type].actions as readonly string[]).includes(action),
            ),
          );
          if (speaks.length > 0) await addPolicy(api, { ...one, actions, rules: speaks });
        }
        expect(await search('dome')).to.deep.equal(await readable());
      }),
      { numRuns: 60 },
    );
  });
});
