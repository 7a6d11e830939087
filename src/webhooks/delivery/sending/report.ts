import type { Logger } from '../../../logger.ts';
import { prefixAttributes, type Tracing, traceFields } from '../../../tracing.ts';
import type { DialResult } from '../../dialing/dial.ts';
import { judgeExchange } from '../settling/verdict.ts';
import type { ClaimedDelivery } from './claim.ts';

/**
 * The fields of every log line about an attempt: the delivery, its request and its event. Excludes
 * the destination: a URL may contain a secret.
 */
export function attemptFields(delivery: ClaimedDelivery): Record<string, string | number | null> {
  const { resourceType, resourceId } = delivery;
  return {
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    webhook_id: delivery.endpoint.id,
    project_id: delivery.endpoint.projectId,
    request_id: delivery.requestId,
    ...(resourceType === 'job' ? { job_id: resourceId } : {}),
    ...(resourceType === 'object' ? { object_id: resourceId } : {}),
    attempt: delivery.attempt,
    trigger: delivery.trigger,
  };
}

/**
 * Starts to report an attempt, in the log and in the trace of its event; the returned function
 * reports the outcome. The receiver gets no traceparent: the message already identifies event and
 * request, and an unsigned header would link its spans to traces that it cannot see.
 */
export function reportAttempt(
  { logger, tracing }: { logger: Logger; tracing: Tracing },
  delivery: ClaimedDelivery,
): (result: DialResult) => void {
  if (!tracing.isEnabled && !logger.isLevelEnabled('info')) return () => undefined;
  const fields = attemptFields(delivery);
  const span = tracing.start('deliver', {
    kind: 'client',
    parent: delivery.traceParent,
    attributes: tracing.isEnabled
      ? {
          'http.request.method': 'POST',
          'http.request.resend_count': delivery.attempt - 1,
          ...prefixAttributes(fields),
        }
      : {},
  });
  return (result) => {
    const { succeeded, error } = judgeExchange(result);
    const status = result.outcome === 'answered' ? result.status : null;
    if (tracing.isEnabled) {
      span.set({ 'http.response.status_code': status });
      if (error) span.fail(status === null ? error.code : String(status));
      span.end();
    }
    logger.info(
      {
        ...fields,
        ...traceFields(span),
        outcome: succeeded ? 'succeeded' : 'failed',
        status,
        error: error?.code ?? null,
        ms: Math.round(result.timings?.total ?? 0),
      },
      'a delivery was attempted',
    );
  };
}
