import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { assembleWords } from '../../packages/documents/src/text-outputs.ts';

describe('the text of pages', () => {
  it('reports a full disk as such, so that the work is retried', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'text-outputs-'));
    const pagesFile = join(folder, 'pages');
    writeFileSync(pagesFile, '');
    try {
      const outPath = '/dev/full';
      const failed = await assembleWords({ pagesFile, empty: [], outPath }).catch(
        (error: unknown) => error,
      );
      expect(failed).to.include({ code: 'ENOSPC' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
