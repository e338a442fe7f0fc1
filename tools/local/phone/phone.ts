/** `npm run phone -- '<link>'`: a simulated phone for trying the API by hand. */
import { randomBytes } from 'node:crypto';
import { Device, DeviceError, preview, scan, WebCryptoKey } from '#device';
import { ClientError } from '../../client/http.ts';
import { answerChallenges } from './answering.ts';
import { KeyFile } from './key-file.ts';
import { readOptions, usage, type PhoneOptions } from './options.ts';
import { explainEnd, explainEnrolment, nameOf } from './plain-words.ts';
import { requireInput } from './terminal.ts';
import { userAt } from './user.ts';

async function enrol(link: string, { name, keyFile }: PhoneOptions): Promise<Device> {
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

async function resume(file: KeyFile): Promise<Device> {
  if (!file.exists())
    throw new ClientError(
      `There is no ${file.path} yet. Pass a link to enrol with: npm run phone -- '<link>' --key ${file.path}`,
    );
  return new Device(await file.load());
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
    return;
  }
  const { link, keyFile, standing } = options;
  // Before a code is used up.
  if (standing === undefined) requireInput();
  const device = link === undefined ? await resume(new KeyFile(keyFile ?? '')) : await enrol(link, options);
  const { identity } = device;
  const what = link === undefined ? 'Goes on' : 'Enrolled';
  console.log(`${what} for ${nameOf(identity)}. Waiting for challenges; stop with Ctrl-C.`);
  try {
    await answerChallenges(device, userAt(standing));
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    throw new ClientError(explainEnd(error, identity, keyFile), { cause: error });
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ClientError)) throw error;
  console.error(error.message);
  // The terminal's input would keep the process alive.
  process.exit(1);
}
