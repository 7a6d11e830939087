/*
 * A child that has been taken over: it speaks the protocol of engine children by hand and looks for
 * whatever it can get hold of. Plain JavaScript, so that it runs as built children do.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { Socket } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return { error: error.code ?? error.message };
  }
};

const succeeds = (work) => {
  const outcome = attempt(work);
  return !(typeof outcome === 'object' && outcome !== null && 'error' in outcome);
};

/** Which of these files and folders can be read. */
const readable = (paths) =>
  paths.filter((path) =>
    succeeds(() => {
      if (fs.statSync(path).isDirectory()) fs.readdirSync(path);
      else fs.readFileSync(path);
    }),
  );

/** All that is visible besides what the child is meant to see, and the folders that lead to it. */
function visible(meant) {
  const isMeant = (path) => meant.some((one) => path === one || path.startsWith(`${one}/`));
  const leads = (path) => meant.some((one) => one.startsWith(path === '/' ? path : `${path}/`));
  const found = [];
  const waiting = ['/'];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (isMeant(path)) continue;
    if (!leads(path)) found.push(path);
    const names = attempt(() => (fs.lstatSync(path).isDirectory() ? fs.readdirSync(path) : []));
    for (const name of Array.isArray(names) ? names : []) waiting.push(join(path, name));
  }
  return found.sort();
}

/** Processes whose environment holds the secret, by JavaScript and by a program. */
function environments(secret) {
  const found = [];
  const pids = attempt(() => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
  for (const pid of [...(Array.isArray(pids) ? pids : []), process.ppid, 'self']) {
    const text = attempt(() => fs.readFileSync(`/proc/${pid}/environ`, 'latin1'));
    if (typeof text === 'string' && text.includes(secret)) found.push(String(pid));
  }
  if (JSON.stringify(process.env).includes(secret)) found.push('own');
  return found;
}

const connect = (options) =>
  new Promise((resolve) => {
    const opened = attempt(() => {
      const socket = net.connect(options);
      socket.once('connect', () => resolve('connected'));
      socket.once('error', (error) => resolve(error.code));
      setTimeout(() => resolve('silence'), 2000).unref();
      return true;
    });
    if (opened !== true) resolve(opened.error);
  });

const datagram = (port) =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', (error) => resolve(error.code));
    socket.send('found', port, '127.0.0.1', (error) => resolve(error ? error.code : 'sent'));
  });

/** The folders, out of the given ones, in which a file can be left for a later process. */
function writable(folders) {
  return folders.filter((folder) =>
    succeeds(() => fs.writeFileSync(join(folder, 'left-behind'), 'for the next one')),
  );
}

/** Descriptors of files and folders that were open before we came. */
function inherited() {
  const found = [];
  for (let descriptor = 0; descriptor < 64; descriptor += 1) {
    const stat = attempt(() => fs.fstatSync(descriptor));
    if ('error' in stat) continue;
    if (stat.isFile() || stat.isDirectory() || stat.isBlockDevice()) found.push(descriptor);
  }
  return found;
}

/** What system calls say, called through Perl where the test has put it into the box. */
function calls(perl) {
  const numbers = {
    ptrace: '101, 16, 1, 0, 0',
    socket: '41, 2, 1, 0',
    unshare: '272, 0x10000000',
    mount: '165, 0, 0, 0, 0, 0',
    clone: '56, 0x10000000 | 17, 0, 0, 0, 0',
    keyctl: '250, 0, -3, 1',
    memfd: '319, $name, 0',
    io_uring: '425, 1, 0',
    bpf: '321, 0, 0, 0',
  };
  return Object.fromEntries(
    Object.entries(numbers).map(([name, call]) => {
      const script = `my $name = "a"; my $r = syscall(${call}); exit 0 if $r == 0; print $r < 0 ? -($!+0) : 1`;
      const { stdout, error } = spawnSync(perl, ['-e', script], { encoding: 'utf8' });
      return [name, error ? error.code : stdout];
    }),
  );
}

/** Leaves too many files in a new folder. */
function litter(name) {
  const folder = join(os.tmpdir(), name);
  fs.mkdirSync(folder);
  for (let at = 0; at < 6000; at += 1) fs.writeFileSync(join(folder, String(at)), '');
}

