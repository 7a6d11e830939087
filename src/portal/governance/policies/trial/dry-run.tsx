import { useState } from 'preact/hooks';
import type { PolicyAction } from '../../../../contracts/rules.ts';
import type {
  Candidate,
  EvaluateRequest,
  Evaluation,
} from '../../../../contracts/wire/policies.ts';
import { useAction } from '../../../api/hooks.ts';
import { ApiCalls } from '../../../kit/api-call.tsx';
import { Button } from '../../../kit/button.tsx';
import { CheckField, SelectField, TextField } from '../../../kit/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';
import { bodyOf, type Draft, evaluatePolicies } from '../requests.ts';
import { ListField } from '../rules/list-field.tsx';
import { byteUnits, NumberField, timeUnits, UnitField } from '../rules/number-field.tsx';
import { labelOptions } from '../rules/rule-forms.tsx';
import { actionNames, actionWords } from '../rules/words.ts';
import { ResourcePicker } from './resource-picker.tsx';
import { Verdict } from './verdict.tsx';

interface DryRunProps {
  /** As if these were saved; one with an id stands in for that policy. */
  drafts?: readonly { id: string | null; draft: Draft }[];
}

/** Asks what the policies would say of something, without doing it. */
export function DryRun({ drafts = [] }: DryRunProps) {
  const [action, setAction] = useState<PolicyAction>('download');
  const [subject, setSubject] = useState<'resource' | 'candidate'>('resource');
  const [resource, setResource] = useState('');
  const [candidate, setCandidate] = useState<Candidate>({ mime: 'image/jpeg', bytes: 2_000_000 });
  const [address, setAddress] = useState('');
  const [at, setAt] = useState('');
  const [signed, setSigned] = useState(false);
  const [ttl, setTtl] = useState(3_600);
  const [asked, setAsked] = useState('');
  const [decision, setDecision] = useState<Evaluation | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });

  const body: EvaluateRequest = {
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
      ? { with: drafts.map(({ id, draft }) => ({ ...(id ? { id } : {}), ...bodyOf(draft) })) }
      : {}),
  };
  const request = evaluatePolicies(body);
  const ready = subject === 'candidate' || resource !== '';
  const current = JSON.stringify(body);
  const ask = async () => {
    setAsked(current);
    const answer = await run(request);
    setDecision(answer?.data ?? null);
  };
  const change = (changes: { [F in keyof Candidate]?: Candidate[F] | undefined }) => {
    const next = Object.entries({ ...candidate, ...changes }).filter(
      ([, value]) => value !== undefined && !Number.isNaN(value),
    );
    setCandidate(Object.fromEntries(next));
  };
  return (
    <form
      class="stack policy-dry-run"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void ask();
      }}
    >
      <div class="policy-pair">
        <SelectField
          label="Action"
          value={action}
          options={actionNames.map((name) => [name, actionWords[name].title] as const)}
          onChange={(value) => {
            const next = actionNames.find((name) => name === value) ?? action;
            setAction(next);
            if (next === 'upload') setSubject('candidate');
          }}
        />
        <SelectField
          label="Of"
          value={subject}
          options={[
            ['resource', 'an object or image in the library'],
            ['candidate', 'a file that need not exist'],
          ]}
          onChange={(value) => setSubject(value === 'candidate' ? 'candidate' : 'resource')}
        />
      </div>
      {subject === 'resource' ? (
        <ResourcePicker value={resource} onChange={setResource} />
      ) : (
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
            label="What it holds"
            value={candidate.traits ? (candidate.traits[0] ?? 'none') : ''}
            options={[
              ['', 'Not known'],
              ['none', 'Nothing that runs'],
              ['executable', 'It is executable'],
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
      )}
      <details>
        <summary>From where, when, and how</summary>
        <div class="policy-candidate">
          <TextField
            label="Address"
            hint="Yours unless said."
            placeholder="203.0.113.9"
            value={address}
            onInput={setAddress}
          />
          <TextField
            label="Time"
            type="datetime-local"
            hint="Now unless said."
            value={at}
            onInput={setAt}
          />
          <CheckField label="With a signed URL" checked={signed} onChange={setSigned} />
          {signed && <UnitField label="Good for" units={timeUnits} value={ttl} onChange={setTtl} />}
        </div>
      </details>
      <div class="row">
        <Button type="submit" busy={busy} disabled={!ready}>
          Ask
        </Button>
        <ApiCalls calls={[['Ask what the policies say', request]]} />
        {decision && asked !== current && (
          <span class="soft">This answer is to what was asked before.</span>
        )}
      </div>
      <ProblemNotice problem={problem} />
      {decision && <Verdict decision={decision} />}
    </form>
  );
}

function traitsOf(value: string): Candidate['traits'] {
  if (value === 'executable' || value === 'scripted') return [value];
  return value === 'none' ? [] : undefined;
}
