import { DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '../../deployment/deployment.ts';
import { deleted, type Finding, type Probe } from '../probe.ts';

/** The most that CloudWatch returns at once. */
const namesOfACall = 100;

/** The alarms of the stack. The description of each says what it means, and links the guide. */
export const alarmsProbe: Probe = {
  name: 'alarms',
  check: async (deployment) => {
    const names = await deployment.resources('AWS::CloudWatch::Alarm');
    if (names.length === 0) return [];
    const found = await describe(deployment, names);
    const existing = new Set(found.map(({ AlarmName }) => AlarmName));
    const failed = [
      ...names.filter((name) => !existing.has(name)).map((name) => deleted(name, fix)),
      ...found.filter(({ StateValue }) => StateValue === 'ALARM').map(ringingOf),
    ];
    if (failed.length > 0) return failed;
    return [{ subject: `${names.length} alarms`, ok: true, detail: 'none is in alarm' }];
  },
};

const fix = 'Deploy the stage again (npx cdk deploy --all): without the alarm this trouble goes unnoticed.';

async function describe({ clients }: Deployment, names: readonly string[]): Promise<MetricAlarm[]> {
  const found: MetricAlarm[] = [];
  for (let at = 0; at < names.length; at += namesOfACall) {
    const request = { AlarmNames: names.slice(at, at + namesOfACall), MaxRecords: namesOfACall };
    const { MetricAlarms = [] } = await clients.cloudwatch.send(new DescribeAlarmsCommand(request));
    found.push(...MetricAlarms);
  }
  return found;
}

const ringingOf = ({ AlarmName = '', StateUpdatedTimestamp, AlarmDescription }: MetricAlarm): Finding => ({
  subject: AlarmName,
  ok: false,
  detail: `is in alarm since ${StateUpdatedTimestamp?.toISOString() ?? 'unknown'}`,
  ...(AlarmDescription !== undefined && { fix: AlarmDescription }),
});
