import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { Violation } from '@scriptorium/contracts/wire/policy-decisions';
import type { ApiProblem } from '../../api/request.ts';

/** Why an upload was rejected, and what the user can do about it. */
interface Rejection {
  title: string;
  reasons: readonly string[];
  remedy: string;
  /** Whether a retry may succeed. */
  retryable: boolean;
}

export function rejectionOf(problem: ApiProblem): Rejection {
  const reasons = [problem.message];
  switch (problem.code) {
    case 'policy_denied': {
      const violations = violationsOf(problem);
      return {
        title: 'Denied by a policy',
        reasons: violations.length > 0 ? violations.map(reasonOf) : reasons,
        remedy: [...new Set(violations.map(remedyOf))].join(' ') || askAdministratorText,
        retryable: false,
      };
    }
    case 'payload_too_large':
      return {
        title: 'Too large',
        reasons,
        remedy: 'Reduce the file size, or split the file.',
        retryable: false,
      };
    case 'storage_full':
      return {
        title: 'Storage full',
        reasons,
        remedy: 'Contact your administrator, then try again.',
        retryable: true,
      };
    case 'upload_locked':
      return {
        title: 'Upload in progress elsewhere',
        reasons,
        remedy: 'Another window or device is sending this file. Stop it there, then try again.',
        retryable: true,
      };
    case 'upload_expired':
      return {
        title: 'Expired',
        reasons,
        remedy: 'The upload was inactive for too long. Try again to start over.',
        retryable: true,
      };
    case 'insufficient_scope':
      return {
        title: 'Access denied',
        reasons,
        remedy: 'Log in with an API key that has the scope objects:write.',
        retryable: false,
      };
    case 'headers_too_large':
      return {
        title: 'Too many tags or too much metadata',
        reasons,
        remedy: 'Upload the file with fewer, and add the others later.',
        retryable: false,
      };
    case 'csrf_token_invalid':
      return {
        title: 'Logged in elsewhere',
        reasons: ['You logged in again in another tab.'],
        remedy: 'Reload the page, then choose the file again to resume.',
        retryable: false,
      };
    case 'empty_file':
      return {
        title: 'Empty file',
        reasons,
        remedy: 'Check the file.',
        retryable: false,
      };
  }
  const faults = problem.document.errors?.map((fault) => fault.detail) ?? [];
  return {
    title: 'Rejected',
    reasons: faults.length > 0 ? faults : reasons,
    remedy: problem.status >= 500 ? 'Try again later.' : 'Correct this, then try again.',
    retryable: true,
  };
}

const askAdministratorText =
  'If this should be allowed, ask your administrator to change the policy.';

function violationsOf(problem: ApiProblem): Violation[] {
  const { violations } = problem.document;
  // As in the schema of `policy_denied`.
  return Array.isArray(violations) ? (violations as Violation[]) : [];
}

function reasonOf({ code, detail, parameters }: Violation): string {
  const { bytes } = parameters;
  if (code === 'too_many_bytes' && typeof bytes === 'number') {
    return `The maximum file size is ${formatBytes(bytes)}.`;
  }
  return detail;
}

/** Returns how to comply with each rule that applies to uploads. */
function remedyOf({ rule_type: rule, parameters }: Violation): string {
  switch (rule) {
    case 'allowed_mime_types': {
      const { include } = parameters;
      return Array.isArray(include) && include.length > 0
        ? `Convert it to one of these types: ${include.join(', ')}.`
        : 'Convert it to an allowed type, such as PDF, PNG or plain text.';
    }
    case 'max_bytes':
      return 'Reduce the file size, or split the file.';
    case 'max_pixels':
      return 'Scale the image down.';
    case 'max_pages':
      return 'Split it into several documents.';
    case 'ip_allow':
    case 'ip_deny':
      return 'Upload it from an allowed network.';
    case 'time_window':
      return 'Upload it at an allowed time.';
    default:
      return askAdministratorText;
  }
}
