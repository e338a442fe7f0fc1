/** On top of what both elements have. A camera needs dark squares on white, whatever the colours of the page. */
export const css = `
:host { --_size: 28.5rem }
.qr { inline-size: 12rem; max-inline-size: 100%; margin-block-start: .5rem; background: #fff; border-radius: .25rem; forced-color-adjust: none; shape-rendering: crispEdges }
@container (max-width: 30rem) {
  .box { --_size: 34.25rem }
}
@container (max-width: 22rem) {
  .box { --_size: 37rem }
}
`;
