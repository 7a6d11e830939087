import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  EmbeddedRedaction,
  Extraction,
} from '@scriptorium/documents/redact/contract/embedded';
import type { PagePlan } from '@scriptorium/documents/redact/contract/plan';
import type { RedactedInKind } from '@scriptorium/documents/redact/contract/requests';
import { expect } from 'chai';
import sharp from 'sharp';
import { digestOfFile } from '../../../../packages/documents/src/redact/kinds/embedded/files.ts';
import { extractEmbedded } from '../../../../packages/documents/src/redact/kinds/embedded/plans.ts';
import { redactInKind } from '../../../../packages/documents/src/redact/kinds/index.ts';
import { mailKind } from '../../../../packages/documents/src/redact/kinds/mail/kind.ts';
import { partKinds } from '../../../../packages/documents/src/redact/kinds/mail/part-kinds.ts';
import { embeddedIn, withPictures } from '../../../support/embedded.ts';
import { entity, inBase64, multipart, readWithPython } from '../../../support/mail.ts';
import { createNameDetector, findSecret, mimes } from '../../../support/redact-kinds.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name);
const options = { entities: 'all' as const, minConfidence: 0.5, customPatterns: [], allowList: [] };
const kinds = ['docx', 'pptx', 'xlsx', 'odt', 'epub', 'html', 'mail'] as const;

const square = (colour: string, format: 'png' | 'jpeg' | 'tiff' | 'gif' | 'webp' = 'png') =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: colour } })
    [format]()
    .toBuffer();

