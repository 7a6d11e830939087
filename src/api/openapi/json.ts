/** A JSON object in the OpenAPI document. */
export type Json = Record<string, unknown>;
