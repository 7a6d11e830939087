import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '@scriptorium/sandbox/errors';
import { expect } from 'chai';
import { normalizeFile } from '../../../packages/documents/src/normalize/kinds/index.ts';
import { docx, paragraph, run, xlsx } from '../../support/office.ts';
import { mimes } from '../../support/redact-kinds.ts';

describe('normalisation of hostile files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normalize-hostile-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** The Markdown of a file, or the error instead. */
  async function outcomeOf(kind: keyof typeof mimes, bytes: Uint8Array | string) {
    const [path, markdown] = [join(folder, 'in'), join(folder, 'out.md')];
    await writeFile(path, bytes);
    const write = { markdown, json: join(folder, 'out.json'), chunks: join(folder, 'out.jsonl') };
    try {
      const sizes = { chunkTokens: 800, overlapTokens: 80 };
      await normalizeFile({ path, mime: mimes[kind], write: { ...write, ...sizes } });
      return { markdown: await readFile(markdown, 'utf8'), code: null };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { markdown: null, code: error.code };
    }
  }

  it('ignores invalid outline levels', async () => {
    const level = (value: string) =>
      `<w:p><w:pPr><w:outlineLvl w:val="${value}"/></w:pPr>${run(`level ${value}`)}</w:p>`;
    const { markdown } = await outcomeOf(
      'docx',
      docx(level('-5') + level('99') + level('x') + level('0')),
    );
    expect(markdown?.split(/\n+/).slice(0, 4)).to.deep.equal([
      'level -5',
      'level 99',
      'level x',
      '# level 0',
    ]);
  });

  it('keeps the cells next to one that claims every possible column', async () => {
    const html = '<table><tr><td>one<td colspan=1000>two<tr><td>three<td>four</table>';
    expect((await outcomeOf('html', html)).markdown)
      .to.include('one')
      .and.include('two');
    const cell = (text: string, span: number) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${paragraph(run(text))}</w:tc>`;
    const rows = `<w:tr>${cell('one', 1)}${cell('two', 99_999)}</w:tr><w:tr>${cell('three', 1)}</w:tr>`;
    const { markdown } = await outcomeOf('docx', docx(`<w:tbl>${rows}</w:tbl>`));
    expect(markdown).to.include('one').and.include('two').and.include('three');
  });

  it('rejects tables that are too wide instead of losing cells', async () => {
    const cell = `<w:tc>${paragraph(run('c'))}</w:tc>`;
    for (const [kind, bytes] of [
      ['html', `<table><tr>${'<td>c'.repeat(10_002)}<tr><td>d</table>`],
      ['docx', docx(`<w:tbl><w:tr>${cell.repeat(2001)}</w:tr><w:tr>${cell}</w:tr></w:tbl>`)],
    ] as const) {
      expect(await outcomeOf(kind, bytes)).to.deep.equal({ markdown: null, code: 'too_large' });
    }
  });

  it('bounds endless nesting', async () => {
    const nest = (open: string, close: string, times: number) =>
      open.repeat(times) + paragraph(run('deep')) + close.repeat(times);
    const tables = nest('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 10_000);
    expect((await outcomeOf('docx', docx(tables))).code).to.equal('too_large');
    const deep = `${'<div>'.repeat(20_000)}deep`;
    expect((await outcomeOf('html', deep)).markdown).to.equal('deep\n');
    const quoted = `${'>'.repeat(20_000)} deep`;
    expect((await outcomeOf('markdown', quoted)).markdown).to.include('deep');
  });

  it('does not build a sheet as large as it claims to be', async () => {
    const cell = (place: string, text: string) =>
      `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = `<row r="1">${cell('A1', 'first')}</row><row r="1048576">${cell('XFD1048576', 'last')}</row>`;
    const { markdown } = await outcomeOf('xlsx', xlsx({ One: { rows } }));
    expect(markdown).to.include('first').and.include('last');
    expect(markdown!.length).to.be.lessThan(200);
  });

  it('rejects a binary file as text', async () => {
    for (const kind of ['text', 'csv', 'markdown', 'html'] as const) {
      expect(await outcomeOf(kind, 'some text \0 \x01 and more of it')).to.deep.equal({
        markdown: null,
        code: 'unsupported',
      });
    }
  });
});
