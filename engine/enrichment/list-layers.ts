/** Lists the layers stored in a land file. */
import type { LandStore } from '../store/land-store.ts';
import type { LayerKind } from './layer-kinds.ts';

interface LayerListed {
  readonly layer_id: number;
  readonly fips: string;
  readonly kind: LayerKind;
  /** Empty for kinds that complete parcels. */
  readonly title: string;
  readonly source_name: string;
  readonly source_date: string;
  readonly feature_count: number;
  readonly loaded_at: string;
}

export const listLayers = ({ file }: LandStore): LayerListed[] =>
  file.all(
    'SELECT layer_id, fips, kind, title, source_name, source_date, feature_count, loaded_at FROM layers ORDER BY fips, kind, title',
  );
