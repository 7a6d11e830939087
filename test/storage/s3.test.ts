import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { checkStoragePermissions, openStorage } from '../../src/storage/open-storage.ts';
import { parseS3Url } from '../../src/storage/s3/bucket/url.ts';
import { openS3Storage } from '../../src/storage/s3/storage.ts';
import { type Storage, StorageError } from '../../src/storage/storage.ts';
import { eventually } from '../support/eventually.ts';
import { type S3Double, type S3Request, startS3Double } from '../support/s3-double.ts';
import { describePartials, uploadU as U } from './partials.ts';
import { projectA as A, codeOf, collect, describeStorage, hashOf, put } from './shared.ts';

const openFixture = async () => {
  const double = await startS3Double();
  const folder = await mkdtemp(join(tmpdir(), 'spool-'));
  const storage = await openS3Storage(double.storageUrl, {
    spoolPath: folder,
    requestOptions: { connectMs: 60_000, responseMs: 2_000, idleMs: 2_000 },
  });
  return {
    double,
    folder,
    storage,
    temps: async () => [
      ...(await readdir(folder)).filter((name) => name !== 'copies'),
      ...double.multipartUploads(),
    ],
    litter: async (projectId: string) => {
      double.put(`some/prefix/${projectId}/README`, 'not ours');
      double.put(`some/prefix/${projectId}/aa/bb`, 'not ours either');
    },
    everything: async () => double.keys(),
    close: async () => {
      await storage.close();
      await double.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

describeStorage('storage/s3', openFixture);
describePartials('storage/s3', openFixture);

type Fixture = Awaited<ReturnType<typeof openFixture>>;

const mebi = 1024 * 1024;
const isPut = ({ method, query }: S3Request) => method === 'PUT' && !query.has('partNumber');
const isPart = ({ query }: S3Request) => query.has('partNumber');
const isGet = ({ method, key }: S3Request) => method === 'GET' && key !== '';
const isBegin = ({ method, query }: S3Request) => method === 'POST' && query.has('uploads');
const isEnd = ({ method, query }: S3Request) => method === 'POST' && query.has('uploadId');
const isListOfJoins = ({ method, query }: S3Request) => method === 'GET' && query.has('uploads');
const isAbort = ({ method, query }: S3Request) => method === 'DELETE' && query.has('uploadId');
const isRemoval = ({ method, query }: S3Request) => method === 'DELETE' && !query.has('uploadId');
const always = 1_000;

describe('storage/s3, in a bucket', () => {
  let fixture: Fixture;
  let double: S3Double;
  let storage: Storage;
  beforeEach(async () => {
    fixture = await openFixture();
    ({ double, storage } = fixture);
  });
  afterEach(() => fixture.close());

  const receive = (bytes: Buffer | string) =>
    storage.receive(A, Readable.from([Buffer.from(bytes)]), { maxBytes: 2 ** 30 });
  const keyOf = (sha256: string) => `some/prefix/${A}/${sha256}`;
  const count = (text: string) => double.requests.filter((each) => each.startsWith(text)).length;

  describe('what is put', () => {
    it('goes to its key, and not again while it is there', async () => {
      const { sha256 } = await put(storage, A, 'once');
      await put(storage, A, 'once');
      expect(double.keys()).to.deep.equal([keyOf(sha256)]);
      expect(count('PUT')).to.equal(1);
    });

    it('goes in parts when it is large, and is joined once', async () => {
      const bytes = randomBytes(20 * mebi + 5);
      const [one, two] = await Promise.all([receive(bytes), receive(bytes)]);
      await Promise.all([one.commit(), two.commit()]);
      await Promise.all([one.discard(), two.discard()]);
      expect(double.keys()).to.deep.equal([keyOf(one.sha256)]);
      expect(await fixture.temps()).to.deep.equal([]);
      expect((await collect(await storage.open(A, one.sha256))).equals(bytes)).to.equal(true);
      const range = { start: 9 * mebi, end: 20 * mebi + 99 };
      const part = await collect(await storage.open(A, one.sha256, range));
      expect(part.equals(bytes.subarray(9 * mebi))).to.equal(true);
    });

    it('gets there in a store without conditional puts', async () => {
      double.emulateSwift();
      const [one, two] = await Promise.all([receive('the same'), receive('the same')]);
      await Promise.all([one.commit(), two.commit()]);
      await Promise.all([one.discard(), two.discard()]);
      expect(double.keys()).to.deep.equal([keyOf(one.sha256)]);
      expect(String(await collect(await storage.open(A, one.sha256)))).to.equal('the same');
    });

    for (const [name, fault, when] of [
      ['answers 500', { answer: 500 }, isPut],
      ['says that it has too much to do', { answer: 503 }, isPut],
      ['hangs up', 'reset', isPut],
      ['hangs up after it did what was asked', 'reset_after', isPut],
      ['does not answer', 'silence', isPut],
    ] as const) {
      it(`gets there when the store ${name} at first`, async () => {
        double.fail(fault, when, 2);
        const { sha256 } = await put(storage, A, name);
        expect(String(await collect(await storage.open(A, sha256)))).to.equal(name);
      });
    }

    it('gets there in parts when some fail, or the answer to the last request is lost', async () => {
      double.fail('reset', isPart, 2);
      double.fail({ answer: 500 }, isPart, 1);
      double.fail('reset_after', isEnd, 1);
      const bytes = randomBytes(17 * mebi);
      const { sha256 } = await put(storage, A, bytes);
      expect((await collect(await storage.open(A, sha256))).equals(bytes)).to.equal(true);
      expect(double.multipartUploads()).to.deep.equal([]);
    });

    for (const [name, bytes, when] of [
      ['small', 10, isPut],
      ['large', 17 * mebi, isPart],
      ['large, at its end', 17 * mebi, isEnd],
    ] as const) {
      it(`leaves nothing behind when the store stays away: ${name}`, async () => {
        double.fail({ answer: 500 }, when, always);
        const it = await receive(randomBytes(bytes));
        expect(await codeOf(it.commit())).to.equal('unavailable');
        expect(await storage.stat(A, it.sha256)).to.equal(null);
        await it.discard();
        expect(double.keys()).to.deep.equal([]);
        expect(await fixture.temps()).to.deep.equal([]);
      });
    }

    it('can be tried again while it is not discarded', async () => {
      double.fail('reset', isPut, 3);
      const it = await receive('again');
      expect(await codeOf(it.commit())).to.equal('unavailable');
      await it.commit();
      await it.discard();
      expect(String(await collect(await storage.open(A, it.sha256)))).to.equal('again');
    });

    it('names a store without room', async () => {
      double.fail({ answer: 507 }, isPut, always);
      expect(await codeOf(put(storage, A, 'x'))).to.equal('storage_full');
    });
  });

  it('tells a store that is away, refuses or has no such bucket from bytes that are not there', async () => {
    const { sha256 } = await put(storage, A, 'x');
    const other = await openS3Storage(double.storageUrl.replace('s3://', 's3://other-'), {
      spoolPath: fixture.folder,
    });
    expect(await codeOf(other.open(A, sha256))).to.equal('unavailable');
    expect(await codeOf(put(other, A, 'y'))).to.equal('unavailable');
    await other.close();
    process.env.AWS_ACCESS_KEY_ID = 'SOMEBODYELSE';
    const stranger = await openS3Storage(double.storageUrl, { spoolPath: fixture.folder });
    expect(await codeOf(stranger.open(A, sha256))).to.equal('unavailable');
    await stranger.close();
    const away = await openS3Storage(
      's3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A1&path_style=true',
      { spoolPath: fixture.folder },
    );
    const error = await away.stat(A, sha256).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StorageError).with.property('code', 'unavailable');
    expect((error as Error).message).to.not.match(/127|bucket|prj_/);
    await away.close();
  });

  describe('what is read', () => {
    it('ends with an error when it breaks off', async () => {
      const { sha256 } = await put(storage, A, randomBytes(2 * mebi));
      double.fail('cut', isGet);
      expect(await codeOf(collect(await storage.open(A, sha256)))).to.equal('unavailable');
    });

    it('ends with an error when it is not what was put', async () => {
      const { sha256 } = await put(storage, A, 'sound');
      double.corrupt(keyOf(sha256));
      expect(await codeOf(collect(await storage.open(A, sha256)))).to.equal('unavailable');
      expect(await codeOf(storage.localPath(A, sha256))).to.equal('unavailable');
    });

    it('frees its connection when its reader leaves', async () => {
      const { sha256 } = await put(storage, A, randomBytes(4 * mebi));
      const streams = await Promise.all(Array.from({ length: 20 }, () => storage.open(A, sha256)));
      expect(await double.connections()).to.be.at.least(20);
      for (const stream of streams) stream.destroy();
      await eventually(async () => (await double.connections()) <= 2);
    });
  });

  describe('copies for programs', () => {
    it('are downloaded once for all callers, and again after they were removed', async () => {
      const { sha256 } = await put(storage, A, randomBytes(mebi));
      const takes = await Promise.all(
        Array.from({ length: 10 }, () => storage.localPath(A, sha256)),
      );
      expect(new Set(takes.map(({ path }) => path)).size).to.equal(1);
      for (const { release } of takes) await release();
      const again = await storage.localPath(A, sha256);
      expect(again.path).to.equal(takes[0]!.path);
      expect(count('GET')).to.equal(1);
      expect(await storage.cleanTemp(-1)).to.equal(1);
      const fresh = await storage.localPath(A, sha256);
      expect(hashOf(await readFile(fresh.path))).to.equal(sha256);
      expect(count('GET')).to.equal(3); // and one was for joins
      await fresh.release();
      await again.release();
    });

    it('in use are not stale, however far behind the clock of the process is', async () => {
      const { sha256 } = await put(storage, A, 'x');
      mock.timers.enable({ apis: ['Date'], now: Date.now() - 2 * 86_400_000 });
      try {
        const { release } = await storage.localPath(A, sha256);
        expect(await storage.cleanTemp(86_400_000)).to.equal(0);
        await release();
      } finally {
        mock.timers.reset();
      }
    });

    it('come whole, however often the store breaks off', async () => {
      const { sha256 } = await put(storage, A, randomBytes(mebi));
      double.fail('cut', isGet, 2);
      const { path, release } = await storage.localPath(A, sha256);
      expect(hashOf(await readFile(path))).to.equal(sha256);
      await release();
      const other = await put(storage, A, randomBytes(mebi));
      double.fail('cut', isGet, always);
      expect(await codeOf(storage.localPath(A, other.sha256))).to.equal('unavailable');
      expect(await readdir(join(fixture.folder, 'copies'))).to.have.length(1);
    });

    it('go with the process', async () => {
      const { sha256 } = await put(storage, A, 'x');
      await storage.localPath(A, sha256);
      await storage.close();
      expect(await readdir(join(fixture.folder, 'copies'))).to.deep.equal([]);
    });
  });

  it('aborts unfinished joins once they are old', async () => {
    const never = new Promise<void>(() => undefined);
    double.fail({ wait: never }, isPart, always);
    for (let n = 0; n < 3; n++) {
      const it = await receive(randomBytes(9 * mebi));
      it.commit().catch(() => undefined);
    }
    await eventually(async () => double.multipartUploads().length === 3);
    expect(await storage.cleanTemp(3_600_000)).to.equal(0);
    double.shiftTime(2 * 3_600_000);
    await storage.cleanTemp(3_600_000);
    expect(double.multipartUploads()).to.deep.equal([]);
  });

  it('cleans by the clock of the store, however wrong the one of the process is', async () => {
    const never = new Promise<void>(() => undefined);
    double.fail({ wait: never }, isPart, always);
    const join = await receive(randomBytes(9 * mebi));
    join.commit().catch(() => undefined);
    await eventually(async () => double.multipartUploads().length === 1);
    await storage.partials.append(A, U, 0, Readable.from([Buffer.from('half')]), { maxBytes: 10 });
    const before = Date.now();
    mock.timers.enable({ apis: ['Date'], now: before + 2 * 86_400_000 });
    try {
      expect(await storage.now()).to.be.within(before - 2_000, before + 86_400_000);
      expect(await storage.cleanTemp(86_400_000)).to.equal(0);
      expect(await storage.partials.clean(86_400_000)).to.equal(0);
    } finally {
      mock.timers.reset();
    }
    expect(double.multipartUploads()).to.have.length(1);
    expect(await storage.partials.offset(A, U)).to.equal(4);
  });

  describe('files on their way', () => {
    const append = (at: number, stream: Readable, more: object = {}) =>
      storage.partials.append(A, U, at, stream, { maxBytes: 2 ** 30, ...more });
    const pieces = (bytes: Buffer, size = 65_536) =>
      Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        })(),
        { objectMode: false },
      );

    it('count by the segment, even after a crash, and are joined in the bucket', async () => {
      const bytes = randomBytes(19 * mebi + 7);
      double.fail({ answer: 500 }, ({ key }) => key.endsWith('/000001'), 3);
      expect(await codeOf(append(0, pieces(bytes)))).to.equal('unavailable');
      // As another process finds it.
      const next = await openS3Storage(double.storageUrl, { spoolPath: fixture.folder });
      const offset = await next.partials.offset(A, U);
      expect(offset).to.be.within(8 * mebi, 16 * mebi);
      const rest = pieces(bytes.subarray(offset));
      expect(await next.partials.append(A, U, offset, rest, { maxBytes: 2 ** 30 })).to.equal(
        bytes.length,
      );
      double.requests.length = 0;
      const whole = await next.partials.complete(A, U);
      await whole.commit();
      expect(whole.sha256).to.equal(hashOf(bytes));
      expect((await collect(await next.open(A, whole.sha256))).equals(bytes)).to.equal(true);
      expect(count(`PUT ${keyOf(whole.sha256)}`)).to.equal(3);
      // What a sweep took is put back from the segments.
      await next.remove(A, whole.sha256);
      await whole.commit();
      await whole.discard();
      expect(double.keys()).to.deep.equal([keyOf(whole.sha256)]);
      await next.close();
    });

    it('go in a store that wants an MD5 of what is to go', async () => {
      double.emulateSwift();
      await storage.partials.append(A, U, 0, Readable.from([randomBytes(9 * mebi)]), {
        maxBytes: 2 ** 30,
      });
      expect(double.keys()).to.have.length(2);
      expect(await storage.partials.drop(A, U)).to.equal(true);
      expect(double.keys()).to.deep.equal([]);
    });

    it('are closed on this machine when the store fails before they are read', async () => {
      await append(0, pieces(randomBytes(3)));
      double.fail({ answer: 500 }, isGet, always);
      const bytes = randomBytes(3);
      const checksum = { algorithm: 'sha256', digest: Buffer.from(hashOf(bytes), 'hex') };
      expect(await codeOf(append(3, pieces(bytes), { checksum }))).to.equal('unavailable');
      const open = async () => {
        const links = await readdir('/proc/self/fd');
        const paths = links.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''));
        return (await Promise.all(paths)).filter((path) => path.startsWith(fixture.folder));
      };
      await eventually(async () => (await open()).length === 0);
    });

    it('grow by little', async () => {
      const bytes = randomBytes(9 * mebi);
      let at = 0;
      for (const size of [1, 10, 3 * mebi, 5 * mebi - 11, 1, mebi - 1, 0]) {
        at = await append(at, pieces(bytes.subarray(at, at + size)));
      }
      expect(at).to.equal(9 * mebi);
      expect(double.keys()).to.have.length(2);
      const whole = await storage.partials.complete(A, U);
      expect(whole.sha256).to.equal(hashOf(bytes));
      await whole.discard();
    });

    it('shrink back when too much comes, over all segments it reached', async () => {
      const bytes = randomBytes(30 * mebi);
      await append(0, pieces(bytes.subarray(0, 11 * mebi)));
      const tooMuch = append(11 * mebi, pieces(bytes.subarray(11 * mebi)), { maxBytes: 18 * mebi });
      expect(await codeOf(tooMuch)).to.equal('too_large');
      expect(await storage.partials.offset(A, U)).to.equal(11 * mebi);
      const head = await storage.partials.head(A, U, 99 * mebi);
      expect(head.equals(bytes.subarray(0, 11 * mebi))).to.equal(true);
    });

    it('do not count what lies behind a gap, nor ever after', async () => {
      await append(0, pieces(randomBytes(3 * mebi)));
      double.put(`some/prefix/.partial/${A}/${U}/000002`, 'stray');
      expect(await storage.partials.offset(A, U)).to.equal(3 * mebi);
      await append(3 * mebi, pieces(randomBytes(13 * mebi)));
      expect(await storage.partials.offset(A, U)).to.equal(16 * mebi);
      double.put(`some/prefix/.partial/${A}/${U}/000009`, 'stray');
      expect(await storage.partials.drop(A, U)).to.equal(true);
      expect(double.keys()).to.deep.equal([]);
    });

    it('need no memory for what a checked stream brings', async () => {
      const bytes = randomBytes(17 * mebi);
      const checksum = { algorithm: 'sha256', digest: createHash('sha256').update(bytes).digest() };
      await append(0, pieces(bytes), { checksum });
      expect(await storage.partials.offset(A, U)).to.equal(17 * mebi);
      expect(await fixture.temps()).to.deep.equal([]);
    });
  });
});

