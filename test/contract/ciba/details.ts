/** Rich authorization requests (RFC 9396): what the user saw and signed is what the tokens say. */
import { expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { messageHashOf as digest } from '../../../client/digests.ts';
import { bodyOf } from '../../../client/http.ts';
import type { TestStack } from '../../support/stack.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';
import { demoClient } from './oauth-client.ts';

export function details(stack: TestStack): void {
  /** With white space, an escape and a number that must keep its digits. */
  const text = '[ {"type":"payment", "to":"Caf\\u00e9 Zoë", "amount":12.50, "lines":[{"n":1}]} ]';

  test('are shown as the client wrote them, and are in both answers and the access token', async () => {
    const client = demoClient(stack);
    const phone = await enrolDevice(stack.website);
    const { auth_req_id: id } = await client.start(phone.identity.userId, { authorization_details: text });
    const challenge = await openChallenge(phone);
    expect(challenge).toMatchObject({ details: text, detailsHash: digest(text) });
    bodyOf(await phone.confirm(challenge));
    const { body } = await client.poll(id);
    const approved = JSON.parse(text) as unknown;
    expect(body['authorization_details']).toEqual(approved);
    const { authorization_details: bound } = decodeJwt(String(body['access_token']));
    expect(bound).toEqual(approved);
    const { omi_evidence: evidence } = decodeJwt(String(body['id_token']));
    expect(decodeJwt(String(evidence))).toMatchObject({ detailsHash: digest(text), decision: 'confirm' });
  });
}
