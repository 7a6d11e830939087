import { access, copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchDebianPackages, hasDebianTools } from './debian.ts';
import { StartError } from './start-error.ts';

export interface Tessdata {
  /** The folder that holds `eng.traineddata`; undefined when only npm's model is there. */
  path?: string;
  /** What was found, in words for a person. */
  description: string;
}

const model = 'eng.traineddata';
const systemRoot = '/usr/share/tesseract-ocr';

/**
 * Finds Tesseract's fast English model, which npm does not have and which needs a third less
 * processor time: the machine's own, one fetched before, or Debian's package fetched now. Without
 * any of them the model from npm (best_int) serves, so this never fails.
 */
export async function findTessdata(search: {
  /** The model is kept here once fetched. */
  dir: string;
  packagesDir: string;
  systemRoot?: string;
  log?: (message: string) => void;
}): Promise<Tessdata> {
  const installed = await findInstalled(search.systemRoot ?? systemRoot);
  if (installed) {
    return { path: installed, description: `Tesseract's fast English model in ${installed}` };
  }
  const fetched = {
    path: search.dir,
    description: `Tesseract's fast English model in ${search.dir}`,
  };
  if (await isThere(join(search.dir, model))) return fetched;
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
    description: `npm's English model (best_int), which is as exact and slower, because Tesseract's fast one was not to be had: ${reason}`,
  };
}

async function fetchModel(search: Parameters<typeof findTessdata>[0]): Promise<void> {
  const target = join(search.packagesDir, 'tesseract-ocr-eng');
  await fetchDebianPackages({
    packages: ['tesseract-ocr-eng'],
    withLibraries: false,
    target,
    ...(search.log ? { log: search.log } : {}),
  });
  const unpacked = await findInstalled(join(target, systemRoot));
  if (!unpacked) {
    throw new StartError(`the package tesseract-ocr-eng holds no ${model}.`);
  }
  await mkdir(search.dir, { recursive: true });
  const draft = join(search.dir, `${model}.${process.pid}`);
  await copyFile(join(unpacked, model), draft);
  await rename(draft, join(search.dir, model));
}

/** The newest version's folder that has the model. */
async function findInstalled(root: string): Promise<string | undefined> {
  const versions = (await readdir(root).catch(() => [])).sort().reverse();
  for (const version of versions) {
    const folder = join(root, version, 'tessdata');
    if (await isThere(join(folder, model))) return folder;
  }
  return undefined;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
