import { ForeignText } from '#ui/foreign-text.tsx';

/** A mark splits the sentence, so that a name is isolated wherever a language puts it. */
const placeMark = '\u0000';

export function WithName({ text, name }: { text: (name: string) => string; name: string }) {
  const [before, after] = text(placeMark).split(placeMark);
  return (
    <>
      {before}
      <ForeignText text={name} />
      {after}
    </>
  );
}
