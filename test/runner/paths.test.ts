import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { covers, parsePaths, selectFiles } from './paths.ts';

describe('the selection of test files', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    await mkdir(join(root, 'flows'));
    for (const name of ['keys.test.js', 'keys.js', 'flows/faults.test.js', 'flows/pack.test.js']) {
      await writeFile(join(root, name), '');
    }
  });
  after(() => rm(root, { recursive: true, force: true }));

  const select = async (list: string, ...wanted: string[]): Promise<string[]> => {
    const path = join(root, 'list.txt');
    await writeFile(path, list);
    return selectFiles({
      root,
      extension: '.test.js',
      excludedLists: [path],
      requestedPaths: wanted,
    }).sort();
  };

  it('leaves out listed files, and listed folders with all that they hold', async () => {
    expect(await select('# None.\n')).to.deep.equal([
      'flows/faults.test.js',
      'flows/pack.test.js',
      'keys.test.js',
    ]);
    expect(await select('flows/pack # slow\n')).to.deep.equal([
      'flows/faults.test.js',
      'keys.test.js',
    ]);
    expect(await select('\nflows/\n')).to.deep.equal(['keys.test.js']);
  });

  it('takes files and folders by name', async () => {
    expect(await select('', join(root, 'flows'))).to.have.length(2);
    expect(await select('', join(root, 'keys.test.js'))).to.deep.equal(['keys.test.js']);
  });

  it('reads lists with comments and blank lines', () => {
    const entries = parsePaths('# Slow.\nkeys # once\n\nflows/\n');
    const paths = ['keys', 'keys/roll', 'flows/faults', 'flows', '# Slow.'];
    const covered = paths.filter((path) => entries.some((entry) => covers(entry, path)));
    expect(covered).to.deep.equal(['keys', 'flows/faults']);
  });

  it('rejects names without a test', async () => {
    for (const list of ['key\n', 'flow/\n', 'flows\n']) {
      const error = await select(list).catch((reason: unknown) => reason);
      expect(String(error)).to.match(/names '.*', but no test has this path/);
    }
    const error = await select('', join(root, 'keys')).catch((reason: unknown) => reason);
    expect(String(error)).to.include('No tests in');
  });
});
