import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';

const score = 0.6;
const accountName = '([A-Za-z_][A-Za-z0-9_.-]{2,31})';

/** Log lines in which a program names a person's account. */
const logLines = [
  // OpenSSH: sshd(8).
  `(?:Accepted|Failed|Postponed) [\\w/-]{1,40} for (?:invalid user )?${accountName} from`,
  `(?:Invalid|Illegal) user ${accountName} from`,
  `(?:Connection (?:closed|reset) by|Disconnected from) (?:authenticating |invalid )?user ${accountName} `,
  // PAM, systemd-logind, sudo, su.
  `session (?:opened|closed) for user ${accountName}`,
  `New session \\S{1,20} of user ${accountName}`,
  `sudo(?:\\[\\d{1,9}\\])?: {1,8}${accountName} :`,
  `\\(to [\\w-]{1,32}\\) ${accountName} on `,
  `authentication failure;.{0,300}? user=${accountName}`,
];
/** Prose about a log or a badge reader. The account name must have a form that no word has. */
const logStatement =
  '(?:log|logs|protokoll|journal|registro) (?:says?|shows?|lists?|names?|steht|zeigt|nennt|indique|dit|dice|mostra)\\b[^.\\n]{0,40}?';
const signedIn =
  '(?:logged|badged|signed|clocked) (?:in|on|out) (?:as|by|was)|last (?:badge|login|sign-in)[^.\\n]{0,12}? (?:was|by)|angemeldet(?: ist| war)?(?: als)?|eingeloggt(?: als)?|connecté en tant que|conectad[oa] como|ingelogd als|zalogowany jako';
/**
 * Words for an account that precede its name. Letters after the word would make it a different
 * word.
 */
const accountWord =
  'accounts?|log-?ins?|user ?names?|user ?ids?|benutzer(?:konto|namen?|kennung)|nutzer(?:konto|namen?)|identifiants?|nom d.utilisateur|compte(?: utilisateur)?|usuario|cuenta|utilizador|conta|utente|gebruiker(?:snaam)?|nazwa użytkownika|konto';
const prose = [
  `${logStatement}(?<![\\w@./-])([a-z]{1,12}\\.[a-z]{3,20}|[a-z]{3,20}\\d{1,4})(?![\\w@(/-]|\\.\\w)`,
  `(?<![\\p{L}-])(?:${accountWord}):? ["'“„«]?(?<![\\w@./-])([a-z]{1,2}\\.[a-z]{3,20}|[a-z]{3,20}\\d{1,4})(?![\\w@(/-]|\\.\\w| \\p{L}{1,20} (?:was|is|wird|est)\\b)`,
  '(?<![\\w.])live:(\\.?[\\w.-]{3,40}(?<![.]))',
  `(?:${signedIn}) (?<![\\w@./-])([a-z]{1,12}\\.[a-z]{3,20}|[a-z]{2,20}\\d{1,4})(?![\\w@(/-]|\\.\\w)`,
];
const patterns = [
  ...logLines.map((line) => new RegExp(line, 'dg')),
  ...prose.map((line) => new RegExp(line, 'dgiu')),
];

/** Accounts of programs and machines. */
const systemAccounts =
  /^(?:root|admin|administrator|nobod[y]|daemon|postgres|mysql|redis|nginx|apache|www-data|git|ubuntu|debian|ec2-user|deploy|backup|test|guest|oracle|jenkins|system|user|sshd|cron|nagios|zabbix|ansible|docker|vagrant|pi)$/i;

/** Finds account names in logs and in prose about logs. */
export function findAccounts({ text, original }: TextView): PiiFinding[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): PiiFinding[] => {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      if (end === 0 || systemAccounts.test(text.slice(start, end))) return [];
      return [{ type: 'PERSONAL_ID', start: original(start), end: original(end - 1) + 1, score }];
    }),
  );
}
