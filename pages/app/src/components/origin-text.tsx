import { Fragment } from 'preact';
import { originParts, type RequestOrigin } from '../text/request-origin.ts';
import { ForeignText } from '#ui/foreign-text.tsx';

/** Where the user's request to the website came from, such as "Firefox on Windows · Köln". */
export const OriginText = ({ origin }: { origin: RequestOrigin }) => (
  <>
    {originParts(origin).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && ' · '}
        <ForeignText text={part} />
      </Fragment>
    ))}
  </>
);
