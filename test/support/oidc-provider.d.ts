/** The part of oidc-provider that the tests use; it has no type declarations. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }
  interface Context {
    oidc: {
      client: { clientId: string };
      session: { accountId: string };
      provider: Provider;
      params: { resource?: unknown };
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (properties: {
      clientId: string;
      accountId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>;
    on(event: string, listener: (...values: unknown[]) => void): this;
  }
  export type { Context };
}
