import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import {
  requireReading,
  type StaticFile,
  sendStaticFile,
  staticFile,
} from '../downloads/static-files.ts';

/** Where `npm run build:portal` puts them: the same place from `src/` and from `dist/`. */
const built = fileURLToPath(new URL('../../../dist/browser/', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.icc': 'application/octet-stream',
};

/** Nothing from elsewhere, nothing inline, nobody may frame it. */
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
 * What binds the worker that reads PDFs, which has a policy of its own: it decodes scans (JBIG2,
 * JPEG 2000, CCITT) and colours (ICC) in WebAssembly, which the page may not compile.
 */
const pdfWorker = /^assets\/pdf\.worker\b[^/]*\.mjs$/;
const pdfWorkerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
].join('; ');

/** Screens are called by words and identifiers, none of which has a dot. */
const isFileName = /\.[^/]*$/;

/** The files of the built portal by their path under it; read once. */
export function createPortalFiles(): (ctx: Context) => Promise<void> {
  let reading: Promise<Map<string, StaticFile>> | undefined;
  return async (ctx) => {
    requireReading(ctx);
    reading ??= readFiles();
    const files = await reading;
    const path = ctx.path.slice('/portal/'.length);
    // Every path that is no file's name is a screen, which the page finds by itself.
    const file = files.get(
      path.startsWith('assets/') || isFileName.test(path) ? path : 'index.html',
    );
    if (!file) {
      if (files.size > 0) throw new Problem('not_found', 'There is nothing at this path.');
      reading = undefined;
      throw new Problem('not_found', 'The portal is not built: run script/setup.');
    }
    sendStaticFile(ctx, file, { policy: pdfWorker.test(path) ? pdfWorkerPolicy : contentPolicy });
  };
}

async function readFiles(): Promise<Map<string, StaticFile>> {
  let names: string[];
  try {
    names = await readdir(built, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  const files = await Promise.all(
    names
      .filter((name) => extname(name) in types)
      .map(async (name) => {
        const path = name.replaceAll('\\', '/');
        // What is in assets has its hash in its name.
        const isAsset = path.startsWith('assets/');
        const bytes = await readFile(join(built, name));
        return [path, await staticFile(types[extname(name)]!, bytes, isAsset)] as const;
      }),
  );
  return new Map(files);
}
