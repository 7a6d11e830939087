import { expect } from 'chai';
import { ignoreDiskFailure } from '../../src/storage/files.ts';

describe('files that cannot be removed', () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: unlink`), { code });

  for (const code of ['EROFS', 'EIO', 'ENOSPC', 'EDQUOT']) {
    it(`stay if the disk says ${code}`, () => {
      ignoreDiskFailure(failed(code));
    });
  }

  it('are an error for any other reason', () => {
    expect(() => ignoreDiskFailure(failed('EPERM'))).to.throw('EPERM');
  });
});
