import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Finding, Probe } from '../probe.ts';

/** A sample is enough: after a change of the RP id, all earlier passkeys have another one. */
const sampleSize = 1_000;
const timeoutMs = 10_000;

const settings = v.object({ rpId: v.string() });

/** The passkeys of enrolled devices belong to the RP id of this deployment. Browsers find no others. */
export const passkeysProbe: Probe = {
  name: 'passkeys',
  check: async (deployment) => {
    const sampled = await sampleRpIds(deployment);
    if (sampled.length === 0) return [];
    return [judge(await currentRpId(deployment), sampled)];
  },
};

/** The RP ids of devices with a passkey, in one page of the table. */
async function sampleRpIds({ clients, tables }: Deployment): Promise<string[]> {
  const { Items = [] } = await clients.tables.send(
    new ScanCommand({
      TableName: tables.devices,
      FilterExpression: 'attribute_exists(device.passkey.rpId)',
      ProjectionExpression: 'device.passkey.rpId',
      Limit: sampleSize,
    }),
  );
  const device = v.object({ device: v.object({ passkey: v.object({ rpId: v.string() }) }) });
  return Items.map((item) => v.parse(device, item).device.passkey.rpId);
}

async function currentRpId({ baseUrl }: Deployment): Promise<string> {
  const response = await fetch(`${baseUrl}/omi/device/settings`, { signal: AbortSignal.timeout(timeoutMs) });
  return v.parse(settings, await response.json()).rpId;
}

/** @param sampled the RP ids under which devices enrolled */
export function judge(rpId: string, sampled: readonly string[]): Finding {
  const others = sampled.filter((one) => one !== rpId);
  if (others.length === 0)
    return {
      subject: rpId,
      ok: true,
      detail: `all ${sampled.length} passkeys that were looked at belong to this host`,
    };
  const hosts = [...new Set(others)].join(', ');
  return {
    subject: rpId,
    ok: true,
    warning: true,
    detail: `${others.length} of ${sampled.length} passkeys that were looked at belong to ${hosts}: their users cannot be verified`,
    fix: 'Restore the domain or rpId of webApp, or ask these users to enrol again, see "The web app" in docs/operations/web-app.md.',
  };
}
