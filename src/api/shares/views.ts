import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Problem } from '@scriptorium/contracts/problems';
import type { Share } from '../../entities/library/share.ts';
import { extensionOf } from '../../library/files/filename.ts';
import { type Html, type HtmlPiece, html } from '../docs/html.ts';
import type { Page } from './page.ts';
import type { ShownCollection, ShownFile } from './read.ts';

/** The size of a file as text. */
export const sizeOf = (bytes: number): string => formatBytes(bytes, 'bytes');

/** Shown for files without a preview. */
function kindOf({ filename, mime }: ShownFile): string {
  return (extensionOf(filename) || mime.split('/').at(-1) || 'file').slice(0, 6).toUpperCase();
}

export function until({ expiresAt }: Share): HtmlPiece {
  if (!expiresAt) return null;
  const text = expiresAt.toISOString();
  return html`<p class="soft">Available until <time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time></p>`;
}

export function message({ message: text }: Share): HtmlPiece {
  return text && html`<p class="message">${text}</p>`;
}

/** The form that opens a link. */
export function entryPage(share: Share, path: string, wrong: string | null): Page {
  const title = 'Open the shared link';
  const hint = share.passwordHash
    ? 'It is protected by a password.'
    : `It can be opened ${share.maxViews === 1 ? 'once' : `${share.maxViews} times`}.`;
  return {
    title,
    head: html`<h1>${title}</h1><p class="soft">${hint}</p>`,
    content: html`<form class="card" method="post" action="${path}">${
      share.passwordHash &&
      html`<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required autofocus maxlength="${limits.share_password_max_characters}"${wrong && html` aria-invalid="true" aria-describedby="wrong"`}>`
    }${wrong && html`<p id="wrong" role="alert">${wrong}</p>`}<button>Open</button></form>`,
  };
}

/** Shown to visitors when they cannot have the content. Never contains details of policies. */
export function problemPage(problem: Problem, requestId: string, again: string | null): Page {
  const titles: Partial<Record<Problem['code'], string>> = {
    share_closed: 'This link no longer works',
    not_found: 'Nothing is here',
    policy_denied: 'This file is not available',
    rate_limited: 'Too many requests',
  };
  const title = titles[problem.code] ?? (problem.retryable ? 'One moment' : 'This did not work');
  return {
    title,
    head: html`<h1>${title}</h1><p>${problem.message}</p>`,
    content: html`<p>${again && html`<a href="${again}">Back</a>`}</p><p class="soft">Request <code>${requestId}</code></p>`,
    ...(problem.retryable && problem.status === 409 ? { refresh: 3 } : {}),
  };
}

/** A shared file, large. */
export function filePage(
  share: Share,
  file: ShownFile,
  at: { base: string; back: string | null; isAlone: boolean },
): Page {
  const title = (at.isAlone ? share.title : null) ?? file.title ?? file.filename;
  const own = `${at.base}/files/${file.id}`;
  return {
    title,
    head: html`${at.back && html`<p><a href="${at.back}">← All files</a></p>`}<h1>${title}</h1>${at.isAlone && message(share)}<p class="soft">${file.filename} · ${sizeOf(file.bytes)}</p>${at.isAlone && until(share)}${
      share.allowDownload &&
      html`<div class="bar"><a class="button" href="${own}/download" rel="nofollow">Download</a></div>`
    }`,
    content: html`<figure>${
      file.hasPreview
        ? html`<img src="${own}/preview?size=large" alt="${file.altText ?? file.filename}">`
        : html`<span class="kind">${kindOf(file)}</span>`
    }</figure>`,
  };
}

/** A page of a shared collection. */
export function collectionPage(share: Share, view: ShownCollection, base: string): Page {
  const { collection, path, files, hidden, cursor, next } = view;
  const isTop = path.length === 1;
  const title = (isTop ? share.title : null) ?? collection.name;
  const own = isTop ? base : `${base}/collections/${collection.id}`;
  const crumbs = path.slice(0, -1).map(({ id, name }, at) => {
    const href = at === 0 ? base : `${base}/collections/${id}`;
    return html`<li><a href="${href}">${at === 0 ? (share.title ?? name) : name}</a></li>`;
  });
  const isEmpty = files.length + view.collections.length + hidden === 0;
  return {
    title,
    head: html`${crumbs.length > 0 && html`<nav aria-label="Path"><ol class="crumbs">${crumbs}</ol></nav>`}<h1>${title}</h1>${isTop && message(share)}${isTop && until(share)}${
      share.allowDownload &&
      files.length > 0 &&
      html`<div class="bar"><a class="button" href="${own}/archive${from(cursor)}" rel="nofollow">${archiveLabel(view)}</a></div>`
    }`,
    content: html`${
      view.collections.length > 0 &&
      html`<h2>Collections</h2><ul class="grid folders">${view.collections.map(
        ({ id, name }) =>
          html`<li><a href="${base}/collections/${id}"><span class="name" title="${name}">${name}</span></a></li>`,
      )}</ul>`
    }${view.nextCollections && html`<p><a href="${own}?collections=${view.nextCollections}">More collections</a></p>`}${
      files.length > 0 &&
      html`<h2>Files</h2><ul class="grid">${files.map((file) => tile(file, base))}</ul>`
    }${isEmpty && html`<p class="soft">There are no files here yet.</p>`}${
      hidden > 0 &&
      html`<p class="soft">${pluralise(hidden, 'file')} ${hidden === 1 ? 'is' : 'are'} not shown, because a policy restricts access.</p>`
    }<nav class="bar" aria-label="Pages">${cursor && html`<a class="button quiet" href="${own}">First page</a>`}${next && html`<a class="button quiet" href="${own}${from(next)}" rel="next">Next page</a>`}</nav>`,
  };
}

function archiveLabel({ cursor, next, collection }: ShownCollection): string {
  if (cursor === null && next === null) return 'Download all';
  const many = collection.kind === 'smart' || collection.memberCount > limits.archive_objects;
  if (cursor === null && !many) return 'Download all';
  return `Download ${limits.archive_objects} files from here`;
}

function from(cursor: string | null): string {
  return cursor === null ? '' : `?cursor=${cursor}`;
}

function tile(file: ShownFile, base: string): Html {
  const own = `${base}/files/${file.id}`;
  const name = file.title ?? file.filename;
  return html`<li><a href="${own}"><span class="picture">${
    file.hasPreview
      ? html`<img src="${own}/preview" alt="${file.altText ?? ''}" loading="lazy" decoding="async">`
      : kindOf(file)
  }</span><span class="name" title="${name}">${name}</span><span class="facts">${sizeOf(file.bytes)}</span></a></li>`;
}
