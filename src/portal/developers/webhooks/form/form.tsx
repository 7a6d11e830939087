import type { SignatureKind } from '../../../../contracts/wire/webhooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import { CheckField, faultAt, faultsIn, SelectField, TextField } from '../../../kit/field.tsx';
import type { WebhookFields } from './fields.ts';
import { Pairs } from './pairs.tsx';
import { TypePicker } from './type-picker.tsx';

interface WebhookFormProps {
  fields: WebhookFields;
  onChange: (fields: WebhookFields) => void;
  problem: ApiProblem | undefined;
}

export function WebhookForm({ fields, onChange, problem }: WebhookFormProps) {
  const set = (changes: Partial<WebhookFields>) => onChange({ ...fields, ...changes });
  const within = (field: string) => (name: string) =>
    name === '' ? undefined : faultsIn(problem, `/${field}/${escapePointer(name)}`);
  const sign = (kind: SignatureKind, on: boolean) =>
    set({ signing: on ? [...fields.signing, kind] : fields.signing.filter((one) => one !== kind) });
  return (
    <>
      <TextField
        label="URL"
        hint="Over https, on the public internet, unless the operator allows the address."
        type="url"
        placeholder="https://example.com/hooks"
        value={fields.url}
        onInput={(url) => set({ url })}
        fault={urlFault(problem)}
        required
      />
      <TextField
        label="Description"
        value={fields.description}
        onInput={(description) => set({ description })}
        fault={faultAt(problem, '/description')}
      />
      <TypePicker
        chosen={fields.event_types}
        onChange={(types) => set({ event_types: types })}
        fault={faultsIn(problem, '/event_types')}
      />
      <Pairs
        legend="Filter"
        hint="Only events that have one of the values at every pointer into their body, such as /data/source_object_id. Several values with commas."
        noun="filter"
        names="Pointer"
        values="Values"
        pairs={fields.filter}
        onChange={(filter) => set({ filter })}
        faultOf={within('filter')}
        fault={faultAt(problem, '/filter')}
      />
      <SelectField
        label="Payload"
        value={fields.payload}
        onChange={(payload) => set({ payload })}
        options={[
          ['full', 'Full: the event with its data'],
          ['thin', 'Thin: without data, to be read from the API'],
        ]}
        fault={faultAt(problem, '/payload')}
      />
      <Pairs
        legend="Headers"
        hint="Sent with every message, an Authorization for instance. Values are kept sealed: •••• stands for one that is kept."
        noun="header"
        names="Header"
        values="Value"
        pairs={fields.headers}
        onChange={(headers) => set({ headers })}
        faultOf={within('headers')}
        fault={faultAt(problem, '/headers')}
      />
      <fieldset class="dev-fieldset">
        <legend>Signatures</legend>
        {faultsIn(problem, '/signing') && <p class="dev-fault">{faultsIn(problem, '/signing')}</p>}
        <CheckField
          label="v1: HMAC-SHA256"
          hint="With a secret that both sides keep."
          checked={fields.signing.includes('v1')}
          onChange={(on) => sign('v1', on)}
        />
        <CheckField
          label="v1a: ed25519"
          hint="Verified with a public key; the receiver keeps no secret."
          checked={fields.signing.includes('v1a')}
          onChange={(on) => sign('v1a', on)}
        />
      </fieldset>
      <div class="dev-filters">
        <TextField
          label="Attempts a second, at most"
          hint="As many as there are without it."
          type="number"
          min={1}
          value={fields.max_per_second}
          onInput={(value) => set({ max_per_second: value })}
          fault={faultAt(problem, '/max_per_second')}
        />
        <TextField
          label="Attempts at once, at most"
          hint="Left out, the service's own."
          type="number"
          min={1}
          value={fields.max_in_flight}
          onInput={(value) => set({ max_in_flight: value })}
          fault={faultAt(problem, '/max_in_flight')}
        />
      </div>
    </>
  );
}

/** What is wrong with the URL; of an address that is refused also what to do about it. */
function urlFault(problem: ApiProblem | undefined): string | undefined {
  const fault = problem?.document.errors?.find(({ pointer }) => pointer === '/url');
  if (fault?.code !== 'destination_not_allowed') return fault?.detail;
  return `${fault.detail} Messages go to public addresses only; for one of your own network the operator has to allow its range.`;
}

/** A name as it stands in a pointer (RFC 6901 §3). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
