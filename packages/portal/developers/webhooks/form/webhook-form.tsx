import type { SignatureKind } from '@scriptorium/contracts/wire/webhooks';
import type { ApiProblem } from '../../../api/request.ts';
import {
  CheckField,
  faultAt,
  faultsIn,
  SelectField,
  TextField,
} from '../../../kit/fields/field.tsx';
import type { WebhookFields } from './fields.ts';
import { PairsField } from './pairs-field.tsx';
import { TypePicker } from './type-picker.tsx';

interface WebhookFormProps {
  fields: WebhookFields;
  onChange: (fields: WebhookFields) => void;
  problem: ApiProblem | undefined;
}

/** The form of a webhook. */
export function WebhookForm({ fields, onChange, problem }: WebhookFormProps) {
  const update = (changes: Partial<WebhookFields>) => onChange({ ...fields, ...changes });
  const faultWithin = (field: string) => (name: string) =>
    name === '' ? undefined : faultsIn(problem, `/${field}/${escapePointer(name)}`);
  return (
    <>
      <TextField
        label="URL"
        hint="Must use HTTPS and a public address, unless the operator allows others."
        type="url"
        placeholder="https://example.com/hooks"
        value={fields.url}
        onInput={(url) => update({ url })}
        fault={urlFault(problem)}
        required
      />
      <TextField
        label="Description"
        value={fields.description}
        onInput={(description) => update({ description })}
        fault={faultAt(problem, '/description')}
      />
      <TypePicker
        selected={fields.event_types}
        onChange={(types) => update({ event_types: types })}
        fault={faultsIn(problem, '/event_types')}
      />
      <PairsField
        legend="Filter"
        hint="Sends only events that match at every JSON pointer, such as /data/source_object_id. Separate alternative values with commas."
        noun="filter"
        nameLabel="Pointer"
        valueLabel="Values"
        pairs={fields.filter}
        onChange={(filter) => update({ filter })}
        faultOf={faultWithin('filter')}
        fault={faultAt(problem, '/filter')}
      />
      <SelectField
        label="Payload"
        value={fields.payload}
        onChange={(payload) => update({ payload })}
        options={[
          ['full', 'Full: the event with its data'],
          ['thin', 'Thin: without data; fetch the event from the API'],
        ]}
        fault={faultAt(problem, '/payload')}
      />
      <PairsField
        legend="Headers"
        hint="Sent with every message, such as Authorization. Values are encrypted; •••• stands for a stored value."
        noun="header"
        nameLabel="Header"
        valueLabel="Value"
        pairs={fields.headers}
        onChange={(headers) => update({ headers })}
        faultOf={faultWithin('headers')}
        fault={faultAt(problem, '/headers')}
      />
      <SignaturesField
        signing={fields.signing}
        fault={faultsIn(problem, '/signing')}
        onChange={(signing) => update({ signing })}
      />
      <div class="dev-filters">
        <TextField
          label="Maximum attempts per second"
          hint="Leave empty for no limit."
          type="number"
          min={1}
          value={fields.max_per_second}
          onInput={(value) => update({ max_per_second: value })}
          fault={faultAt(problem, '/max_per_second')}
        />
        <TextField
          label="Maximum concurrent attempts"
          hint="Leave empty for the default."
          type="number"
          min={1}
          value={fields.max_in_flight}
          onInput={(value) => update({ max_in_flight: value })}
          fault={faultAt(problem, '/max_in_flight')}
        />
      </div>
    </>
  );
}

function SignaturesField(props: {
  signing: readonly SignatureKind[];
  fault: string | undefined;
  onChange: (signing: SignatureKind[]) => void;
}) {
  const { signing, fault, onChange } = props;
  const toggleSignature = (kind: SignatureKind, on: boolean) =>
    onChange(on ? [...signing, kind] : signing.filter((one) => one !== kind));
  return (
    <fieldset class="dev-fieldset">
      <legend>Signatures</legend>
      {fault && <p class="dev-fault">{fault}</p>}
      <CheckField
        label="v1: HMAC-SHA256"
        hint="Verified with a shared secret."
        checked={signing.includes('v1')}
        onChange={(on) => toggleSignature('v1', on)}
      />
      <CheckField
        label="v1a: ed25519"
        hint="Verified with a public key, so the receiver needs no secret."
        checked={signing.includes('v1a')}
        onChange={(on) => toggleSignature('v1a', on)}
      />
    </fieldset>
  );
}

/** Returns the error about the URL, with advice if the address is not allowed. */
function urlFault(problem: ApiProblem | undefined): string | undefined {
  const fault = problem?.document.errors?.find(({ pointer }) => pointer === '/url');
  if (fault?.code !== 'destination_not_allowed') return fault?.detail;
  return `${fault.detail} Webhooks can only use public addresses, unless the operator allows the range.`;
}

/** Escapes a name for a JSON pointer (RFC 6901, section 3). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
