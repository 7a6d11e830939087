/** A condition on `project_id` in a statement, and a replacement that is always true. */
export interface Condition {
  start: number;
  end: number;
  replacement: string;
}

const column = String.raw`(?:"?\w+"?\.)?"?\bproject_id\b"?`;
const parameter = String.raw`\$\d+(?:::\w+)?`;
const setting = String.raw`current_setting\('app\.project_id'(?:, *true)?\)`;
/** Parameters keep their place and their type, so the number of parameters stays the same. */
const conditionForms: [RegExp, (found: RegExpExecArray) => string][] = [
  [
    new RegExp(String.raw`${column}\s*=\s*(\$\d+)(?:::\w+)?`, 'g'),
    ([, given]) => `(true OR ${given}::text IS NULL)`,
  ],
  [
    new RegExp(String.raw`(\$\d+)(?:::\w+)?\s*=\s*${column}`, 'g'),
    ([, given]) => `(true OR ${given}::text IS NULL)`,
  ],
  [
    new RegExp(String.raw`${column}\s*=\s*ANY\s*\((\$\d+)(?:::\w+\[\])?\)`, 'g'),
    ([, given]) => `(true OR ${given}::text[] IS NULL)`,
  ],
  // In a comparison of rows, the first element is replaced by its counterpart.
  [
    new RegExp(String.raw`\(${column}((?:, *[\w."]+)+)\)\s*=\s*\((${parameter})`, 'g'),
    ([, rest, given]) => `(${given}${rest}) = (${given}`,
  ],
  [new RegExp(String.raw`${column}\s*=\s*${setting}`, 'g'), () => 'true'],
  // A comparison of two tables, of a function's variables, or of given values.
  [new RegExp(String.raw`${column}\s*=\s*[a-z_]+(?:\.\w+)?\b(?!\s*\()`, 'gi'), () => 'true'],
  [new RegExp(String.raw`\b[a-z_]+(?:\.\w+)?\s*=\s*${column}(?!\s*=)`, 'gi'), () => 'true'],
];

/** Every condition on `project_id` in a statement, in the order of the text. */
export function conditionsIn(sql: string): Condition[] {
  const conditions: Condition[] = [];
  for (const [form, replace] of conditionForms) {
    for (const match of sql.matchAll(form)) {
      const condition = {
        start: match.index,
        end: match.index + match[0].length,
        replacement: replace(match as RegExpExecArray),
      };
      const isKnown = conditions.some(
        (one) => one.start < condition.end && condition.start < one.end,
      );
      if (!isKnown && !isAssignment(sql, condition.start)) conditions.push(condition);
    }
  }
  return conditions.sort((one, two) => one.start - two.start);
}

/** Whether it follows SET, as a stored value rather than a comparison. */
function isAssignment(sql: string, start: number): boolean {
  return /\bSET\s+$/i.test(sql.slice(Math.max(0, start - 20), start));
}

/** The statement without one of its conditions. */
export function withoutCondition(sql: string, { start, end, replacement }: Condition): string {
  return sql.slice(0, start) + replacement + sql.slice(end);
}
