import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SourceMime, sources } from '@scriptorium/contracts/documents/sources';
import type { PlantedSecret } from '../../../test/support/corpus/index.ts';
import type { Reading } from '../../../test/support/corpus/reading.ts';
import { readAll } from '../../bench/support/redaction/judges.ts';
import { markup, openArchive, readByPython } from './archive.ts';
import { layOut, lookAtHtml, lookAtPdf, lookAtPicture } from './looks.ts';
import { type Sighting, sightings } from './match.ts';
import { recogniseAll } from './recognise.ts';
import { type View, viewsOf } from './views.ts';

/**
 * Which planted values a person or a program can read in a file. It shares nothing with the engines
 * that are judged.
 */
export async function judge(
  path: string,
  mime: SourceMime,
  secrets: readonly PlantedSecret[],
  scratch: string,
): Promise<Sighting[]> {
  try {
    const { readings, views } = await look(path, mime, scratch);
    const seen = await recogniseAll(views, join(scratch, 'views'));
    return sightings([...readings, ...seen], secrets);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Seen {
  readings: Reading[];
  views: View[];
}

async function look(path: string, mime: SourceMime, scratch: string): Promise<Seen> {
  const bytes = await readFile(path);
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return lookIntoPdf(path, scratch);
  const { kind } = sources[mime];
  if (kind === 'image') return lookIntoPicture(bytes, mime);
  if (kind === 'docx' || kind === 'xlsx') return lookIntoOffice(path, bytes, scratch);
  const written = [...markup(bytes.toString(), 'the text'), ...dataIn(bytes.toString())];
  if (kind !== 'html') return { readings: written, views: [] };
  const shown = await lookAtHtml(path, join(scratch, 'html'));
  return { views: shown.views, readings: [...written, ...shown.readings] };
}

async function lookIntoPdf(path: string, scratch: string): Promise<Seen> {
  return {
    readings: await readAll(path, join(scratch, 'read'), false),
    views: await lookAtPdf(path, join(scratch, 'drawn')),
  };
}

async function lookIntoPicture(bytes: Buffer, mime: SourceMime): Promise<Seen> {
  const views = await viewsOf(bytes, 'the picture');
  views.push(...(await lookAtPicture(bytes, mime)));
  for (const carried of picturesIn(bytes)) views.push(...(await carriedViews(carried)));
  return { readings: strings(bytes), views };
}

async function lookIntoOffice(path: string, bytes: Buffer, scratch: string): Promise<Seen> {
  const { readings, pictures } = openArchive(bytes);
  const views: View[] = [];
  for (const picture of pictures) views.push(...(await viewsOf(picture, 'a picture of the file')));
  readings.push(...(await readByPython(path)));
  const pages = await layOut(path, join(scratch, 'office'));
  if (!pages) return { readings, views };
  const drawn = await lookIntoPdf(pages, join(scratch, 'pdf'));
  return { readings: [...readings, ...drawn.readings], views: [...views, ...drawn.views] };
}

/** Bytes as text, in the encodings used by metadata. */
function strings(bytes: Buffer): Reading[] {
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
async function carriedViews(bytes: Buffer): Promise<View[]> {
  try {
    return await viewsOf(bytes, 'a picture in the file');
  } catch {
    return [];
  }
}

/** The content of `data:` addresses. */
function dataIn(html: string): Reading[] {
  return [...html.matchAll(/data:[\w/+;=.-]*,([^"'\s)>]+)/g)].flatMap(([whole, data = '']) =>
    whole.includes(';base64,')
      ? markup(Buffer.from(data, 'base64').toString(), 'data of an address')
      : [],
  );
}
