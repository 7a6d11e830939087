import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { deniedCalls } from '../../packages/sandbox/src/isolation/kinds/seccomp.ts';
import { checkout, run } from '../support/run.ts';

const profile = 'deploy/seccomp/engine.json';

interface Profile {
  defaultAction: string;
  archMap: { architecture: string; subArchitectures: string[] }[];
  syscalls: { names: string[]; action: string; errnoRet: number }[];
}

/** What the worker itself needs: connections, and the namespaces and mounts of its children. */
const needed =
  `socket connect bind listen accept accept4 memfd_create shmget mount umount2 pivot_root chroot
  unshare setns`.split(/\s+/);

describe('deploy/seccomp and deploy/apparmor', () => {
  it('deny the worker what its children are denied, except what starts them', async () => {
    const { syscalls, archMap }: Profile = JSON.parse(
      await readFile(join(checkout, profile), 'utf8'),
    );
    const denied = syscalls.flatMap(({ names }) => names);
    expect(denied).to.include.members(
      Object.keys(deniedCalls).filter((name) => !needed.includes(name)),
    );
    expect(denied).to.not.include.members(needed);
    for (const { action } of syscalls) expect(action).to.equal('SCMP_ACT_ERRNO');
    // Without its other architectures, a process could make the same calls by other numbers.
    expect(archMap.map(({ architecture }) => architecture)).to.deep.equal([
      'SCMP_ARCH_X86_64',
      'SCMP_ARCH_AARCH64',
    ]);
    expect(archMap[0]?.subArchitectures).to.deep.equal(['SCMP_ARCH_X86', 'SCMP_ARCH_X32']);
  });

  it('apply to every worker that starts children under Docker Compose', async () => {
    const { services } = parse(await readFile(join(checkout, 'docker-compose.yml'), 'utf8'), {
      merge: true,
    });
    for (const name of ['ocr', 'redact', 'normalize', 'classify', 'imaging']) {
      expect(services[name].security_opt, name).to.include(`seccomp=${profile}`);
    }
    expect(JSON.stringify(services)).to.not.contain('seccomp=unconfined');
  });

  it('are accepted by AppArmor', async function () {
    if ((await run('sh', ['-c', 'command -v apparmor_parser'])).code !== 0) this.skip();
    const path = join(checkout, 'deploy/apparmor/scriptorium-engine');
    const { code, stderr } = await run('apparmor_parser', ['-Q', '-K', '--debug', path]);
    expect(code, stderr).to.equal(0);
  });
});