describe('storage/s3, at the start', () => {
  let double: S3Double;
  beforeEach(async () => {
    double = await startS3Double();
  });
  afterEach(() => double.close());

  const refusal = (url = double.storageUrl, tidies = true) =>
    checkStoragePermissions(url, tidies).then(
      () => 'accepted',
      (error: Error) => error.message,
    );

  it('accepts a bucket in which everything is permitted, and leaves nothing there', async () => {
    expect(await refusal()).to.equal('accepted');
    expect(double.keys()).to.deep.equal([]);
    expect(double.multipartUploads()).to.deep.equal([]);
  });

  for (const [permission, when] of [
    ['s3:ListBucket', ({ query }) => query.has('list-type')],
    ['s3:PutObject', isPut],
    ['s3:GetObject', isGet],
    ['s3:ListBucketMultipartUploads', isListOfJoins],
    ['s3:AbortMultipartUpload', isAbort],
    ['s3:DeleteObject', isRemoval],
  ] as [string, (request: S3Request) => boolean][]) {
    it(`names the permission that is missing: ${permission}`, async () => {
      double.fail({ answer: 403 }, when, always);
      expect(await refusal()).to.equal(
        `STORAGE_URL names a bucket on which the access key lacks a permission: grant it ${permission}.`,
      );
      if (when !== isRemoval) expect(double.keys()).to.deep.equal([]);
      if (when !== isAbort) expect(double.multipartUploads()).to.deep.equal([]);
    });
  }

  it('lists unfinished uploads only where they are tidied', async () => {
    double.fail({ answer: 403 }, isListOfJoins, always);
    expect(await refusal(double.storageUrl, false)).to.equal('accepted');
    expect(double.multipartUploads()).to.deep.equal([]);
  });

  it('accepts a store that is full, and leaves nothing there', async () => {
    double.fail({ answer: 403, code: 'QuotaExceeded' }, isPut, 1);
    expect(await refusal()).to.equal('accepted');
    double.fail({ answer: 403, code: 'QuotaExceeded' }, isBegin, 1);
    expect(await refusal()).to.equal('accepted');
    expect(double.keys()).to.deep.equal([]);
  });

  it('leaves nothing of a request whose answer is lost', async () => {
    double.fail('reset_after', isPut, always);
    expect(await refusal()).to.equal('accepted');
    expect(double.keys()).to.deep.equal([]);
  });

  it('has an object of its own at each start', async () => {
    await Promise.all([refusal(), refusal()]);
    const put = double.requests.filter((each) => /^PUT .*start-check/.test(each));
    expect(new Set(put)).to.have.property('size', 2);
  });

  it('names a bucket that does not exist, and accepts a store that is away', async () => {
    const other = double.storageUrl.replace('scriptorium-test', 'no-such-bucket');
    expect(await refusal(other)).to.equal(
      'STORAGE_URL names a bucket that does not exist: create it, or correct the name.',
    );
    double.fail({ answer: 503 }, () => true, always);
    expect(await refusal()).to.equal('accepted');
    expect(await refusal('file:///tmp')).to.equal('accepted');
  });
});

