import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icons/icon.tsx';
import type { IconName } from './icons/icons.ts';
import { useNow } from './use-now.ts';

const absoluteFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A timestamp of the API: relative, with the exact time on hover; or `exact`. */
export function Time({ at, exact = false }: { at: string | null; exact?: boolean }) {
  if (at === null) return <span class="soft">–</span>;
  if (!exact) return <RelativeTime at={at} />;
  return (
    <time dateTime={at} title={at}>
      {absoluteFormat.format(new Date(at))}
    </time>
  );
}

/** A time such as "2 minutes ago", which stays true while it is shown. */
function RelativeTime({ at }: { at: string }) {
  const date = new Date(at);
  const seconds = (date.getTime() - useNow(date.getTime())) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[5];
  return (
    <time dateTime={at} title={absoluteFormat.format(date)}>
      {relativeFormat.format(Math.round(seconds / size), unit)}
    </time>
  );
}

/** A deadline as a verb and its time: "ends in 5 minutes", then "ended 5 minutes ago". */
export function Deadline(props: { at: string; before: string; after: string }) {
  const time = new Date(props.at).getTime();
  return (
    <>
      {useNow(time) < time ? props.before : props.after} <Time at={props.at} />
    </>
  );
}

/** A timestamp, or "Never" without one. */
export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? <span class="soft">Never</span> : <Time at={at} />;
}

/** The time of the next attempt, or "As soon as possible" once it is due. */
export function NextAttempt({ at, exact = false }: { at: string | null; exact?: boolean }) {
  const time = at === null ? 0 : new Date(at).getTime();
  if (time - useNow(time) >= 1_000 || at === null) {
    return (
      <>
        <Time at={at} />
        {exact && (
          <>
            , <Time at={at} exact />
          </>
        )}
      </>
    );
  }
  return <>As soon as possible</>;
}

/** Formats 75 as `1 min 15 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const tones: Record<string, 'good' | 'warn' | 'bad' | 'busy'> = {
  available: 'good',
  succeeded: 'good',
  active: 'good',
  enabled: 'good',
  healthy: 'good',
  enforce: 'good',
  submitted: 'good',
  partially_succeeded: 'warn',
  awaiting_review: 'warn',
  paused: 'warn',
  warning: 'warn',
  degraded: 'warn',
  audit: 'warn',
  trashed: 'warn',
  cancelling: 'warn',
  failed: 'bad',
  rejected: 'bad',
  exhausted: 'bad',
  revoked: 'bad',
  expired: 'bad',
  critical: 'bad',
  failing: 'bad',
  open: 'busy',
  running: 'busy',
  queued: 'busy',
  processing: 'busy',
  delivering: 'busy',
};

/** The icons of states that have a more specific one than their tone. */
const stateIcons: Record<string, IconName> = {
  queued: 'waiting',
  pending: 'waiting',
  paused: 'paused',
  trashed: 'trash',
  awaiting_review: 'reviews',
  open: 'reviews',
  disabled: 'off',
  cancelled: 'off',
  revoked: 'off',
  expired: 'off',
  audit: 'reviews',
};

/** A badge with the name of a state, as in the API. */
export function StateBadge({ state }: { state: string }) {
  const tone = tones[state];
  const icon = stateIcons[state] ?? tone;
  return (
    <span class={`badge ${tone ?? ''}`}>
      {icon && <Icon name={icon} size={14} {...(icon === 'busy' ? { class: 'turns' } : {})} />}
      <span class="badge-text">{state.replaceAll('_', ' ')}</span>
    </span>
  );
}

/** Copies text to the clipboard. `subject` names the text for screen readers. */
export function CopyButton({
  text,
  subject,
  children,
}: {
  text: string;
  subject: string;
  children?: ComponentChildren;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    window.setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button
      small
      quiet
      icon={copied ? 'check' : 'copy'}
      {...(children ? {} : { class: 'icon-only' })}
      label={copied ? `Copied ${subject}` : `Copy ${subject}`}
      title={copied ? 'Copied' : 'Copy'}
      onClick={() => void copy()}
    >
      {children && (copied ? 'Copied' : children)}
    </Button>
  );
}

/** An identifier with a button that copies it. */
export function Id({ id }: { id: string }) {
  return (
    <span class="mono id">
      {id} <CopyButton text={id} subject={id} />
    </span>
  );
}

/** A progress bar. */
export function Progress({
  percent,
  label,
  bad = false,
}: {
  percent: number;
  label: string;
  bad?: boolean;
}) {
  return (
    <div
      class={`progress${bad ? ' bad' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}
