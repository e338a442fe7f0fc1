import { documentClient } from '../../aws/dynamodb-client.ts';
import { kmsClient } from '../../aws/kms-client.ts';
import { JwsSigner } from '../../keys/jws-signer.ts';
import { RsaSigningKey } from '../../keys/rsa-signing-key-client.ts';
import { keyIdsIn, kidOfKeyId } from '../../keys/signal-keys.ts';
import type { Writers } from '../delivery/writer.ts';
import { PolledSignals } from './signals/polled-signal-store.ts';
import { SignalsWriter } from './signals/signals-writer.ts';
import { createTenantWriters, type TenantVariables } from './tenant-writers.ts';
import { openedSecrets } from './webhook/webhook-wiring.ts';

type Variables = TenantVariables & { SIGNALS_TABLE: string; SIGNAL_KEY_IDS: string };

/** The writer of each kind, for the bundles of the Lambdas that deliver. */
export function createWriters(env: Variables): Writers {
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
