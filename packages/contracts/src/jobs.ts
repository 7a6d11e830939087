import type { Origin } from './origin.ts';

export const jobStates = [
  'queued',
  'running',
  'awaiting_review',
  'cancelling',
  'succeeded',
  'partially_succeeded',
  'failed',
  'cancelled',
] as const;
export type JobState = (typeof jobStates)[number];

const terminalJobStates = [
  'succeeded',
  'partially_succeeded',
  'failed',
  'cancelled',
] as const satisfies readonly JobState[];

/** Whether a job in this state will never change again. */
export function isTerminal(state: JobState): boolean {
  return (terminalJobStates as readonly JobState[]).includes(state);
}

export const operationStates = [
  'pending',
  'running',
  'awaiting_review',
  'succeeded',
  'partially_succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type OperationState = (typeof operationStates)[number];

export const pageStates = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type PageState = (typeof pageStates)[number];

/** A warning about a job that continued anyway. */
export interface JobWarning {
  code: string;
  message: string;
}

/** The origin of a job. Events of its workers have the same actor, address and request. */
export type JobOrigin = Omit<Origin, 'projectId'>;
