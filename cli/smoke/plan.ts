import type { ProviderMetadata } from '../../client/ciba-client.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';
import type { Scene } from './scene.ts';
import type { PushPlatform } from './push-platform.ts';
import type { StepRunner } from './step-runner.ts';
import * as access from './steps/access.ts';
import * as phone from './steps/confirmation.ts';
import * as target from './steps/destination.ts';
import * as events from './steps/events.ts';
import { readExport, tenantSeesExport } from './steps/exports-api.ts';
import * as openid from './steps/openid.ts';
import { eventsAreReplayed, replayEvents } from './steps/replay.ts';
import { makeTenant, tenantIsThere } from './steps/tenant.ts';
import { connectWebsite, type Website, websiteIsAccepted } from './steps/website.ts';

type Exported = target.Export | undefined;

/** All steps in their order. A step is skipped if it needs the result of a step that did not pass. */
export async function runSteps(
  scene: Scene,
  runner: StepRunner,
  platform: PushPlatform | undefined,
): Promise<void> {
  await runner.step(access.refusesStrangers, [], async () => await access.refuseStrangers(scene));
  const tenant = await runner.step(tenantIsThere, [], async (_, run) => await makeTenant(scene, run));
  const website = await runner.step(
    websiteIsAccepted,
    [tenant] as const,
    async ([profile], run) => await connectWebsite(scene, profile, run),
  );
  await runner.step(
    access.refusesForgeries,
    [website] as const,
    async ([site]) => await access.refuseForgeries(scene, site),
  );
  await runner.step(
    access.refusesOtherScopes,
    [website] as const,
    async ([site]) => await access.refuseOtherScopes(scene, site),
  );
  const provider = await runner.step(
    openid.issuerIsDiscovered,
    [],
    async () => await openid.discoverIssuer(scene),
  );
  const stream = await runner.step(
    target.streamIsThere,
    [tenant] as const,
    async (_, run) => await target.prepareStream(scene, run),
  );
  const exported = await runner.step(
    target.targetIsTested,
    [stream] as const,
    async ([made], run) => await target.testTarget(scene, made, run),
  );
  const recorded = await runner.step(
    events.eventsAreRecorded,
    [website] as const,
    async ([site], run) => await events.recordEvents(scene, site, run),
  );
  const arrived = await runner.step(
    events.eventsArrive,
    [recorded, exported] as const,
    async ([sent, to], run) => await events.awaitEvents(sent, to, run),
  );
  await runner.step(
    tenantSeesExport,
    [website, recorded, arrived] as const,
    async ([site, sent], run) => await readExport(scene, site, sent, run),
  );
  await confirmSteps(scene, runner, { tenant, provider, website, exported, platform });
  await runner.step(
    eventsAreReplayed,
    [recorded, exported, arrived] as const,
    async ([sent, to], run) => await replayEvents(scene, sent, to, run),
  );
}

type Confirming = {
  tenant: StoredProfile | undefined;
  provider: ProviderMetadata | undefined;
  website: Website | undefined;
  exported: Exported;
  platform: PushPlatform | undefined;
};

async function confirmSteps(
  scene: Scene,
  runner: StepRunner,
  { tenant, provider, website, exported, platform }: Confirming,
): Promise<void> {
  const device = await runner.step(
    phone.phoneIsEnrolled,
    [website] as const,
    async ([site], run) => await phone.enrolPhone(scene, site, platform, run),
  );
  const asked = await runner.step(
    phone.pushIsSent,
    [website, device] as const,
    async ([site, own], run) => await phone.sendPush(scene, site, own, platform, run),
  );
  const answered = await runner.step(
    phone.challengeIsRead,
    [device, asked] as const,
    async ([own, sent], run) => await phone.confirm(own, sent, run),
  );
  const confirmed = await runner.step(
    phone.confirmationIsSeen,
    [website, asked, answered] as const,
    async ([site, sent], run) => await phone.pollUntilConfirmed(site, sent, run),
  );
  await runner.step(
    phone.evidenceHolds,
    [website, device, confirmed, asked] as const,
    async ([site, own, decided, sent]) => await phone.checkEvidence(scene, site, own, decided, sent),
  );
  await runner.step(
    openid.cibaIsConfirmed,
    [tenant, provider, device, confirmed] as const,
    async ([profile, issuer, own], run) => await openid.confirmByCiba(scene, profile, issuer, own, run),
  );
  await runner.step(
    phone.ownEventsArrive,
    [exported, confirmed] as const,
    async ([to, decided], run) => await phone.awaitOwnEvents(to, decided, run),
  );
  await runner.step(
    phone.phoneIsRemoved,
    [website, device] as const,
    async ([site, own], run) => await phone.removePhone(scene, site, own, exported, run),
  );
}