describe('files inside files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(bytes: Uint8Array | string): Promise<string> {
    const path = join(folder, randomUUID());
    await writeFile(path, bytes);
    return path;
  }

  /** Redacts a file with these redactions of what is inside it, by the original bytes. */
  async function redact(
    kind: keyof typeof mimes,
    source: Uint8Array,
    redactions: readonly [
      original: Uint8Array,
      proven: Uint8Array,
      mime: EmbeddedRedaction['mime'],
    ][],
    plans?: readonly PagePlan[],
  ): Promise<{ result: RedactedInKind; output: Buffer }> {
    const outPath = await fileOf('');
    const embedded: EmbeddedRedaction[] = [];
    for (const [original, proven, mime] of redactions) {
      const path = await fileOf(proven);
      embedded.push({ digest: digestOfFile(original), mime, path, isChanged: true });
    }
    const lines = (plans ?? []).map((plan) => JSON.stringify({ state: 'planned', ...plan }));
    const result = await redactInKind(
      {
        path: await fileOf(source),
        mime: mimes[kind],
        options,
        style: 'label',
        outPath,
        embedded,
        ...(plans ? { embeddedPlans: await fileOf(lines.join('\n')) } : {}),
      },
      detector,
    );
    const failed = result.checks.filter(({ passed }) => !passed);
    expect(failed, kind).to.deep.equal([]);
    return { result, output: await readFile(outPath) };
  }

  async function extract(
    kind: keyof typeof mimes,
    source: Uint8Array,
  ): Promise<{ extraction: Extraction; bytes: Buffer; textPlan: string }> {
    const [filesPath, textPlan] = [await fileOf(''), await fileOf('')];
    const path = await fileOf(source);
    const extraction = await extractEmbedded(
      { path, mime: mimes[kind], options, filesPath, textPlan },
      detector,
    );
    const bytes = await readFile(filesPath);
    return { extraction, bytes, textPlan: await readFile(textPlan, 'utf8') };
  }

  for (const kind of kinds) {
    it(`are replaced by their redactions, each once, and are left out without one: ${kind}`, async () => {
      const [red, green, blue] = [await square('red'), await square('green'), await square('blue')];
      const proven = await square('yellow', 'jpeg');
      const source = withPictures(kind, 'See below.', [red, green, red, blue]);
      const { result, output } = await redact(kind, source, [
        [red, proven, 'image/jpeg'],
        [blue, blue, 'image/png'],
      ]);
      expect(result.embedded).to.deep.equal({ kept: 0, redacted: 2 });
      expect(result.picturesReplaced).to.equal(1);
      const isRepeated = kind === 'html' || kind === 'mail';
      const expected = isRepeated ? [proven, proven, blue] : [proven, blue];
      expect(embeddedIn(kind, output).map(digestOfFile)).to.deep.equal(expected.map(digestOfFile));
      // The output is read like any source.
      const { extraction } = await extract(kind, output);
      expect(extraction.files.map(({ digest }) => digest)).to.include.members([
        digestOfFile(proven),
        digestOfFile(blue),
      ]);
    });

    it(`fail the check of the structure if they were not proved: ${kind}`, async () => {
      const red = await square('red');
      const { output } = await redact(kind, withPictures(kind, 'x', [red]), [
        [red, red, 'image/png'],
      ]);
      const checked = kind === 'mail' ? mailKind : partKinds[kind];
      expect(
        checked.disallowedIn(output, (bytes) => digestOfFile(bytes) === digestOfFile(red)),
      ).to.deep.equal([]);
      expect(checked.disallowedIn(output)).to.have.length(1);
    });

    it(`share their values with the text: ${kind}`, async () => {
      const source = withPictures(kind, 'Ring Ottilie Brandmayer today, says Mara Quellwasser.', [
        await square('red'),
      ]);
      const plan: PagePlan = {
        page: 1,
        widthPt: 100,
        heightPt: 100,
        removals: [
          { type: 'PERSON', score: 0.9, value: 'Ottilie Brandmayer', boxes: [], source: 'ocr' },
        ],
        redactedText: '',
        readings: [{ source: 'ocr', text: 'Ottilie Brandmayer', boxes: [0, 0, 1, 1, 2, 0, 3, 1] }],
      };
      const { output } = await redact(kind, source, [], [plan]);
      const texts = kind === 'mail' ? readWithPython(output).map(({ text }) => text) : [];
      const searched = kind === 'mail' ? Buffer.from(texts.join('\n')) : output;
      expect(findSecret(searched, 'Ottilie Brandmayer')).to.deep.equal([]);
      const { textPlan } = await extract(kind, source);
      expect(textPlan).to.include(name);
      expect(textPlan).to.include('"page":0');
    });
  }

  it('are extracted once, and as PNG if documents do not show their type everywhere', async () => {
    const [png, jpeg, webp] = [
      await square('red'),
      await square('red', 'jpeg'),
      await square('red', 'webp'),
    ];
    const tiff = await square('green', 'tiff');
    const source = withPictures('docx', 'x', [png, jpeg, png, webp, tiff]);
    const { extraction, bytes } = await extract('docx', source);
    expect(extraction.files.map(({ mime }) => mime)).to.deep.equal([
      'image/png',
      'image/jpeg',
      'image/webp',
      'image/png',
    ]);
    expect(bytes.subarray(0, png.length).equals(png)).to.equal(true);
    const last = bytes.subarray(-extraction.files[3]!.size);
    const { data } = await sharp(last).raw().toBuffer({ resolveWithObject: true });
    expect(data[1]).to.equal(128);
  });

  it('are named with the reason if they cannot be read', async () => {
    const huge = await sharp({
      create: { width: 9000, height: 9000, channels: 3, background: 'white' },
    })
      .png()
      .toBuffer();
    const broken = (await square('red', 'tiff')).subarray(0, 60);
    const source = withPictures('docx', 'x', [
      await square('red', 'gif'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      huge,
      broken,
      Buffer.from('%PDF-1.7'),
    ]);
    const { extraction, bytes } = await extract('docx', source);
    expect(extraction.files).to.deep.equal([]);
    expect(bytes.length).to.equal(0);
    expect(extraction.unread).to.deep.equal({ format: 3, damaged: 1, too_large: 1, too_many: 0 });
  });

  it('are limited in number', async () => {
    const pictures = await Promise.all(
      Array.from({ length: 205 }, (_, at) => square(`rgb(${at}, 0, 0)`)),
    );
    const { extraction } = await extract('docx', withPictures('docx', 'x', pictures));
    expect(extraction.files.length).to.equal(200);
    expect(extraction.unread.too_many).to.equal(5);
  });

  it('of messages keep their places at any depth, under neutral names', async () => {
    const [red, blue] = [await square('red'), await square('blue')];
    const pdf = Buffer.from('%PDF-1.7 source');
    const proven = Buffer.from('%PDF-1.7 proven');
    const attachment = `Content-Disposition: attachment; filename="${name}.pdf"`;
    const inner = multipart(
      'related',
      [
        entity(['Content-Type: text/html'], '<p>Look: <img src="cid:a@b"><img src="cid:none"></p>'),
        inBase64('image/png', red, 'Content-ID: <a@b>', 'Content-Disposition: inline'),
        inBase64('application/octet-stream', pdf, attachment),
      ],
      ['From: x@y.example', 'Subject: Inner'],
    );
    const middle = multipart(
      'mixed',
      [
        entity(['Content-Type: message/rfc822'], inner),
        inBase64('application/pdf', pdf, attachment),
      ],
      ['From: x@y.example', 'Subject: Middle'],
      'middle',
    );
    const source = multipart(
      'mixed',
      [
        inBase64('application/pdf', pdf, attachment),
        inBase64('image/png', blue, `Content-Disposition: attachment; filename="${name}.png"`),
        entity(['Content-Type: message/rfc822'], middle),
      ],
      ['From: x@y.example', 'Subject: Outer'],
      'outer',
    );
    const { result, output } = await redact('mail', source, [
      [pdf, proven, 'application/pdf'],
      [red, red, 'image/png'],
    ]);
    const parts = readWithPython(output).filter(({ type }) => !type.startsWith('multipart/'));
    expect(parts.flatMap(({ defects }) => defects)).to.deep.equal([]);
    const described = parts
      .filter(({ type }) => type !== 'message/rfc822')
      .map(({ type, filename, bytes }) => [type, filename, bytes.length]);
    expect(described.filter(([type]) => type === 'application/pdf')).to.deep.equal(
      [1, 2, 3].map((number) => ['application/pdf', `attachment-${number}.pdf`, proven.length]),
    );
    expect(described.filter(([type]) => type === 'image/png')).to.deep.equal([
      ['image/png', null, red.length],
    ]);
    const page = parts.find(({ type }) => type === 'text/html');
    expect(page?.text).to.include('<img src="cid:picture-1@message">').and.not.include('none');
    const fields = parts.find(({ type }) => type === 'image/png')?.fields;
    expect(Object.fromEntries(fields ?? [])).to.include({
      'Content-ID': '<picture-1@message>',
    });
    // The blue picture, and the reference to a part that is missing.
    expect(result.picturesReplaced).to.equal(2);
    expect(result.dropped).to.deep.equal([]);
    expect(result.embedded.redacted).to.equal(2);
  });

  it('of messages are named by type if they are left out', async () => {
    const pdf = Buffer.from('%PDF-1.7 source');
    const { result } = await redact(
      'mail',
      multipart('mixed', [inBase64('application/pdf', pdf)], ['From: a']),
      [],
    );
    expect(result.dropped).to.deep.equal(['application/pdf']);
  });

  it('inside attached documents are redacted like their own', async () => {
    const red = await square('red');
    const source = multipart(
      'mixed',
      [
        inBase64(
          mimes.docx,
          withPictures('docx', 'x', [red]),
          'Content-Disposition: attachment; filename="a.docx"',
        ),
      ],
      ['From: a@b.example'],
    );
    const proven = await square('yellow');
    const { output } = await redact('mail', source, [[red, proven, 'image/png']]);
    const attached = readWithPython(output).find(({ type }) => type === mimes.docx);
    expect(embeddedIn('docx', attached!.bytes).map(digestOfFile)).to.deep.equal([
      digestOfFile(proven),
    ]);
  });
});
