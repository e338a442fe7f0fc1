import { expect, test } from '@jest/globals';
import { expireSoon } from './time.ts';
import type { BankWorld } from './world.ts';

/** The website and the phone, in one window. */
export function testBothEnds({ stack, open }: BankWorld): void {
  test('shows the whole flow, from sign-in to verified evidence', async () => {
    const bank = await open();
    await bank.page.getByRole('heading', { name: 'A stolen password should not be enough.' }).waitFor();
    await bank.page.getByRole('button', { name: /^Chiara / }).waitFor();
    await bank.examines();
    await bank.isPictured('welcome', 'body');
    await bank.signIn('Anna');
    await bank.website.getByRole('button', { name: 'Connect a phone' }).click();
    await bank.phoneShows('Name this device');
    await bank.phoneReads(/^Anna · /);
    await bank.examines();
    await bank.isPictured('code', '#phone-title');
    await bank.setsUpPhone();
    await bank.phoneShows('Nothing to confirm');
    await bank.events.getByText('A phone was connected').waitFor();
    const before = await bank.balance();
    await bank.asksToPay();
    await bank.phoneReads(/^Chrome on .* · now$/);
    await bank.examines();
    await bank.isPictured('asked', '#phone-title');
    await bank.taps('Confirm');
    await bank.phoneShows('Confirmed');
    await bank.reads('Paid 20.00 € to Café Zoë.');
    await bank.verifies();
    await expect(bank.failedChecks()).resolves.toEqual([]);
    await bank.events.getByText('The user confirmed').waitFor();
    await bank.calls.getByText('200 confirmed').waitFor();
    expect([before, await bank.balance()]).toEqual(['2,480.50 €', '2,460.50 €']);
    await bank.examines();
    await bank.isPictured('evidence', '#evidence-title');
  });

  test('shows that the evidence is invalid after one character or the message changed', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.asksToPay();
    await bank.taps('Confirm');
    await bank.verifies();
    await bank.evidence.getByText('It has exactly these details').waitFor();
    const signature = 'The signature is the phone’s';
    for (const part of ['header', 'claims', 'signature']) {
      await bank.evidence.getByRole('button', { name: `Change the ${part}` }).click();
      await bank.evidence.getByText('Refused').waitFor();
      await bank.evidence.locator('mark').waitFor();
      expect([part, (await bank.failedChecks()).includes(signature)]).toEqual([part, true]);
    }
    await bank.evidence.getByRole('button', { name: 'Change the message' }).click();
    await bank.evidence.getByText('Pay 2000.00 € to Café Zoë?', { exact: true }).waitFor();
    expect(await bank.failedChecks()).toEqual(['It is about exactly these words']);
    await bank.evidence.getByText('Read it: what each member means').click();
    await bank.examines();
    await bank.evidence.getByRole('button', { name: 'As it was signed' }).click();
    await bank.verifies();
  });

  test('executes nothing after a denial, and proves the denial', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    const before = await bank.balance();
    await bank.asksToPay();
    await bank.taps('Deny');
    await bank.phoneShows('Denied');
    await bank.reads('The request was denied');
    await bank.verifies();
    await bank.evidence.getByText('The user decided: deny').waitFor();
    await bank.events.getByText('The user denied').waitFor();
    await expect(bank.balance()).resolves.toBe(before);
    await bank.examines();
  });

  test('stops an action that the user did not start', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.asksToPay();
    await bank.taps('This was not me');
    await bank.phoneShows('Reported: this was not you');
    await bank.reads('The request was stopped.');
    await bank.examines();
  });

  test('executes nothing without an answer in time', async () => {
    const bank = await open();
    await bank.arrive('Chiara');
    await bank.asksToPay();
    await expireSoon(stack, 'customer-9036');
    await bank.phoneShows('Time is over');
    await bank.reads('The time is over');
    await bank.events.getByText('Nobody answered in time').waitFor();
    await bank.examines();
    await bank.taps('Back to requests');
    await bank.phoneShows('Nothing to confirm');
  });

  test('withdraws a request that the user cancels at the website', async () => {
    const bank = await open();
    await bank.arrive('Chiara');
    await bank.asksToPay();
    await bank.website.getByRole('button', { name: 'Cancel' }).click();
    await bank.phoneShows('No longer open');
    await bank.reads('The request was withdrawn.');
    await bank.calls.getByText('Withdraw the question').waitFor();
  });

  test('raises the limit only with the number of the website', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.opens('Limit');
    const raise = async (opening: 'Review' | 'Next request'): Promise<string> => {
      await bank.website.getByRole('button', { name: 'Raise the limit' }).click();
      await bank.taps(opening);
      await bank.phoneReads('Which number does the website show?');
      return await bank.website.locator('#raise-limit [part=code]').innerText();
    };
    const wrong = await raise('Review');
    await bank.examines();
    await bank.taps('Confirm');
    await bank.phoneReads('Choose the number that the website shows.');
    const offered = await bank.screen.getByRole('radio').all();
    const values = await Promise.all(offered.map(async (radio) => await radio.inputValue()));
    expect([values.length, values.includes(wrong)]).toEqual([3, true]);
    const other = values.find((value) => value !== wrong) ?? '';
    await bank.screen.getByRole('radio', { name: other }).check();
    await bank.taps('Confirm');
    await bank.phoneShows('Wrong number');
    await bank.reads('Wrong number');
    const right = await raise('Next request');
    await bank.screen.getByRole('radio', { name: right }).check();
    await bank.taps('Confirm');
    await bank.phoneShows('Confirmed');
    await bank.reads('Your limit is now 700.00 €.');
  });

  test('changes the address, in the words that the phone showed', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.opens('Address');
    const address = '<b>5</b> Rue de l’Église, 67000 Strasbourg';
    await bank.website.getByLabel('Your new address').fill(address);
    await bank.website.getByRole('button', { name: 'Change the address' }).click();
    await bank.phoneReads(`Change your address to ${address}?`);
    await bank.taps('Review');
    await bank.taps('Confirm');
    await bank.reads(`Your address is now ${address}.`);
    await expect(bank.website.locator('#address').innerText()).resolves.toBe(address);
    await bank.verifies();
  });

  test('rejects an impossible payment before it asks the phone', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.website.getByLabel('Amount').fill('100.00');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.reads('you cannot pay');
    await bank.phoneShows('Nothing to confirm');
  });

  test('pays above the limit only if another customer agrees', async () => {
    const bank = await open();
    await bank.arrive('Ben');
    await bank.page.getByRole('button', { name: 'Sign out' }).click();
    await bank.arrive('Anna');
    const before = await bank.balance();
    await bank.website.getByLabel('Amount').fill('800');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.reads('This is above your limit of 500.00 €.');
    await bank.examines();
    await bank.website.getByRole('button', { name: 'Ask the others' }).click();
    await bank.reads('Chiara Rossi has no phone');
    await bank.taps('Review');
    await bank.phoneIsNamed('Ben’s phone');
    await bank.phoneReads('Agree that Anna Weber pays 800.00 € to Café Zoë?');
    await bank.phoneReads('1 of 2 people must confirm');
    await bank.taps('Confirm');
    await bank.reads('Paid 800.00 € to Café Zoë. Ben Okafor agreed.');
    await expect(bank.balance()).resolves.not.toBe(before);
  });

  test('says who could agree if nobody else has a phone', async () => {
    const bank = await open();
    await bank.arrive('Anna');
    await bank.website.getByLabel('Amount').fill('800');
    await bank.website.getByRole('button', { name: 'Pay', exact: true }).click();
    await bank.website.getByRole('button', { name: 'Ask the others' }).click();
    await bank.reads('None of the other customers has a phone.');
  });
}
