import type { JobBatchResults } from '@scriptorium/contracts/wire/jobs';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import type { PresetRecord } from '@scriptorium/contracts/wire/presets';
import type { Capabilities } from '@scriptorium/contracts/wire/service';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { type LoadedList, type Page, useAction, useList, useResource } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { type ApiProblem, requestFor } from '../../api/request.ts';
import { ApiForm } from '../../kit/api-form.tsx';
import { Button } from '../../kit/button.tsx';
import { DraftNotice } from '../../kit/drafts/draft-notice.tsx';
import { useDraft } from '../../kit/drafts/use-draft.ts';
import { faultAt, TextField } from '../../kit/fields/field.tsx';
import { type MetadataRow, metadataPatch } from '../../kit/fields/metadata.ts';
import { MetadataEditor } from '../../kit/fields/metadata-editor.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { DropTarget } from '../../library/uploads/index.tsx';
import { watchStored } from '../../library/uploads/upload-events.ts';
import { follow } from '../../notices/followed-ids.ts';
import { useSession } from '../../shell/session.tsx';
import { BatchOutcome, StartProblem } from './batch-outcome.tsx';
import { isPaged, type JobDraft, type JobWork, operationsOf, pagesFault } from './draft.ts';
import { Operations } from './operations.tsx';
import { draftOf, hasUnreadableOptions, type PresetChoice, Presets } from './presets.tsx';
import { NoSource, SourcePicker, SourceRow } from './source.tsx';
import '../jobs.css';

/** Starts a job on one object, or a batch of jobs on several. */
export function StartJob() {
  const { data, problem, reload } = useResource(requestFor('getCapabilities'));
  const { can } = useSession();
  // Loaded before the form is shown, so that the form does not move.
  const presets = useList(can('documents:read') ? requestFor('listPresets', { limit: 100 }) : null);
  const [search] = useQueryState();
  const initialOperations = search.getAll('op');
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
      ) : data && (presets.firstPage || !presets.loading) ? (
        <DropTarget>
          <StartJobForm
            key={initialOperations.join()}
            capabilities={data}
            presets={presets}
            initialOperations={initialOperations}
          />
        </DropTarget>
      ) : (
        <Loading what="operations" />
      )}
    </>
  );
}

/** The fields of the form, except for the objects, which are in the address. */
interface JobFields {
  draft: JobDraft;
  pages: string;
  rows: readonly MetadataRow[];
}

/** Options whose values may be personal data. The service stores them encrypted. */
const secretOptions = ['custom_patterns', 'allow_list'] as const;

const hasSecrets = ({ draft }: JobFields): boolean =>
  Object.values(draft).some((options) =>
    secretOptions.some((name) => {
      const value = (options as Readonly<Record<string, unknown>>)[name];
      return Array.isArray(value) && value.length > 0;
    }),
  );

