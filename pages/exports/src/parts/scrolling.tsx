import type { ComponentChildren } from 'preact';

/** Scrolls by itself, also with the keyboard, so that the page does not. */
export const Scrolling = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="scrolling" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
