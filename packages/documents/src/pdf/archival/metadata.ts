import { createHash } from 'node:crypto';
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFString,
} from 'pdf-lib';
import sharp from 'sharp';
import { escapeText } from '../../files/xml.ts';

/** The entries of the document information dictionary, with their counterparts in XMP (6.6.3). */
const xmpElements = {
  Title: (text: string) => element('dc:title', `<rdf:Alt>${defaultLanguageItem(text)}</rdf:Alt>`),
  Author: (text: string) => element('dc:creator', `<rdf:Seq>${listItem(text)}</rdf:Seq>`),
  Subject: (text: string) =>
    element('dc:description', `<rdf:Alt>${defaultLanguageItem(text)}</rdf:Alt>`),
  Keywords: (text: string) => element('pdf:Keywords', toXmlText(text)),
  Creator: (text: string) => element('xmp:CreatorTool', toXmlText(text)),
  Producer: (text: string) => element('pdf:Producer', toXmlText(text)),
  CreationDate: (text: string) => element('xmp:CreateDate', toXmlText(text)),
  ModDate: (text: string) => element('xmp:ModifyDate', toXmlText(text)),
} as const;

type Entry = keyof typeof xmpElements;
const entries = Object.keys(xmpElements) as Entry[];
const isDate = (entry: Entry): boolean => entry === 'CreationDate' || entry === 'ModDate';

function toXmlText(text: string): string {
  return escapeText(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const listItem = (text: string): string => element('rdf:li', toXmlText(text));
const defaultLanguageItem = (text: string): string =>
  `<rdf:li xml:lang="x-default">${toXmlText(text)}</rdf:li>`;

/**
 * Converts a date such as "D:20240131120000+01'00'" to ISO 8601; returns undefined if it is
 * invalid.
 */
export function isoDate(date: string): string | undefined {
  const match =
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z(?:00'?00'?)?|([+-]\d\d)'?(\d\d)'?)$/.exec(date);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, zone, minutes] = match;
  const end = zone === undefined ? 'Z' : `${zone}:${minutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${end}`;
}

/** Returns the information about the document that both the dictionary and XMP can express. */
function informationOf(document: PDFDocument): [Entry, string][] {
  const { context } = document;
  const value: PDFObject | undefined =
    context.trailerInfo.Info && context.lookup(context.trailerInfo.Info);
  if (!(value instanceof PDFDict)) return [];
  return entries.flatMap((entry): [Entry, string][] => {
    const entryValue = value.lookup(PDFName.of(entry));
    if (!(entryValue instanceof PDFString || entryValue instanceof PDFHexString)) return [];
    const text = entryValue.decodeText().replaceAll('\u0000', '').trim();
    const isUsable = text !== '' && (!isDate(entry) || isoDate(text) !== undefined);
    return isUsable ? [[entry, text]] : [];
  });
}

/** Returns the XMP packet of a PDF/A-2b file. */
function xmpOf(information: readonly (readonly [Entry, string])[]): string {
  const elements = information.map(([entry, text]) =>
    xmpElements[entry](isDate(entry) ? (isoDate(text) ?? text) : text),
  );
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ' xmlns:xmp="http://ns.adobe.com/xap/1.0/"',
    ' xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">',
    '<pdfaid:part>2</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    ...elements,
    '</rdf:Description>',
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n');
}

let profile: Promise<Buffer> | undefined;

/** Returns the sRGB profile that libvips includes, which is in the public domain (CC0). */
function srgbProfile(): Promise<Buffer> {
  profile ??= sharp({ create: { width: 1, height: 1, channels: 3, background: '#ffffff' } })
    .withIccProfile('srgb')
    .png()
    .toBuffer()
    .then((png) => sharp(png).metadata())
    .then(({ icc }) => icc ?? Buffer.alloc(0));
  return profile;
}

/**
 * Declares that a document conforms to PDF/A-2b: adds XMP that agrees with the information
 * dictionary, sRGB as the profile for device colours, and an identifier. The identifier is derived
 * from `seed`, so the same seed results in the same bytes.
 */
export async function declareArchival(document: PDFDocument, seed: Uint8Array): Promise<void> {
  const { context, catalog } = document;
  const information = informationOf(document);
  const info = context.obj({});
  for (const [entry, text] of information) {
    info.set(PDFName.of(entry), isDate(entry) ? PDFString.of(text) : PDFHexString.fromText(text));
  }
  context.trailerInfo.Info = context.register(info);
  const packet = context.stream(Buffer.from(xmpOf(information)), {
    Type: 'Metadata',
    Subtype: 'XML',
  });
  catalog.set(PDFName.of('Metadata'), context.register(packet));
  const profileStream = context.flateStream(await srgbProfile(), { N: 3 });
  const intent = context.obj({
    Type: 'OutputIntent',
    S: 'GTS_PDFA1',
    OutputConditionIdentifier: PDFString.of('sRGB'),
    Info: PDFString.of('sRGB IEC61966-2.1'),
    DestOutputProfile: context.register(profileStream),
  });
  catalog.set(PDFName.of('OutputIntents'), context.obj([context.register(intent)]));
  const id = createHash('sha256').update(seed).digest('hex').slice(0, 32);
  const ids = PDFArray.withContext(context);
  ids.push(PDFHexString.of(id));
  ids.push(PDFHexString.of(id));
  context.trailerInfo.ID = ids;
}
