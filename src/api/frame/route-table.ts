/** A method and a path template, such as `/v1/keys/{id}`, with what answers there. */
export interface TableEntry<T> {
  method: string;
  path: string;
  value: T;
}

/** What a table says of a request. */
export type Found<T> =
  | { outcome: 'found'; value: T; params: Record<string, string> }
  /** The path is known, under these methods. */
  | { outcome: 'other_method'; methods: ReadonlySet<string> }
  | { outcome: 'unknown' };

export interface RouteTable<T> {
  find(method: string, path: string): Found<T>;
}

/** What templates begin alike up to here. */
interface Node<T> {
  literals: Map<string, Node<T>>;
  /** What follows any segment that is not empty. */
  parameter: Node<T> | null;
  /** Those that end here, by method. */
  ends: Map<string, End<T>>;
}

interface End<T> {
  value: T;
  /** Its parameters and where they stand among the segments. */
  params: readonly { name: string; at: number }[];
}

/**
 * Finds the route of a request by the segments of its path, whatever the number of routes. Paths are
 * matched exactly, case, slashes and all; a parameter is one segment that is not empty, and is decoded.
 * A literal segment wins over a parameter, from left to right: `/keys/self` over `/keys/{id}`. A route
 * for GET also answers HEAD.
 * @throws Error when two entries answer the same requests, or a template is none
 */
export function createRouteTable<T>(entries: readonly TableEntry<T>[]): RouteTable<T> {
  const root = newNode<T>();
  for (const entry of entries) add(root, entry);
  return {
    find(method, path) {
      const segments = path.split('/');
      const matching: Node<T>[] = [];
      const end = search(root, segments, 0, method, matching);
      if (end) return { outcome: 'found', value: end.value, params: paramsOf(end, segments) };
      if (matching.length === 0) return { outcome: 'unknown' };
      return { outcome: 'other_method', methods: new Set(matching.flatMap(methodsOf)) };
    },
  };
}

function newNode<T>(): Node<T> {
  return { literals: new Map(), parameter: null, ends: new Map() };
}

function add<T>(root: Node<T>, { method, path, value }: TableEntry<T>): void {
  let node = root;
  const params: { name: string; at: number }[] = [];
  for (const [at, segment] of path.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      params.push({ name, at });
      node.parameter ??= newNode();
      node = node.parameter;
      continue;
    }
    if (/[{}]/.test(segment)) throw new Error(`A parameter must be a whole segment in ${path}.`);
    const next = node.literals.get(segment) ?? newNode();
    node.literals.set(segment, next);
    node = next;
  }
  if (node.ends.has(method)) throw new Error(`Two routes answer ${method} ${path}.`);
  node.ends.set(method, { value, params });
}

/**
 * The first that answers the method, literals before parameters. Until there is one, all that match
 * the path are kept in `matching`.
 */
function search<T>(
  node: Node<T>,
  segments: readonly string[],
  at: number,
  method: string,
  matching: Node<T>[],
): End<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) {
    if (node.ends.size > 0) matching.push(node);
    return node.ends.get(method) ?? (method === 'HEAD' ? node.ends.get('GET') : undefined);
  }
  const literal = node.literals.get(segment);
  const found = literal && search(literal, segments, at + 1, method, matching);
  if (found || !node.parameter || segment === '') return found;
  return search(node.parameter, segments, at + 1, method, matching);
}

function methodsOf<T>(node: Node<T>): string[] {
  const methods = [...node.ends.keys()];
  return methods.includes('GET') ? ['HEAD', ...methods] : methods;
}

function paramsOf<T>({ params }: End<T>, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, at } of params) values[name] = decode(segments[at] ?? '');
  return values;
}

/** A segment that is no valid UTF-8 when decoded stays as it came, and fits nothing. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
