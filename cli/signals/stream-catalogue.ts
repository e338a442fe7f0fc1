import * as v from 'valibot';
import { streamPrefix } from '../../core/export/targets/target-item.ts';
import { streamRecord, type Stream } from '../../core/signals/stream.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CatalogueStore } from '../targets/catalogue-store.ts';

/** The streams of signals of one tenant or of all, with the names of their tenants. */
export const streamCatalogueOf = (deployment: Deployment): CatalogueStore<Stream> =>
  new CatalogueStore<Stream>(deployment, {
    prefix: streamPrefix,
    read: (item) => {
      const result = v.safeParse(streamRecord, item);
      return result.success ? result.output : undefined;
    },
  });
