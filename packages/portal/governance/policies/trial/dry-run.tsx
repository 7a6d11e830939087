import type { PolicyAction } from '@scriptorium/contracts/rules';
import type {
  Candidate,
  EvaluateRequest,
  Evaluation,
} from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import { requestFor } from '../../../api/request.ts';
import { ApiCalls } from '../../../kit/api-calls.tsx';
import { Button } from '../../../kit/button.tsx';
import { CheckField, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { type PolicyDraft, policyBody } from '../draft.ts';
import { actionLabels, actionNames } from '../rules/descriptions.ts';
import { ListField } from '../rules/list-field.tsx';
import { byteUnits, NumberField, timeUnits, UnitField } from '../rules/number-field.tsx';
import { labelOptions } from '../rules/options.ts';
import { DecisionNotice } from './decision-notice.tsx';
import { ResourcePicker } from './resource-picker.tsx';

interface DryRunProps {
  /** Evaluated as if saved; a draft with an id replaces that policy. */
  drafts?: readonly { id: string | null; draft: PolicyDraft }[];
}

/** The fields of the form. */
interface DryRunFields {
  /** The action to evaluate; null until selected. */
  action: PolicyAction | null;
  subject: 'resource' | 'candidate';
  /** The identifier of an object or image; '' until selected. */
  resource: string;
  candidate: Candidate;
  address: string;
  at: string;
  hasSignedUrl: boolean;
  ttl: number;
}

const initialFields: DryRunFields = {
  action: null,
  subject: 'resource',
  resource: '',
  candidate: { mime: 'image/jpeg', bytes: 2_000_000 },
  address: '',
  at: '',
  hasSignedUrl: false,
  ttl: 3_600,
};

/** Evaluates the policies for a hypothetical action. */
export function DryRun({ drafts = [] }: DryRunProps) {
  const [fields, setFields] = useState(initialFields);
  const input = withAction(fields, drafts);
  const [evaluatedBody, setEvaluatedBody] = useState('');
  const [decision, setDecision] = useState<Evaluation | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const body = requestBody(input, drafts);
  const request = requestFor('evaluatePolicies', { body });
  const isReady = input.subject === 'candidate' || input.resource !== '';
  const currentBody = JSON.stringify(body);
  const evaluate = async () => {
    setEvaluatedBody(currentBody);
    const response = await run(request);
    setDecision(response?.data ?? null);
  };
  const update = (changes: Partial<DryRunFields>) => setFields((now) => ({ ...now, ...changes }));
  return (
    <form
      class="stack policy-dry-run"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void evaluate();
      }}
    >
      <TargetFields input={input} update={update} />
      {input.subject === 'resource' ? (
        <ResourcePicker value={input.resource} onChange={(resource) => update({ resource })} />
      ) : (
        <CandidateFields
          candidate={input.candidate}
          onChange={(candidate) => update({ candidate })}
        />
      )}
      <ContextFields input={input} update={update} />
      <div class="row">
        <Button type="submit" busy={busy} disabled={!isReady}>
          Evaluate
        </Button>
        <ApiCalls calls={[['Evaluate policies', request]]} />
        {!isReady && <span class="soft">Select an object or image first.</span>}
        {decision && evaluatedBody !== currentBody && (
          <span class="soft">The result below is for the previous values.</span>
        )}
      </div>
      <ProblemNotice problem={problem} />
      {decision && <DecisionNotice decision={decision} />}
    </form>
  );
}

/** The fields with an action. */
type DryRunInput = DryRunFields & { action: PolicyAction };

/** Fills in the default action: a download, unless the drafts apply only to other actions. */
function withAction(fields: DryRunFields, drafts: NonNullable<DryRunProps['drafts']>): DryRunInput {
  if (fields.action !== null) return { ...fields, action: fields.action };
  const draftActions = drafts.flatMap(({ draft }) => draft.actions);
  const action = draftActions.includes('download') ? 'download' : (draftActions[0] ?? 'download');
  return { ...fields, action, subject: action === 'upload' ? 'candidate' : fields.subject };
}

function requestBody(input: DryRunInput, drafts: NonNullable<DryRunProps['drafts']>) {
  const { action, subject, resource, candidate, address, at, hasSignedUrl, ttl } = input;
  return {
    action,
    ...(subject === 'candidate'
      ? { candidate }
      : { resource: { type: resource.startsWith('img_') ? 'image' : 'object', id: resource } }),
    context: {
      ...(address.trim() ? { address: address.trim() } : {}),
      ...(at ? { at: new Date(at).toISOString() } : {}),
      ...(hasSignedUrl ? { signed_url: { ttl_seconds: ttl } } : {}),
    },
    ...(drafts.length > 0
      ? { with: drafts.map(({ id, draft }) => ({ ...(id ? { id } : {}), ...policyBody(draft) })) }
      : {}),
  } satisfies EvaluateRequest;
}

interface InputFieldsProps {
  input: DryRunInput;
  update: (changes: Partial<DryRunFields>) => void;
}

function TargetFields({ input: { action, subject }, update }: InputFieldsProps) {
  return (
    <div class="policy-pair">
      <SelectField
        label="Action"
        value={action}
        options={actionNames.map((name) => [name, actionLabels[name].title] as const)}
        onChange={(value) => {
          const next = actionNames.find((name) => name === value) ?? action;
          update({ action: next, ...(next === 'upload' ? { subject: 'candidate' } : {}) });
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
          update({ action, subject: value === 'candidate' ? 'candidate' : 'resource' })
        }
      />
    </div>
  );
}

function ContextFields({ input: { address, at, hasSignedUrl, ttl }, update }: InputFieldsProps) {
  return (
    <details>
      <summary>Request context</summary>
      <div class="policy-candidate">
        <TextField
          label="Address"
          hint="Leave empty to use yours."
          placeholder="203.0.113.9"
          value={address}
          onInput={(value) => update({ address: value })}
        />
        <TextField
          label="Time"
          type="datetime-local"
          hint="Leave empty for now."
          value={at}
          onInput={(value) => update({ at: value })}
        />
        <CheckField
          label="With a signed URL"
          checked={hasSignedUrl}
          onChange={(on) => update({ hasSignedUrl: on })}
        />
        {hasSignedUrl && (
          <UnitField
            label="Lifetime"
            units={timeUnits}
            value={ttl}
            onChange={(seconds) => update({ ttl: seconds })}
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
  const update = (changes: { [F in keyof Candidate]?: Candidate[F] | undefined }) => {
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
        onInput={(mime) => update({ mime: mime || undefined })}
      />
      <UnitField
        label="Size"
        optional
        units={byteUnits}
        value={candidate.bytes ?? Number.NaN}
        onChange={(bytes) => update({ bytes })}
      />
      <NumberField
        label="Pixels"
        optional
        value={candidate.pixels ?? Number.NaN}
        onChange={(pixels) => update({ pixels })}
      />
      <NumberField
        label="Pages"
        optional
        value={candidate.pages ?? Number.NaN}
        onChange={(pages) => update({ pages })}
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
        onChange={(value) => update({ traits: traitsOf(value) })}
      />
      <ListField
        label="Tags"
        values={candidate.tags ?? []}
        onChange={(tags) => update({ tags: tags.length > 0 ? tags : undefined })}
      />
      <ListField
        label="Labels"
        options={labelOptions}
        values={candidate.labels ?? []}
        onChange={(labels) => update({ labels: labels.length > 0 ? labels : undefined })}
      />
    </div>
  );
}

function traitsOf(value: string): Candidate['traits'] {
  if (value === 'executable' || value === 'scripted') return [value];
  return value === 'none' ? [] : undefined;
}
