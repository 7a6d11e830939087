import { expect } from 'chai';
import { OperationFailed } from '../../src/jobs/operations/operation-failed.ts';
import { reportableFailure } from '../../src/jobs/steps/step.ts';
import { StorageError } from '../../src/storage/storage.ts';

describe('the failure of a step', () => {
  it('names missing bytes of the source, but only once they were looked for often enough', () => {
    const error = new StorageError('not_found', 'There are no such bytes.');
    expect(reportableFailure(error, false)).to.equal(null);
    expect(reportableFailure(error, true)).to.deep.equal({
      code: 'source_unavailable',
      message: 'The bytes of the source object are missing from the storage.',
      retryable: true,
    });
  });

  it('is left to a retry while the storage does not respond', () => {
    const error = new StorageError('unavailable', 'The storage does not respond.');
    expect(reportableFailure(error, true)).to.equal(null);
  });

  it('is told at once if the operation knows it', () => {
    const failure = { code: 'source_unavailable', message: 'Gone.', retryable: false } as const;
    expect(reportableFailure(new OperationFailed(failure), false)).to.deep.equal(failure);
  });
});
