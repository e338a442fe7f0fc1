/** Runs in a page: draws an element's shadow tree in any state. */
import { Parts as ConfirmationParts } from '../../../../packages/elements/src/confirmation/parts.ts';
import { css as confirmationCss } from '../../../../packages/elements/src/confirmation/styles.ts';
import { dictionary as confirmationTexts } from '../../../../packages/elements/src/confirmation/texts/dictionary.ts';
import { viewOf as confirmationView } from '../../../../packages/elements/src/confirmation/view.ts';
import { Parts as EnrolmentParts } from '../../../../packages/elements/src/enrolment/parts.ts';
import { css as enrolmentCss } from '../../../../packages/elements/src/enrolment/styles.ts';
import { dictionary as enrolmentTexts } from '../../../../packages/elements/src/enrolment/texts/dictionary.ts';
import { viewOf as enrolmentView } from '../../../../packages/elements/src/enrolment/view.ts';
import type { Dictionary } from '../../../../packages/elements/src/i18n/dictionary.ts';
import type { Language } from '../../../../packages/elements/src/i18n/language.ts';
import { styleSheet } from '../../../../packages/elements/src/render/omi-element.ts';
import { confirmations, enrolments, now } from './states.ts';

const nothing = (): void => undefined;

function place(name: string, box: HTMLElement, css: string): void {
  const host = document.createElement('div');
  host.id = name;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [styleSheet(css)];
  root.append(box);
  document.getElementById('place')?.append(host);
}

async function textsOf<Texts>(dictionary: Dictionary<Texts>, language: Language): Promise<Texts> {
  return await new Promise((resolve) => {
    const look = (): void => {
      const texts = dictionary.of(language, look);
      if (texts) resolve(texts);
    };
    look();
  });
}

/** Draws all states of an element below each other. */
async function show(kind: string, language: Language): Promise<void> {
  document.documentElement.lang = language;
  document.getElementById('place')?.replaceChildren();
  await (kind === 'confirmation' ? showConfirmations(language) : showEnrolments(language));
}

async function showConfirmations(language: Language): Promise<void> {
  const texts = await textsOf(confirmationTexts, language);
  for (const [name, state] of Object.entries(confirmations)) {
    const parts = new ConfirmationParts({
      start: nothing,
      cancel: nothing,
      withdrawOther: nothing,
      choose: nothing,
      app: nothing,
    });
    parts.draw(confirmationView(state, texts, now), texts, state.deviceId, false);
    place(name, parts.box, confirmationCss);
  }
}

async function showEnrolments(language: Language): Promise<void> {
  const texts = await textsOf(enrolmentTexts, language);
  for (const [name, step] of Object.entries(enrolments)) {
    const parts = new EnrolmentParts(nothing);
    parts.draw(enrolmentView({ step, run: 1 }, texts, now), texts);
    place(name, parts.box, enrolmentCss);
  }
}

/** What a state looks like to a ruler. */
function measure(): { name: string; height: number; smallest: number; said: string }[] {
  return [...(document.getElementById('place')?.children ?? [])].map((host) => {
    const controls = [...(host.shadowRoot?.querySelectorAll('a, button, label') ?? [])];
    const boxes = controls.map((control) => control.getBoundingClientRect()).filter(({ width }) => width > 0);
    const texts = [...(host.shadowRoot?.querySelectorAll('b, p, button, a, span, legend') ?? [])];
    return {
      name: host.id,
      height: host.getBoundingClientRect().height,
      smallest: Math.min(...boxes.flatMap(({ width, height }) => [width, height]), 1_000),
      said: texts.map(({ textContent }) => textContent).join(' '),
    };
  });
}

/** Words of the element's own texts that are on two lines. */
function brokenWords(): string[] {
  const texts = [...(document.getElementById('place')?.children ?? [])].flatMap((host) => [
    ...(host.shadowRoot?.querySelectorAll('b, p, button, a') ?? []),
  ]);
  return texts.flatMap(wordsOf).flatMap((range) => {
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    return lines.size > 1 ? [range.toString()] : [];
  });
}

/** A word of letters: what is not written by the element, such as names and addresses, may be broken. */
function wordsOf(element: Element): Range[] {
  return [...element.childNodes].flatMap((node) =>
    node.nodeType !== Node.TEXT_NODE
      ? []
      : [...(node.textContent ?? '').matchAll(/[\p{L}’]{2,}/gu)].map(({ index, 0: word }) => {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          return range;
        }),
  );
}

Object.assign(globalThis, { show, measure, brokenWords });
