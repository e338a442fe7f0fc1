/** The Lambdas of the device protocol as they are deployed, on DynamoDB Local and the local SNS, at any time. */
import { jest } from '@jest/globals';
import { DeleteCommand, PutCommand, ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { Context } from 'aws-lambda';
import { ConfirmationStore } from '../../../../core/confirmations/confirmation-store.ts';
import type { Confirmation } from '../../../../core/confirmations/confirmation.ts';
import { DeviceStore } from '../../../../core/devices/device-store.ts';
import type { Device } from '../../../../core/devices/device.ts';
import { emptyHistory, recordSent } from '../../../../core/devices/push-history.ts';
import { EnrolmentStore } from '../../../../core/enrolment/enrolment-store.ts';
import { enrolmentIdOf } from '../../../../core/enrolment/enrolment.ts';
import { tenantKeys } from '../../../../core/tenants/tenant-keys.ts';
import { transact } from '../../../../core/aws/dynamodb-client.ts';
import { kms as protocol } from '../../../../tools/local/aws/protocols/services.ts';
import { createKms } from '../../../../tools/local/aws/stand-ins/kms/backend.ts';
import { clientOf, startAlone } from '../../../tools/local/aws/clients.ts';
import { testDatabase } from '../../../support/dynamodb.ts';
import { startLocalSns } from '../../../support/local-sns.ts';
import {
  serviceTimeOf,
  type KnownChallenge,
  type MessageKind,
  type Vector,
  type VectorFile,
} from './vectors.ts';
import { anyReceipt } from '../../../support/receipts.ts';

type Answer = { statusCode: number; body?: string };
type Lambda = (event: unknown, context: Context) => Promise<Answer>;

const context = { getRemainingTimeInMillis: () => 20_000, awsRequestId: 'x', functionName: 'f' } as Context;

const tableNames = ['devices', 'confirmations', 'enrolments', 'events', 'tenants'];

/** Answers that leave everything as it was, so that the next vector finds what it needs. */
const changesNothing = (status: number): boolean => [400, 401, 404, 413].includes(status);

export class ServiceUnderTest {
  readonly #client: DynamoDBDocumentClient;
  readonly #lambdas: Record<MessageKind, Lambda>;
  #prepared = '';

  private constructor(client: DynamoDBDocumentClient, lambdas: Record<MessageKind, Lambda>) {
    this.#client = client;
    this.#lambdas = lambdas;
  }

  static async start({ baseUrl, rpId, origins = [] }: VectorFile) {
    const client = await testDatabase();
    const sns = await startLocalSns();
    const kms = await startAlone(protocol, createKms().backend);
    const keys = new KMSClient(clientOf(kms.url));
    const asked = new CreateKeyCommand({ KeyUsage: 'SIGN_VERIFY', KeySpec: 'ECC_NIST_P256' });
    const { KeyMetadata } = await keys.send(asked);
    keys.destroy();
    Object.assign(process.env, {
      DEVICES_TABLE: 'devices',
      CONFIRMATIONS_TABLE: 'confirmations',
      ENROLMENTS_TABLE: 'enrolments',
      TENANTS_TABLE: 'tenants',
      EVENTS_TABLE: 'events',
      BASE_URL: baseUrl,
      AWS_ENDPOINT_URL_KMS: kms.url,
      RECEIPT_KEY_ID: KeyMetadata?.KeyId ?? '',
      RECEIPT_KID: 'receipts',
      RP_ID: rpId,
      ORIGINS: origins.join(','),
      WEB_PUSH_SECRET_ARN: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:vapid',
      WEB_PUSH_PUBLIC_KEY:
        'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
      WEB_PUSH_CONTACT: 'mailto:operator@omi.test',
      FCM_APPLICATION_ARN: sns.applications.fcm,
      APNS_APPLICATION_ARN: sns.applications.apns,
      APNS_SANDBOX_APPLICATION_ARN: sns.applications['apns-sandbox'],
    });
    const lambdas = {
      enrolment: await import('../../../../lambdas/enrol-device/index.ts'),
      request: await import('../../../../lambdas/list-challenges/index.ts'),
      response: await import('../../../../lambdas/answer-challenge/index.ts'),
      'push-token': await import('../../../../lambdas/refresh-push-token/index.ts'),
      'device-name': await import('../../../../lambdas/rename-device/index.ts'),
      unregister: await import('../../../../lambdas/unregister-device/index.ts'),
    };
    const handlers = Object.fromEntries(
      Object.entries({ ...lambdas, 'user-verification': lambdas.response }).map(([kind, { handler }]) => [
        kind,
        handler,
      ]),
    ) as unknown as Record<MessageKind, Lambda>;
    return {
      service: new ServiceUnderTest(client, handlers),
      stop: async () => {
        await Promise.all([sns.close(), kms.close()]);
      },
    };
  }

  /** Sends a vector to the service that knows what the vector says, and at its time. */
  async answer(kind: MessageKind, file: VectorFile, vector: Vector) {
    await this.#prepare(kind, file, vector);
    const { statusCode, body } = await this.#send(kind, file, vector);
    if (!changesNothing(statusCode)) this.#prepared = '';
    return {
      status: statusCode,
      body: body === undefined ? undefined : (JSON.parse(body) as Record<string, unknown>),
    };
  }

  async #prepare(kind: MessageKind, file: VectorFile, vector: Vector): Promise<void> {
    const wanted = JSON.stringify([
      ...[kind, vector.challenge, vector.enrolment, vector.after],
      ...[vector.passkey, vector.platform, vector.userVerification],
    ]);
    if (this.#prepared === wanted) return;
    await this.#empty();
    if (file.device) {
      await this.#addTenant(file.device.tenantId, vector.userVerification);
      await this.#addDevice(deviceOf(file.device, vector, file.rpId), vector.challenge);
    }
    if (file.enrolment) await this.#addEnrolment({ ...file.enrolment, ...vector.enrolment });
    const before = file.vectors.find(({ name }) => name === vector.after);
    if (before) await this.#send(kind, file, before);
    this.#prepared = wanted;
  }

  async #send(kind: MessageKind, { call }: VectorFile, vector: Vector): Promise<Answer> {
    const { path = call.path.replace('{challengeId}', String(vector.claims?.['challengeId'])) } = vector;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(serviceTimeOf(vector));
    try {
      return await this.#lambdas[kind](eventOf(call, path, vector.jws), context);
    } finally {
      clock.mockRestore();
    }
  }

  async #empty(): Promise<void> {
    for (const TableName of tableNames) {
      const { Items = [] } = await this.#client.send(new ScanCommand({ TableName, ConsistentRead: true }));
      for (const { pk, sk } of Items)
        await this.#client.send(
          new DeleteCommand({
            TableName,
            Key: { pk: pk as string, ...(sk !== undefined && { sk: sk as string }) },
          }),
        );
    }
  }

  async #addTenant(tenantId: string, userVerification = 'off'): Promise<void> {
    const own = { tenantId, name: 'Example Shop', settings: { userVerification } };
    const Item = { ...tenantKeys.profile(tenantId), ...own };
    await this.#client.send(new PutCommand({ TableName: 'tenants', Item }));
  }

  async #addDevice(device: Device, challenge: KnownChallenge | undefined): Promise<void> {
    const devices = new DeviceStore(this.#client, 'devices');
    const confirmation = challenge && confirmationOf(device, challenge);
    const labelled = { ...emptyHistory, ...(challenge && { accountLabel: challenge.account }) };
    const history = confirmation
      ? recordSent(labelled, {
          challengeId: confirmation.challengeId,
          expiresAt: confirmation.expiresAt,
          keys: [device.deviceId],
          now: confirmation.createdAt,
        })
      : labelled;
    const user = await devices.loadUser(device);
    const confirmations = new ConfirmationStore(this.#client, 'confirmations');
    await transact(this.#client, [
      ...devices.add(device),
      devices.saveHistory(device, user, history),
      ...(confirmation ? [confirmations.create(confirmation)] : []),
    ]);
  }

  async #addEnrolment({
    userVerification,
    code,
    expiresAt,
    tenantId,
    userId,
    tenant,
    account,
  }: NonNullable<VectorFile['enrolment']>): Promise<void> {
    await new EnrolmentStore(this.#client, 'enrolments').create({
      enrolmentId: enrolmentIdOf(code),
      tenantId,
      userId,
      tenantName: tenant,
      accountLabel: account,
      clientId: 'website',
      maxDevices: 5,
      ...(userVerification && { userVerification }),
      expiresAt: Date.parse(expiresAt),
    });
  }
}

