import type { Violation } from '../../../contracts/wire/policies.ts';
import type { ApiProblem } from '../../api/request.ts';
import { formatBytes } from '../../kit/values.tsx';

/** A refusal in words: what is wrong, and what whoever uploads can do about it. */
export interface Refusal {
  title: string;
  reasons: readonly string[];
  remedy: string;
  /** Trying the same again may help. */
  again: boolean;
}

export function refusalOf(problem: ApiProblem): Refusal {
  const reason = [problem.message];
  switch (problem.code) {
    case 'policy_denied': {
      const found = violationsOf(problem);
      return {
        title: 'Refused by a policy',
        reasons: found.length > 0 ? found.map(reasonOf) : reason,
        remedy: [...new Set(found.map(remedyOf))].join(' ') || askForPolicies,
        again: false,
      };
    }
    case 'payload_too_large':
      return {
        title: 'Too large',
        reasons: reason,
        remedy: 'Make it smaller or divide it, then upload the parts.',
        again: false,
      };
    case 'storage_full':
      return {
        title: 'No room left',
        reasons: reason,
        remedy: 'Tell whoever operates the service, and try again when there is room.',
        again: true,
      };
    case 'upload_locked':
      return {
        title: 'Under way elsewhere',
        reasons: reason,
        remedy: 'It is being sent from another window or machine. Stop it there, then try again.',
        again: true,
      };
    case 'upload_expired':
      return {
        title: 'Expired',
        reasons: reason,
        remedy: 'It was left too long. Try again to send it from the beginning.',
        again: true,
      };
    case 'insufficient_scope':
      return {
        title: 'This key may not upload',
        reasons: reason,
        remedy: 'Log in with a key that has the scope objects:write.',
        again: false,
      };
    case 'headers_too_large':
      return {
        title: 'Too much said about it',
        reasons: reason,
        remedy: 'Upload it with fewer tags and metadata, and add these afterwards.',
        again: false,
      };
    case 'csrf_token_invalid':
      return {
        title: 'Logged in elsewhere',
        reasons: ['The session was begun anew in another tab.'],
        remedy: 'Reload the page, then choose the file again: it goes on where it stopped.',
        again: false,
      };
    case 'empty_file':
      return {
        title: 'Empty',
        reasons: reason,
        remedy: 'Check the file: there is nothing in it.',
        again: false,
      };
  }
  const faults = problem.document.errors?.map((fault) => fault.detail) ?? [];
  return {
    title: 'Refused',
    reasons: faults.length > 0 ? faults : reason,
    remedy:
      problem.status >= 500 ? 'Try again in a moment.' : 'Change what it says, then try again.',
    again: true,
  };
}

const askForPolicies = 'Ask whoever manages the project’s policies if it should be allowed.';

function violationsOf(problem: ApiProblem): Violation[] {
  const { violations } = problem.document;
  // As the API's schema of refusals has it.
  return Array.isArray(violations) ? (violations as Violation[]) : [];
}

function reasonOf({ code, detail, parameters }: Violation): string {
  const { bytes } = parameters;
  if (code === 'too_many_bytes' && typeof bytes === 'number') {
    return `A file may have at most ${formatBytes(bytes)}.`;
  }
  return detail;
}

/** What can be done about what a rule refuses, for each rule that speaks about uploads. */
function remedyOf({ rule_type: rule, parameters }: Violation): string {
  switch (rule) {
    case 'allowed_mime_types': {
      const { include } = parameters;
      return Array.isArray(include) && include.length > 0
        ? `Convert it to one of these types: ${include.join(', ')}.`
        : 'Convert it to a type that is allowed, such as PDF, PNG or plain text.';
    }
    case 'max_bytes':
      return 'Make it smaller or divide it.';
    case 'max_pixels':
      return 'Scale the picture down.';
    case 'max_pages':
      return 'Divide it into several documents.';
    case 'ip_allow':
    case 'ip_deny':
      return 'Upload it from a network that is allowed.';
    case 'time_window':
      return 'Upload it at a time that is allowed.';
    default:
      return askForPolicies;
  }
}
