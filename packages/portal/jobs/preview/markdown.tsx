import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { decodeReferences } from './character-references.ts';

/**
 * Renders Markdown as elements built from parser tokens, never as HTML. Embedded HTML is shown as
 * text, images are described but not loaded, and links show their target.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="preview-markdown">{renderBlocks(lexer(text))}</div>;
}

/** The types of tokens that the parser creates without extensions. */
const tokenTypes: Record<MarkedToken['type'], true> = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
};

const isMarkedToken = (token: Token): token is MarkedToken => Object.hasOwn(tokenTypes, token.type);

function renderBlocks(tokens: Token[]): ComponentChildren {
  return tokens.map((token, index) =>
    isMarkedToken(token) ? renderBlock(token, index) : <p key={index}>{token.raw}</p>,
  );
}

function renderBlock(token: MarkedToken, index: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return renderHeading(token, index);
    case 'paragraph':
      return <p key={index}>{renderInlines(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote key={index}>{renderBlocks(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre key={index} class="code" tabIndex={0}>
          {token.text}
        </pre>
      );
    case 'hr':
      return <hr key={index} />;
    case 'list':
      return renderList(token, index);
    case 'checkbox':
      return renderCheckbox(token, index);
    case 'table':
      return renderTable(token, index);
    case 'html':
      return renderHtml(token.raw, index);
    case 'text':
      return (
        <span key={index}>
          {token.tokens ? renderInlines(token.tokens) : decodeReferences(token.text)}
        </span>
      );
    default:
      return <p key={index}>{token.raw}</p>;
  }
}

/**
 * Renders HTML as text. A comment is shown in brackets, because it describes an image that was left
 * out of the text; an empty one is not shown.
 */
function renderHtml(raw: string, index: number): VNode | null {
  const comment = /^\s*<!--([\s\S]*)-->\s*$/.exec(raw)?.[1]?.trim();
  if (comment === undefined) return <p key={index}>{raw}</p>;
  if (comment === '') return null;
  return (
    <p key={index} class="soft">
      [{comment}]
    </p>
  );
}

const headingLevels = ['h3', 'h4', 'h5', 'h6'] as const;

/** Renders a heading. Headings start at h3, because the page already has an h1. */
function renderHeading({ depth, tokens }: Tokens.Heading, index: number): VNode {
  const Level = headingLevels[depth - 1] ?? 'h6';
  return <Level key={index}>{renderInlines(tokens)}</Level>;
}

function renderList({ ordered, start, items }: Tokens.List, index: number): VNode {
  const content = items.map((item, position) => (
    <li key={position}>{renderBlocks(item.tokens)}</li>
  ));
  return ordered ? (
    <ol key={index} start={typeof start === 'number' ? start : 1}>
      {content}
    </ol>
  ) : (
    <ul key={index}>{content}</ul>
  );
}

function renderCheckbox({ checked }: Tokens.Checkbox, index: number): VNode {
  return <span key={index}>{checked ? '☑ ' : '☐ '}</span>;
}

function renderTable({ header, rows }: Tokens.Table, index: number): VNode {
  return (
    <section key={index} class="table-frame" tabIndex={0} aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={column} scope="col" style={{ textAlign: cell.align ?? undefined }}>
                {renderInlines(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, column) => (
                <td key={column} style={{ textAlign: cell.align ?? undefined }}>
                  {renderInlines(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function renderInlines(tokens: Token[]): ComponentChildren {
  return tokens.map((token, index) =>
    isMarkedToken(token) ? renderInline(token, index) : token.raw,
  );
}

function renderInline(token: MarkedToken, index: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={index}>{renderInlines(token.tokens)}</strong>;
    case 'em':
      return <em key={index}>{renderInlines(token.tokens)}</em>;
    case 'del':
      return <del key={index}>{renderInlines(token.tokens)}</del>;
    case 'codespan':
      return <code key={index}>{token.text}</code>;
    case 'br':
      return <br key={index} />;
    case 'checkbox':
      return renderCheckbox(token, index);
    case 'link':
      return renderLink(token, index);
    case 'image':
      return (
        <span key={index} class="soft">
          [Image: {decodeReferences(token.text || token.href)}]
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

/** Renders a link with its target in parentheses. Only web and mail links are clickable. */
function renderLink({ href, tokens }: Tokens.Link, index: number): VNode {
  const target = decodeReferences(href);
  const url = allowedUrl(target);
  return (
    <span key={index}>
      {url ? (
        <a href={url} target="_blank" rel="noopener noreferrer nofollow">
          {renderInlines(tokens)}
        </a>
      ) : (
        renderInlines(tokens)
      )}{' '}
      <span class="soft preview-target">({target})</span>
    </span>
  );
}

/** Returns the URL of a link if its protocol is allowed, otherwise null. */
function allowedUrl(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}
