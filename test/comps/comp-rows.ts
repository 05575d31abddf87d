/** Comps put straight into a home, for tests that need exact ones and no import. */
import type { Comp } from '../../engine/operations/list-comps.ts';
import type { LandStore } from '../../engine/store/land-store.ts';

export type CompFields = Partial<Omit<Comp, 'latitude' | 'longitude' | 'photos'>> & {
  latitude?: number;
  longitude?: number;
  photos?: string[];
  fips?: string;
  property_id?: number | null;
  list_date?: string | null;
  as_of_date?: string | null;
};

/** An id whose order is that of the number. */
export const idOf = (number: number): string => `00000000-0000-5000-8000-${String(number).padStart(12, '0')}`;

export function insertComps({ file }: LandStore, comps: readonly CompFields[]): void {
  file.transaction(() => {
    for (const [index, { photos, id = idOf(index), ...rest }] of comps.entries()) {
      const row: Record<string, unknown> = {
        comp_id: id,
        source: 'test',
        source_id: id,
        fips: '33019',
        status: 'SOLD',
        latitude: 43,
        longitude: -72,
        lot_size: 1,
        price: 10_000,
        photos: JSON.stringify(photos ?? []),
        ...rest,
      };
      const names = Object.keys(row);
      file.run(
        `INSERT INTO comps (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...Object.values(row),
      );
    }
  });
}
