/** Map or photo: the choice at the top of the layers, and the photos with their date, detail and opacity. */
import { ImagePlus } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { openImport } from '../import/open-import.ts';
import { formatDate, formatNumber } from '../parts/format.ts';
import { Segments } from '../parts/segments.tsx';
import { useClient } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import type { MapSources } from './map-sources.ts';
import { chooseLayer, type GroundLook, mapMemory } from './map-state.ts';
import { type Photo, photoOpacity, photoShown, photosOf } from './photo.ts';
import { metersPerFoot, metersPerPixel } from './units.ts';

const looks: readonly { readonly value: GroundLook; readonly label: string }[] = [
  { value: 'map', label: 'Map' },
  { value: 'photo', label: 'Photo' },
  { value: 'relief', label: 'Photo with relief' },
];

export function PhotoPart({ sources }: { sources: MapSources }) {
  const { look, layers } = useStore(mapMemory);
  const shown = photoShown(sources, useStore(mapMemory));
  const photos = photosOf(sources);
  const offered = sources.terrain ? looks : looks.filter(({ value }) => value !== 'relief');
  return (
    <section className="map-photos">
      <Segments
        label="Under the lots"
        value={look}
        choices={offered}
        onChange={(next) => mapMemory.set({ look: next })}
      />
      {shown
        ? photos.map((photo) => <PhotoRow key={photo.source} photo={photo} isOf={photos.length} shown={shown} />)
        : null}
      {shown ? <Opacity photo={shown} value={photoOpacity(layers, shown)} /> : null}
      {photos.length === 0 && look !== 'map' ? (
        <p className="small-text quieter">There is no photo of the air here yet.</p>
      ) : null}
      <button type="button" className="button" onClick={openImport}>
        <ImagePlus aria-hidden />
        Add an aerial photo
      </button>
    </section>
  );
}

function PhotoRow({ photo, isOf, shown }: { photo: Photo; isOf: number; shown: Photo }) {
  return (
    <div className="map-photo">
      <Thumbnail photo={photo} />
      <span>
        <b>{photo.title}</b>
        <span className="small-text quieter num">{photoWords(photo).join(' · ')}</span>
        {(photo.photo?.missing.length ?? 0) > 0 ? (
          <span className="small-text problem">
            Not where it was: {photo.photo?.missing.join(', ')}. It is drawn from what was kept.
          </span>
        ) : null}
      </span>
      {isOf > 1 ? (
        <input
          type="radio"
          name="photo"
          aria-label={`Show ${photo.title}`}
          checked={photo.source === shown.source}
          onChange={() => mapMemory.set({ photo: photo.source })}
        />
      ) : null}
    </div>
  );
}

function Opacity({ photo, value }: { photo: Photo; value: number }) {
  const id = useId();
  return (
    <div className="map-opacity">
      <label htmlFor={id}>Opacity</label>
      <input
        {...{ id, type: 'range', min: 10, max: 100, step: 5, value }}
        onChange={(event) => chooseLayer(photo.source, { isOn: true, opacity: Number(event.target.value) })}
      />
      <output htmlFor={id} className="num">
        {value} %
      </output>
    </div>
  );
}

/** `flown 14 Jul 2025 · 1 ft a pixel · sharpening, 40 %`; a photo of unknown date has what its file says instead. */
function photoWords(photo: Photo): string[] {
  const { photo: facts, attribution, bounds, maxzoom, tile_size: side } = photo;
  const [, south = 0, , north = 0] = bounds ?? [];
  // Maplibre's zooms are those of tiles with 512 pixels.
  const feet = metersPerPixel((south + north) / 2, maxzoom + Math.log2(side / 512)) / metersPerFoot;
  return [
    ...(facts?.flown ? [`flown ${formatDate(facts.flown)}`] : attribution ? [attribution] : ['date unknown']),
    `${formatNumber(feet, feet < 1.95 ? 1 : 0)} ft a pixel`,
    ...sharpening(photo),
  ];
}

const sharpening = ({ photo }: Photo): string[] =>
  photo && photo.state < 1 ? [`sharpening, ${Math.floor(photo.state * 100)} %`] : [];

/** `Photo: alder.tif, 14 Jul 2025`, for the status bar. */
export const photoStatus = (photo: Photo): string =>
  [
    `Photo: ${photo.title}`,
    photo.photo?.flown ? formatDate(photo.photo.flown) : photo.attribution,
    ...sharpening(photo),
  ]
    .filter((part) => part !== '')
    .join(', ');

/** A tile of the photo's middle. */
function Thumbnail({ photo: { source, bounds, minzoom, maxzoom } }: { photo: Photo }) {
  const client = useClient();
  const [address, setAddress] = useState<string | null>(null);
  const box = bounds?.join(' ') ?? '';
  useEffect(() => {
    const [west = 0, south = 0, east = 0, north = 0] = box.split(' ').map(Number);
    const zoom = Math.max(minzoom, Math.min(maxzoom, 14));
    const radians = ((south + north) / 2) * (Math.PI / 180);
    const column = Math.floor(((west + east) / 2 / 360 + 0.5) * 2 ** zoom);
    const row = Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** zoom);
    const gone = new AbortController();
    let made: string | null = null;
    client.tile(source, zoom, column, row, { signal: gone.signal }).then(
      (bytes) => {
        if (bytes.byteLength === 0 || gone.signal.aborted) return;
        made = URL.createObjectURL(new Blob([bytes]));
        setAddress(made);
      },
      // Without a picture the name is enough.
      () => {},
    );
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [client, source, box, minzoom, maxzoom]);
  return <span className="map-thumb">{address ? <img src={address} alt="" /> : null}</span>;
}
