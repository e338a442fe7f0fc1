import { randomUUID } from 'node:crypto';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ConfirmationStore } from '../../core/confirmations/confirmation-store.ts';
import { GroupStore } from '../../core/confirmations/groups/group-store.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { EndpointClient } from '../../core/devices/push/endpoint-client.ts';
import { Outbox } from '../../core/events/outbox-writer.ts';
import { OpenConfirmations } from '../../core/confirmations/open-confirmation-store.ts';
import { PushClient } from '../../core/devices/push/push-client.ts';
import { ReleasedEndpointStore } from '../../core/devices/push/released-endpoint-store.ts';
import type { Confirmation } from '../../core/confirmations/confirmation.ts';
import type { Device } from '../../core/devices/device.ts';
import type { PublicEvent } from '../../core/events/event.ts';
import { emptyHistory } from '../../core/devices/push-history.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { defaultSettings, type TenantSettings, type WebsiteCaller } from '../../core/tenants/tenant.ts';
import type { AnswerClaims } from '../../core/devices/protocol/claims.ts';
import { answerChallenge } from '../../core/confirmations/answer-challenge.ts';
import { expireIfDue } from '../../core/confirmations/expire-if-due.ts';
import { removeDevice } from '../../core/enrolment/remove-device.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { lookAtGroup, withdrawGroup } from '../../core/confirmations/groups/end-group.ts';
import type { GroupWithVotes } from '../../core/confirmations/groups/group.ts';
import { requestGroup, type GroupRequest } from '../../core/confirmations/groups/request-group.ts';
import { sendConfirmation, type SendRequest } from '../../core/confirmations/send-confirmation.ts';
import { withdrawConfirmation } from '../../core/confirmations/withdraw-confirmation.ts';
import { challengeIdOf, sha256 } from '../../core/kernel/identifiers.ts';
import { testDatabase } from './dynamodb.ts';
import { storedIn } from './stored-events.ts';
import { relyingParty } from './relying-party.ts';
import { nativeOnly } from './push-channels.ts';
import { anyReceipt } from './receipts.ts';

export const clientId = 'website';
const origin = { traceId: 'trace', hostIp: '192.0.2.1' };

/** Counts the pushes that would have left; SNS itself is tested through the running local stack. */
class CountingSns {
  published = 0;
  send = (command: { constructor: { name: string } }) => {
    if (command.constructor.name === 'PublishCommand') this.published += 1;
    return Promise.resolve({});
  };
}

/**
 * One tenant with one user, whose operations run on DynamoDB Local with a clock that the test sets. So tests can cover
 * minutes, or the exact millisecond of an expiry.
 */
export class PushWorld {
  readonly tenantId: string;
  readonly userId: string;
  readonly sns = new CountingSns();
  readonly devices: DeviceStore;
  readonly confirmations: ConfirmationStore;
  readonly groups: GroupStore;
  readonly #client: DynamoDBDocumentClient;
  readonly #outbox: Outbox;
  readonly #settings: TenantSettings;

  constructor(
    client: DynamoDBDocumentClient,
    settings: TenantSettings = defaultSettings,
    tenantId: string = randomUUID(),
    userId = 'user',
  ) {
    this.tenantId = tenantId;
    this.userId = userId;
    this.#client = client;
    this.#settings = settings;
    this.devices = new DeviceStore(client, 'devices');
    this.confirmations = new ConfirmationStore(client, 'confirmations');
    this.groups = new GroupStore(client, 'confirmations');
    this.#outbox = new Outbox(client, 'events', { instanceId: 'test', version: '1' });
  }

  static async database(): Promise<DynamoDBDocumentClient> {
    return await testDatabase();
  }

