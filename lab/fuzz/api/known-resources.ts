import { type IdKind, idPrefixes, newId } from '@scriptorium/contracts/ids';
import type { Fixtures } from '../../../test/support/fixtures.ts';
import type { Dice } from '../dice.ts';
import type { Draft } from './corrupt.ts';

export const anyId = /\b([a-z]{3,4})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const kindsByPrefix = new Map<string, IdKind>(
  (Object.keys(idPrefixes) as IdKind[]).map((kind) => [idPrefixes[kind], kind]),
);
/** How many of a kind are remembered; later ones replace earlier ones. */
const maxPerKind = 40;

/** The end of identifiers in examples, which belong to no project. */
const exampleIdSuffix = '01m7gtek0sx6hv4x5fqk2v9d3e';

/** The identifiers in a text. */
export function idsIn(text: string): string[] {
  return [...text.matchAll(anyId)]
    .map((found) => found[0])
    .filter((id) => !id.endsWith(exampleIdSuffix));
}

interface PartialUpload {
  path: string;
  offset: number;
}

/** The client's knowledge of a project from its responses, for later requests. */
export class KnownResources {
  private readonly byPrefix = new Map<string, string[]>();
  private readonly all = new Set<string>();
  private readonly etags = new Map<string, string>();
  /** Paths of existing resources, by template: they show which resources belong together. */
  private readonly paths = new Map<string, string[]>();
  /** Cursors with the path and the query that they continue. */
  readonly cursors: { path: string; query: [string, string][]; cursor: string }[] = [];
  readonly uploads: PartialUpload[] = [];
  /** Requests that were sent with an Idempotency-Key, and their outcomes. */
  readonly idempotentRequests: { draft: Draft; status: number; text: string }[] = [];

  constructor(
    /** Identifiers that the client must not change, such as those of its own keys. */
    private readonly protectedIds: ReadonlySet<string>,
  ) {}

  isProtected(id: string): boolean {
    return this.protectedIds.has(id);
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  learn(text: string, dice: Dice): void {
    for (const id of idsIn(text.length > 20_000 ? text.slice(0, 20_000) : text)) {
      const prefix = id.slice(0, id.indexOf('_'));
      if (!kindsByPrefix.has(prefix) || this.protectedIds.has(id) || this.all.has(id)) continue;
      this.all.add(id);
      const list = this.byPrefix.get(prefix) ?? [];
      this.byPrefix.set(prefix, list);
      if (list.length < maxPerKind) list.push(id);
      else list[dice.below(maxPerKind)] = id;
    }
  }

  /** An identifier of this kind: of something there, or of nothing. */
  id(prefix: string, dice: Dice): string {
    const list = this.byPrefix.get(prefix);
    if (list && !dice.chance(0.03)) {
      // Prefers the newest: many older ones have been removed.
      return dice.chance(0.5)
        ? list.at(-1 - dice.below(Math.min(4, list.length)))!
        : dice.pick(list);
    }
    const kind = kindsByPrefix.get(prefix);
    return kind ? newId(kind) : `${prefix}_${'0'.repeat(26)}`;
  }

  /** A resource that is gone, or never existed, is not requested again. */
  forget(path: string): void {
    const id = path.slice(path.lastIndexOf('/') + 1);
    const list = this.byPrefix.get(id.slice(0, id.indexOf('_')));
    const at = list?.indexOf(id) ?? -1;
    if (list && list.length > 1 && at >= 0) list.splice(at, 1);
    for (const paths of this.paths.values()) {
      const index = paths.indexOf(path);
      if (index >= 0) paths.splice(index, 1);
    }
  }

  /** Records that a resource exists at this path. */
  addPath(template: string, path: string, dice: Dice): void {
    const list = this.paths.get(template) ?? [];
    this.paths.set(template, list);
    if (!list.includes(path)) this.remember(list, path, dice);
  }

  /** A path of this template at which a resource was found. */
  pathOf(template: string, dice: Dice): string | undefined {
    const list = this.paths.get(template);
    return list && list.length > 0 ? dice.pick(list) : undefined;
  }

  /** One of each kind. */
  fixtures(dice: Dice): Fixtures {
    return Object.fromEntries(
      [...kindsByPrefix].map(([prefix, kind]) => [kind, this.id(prefix, dice)]),
    );
  }

  setEtag(path: string, etag: string): void {
    if (this.etags.size > 5_000) this.etags.clear();
    this.etags.set(path, etag);
  }

  etagOf(path: string): string | undefined {
    return this.etags.get(path);
  }

  remember<T>(list: T[], one: T, dice: Dice): void {
    if (list.length < maxPerKind) list.push(one);
    else list[dice.below(maxPerKind)] = one;
  }
}
