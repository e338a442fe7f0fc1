import * as v from 'valibot';
import { deviceDescription, pushToken } from '../device.ts';
import { assertion } from '../passkeys/assertion.ts';
import { registration } from '../passkeys/registration.ts';

/** The claims of each message, besides the common ones. Unknown claims of a JWT are ignored (RFC 7519, section 4). */
export const enrolmentClaims = v.object({
  code: v.string(),
  ...deviceDescription.entries,
  passkey: v.optional(registration),
});

export const answerClaims = v.object({
  challengeId: v.string(),
  messageHash: v.string(),
  decision: v.picklist(['confirm', 'deny']),
  reason: v.optional(v.picklist(['user_declined', 'not_me'])),
  number: v.optional(v.string()),
  userVerification: v.optional(assertion),
});
export type AnswerClaims = v.InferOutput<typeof answerClaims>;

export const pushTokenClaims = v.object({ pushToken });
