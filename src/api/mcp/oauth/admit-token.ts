import { isId } from '@scriptorium/contracts/ids';
import { Problem } from '@scriptorium/contracts/problems';
import type { Scope } from '@scriptorium/contracts/scopes';
import type { Context } from 'koa';
import {
  authenticate,
  credentialsKey,
  type TokenCredentials,
} from '../../../access/authenticate.ts';
import type { FairQueue } from '../../../access/fair-queue.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import type { ProviderSettings } from '../../portal/sign-in/provider.ts';
import { headerValues } from '../../requests/headers.ts';
import { challenge, type McpResource, resourceUrl } from './resource.ts';
import { createTokenVerifier, InvalidToken } from './verify-token.ts';

/** The person of an access token, with the scopes that the token and their role both grant. */
interface AdmittedPerson {
  credentials: TokenCredentials;
  scopes: readonly Scope[];
}

/** Three parts in base64url: an API key has no dots. */
const jwtPattern = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Creates the admission of requests with an access token of the identity provider. It returns null
 * for a request without one, which needs a key, and throws Problem 401 for an invalid token, 400
 * without a project, 403 if the person is not a member of it, and 503 if the provider is unavailable.
 */
export function createTokenAdmission(
  deps: Pick<Deps, 'database' | 'settings'>,
  provider: ProviderSettings,
  fairQueue: FairQueue,
): (ctx: Context, resource: McpResource) => Promise<AdmittedPerson | null> {
  const verify = createTokenVerifier(provider);
  return async (ctx, resource) => {
    const authorization = headerValues(ctx.req, 'authorization');
    const token = authorization.length === 1 ? jwtPattern.exec(authorization[0]!)?.[1] : undefined;
    if (!token) return null;
    const holder = await verify(token, resourceUrl(deps.settings, ctx, resource)).catch(
      (error: unknown) => {
        if (!(error instanceof InvalidToken)) throw error;
        const { message: description } = error;
        throw new Problem('authentication_required', description, {
          headers: {
            'WWW-Authenticate': challenge(deps.settings, ctx, resource, {
              code: 'invalid_token',
              description,
            }),
          },
        });
      },
    );
    const credentials = { ...holder, projectId: resource.projectId ?? projectIn(ctx) };
    const party = { project: credentials.projectId, key: credentialsKey(credentials) };
    const identity = await fairQueue.run(party, 'quick', () =>
      inTransaction(deps.database, (tx) => authenticate(tx, credentials, 'quick')),
    );
    return { credentials, scopes: identity.scopes };
  };
}

/** @throws Problem 400 */
function projectIn(ctx: Context): string {
  const values = headerValues(ctx.req, 'x-service-project-id');
  if (values.length === 1 && isId('project', values[0]!)) return values[0]!;
  throw new Problem(
    'project_header_required',
    'Send the header X-Service-Project-ID once, with a project id (prj_…), or use /mcp/{project}.',
  );
}