  get #deps() {
    const push = nativeOnly(new PushClient(this.sns as unknown as SNSClient, {}));
    const endpoints = new EndpointClient(this.sns as unknown as SNSClient);
    const released = new ReleasedEndpointStore(this.#client, 'devices');
    const { devices, confirmations, groups } = this;
    return { groups, devices, released, confirmations, outbox: this.#outbox, push, endpoints, relyingParty };
  }

  get caller(): WebsiteCaller {
    return {
      tenantId: this.tenantId,
      clientId,
      tokenExpiresAt: Number.MAX_SAFE_INTEGER,
      recovery: false,
      requester: { tenant: 'Bank', client: 'website' },
      settings: this.#settings,
    };
  }

  async addDevice(deviceId: string, enrolledAt: number): Promise<Device> {
    const device: Device = {
      tenantId: this.tenantId,
      userId: this.userId,
      deviceId,
      name: deviceId,
      platform: 'fcm',
      status: 'active',
      enrolledAt,
      key: { kty: 'EC', crv: 'P-256', x: sha256('x'), y: sha256('y') },
      receipt: anyReceipt,
      pushToken: `token-${deviceId}`,
      endpointArn: `arn:${deviceId}`,
    };
    const user = await this.devices.loadUser(device);
    const writes = [...this.devices.add(device), this.devices.saveHistory(device, user, emptyHistory)];
    await this.#outbox.commit(writes, [], { now: enrolledAt, origin });
    return device;
  }

  async ask(request: Partial<SendRequest> & Pick<SendRequest, 'nonce'>, now: number) {
    const whole = { userId: this.userId, message: 'Pay?', expiresIn: 120, ...request };
    return await sendConfirmation(this.#deps, whole, { caller: this.caller, now, origin });
  }

  async send(...asked: Parameters<PushWorld['ask']>): Promise<Confirmation> {
    return (await this.ask(...asked)).confirmation;
  }

  async poll(nonce: string, now: number): Promise<Confirmation | undefined> {
    const found = await this.confirmations.find(challengeIdOf(this.tenantId, nonce), now);
    return found && (await expireIfDue(this.#deps, found, { now, origin }));
  }

  /**
   * `jws` stands for the signed answer: verification is over when an operation runs. The device signs the context that it got.
   */
  async answer(deviceId: string, claims: AnswerClaims, jws: string, now: number) {
    return await retryOnConflict(async () => {
      const { devices, ...record } = await this.devices.loadUser(this);
      const device = devices.find((one) => one.deviceId === deviceId);
      if (!device) return undefined;
      const confirmation = await this.confirmations.find(claims.challengeId, now);
      return await answerChallenge(this.#deps, {
        ...record,
        ...{ device, confirmation, jws: sha256(jws), context: { now, origin } },
        claims: { contextHash: confirmation?.contextHash, ...claims },
      });
    });
  }

  async withdraw(nonce: string, now: number): Promise<void> {
    const deps = { ...this.#deps, openConfirmations: new OpenConfirmations(this.#client, 'devices') };
    await withdrawConfirmation(deps, challengeIdOf(this.tenantId, nonce), { now, origin });
  }

  async requestGroup(
    request: Partial<GroupRequest> & Pick<GroupRequest, 'members' | 'required'>,
    now: number,
    caller: WebsiteCaller = this.caller,
  ) {
    const whole = { message: 'Pay?', expiresIn: 120, nonce: 'nonce-of-the-group', ...request };
    return await requestGroup(this.#deps, whole, { caller, now, origin });
  }

  async group(now: number, nonce = 'nonce-of-the-group'): Promise<GroupWithVotes> {
    return await lookAtGroup(this.#deps, { tenantId: this.tenantId, nonce }, { now, origin });
  }

  async withdrawGroup(now: number, nonce = 'nonce-of-the-group'): Promise<void> {
    await withdrawGroup(this.#deps, { tenantId: this.tenantId, nonce }, { now, origin });
  }

  async remove(deviceId: string, now: number): Promise<void> {
    const find = async () => {
      const { devices, ...record } = await this.devices.loadUser(this);
      return { ...record, device: devices.find((one) => one.deviceId === deviceId) };
    };
    const notFound = new Refusal('device-not-found', 'gone');
    const findRule = async () =>
      await Promise.resolve({ policy: this.#settings.furtherDevices, tenantName: undefined });
    await removeDevice(this.#deps, { find, notFound, clientId, findRule, context: { now, origin } });
  }

  /** In the order of their acceptance. */
  async events(aggregateId: string): Promise<PublicEvent[]> {
    const stored = await storedIn(this.#client, `${this.tenantId}#${aggregateId}`);
    return stored.map((event) => JSON.parse(event) as PublicEvent);
  }
}
