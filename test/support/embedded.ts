import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { Engines } from '@scriptorium/documents';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import type { Assembly, StepWork } from '../../src/jobs/operations/operation.ts';
import { redactUnpaged } from '../../src/jobs/operations/redact-pii/unpaged.ts';
import { epub } from './books.ts';
import { entity, inBase64, multipart, readWithPython } from './mail.ts';
import { docx, paragraph, run, xlsx, xmlns } from './office.ts';
import { openDocument, textParagraph } from './open-document.ts';
import { mimes } from './redact-kinds.ts';
import { imageOf } from './samples.ts';
import { deck, textShape } from './slides.ts';

/** Lines of text as a picture that is cut off below them. */
export async function pictureOf(
  format: 'png' | 'jpeg' | 'webp' | 'tiff',
  lines: readonly string[],
): Promise<Buffer> {
  const page = sharp(await imageOf('png', lines));
  const { width, height } = await page.metadata();
  const cut = page.extract({
    left: 0,
    top: 0,
    width,
    height: Math.min(height, 160 + 40 * lines.length),
  });
  return cut.withDensity(150)[format]().toBuffer();
}

/** A picture without text: soft shapes in colours, as in a photograph out of focus. */
export function photograph(width = 320, height = 240): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      pixels[at] = 120 + 80 * Math.sin(x / 60);
      pixels[at + 1] = 110 + 60 * Math.sin((x + y) / 90);
      pixels[at + 2] = 140 + 70 * Math.cos(y / 50);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

const defaults: OperationOptions<'redact_pii'> = {
  entities: 'personal',
  min_confidence: 0.4,
  custom_patterns: [],
  allow_list: [],
  keep: [],
  style: 'label',
  box: 'to_edge',
  text_layer: true,
  keep_unredacted: false,
  mail_recipients: 'redact',
  review: 'none',
  reviewers: 'anyone',
  review_below: 0.8,
  review_expires_in: 1_209_600,
};

export interface RedactedWhole {
  assembly: Assembly;
  output: Buffer;
}

