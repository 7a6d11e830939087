import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { parseInvitationToken } from '../../src/access/people/invitation-link.ts';
import { createSigner } from '../../src/access/signer.ts';
import { formatUsage, parseCommandLine } from '../../src/admin/command.ts';
import { commands } from '../../src/admin/index.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openAdmin, type TestAdmin } from '../support/admin.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('the command line for projects, keys and storage', () => {
  let database: DatabaseFixture;
  let admin: TestAdmin;
  let folder: string;
  const signer = createSigner(randomBytes(32).toString('base64'));
  let storage: Storage;
  before(async () => {
    database = await openDatabaseFixture();
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-admin-'));
    const storageUrl = pathToFileURL(folder).href;
    storage = await openStorage(storageUrl);
    const links = { publicUrl: 'https://files.example.com', signer };
    admin = openAdmin(database.urls, { storageUrl, links });
  });
  after(async () => {
    await storage.close();
    await rm(folder, { recursive: true });
    await database.close();
  });

  const create = async (name: string): Promise<string> =>
    String((await admin.json(0, 'project', 'create', name)).project_id);

  it('generates its usage from the commands, each of which can be parsed', async () => {
    const { code, stdout } = await admin.run('help');
    expect(code).to.equal(0);
    for (const command of commands) {
      expect(stdout).to.include(`  ${[command.name, ...(command.args ?? [])].join(' ')} `);
      const needed = Object.entries(command.options ?? {}).flatMap(([name, option]) =>
        option.required ? [`--${name}`, 'x'] : [],
      );
      const line = [...command.name.split(' '), ...(command.args ?? []), ...needed, '--json'];
      expect(parseCommandLine(commands, line)).to.include({ command, json: true });
    }
    expect(stdout).to.include(formatUsage(commands));
  });

  it('invites the first admin of a project by a link', async () => {
    const projectId = await create('Invited');
    const made = await admin.json(0, 'member', 'invite', projectId, '--name', 'Asha Bell');
    expect(made).to.include({ role: 'admin' });
    const link = new URL(String(made.url));
    expect(link.origin + link.pathname).to.equal('https://files.example.com/portal/sign-in');
    const invited = parseInvitationToken(signer, link.searchParams.get('invitation')!);
    expect(invited).to.deep.equal({ projectId, id: made.invitation_id });
    const [stored] = await inProject(database.owner, projectId, (tx) =>
      prepared<{ name: string; role: string; created_by: object }>(
        tx,
        'SELECT name, role, created_by FROM invitation WHERE id = $1',
        [made.invitation_id],
      ),
    );
    expect(stored).to.deep.equal({
      name: 'Asha Bell',
      role: 'admin',
      created_by: { type: 'operator', id: null },
    });
    const { code, stdout } = await admin.run('member', 'invite', projectId, '--role', 'viewer');
    expect(code).to.equal(0);
    expect(stdout).to.include('https://files.example.com/portal/sign-in?invitation=');
    const wrong = await admin.run('member', 'invite', projectId, '--role', 'king');
    expect([wrong.code, wrong.stderr]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 2 && text.includes('editor'),
    );
    expect((await admin.run('member', 'invite', newId('project'))).code).to.equal(1);
  });

  for (const [line, told] of [
    ['', 'Usage: '],
    ['project destroy', "Unknown command 'project destroy'."],
    ['project create', 'NAME is required.'],
    ['project list too', "Unexpected argument 'too' for 'project list'."],
    ['key list', '--project is required.'],
    ['key create --project p --scopes nope', "Unknown scope 'nope'. Expected one of: "],
    [
      'key create --project p --scopes * --read-per-minute 0',
      '--read-per-minute must be a positive whole',
    ],
    ['key revoke --project p', 'Exactly one of --key and --all'],
    ['queue list --colour', "Unknown option '--colour'"],
  ] as const) {
    it(`rejects '${line}' with the usage and exit code 2`, async () => {
      const answer = await admin.run(...line.split(' ').filter((word) => word !== ''));
      expect(answer.code).to.equal(2);
      expect(`${answer.stdout}${answer.stderr}`)
        .to.match(/^Usage: /)
        .and.include(told);
    });
  }

  it('lists, shows and renames projects', async () => {
    const id = await create('Before');
    await admin.json(0, 'project', 'rename', id, 'After');
    const { projects } = await admin.json(0, 'project', 'list');
    expect(
      (projects as { id: string; name: string }[]).find((each) => each.id === id)?.name,
    ).to.equal('After');
    const shown = await admin.json(0, 'project', 'show', id);
    expect(shown.counts).to.include({ keys_active: 1, objects: 0, policies: 2, tasks: 2 });
    expect((await admin.run('project', 'show', id)).stdout).to.match(/^policies +2$/m);
    const missing = await admin.run('project', 'show', 'prj_0');
    expect(missing).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: "Project 'prj_0' not found.\n",
    });
  });

  it('lists keys without their secrets, and revokes all at once', async () => {
    const id = await create('Keys');
    const made = await admin.json(
      0,
      'key',
      'create',
      '--project',
      id,
      '--scopes',
      'keys:read,objects:read',
      '--name',
      'reader',
    );
    const { stdout } = await admin.run('key', 'list', '--project', id);
    expect(stdout).to.match(/reader +active +- +keys:read,objects:read/);
    expect(stdout).to.not.include(String(made.api_key));
    const { revoked } = await admin.json(0, 'key', 'revoke', '--project', id, '--all');
    expect(revoked).to.have.length(2).and.include(made.key_id);
    const { keys } = await admin.json(0, 'key', 'list', '--project', id);
    expect((keys as { state: string }[]).map(({ state }) => state)).to.deep.equal([
      'revoked',
      'revoked',
    ]);
  });

  /** Stores bytes, and rows that reference them. */
  const keep = async (
    projectId: string,
    content: Buffer,
    rows: [state: string, kind: string][],
  ) => {
    const received = await storage.receive(projectId, Readable.from(content), { maxBytes: 1e6 });
    await received.commit();
    await received.discard();
    await inProject(database.api, projectId, async (tx) => {
      for (const [state, kind] of rows) {
        await prepared(
          tx,
          `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
           VALUES ($1, $2, $3, 'f', 'text/plain', $4, $5, $6)`,
          [newId('object'), projectId, state, content.length, received.sha256, kind],
        );
      }
    });
    return received.sha256;
  };
  const usageOfProject = async (id: string) => {
    const { projects } = await admin.json(0, 'storage', 'usage', '--project', id);
    return (projects as { usage: object; stored: object | null }[])[0]!;
  };

  it('counts shared bytes once, in the most important category', async () => {
    const id = await create('Usage');
    await keep(id, randomBytes(1_000), [
      ['available', 'upload'],
      ['trashed', 'upload'],
    ]);
    await keep(id, randomBytes(300), [['available', 'job']]);
    await keep(id, randomBytes(50), [['trashed', 'upload']]);
    await keep(id, randomBytes(7), []);
    const { usage, stored } = await usageOfProject(id);
    expect(usage).to.deep.equal({
      objects: { available: 2, trashed: 2 },
      bytes: { uploads: 1_000, outputs: 300, renditions: 0, variants: 0, trash: 50 },
      contents: 3,
      bytes_referenced: 1_350,
      bytes_unshared: 2_350,
    });
    expect(stored).to.deep.equal({ contents: 4, bytes: 1_357 });
    const { stdout } = await admin.run('storage', 'usage', '--no-scan');
    expect(stdout).to.match(/2 available, 2 trashed +1000 +300 +0 +0 +50 +1350 +-$/m);
  });

  it('finds rows whose bytes are missing, truncated or altered', async () => {
    const id = await create('Verify');
    const contents = Array.from({ length: 4 }, () => randomBytes(100));
    const [good, gone, short, changed] = await Promise.all(
      contents.map((content) => keep(id, content, [['available', 'upload']])),
    );
    const of = ['--project', id];
    const sound = await admin.run('storage', 'verify', ...of, '--all');
    expect(sound).to.include({ code: 0 });
    expect(sound.stdout).to.include('All referenced content is present.');
    await storage.remove(id, gone!);
    await writeFile(await pathOf(id, short!), 'cut');
    await writeFile(await pathOf(id, changed!), randomBytes(100));
    const told = await admin.json(3, 'storage', 'verify', ...of, '--all');
    const [{ faults, looked, hashed }] = told.projects as [
      { faults: { sha256: string; fault: string }[]; looked: number; hashed: number },
    ];
    expect({ looked, hashed }).to.deep.equal({ looked: 4, hashed: 4 });
    expect(Object.fromEntries(faults.map(({ sha256, fault }) => [sha256, fault]))).to.deep.equal({
      [gone!]: 'missing',
      [short!]: 'wrong_size',
      [changed!]: 'wrong_hash',
    });
    const { stdout, code } = await admin.run('storage', 'verify', ...of, '--sample', '1');
    expect(code).to.equal(3);
    expect(stdout).to.match(new RegExp(`${id} +4 +1 +[23]\n`));
    expect(createHash('sha256').update(contents[0]!).digest('hex')).to.equal(good);
  });

  it('copies referenced bytes to another storage and back, and skips damaged ones', async () => {
    const id = await create('Copy');
    const [good, gone, changed] = await Promise.all(
      [randomBytes(100), randomBytes(100), randomBytes(100)].map((content) =>
        keep(id, content, [['available', 'upload']]),
      ),
    );
    await keep(id, randomBytes(5), []);
    await storage.remove(id, gone!);
    await writeFile(await pathOf(id, changed!), randomBytes(100));
    const other = await mkdtemp(join(tmpdir(), 'scriptorium-copy-'));
    try {
      const copy = ['storage', 'copy', '--project', id, '--to', other];
      const { projects } = await admin.json(3, ...copy);
      expect((projects as object[])[0]).to.deep.include({
        copied: 1,
        bytes_copied: 100,
        present: 0,
      });
      const { faults } = (projects as { faults: { sha256: string; fault: string }[] }[])[0]!;
      expect(Object.fromEntries(faults.map(({ sha256, fault }) => [sha256, fault]))).to.deep.equal({
        [gone!]: 'missing',
        [changed!]: 'wrong_hash',
      });
      const again = await admin.run(...copy);
      expect(again.stdout).to.match(new RegExp(`${id} +0 +0 +1 +2\n`));
      await storage.remove(id, good!);
      const back = await admin.json(3, 'storage', 'copy', '--project', id, '--from', other);
      expect((back.projects as object[])[0]).to.deep.include({ copied: 1, present: 1 });
      expect(await storage.stat(id, good!)).to.include({ bytes: 100 });
      const neither = await admin.run('storage', 'copy');
      expect(neither).to.deep.include({ code: 2 });
    } finally {
      await rm(other, { recursive: true });
    }
  });

  const pathOf = async (projectId: string, sha256: string): Promise<string> => {
    const local = await storage.localPath(projectId, sha256);
    await local.release();
    return local.path;
  };

  it('does not touch other projects', async () => {
    const [one, other] = [await create('One'), await create('Other')];
    await keep(other, randomBytes(9), [['available', 'upload']]);
    expect((await usageOfProject(one)).usage).to.include({ contents: 0 });
    const rows = await inTransaction(database.owner, (tx) =>
      prepared(tx, 'SELECT id FROM object', []),
    );
    expect(rows).to.deep.equal([]);
  });
});
