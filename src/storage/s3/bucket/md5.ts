/** The checksum that older stores require. */
import { createHash } from 'node:crypto';
import type { DeleteObjectsCommand } from '@aws-sdk/client-s3';

/**
 * Sends a removal of several items with `Content-MD5` instead of the SDK's newer checksum, which
 * Swift rejects; Amazon accepts either.
 */
export function withMd5(command: DeleteObjectsCommand): DeleteObjectsCommand {
  command.middlewareStack.add(
    (next) => async (args) => {
      const request: unknown = args.request;
      if (isRequest(request) && typeof request.body === 'string') {
        for (const name of Object.keys(request.headers)) {
          if (/^x-amz-(checksum-|sdk-checksum-)/i.test(name)) delete request.headers[name];
        }
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
      }
      return next(args);
    },
    // Runs after the SDK's checksum and before the signature.
    { step: 'build', priority: 'low', name: 'md5' },
  );
  return command;
}

function isRequest(value: unknown): value is { headers: Record<string, string>; body: unknown } {
  return typeof value === 'object' && value !== null && 'headers' in value && 'body' in value;
}
