import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { covers, parsePaths } from './runner/paths.ts';
import { faultsOf, parsePromises } from './support/promises.ts';
import { checkout } from './support/run.ts';
import { titlesOf } from './support/titles.ts';

const pathOf = (path: string): string => join(checkout, 'test', `${path}.test.ts`);
const paths = (): string[] =>
  readdirSync(join(checkout, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.test.ts'.length));
const allOnly = parsePaths(readFileSync(join(checkout, 'test/all-only.txt'), 'utf8'));
const isAllOnly = (path: string): boolean => allOnly.some((entry) => covers(entry, path));
const read = (path: string): string | null =>
  existsSync(pathOf(path)) ? readFileSync(pathOf(path), 'utf8') : null;

describe('test/promises.md', () => {
  const promises = parsePromises(readFileSync(join(checkout, 'test/promises.md'), 'utf8'));

  it('names a test of the short run for each promise', () => {
    expect(promises.length).to.be.at.least(150);
    expect(faultsOf(promises, { paths, read, isAllOnly })).to.deep.equal([]);
  });

  it('names a test of each file that runs for its promises alone', () => {
    const proofs = new Set(promises.flatMap(({ tests }) => tests.map(({ path }) => path)));
    const entries = parsePaths(readFileSync(join(checkout, 'test/promised-only.txt'), 'utf8'));
    expect(entries.filter((entry) => !proofs.has(entry) || isAllOnly(entry))).to.deep.equal([]);
  });

  it('has each promise once', () => {
    const seen = promises.map(({ promise }) => promise);
    expect(seen.filter((promise, at) => seen.indexOf(promise) !== at)).to.deep.equal([]);
  });
});

describe('the check of promises', () => {
  const table = (...rows: string[]): string =>
    ['# Keys', '', '| Promise | Where | Tests |', '|---|---|---|', ...rows].join('\n');
  const check = (...rows: string[]): string[] =>
    faultsOf(parsePromises(table(...rows)), {
      paths: () => ['keys', 'other'],
      read: (path) =>
        path.startsWith('keys')
          ? `describe('keys', () => {\n  it('expire');\n  it(\`cost \${n} | \${\`\${n}\`}\`);\n});`
          : null,
      isAllOnly: (path) => path === 'keys-slow',
    });
  const where = '[Keys](keys.md)';

  it('accepts titles of tests and suites, also of templates and by their beginning', () => {
    const tests = ['keys', 'expire', 'cost … \\| …', 'cost …'].map((title) => `\`keys\` ${title}`);
    expect(check(`| They expire. | ${where} | ${tests.join('<br>')} |`)).to.deep.equal([]);
  });

  it('finds files and titles that do not exist, and where they may be instead', () => {
    expect(
      check(`| They expire. | ${where} | \`keys\` expires<br>\`none\` expire<br>\`keys\` … |`),
    ).to.deep.equal([
      "They expire. test/keys.test.ts has no test 'expires'.",
      'They expire. test/none.test.ts does not exist. It may be in keys.',
      "They expire. test/keys.test.ts has no test '…'.",
    ]);
  });

  it('finds rows and entries of another form', () => {
    expect(
      check(
        `| One. | ${where} | keys: expire<br>\`keys\` expire |`,
        `| Two. | ${where} | \`keys\` expire | \`keys\` keys |`,
      ),
    ).to.deep.equal([
      "One. 'keys: expire' is not a path in backticks and a title.",
      'Two. It has not three cells.',
    ]);
  });

  it('finds promises without a test, without a link and without a test in the short run', () => {
    expect(
      check(
        `| One. | ${where} | |`,
        '| Two. | Keys | `keys` expire |',
        `| Three. | ${where} | \`keys-slow\` expire |`,
        `| Four. | ${where} | \`keys-slow\` expire<br>\`keys\` expire |`,
      ),
    ).to.deep.equal([
      'One. It has no test.',
      'Two. It links to no page that promises it.',
      'Three. Its tests run with `script/test --all` only.',
    ]);
  });

  it('reads titles with escapes, and none of other calls', () => {
    const source = `it('isn\\'t'); it("a"); describeEach(\n  \`\${b ? '}' : ''} c\`); edit('d'); x.it('e');`;
    expect([...titlesOf(source)]).to.deep.equal(["isn't", 'a', '… c']);
  });
});
