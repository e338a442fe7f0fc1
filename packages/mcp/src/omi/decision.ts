import { isDeepStrictEqual } from 'node:util';
import { decodeJwt } from 'jose';
import type { IDToken } from 'openid-client';
import type { Answer, Question } from './question.ts';

type Tokens = { access_token: string; authorization_details?: unknown; claims(): IDToken | undefined };

const seconds = 1000;

/** As it was sent: members without a value are not. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The id that the device signed. */
function challengeIdIn({ omi_evidence: evidence }: IDToken): string | undefined {
  const id = typeof evidence === 'string' ? decodeJwt(evidence)['challengeId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Checks that this user approved exactly this question. */
export function decisionIn(tokens: Tokens, { userId, message, details }: Question): Answer {
  const claims = tokens.claims();
  const reference = claims && challengeIdIn(claims);
  const isSame =
    claims?.sub === userId && isDeepStrictEqual(asJson(tokens.authorization_details), asJson(details));
  if (!isSame || reference === undefined || claims.auth_time === undefined)
    return { status: 'refused', explanation: 'Something else was approved.' };
  const approvedAt = new Date(claims.auth_time * seconds).toISOString();
  const decision = { approvedBy: userId, approvedAt, message, details, reference };
  return { status: 'approved', decision, token: tokens.access_token };
}
