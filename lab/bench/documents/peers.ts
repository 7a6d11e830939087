import { execFileSync, spawnSync } from 'node:child_process';

/** Another program, and its conversion of a file. */
export type Peer = {
  name: string;
  /** The output has no headings or tables: only words are compared. */
  wordsOnly: boolean;
  reads: (kind: string) => boolean;
  convert: (path: string) => string;
};

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const peers: (Peer & { version: string })[] = [
  {
    name: 'pdftotext',
    version: '-v',
    wordsOnly: true,
    reads: (kind) => kind === 'pdf',
    convert: (path) => run('pdftotext', [path, '-']),
  },
  {
    name: 'mutool',
    version: '-v',
    wordsOnly: true,
    reads: (kind) => kind === 'pdf',
    convert: (path) => run('mutool', ['draw', '-q', '-F', 'txt', path]),
  },
  {
    name: 'pandoc',
    version: '--version',
    wordsOnly: false,
    reads: (kind) => kind === 'docx' || kind === 'html',
    convert: (path) => run('pandoc', ['-t', 'gfm', path]),
  },
];

/** The peers that are on PATH. Prints the missing ones. */
export function findPeers(): Peer[] {
  return peers.filter(({ name, version }) => {
    const isInstalled = spawnSync(name, [version], { stdio: 'ignore' }).error === undefined;
    if (!isInstalled) console.log(`LEFT OUT: ${name} is not on PATH, nothing is compared with it`);
    return isInstalled;
  });
}
