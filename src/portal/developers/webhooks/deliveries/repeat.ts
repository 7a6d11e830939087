import { hiddenValue } from '../../../../contracts/helpers/hidden-value.ts';
import { shellQuote } from '../../../../contracts/helpers/shell-quote.ts';

/** Headers that the command sets itself. */
const signed = ['webhook-timestamp', 'webhook-signature'];

/**
 * A shell command that sends a message again, with a new signature by the secret in `WEBHOOK_SECRET`: a
 * signature is only valid for minutes. A webhook without `v1` keeps the signature it had. Values of
 * custom headers are variables.
 */
export function asRepeat(
  request: { url: string; body: string },
  headers: Readonly<Record<string, string>>,
): string {
  const signs = /(^| )v1,/.test(headers['webhook-signature'] ?? '');
  const kept = Object.entries(headers).filter(([name]) => !signs || !signed.includes(name));
  const start = [`BODY=${shellQuote(request.body)}`];
  if (signs) {
    start.push(
      'TIMESTAMP=$(date +%s)',
      `KEY=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
      `SIGNATURE=$(printf '%s.%s.%s' ${shellQuote(headers['webhook-id'] ?? '')} "$TIMESTAMP" "$BODY" \\`,
      '  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    );
  }
  const lines = [
    `curl -X POST ${shellQuote(request.url)}`,
    ...kept.map(([name, value]) =>
      value === hiddenValue
        ? `-H "${name}: $${variableOf(name)}"`
        : `-H ${shellQuote(`${name}: ${value}`)}`,
    ),
    ...(signs
      ? ['-H "webhook-timestamp: $TIMESTAMP"', '-H "webhook-signature: v1,$SIGNATURE"']
      : []),
    '--data-raw "$BODY"',
  ];
  return [...start, lines.join(' \\\n  ')].join('\n');
}

function variableOf(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
