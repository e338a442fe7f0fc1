import { CreatePlatformApplicationCommand } from '@aws-sdk/client-sns';
import { PushClient, type PlatformApplications } from '../../core/devices/push/push-client.ts';
import { snsClient } from '../../core/aws/sns-client.ts';
import { createCallLog } from '../../tools/local/aws/endpoint/call-log.ts';
import { createFaults } from '../../tools/local/aws/endpoint/faults.ts';
import { startEndpoint } from '../../tools/local/aws/endpoint/endpoint.ts';
import { createSns } from '../../tools/local/aws/stand-ins/sns/backend.ts';
import { createSessions } from '../../tools/local/aws/stand-ins/sts/sessions.ts';
import * as services from '../../tools/local/aws/protocols/services.ts';

/** SNS mobile push alone, on loopback, with the three platform applications and the service's own client of it. */
export async function startLocalSns() {
  const sns = createSns();
  const faults = createFaults();
  const endpoint = await startEndpoint({
    service: services.sns,
    backend: sns.backend,
    faults,
    calls: createCallLog(),
    sessions: createSessions(),
    log: () => undefined,
    server: {},
  });
  process.env['AWS_REGION'] ??= 'eu-central-1';
  process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
  process.env['AWS_ENDPOINT_URL_SNS'] = endpoint.url;
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
  const push = new PushClient(client, applications);
  return {
    url: endpoint.url,
    client,
    applications,
    push,
    faults,
    pushes: sns.pushes,
    close: endpoint.close,
  };
}

export type LocalSns = Awaited<ReturnType<typeof startLocalSns>>;
