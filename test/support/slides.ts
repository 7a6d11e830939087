import sharp, { type Sharp } from 'sharp';
import { ns, type OfficePart, officeFile } from './office.ts';
import { mimes } from './redact-kinds.ts';

export const pptxMime = mimes.pptx;
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

const slideType = (name: string): string =>
  `application/vnd.openxmlformats-officedocument.presentationml.${name}+xml`;
const dgm = 'http://schemas.openxmlformats.org/drawingml/2006/diagram';
export const presentationNames = `${names} xmlns:c="${ns.c}" xmlns:dgm="${dgm}" xmlns:mc="${ns.mc}" xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"`;

/** A presentation of one slide with a layout and a master, and whatever else is given. */
export function deck(
  shapes: string,
  {
    after = '',
    main = '',
    layout = '',
    master = '',
    rels = {},
    mainRels = {},
    root = {},
    parts = {},
  }: {
    /** What follows the shapes in the slide, and in the presentation. */
    after?: string;
    main?: string;
    /** The shapes of the layout and of the master. */
    layout?: string;
    master?: string;
    rels?: NonNullable<OfficePart['rels']>;
    mainRels?: NonNullable<OfficePart['rels']>;
    root?: NonNullable<OfficePart['rels']>;
    parts?: Record<string, OfficePart>;
  } = {},
): Uint8Array {
  const tree = (content: string): string => `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`;
  return officeFile({
    '': { body: '', rels: { rId1: ['officeDocument', 'ppt/presentation.xml'], ...root } },
    'ppt/presentation.xml': {
      type: slideType('presentation.main'),
      body: `<p:presentation ${presentationNames}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/>${main}</p:presentation>`,
      rels: {
        rId1: ['slideMaster', 'slideMasters/slideMaster1.xml'],
        rId2: ['slide', 'slides/slide1.xml'],
        ...mainRels,
      },
    },
    'ppt/slideMasters/slideMaster1.xml': {
      type: slideType('slideMaster'),
      body: `<p:sldMaster ${presentationNames}>${tree(master)}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
      rels: { rId1: ['slideLayout', '../slideLayouts/slideLayout1.xml'] },
    },
    'ppt/slideLayouts/slideLayout1.xml': {
      type: slideType('slideLayout'),
      body: `<p:sldLayout ${presentationNames} type="title">${tree(layout)}</p:sldLayout>`,
      rels: { rId1: ['slideMaster', '../slideMasters/slideMaster1.xml'] },
    },
    'ppt/slides/slide1.xml': {
      type: slideType('slide'),
      body: `<p:sld ${presentationNames}>${tree(shapes)}${after}</p:sld>`,
      rels: { rIdLayout: ['slideLayout', '../slideLayouts/slideLayout1.xml'], ...rels },
    },
    ...parts,
  });
}

/** A shape with paragraphs of runs; `placeholder` is its type, if it is one. */
export const textShape = (paragraphs: readonly string[][], placeholder = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${placeholder ? `<p:ph type="${placeholder}"/>` : ''}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${paragraphs
    .map((runs) => `<a:p>${runs.map((text) => `<a:r><a:t>${text}</a:t></a:r>`).join('')}</a:p>`)
    .join('')}</p:txBody></p:sp>`;

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