/** Redacts a file without pages with the files inside it, as a job does. */
export async function redactWhole(
  engines: Engines,
  kind: keyof typeof mimes,
  bytes: Uint8Array | string,
  options: Partial<OperationOptions<'redact_pii'>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<RedactedWhole> {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, bytes);
    const work: StepWork<'redact_pii'> = {
      engines,
      source: {
        path,
        filename: `source.${kind}`,
        mime: mimes[kind],
        sha256: '',
        projectId: 'prj_test',
        redacted: false,
      },
      options: { ...defaults, ...options },
      makesOutputs: true,
      signal,
      optionsOf: () => null,
      async *pages() {},
      pageInSource: async (page) => page,
      newFile: async () => {
        const file = join(folder, randomUUID());
        await writeFile(file, '');
        return file;
      },
      decisions: null,
      permittedRecogniser: async () => null,
    };
    const assembly = await redactUnpaged(work);
    return { assembly, output: await readFile(assembly.outputs[0]!.path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A text with pictures in a file of a kind. The extension of a picture says nothing of its type. */
export function withPictures(
  kind: 'docx' | 'pptx' | 'xlsx' | 'odt' | 'epub' | 'html' | 'mail',
  text: string,
  pictures: readonly Uint8Array[],
): Uint8Array {
  const blips = pictures.map((_, at) => `<a:blip r:embed="rId${50 + at}"/>`);
  const relsTo = (folder: string): Record<string, [kind: string, target: string]> =>
    Object.fromEntries(
      pictures.map((_, at) => [`rId${50 + at}`, ['image', `${folder}media/p${at}.png`]]),
    );
  const partsIn = (folder: string): Record<string, { body: Uint8Array }> =>
    Object.fromEntries(pictures.map((body, at) => [`${folder}/media/p${at}.png`, { body }]));
  switch (kind) {
    case 'docx': {
      const drawings = blips.map((blip) =>
        paragraph(`<w:r><w:drawing>${inWord(blip)}</w:drawing></w:r>`),
      );
      const body = paragraph(run(text)) + drawings.join('');
      return docx(body, { rels: relsTo(''), parts: partsIn('word') });
    }
    case 'pptx': {
      const shapes = blips.map(
        (blip) =>
          `<p:pic><p:nvPicPr><p:cNvPr id="5" name="x"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill>${blip}</p:blipFill><p:spPr/></p:pic>`,
      );
      return deck(textShape([[text]]) + shapes.join(''), {
        rels: relsTo('../'),
        parts: partsIn('ppt'),
      });
    }
    case 'xlsx': {
      const anchors = blips.map(
        (blip) =>
          `<xdr:twoCellAnchor><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="x"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill>${blip}</xdr:blipFill><xdr:spPr/></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`,
      );
      const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
      const one = {
        rows,
        after: '<drawing r:id="rId7"/>',
        rels: { rId7: ['drawing', '../drawings/drawing1.xml'] as [string, string] },
      };
      const drawing = {
        type: 'application/vnd.openxmlformats-officedocument.drawing+xml',
        body: `<xdr:wsDr ${xmlns('xdr', 'a', 'r')}>${anchors.join('')}</xdr:wsDr>`,
        rels: relsTo('../'),
      };
      return xlsx(
        { One: one },
        { parts: { 'xl/drawings/drawing1.xml': drawing, ...partsIn('xl') } },
      );
    }
    case 'odt': {
      const frames = pictures.map(
        (_, at) =>
          `<text:p><draw:frame><draw:image xlink:href="Pictures/p${at}.png"/></draw:frame></text:p>`,
      );
      const parts = Object.fromEntries(pictures.map((bytes, at) => [`Pictures/p${at}.png`, bytes]));
      return openDocument('odt', textParagraph(text) + frames.join(''), { parts });
    }
    case 'epub': {
      const images = pictures.map((_, at) => `<p><img src="pictures/p${at}.png" alt="x"/></p>`);
      const parts = Object.fromEntries(
        pictures.map((bytes, at) => [`OPS/pictures/p${at}.png`, bytes]),
      );
      return epub(`<p>${text}</p>${images.join('')}`, { parts });
    }
    case 'html': {
      const images = pictures.map(
        (bytes) => `<img src="data:image/png;base64,${Buffer.from(bytes).toString('base64')}">`,
      );
      return Buffer.from(`<p>${text}</p>${images.join('')}`);
    }
    case 'mail':
      return multipart(
        'mixed',
        [
          entity(['Content-Type: text/plain'], text),
          ...pictures.map((bytes, at) =>
            inBase64('image/png', bytes, `Content-Disposition: attachment; filename="${at}.png"`),
          ),
        ],
        ['From: desk@office.example', 'Subject: Papers'],
      );
  }
}

const inWord = (blip: string): string =>
  `<wp:inline><wp:extent cx="5400000" cy="900000"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="x"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${blip}</pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline>`;

/** The pictures and PDF files of an output, in order, but not the grey pixel of left out pictures. */
export function embeddedIn(kind: keyof typeof mimes, output: Uint8Array): Buffer[] {
  if (kind === 'html') {
    const text = Buffer.from(output).toString();
    return [...text.matchAll(/data:image\/\w+;base64,([^"]*)/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64'),
    );
  }
  if (kind === 'mail') {
    return readWithPython(output)
      .filter(({ type }) => /^(?:image\/|application\/pdf)/.test(type))
      .map(({ bytes }) => bytes);
  }
  const parts = Object.entries(unzipSync(output)).sort(([a], [b]) => (a < b ? -1 : 1));
  return parts
    .filter(([name]) => /\/?picture\d+\.\w+$/.test(name))
    .map(([, bytes]) => Buffer.from(bytes));
}
