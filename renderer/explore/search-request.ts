/** The search as a request of the public API. */
import type { ApiRequest } from '../state/copy-request.ts';
import { explore } from './explore-state.ts';
import { askableBody, type FilterBody, publicBody } from './filter-body.ts';

/** Path of the public API; a test compares it with the operation's own. */
export const filterPath = '/api/public/v1/properties/filter/';

export const searchRequest = (body: FilterBody = askableBody(explore.get().filter)): ApiRequest => ({
  path: `${filterPath}?page_size=500`,
  body: JSON.stringify(publicBody(body)),
  noun: 'parcels',
});
