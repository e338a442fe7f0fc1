import { generateKeyPairSync } from 'node:crypto';
import { toStoredJws } from '../../core/devices/protocol/stored-jws.ts';
import type { ReceiptDeps } from '../../core/enrolment/receipt.ts';
import { joseSignature } from '../../core/keys/signing-key-client.ts';
import { JwsSigner } from '../../core/keys/jws-signer.ts';
import { publicJwkOf } from '../../core/keys/public-jwk.ts';
import { signDigest } from '../../tools/local/aws/stand-ins/kms/signatures.ts';

/** For a device whose receipt nobody reads. */
export const anyReceipt = toStoredJws('e30.e30.c2ln');

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const receiptJwk = publicJwkOf(publicKey.export({ type: 'spki', format: 'der' }), 'receipt');

/** Signs receipts as KMS does, in this process. */
export const receiptDeps: ReceiptDeps = {
  receipts: new JwsSigner({
    kid: receiptJwk.kid,
    key: {
      sign: async (digest) =>
        await Promise.resolve(joseSignature(signDigest(privateKey, Buffer.from(digest)))),
    },
  }),
  issuer: 'https://api.example.com',
};