/** Runs code without end in a thread; resolves once it has begun. */
const forever = (code, workerData) =>
  new Promise((resolve) => {
    const script = `const { workerData } = require('node:worker_threads'); ${code}`;
    new Worker(script, { eval: true, execArgv: [], workerData }).once('online', resolve);
  });

/** Hides a removed file in a process of another session whose parent has ended. */
const orphan = `
  exit if fork; exit if fork;
  syscall(112);
  syscall(157, 4, 0, 0, 0, 0);
  open(my $file, ">", $ARGV[0]); unlink $ARGV[0];
  syswrite($file, "x" x $ARGV[1]);
  sleep;
`;

/** Moves a file into the one of two folders that was just closed once it was listed. */
const dodge = `
  my $watch = syscall(294, 0);
  my $first = syscall(254, $watch, $ARGV[0], 0x10);
  syscall(254, $watch, $ARGV[1], 0x10);
  open(my $events, "<&=", $watch);
  syswrite(STDOUT, "ready");
  while (sysread($events, my $event, 16)) {
    my ($to, $from) = unpack("i", $event) == $first ? @ARGV : reverse @ARGV;
    rename("$from/file", "$to/file");
  }
`;

const hoard = [];

const works = {
  attack: async ({ secret, parent, files, meant, folders, port, udp, abstract, perl }) => ({
    environments: environments(secret),
    readable: readable(files),
    visible: visible(meant),
    writable: writable(folders),
    tcp: await connect({ port, host: '127.0.0.1' }),
    udp: await datagram(udp),
    abstract: await connect({ path: `\0${abstract}` }),
    shell: attempt(() => execFileSync('/bin/sh', ['-c', 'echo $((6 * 7))'], { encoding: 'utf8' })),
    signals: [parent, process.ppid].filter(
      (pid) => pid > 1 && succeeds(() => process.kill(pid, 0)),
    ),
    inherited: inherited(),
    interfaces: attempt(() => Object.keys(os.networkInterfaces()).filter((name) => name !== 'lo')),
    huge: attempt(() => {
      fs.writeFileSync(join(os.tmpdir(), 'huge'), '');
      fs.truncateSync(join(os.tmpdir(), 'huge'), 5 * 2 ** 30);
      return 'written';
    }),
    calls: perl === null ? {} : calls(perl),
    uid: process.getuid(),
  }),
  /** Leaves files for the next child, and reports those that an earlier child left. */
  leave: async ({ files }) => {
    const places = [os.tmpdir(), join(os.tmpdir(), '..', 'out'), '/tmp', '/dev/shm', '/var/tmp'];
    const seen = places.flatMap((folder) => {
      const names = attempt(() => fs.readdirSync(folder));
      return Array.isArray(names) ? names.filter((name) => name === 'left-behind') : [];
    });
    writable(places);
    return { seen, readable: readable(files) };
  },
  read: async ({ path }) => fs.readFileSync(path, 'utf8'),
  spoil: async ({ path }) => succeeds(() => fs.writeFileSync(path, 'spoilt')),
  /** Puts something else where its output should be. */
  link: async ({ outPath, target }) => fs.symlinkSync(target, outPath),
  pipe: async ({ outPath }) => void execFileSync('/usr/bin/mkfifo', [outPath]),
  folder: async ({ outPath }) => fs.mkdirSync(outPath),
  write: async ({ outPath, text }) => fs.writeFileSync(outPath, text),
  /** Makes its folder hard to remove. */
  burrow: async () => {
    process.chdir(os.tmpdir());
    for (let depth = 0; depth < 600; depth += 1) {
      fs.mkdirSync('deeper-than-a-path-may-be');
      process.chdir('deeper-than-a-path-may-be');
    }
    fs.mkdirSync(join(os.tmpdir(), 'closed/inner'), { recursive: true });
    fs.chmodSync(join(os.tmpdir(), 'closed'), 0);
    return new Promise(() => undefined);
  },
  litter: async () => {
    litter('litter');
    return new Promise(() => undefined);
  },
  /** The same after its answer, when it should have nothing to do. */
  litterLater: async () => void setTimeout(() => litter('later'), 100),
  hoardLater: async () => void setTimeout(() => hoard.push(Buffer.alloc(700 * 2 ** 20, 1)), 100),
  /** Keeps a file that it has removed. */
  keepRemoved: async ({ bytes }) => {
    const path = join(os.tmpdir(), 'removed');
    const file = fs.openSync(path, 'w');
    fs.unlinkSync(path);
    fs.writeSync(file, Buffer.alloc(bytes, 1));
  },
  keepRemovedElsewhere: async ({ bytes, perl }) =>
    void spawn(perl, ['-e', orphan, join(os.tmpdir(), 'removed'), String(bytes)], {
      stdio: 'ignore',
      detached: true,
    }),
  /** Renames the folder of its files without end: its listed name is always an old one. */
  rename: async ({ files, bytes }) => {
    const folder = join(os.tmpdir(), 'folder-');
    fs.mkdirSync(`${folder}0`);
    process.chdir(`${folder}0`);
    await forever(
      `for (let at = 0; ; at += 1) require('node:fs').renameSync(workerData + at, workerData + (at + 1));`,
      folder,
    );
    for (let at = 0; at < files; at += 1) fs.writeFileSync(String(at), Buffer.alloc(bytes, 1));
  },
  /** Moves a file out of a folder before it is listed, into another that has been. */
  dodge: async ({ bytes, perl }) => {
    const folders = ['one', 'another'].map((name) => join(os.tmpdir(), name));
    for (const folder of folders) {
      fs.mkdirSync(folder);
      // They take a while to look at once the folder is listed.
      for (let at = 0; at < 300; at += 1) fs.writeFileSync(join(folder, String(at)), '');
    }
    fs.writeFileSync(join(folders[0], 'file'), Buffer.alloc(bytes, 1));
    const child = spawn(perl, ['-e', dodge, ...folders], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
  },
  answer: async () => 'well',
  fork: async () => {
    for (let at = 0; at < 100; at += 1) {
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).on(
        'error',
        () => undefined,
      );
    }
    return new Promise(() => undefined);
  },
};

