import { idPrefixes } from '@scriptorium/contracts/ids';
import type { Pool } from 'undici';
import type { Dice } from '../dice.ts';
import type { Check } from './check.ts';
import { corrupt, type Draft } from './corrupt.ts';
import { type DraftWithValue, makeDraft } from './draft.ts';
import type { Findings } from './findings.ts';
import { idsIn } from './known-resources.ts';
import { type Caller, type FuzzProject, mayCall, randomAddress } from './projects.ts';
import type { Document, Operation } from './schema.ts';
import { type ApiResponse, send, targetOf } from './send.ts';

/** The state shared by all requests of a run. */
export interface RunContext {
  pool: Pool;
  document: Document;
  operations: readonly Operation[];
  check: Check;
  findings: Findings;
}

interface SentRequest {
  operation: Operation;
  draft: Draft;
  /** Its method, path or login is corrupted, so it may not reach an operation. */
  isMisdirected: boolean;
  project: FuzzProject;
  otherProject: FuzzProject;
  caller: Caller;
}

/** The share of requests that are corrupted in one place. */
const corruptedShare = 0.2;
/** Their responses contain the identifiers of examples. */
const sampleOperations = ['getOpenApi', 'listEventTypes'];
const words = ['harbour', 'Ship 7', 'été', '日本', 'a b', "O'Neill", '<b>', '%', '_', '\\', '"'];

/** Slower requests are listed. */
const slowMs = 1_000;
const mayWait = ({ query }: Draft): boolean =>
  query.some(([name, value]) => name === 'wait_seconds' && value !== '0');

/** Requests of two projects, one after the other. */
export class Lane {
  /** The other project's identifiers that each project has used itself. */
  private readonly usedForeignIds = new Set<string>();

  constructor(
    private readonly context: RunContext,
    private readonly dice: Dice,
    private readonly projects: readonly [FuzzProject, FuzzProject],
  ) {}

  /** Sends one request, and further ones that compare its response. */
  async step(): Promise<void> {
    const { dice } = this;
    const first = dice.chance(0.6);
    const party = this.projects[first ? 0 : 1];
    const other = this.projects[first ? 1 : 0];
    const again = party.known.idempotentRequests.length > 0 && dice.chance(0.03);
    if (again) return this.repeat(party, other);
    let chosen = dice.pick(this.context.operations);
    // Their responses are large and never change.
    if (sampleOperations.includes(chosen.id) && dice.chance(0.95)) {
      chosen = dice.pick(this.context.operations);
    }
    const { draft, value } = this.createDraft(chosen, party, other);
    // The continued list may be another project's.
    const operation = this.context.operations.find((one) => isOf(one, draft)) ?? chosen;
    const caller = dice.chance(0.88) ? party.callers[0]! : dice.pick(party.callers);
    const login = { ...caller.headers };
    Object.assign(draft.headers, login, { 'x-forwarded-for': randomAddress(dice) });
    let astray = false;
    if (dice.chance(corruptedShare)) {
      const from = draft.method;
      astray = corrupt(draft, value, dice);
      if (draft.headers.authorization !== login.authorization) astray = true;
      if (draft.headers['x-service-project-id'] !== login['x-service-project-id']) astray = true;
      if (draft.method !== from) astray = true;
    }
    const request: SentRequest = {
      operation,
      draft,
      isMisdirected: astray,
      project: party,
      otherProject: other,
      caller,
    };
    const response = await this.sendAndCheck(request);
    if (!response) return;
    this.learn(request, response);
    if (dice.chance(0.15)) await this.compare(request, response);
  }

  private createDraft(
    operation: Operation,
    project: FuzzProject,
    otherProject: FuzzProject,
  ): DraftWithValue {
    const { dice } = this;
    return makeDraft(
      operation,
      {
        dice,
        document: this.context.document,
        id: (prefix) => (dice.chance(0.06) ? otherProject : project).known.id(prefix, dice),
        text: () => `${project.canary} ${dice.pick(words)}`,
      },
      project.known,
    );
  }

