/** On top of what both elements have. The link to the app is for phones, which cannot hover: elsewhere the app is on another device. */
export const css = `
:host { --_size: 16rem }
.roomy { --_size: 18.5rem }
blockquote, .code, fieldset { margin-block-start: .5rem }
blockquote {
  max-block-size: 4.4em;
  overflow: auto;
  padding-inline-start: .75rem;
  border-inline-start: 3px solid var(--_accent);
  font-weight: 600;
  white-space: pre-wrap;
}
.code { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem }
blockquote bdi { display: block }
strong { font-size: 1.75em; line-height: 1.2; letter-spacing: .1em }
fieldset { min-inline-size: 0; max-block-size: 6.75rem; overflow: auto; padding: 0; border: 0 }
legend, .hint { position: absolute; clip-path: inset(50%) }
label { display: flex; align-items: center; gap: .625rem; min-block-size: 2.75rem; cursor: pointer }
@media (hover) { a { display: none } }
small { color: var(--_soft) }
input { flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: .25rem; accent-color: var(--_accent) }
@container (max-width: 30rem) {
  .box { --_size: 21rem }
  .idle p { min-block-size: 2.9em }
}
@container (max-width: 22rem) {
  .box { --_size: 27.5rem }
  .idle p { min-block-size: 4.35em }
}
`;
