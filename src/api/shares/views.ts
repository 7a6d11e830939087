import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Problem } from '@scriptorium/contracts/problems';
import type { Share } from '../../entities/library/share.ts';
import { extensionOf } from '../../library/files/filename.ts';
import { type Html, type HtmlPiece, html } from '../docs/html.ts';
import type { Page } from './page.ts';
import type { VisibleCollection, VisibleFile } from './read.ts';

/** The size of a file as text. */
export const formatSize = (bytes: number): string => formatBytes(bytes, 'bytes');

/** The label of a file without a preview: its extension or type. */
function fileTypeLabel({ filename, mime }: VisibleFile): string {
  return (extensionOf(filename) || mime.split('/').at(-1) || 'file').slice(0, 6).toUpperCase();
}

export function expiryNotice({ expiresAt }: Share): HtmlPiece {
  if (!expiresAt) return null;
  const text = expiresAt.toISOString();
  return html`<p class="soft">Available until <time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time></p>`;
}

export function shareMessage({ message: text }: Share): HtmlPiece {
  return text && html`<p class="message">${text}</p>`;
}

/** The form that opens a link. */
export function entryPage(share: Share, path: string, error: string | null): Page {
  const title = 'Open the shared link';
  const hint = share.passwordHash
    ? 'It is protected by a password.'
    : `It can be opened ${share.maxViews === 1 ? 'once' : `${share.maxViews} times`}.`;
  return {
    title,
    head: html`<h1>${title}</h1><p class="soft">${hint}</p>`,
    content: html`<form class="card" method="post" action="${path}">${
      share.passwordHash &&
      html`<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required autofocus maxlength="${limits.share_password_max_characters}"${error && html` aria-invalid="true" aria-describedby="wrong"`}>`
    }${error && html`<p id="wrong" role="alert">${error}</p>`}<button>Open</button></form>`,
  };
}

/** The page for errors. It never contains details of policies. */
export function problemPage(problem: Problem, requestId: string, backUrl: string | null): Page {
  const titles: Partial<Record<Problem['code'], string>> = {
    share_closed: 'This link no longer works',
    not_found: 'Not found',
    policy_denied: 'This file is not available',
    rate_limited: 'Too many requests',
  };
  const title = titles[problem.code] ?? (problem.retryable ? 'Please wait' : 'An error occurred');
  return {
    title,
    head: html`<h1>${title}</h1><p>${problem.message}</p>`,
    content: html`<p>${backUrl && html`<a href="${backUrl}">Back</a>`}</p><p class="soft">Request <code>${requestId}</code></p>`,
    ...(problem.retryable && problem.status === 409 ? { refresh: 3 } : {}),
  };
}

/** The pages of the files beside a file, null at the ends of a list. */
export interface Neighbours {
  previous: string | null;
  next: string | null;
}

/** The pages of the files beside a file on a page of a collection. */
export function neighboursOf(view: VisibleCollection, id: string, base: string): Neighbours {
  const at = view.files.findIndex((file) => file.id === id);
  const urlAt = (index: number): string | null => {
    const file = at < 0 ? undefined : view.files[index];
    return file ? fileUrl(file, view, base) : null;
  };
  return { previous: urlAt(at - 1), next: urlAt(at + 1) };
}

/** The page of a file, with the place in the collection from which it was opened. */
function fileUrl(file: VisibleFile, { collection, cursor }: VisibleCollection, base: string) {
  const place = `collection=${collection.id}${cursor === null ? '' : `&cursor=${cursor}`}`;
  return `${base}/files/${file.id}?${place}`;
}

/** The page of a collection, starting at a cursor. */
export function collectionUrl({ collection, path, cursor }: VisibleCollection, base: string) {
  const url = path.length === 1 ? base : `${base}/collections/${collection.id}`;
  return `${url}${cursorQuery(cursor)}`;
}

