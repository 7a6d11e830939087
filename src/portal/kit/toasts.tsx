import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

type Tone = 'good' | 'bad';
interface Toast {
  id: number;
  tone: Tone;
  text: string;
}

const shownMs = 8_000;
let toasts: Toast[] = [];
let last = 0;
let show: (toasts: Toast[]) => void = () => undefined;

/** Says what happened, for a few seconds; what failed stays until it is put away. */
export function toast(tone: Tone, text: string): void {
  const id = ++last;
  toasts = [...toasts.slice(-4), { id, tone, text }];
  show(toasts);
  if (tone === 'good') window.setTimeout(() => dismiss(id), shownMs);
}

function dismiss(id: number): void {
  toasts = toasts.filter((one) => one.id !== id);
  show(toasts);
}

/** Where toasts appear; once, in the shell. */
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
          <span>{one.text}</span>
          <Button quiet small label="Dismiss this message" onClick={() => dismiss(one.id)}>
            ×
          </Button>
        </div>
      ))}
    </div>
  );
}
