import type { JobBatchResults } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { PresetRecord } from '@scriptorium/contracts/wire/presets';
import type { Capabilities } from '@scriptorium/contracts/wire/service';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type LoadedList, type Page, useAction, useAnswer, useList } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { type ApiProblem, requestFor } from '../../api/request.ts';
import { ApiForm } from '../../kit/api-form.tsx';
import { Button } from '../../kit/button.tsx';
import { faultAt, TextField } from '../../kit/fields/field.tsx';
import { type MetadataRow, metadataPatch } from '../../kit/fields/metadata.ts';
import { MetadataEditor } from '../../kit/fields/metadata-editor.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { watchStored } from '../../library/uploads/inbox.ts';
import { DropTarget } from '../../library/uploads/index.tsx';
import { follow } from '../../notices/followed.ts';
import { useSession } from '../../shell/session.tsx';
import { isPaged, type JobDraft, type JobWork, operationsOf, pagesFault } from './draft.ts';
import { Operations } from './operations.tsx';
import { BatchOutcome, StartProblem } from './outcome.tsx';
import { type Choice, draftOf, hasSecrets, Presets } from './presets.tsx';
import { NoSource, SourcePicker, SourceRow } from './source.tsx';
import '../jobs.css';

/** Starts a job on one object, or a batch of jobs on several. */
export function StartJob() {
  const { data, problem, reload } = useAnswer(requestFor('getCapabilities'));
  const { can } = useSession();
  // Loaded before the form is shown, because they would move it.
  const presets = useList(can('documents:read') ? requestFor('listPresets', { limit: 100 }) : null);
  const [search] = useQueryState();
  const asked = search.getAll('op');
  return (
    <>
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !can('documents:write') ? (
        <>
          <h1>Start job</h1>
          <p>
            Starting jobs requires the scope <code>documents:write</code>. Ask your administrator
            for an API key that has it, then log in with that key.
          </p>
        </>
      ) : data && (presets.first || !presets.loading) ? (
        <DropTarget>
          <Form key={asked.join()} capabilities={data} presets={presets} asked={asked} />
        </DropTarget>
      ) : (
        <Loading what="operations" />
      )}
    </>
  );
}

function Form(props: {
  capabilities: Capabilities;
  presets: LoadedList<PresetRecord, Page<PresetRecord>>;
  /** The operations selected initially. */
  asked: readonly string[];
}) {
  const { capabilities, presets, asked } = props;
  const [search, set] = useQueryState();
  const [, navigate] = useLocation();
  const ids = [...new Set(search.getAll('object'))];
  const [known, setKnown] = useState<Record<string, ObjectRecord>>({});
  const [draft, setDraft] = useState<JobDraft>(() =>
    Object.fromEntries(asked.map((op) => [op, {}])),
  );
  const [sealed, setSealed] = useState<Choice | null>(null);
  const [pages, setPages] = useState('');
  const [rows, setRows] = useState<readonly MetadataRow[]>([]);
  const [outcome, setOutcome] = useState<JobBatchResults | undefined>();
  const { run, busy, problem } = useAction({ quiet: true });
  const latest = useRef({ ids, set });
  latest.current = { ids, set };
  const add = (id: string): void => {
    const { ids: before } = latest.current;
    if (before.includes(id)) return;
    // Two files can be stored before the next render.
    latest.current.ids = [...before, id];
    latest.current.set({ object: latest.current.ids });
  };
  // Dropped files are uploaded, then selected.
  useEffect(() => watchStored(({ objectId }) => objectId && add(objectId)), []);

  const objects = ids.flatMap((id) => known[id] ?? []);
  const mimes = [...new Set(objects.map(({ mime }) => mime))];
  const operations = operationsOf(draft, capabilities);
  const isBatch = ids.length > 1;
  const hasPages = mimes.length > 0 && mimes.every((mime) => isPaged(mime));
  const total = objects.length === 1 ? (objects[0]?.pages ?? null) : null;
  const wrongPages = pagesFault(pages, total);
  const work: JobWork = sealed?.id ? { preset_id: sealed.id } : { operations };
  const { one, many } = requestsOf(ids, work, hasPages ? pages : '', rows);
  const missing =
    ids.length === 0
      ? 'Select an object.'
      : operations.length === 0 && !sealed
        ? 'Select an operation.'
        : undefined;

  const submit = async (): Promise<void> => {
    if (missing || wrongPages) return;
    setOutcome(undefined);
    if (isBatch) {
      const answer = await run(many);
      if (!answer) return;
      setOutcome(answer.data);
      follow(...answer.data.results.flatMap(({ job }) => job?.id ?? []));
      return;
    }
    const answer = await run(one);
    if (!answer) return;
    follow(answer.data.id);
    toast('good', 'Job started.');
    navigate(`/${answer.data.id}`);
  };
  return (
    <ApiForm onSubmit={submit}>
      <PageHead
        title={isBatch ? `Start ${ids.length} jobs` : 'Start job'}
        crumbs={[['Jobs', '/']]}
        calls={[
          isBatch ? ['Start jobs', many] : ['Start job', one],
          ['Get capabilities', requestFor('getCapabilities')],
        ]}
      />
      <Sources
        ids={ids}
        problem={problem}
        onKnown={(object) => setKnown((now) => ({ ...now, [object.id]: object }))}
        onChange={(object) => set({ object })}
      />
      <Presets
        own={presets}
        capabilities={capabilities}
        mimes={mimes}
        operations={operations}
        sealed={sealed}
        onChoose={(choice) => {
          setSealed(hasSecrets(choice) ? choice : null);
          setDraft(hasSecrets(choice) ? {} : draftOf(choice));
        }}
      />
      {sealed ? (
        <SealedPreset preset={sealed} onLeave={() => setSealed(null)} />
      ) : (
        <Operations
          capabilities={capabilities}
          mimes={mimes}
          draft={draft}
          onChange={setDraft}
          operations={operations}
          problem={problem}
        />
      )}
      {!isBatch && (hasPages || (ids.length > 0 && objects.length === 0)) && (
        <PagesField
          value={pages}
          total={total}
          fault={wrongPages ?? faultAt(problem, '/pages')}
          onChange={setPages}
        />
      )}
      <section class="card stack" aria-label="Metadata">
        <MetadataEditor rows={rows} onChange={setRows} />
        {faultAt(problem, '/metadata') && (
          <span class="fault">{faultAt(problem, '/metadata')}</span>
        )}
      </section>
      <StartProblem problem={problem} />
      {outcome && <BatchOutcome outcome={outcome} names={known} />}
      <div class="row">
        <Button type="submit" primary busy={busy} disabled={missing !== undefined}>
          {isBatch ? `Start ${ids.length} jobs` : 'Start job'}
        </Button>
        {missing && <span class="soft">{missing}</span>}
      </div>
    </ApiForm>
  );
}

