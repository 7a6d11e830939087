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

const durationMs = 8_000;
/** More would cover the content. */
const maxToasts = 3;
let toasts: Toast[] = [];
let lastId = 0;
let renderToasts: (toasts: Toast[]) => void = () => undefined;

/** Whether a message offers to undo an action. */
const isUndoable = (actions: readonly ToastAction[]): boolean =>
  actions.some((action) => 'run' in action);

/**
 * Shows a message for 8 seconds. Errors, and messages with an action, stay until dismissed. A
 * message that offers Undo replaces earlier ones that do, so that they do not cover the content.
 */
export function toast(tone: Tone, text: string, ...actions: readonly ToastAction[]): void {
  const id = ++lastId;
  const earlierToasts = isUndoable(actions)
    ? toasts.filter((one) => !isUndoable(one.actions))
    : toasts;
  toasts = [...earlierToasts.slice(1 - maxToasts), { id, tone, text, actions }];
  renderToasts(toasts);
  if (tone === 'good' && actions.length === 0) window.setTimeout(() => dismiss(id), durationMs);
}

function dismiss(id: number): void {
  toasts = toasts.filter((one) => one.id !== id);
  renderToasts(toasts);
}

/** Renders the toasts; used once, by the app. */
export function Toasts() {
  const [visibleToasts, setVisibleToasts] = useState(toasts);
  useEffect(() => {
    renderToasts = setVisibleToasts;
    return () => {
      renderToasts = () => undefined;
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {visibleToasts.map((one) => (
        <div key={one.id} class={`notice ${one.tone}`}>
          <Icon name={one.tone} />
          <span>{one.text}</span>
          <IconButton icon="close" small label="Dismiss message" onClick={() => dismiss(one.id)} />
          {one.actions.length > 0 && (
            <div class="toast-actions">
              {one.actions.map((action) => (
                <Action key={action.label} of={action} onDone={() => dismiss(one.id)} />
              ))}
            </div>
          )}
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
