import { toString as qrCode } from 'qrcode';
import type { Device, Omi } from '#website';
import { ClientError } from '../../../client/http.ts';
import type { DemoContext } from './context.ts';
import { capitalized, masked } from './step-reporter.ts';
import { eventually } from '../../../client/waiting.ts';

export async function getToken({
  services,
  reporter,
}: Pick<DemoContext, 'services' | 'reporter'>): Promise<void> {
  await reporter.step('The website gets an access token from the issuer', async (print) => {
    print(`token ${masked(await services.accessToken())}`);
  });
}

/** @returns the device as the website sees it */
export async function enrolDevice({
  website,
  device,
  userId,
  reporter,
  patience,
}: Omit<DemoContext, 'exports'>): Promise<Device> {
  const { enrolmentId, qr } = await reporter.step(
    `The website starts an enrolment of ${userId}`,
    async (print) => {
      const enrolment = await website.enrol({ userId });
      print(`enrolment ${enrolment.enrolmentId}, expires ${enrolment.expiresAt}; QR code:`);
      print((await qrCode(enrolment.qr, { type: 'utf8', errorCorrectionLevel: 'L' })).trimEnd());
      return enrolment;
    },
  );
  await reporter.step(`${capitalized(device.title)} ${device.enrolling}`, async (print) => {
    await device.enrol(qr, print);
  });
  return await reporter.step('The website polls until the enrolment is completed', async (print) => {
    const ask = async () => await completed(website, enrolmentId);
    const enrolled = await eventually('"completed"', ask, patience);
    print(`${enrolled.name} (${enrolled.platform}), ${enrolled.status}`);
    return enrolled;
  });
}

async function completed(website: Omi, enrolmentId: string): Promise<Device | undefined> {
  const enrolment = await website.enrolment(enrolmentId);
  return enrolment.status === 'completed' ? enrolment.device : undefined;
}

export async function listDevices(
  { website, userId, reporter }: DemoContext,
  enrolled: Device,
): Promise<void> {
  await reporter.step("The website lists the user's devices", async (print) => {
    const devices = await website.devices(userId);
    for (const { deviceId, name, enrolledAt } of devices) print(`${deviceId}  ${name}  ${enrolledAt}`);
    if (devices.length !== 1 || devices[0]?.deviceId !== enrolled.deviceId)
      throw new ClientError('The device is not the only one of the user');
  });
}