/** A preset that runs as saved, because this session cannot read its patterns or allowed values. */
function SealedPreset({ preset, onLeave }: { preset: Choice; onLeave: () => void }) {
  return (
    <section class="card stack" aria-labelledby="jobs-sealed">
      <h2 id="jobs-sealed">
        <bdi>{preset.name}</bdi>
      </h2>
      <p>
        The preset has patterns or allowed values that can only be read with the scope{' '}
        <code>pii:read</code>. It runs as saved.
      </p>
      <div class="row">
        <Button onClick={onLeave}>Select operations instead</Button>
      </div>
    </section>
  );
}

/** The pages to process. `total` is the number of pages; null if unknown. */
function PagesField(props: {
  value: string;
  total: number | null;
  fault: string | undefined;
  onChange: (pages: string) => void;
}) {
  const { value, total, fault, onChange } = props;
  return (
    <section class="card">
      <TextField
        label="Pages"
        value={value}
        placeholder="All"
        hint={`For example 1-3,7. Leave empty for all pages${total === null ? '' : ` (${total})`}.`}
        fault={fault}
        onInput={(text) => onChange(text.replaceAll(' ', ''))}
      />
    </section>
  );
}

/** The requests of the form: one job, or a batch of jobs. */
function requestsOf(ids: string[], work: JobWork, pages: string, rows: readonly MetadataRow[]) {
  const metadata = metadataPatch({}, rows);
  const one = requestFor('createJob', {
    body: {
      source_object_id: ids[0] ?? 'obj_…',
      ...work,
      ...(pages ? { pages } : {}),
      ...(metadata ? { metadata } : {}),
    },
  });
  const many = requestFor('createJobs', {
    body: {
      source_object_ids: ids,
      ...work,
      on_error: 'continue',
      ...(metadata ? { metadata } : {}),
    },
  });
  return { one, many };
}

/** The selected objects, and a search for more. */
function Sources(props: {
  ids: readonly string[];
  problem: ApiProblem | undefined;
  onKnown: (object: ObjectRecord) => void;
  onChange: (ids: string[]) => void;
}) {
  const { ids, problem, onKnown, onChange } = props;
  const [isPicking, setPicking] = useState(ids.length === 0);
  const fault = faultAt(problem, '/source_object_id') ?? faultAt(problem, '/source_object_ids');
  return (
    <section class="card stack" aria-labelledby="jobs-start-source">
      <h2 id="jobs-start-source">{ids.length > 1 ? 'Sources' : 'Source'}</h2>
      <ul class="jobs-sources">
        {ids.map((id) => (
          <SourceRow
            key={id}
            id={id}
            onKnown={onKnown}
            onRemove={() => {
              setPicking(ids.length === 1);
              onChange(ids.filter((other) => other !== id));
            }}
          />
        ))}
        {ids.length === 0 && <NoSource />}
      </ul>
      {/* Dropped files are selected once they are stored; the list and the page stay as they are. */}
      <details open={isPicking} onToggle={(event) => setPicking(event.currentTarget.open)}>
        <summary>{ids.length === 0 ? 'Select an object' : 'Add another object'}</summary>
        <SourcePicker
          chosen={ids}
          onPick={(id) => {
            setPicking(false);
            onChange([...ids, id]);
          }}
        />
      </details>
      {fault && <span class="fault">{fault}</span>}
    </section>
  );
}
