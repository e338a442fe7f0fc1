import type { Page } from 'playwright-core';

/**
 * Changes a colour that all elements inherit, and names what then moves, before the next frame. It is nothing where users
 * want no motion: so nobody who reads a style after a change reads the old one, however busy the machine is.
 */
export const animationsAfterChange = async (page: Page): Promise<string[]> =>
  await page.evaluate(`{
    const { style } = document.documentElement;
    document.documentElement.getBoundingClientRect();
    style.color = 'rgb(1, 2, 3)';
    const moving = document.getAnimations().map(({ constructor, effect }) => constructor.name + ' of ' + effect.target.nodeName);
    style.color = '';
    moving;
  }`);
