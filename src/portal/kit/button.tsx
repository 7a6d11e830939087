import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  type?: 'button' | 'submit';
  primary?: boolean;
  danger?: boolean;
  quiet?: boolean;
  small?: boolean;
  disabled?: boolean;
  /** The action is in progress: announced as busy, and disabled. */
  busy?: boolean;
  /** The accessible name, where the children are not enough. */
  label?: string;
  title?: string;
  pressed?: boolean;
  expanded?: boolean;
  class?: string;
}

export function Button(props: ButtonProps) {
  const { children, type = 'button', busy = false, disabled = false, label } = props;
  return (
    <button
      type={type}
      class={classOf(props)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      aria-label={label}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      title={props.title}
      onClick={props.onClick}
    >
      {children}
    </button>
  );
}

/** A link within the portal, styled as a button. */
export function ButtonLink(props: Omit<ButtonProps, 'onClick' | 'type'> & { href: string }) {
  return (
    <Link href={props.href} class={classOf(props)} aria-label={props.label}>
      {props.children}
    </Link>
  );
}

function classOf(props: Partial<ButtonProps>): string {
  const { primary, danger, quiet, small } = props;
  const names = { primary, danger, quiet, small };
  const on = Object.entries(names).flatMap(([name, is]) => (is ? [name] : []));
  return ['button', ...on, props.class ?? ''].join(' ').trim();
}
