import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, type S3Server, startProgram, untilResponding } from './server.ts';

const execute = promisify(execFile);

/**
 * Ceph's RADOS gateway, on loopback, over one monitor and one daemon that stores objects in memory.
 * @param root the unpacked packages
 */
export async function startCeph(root: string, dir: string): Promise<S3Server> {
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  const conf = join(dir, 'ceph.conf');
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: [libraries, join(libraries, 'ceph'), join(root, 'lib/x86_64-linux-gnu')].join(
      ':',
    ),
    CEPH_CONF: conf,
  };
  const program = (name: string) => join(root, 'usr/bin', name);
  const run = (name: string, ...parameters: string[]) =>
    name === 'ceph'
      ? execute('/usr/bin/python3', [program(name), ...parameters], { env })
      : execute(program(name), parameters, { env });
  const [monitor, gateway] = await freePorts(2);
  const fsid = randomUUID();
  await writeFile(
    conf,
    `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
ms mon client mode = crc
ms mon service mode = crc
ms mon cluster mode = crc
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${dir}
admin socket =
log file = ${dir}/$name.log
plugin dir = ${libraries}/ceph
osd class dir = ${libraries}/rados-classes
erasure code dir = ${libraries}/ceph/erasure-code
osd objectstore = memstore
memstore device bytes = 4294967296
osd data = ${dir}/osd
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon data = ${dir}/mon
mon cluster log file = ${dir}/cluster.log
mon allow pool size one = true
mon data avail crit = 1
mon max pg per osd = 1000
rgw data = ${dir}/rgw
rgw enable usage log = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw run sync thread = false
`,
  );
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(dir, name));
  const map = join(dir, 'monmap');
  const address = `[v2:127.0.0.1:${monitor}/0]`;
  await run('monmaptool', '--create', '--addv', 'a', address, '--fsid', fsid, map);
  await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
  const start = (name: string, ...parameters: string[]) =>
    startProgram(program(name), ['-f', ...parameters], { env, log: join(dir, `${name}.out`) });
  const running = [start('ceph-mon', '-i', 'a')];
  const uuid = randomUUID();
  await run('ceph', '--connect-timeout', '60', 'osd', 'new', uuid);
  await run('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', uuid);
  running.push(start('ceph-osd', '-i', '0'));
  running.push(
    start('radosgw', '-n', 'client.rgw', `--rgw-frontends=beast endpoint=127.0.0.1:${gateway}`),
  );
  const endpoint = `http://127.0.0.1:${gateway}`;
  await untilResponding(endpoint, running);
  const addUser = async (name: string) => {
    const secretAccessKey = `${name}-secret`;
    const keys = ['--access-key', name, '--secret', secretAccessKey];
    await run('radosgw-admin', 'user', 'create', '--uid', name, '--display-name', name, ...keys);
    return { accessKeyId: name, secretAccessKey };
  };
  return {
    name: 'ceph',
    endpoint,
    owner: await addUser('owner'),
    reader: await addUser('reader'),
    programs: running,
    async close() {
      await Promise.all(running.map((each) => each.kill()));
    },
  };
}
