import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icons/icon.tsx';
import type { IconName } from './icons/icons.ts';

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const steps = [
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
  const date = new Date(at);
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? steps[5];
  return (
    <time dateTime={at} title={exact ? at : absolute.format(date)}>
      {exact ? absolute.format(date) : relative.format(Math.round(seconds / size), unit)}
    </time>
  );
}

/** A timestamp, or "Never" without one. */
export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? <span class="soft">Never</span> : <Time at={at} />;
}

/** The time of the next attempt; as text once that time has passed, when it is due. */
export function NextAttempt({ at, exact = false }: { at: string | null; exact?: boolean }) {
  if (at === null || new Date(at).getTime() - Date.now() >= 1_000) {
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

/** 75 as `1 min 15 s`. */
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

/** States with a more specific icon than that of their tone. */
const signs: Record<string, IconName> = {
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

/** A state as a badge, named as in the API. */
export function State({ state }: { state: string }) {
  const tone = tones[state];
  const icon = signs[state] ?? tone;
  return (
    <span class={`badge ${tone ?? ''}`}>
      {icon && <Icon name={icon} size={14} {...(icon === 'busy' ? { class: 'turns' } : {})} />}
      <span class="badge-text">{state.replaceAll('_', ' ')}</span>
    </span>
  );
}

/** Copies text to the clipboard. `what` names it for screen readers. */
export function Copy({
  text,
  what,
  children,
}: {
  text: string;
  what: string;
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
      label={copied ? `Copied ${what}` : `Copy ${what}`}
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
      {id} <Copy text={id} what={id} />
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
