import { snsClient } from '../../core/aws/sns-client.ts';
import { PlatformApplicationClient } from '../../core/devices/push/platform-application-client.ts';
import { readSecret } from '../../core/devices/push/secret-store.ts';
import { createHandler } from './handler.ts';
import { respond } from '../../core/lambda/custom-resource.ts';

export const handler = createHandler({
  applications: new PlatformApplicationClient(snsClient()),
  readSecret,
  respond,
});
