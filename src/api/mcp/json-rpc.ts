/** An error of JSON-RPC 2.0 (§5.1). */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: keyof typeof codes, message: string) {
    super(message);
    this.code = codes[code];
  }
}

const codes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  /** Of MCP: a resource does not exist. */
  resource_not_found: -32002,
} as const;

export type RpcId = string | number;

/** A request; without an id it is a notification, or a response to a request that was never sent. */
export interface RpcMessage {
  id: RpcId | null;
  method: string | null;
  params: Record<string, unknown>;
}

/**
 * Reads a message.
 * @throws RpcError if it is not one of JSON-RPC 2.0
 */
export function readMessage(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RpcError('parse_error', 'The body is not valid JSON.');
  }
  if (Array.isArray(value)) {
    throw new RpcError(
      'invalid_request',
      'Send one message per request: batches are not supported.',
    );
  }
  if (!isRecord(value) || value.jsonrpc !== '2.0') {
    throw new RpcError('invalid_request', 'The body must be a JSON-RPC 2.0 message.');
  }
  const { id, method, params = {} } = value;
  const hasId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
  if (id !== undefined && !hasId) {
    throw new RpcError('invalid_request', '`id` must be a string or an integer.');
  }
  if (method === undefined && ('result' in value || 'error' in value)) {
    return { id: null, method: null, params: {} };
  }
  if (typeof method !== 'string') {
    throw new RpcError('invalid_request', '`method` must be a string.');
  }
  if (!isRecord(params)) throw new RpcError('invalid_params', '`params` must be an object.');
  return { id: hasId ? (id as RpcId) : null, method, params };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rpcResult(id: RpcId, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function rpcError(id: RpcId | null, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** A text without halves of surrogate pairs, which have no form in UTF-8. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
