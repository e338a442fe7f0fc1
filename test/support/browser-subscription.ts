import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import type { Subscription } from '../../core/devices/subscription.ts';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** The keys of a browser's push subscription. They decrypt what arrives, by RFC 8291 and `node:crypto` alone. */
export class BrowserSubscription {
  readonly endpoint: string;
  readonly #keys: ECDH;
  readonly #auth: Buffer;

  constructor(
    endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
    { privateKey, auth = randomBytes(16) }: { privateKey?: Buffer; auth?: Buffer } = {},
  ) {
    this.endpoint = endpoint;
    this.#keys = createECDH('prime256v1');
    if (privateKey) this.#keys.setPrivateKey(privateKey);
    else this.#keys.generateKeys();
    this.#auth = auth;
  }

  /** `PushSubscription.toJSON()`. */
  toJSON(): Subscription {
    const p256dh = this.#keys.getPublicKey('base64url');
    return { endpoint: this.endpoint, keys: { p256dh, auth: this.#auth.toString('base64url') } };
  }

  /** RFC 8291, section 3.4, with the header of RFC 8188, section 2.1, and one record. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + (body[20] ?? 0));
    const record = body.subarray(21 + sender.length);
    const info = Buffer.concat([text('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = derive(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = derive(secret, salt, text('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(secret, salt, text('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Wrong padding');
    return padded.subarray(0, end).toString('utf8');
  }
}
