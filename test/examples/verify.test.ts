import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../support/run.ts';
import { type Block, blocksOf } from './pages.ts';

const body = '{"test": 2432232314}';
const at = 1_614_265_330;
/** The test vectors of Standard Webhooks. */
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

const cases = [
  { holds: true, body, now: at },
  { holds: true, body, now: at + 299 },
  { holds: false, body, now: at + 301 },
  { holds: false, body, now: at - 301 },
  { holds: false, body: `${body} `, now: at },
];
const expected = cases.map(({ holds }) => String(holds));
const given = JSON.stringify({ secret, publicKey, headers, cases });

describe('the verification code in docs/guides/webhooks.md', () => {
  let blocks: Block[];
  let folder: string;
  before(async () => {
    blocks = await blocksOf('docs/guides/webhooks.md');
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-verify-'));
  });
  after(() => rm(folder, { recursive: true }));

  const code = (language: string, note = 'verify'): string => {
    const found = blocks.find((block) => block.language === language && block.note === note);
    expect(found, `${language} ${note}`).to.be.an('object');
    return found!.text;
  };
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };
  const has = async (command: string): Promise<boolean> =>
    (await run('bash', ['-c', `command -v ${command}`])).code === 0;

  it('exists in eight languages', () => {
    const languages = blocks
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
      const program = `${code('js', note)}
const given = JSON.parse(process.argv[2]);
for (const { body, now } of given.cases) {
  console.log(${name}(given.${key}, given.headers, Buffer.from(body), now * 1000));
}
`;
      const file = await write(`${note}.mjs`, program);
      const { stdout, stderr } = await run(process.execPath, [file, given]);
      expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
    });
  }

  it('accepts valid messages only: Python', async function () {
    if (!(await has('python3'))) this.skip();
    const program = `${code('python')}

import json, sys
given = json.loads(sys.argv[1])
for one in given["cases"]:
    print(str(verify(given["secret"], given["headers"], one["body"].encode(), lambda: one["now"])).lower())
`;
    const { stdout, stderr } = await run('python3', [await write('verify.py', program), given]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Java', async function () {
    if (!(await has('javac'))) this.skip();
    const calls = cases.map(
      ({ body: text, now }) =>
        `System.out.println(Webhook.verify(${JSON.stringify(secret)}, headers, ${JSON.stringify(text)}.getBytes("UTF-8"), ${now}L));`,
    );
    const puts = Object.entries(headers).map(
      ([name, value]) => `headers.put(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    const main = `final class Main {
  public static void main(String[] args) throws Exception {
    Map<String, String> headers = new java.util.HashMap<>();
    ${puts.join('\n')}
    ${calls.join('\n')}
  }
}`;
    const file = await write('Main.java', `${code('java')}\n${main}\n`);
    const compiled = await run('javac', ['-d', folder, file]);
    expect(compiled.code, compiled.stderr).to.equal(0);
    const { stdout, stderr } = await run('java', ['-cp', folder, 'Main']);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Go', async function () {
    if (!(await has('go'))) this.skip();
    const set = Object.entries(headers).map(
      ([name, value]) => `headers.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    );
    const calls = cases.map(
      ({ body: text, now }) =>
        `fmt.Println(Verify(${JSON.stringify(secret)}, headers, []byte(${JSON.stringify(text)}), time.Unix(${now}, 0)))`,
    );
    const main = `func main() {\n\theaders := http.Header{}\n\t${[...set, ...calls].join('\n\t')}\n}\n`;
    const program = `${code('go')}\n${main}`
      .replace('package webhook', 'package main')
      .replace('import (', 'import (\n\t"fmt"');
    const { stdout, stderr } = await run('go', ['run', await write('main.go', program)]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Ruby', async function () {
    if (!(await has('ruby'))) this.skip();
    const program = `${code('ruby')}
require "json"
given = JSON.parse(ARGV[0])
given["cases"].each { |one| puts verify(given["secret"], given["headers"], one["body"], one["now"]) }
`;
    const { stdout, stderr } = await run('ruby', [await write('verify.rb', program), given]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: PHP', async function () {
    if (!(await has('php'))) this.skip();
    const program = `${code('php')}
$given = json_decode($argv[1], true);
foreach ($given['cases'] as $one) {
    echo json_encode(verify($given['secret'], $given['headers'], $one['body'], $one['now'])), "\\n";
}
`;
    const { stdout, stderr } = await run('php', [await write('verify.php', program), given]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('has no syntax errors: Rust', async function () {
    if (!(await has('rustfmt'))) this.skip();
    const file = await write('verify.rs', code('rust'));
    const done = await run('rustfmt', ['--edition', '2021', '--emit', 'stdout', file]);
    expect(done.code, done.stderr).to.equal(0);
  });
});
