/** How far a compass points beside true north, by the World Magnetic Model. */

export interface Declination {
  /** East of true north is positive: a magnetic bearing is the true one less this. */
  readonly degrees: number;
  readonly model: string;
}

/** The used part of the package. */
interface Geomagnetism {
  /** @throws Error beyond the years of its models */
  model(date: Date): { readonly epoch: number; point(place: readonly number[]): { readonly decl: number } };
}

/** Null beyond the years that a shipped model covers; one covers five. */
export async function magneticDeclination(
  longitude: number,
  latitude: number,
  date: Date,
): Promise<Declination | null> {
  // Loaded on demand: few programs need it.
  const { default: geomagnetism }: { default: Geomagnetism } = await import('geomagnetism' as string);
  try {
    const model = geomagnetism.model(date);
    const { decl } = model.point([latitude, longitude]);
    return Number.isFinite(decl)
      ? { degrees: Math.round(decl * 10) / 10, model: `World Magnetic Model ${Math.floor(model.epoch)}` }
      : null;
  } catch {
    return null;
  }
}
