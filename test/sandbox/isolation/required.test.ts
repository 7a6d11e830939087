import type { findIsolation } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { extension } from '../../../lab/embedded/programs.ts';

describe('isolation by the kernel', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

  it('is refused to be missing if it is required, and is not otherwise', async () => {
    // Another instance of the module, which has not probed yet, on a machine without namespaces.
    const module = new URL(
      `../../../packages/sandbox/src/isolation/index${extension}?required`,
      import.meta.url,
    );
    const other: { findIsolation: typeof findIsolation } = await import(module.href);
    Object.defineProperty(process, 'platform', { value: 'win32' });
    expect(() => other.findIsolation('required')).to.throw('ENGINE_ISOLATION is "required"');
    expect(other.findIsolation('auto')).to.include({ kind: 'process', byKernel: false });
    expect(other.findIsolation('off')).to.include({ kind: 'process' });
  });
});
