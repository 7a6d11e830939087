import { useEffect, useState } from 'preact/hooks';
import type { ImageRecord } from '../../../contracts/wire/images.ts';
import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import { asProblem } from '../../api/hooks.ts';
import { type ApiProblem, type ApiRequest, send } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { faultAt, SelectField, TextField } from '../../kit/field.tsx';
import { MetadataEditor } from '../../kit/metadata-editor.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { TagsField } from '../../kit/tags-field.tsx';
import { toast } from '../../kit/toasts.tsx';
import { getObject, patchObject } from '../browse/requests.ts';
import { Conflict } from './conflict.tsx';
import { changedFields, type Described, type Draft, draftOf, patchOf } from './draft.ts';
import { getImage, patchImage } from './requests.ts';

type AnyRecord = ImageRecord | ObjectRecord;

/** What people say about it, to be changed; never over what somebody else changed meanwhile. */
export function Describe(props: {
  of: Described;
  suggestions: readonly string[];
  onSaved: (of: Described) => void;
}) {
  const { of, onSaved } = props;
  const [base, setBase] = useState(of);
  const [draft, setDraft] = useState(() => draftOf(of));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | undefined>();
  const [theirs, setTheirs] = useState<Described | null>(null);
  const before = draftOf(base);
  const changed = changedFields(base, before, draft);
  useEffect(() => {
    // What is shown was asked for again; what is being typed stays.
    if (of.record.version === base.record.version || changed.length > 0) return;
    setBase(of);
    setDraft(draftOf(of));
  }, [of.record.version]);
  const set = (change: Partial<Draft>): void => setDraft((now) => ({ ...now, ...change }));

  const save = async (over: Described): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await send(requestOf(over, draft, changed));
      const saved = describedOf(over, data);
      setBase(saved);
      setDraft(draftOf(saved));
      setTheirs(null);
      onSaved(saved);
      toast('good', 'Saved.');
    } catch (error) {
      const refused = asProblem(error);
      if (refused.status !== 412) setProblem(refused);
      else {
        const now = await send<AnyRecord>(
          of.kind === 'image' ? getImage(of.record.id) : getObject(of.record.id),
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
      {base.kind === 'image' ? (
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
            hint="What the picture shows, for those who cannot see it."
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
        hint="Enter or a comma ends a tag."
        tags={draft.tags}
        suggestions={props.suggestions}
        onChange={(tags) => set({ tags })}
      />
      <MetadataEditor rows={draft.metadata} onChange={(metadata) => set({ metadata })} />
      <ProblemNotice problem={problem} />
      <div class="row">
        <Button primary type="submit" busy={busy} disabled={changed.length === 0}>
          Save
        </Button>
        {changed.length > 0 && <Button onClick={() => setDraft(before)}>Undo the changes</Button>}
        <ApiCalls calls={[['Save what is changed', requestOf(base, draft, changed)]]} />
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
            setDraft(draftOf(theirs));
            setTheirs(null);
            onSaved(theirs);
          }}
          onClose={() => setTheirs(null)}
        />
      )}
    </form>
  );
}

function requestOf(
  of: Described,
  draft: Draft,
  fields: readonly (keyof Draft)[],
): ApiRequest<AnyRecord> {
  const { id, version } = of.record;
  const patch = patchOf(of, draft, fields);
  return of.kind === 'image' ? patchImage(id, version, patch) : patchObject(id, version, patch);
}

function describedOf({ kind }: Described, record: AnyRecord): Described {
  if (kind === 'image' && 'object_id' in record) return { kind, record };
  if (kind === 'object' && !('object_id' in record)) return { kind, record };
  throw new Error('The answer is about another kind of resource.');
}