  private async sendAndCheck(request: SentRequest): Promise<ApiResponse | null> {
    const {
      operation,
      draft,
      isMisdirected: astray,
      project: party,
      otherProject: other,
      caller,
    } = request;
    const { findings, check } = this.context;
    const target = targetOf(draft);
    const sent = [target, draft.body?.toString('latin1') ?? '', JSON.stringify(draft.headers)];
    for (const id of idsIn(sent.join(' '))) if (other.known.has(id)) this.usedForeignIds.add(id);
    const before = findings.requests;
    const response = await send(this.context.pool, draft);
    if (!response) {
      findings.countComparison('without an answer', 'the client has left');
      return null;
    }
    const meanwhile = findings.requests - before;
    findings.count(operation.id, response);
    const isTimed = !response.isOpen && !mayWait(draft);
    if (isTimed) findings.slowestMs = Math.max(findings.slowestMs, response.ms);
    if (isTimed && response.ms > slowMs) {
      const again = draft.method === 'GET' ? await send(this.context.pool, draft) : null;
      findings.addSlow({
        ms: Math.round(response.ms),
        request: `${draft.method} ${target}`,
        meanwhile,
        againMs: again && Math.round(again.ms),
      });
    }
    const report = (what: string) => findings.add(what, operation.id, draft, response);
    const fault = check(astray || !isOf(operation, draft) ? null : operation, response);
    if (fault) report(fault);
    if (response.text.includes(other.canary)) report('a text of another project');
    for (const id of idsIn(response.text)) {
      // A person has the same identifier in all projects.
      if (id.startsWith(`${idPrefixes.user}_`)) continue;
      if (other.known.has(id) && !this.usedForeignIds.has(id) && !party.known.has(id)) {
        report(`the identifier ${id} of another project`);
      }
    }
    if (response.status < 300 && !astray) {
      if (!mayCall(caller, operation.scopes)) report('success without the scope');
      const foreign = idsIn(draft.path).find((id) => other.known.has(id) && !party.known.has(id));
      if (foreign) report(`success with ${foreign} of another project in the path`);
    }
    return response;
  }

