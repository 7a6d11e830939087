/** The kinds of statements whose text never varies. */
const known = new Map<string, { changes: boolean; early: boolean }>();
/** Others are built per call, and classified each time. */
const maxKnown = 2_000;

const rowLock = /\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b/gi;
const change = /\b(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|LOCK|NOTIFY|CREATE|ALTER|DROP)\b/i;
const read = /^\s*(?:SELECT|WITH)\b/i;

/**
 * The functions that a statement may call before a login is known to be granted. They run with the
 * rights of their caller and, except for the clock, are stable or immutable, which a test checks
 * against `pg_proc`: they can neither write nor lock, and see no other projects. A statement that
 * calls anything else waits, so a function missing here only costs a round trip.
 */
const earlyFunctions: ReadonlySet<string> = new Set(
  `array_agg array_length array_position array_to_string avg bool_and bool_or btrim cardinality ceil
   char_length clock_timestamp count current_setting date_trunc encode floor generate_series json_agg
   json_build_object jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
   jsonb_build_array jsonb_build_object
   jsonb_object_agg length lower max min now rank round row_number similarity split_part
   statement_timestamp string_agg string_to_array substr sum to_char to_jsonb to_tsquery ts_rank unnest
   upper fold_tags id_floor labels_that_count object_line quota_standing
   unreviewed_operations usage_of`.split(/\s+/),
);

/** Words before a parenthesis that are not calls. */
const keywords = new Set(
  `all and any array as between by case cast coalesce conflict distinct else except exists extract
   filter from greatest group having in intersect interval join lateral least like limit materialized
   not nullif offset on or over order partition row select some then union using values when where
   with within recursive numeric varchar`.split(/\s+/),
);
const beforeParenthesis = /([\w".$]+)\s*\(/g;
/** The name of a table with its columns: `AS given (id, version)`, `WITH RECURSIVE up (id) AS`. */
const tableName = /\b(AS|WITH(?:\s+RECURSIVE)?)\s+\w+\s*\(/gi;
/** Settings that change only the plan or the time limit of a statement. */
const harmlessSetting =
  /\bset_config\(\s*'(?:enable_\w+|plan_cache_mode|\w+_timeout|work_mem|jit|pg_trgm\.\w+)'/gi;
/** A comment may be between a function's name and its parenthesis. */
const hidden = /\/\*|--[^\n]*\s*\(/;

function callsOnlyEarly(text: string): boolean {
  if (hidden.test(text)) return false;
  const rest = text.replaceAll(tableName, '$1 (').replaceAll(harmlessSetting, '');
  for (const [, name = ''] of rest.matchAll(beforeParenthesis)) {
    const word = name.toLowerCase();
    if (!keywords.has(word) && !earlyFunctions.has(word)) return false;
  }
  return true;
}

function kindOf(text: string): { changes: boolean; early: boolean } {
  let kind = known.get(text);
  if (!kind) {
    const changes = change.test(text.replaceAll(rowLock, ''));
    kind = { changes, early: !changes && read.test(text) && callsOnlyEarly(text) };
    if (known.size < maxKnown) known.set(text, kind);
  }
  return kind;
}

/** Whether a statement writes, apart from what its functions do. */
export function mayChange(text: string): boolean {
  return kindOf(text).changes;
}

/**
 * Whether a statement may be sent before a login is known to be granted. After a rejected login it finds
 * no rows, so it returns and locks none.
 */
export function mayGoAhead(text: string): boolean {
  return kindOf(text).early;
}

const names = new Map<string, string>();

/**
 * The maximum number of prepared texts of a query builder; each one adds a plan to every
 * connection.
 */
const maxBuilt = 500;
let built = 0;

/** A list whose length is in the text, or a page size. */
const varying = / IN \(|\), \(| (?:LIMIT|OFFSET) (?!1$)\d/;

/** The name under which a statement whose text never varies is prepared. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/**
 * The name for a text from a query builder; empty if it must not be prepared, because the text
 * varies with the number of its values or there are too many texts.
 */
export function nameOfBuilt(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (built >= maxBuilt || varying.test(text)) return '';
  built += 1;
  return nameOf(text);
}
