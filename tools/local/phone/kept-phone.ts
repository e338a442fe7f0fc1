/** A phone that enrols, and one that goes on with the key in its file. */
import { randomBytes } from 'node:crypto';
import { Device, DeviceError, preview, scan, WebCryptoKey } from '#device';
import { ClientError } from '../../../client/http.ts';
import { KeyFile } from './key-file.ts';
import type { PhoneOptions } from './options.ts';
import { explainEnrolment, nameOf } from './plain-words.ts';

/** @throws {ClientError} in plain words; its cause is the error of the call */
export async function enrol(link: string, { name, keyFile }: PhoneOptions): Promise<Device> {
  const file = keyFile === undefined ? undefined : new KeyFile(keyFile);
  if (file?.exists())
    throw new ClientError(
      `${file.path} already holds the key of a phone. Leave out the link to continue with it, or name another file.`,
    );
  try {
    const target = scan(link);
    console.log(`The link enrols a phone for ${nameOf(await preview(target))}.`);
    await file?.reserve();
    const key = await WebCryptoKey.generate({ extractable: file !== undefined });
    const pushToken = randomBytes(32).toString('hex');
    const device = await Device.enrol(target, { name, platform: 'fcm', pushToken }, { key });
    await file?.save({ identity: device.identity, key });
    return device;
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    await file?.remove();
    throw new ClientError(explainEnrolment(error, link), { cause: error });
  }
}

/** The phone of an earlier start. */
export async function resume(file: KeyFile): Promise<Device> {
  if (!file.exists())
    throw new ClientError(
      `There is no ${file.path} yet. Pass a link to enrol with: npm run phone -- '<link>' --key ${file.path}`,
    );
  return new Device(await file.load());
}
