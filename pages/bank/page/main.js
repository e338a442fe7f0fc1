import '#elements';
import * as api from './website/api.js';
import { Bank } from './website/bank.js';
import { SignIn } from './website/sign-in.js';
import { byId, fill } from './dom.js';

/** @import { Account, Config, User } from './website/api.js' */

/** Other windows of this browser have the same session and the same phones. */
const windows = new BroadcastChannel('omi-demo-bank');
const tellWindows = () => windows.postMessage('changed');

/** @type {Bank | undefined} */
let bank;
/** @type {Config | undefined} */
let config;

const signIn = new SignIn(async () => {
  tellWindows();
  await refresh();
});

/** Counts the questions, so that a slower answer does not undo a later one: somebody may have signed out meanwhile. */
let round = 0;

/** Takes the account as it is now. Another user's account changes everything, nobody's ends everything. */
async function refresh() {
  round += 1;
  const asked = round;
  try {
    const [known, { users, account }] = await Promise.all([config ?? api.config(), api.session()]);
    if (asked !== round) return;
    config ??= introduce(known);
    if (account) enter(account, config);
    else leave(users);
  } catch (error) {
    if (!(error instanceof api.BankError)) throw error;
    if (!bank && asked === round) show('offline');
  }
}

/**
 * @param {Account} account
 * @param {Config} known
 */
function enter(account, known) {
  if (bank?.userId !== account.user.userId) {
    bank?.close();
    show('bank');
    bank = new Bank(account, { config: known, onChange: tellWindows, refresh });
  }
  bank.draw(account);
}

/** @param {readonly User[]} users */
function leave(users) {
  const wasIn = bank !== undefined;
  bank?.close();
  bank = undefined;
  show('welcome');
  signIn.draw(users);
  if (wasIn) byId('welcome-title').focus();
}

/** @param {'offline' | 'welcome' | 'bank'} what */
function show(what) {
  byId('starting').hidden = true;
  byId('offline').hidden = what !== 'offline';
  byId('welcome').hidden = what !== 'welcome';
  byId('account-menu').hidden = what !== 'bank';
  byId('jump').hidden = what !== 'bank';
  byId('tag').hidden = what === 'bank';
  byId('main').hidden = false;
  byId('foot').hidden = false;
}

/** @param {Config} known */
function introduce(known) {
  fill(byId('bank-name'), known.tenantName);
  document.title = `${known.tenantName}: a demo of push confirmation`;
  byId('thief-elsewhere').hidden = known.hasOwnUsers;
  byId('thief-here').hidden = !known.hasOwnUsers;
  for (const link of document.querySelectorAll('a[data-app]')) link.setAttribute('href', known.appUrl);
  /** @type {NodeListOf<HTMLElement>} */
  const exportLinks = document.querySelectorAll('a[data-exports]');
  for (const link of exportLinks) {
    link.hidden = known.exportsUrl === undefined;
    link.setAttribute('href', known.exportsUrl ?? '/');
  }
  return known;
}

byId('sign-out').addEventListener('click', () => {
  void api
    .signOut()
    .then(tellWindows)
    .finally(() => void refresh());
});
byId('offline-again').addEventListener('click', () => void refresh());
windows.addEventListener('message', () => void refresh());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible' || !bank) return;
  bank.look();
  void refresh();
});
await refresh();
