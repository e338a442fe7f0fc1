import { h } from '../dom.js';

/** @import { PhoneOrder, PhoneReport } from '../../../app/src/phone/report.ts' */

/** One phone: the web app in a frame, with a storage of its own. */
export class Phone {
  /** @type {PhoneReport} */
  report = { waiting: [], shows: 'none' };

  /**
   * @param {HTMLElement} place
   * @param {{ storage: string, name: string, baseUrl: string }} options `name`: until its user gives another one
   * @param {(phone: Phone) => void} onChange
   */
  constructor(place, options, onChange) {
    const query = new URLSearchParams(options).toString();
    /** @type {() => void} */
    let isReady;
    /** Resolves when it runs, and has told what it knows. */
    this.ready = new Promise((resolve) => (isReady = () => resolve(undefined)));
    this.frame = h('iframe', { src: `/phone/index.html?${query}`, title: options.name, hidden: true });
    this.hear = (/** @type {MessageEvent<PhoneReport | undefined>} */ { source, data }) => {
      if (source !== this.frame.contentWindow || !data?.waiting) return;
      this.report = data;
      isReady();
      onChange(this);
    };
    addEventListener('message', this.hear);
    place.append(this.frame);
  }

  get isConnected() {
    return this.report.name !== undefined;
  }

  get isRinging() {
    return this.report.waiting.length > 0;
  }

  /** @param {PhoneOrder} order */
  tell(order) {
    this.frame.contentWindow?.postMessage(order, location.origin);
  }

  close() {
    removeEventListener('message', this.hear);
    this.frame.remove();
  }
}
