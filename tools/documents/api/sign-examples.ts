/**
 * Signs the examples of device messages again, with a new key that is thrown away. Run it after a change of
 * the example claims: node tools/documents/api/sign-examples.ts && npm run docs:generate
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactSign, exportJWK, generateKeyPair, type CompactJWSHeaderParameters } from 'jose';
import { thumbprintOf } from '../../../core/devices/device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { denialClaims, exampleClaims, exampleHeaders } from './examples.ts';

const { privateKey, publicKey } = await generateKeyPair('ES256');
const { x, y } = await exportJWK(publicKey);
const key = { kty: 'EC', crv: 'P-256', x, y } as DeviceKey;

const jkt = thumbprintOf(key);

const sign = async (header: CompactJWSHeaderParameters, claims: object): Promise<string> =>
  await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(privateKey);

const { Enrolment, Request, Answer, PushToken, DeviceName } = exampleHeaders;
const messages = {
  Enrolment: await sign({ ...Enrolment, jwk: key }, { ...exampleClaims.Enrolment, jkt }),
  Request: await sign(Request, { ...exampleClaims.Request, jkt }),
  Answer: await sign(Answer, { ...exampleClaims.Answer, jkt }),
  PushToken: await sign(PushToken, { ...exampleClaims.PushToken, jkt }),
  DeviceName: await sign(DeviceName, { ...exampleClaims.DeviceName, jkt }),
};
const denial = await sign(Answer, { ...denialClaims, jkt });

const file = join(import.meta.dirname, 'signed-examples.json');
await writeFile(file, `${JSON.stringify({ key, messages, denial }, null, 2)}\n`);
