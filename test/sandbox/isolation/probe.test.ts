import { findIsolation } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { extension } from '../../../lab/embedded/programs.ts';
import { failMkdir } from '../../support/full-disk.ts';

describe('the probe for isolation', () => {
  it('fails on a full disk instead of choosing something weaker', async function () {
    const strongest = findIsolation();
    if (strongest.kind === 'process') return this.skip();
    // Another instance of the module, which has not probed yet.
    const module = new URL(
      `../../../packages/sandbox/src/isolation/index${extension}?full`,
      import.meta.url,
    );
    const other: { findIsolation: typeof findIsolation } = await import(module.href);
    const free = failMkdir(/box-0\/out$/);
    try {
      expect(() => other.findIsolation()).to.throw('ENOSPC');
    } finally {
      free();
    }
    expect(other.findIsolation()).to.deep.equal(strongest);
  });
});
