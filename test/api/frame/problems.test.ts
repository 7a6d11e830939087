import { expect } from 'chai';
import { toProblem } from '../../../src/api/frame/responses/problem.ts';
import { StorageError } from '../../../src/storage/storage.ts';

describe('problems of the disk', () => {
  for (const code of ['EIO', 'EROFS', 'EMFILE', 'ENFILE']) {
    it(`ask the client to retry after ${code}`, () => {
      const problem = toProblem(Object.assign(new Error(`${code}: read`), { code }));
      expect(problem).to.include({ code: 'dependency_unavailable', status: 503, retryable: true });
    });
  }

  it('say that the storage is full, wherever that is found', () => {
    const problem = toProblem(new StorageError('storage_full', 'no room'));
    expect(problem).to.include({ code: 'storage_full', status: 507 });
  });
});
