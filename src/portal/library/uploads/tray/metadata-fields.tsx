import { Button } from '../../../kit/button.tsx';

/** A name and a value of metadata, as they are typed. */
export interface Pair {
  name: string;
  value: string;
}

/** What is given as metadata: pairs with a name. The last of the same name counts. */
export function metadataFrom(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(({ name, value }) => (name.trim() ? [[name.trim(), value] as const] : [])),
  );
}

export function MetadataFields({
  pairs,
  onChange,
}: {
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
}) {
  const set = (at: number, changes: Partial<Pair>): void =>
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
            onInput={(event) => set(at, { name: event.currentTarget.value })}
          />
          <input
            class="input"
            aria-label={`Value ${at + 1}`}
            placeholder="Value"
            value={value}
            onInput={(event) => set(at, { value: event.currentTarget.value })}
          />
          <Button
            small
            quiet
            label={`Remove ${name || 'this metadata'}`}
            onClick={() => onChange(pairs.filter((_, index) => index !== at))}
          >
            ×
          </Button>
        </div>
      ))}
      <Button small onClick={() => onChange([...pairs, { name: '', value: '' }])}>
        Add metadata
      </Button>
    </fieldset>
  );
}
