import { isId } from '@scriptorium/contracts/ids';
import { type Scope, scopes } from '@scriptorium/contracts/scopes';
import type { Context } from 'koa';
import type { ApiSettings } from '../../deps.ts';
import { publicOrigin } from '../../downloads/signed-urls.ts';
import { apiName } from '../../openapi/api-document.ts';

const mcpPath = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';

/** The scopes of an access token that names none of this service: reading, without personal data. */
export const defaultTokenScopes: readonly Scope[] = [
  'objects:read',
  'objects:download',
  'images:read',
  'collections:read',
  'documents:read',
  'events:read',
];

/** An MCP endpoint: `/mcp`, or `/mcp/{project}`, which needs no project header. */
export interface McpResource {
  path: string;
  /** The project in the path; null if a header names it. */
  projectId: string | null;
}

/** The endpoint with a path; null for other paths. */
export function resourceAt(path: string): McpResource | null {
  if (path === mcpPath) return { path, projectId: null };
  const projectId = path.startsWith(`${mcpPath}/`) ? path.slice(mcpPath.length + 1) : '';
  return isId('project', projectId) ? { path, projectId } : null;
}

/** The endpoint that a path of metadata describes (RFC 9728 §3.1); null for other paths. */
export function resourceOfMetadata(path: string): McpResource | null {
  if (path === metadataPath) return resourceAt(mcpPath);
  return path.startsWith(`${metadataPath}/`) ? resourceAt(path.slice(metadataPath.length)) : null;
}

/** The URL of an endpoint, which access tokens have as their audience. Empty if it is unknown. */
export function resourceUrl(settings: ApiSettings, ctx: Context, { path }: McpResource): string {
  const origin = publicOrigin(settings, ctx.headers);
  return origin === '' ? '' : origin + path;
}

/** The metadata of a protected resource (RFC 9728 §2). */
export function resourceMetadata(resource: string, issuer: string): object {
  return {
    resource,
    resource_name: apiName,
    authorization_servers: [issuer],
    scopes_supported: scopes.filter((scope) => scope !== '*'),
    bearer_methods_supported: ['header'],
  };
}

/** The WWW-Authenticate header of a 401 or 403 (RFC 9728 §5.1, RFC 6750 §3). */
export function challenge(
  settings: ApiSettings,
  ctx: Context,
  resource: McpResource,
  error?: {
    code: 'invalid_token' | 'insufficient_scope';
    description: string;
    /** The scopes to ask for. */
    scopes?: readonly Scope[];
  },
): string {
  const origin = publicOrigin(settings, ctx.headers);
  const parameters = {
    ...(error ? { error: error.code, error_description: error.description } : {}),
    scope: (error?.scopes ?? defaultTokenScopes).join(' '),
    resource_metadata: `${origin}${metadataPath}${resource.path}`,
  };
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${pairs.join(', ')}`;
}
