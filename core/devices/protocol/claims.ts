import * as v from 'valibot';
import { deviceDescription } from '../device.ts';
import { assertion } from '../passkeys/assertion.ts';
import { registration } from '../passkeys/registration.ts';
import type { PushServices } from '../push-services.ts';

/** What an enrolment needs besides the description of the device. */
export const enrolmentProofs = v.object({ code: v.string(), passkey: v.optional(registration) });

/** The claims of each message, besides the common ones. Unknown claims of a JWT are ignored (RFC 7519, section 4). */
export const enrolmentClaims = (services: PushServices) =>
  v.intersect([enrolmentProofs, deviceDescription(services)]);

export const answerClaims = v.object({
  challengeId: v.string(),
  messageHash: v.string(),
  // Of any type: a wrong one is a mismatch, not an invalid request.
  contextHash: v.optional(v.unknown()),
  detailsHash: v.optional(v.string()),
  decision: v.picklist(['confirm', 'deny']),
  reason: v.optional(v.picklist(['user_declined', 'not_me'])),
  number: v.optional(v.string()),
  userVerification: v.optional(assertion),
});
export type AnswerClaims = v.InferOutput<typeof answerClaims>;