const channel = new Socket({ fd: 3, readable: true, writable: true });
const say = (text) => channel.write(text);

/** Replies that no real child sends: raw bytes, by name. */
const answers = {
  endless: () => {
    const part = 'x'.repeat(2 ** 20);
    const more = () => {
      while (channel.write(part));
      channel.once('drain', more);
    };
    more();
  },
  nested: (id) => say(`{"id":${id},"value":${'['.repeat(1e5)}${']'.repeat(1e5)}}\n`),
  prototype: (id) => say(`{"id":${id},"value":{"__proto__":{"polluted":true}}}\n`),
  nonsense: () => say('\u0000\u0001}{\n'),
  otherTask: (id) => say(`{"id":${id + 1},"value":"not mine"}\n`),
  twice: (id) => say(`{"id":${id},"value":"once"}\n{"id":${id},"value":"twice"}\n`),
  readyAgain: (id) => say(`{"ready":true}\n{"id":${id},"value":1}\n`),
  cancelled: (id) => say(`{"id":${id},"code":"cancelled","message":"Never mind."}\n`),
  longError: (id) => say(`{"id":${id},"code":"damaged","message":"${'x'.repeat(1e6)}"}\n`),
  forgedError: (id) => say(`{"id":${id},"code":"no_such_code","message":"<b>\\u0007</b>"}\n`),
};

let buffered = '';
channel.on('data', (chunk) => {
  buffered += chunk;
  for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n')) {
    const { id, name, input } = JSON.parse(buffered.slice(0, end));
    buffered = buffered.slice(end + 1);
    if (name in answers) {
      answers[name](id);
      continue;
    }
    works[name](input).then(
      (value) => say(`${JSON.stringify({ id, value: value ?? null })}\n`),
      (error) => say(`${JSON.stringify({ id, code: 'damaged', message: String(error.code) })}\n`),
    );
  }
});
channel.on('close', () => process.exit(0));
channel.on('error', () => process.exit(0));
say('{"ready":true}\n');
