import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isExecuteApi } from '../../../core/kernel/base-urls.ts';
import { readCompact } from '../../../core/devices/protocol/compact.ts';
import { fromStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Finding, Probe } from '../probe.ts';

/** A sample is enough: after a change of the base URL, all earlier devices have another one. */
const sampleSize = 1_000;
const timeoutMs = 10_000;
const seeDocs = 'see "Choose the address first" in docs/first-deployment.md.';

/** Devices call and sign the base URL under which they enrolled, for as long as they are enrolled. */
export const baseUrlsProbe: Probe = {
  name: 'base URLs',
  check: async (deployment) => {
    const { stage, baseUrl, formerBaseUrls } = deployment;
    // Earlier tunnels to a local stack are gone.
    const former = (stage === 'local' ? [] : formerBaseUrls).map(async (url) => await checkFormer(url));
    return [
      ...warnOfNoDomain(stage, baseUrl),
      ...(await Promise.all(former)),
      ...judgeDevices([baseUrl, ...formerBaseUrls], await sampleBaseUrls(deployment)),
    ];
  },
};

export function warnOfNoDomain(stage: string, baseUrl: string): Finding[] {
  if (stage !== 'production' || !isExecuteApi(baseUrl)) return [];
  return [
    {
      subject: baseUrl,
      ok: true,
      warning: true,
      detail: "is API Gateway's name: devices that enrol here call it for as long as they are enrolled",
      fix: `Set api.domain before the first enrolment, ${seeDocs}`,
    },
  ];
}

/** Any answer of the API will do; whether it is well is told by its present URL. */
async function checkFormer(subject: string): Promise<Finding> {
  const fix = `Devices that enrolled there cannot confirm. Let this host lead to the API again, ${seeDocs}`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status } = await fetch(`${subject}/omi/users/doctor/devices`, { signal });
    if (status === 401) return { subject, ok: true, detail: 'still answers' };
    return { subject, ok: false, detail: `answers ${status} to a call without a token, not 401`, fix };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { subject, ok: false, detail: `does not answer any more: ${reason}`, fix };
  }
}

const item = v.object({ device: v.object({ receipt: v.array(v.instance(Uint8Array)) }) });

/** The base URLs under which devices enrolled, which their receipts name, in one page of the table. */
async function sampleBaseUrls({ clients, tables }: Deployment): Promise<string[]> {
  const { Items = [] } = await clients.tables.send(
    new ScanCommand({
      TableName: tables.devices,
      FilterExpression: 'attribute_exists(device.receipt)',
      ProjectionExpression: 'device.receipt',
      Limit: sampleSize,
    }),
  );
  return Items.map((found) => {
    const receipt = readCompact(fromStoredJws(v.parse(item, found).device.receipt));
    return String(receipt?.claims['iss']);
  });
}

/** @param sampled the base URLs under which devices enrolled */
export function judgeDevices(accepted: readonly string[], sampled: readonly string[]): Finding[] {
  const others = sampled.filter((url) => !accepted.includes(url));
  const subject = accepted[0] ?? '';
  if (others.length === 0)
    return [
      {
        subject,
        ok: true,
        detail: `all ${sampled.length} devices that were looked at enrolled under an accepted URL`,
      },
    ];
  const urls = [...new Set(others)];
  return [
    {
      subject,
      ok: true,
      warning: true,
      detail: `${others.length} of ${sampled.length} devices that were looked at enrolled under ${urls.join(', ')}: they cannot confirm`,
      fix: `Add ${urls.map((url) => `"${url}"`).join(', ')} to api.formerBaseUrls in the settings of the stage and deploy, ${seeDocs}`,
    },
  ];
}
