/** Settings: the user's own base maps, files in a folder of the home. Platbook downloads nothing. */
import { RotateCw, TriangleAlert } from 'lucide-react';
import { copyText } from '../../parts/clipboard.ts';
import { useRead } from '../../state/client-context.tsx';

export function BaseMapsPart() {
  const { data: place } = useRead('data_place', {});
  const { data, refetch } = useRead('map_sources', {}, { isLasting: true });
  if (!place || !data) return null;
  const separator = place.folder.includes('\\') ? '\\' : '/';
  const folder = `${place.folder}${separator}basemaps`;
  return (
    <section className="option-lines" aria-label="Base maps">
      <h2>Base maps</h2>
      <p className="quieter small-text">
        PMTiles and MBTiles files in this folder are shown under the parcels. Nothing is ever downloaded; make the
        folder where it is not there yet.
      </p>
      <div>
        <span className="mono folder-path">{folder}</span>
        <span className="line">
          <button type="button" className="button" onClick={() => copyText(folder)}>
            Copy
          </button>
          <button type="button" className="button" onClick={() => void refetch()}>
            <RotateCw aria-hidden />
            Look again
          </button>
        </span>
      </div>
      {data.bases.map(({ source, title, type, minzoom, maxzoom, attribution }) => (
        <div key={source}>
          <span>
            {title} {attribution === '' ? null : <span className="small-text quieter">{attribution}</span>}
          </span>
          <span className="quieter num nowrap">
            {type === 'raster' ? 'pictures' : 'lines and areas'}, zoom {minzoom} to {maxzoom}
          </span>
        </div>
      ))}
      {data.bases.length === 0 && data.refused.length === 0 ? <p className="quieter">There are no files yet.</p> : null}
      {data.refused.map(({ name, why }) => (
        <p key={name} className="note warn">
          <TriangleAlert aria-hidden />
          <span>
            <b>{name}</b> is not shown. {why}
          </span>
        </p>
      ))}
    </section>
  );
}
