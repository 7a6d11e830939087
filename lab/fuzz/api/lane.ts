import { idPrefixes } from '@scriptorium/contracts/ids';
import type { Pool } from 'undici';
import type { Dice } from '../dice.ts';
import type { Check } from './check.ts';
import { type Made, makeDraft } from './draft.ts';
import type { Findings } from './findings.ts';
import { idsIn } from './known.ts';
import type { Document, Operation } from './schema.ts';
import { type Answer, send, targetOf } from './send.ts';
import { type Draft, spoil } from './spoil.ts';
import { type Caller, mayCall, type Party, someAddress } from './tenants.ts';

/** The state shared by all requests of a run. */
export interface Ground {
  pool: Pool;
  document: Document;
  operations: readonly Operation[];
  check: Check;
  findings: Findings;
}

interface Asked {
  operation: Operation;
  draft: Draft;
  /** Its method, path or login is corrupted, so it may not reach an operation. */
  astray: boolean;
  party: Party;
  other: Party;
  caller: Caller;
}

/** The share of requests that are corrupted in one place. */
const spoilt = 0.2;
/** Their responses contain the identifiers of examples. */
const showsSamples = ['getOpenApi', 'listEventTypes'];
const words = ['harbour', 'Ship 7', 'été', '日本', 'a b', "O'Neill", '<b>', '%', '_', '\\', '"'];

/** Slower requests are listed. */
const slowMs = 1_000;
const mayWait = ({ query }: Draft): boolean =>
  query.some(([name, value]) => name === 'wait_seconds' && value !== '0');

/** Requests of two projects, one after the other. */
export class Lane {
  /** The other project's identifiers that each project has used itself. */
  private readonly named = new Set<string>();

  constructor(
    private readonly ground: Ground,
    private readonly dice: Dice,
    private readonly parties: readonly [Party, Party],
  ) {}

  /** Sends one request, and further ones that compare its response. */
  async step(): Promise<void> {
    const { dice } = this;
    const first = dice.chance(0.6);
    const party = this.parties[first ? 0 : 1];
    const other = this.parties[first ? 1 : 0];
    const again = party.known.keyed.length > 0 && dice.chance(0.03);
    if (again) return this.repeat(party, other);
    let chosen = dice.pick(this.ground.operations);
    // Their responses are large and never change.
    if (showsSamples.includes(chosen.id) && dice.chance(0.95)) {
      chosen = dice.pick(this.ground.operations);
    }
    const { draft, value } = this.make(chosen, party, other);
    // The continued list may be another project's.
    const operation = this.ground.operations.find((one) => isOf(one, draft)) ?? chosen;
    const caller = dice.chance(0.88) ? party.callers[0]! : dice.pick(party.callers);
    const login = { ...caller.headers };
    Object.assign(draft.headers, login, { 'x-forwarded-for': someAddress(dice) });
    let astray = false;
    if (dice.chance(spoilt)) {
      const from = draft.method;
      astray = spoil(draft, value, dice);
      if (draft.headers.authorization !== login.authorization) astray = true;
      if (draft.headers['x-service-project-id'] !== login['x-service-project-id']) astray = true;
      if (draft.method !== from) astray = true;
    }
    const asked: Asked = { operation, draft, astray, party, other, caller };
    const answer = await this.ask(asked);
    if (!answer) return;
    this.learn(asked, answer);
    if (dice.chance(0.15)) await this.compare(asked, answer);
  }

  private make(operation: Operation, party: Party, other: Party): Made {
    const { dice } = this;
    return makeDraft(
      operation,
      {
        dice,
        document: this.ground.document,
        id: (prefix) => (dice.chance(0.06) ? other : party).known.id(prefix, dice),
        text: () => `${party.canary} ${dice.pick(words)}`,
      },
      party.known,
    );
  }

