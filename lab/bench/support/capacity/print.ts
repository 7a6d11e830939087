import type { Costs } from './costs.ts';
import type { Load, Plan, ResourceUse } from './model.ts';
import { missesOf, plural } from './tables.ts';

const formatNumber = (value: number): string =>
  value.toLocaleString(
    'en-GB',
    value < 100 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 },
  );

/** The advice for an exceeded resource. */
const remedies: Record<string, string> = {
  'CPU of Postgres':
    'several clusters, each with a share of the projects. Every request names its project in X-Service-Project-ID, so a proxy can route by it. Standbys cannot take reads: every process asks the primary',
  'WAL of Postgres': 'faster disks and standbys; then several clusters by project',
  'the lock of numbering':
    'several clusters by project, each with a lock of its own. More relays do not help, and neither did a lock for each of 16 shards on two cores (docs/decisions/sequence-after-commit.md)',
  'the relay that numbers':
    'a relay of its own, without WORKERS=webhooks; then several clusters by project',
  'connections to Postgres':
    'PgBouncer in transaction mode (docs/configuration.md#a-pooler), or a smaller POOL_SIZE',
  'disk of Postgres':
    'shorter retention (whole weeks are dropped), larger disks; then several clusters by project',
  Redis: 'a Redis for each cluster. One cluster cannot use several',
};

/** A plan as text. */
export function formatPlan(
  { measured, ...checked }: Pick<Costs, 'measured' | 'rates' | 'mixed'>,
  load: Load,
  plan: Plan,
  maximum: { times: number; gives: ResourceUse },
): string {
  const misses = missesOf(checked);
  const lines = [
    `From costs measured on ${measured.on} at ${measured.commit}: ${measured.cores} cores, ${measured.machine},`,
    `Node ${measured.node}, Postgres ${measured.postgres}, ${plural(measured.rounds, 'round')}; other programs used ${measured.others} cores meanwhile.`,
    'The rest is extrapolation: costs per operation times their number.',
    ...(misses.length > 0
      ? [`Of what was predicted, these were not within 25 %: ${misses.join(', ')}.`]
      : []),
    '',
    'process        cores  processes  connections',
    ...plan.processes.map(
      ({ kind, cores, processes, connections }) =>
        `${kind.padEnd(12)} ${formatNumber(cores).padStart(7)} ${formatNumber(processes).padStart(10)} ${formatNumber(connections).padStart(12)}`,
    ),
    `machines for these: ${formatNumber(plan.machines)}`,
    '',
    'of Postgres and Redis                    needed  available   of what may be used',
    ...plan.uses.map(formatUse),
    '',
  ];
  lines.push(
    `One cluster takes ${formatNumber(maximum.times)} × this load; then gives first: ${maximum.gives.what}.`,
  );
  if (plan.clusters > 1) {
    lines.push(
      `Needed: ${plan.clusters} clusters, each with a share of the projects. A single project cannot have more than one.`,
    );
  }
  const exceeded = plan.uses.filter(({ share }) => share > 1).map(({ what }) => what);
  for (const what of new Set([maximum.gives.what, ...exceeded])) {
    lines.push(`Remedy for "${what}": ${remedies[what]}.`);
  }
  if (load.kept.event > 0 && load.events > 0) {
    const days = load.kept.event / load.events / 86_400;
    lines.push(
      `${formatNumber(load.kept.event)} events are ${formatNumber(days)} days at this rate.`,
    );
  }
  return lines.join('\n');
}

function formatUse({ what, needed, available, unit, share }: ResourceUse): string {
  const neededText = `${formatNumber(needed)} ${unit}`;
  return `${what.padEnd(26)} ${neededText.padStart(20)} ${formatNumber(available).padStart(10)} ${`${formatNumber(share * 100)} %`.padStart(10)}`;
}
