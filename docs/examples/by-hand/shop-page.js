/** The shop's page: asks, waits for the answer, and withdraws when the user gives up. */
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
const cancel = document.querySelector('#cancel');

/** The path of the payment that waits for an answer. */
let open;

const call = async (method, path) => (await fetch(path, { method })).json();

function show(text, payment) {
  open = payment;
  status.textContent = text;
  cancel.hidden = payment === undefined;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (open !== undefined) return;
  const cents = Math.round(Number(new FormData(form).get('amount')) * 100);
  const { id, interval, matchCode, message } = await call('POST', `/payments?cents=${cents}`);
  if (id === undefined) return show(message);
  show(`Check your phone.${matchCode ? ` Choose ${matchCode}.` : ''}`, `/payments/${id}`);
  look(open, interval);
});

function look(payment, interval) {
  setTimeout(async () => {
    if (payment !== open) return;
    // A poll that failed is repeated: the payment is still open.
    const state = await call('GET', payment).catch(() => ({ status: 'pending', interval }));
    if (payment !== open) return;
    if (state.status === 'pending') look(payment, state.interval);
    else show(state.status === 'paid' ? 'Paid.' : state.message);
  }, interval * 1000);
}

function giveUp() {
  if (open === undefined) return;
  // The browser finishes it although the page is closed.
  void fetch(open, { method: 'DELETE', keepalive: true });
  show('You cancelled.');
}
cancel.addEventListener('click', giveUp);
addEventListener('pagehide', giveUp);
