/** Kinds of the statements whose text never varies. */
const known = new Map<string, { changes: boolean; early: boolean }>();
/** Others are put together per call, and looked at each time. */
const mostKnown = 2_000;

const rowLock = /\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b/gi;
const change = /\b(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|LOCK|NOTIFY|CREATE|ALTER|DROP)\b/i;
const read = /^\s*(?:SELECT|WITH)\b/i;
/** Functions that lock what no wall hides, or that move the wall. */
const effect =
  /\b(?:pg_(?:try_)?advisory\w*|pg_notify|nextval|setval)\b|set_config\(\s*'app\.project_id'/i;

function kindOf(text: string): { changes: boolean; early: boolean } {
  let kind = known.get(text);
  if (!kind) {
    const changes = change.test(text.replaceAll(rowLock, ''));
    kind = { changes, early: !changes && read.test(text) && !effect.test(text) };
    if (known.size < mostKnown) known.set(text, kind);
  }
  return kind;
}

/** Whether a statement writes. What the functions do that it calls is not seen. */
export function mayChange(text: string): boolean {
  return kindOf(text).changes;
}

/**
 * Whether a statement may be said before it is known that a login is granted. Behind the wall of a
 * refused login it finds no row, so it shows and locks none.
 */
export function mayGoAhead(text: string): boolean {
  return kindOf(text).early;
}
