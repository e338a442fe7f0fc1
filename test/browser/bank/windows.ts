import { expect, test } from '@jest/globals';
import type { BankWorld } from './world.ts';

/** Several windows, several browsers, a page that is closed or loaded again. */
export function testWindows({ open }: BankWorld): void {
  test('withdraws the request of a closed window', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    const asking = await bank.another();
    await asking.hasGreeted('Anna');
    await bank.phoneShows('Nothing to confirm');
    await asking.asksToPay();
    await bank.taps('Review');
    await asking.page.close({ runBeforeUnload: true });
    await bank.phoneShows('No longer open');
    await bank.calls.getByText('Withdraw the question').waitFor();
    await bank.events.getByText('The question was withdrawn').waitFor();
  });

  test('keeps phone and evidence after a reload', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.asksToPay();
    await bank.taps('Confirm');
    await bank.verifies();
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.page.reload();
    await bank.hasGreeted('Anna');
    await bank.phoneShows('Nothing to confirm');
    await bank.verifies();
    await bank.asksToPay();
    await bank.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
  });

  test('shows the same in two windows of a browser, and the change of user in both', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    const other = await bank.another();
    await other.hasGreeted('Anna');
    await bank.asksToPay();
    await other.taps('Review');
    await other.phoneReads('Pay 20.00 € to Café Zoë?');
    await other.taps('Confirm');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await other.website.getByText(await bank.balance()).waitFor();
    await other.page.getByRole('button', { name: 'Sign out' }).click();
    await other.signIn('Ben');
    await bank.hasGreeted('Ben');
    const text = await bank.page.locator('main').innerText();
    expect(text).not.toMatch(/Anna|customer-2071|Lindenstraße/);
    await bank.phoneShows('Confirm with this device');
  });

  test('shows nothing of one user to another', async () => {
    const [anna, chiara] = [await open(), await open()];
    await chiara.arrive('Chiara');
    await anna.arrive('Anna');
    await anna.asksToPay();
    await anna.taps('Confirm');
    await anna.verifies();
    await anna.events.getByText('The user confirmed').waitFor();
    await chiara.asksToPay();
    await chiara.taps('Deny');
    await chiara.phoneShows('Denied');
    await chiara.events.getByText('The user denied').waitFor();
    const [ofAnna, ofChiara] = [
      await anna.page.locator('#bank').innerHTML(),
      await chiara.page.locator('#bank').innerHTML(),
    ];
    expect(ofChiara).not.toMatch(/customer-2071|Anna’s phone|The user confirmed/);
    expect(ofAnna).not.toMatch(/customer-9036|Chiara’s phone|The user denied/);
  });

  test("asks the owner of the phone about an attacker's action, and the attacker gets nothing", async () => {
    const [owner, thief] = [await open(), await open()];
    await owner.arrive('Anna');
    await thief.signIn('Anna');
    await thief.phoneShows('Confirm with this device');
    const before = await owner.balance();
    await thief.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await owner.taps('Review');
    await owner.phoneReads('Pay 20.00 € to Café Zoë?');
    await owner.taps('This was not me');
    await thief.reads('The request was stopped.');
    await expect(thief.balance()).resolves.toBe(before);
    await expect(owner.evidence.getByText('Verified').count()).resolves.toBe(0);
  });
}
