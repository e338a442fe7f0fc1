import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { RateLimiter } from '../../../../../../core/aws/rate-limiter.ts';
import { translateControlError } from '../../../../../../core/export/kinds/bucket/provisioning/provisioning-faults.ts';
import { wantedDeliveryStream } from '../../../../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import { bucketOf, nameOf, ProvisioningWorld } from '../../../../../support/provisioning-world.ts';

const errorOf = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

describe('an error of the control plane names who has to act', () => {
  test.each([
    ['InvalidArgumentException', 'Firehose is unable to assume role x.', 'RoleNotUsable', 'operator'],
    [
      'InvalidArgumentException',
      'The security token included in the request is invalid.',
      'RoleNotUsable',
      'operator',
    ],
    ['InvalidArgumentException', 'SizeInMBs must be between 1 and 128.', 'SettingsRefused', 'operator'],
    ['InvalidKMSResourceException', 'The key is disabled.', 'KeyNotUsable', 'tenant'],
    ['AccessDeniedException', 'not authorized: iam:PassRole', 'NotAllowed', 'operator'],
    ['LimitExceededException', 'quota', 'LimitReached', 'operator'],
    ['ThrottlingException', 'Rate exceeded', 'NotNow', 'nobody'],
    ['ServiceUnavailableException', '', 'NotNow', 'nobody'],
    ['TimeoutError', 'socket hang up', 'NotNow', 'nobody'],
  ])('%s (%s): %s', (name, message, code, actor) => {
    expect(translateControlError(errorOf(name, message))).toMatchObject({
      name: 'DeliveryStreamRefused',
      fault: { code: `Provisioning.${code}`, actor },
    });
  });

  test.each(['ResourceInUseException', 'ResourceNotFoundException', 'ConcurrentModificationException'])(
    '%s means a concurrent change',
    (name) => {
      expect(translateControlError(errorOf(name))).toMatchObject({
        name: 'DeliveryStreamChanged',
        code: name,
      });
    },
  );
});

describe('the control plane', () => {
  let world: ProvisioningWorld;
  beforeAll(async () => {
    world = await ProvisioningWorld.start({ limit: 1, settleMs: 60_000 });
  });
  afterEach(() => world.reset());
  afterAll(async () => await world.close());

  test('returns an existing stream, nothing for a missing one, and a fault at the limit', async () => {
    const [ref, other] = [world.newRef(), world.newRef()];
    const { deliveryStreams } = world.deps;
    const wanted = wantedDeliveryStream(bucketOf(ref), ref.category, { prefix: 'omi-dev-' });
    expect(await deliveryStreams.describe(nameOf(ref))).toBeUndefined();
    await deliveryStreams.create(nameOf(ref), ref.tenantId, wanted);
    const stream = await deliveryStreams.describe(nameOf(ref));
    expect(stream).toMatchObject({ name: nameOf(ref), status: 'CREATING', bufferSeconds: 300 });
    await expect(deliveryStreams.create(nameOf(ref), ref.tenantId, wanted)).rejects.toMatchObject({
      name: 'DeliveryStreamChanged',
    });
    await expect(deliveryStreams.create(nameOf(other), other.tenantId, wanted)).rejects.toMatchObject({
      fault: { code: 'Provisioning.LimitReached' },
    });
    if (stream) await expect(deliveryStreams.delete(stream)).rejects.toThrow('ResourceInUseException');
    await deliveryStreams.delete({ name: nameOf(other), status: 'ACTIVE' });
  });
});

test('calls keep their pace and order, however many are requested at once', async () => {
  const pace = new RateLimiter(20);
  const begin = Date.now();
  const went: { name: string; after: number }[] = [];
  await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => {
      await pace.turn();
      went.push({ name, after: Date.now() - begin });
    }),
  );
  expect(went.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  // Timers may be a millisecond early; a busy machine only makes them late.
  for (const [index, { after }] of went.entries()) expect(after).toBeGreaterThanOrEqual(index * 19);
});
