import { placeOf, ResourceLink } from './resource-link.tsx';
import './json-tree.css';

/** JSON to read: what has parts folds, identifiers lead to what they name. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div class="json-tree">
      <Value value={value} depth={0} />
    </div>
  );
}

function Value({ value, depth, name }: { value: unknown; depth: number; name?: string }) {
  const key = name === undefined ? null : <span class="json-key">{visible(name)}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {key}
        <Plain value={value} />
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
          <Value value={inner} depth={depth + 1} {...(isList ? {} : { name: part })} />
        </li>
      ))}
    </ul>
  );
  // The whole is not to be folded away.
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

function Plain({ value }: { value: unknown }) {
  if (typeof value !== 'string') return <span class="json-other">{String(value)}</span>;
  if (placeOf(value)) return <ResourceLink id={value} />;
  return <span class="json-string">{visible(JSON.stringify(value))}</span>;
}

/** Text with what would be invisible, or turn the reading direction round, as escapes. */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
