import { expect, test } from '@jest/globals';
import { runSteps } from '../../../cli/smoke/plan.ts';
import { findPushPlatform } from '../../../cli/smoke/push-platform.ts';
import { StepRunner } from '../../../cli/smoke/step-runner.ts';
import { UndoList } from '../../../cli/smoke/undo-list.ts';
import type { Scene } from '../../../cli/smoke/scene.ts';

const platformOf = async (...applications: string[]) =>
  await findPushPlatform({ pushApplications: async () => await Promise.resolve(applications) });

test.each([
  ['arn:aws:sns:eu-central-1:111122223333:app/GCM/omi-production-fcm', 'fcm'],
  ['arn:aws:sns:eu-central-1:111122223333:app/APNS/omi-production-apns', 'apns'],
  ['arn:aws-us-gov:sns:us-gov-west-1:111122223333:app/APNS_SANDBOX/omi-dev-apns-sandbox', 'apns-sandbox'],
])('the phone uses a platform that the stage has: %s', async (applicationArn, name) => {
  await expect(platformOf(applicationArn)).resolves.toEqual({ name, applicationArn });
});

test('steps that need a phone are skipped with a reason if the stage has no platform', async () => {
  expect(await platformOf()).toBeUndefined();
  const ended = AbortSignal.abort(new Error('only what is skipped is of interest'));
  const runner = new StepRunner(ended, () => undefined);
  await runSteps({ undo: new UndoList() } as unknown as Scene, runner, undefined);
  const reasons = runner.results.filter(({ reason }) => reason?.includes('no push credentials'));
  expect(reasons.map(({ name }) => name)).toEqual([
    ...['enrolment', 'push', 'challenge', 'confirmation', 'evidence', 'ciba', 'own-events', 'removal'],
  ]);
});
