import type { Failure } from '../contracts/wire/common.ts';

/** An operation ends without outputs, for a reason that trying again does not mend. */
export class OperationFailed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'OperationFailed';
    this.failure = failure;
  }
}
