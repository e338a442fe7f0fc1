import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SecretBox } from '../../../core/aws/secret-box-client.ts';
import { OpenedSecrets } from '../../../core/outbound/opened-secrets.ts';
import { kms as protocol } from '../../../tools/local/aws/protocols/services.ts';
import { createKms } from '../../../tools/local/aws/stand-ins/kms/backend.ts';
import { type Alone, clientOf, startAlone } from '../../tools/local/aws/clients.ts';

const own = { use: 'callback', clientId: 'one' };
const another = { use: 'callback', clientId: 'two' };

let endpoint: Alone;
let kms: KMSClient;
let box: SecretBox;
let opened: OpenedSecrets;
/** Commands that KMS has got. */
let asked: (string | undefined)[] = [];

beforeAll(async () => {
  endpoint = await startAlone(protocol, createKms().backend);
  kms = new KMSClient(clientOf(endpoint.url));
  kms.middlewareStack.add(
    (next, { commandName }) =>
      async (given) => {
        asked.push(commandName);
        return await next(given);
      },
    { step: 'initialize' },
  );
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
  box = new SecretBox(kms, KeyMetadata?.KeyId ?? '');
});
beforeEach(() => {
  opened = new OpenedSecrets(box);
});
afterAll(async () => {
  kms.destroy();
  await endpoint.close();
});

describe('a secret', () => {
  test('is opened by KMS once, then cached', async () => {
    const [first, second] = [await box.seal('first', own), await box.seal('second', own)];
    asked = [];
    for (const _ of [1, 2]) {
      expect(await opened.open(first, own)).toBe('first');
      expect(await opened.open(second, own)).toBe('second');
    }
    expect(asked).toEqual(['DecryptCommand', 'DecryptCommand']);
  });

  test('stays closed for another client to which it was copied, even after its own client opened it', async () => {
    const sealed = await box.seal('secret', own);
    expect(await opened.open(sealed, own)).toBe('secret');
    for (const open of [opened.open.bind(opened), opened.openOnce.bind(opened)])
      await expect(open(sealed, another)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  test('is not cached if it is used once', async () => {
    const sealed = await box.seal('secret', own);
    asked = [];
    for (const _ of [1, 2]) expect(await opened.openOnce(sealed, own)).toBe('secret');
    expect(asked).toEqual(['DecryptCommand', 'DecryptCommand']);
  });

  test('is forgotten after 20,000 others were used', async () => {
    const calls: string[] = [];
    const many = new OpenedSecrets({
      open: async (sealed) => {
        calls.push(sealed);
        return await Promise.resolve(sealed);
      },
    });
    for (let one = 0; one < 20_000; one += 1) await many.open(String(one), own);
    await many.open('0', own);
    expect(calls).toHaveLength(20_000);
    await many.open('20000', own);
    await many.open('1', own);
    expect(calls).toHaveLength(20_001);
    await many.open('0', own);
    expect(calls).toHaveLength(20_002);
  });
});
