/**
 * The system's colours follow the page's `color-scheme` and the user's contrast settings. The colours of our own are seen on
 * white and on black (WCAG 2.2, 1.4.11).
 * `--omi-block-size` is what every state fits into, so that nothing moves when the state changes. Before anything is asked, the lines of
 * the longest text have their place.
 */
export const css = `
:host {
  display: block;
  container-type: inline-size;
  --_surface: var(--omi-surface, Canvas);
  --_ink: var(--omi-ink, CanvasText);
  --_soft: var(--omi-ink-soft, color-mix(in srgb, var(--_ink) 75%, var(--_surface)));
  --_line: var(--omi-line, color-mix(in srgb, var(--_ink) 50%, var(--_surface)));
  --_radius: var(--omi-radius, .75rem);
  font: var(--omi-font, inherit);
  line-height: 1.45;
  color: var(--_ink);
}
[hidden], :host([hidden]) { display: none !important }
* { box-sizing: border-box; margin: 0 }
.box {
  --_accent: var(--omi-accent, var(--_brand, #0b7f76));
  --_tone: var(--_accent);
  display: flex;
  flex-direction: column;
  gap: .75rem;
  min-block-size: var(--omi-block-size, var(--_size));
  padding: 1.25rem;
  background: var(--_surface);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  overflow-wrap: break-word;
}
.good { --_tone: var(--omi-good, #0b7f76) }
.bad { --_tone: var(--omi-bad, #d3382c) }
.warn { --_tone: var(--omi-warn, #a96800) }
.icon { float: inline-start; inline-size: 3.5rem; margin-inline-start: -4.5rem; fill: none; stroke: var(--_tone); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round }
circle { stroke-linecap: butt }
.track { stroke: var(--_line); opacity: .4 }
b { font-size: 1.125em; line-height: 1.3 }
.content { padding-inline-start: 4.5rem }
.footer { display: flex; margin-block-start: auto; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: .5rem 1rem; min-block-size: 2.75rem }
.idle, .idle .footer { min-block-size: 0 }
.clock { flex: 1 1 8rem; color: var(--_soft); font-variant-numeric: tabular-nums }
button, a {
  min-block-size: 2.75rem;
  padding: .5rem 1.125rem;
  font: inherit;
  font-weight: 600;
  color: inherit;
  background: none;
  border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * .7);
  text-decoration: none;
  cursor: pointer;
}
.start { color: var(--omi-on-accent, var(--_on-brand, #fff)); background: var(--_accent); border-color: var(--_accent) }
:disabled { color: var(--_soft); background: none; border-style: dashed; cursor: not-allowed }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px }
@container (max-width: 30rem) {
  .box { padding: 1rem }
  .content { padding: 0 }
  .head { display: flex; align-items: center; gap: .75rem }
  b { flex: 1; min-block-size: 3.25rem; align-content: center }
  .icon { flex: none; inline-size: 2.5rem; margin: 0 }
}
@media (prefers-reduced-motion: no-preference) {
  circle { transition: stroke-dasharray 1s linear }
  .busy .track { animation: pulse 2s infinite alternate }
  @keyframes pulse { to { opacity: 1 } }
}
@media (forced-colors: active) {
  .icon { stroke: CanvasText }
}
`;