/** The page of a shared file. */
export function filePage(
  share: Share,
  file: VisibleFile,
  context: { base: string; isAlone: boolean; back: string | null; neighbours: Neighbours },
): Page {
  const title = (context.isAlone ? share.title : null) ?? file.title ?? file.filename;
  const { previous, next } = context.neighbours;
  const url = `${context.base}/files/${file.id}`;
  return {
    title,
    head: html`${
      context.back &&
      html`<nav class="bar" aria-label="Files"><a href="${context.back}">← All files</a><span class="turn">${previous && html`<a class="button quiet" href="${previous}" rel="prev">Previous</a>`}${next && html`<a class="button quiet" href="${next}" rel="next">Next</a>`}</span></nav>`
    }<h1>${title}</h1>${context.isAlone && shareMessage(share)}<p class="soft">${file.filename} · ${formatSize(file.bytes)}</p>${context.isAlone && expiryNotice(share)}${
      share.allowDownload &&
      html`<div class="bar"><a class="button" href="${url}/download" rel="nofollow">Download</a></div>`
    }`,
    content: html`<figure>${
      file.hasPreview
        ? html`<img src="${url}/preview?size=large" alt="${file.altText ?? file.filename}">`
        : html`<span class="kind">${fileTypeLabel(file)}</span>`
    }</figure>`,
  };
}

/** A page of a shared collection. */
export function collectionPage(share: Share, view: VisibleCollection, base: string): Page {
  const { collection, path, files, hiddenCount, cursor, nextCursor } = view;
  const isRoot = path.length === 1;
  const title = (isRoot ? share.title : null) ?? collection.name;
  const url = isRoot ? base : `${base}/collections/${collection.id}`;
  const crumbs = path.slice(0, -1).map(({ id, name }, at) => {
    const href = at === 0 ? base : `${base}/collections/${id}`;
    return html`<li><a href="${href}">${at === 0 ? (share.title ?? name) : name}</a></li>`;
  });
  const isEmpty = files.length + view.collections.length + hiddenCount === 0;
  return {
    title,
    head: html`${crumbs.length > 0 && html`<nav aria-label="Path"><ol class="crumbs">${crumbs}</ol></nav>`}<h1>${title}</h1>${isRoot && shareMessage(share)}${isRoot && expiryNotice(share)}${
      share.allowDownload &&
      files.length > 0 &&
      html`<div class="bar"><a class="button" href="${url}/archive${cursorQuery(cursor)}" rel="nofollow">${archiveLabel(view)}</a></div>`
    }`,
    content: html`${
      view.collections.length > 0 &&
      html`<h2>Collections</h2><ul class="grid folders">${view.collections.map(
        ({ id, name }) =>
          html`<li><a href="${base}/collections/${id}"><span class="name" title="${name}">${name}</span></a></li>`,
      )}</ul>`
    }${view.nextCollections && html`<p><a href="${url}?collections=${view.nextCollections}">More collections</a></p>`}${
      files.length > 0 &&
      html`<h2>Files</h2><ul class="grid">${files.map((file) => tile(file, view, base))}</ul>`
    }${isEmpty && html`<p class="soft">There are no files here yet.</p>`}${
      hiddenCount > 0 &&
      html`<p class="soft">${pluralise(hiddenCount, 'file')} ${hiddenCount === 1 ? 'is' : 'are'} not shown, because a policy restricts access.</p>`
    }<nav class="bar" aria-label="Pages">${cursor && html`<a class="button quiet" href="${url}">First page</a>`}${nextCursor && html`<a class="button quiet" href="${url}${cursorQuery(nextCursor)}" rel="next">Next page</a>`}</nav>`,
  };
}

function archiveLabel({ cursor, nextCursor, collection }: VisibleCollection): string {
  if (cursor === null && nextCursor === null) return 'Download all';
  const isLarge = collection.kind === 'smart' || collection.memberCount > limits.archive_objects;
  if (cursor === null && !isLarge) return 'Download all';
  return `Download ${limits.archive_objects} files from here`;
}

function cursorQuery(cursor: string | null): string {
  return cursor === null ? '' : `?cursor=${cursor}`;
}

function tile(file: VisibleFile, view: VisibleCollection, base: string): Html {
  const url = `${base}/files/${file.id}`;
  const name = file.title ?? file.filename;
  return html`<li><a href="${fileUrl(file, view, base)}"><span class="picture">${
    file.hasPreview
      ? html`<img src="${url}/preview" alt="${file.altText ?? ''}" loading="lazy" decoding="async">`
      : fileTypeLabel(file)
  }</span><span class="name" title="${name}">${name}</span><span class="facts">${formatSize(file.bytes)}</span></a></li>`;
}
