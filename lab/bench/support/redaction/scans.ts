import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import sharp from 'sharp';
import { redactFile, redactOptions } from '../../../../test/support/corpus/redact.ts';
import { compact } from '../../../../test/support/corpus/secrets.ts';
import { hasTool, mapPool, runTool } from './tools.ts';

const mimes: Record<string, 'image/jpeg' | 'image/png'> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};

/**
 * Redacts real scans (everything that is detected, and five long words of each), and lets tesseract
 * read them at 300 dpi: it must not read any of the words, nor any part of what was detected.
 */
export async function redactScans(
  engines: Engines,
  sourceFolder: string,
  folder: string,
): Promise<void> {
  if (!hasTool('tesseract')) {
    console.log('SKIPPED: scans: tesseract is not on PATH');
    return;
  }
  const names = readdirSync(sourceFolder)
    .filter((name) => mimes[extname(name)] && existsSync(textFile(sourceFolder, name)))
    .sort();
  const results = await mapPool(names, 2, async (name) => {
    const scanFolder = join(folder, name);
    mkdirSync(scanFolder, { recursive: true });
    const source = join(sourceFolder, name);
    const before = await recognise(source, join(scanFolder, 'before.png'));
    const words = pickWords(readFileSync(textFile(sourceFolder, name), 'utf8'), before);
    const custom_patterns = words.map((word, index) => ({
      name: `W${index + 1}`,
      pattern: word,
      case_sensitive: false,
    }));
    const redacted = await redactFile(
      engines,
      { path: source, mime: mimes[extname(name)]! },
      redactOptions({ custom_patterns }),
      scanFolder,
    );
    if (redacted.path === null) {
      console.log(`  no output ${name}: ${redacted.refusal} ${redacted.failedChecks.join('; ')}`);
      return { read: 0, planned: 0, refused: 1, lying: 0 };
    }
    const after = await recognise(redacted.path, join(scanFolder, 'after.png'));
    // Short words also occur inside other words.
    const planned = [...redacted.planned].filter((value) => value.length >= leakLength);
    const leaked = findLeaked(planned, before, after);
    const all = [...redacted.planned];
    const unplanned = words.filter((word) => !all.some((value) => value.includes(compact(word))));
    if (leaked.length > 0) console.log(`  LEFT ${name}: ${leaked.join(', ')}`);
    if (unplanned.length > 0) console.log(`  not found ${name}: ${unplanned.join(', ')}`);
    const lying = redacted.verified && leaked.length > 0 ? 1 : 0;
    return { read: leaked.length, planned: planned.length, refused: 0, lying };
  });
  const total = (field: 'read' | 'planned' | 'refused' | 'lying'): number =>
    results.reduce((sum, result) => sum + result[field], 0);
  console.log(
    `ratio scans: ${total('read')} of ${total('planned')} values still read by tesseract at 300 dpi on ${names.length} scans, ${total('lying')} called verified that are not, ${total('refused')} without output`,
  );
  if (total('read') > 0) process.exitCode = 1;
}

/** This many consecutive letters and digits of a value count as a leak. */
const leakLength = 6;

/** Values of which a part can still be read that could previously be read only as part of them. */
function findLeaked(planned: readonly string[], before: string, after: string): string[] {
  const others = [...planned]
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '|'), before);
  return planned.filter((value) => {
    for (let at = 0; at + leakLength <= value.length; at += 1) {
      const part = value.slice(at, at + leakLength);
      if (after.includes(part) && !others.includes(part)) return true;
    }
    return after.includes(value);
  });
}

const textFile = (folder: string, name: string): string =>
  join(folder, name.replace(/\.\w+$/, '.txt'));

/** The letters and digits that tesseract reads in a picture at 300 dpi. */
async function recognise(path: string, scratch: string): Promise<string> {
  const { density = 300, width } = await sharp(path).metadata();
  const targetWidth = density >= 60 && density < 300 ? Math.round((width * 300) / density) : width;
  writeFileSync(
    scratch,
    await sharp(path).greyscale().resize(Math.min(targetWidth, 4000)).png().toBuffer(),
  );
  return compact(
    (await runTool('tesseract', [scratch, '-', '--dpi', '300', '--psm', '1'])).toString(),
  );
}

/** Five long words that tesseract reads before, each occurring once in the text. */
function pickWords(text: string, before: string): string[] {
  const words = [...new Set(text.match(/\p{L}{7,}/gu) ?? [])].filter(
    (word) => text.split(word).length === 2 && before.includes(compact(word)),
  );
  return words.filter((_, index) => index % Math.ceil(words.length / 5) === 0).slice(0, 5);
}
