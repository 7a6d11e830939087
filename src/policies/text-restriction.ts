import { pagedMimes } from '@scriptorium/contracts/documents/sources';
import {
  entityList,
  type PolicyRule,
  type RuleName,
  type RuleParameters,
  rules,
} from '@scriptorium/contracts/rules';
import { imageMimes } from '@scriptorium/contracts/wire/library/images';
import type { Policy } from './decision/decide.ts';
import { type Facts, knownUnlessNull } from './decision/fact-table.ts';
import { type FactView, judges, type RuleVerdict } from './decision/rules.ts';
import { collectionsSql, coverSql } from './facts/scope-sql.ts';

/** The searcher: the address and time of the search. Null if unknown: rules about them then deny. */
export interface Searcher {
  address: string | null;
  at: Date | null;
}

/** SQL for the objects whose text must not be searched. It is never null, so neither is its negation. */
export interface TextRestriction {
  /** Objects whose recognised text must not be searched. */
  text: string;
  /** Objects whose redacted text must not be searched either; null if they are the same. */
  redacted: string | null;
}

/**
 * Restricts a search to text that the caller may read, since results reveal text: excludes objects for
 * which an enforced policy denies `read` at this address and time. Decides as `decide` does for a single
 * object. Applies to rows of the table `object` joined to the view `object_search`. Null if no object is
 * restricted.
 * @param policies those that apply to `read`
 * @param bind takes a value and returns its placeholder
 */
export function textRestriction(
  policies: readonly Policy[],
  searcher: Searcher,
  bind: Bind,
): TextRestriction | null {
  const readPolicies = policies.filter(
    ({ mode, actions }) => mode === 'enforce' && actions.includes('read'),
  );
  const text = denialsSql(readPolicies, { searcher, bind, isRedacted: false });
  if (text === null) return null;
  const redactable = readPolicies.some((policy) =>
    policy.rules.some(({ type }) => type === 'require_redaction'),
  );
  // The other parts are the same, but their values are bound again.
  const redacted = redactable
    ? denialsSql(readPolicies, { searcher, bind, isRedacted: true })
    : null;
  return { text, redacted };
}

interface SqlContext {
  searcher: Searcher;
  bind: Bind;
  /** Whether the text is what redactions left, which is free of `redacted_free_of`. */
  isRedacted: boolean;
}

function denialsSql(policies: readonly Policy[], context: SqlContext): string | null {
  const parts = policies.flatMap((policy) =>
    policy.rules.flatMap((rule) => {
      const denied = deniedSql(rule, context);
      if (denied === null) return [];
      const conditions = [
        ...scopeSql(policy, context.bind),
        ...whenSql(policy, context.bind),
        denied,
      ];
      return [conditions.map((part) => `(${part})`).join(' AND ')];
    }),
  );
  return parts.length === 0
    ? null
    : `coalesce(${parts.map((part) => `(${part})`).join(' OR ')}, true)`;
}

type Bind = (value: unknown) => string;

/** The object and its sources, whose facts it inherits. */
const lineIdsSql = `(CASE WHEN object.derived_from IS NULL THEN ARRAY[object.id]
  ELSE (SELECT array_agg(l.id) FROM object_line(object.project_id, object.id) l) END)`;

/**
 * The FROM and WHERE clauses of a SELECT on a table `a` with facts of the object and its sources.
 * `joins` are relations joined to it.
 */
const fromLineSql = (table: string, column: string, joins = ''): string =>
  `FROM ${table} a${joins} WHERE a.project_id = object.project_id AND a.${column} = ANY(${lineIdsSql})`;

function scopeSql({ scope }: Policy, bind: Bind): string[] {
  if (scope.type === 'project') return [];
  if (scope.type === 'tag') {
    const tags = `${bind(scope.tags)}::text[]`;
    return [
      `EXISTS (SELECT ${fromLineSql('object', 'id')} AND a.tags && ${tags})
       OR EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id')} AND a.tags && ${tags})`,
    ];
  }
  const ids = `${bind(scope.ids)}::text[]`;
  return [
    `coalesce(${collectionsSql('object.project_id', lineIdsSql)} && ${ids}, false)
     OR EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id')} AND a.collection_ids && ${ids})`,
  ];
}

