import type {
  CitationRecord,
  PackChangeRecord,
  PackDocumentRecord,
  PackRecord,
} from '../../contracts/wire/packs.ts';
import type { Page } from '../api/hooks.ts';
import type { ApiRequest, QueryValue } from '../api/request.ts';

const packs = '/v1/documents/packs';

type Query = Record<string, QueryValue>;

export const listPacks = (query: Query): ApiRequest<Page<PackRecord>> => ({
  method: 'GET',
  path: packs,
  query,
});

export const getPack = (id: string): ApiRequest<PackRecord> => ({
  method: 'GET',
  path: `${packs}/${id}`,
});

export const createPack = (body: unknown): ApiRequest<PackRecord> => ({
  method: 'POST',
  path: packs,
  body,
});

export const listPackDocuments = (
  id: string,
  query: Query,
): ApiRequest<Page<PackDocumentRecord>> => ({
  method: 'GET',
  path: `${packs}/${id}/documents`,
  query,
});

export const listPackChanges = (id: string, query: Query): ApiRequest<Page<PackChangeRecord>> => ({
  method: 'GET',
  path: `${packs}/${id}/changes`,
  query,
});

export const cancelPack = (id: string): ApiRequest<PackRecord> => ({
  method: 'POST',
  path: `${packs}/${id}/cancel`,
});

export const retryPack = (id: string): ApiRequest<PackRecord> => ({
  method: 'POST',
  path: `${packs}/${id}/retry`,
});

export const getCitation = (chunkId: string): ApiRequest<CitationRecord> => ({
  method: 'GET',
  path: `/v1/documents/citations/${chunkId}`,
});
