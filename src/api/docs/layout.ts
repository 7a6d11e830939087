import type { Json } from '../openapi/json.ts';
import { type Html, html } from './html.ts';
import { breakable } from './operation.ts';
import { type Operation, operationsOf, tagPath, tagsOf } from './read.ts';

/** A page as its author gives it. */
export interface Page {
  path: string;
  title: string;
  content: Html;
}

const guides = [
  ['/docs', 'Start'],
  ['/docs/errors', 'Errors'],
  ['/docs/event-types', 'Types of event'],
  ['/docs/webhook-messages', 'Receiving webhooks'],
] as const;

/** Makes the function that puts a page into its frame, with all that can be gone to beside it. */
export function createLayout(document: Json, assets: Record<'css' | 'js' | 'icon', string>) {
  const operations = operationsOf(document);
  const tags = tagsOf(document).filter(({ name }) => operations.some(({ tag }) => tag === name));
  return (page: Page): string => {
    const groups = tags.map(({ name }) => {
      const own = operations.filter(({ tag }) => tag === name);
      const isHere = tagPath(name) === page.path;
      return html`<li><details${isHere && html` open`}><summary>${name}</summary><ul><li><a href="${tagPath(name)}"${isHere && html` aria-current="page"`}>All of ${name}</a></li>${own.map((one) => link(one))}</ul></details></li>`;
    });
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Scriptorium API</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top"><button class="menu" type="button" popovertarget="contents">Contents</button><a class="brand" href="/docs">Scriptorium <span>API</span></a><a class="aside" href="/portal/">Portal</a></header>
<nav id="contents" popover aria-label="Contents">
<div class="filter" hidden><label for="filter">Find an operation</label><input id="filter" type="search" autocomplete="off" spellcheck="false"><p id="found" role="status"></p></div>
<ul>${guides.map(
      ([path, title]) =>
        html`<li><a href="${path}"${path === page.path && html` aria-current="page"`}>${title}</a></li>`,
    )}<li><a href="/docs/openapi.json">OpenAPI document</a></li></ul>
<h2>Reference</h2>
<ul class="operations">${groups}</ul>
</nav>
<main id="content" tabindex="-1">${page.content}</main>
</body>
</html>
`.text;
  };
}

function link({ id, method, path, tag, raw }: Operation): Html {
  return html`<li data-words="${`${id} ${method} ${path} ${String(raw.summary)}`.toLowerCase()}"><a href="${tagPath(tag)}#${id}"><span class="method">${method}</span><span>${breakable(path)}</span></a></li>`;
}
