import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { helpOf } from '../../packages/client/src/cli/command.ts';
import { commands } from '../../packages/client/src/cli/commands/index.ts';
import type { Job, SearchResult, Upload } from '../../packages/client/src/index.ts';
import { pythonSources, requirePython } from '../support/python.ts';
import { startReceiver } from '../support/receiver.ts';
import { checkout, run as runProgram } from '../support/run.ts';
import { bornDigitalPdf } from '../support/samples.ts';
import { openService, type TestService } from '../support/service.ts';
import { endWithRun } from '../support/services.ts';

const letter = '# Offer\n\nDear Ms Jane Doe, write to jane.doe@example.com.\n';

/** A command as a user runs it from the clone, without a terminal. */
interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when stdout has `count` lines. */
  lines(count: number): Promise<string[]>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string; lines: string[] }>;
}

/** How a client's command line is started. */
interface Implementation {
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Builds the package into a folder, as an installation does: commands start faster than from source. */
async function buildNode(folder: string): Promise<Implementation> {
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const compiler = join(checkout, 'node_modules/typescript/bin/tsc');
  const project = join(checkout, 'packages/client');
  const options = [compiler, '-p', project, '--outDir', folder];
  const { code, stdout } = await runProgram(process.execPath, options);
  expect(code, stdout).to.equal(0);
  return { program: process.execPath, args: [join(folder, 'cli/main.js')], env: {} };
}

async function buildPython(folder: string, test: Mocha.Context): Promise<Implementation> {
  await requirePython(test);
  const env = { PYTHONPATH: pythonSources, PYTHONPYCACHEPREFIX: folder };
  return { program: 'python3', args: ['-m', 'scriptorium'], env };
}

/** The clients have the same commands, outputs and exit codes. */
const implementations = {
  'of the TypeScript client': buildNode,
  'of the Python client': buildPython,
};

describe('script/scriptorium', () => {
  it('runs from the clone without a build', async () => {
    const { code, stdout, stderr } = await runProgram(join(checkout, 'script/scriptorium'), [
      '--help',
    ]);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('upload FILE…');
  });
});

describe('the command lines of the clients', () => {
  it('have the same commands, options and help', async function () {
    await requirePython(this);
    const program = `
import json
from scriptorium.cli.command import help_of
from scriptorium.cli.commands import COMMANDS
print(json.dumps([help_of(command) for command in COMMANDS]))
`;
    const env = { ...process.env, PYTHONPATH: pythonSources };
    const { stdout, stderr } = await runProgram('python3', ['-B', '-c', program], { env });
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout)).to.deep.equal(commands.map(helpOf));
  });
});

