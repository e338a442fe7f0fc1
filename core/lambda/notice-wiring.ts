import type { DynamoDBDocumentClient } from '../aws/dynamodb-client.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { SecretBox } from '../aws/secret-box-client.ts';
import { AilingTargets } from '../export/notices/ailing-target-store.ts';
import { ContactStore } from '../export/notices/contact-store.ts';
import type { LookDeps } from '../export/notices/look-at-ailing.ts';
import type { ChangeDeps } from '../export/notices/tell-of-change.ts';
import { MailClient } from '../export/notices/mail-client.ts';
import { NoticeStore } from '../export/notices/notice-store.ts';
import { OperatorBus } from '../export/notices/operator-bus-client.ts';
import { WatchedBuckets } from '../export/targets/watched-bucket-store.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import { ReceiverCaller } from '../outbound/call-receiver.ts';
import { OpenedSecrets } from '../outbound/opened-secrets.ts';
import { BrandStore } from '../tenants/brand-store.ts';
import { seconds } from '../kernel/time.ts';
import type { NoticeEnvironment } from './notice-environment.ts';

/** A contact that is slower gets the notice again later: others wait for the call. */
const limits = { longestMs: 5 * seconds, slowMs: 5 * seconds };

export function noticeDeps(client: DynamoDBDocumentClient, env: NoticeEnvironment) {
  const tenants = new BrandStore(client, env.TENANTS_TABLE);
  return {
    targets: new TargetStore(client, env.TENANTS_TABLE),
    ailing: new AilingTargets(client, env.TENANTS_TABLE),
    watched: new WatchedBuckets(client, env.TENANTS_TABLE),
    notices: new NoticeStore(client, env.TENANTS_TABLE),
    contacts: new ContactStore(client, env.TENANTS_TABLE),
    nameOf: async (tenantId: string) => (await tenants.find(tenantId))?.name,
    page: env.EXPORTS_URL,
    patienceMs: env.NOTICE_PATIENCE * seconds,
    bus: new OperatorBus(env.BASE_URL),
    mail: env.MAIL_FROM === undefined ? undefined : new MailClient(env.MAIL_FROM),
    caller: new ReceiverCaller(env.OUTBOUND_LOOPBACK === 'allowed', limits),
    secrets: new OpenedSecrets(new SecretBox(kmsClient(), env.SECRETS_KEY_ID)),
  } satisfies LookDeps & Pick<ChangeDeps, 'watched'>;
}
