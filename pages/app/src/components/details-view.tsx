import type { DetailLabels } from '#device';
import type { Texts } from '../i18n/en.ts';
import type { Language } from '../i18n/texts.ts';
import { labelOf, type Labels, labelsFor } from '../text/detail-label.ts';
import { parseDetails, type DetailsNode } from '../text/details-tree.ts';
import { ForeignText } from '#ui/foreign-text.tsx';

/** All members of the details that the user signs. None is hidden or reformatted; the tenant may have labels for their names. */
export function DetailsView({
  source,
  texts,
  labels,
  language,
}: {
  source: string;
  texts: Texts;
  labels: DetailLabels | undefined;
  language: Language;
}) {
  const node = parseDetails(source);
  const { challenge } = texts;
  return (
    <section class="details" aria-labelledby="details-title">
      <h2 id="details-title">{challenge.details}</h2>
      {node ? (
        <Node node={node} shown={{ texts, language, all: labels }} />
      ) : (
        <>
          <p>{challenge.rawDetails}</p>
          <pre>
            <ForeignText text={source} />
          </pre>
        </>
      )}
    </section>
  );
}

/** How a part is shown: with the labels of the object that it belongs to, below the path to it. */
type Shown = {
  texts: Texts;
  language: Language;
  all: DetailLabels | undefined;
  own?: Labels | undefined;
  path?: string;
};

function Node({ node, shown }: { node: DetailsNode; shown: Shown }) {
  const { texts } = shown;
  switch (node.kind) {
    case 'object':
      return node.members.length > 0 ? (
        <Members members={node.members} shown={withLabels(node, shown)} />
      ) : (
        <Empty texts={texts} />
      );
    case 'array':
      return node.items.length > 0 ? <Items items={node.items} shown={shown} /> : <Empty texts={texts} />;
    case 'text':
      return <ForeignText text={node.text} />;
    case 'literal':
      return <>{literalText(node.source, texts)}</>;
  }
}

/** An object with a `type` has labels of its own. */
function withLabels(node: DetailsNode, shown: Shown): Shown {
  const own = labelsFor(node, shown.all);
  return own ? { ...shown, own, path: '' } : shown;
}

const Members = ({
  members,
  shown,
}: {
  members: readonly (readonly [string, DetailsNode])[];
  shown: Shown;
}) => (
  <dl>
    {members.map(([name, node], index) => {
      const path = shown.path ? `${shown.path}.${name}` : name;
      return (
        <div key={index} class={isLong(node) ? 'nested' : 'row'}>
          <dt>
            <ForeignText text={labelOf(shown.own, path, shown.language) ?? name} />
          </dt>
          <dd>
            <Node node={node} shown={{ ...shown, path }} />
          </dd>
        </div>
      );
    })}
  </dl>
);

const Items = ({ items, shown }: { items: readonly DetailsNode[]; shown: Shown }) => (
  <ol class="items" aria-label={shown.texts.challenge.details}>
    {items.map((node, index) => (
      <li key={index}>
        <Node node={node} shown={shown} />
      </li>
    ))}
  </ol>
);

const Empty = ({ texts }: { texts: Texts }) => <span class="muted">({texts.challenge.emptyList})</span>;

const isLong = ({ kind }: DetailsNode): boolean => kind === 'object' || kind === 'array';

/** Numbers keep all of their digits. */
function literalText(source: string, { challenge }: Texts): string {
  if (source === 'true') return challenge.yes;
  if (source === 'false') return challenge.no;
  return source === 'null' ? challenge.none : source;
}