  private async ask(asked: Asked): Promise<Answer | null> {
    const { operation, draft, astray, party, other, caller } = asked;
    const { findings, check } = this.ground;
    const target = targetOf(draft);
    const sent = [target, draft.body?.toString('latin1') ?? '', JSON.stringify(draft.headers)];
    for (const id of idsIn(sent.join(' '))) if (other.known.has(id)) this.named.add(id);
    const before = findings.requests;
    const answer = await send(this.ground.pool, draft);
    if (!answer) {
      findings.noteComparison('without an answer', 'the client has left');
      return null;
    }
    const meanwhile = findings.requests - before;
    findings.count(operation.id, answer);
    const isTimed = !answer.open && !mayWait(draft);
    if (isTimed) findings.slowestMs = Math.max(findings.slowestMs, answer.ms);
    if (isTimed && answer.ms > slowMs) {
      const again = draft.method === 'GET' ? await send(this.ground.pool, draft) : null;
      findings.addSlow({
        ms: Math.round(answer.ms),
        request: `${draft.method} ${target}`,
        meanwhile,
        againMs: again && Math.round(again.ms),
      });
    }
    const told = (what: string) => findings.add(what, operation.id, draft, answer);
    const wrong = check(astray || !isOf(operation, draft) ? null : operation, answer);
    if (wrong) told(wrong);
    if (answer.text.includes(other.canary)) told('a text of another project');
    for (const id of idsIn(answer.text)) {
      // A person has the same identifier in all projects.
      if (id.startsWith(`${idPrefixes.user}_`)) continue;
      if (other.known.has(id) && !this.named.has(id) && !party.known.has(id)) {
        told(`the identifier ${id} of another project`);
      }
    }
    if (answer.status < 300 && !astray) {
      if (!mayCall(caller, operation.scopes)) told('success without the scope');
      const foreign = idsIn(draft.path).find((id) => other.known.has(id) && !party.known.has(id));
      if (foreign) told(`success with ${foreign} of another project in the path`);
    }
    return answer;
  }

