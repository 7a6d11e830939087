import { Button } from '../../../kit/button.tsx';

/** A metadata entry as typed. */
export interface MetadataPair {
  name: string;
  value: string;
}

/** Returns the entries that have a name. If several have the same name, the last one applies. */
export function metadataFrom(pairs: readonly MetadataPair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(({ name, value }) => (name.trim() ? [[name.trim(), value] as const] : [])),
  );
}

export function MetadataFields({
  pairs,
  onChange,
}: {
  pairs: readonly MetadataPair[];
  onChange: (pairs: readonly MetadataPair[]) => void;
}) {
  const update = (at: number, changes: Partial<MetadataPair>): void =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...changes } : pair)));
  return (
    <fieldset class="batch-metadata">
      <legend>Metadata</legend>
      {pairs.map(({ name, value }, at) => (
        <div key={at} class="batch-pair">
          <input
            class="input"
            aria-label={`Name ${at + 1}`}
            placeholder="Name"
            maxLength={100}
            value={name}
            onInput={(event) => update(at, { name: event.currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Value ${at + 1}`}
            placeholder="Value"
            value={value}
            onInput={(event) => update(at, { value: event.currentTarget.value })}
          />
          <Button
            small
            quiet
            label={`Remove ${name || 'this entry'}`}
            onClick={() => onChange(pairs.filter((_, index) => index !== at))}
          >
            ×
          </Button>
        </div>
      ))}
      <Button small onClick={() => onChange([...pairs, { name: '', value: '' }])}>
        Add entry
      </Button>
    </fieldset>
  );
}
