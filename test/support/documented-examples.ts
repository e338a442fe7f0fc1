/** Examples of the OpenAPI document, which tell one story. */
import type { DeviceKey } from '../../core/devices/device-key.ts';
import {
  openApiDocument,
  operations,
  type Content,
  type OperationId,
} from '../../tools/documents/api/document.ts';

const { schemas } = openApiDocument.components;

const firstOf = (schema: string): unknown => (schemas[schema]?.['examples'] as unknown[])[0];

const valueIn = (content: Content | undefined, name: string): unknown =>
  Object.values(content ?? {})[0]?.examples?.[name]?.value;

export const exampleAnswer = (id: OperationId, status: number, name: string): unknown =>
  valueIn(operations.get(id)?.responses[status]?.content, name);

export const exampleRequest = (id: OperationId, name: string): Record<string, unknown> =>
  valueIn(operations.get(id)?.requestBody?.content, name) as Record<string, unknown>;

export const messageNames = ['Enrolment', 'Request', 'Answer', 'PushToken', 'DeviceName'] as const;
type MessageName = (typeof messageNames)[number];

type Claims = Record<string, unknown> & { aud: string; iat: number };
export const exampleClaims = (name: MessageName): Claims => firstOf(`${name}Claims`) as Claims;

export const exampleHeader = (name: MessageName): Record<string, unknown> & { typ: string } =>
  firstOf(`${name}Header`) as { typ: string };

export const exampleKey = exampleHeader('Enrolment')['jwk'] as DeviceKey;

const senders = {
  Enrolment: 'enrolDevice',
  Answer: 'answerChallenge',
  PushToken: 'refreshPushToken',
  DeviceName: 'renameDevice',
} as const;

type Sent = keyof typeof senders;

/** A signed message that is a body. */
export const exampleMessage = (name: Sent): string =>
  valueIn(operations.get(senders[name])?.requestBody?.content, 'signed') as string;

export const sentMessages = Object.keys(senders) as Sent[];
