import { topCommand } from '../command.ts';
import type { Probe } from './probe.ts';
import { alarmsProbe } from './probes/alarms-probe.ts';
import { apiProbe } from './probes/api-probe.ts';
import { appProbe } from './probes/app-probe.ts';
import { baseUrlsProbe } from './probes/base-urls-probe.ts';
import { concurrencyProbe } from './probes/concurrency-probe.ts';
import { consoleProbe } from './probes/console-probe.ts';
import { copiesProbe } from './probes/copies-probe.ts';
import { passkeysProbe, webPushProbe } from './probes/devices-probe.ts';
import { demoProbe } from './probes/demo-probe.ts';
import { eventSourcesProbe } from './probes/event-sources-probe.ts';
import { exportsProbe } from './probes/exports-probe.ts';
import { openidProbe } from './probes/openid-probe.ts';
import { publishedKeysProbe } from './probes/published-keys-probe.ts';
import { pushApplicationsProbe } from './probes/push-applications-probe.ts';
import { queuesProbe } from './probes/queues-probe.ts';
import { receiversProbe } from './probes/receivers-probe.ts';
import { recoveryProbe } from './probes/recovery-probe.ts';
import { schedulesProbe } from './probes/schedules-probe.ts';
import { signalsProbe } from './probes/signals-probe.ts';
import { tablesProbe } from './probes/tables-probe.ts';
import { targetsProbe } from './probes/targets-probe.ts';
import { report } from './report.ts';

export const doctorCommand = topCommand({
  examples: ['doctor --stage production --region eu-central-1', 'doctor --local --json'],
  run: async (session) => {
    const deployment = await session.deployment();
    await report(session, { probes, of: deployment, name: deployment.name });
  },
});

const probes: readonly Probe[] = [
  apiProbe,
  baseUrlsProbe,
  openidProbe,
  publishedKeysProbe,
  appProbe,
  exportsProbe,
  consoleProbe,
  tablesProbe,
  queuesProbe,
  eventSourcesProbe,
  schedulesProbe,
  concurrencyProbe,
  pushApplicationsProbe,
  passkeysProbe,
  webPushProbe,
  targetsProbe,
  signalsProbe,
  receiversProbe,
  recoveryProbe,
  copiesProbe,
  demoProbe,
  alarmsProbe,
];
