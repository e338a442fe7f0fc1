import type { Deployment } from '../deployment/deployment.ts';

/** A platform with push credentials in the stage: its name in the API, and its application in SNS. */
export type PushPlatform = { name: 'fcm' | 'apns' | 'apns-sandbox'; applicationArn: string };

const names: Readonly<Record<string, PushPlatform['name']>> = {
  GCM: 'fcm',
  APNS: 'apns',
  APNS_SANDBOX: 'apns-sandbox',
};

/** The first platform of the stage. `arn:aws:sns:<region>:<account>:app/<SNS's platform>/<name>` */
export async function findPushPlatform(
  deployment: Pick<Deployment, 'pushApplications'>,
): Promise<PushPlatform | undefined> {
  const applications = await deployment.pushApplications();
  return applications.flatMap((applicationArn) => {
    const name = names[applicationArn.split('/')[1] ?? ''];
    return name === undefined ? [] : [{ name, applicationArn }];
  })[0];
}
