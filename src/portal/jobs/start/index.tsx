import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { sources } from '../../../contracts/sources.ts';
import type { JobBatchResults } from '../../../contracts/wire/jobs.ts';
import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import type { Capabilities } from '../../../contracts/wire/service.ts';
import { useAction, useAnswer } from '../../api/hooks.ts';
import { useQueryState } from '../../api/location.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { faultAt, TextField } from '../../kit/field.tsx';
import { Loading, ProblemState } from '../../kit/states.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';
import '../jobs.css';
import { getCapabilities, startJob, startJobs } from '../requests.ts';
import { BatchOutcome } from './batch-outcome.tsx';
import { type Draft, operationsOf, pagesFault } from './draft.ts';
import { OperationForm } from './operation-form.tsx';
import { Refusal } from './refusal.tsx';
import { SourcePicker, SourceRow } from './source.tsx';

/** Starts a job on one object, or one on each of many. */
export function StartJob() {
  const { data, problem, reload } = useAnswer(getCapabilities());
  const { can } = useSession();
  return (
    <>
      <nav aria-label="Where this is">
        <Link href="/">Jobs</Link>
      </nav>
      {problem ? (
        <ProblemState problem={problem} onRetry={reload} />
      ) : !can('documents:write') ? (
        <>
          <h1>Start a job</h1>
          <p>
            To start jobs the key needs the scope <code>documents:write</code>. Ask whoever manages
            the project’s API keys, then log in with the new key.
          </p>
        </>
      ) : data ? (
        <Form capabilities={data} />
      ) : (
        <Loading what="what can be done" />
      )}
    </>
  );
}

function Form({ capabilities }: { capabilities: Capabilities }) {
  const { can } = useSession();
  const [search, set] = useQueryState();
  const [, navigate] = useLocation();
  const ids = [...new Set(search.getAll('object'))];
  const [known, setKnown] = useState<Record<string, ObjectRecord>>({});
  const [draft, setDraft] = useState<Draft>({});
  const [pages, setPages] = useState('');
  const [outcome, setOutcome] = useState<JobBatchResults | undefined>();
  const { run, busy, problem } = useAction({ quiet: true });

  const objects = ids.flatMap((id) => known[id] ?? []);
  const mimes = [...new Set(objects.map(({ mime }) => mime))];
  const operations = operationsOf(draft, capabilities);
  const isBatch = ids.length > 1;
  const hasPages = mimes.length > 0 && mimes.every((mime) => isPaged(mime));
  const total = objects.length === 1 ? (objects[0]?.pages ?? null) : null;
  const wrongPages = pagesFault(pages, total);
  const one = startJob({
    source_object_id: ids[0] ?? 'obj_…',
    operations,
    ...(pages && hasPages ? { pages } : {}),
  });
  const many = startJobs({ source_object_ids: ids, operations, on_error: 'continue' });
  const missing =
    ids.length === 0
      ? 'Choose an object.'
      : operations.length === 0
        ? 'Choose an operation.'
        : undefined;

  const submit = async (): Promise<void> => {
    if (missing || wrongPages) return;
    setOutcome(undefined);
    if (isBatch) {
      const answer = await run(many);
      if (answer) setOutcome(answer.data);
      return;
    }
    const answer = await run(one);
    if (!answer) return;
    toast('good', 'The job is started.');
    navigate(`/${answer.data.id}`);
  };
  return (
    <form
      class="stack"
      // What is wrong is said at its field, by us or by the service.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div class="page-head">
        <h1>{isBatch ? `Start ${ids.length} jobs` : 'Start a job'}</h1>
        <ApiCalls
          calls={[
            isBatch ? ['Start a job on each', many] : ['Start the job', one],
            ['What operations there are', getCapabilities()],
          ]}
        />
      </div>
      <section class="card stack" aria-labelledby="jobs-start-source">
        <h2 id="jobs-start-source">{isBatch ? 'Sources' : 'Source'}</h2>
        {ids.length > 0 && (
          <ul class="jobs-sources">
            {ids.map((id) => (
              <SourceRow
                key={id}
                id={id}
                onKnown={(object) => setKnown((now) => ({ ...now, [object.id]: object }))}
                onRemove={() => set({ object: ids.filter((other) => other !== id) })}
              />
            ))}
          </ul>
        )}
        {ids.length === 0 ? (
          <SourcePicker chosen={ids} onPick={(id) => set({ object: [...ids, id] })} />
        ) : (
          <details>
            <summary>Add another object</summary>
            <SourcePicker chosen={ids} onPick={(id) => set({ object: [...ids, id] })} />
          </details>
        )}
        {(faultAt(problem, '/source_object_id') ?? faultAt(problem, '/source_object_ids')) && (
          <span class="fault">
            {faultAt(problem, '/source_object_id') ?? faultAt(problem, '/source_object_ids')}
          </span>
        )}
      </section>
      <h2>Operations</h2>
      <p class="soft">They run in this order, each on what the one before has left.</p>
      {capabilities.operations.map((operation) => (
        <OperationForm
          key={operation.op}
          operation={operation}
          languages={operation.op === 'ocr' ? capabilities.ocr_languages : null}
          chosen={draft[operation.op]}
          obstacle={obstacleOf(operation, mimes)}
          mayKeep={can('pii:read')}
          problem={problem}
          index={operations.findIndex(({ op }) => op === operation.op)}
          onChange={(chosen) =>
            setDraft((now) => {
              const { [operation.op]: _before, ...rest } = now;
              return chosen ? { ...rest, [operation.op]: chosen } : rest;
            })
          }
        />
      ))}
      {operations.length > 0 && operations[0]?.op !== 'ocr' && mimes.some(isPaged) && (
        <p class="notice">
          PDFs and pictures are read first: the service puts an <code>ocr</code> of its own before
          these. Pages that have text are skipped there, and it makes no outputs. To choose its
          languages, ask for <code>ocr</code> yourself.
        </p>
      )}
      {!isBatch && hasPages && (
        <section class="card">
          <TextField
            label="Pages"
            value={pages}
            placeholder="All"
            hint={`As in 1-3,7; all when left empty.${total === null ? '' : ` There are ${total}.`}`}
            fault={wrongPages ?? faultAt(problem, '/pages')}
            onInput={(text) => setPages(text.replaceAll(' ', ''))}
          />
        </section>
      )}
      <Refusal problem={problem} />
      {outcome && <BatchOutcome outcome={outcome} names={known} />}
      <div class="row">
        <Button type="submit" primary busy={busy} disabled={missing !== undefined}>
          {isBatch ? `Start ${ids.length} jobs` : 'Start the job'}
        </Button>
        {missing && <span class="soft">{missing}</span>}
      </div>
    </form>
  );
}

function isPaged(mime: string): boolean {
  return Object.entries(sources).some(([name, { paged }]) => name === mime && paged);
}

/** Why an operation cannot be asked for on these. */
function obstacleOf(
  operation: Capabilities['operations'][number],
  mimes: readonly string[],
): string | undefined {
  const wrong = mimes.find((mime) => !operation.sources.includes(mime));
  return wrong && `It cannot read ${wrong}.`;
}
