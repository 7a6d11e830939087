import {
  type ProfileName,
  profileNames,
  profiles,
} from '@scriptorium/contracts/documents/profiles';
import { type PackContent, packContents } from '@scriptorium/contracts/packs';
import { CheckField, SelectField, TextField } from '../../kit/fields/field.tsx';
import type { PackDraft } from './draft.ts';

const contentTitles: Record<PackContent, string> = {
  markdown: 'A Markdown file per document',
  chunks: 'Chunks for an index, with the data for citing them',
  blocks: 'The blocks of each document as JSON, with page and box',
  pages: 'A picture of each page',
};

/** The options of a pack. `faultOf` returns the API's error about an option, by its pointer. */
export function OptionFields(props: {
  draft: PackDraft;
  onChange: (changes: Partial<PackDraft>) => void;
  faultOf: (pointer: string) => string | undefined;
}) {
  const { draft, onChange, faultOf } = props;
  const { include } = draft;
  const fault = faultOf('/options/include');
  const profile = profileNames.find((name) => name === draft.redact);
  return (
    <section class="card stack" aria-labelledby="packs-options">
      <h2 id="packs-options">Options</h2>
      <div class="packs-fields">
        <SelectField
          label="Redaction"
          hint={profile ? profiles[profile].summary : 'The text is packed without redaction.'}
          fault={faultOf('/options/redact')}
          value={draft.redact}
          onChange={(redact) => onChange({ redact })}
          options={[
            ['', 'None'],
            ...profileNames.map((name: ProfileName) => [name, profiles[name].title] as const),
          ]}
        />
        {profile && (
          <CheckField
            label="Reviewed by people"
            hint="A person reviews the findings in each document before it is added to the pack."
            checked={draft.requireReview}
            onChange={(review) => onChange({ requireReview: review })}
          />
        )}
      </div>
      <fieldset class="field-group packs-contents">
        <legend>Contents</legend>
        {packContents.map((content) => (
          <CheckField
            key={content}
            label={contentTitles[content]}
            checked={include.includes(content)}
            onChange={(on) =>
              onChange({
                include: packContents.filter((one) =>
                  one === content ? on : include.includes(one),
                ),
              })
            }
          />
        ))}
        {fault && <span class="fault">{fault}</span>}
      </fieldset>
      <div class="packs-fields">
        <TextField
          label="Tokens per chunk"
          type="number"
          hint="Default: 800."
          value={draft.chunkTokens}
          fault={faultOf('/options/chunk_tokens')}
          onInput={(chunkTokens) => onChange({ chunkTokens })}
        />
        <TextField
          label="Tokens of overlap"
          type="number"
          hint="Repeated from the previous chunk. Default: 80."
          value={draft.overlapTokens}
          fault={faultOf('/options/overlap_tokens')}
          onInput={(overlapTokens) => onChange({ overlapTokens })}
        />
      </div>
      <CheckField
        label="Fail if a document fails or is withheld"
        hint="Otherwise it is left out, and the manifest states the reason."
        checked={draft.abortOnError}
        onChange={(abort) => onChange({ abortOnError: abort })}
      />
    </section>
  );
}
