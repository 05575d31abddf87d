/** What was brought in beside parcels: layers of each county, and lists of comps. */
import type { LandStore } from '../store/land-store.ts';

interface LoadedLayer {
  readonly fips: string;
  readonly kind: string;
  /** Empty unless the layer is only drawn. */
  readonly title: string;
  readonly source_name: string;
  readonly done_at: string;
  readonly features: number;
}

interface LoadedComps {
  readonly fips: string;
  readonly source: string;
  readonly comps: number;
}

/** Newest first. */
export const listLayers = ({ file }: LandStore): LoadedLayer[] =>
  file.all(
    `SELECT fips, kind, title, source_name, loaded_at AS done_at, feature_count AS features FROM layers
     ORDER BY loaded_at DESC, layer_id DESC`,
  );

/** Comps keep their list, not the day on which it was brought in. */
export const listComps = ({ file }: LandStore): LoadedComps[] =>
  file.all('SELECT fips, source, count(*) AS comps FROM comps GROUP BY fips, source ORDER BY fips, source');
