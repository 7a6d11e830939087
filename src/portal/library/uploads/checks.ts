import { ApiProblem, send } from '../../api/request.ts';
import { formatBytes } from '../../kit/values.tsx';
import type { ChosenFile } from './files.ts';
import { evaluateUpload, type Limits } from './requests.ts';

const atOnce = 4;
/** What browsers say of files they do not know; the service goes by the bytes then. */
const saysNothing = ['', 'application/octet-stream', 'text/plain'];

/** Which files the service's limits refuse, whoever asks. */
export function checkLimits(
  files: readonly ChosenFile[],
  limits: Limits,
): Map<ChosenFile, ApiProblem> {
  const most = limits.resumable_upload_bytes;
  const found = new Map<ChosenFile, ApiProblem>();
  for (const chosen of files) {
    const { size } = chosen.file;
    if (size === 0) found.set(chosen, refusal('empty_file', 'The file has no bytes.'));
    if (size > most) {
      const detail = `It has ${formatBytes(size)}; at most ${formatBytes(most)} can be uploaded.`;
      found.set(chosen, refusal('payload_too_large', detail));
    }
  }
  return found;
}

/**
 * Which files the project's policies would refuse, by what is known before their bytes are read. Of
 * files of one type the largest is asked about first: where it passes, so do the smaller ones.
 * @throws ApiProblem where the policies cannot be asked
 */
export async function checkPolicies(
  files: readonly ChosenFile[],
  tags: readonly string[],
  signal: AbortSignal,
): Promise<Map<ChosenFile, ApiProblem>> {
  const found = new Map<ChosenFile, ApiProblem>();
  const ask = async (chosen: ChosenFile): Promise<boolean> => {
    const { type, size: bytes } = chosen.file;
    const said = saysNothing.includes(type) ? {} : { mime: type };
    const candidate = { bytes, tags: [...tags], ...said };
    const { data } = await send(evaluateUpload(candidate), signal);
    if (data.decision !== 'deny') return true;
    const [first] = data.violations;
    const detail = first?.detail ?? 'A policy does not allow this file.';
    found.set(chosen, refusal('policy_denied', detail, { violations: data.violations }));
    return false;
  };
  const byType = new Map<string, ChosenFile[]>();
  for (const chosen of files) {
    byType.set(chosen.file.type, [...(byType.get(chosen.file.type) ?? []), chosen]);
  }
  for (const alike of byType.values()) {
    const [largest, ...smaller] = [...alike].sort((a, b) => b.file.size - a.file.size);
    if (await ask(largest!)) continue;
    for (let at = 0; at < smaller.length; at += atOnce) {
      await Promise.all(smaller.slice(at, at + atOnce).map(ask));
    }
  }
  return found;
}

function refusal(code: string, detail: string, more: Record<string, unknown> = {}): ApiProblem {
  return new ApiProblem({
    ...{ type: 'about:blank', title: 'Refused', status: 403, retryable: false, request_id: '' },
    ...{ code, detail, ...more },
  });
}
