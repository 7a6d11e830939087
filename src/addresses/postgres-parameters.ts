import { AddressError, unknownParameter } from './url.ts';

/** The parameters of libpq in URLs of Postgres, and those that providers add for other drivers. */

/** Parameters that are used. */
const supportedParameters =
  `host hostaddr port dbname user password options application_name sslmode ssl sslrootcert sslcert
  sslkey sslnegotiation channel_binding target_session_attrs`.split(/\s+/);

/**
 * Parameters without effect: the service sets time limits, keep-alive and pool itself, and detects a
 * pooler.
 */
const ignoredNames: readonly string[] =
  `connect_timeout client_encoding fallback_application_name load_balance_hosts keepalives
  keepalives_idle keepalives_interval keepalives_count tcp_user_timeout sslcompression sslsni
  krbsrvname gsslib gssdelegation ssl_max_protocol_version max_protocol_version uselibpqcompat
  statement_timeout lock_timeout idle_in_transaction_session_timeout query_timeout pgbouncer
  connection_limit pool_timeout pool_size max_conns socket_timeout statement_cache_size
  prepareThreshold prepared_statements workaround`.split(/\s+/);
/** Parameters that are ignored if they have one of these values, and otherwise rejected. */
const ignoredValues: ReadonlyMap<string, RegExp> = new Map([
  ['gssencmode', /^(disable|prefer)$/],
  ['sslcertmode', /^(disable|allow)$/],
  ['ssl_min_protocol_version', /^TLSv1(\.[12])?$/],
  ['min_protocol_version', /^3\.0$/],
  ['replication', /^(false|off|no|0)$/],
  ['schema', /^public$/],
]);

/** Parameters of libpq that are not supported, and that it would be wrong to ignore. */
const unsupportedParameters =
  `passfile service servicefile require_auth requirepeer sslpassword sslcrl sslcrldir sslkeylogfile
  scram_client_key scram_server_key oauth_issuer oauth_client_id oauth_client_secret oauth_scope`.split(
    /\s+/,
  );

/**
 * The names of a URL's parameters that have no effect.
 * @throws AddressError for an unsupported parameter that would have an effect
 */
export function ignoredParameters(params: ReadonlyMap<string, string>): string[] {
  return [...params].flatMap(([name, value]) => {
    if (ignoredNames.includes(name) || ignoredValues.get(name)?.test(value)) return [name];
    if (supportedParameters.includes(name)) return [];
    if (unsupportedParameters.includes(name)) throw unsupportedParameter(`'${name}'`);
    if (ignoredValues.has(name)) throw unsupportedParameter(`${name}=${value}`);
    throw unknownParameter(name, supportedParameters);
  });
}

function unsupportedParameter(parameter: string): AddressError {
  return new AddressError(`has ${parameter}, which is not supported: leave it out`);
}
