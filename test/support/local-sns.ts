import { CreatePlatformApplicationCommand } from '@aws-sdk/client-sns';
import { PushClient, type PlatformApplications } from '../../core/devices/push/push-client.ts';
import { snsClient } from '../../core/aws/sns-client.ts';
import { createCalls } from '../../local/aws/calls.ts';
import { createFaults } from '../../local/aws/faults.ts';
import { startFront } from '../../local/aws/front.ts';
import { createSns } from '../../local/aws/sns/backend.ts';
import { createSessions } from '../../local/aws/sts/sessions.ts';
import * as services from '../../local/aws/wire/services.ts';

/** SNS mobile push alone, on loopback, with the three platform applications and the service's own client of it. */
export async function startLocalSns() {
  const sns = createSns();
  const faults = createFaults();
  const front = await startFront({
    service: services.sns,
    backend: sns.backend,
    faults,
    calls: createCalls(),
    sessions: createSessions(),
    log: () => undefined,
    server: {},
  });
  process.env['AWS_REGION'] ??= 'eu-central-1';
  process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
  process.env['AWS_ENDPOINT_URL_SNS'] = front.url;
  const client = snsClient();
  const create = async (Platform: string): Promise<string> => {
    const application = new CreatePlatformApplicationCommand({ Name: 'omi', Platform, Attributes: {} });
    return (await client.send(application)).PlatformApplicationArn ?? '';
  };
  const applications: PlatformApplications = {
    fcm: await create('GCM'),
    apns: await create('APNS'),
    'apns-sandbox': await create('APNS_SANDBOX'),
  };
  const gateway = new PushClient(client, applications);
  return { url: front.url, client, applications, gateway, faults, pushes: sns.pushes, close: front.close };
}

export type LocalSns = Awaited<ReturnType<typeof startLocalSns>>;
