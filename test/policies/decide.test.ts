import {
  type PolicyAction,
  type PolicyRule,
  policyActions,
  type RedactionCoverage,
  rules as ruleTypes,
  type Trait,
} from '@scriptorium/contracts/rules';
import type { Decision } from '@scriptorium/contracts/wire/policy-decisions';
import { expect } from 'chai';
import fc from 'fast-check';
import { decide, type Policy, type Question } from '../../src/policies/decision/decide.ts';
import {
  type FactName,
  type Facts,
  factTable,
  known,
  notApplicable,
  unknown,
} from '../../src/policies/decision/fact-table.ts';

const noon = new Date('2026-03-02T12:00:00Z'); // a Monday
const facts = (changed: Partial<Facts> = {}): Facts => ({
  mime: known('image/png'),
  traits: known([]),
  sourceTypes: known([]),
  bytes: known(1000),
  pixels: known(1_000_000),
  pages: known(3),
  labels: known(['invoice']),
  tags: known(['red']),
  collections: known(['col_a']),
  ageDays: known(10),
  redactions: known({ covers: [], outputs: [] }),
  unreviewed: known([]),
  address: known('10.0.0.1'),
  time: known(noon),
  signing: known({ signed: false }),
  ...changed,
});
const cover = (
  entities: RedactionCoverage['entities'],
  more: Partial<RedactionCoverage> = {},
): RedactionCoverage => ({
  entities,
  asked: entities,
  reviewed: false,
  fourEyes: false,
  ...more,
});
/** A reviewed redaction of everything, of which only these types were removed in full. */
const rejecting = (entities: string[]) => cover(entities, { asked: 'all', reviewed: true });
const policy = (rule: PolicyRule | PolicyRule[], changed: Partial<Policy> = {}): Policy => ({
  id: 'pol_1',
  mode: 'enforce',
  scope: { type: 'project' },
  actions: policyActions,
  when: null,
  rules: Array.isArray(rule) ? rule : [rule],
  ...changed,
});
const ask = (action: PolicyAction, changed: Partial<Facts> = {}): Question => ({
  action,
  facts: facts(changed),
  holds: [],
  objectId: 'obj_1',
});
const verdict = (
  rule: PolicyRule | PolicyRule[],
  action: PolicyAction,
  changed: Partial<Facts> = {},
) => decide([policy(rule)], ask(action, changed)).decision;

