import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { callOptions, sharedEngines } from '../../../support/engines.ts';
import { docx, paragraph, run, xlsx } from '../../../support/office.ts';
import { mimes } from '../../../support/redact-kinds.ts';

describe('the engines on files without pages', () => {
  let folder: string;
  let engines: Engines;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'in-kind-'));
    engines = sharedEngines();
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function stored(kind: keyof typeof mimes, bytes: Uint8Array | string) {
    const path = join(folder, `${kind}.in`);
    await writeFile(path, bytes);
    return { path, mime: mimes[kind] };
  }

  it('treat a sheet as a page, and other files as a single page', async () => {
    const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>abc</t></is></c></row>';
    const workbook = await stored('xlsx', xlsx({ One: { rows }, Two: { rows: '' } }));
    const found = await engines.inspect(workbook, callOptions);
    expect(found.kind).to.equal('xlsx');
    expect(found.pages.map(({ number }) => number)).to.deep.equal([1, 2]);
    const document = await stored('docx', docx(paragraph(run('four'))));
    expect((await engines.inspect(document, callOptions)).pages.length).to.equal(1);
  });

  it('count pages without reading their content', async () => {
    // Far more elements than any reader accepts.
    const source = await stored('html', '<div>'.repeat(10_000));
    expect((await engines.inspect(source, callOptions)).pages.length).to.equal(1);
  });

  it('reject files of another type than declared', async () => {
    const archive = xlsx({ One: { rows: '' } });
    for (const [kind, bytes, code] of [
      ['docx', 'no archive', 'unsupported'],
      ['xlsx', archive.subarray(0, archive.length / 2), 'damaged'],
      ['text', '', 'empty'],
    ] as const) {
      const error: unknown = await engines
        .inspect(await stored(kind, bytes), callOptions)
        .catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(EngineError).with.property('code', code);
    }
  });

  it('redact them with the requested detector options', async () => {
    const source = await stored('text', 'Mail m.q@mail.example, card 4111 1111 1111 1111.\n');
    const outPath = join(folder, 'out');
    const options = {
      entities: ['EMAIL_ADDRESS' as const],
      minConfidence: 0.5,
      customPatterns: [{ name: 'CARD_WORD', pattern: 'card', case_sensitive: true }],
      allowList: [],
    };
    const request = { ...source, options, style: 'label' as const, outPath };
    const made = await engines.redactInKind(request, callOptions);
    expect(made.checks.every(({ passed }) => passed)).to.equal(true);
    expect(made.checks.map(({ name }) => name)).to.deep.equal([
      'reopened',
      'structure',
      'strings',
      'detector',
      'pictures',
    ]);
    expect(await readFile(outPath, 'utf8')).to.equal(
      'Mail [EMAIL_ADDRESS], [CUSTOM_CARD_WORD] 4111 1111 1111 1111.\n',
    );
    // A rejected output leaves no earlier output in its place.
    const backwards = await stored('text', 'm.quellwasser@mail.example elpmaxe.liam@ressawlleuq.m');
    await engines.redactInKind({ ...request, ...backwards }, callOptions);
    const gone = await stat(outPath).catch((error: NodeJS.ErrnoException) => error.code);
    expect(gone).to.equal('ENOENT');
  });
});
