import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';

/**
 * Renders Markdown as elements built from parser tokens, never as HTML. Embedded HTML is shown as
 * text, images are described but not loaded, and links show their target.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="preview-markdown">{lexer(text).map(block)}</div>;
}

function blocks(tokens: Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map(block);
}

function block(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return heading(token as Tokens.Heading, at);
    case 'paragraph':
      return <p key={at}>{inlines(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote key={at}>{blocks(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre key={at} class="code" tabIndex={0}>
          {token.text}
        </pre>
      );
    case 'hr':
      return <hr key={at} />;
    case 'list':
      return list(token as Tokens.List, at);
    case 'table':
      return table(token as Tokens.Table, at);
    case 'html':
      return comment(token.raw) ?? <p key={at}>{token.raw}</p>;
    case 'text':
      return <span key={at}>{token.tokens ? inlines(token.tokens) : token.text}</span>;
    default:
      return <p key={at}>{token.raw}</p>;
  }
}

/** Comments describe images that were left out of the text; empty ones are not shown. */
function comment(raw: string): ComponentChildren {
  const found = /^\s*<!--([\s\S]*)-->\s*$/.exec(raw);
  if (!found) return undefined;
  const said = found[1]!.trim();
  return said === '' ? null : <p class="soft">[{said}]</p>;
}

/** Headings start at h3: the page itself uses h1. */
function heading({ depth, tokens }: Tokens.Heading, at: number): VNode {
  const Level = `h${Math.min(6, depth + 2)}` as 'h3';
  return <Level key={at}>{inlines(tokens)}</Level>;
}

function list({ ordered, start, items }: Tokens.List, at: number): VNode {
  const content = items.map((item, index) => (
    <li key={index}>
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens)}
    </li>
  ));
  return ordered ? (
    <ol key={at} start={typeof start === 'number' ? start : 1}>
      {content}
    </ol>
  ) : (
    <ul key={at}>{content}</ul>
  );
}

function table({ header, rows }: Tokens.Table, at: number): VNode {
  return (
    <section key={at} class="table-frame" tabIndex={0} aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={column} scope="col">
                {inlines(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, column) => (
                <td key={column}>{inlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inlines(tokens: Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map(inline);
}

function inline(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={at}>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em key={at}>{inlines(token.tokens)}</em>;
    case 'del':
      return <del key={at}>{inlines(token.tokens)}</del>;
    case 'codespan':
      return <code key={at}>{token.text}</code>;
    case 'br':
      return <br key={at} />;
    case 'link':
      return link(token as Tokens.Link, at);
    case 'image':
      return (
        <span key={at} class="soft">
          [Image: {token.text || token.href}]
        </span>
      );
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inlines(token.tokens) : unescaped(token.text);
    default:
      return token.raw;
  }
}

/** A link with its target in parentheses. Only web and mail links are clickable. */
function link({ href, tokens }: Tokens.Link, at: number): ComponentChildren {
  const target = targetOf(href);
  return (
    <span key={at}>
      {target ? (
        <a href={target} target="_blank" rel="noopener noreferrer nofollow">
          {inlines(tokens)}
        </a>
      ) : (
        inlines(tokens)
      )}{' '}
      <span class="soft preview-target">({href})</span>
    </span>
  );
}

/** The URL of a link if its protocol is allowed, otherwise null. */
export function targetOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Decodes the character references that the parser leaves in text. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
