import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';

// The tests run from sources, or compiled.
const isSource = import.meta.url.endsWith('.ts');
const reader = new URL(
  `../../../../packages/documents/src/redact/check/page/pdfjs.${isSource ? 'ts' : 'js'}`,
  import.meta.url,
);

describe('reading with pdf.js', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdfjs-'));

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves the functions of the language as they are', async () => {
    const document = await PDFDocument.create();
    document.addPage().drawText('The garden');
    const path = join(folder, 'garden.pdf');
    writeFileSync(path, await document.save());
    // In a process of its own: other tests load pdf.js too. Only what is written in JavaScript has a
    // prototype.
    const code = `
      const { readWithPdfJs } = await import(${JSON.stringify(reader.href)});
      const { text } = await readWithPdfJs(${JSON.stringify(path)}, 1);
      const natives = [Array.prototype.push, JSON.parse, JSON.stringify];
      const replaced = natives.filter((native) => Object.hasOwn(native, 'prototype')).length;
      console.log(text, replaced);
      process.exit(0);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...(isSource ? ['--import', 'tsx'] : []),
      '--input-type=module',
      '-e',
      code,
    ]);
    expect(stdout.trim()).to.equal('The garden 0');
  });
});