describe('storage/s3, its URL', () => {
  it('is read', () => {
    expect(
      parseS3Url(
        's3://a-bucket/a/b%20c/?region=eu-west-3&endpoint=https%3A%2F%2Fs3.local&path_style=true',
      ),
    ).to.deep.equal({
      bucket: 'a-bucket',
      prefix: 'a/b c/',
      region: 'eu-west-3',
      endpoint: 'https://s3.local',
      pathStyle: true,
    });
    expect(parseS3Url('s3://bucket')).to.deep.equal({
      bucket: 'bucket',
      prefix: '',
      region: undefined,
      endpoint: undefined,
      pathStyle: false,
    });
    expect(parseS3Url('s3://bucket?endpoint=http%3A%2F%2Flocalhost%3A9000').region).to.equal(
      'us-east-1',
    );
  });

  for (const url of [
    's3:',
    's3://',
    's3://UPPER',
    's3://AKIAKEY:geheim@bucket',
    's3://bucket?secret=geheim',
    's3://bucket?path_style=yes',
    's3://bucket?endpoint=ftp%3A%2F%2Fx',
    's3://bucket?endpoint=https%3A%2F%2Fuser%3Ageheim%40host',
  ]) {
    it(`is rejected, and not repeated: ${url}`, async () => {
      const error = await openStorage(url).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(StorageError).with.property('code', 'url_invalid');
      expect((error as Error).message).to.not.include('geheim');
    });
  }
});

