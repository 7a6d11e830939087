import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import './developers.css';

interface SecretProps {
  title: string;
  /** What it is, within a sentence: "the API key". */
  what: string;
  secret: string;
  onClose: () => void;
  /** How to use it. */
  children?: ComponentChildren;
}

/** A secret that is shown this once; who closes before copying it is asked again. */
export function SecretDialog({ title, what, secret, onClose, children }: SecretProps) {
  const [copied, setCopied] = useState(false);
  const [asked, setAsked] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
    setAsked(false);
  };
  const close = () => (copied || asked ? onClose() : setAsked(true));
  return (
    <Dialog
      title={title}
      wide={children !== undefined}
      onClose={close}
      footer={
        <>
          {asked && (
            <p class="dev-fault" role="alert">
              It has not been copied, and is shown nowhere again.
            </p>
          )}
          <Button danger={asked} onClick={close}>
            {asked ? 'Close without copying' : 'Done'}
          </Button>
        </>
      }
    >
      <p class="notice warn">
        This is the only time that {what} is shown. Keep it where secrets are kept, not in code.
      </p>
      <div class="dev-secret">
        <code>{secret}</code>
        <Button primary onClick={() => void copy()}>
          {copied ? 'Copied' : `Copy ${what}`}
        </Button>
      </div>
      {children}
    </Dialog>
  );
}