  private learn(
    { operation, draft, project: party, isMisdirected: astray }: SentRequest,
    response: ApiResponse,
  ): void {
    const { dice } = this;
    const { known: resources } = party;
    const { etag, location } = response.headers;
    const isGone = operation.method === 'DELETE' && response.status === 204;
    // Some of the removed resources are in the trash, and can be requested.
    if (!astray && (response.status === 404 || (isGone && dice.chance(0.6))))
      resources.forget(draft.path);
    if (response.status >= 300 || astray || sampleOperations.includes(operation.id)) return;
    resources.learn(response.text, dice);
    for (const { template, prefix } of operation.items) {
      const ids = idsIn(response.text.slice(0, 5_000)).filter((id) => id.startsWith(`${prefix}_`));
      for (const id of ids.slice(0, 5)) {
        if (!resources.isProtected(id)) resources.addPath(template, `${draft.path}/${id}`, dice);
      }
    }
    if (etag) resources.setEtag(draft.path, etag);
    if (location?.startsWith('/v1/')) {
      resources.learn(location, dice);
      if (etag) resources.setEtag(location, etag);
    }
    const offset = response.headers['upload-offset'];
    if (draft.path.startsWith('/v1/uploads') && offset !== undefined) {
      resources.remember(
        resources.uploads,
        { path: location ?? draft.path, offset: Number(offset) },
        dice,
      );
    }
    const cursor = /"next_cursor":"([^"]+)"/.exec(response.text)?.[1];
    if (cursor && draft.method === 'GET') {
      resources.remember(resources.cursors, { path: draft.path, query: draft.query, cursor }, dice);
    }
    const isStored = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
    if (isStored && draft.headers['idempotency-key'] && draft.method === 'POST') {
      resources.remember(
        resources.idempotentRequests,
        { draft, status: response.status, text: response.text },
        dice,
      );
    }
  }

  /** Sends a request with its Idempotency-Key again: the response is the stored one. */
  private async repeat(party: FuzzProject, other: FuzzProject): Promise<void> {
    const { dice } = this;
    const { draft, status, text } = dice.pick(party.known.idempotentRequests);
    const operation = this.context.operations.find((one) => isOf(one, draft));
    const caller = party.callers.find(
      (one) => one.headers.authorization === draft.headers.authorization,
    );
    if (!operation || !caller) return;
    const request: SentRequest = {
      operation,
      draft,
      isMisdirected: false,
      project: party,
      otherProject: other,
      caller,
    };
    const response = await this.sendAndCheck(request);
    if (!response) return;
    if (response.status !== status || response.text !== text) {
      const what = `the answer to a repeated request differs: ${status} ${text.slice(0, 300)}`;
      this.context.findings.add(what, operation.id, draft, response);
    }
  }

  /**
   * Sends a read-only request again, through the portal and with another key: the response is the
   * same, or 403.
   */
  private async compare(request: SentRequest, response: ApiResponse): Promise<void> {
    const { operation, draft, project: party, isMisdirected: astray, caller } = request;
    const hasChanged = draft.method !== 'GET' && response.status < 400;
    if (hasChanged || astray || response.isOpen || [403, 409].includes(response.status)) return;
    const { authorization: _key, 'x-service-project-id': _project, ...rest } = draft.headers;
    const portalRequest = {
      ...request,
      draft: {
        ...draft,
        path: `/portal/api${draft.path}`,
        headers: { ...rest, ...caller.session },
      },
    };
    if (!rest.origin && !rest['sec-fetch-site'] && !rest.cookie) {
      await this.expectSame(request, response, portalRequest, 'by the portal');
    }
    const anotherCaller = this.dice.pick(party.callers);
    if (anotherCaller === caller) return;
    const otherRequest = {
      ...request,
      caller: anotherCaller,
      draft: { ...draft, headers: { ...rest, ...anotherCaller.headers } },
    };
    if (mayCall(anotherCaller, operation.scopes) && mayCall(caller, operation.scopes)) {
      // Some responses contain more with a further scope.
      if (response.status >= 400)
        await this.expectSame(request, response, otherRequest, 'with another key');
      else await this.sendAndCheck(otherRequest);
      return;
    }
    const rejected = await this.sendAndCheck(otherRequest);
    if (rejected) this.context.findings.countComparison('without a scope', String(rejected.status));
    if (!rejected || mayCall(anotherCaller, operation.scopes) || response.status >= 300) return;
    if (rejected.status !== 403) {
      const what = `without the scope: ${rejected.status} in place of 403`;
      this.context.findings.add(what, operation.id, otherRequest.draft, rejected);
    }
  }

  private async expectSame(
    request: SentRequest,
    response: ApiResponse,
    variant: SentRequest,
    kind: string,
  ): Promise<void> {
    const second = await this.sendAndCheck(variant);
    const count = (outcome: string) => this.context.findings.countComparison(kind, outcome);
    if (!second) return;
    if (isSameResponse(response, second)) return count('the same');
    // Some scopes depend on the body, and a review claimed by the other key returns 409. A portal
    // session has the scopes of its key.
    if (variant.caller !== request.caller && [403, 409].includes(second.status))
      return count(String(second.status));
    // Values that change from one request to the next prove nothing.
    const third = await this.sendAndCheck(request);
    if (!third || !isSameResponse(response, third)) return count('changes by itself');
    count('DIFFERS');
    const what = `${kind}: ${response.status} becomes ${second.status}`;
    const bodies = `${normalise(response).slice(0, 600)}\n--\n${normalise(second).slice(0, 600)}`;
    this.context.findings.add(what, request.operation.id, request.draft, {
      ...second,
      text: bodies,
    });
  }
}

/** Whether a draft has the method and the path of an operation. */
function isOf(operation: Operation, draft: Draft): boolean {
  if (draft.method !== operation.method) return false;
  const operationSteps = operation.steps;
  const steps = draft.path.replace(/^\/portal\/api/, '').split('/');
  return (
    operationSteps.length === steps.length &&
    operationSteps.every((step, at) => step === steps[at] || step.startsWith('{'))
  );
}

function isSameResponse(one: ApiResponse, two: ApiResponse): boolean {
  return one.status === two.status && normalise(one) === normalise(two);
}

/** A body without request-specific parts. */
function normalise({ text }: ApiResponse): string {
  return text
    .replace(/"request_id":"[^"]*"/g, '')
    .replace(/"last_used_at":"[^"]*"/g, '')
    .replaceAll('/portal/api/v1/', '/v1/');
}
