import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { readLists, readRows } from '../../packages/documents/src/tsv.ts';
import { withFile } from '../support/samples.ts';

describe('Files of lists', () => {
  it('are rows of values between tabs, without comments and empty lines', async () => {
    await withFile(Buffer.from('# Signs.\nb\tx\ty\n\na\t#\n'), async (path) => {
      expect(readRows(pathToFileURL(path))).to.deep.equal([
        ['b', 'x', 'y'],
        ['a', '#'],
      ]);
    });
  });

  it('keep the order of the lists and of their entries', async () => {
    await withFile(Buffer.from('b\t2\na\t1\nb\t1\n'), async (path) => {
      const lists = readLists(pathToFileURL(path));
      expect([...lists]).to.deep.equal([
        ['b', ['2', '1']],
        ['a', ['1']],
      ]);
    });
  });
});
