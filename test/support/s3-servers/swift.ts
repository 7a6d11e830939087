import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, type S3Server, startProgram, untilResponding } from './server.ts';

const execute = promisify(execFile);

/**
 * OpenStack Swift with its S3 API, on loopback: a proxy and one server each for accounts, containers
 * and objects, with one replica. The file system of `dir` must have extended attributes.
 * @param root the unpacked packages
 */
export async function startSwift(root: string, dir: string): Promise<S3Server> {
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu'),
    PYTHONWARNINGS: 'ignore',
  };
  const python = '/usr/bin/python3';
  const program = (kind: string) => join(root, `usr/bin/swift-${kind}-server`);
  const devices = join(dir, 'devices');
  await mkdir(join(devices, 'd1'), { recursive: true });
  const [proxy, ...ports] = await freePorts(4);
  const kinds = ['account', 'container', 'object'] as const;
  await writeFile(
    join(dir, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n',
  );
  await writeFile(
    join(dir, 'rings.py'),
    `import sys
from swift.common.ring import RingBuilder
for kind, port in zip(sys.argv[2::2], sys.argv[3::2]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port),
                     'replication_ip': '127.0.0.1', 'replication_port': int(port),
                     'device': 'd1', 'weight': 1.0, 'meta': ''})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (sys.argv[1], kind))
`,
  );
  // The servers read /etc/swift/swift.conf unless told before they begin.
  await writeFile(
    join(dir, 'serve.py'),
    `import runpy, sys
from swift.common.utils import set_swift_dir
set_swift_dir(sys.argv[1])
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name='__main__')
`,
  );
  const rings = kinds.flatMap((kind, at) => [kind, String(ports[at])]);
  await execute(python, [join(dir, 'rings.py'), dir, ...rings], { env });
  const common = `swift_dir = ${dir}\nbind_ip = 127.0.0.1\nuser = root\nworkers = 0\nlog_level = ERROR\nlog_udp_host = 127.0.0.1\nlog_udp_port = 9\n`;
  for (const [at, kind] of kinds.entries()) {
    await writeFile(
      join(dir, `${kind}-server.conf`),
      `[DEFAULT]\n${common}bind_port = ${ports[at]}\ndevices = ${devices}\nmount_check = false\n` +
        `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    );
  }
  await writeFile(
    join(dir, 'proxy-server.conf'),
    `[DEFAULT]\n${common}bind_port = ${proxy}
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_owner = owner-secret .admin
user_test_reader = reader-secret
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`,
  );
  const running = await Promise.all(
    ['account', 'container', 'object', 'proxy'].map((kind) =>
      startProgram(
        python,
        [join(dir, 'serve.py'), dir, program(kind), join(dir, `${kind}-server.conf`)],
        { env, log: join(dir, `${kind}.log`) },
      ),
    ),
  );
  const endpoint = `http://127.0.0.1:${proxy}`;
  await untilResponding(endpoint, running);
  return {
    name: 'swift',
    endpoint,
    owner: { accessKeyId: 'test:owner', secretAccessKey: 'owner-secret' },
    reader: { accessKeyId: 'test:reader', secretAccessKey: 'reader-secret' },
    programs: running,
    async close() {
      await Promise.all(running.map((each) => each.kill()));
    },
  };
}