function whenSql({ when }: Policy, bind: Bind): string[] {
  const parts: string[] = [];
  if (when?.mime) {
    const { mime } = when;
    // Unknown: it may match.
    const anyOf = (file: string): string =>
      `coalesce(${mime.map((pattern) => mimeSql(pattern, bind, file)).join(' OR ')}, true)`;
    const inherited = ', jsonb_to_recordset(a.types) t (mime text, traits text[])';
    parts.push(
      `EXISTS (SELECT ${fromLineSql('object', 'id')} AND ${anyOf('a')})
       OR EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id', inherited)} AND ${anyOf('t')})`,
    );
  }
  // An unclassified object may have one of these labels.
  if (when?.labels) parts.push(labelledSql(when.labels, 'or unclassified', bind));
  return parts;
}

/** Whether the object is classified as one of these. */
function labelledSql(
  labelNames: readonly string[],
  mode: 'or unclassified' | 'surely',
  bind: Bind,
): string {
  const labels = `(
    SELECT l ${fromLineSql('object', 'id', ', labels_that_count(a.labels, a.labels_partial) l')}
    UNION SELECT unnest(a.labels) ${fromLineSql('inherited_fact', 'object_id')})`;
  const isLabelled = `EXISTS (SELECT FROM ${labels} AS found (label) WHERE label = ANY(${bind(labelNames)}::text[]))`;
  if (mode === 'surely') return isLabelled;
  const isPartlyUnclassified = `EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id')} AND a.unclassified)`;
  return `NOT EXISTS ${labels} OR ${isLabelled} OR ${isPartlyUnclassified}`;
}

/** The rules that apply to `read`. */
type ReadRule = {
  [R in RuleName]: 'read' extends (typeof rules)[R]['actions'][number] ? R : never;
}[RuleName];

/**
 * The condition under which each rule denies `read`; a missing one does not compile. Null for
 * never.
 */
const denialConditions: {
  [R in ReadRule]: (rule: { type: R } & RuleParameters<R>, context: SqlContext) => string | null;
} = {
  allowed_mime_types: ({ include, exclude }, { bind }) => {
    const anyOf = (patterns: readonly string[]): string =>
      `(${patterns.map((pattern) => mimeSql(pattern, bind)).join(' OR ')})`;
    const allowed = [include && anyOf(include), exclude && `NOT ${anyOf(exclude)}`].filter(Boolean);
    return allowed.length === 0 ? null : `NOT coalesce(${allowed.join(' AND ')}, false)`;
  },
  max_bytes: ({ bytes }, { bind }) => `object.bytes > ${bind(bytes)}::bigint`,
  max_pixels: ({ pixels }, { bind }) =>
    `object.mime = ANY(${bind(imageMimes)}::text[]) AND coalesce((
      SELECT i.width::bigint * i.height FROM image i
      WHERE i.project_id = object.project_id AND i.object_id = object.id) > ${bind(pixels)}::bigint, true)`,
  max_pages: ({ pages }, { bind }) =>
    `object.mime = ANY(${bind(pagedMimes)}::text[]) AND coalesce(
      CASE WHEN object.mime IN ('application/pdf', 'image/tiff') THEN object.pages
        ELSE coalesce(object.pages, 1) END > ${bind(pages)}::integer, true)`,
  ip_allow: (rule, { searcher }) => constantSql(judges.ip_allow(rule, viewOf(searcher))),
  ip_deny: (rule, { searcher }) => constantSql(judges.ip_deny(rule, viewOf(searcher))),
  time_window: (rule, { searcher }) => constantSql(judges.time_window(rule, viewOf(searcher))),
  require_redaction: (rule, context) => `NOT ${redactedSql(rule, context)}`,
  require_review: ({ ops }, { bind }) => {
    const opsSql = `${bind(ops)}::text[]`;
    return `EXISTS (SELECT ${fromLineSql('object', 'id', ', unreviewed_operations(a.project_id, a.id, a.source_job_id) u')} AND u.op = ANY(${opsSql}))
      OR EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id')} AND a.unreviewed && ${opsSql})`;
  },
  deny_labels: ({ labels, require_labels: required = true }, { bind }) =>
    labelledSql(labels, required ? 'or unclassified' : 'surely', bind),
};

