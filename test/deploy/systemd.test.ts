import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { workerKinds } from '../../src/workers/index.ts';
import { checkout, run } from '../support/run.ts';

const folder = join(checkout, 'deploy/systemd');

describe('deploy/systemd', () => {
  it('starts programs that exist, and gives them time to stop', async () => {
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.service'))) {
      const unit = await readFile(join(folder, name), 'utf8');
      const [, program] = /^ExecStart=\/usr\/bin\/node dist\/(\w+)\.js$/m.exec(unit) ?? [];
      await readFile(join(checkout, 'src', `${program}.ts`));
      // Processes end within 20 s of SIGTERM.
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]), name).to.be.greaterThan(20);
      expect(unit, name).to.match(/^Environment=NODE_ENV=production$/m);
      expect(unit, name).to.match(/^NoNewPrivileges=yes$/m);
      expect(unit, name).to.match(/^ProtectSystem=strict$/m);
    }
  });

  it('is started by docs/systemd.md, one worker of each kind', async () => {
    const page = await readFile(join(checkout, 'docs/systemd.md'), 'utf8');
    const blocks = [...page.matchAll(/^```sh no-run\n(.*?)^```$/gms)].map(([, block]) => block!);
    for (const block of blocks) {
      const { code, stderr } = await run('bash', ['-n', '-c', block]);
      expect(code, stderr).to.equal(0);
    }
    // `systemctl` prints its arguments instead.
    const start = blocks.find((block) => block.includes('enable --now')) ?? '';
    const { stdout, stderr } = await run('bash', [
      '-c',
      `systemctl() { echo "$*"; }; journalctl() { :; }; ${start}`,
    ]);
    const [first, ...workers] = stdout.trim().split('\n');
    expect(first, stderr).to.equal('enable --now scriptorium.target scriptorium-api');
    expect(workers).to.have.members(
      Object.keys(workerKinds).map((kind) => `enable --now scriptorium-worker@${kind}`),
    );
  });

  it('is accepted by systemd', async function () {
    const tool = await run('sh', ['-c', 'command -v systemd-analyze']);
    if (tool.code !== 0) this.skip();
    for (const name of await readdir(folder)) {
      // A template is verified as one of its instances.
      const path = join(folder, name.replace('@.', '@relay.'));
      const { code, stderr } = await run('systemd-analyze', ['verify', '--man=no', path]);
      const faults = stderr.split('\n').filter((line) => /scriptorium.*:\d+:/.test(line));
      expect(faults, `${name}: exit code ${code}`).to.deep.equal([]);
    }
  });
});