  private learn({ operation, draft, party, astray }: Asked, answer: Answer): void {
    const { dice } = this;
    const { known } = party;
    const { etag, location } = answer.headers;
    const isGone = operation.method === 'DELETE' && answer.status === 204;
    // Some of the removed resources are in the trash, and can be requested.
    if (!astray && (answer.status === 404 || (isGone && dice.chance(0.6))))
      known.forget(draft.path);
    if (answer.status >= 300 || astray || showsSamples.includes(operation.id)) return;
    known.learn(answer.text, dice);
    for (const { template, prefix } of operation.items) {
      const ids = idsIn(answer.text.slice(0, 5_000)).filter((id) => id.startsWith(`${prefix}_`));
      for (const id of ids.slice(0, 5)) {
        if (!known.isSpared(id)) known.found(template, `${draft.path}/${id}`, dice);
      }
    }
    if (etag) known.tag(draft.path, etag);
    if (location?.startsWith('/v1/')) {
      known.learn(location, dice);
      if (etag) known.tag(location, etag);
    }
    const offset = answer.headers['upload-offset'];
    if (draft.path.startsWith('/v1/uploads') && offset !== undefined) {
      known.remember(known.uploads, { path: location ?? draft.path, offset: Number(offset) }, dice);
    }
    const cursor = /"next_cursor":"([^"]+)"/.exec(answer.text)?.[1];
    if (cursor && draft.method === 'GET') {
      known.remember(known.cursors, { path: draft.path, query: draft.query, cursor }, dice);
    }
    const isKept = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
    if (isKept && draft.headers['idempotency-key'] && draft.method === 'POST') {
      known.remember(known.keyed, { draft, status: answer.status, text: answer.text }, dice);
    }
  }

  /** Sends a request with its Idempotency-Key again: the response is the stored one. */
  private async repeat(party: Party, other: Party): Promise<void> {
    const { dice } = this;
    const { draft, status, text } = dice.pick(party.known.keyed);
    const operation = this.ground.operations.find((one) => isOf(one, draft));
    const caller = party.callers.find(
      (one) => one.headers.authorization === draft.headers.authorization,
    );
    if (!operation || !caller) return;
    const asked: Asked = { operation, draft, astray: false, party, other, caller };
    const answer = await this.ask(asked);
    if (!answer) return;
    if (answer.status !== status || answer.text !== text) {
      const what = `the answer to a repeated request differs: ${status} ${text.slice(0, 300)}`;
      this.ground.findings.add(what, operation.id, draft, answer);
    }
  }

  /**
   * Sends a read-only request again, through the portal and with another key: the response is the
   * same, or 403.
   */
  private async compare(asked: Asked, answer: Answer): Promise<void> {
    const { operation, draft, party, astray, caller } = asked;
    const changes = draft.method !== 'GET' && answer.status < 400;
    if (changes || astray || answer.open || [403, 409].includes(answer.status)) return;
    const { authorization: _key, 'x-service-project-id': _project, ...rest } = draft.headers;
    const byPortal = {
      ...asked,
      draft: {
        ...draft,
        path: `/portal/api${draft.path}`,
        headers: { ...rest, ...caller.session },
      },
    };
    if (!rest.origin && !rest['sec-fetch-site'] && !rest.cookie) {
      await this.expectSame(asked, answer, byPortal, 'by the portal');
    }
    const another = this.dice.pick(party.callers);
    if (another === caller) return;
    const other = {
      ...asked,
      caller: another,
      draft: { ...draft, headers: { ...rest, ...another.headers } },
    };
    if (mayCall(another, operation.scopes) && mayCall(caller, operation.scopes)) {
      // Some responses contain more with a further scope.
      if (answer.status >= 400) await this.expectSame(asked, answer, other, 'with another key');
      else await this.ask(other);
      return;
    }
    const refused = await this.ask(other);
    if (refused) this.ground.findings.noteComparison('without a scope', String(refused.status));
    if (!refused || mayCall(another, operation.scopes) || answer.status >= 300) return;
    if (refused.status !== 403) {
      const what = `without the scope: ${refused.status} in place of 403`;
      this.ground.findings.add(what, operation.id, other.draft, refused);
    }
  }

  private async expectSame(
    asked: Asked,
    answer: Answer,
    differently: Asked,
    how: string,
  ): Promise<void> {
    const second = await this.ask(differently);
    const came = (outcome: string) => this.ground.findings.noteComparison(how, outcome);
    if (!second) return;
    if (sameAs(answer, second)) return came('the same');
    // Some scopes depend on the body, and a review claimed by the other key returns 409. A portal
    // session has the scopes of its key.
    if (differently.caller !== asked.caller && [403, 409].includes(second.status))
      return came(String(second.status));
    // Values that change from one request to the next prove nothing.
    const third = await this.ask(asked);
    if (!third || !sameAs(answer, third)) return came('changes by itself');
    came('DIFFERS');
    const what = `${how}: ${answer.status} becomes ${second.status}`;
    const both = `${plain(answer).slice(0, 600)}\n--\n${plain(second).slice(0, 600)}`;
    this.ground.findings.add(what, asked.operation.id, asked.draft, { ...second, text: both });
  }
}

/** Whether a draft has the method and the path of an operation. */
function isOf(operation: Operation, draft: Draft): boolean {
  if (draft.method !== operation.method) return false;
  const own = operation.steps;
  const steps = draft.path.replace(/^\/portal\/api/, '').split('/');
  return (
    own.length === steps.length &&
    own.every((step, at) => step === steps[at] || step.startsWith('{'))
  );
}

function sameAs(one: Answer, two: Answer): boolean {
  return one.status === two.status && plain(one) === plain(two);
}

/** A body without request-specific parts. */
function plain({ text }: Answer): string {
  return text
    .replace(/"request_id":"[^"]*"/g, '')
    .replace(/"last_used_at":"[^"]*"/g, '')
    .replaceAll('/portal/api/v1/', '/v1/');
}
