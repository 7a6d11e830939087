import type { PagePlan } from '@scriptorium/documents';
import { withFindings } from '@scriptorium/documents/redact/find/locate';
import type { PiiFinding } from '@scriptorium/pii/finding';
import { RecogniserError } from '../../../recogniser/answer.ts';
import type { PermittedRecogniser } from '../../../recogniser/permission.ts';
import type { StepWork } from '../../operation.ts';
import { OperationFailed } from '../../operation-failed.ts';
import { detectorOptionsOf } from '../detector-options.ts';

type Work = StepWork<'redact_pii'>;

/** Adds the findings of the external recogniser to a plan, if it may read the source. */
export async function withExternalFindings(work: Work, plan: PagePlan): Promise<PagePlan> {
  const permitted = await work.permittedRecogniser();
  if (!permitted) return plan;
  const texts = new Set((plan.readings ?? []).map(({ text }) => text));
  const found = await findExternally(work, permitted, [...texts]);
  if (!found) return { ...plan, external: 'unavailable' };
  return { ...withFindings(plan, (text) => found.get(text) ?? []), external: 'searched' };
}

/**
 * Returns the requested findings of the external recogniser in some texts. Null if it is unavailable
 * and policies allow the redaction to continue without it.
 * @throws OperationFailed if it is unavailable and policies do not
 */
export async function findExternally(
  { options, signal }: Work,
  { recogniser, ifUnavailable }: PermittedRecogniser,
  texts: readonly string[],
): Promise<Map<string, PiiFinding[]> | null> {
  const { entities, minConfidence, allowList } = detectorOptionsOf(options);
  const isWanted = ({ type }: PiiFinding): boolean =>
    entities === 'all' || type.startsWith('CUSTOM_') || entities.some((name) => name === type);
  const allowed = new Set(allowList.map(normalise));
  const found = new Map<string, PiiFinding[]>();
  try {
    for (const text of texts) {
      if (text.trim() === '') continue;
      const findings = await recogniser.find(text, minConfidence, signal);
      found.set(
        text,
        findings.filter(
          (one) => isWanted(one) && !allowed.has(normalise(text.slice(one.start, one.end))),
        ),
      );
    }
  } catch (error) {
    if (!(error instanceof RecogniserError)) throw error;
    if (ifUnavailable === 'warn') return null;
    throw new OperationFailed({
      code: 'recogniser_unavailable',
      message: `The external recogniser could not search the text: ${error.message}.`,
      retryable: true,
    });
  }
  return found;
}

const normalise = (text: string): string => text.normalize('NFKC').trim().toLowerCase();
