/** A shared page: one HTML file that asks nothing of any server. Its policy lets only its own script and style run. */
import { createHash } from 'node:crypto';
import { xmlText } from '../exporting/xml-text.ts';
import { sourceWords } from '../sheet/source-words.ts';
import { formatDate } from '../spec/date-words.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import type { ShareContent, SharedParcel } from './share-content.ts';
import type { ShareMap } from './share-map.ts';
import { unknownWord } from './share-parts.ts';
import type { ShownPhoto } from './share-photos.ts';
import { shareScript } from './share-script.ts';
import { shareStyle } from './share-style.ts';

export interface PageParts {
  readonly content: ShareContent;
  readonly map: ShareMap | null;
  readonly photos: readonly ShownPhoto[];
  /** ISO day. */
  readonly madeOn: string;
  readonly notes: readonly string[];
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** No address at all: neither of the page's own place nor of another. */
const policyOf = (style: string): string =>
  `default-src 'none'; img-src data:; style-src ${hash(style)}; script-src ${hash(shareScript)}; base-uri 'none'; form-action 'none'`;

/** A stranger's text: escaped, and its writing direction ends with it. */
const text = (words: string): string => `<bdi>${xmlText(words)}</bdi>`;

/** Without the signs that turn the direction of writing: a title has no elements. */
const plain = (words: string): string => xmlText(words.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ''));

const tools = `<div class="tools" role="group" aria-label="Map" hidden><button type="button" value="in" aria-label="Zoom in">+</button><button type="button" value="out" aria-label="Zoom out">−</button><button type="button" value="all" aria-label="Show all"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/></svg></button><button type="button" value="here" aria-label="Where I am" aria-pressed="false"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="5"/><path d="M12 2v5M12 17v5M2 12h5M17 12h5"/></svg></button></div>`;

const mapOf = ({ svg }: ShareMap): string =>
  `<div class="map" id="map" role="group" tabindex="0" aria-label="Map. Arrows move it, plus and minus zoom, 0 shows all, Escape ends a choice.">${svg}${tools}<p class="said" role="status"></p><div class="scale" aria-hidden="true" hidden><span></span><i></i></div></div>`;

/** A line where the map has a line, an area where it has an area. */
const sampleOf = (look: string): string =>
  look === 'lot' || look === 'pin'
    ? `<g><path class="${look}" d="${look === 'pin' ? 'M12 6h0' : 'M2 2h20v8H2z'}"/></g>`
    : `<g class="ground"><path class="${look.startsWith('road ') ? `${look} edge` : look}" d="${areas.has(look) ? 'M1 1h22v10H1z' : 'M0 9l8-5 8 3 8-4'}"/>${look.startsWith('road ') ? `<path class="${look} over" d="M0 9l8-5 8 3 8-4"/>` : ''}</g>`;

const areas: ReadonlySet<string> = new Set(['near', 'woods', 'public', 'wetlands', 'flood', 'water', 'buildings']);

const legendOf = ({ legend }: ShareMap): string =>
  `<ul class="legend" aria-label="Legend">${legend
    .map(
      ({ look, title }) => `<li><svg viewBox="0 0 24 12" aria-hidden="true">${sampleOf(look)}</svg>${text(title)}</li>`,
    )
    .join('')}</ul>`;

function cardOf(
  { number, apn, acres, place, facts, polygons, point }: SharedParcel,
  isOnly: boolean,
  hasMap: boolean,
): string {
  const rows = facts.map(
    ([label, words]) =>
      `<div><dt>${xmlText(label)}</dt><dd>${words === unknownWord ? `<span class="unknown">${unknownWord}</span>` : text(words)}</dd></div>`,
  );
  const middle = point ? `${point[1].toFixed(5)}, ${point[0].toFixed(5)}` : unknownWord;
  rows.push(`<div><dt>A point in it</dt><dd>${middle}</dd></div>`);
  const size = acres === null ? 'acres unknown' : `${acres.toLocaleString('en-US', { maximumFractionDigits: 2 })} ac`;
  const find =
    hasMap && !isOnly && (polygons || point)
      ? `<p class="find"><a href="#map" data-find="${number}">Show ${number} on the map</a></p>`
      : '';
  return `<details id="p${number}" open><summary>${isOnly ? '' : `<b>${number}</b> · `}<b>${text(apn)}</b> <span>· ${size}${place ? ` · ${text(place)}` : ''}</span></summary><dl>${rows.join('')}</dl>${find}</details>`;
}

function photosOf(photos: readonly ShownPhoto[], isOnly: boolean): string {
  if (photos.length === 0) return '';
  const figures = photos.map(({ number, parcel, apn, day, bytes, width, height }) => {
    const words = [`Photo ${number}`, isOnly ? '' : `parcel ${parcel}, ${apn}`, day ? formatDate(day) : 'day unknown'];
    const caption = words.filter(Boolean).join(' · ');
    return `<li><figure id="f${number}"><img alt="${xmlText(caption)}" width="${width}" height="${height}" src="data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}"><figcaption>${text(caption)}</figcaption></figure></li>`;
  });
  return `<section aria-labelledby="photos"><h2 id="photos">Photos</h2><ul class="photos">${figures.join('')}</ul></section>`;
}

export function shareHtml({ content, map, photos, madeOn, notes }: PageParts): string {
  const { title, subtitle, parcels, sources } = content;
  const isOnly = parcels.length === 1;
  const cards = parcels.map((parcel) => cardOf(parcel, isOnly, map !== null)).join('');
  const from = [...sourceWords([...sources, ...(map?.sources ?? [])]), map?.ground].filter(Boolean);
  const style = `${shareStyle}svg{--u:${map?.unit ?? 1}}`;
  const said = notes.map((note) => `<p>${text(note)}</p>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policyOf(style)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><title>${plain(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><div class="page${map ? ' has-map' : ''}"><header><h1>${text(title)}</h1><p>${text(subtitle)}</p></header>
${map ? `<section aria-label="Map and legend">${mapOf(map)}${legendOf(map)}</section>` : ''}
<main>${cards}${photosOf(photos, isOnly)}</main>
<footer><p class="survey">${notASurvey}</p>${said}<p>${text(`${from.join('. ')}.`)}</p><p>Made with Platbook on ${formatDate(madeOn)}. What the county did not publish is unknown.</p></footer></div>
<script>${shareScript}</script></body></html>
`;
}
