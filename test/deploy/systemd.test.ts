import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
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
      expect(unit, name).to.match(/^NoNewPrivileges=yes$/m);
      expect(unit, name).to.match(/^ProtectSystem=strict$/m);
    }
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
