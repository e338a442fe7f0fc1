import { DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Check, Finding } from '../check.ts';
import { gone } from '../probe.ts';

/** CloudWatch tells of so many at once. */
const namesOfACall = 100;

/** The alarms of the stack; each of its descriptions says what it means and where the guide goes on. */
export const alarms: Check = {
  name: 'alarms',
  look: async (deployment) => {
    const names = await deployment.resources('AWS::CloudWatch::Alarm');
    if (names.length === 0) return [];
    const found = await describe(deployment, names);
    const there = new Set(found.map(({ AlarmName }) => AlarmName));
    const wrong = [
      ...names.filter((name) => !there.has(name)).map((name) => gone(name, fix)),
      ...found.filter(({ StateValue }) => StateValue === 'ALARM').map(ringingOf),
    ];
    if (wrong.length > 0) return wrong;
    return [{ subject: `${names.length} alarms`, ok: true, detail: 'none rings' }];
  },
};

const fix = 'Deploy the stack anew: nobody is told of what the alarm is for.';

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
  detail: `rings since ${StateUpdatedTimestamp?.toISOString() ?? 'unknown'}`,
  ...(AlarmDescription !== undefined && { fix: AlarmDescription }),
});
