import { access, copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchDebianPackages, hasDebianTools } from './debian.ts';
import { StartError } from './start-error.ts';

export interface EnglishModel {
  /** The folder with `eng.traineddata`; undefined if only npm's model exists. */
  path?: string;
  /** A description for people. */
  description: string;
}

const model = 'eng.traineddata';
const systemRoot = '/usr/share/tesseract-ocr';

/**
 * Finds Tesseract's fast English model, which is not on npm and needs a third less CPU time: the
 * machine's own, a downloaded one, or one from Debian's package, downloaded now. Falls back to the
 * model from npm (best_int), so this never fails.
 */
export async function findEnglishModel(search: {
  /** Where to keep a downloaded model. */
  dir: string;
  packagesDir: string;
  systemRoot?: string;
  log?: (message: string) => void;
}): Promise<EnglishModel> {
  const installed = await findInstalled(search.systemRoot ?? systemRoot);
  if (installed) {
    return { path: installed, description: `Tesseract's fast English model in ${installed}` };
  }
  const fetched = {
    path: search.dir,
    description: `Tesseract's fast English model in ${search.dir}`,
  };
  if (await exists(join(search.dir, model))) return fetched;
  let reason = 'this machine has no apt';
  if (await hasDebianTools()) {
    try {
      await fetchModel(search);
      return fetched;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      reason = error.message;
    }
  }
  return {
    description: `npm's English model (best_int), which is as accurate but slower, because Tesseract's fast one is not available: ${reason}`,
  };
}

async function fetchModel(search: Parameters<typeof findEnglishModel>[0]): Promise<void> {
  const target = join(search.packagesDir, 'tesseract-ocr-eng');
  await fetchDebianPackages({
    packages: ['tesseract-ocr-eng'],
    withLibraries: false,
    target,
    ...(search.log ? { log: search.log } : {}),
  });
  const unpacked = await findInstalled(join(target, systemRoot));
  if (!unpacked) {
    throw new StartError(`the package tesseract-ocr-eng does not contain ${model}.`);
  }
  await mkdir(search.dir, { recursive: true });
  const draft = join(search.dir, `${model}.${process.pid}`);
  await copyFile(join(unpacked, model), draft);
  await rename(draft, join(search.dir, model));
}

/** The folder of the newest version that has the model. */
async function findInstalled(root: string): Promise<string | undefined> {
  const versions = (await readdir(root).catch(() => [])).sort().reverse();
  for (const version of versions) {
    const folder = join(root, version, 'tessdata');
    if (await exists(join(folder, model))) return folder;
  }
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
