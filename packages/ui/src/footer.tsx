import type { PageBrand } from './stage/page-brand.ts';

type Props = {
  stage: PageBrand | undefined;
  /** By their texts. */
  links?: Readonly<Record<string, string | undefined>>;
};

/** Where a page leads besides, and who is responsible for it, where the stage says so. */
export function Footer({ stage, links = {} }: Props) {
  const all = Object.entries({ ...links, Imprint: stage?.imprintUrl, Privacy: stage?.privacyUrl });
  const items = all.flatMap(([text, url]) =>
    url === undefined
      ? []
      : [
          <li key={text}>
            <a href={url}>{text}</a>
          </li>,
        ],
  );
  if (items.length === 0) return null;
  return (
    <footer class="wide">
      <ul>{items}</ul>
    </footer>
  );
}
