/** Shared by the operations over feeds: fields, addresses, the list. */
import Type, { type Static } from 'typebox';
import {
  type Feed,
  type FeedFormat,
  type FeedKind,
  type FeedSecret,
  feedFormats,
  listFeeds,
} from '../account/feed-store.ts';
import { keptPort } from '../account/last-port.ts';
import { standardPort } from '../spec/standard-port.ts';
import { fipsSchema, orNull, strict, textSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';

/** The fields of a comp value available as feeds. */
export const valueFields = [
  'mean_adjusted_price',
  'mean_adjusted_ppa',
  'mean_price',
  'mean_ppa',
  'confidence_score',
  'gini_index',
] as const;

export type ValueField = (typeof valueFields)[number];

/** The fields of an operation over feeds that every one of them shares. */
export const feedTerms = { scope: 'feeds', needsPlan: true } as const;

export const feedIdInput = Type.Object(
  { feed_id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'The number of the feed.' }) },
  strict,
);

/** How the address of a value names its parcel, where the feed has none. */
export const feedParcelInput = Type.Object({ fips: fipsSchema(), apn: textSchema() }, strict);

export const feedMadeSchema = Type.Object(
  {
    feed_id: Type.Integer(),
    secret: Type.String(),
    leaves_out_do_not_mail: Type.Boolean({
      description: 'Whether the feed leaves out parcels whose owners must not get letters.',
    }),
    paths: Type.Array(Type.String(), {
      description: '`/feeds/<secret>/<name>.csv`, below the address of the API; one for each format.',
    }),
    addresses: Type.Array(Type.String(), {
      description: 'The same in whole, on the port where this home is served or will be.',
    }),
  },
  { ...strict, title: 'FeedMade' },
);
export type FeedMade = Static<typeof feedMadeSchema>;

/** The name is for people: the look-up ignores it. */
const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'feed';

export function feedMade(
  account: AccountStore,
  secret: FeedSecret,
  { name, kind, leaves_out_do_not_mail: leavesOut }: Pick<Feed, 'name' | 'kind' | 'leaves_out_do_not_mail'>,
): FeedMade {
  const base = `http://127.0.0.1:${keptPort(account) ?? standardPort}`;
  const paths = feedFormats[kind].map((format) => `/feeds/${secret.secret}/${slug(name)}.${format}`);
  return { ...secret, leaves_out_do_not_mail: leavesOut, paths, addresses: paths.map((path) => base + path) };
}

const text = Type.String();

export const listedFeedSchema = Type.Object(
  {
    feed_id: Type.Integer(),
    name: text,
    kind: Type.Unsafe<FeedKind>(text),
    formats: Type.Array(Type.Unsafe<FeedFormat>(text)),
    leaves_out_do_not_mail: Type.Boolean(),
    made_at: text,
    last_used_at: orNull(text),
  },
  { ...strict, title: 'Feed' },
);

/** The feeds without their addresses, of which only hashes are stored; newest first. */
export const listedFeeds = (account: AccountStore) =>
  listFeeds(account).map(({ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at }) => ({
    ...{ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at },
    formats: [...feedFormats[kind]],
  }));
