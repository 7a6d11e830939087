import type { Scope } from '@scriptorium/contracts/scopes';
import type { KeyCreate, KeyRecord } from '@scriptorium/contracts/wire/keys';
import { useState } from 'preact/hooks';
import type { ApiProblem } from '../../api/request.ts';
import { faultAt, faultsIn, SelectField, TextField } from '../../kit/fields/field.tsx';
import { fromDateTimeLocal, toDateTimeLocal } from '../../kit/local-time.ts';
import { useSession } from '../../shell/session.tsx';
import { ScopePicker } from './scopes.tsx';

export interface KeyFields {
  name: string;
  scopes: Scope[];
  cidrs: string;
  /** `never`, a number of days from now, or `at`. */
  expires: string;
  /** The value of a `datetime-local` field. */
  expiresAt: string;
}

const dayMs = 86_400_000;

/** Returns the form fields of an existing key. */
export function keyFields(key: KeyRecord): KeyFields {
  return {
    name: key.name,
    scopes: key.scopes,
    cidrs: key.allowed_cidrs.join('\n'),
    expires: key.expires_at ? 'at' : 'never',
    expiresAt: key.expires_at ? toDateTimeLocal(key.expires_at) : '',
  };
}

/**
 * Returns the form fields of a new key, limited to the addresses and the lifetime of the key that
 * creates it, if any.
 */
export function newKeyFields(creator: KeyRecord | null): KeyFields {
  const creatorExpiry = creator?.expires_at ?? null;
  const expiresFirst =
    creatorExpiry !== null && Date.parse(creatorExpiry) < Date.now() + 90 * dayMs;
  return {
    name: '',
    scopes: [],
    cidrs: creator?.allowed_cidrs.join('\n') ?? '',
    expires: expiresFirst ? 'at' : '90',
    expiresAt: expiresFirst ? toDateTimeLocal(creatorExpiry) : '',
  };
}

/**
 * Returns the request body. `currentExpiry` is kept if the field was not changed.
 */
export function keyBody(
  { name, scopes, cidrs, expires, expiresAt }: KeyFields,
  currentExpiry: string | null = null,
): Required<KeyCreate> {
  return {
    name,
    scopes,
    allowed_cidrs: parseRanges(cidrs),
    expires_at:
      expires === 'never'
        ? null
        : expires !== 'at'
          ? new Date(Date.now() + Number(expires) * dayMs).toISOString()
          : currentExpiry && toDateTimeLocal(currentExpiry) === expiresAt
            ? currentExpiry
            : fromDateTimeLocal(expiresAt) || null,
  };
}

function parseRanges(text: string): string[] {
  return text.split(/[\s,]+/).filter((range) => range !== '');
}

/** Returns the errors about the address ranges, each with its range. */
function rangeFaults(problem: ApiProblem | undefined, text: string): string | undefined {
  const faults = parseRanges(text).flatMap((range, at) => {
    const fault = faultAt(problem, `/allowed_cidrs/${at}`);
    return fault ? [`‘${range}’: ${fault}`] : [];
  });
  return faults.join(' ') || faultsIn(problem, '/allowed_cidrs');
}

interface KeyFormProps {
  fields: KeyFields;
  onChange: (fields: KeyFields) => void;
  problem: ApiProblem | undefined;
}

export function KeyForm({ fields, onChange, problem }: KeyFormProps) {
  const { session } = useSession();
  const [now] = useState(() => toDateTimeLocal(new Date().toISOString()));
  const update = (changes: Partial<KeyFields>) => onChange({ ...fields, ...changes });
  const expiryFault = faultAt(problem, '/expires_at');
  return (
    <>
      <TextField
        label="Name"
        hint="For example, where the key is used."
        value={fields.name}
        onInput={(name) => update({ name })}
        fault={faultAt(problem, '/name')}
        required
      />
      <ScopePicker
        sessionScopes={session.scopes}
        selected={fields.scopes}
        onChange={(scopes) => update({ scopes })}
        fault={faultsIn(problem, '/scopes')}
      />
      <SelectField
        label="Expires"
        value={fields.expires}
        onChange={(expires) => update({ expires, expiresAt: fields.expiresAt || now })}
        options={[
          ['7', 'In 7 days'],
          ['30', 'In 30 days'],
          ['90', 'In 90 days'],
          ['365', 'In 1 year'],
          ['at', 'Custom'],
          ['never', 'Never'],
        ]}
        fault={fields.expires === 'at' ? undefined : expiryFault}
      />
      {fields.expires === 'at' && (
        <TextField
          label="Expires at"
          hint="In your browser's time zone."
          type="datetime-local"
          value={fields.expiresAt}
          onInput={(expiresAt) => update({ expiresAt })}
          fault={expiryFault}
          required
        />
      )}
      <TextField
        label="Allowed addresses"
        hint="CIDR ranges such as 203.0.113.0/24 or 2001:db8::/32, one per line. Leave empty to allow any address."
        rows={3}
        value={fields.cidrs}
        onInput={(cidrs) => update({ cidrs })}
        fault={rangeFaults(problem, fields.cidrs)}
      />
    </>
  );
}
