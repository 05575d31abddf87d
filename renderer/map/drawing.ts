/** Drawing on the map: one area or one line at a time, edited by its corners. A small wrapper around Terra Draw. */
import type { Feature, Geometry, LineString, Polygon } from 'geojson';
import { TerraDraw, TerraDrawLineStringMode, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { crossesItself } from './crossing.ts';
import type { MapTokens } from './map-tokens.ts';
import { freeHands, type MapLibre } from './open-map.ts';

/** Terra Draw fills other parts of a self-crossing ring than those searched: better no fill. */
const shade = ({ geometry }: { geometry: Geometry }): number => (crossesItself(geometry) ? 0 : 0.12);

export type DrawnShape = Polygon | LineString;

export interface Drawing {
  /** Clears the drawing and starts another. @param drawn shown again, as if it had just been finished */
  begin(kind: 'polygon' | 'linestring', drawn?: DrawnShape | null): void;
  /** Shows a shape for editing by its corners. */
  edit(shape: Polygon): void;
  close(): void;
}

interface DrawingOptions {
  readonly map: MapLibre;
  readonly tokens: MapTokens;
  /** During drawing: the current shape; null if empty. */
  readonly onChange: (shape: DrawnShape | null) => void;
  /** Finished, or a corner was moved. */
  readonly onFinish: (shape: DrawnShape) => void;
}

/** Lines and areas, and the corners of an area. */
function modesIn(tokens: MapTokens) {
  const color = tokens.select as `#${string}`;
  const casing = tokens.selectCasing as `#${string}`;
  const keys = { cancel: null, finish: 'Enter' };
  return [
    new TerraDrawPolygonMode({
      keyEvents: keys,
      styles: {
        fillColor: color,
        fillOpacity: shade,
        outlineColor: color,
        outlineWidth: 3,
        closingPointColor: color,
      },
    }),
    new TerraDrawLineStringMode({
      keyEvents: keys,
      styles: { lineStringColor: color, lineStringWidth: 3, closingPointColor: color },
    }),
    new TerraDrawSelectMode({
      keyEvents: { deselect: null, delete: null, rotate: null, scale: null },
      allowManualDeselection: false,
      flags: {
        polygon: { feature: { coordinates: { midpoints: true, draggable: true, deletable: true } } },
      },
      styles: {
        selectedPolygonColor: color,
        selectedPolygonFillOpacity: shade,
        selectedPolygonOutlineColor: color,
        selectedPolygonOutlineWidth: 3,
        selectionPointColor: color,
        selectionPointOutlineColor: casing,
        midPointColor: casing,
        midPointOutlineColor: color,
      },
    }),
  ];
}

export function openDrawing({ map, tokens, onChange, onFinish }: DrawingOptions): Drawing {
  const draw = new TerraDraw({ adapter: new TerraDrawMapLibreGLAdapter({ map }), modes: modesIn(tokens) });
  let isOpen = true;
  draw.start();
  const casings = addCasings(map, tokens.selectCasing);
  const leaveKeys = drawByKeys(map);
  const shape = (): DrawnShape | null => {
    const found = draw
      .getSnapshot()
      .find(({ geometry, properties }) => geometry.type !== 'Point' && properties.mode !== 'select');
    return (found?.geometry as DrawnShape | undefined) ?? null;
  };
  draw.on('change', () => isOpen && onChange(shape()));
  draw.on('finish', () => {
    const drawn = shape();
    // Terra Draw is still handling the event; the callback may change its mode.
    if (drawn) queueMicrotask(() => isOpen && onFinish(drawn));
  });
  return {
    begin: (kind, drawn) => {
      draw.clear();
      draw.setMode(kind);
      if (drawn) draw.addFeatures([{ type: 'Feature', geometry: drawn, properties: { mode: kind } } as never]);
    },
    edit: (polygon) => {
      draw.clear();
      draw.setMode('polygon');
      const feature: Feature<Polygon> = { type: 'Feature', geometry: polygon, properties: { mode: 'polygon' } };
      const [added] = draw.addFeatures([feature as never]);
      draw.setMode('select');
      if (added?.valid && added.id !== undefined) draw.selectFeature(added.id);
    },
    close: () => {
      isOpen = false;
      leaveKeys();
      // The map may already be gone, and its layers with it.
      try {
        for (const id of casings) map.removeLayer(id);
        // Stopping alone does not restore what the mode disabled, such as map dragging during a corner drag.
        draw.setMode('static');
        draw.stop();
        freeHands(map);
      } catch {
        return;
      }
    },
  };
}

/** While the map has the keyboard, Space presses under its cross, and the line to the next point follows the cross. */
function drawByKeys(map: MapLibre): () => void {
  const canvas = map.getCanvas();
  // Terra Draw listens to pointers only, maplibre to the mouse.
  const send = (type: 'pointermove' | 'pointerdown' | 'pointerup') => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2 };
    canvas.dispatchEvent(new PointerEvent(type, { ...at, button: 0, isPrimary: true, bubbles: true }));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    for (const type of ['pointermove', 'pointerdown', 'pointerup'] as const) send(type);
  };
  const follow = () => canvas.matches(':focus-visible') && send('pointermove');
  canvas.addEventListener('keydown', press);
  map.on('move', follow);
  return () => {
    canvas.removeEventListener('keydown', press);
    map.off('move', follow);
  };
}

/** Casings under the lines of Terra Draw: a line alone is lost on fills of its own brightness. */
function addCasings(map: MapLibre, color: string): string[] {
  return ['td-linestring', 'td-polygon-outline'].flatMap((line) => {
    const source = line.replace('-outline', '');
    if (!map.getLayer(line) || !map.getSource(source)) return [];
    const id = `${source}-casing`;
    map.addLayer({ id, type: 'line', source, paint: { 'line-color': color, 'line-width': 7 } }, line);
    return [id];
  });
}