function eventOf({ method, jwsIn, contentType = '' }: VectorFile['call'], path: string, jws: string) {
  const isBody = jwsIn === 'the body';
  const [, challengeId] = /challenges\/([^/]+)\/response$/.exec(path) ?? [];
  return {
    version: '2.0',
    rawPath: path,
    headers: isBody ? { 'content-type': contentType } : { authorization: `OMI-Device ${jws}` },
    requestContext: { requestId: 'the-request', http: { method, path, sourceIp: '192.0.2.1' } },
    ...(challengeId !== undefined && { pathParameters: { challengeId } }),
    // The gateway passes every body of another type than text and JSON as base64.
    ...(isBody && { body: Buffer.from(jws).toString('base64') }),
    isBase64Encoded: isBody,
  };
}

function deviceOf(
  { publicKey, ...identity }: NonNullable<VectorFile['device']>,
  { passkey, platform }: Vector,
  rpId = '',
): Device {
  const device = {
    ...identity,
    name: 'Phone',
    status: 'active',
    enrolledAt: 0,
    key: publicKey,
    receipt: anyReceipt,
    ...(passkey && {
      passkey: { id: passkey.id, key: passkey.publicKey, counter: passkey.counter, rpId },
      passkeySynced: passkey.synced,
    }),
  } as const;
  if (platform === 'web') return { ...device, platform };
  const endpointArn = 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi/earlier';
  return { ...device, platform: 'fcm', pushToken: 'an-earlier-token', endpointArn };
}

function confirmationOf(device: Device, challenge: KnownChallenge): Confirmation {
  const { challengeId, message, messageHash, createdAt, expiresAt, matchNumbers, asked } = challenge;
  const { context, contextHash, details, detailsHash } = challenge;
  const { tenantId, userId, deviceId } = device;
  const [from, until] = [Date.parse(createdAt), Date.parse(expiresAt)];
  return {
    challengeId,
    tenantId,
    userId,
    deviceId,
    clientId: 'website',
    nonce: asked.nonce,
    message,
    messageHash,
    ...(details !== undefined && detailsHash !== undefined && { details, detailsHash }),
    expiresIn: (until - from) / 1000,
    status: 'pending',
    delivery: 'sent',
    createdAt: from,
    expiresAt: until,
    attemptId: 'attempt',
    context,
    contextHash,
    ...(asked.matchCode !== undefined && {
      matchNumbers: { code: asked.matchCode, ...(matchNumbers && { choices: matchNumbers }) },
    }),
  };
}
