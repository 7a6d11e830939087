import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isolationKinds } from '@scriptorium/sandbox/isolation';
import { expect } from 'chai';
import { isTraversable } from '../../../lab/embedded/postgres/account.ts';
import { extension, runTypeScript } from '../../../lab/embedded/programs.ts';
import { checkout } from '../../support/run.ts';

/** What a compromised child found; see support/hostile-child. */
type Found = {
  environments: string[];
  readable: string[];
  /** What is visible besides what it is meant to see, and the folders that lead to that. */
  visible: string[];
  writable: string[];
  tcp: string;
  udp: string;
  abstract: string;
  shell: string | { error: string };
  signals: number[];
  inherited: number[];
  huge: string | { error: string };
  interfaces: string[] | { error: string };
  calls: Record<string, string>;
  next: { seen: string[]; readable: string[] };
  connections: number;
  /** The files it has looked for that are folders which lead to what it is meant to see. */
  leading: string[];
  left: string[];
};

/** What bubblewrap puts into /dev; `unshare` needs the first five. */
const devices: ReadonlySet<string> = new Set(
  ['', '/null', '/zero', '/random', '/urandom', '/full', '/tty', '/console', '/core', '/shm']
    .concat(['/fd', '/stdin', '/stdout', '/stderr', '/ptmx', '/pts', '/pts/ptmx'])
    .map((name) => `/dev${name}`),
);

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const isRoot = process.getuid?.() === 0;
const ordinary = 65_534;
const accounts = [
  { account: isRoot ? 'root' : 'this account', uid: undefined },
  ...(isRoot && isTraversable(checkout) ? [{ account: 'an ordinary account', uid: ordinary }] : []),
];

for (const { account, uid } of accounts) {
  for (const kind of isolationKinds) {
    describe(`a compromised child, ${kind}, under ${account}`, () => {
      const secret = randomUUID();
      const folders: string[] = [];
      let storage: string;
      let found: Found;

      before(async function () {
        storage = plant(tmpdir());
        const others = [homedir(), dirname(checkout), join(checkout, '.data')].filter(isWritable);
        const planted = others.map((folder) => join(plant(folder), 'secret'));
        const script = fileURLToPath(
          new URL(`../../support/takeover${extension}`, import.meta.url),
        );
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [...runTypeScript, script, kind, storage, ...planted],
          {
            cwd: '/',
            env: {
              PATH: process.env.PATH,
              SECRET: secret,
              HOME: process.env.HOME ?? '/',
              TMPDIR: tmpdir(),
            },
            ...(uid === undefined ? {} : { uid, gid: uid }),
          },
        );
        const reported: Found | null = JSON.parse(stdout);
        // Not a failure: the machine does not support it, and a worker reports this at start.
        if (reported === null) this.skip();
        found = reported;
      });
      after(async () => {
        for (const folder of folders) await rm(folder, { recursive: true, force: true });
      });

      /** Makes a folder with the secret that every account may read. */
      function plant(parent: string): string {
        const folder = mkdtempSync(join(parent, '.takeover-'));
        folders.push(folder);
        writeFileSync(join(folder, 'secret'), secret);
        chmodSync(folder, 0o755);
        return folder;
      }

      it('leaves nothing on the disk or for the next child', () => {
        expect(found.left).to.deep.equal([]);
        if (kind !== 'process') expect(found.next.readable).to.deep.equal([]);
        if (kind === 'bubblewrap' || kind === 'unshare') expect(found.next.seen).to.deep.equal([]);
      });
      it('inherits no descriptors', () => {
        expect(found.inherited).to.deep.equal([]);
      });
      it('cannot write endless files', () => {
        expect(found.huge).to.deep.equal({ error: 'EFBIG' });
      });

      if (kind === 'bubblewrap' || kind === 'unshare') {
        it('finds no secret in any environment', () => {
          expect(found.environments).to.deep.equal([]);
        });
        it('reads and writes only its own files', () => {
          const { readable, leading, visible } = found;
          expect(readable.filter((path) => !leading.includes(path))).to.deep.equal([]);
          // In folders such as the home that the checkout is in, too.
          expect(visible.filter((path) => !devices.has(path))).to.deep.equal([]);
          expect(found.writable).to.deep.equal([]);
        });
        it('cannot connect by TCP, UDP or abstract sockets', () => {
          expect(found.connections).to.equal(0);
          expect(found.tcp).to.be.oneOf(['EPERM', 'ENETUNREACH', 'ECONNREFUSED', 'EACCES']);
          expect(found.abstract).not.to.equal('connected');
          expect(found.interfaces).to.satisfy(
            (reported: unknown) =>
              typeof reported === 'object' && (!Array.isArray(reported) || reported.length === 0),
          );
        });
        it('has no shell', () => {
          expect(found.shell).to.deep.equal({ error: 'ENOENT' });
        });
        it('sees neither its parent nor any process that it could signal', () => {
          expect(found.signals).to.deep.equal([]);
        });
        it('is denied privileged system calls', function () {
          if (Object.keys(found.calls).length === 0) this.skip();
          const { ptrace, mount, unshare, clone, bpf } = found.calls;
          for (const answer of [ptrace, mount]) expect(answer).to.match(/^-\d+$/);
          expect(bpf).to.match(/^-\d+$/);
          expect(unshare).to.equal('-1');
          expect(clone).to.equal('-1');
          if (kind !== 'bubblewrap') return;
          expect(found.calls).to.include({
            socket: '-1',
            keyctl: '-1',
            memfd: '-1',
            io_uring: '-38',
          });
        });
      }
      if (kind === 'account') {
        it('reads neither the secret nor files that are closed to other users', () => {
          expect(found.environments).to.deep.equal([]);
          expect(found.readable).not.to.include('/etc/shadow');
          expect(found.writable).not.to.include(storage);
          expect(found.signals).to.deep.equal([]);
        });
      }
      if (kind === 'process') {
        // Node's permission model is all there is: it covers JavaScript and nothing else.
        it('reads no file from JavaScript and starts no program', () => {
          expect(found.environments).to.deep.equal([]);
          expect(found.readable).to.deep.equal([]);
          expect(found.writable).to.deep.equal([]);
        });
      }
    });
  }
}
