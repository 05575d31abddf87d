/** A TopoJSON of GeoJSON features: each ring and line an arc of its own, as a program without shared borders writes it. */
import fs from 'node:fs';

type Nested = readonly (number | Nested)[];

interface Feature {
  readonly geometry: unknown;
  readonly properties: unknown;
}

/** @returns the path of the file */
export function writeTopoJson(file: string, features: readonly Feature[], layer = 'lots'): string {
  const arcs: Nested[] = [];
  /** Numbers of arcs in place of lists of places, at whatever depth these stand. */
  const numbered = (coordinates: Nested): unknown => {
    const isPath = typeof (coordinates[0] as Nested)[0] === 'number';
    return isPath ? [arcs.push(coordinates) - 1] : coordinates.map((part) => numbered(part as Nested));
  };
  const geometries = features.map(({ geometry, properties }) => {
    const { type, coordinates } = geometry as { type: string; coordinates: Nested };
    return { type, properties, arcs: numbered(coordinates) };
  });
  const objects = { [layer]: { type: 'GeometryCollection', geometries } };
  fs.writeFileSync(file, JSON.stringify({ type: 'Topology', objects, arcs }));
  return file;
}
