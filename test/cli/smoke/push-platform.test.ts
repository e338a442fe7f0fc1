import { expect, test } from '@jest/globals';
import { findPushPlatform } from '../../../cli/smoke/push-platform.ts';

const platformOf = async (...applications: string[]) =>
  await findPushPlatform({ pushApplications: async () => await Promise.resolve(applications) });

test.each([
  ['arn:aws:sns:eu-central-1:111122223333:app/GCM/omi-production-fcm', 'fcm'],
  ['arn:aws:sns:eu-central-1:111122223333:app/APNS/omi-production-apns', 'apns'],
  ['arn:aws-us-gov:sns:us-gov-west-1:111122223333:app/APNS_SANDBOX/omi-dev-apns-sandbox', 'apns-sandbox'],
])('the phone uses a platform that the stage has: %s', async (applicationArn, name) => {
  await expect(platformOf(applicationArn)).resolves.toEqual({ name, applicationArn });
});

test('a stage without push credentials has no platform', async () => {
  expect(await platformOf()).toBeUndefined();
});
