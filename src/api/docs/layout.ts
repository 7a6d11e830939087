import { fontLink } from '../look.ts';
import type { Json } from '../openapi/json.ts';
import type { ContentsGroup } from './guides/load.ts';
import { type Html, html } from './html.ts';
import { type DocsOperation, operationsOf, tagPath, tagsOf } from './openapi-accessors.ts';
import { breakable } from './operation.ts';

/** The content of a page. */
export interface DocsPage {
  path: string;
  title: string;
  content: Html;
}

const cataloguePages: ContentsGroup['pages'] = [
  { path: '/docs/errors', title: 'Errors' },
  { path: '/docs/event-types', title: 'Event types' },
  { path: '/docs/webhook-messages', title: 'Webhook messages' },
];

/** Creates the function that renders a page in its frame, beside the table of contents. */
export function createLayout(
  document: Json,
  assets: Record<'css' | 'js' | 'icon', string>,
  contents: readonly ContentsGroup[],
) {
  const operations = operationsOf(document);
  const tags = tagsOf(document).filter(({ name }) => operations.some(({ tag }) => tag === name));
  return (page: DocsPage): string => {
    const pageLink = ({ path, title }: ContentsGroup['pages'][number]): Html =>
      html`<li><a href="${path}"${path === page.path && html` aria-current="page"`}>${title}</a></li>`;
    const guides = contents.map(({ title, pages }) => {
      const isCurrent = pages.some(({ path }) => path === page.path);
      return html`<li><details${(isCurrent || title === contents[0]?.title) && html` open`}><summary>${title}</summary><ul>${pages.map(pageLink)}</ul></details></li>`;
    });
    const groups = tags.map(({ name }) => {
      const operationsOfTag = operations.filter(({ tag }) => tag === name);
      const isCurrent = tagPath(name) === page.path;
      return html`<li><details${isCurrent && html` open`}><summary>${name}</summary><ul><li><a href="${tagPath(name)}"${isCurrent && html` aria-current="page"`}>All ${name.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}</a></li>${operationsOfTag.map((one) => operationLink(one))}</ul></details></li>`;
    });
    return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Scriptorium</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
${fontLink}
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><button class="menu" type="button" popovertarget="contents">Contents</button><a class="brand" href="/docs"><img src="${assets.icon}" alt="" width="24" height="24">Scriptorium <span>docs</span></a><a class="aside" href="/portal/">Portal</a></header>
<nav id="contents" popover aria-label="Contents">
<form class="search" action="/docs/search" role="search"><label for="search">Search</label><kbd aria-hidden="true">Ctrl K</kbd><input id="search" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="100"><p id="found" role="status"></p><ul id="hits"></ul></form>
<ul>${pageLink({ path: '/docs', title: 'Start' })}</ul>
<ul class="guides">${guides}</ul>
<h2>API reference</h2>
<ul>${cataloguePages.map(pageLink)}<li><a href="/docs/openapi.json">OpenAPI document</a></li></ul>
<ul class="operations">${groups}</ul>
</nav>
<main id="content" tabindex="-1">${page.content}</main>
</body>
</html>
`.text;
  };
}

function operationLink({ id, method, path, tag }: DocsOperation): Html {
  return html`<li class="route-link"><a href="${tagPath(tag)}#${id}"><span class="method">${method}</span><span>${breakable(path)}</span></a></li>`;
}
