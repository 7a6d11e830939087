import { spawn, spawnSync } from 'node:child_process';

/** External programs, and the arguments for each. */
const programs = {
  pdftotext: '-v',
  qpdf: '--version',
  strings: '--version',
  mutool: '-v',
  gs: '--version',
  pdfdetach: '-v',
  pdfimages: '-v',
  pdfinfo: '-v',
  pdftoppm: '-v',
  tesseract: '--version',
  soffice: '--version',
  python3: '--version',
} as const;

export type Tool = keyof typeof programs;

const availability = new Map<Tool, boolean>();
let environment: NodeJS.ProcessEnv = process.env;

/** Finds and starts programs in a different environment than that of this process. */
export function setToolEnvironment(env: NodeJS.ProcessEnv): void {
  environment = env;
  availability.clear();
}

export function hasTool(tool: Tool): boolean {
  const known = availability.get(tool);
  if (known !== undefined) return known;
  const options = { stdio: 'ignore', env: environment } as const;
  const isAvailable = spawnSync(tool, [programs[tool]], options).error === undefined;
  availability.set(tool, isAvailable);
  return isAvailable;
}

/** The programs that read PDFs and pictures. */
export const readerTools: readonly Tool[] = (Object.keys(programs) as Tool[]).filter(
  (tool) => tool !== 'soffice' && tool !== 'python3',
);

export function missingTools(tools = readerTools): Tool[] {
  return tools.filter((tool) => !hasTool(tool));
}

/**
 * The standard output of a program. Exit code 3 of qpdf is a warning; any other failure is an
 * error, because a judge that cannot read proves nothing. It runs in `folder`, if given.
 */
export async function runTool(
  tool: Tool,
  args: readonly string[],
  acceptedCodes: readonly number[] = [0],
  folder?: string,
): Promise<Buffer> {
  const child = spawn(tool, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, OMP_THREAD_LIMIT: '1' },
  });
  const chunks: Buffer[] = [];
  let errorOutput = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput = (errorOutput + chunk.toString()).slice(-500);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === null || !acceptedCodes.includes(code)) {
    const reason = code === null ? 'was ended by a signal' : `ended with code ${code}`;
    throw new Error(`${tool} ${reason}: ${errorOutput.trim()}`);
  }
  return Buffer.concat(chunks);
}

/**
 * Runs the work for all items, a limited number at a time; results are in the order of the items.
 */
export async function mapPool<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(width, items.length) }, async () => {
      while (next < items.length) {
        const index = next++;
        results[index] = await work(items[index]!, index);
      }
    }),
  );
  return results;
}
