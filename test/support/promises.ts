import { titlesOf } from './titles.ts';

/** A row of test/promises.md. */
interface PromiseRow {
  promise: string;
  /** Links to where it is promised. */
  links: string;
  tests: readonly TestReference[];
  /** Whether it has three cells. */
  hasThreeCells: boolean;
}

interface TestReference {
  /** Of the file, below test/ and without `.test.ts`; empty if the entry has another form. */
  path: string;
  title: string;
}

/** The tests that the rows are checked against. */
interface Tests {
  /** The paths of all tests. */
  paths(): readonly string[];
  /** The source of a test by its path; null if it does not exist. */
  read(path: string): string | null;
  /** Whether only `script/test --all` runs it. */
  isAllOnly(path: string): boolean;
}

/**
 * Reads the rows of the tables. Their cells are separated by bars, the tests in the last one by
 * `<br>`.
 */
export function parsePromises(text: string): PromiseRow[] {
  const rows = text.split('\n').filter((line) => line.startsWith('|') && !/^\|[ -]*\|/.test(line));
  return rows
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .filter(([, promise]) => promise !== 'Promise')
    .map(([, promise = '', where = '', tests = '', ...rest]) => ({
      promise,
      links: where,
      hasThreeCells: rest.length === 1,
      tests: tests.split('<br>').filter(Boolean).map(readTestReference),
    }));
}

function readTestReference(text: string): TestReference {
  const [, path = '', title = text] = /^`([^`]+)` (.+)$/.exec(text.trim()) ?? [];
  return { path, title };
}

/** Returns the faults of the rows, each as a sentence. */
export function faultsOf(promises: readonly PromiseRow[], tests: Tests): string[] {
  const titles = new Map<string, Set<string> | null>();
  const titlesOfTest = (path: string): Set<string> | null => {
    if (!titles.has(path)) {
      const source = tests.read(path);
      titles.set(path, source === null ? null : titlesOf(source));
    }
    return titles.get(path) ?? null;
  };
  /** Suggests where a test is that is not where its row says, if it has moved. */
  const suggestPaths = (title: string): string => {
    const found = tests.paths().filter((path) => hasTitle(titlesOfTest(path), title));
    return found.length === 0 ? '' : ` It may be in ${found.slice(0, 3).join(' or ')}.`;
  };
  return promises.flatMap((row) => {
    const faults = row.tests.flatMap(({ path, title }) => {
      if (path === '') return [`'${title}' is not a path in backticks and a title.`];
      const existing = titlesOfTest(path);
      if (!existing) return [`test/${path}.test.ts does not exist.${suggestPaths(title)}`];
      if (hasTitle(existing, title)) return [];
      return [`test/${path}.test.ts has no test '${title}'.${suggestPaths(title)}`];
    });
    if (!row.hasThreeCells) faults.push('It has not three cells.');
    if (!/\]\([^)]+\)/.test(row.links)) faults.push('It links to no page that promises it.');
    if (row.tests.length === 0) faults.push('It has no test.');
    else if (row.tests.every(({ path }) => tests.isAllOnly(path))) {
      faults.push('Its tests run with `script/test --all` only.');
    }
    return faults.map((fault) => `${row.promise} ${fault}`);
  });
}

/** Whether a title exists, or begins as given if this ends in `…`. */
function hasTitle(titles: Set<string> | null, title: string): boolean {
  if (!titles) return false;
  if (titles.has(title)) return true;
  const start = title.replace(/…$/, '');
  return (
    start !== title && /\p{L}/u.test(start) && [...titles].some((one) => one.startsWith(start))
  );
}
