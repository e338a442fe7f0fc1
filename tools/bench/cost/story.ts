/** A typical confirmation: as the stores have it, and what the service answers, by the examples of the OpenAPI document. */
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import type { Device } from '../../../core/devices/device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { toStoredJws } from '../../../core/devices/protocol/stored-jws.ts';
import { operations, type OperationId } from '../../documents/api/document.ts';

const exampleOf = (operation: OperationId, status: number, name: string): object =>
  operations.get(operation)?.responses[status]?.content?.['application/json']?.examples?.[name]
    ?.value as object;

type Asked = 'nonce' | 'challengeId' | 'tenantId' | 'userId' | 'deviceId' | 'messageHash';
type Signed = 'context' | 'contextHash' | 'createdAt' | 'evidence' | 'receipt';
type Confirmed = Record<Asked | Signed, string> & { deviceKey: DeviceKey };

export const exampleAnswers = {
  devices: exampleOf('listDevices', 200, 'one'),
  accepted: exampleOf('sendToUser', 202, 'accepted'),
  pending: exampleOf('getConfirmation', 200, 'pending'),
  confirmed: exampleOf('getConfirmation', 200, 'confirmed') as Confirmed,
  challenges: exampleOf('listChallenges', 200, 'open'),
  answered: exampleOf('answerChallenge', 200, 'answered'),
};

const { evidence, deviceKey, receipt, ...asked } = exampleAnswers.confirmed;
const { nonce, challengeId, tenantId, userId, deviceId, messageHash, context, contextHash } = asked;
const createdAt = Date.parse(exampleAnswers.confirmed.createdAt);
const openedAt = createdAt + 2_310;

const device: Device = {
  ...{ deviceId, tenantId, userId, name: "Anna's phone", model: 'Pixel 9', osVersion: '16' },
  ...{ appVersion: '2.4.1', platform: 'fcm', status: 'active', enrolledAt: createdAt - 2_754_880 },
  ...{ key: deviceKey, pushToken: 'cT9wPpQ0S3mE:APA91bF7x2nQ4kVd8LrT1yWc5hZs6oJg', endpointArn: '' },
  ...{ receipt: toStoredJws(receipt), lastSeenAt: openedAt },
};
const pending: Confirmation = {
  ...{ challengeId, tenantId, userId, deviceId, clientId: '', attemptId: '', nonce },
  ...{ message: 'Change the payment method to card ending 4242?', messageHash, expiresIn: 120 },
  ...{ context, contextHash, status: 'pending', delivery: 'sent' },
  ...{ createdAt, expiresAt: createdAt + 120_000 },
};
const confirmed: Confirmation = {
  ...{ ...pending, openedAt, status: 'confirmed', decidedAt: createdAt + 8_450 },
  ...{ evidence, deviceKey, receipt: device.receipt },
};

export const stored = { device, pending, confirmed };
