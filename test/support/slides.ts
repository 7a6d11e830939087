import sharp, { type Sharp } from 'sharp';
import { ns, type OfficePart, officeFile } from './office.ts';

export const pptxMime = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const presentation = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const names = `xmlns:p="${presentation}" xmlns:a="${ns.a}" xmlns:r="${ns.r}"`;

export interface Slide {
  title: string;
  lines: readonly string[];
}

const shape = (type: string, lines: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${lines
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

/** A presentation, with a thumbnail of its own. */
export function pptx(
  slides: readonly Slide[],
  thumbnail?: { bytes: Uint8Array; name?: string; target?: string },
): Uint8Array {
  const { bytes, name = 'docProps/thumbnail.jpeg', target = name } = thumbnail ?? {};
  const parts: Record<string, OfficePart> = {
    '': {
      body: '',
      rels: {
        rId1: ['officeDocument', 'ppt/presentation.xml'],
        ...(bytes ? { rId2: ['thumbnail', target] as [string, string] } : {}),
      },
    },
    'ppt/presentation.xml': {
      type: `${pptxMime}.main+xml`,
      body: `<p:presentation ${names}><p:sldIdLst>${slides
        .map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`)
        .join('')}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>`,
      rels: Object.fromEntries(
        slides.map((_, at): [string, [string, string]] => [
          `rId${at + 1}`,
          ['slide', `slides/slide${at + 1}.xml`],
        ]),
      ),
    },
  };
  for (const [at, { title, lines }] of slides.entries()) {
    const body = lines.length > 0 ? shape('body', lines) : '';
    parts[`ppt/slides/slide${at + 1}.xml`] = {
      body: `<p:sld ${names}><p:cSld><p:spTree>${shape('title', [title])}${body}</p:spTree></p:cSld></p:sld>`,
    };
  }
  if (bytes) parts[name] = { body: bytes };
  return officeFile(parts);
}

/** A picture that no page drawn from text resembles: red, with a blue half. */
export const flagPicture = (width = 256, height = 144): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00f' } },
      left: 0,
      top: 0,
    },
  ]);

/** Whether a picture is `flag`. */
export async function isFlag(drawn: Buffer): Promise<boolean> {
  const { channels } = await sharp(drawn).stats();
  return channels[0]!.mean > 90 && channels[0]!.mean < 165 && channels[1]!.mean < 40;
}
