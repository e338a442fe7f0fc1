import { byId, fill, h, icon, ofType } from '../dom.js';
import { clockTime } from '../text/format.js';
import { checksOf } from './checks.js';
import { claimRows, headerRows } from './claims.js';
import { decode, partsOf } from './decode.js';
import { changeOneCharacter, otherMessage } from './tamper.js';
import { verdictOf } from './verdict.js';

/** @import { Check } from './checks.js' */
/** @import { Evidence } from './collect.js' */
/** @import { Change, Part } from './tamper.js' */
/** @import { Verdict } from './verdict.js' */

/** What the user changed to see the check fail. */
/** @typedef {{ jws: string, message: string, change?: Change | 'message' }} Shown */

/** The evidence of this window, newest first, of which one is looked at. */
export class EvidenceView {
  /** @type {Evidence[]} */
  #all = [];
  /** @type {Evidence | undefined} */
  #current;
  /** @type {Shown} */
  #shown = { jws: '', message: '' };
  /** Counts the drawings, so that a slower check does not overwrite a later one. */
  #round = 0;

  constructor() {
    this.choice = ofType('evidence-choice', HTMLSelectElement);
    this.choice.addEventListener('change', () => {
      void this.#look(this.#all[this.choice.selectedIndex]);
    });
    byId('evidence-try').addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : undefined;
      if (button) void this.#change(button.dataset['change'] ?? '');
    });
  }

  /** @param {Evidence} evidence */
  async add(evidence) {
    this.#all = [evidence, ...this.#all];
    fill(
      this.choice,
      ...this.#all.map((one) =>
        h('option', {}, `${clockTime(one.confirmation.decidedAt)} ${one.asked.message}`),
      ),
    );
    byId('evidence-older').hidden = this.#all.length < 2;
    await this.#look(evidence);
  }

  /** @param {Evidence | undefined} evidence */
  async #look(evidence) {
    if (!evidence) return;
    this.#current = evidence;
    await this.#draw({ jws: evidence.jws, message: evidence.asked.message });
  }

  /** @param {string} what */
  async #change(what) {
    const evidence = this.#current;
    if (!evidence) return;
    const { jws, asked } = evidence;
    const { message } = asked;
    if (what === 'message') await this.#draw({ jws, message: otherMessage(message), change: 'message' });
    else if (what === 'none') await this.#draw({ jws, message });
    else await this.#draw({ message, ...changeOneCharacter(jws, /** @type {Part} */ (what)) });
  }

  /** @param {Shown} shown */
  async #draw(shown) {
    const evidence = this.#current;
    if (!evidence) return;
    this.#round += 1;
    const round = this.#round;
    const checks = await checksOf(shown.jws, { ...evidence.asked, message: shown.message });
    const verdict = await verdictOf(evidence, shown);
    if (round !== this.#round) return;
    this.#shown = shown;
    byId('evidence-none').hidden = true;
    byId('evidence').hidden = false;
    this.#drawVerdict(verdict);
    fill(byId('evidence-message'), shown.message);
    fill(byId('evidence-jws'), ...jwsView(shown));
    fill(byId('evidence-claims'), ...claimsView(shown.jws));
    fill(byId('evidence-checks'), ...checks.map(checkView));
    for (const button of byId('evidence-try').querySelectorAll('button')) {
      const own =
        shown.change === undefined ? 'none' : shown.change === 'message' ? 'message' : shown.change.part;
      button.setAttribute('aria-pressed', String(button.dataset['change'] === own));
    }
  }

  /** @param {Verdict} verdict */
  #drawVerdict(verdict) {
    const box = byId('evidence-verdict');
    box.className = verdict.verified ? 'notice good' : 'notice bad';
    const change = this.#shown.change;
    fill(
      box,
      icon(verdict.verified ? 'shield' : 'alert'),
      h(
        'div',
        {},
        h('strong', {}, verdict.verified ? 'Verified in this browser' : 'Refused'),
        h(
          'p',
          {},
          verdict.verified
            ? 'By OMI’s published keys alone: the evidence speaks for itself.'
            : verdict.detail,
        ),
        change !== undefined &&
          change !== 'message' &&
          h(
            'p',
            {},
            `Character ${change.index + 1} of the ${change.part} was ${change.from}, and is ${change.to} now.`,
          ),
      ),
    );
  }
}

/**
 * @param {Shown} shown
 */
function jwsView({ jws, change }) {
  const parts = partsOf(jws);
  return /** @type {Part[]} */ (['header', 'claims', 'signature']).flatMap((name, index) => [
    index > 0 && h('span', { class: 'jws-dot' }, '.'),
    h(
      'span',
      { class: `jws-${name}` },
      ...(typeof change === 'object' && change.part === name
        ? marked(parts[name], change.index)
        : [parts[name]]),
    ),
  ]);
}

/**
 * @param {string} text
 * @param {number} index
 */
const marked = (text, index) => [
  text.slice(0, index),
  h('mark', {}, text.charAt(index)),
  text.slice(index + 1),
];

/** @param {string} jws */
function claimsView(jws) {
  const decoded = decode(jws);
  if (!decoded) return [h('p', { class: 'problem' }, 'After the change this can no longer be read.')];
  return [
    h('h4', {}, 'Header'),
    rowsView(headerRows(decoded.header)),
    h('h4', {}, 'Claims'),
    rowsView(claimRows(decoded.claims)),
  ];
}

/** @param {import('./claims.js').Claim[]} rows */
const rowsView = (rows) =>
  h(
    'dl',
    { class: 'lines pairs' },
    ...rows.map(({ name, value, meaning }) =>
      h(
        'div',
        {},
        h('dt', {}, h('code', {}, name)),
        h('dd', { class: 'column' }, h('code', {}, value), h('span', { class: 'muted' }, meaning)),
      ),
    ),
  );

/** @param {Check} check */
const checkView = ({ name, text, passed }) =>
  h(
    'li',
    { class: passed ? 'passed' : 'failed' },
    icon(passed ? 'check' : 'cross'),
    h(
      'div',
      { class: 'column' },
      h('strong', {}, name),
      h('span', { class: 'hidden' }, passed ? ': holds. ' : ': does not hold. '),
      h('span', { class: 'muted' }, text),
    ),
  );
