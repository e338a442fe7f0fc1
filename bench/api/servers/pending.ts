import { randomBytes, randomUUID } from 'node:crypto';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';

const now = Date.now();
const tenantId = randomUUID();
const nonce = randomBytes(16).toString('hex');
const message = 'Change your e-mail address?';

/** A confirmation that nobody answers. */
export const pending: Confirmation = {
  challengeId: challengeIdOf(tenantId, nonce),
  tenantId,
  clientId: 'website',
  userId: 'alice',
  deviceId: randomUUID(),
  nonce,
  message,
  messageHash: messageHashOf(message),
  expiresIn: 600,
  status: 'pending',
  delivery: 'sent',
  createdAt: now,
  expiresAt: now + 3_600_000,
  attemptId: randomUUID(),
};
