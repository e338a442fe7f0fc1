import '/assets/omi-elements.js';
import * as api from './bank/api.js';
import { drawAccount } from './bank/account-view.js';
import { sayNothing, sendWhenConfirmed } from './bank/actions.js';
import { PhoneList } from './bank/phone-list.js';
import { SignIn } from './bank/sign-in.js';
import { makeTabs } from './bank/tabs.js';
import { Behind } from './behind/behind.js';
import { byId, fill, formOf } from './dom.js';
import { PhoneScreen } from './phone/screen.js';
import { Phones } from './phone/phones.js';
import { showStep } from './steps.js';

/** @import { Account, Config } from './bank/api.js' */
/** @import { Step } from './steps.js' */

/** Other windows of this browser have the same session and the same phones. */
const windows = new BroadcastChannel('omi-demo-bank');

/** @type {{ account: Account, config: Config } | undefined} */
let session;

const phones = new Phones({
  onChange: () => {
    screen.draw();
    follow();
  },
  onKept: () => windows.postMessage('phones'),
});
const screen = new PhoneScreen(phones);
const signIn = new SignIn(async () => {
  windows.postMessage('session');
  await refresh();
  byId('greeting').focus();
});
const list = new PhoneList({
  onChange: async () => {
    windows.postMessage('session');
    phones.look();
    await refresh();
  },
  onLink: (link) => {
    screen.link = link;
    // A code is there for a phone that the bank does not know yet.
    if (link !== undefined && phones.all.length > 0) phones.select(undefined);
    else if (!phones.shown) phones.select(phones.all[0]);
    screen.draw();
  },
});
const behind = new Behind({
  onAsked: () => {
    showStep('asked');
    phones.expect(true);
  },
  onEnded: () => phones.expect(false),
  onEvent: () => {
    phones.look();
    void refresh();
  },
});

/** Takes the account as it is now. Another user's account changes everything, nobody's account ends everything. */
async function refresh() {
  try {
    await enter(await api.account());
  } catch (error) {
    if (error instanceof api.BankError && error.status === 401) await leave();
    else if (!session) showStart('offline');
  }
}

/** @param {Account} account */
async function enter(account) {
  const isOther = session?.account.user.userId !== account.user.userId;
  const config = session?.config ?? (await api.config());
  session = { account, config };
  if (isOther) begin(config);
  drawAccount(account);
  list.draw(account);
  await phones.show({ user: account.user, config });
  showStart('in');
}

/**
 * Nothing of another user stays.
 *
 * @param {Config} config
 */
function begin(config) {
  phones.clear();
  list.clear();
  sayNothing();
  showStep('none');
  for (const form of document.querySelectorAll('form')) form.reset();
  behind.begin(config);
}

async function leave() {
  const wasIn = session !== undefined;
  session = undefined;
  phones.clear();
  list.clear();
  behind.end();
  showStart('out');
  await signIn.load();
  if (wasIn) byId('welcome-title').focus();
}

/** @param {'in' | 'out' | 'offline'} state */
function showStart(state) {
  byId('starting').hidden = true;
  byId('offline').hidden = state !== 'offline';
  byId('welcome').hidden = state !== 'out';
  byId('bank').hidden = state !== 'in';
  byId('account-menu').hidden = state !== 'in';
  byId('jump').hidden = state !== 'in';
}

/** The steps follow the phone. */
function follow() {
  const { waiting, state } = phones.shown ?? {};
  if (waiting) showStep('on-phone');
  else if (state?.ended?.outcome === 'confirmed') showStepOnce('signed', state.ended.challenge.challengeId);
  else if (state?.ended) showStepOnce('none', state.ended.challenge.challengeId);
}

let shownFor = '';

/**
 * A result stays on the phone; a later step must not go back because of it.
 *
 * @param {Step} step
 * @param {string} challengeId
 */
function showStepOnce(step, challengeId) {
  if (shownFor === challengeId) return;
  shownFor = challengeId;
  showStep(step);
}

makeTabs(byId('tabs'));
for (const id of ['pay', 'change-address', 'raise-limit'])
  sendWhenConfirmed(formOf(id), {
    onDone: (account) => {
      showStep('checked');
      windows.postMessage('session');
      void enter(account);
    },
    onProblem: () => void refresh(),
  });
for (const name of ['omi-confirmed', 'omi-denied', 'omi-ended'])
  document.addEventListener(name, () => phones.expect(false));
document.addEventListener('omi-confirmed', () => sayNothing());
byId('sign-out').addEventListener('click', () => {
  void api.signOut().finally(() => {
    windows.postMessage('session');
    void leave();
  });
});
byId('offline-again').addEventListener('click', () => void refresh());
windows.addEventListener('message', () => void refresh());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  phones.look();
  if (session) void refresh();
});
setInterval(() => {
  phones.tick();
  screen.tick();
}, 1000);

void api.config().then(
  ({ tenantName, appUrl }) => {
    fill(byId('bank-name'), tenantName);
    document.title = `${tenantName}: a demo of push confirmation`;
    for (const link of document.querySelectorAll('a[data-app]')) link.setAttribute('href', appUrl);
  },
  () => showStart('offline'),
);
await refresh();
