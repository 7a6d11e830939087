import { expect } from 'chai';
import { run } from '../support/run.ts';
import { expected, given, openVerification, type Verification } from './verification.ts';

/** In JavaScript; verify-languages.test.ts runs the others. */
describe('the verification code in docs/guides/webhooks.md', () => {
  let guide: Verification;
  before(async () => {
    guide = await openVerification();
  });
  after(() => guide.close());

  it('exists in eight languages', () => {
    const languages = guide.blocks
      .filter(({ note }) => note === 'verify')
      .map(({ language }) => language);
    const all = ['js', 'python', 'go', 'ruby', 'php', 'java', 'csharp', 'rust'];
    expect(languages).to.deep.equal(all);
  });

  for (const [name, note, key] of [
    ['verify', 'verify', 'secret'],
    ['verifyV1a', 'verify-v1a', 'publicKey'],
  ] as const) {
    it(`accepts valid messages only: JavaScript, ${note}`, async () => {
      const program = `${guide.code('js', note)}
const given = JSON.parse(process.argv[2]);
for (const { body, now, headers } of given.cases) {
  console.log(${name}(given.${key}, headers, Buffer.from(body), now * 1000));
}
`;
      const file = await guide.write(`${note}.mjs`, program);
      const { stdout, stderr } = await run(process.execPath, [file, given]);
      expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
    });
  }
});
