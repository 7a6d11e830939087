import { posix } from 'node:path';
import type { Nodes, Parent, Root, Table } from 'mdast';
import { codeBlock } from '../code.ts';
import { type Html, type HtmlPiece, html } from '../html.ts';

/** The context of a page within the site. */
export interface GuideContext {
  /** The file's path within docs/, to which links are relative. */
  file: string;
  /** The target of inline code, such as `POST /v1/objects`; undefined without a target. */
  hrefOfCode(code: string): string | undefined;
}

/**
 * Markdown as HTML through the escaping template: raw HTML in the source is shown as text.
 * @throws Error for Markdown syntax that is not supported
 */
export function renderMarkdown(root: Root, context: GuideContext): Html {
  const anchor = createAnchors();
  const children = (node: Parent): HtmlPiece => node.children.map((child) => render(child));

  function render(node: Nodes): HtmlPiece {
    switch (node.type) {
      case 'root':
        return children(node);
      case 'paragraph':
        return html`<p>${children(node)}</p>\n`;
      case 'heading':
        return heading(node.depth, anchor(nodeText(node)), children(node));
      case 'text':
      case 'html':
        return node.value;
      case 'emphasis':
        return html`<em>${children(node)}</em>`;
      case 'strong':
        return html`<strong>${children(node)}</strong>`;
      case 'inlineCode':
        return inlineCode(node.value);
      case 'code':
        return codeBlock(languageName(node.lang), node.value);
      case 'break':
        return html`<br>`;
      case 'link':
        return link(node.url, children(node));
      case 'image':
        return html`<img src="${hrefOf(node.url, context.file) ?? ''}" alt="${node.alt}">`;
      case 'list':
        return node.ordered
          ? html`<ol class="steps">${children(node)}</ol>\n`
          : html`<ul class="plain">${children(node)}</ul>\n`;
      case 'listItem':
        return html`<li>${node.children.map((child) =>
          child.type === 'paragraph' && !node.spread ? children(child) : render(child),
        )}</li>`;
      case 'blockquote':
        return html`<blockquote>${children(node)}</blockquote>\n`;
      case 'table':
        return table(node);
      default:
        throw new Error(`${context.file}: Markdown of type '${node.type}' is not supported.`);
    }
  }

  function table({ children: [head, ...rows] }: Table): HtmlPiece {
    return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table class="text"><thead><tr>${head?.children.map(
      (cell) => html`<th scope="col">${children(cell)}</th>`,
    )}</tr></thead><tbody>${rows.map(
      (row) => html`<tr>${row.children.map((cell) => html`<td>${children(cell)}</td>`)}</tr>`,
    )}</tbody></table></div>\n`;
  }

  function inlineCode(code: string): HtmlPiece {
    const href = context.hrefOfCode(code);
    const codeElement = html`<code>${code}</code>`;
    return href ? html`<a href="${href}">${codeElement}</a>` : codeElement;
  }

  function link(url: string, text: HtmlPiece): HtmlPiece {
    const href = hrefOf(url, context.file);
    return href === null ? text : html`<a href="${href}">${text}</a>`;
  }

  return html`${render(root)}`;
}

/** Anchors as GitHub generates them, so that links work in both places. */
export function createAnchors(): (heading: string) => string {
  const slugCounts = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = slugCounts.get(slug) ?? 0;
    slugCounts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** The text of a node and everything in it. */
export function nodeText(node: Nodes): string {
  if ('children' in node) return node.children.map(nodeText).join('');
  return 'value' in node ? node.value : '';
}

/** The path at which a page of docs/ is served. */
export function guidePath(file: string): string {
  if (file === 'README.md') return '/docs';
  return `/docs/${file.replace(/\.md$/, '')}`;
}

/** The target of a link in a page; null for files of the repository that are not served. */
export function hrefOf(url: string, file: string): string | null {
  if (/^(https?|mailto):/.test(url) || url.startsWith('#')) return url;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
  const [target = '', hash] = url.split('#');
  const path = posix.join(posix.dirname(file), target);
  if (path.startsWith('..')) return null;
  const servedPath = path.endsWith('.md') ? guidePath(path) : `/docs/${path}`;
  return hash ? `${servedPath}#${hash}` : servedPath;
}

function heading(depth: number, id: string, text: HtmlPiece): HtmlPiece {
  const selfLink = html`<a href="#${id}">${text}</a>`;
  if (depth === 1) return html`<h1 id="${id}">${text}</h1>\n`;
  if (depth === 2) return html`<h2 class="part" id="${id}">${selfLink}</h2>\n`;
  return html`<h3 class="part" id="${id}">${selfLink}</h3>\n`;
}

const languageNames: Record<string, string> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  sql: 'SQL',
  python: 'Python',
  go: 'Go',
  ruby: 'Ruby',
  php: 'PHP',
  java: 'Java',
  csharp: 'C#',
  rust: 'Rust',
  html: 'HTML',
  text: 'Text',
};

function languageName(language: string | null | undefined): string {
  return languageNames[language ?? 'text'] ?? 'Text';
}