describe('policy decisions', () => {
  const cases: [string, PolicyRule, PolicyAction, Partial<Facts>, Decision['decision']][] = [
    ['a type included', { type: 'allowed_mime_types', include: ['image/*'] }, 'read', {}, 'allow'],
    [
      'a type not included',
      { type: 'allowed_mime_types', include: ['text/*'] },
      'read',
      {},
      'deny',
    ],
    ['a type excluded', { type: 'allowed_mime_types', exclude: ['image/png'] }, 'read', {}, 'deny'],
    [
      'an executable of any type',
      { type: 'allowed_mime_types', exclude: ['*/*;executable'] },
      'upload',
      { traits: known(['executable']) },
      'deny',
    ],
    [
      'an SVG without scripts',
      { type: 'allowed_mime_types', exclude: ['image/svg+xml;scripted'] },
      'upload',
      { mime: known('image/svg+xml') },
      'allow',
    ],
    [
      'an SVG with scripts',
      { type: 'allowed_mime_types', exclude: ['image/svg+xml;scripted'] },
      'upload',
      { mime: known('image/svg+xml'), traits: known(['scripted']) },
      'deny',
    ],
    [
      'HTML with scripts, where only SVG is meant',
      { type: 'allowed_mime_types', exclude: ['image/svg+xml;scripted'] },
      'upload',
      { mime: known('text/html'), traits: known(['scripted']) },
      'allow',
    ],
    ['as many bytes as may be', { type: 'max_bytes', bytes: 1000 }, 'upload', {}, 'allow'],
    ['a byte more', { type: 'max_bytes', bytes: 999 }, 'upload', {}, 'deny'],
    ['too many pixels', { type: 'max_pixels', pixels: 999_999 }, 'read', {}, 'deny'],
    [
      'pixels of a PDF',
      { type: 'max_pixels', pixels: 1 },
      'read',
      { pixels: notApplicable },
      'allow',
    ],
    [
      'pixels to be found out',
      { type: 'max_pixels', pixels: 1 },
      'upload',
      { pixels: unknown },
      'pending',
    ],
    ['too many pages', { type: 'max_pages', pages: 2 }, 'process', {}, 'deny'],
    [
      'pages a job will count',
      { type: 'max_pages', pages: 2 },
      'process',
      { pages: unknown },
      'pending',
    ],
    [
      'an unknown number of pages',
      { type: 'max_pages', pages: 2 },
      'read',
      { pages: unknown },
      'deny',
    ],
    ['a download with a key', { type: 'require_signed_url' }, 'download', {}, 'deny'],
    [
      'a signed URL',
      { type: 'require_signed_url', max_ttl_seconds: 60 },
      'download',
      { signing: known({ signed: true, ttlSeconds: 60 }) },
      'allow',
    ],
    [
      'a signed URL for too long',
      { type: 'require_signed_url', max_ttl_seconds: 60 },
      'sign',
      { signing: known({ signed: true, ttlSeconds: 61 }) },
      'deny',
    ],
    ['a rendition, which no signed URL shows', { type: 'require_signed_url' }, 'read', {}, 'allow'],
    ['an address within', { type: 'ip_allow', cidrs: ['10.0.0.0/8'] }, 'read', {}, 'allow'],
    ['an address without', { type: 'ip_allow', cidrs: ['11.0.0.0/8'] }, 'read', {}, 'deny'],
    ['an address of the other kind', { type: 'ip_allow', cidrs: ['::/0'] }, 'read', {}, 'deny'],
    [
      'no address at all',
      { type: 'ip_deny', cidrs: ['11.0.0.0/8'] },
      'read',
      { address: unknown },
      'deny',
    ],
    [
      'a worker',
      { type: 'ip_allow', cidrs: ['11.0.0.0/8'] },
      'process',
      { address: notApplicable },
      'allow',
    ],
    [
      'an address denied in a mapped range',
      { type: 'ip_deny', cidrs: ['::ffff:10.0.0.0/104'] },
      'delete',
      {},
      'deny',
    ],
    ['an address denied', { type: 'ip_deny', cidrs: ['10.0.0.1/32'] }, 'delete', {}, 'deny'],
    [
      'within the window',
      { type: 'time_window', time_zone: 'Europe/Lisbon', from: '09:00', to: '12:01' },
      'read',
      {},
      'allow',
    ],
    [
      'at the end of the window',
      { type: 'time_window', time_zone: 'UTC', from: '09:00', to: '12:00' },
      'read',
      {},
      'deny',
    ],
    [
      'by the clock of another place',
      { type: 'time_window', time_zone: 'Asia/Tokyo', from: '21:00', to: '22:00' },
      'read',
      {},
      'allow',
    ],
    [
      'on another day',
      { type: 'time_window', time_zone: 'UTC', days: ['tue'], from: '09:00', to: '18:00' },
      'read',
      {},
      'deny',
    ],
    [
      'past midnight, the morning after',
      { type: 'time_window', time_zone: 'UTC', days: ['mon'], from: '22:00', to: '06:00' },
      'read',
      { time: known(new Date('2026-03-03T05:59:00Z')) },
      'allow',
    ],
    [
      'past midnight, the morning before',
      { type: 'time_window', time_zone: 'UTC', days: ['mon'], from: '22:00', to: '06:00' },
      'read',
      { time: known(new Date('2026-03-02T05:59:00Z')) },
      'deny',
    ],
    ['unredacted', { type: 'require_redaction', entities: 'all' }, 'read', {}, 'deny'],
    [
      'redacted of all',
      { type: 'require_redaction', entities: ['email'] },
      'read',
      { redactions: known({ covers: [cover('all')], outputs: [] }) },
      'allow',
    ],
    [
      'redacted of something else',
      { type: 'require_redaction', entities: 'all' },
      'download',
      { redactions: known({ covers: [cover(['email'])], outputs: [] }) },
      'deny',
    ],
    [
      'redacted without a review',
      { type: 'require_redaction', entities: 'all', reviewed: true },
      'download',
      {
        redactions: known({
          covers: [cover('all'), cover(['email'], { reviewed: true })],
          outputs: [],
        }),
      },
      'deny',
    ],
    [
      'redacted with a review',
      { type: 'require_redaction', entities: ['email'], reviewed: true },
      'download',
      { redactions: known({ covers: [cover('all', { reviewed: true })], outputs: [] }) },
      'allow',
    ],
    [
      'reviewed by the requester',
      { type: 'require_redaction', entities: 'all', four_eyes: true },
      'download',
      { redactions: known({ covers: [cover('all', { reviewed: true })], outputs: [] }) },
      'deny',
    ],
    [
      'reviewed by someone else',
      { type: 'require_redaction', entities: 'all', four_eyes: true },
      'download',
      {
        redactions: known({
          covers: [cover('all', { reviewed: true, fourEyes: true })],
          outputs: [],
        }),
      },
      'allow',
    ],
    [
      'redacted, with rejected findings',
      { type: 'require_redaction', entities: ['email'], reviewed: true },
      'download',
      { redactions: known({ covers: [rejecting(['name'])], outputs: [] }) },
      'deny',
    ],
    [
      'redacted, with rejected findings of another type',
      { type: 'require_redaction', entities: ['name'], reviewed: true },
      'download',
      { redactions: known({ covers: [rejecting(['name'])], outputs: [] }) },
      'allow',
    ],
    [
      'redacted, with rejected findings that the rule accepts',
      { type: 'require_redaction', entities: 'all', reviewed: true, accept_rejections: true },
      'download',
      { redactions: known({ covers: [rejecting(['name'])], outputs: [] }) },
      'allow',
    ],
    [
      'not reviewed',
      { type: 'require_review', ops: ['redact_pii'] },
      'download',
      { unreviewed: known(['redact_pii']) },
      'deny',
    ],
    [
      'something else not reviewed',
      { type: 'require_review', ops: ['redact_pii'] },
      'read',
      { unreviewed: known(['classify']) },
      'allow',
    ],
    ['a label denied', { type: 'deny_labels', labels: ['invoice'] }, 'download', {}, 'deny'],
    ['another label', { type: 'deny_labels', labels: ['passport'] }, 'download', {}, 'allow'],
    [
      'never classified',
      { type: 'deny_labels', labels: ['passport'] },
      'sign',
      { labels: unknown },
      'deny',
    ],
    [
      'never classified, and it need not be',
      { type: 'deny_labels', labels: ['passport'], require_labels: false },
      'sign',
      { labels: unknown },
      'allow',
    ],
    [
      'partly classified, with a label denied',
      { type: 'deny_labels', labels: ['invoice'], require_labels: false },
      'sign',
      { labels: { state: 'unknown', atLeast: ['invoice'] } },
      'deny',
    ],
    [
      'partly classified, without one',
      { type: 'deny_labels', labels: ['passport'] },
      'sign',
      { labels: { state: 'unknown', atLeast: ['invoice'] } },
      'deny',
    ],
    [
      'partly classified, and it need not be',
      { type: 'deny_labels', labels: ['passport'], require_labels: false },
      'sign',
      { labels: { state: 'unknown', atLeast: ['invoice'] } },
      'allow',
    ],
    [
      'about to be classified',
      { type: 'deny_labels', labels: ['passport'] },
      'process',
      { labels: unknown },
      'pending',
    ],
    ['too young', { type: 'retention', min_days: 11 }, 'delete', {}, 'deny'],
    ['old enough', { type: 'retention', min_days: 10 }, 'delete', {}, 'allow'],
    ['held', { type: 'legal_hold', reason: 'Case 7' }, 'delete', {}, 'deny'],
    ['held, but only looked at', { type: 'legal_hold', reason: 'Case 7' }, 'read', {}, 'allow'],
  ];
  for (const [what, rule, action, changed, expected] of cases) {
    it(`${action}, ${what}: ${expected} (${rule.type})`, () => {
      expect(verdict(rule, action, changed)).to.equal(expected);
    });
  }

  it('have a test case for every type of rule', () => {
    const tried = new Set(cases.map(([, rule]) => rule.type));
    const obligations = ['strip_metadata', 'external'];
    expect([...tried, ...obligations].sort()).to.deep.equal(Object.keys(ruleTypes).sort());
  });

  it('require image deliveries to be stripped of everything that any policy names', () => {
    const strip = (...fields: ('gps' | 'all')[]): Policy =>
      policy({ type: 'strip_metadata', fields }, { id: fields.join() });
    const both = decide([strip('gps'), strip('gps', 'all')], ask('download'));
    expect(both.obligations).to.deep.equal([{ type: 'strip_metadata', fields: ['all'] }]);
    const pdf = decide([strip('gps')], ask('download', { mime: known('application/pdf') }));
    expect(pdf.obligations).to.deep.equal([]);
  });

  it('allow an external recogniser only if a rule says so and none denies it', () => {
    const external = (
      text: 'allowed' | 'denied',
      if_unavailable?: 'fail' | 'warn',
      changed: Partial<Policy> = {},
    ): Policy =>
      policy(
        { type: 'external', text, ...(if_unavailable ? { if_unavailable } : {}) },
        { id: `pol_${text}_${if_unavailable}`, ...changed },
      );
    const asked = ask('process');
    const obligationsOf = (...policies: Policy[]) => decide(policies, asked).obligations;
    const allowed = (if_unavailable: 'fail' | 'warn') => [
      { type: 'external' as const, text: 'allowed' as const, if_unavailable },
    ];
    expect(obligationsOf()).to.deep.equal([]);
    expect(obligationsOf(external('allowed'))).to.deep.equal(allowed('fail'));
    expect(obligationsOf(external('allowed', 'warn'))).to.deep.equal(allowed('warn'));
    expect(obligationsOf(external('allowed', 'warn'), external('allowed', 'fail'))).to.deep.equal(
      allowed('fail'),
    );
    expect(obligationsOf(external('allowed', 'warn'), external('denied'))).to.deep.equal([]);
    expect(obligationsOf(external('allowed', 'warn', { mode: 'audit' }))).to.deep.equal([]);
    const labelled = { when: { labels: ['letter'] } };
    const unlabelled = ask('process', { labels: unknown });
    expect(decide([external('allowed', 'warn', labelled)], unlabelled)).to.deep.include({
      decision: 'allow',
      obligations: [],
    });
    const denies = [external('allowed'), external('denied', undefined, labelled)];
    expect(decide(denies, unlabelled).obligations).to.deep.equal([]);
  });

  it('deliver the newest redaction that covers everything that any policy names', () => {
    const redact = (...entities: string[]): Policy =>
      policy(
        { type: 'require_redaction', entities, fallback: 'serve_redacted' },
        { id: `pol_${entities}` },
      );
    const outputs = [
      { objectId: 'obj_some', ...cover(['email', 'name'], { reviewed: true }), allPages: false },
      { objectId: 'obj_less', ...cover(['email'], { reviewed: true }), allPages: true },
      { objectId: 'obj_best', ...cover(['email', 'name'], { reviewed: false }), allPages: true },
      { objectId: 'obj_seen', ...cover(['email', 'name'], { reviewed: true }), allPages: true },
    ];
    const given = ask('download', {
      redactions: known({ covers: [], outputs }),
    });
    expect(decide([redact('name'), redact('email')], given)).to.deep.include({
      decision: 'allow',
      obligations: [{ type: 'serve_redacted', entities: ['email', 'name'], object_id: 'obj_best' }],
    });
    const none = decide([redact('name'), redact('phone')], given);
    expect(none.decision).to.equal('deny');
    expect(none.violations.map(({ policy_id }) => policy_id)).to.deep.equal([
      'pol_name',
      'pol_phone',
    ]);
    expect(decide([redact('email')], { ...given, action: 'read' }).decision).to.equal('deny');
    const seen = policy({
      type: 'require_redaction',
      entities: ['name'],
      fallback: 'serve_redacted',
      reviewed: true,
    });
    expect(decide([redact('email'), seen], given).obligations).to.deep.equal([
      { type: 'serve_redacted', entities: ['email', 'name'], object_id: 'obj_seen' },
    ]);
  });

  it('apply policies to their scope and conditions only', () => {
    const hold: PolicyRule = { type: 'legal_hold', reason: 'Case 7' };
    const decided = (changed: Partial<Policy>) =>
      decide([policy(hold, changed)], ask('delete')).decision;
    expect(decided({ scope: { type: 'tag', tags: ['blue', 'red'] } })).to.equal('deny');
    expect(decided({ scope: { type: 'tag', tags: ['blue'] } })).to.equal('allow');
    expect(decided({ scope: { type: 'collection', ids: ['col_a'] } })).to.equal('deny');
    expect(decided({ scope: { type: 'collection', ids: ['col_b'] } })).to.equal('allow');
    expect(decided({ when: { mime: ['image/*'], labels: ['invoice'] } })).to.equal('deny');
    expect(decided({ when: { mime: ['image/*'], labels: ['letter'] } })).to.equal('allow');
    const made = (traits: Trait[] | null) => ({
      sourceTypes: known([{ mime: 'application/pdf', traits }]),
    });
    const onType = (pattern: string, changed: Partial<Facts>) =>
      decide([policy(hold, { when: { mime: [pattern] } })], ask('delete', changed)).decision;
    expect(onType('application/pdf', made([]))).to.equal('deny');
    expect(onType('text/*', made([]))).to.equal('allow');
    expect(onType('application/pdf;scripted', made([]))).to.equal('allow');
    expect(onType('application/pdf;scripted', made(['scripted']))).to.equal('deny');
    expect(onType('application/pdf;scripted', made(null))).to.equal('deny');
    const partly = { state: 'unknown', atLeast: ['invoice'] } as const;
    const onLabels = (labels: string[], action: PolicyAction) =>
      decide([policy(hold, { when: { labels } })], ask(action, { labels: partly })).decision;
    expect(onLabels(['invoice'], 'delete')).to.equal('deny');
    expect(onLabels(['letter'], 'delete')).to.equal('deny');
    expect(decided({ actions: ['download'] })).to.equal('allow');
  });

  it('keep a policy’s hold on objects that left its scope, but no other rule', () => {
    const left = policy(
      [
        { type: 'legal_hold', reason: 'Case 7' },
        { type: 'ip_deny', cidrs: ['10.0.0.0/8'] },
      ],
      { scope: { type: 'tag', tags: ['blue'] } },
    );
    const held = { ...ask('delete'), holds: [{ policyId: 'pol_1', ruleType: 'legal_hold' }] };
    expect(decide([left], held).violations.map(({ code }) => code)).to.deep.equal(['legal_hold']);
    expect(decide([left], ask('delete')).decision).to.equal('allow');
    expect(decide([{ ...left, id: 'pol_2' }], held).decision).to.equal('allow');
  });

  it('include a remedy if there is one', () => {
    const { violations } = decide([policy({ type: 'require_signed_url' })], ask('download'));
    expect(violations).to.deep.equal([
      {
        policy_id: 'pol_1',
        rule_type: 'require_signed_url',
        code: 'signed_url_required',
        detail: 'The bytes of the object are available only through a signed URL.',
        parameters: {},
        remedy: {
          method: 'POST',
          path: '/v1/objects/obj_1/signed-urls',
          body: { ttl_seconds: 3600 },
        },
      },
    ]);
  });
});

