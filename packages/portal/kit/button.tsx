import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Icon } from './icons/icon.tsx';
import type { IconName } from './icons/icons.ts';
import type { RovingProps } from './roving.ts';

interface ButtonProps {
  children?: ComponentChildren;
  /** Before the text. */
  icon?: IconName | undefined;
  onClick?: (event: MouseEvent) => void;
  type?: 'button' | 'submit';
  primary?: boolean;
  danger?: boolean;
  quiet?: boolean;
  small?: boolean;
  disabled?: boolean;
  /** The action is in progress: announced as busy, and disabled. */
  busy?: boolean;
  /** The accessible name, if the children are not sufficient. */
  label?: string;
  title?: string;
  pressed?: boolean;
  expanded?: boolean;
  class?: string;
  /** From `useRoving`, for a button in a group that is a single Tab stop. */
  rover?: RovingProps;
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
      {...props.rover}
    >
      <ButtonContent icon={busy ? 'busy' : props.icon}>{children}</ButtonContent>
    </button>
  );
}

/** A link within the portal, styled as a button. */
export function ButtonLink(
  props: Omit<ButtonProps, 'type'> & {
    href: string;
    /** The state of the history entry. */
    state?: unknown;
  },
) {
  return (
    <Link
      href={props.href}
      state={props.state}
      class={classOf(props)}
      aria-label={props.label}
      onClick={props.onClick}
    >
      <ButtonContent icon={props.icon}>{props.children}</ButtonContent>
    </Link>
  );
}

/** A button that shows only an icon. The label is its accessible name and, on hover, its title. */
export function IconButton(
  props: Omit<ButtonProps, 'children' | 'primary' | 'title'> & { icon: IconName; label: string },
) {
  return (
    <Button quiet {...props} title={props.label} class={`icon-only ${props.class ?? ''}`.trim()} />
  );
}

function ButtonContent({ icon, children }: Pick<ButtonProps, 'icon' | 'children'>) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
}

function classOf(props: Partial<ButtonProps>): string {
  const { primary, danger, quiet, small } = props;
  const names = { primary, danger, quiet, small };
  const activeClasses = Object.entries(names).flatMap(([name, isActive]) =>
    isActive ? [name] : [],
  );
  return ['button', ...activeClasses, props.class ?? ''].join(' ').trim();
}
