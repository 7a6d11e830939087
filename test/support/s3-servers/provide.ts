import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchDebianPackages } from '../../../lab/embedded/debian.ts';
import { checkout } from '../run.ts';
import { startCeph } from './ceph.ts';
import type { S3Server } from './server.ts';
import { startSwift } from './swift.ts';

const python = (names: string) => names.split(' ').map((name) => `python3-${name}`);

/** Servers of others, with Debian's packages that they need. Libraries in C are found by themselves. */
const servers = {
  swift: {
    start: startSwift,
    packages: [
      'swift-proxy',
      'swift-account',
      'swift-container',
      'swift-object',
      'liberasurecode1',
      ...python(
        'swift eventlet greenlet dnspython netifaces pastedeploy paste tempita pyeclib xattr cffi pycparser ply requests urllib3 idna certifi six lxml pkg-resources setuptools',
      ),
    ],
  },
  ceph: {
    start: startCeph,
    packages: [
      'radosgw',
      'ceph-mon',
      'ceph-osd',
      'ceph-base',
      'ceph-common',
      ...python('ceph-argparse ceph-common rados prettytable wcwidth yaml pkg-resources'),
    ],
  },
};

export type S3ServerName = keyof typeof servers;

export function isS3ServerName(name: string): name is S3ServerName {
  return name in servers;
}

/** Starts a server in a new folder, from packages unpacked into `.data/packages`. */
export async function startS3Server(name: S3ServerName): Promise<S3Server> {
  const { packages, start } = servers[name];
  const root = join(checkout, '.data/packages', name);
  if (!existsSync(root)) {
    await fetchDebianPackages({ packages, target: root, log: (line) => console.error(line) });
  }
  const dir = await mkdtemp(join(tmpdir(), `${name}-`));
  const server = await start(root, dir);
  return {
    ...server,
    async close() {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
