import { toString as qrCode } from 'qrcode';
import type { Device } from '../../client/contract.ts';
import { bodyOf, ClientError } from '../../client/http.ts';
import type { WebsiteClient } from '../../client/website-client.ts';
import { masked } from './step-reporter.ts';
import type { DemoContext } from './context.ts';
import { eventually, soon } from '../../client/waiting.ts';

export async function getToken({
  website,
  reporter,
}: Pick<DemoContext, 'website' | 'reporter'>): Promise<void> {
  await reporter.step('The website gets an access token from the issuer', async (print) => {
    print(`token ${masked(await website.accessToken())}`);
  });
}

export async function enrolPhone({ website, phone, userId, reporter }: DemoContext): Promise<void> {
  const { enrolmentId, qr } = await reporter.step(
    `The website starts an enrolment of ${userId}`,
    async (print) => {
      const enrolment = bodyOf(await website.startEnrolment(userId));
      print(`enrolment ${enrolment.enrolmentId}, expires ${enrolment.expiresAt}; QR code:`);
      print((await qrCode(enrolment.qr, { type: 'utf8', errorCorrectionLevel: 'L' })).trimEnd());
      return enrolment;
    },
  );
  await reporter.step('The phone scans the QR code, creates a key pair and enrols', async (print) => {
    const { deviceId, tenantId } = bodyOf(await phone.enrol(qr));
    print(`device ${deviceId} of tenant ${tenantId}`);
  });
  await reporter.step('The website polls until the enrolment is completed', async (print) => {
    const device = await eventually('"completed"', async () => await completed(website, enrolmentId), soon);
    print(`${device.name} (${device.platform}), ${device.status}`);
  });
}

async function completed(website: WebsiteClient, enrolmentId: string): Promise<Device | undefined> {
  const { status, device } = bodyOf(await website.getEnrolment(enrolmentId));
  return status === 'completed' ? device : undefined;
}

export async function listDevices({ website, phone, userId, reporter }: DemoContext): Promise<void> {
  await reporter.step("The website lists the user's devices", async (print) => {
    const { devices } = bodyOf(await website.listDevices(userId));
    for (const { deviceId, name, enrolledAt } of devices) print(`${deviceId}  ${name}  ${enrolledAt}`);
    if (devices.length !== 1 || devices[0]?.deviceId !== phone.identity.deviceId)
      throw new ClientError('The phone is not the only device of the user');
  });
}
