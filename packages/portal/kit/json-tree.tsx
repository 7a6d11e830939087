import { pathOfResource, ResourceLink } from './resource-link.tsx';
import './json-tree.css';

interface ValueProps {
  value: unknown;
  /** Whether identifiers are links. False for examples, whose resources do not exist. */
  showLinks: boolean;
}

/** A JSON value as a collapsible tree; known identifiers are links, unless it is an `example`. */
export function JsonTree({ value, example = false }: { value: unknown; example?: boolean }) {
  return (
    <div class="json-tree">
      <JsonNode value={value} depth={0} showLinks={!example} />
    </div>
  );
}

function JsonNode({
  value,
  depth,
  name,
  showLinks,
}: ValueProps & { depth: number; name?: string }) {
  const key = name === undefined ? null : <span class="json-key">{escapeInvisible(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {key}
        <Scalar value={value} showLinks={showLinks} />
      </>
    );
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [opening, closing] = isList ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <>
        {key}
        {opening}
        {closing}
      </>
    );
  }
  const parts = (
    <ul>
      {entries.map(([part, inner]) => (
        <li key={part}>
          <JsonNode
            value={inner}
            depth={depth + 1}
            showLinks={showLinks}
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
          {opening} {entries.length} {closing}
        </span>
      </summary>
      {parts}
    </details>
  );
}

function Scalar({ value, showLinks }: ValueProps) {
  if (typeof value !== 'string') return <span class="json-literal">{String(value)}</span>;
  if (showLinks && pathOfResource(value)) {
    return (
      <ResourceLink id={value}>
        <span class="mono">{value}</span>
      </ResourceLink>
    );
  }
  return <span class="json-string">{escapeInvisible(JSON.stringify(value))}</span>;
}

/** Escapes characters that are invisible or change the reading direction. */
export function escapeInvisible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it matches
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
