import type { Texts } from '../i18n/en.ts';
import { parseDetails, type DetailsNode } from '../text/details-tree.ts';
import { ForeignText } from './foreign-text.tsx';

/** All members of the details that the user signs. None is hidden, translated or reformatted. */
export function DetailsView({ source, texts }: { source: string; texts: Texts }) {
  const node = parseDetails(source);
  const { challenge } = texts;
  return (
    <section class="details" aria-labelledby="details-title">
      <h2 id="details-title">{challenge.details}</h2>
      {node ? (
        <Node node={node} texts={texts} />
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

function Node({ node, texts }: { node: DetailsNode; texts: Texts }) {
  switch (node.kind) {
    case 'object':
      return node.members.length > 0 ? (
        <Members members={node.members} texts={texts} />
      ) : (
        <Empty texts={texts} />
      );
    case 'array':
      return node.items.length > 0 ? <Items items={node.items} texts={texts} /> : <Empty texts={texts} />;
    case 'text':
      return <ForeignText text={node.text} />;
    case 'literal':
      return <>{literalText(node.source, texts)}</>;
  }
}

const Members = ({
  members,
  texts,
}: {
  members: readonly (readonly [string, DetailsNode])[];
  texts: Texts;
}) => (
  <dl>
    {members.map(([name, node], index) => (
      <div key={index} class={isLong(node) ? 'nested' : 'row'}>
        <dt>
          <ForeignText text={name} />
        </dt>
        <dd>
          <Node node={node} texts={texts} />
        </dd>
      </div>
    ))}
  </dl>
);

const Items = ({ items, texts }: { items: readonly DetailsNode[]; texts: Texts }) => (
  <ol class="items" aria-label={texts.challenge.details}>
    {items.map((node, index) => (
      <li key={index}>
        <Node node={node} texts={texts} />
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
