import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks.ts';
import { requestFor } from '../../api/request.ts';
import { ApiCalls } from '../../kit/api-calls.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/fields/field.tsx';
import { ProblemNotice } from '../../kit/states.tsx';
import { CopyButton, Time } from '../../kit/values.tsx';

const lifetimes: readonly (readonly [string, string])[] = [
  ['300', '5 minutes'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['604800', '7 days'],
];

/** Creates a signed URL: a download link that works without an API key until it expires. */
export function SignedUrlDialog({ objectId, onClose }: { objectId: string; onClose: () => void }) {
  const [ttl, setTtl] = useState('3600');
  const [inline, setInline] = useState(false);
  const [signedUrl, setSignedUrl] = useState<{ url: string; expires_at: string } | null>(null);
  const { run, busy, problem } = useAction({ quiet: true });
  const request = requestFor('createSignedUrl', {
    id: objectId,
    body: {
      ttl_seconds: Number(ttl),
      disposition: inline ? 'inline' : 'attachment',
    },
  });
  const create = async (): Promise<void> => {
    const answer = await run(request);
    if (answer) setSignedUrl(answer.data);
  };
  const url = signedUrl && new URL(signedUrl.url, window.location.origin).href;
  return (
    <Dialog
      title="Signed URL"
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <ApiCalls calls={[['Create signed URL', request]]} />
          <Button onClick={onClose}>Close</Button>
          <Button primary type="submit" busy={busy}>
            {signedUrl ? 'Create another' : 'Create URL'}
          </Button>
        </>
      }
    >
      <p>
        Anyone with the URL can download this file without an API key until the URL expires. It
        stops working earlier if your key is revoked or the file is trashed.
      </p>
      <SelectField label="Expires after" value={ttl} onChange={setTtl} options={lifetimes} />
      <SelectField
        label="In the browser"
        value={inline ? 'inline' : 'attachment'}
        onChange={(value) => setInline(value === 'inline')}
        options={[
          ['attachment', 'Download the file'],
          ['inline', 'Display the file if possible'],
        ]}
      />
      <ProblemNotice problem={problem} />
      {url && signedUrl && (
        <div class="stack" role="status">
          <p class="code">{url}</p>
          <div class="row">
            <CopyButton text={url} subject="URL">
              Copy URL
            </CopyButton>
            <span class="soft">
              Expires <Time at={signedUrl.expires_at} exact />
            </span>
          </div>
        </div>
      )}
    </Dialog>
  );
}
