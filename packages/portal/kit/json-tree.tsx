import { placeOf, ResourceLink } from './resource-link.tsx';
import './json-tree.css';

interface ValueProps {
  value: unknown;
  /** Identifiers are links. Not in examples, whose resources do not exist. */
  links: boolean;
}

/** A JSON value as a collapsible tree; known identifiers are links, unless it is an `example`. */
export function JsonTree({ value, example = false }: { value: unknown; example?: boolean }) {
  return (
    <div class="json-tree">
      <Value value={value} depth={0} links={!example} />
    </div>
  );
}

function Value({ value, depth, name, links }: ValueProps & { depth: number; name?: string }) {
  const key = name === undefined ? null : <span class="json-key">{visible(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {key}
        <Plain value={value} links={links} />
      </>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [open, shut] = isList ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <>
        {key}
        {open}
        {shut}
      </>
    );
  }
  const parts = (
    <ul>
      {entries.map(([part, inner]) => (
        <li key={part}>
          <Value
            value={inner}
            depth={depth + 1}
            links={links}
            {...(isList ? {} : { name: part })}
          />
        </li>
      ))}
    </ul>
  );
  // The root cannot be collapsed.
  if (depth === 0) return parts;
  return (
    <details open={depth < 3 && entries.length <= 30}>
      <summary>
        {key}
        <span class="json-key">
          {open} {entries.length} {shut}
        </span>
      </summary>
      {parts}
    </details>
  );
}

function Plain({ value, links }: ValueProps) {
  if (typeof value !== 'string') return <span class="json-other">{String(value)}</span>;
  if (links && placeOf(value)) return <ResourceLink id={value} />;
  return <span class="json-string">{visible(JSON.stringify(value))}</span>;
}

/** Escapes characters that are invisible or change the reading direction. */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it matches
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