describe('policy decisions for any policies', () => {
  const word = fc.constantFrom('red', 'blue', 'green');
  const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
  const mimes = fc.uniqueArray(
    fc.constantFrom('image/*', 'image/png', '*/*', 'application/pdf', '*/*;scripted'),
    { minLength: 1, maxLength: 3 },
  );
  const cidrs = fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '11.0.0.0/8', '::/0'), {
    minLength: 1,
  });
  const entities = fc.oneof(fc.constant('all' as const), words);
  const someCover = {
    entities,
    asked: entities,
    reviewed: fc.boolean(),
    fourEyes: fc.boolean(),
  };
  const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
    fc.record({ type: fc.constant('allowed_mime_types' as const), include: mimes }),
    fc.record({ type: fc.constant('allowed_mime_types' as const), exclude: mimes }),
    fc.record({ type: fc.constant('max_bytes' as const), bytes: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ type: fc.constant('max_pixels' as const), pixels: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ type: fc.constant('max_pages' as const), pages: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      type: fc.constant('require_signed_url' as const),
      max_ttl_seconds: fc.constantFrom(60, 120),
    }),
    fc.record({ type: fc.constant('ip_allow' as const), cidrs }),
    fc.record({ type: fc.constant('ip_deny' as const), cidrs }),
    fc.record({
      type: fc.constant('time_window' as const),
      time_zone: fc.constant('UTC'),
      from: fc.constantFrom('08:00', '14:00'),
      to: fc.constantFrom('11:00', '18:00'),
    }),
    fc.record({
      type: fc.constant('strip_metadata' as const),
      fields: fc.constantFrom<('gps' | 'all')[]>(['gps'], ['all']),
    }),
    fc.record({
      type: fc.constant('require_redaction' as const),
      entities,
      fallback: fc.constantFrom('deny' as const, 'serve_redacted' as const),
    }),
    fc.record({ type: fc.constant('deny_labels' as const), labels: words }),
    fc.record({
      type: fc.constant('external' as const),
      text: fc.constantFrom('allowed' as const, 'denied' as const),
    }),
    fc.record({
      type: fc.constant('retention' as const),
      min_days: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ type: fc.constant('legal_hold' as const), reason: fc.constant('x') }),
  );
  const somePolicy: fc.Arbitrary<Policy> = fc.record({
    id: fc.constantFrom('pol_1', 'pol_2', 'pol_3', 'pol_4'),
    mode: fc.constantFrom('enforce', 'audit', 'disabled'),
    scope: fc.oneof(
      fc.constant({ type: 'project' as const }),
      fc.record({ type: fc.constant('tag' as const), tags: words }),
      fc.record({ type: fc.constant('collection' as const), ids: words }),
    ),
    actions: fc.uniqueArray(fc.constantFrom(...policyActions), { minLength: 1 }),
    when: fc.option(fc.record({ mime: mimes, labels: words }, { requiredKeys: [] })),
    rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
  });
  const fact = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof(
      { weight: 4, arbitrary: value.map(known) },
      { weight: 1, arbitrary: fc.constant(unknown) },
      { weight: 1, arbitrary: fc.constant(notApplicable) },
    );
  const someWords = fc.uniqueArray(word, { maxLength: 2 });
  const small = fc.integer({ min: 0, max: 4 });
  const someFacts: fc.Arbitrary<Facts> = fc.record({
    mime: fact(fc.constantFrom('image/png', 'application/pdf', 'image/svg+xml')),
    traits: fact(fc.constantFrom<('scripted' | 'executable')[]>([], ['scripted'])),
    sourceTypes: fact(
      fc.array(
        fc.record({
          mime: fc.constantFrom('image/png', 'application/pdf'),
          traits: fc.constantFrom<Trait[] | null>([], ['scripted'], null),
        }),
        { maxLength: 2 },
      ),
    ),
    bytes: fact(small),
    pixels: fact(small),
    pages: fact(small),
    labels: fact(someWords),
    tags: fact(someWords),
    collections: fact(someWords),
    ageDays: fact(small),
    redactions: fact(
      fc.record({
        covers: fc.array(fc.record(someCover), { maxLength: 2 }),
        outputs: fc.array(fc.record({ objectId: word, allPages: fc.boolean(), ...someCover }), {
          maxLength: 2,
        }),
      }),
    ),
    unreviewed: fact(fc.constantFrom<string[]>([], ['redact_pii'])),
    address: fact(fc.constantFrom('10.0.0.1', '11.0.0.1', '2001:db8::1')),
    time: fact(fc.constant(noon)),
    signing: fact(
      fc.constantFrom({ signed: false as const }, { signed: true as const, ttlSeconds: 100 }),
    ),
  });
  const question: fc.Arbitrary<Question> = fc.record({
    action: fc.constantFrom(...policyActions),
    facts: someFacts,
    holds: fc.array(
      fc.record({
        policyId: fc.constantFrom('pol_1', 'pol_2'),
        ruleType: fc.constantFrom('legal_hold', 'retention'),
      }),
      { maxLength: 2 },
    ),
    objectId: fc.constantFrom('obj_1', null),
  });
  const policies = fc.array(somePolicy, { maxLength: 5 });
  const rank = { allow: 0, pending: 1, deny: 2 };

  it('do not depend on the order of policies or rules', () => {
    const shuffled = policies.chain((list) =>
      fc.record({
        list: fc.constant(list),
        other: fc.shuffledSubarray(list, { minLength: list.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, question, ({ list, other }, asked) => {
        const reversed = other.map((one) => ({ ...one, rules: [...one.rules].reverse() }));
        expect(decide(reversed, asked)).to.deep.equal(decide(list, asked));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are never more lenient with another policy or rule', () => {
    fc.assert(
      fc.property(policies, somePolicy, rule, question, (list, more, one, asked) => {
        const before = rank[decide(list, asked).decision];
        expect(rank[decide([...list, more], asked).decision]).to.be.at.least(before);
        const longer = list.map((each, at) =>
          at === 0 ? { ...each, rules: [...each.rules, one] } : each,
        );
        expect(rank[decide(longer, asked).decision]).to.be.at.least(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are denials if an enforced rule needs an unknown fact to show an object', () => {
    // The fact that each type of rule depends on.
    const asks: Partial<Record<PolicyRule['type'], FactName>> = {
      allowed_mime_types: 'mime',
      max_bytes: 'bytes',
      max_pixels: 'pixels',
      max_pages: 'pages',
      require_signed_url: 'signing',
      ip_allow: 'address',
      ip_deny: 'address',
      time_window: 'time',
      require_redaction: 'redactions',
      deny_labels: 'labels',
      strip_metadata: 'mime',
    };
    fc.assert(
      fc.property(
        rule,
        fc.constantFrom<PolicyAction>('read', 'download', 'sign'),
        someFacts,
        (one, action, given) => {
          const name = asks[one.type];
          const speaks: readonly PolicyAction[] = ruleTypes[one.type].actions;
          fc.pre(name !== undefined && speaks.includes(action));
          fc.pre(factTable[action][name!] === 'must');
          // "All types" includes a file about which nothing is known.
          fc.pre(!JSON.stringify(one).includes('*/*'));
          const { decision } = decide([policy(one)], {
            action,
            facts: { ...given, [name!]: unknown },
            holds: [],
            objectId: null,
          });
          expect(decision).to.equal('deny');
        },
      ),
      { numRuns: 2_000 },
    );
    for (const hangs of [
      { scope: { type: 'tag' as const, tags: ['red'] } },
      { scope: { type: 'collection' as const, ids: ['red'] } },
      { when: { labels: ['red'] } },
      { when: { mime: ['image/png'] } },
    ]) {
      const nothing = { tags: unknown, collections: unknown, labels: unknown, mime: unknown };
      const refusing = policy({ type: 'max_bytes', bytes: 1 }, hangs);
      expect(decide([refusing], ask('read', nothing)).decision).to.equal('deny');
    }
  });

  it('are never denials by policies in audit mode, which report what `enforce` would deny', () => {
    fc.assert(
      fc.property(somePolicy, question, (one, asked) => {
        const audited = decide([{ ...one, mode: 'audit' }], asked);
        const enforced = decide([{ ...one, mode: 'enforce' }], asked);
        expect(audited.decision).to.equal('allow');
        expect(audited.obligations).to.deep.equal([]);
        // Redactions served together may fail where each alone does not.
        const alone = enforced.violations.filter((v) => v.rule_type !== 'require_redaction');
        const observed = audited.denials_observed.filter(
          (v) => v.rule_type !== 'require_redaction',
        );
        expect(observed).to.deep.equal(alone);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are unaffected by disabled policies and by duplicates', () => {
    fc.assert(
      fc.property(policies, somePolicy, question, (list, more, asked) => {
        const plain = decide(list, asked);
        expect(decide([...list, { ...more, mode: 'disabled' }], asked)).to.deep.equal(plain);
        expect(decide([...list, ...list], asked)).to.deep.equal(plain);
      }),
      { numRuns: 1_000 },
    );
  });
});
