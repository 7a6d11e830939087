import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SourceMime, sources } from '@scriptorium/contracts/documents/sources';
import type { PlantedSecret } from '../../../test/support/corpus/index.ts';
import type { Reading } from '../../../test/support/corpus/reading.ts';
import { readAll } from '../../bench/support/redaction/judges.ts';
import { openArchive, readByPython, readMarkup } from './archive.ts';
import { findSightings, type Sighting } from './match.ts';
import { recogniseAll } from './recognise.ts';
import { convertToPdf, renderHtml, renderPdf, renderPicture } from './render.ts';
import { type View, viewsOf } from './views.ts';

/**
 * Returns the planted values that a person or a program can read in a file. It shares nothing with
 * the engines that are judged.
 */
export async function judge(
  path: string,
  mime: SourceMime,
  secrets: readonly PlantedSecret[],
  scratch: string,
): Promise<Sighting[]> {
  try {
    const { readings, views } = await inspectFile(path, mime, scratch);
    const recognised = await recogniseAll(views, join(scratch, 'views'));
    return findSightings([...readings, ...recognised], secrets);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Inspection {
  readings: Reading[];
  views: View[];
}

async function inspectFile(path: string, mime: SourceMime, scratch: string): Promise<Inspection> {
  const bytes = await readFile(path);
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return inspectPdf(path, scratch);
  const { kind } = sources[mime];
  if (kind === 'image') return inspectPicture(bytes, mime);
  if (kind === 'docx' || kind === 'xlsx') return inspectOffice(path, bytes, scratch);
  const textReadings = [
    ...readMarkup(bytes.toString(), 'the text'),
    ...dataReadings(bytes.toString()),
  ];
  if (kind !== 'html') return { readings: textReadings, views: [] };
  const rendered = await renderHtml(path, join(scratch, 'html'));
  return { views: rendered.views, readings: [...textReadings, ...rendered.readings] };
}

async function inspectPdf(path: string, scratch: string): Promise<Inspection> {
  return {
    readings: await readAll(path, join(scratch, 'read'), false),
    views: await renderPdf(path, join(scratch, 'drawn')),
  };
}

async function inspectPicture(bytes: Buffer, mime: SourceMime): Promise<Inspection> {
  const views = await viewsOf(bytes, 'the picture');
  views.push(...(await renderPicture(bytes, mime)));
  for (const embedded of picturesIn(bytes)) views.push(...(await embeddedViews(embedded)));
  return { readings: stringReadings(bytes), views };
}

async function inspectOffice(path: string, bytes: Buffer, scratch: string): Promise<Inspection> {
  const { readings, pictures } = openArchive(bytes);
  const views: View[] = [];
  for (const picture of pictures) views.push(...(await viewsOf(picture, 'a picture of the file')));
  readings.push(...(await readByPython(path)));
  const pages = await convertToPdf(path, join(scratch, 'office'));
  if (!pages) return { readings, views };
  const drawn = await inspectPdf(pages, join(scratch, 'pdf'));
  return { readings: [...readings, ...drawn.readings], views: [...views, ...drawn.views] };
}

/** Bytes as text, in the encodings used by metadata. */
function stringReadings(bytes: Buffer): Reading[] {
  const text = bytes.toString('latin1');
  return [
    { by: 'bytes', text, kind: 'bytes' },
    { by: 'bytes, UTF-16', text: text.replaceAll('\0', ''), kind: 'bytes' },
  ];
}

/** Pictures inside the bytes of a picture, after its beginning. */
function picturesIn(bytes: Buffer): Buffer[] {
  const starts = ['\xff\xd8\xff', '\x89PNG\r\n'].map((start) => Buffer.from(start, 'latin1'));
  return starts.flatMap((start) => {
    const found: Buffer[] = [];
    for (let at = bytes.indexOf(start, 1); at > 0; at = bytes.indexOf(start, at + 1)) {
      found.push(bytes.subarray(at));
    }
    return found;
  });
}

/** Nothing if the bytes only begin like a picture. */
async function embeddedViews(bytes: Buffer): Promise<View[]> {
  try {
    return await viewsOf(bytes, 'a picture in the file');
  } catch {
    return [];
  }
}

/** The content of `data:` addresses. */
function dataReadings(html: string): Reading[] {
  return [...html.matchAll(/data:[\w/+;=.-]*,([^"'\s)>]+)/g)].flatMap(([whole, data = '']) =>
    whole.includes(';base64,')
      ? readMarkup(Buffer.from(data, 'base64').toString(), 'data of an address')
      : [],
  );
}
