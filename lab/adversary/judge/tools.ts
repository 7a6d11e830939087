import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../../test/support/run.ts';
import {
  hasTool,
  missingTools,
  setToolEnvironment,
  type Tool,
} from '../../bench/support/redaction/tools.ts';
import { fetchDebianPackages, hasDebianTools } from '../../embedded/debian.ts';
import { librariesIn } from '../../embedded/redis/libraries.ts';
import { StartError } from '../../embedded/start-error.ts';

/** Without these the judge cannot see anything. */
const requiredTools: readonly Tool[] = ['pdftotext', 'pdftoppm', 'pdfimages', 'tesseract'];
/** These help, if the machine has them. */
const optionalTools: readonly Tool[] = ['mutool', 'qpdf', 'gs', 'soffice', 'python3', 'strings'];
const packages = ['poppler-utils', 'tesseract-ocr', 'tesseract-ocr-eng', 'tesseract-ocr-osd'];
const folder = join(checkout, '.data', 'packages', 'judge');

/**
 * Finds the judge's programs: on PATH, or from Debian's packages, unpacked into this clone. Nothing
 * is installed system-wide, and root is not required.
 * @returns the missing programs, and whether the judge can see without them
 */
export async function provideTools(): Promise<{ missing: Tool[]; isUnusable: boolean }> {
  if (!requiredTools.every(hasTool)) await unpack();
  return {
    missing: missingTools([...requiredTools, ...optionalTools]),
    isUnusable: !requiredTools.every(hasTool),
  };
}

async function unpack(): Promise<void> {
  if (!existsSync(folder)) {
    if (!(await hasDebianTools())) return;
    try {
      await fetchDebianPackages({ packages, target: folder, log: console.error });
    } catch (error) {
      if (error instanceof StartError) return;
      throw error;
    }
  }
  const { PATH = '' } = process.env;
  const models = join(folder, 'usr', 'share', 'tesseract-ocr');
  const version = existsSync(models) ? readdirSync(models)[0] : undefined;
  setToolEnvironment({
    ...process.env,
    ...(await librariesIn(folder)),
    PATH: `${join(folder, 'usr', 'bin')}:${PATH}`,
    ...(version ? { TESSDATA_PREFIX: join(models, version, 'tessdata') } : {}),
  });
}
