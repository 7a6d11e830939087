import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '@scriptorium/contracts/problems';
import { Html, html } from '../docs/html.ts';
import { buildFolder } from '../portal/files.ts';
import { hashSource } from '../shares/style.ts';

/** The script and the style of the page, which the build of the portal writes. */
interface Assets {
  script: string;
  style: string;
  /** Allows exactly these two, and no request. */
  policy: string;
}

/** The assets of a process. They are read once. */
let pendingAssets: Promise<Assets> | undefined;

/** @throws Problem 404 if the portal has not been built */
export async function readAssets(): Promise<Assets> {
  pendingAssets ??= load();
  try {
    return await pendingAssets;
  } catch (error) {
    pendingAssets = undefined;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Problem('not_found', 'The page has not been built. Run script/setup.');
  }
}

async function load(): Promise<Assets> {
  const [script, style] = await Promise.all(
    ['verify.js', 'verify.css'].map((name) => readFile(join(buildFolder, 'verify', name), 'utf8')),
  );
  // Neither may end its element.
  const assets = { script: script!.replace(/<\/(?=script)/gi, '<\\/'), style: style! };
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(assets.script)}`,
    `style-src ${hashSource(assets.style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { ...assets, policy };
}

/** Returns the page as one file, with the data that its script reads. */
export function renderPage({ script, style, policy }: Assets, data: object): string {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><link rel="icon" href="data:,"><title>Verify a certificate · Scriptorium</title><style>${new Html(style)}</style></head>
<body><div id="app"></div><noscript>This page needs JavaScript: it checks the files in your browser.</noscript><script type="application/json" id="data">${new Html(json)}</script><script>${new Html(script)}</script></body></html>`
    .text;
}
