import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { ApiCalls } from '../../kit/api-call.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { Copy, Time } from '../../kit/values.tsx';
import { signUrl } from './requests.ts';

const times: readonly (readonly [string, string])[] = [
  ['300', '5 minutes'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['604800', '7 days'],
];

/** Makes a URL that downloads without a key, for a while. */
export function SignedUrlDialog({ objectId, onClose }: { objectId: string; onClose: () => void }) {
  const [ttl, setTtl] = useState('3600');
  const [inline, setInline] = useState(false);
  const [made, setMade] = useState<{ url: string; expires_at: string } | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const request = signUrl(objectId, {
    ttl_seconds: Number(ttl),
    disposition: inline ? 'inline' : 'attachment',
  });
  const make = async (): Promise<void> => {
    const answer = await run(request);
    if (answer) setMade(answer.data);
  };
  const url = made && new URL(made.url, window.location.origin).href;
  return (
    <Dialog
      title="Signed URL"
      onClose={onClose}
      onSubmit={() => void make()}
      footer={
        <>
          <ApiCalls calls={[['Make the URL', request]]} />
          <Button onClick={onClose}>Close</Button>
          <Button primary type="submit" busy={busy}>
            {made ? 'Make another' : 'Make the URL'}
          </Button>
        </>
      }
    >
      <p>
        Whoever has it can download this file until it ends, without a key. Keep it like a secret.
        It ends early when your key is revoked or the file goes into the trash.
      </p>
      <SelectField label="Good for" value={ttl} onChange={setTtl} options={times} />
      <SelectField
        label="A browser"
        value={inline ? 'inline' : 'attachment'}
        onChange={(value) => setInline(value === 'inline')}
        options={[
          ['attachment', 'saves it'],
          ['inline', 'shows it, where it can'],
        ]}
      />
      <ProblemNotice problem={problem} />
      {url && made && (
        <div class="stack" role="status">
          <p class="code">{url}</p>
          <div class="row">
            <Copy text={url} what="the URL">
              Copy the URL
            </Copy>
            <span class="soft">
              Ends <Time at={made.expires_at} />
            </span>
          </div>
        </div>
      )}
    </Dialog>
  );
}
