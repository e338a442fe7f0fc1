import { createSvg } from './dom.ts';

/** Paths in a square of 24, drawn as lines: a device, a tick, a cross, an exclamation mark. */
const paths = {
  calm: 'M9 6h6v12H9zM11.5 16h1',
  good: 'M8 12.5l3 3L16 9',
  bad: 'M9 9l6 6M15 9l-6 6',
  warn: 'M12 8v5M12 16v.01',
};

export type Tone = keyof typeof paths;

/** An icon inside a ring that shows how much time is left. The text beside it says the same. */
export class Icon {
  readonly #path = createSvg('path', {});
  readonly #ring = createSvg('circle', {
    cx: '12',
    cy: '12',
    r: '11',
    pathLength: '100',
    transform: 'rotate(-90 12 12)',
  });
  readonly element = createSvg(
    'svg',
    { viewBox: '0 0 24 24', 'aria-hidden': 'true', part: 'icon', class: 'icon' },
    createSvg('circle', { cx: '12', cy: '12', r: '11', class: 'track' }),
    this.#ring,
    this.#path,
  );

  /** @param share of the ring that is drawn, from 0 to 1 */
  draw(tone: Tone, share: number): void {
    this.#path.setAttribute('d', paths[tone]);
    this.#ring.setAttribute('stroke-dasharray', `${Math.round(share * 100)} 100`);
  }
}
