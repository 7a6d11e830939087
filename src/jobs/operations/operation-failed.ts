import type { Failure } from '@scriptorium/contracts/wire/common';

/** An operation failed without outputs, for a reason that a retry cannot fix. */
export class OperationFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'OperationFailed';
    this.failure = failure;
  }
}
