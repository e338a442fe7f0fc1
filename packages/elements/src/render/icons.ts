import { createSvg } from './dom.ts';

/** Paths in a square of 24, drawn as lines. */
const paths = {
  device: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  bad: 'M7 7l10 10M17 7L7 17',
  warn: 'M12 7v6M12 17v.01',
};

export type IconName = keyof typeof paths;

/** An icon inside a ring that shows how much time is left. The text beside it says the same. */
export class Icon {
  readonly element: SVGElement;
  readonly #path = createSvg('path', {});
  readonly #ring = createSvg('circle', {
    cx: '12',
    cy: '12',
    r: '11',
    pathLength: '100',
    transform: 'rotate(-90 12 12)',
  });

  constructor() {
    const track = createSvg('circle', { cx: '12', cy: '12', r: '11', class: 'track' });
    const group = createSvg('g', { transform: 'translate(4.8 4.8) scale(.6)' }, this.#path);
    this.element = createSvg(
      'svg',
      { viewBox: '-1 -1 26 26', 'aria-hidden': 'true', part: 'icon' },
      track,
      this.#ring,
      group,
    );
  }

  /** @param share of the ring that is drawn, from 0 to 1 */
  draw(name: IconName, share: number): void {
    this.#path.setAttribute('d', paths[name]);
    this.#ring.setAttribute('stroke-dasharray', `${Math.round(share * 100)} 100`);
  }
}
