import type { ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, requestFor, send } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { useDraft } from '../../../kit/drafts/use-draft.ts';
import { faultAt, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { MetadataEditor } from '../../../kit/fields/metadata-editor.tsx';
import { TagsField } from '../../../kit/fields/tags-field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { ConflictDialog } from './conflict.tsx';
import {
  changedFields,
  type DescriptionDraft,
  descriptionDraftOf,
  descriptionPatch,
  type EditableResource,
} from './draft.ts';

type AnyRecord = ImageRecord | ObjectRecord;

interface EditedDescription {
  /** The record that the draft changes. */
  base: EditableResource;
  draft: DescriptionDraft;
}

const startFrom = (resource: EditableResource): EditedDescription => ({
  base: resource,
  draft: descriptionDraftOf(resource),
});

/** Edits the description. Conflicting changes are never overwritten without asking. */
export function DescriptionForm(props: {
  resource: EditableResource;
  suggestions: readonly string[];
  onSaved: (resource: EditableResource) => void;
}) {
  const { resource, onSaved } = props;
  const { id, version } = resource.record;
  // A draft contains the record that it changes, so that changes by others are noticed.
  const edited = useDraft<EditedDescription>(`description ${id}`, startFrom(resource), {
    isValid: ({ base }) => base.kind === resource.kind && base.record.id === id,
  });
  const { base, draft } = edited.value;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [theirs, setTheirs] = useState<EditableResource | null>(null);
  const baseDraft = descriptionDraftOf(base);
  const dirtyFields = changedFields(base, baseDraft, draft);
  useEffect(() => {
    // When the record is reloaded, text that was typed is kept.
    if (version !== base.record.version && dirtyFields.length === 0)
      edited.reset(startFrom(resource));
  }, [version]);
  const updateDraft = (change: Partial<DescriptionDraft>): void =>
    edited.change((now) => ({ ...now, draft: { ...now.draft, ...change } }));

  const save = async (current: EditableResource): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await send(requestOf(current, draft, dirtyFields));
      const saved = resourceOf(current, data);
      edited.reset(startFrom(saved));
      setTheirs(null);
      onSaved(saved);
      toast('good', 'Changes saved.');
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 412) setProblem(problem);
      else {
        const latest = await send<AnyRecord>(
          resource.kind === 'image'
            ? requestFor('getImage', { id: resource.record.id })
            : requestFor('getObject', { id: resource.record.id }),
        );
        setTheirs(resourceOf(current, latest.data));
      }
    } finally {
      setBusy(false);
    }
  };
  const submit = (): void => {
    save(base).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirtyFields.length > 0) submit();
      }}
    >
      {edited.isRestored && dirtyFields.length > 0 && (
        <p class="notice" role="status">
          Your unsaved changes were restored.
        </p>
      )}
      <DraftFields
        kind={base.kind}
        problem={problem}
        suggestions={props.suggestions}
        draft={draft}
        updateDraft={updateDraft}
      />
      <ProblemNotice problem={problem} />
      <div class="row">
        <Button primary type="submit" busy={busy} disabled={dirtyFields.length === 0}>
          Save
        </Button>
        {dirtyFields.length > 0 && (
          <Button onClick={() => edited.reset(startFrom(resource))}>Discard changes</Button>
        )}
        <ApiCalls calls={[['Save changes', requestOf(base, draft, dirtyFields)]]} />
      </div>
      {theirs && (
        <ConflictDialog
          base={base}
          mine={draft}
          theirs={theirs}
          busy={busy}
          onKeepMine={() => void save(theirs).catch((error) => setProblem(asProblem(error)))}
          onTakeTheirs={() => {
            edited.reset(startFrom(theirs));
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
  kind: EditableResource['kind'];
  draft: DescriptionDraft;
  problem: ApiProblem | undefined;
  suggestions: readonly string[];
  updateDraft: (change: Partial<DescriptionDraft>) => void;
}) {
  const { kind, draft, problem, suggestions, updateDraft } = props;
  return (
    <>
      {kind === 'image' ? (
        <>
          <TextField
            label="Title"
            value={draft.title}
            onInput={(title) => updateDraft({ title })}
            fault={faultAt(problem, '/title')}
          />
          <TextField
            label="Description"
            rows={3}
            value={draft.description}
            onInput={(description) => updateDraft({ description })}
            fault={faultAt(problem, '/description')}
          />
          <TextField
            label="Alternative text"
            hint="Describes the image for people who cannot see it."
            rows={2}
            value={draft.alt_text}
            onInput={(text) => updateDraft({ alt_text: text })}
            fault={faultAt(problem, '/alt_text')}
          />
          <SelectField
            label="Rating"
            value={draft.rating}
            onChange={(rating) => updateDraft({ rating })}
            options={[['', 'None'], ...[1, 2, 3, 4, 5].map((n) => [`${n}`, `${n} of 5`] as const)]}
          />
        </>
      ) : (
        <TextField
          label="File name"
          required
          value={draft.filename}
          onInput={(filename) => updateDraft({ filename })}
          fault={faultAt(problem, '/filename')}
        />
      )}
      <TagsField
        label="Tags"
        hint="Press Enter or type a comma to add a tag."
        tags={draft.tags}
        suggestions={suggestions}
        onChange={(tags) => updateDraft({ tags })}
      />
      <MetadataEditor rows={draft.metadata} onChange={(metadata) => updateDraft({ metadata })} />
    </>
  );
}

function requestOf(
  resource: EditableResource,
  draft: DescriptionDraft,
  fields: readonly (keyof DescriptionDraft)[],
): ApiRequest<AnyRecord> {
  const { id, version } = resource.record;
  const patch = descriptionPatch(resource, draft, fields);
  return resource.kind === 'image'
    ? requestFor('updateImage', { id, version, body: patch })
    : requestFor('updateObject', { id, version, body: patch });
}

function resourceOf({ kind }: EditableResource, record: AnyRecord): EditableResource {
  if (kind === 'image' && 'object_id' in record) return { kind, record };
  if (kind === 'object' && !('object_id' in record)) return { kind, record };
  throw new Error('The response describes another type of resource.');
}