describe('the S3 double', () => {
  let double: S3Double;
  let client: S3Client;
  before(async () => {
    double = await startS3Double();
    client = new S3Client({ endpoint: double.endpoint, region: 'x', forcePathStyle: true });
  });
  after(async () => {
    client.destroy();
    await double.close();
  });
  const target = { Bucket: 'scriptorium-test', Key: 'k' };
  const nameOf = (run: Promise<unknown>) =>
    run.then(
      () => 'nothing thrown',
      (error: Error) => error.name,
    );

  it('takes a stream out of the aws-chunked framing that the SDK puts it in', async () => {
    const bytes = randomBytes(300_000);
    const Body = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]);
    await client.send(new PutObjectCommand({ ...target, Body, ContentLength: bytes.length }));
    const { Body: back } = await client.send(new GetObjectCommand(target));
    expect(Buffer.from(await back!.transformToByteArray()).equals(bytes)).to.equal(true);
  });

  it('refuses what does not fit its checksum, and what has none', async () => {
    const wrong = new PutObjectCommand({ ...target, Body: 'x', ChecksumCRC32: 'AAAAAA==' });
    expect(await nameOf(client.send(wrong))).to.equal('BadDigest');
    const bare = new S3Client({
      endpoint: double.endpoint,
      region: 'x',
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const none = new PutObjectCommand({ ...target, Body: 'x' });
    expect(await nameOf(bare.send(none))).to.equal('MissingChecksum');
    bare.destroy();
  });

  it('refuses a request without a signature, and a second item where none may be', async () => {
    const { status } = await fetch(`${double.endpoint}/scriptorium-test/k`);
    expect(status).to.equal(403);
    const first = new PutObjectCommand({ ...target, Key: 'n', Body: 'x', IfNoneMatch: '*' });
    await client.send(first);
    expect(await nameOf(client.send(first))).to.equal('PreconditionFailed');
  });
});
