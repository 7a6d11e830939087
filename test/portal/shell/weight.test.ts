import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { describeInBrowser } from '../../support/browser.ts';
import { checkout } from '../../support/run.ts';

const built = join(checkout, 'dist', 'browser');

interface Chunk {
  file: string;
  imports?: string[];
}

// If there is a browser, the portal has been built.
describeInBrowser('the portal’s weight', () => {
  for (const screen of ['home/index.tsx', 'library/browse/index.tsx']) {
    it(`is at most 80 kB of gzipped script until ${screen} is shown`, async () => {
      const manifest = JSON.parse(
        await readFile(join(built, '.vite', 'manifest.json'), 'utf8'),
      ) as Record<string, Chunk>;
      const needed = new Set<string>();
      const need = (name: string): void => {
        const chunk = manifest[name];
        if (!chunk) throw new Error(`The build has no entry '${name}'.`);
        if (needed.has(chunk.file)) return;
        needed.add(chunk.file);
        for (const other of chunk.imports ?? []) need(other);
      };
      need('index.html');
      need(screen);
      const sizes = await Promise.all(
        [...needed].map(async (file) => gzipSync(await readFile(join(built, file))).length),
      );
      const total = sizes.reduce((sum, size) => sum + size, 0);
      expect(total).to.be.greaterThan(5_000);
      expect(total).to.be.at.most(80_000);
    });
  }
});
