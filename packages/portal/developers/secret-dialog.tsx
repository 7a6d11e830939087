import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import './developers.css';

interface SecretProps {
  title: string;
  /** The name of the secret within a sentence: "API key". */
  what: string;
  secret: string;
  /** What to do with it. Default: store it as a secret. */
  advice?: string;
  onClose: () => void;
  /** Instructions for its use. */
  children?: ComponentChildren;
}

/** Shows a secret once. Closing the dialog before copying the secret asks for confirmation. */
export function SecretDialog(props: SecretProps) {
  const { title, what, secret, onClose, children } = props;
  const { advice = 'Store it in a secret manager, not in code.' } = props;
  const [isCopied, setIsCopied] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setIsCopied(true);
    setIsConfirming(false);
  };
  const close = () => (isCopied || isConfirming ? onClose() : setIsConfirming(true));
  return (
    <Dialog
      title={title}
      wide={children !== undefined}
      onClose={close}
      footer={
        <>
          {isConfirming && (
            <p class="dev-fault" role="alert">
              You have not copied the {what}. You cannot view it again.
            </p>
          )}
          <Button danger={isConfirming} onClick={close}>
            {isConfirming ? 'Close without copying' : 'Done'}
          </Button>
        </>
      }
    >
      <p class="notice warn">
        This {what} is shown only once. {advice}
      </p>
      <div class="dev-secret">
        <code>{secret}</code>
        <Button primary onClick={() => void copy()}>
          {isCopied ? 'Copied' : `Copy ${what}`}
        </Button>
      </div>
      {children}
    </Dialog>
  );
}

/** The options for how long a replaced secret keeps working, in seconds. */
export const overlapOptions: readonly (readonly [seconds: string, label: string])[] = [
  ['0', 'Immediately'],
  ['3600', 'After 1 hour'],
  ['86400', 'After 1 day'],
  ['259200', 'After 3 days'],
  ['604800', 'After 7 days'],
];
