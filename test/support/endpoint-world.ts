import { randomUUID } from 'node:crypto';
import {
  GetEndpointAttributesCommand,
  ListEndpointsByPlatformApplicationCommand,
  NotFoundException,
} from '@aws-sdk/client-sns';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { EndpointClient } from '../../core/devices/push/endpoint-client.ts';
import { DeviceStore } from '../../core/devices/device-store.ts';
import { transact } from '../../core/aws/dynamodb-client.ts';
import {
  listReleases,
  newRelease,
  type ReleasedEndpoint,
  ReleasedEndpointStore,
} from '../../core/devices/push/released-endpoint-store.ts';
import type { NativeDevice } from '../../core/devices/device.ts';
import type { DeviceKey } from '../../core/devices/device-key.ts';
import { testDatabase } from './dynamodb.ts';
import { type LocalSns, startLocalSns } from './local-sns.ts';
import { anyReceipt } from './receipts.ts';

const unknownKey: DeviceKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };

/** Devices with their SNS endpoints, and removals that break off. */
export class EndpointWorld {
  readonly client: DynamoDBDocumentClient;
  readonly sns: LocalSns;
  readonly devices: DeviceStore;
  readonly released: ReleasedEndpointStore;

  private constructor(client: DynamoDBDocumentClient, sns: LocalSns) {
    this.client = client;
    this.sns = sns;
    this.devices = new DeviceStore(client, 'devices');
    this.released = new ReleasedEndpointStore(client, 'devices');
  }

  static async start(): Promise<EndpointWorld> {
    const sns = await startLocalSns();
    return new EndpointWorld(await testDatabase(), sns);
  }

  get endpoints(): EndpointClient {
    return new EndpointClient(this.sns.client);
  }

  readonly releases = () => listReleases(this.client, 'devices');

  async enrol(pushToken = `token-${randomUUID()}`, key = unknownKey): Promise<NativeDevice> {
    const device: NativeDevice = {
      ...{ tenantId: 'tenant', userId: 'alice', deviceId: randomUUID(), name: 'Phone', platform: 'fcm' },
      ...{ status: 'active', enrolledAt: 0, key, receipt: anyReceipt, pushToken },
      endpointArn: await this.sns.push.enableEndpoint('fcm', pushToken),
    };
    await transact(this.client, this.devices.add(device));
    return device;
  }

  /** A removal whose process ends as soon as it is committed. */
  async removeAndDie(device: NativeDevice): Promise<ReleasedEndpoint> {
    const release = newRelease(device.endpointArn);
    await transact(this.client, this.devices.remove(device, release));
    return release;
  }

  /** Has SNS refuse to delete the device's endpoint; without `times`, until the fault is removed. */
  refusing({ endpointArn: resource }: NativeDevice, times?: number) {
    const refusal = { service: 'sns', operation: 'DeleteEndpoint', fault: 'access-denied' } as const;
    return this.sns.faults.add({ ...refusal, resource, ...(times !== undefined && { times }) });
  }

  async isAtSns({ endpointArn: EndpointArn }: Pick<NativeDevice, 'endpointArn'>): Promise<boolean> {
    try {
      await this.sns.client.send(new GetEndpointAttributesCommand({ EndpointArn }));
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  }

  /** Of phones with Android; of few, as it reads one page. */
  async hasToken(token: string): Promise<boolean> {
    const { Endpoints = [] } = await this.sns.client.send(
      new ListEndpointsByPlatformApplicationCommand({ PlatformApplicationArn: this.sns.applications.fcm }),
    );
    return Endpoints.some(({ Attributes }) => Attributes?.['Token'] === token);
  }

  /** Endpoints that are still to be deleted. */
  async left(): Promise<string[]> {
    const arns: string[] = [];
    for await (const page of this.releases()) arns.push(...page.map(({ endpointArn }) => endpointArn));
    return arns;
  }

  async close(): Promise<void> {
    await this.sns.close();
  }
}
