/** Words of a question that say nothing about its subject. */
const stopWords = new Set(
  `a about all am an and any are as at be been but by can could did do does for from get has have how i
  if in into is it its just many me much my need of on or our please should so some that the their them
  there these they this to use using want was we what when where which why will with without would
  you your`.split(/\s+/),
);

/**
 * Words that people use for the same thing. A word finds the headings and questions that use any
 * other word of its row.
 */
const synonymRows = [
  'install deploy host selfhost production setup server docker compose',
  'retry again resend redeliver reattempt repeat',
  'keep retain retention kept store expire lifetime preserve',
  'delete remove purge erase destroy wipe trash',
  'restore recover undelete undo back',
  'login signin logon signon sso oidc okta google azure entra saml ldap authenticate',
  'people user colleague team teammate member person employee',
  'key token credential',
  'upgrade update version migrate migration release',
  'limit maximum max quota big large size',
  'type format mime extension kind',
  'webhook callback notify notification notified hook push',
  'verify check signature authentic hmac genuine fake',
  'redact redaction hide anonymise anonymisation mask blackout pseudonymise censor',
  'review approve reviewer confirm',
  'personal pii gdpr privacy sensitive private',
  'ocr recognise recognition scan scanned searchable tesseract',
  'llm language model rag gpt chatgpt ai embedding vector',
  's3 bucket minio aws blob',
  'pagination paginate paging cursor next',
  'idempotency idempotent duplicate twice',
  'monitor monitoring metric prometheus grafana alert dashboard',
  'log trace opentelemetry',
  'troubleshoot troubleshooting stuck hang broken debug fail problem',
  'scale scaling capacity throughput performance worker',
  'share link public guest external outside',
  'find search query',
  'download export fetch',
  'audit history activity',
  'policy permission restrict restriction forbid block',
  'scope right role permission allowed',
  'kubernetes k8s helm',
  'throttle throttled 429 rate',
  'cancel stop abort',
  'progress follow status poll wait',
  'photo picture image',
  'sdk library client typescript javascript',
];

/** The rows of each word, by its stem. */
const rowsByStem = new Map<string, string[]>();
synonymRows.forEach((row, at) => {
  for (const word of row.split(' ')) {
    const stem = stemOf(word);
    rowsByStem.set(stem, [...(rowsByStem.get(stem) ?? []), `#${at}`]);
  }
});

/** Verbs of two words: `log in`, `back-up` and `self-hosted` are each one word. */
const joinedWords = /\b(log|sign|back|set|self|black)[ -](in|on|out|up|host\w*)\b/g;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  const joined = text.toLowerCase().replace(joinedWords, '$1$2');
  return joined.split(/[\s\p{P}]+/u).filter(Boolean);
}

/** Whether a lower-case word says nothing about the subject of a question. */
export const isStopWord = (word: string): boolean => stopWords.has(word);

/** The stem of a lower-case word and the rows of its synonyms. */
export function termsOf(word: string): string[] {
  const stem = stemOf(word);
  return [stem, ...(rowsByStem.get(stem) ?? [])];
}

/** Whether a term stands for a row of synonyms. */
export const isSynonym = (term: string): boolean => term.startsWith('#');

/** The common part of the forms of a lower-case English word: `retries` and `retried` become `retry`. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/'s$/, '')
    .replace(/iz(?=e|ing|ation)/, 'is')
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?<!s)s$/, '')
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(?<=[a-z]{3})e$/, '');
}
