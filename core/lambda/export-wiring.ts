import { AttemptLog } from '../export/delivery/attempt-log-store.ts';
import { DeadLetterQueue } from '../export/delivery/dead-letter-queue.ts';
import { documentClient } from '../aws/dynamodb-client.ts';
import { LaneWatermarks } from '../export/delivery/lane-watermark-store.ts';
import { ParkingQueue } from '../export/delivery/parking-queue.ts';
import { RecoveryCheckQueue } from '../export/delivery/recovery-check-queue.ts';
import { sqsClient } from '../aws/sqs-client.ts';
import { LastTestStore } from '../export/targets/last-test-store.ts';
import { GivenUpEvents } from '../export/targets/given-up-store.ts';
import { TargetStore } from '../export/targets/target-store.ts';
import { requestTest } from '../export/verification/request-test.ts';
import { VerificationQueue } from '../export/verification/verification-queue.ts';
import { CatchUpAttempts } from '../export/delivery/catch-up-attempts.ts';
import { HandledEvents } from '../export/delivery/handled-events.ts';
import { UnansweredTargets } from '../export/delivery/unanswered-targets.ts';
import type { ExportEnvironment } from './export-environment.ts';
import type { DeliveryDeps } from '../export/delivery/delivery-deps.ts';
import { kmsClient } from '../aws/kms-client.ts';
import { JwsSigner } from '../keys/jws-signer.ts';
import { RsaSigningKey } from '../keys/rsa-signing-key-client.ts';
import { keyIdsIn, kidOfKeyId } from '../keys/signal-keys.ts';
import type { Writers } from '../export/delivery/writer.ts';
import { PolledSignals } from '../export/kinds/signals/polled-signal-store.ts';
import { SignalsWriter } from '../export/kinds/signals/signals-writer.ts';
import { createTenantWriters, type TenantVariables } from '../export/kinds/tenant-writers.ts';
import { openedSecrets } from '../export/kinds/webhook/webhook-wiring.ts';

type Variables = TenantVariables & { SIGNALS_TABLE: string; SIGNAL_KEY_IDS: string };

/** The writer of each kind, for the bundles of the Lambdas that deliver. */
function createWriters(env: Variables): Writers {
  const secrets = openedSecrets(env);
  return {
    ...createTenantWriters(env, secrets),
    signals: new SignalsWriter({
      signer: signalsSigner(env),
      secrets,
      polled: new PolledSignals(documentClient(), env.SIGNALS_TABLE),
      baseUrl: env.BASE_URL,
      allowsLoopback: env.OUTBOUND_LOOPBACK === 'allowed',
    }),
  };
}

function signalsSigner({ SIGNAL_KEY_IDS }: Pick<Variables, 'SIGNAL_KEY_IDS'>): JwsSigner {
  const [keyId] = keyIdsIn(SIGNAL_KEY_IDS);
  return new JwsSigner({ kid: kidOfKeyId(keyId), key: new RsaSigningKey(kmsClient(), keyId), alg: 'RS256' });
}

/** Apart from the API's wiring, so that each bundle has only the SDK clients that its Lambda uses. */
export function deliveryDeps(env: ExportEnvironment) {
  const dynamodb = documentClient();
  const sqs = sqsClient();
  const tests = {
    queue: new VerificationQueue(sqs, env.VERIFICATIONS_QUEUE_URL),
    lastTests: new LastTestStore(dynamodb, env.TENANTS_TABLE),
  };
  return {
    targets: new TargetStore(dynamodb, env.TENANTS_TABLE),
    watermarks: new LaneWatermarks(dynamodb, env.TENANTS_TABLE),
    writers: createWriters(env),
    parking: new ParkingQueue(sqs, env.PARKING_QUEUE_URL),
    attempts: new AttemptLog(dynamodb, env.ATTEMPTS_TABLE),
    givenUp: new GivenUpEvents(dynamodb, env.TENANTS_TABLE),
    checks: new RecoveryCheckQueue(sqs, env.PARKING_QUEUE_URL),
    catchUps: new CatchUpAttempts(),
    handled: new HandledEvents(),
    unanswered: new UnansweredTargets(),
    requestTest: async (ref) => await requestTest(tests, ref, Date.now()),
    deadLetters: new DeadLetterQueue(sqs, env.UNDELIVERABLE_QUEUE_URL),
  } satisfies DeliveryDeps;
}
