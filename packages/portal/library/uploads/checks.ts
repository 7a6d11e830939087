import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { type AnswerOf, ApiProblem, requestFor, send } from '../../api/request.ts';
import type { ChosenFile } from './files.ts';

const atOnce = 4;
/** Types that browsers report for unknown files; the service then detects the type itself. */
const unknownTypes = ['', 'application/octet-stream', 'text/plain'];

/** Returns the files that exceed the service's limits. */
export function checkLimits(
  files: readonly ChosenFile[],
  limits: AnswerOf<'getLimits'>,
): Map<ChosenFile, ApiProblem> {
  const max = limits.resumable_upload_bytes;
  const found = new Map<ChosenFile, ApiProblem>();
  for (const chosen of files) {
    const { size } = chosen.file;
    if (size === 0) found.set(chosen, rejection('empty_file', 'The file must not be empty.'));
    if (size > max) {
      const detail = `The file has ${formatBytes(size)}; the maximum is ${formatBytes(max)}.`;
      found.set(chosen, rejection('payload_too_large', detail));
    }
  }
  return found;
}

/**
 * Returns the files that policies would deny, judging by type, size and tags. Among files of the
 * same type, the largest is evaluated first: if it passes, so do the smaller ones.
 * @throws ApiProblem if the policies cannot be evaluated
 */
export async function checkPolicies(
  files: readonly ChosenFile[],
  tags: readonly string[],
  signal: AbortSignal,
): Promise<Map<ChosenFile, ApiProblem>> {
  const found = new Map<ChosenFile, ApiProblem>();
  const ask = async (chosen: ChosenFile): Promise<boolean> => {
    const { type, size: bytes } = chosen.file;
    const said = unknownTypes.includes(type) ? {} : { mime: type };
    const candidate = { bytes, tags: [...tags], ...said };
    const { data } = await send(
      requestFor('evaluatePolicies', { body: { action: 'upload', candidate } }),
      signal,
    );
    if (data.decision !== 'deny') return true;
    const [first] = data.violations;
    const detail = first?.detail ?? 'A policy denies this file.';
    found.set(chosen, rejection('policy_denied', detail, { violations: data.violations }));
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

function rejection(code: string, detail: string, more: Record<string, unknown> = {}): ApiProblem {
  return new ApiProblem({
    ...{ type: 'about:blank', title: 'Rejected', status: 403, retryable: false, request_id: '' },
    ...{ code, detail, ...more },
  });
}
