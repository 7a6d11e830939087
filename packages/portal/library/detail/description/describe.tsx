import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, requestFor, send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { faultAt, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { MetadataEditor } from '../../../kit/fields/metadata-editor.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { Conflict } from './conflict.tsx';
import {
  changedFields,
  type Described,
  type DescriptionDraft,
  descriptionDraftOf,
  descriptionPatch,
} from './draft.ts';

type AnyRecord = ImageRecord | ObjectRecord;

/** Edits the description. A conflicting change is never overwritten without asking. */
export function Describe(props: {
  of: Described;
  suggestions: readonly string[];
  onSaved: (of: Described) => void;
}) {
  const { of, onSaved } = props;
  const [base, setBase] = useState(of);
  const [draft, setDraft] = useState(() => descriptionDraftOf(of));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [theirs, setTheirs] = useState<Described | null>(null);
  const before = descriptionDraftOf(base);
  const changed = changedFields(base, before, draft);
  useEffect(() => {
    // The record was reloaded, but typed text is kept.
    if (of.record.version === base.record.version || changed.length > 0) return;
    setBase(of);
    setDraft(descriptionDraftOf(of));
  }, [of.record.version]);
  const set = (change: Partial<DescriptionDraft>): void =>
    setDraft((now) => ({ ...now, ...change }));

  const save = async (over: Described): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await send(requestOf(over, draft, changed));
      const saved = describedOf(over, data);
      setBase(saved);
      setDraft(descriptionDraftOf(saved));
      setTheirs(null);
      onSaved(saved);
      toast('good', 'Changes saved.');
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 412) setProblem(problem);
      else {
        const now = await send<AnyRecord>(
          of.kind === 'image'
            ? requestFor('getImage', { id: of.record.id })
            : requestFor('getObject', { id: of.record.id }),
        );
        setTheirs(describedOf(over, now.data));
      }
    } finally {
      setBusy(false);
    }
  };
  const start = (): void => {
    save(base).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.length > 0) start();
      }}
    >
      <DraftFields
        kind={base.kind}
        problem={problem}
        suggestions={props.suggestions}
        draft={draft}
        set={set}
      />
      <ProblemNotice problem={problem} />
      <div class="row">
        <Button primary type="submit" busy={busy} disabled={changed.length === 0}>
          Save
        </Button>
        {changed.length > 0 && <Button onClick={() => setDraft(before)}>Discard changes</Button>}
        <ApiCalls calls={[['Save changes', requestOf(base, draft, changed)]]} />
      </div>
      {theirs && (
        <Conflict
          base={base}
          mine={draft}
          theirs={theirs}
          busy={busy}
          onKeepMine={() => void save(theirs).catch((error) => setProblem(asProblem(error)))}
          onTakeTheirs={() => {
            setBase(theirs);
            setDraft(descriptionDraftOf(theirs));
            setTheirs(null);
            onSaved(theirs);
          }}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  );
}

/** The fields of the draft. */
function DraftFields(props: {
  kind: Described['kind'];
  draft: DescriptionDraft;
  problem: ApiProblem | undefined;
  suggestions: readonly string[];
  set: (change: Partial<DescriptionDraft>) => void;
}) {
  const { kind, draft, problem, suggestions, set } = props;
  return (
    <>
      {kind === 'image' ? (
        <>
          <TextField
            label="Title"
            value={draft.title}
            onInput={(title) => set({ title })}
            fault={faultAt(problem, '/title')}
          />
          <TextField
            label="Description"
            rows={3}
            value={draft.description}
            onInput={(description) => set({ description })}
            fault={faultAt(problem, '/description')}
          />
          <TextField
            label="Alternative text"
            hint="Describes the image for people who cannot see it."
            rows={2}
            value={draft.alt_text}
            onInput={(text) => set({ alt_text: text })}
            fault={faultAt(problem, '/alt_text')}
          />
          <SelectField
            label="Rating"
            value={draft.rating}
            onChange={(rating) => set({ rating })}
            options={[['', 'None'], ...[1, 2, 3, 4, 5].map((n) => [`${n}`, `${n} of 5`] as const)]}
          />
        </>
      ) : (
        <TextField
          label="File name"
          required
          value={draft.filename}
          onInput={(filename) => set({ filename })}
          fault={faultAt(problem, '/filename')}
        />
      )}
      <TagsField
        label="Tags"
        hint="Press Enter or type a comma to add a tag."
        tags={draft.tags}
        suggestions={suggestions}
        onChange={(tags) => set({ tags })}
      />
      <MetadataEditor rows={draft.metadata} onChange={(metadata) => set({ metadata })} />
    </>
  );
}

function requestOf(
  of: Described,
  draft: DescriptionDraft,
  fields: readonly (keyof DescriptionDraft)[],
): ApiRequest<AnyRecord> {
  const { id, version } = of.record;
  const patch = descriptionPatch(of, draft, fields);
  return of.kind === 'image'
    ? requestFor('updateImage', { id, version, body: patch })
    : requestFor('updateObject', { id, version, body: patch });
}

function describedOf({ kind }: Described, record: AnyRecord): Described {
  if (kind === 'image' && 'object_id' in record) return { kind, record };
  if (kind === 'object' && !('object_id' in record)) return { kind, record };
  throw new Error('The response describes another type of resource.');
}
