import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { addBasePathToText } from '../base-path.ts';
import {
  createStaticFile,
  requireGetOrHead,
  type StaticFile,
  sendStaticFile,
} from '../downloads/static-files.ts';

/** The output folder of `npm run build:portal`. The relative path is the same in `src/` and `dist/`. */
export const buildFolder = fileURLToPath(new URL('../../../dist/browser/', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.icc': 'application/octet-stream',
};

/** No other origins, no inline scripts or styles, no framing. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The PDF worker has a separate policy. It decodes scans (JBIG2, JPEG 2000, CCITT) and colours (ICC)
 * with WebAssembly, which pages are not allowed to compile.
 */
const pdfWorker = /^assets\/pdf\.worker\b[^/]*\.mjs$/;
const pdfWorkerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
].join('; ');

/** Whether a path is that of a file. Paths of screens contain no dots. */
const isFileName = (path: string): boolean => path.lastIndexOf('.') > path.lastIndexOf('/');

/** The files by base path. A process reads and compresses them once. */
const filesByBasePath = new Map<string, Promise<Map<string, StaticFile>>>();

/** Serves the files of the built portal. */
export function createPortalFiles(basePath: string): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    requireGetOrHead(ctx);
    const pendingFiles = filesByBasePath.get(basePath) ?? readFiles(basePath);
    filesByBasePath.set(basePath, pendingFiles);
    const files = await pendingFiles;
    const path = ctx.path.slice('/portal/'.length);
    // Any other path is a screen, which the page routes in the browser.
    const file = files.get(path.startsWith('assets/') || isFileName(path) ? path : 'index.html');
    if (!file) {
      if (files.size > 0) throw new Problem('not_found', 'No file exists at this path.');
      filesByBasePath.delete(basePath);
      throw new Problem('not_found', 'The portal has not been built. Run script/setup.');
    }
    sendStaticFile(ctx, file, { policy: pdfWorker.test(path) ? pdfWorkerPolicy : contentPolicy });
  };
}

async function readFiles(basePath: string): Promise<Map<string, StaticFile>> {
  let names: string[];
  try {
    names = await readdir(buildFolder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  const files = await Promise.all(
    names
      .filter((name) => extname(name) in types)
      .map(async (name) => {
        const path = name.replaceAll('\\', '/');
        // Assets have a hash in their name.
        const isAsset = path.startsWith('assets/');
        const bytes = await readFile(join(buildFolder, name));
        const type = types[extname(name)]!;
        const content = /^text\/(html|javascript|css)/.test(type)
          ? addBasePathToText(bytes.toString('utf8'), basePath)
          : bytes;
        return [path, await createStaticFile(type, content, isAsset)] as const;
      }),
  );
  return new Map(files);
}
