/** The reasons why exchanges fail, with messages for the developer of the receiver. */
import { errors } from 'undici';
import { ConnectionClosed, ConnectTimeout, TooManyBytes } from './connection.ts';
import { DestinationError, type DestinationErrorCode } from './destination.ts';
import type { DialProgress } from './exchange.ts';

type DialErrorCode =
  | DestinationErrorCode
  | 'request_invalid'
  | 'connection_wait_timeout'
  | 'dns_timeout'
  | 'connect_timeout'
  | 'connect_refused'
  | 'connect_failed'
  | 'connection_closed'
  | 'tls_timeout'
  | 'tls_failed'
  | 'tls_certificate_expired'
  | 'tls_certificate_untrusted'
  | 'tls_certificate_name_mismatch'
  | 'response_timeout'
  | 'response_body_timeout'
  | 'response_invalid'
  | 'response_incomplete'
  | 'cancelled';

/**
 * The error of an attempt, as it is stored and displayed: the failure, then the remedy. Never
 * contains an IP address.
 */
export interface DialError {
  code: DialErrorCode;
  message: string;
}

/** The exchange was stopped by the service. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly trigger: 'deadline' | 'cancelled' | 'closed';
  constructor(trigger: 'deadline' | 'cancelled' | 'closed') {
    super(trigger);
    this.trigger = trigger;
  }
}

export interface FailureContext {
  progress: DialProgress;
  deadlineMs: number;
  /** The status, once headers have arrived. */
  status: number | null;
}

const UNTRUSTED_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
  'INVALID_PURPOSE',
]);

const RESET_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Describes an error by its code and by the phase that the exchange had reached. */
export function describeFailure(error: unknown, context: FailureContext): DialError {
  const { progress, status } = context;
  if (error instanceof DestinationError) return { code: error.code, message: error.message };
  if (error instanceof Stopped) {
    if (error.trigger === 'deadline') return deadlineFailure(context);
    return {
      code: 'cancelled',
      message: 'The service cancelled the attempt before it was complete. It will be retried.',
    };
  }
  if (error instanceof ConnectTimeout) {
    return connectTimeout('in time');
  }
  if (error instanceof TooManyBytes) {
    return {
      code: 'response_invalid',
      message:
        'The receiver sent more than 1 MiB without a valid response. Respond with one status line, a few headers and a short body.',
    };
  }
  const code = codeOf(error);
  if (progress.phase === 'tls') return tlsFailure(code);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return {
      code: 'response_invalid',
      message: 'The response headers are larger than 16 KiB. Send fewer or shorter headers.',
    };
  }
  if (status !== null) {
    return isParserError(error)
      ? invalidResponse()
      : {
          code: 'response_incomplete',
          message: `The receiver responded with ${status} but closed the connection before the response was complete. Send as many bytes as Content-Length announces, or an empty body.`,
        };
  }
  switch (code) {
    case 'ECONNREFUSED':
      return {
        code: 'connect_refused',
        message:
          "The receiver refused the connection: nothing is listening on this port. Start the receiver, or correct the port in the webhook's URL.",
      };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return {
        code: 'connect_failed',
        message:
          'The receiver cannot be reached: no route to its address. Check that the addresses of its host name are reachable from the internet.',
      };
    case 'ETIMEDOUT':
      return connectTimeout('in time');
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'request_invalid',
        message: 'One of the headers of this webhook cannot be sent. Change its `headers`.',
      };
    default:
  }
  if (isParserError(error) || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return invalidResponse();
  }
  if (error instanceof TypeError) {
    return {
      code: 'request_invalid',
      message: 'One of the headers of this webhook cannot be sent. Change its `headers`.',
    };
  }
  if (
    progress.phase === 'connect' &&
    !(error instanceof ConnectionClosed || RESET_CODES.has(code))
  ) {
    return {
      code: 'connect_failed',
      message:
        'The connection to the receiver failed. Check that it is reachable from the internet.',
    };
  }
  return {
    code: 'connection_closed',
    message:
      'The receiver closed the connection before it responded. Check for a crash, a proxy or a size limit.',
  };
}

function deadlineFailure({ progress, deadlineMs, status }: FailureContext): DialError {
  const seconds = `${deadlineMs / 1000} s`;
  switch (progress.phase) {
    case 'queued':
      return {
        code: 'connection_wait_timeout',
        message: `Nothing was sent: all connections to this receiver were busy for ${seconds} with unanswered deliveries. Respond faster, or lower \`max_in_flight\`.`,
      };
    case 'dns':
      return {
        code: 'dns_timeout',
        message: `The host name was not resolved within ${seconds}. Check the name servers of its domain.`,
      };
    case 'connect':
      return connectTimeout(`within ${seconds}`);
    case 'tls':
      return {
        code: 'tls_timeout',
        message: `The receiver did not finish the TLS handshake within ${seconds}. Check that this port serves https and is not overloaded.`,
      };
    case 'waiting':
      return {
        code: 'response_timeout',
        message: `The receiver accepted the request but did not respond within ${seconds}. Respond first and process the event afterwards.`,
      };
    case 'body':
      return {
        code: 'response_body_timeout',
        message: `The receiver responded with ${status ?? ''} but did not finish the response within ${seconds}. End the response; an empty body is enough.`,
      };
  }
}

function connectTimeout(when: string): DialError {
  return {
    code: 'connect_timeout',
    message: `The receiver did not accept a connection ${when}. Check that its firewall allows this port.`,
  };
}

function tlsFailure(code: string): DialError {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return {
      code: 'tls_certificate_expired',
      message: "The receiver's certificate has expired or is not valid yet. Renew it.",
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      code: 'tls_certificate_name_mismatch',
      message:
        "The receiver's certificate does not cover this host name. Use a certificate that covers it, or a host name from the certificate.",
    };
  }
  if (UNTRUSTED_CODES.has(code)) {
    return {
      code: 'tls_certificate_untrusted',
      message:
        "The receiver's certificate is not signed by a public authority, or the chain it sends is incomplete. Send the intermediate certificates too.",
    };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return {
      code: 'tls_timeout',
      message:
        'The receiver did not finish the TLS handshake in time. Check that this port serves https and is not overloaded.',
    };
  }
  return {
    code: 'tls_failed',
    message:
      'The TLS handshake with the receiver failed. It must serve https on this port, with TLS 1.2 or later.',
  };
}

function invalidResponse(): DialError {
  return {
    code: 'response_invalid',
    message: 'The receiver did not respond with valid HTTP/1.1. Check what listens on this port.',
  };
}

function isParserError(error: unknown): boolean {
  // By class: undici omits the code if the first bytes of a response are invalid.
  return error instanceof errors.HTTPParserError;
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return '';
}
