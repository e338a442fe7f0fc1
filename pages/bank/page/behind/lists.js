import { byId, h } from '../dom.js';
import { clockTime } from '../text/format.js';
import { meaningOf, resultOf, withCall } from './call-text.js';
import { eventMeaning, withEvent } from './event-text.js';

/** @import { Call, ShownCall } from './call-text.js' */
/** @import { BankEvent } from './event-text.js' */

/** The calls and the events, newest first. */
export class Lists {
  /** @type {ShownCall[]} */
  #calls = [];
  /** @type {readonly BankEvent[]} */
  #events = [];
  #calling = new Rows('calls');
  #happening = new Rows('events');

  /** @param {Call} call */
  addCall(call) {
    this.#calls = withCall(this.#calls, call);
    const [newest] = this.#calls;
    if (newest) this.#calling.put(callRow(newest), { replaces: newest.count > 1 });
  }

  /** @param {BankEvent} event */
  addEvent(event) {
    const events = withEvent(this.#events, event);
    if (events === this.#events) return;
    this.#events = events;
    this.#happening.put(eventRow(event), { replaces: false });
  }
}

const most = 40;

/** A list of the page, with what it says while it is empty. Rows that are open stay open. */
class Rows {
  /** @param {string} id */
  constructor(id) {
    this.list = byId(id);
    this.none = byId(`${id}-none`);
  }

  /**
   * @param {HTMLLIElement} row
   * @param {{ replaces: boolean }} options
   */
  put(row, { replaces }) {
    this.none.hidden = true;
    const first = this.list.firstElementChild;
    if (replaces && first) takeOver(first, row);
    else this.list.prepend(row);
    while (this.list.childElementCount > most) this.list.lastElementChild?.remove();
  }
}

/**
 * The contents change, and the row itself with its focus and its state stays.
 *
 * @param {Element} old
 * @param {HTMLLIElement} row
 */
function takeOver(old, row) {
  for (const name of ['summary', '.opened']) {
    const [target, source] = [old.querySelector(name), row.querySelector(name)];
    if (target && source) target.replaceChildren(...source.childNodes);
  }
}

/** @param {ShownCall} call */
function callRow(call) {
  const { at, method, path, request, answer, status, ms, count } = call;
  return row({
    title: meaningOf(call),
    note: count > 1 ? `${count} times` : undefined,
    result: resultOf(call),
    isBad: status >= 400,
    code: `${method} ${path}`,
    time: `${clockTime(at)}, ${Math.round(ms)} ms`,
    opened: [
      ...(request === undefined ? [] : [h('h4', {}, 'Request'), json(request)]),
      ...(answer === undefined ? [] : [h('h4', {}, 'Answer'), json(answer)]),
      ...(request === undefined && answer === undefined
        ? [h('p', { class: 'muted' }, 'Without contents')]
        : []),
    ],
  });
}

/** @param {BankEvent} event */
const eventRow = (event) =>
  row({
    title: eventMeaning(event),
    note: undefined,
    result: undefined,
    isBad: false,
    code: event.metadata.type,
    time: clockTime(event.metadata.occurredTime),
    opened: [json(event)],
  });

/**
 * @param {{ title: string, note: string | undefined, result: string | undefined, isBad: boolean, code: string, time: string,
 *   opened: Node[] }} content
 */
const row = ({ title, note, result, isBad, code, time, opened }) =>
  h(
    'li',
    {},
    h(
      'details',
      { class: 'entry' },
      h(
        'summary',
        {},
        h(
          'span',
          { class: 'entry-head' },
          h('strong', {}, title),
          note !== undefined && h('span', { class: 'count' }, note),
          result !== undefined && h('span', { class: isBad ? 'result bad' : 'result' }, result),
        ),
        h('span', { class: 'entry-code' }, h('code', {}, code), h('span', { class: 'muted' }, time)),
      ),
      h('div', { class: 'opened' }, ...opened),
    ),
  );

/** @param {unknown} value */
const json = (value) => h('pre', { tabindex: '0' }, JSON.stringify(value, undefined, 2));
