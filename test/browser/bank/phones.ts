import { expect, test } from '@jest/globals';
import type { BankWindow } from './bank-window.ts';
import type { BankWorld } from './world.ts';

/** Adds a second phone, which the first one must agree to. */
async function addPhone(bank: BankWindow): Promise<void> {
  await bank.opens('Phones');
  await bank.website.getByRole('button', { name: 'Add another phone' }).click();
  await bank.taps('Review');
  await bank.phoneReads('This allows a new device to be added to your account.');
  await bank.taps('Confirm');
  await bank.setsUpPhone();
  await bank.reads('The bank knows your new phone.');
}

/** Several phones, lost phones, and the real web app. */
export function testPhones({ stack, chromium, open }: BankWorld): void {
  test('adds a phone after confirmation on the first, asks the chosen one, and removes the other', async () => {
    const bank = await open();
    await bank.arrive('Chiara');
    await addPhone(bank);
    await bank.phoneIsNamed('Chiara’s phone 2');
    await bank.examines();
    await bank.opens('Pay');
    await bank.website.getByRole('radio', { name: 'Chiara’s phone 2' }).check();
    await bank.phone.getByRole('button', { name: 'Chiara’s phone', exact: true }).click();
    await bank.phoneShows('Confirmed');
    await bank.asksToPay();
    await bank.phoneIsNamed('Chiara’s phone 2');
    await bank.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.taps('Back to requests');
    await bank.opens('Phones');
    await bank.website.getByRole('button', { name: 'I lost it: Chiara’s phone', exact: true }).click();
    await bank.taps('Review');
    await bank.phoneReads('This allows a device to be removed from your account.');
    await bank.taps('Confirm');
    await bank.reads('You confirmed it with another phone.');
    await bank.phone.getByRole('button', { name: 'Chiara’s phone', exact: true }).click();
    await bank.taps('Back to requests');
    await bank.phoneReads(/was removed$/);
    await bank.examines();
    await bank.taps('Delete from this device');
    await bank.phoneIsNamed('Chiara’s phone 2');
  });

  test('adds no phone without confirmation on the first one', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.opens('Phones');
    await bank.website.getByRole('button', { name: 'Add another phone' }).click();
    await bank.taps('Review');
    await bank.phoneReads('This allows a new device to be added to your account.');
    await bank.taps('Deny');
    await bank.reads('The request was denied');
    await expect(bank.page.locator('omi-enrolment').count()).resolves.toBe(0);
    await expect(bank.website.locator('#devices li').count()).resolves.toBe(1);
  });

  test('removes a lost only phone, and connects a new one', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.opens('Phones');
    await bank.website.getByRole('button', { name: /^I lost it/ }).click();
    await bank.page.getByRole('dialog', { name: 'Remove Anna’s phone?' }).waitFor();
    await bank.page.getByRole('button', { name: 'Keep it' }).click();
    await expect(bank.website.locator('#devices li').count()).resolves.toBe(1);
    await bank.website.getByRole('button', { name: /^I lost it/ }).click();
    await bank.page.getByRole('button', { name: 'Remove it' }).click();
    await bank.reads('A real bank now checks in another way that it is you');
    await bank.phoneReads(/was removed$/);
    await bank.taps('Delete from this device');
    await bank.phoneShows('Confirm with this device');
    await bank.connect();
  });

  test('asks the web app, whose user confirms there', async () => {
    const bank = await open();
    await bank.signIn('Chiara');
    await bank.website.getByRole('button', { name: 'Connect a phone' }).click();
    const link = await bank.website.getByRole('link', { name: 'Set up this device' }).getAttribute('href');
    expect(link?.startsWith(`${stack.file.appUrl}/enrol#`)).toBe(true);
    const app = await chromium.visitor();
    await app.open(link ?? '');
    await app.sees('Name this device');
    await app.clicks('Continue');
    await app.clicks('Not now');
    await app.sees('This device is ready');
    await app.clicks('Done');
    await bank.reads('The bank knows your new phone.');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await app.reads('Pay 20.00 € to Café Zoë?');
    await app.clicks('Review');
    await app.clicks('Confirm');
    await app.sees('Confirmed');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.verifies();
    await bank.phoneShows('Confirm with this device');
  });
}
