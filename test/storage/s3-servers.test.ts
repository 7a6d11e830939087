import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { checkStoragePermissions } from '../../src/storage/open-storage.ts';
import { openS3Storage } from '../../src/storage/s3/storage.ts';
import { isS3ServerName, startS3Server } from '../support/s3-servers/provide.ts';
import type { S3Server } from '../support/s3-servers/server.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { describePartials, uploadU as U } from './partials.ts';
import { projectA as A, codeOf, collect, describeStorage, put } from './shared.ts';

const permissions = [
  's3:ListBucket',
  's3:PutObject',
  's3:GetObject',
  's3:ListBucketMultipartUploads',
  's3:AbortMultipartUpload',
  's3:DeleteObject',
];

const mebi = 1024 * 1024;
const named = (process.env.S3_SERVER ?? '').split(',').filter(isS3ServerName);

for (const name of named) {
  describe(`S3 by ${name}`, () => {
    let server: S3Server;
    before(async function () {
      this.timeout(600_000);
      server = await startS3Server(name);
    });
    after(() => server.close());
    beforeEach(() => {
      process.env.AWS_ACCESS_KEY_ID = server.owner.accessKeyId;
      process.env.AWS_SECRET_ACCESS_KEY = server.owner.secretAccessKey;
    });

    const open = async (endpoint = server.endpoint) => {
      const client = new S3Client({
        endpoint: server.endpoint,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: server.owner,
      });
      const Bucket = `bucket-${randomUUID()}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      const folder = await mkdtemp(join(tmpdir(), 'spool-'));
      const url = `s3://${Bucket}/some/prefix?endpoint=${encodeURIComponent(endpoint)}&path_style=true`;
      const patience = { connectMs: 60_000, responseMs: 10_000, idleMs: 10_000 };
      const storage = await openS3Storage(url, { spoolPath: folder, requestOptions: patience });
      const store = (Key: string) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
      return {
        url,
        storage,
        temps: async () => {
          const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
          return [
            ...(await readdir(folder)).filter((file) => file !== 'copies'),
            ...(Uploads ?? []).map(({ Key }) => Key ?? ''),
          ];
        },
        litter: async (projectId: string) => {
          await store(`some/prefix/${projectId}/README`);
          await store(`some/prefix/${projectId}/aa/bb`);
        },
        grant: (user: string, Action: readonly string[]) =>
          client.send(
            new PutBucketPolicyCommand({
              Bucket,
              Policy: JSON.stringify({
                Version: '2012-10-17',
                Statement: [
                  {
                    Effect: 'Allow',
                    Principal: { AWS: [`arn:aws:iam:::user/${user}`] },
                    Action,
                    Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
                  },
                ],
              }),
            }),
          ),
        everything: async () => {
          const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
          return (Contents ?? []).map(({ Key }) => Key ?? '');
        },
        close: async () => {
          await storage.close();
          client.destroy();
          await rm(folder, { recursive: true, force: true });
        },
      };
    };

    describeStorage(`storage/s3 by ${name}`, () => open());
    describePartials(`storage/s3 by ${name}`, () => open());

    it('joins large files once, and reads them in ranges', async () => {
      const fixture = await open();
      const bytes = randomBytes(20 * mebi + 5);
      const [one, two] = await Promise.all([
        put(fixture.storage, A, bytes),
        put(fixture.storage, A, bytes),
      ]);
      expect(two.sha256).to.equal(one.sha256);
      expect(await fixture.everything()).to.deep.equal([`some/prefix/${A}/${one.sha256}`]);
      expect(await fixture.temps()).to.deep.equal([]);
      const range = { start: 9 * mebi, end: 20 * mebi + 99 };
      const part = await collect(await fixture.storage.open(A, one.sha256, range));
      expect(part.equals(bytes.subarray(9 * mebi))).to.equal(true);
      await fixture.close();
    });

    it('joins a file that arrived in several requests within the bucket', async () => {
      const fixture = await open();
      const { partials } = fixture.storage;
      const bytes = randomBytes(19 * mebi);
      const cut = 10 * mebi + 3;
      for (const [at, piece] of [
        [0, bytes.subarray(0, cut)],
        [cut, bytes.subarray(cut)],
      ] as const) {
        await partials.append(A, U, at, Readable.from([piece]), { maxBytes: 2 ** 30 });
      }
      const whole = await partials.complete(A, U);
      await whole.commit();
      await whole.discard();
      expect(await fixture.everything()).to.deep.equal([`some/prefix/${A}/${whole.sha256}`]);
      const read = await collect(await fixture.storage.open(A, whole.sha256));
      expect(read.equals(bytes)).to.equal(true);
      await fixture.close();
    });

    it('stores nothing by halves when the line is cut in mid-upload, and all of it on the next try', async () => {
      const line = await openTcpProxy(server.endpoint);
      const fixture = await open(line.through(server.endpoint).replace(/\/$/, ''));
      const bytes = randomBytes(40 * mebi);
      const it = await fixture.storage.receive(A, Readable.from([bytes]), { maxBytes: 2 ** 30 });
      line.cut();
      expect(await codeOf(it.commit())).to.equal('unavailable');
      line.restore();
      expect(await fixture.storage.stat(A, it.sha256)).to.equal(null);
      const committed = it.commit();
      setTimeout(() => line.cut(), 20);
      setTimeout(() => line.restore(), 60);
      await committed.catch(() => undefined);
      await it.commit();
      expect((await collect(await fixture.storage.open(A, it.sha256))).equals(bytes)).to.equal(
        true,
      );
      await it.discard();
      await fixture.close();
      await line.close();
    });

    it('waits for a server that stands still for a moment', async () => {
      const fixture = await open();
      const it = await fixture.storage.receive(A, Readable.from([randomBytes(9 * mebi)]), {
        maxBytes: 2 ** 30,
      });
      for (const program of server.programs) program.signal('SIGSTOP');
      const committed = it.commit();
      setTimeout(() => {
        for (const program of server.programs) program.signal('SIGCONT');
      }, 2_000);
      await committed;
      expect((await fixture.storage.stat(A, it.sha256))?.bytes).to.equal(9 * mebi);
      await it.discard();
      await fixture.close();
    });

    it('refuses wrong credentials, and others’ without a grant', async () => {
      const fixture = await open();
      const spoolPath = await mkdtemp(join(tmpdir(), 'spool-'));
      for (const [id, secret] of [
        [server.owner.accessKeyId, 'wrong'],
        ['nobody', 'wrong'],
        [server.reader.accessKeyId, server.reader.secretAccessKey],
      ] as const) {
        process.env.AWS_ACCESS_KEY_ID = id;
        process.env.AWS_SECRET_ACCESS_KEY = secret;
        const other = await openS3Storage(fixture.url, { spoolPath });
        expect(await codeOf(put(other, A, 'x')), id).to.equal('unavailable');
        expect(await refusal(fixture.url), id).to.match(
          secret === 'wrong' ? /access key: check AWS_/ : /grant it s3:ListBucket\.$/,
        );
        await other.close();
      }
      await rm(spoolPath, { recursive: true });
      expect(await fixture.everything()).to.deep.equal([]);
      await fixture.close();
    });

    it('is reached in spite of a clock that is an hour fast', async () => {
      const fixture = await open();
      const { now } = Date;
      Date.now = () => now() + 3_600_000;
      try {
        expect(await refusal(fixture.url)).to.equal('accepted');
        const { sha256 } = await put(fixture.storage, A, 'fast');
        expect(String(await collect(await fixture.storage.open(A, sha256)))).to.equal('fast');
      } finally {
        Date.now = now;
      }
      await fixture.close();
    });

    if (name === 'ceph') {
      // Who stored an object there may read it.
      for (const missing of permissions.filter((each) => each !== 's3:GetObject')) {
        it(`is rejected at the start without ${missing}`, async () => {
          const fixture = await open();
          const Action = permissions.filter((each) => each !== missing);
          await fixture.grant(server.reader.accessKeyId, Action);
          process.env.AWS_ACCESS_KEY_ID = server.reader.accessKeyId;
          process.env.AWS_SECRET_ACCESS_KEY = server.reader.secretAccessKey;
          expect(await refusal(fixture.url)).to.match(new RegExp(`grant it ${missing}\\.$`));
          await fixture.close();
        });
      }
    }

    it('is accepted at the start, and leaves nothing behind', async () => {
      const fixture = await open();
      expect(await refusal(fixture.url)).to.equal('accepted');
      expect(await fixture.everything()).to.deep.equal([]);
      expect(await fixture.temps()).to.deep.equal([]);
      await fixture.close();
    });
  });
}

function refusal(url: string): Promise<string> {
  return checkStoragePermissions(url, true).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
}

if (named.length === 0) {
  describe('S3 by other servers', () => {
    it.skip('is tried by script/test-s3, which starts Swift and Ceph');
  });
}
