import { formatBytes } from '@scriptorium/contracts/format-bytes';
import { ApiProblem, type ResponseOf, requestFor, send } from '../../api/request.ts';
import type { ChosenFile } from './files.ts';

const concurrency = 4;
/** Types that browsers report for unknown files; the service then detects the type itself. */
const unknownTypes = ['', 'application/octet-stream', 'text/plain'];

/** Returns the files that exceed the service's limits. */
export function checkLimits(
  files: readonly ChosenFile[],
  limits: ResponseOf<'getLimits'>,
): Map<ChosenFile, ApiProblem> {
  const max = limits.resumable_upload_bytes;
  const rejections = new Map<ChosenFile, ApiProblem>();
  for (const selectedFile of files) {
    const { size } = selectedFile.file;
    if (size === 0)
      rejections.set(selectedFile, rejection('empty_file', 'The file must not be empty.'));
    if (size > max) {
      const detail = `The file has ${formatBytes(size)}; the maximum is ${formatBytes(max)}.`;
      rejections.set(selectedFile, rejection('payload_too_large', detail));
    }
  }
  return rejections;
}

/**
 * Returns the files that policies would deny, given their type, size and tags. Of files with the
 * same type, the largest is evaluated first: if it is allowed, so are the smaller ones.
 * @throws ApiProblem if the policies cannot be evaluated
 */
export async function checkPolicies(
  files: readonly ChosenFile[],
  tags: readonly string[],
  signal: AbortSignal,
): Promise<Map<ChosenFile, ApiProblem>> {
  const rejections = new Map<ChosenFile, ApiProblem>();
  const evaluate = async (selectedFile: ChosenFile): Promise<boolean> => {
    const { type, size: bytes } = selectedFile.file;
    const mimeField = unknownTypes.includes(type) ? {} : { mime: type };
    const candidate = { bytes, tags: [...tags], ...mimeField };
    const { data } = await send(
      requestFor('evaluatePolicies', { body: { action: 'upload', candidate } }),
      signal,
    );
    if (data.decision !== 'deny') return true;
    const [first] = data.violations;
    const detail = first?.detail ?? 'A policy denies this file.';
    rejections.set(
      selectedFile,
      rejection('policy_denied', detail, { violations: data.violations }),
    );
    return false;
  };
  const byType = new Map<string, ChosenFile[]>();
  for (const selectedFile of files) {
    byType.set(selectedFile.file.type, [
      ...(byType.get(selectedFile.file.type) ?? []),
      selectedFile,
    ]);
  }
  for (const sameType of byType.values()) {
    const [largest, ...smaller] = [...sameType].sort((a, b) => b.file.size - a.file.size);
    if (await evaluate(largest!)) continue;
    for (let at = 0; at < smaller.length; at += concurrency) {
      await Promise.all(smaller.slice(at, at + concurrency).map(evaluate));
    }
  }
  return rejections;
}

function rejection(
  code: string,
  detail: string,
  extensions: Record<string, unknown> = {},
): ApiProblem {
  return new ApiProblem({
    type: 'about:blank',
    title: 'Rejected',
    status: 403,
    retryable: false,
    request_id: '',
    code,
    detail,
    ...extensions,
  });
}
