import { resolveCname } from 'node:dns/promises';
import type { StageConfig } from '../../lib/config.ts';
import { topCommand } from '../command.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { Clients } from '../deployment/aws-clients.ts';
import { callerAccountOf } from '../deployment/account-client.ts';
import { regionOf } from '../deployment/cloud-client.ts';
import { readStages } from '../deployment/stage-settings.ts';
import type { Probe } from '../doctor/probe.ts';
import { checkConcurrency } from '../doctor/probes/concurrency-probe.ts';
import { report } from '../doctor/report.ts';
import type { Session } from '../session.ts';
import type { Planned } from './planned.ts';
import { accountProbe } from './probes/account-probe.ts';
import { bootstrapProbe } from './probes/bootstrap-probe.ts';
import { certificatesProbe } from './probes/certificates-probe.ts';
import { cloudfrontProbe } from './probes/cloudfront-probe.ts';
import { codedeployProbe } from './probes/codedeploy-probe.ts';
import { domainsProbe } from './probes/domains-probe.ts';
import { pushProbe } from './probes/push-probe.ts';

export const preflightCommand = topCommand({
  examples: ['preflight --stage production --region eu-central-1'],
  run: examine,
});

const probes: readonly Probe<Planned>[] = [
  accountProbe,
  bootstrapProbe,
  { name: 'lambda', check: async ({ clients }) => [await checkConcurrency(clients().lambda)] },
  codedeployProbe,
  pushProbe,
  cloudfrontProbe,
  certificatesProbe,
  domainsProbe,
];

async function examine(session: Session): Promise<void> {
  const { stage, region: chosen, local } = session.place;
  if (local) throw new UsageError('preflight checks an AWS account. The local stack needs none: npm start.');
  const config = await readStage(stage);
  const region = config.env.region ?? (await regionOf(chosen, session.environment));
  const made = new Map<string, Clients>();
  const clients = (name = region): Clients => {
    const its = made.get(name) ?? new Clients({ region: name });
    made.set(name, its);
    return its;
  };
  try {
    const account = await callerAccountOf(clients().sts);
    const planned: Planned = { config, account, region, clients, aliasOf };
    await report(session, {
      probes,
      of: planned,
      name: `the account ${account} for omi-${stage} in ${region}`,
    });
  } finally {
    for (const its of made.values()) its.close();
  }
}

/** The stage's settings, as the CDK app reads them. */
async function readStage(stage: string): Promise<StageConfig> {
  // Loading the CDK takes a second, which other commands do not need.
  const { checkSettings, settingsOf, stageNamed } = await import('../../lib/config.ts');
  try {
    const name = stageNamed(stage);
    return checkSettings(name, settingsOf(await readStages(), name));
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

/** A name without a record, or without a name server in reach, has none. */
const aliasOf = async (name: string): Promise<string | undefined> =>
  await resolveCname(name).then(
    ([host]) => host,
    () => undefined,
  );
