import { byId, fill } from '../dom.js';
import { EvidenceCollector, isRecord } from '../evidence/collect.js';
import { EvidenceView } from '../evidence/view.js';
import { Lists } from './lists.js';
import { listen } from './live.js';

/** @import { Config } from '../website/api.js' */
/** @import { Call } from './call-text.js' */
/** @import { BankEvent } from './event-text.js' */

/** What happens behind the page: calls, evidence, events. */
export class Behind {
  #lists = new Lists();
  #evidence = new EvidenceView();
  #collector = new EvidenceCollector();

  /**
   * @param {Config} config
   * @param {{ onAsked: () => void, onEnded: () => void, onEvent: (event: BankEvent) => void }} listeners
   */
  constructor(config, { onAsked, onEnded, onEvent }) {
    this.onAsked = onAsked;
    this.onEnded = onEnded;
    if (!config.hasEvents) fill(byId('events-none'), 'No stream is connected to this demo.');
    this.close = listen({
      onCall: (call) => this.#take(call, config),
      onEvent: (event) => {
        this.#lists.addEvent(event);
        if (isNew(event.metadata.occurredTime)) onEvent(event);
      },
      onState: (isLive) => {
        byId('live').classList.toggle('on', isLive);
        fill(byId('live-text'), isLive ? 'live' : 'connecting …');
      },
    });
  }

  /**
   * @param {Call} call
   * @param {Config} config
   */
  #take(call, { baseUrl }) {
    this.#lists.addCall(call);
    const status = isRecord(call.answer) ? call.answer['status'] : undefined;
    const evidence = this.#collector.take(call, baseUrl);
    if (evidence) void this.#evidence.add(evidence);
    if (!isNew(call.at)) return;
    if (call.method === 'POST' && status === 'pending') this.onAsked();
    else if (call.method === 'GET' && typeof status === 'string' && finals.includes(status)) this.onEnded();
  }
}

const finals = ['confirmed', 'denied', 'expired', 'cancelled', 'failed'];

/**
 * A page that is opened again gets all of its session, and must not act on what is long over.
 *
 * @param {string} at
 */
const isNew = (at) => Date.now() - Date.parse(at) < 10_000;