for (const [name, build] of Object.entries(implementations)) {
  describe(`the command line ${name}`, () => {
    let service: TestService;
    let folder: string;
    let built: string;
    let implementation: Implementation;
    let env: NodeJS.ProcessEnv;
    before(async function () {
      built = await mkdtemp(join(tmpdir(), 'scriptorium-built-'));
      implementation = await build(built, this);
      service = await openService();
      folder = await mkdtemp(join(tmpdir(), 'scriptorium-cli-'));
      await service.startServer();
      service.startWorker('relay,redact,normalize,classify,ocr');
      env = {
        ...implementation.env,
        PATH: process.env.PATH,
        SERVICE_URL: service.url,
        PROJECT_ID: service.projectId,
        API_KEY: service.apiKey,
      };
    });
    after(async () => {
      // Undefined if the client cannot run on this machine.
      await service?.close();
      for (const path of [folder, built])
        if (path) await rm(path, { recursive: true, force: true });
    });

    const start = (args: string[], changed: NodeJS.ProcessEnv = {}, input = ''): Running => {
      const child = spawn(implementation.program, [...implementation.args, ...args], {
        cwd: folder,
        env: { ...env, ...changed },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      void endWithRun(child);
      child.stdin.end(input);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const split = (): string[] => stdout.split('\n').slice(0, -1);
      return {
        child,
        stdout: () => stdout,
        stderr: () => stderr,
        async lines(count) {
          while (split().length < count) {
            await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
            if (child.exitCode !== null && split().length < count) {
              throw new Error(`It exited with ${child.exitCode}: ${stderr}`);
            }
          }
          return split();
        },
        ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr, lines: split() })),
      };
    };
    const run = (...args: string[]) => start(args).ended;
    const file = async (name: string, bytes: string | Buffer): Promise<string> => {
      await writeFile(join(folder, name), bytes);
      return name;
    };
    const json = <T>(line: string | undefined): T => JSON.parse(line ?? '') as T;

    it('lists all commands and prints the help of each', async () => {
      const all = await run('--help');
      expect(all).to.include({ code: 0, stderr: '' });
      const names = all.lines.flatMap((line) => /^ {2}([a-z]+(?: [a-z]+)?) /.exec(line)?.[1] ?? []);
      expect(names).to.include.members(['upload', 'ocr', 'jobs watch', 'events tail', 'download']);
      const helps = await Promise.all(
        ['upload', 'redact', 'jobs watch', 'webhooks listen'].map((name) =>
          run(...name.split(' '), '--help'),
        ),
      );
      for (const { code, stdout } of helps) {
        expect(code).to.equal(0);
        expect(stdout).to.match(/Examples\n {2}scriptorium .*[\s\S]*Exit codes\n/);
      }
    });

    it('reports usage errors with exit code 2', async () => {
      const wrong: [string[], RegExp][] = [
        [['jobs', 'wach', 'job_1'], /Unknown command 'jobs wach'/],
        [['upload'], /FILE… is required/],
        [['download', 'a', 'b'], /Unexpected argument 'b'/],
        [['search', '--colour'], /--colour/],
        [['search', 'a', '--kind', 'folder'], /--kind must be image or object/],
        [['search', 'a', '--limit', 'many'], /--limit must be a number, not 'many'/],
        [['upload', 'a', '--metadata', '[1]'], /JSON object, not '\[1\]'/],
        [['webhooks', 'listen', '--forward', 'ftp://x'], /http or https URL/],
        [['upload', '-'], /--filename is required with stdin/],
      ];
      await Promise.all(
        wrong.map(async ([args, said]) => {
          const { code, stderr, stdout } = await run(...args);
          expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 2, stdout: '' });
          expect(stderr).to.match(said);
        }),
      );
      const without = await start(['whoami'], { PROJECT_ID: '' }).ended;
      expect(without).to.include({ code: 2 });
      expect(without.stderr).to.match(/PROJECT_ID is not set/);
    });

    it('reads the key from a file, and warns if others can read it', async () => {
      const path = await file('key', `${service.apiKey}\n`);
      await chmod(join(folder, path), 0o600);
      const fine = await start(['whoami', '--key-file', path], { API_KEY: '' }).ended;
      expect(fine).to.include({ code: 0, stderr: '' });
      expect(fine.stdout).to.include(service.projectId).and.not.include(service.apiKey);
      await chmod(join(folder, path), 0o644);
      expect((await run('whoami', '--key-file', path)).stderr).to.match(/other users can read/);
    });

    it('exits with 3 for rejected requests, 4 for an unreachable service and 6 for file errors', async () => {
      const unknown = await run('jobs', 'get', 'job_00000000000000000000000000');
      expect(unknown).to.include({ code: 3, stdout: '' });
      expect(unknown.stderr).to.match(
        /error: The job 'job_0+' was not found.\n[\s\S]*not_found, req_/,
      );
      const wrongKey = await start(['whoami', '--json'], { API_KEY: 'sk_nope' }).ended;
      expect(wrongKey.code).to.equal(3);
      expect(json(wrongKey.stderr)).to.have.nested.include({
        'error.code': 'api_key_invalid',
        'error.exit_code': 3,
      });
      const away = await start(['whoami'], { SERVICE_URL: 'http://127.0.0.1:9' }).ended;
      expect(away.code).to.equal(4);
      expect(away.stderr).to.match(/could not be reached.*\n.*SERVICE_URL is correct/);
      const nofile = await run('upload', 'nofile.pdf');
      expect(nofile).to.include({
        code: 6,
        stderr: 'error: nofile.pdf: no such file or folder.\n',
      });
    });

    it('uploads files and stdin, reports rejections, and exits with 5 if some fail', async () => {
      await file('a.txt', 'first');
      await file('b.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)]));
      await file('c.txt', 'third');
      const some = await run('upload', 'a.txt', 'nofile', 'c.txt', '--tag', 'x', '--json');
      expect(some.code).to.equal(5);
      const [first, third] = some.lines.map((line) => json<Upload>(line));
      expect(first).to.deep.include({ filename: 'a.txt', tags: ['x'], bytes: 5 });
      expect(third).to.deep.include({ filename: 'c.txt', tags: ['x'], bytes: 5 });
      expect(json(some.stderr)).to.have.nested.include({
        'error.code': 'ENOENT',
        'error.about': 'nofile',
      });
      const piped = await start(['upload', '-', '--filename', 'in.txt'], {}, 'from stdin').ended;
      expect(piped.code).to.equal(0);
      expect(piped.stdout).to.match(/^obj_\w{26} {2}in\.txt {2}text\/plain {2}10 B\n$/);
      const again = await run('upload', 'a.txt', '--metadata', '{"n": 1}');
      expect(again.stdout).to.match(/already exists/);
    });

    it('starts a job for a file, watches it in a pipe, and downloads the outputs', async () => {
      await file('offer.md', letter);
      const done = await run(
        'redact',
        'offer.md',
        '--entity',
        'EMAIL_ADDRESS',
        '--style',
        'label',
        '--output',
        'out',
      );
      expect(done.code, done.stderr).to.equal(0);
      expect(done.lines[0]).to.match(/^job_\w{26} {2}succeeded$/);
      expect(done.lines.slice(1)).to.deep.equal(['out/offer.redacted.md']);
      expect(done.stderr).to.match(
        /✓ redact_pii {2}succeeded, 1 page, removed 1 EMAIL_ADDRESS, verified/,
      );
      expect(done.stderr).not.to.include('\u001b');
      const text = await readFile(join(folder, 'out/offer.redacted.md'), 'utf8');
      expect(text).to.include('[EMAIL_ADDRESS]').and.not.include('jane.doe@example.com');
      const plain = await run('classify', 'offer.md', '--top-k', '1', '--wait', '--json');
      expect(plain).to.include({ code: 0, stderr: '' });
      const last = json<Job>(plain.lines.at(-1));
      expect(last).to.include({ state: 'succeeded' });
      expect(last.operations[0]?.result?.labels).to.have.length(1);
      const refused = await run('normalize', 'offer.md', '--format', 'poetry', '--wait');
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.include("--format must be markdown, json or chunks, not 'poetry'.");
      const unknown = await run('redact', 'offer.md', '--entity', 'COLOUR', '--wait');
      expect(unknown.code).to.equal(3);
      expect(unknown.stderr.match(/operations/g), unknown.stderr).to.have.length(1);
      expect(unknown.stderr.match(/EMAIL_ADDRESS/g), unknown.stderr).to.have.length(1);
    });

    it('starts a job with a preset, by its name', async () => {
      await file('minutes.md', letter);
      const built = await run('run', 'ready for a MODEL', 'minutes.md', '--wait', '--json');
      expect(built.code, built.stderr).to.equal(0);
      const ended = json<Job>(built.lines.at(-1));
      expect(ended.operations.map(({ op }) => op)).to.deep.equal(['normalize_for_llm']);
      const unknown = await run('run', 'Poetry', 'minutes.md');
      expect(unknown.code).to.equal(2);
      expect(unknown.stderr).to.include("Preset 'Poetry' not found. Presets: Searchable PDF, ");
    });

    it('watches, lists, shows and retries a job with failed pages', async () => {
      const pdf = await bornDigitalPdf([['one'], ['two'], ['three']]);
      await file('three.pdf', pdf);
      const started = await run('ocr', 'three.pdf', '--kind', 'text', '--json');
      const { id } = json<Job>(started.lines[0]);
      expect((await run('jobs', 'watch', id)).code).to.equal(0);
      // As if page 2 had failed on a machine that was out of memory.
      await service.owner.query(
        `UPDATE job_page SET state = 'failed', error = $2 WHERE job_id = $1 AND page = 2`,
        [id, { code: 'engine_failed', message: 'Out \u001b[31mof memory.', retryable: true }],
      );
      await service.owner.query(
        `UPDATE job SET state = 'partially_succeeded', pages_failed = 1 WHERE id = $1`,
        [id],
      );
      const watched = await run('jobs', 'watch', id);
      expect(watched.code).to.equal(5);
      expect(watched.stdout).to.include('✗ page 2, ocr: Out \\x1b[31mof memory.');
      expect(watched.stdout).to.include(`! ${id} partially succeeded`);
      expect(watched.stdout).not.to.include('\u001b');
      const listed = await run('jobs', 'list', '--state', 'partially_succeeded');
      expect(listed.lines.map((line) => line.split('\t').slice(0, 2))).to.deep.equal([
        [id, 'partially succeeded'],
      ]);
      expect((await run('jobs', 'get', id)).stdout).to.match(/ocr {2}\w+/);
      const retried = await run('jobs', 'retry', id, '--wait', '--json');
      expect(retried.code, retried.stderr).to.equal(0);
      expect(json<Job>(retried.lines.at(-1))).to.include({ retry_of: id, state: 'succeeded' });
      expect((await run('jobs', 'cancel', id)).code).to.equal(3);
    });

    it('saves the certificate of a redaction, as PDF or JSON', async () => {
      await file('certified.md', letter);
      const ended = await run('redact', 'certified.md', '--wait', '--json');
      const { id } = json<Job>(ended.lines.at(-1));
      const saved = await run('jobs', 'certificate', id);
      expect(saved.code, saved.stderr).to.equal(0);
      const pdf = await readFile(join(folder, 'certificate.pdf'), 'latin1');
      expect(pdf).to.match(/^%PDF-/);
      const again = await run('jobs', 'certificate', id);
      expect(again.code, 'overwrites nothing').to.equal(6);
      await run('jobs', 'certificate', id, '--output', 'certificate.json');
      const { certificate } = JSON.parse(await readFile(join(folder, 'certificate.json'), 'utf8'));
      expect(certificate.job_id).to.equal(id);
      const other = await run('jobs', 'certificate', id, '--output', 'certificate.txt');
      expect([other.code, other.stderr]).to.satisfy(([code, text]: [number, string]) => {
        return code === 2 && text.includes('must end with .pdf or .json');
      });
    });

    it('finds its uploads, and escapes hostile names for the terminal', async () => {
      await file('evil.txt', 'quetzalcoatl');
      const sent = await run('upload', 'evil.txt', '--tag', 'gpj\u202etxt', '--json');
      const object = json<Upload>(sent.lines[0]);
      expect(object.tags).to.deep.equal(['gpj\u202etxt']);
      const found = await run('search', 'gpj');
      expect(found.code).to.equal(0);
      expect(found.stdout).to.include(object.id).and.include('gpj\\u202etxt');
      expect(found.stdout).to.match(/^[^\p{Cc}\u202e]*(?:[\t\n][^\p{Cc}\u202e]*)*$/u);
      const raw = await run('search', 'evil', '--kind', 'object', '--json');
      expect(raw.stdout).to.match(/^[\x20-\x7e\n]*$/);
      expect(json<SearchResult>(raw.lines[0])).to.include({ type: 'object', id: object.id });
      const saved = await run('download', object.id, '--output', 'saved/');
      expect(saved.code, saved.stderr).to.equal(0);
      expect(await readdir(join(folder, 'saved'))).to.deep.equal(['evil.txt']);
      const piped = await run('download', object.id, '--output', '-');
      expect(piped).to.include({ code: 0, stdout: 'quetzalcoatl' });
      const over = await run('download', object.id, '--output', 'evil.txt');
      expect(over).to.include({ code: 6 });
      expect(over.stderr).to.match(/evil.txt: the file already exists/);
      const nothing = await run('search', 'nothing-of-the-kind');
      expect(nothing).to.include({ code: 0, stdout: '' });
      expect(await run('collections', 'list')).to.include({ code: 0, stdout: '' });
    });

    it('shares a link with a password and an expiry, and lists its uses', async () => {
      const uploaded = await run('upload', await file('shared.txt', 'Minutes'), '--json');
      const { id } = json<Upload>(uploaded.lines[0]);
      const password = '  pass phrase ';
      const passwordFile = await file('password.txt', `${password}\r\n`);
      const created = await run('share', 'create', id, '--password-file', passwordFile, '--json');
      expect(created.code, created.stderr).to.equal(0);
      const { url } = json<{ url: string }>(created.lines[0]);
      const open = (text: string) =>
        fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ password: text }),
        });
      expect((await open(password.trim())).status).to.be.within(400, 499);
      expect((await open(password)).status).to.be.below(400);
      const listed = await run('share', 'list');
      expect(listed.stdout).to.include('1 view, 0 downloads');
      for (const [days, message] of [
        ['0', "--days must be a positive number, not '0'."],
        ['1e10', "--days must be at most 36500, not '10000000000'."],
      ] as const) {
        const rejected = await run('share', 'create', id, '--days', days);
        expect(rejected.code).to.equal(2);
        expect(rejected.stderr).to.include(message);
      }
    });

    it('tails events from a given sequence, and ends quietly', async () => {
      const two = await run('events', 'tail', '--after', '0', '--limit', '2', '--json');
      expect(two).to.include({ code: 0, stderr: '' });
      const sequences = two.lines.map((line) => json<{ sequence: number }>(line).sequence);
      expect(sequences).to.deep.equal([1, 2]);
      const tail = start(['events', 'tail', '--after', '0', '--type', 'dam.object.created']);
      const [line] = await tail.lines(1);
      expect(line).to.match(/^\S+Z {2}\d+ {2}dam\.object\.created {2}obj_\w{26}$/);
      tail.child.kill('SIGINT');
      expect(await tail.ended).to.include({ code: 0, stderr: '' });
      // The reader closes the pipe.
      const head = start(['events', 'tail', '--after', '0']);
      await head.lines(1);
      head.child.stdout?.destroy();
      await service.call('POST', '/v1/collections', { name: 'news' });
      expect(await head.ended).to.include({ code: 0, stderr: '' });
      const wrong = await run('events', 'tail', '--type', 'no.such');
      expect(wrong.code).to.equal(3);
      expect(wrong.stderr).to.match(/no\.such/);
    });

    it('forwards events as the service pushes them, signed with the given secret', async () => {
      const pushed = await startReceiver();
      const local = await startReceiver(pushed.secret);
      try {
        await file('secret', `${local.secret}\n`);
        const made = await service.call('POST', '/v1/webhooks', {
          url: pushed.url,
          event_types: ['dam.collection.*'],
          secret: pushed.secret,
        });
        expect(made.status).to.equal(201);
        service.startWorker('webhooks');
        local.respondWith((_, number) => (number === 1 ? 204 : 500));
        const listening = start([
          'webhooks',
          'listen',
          '--forward',
          local.url,
          '--json',
          '--type',
          'dam.collection.created',
          '--secret-file',
          'secret',
          '--after',
          '0',
        ]);
        const [begun, old] = await listening.lines(2);
        expect(json(begun)).to.deep.equal({ secret: local.secret, forward: local.url });
        expect(json(old)).to.include({ type: 'dam.collection.created', status: 204 });
        await service.call('POST', '/v1/collections', { name: 'Ünï "coded"' });
        const [, , fresh] = await listening.lines(3);
        expect(json(fresh)).to.include({ status: 500, error: null });
        await pushed.untilReceived(1);
        const [theirs] = pushed.requests;
        const [ours] = local.requestsOf(theirs!.headers['webhook-id']!);
        expect(ours!.verified).to.equal(true);
        expect(JSON.parse(ours!.body.toString())).to.deep.equal(
          JSON.parse(theirs!.body.toString()),
        );
        expect(ours!.headers['content-type']).to.equal(theirs!.headers['content-type']);
        listening.child.kill('SIGINT');
        expect(await listening.ended).to.include({ code: 0 });
      } finally {
        await Promise.all([pushed.close(), local.close()]);
      }
      const unreachable = start([
        'webhooks',
        'listen',
        '--forward',
        local.url,
        '--type',
        'dam.collection.created',
        '--after',
        '0',
      ]);
      const [secret, told] = await unreachable.lines(2);
      expect(secret).to.match(/^Your webhook secret is whsec_\S{44}$/);
      expect(told).to.match(/^unreachable \(ECONNREFUSED\) .* not retried$/);
      unreachable.child.kill('SIGTERM');
      expect((await unreachable.ended).code).to.equal(0);
    });

    it('does not stop a job if its watcher is interrupted', async () => {
      await file('slow.pdf', await bornDigitalPdf([['slow']]));
      const started = await run('ocr', 'slow.pdf', '--existing-text', 'force', '--json');
      const { id } = json<Job>(started.lines[0]);
      await service.owner.query(
        `UPDATE job SET state = 'running', finished_at = NULL WHERE id = $1`,
        [id],
      );
      const watching = start(['jobs', 'watch', id]);
      await watching.lines(1);
      watching.child.kill('SIGINT');
      const ended = await watching.ended;
      expect(ended.code).to.equal(130);
      expect(ended.stderr).to.include(`scriptorium jobs cancel ${id}`);
    });
  });
}
