import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { serverKeyIdOf } from '../../../core/devices/subscription.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import type { Finding, Probe } from '../probe.ts';

/** A sample is enough: after a change of the RP id or of the key of web pushes, all earlier devices have another one. */
const sampleSize = 1_000;
const timeoutMs = 10_000;

const settings = v.object({ rpId: v.string(), webPush: v.object({ applicationServerKey: v.string() }) });

/** What browsers of enrolled devices are bound to belongs to this deployment. */
type Bond = {
  path: string;
  schema: v.GenericSchema<unknown, string>;
  judge: (now: Now, sampled: string[]) => Finding;
};

type Now = v.InferOutput<typeof settings>;

const probeOf = (name: string, { path, schema, judge }: Bond): Probe => ({
  name,
  check: async (deployment) => {
    const sampled = await sample(deployment, path, schema);
    if (sampled.length === 0) return [];
    return [judge(await currentSettings(deployment), sampled)];
  },
});

/** A member of the devices that have it, in one page of the table. */
async function sample(
  { clients, tables }: Deployment,
  path: string,
  schema: v.GenericSchema<unknown, string>,
): Promise<string[]> {
  const { Items = [] } = await clients.tables.send(
    new ScanCommand({
      TableName: tables.devices,
      FilterExpression: `attribute_exists(${path})`,
      ProjectionExpression: path,
      Limit: sampleSize,
    }),
  );
  return Items.map((item) => v.parse(schema, item));
}

async function currentSettings({ baseUrl }: Deployment): Promise<Now> {
  const response = await fetch(`${baseUrl}/omi/device/settings`, { signal: AbortSignal.timeout(timeoutMs) });
  return v.parse(settings, await response.json());
}

/** @param sampled the RP ids under which devices enrolled */
export function judgePasskeys({ rpId }: Pick<Now, 'rpId'>, sampled: readonly string[]): Finding {
  const others = sampled.filter((one) => one !== rpId);
  const subject = rpId;
  if (others.length === 0)
    return {
      ...{ subject, ok: true },
      detail: `all ${sampled.length} passkeys that were looked at belong to this host`,
    };
  const hosts = [...new Set(others)].join(', ');
  return {
    ...{ subject, ok: true, warning: true },
    detail: `${others.length} of ${sampled.length} passkeys that were looked at belong to ${hosts}: their users cannot be verified`,
    fix: 'Restore the domain or rpId of webApp, or ask these users to enrol again, see "The web app" in docs/operations/web-app.md.',
  };
}

/** @param sampled the ids of the keys for which devices subscribed */
export function judgeSubscriptions({ webPush }: Pick<Now, 'webPush'>, sampled: readonly string[]): Finding {
  const present = serverKeyIdOf(webPush.applicationServerKey);
  const others = sampled.filter((one) => one !== present).length;
  const subject = 'subscriptions';
  if (others === 0)
    return { subject, ok: true, detail: `all ${sampled.length} that were looked at have the present key` };
  return {
    ...{ subject, ok: true, warning: true },
    detail: `${others} of ${sampled.length} that were looked at have another key: these devices get no pushes`,
    fix: 'They take the present key when their app is opened. If nobody changed webPush.keyRevision, the key was lost: see docs/operations/restore.md.',
  };
}

/** Browsers find passkeys only of the RP id of this deployment. */
export const passkeysProbe = probeOf('passkeys', {
  path: 'device.passkey.rpId',
  schema: v.pipe(
    v.object({ device: v.object({ passkey: v.object({ rpId: v.string() }) }) }),
    v.transform(({ device }) => device.passkey.rpId),
  ),
  judge: judgePasskeys,
});

/** Push services take pushes only of the key for which a browser subscribed. */
export const webPushProbe = probeOf('web pushes', {
  path: 'device.subscription.serverKeyId',
  schema: v.pipe(
    v.object({ device: v.object({ subscription: v.object({ serverKeyId: v.string() }) }) }),
    v.transform(({ device }) => device.subscription.serverKeyId),
  ),
  judge: judgeSubscriptions,
});
