/**
 * `light-dark` follows the page's `color-scheme`. Browsers without it show the light colours.
 * `--omi-block-size` is what every state fits into, so that nothing moves when the state changes.
 */
const css = `
:host {
  display: block;
  container-type: inline-size;
  --_surface: var(--omi-surface, #fff);
  --_ink: var(--omi-ink, #12181f);
  --_soft: var(--omi-ink-soft, #4d5865);
  --_line: var(--omi-line, #77828e);
  --_accent: var(--omi-accent, #0b5c56);
  --_on-accent: var(--omi-on-accent, #fff);
  --_good: var(--omi-good, #0b5c56);
  --_bad: var(--omi-bad, #a8231b);
  --_warn: var(--omi-warn, #7a4d00);
  --_radius: var(--omi-radius, .75rem);
  font: var(--omi-font, inherit);
  line-height: 1.45;
  color: var(--_ink);
}
@supports (color: light-dark(#000, #fff)) {
  :host {
    --_surface: var(--omi-surface, light-dark(#fff, #192027));
    --_ink: var(--omi-ink, light-dark(#12181f, #eef2f5));
    --_soft: var(--omi-ink-soft, light-dark(#4d5865, #aab5c0));
    --_line: var(--omi-line, light-dark(#77828e, #8a96a3));
    --_accent: var(--omi-accent, light-dark(#0b5c56, #63cfc3));
    --_on-accent: var(--omi-on-accent, light-dark(#fff, #04211e));
    --_good: var(--omi-good, light-dark(#0b5c56, #63cfc3));
    --_bad: var(--omi-bad, light-dark(#a8231b, #ff9f97));
    --_warn: var(--omi-warn, light-dark(#7a4d00, #f2c572));
  }
}
[hidden], :host([hidden]) { display: none !important }
* { box-sizing: border-box }
.box {
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  grid-template-rows: 1fr auto;
  gap: .75rem 1rem;
  min-block-size: var(--omi-block-size, var(--_size));
  padding: 1.25rem;
  background: var(--_surface);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  overflow-wrap: anywhere;
  outline-offset: 2px;
}
.confirmation { --_size: 16rem }
.enrolment { --_size: 20rem }
svg { fill: none; stroke: var(--_tone); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
[part=icon] { inline-size: 3.5rem; block-size: 3.5rem }
circle { stroke-width: 1.5 }
.track { stroke: var(--_line); opacity: .4 }
.calm { --_tone: var(--_accent) }
.good { --_tone: var(--_good) }
.bad { --_tone: var(--_bad) }
.warn { --_tone: var(--_warn) }
p, fieldset { margin: 0 }
[part=title] { font-size: 1.125em; font-weight: 650; line-height: 1.3 }
.good [part=title], .bad [part=title] { color: var(--_tone) }
[part=message] {
  max-block-size: 7.5em;
  overflow: auto;
  margin-block-start: .5rem;
  padding-inline-start: .75rem;
  border-inline-start: 3px solid var(--_accent);
  font-weight: 600;
  white-space: pre-wrap;
}
[part=code] { margin-block-start: .5rem }
[part=code] strong { display: block; font-size: 2em; line-height: 1.2; letter-spacing: .12em; font-variant-numeric: tabular-nums }
[part=countdown] { color: var(--_soft); font-variant-numeric: tabular-nums }
.footer { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: .5rem 1rem; min-block-size: 2.75rem }
[part=countdown] { flex: 1 1 8rem }
[part=devices] { min-inline-size: 0; max-block-size: 9.5rem; overflow: auto; padding: 0; border: 0; margin-block-start: .5rem }
legend { padding: 0 }
.hint, legend { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
[part=device] { display: flex; align-items: center; gap: .625rem; min-block-size: 2.75rem; cursor: pointer }
[part=device] small { color: var(--_soft); font-size: .875em }
input { flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: .25rem; accent-color: var(--_accent) }
button, [part=link] {
  min-block-size: 2.75rem;
  min-inline-size: 2.75rem;
  padding: .5rem 1.125rem;
  font: inherit;
  font-weight: 600;
  color: var(--_ink);
  background: none;
  border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * .67);
  cursor: pointer;
}
[part~=start], [part=link] { color: var(--_on-accent); background: var(--_accent); border-color: var(--_accent) }
button:disabled { color: var(--_soft); background: none; border-style: dashed; border-color: var(--_line); cursor: not-allowed }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px }
[part=link] { display: inline-block; text-decoration: none; text-align: center }
[part=qr] { display: block; inline-size: 12rem; max-inline-size: 100%; block-size: auto; margin-block: .5rem; background: #fff; border-radius: .25rem; forced-color-adjust: none; stroke: none; shape-rendering: crispEdges }
[part=qr] path { fill: #000 }
@container (max-width: 22rem) {
  .box { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr auto; padding: 1rem }
  .confirmation { --_size: 24rem }
  .enrolment { --_size: 26rem }
}
@media (prefers-reduced-motion: no-preference) {
  circle { transition: stroke-dasharray 1s linear }
  .busy .track { animation: breathe 1.6s ease-in-out infinite alternate }
  @keyframes breathe { to { opacity: 1 } }
}
@media (forced-colors: active) {
  svg { stroke: CanvasText }
  button:disabled { color: GrayText; border-color: GrayText }
}
`;

let sheet: CSSStyleSheet | undefined;

/** One sheet for all elements of the page. A strict content security policy allows it, as it is made by script. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
