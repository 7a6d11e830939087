import { Button } from '../button.tsx';
import type { MetadataRow } from './metadata.ts';
import './metadata-editor.css';

/** Edits metadata as rows of names and values. */
export function MetadataEditor(props: {
  rows: readonly MetadataRow[];
  onChange: (rows: MetadataRow[]) => void;
}) {
  const { rows, onChange } = props;
  const updateRow = (at: number, change: Partial<MetadataRow>): void =>
    onChange(rows.map((row, other) => (other === at ? { ...row, ...change } : row)));
  return (
    <fieldset class="field-group metadata-editor">
      <legend>Metadata</legend>
      <p class="soft">Values can be text or JSON: 12 is a number, "12" is a string.</p>
      {rows.map((row, at) => (
        <div key={at} class="metadata-row">
          <input
            class="input"
            aria-label={`Name of entry ${at + 1}`}
            placeholder="Name"
            maxLength={100}
            value={row.name}
            onInput={(event) => updateRow(at, { name: event.currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Value of ${row.name || `entry ${at + 1}`}`}
            placeholder="Value"
            value={row.text}
            onInput={(event) => updateRow(at, { text: event.currentTarget.value })}
          />
          <Button
            quiet
            small
            label={`Remove ${row.name || `entry ${at + 1}`}`}
            onClick={() => onChange(rows.filter((_, other) => other !== at))}
          >
            ×
          </Button>
        </div>
      ))}
      <div>
        <Button small onClick={() => onChange([...rows, { name: '', text: '' }])}>
          Add entry
        </Button>
      </div>
    </fieldset>
  );
}
