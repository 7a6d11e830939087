import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icons/icon.tsx';

type Tone = 'good' | 'bad';
/** An action, or a page of the portal to go to. */
type ToastAction = { label: string } & ({ run: () => void } | { href: string });
interface Toast {
  id: number;
  tone: Tone;
  text: string;
  actions: readonly ToastAction[];
}

const shownMs = 8_000;
let toasts: Toast[] = [];
let last = 0;
let show: (toasts: Toast[]) => void = () => undefined;

/** Whether a message offers to undo an action. */
const isUndoable = (actions: readonly ToastAction[]): boolean =>
  actions.some((action) => 'run' in action);

/**
 * Shows a message for 8 seconds. Errors, and messages with an action, stay until dismissed. Only
 * the latest message with an undo stays, so that they do not cover the content below.
 */
export function toast(tone: Tone, text: string, ...actions: readonly ToastAction[]): void {
  const id = ++last;
  const earlier = isUndoable(actions) ? toasts.filter((one) => !isUndoable(one.actions)) : toasts;
  toasts = [...earlier.slice(-4), { id, tone, text, actions }];
  show(toasts);
  if (tone === 'good' && actions.length === 0) window.setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  toasts = toasts.filter((one) => one.id !== id);
  show(toasts);
}

/** Renders the toasts; used once, by the app. */
export function Toasts() {
  const [shown, setShown] = useState(toasts);
  useEffect(() => {
    show = setShown;
    return () => {
      show = () => undefined;
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map((one) => (
        <div key={one.id} class={`notice ${one.tone}`}>
          <Icon name={one.tone} />
          <span>{one.text}</span>
          {one.actions.map((action) => (
            <Action key={action.label} of={action} onDone={() => dismiss(one.id)} />
          ))}
          <IconButton icon="close" small label="Dismiss message" onClick={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  );
}

function Action({ of: action, onDone }: { of: ToastAction; onDone: () => void }) {
  if ('href' in action) {
    return (
      <Link href={action.href} class="button small" onClick={onDone}>
        {action.label}
      </Link>
    );
  }
  return (
    <Button
      small
      onClick={() => {
        onDone();
        action.run();
      }}
    >
      {action.label}
    </Button>
  );
}
