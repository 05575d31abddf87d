/** Which layers a sheet shows: those that are named, else those that the map shows at first. */
import { EngineError } from '../spec/errors.ts';
import { layerTitle } from '../spec/layer-titles.ts';
import { nearNames } from '../spec/validate.ts';
import type { LandStore } from '../store/land-store.ts';
import { type DrawnLayer, drawnLayers } from '../tiles/stored-layers.ts';
import type { MapChoices } from './draw-map.ts';
import type { LayerSource } from './source-words.ts';

/** Kinds that help to find one's way; the map shows them before anything is chosen. */
const shownAtFirst: ReadonlySet<string> = new Set(['roads', 'buildings', 'water', 'plss', 'other']);
const grounds = ['relief', 'contours'] as const;

interface ChosenLayers extends Pick<MapChoices, 'hasRelief' | 'hasContours' | 'layers'> {
  readonly sources: readonly LayerSource[];
}

/**
 * @param names `relief`, `contours`, a kind like `roads`, or a source of the map like `layer-3`; absent: as at first
 * @throws EngineError validation_error for a name that is none of these
 */
export function chooseLayers(land: LandStore, names?: readonly string[]): ChosenLayers {
  const all = drawnLayers(land);
  for (const name of names ?? []) requireKnown(name, all);
  const isShown = ({ layerId, kind }: DrawnLayer) =>
    names ? names.includes(kind) || names.includes(`layer-${layerId}`) : shownAtFirst.has(kind);
  const has = (ground: (typeof grounds)[number]) => names?.includes(ground) ?? true;
  const shown = all.filter(isShown);
  return {
    hasRelief: has('relief'),
    hasContours: has('contours'),
    layers: shown.map((layer) => ({
      layerId: layer.layerId,
      look: layer.look ?? layer.kind,
      title: titleOf(layer),
      color: layer.color,
    })),
    sources: shown.map((layer) => ({ title: titleOf(layer), name: layer.sourceName, date: layer.sourceDate })),
  };
}

/** A layer that is only drawn has a title of its own. */
const titleOf = ({ kind, title }: DrawnLayer): string => title || layerTitle(kind);

function requireKnown(name: string, all: readonly DrawnLayer[]): void {
  const known = [...grounds, ...new Set(all.map(({ kind }) => kind)), ...all.map(({ layerId }) => `layer-${layerId}`)];
  if (known.includes(name)) return;
  const near = nearNames(name, known);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${known.join(', ')}.`;
  throw new EngineError(
    'validation_error',
    `There is no layer ${JSON.stringify(name.slice(0, 100))} to print; ${hint}`,
  );
}
