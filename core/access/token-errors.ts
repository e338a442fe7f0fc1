import {
  CognitoJwtInvalidTokenUseError,
  JwtExpiredError,
  JwtInvalidAudienceError,
  JwtInvalidSignatureAlgorithmError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
  JwtParseError,
  JwtWithoutValidKidError,
  KidNotFoundInJwksError,
  WaitPeriodNotYetEndedJwkError,
} from 'aws-jwt-verify/error';
import { Unauthenticated, type UnauthenticatedReason } from './unauthenticated.ts';

/**
 * The library's errors that an invalid token causes. Every other error is a fault of the service or the issuer. The issuer's
 * name was compared before (`token-inspection.ts`).
 */
const reasons: [new (...parameters: never[]) => Error, UnauthenticatedReason][] = [
  [JwtParseError, 'malformed-token'],
  [JwtWithoutValidKidError, 'unknown-key'],
  [KidNotFoundInJwksError, 'unknown-key'],
  // The key set was read just before and lacks the key; the library waits before it reads it again.
  [WaitPeriodNotYetEndedJwkError, 'unknown-key'],
  [JwtInvalidSignatureAlgorithmError, 'wrong-algorithm'],
  [JwtInvalidSignatureError, 'wrong-signature'],
  [JwtInvalidAudienceError, 'wrong-audience'],
  [CognitoJwtInvalidTokenUseError, 'wrong-token-use'],
  [JwtExpiredError, 'expired'],
  [JwtNotBeforeError, 'not-yet-valid'],
];

export function translateTokenError(error: unknown): unknown {
  const reason = reasons.find(([type]) => error instanceof type)?.[1];
  return reason ? new Unauthenticated(reason) : error;
}
