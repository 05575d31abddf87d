/** Lists the layers stored in a land file. */
import type { LandStore } from '../store/land-store.ts';
import type { LayerKind } from './layer-kinds.ts';

export interface LayerListed {
  readonly layer_id: number;
  readonly fips: string;
  readonly kind: LayerKind;
  readonly source_name: string;
  readonly source_date: string;
  readonly feature_count: number;
  readonly loaded_at: string;
}

export const listLayers = ({ file }: LandStore): LayerListed[] =>
  file.all(
    'SELECT layer_id, fips, kind, source_name, source_date, feature_count, loaded_at FROM layers ORDER BY fips, kind',
  );
