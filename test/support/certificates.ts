import { readFileSync } from 'node:fs';

const folder = 'test/support/tls';

/** Of the authority that the tests' stacks trust. It signed all certificates but the self-signed one; nobody has its key. */
export const authorityFile = `${folder}/authority.cert.pem`;

/** All have the same key. `valid` is for 127.0.0.1. */
export type Certificate = 'valid' | 'expired' | 'other-host' | 'self-signed';

/** What a TLS server presents. */
export const tlsWith = (certificate: Certificate): { cert: Buffer; key: Buffer } => ({
  cert: readFileSync(`${folder}/${certificate}.cert.pem`),
  key: readFileSync(`${folder}/receiver.key.pem`),
});
