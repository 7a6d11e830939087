import { expect } from 'chai';
import { fuzzApi } from './api/run.ts';

describe('the API, asked at random', () => {
  it('answers as its document says, shows no project another, and never fails', async () => {
    const { findings } = await fuzzApi({ seed: 21, requests: 1_500, lanes: 2 });
    const told = findings.all.map(({ what, operation, request, answer }) =>
      [`${operation}: ${what}`, request, '=>', answer].join('\n'),
    );
    expect(told).to.deep.equal([]);
    // Requests that only fail would prove little.
    expect(findings.succeeded.length).to.be.greaterThan(90);
  });
});
