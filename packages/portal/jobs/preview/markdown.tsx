import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';

/**
 * Renders Markdown as elements built from parser tokens, never as HTML. Embedded HTML is shown as
 * text, images are described but not loaded, and links show their target.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="preview-markdown">{lexer(text).map(renderBlock)}</div>;
}

function renderBlocks(tokens: Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map(renderBlock);
}

function renderBlock(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return renderHeading(token as Tokens.Heading, at);
    case 'paragraph':
      return <p key={at}>{renderInlines(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote key={at}>{renderBlocks(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre key={at} class="code" tabIndex={0}>
          {token.text}
        </pre>
      );
    case 'hr':
      return <hr key={at} />;
    case 'list':
      return renderList(token as Tokens.List, at);
    case 'table':
      return renderTable(token as Tokens.Table, at);
    case 'html':
      return renderComment(token.raw) ?? <p key={at}>{token.raw}</p>;
    case 'text':
      return <span key={at}>{token.tokens ? renderInlines(token.tokens) : token.text}</span>;
    default:
      return <p key={at}>{token.raw}</p>;
  }
}

/** Comments describe images that were left out of the text; empty ones are not shown. */
function renderComment(raw: string): ComponentChildren {
  const match = /^\s*<!--([\s\S]*)-->\s*$/.exec(raw);
  if (!match) return undefined;
  const text = match[1]!.trim();
  return text === '' ? null : <p class="soft">[{text}]</p>;
}

/** Headings start at h3: the page itself uses h1. */
function renderHeading({ depth, tokens }: Tokens.Heading, at: number): VNode {
  const Level = `h${Math.min(6, depth + 2)}` as 'h3';
  return <Level key={at}>{renderInlines(tokens)}</Level>;
}

function renderList({ ordered, start, items }: Tokens.List, at: number): VNode {
  const content = items.map((item, index) => (
    <li key={index}>
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {renderBlocks(item.tokens)}
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

function renderTable({ header, rows }: Tokens.Table, at: number): VNode {
  return (
    <section key={at} class="table-frame" tabIndex={0} aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={column} scope="col">
                {renderInlines(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, column) => (
                <td key={column}>{renderInlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function renderInlines(tokens: Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map(renderInline);
}

function renderInline(token: Token, at: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={at}>{renderInlines(token.tokens)}</strong>;
    case 'em':
      return <em key={at}>{renderInlines(token.tokens)}</em>;
    case 'del':
      return <del key={at}>{renderInlines(token.tokens)}</del>;
    case 'codespan':
      return <code key={at}>{token.text}</code>;
    case 'br':
      return <br key={at} />;
    case 'link':
      return renderLink(token as Tokens.Link, at);
    case 'image':
      return (
        <span key={at} class="soft">
          [Image: {token.text || token.href}]
        </span>
      );
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? renderInlines(token.tokens) : decodeReferences(token.text);
    default:
      return token.raw;
  }
}

/** A link with its target in parentheses. Only web and mail links are clickable. */
function renderLink({ href, tokens }: Tokens.Link, at: number): ComponentChildren {
  const target = allowedUrl(href);
  return (
    <span key={at}>
      {target ? (
        <a href={target} target="_blank" rel="noopener noreferrer nofollow">
          {renderInlines(tokens)}
        </a>
      ) : (
        renderInlines(tokens)
      )}{' '}
      <span class="soft preview-target">({href})</span>
    </span>
  );
}

/** The URL of a link if its protocol is allowed, otherwise null. */
export function allowedUrl(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

const characterReferences: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Decodes the character references that the parser leaves in text. */
function decodeReferences(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (entity) => characterReferences[entity] ?? entity,
  );
}
