import type { PolicyAction } from '@scriptorium/contracts/rules';
import type {
  Candidate,
  EvaluateRequest,
  Evaluation,
} from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { CheckField, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { type PolicyDraft, policyBody } from '../draft.ts';
import { ListField } from '../rules/list-field.tsx';
import { byteUnits, NumberField, timeUnits, UnitField } from '../rules/number-field.tsx';
import { labelOptions } from '../rules/options.ts';
import { actionNames, actionWords } from '../rules/words.ts';
import { ResourcePicker } from './resource-picker.tsx';
import { Verdict } from './verdict.tsx';

interface DryRunProps {
  /** Evaluated as if saved; a draft with an id replaces that policy. */
  drafts?: readonly { id: string | null; draft: PolicyDraft }[];
}

/** The fields of the form. */
interface Question {
  /** The subject of the evaluation; null until selected. */
  action: PolicyAction | null;
  subject: 'resource' | 'candidate';
  /** The identifier of an object or image; '' until selected. */
  resource: string;
  candidate: Candidate;
  address: string;
  at: string;
  signed: boolean;
  ttl: number;
}

const firstQuestion: Question = {
  action: null,
  subject: 'resource',
  resource: '',
  candidate: { mime: 'image/jpeg', bytes: 2_000_000 },
  address: '',
  at: '',
  signed: false,
  ttl: 3_600,
};

/** Evaluates the policies for a hypothetical action. */
export function DryRun({ drafts = [] }: DryRunProps) {
  const [fields, setFields] = useState(firstQuestion);
  const question = withAction(fields, drafts);
  const [asked, setAsked] = useState('');
  const [decision, setDecision] = useState<Evaluation | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const body = requestOf(question, drafts);
  const request = requestFor('evaluatePolicies', { body });
  const ready = question.subject === 'candidate' || question.resource !== '';
  const current = JSON.stringify(body);
  const ask = async () => {
    setAsked(current);
    const answer = await run(request);
    setDecision(answer?.data ?? null);
  };
  const set = (changes: Partial<Question>) => setFields((now) => ({ ...now, ...changes }));
  return (
    <form
      class="stack policy-dry-run"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void ask();
      }}
    >
      <TargetFields question={question} set={set} />
      {question.subject === 'resource' ? (
        <ResourcePicker value={question.resource} onChange={(resource) => set({ resource })} />
      ) : (
        <CandidateFields
          candidate={question.candidate}
          onChange={(candidate) => set({ candidate })}
        />
      )}
      <ContextFields question={question} set={set} />
      <div class="row">
        <Button type="submit" busy={busy} disabled={!ready}>
          Evaluate
        </Button>
        <ApiCalls calls={[['Evaluate policies', request]]} />
        {decision && asked !== current && (
          <span class="soft">The result below is for the previous values.</span>
        )}
      </div>
      <ProblemNotice problem={problem} />
      {decision && <Verdict decision={decision} />}
    </form>
  );
}

/** The action to evaluate. */
type Asked = Question & { action: PolicyAction };

/** Defaults to a download, if the drafts apply to downloads. */
function withAction(fields: Question, drafts: NonNullable<DryRunProps['drafts']>): Asked {
  if (fields.action !== null) return { ...fields, action: fields.action };
  const spoken = drafts.flatMap(({ draft }) => draft.actions);
  const action = spoken.includes('download') ? 'download' : (spoken[0] ?? 'download');
  return { ...fields, action, subject: action === 'upload' ? 'candidate' : fields.subject };
}

function requestOf(question: Asked, drafts: NonNullable<DryRunProps['drafts']>) {
  const { action, subject, resource, candidate, address, at, signed, ttl } = question;
  return {
    action,
    ...(subject === 'candidate'
      ? { candidate }
      : { resource: { type: resource.startsWith('img_') ? 'image' : 'object', id: resource } }),
    context: {
      ...(address.trim() ? { address: address.trim() } : {}),
      ...(at ? { at: new Date(at).toISOString() } : {}),
      ...(signed ? { signed_url: { ttl_seconds: ttl } } : {}),
    },
    ...(drafts.length > 0
      ? { with: drafts.map(({ id, draft }) => ({ ...(id ? { id } : {}), ...policyBody(draft) })) }
      : {}),
  } satisfies EvaluateRequest;
}

