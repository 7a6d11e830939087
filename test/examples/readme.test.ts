import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { checkout, runFile } from '../support/run.ts';

const body = '{"test": 2432232314}';
const at = 1_614_265_330;
/** The vectors of Standard Webhooks, which its libraries are tested with. */
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(at),
  'webhook-signature': [
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  ].join(' '),
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const publicKey = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

/** What is tried: whether it has to hold, and what is changed for it. */
const cases = [
  { holds: true, body, now: at },
  { holds: true, body, now: at + 299 },
  { holds: false, body, now: at + 301 },
  { holds: false, body, now: at - 301 },
  { holds: false, body: `${body} `, now: at },
];

describe('README: verifying by hand', () => {
  let readme: string;
  let folder: string;
  before(async () => {
    readme = await readFile(join(checkout, 'README.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-readme-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** The code block of the README that begins with this line. */
  const block = (first: string): string => {
    const start = readme.indexOf(first);
    expect(start, first).to.be.at.least(0);
    return readme.slice(start, readme.indexOf('```', start));
  };

  it('in Python holds for what is signed, and for nothing else', async function () {
    const python = promisify(execFile);
    const there = await python('python3', ['--version']).catch(() => null);
    if (!there) this.skip();
    const program = join(folder, 'verify.py');
    const rest = `
import json, sys
given = json.loads(sys.argv[1])
for one in given["cases"]:
    try:
        verify(given["secret"], given["headers"], one["body"].encode(), lambda: one["now"])
        print("true")
    except ValueError:
        print("false")
`;
    await writeFile(program, block('# Python, without any package') + rest);
    const { stdout } = await python('python3', [
      program,
      JSON.stringify({ secret, headers, cases }),
    ]);
    expect(stdout.trim().split('\n')).to.deep.equal(cases.map(({ holds }) => String(holds)));
  });

  it('in TypeScript, v1a, holds for what is signed, and for nothing else', async () => {
    const program = join(folder, 'verify.mts');
    const rest = `
const given = JSON.parse(process.argv[2] ?? '');
for (const { body, now } of given.cases) {
  console.log(verifyV1a(given.publicKey, given.headers, Buffer.from(body), now * 1000));
}
`;
    await writeFile(program, block('// TypeScript, v1a') + rest);
    const { stdout, stderr } = await runFile(program, [
      JSON.stringify({ publicKey, headers, cases }),
    ]);
    expect(stderr).to.equal('');
    expect(stdout.trim().split('\n')).to.deep.equal(cases.map(({ holds }) => String(holds)));
  });
});
