import { DescribeRegionSettingsCommand } from '@aws-sdk/client-backup';
import { hours, minutes } from '../../../core/kernel/time.ts';
import { CopiesVault } from '../../backup/copies-client.ts';
import type { CopiesPlace, Deployment } from '../../deployment/deployment.ts';
import type { Finding, Probe } from '../probe.ts';

/** AWS Backup begins a backup within an hour of its time, and then copies it. */
const delay = 2 * hours;

/** The copies of the tables in the second region, if the stage has one: a copy that failed is seen nowhere else. */
export const copiesProbe: Probe = {
  name: 'copies',
  check: async (deployment) => {
    const place = await deployment.copies();
    if (!place) return [];
    return [await checkSettings(deployment), await checkAge(deployment, place)];
  },
};

/** Without its features for DynamoDB AWS Backup copies no table to another region. */
async function checkSettings({ clients, region }: Deployment): Promise<Finding> {
  const { ResourceTypeManagementPreference: managed, ResourceTypeOptInPreference: chosen } =
    await clients.backup.send(new DescribeRegionSettingsCommand({}));
  const subject = `AWS Backup in ${region}`;
  if (managed?.['DynamoDB'] && chosen?.['DynamoDB'])
    return { subject, ok: true, detail: 'copies DynamoDB tables' };
  const fix = `Run: aws backup update-region-settings --region ${region} --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true`;
  return { subject, ok: false, detail: 'is not set to copy DynamoDB tables', fix };
}

async function checkAge(
  { clients, tables }: Deployment,
  { region, vault, everyHours }: CopiesPlace,
): Promise<Finding> {
  const copies = await new CopiesVault(clients.in(region).backup, vault).last(Date.now());
  const subject = `copies in ${region}`;
  const fix = `Look at the failed jobs: aws backup list-copy-jobs --by-state FAILED, and list-backup-jobs --by-state FAILED.`;
  const lacking = Object.entries(tables).filter(([, table]) => !copies.has(table));
  if (lacking.length > 0) {
    const detail = `there is none of ${lacking.map(([name]) => name).join(', ')}`;
    return { subject, ok: false, detail, fix: `${fix} The first ones come within ${everyHours + 2} hours.` };
  }
  const ages = Object.values(tables).map((table) => Date.now() - (copies.get(table)?.at ?? 0));
  const age = Math.max(...ages);
  const detail = `the oldest of the last copies is ${Math.round(age / minutes)} minutes old`;
  return age <= everyHours * hours + delay
    ? { subject, ok: true, detail }
    : { subject, ok: false, detail, fix };
}
