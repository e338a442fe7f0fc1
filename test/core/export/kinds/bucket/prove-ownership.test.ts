import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Ownership, Target } from '../../../../../core/export/targets/target.ts';
import { targetKey } from '../../../../../core/export/targets/target-item.ts';
import { TargetReadiness } from '../../../../../core/export/targets/target-readiness-store.ts';
import { sha256 } from '../../../../../core/kernel/identifiers.ts';
import type { TargetRef } from '../../../../../core/events/target-ref.ts';
import { VerificationWorld } from '../../../../support/verification-world.ts';

let world: VerificationWorld;
beforeAll(async () => {
  world = await VerificationWorld.start();
});
afterEach(() => world.faults.clear());
afterAll(async () => await world.close());

const unproven = {
  outcome: 'failed',
  state: 'validating',
  code: 'Verification.OwnershipUnproven',
  actor: 'tenant',
};

const place = async (ref: TargetRef) => ({
  Bucket: `bucket-${ref.tenantId}`,
  Key: (await world.target(ref)).ownership?.object,
});

const item = async (ref: TargetRef) =>
  (await world.exports.dynamodb.send(new GetCommand({ TableName: 'tenants', Key: targetKey(ref) }))).Item;

describe('ownership of a bucket', () => {
  test('is requested with a text in the bucket, and the record has instructions and only a hash', async () => {
    const { ref, destination } = await world.bucketTarget();
    expect(await world.tested(ref)).toMatchObject(unproven);
    const { ownership, fault } = await world.target(ref);
    const object = `omi/ownership-${ref.tenantId}-log.txt`;
    const text = (await world.read(ref, object))?.trim() ?? '';
    expect(text).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(ownership).toEqual({ challengeHash: sha256(text), object });
    expect(JSON.stringify(await item(ref))).not.toContain(text);
    for (const needed of [
      object,
      destination.bucket,
      `--tenant ${ref.tenantId} --category log --proof <text>`,
    ])
      expect(fault?.reason).toContain(needed);
  });

  test('is proven by the text, as a person copies it, and is not requested again', async () => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref);
    const proof = await world.challengeOf(ref);
    expect(proof).toMatch(/\n$/);
    expect(await world.tested(ref, proof)).toMatchObject({
      outcome: 'verified',
      state: 'active',
      code: undefined,
    });
    expect((await world.target(ref)).ownership?.provenAt).toBeGreaterThan(0);
    await world.targets.transition(await world.target(ref), 'revoke', Date.now());
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
  });

  test('is not proven by anything else, and can still be proven by the text afterwards', async () => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref);
    const proof = await world.challengeOf(ref);
    const { challengeHash = '' } = (await world.target(ref)).ownership ?? {};
    for (const wrong of ['', 'guess', challengeHash, `${proof.trim()}x`])
      expect(await world.tested(ref, wrong)).toMatchObject({
        outcome: 'failed',
        state: 'validating',
        isVerified: false,
        code: 'Verification.WrongProof',
      });
    expect(await world.tested(ref, proof)).toMatchObject({ state: 'active' });
  });

  test('is not proven by a text before one was requested', async () => {
    const { ref } = await world.bucketTarget();
    expect(await world.tested(ref, 'guess')).toMatchObject({ code: 'Verification.WrongProof' });
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ state: 'active' });
  });

  test('is not proven while the service cannot write, even with the right text', async () => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref);
    const proof = await world.challengeOf(ref);
    world.faults.add({ service: 's3', operation: 'PutObject', fault: 'access-denied' });
    expect(await world.tested(ref, proof)).toMatchObject({ code: 'Verification.BucketNotWritable' });
    world.faults.clear();
    expect(await world.tested(ref, proof)).toMatchObject({ state: 'active' });
  });

  test('is requested with the same text until it is proven', async () => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref);
    const proof = await world.challengeOf(ref);
    expect(await world.tested(ref)).toMatchObject(unproven);
    expect(await world.challengeOf(ref)).toBe(proof);
  });

  test('is requested with the text in the bucket, also when another test replaces the challenge meanwhile', async () => {
    const { ref } = await world.bucketTarget();
    const other = { challengeHash: sha256('of the other test'), object: 'omi/ownership.txt' };
    class Raced extends TargetReadiness {
      override async challenged(seen: Target, ownership: Ownership): Promise<boolean> {
        const applied = await super.challenged(seen, ownership);
        if (!seen.ownership) await super.challenged({ ...seen, ownership }, other);
        return applied;
      }
    }
    const probes = world.probesWith(new Raced(world.exports.dynamodb, 'tenants'));
    expect(await world.verify(ref, { deps: { probes } })).toMatchObject({ outcome: 'changed' });
    expect(await world.tested(ref)).toMatchObject(unproven);
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ state: 'active' });
  });

  test.each<[string, (ref: TargetRef) => Promise<unknown>]>([
    [
      'is gone',
      async (ref) =>
        await new S3Client({ forcePathStyle: true }).send(new DeleteObjectCommand(await place(ref))),
    ],
    [
      'was overwritten',
      async (ref) =>
        await new S3Client({ forcePathStyle: true }).send(
          new PutObjectCommand({ ...(await place(ref)), Body: 'of somebody'.repeat(1_000) }),
        ),
    ],
  ])('is requested with a new text when the one in the bucket %s', async (_, spoil) => {
    const { ref } = await world.bucketTarget();
    await world.verify(ref);
    const old = await world.challengeOf(ref);
    await spoil(ref);
    expect(await world.tested(ref)).toMatchObject(unproven);
    expect(await world.tested(ref, old)).toMatchObject({ code: 'Verification.WrongProof' });
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ state: 'active' });
  });

  test('is requested with one text, however many tests run at once', async () => {
    const { ref } = await world.bucketTarget();
    const outcomes = await Promise.all([1, 2, 3].map(async () => (await world.verify(ref)).outcome));
    // Those that have to look again wait for the one that began last, which may have to do so, too.
    expect([...outcomes, (await world.verify(ref)).outcome]).toContain('failed');
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ state: 'active' });
  });

  test('must be proven again for another bucket, but not for the same bucket registered again', async () => {
    const { ref, destination } = await world.bucketTarget();
    await world.goLive(ref);
    const proof = await world.challengeOf(ref);
    await world.register(ref, destination);
    expect((await world.target(ref)).ownership?.provenAt).toBeDefined();
    await world.register(ref, { ...destination, kmsKeyArn: `${destination.kmsKeyArn}0` });
    expect(await world.target(ref)).not.toHaveProperty('ownership');
    expect(await world.tested(ref, proof)).toMatchObject({
      state: 'validating',
      code: 'Verification.WrongProof',
    });
  });
});
