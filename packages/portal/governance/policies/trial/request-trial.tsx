import type { PolicyRule } from '@scriptorium/contracts/rules';
import type { ImpactContext, ImpactRecord } from '@scriptorium/contracts/wire/policy-decisions';
import { useState } from 'preact/hooks';
import { useAction } from '../../../api/hooks.ts';
import type { ApiRequest } from '../../../api/request.ts';
import { Button } from '../../../kit/button.tsx';
import { faultAt, TextField } from '../../../kit/fields/field.tsx';
import { ProblemNotice } from '../../../kit/states.tsx';

/** The properties of a request that rules depend on. */
export type RequestCondition = 'address' | 'time' | 'address and time';

/** Returns what the rules depend on besides the object; null if on nothing. */
export function conditionOf(rules: readonly PolicyRule[]): RequestCondition | null {
  const byAddress = rules.some(({ type }) => type === 'ip_allow' || type === 'ip_deny');
  const byTime = rules.some(({ type }) => type === 'time_window');
  if (byAddress) return byTime ? 'address and time' : 'address';
  return byTime ? 'time' : null;
}

/** Computes the impact on requests from an address or at a time. */
export function RequestTrial(props: {
  condition: RequestCondition;
  requestIn: (context: ImpactContext) => ApiRequest<ImpactRecord>;
  onResult: (result: { label: string; impact: ImpactRecord }) => void;
}) {
  const { condition, requestIn, onResult } = props;
  const [address, setAddress] = useState('');
  const [time, setTime] = useState('');
  const { run, busy, problem } = useAction({ quiet: true });
  const addressFault = faultAt(problem, '/context/address');
  const submit = async (): Promise<void> => {
    const response = await run(
      requestIn({
        ...(address.trim() ? { address: address.trim() } : {}),
        ...(time ? { at: new Date(time).toISOString() } : {}),
      }),
    );
    if (!response) return;
    const parts = [address.trim() && `from ${address.trim()}`, time && `at ${timeText(time)}`];
    onResult({ label: `Requests ${parts.filter(Boolean).join(' ')}`, impact: response.data });
  };
  return (
    <form
      class="row policy-trial"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {condition !== 'time' && (
        <TextField
          label="Address to try"
          placeholder="203.0.113.9"
          required
          value={address}
          fault={addressFault}
          onInput={setAddress}
        />
      )}
      {condition !== 'address' && (
        <TextField
          label="Time to try"
          type="datetime-local"
          required
          value={time}
          onInput={setTime}
        />
      )}
      <Button type="submit" busy={busy}>
        Try
      </Button>
      {!addressFault && <ProblemNotice problem={problem} />}
    </form>
  );
}

const timeText = (time: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
