import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { docx, paragraph, run, xlsx } from '../../support/office.ts';
import { mimes } from '../../support/redact-kinds.ts';

describe('files without pages, normalised in a child', () => {
  let dir: string;
  let engines: Engines;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'files-'));
    engines = sharedEngines();
  });
  after(async () => {
    await rm(dir, { recursive: true });
  });

  async function normalize(bytes: string | Uint8Array, mime: string) {
    const path = join(dir, 'source');
    await writeFile(path, bytes);
    const write = {
      markdown: join(dir, 'out.md'),
      json: join(dir, 'out.json'),
      chunks: join(dir, 'out.jsonl'),
      chunkTokens: 100,
      overlapTokens: 20,
    };
    const counts = await engines.normalizeFile({ path, mime, write }, callOptions);
    const [markdown, json, chunks] = await Promise.all(
      [write.markdown, write.json, write.chunks].map((name) => readFile(name, 'utf8')),
    );
    return { counts, markdown, json: JSON.parse(json!), chunks: chunks!.trimEnd().split('\n') };
  }

  it('are written in all three forms, whatever their type', async () => {
    const sources: [string, string | Uint8Array][] = [
      [mimes.docx, docx(paragraph(run('Hello')))],
      [mimes.xlsx, xlsx({ '': { rows: '<row><c t="inlineStr"><is><t>Hello</t></is></c></row>' } })],
      ['text/html', '<p>Hello</p>'],
      ['text/markdown', 'Hello'],
      ['text/plain', 'Hello'],
    ];
    for (const [mime, bytes] of sources) {
      const { counts, markdown, json, chunks } = await normalize(bytes, mime);
      expect(markdown, mime).to.equal('Hello\n');
      expect(counts).to.deep.equal({
        chunks: 1,
        tokens: 2,
        characters: 5,
        pages: 1,
        sparsePages: [],
        attached: [],
        attachedLeftOut: 0,
        unread: [],
      });
      expect(json.blocks).to.have.length(1);
      expect(chunks.map((line) => JSON.parse(line).text)).to.deep.equal(['Hello']);
    }
    const { markdown } = await normalize('a,b\n1,2\n', 'text/csv');
    expect(markdown).to.equal('| a | b |\n| - | - |\n| 1 | 2 |\n');
  });

  it('are rejected with a reason if they cannot be read', async () => {
    const cases: [string | Uint8Array, string, string][] = [
      ['', 'text/plain', 'empty'],
      ['x', mimes.docx, 'unsupported'],
      ['x', 'application/pdf', 'unsupported'],
      [Buffer.alloc(64), 'text/csv', 'unsupported'],
      ['x'.repeat(33 * 2 ** 20), 'text/plain', 'too_large'],
    ];
    for (const [bytes, mime, code] of cases) {
      const error = await normalize(bytes, mime).catch((thrown: unknown) => thrown);
      expect(error, mime).to.be.instanceOf(EngineError).with.property('code', code);
    }
  });
});