function deniedSql(rule: PolicyRule, context: SqlContext): string | null {
  if (!appliesToRead(rule)) return null;
  // The compiler cannot infer that the function looked up by a rule's type accepts that rule.
  const denied = denialConditions[rule.type] as (
    rule: PolicyRule,
    means: SqlContext,
  ) => string | null;
  return denied(rule, context);
}

function appliesToRead(rule: PolicyRule): rule is PolicyRule & { type: ReadRule } {
  const { actions }: { actions: readonly string[] } = rules[rule.type];
  return actions.includes('read');
}

/** Facts that do not depend on the object are the same for all objects. */
function constantSql(verdict: RuleVerdict): string | null {
  return verdict.kind === 'pass' ? null : 'true';
}

/** The facts of a search that rules can use: the address and the time. */
function viewOf({ address, at }: Searcher): FactView {
  const searchFacts: Partial<Facts> = {
    address: knownUnlessNull(address),
    time: knownUnlessNull(at),
  };
  return {
    action: 'read',
    replaceable: false,
    objectId: null,
    get: (name) => {
      const fact = searchFacts[name];
      if (!fact) throw new Error(`A search of many objects has no single fact '${name}'.`);
      return fact as Facts[typeof name];
    },
  };
}

/** Whether a file is of a type; null if it is unknown whether it has the trait. */
function mimeSql(pattern: string, bind: Bind, file = 'object'): string {
  const [type = '', trait] = pattern.toLowerCase().split(';');
  const hasType =
    type === '*/*'
      ? 'true'
      : type.endsWith('/*')
        ? `starts_with(lower(${file}.mime), ${bind(type.slice(0, -1))})`
        : `lower(${file}.mime) = ${bind(type)}`;
  return trait === undefined ? hasType : `(${hasType} AND ${bind(trait)} = ANY(${file}.traits))`;
}

function redactedSql(
  rule: RuleParameters<'require_redaction'>,
  { bind, isRedacted }: SqlContext,
): string {
  const names = entityList(rule.entities);
  const namesSql = names && `${bind(names)}::text[]`;
  const field = rule.accept_rejections ? 'asked' : 'entities';
  // The flags are true or false in every cover.
  const flags = [
    ...(rule.reviewed || rule.four_eyes ? ['reviewed'] : []),
    ...(rule.four_eyes ? ['fourEyes'] : []),
  ].map((flag) => ` AND (c.cover->>'${flag}')::boolean`);
  const covers = `(c.cover->'${field}' = '"all"'${namesSql ? ` OR c.cover->'${field}' @> to_jsonb(${namesSql})` : ''})`;
  const isSatisfied = `${covers}${flags.join('')}`;
  // It is unknown whether a person reviewed the redactions from which the text is.
  const freeSql =
    isRedacted && flags.length === 0
      ? ` OR coalesce(redacted_free_of = '{all}'${namesSql ? ` OR redacted_free_of @> ${namesSql}` : ''}, false)`
      : '';
  return `(EXISTS (SELECT ${fromLineSql('redaction_fact', 'object_id', `, LATERAL (SELECT ${coverSql('a')} AS cover) c`)} AND a.verified AND ${isSatisfied})
    OR EXISTS (SELECT ${fromLineSql('inherited_fact', 'object_id', ', jsonb_array_elements(a.redactions) AS c (cover)')} AND ${isSatisfied})${freeSql})`;
}
