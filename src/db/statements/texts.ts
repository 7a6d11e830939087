/** The kinds of statements whose text never varies. */
const kinds = new Map<string, { changes: boolean; early: boolean }>();
/** Further texts are classified on each call. */
const maxKinds = 2_000;

const rowLockPattern = /\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b/gi;
const changePattern = /\b(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|LOCK|NOTIFY|CREATE|ALTER|DROP)\b/i;
const readPattern = /^\s*(?:SELECT|WITH)\b/i;

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

/** Keywords that may precede a parenthesis without being calls. */
const keywords = new Set(
  `all and any array as between by case cast coalesce conflict distinct else except exists extract
   filter from greatest group having in intersect interval join lateral least like limit materialized
   not nullif offset on or over order partition row select some then union using values when where
   with within recursive numeric varchar`.split(/\s+/),
);
const callPattern = /([\w".$]+)\s*\(/g;
/** The name of a table with its columns: `AS given (id, version)`, `WITH RECURSIVE up (id) AS`. */
const tableAliasPattern = /\b(AS|WITH(?:\s+RECURSIVE)?)\s+\w+\s*\(/gi;
/** Settings that change only the plan or the time limit of a statement. */
const harmlessSettingPattern =
  /\bset_config\(\s*'(?:enable_\w+|plan_cache_mode|\w+_timeout|work_mem|cpu_operator_cost|random_page_cost|max_parallel_workers_per_gather|jit|pg_trgm\.\w+)'/gi;
/** A comment may be between a function's name and its parenthesis. */
const hiddenCallPattern = /\/\*|--[^\n]*\s*\(/;

function callsOnlyEarlyFunctions(text: string): boolean {
  if (hiddenCallPattern.test(text)) return false;
  const stripped = text
    .replaceAll(tableAliasPattern, '$1 (')
    .replaceAll(harmlessSettingPattern, '');
  for (const [, name = ''] of stripped.matchAll(callPattern)) {
    const word = name.toLowerCase();
    if (!keywords.has(word) && !earlyFunctions.has(word)) return false;
  }
  return true;
}

function kindOf(text: string): { changes: boolean; early: boolean } {
  let kind = kinds.get(text);
  if (!kind) {
    const changes = changePattern.test(text.replaceAll(rowLockPattern, ''));
    kind = { changes, early: !changes && readPattern.test(text) && callsOnlyEarlyFunctions(text) };
    if (kinds.size < maxKinds) kinds.set(text, kind);
  }
  return kind;
}

/** Whether a statement writes, apart from what its functions do. */
export function mayChange(text: string): boolean {
  return kindOf(text).changes;
}

/**
 * Whether a statement may be sent before a login is known to be granted. If the login is rejected, the
 * statement finds no rows, so it returns and locks none.
 */
export function maySendEarly(text: string): boolean {
  return kindOf(text).early;
}

const names = new Map<string, string>();

/**
 * The maximum number of prepared texts of a query builder; each one adds a plan to every
 * connection.
 */
const maxBuiltNames = 500;
let builtNames = 0;

/** Texts that vary with the length of a list or with a page size. */
const varyingPattern = / IN \(|\), \(| (?:LIMIT|OFFSET) (?!1$)\d/;

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
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  if (builtNames >= maxBuiltNames || varyingPattern.test(text)) return '';
  builtNames += 1;
  return nameOf(text);
}
