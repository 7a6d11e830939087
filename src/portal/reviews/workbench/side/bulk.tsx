import type { FindingRecord } from '../../../../contracts/wire/reviews.ts';
import { Button } from '../../../kit/button.tsx';

/** Decides about all findings that the filter shows. */
export function Bulk(props: {
  findings: readonly FindingRecord[];
  /** The number of all findings loaded. */
  of: number;
  isComplete: boolean;
  mayDecide: boolean;
  onDecide: (verb: 'accept' | 'reject') => void;
}) {
  const { findings, of, isComplete, mayDecide, onDecide } = props;
  const isUsable = isComplete && findings.some(({ source }) => source === 'detector');
  return (
    <div class="bench-bulk">
      <span class="soft" role="status">
        {findings.length === of
          ? `${of.toLocaleString()} findings`
          : `${findings.length.toLocaleString()} of ${of.toLocaleString()} findings`}
        {!isComplete && ', loading…'}
      </span>
      {mayDecide && (
        <div class="row">
          <Button small disabled={!isUsable} onClick={() => onDecide('accept')}>
            Accept all shown
          </Button>
          <Button small disabled={!isUsable} onClick={() => onDecide('reject')}>
            Reject all shown
          </Button>
        </div>
      )}
    </div>
  );
}
