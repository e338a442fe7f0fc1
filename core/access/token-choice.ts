import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';

function claimsIn(token: string): JwtPayload {
  try {
    return decomposeUnverifiedJwt(token).payload;
  } catch {
    return {};
  }
}

const names = ({ aud, client_id: client }: JwtPayload, clientId: string): boolean =>
  [aud, client].flat().includes(clientId);

/**
 * Says of a token whether it is a member's or a website's, by its issuer. Nothing is verified: the verifier of the kind checks all of the
 * token. If both have the same issuer, it is a member's if it is for the client of the page where members sign in.
 */
export const memberTokenTest =
  ({
    members,
    websites,
    clientId,
  }: {
    members: readonly string[];
    websites: readonly string[];
    clientId: string;
  }) =>
  (token: string): boolean => {
    const claims = claimsIn(token);
    const { iss = '' } = claims;
    return members.includes(iss) && (!websites.includes(iss) || names(claims, clientId));
  };