interface QuestionProps {
  question: Asked;
  set: (changes: Partial<Question>) => void;
}

function TargetFields({ question: { action, subject }, set }: QuestionProps) {
  return (
    <div class="policy-pair">
      <SelectField
        label="Action"
        value={action}
        options={actionNames.map((name) => [name, actionWords[name].title] as const)}
        onChange={(value) => {
          const next = actionNames.find((name) => name === value) ?? action;
          set({ action: next, ...(next === 'upload' ? { subject: 'candidate' } : {}) });
        }}
      />
      <SelectField
        label="Target"
        value={subject}
        options={[
          ['resource', 'Object or image in the library'],
          ['candidate', 'Hypothetical file'],
        ]}
        onChange={(value) =>
          set({ action, subject: value === 'candidate' ? 'candidate' : 'resource' })
        }
      />
    </div>
  );
}

function ContextFields({ question: { address, at, signed, ttl }, set }: QuestionProps) {
  return (
    <details>
      <summary>Request context</summary>
      <div class="policy-candidate">
        <TextField
          label="Address"
          hint="Leave empty to use yours."
          placeholder="203.0.113.9"
          value={address}
          onInput={(value) => set({ address: value })}
        />
        <TextField
          label="Time"
          type="datetime-local"
          hint="Leave empty for now."
          value={at}
          onInput={(value) => set({ at: value })}
        />
        <CheckField
          label="With a signed URL"
          checked={signed}
          onChange={(on) => set({ signed: on })}
        />
        {signed && (
          <UnitField
            label="Lifetime"
            units={timeUnits}
            value={ttl}
            onChange={(seconds) => set({ ttl: seconds })}
          />
        )}
      </div>
    </details>
  );
}

function CandidateFields(props: {
  candidate: Candidate;
  onChange: (candidate: Candidate) => void;
}) {
  const { candidate, onChange } = props;
  const change = (changes: { [F in keyof Candidate]?: Candidate[F] | undefined }) => {
    const next = Object.entries({ ...candidate, ...changes }).filter(
      ([, value]) => value !== undefined && !Number.isNaN(value),
    );
    onChange(Object.fromEntries(next));
  };
  return (
    <div class="policy-candidate">
      <TextField
        label="Type"
        placeholder="image/jpeg"
        value={candidate.mime ?? ''}
        onInput={(mime) => change({ mime: mime || undefined })}
      />
      <UnitField
        label="Size"
        optional
        units={byteUnits}
        value={candidate.bytes ?? Number.NaN}
        onChange={(bytes) => change({ bytes })}
      />
      <NumberField
        label="Pixels"
        optional
        value={candidate.pixels ?? Number.NaN}
        onChange={(pixels) => change({ pixels })}
      />
      <NumberField
        label="Pages"
        optional
        value={candidate.pages ?? Number.NaN}
        onChange={(pages) => change({ pages })}
      />
      <SelectField
        label="Content"
        value={candidate.traits ? (candidate.traits[0] ?? 'none') : ''}
        options={[
          ['', 'Unknown'],
          ['none', 'No code'],
          ['executable', 'Executable'],
          ['scripted', 'Scripts or macros'],
        ]}
        onChange={(value) => change({ traits: traitsOf(value) })}
      />
      <ListField
        label="Tags"
        values={candidate.tags ?? []}
        onChange={(tags) => change({ tags: tags.length > 0 ? tags : undefined })}
      />
      <ListField
        label="Labels"
        options={labelOptions}
        values={candidate.labels ?? []}
        onChange={(labels) => change({ labels: labels.length > 0 ? labels : undefined })}
      />
    </div>
  );
}

function traitsOf(value: string): Candidate['traits'] {
  if (value === 'executable' || value === 'scripted') return [value];
  return value === 'none' ? [] : undefined;
}
