import { expect } from 'chai';
import { run } from '../support/run.ts';
import {
  cases,
  expected,
  given,
  openVerification,
  secret,
  type Verification,
} from './verification.ts';

describe('the verification code in docs/guides/webhooks.md, in the language of others', () => {
  let guide: Verification;
  before(async () => {
    guide = await openVerification();
  });
  after(() => guide.close());

  const has = async (command: string): Promise<boolean> =>
    (await run('bash', ['-c', `command -v ${command}`])).code === 0;

  it('accepts valid messages only: Python', async function () {
    if (!(await has('python3'))) this.skip();
    const program = `${guide.code('python')}

import json, sys
given = json.loads(sys.argv[1])
for one in given["cases"]:
    print(str(verify(given["secret"], one["headers"], one["body"].encode(), lambda: one["now"])).lower())
`;
    const { stdout, stderr } = await run('python3', [
      await guide.write('verify.py', program),
      given,
    ]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Java', async function () {
    if (!(await has('javac'))) this.skip();
    const calls = cases.map(({ body: text, now, headers }) => {
      const entries = Object.entries(headers).map(
        ([name, value]) => `Map.entry(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
      );
      return `System.out.println(Webhook.verify(${JSON.stringify(secret)}, Map.ofEntries(${entries}), ${JSON.stringify(text)}.getBytes("UTF-8"), ${now}L));`;
    });
    const main = `final class Main {
  public static void main(String[] args) throws Exception {
    ${calls.join('\n')}
  }
}`;
    const file = await guide.write('Main.java', `${guide.code('java')}\n${main}\n`);
    const compiled = await run('javac', ['-d', guide.folder, file]);
    expect(compiled.code, compiled.stderr).to.equal(0);
    const { stdout, stderr } = await run('java', ['-cp', guide.folder, 'Main']);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Go', async function () {
    if (!(await has('go'))) this.skip();
    const calls = cases.flatMap(({ body: text, now, headers }) => [
      'headers = http.Header{}',
      ...Object.entries(headers).map(
        ([name, value]) => `headers.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
      ),
      `fmt.Println(Verify(${JSON.stringify(secret)}, headers, []byte(${JSON.stringify(text)}), time.Unix(${now}, 0)))`,
    ]);
    const main = `func main() {\n\tvar headers http.Header\n\t${calls.join('\n\t')}\n}\n`;
    const program = `${guide.code('go')}\n${main}`
      .replace('package webhook', 'package main')
      .replace('import (', 'import (\n\t"fmt"');
    const { stdout, stderr } = await run('go', ['run', await guide.write('main.go', program)]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: Ruby', async function () {
    if (!(await has('ruby'))) this.skip();
    const program = `${guide.code('ruby')}
require "json"
given = JSON.parse(ARGV[0])
given["cases"].each { |one| puts verify(given["secret"], one["headers"], one["body"], one["now"]) }
`;
    const { stdout, stderr } = await run('ruby', [await guide.write('verify.rb', program), given]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('accepts valid messages only: PHP', async function () {
    if (!(await has('php'))) this.skip();
    const program = `${guide.code('php')}
$given = json_decode($argv[1], true);
foreach ($given['cases'] as $one) {
    echo json_encode(verify($given['secret'], $one['headers'], $one['body'], $one['now'])), "\\n";
}
`;
    const { stdout, stderr } = await run('php', [await guide.write('verify.php', program), given]);
    expect(stdout.trim().split('\n'), stderr).to.deep.equal(expected);
  });

  it('has no syntax errors: Rust', async function () {
    if (!(await has('rustfmt'))) this.skip();
    const file = await guide.write('verify.rs', guide.code('rust'));
    const done = await run('rustfmt', ['--edition', '2021', '--emit', 'stdout', file]);
    expect(done.code, done.stderr).to.equal(0);
  });
});