function StartJobForm(props: {
  capabilities: Capabilities;
  presets: LoadedList<PresetRecord, Page<PresetRecord>>;
  /** The operations selected initially. */
  initialOperations: readonly string[];
}) {
  const { capabilities, presets, initialOperations } = props;
  const [search, setSearch] = useQueryState();
  const [, navigate] = useLocation();
  const ids = [...new Set(search.getAll('object'))];
  const [objectsById, setObjectsById] = useState<Record<string, ObjectRecord>>({});
  const initialFields: JobFields = {
    draft: Object.fromEntries(initialOperations.map((op) => [op, {}])),
    pages: '',
    rows: [],
  };
  const edited = useDraft(`job ${initialOperations.join()}`, initialFields, {
    // A draft that lost only its secrets would redact less.
    withoutSecrets: (fields) => (hasSecrets(fields) ? initialFields : fields),
  });
  const { draft, pages, rows } = edited.value;
  const [unreadablePreset, setUnreadablePreset] = useState<PresetChoice | null>(null);
  const [outcome, setOutcome] = useState<JobBatchResults | undefined>();
  const { run, busy, problem } = useAction({ quiet: true });
  const latestSelection = useRef({ ids, set: setSearch });
  latestSelection.current = { ids, set: setSearch };
  const add = (id: string): void => {
    const { ids: selectedIds } = latestSelection.current;
    if (selectedIds.includes(id)) return;
    // Two files can be stored before the next render.
    latestSelection.current.ids = [...selectedIds, id];
    latestSelection.current.set({ object: latestSelection.current.ids });
  };
  // Dropped files are uploaded, then selected.
  useEffect(() => watchStored(({ objectId }) => objectId && add(objectId)), []);

  const objects = ids.flatMap((id) => objectsById[id] ?? []);
  const mimes = [...new Set(objects.map(({ mime }) => mime))];
  const operations = operationsOf(draft, capabilities);
  const isBatch = ids.length > 1;
  const hasPages = mimes.length > 0 && mimes.every((mime) => isPaged(mime));
  const total = objects.length === 1 ? (objects[0]?.pages ?? null) : null;
  const pagesError = pagesFault(pages, total);
  const work: JobWork = unreadablePreset?.id ? { preset_id: unreadablePreset.id } : { operations };
  const { jobRequest, batchRequest } = requestsOf(ids, work, hasPages ? pages : '', rows);
  const missingMessage =
    ids.length === 0
      ? 'Select an object.'
      : operations.length === 0 && !unreadablePreset
        ? 'Select an operation.'
        : undefined;

  const submit = async (): Promise<void> => {
    if (missingMessage || pagesError) return;
    setOutcome(undefined);
    if (isBatch) {
      const response = await run(batchRequest);
      if (!response) return;
      edited.reset(edited.value);
      setOutcome(response.data);
      follow(...response.data.results.flatMap(({ job }) => job?.id ?? []));
      return;
    }
    const response = await run(jobRequest);
    if (!response) return;
    edited.reset(edited.value);
    follow(response.data.id);
    toast('good', 'Job started.');
    navigate(`/${response.data.id}`);
  };
  return (
    <ApiForm onSubmit={submit}>
      <PageHead
        title={isBatch ? `Start ${ids.length} jobs` : 'Start job'}
        crumbs={[['Jobs', '/']]}
        calls={[
          isBatch ? ['Start jobs', batchRequest] : ['Start job', jobRequest],
          ['Get capabilities', requestFor('getCapabilities')],
        ]}
      />
      <DraftNotice draft={edited} />
      <Sources
        ids={ids}
        problem={problem}
        onLoaded={(object) => setObjectsById((now) => ({ ...now, [object.id]: object }))}
        onChange={(object) => setSearch({ object })}
      />
      <Presets
        projectPresets={presets}
        capabilities={capabilities}
        mimes={mimes}
        operations={operations}
        unreadablePreset={unreadablePreset}
        onChoose={(choice) => {
          setUnreadablePreset(hasUnreadableOptions(choice) ? choice : null);
          edited.update({ draft: hasUnreadableOptions(choice) ? {} : draftOf(choice) });
        }}
      />
      {unreadablePreset ? (
        <UnreadablePreset preset={unreadablePreset} onLeave={() => setUnreadablePreset(null)} />
      ) : (
        <Operations
          capabilities={capabilities}
          mimes={mimes}
          draft={draft}
          onChange={(next) => edited.change((now) => ({ ...now, draft: next(now.draft) }))}
          operations={operations}
          problem={problem}
        />
      )}
      {!isBatch && (hasPages || (ids.length > 0 && objects.length === 0)) && (
        <PagesField
          value={pages}
          total={total}
          fault={pagesError ?? faultAt(problem, '/pages')}
          onChange={(pages) => edited.update({ pages })}
        />
      )}
      <section class="card stack" aria-label="Metadata">
        <MetadataEditor rows={rows} onChange={(rows) => edited.update({ rows })} />
        {faultAt(problem, '/metadata') && (
          <span class="fault">{faultAt(problem, '/metadata')}</span>
        )}
      </section>
      <StartProblem problem={problem} />
      {outcome && <BatchOutcome outcome={outcome} objectsById={objectsById} />}
      <div class="row">
        <Button type="submit" primary busy={busy} disabled={missingMessage !== undefined}>
          {isBatch ? `Start ${ids.length} jobs` : 'Start job'}
        </Button>
        {missingMessage && <span class="soft">{missingMessage}</span>}
      </div>
    </ApiForm>
  );
}

/** A preset that runs as saved, because this session cannot read its patterns or allowed values. */
function UnreadablePreset({ preset, onLeave }: { preset: PresetChoice; onLeave: () => void }) {
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
  const jobRequest = requestFor('createJob', {
    body: {
      source_object_id: ids[0] ?? 'obj_…',
      ...work,
      ...(pages ? { pages } : {}),
      ...(metadata ? { metadata } : {}),
    },
  });
  const batchRequest = requestFor('createJobs', {
    body: {
      source_object_ids: ids,
      ...work,
      on_error: 'continue',
      ...(metadata ? { metadata } : {}),
    },
  });
  return { jobRequest, batchRequest };
}

/** The selected objects, and a search for more. */
function Sources(props: {
  ids: readonly string[];
  problem: ApiProblem | undefined;
  onLoaded: (object: ObjectRecord) => void;
  onChange: (ids: string[]) => void;
}) {
  const { ids, problem, onLoaded, onChange } = props;
  const [isPicking, setIsPicking] = useState(ids.length === 0);
  const fault = faultAt(problem, '/source_object_id') ?? faultAt(problem, '/source_object_ids');
  return (
    <section class="card stack" aria-labelledby="jobs-start-source">
      <h2 id="jobs-start-source">{ids.length > 1 ? 'Sources' : 'Source'}</h2>
      <ul class="jobs-sources">
        {ids.map((id) => (
          <SourceRow
            key={id}
            id={id}
            onLoaded={onLoaded}
            onRemove={() => {
              setIsPicking(ids.length === 1);
              onChange(ids.filter((other) => other !== id));
            }}
          />
        ))}
        {ids.length === 0 && <NoSource />}
      </ul>
      {/* Dropped files are selected once they are stored; the list and the page stay as they are. */}
      <details open={isPicking} onToggle={(event) => setIsPicking(event.currentTarget.open)}>
        <summary>{ids.length === 0 ? 'Select an object' : 'Add another object'}</summary>
        <SourcePicker
          selectedIds={ids}
          onPick={(id) => {
            setIsPicking(false);
            onChange([...ids, id]);
          }}
        />
      </details>
      {fault && <span class="fault">{fault}</span>}
    </section>
  );
}
