import { useState } from 'preact/hooks';
import { asProblem } from '../../api/hooks.ts';
import { fetchOrThrow, requestFor, urlOf } from '../../api/request.ts';
import { Button } from '../../kit/button.tsx';
import { toast } from '../../kit/toasts.tsx';
import { useSession } from '../../shell/session.tsx';

const formats = [
  ['PDF', 'application/pdf'],
  ['JSON', 'application/json'],
] as const;

/** Downloads the certificate of a redaction, and leads to the page that verifies it. */
export function CertificateButtons({ jobId }: { jobId: string }) {
  const { session } = useSession();
  const [busy, setBusy] = useState(false);
  const download = async (format: string, mime: string): Promise<void> => {
    setBusy(true);
    try {
      const answer = await fetchOrThrow(urlOf(requestFor('getCertificate', { id: jobId })), {
        headers: { Accept: `${mime}, application/problem+json` },
      });
      const url = URL.createObjectURL(await answer.blob());
      const link = document.createElement('a');
      link.href = url;
      link.download = `certificate-${jobId}.${format.toLowerCase()}`;
      link.click();
      // The download has started by then.
      window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      toast('bad', asProblem(error).message);
    }
    setBusy(false);
  };
  return (
    <>
      {formats.map(([format, mime]) => (
        <Button key={format} small busy={busy} onClick={() => void download(format, mime)}>
          Certificate ({format})
        </Button>
      ))}
      <a
        class="button small"
        href={`/verify?project=${session.project_id}`}
        target="_blank"
        rel="noreferrer"
      >
        Verify certificate
      </a>
    </>
  );
}
