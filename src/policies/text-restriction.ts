import type { PolicyRule } from '../contracts/rules.ts';
import type { Policy } from './decision/decide.ts';
import { collectionsOf } from './facts/scope-sql.ts';

/**
 * SQL for "the recognised text of this object may not be searched": an enforced policy requires a
 * redaction of it before it is read, and neither it nor the text is one that is verified; or what it is
 * classified as may not be read, since what is found tells what stands there. Of the object itself it
 * says the same as `decide` says of the rules `require_redaction` and `deny_labels`. For rows of the
 * table `object` joined to the view `object_search`. Null when it holds for no object.
 * @param policies those that speak about `read`
 * @param bind takes a value and gives its placeholder
 */
export function textRestriction(
  policies: readonly Policy[],
  bind: (value: unknown) => string,
): string | null {
  const parts = policies
    .filter(({ mode, actions }) => mode === 'enforce' && actions.includes('read'))
    .flatMap((policy) =>
      policy.rules.flatMap((rule) => {
        const refused = refusedSql(rule, bind);
        if (refused === null) return [];
        const all = [...scopeSql(policy, bind), ...whenSql(policy, bind), refused];
        return [all.map((part) => `(${part})`).join(' AND ')];
      }),
    );
  return parts.length === 0 ? null : parts.map((part) => `(${part})`).join(' OR ');
}

type Bind = (value: unknown) => string;

/** The object and what it was made from, whose facts are its own. */
const line = `(CASE WHEN object.derived_from IS NULL THEN ARRAY[object.id]
  ELSE (SELECT array_agg(l.id) FROM object_line(object.project_id, object.id) l) END)`;

/** What follows SELECT: rows `a` of a table about these. `more` are relations beside it. */
const ofLine = (table: string, column: string, more = ''): string =>
  `FROM ${table} a${more} WHERE a.project_id = object.project_id AND a.${column} = ANY(${line})`;

function scopeSql({ scope }: Policy, bind: Bind): string[] {
  if (scope.type === 'project') return [];
  if (scope.type === 'tag') {
    const tags = `${bind(scope.tags)}::text[]`;
    return [
      `EXISTS (SELECT ${ofLine('object', 'id')} AND a.tags && ${tags})
       OR EXISTS (SELECT ${ofLine('inherited_fact', 'object_id')} AND a.tags && ${tags})`,
    ];
  }
  const ids = `${bind(scope.ids)}::text[]`;
  return [
    `coalesce(${collectionsOf('object.project_id', line)} && ${ids}, false)
     OR EXISTS (SELECT ${ofLine('inherited_fact', 'object_id')} AND a.collection_ids && ${ids})`,
  ];
}

function whenSql({ when }: Policy, bind: Bind): string[] {
  const parts: string[] = [];
  if (when?.mime) parts.push(when.mime.map((pattern) => mimeSql(pattern, bind)).join(' OR '));
  // What nobody has classified may be one of these.
  if (when?.labels) parts.push(labelledSql(when.labels, 'or by nobody', bind));
  return parts;
}

/** Whether it is classified as one of these. */
function labelledSql(
  wanted: readonly string[],
  how: 'or by nobody' | 'surely',
  bind: Bind,
): string {
  const labels = `(
    SELECT l ${ofLine('object', 'id', ', labels_that_count(a.labels, a.labels_partial) l')}
    UNION SELECT unnest(a.labels) ${ofLine('inherited_fact', 'object_id')})`;
  const labelled = `EXISTS (SELECT FROM ${labels} AS found (label) WHERE label = ANY(${bind(wanted)}::text[]))`;
  return how === 'surely' ? labelled : `NOT EXISTS ${labels} OR ${labelled}`;
}

/** Whether a rule refuses to show the text of what it concerns; null for one that is not about text. */
function refusedSql(rule: PolicyRule, bind: Bind): string | null {
  switch (rule.type) {
    case 'require_redaction':
      return `NOT ${redactedSql(rule, bind)}`;
    case 'deny_labels': {
      const required = rule.require_labels ?? true;
      return labelledSql(rule.labels, required ? 'or by nobody' : 'surely', bind);
    }
    default:
      return null;
  }
}

function mimeSql(pattern: string, bind: Bind): string {
  const [type = '', trait] = pattern.toLowerCase().split(';');
  const ofType =
    type === '*/*'
      ? 'true'
      : type.endsWith('/*')
        ? `starts_with(lower(object.mime), ${bind(type.slice(0, -1))})`
        : `lower(object.mime) = ${bind(type)}`;
  if (trait === undefined) return ofType;
  // Where nobody has looked it may be.
  return `(${ofType} AND coalesce(${bind(trait)} = ANY(object.traits), true))`;
}

function redactedSql(rule: PolicyRule & { type: 'require_redaction' }, bind: Bind): string {
  const wanted = rule.entities === 'all' ? null : `${bind(rule.entities)}::text[]`;
  const covers = wanted ? `(a.entities IS NULL OR a.entities @> ${wanted})` : 'a.entities IS NULL';
  const inherited = `(a.covers @> '["all"]'${wanted ? ` OR EXISTS (SELECT FROM jsonb_array_elements(a.covers) c WHERE c @> to_jsonb(${wanted}))` : ''})`;
  // What is searched of an object that is to be redacted may be what a redaction of it left over.
  const free = `(text_free_of = '{all}'${wanted ? ` OR text_free_of @> ${wanted}` : ''})`;
  return `(EXISTS (SELECT ${ofLine('redaction_fact', 'object_id')} AND a.verified AND ${covers})
    OR EXISTS (SELECT ${ofLine('inherited_fact', 'object_id')} AND ${inherited})
    OR coalesce(${free}, false))`;
}
