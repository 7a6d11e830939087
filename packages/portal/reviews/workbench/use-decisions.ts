import type { FindingRecord } from '@scriptorium/contracts/wire/reviews';
import { useRef } from 'preact/hooks';
import { outcomeOf } from '../finding-text.ts';
import {
  adjacentGroup,
  type FindingGroup,
  findingsToDecide,
  groupWith,
  leadOf,
  nextPendingGroups,
} from './side/groups.ts';
import type { ReviewWork } from './store/review-work.ts';

/** The verbs of the decisions that people make with a single key. */
type Verb = 'accept' | 'reject';

export type Decisions = ReturnType<typeof useDecisions>;

/** Moves through the findings, and decides about them. */
export function useDecisions(props: {
  work: ReviewWork;
  groups: readonly FindingGroup[];
  current: FindingRecord | undefined;
  mayDecide: boolean;
  select: (id: string | undefined) => void;
}) {
  const { work, groups, current, mayDecide, select } = props;
  const group = groupWith(groups, current?.id);
  /** When values were decided in this tab. */
  const decidedAt = useRef<number[]>([]);
  const selectGroup = (next: FindingGroup | undefined): void => select(next && leadOf(next).id);
  const step = (direction: 1 | -1): void => selectGroup(adjacentGroup(groups, group, direction));
  const decideFindings = (findings: readonly FindingRecord[], verb: Verb): void => {
    decidedAt.current.push(performance.now());
    const ids = findings.map(({ id }) => id);
    void work.decide(ids, verb);
  };
  /** Returns whether the current finding can be decided. Otherwise does what the key means instead. */
  const canDecide = (verb: Verb): boolean => {
    if (!mayDecide || !work.held.isComplete) return false;
    if (!current) step(1);
    else if (current.source === 'person' && verb === 'reject') void work.remove(current);
    return current?.source === 'detector';
  };
  return {
    step,
    /** Goes to the previous or next finding of the same value. */
    stepPlace(direction: 1 | -1): void {
      const at = group?.findings.findIndex(({ id }) => id === current?.id) ?? -1;
      if (at >= 0) select(group?.findings[at + direction]?.id);
    },
    /** Decides about all findings of the value, and goes to the next pending value. */
    decide(verb: Verb): void {
      if (!canDecide(verb) || !current) return;
      const [next] = nextPendingGroups(groups, group, 1);
      decideFindings(group ? findingsToDecide(group, current) : [current], verb);
      selectGroup(next);
    },
    /** Decides about the current finding only, and goes to the next pending one of the value. */
    decidePlace(verb: Verb): void {
      if (!canDecide(verb) || !current) return;
      const isOther = (one: FindingRecord): boolean =>
        one.id !== current.id && outcomeOf(one) === 'pending';
      const nextPlace = group?.findings.find(isOther);
      const [nextGroup] = nextPendingGroups(groups, group, 1);
      decideFindings([current], verb);
      select(nextPlace?.id ?? (nextGroup && leadOf(nextGroup).id));
    },
    /** Changes the type of the current finding and of those of its value that were not rejected. */
    retype(type: string): void {
      if (!current || !mayDecide || !work.held.isComplete) return;
      const isToChange = (one: FindingRecord): boolean =>
        one.id === current.id || outcomeOf(one) !== 'rejected';
      void work.retype((group?.findings ?? [current]).filter(isToChange), type);
    },
    async undo(): Promise<void> {
      if (mayDecide) select(await work.undo());
    },
    /** When values were decided in this tab, in milliseconds since it was opened. */
    decidedAt: decidedAt.current,
    group,
  };
}
