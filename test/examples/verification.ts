import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Block, blocksOf } from './pages.ts';

const body = '{"test": 2432232314}';
const at = 1_614_265_330;
/** The test vectors of Standard Webhooks. */
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(at),
  'webhook-signature': [
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  ].join(' '),
};
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const publicKey = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=';

interface Case {
  holds: boolean;
  body: string;
  now: number;
  headers: Record<string, string>;
}

/** What a stranger may send. */
const strange: Record<string, string>[] = [
  ...Object.keys(headers).map((name) =>
    Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name)),
  ),
  ...['', 'soon', 'NaN', '1e3', '-1', '９', '0x1', '1.5', '9'.repeat(18), '9'.repeat(5_000)]
    .concat('-9223372036854775808', '9223372036854775807')
    .map((value) => ({ ...headers, 'webhook-timestamp': value })),
  ...[
    '',
    ' ',
    'v1',
    'v1,',
    'v1,é',
    'v1,\u00ff\u00fe',
    'v1,%%%',
    'v1a,',
    'v1a,AAAA',
    'é',
    ',',
    'v2,AAAA',
  ].map((value) => ({ ...headers, 'webhook-signature': value })),
  { ...headers, 'webhook-id': 'é' },
  {},
];

export const cases: Case[] = [
  { holds: true, body, now: at, headers },
  { holds: true, body, now: at + 299, headers },
  { holds: false, body, now: at + 301, headers },
  { holds: false, body, now: at - 301, headers },
  { holds: false, body: `${body} `, now: at, headers },
  ...strange.map((sent) => ({ holds: false, body, now: at, headers: sent })),
];
export const expected = cases.map(({ holds }) => String(holds));
export const given = JSON.stringify({ secret, publicKey, cases });

/** The verification code in the guide on webhooks, and a folder for programs around it. */
export interface Verification {
  blocks: readonly Block[];
  folder: string;
  code(language: string, note?: string): string;
  /** Writes a file; returns its path. */
  write(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

export async function openVerification(): Promise<Verification> {
  const blocks = await blocksOf('docs/guides/webhooks.md');
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-verify-'));
  return {
    blocks,
    folder,
    code(language, note = 'verify') {
      const found = blocks.find((block) => block.language === language && block.note === note);
      expect(found, `${language} ${note}`).to.be.an('object');
      return found!.text;
    },
    async write(name, text) {
      const file = join(folder, name);
      await writeFile(file, text);
      return file;
    },
    close: () => rm(folder, { recursive: true }),
  };
}
