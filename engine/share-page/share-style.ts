/** The style of a shared page, in the app's colors (renderer/styles/tokens.css; a test compares them). */

const light = {
  bg: '#f3f2ed',
  surface: '#ffffff',
  'surface-3': '#eeede7',
  text: '#1c1f1b',
  'text-2': '#4a4f48',
  line: '#e4e2da',
  'line-2': '#d0cdc3',
  'line-control': '#8a8d84',
  'accent-text': '#17539f',
  'accent-soft': '#e5eef9',
  focus: '#1b5db0',
  'map-land': '#f0eee6',
  'map-lot': '#f6f3e9',
  'map-line': '#87806f',
  'map-water': '#bdd8e4',
  'map-water-line': '#6f9fb5',
  'map-water-label': '#2c5d73',
  'map-road': '#ffffff',
  'map-road-edge': '#a79f8d',
  'map-road-main': '#ffe9a8',
  'map-road-label': '#3f3b31',
  'map-building': '#857c6a',
  'map-contour': '#b58f5e',
  'map-contour-bold': '#9a7142',
  'map-woods': '#dbe7cc',
  'map-rail': '#6b675e',
  'map-public': '#7fa35f',
  'map-wet': '#5e9da6',
  'map-flood': '#3e7fa6',
  'map-survey': '#a8452f',
  'map-place': '#26271f',
  'map-halo': '#fbf9f2',
  'map-here': '#0057b8',
  'map-select': '#1b5db0',
  'map-select-casing': '#ffffff',
};

const dark: Readonly<Record<keyof typeof light, string>> = {
  bg: '#121412',
  surface: '#1a1d1a',
  'surface-3': '#2a2f2a',
  text: '#e8eae4',
  'text-2': '#bcc1b7',
  line: '#2b302b',
  'line-2': '#3b413a',
  'line-control': '#747b71',
  'accent-text': '#97c0f5',
  'accent-soft': '#1c2e45',
  focus: '#82b3f2',
  'map-land': '#161916',
  'map-lot': '#1b1e1b',
  'map-line': '#6b726b',
  'map-water': '#1d3641',
  'map-water-line': '#3f6a7b',
  'map-water-label': '#94bbca',
  'map-road': '#444a42',
  'map-road-edge': '#0c0e0c',
  'map-road-main': '#6a5d38',
  'map-road-label': '#d4d7cd',
  'map-building': '#757c70',
  'map-contour': '#5b4f38',
  'map-contour-bold': '#80704d',
  'map-woods': '#1f2a1f',
  'map-rail': '#7e857a',
  'map-public': '#5f7f4a',
  'map-wet': '#3a636b',
  'map-flood': '#5b9ac0',
  'map-survey': '#d98a6a',
  'map-place': '#edefe8',
  'map-halo': '#121412',
  'map-here': '#6db3ff',
  'map-select': '#82b3f2',
  'map-select-casing': '#0b0d0b',
};

export const shareColors = { light, dark };

const rules = (colors: Readonly<Record<string, string>>): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color};`)
    .join('');

/** Lines keep their width at every zoom; letters take `--u`, the units of a pixel, from the script. Paper is always light. */
export const shareStyle = `:root{${rules(light)}color-scheme:light}
@media screen and (prefers-color-scheme:dark){:root{${rules(dark)}color-scheme:dark}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--bg);color:var(--text);font:0.9375rem/1.375rem Inter,system-ui,-apple-system,"Segoe UI","Noto Sans",Arial,sans-serif}
a{color:var(--accent-text)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
header{padding:16px}
h1{margin:0;font-size:1.25rem;line-height:1.75rem;font-weight:600;overflow-wrap:anywhere}
header p,footer p{margin:4px 0 0;color:var(--text-2)}
.map{position:relative;background:var(--map-land);border-block:1px solid var(--line-2)}
.map:focus-visible{outline-offset:-3px}
svg{display:block;width:100%;height:54vh;min-height:280px;touch-action:none;cursor:grab}
.tools{position:absolute;right:8px;top:8px;display:grid;gap:4px}
.tools button{width:44px;height:44px;border:1px solid var(--line-control);border-radius:6px;background:var(--surface);color:var(--text);font:600 1.125rem/1 system-ui,sans-serif;cursor:pointer}
.tools button:hover{background:var(--surface-3)}
.tools svg{width:20px;height:20px;min-height:0;margin:auto;fill:none;stroke:currentColor;stroke-width:2;cursor:inherit}
.said{position:absolute;left:8px;right:60px;top:8px;margin:0;padding:6px 10px;border-radius:6px;background:var(--surface);border:1px solid var(--line-2);font-size:0.8125rem;line-height:1.125rem}
.said:empty{display:none}
.scale{position:absolute;left:10px;bottom:8px;padding:2px 4px 4px;font-size:0.75rem;line-height:1rem;background:var(--surface);color:var(--text);opacity:.9;border-radius:4px}
.scale i{display:block;height:6px;border:2px solid currentColor;border-top:0}
.ground path,.lot{vector-effect:non-scaling-stroke;fill:none;stroke-linejoin:round}
.ground .near{fill:var(--map-lot);stroke:var(--map-line);stroke-width:.8px}
.ground .woods{fill:var(--map-woods);fill-opacity:.75}
.ground .public{fill:var(--map-public);fill-opacity:.15;stroke:var(--map-public);stroke-width:1.5px}
.ground .wetlands{fill:var(--map-wet);fill-opacity:.2;stroke:var(--map-wet);stroke-dasharray:2 3}
.ground .flood{fill:var(--map-flood);fill-opacity:.15;stroke:var(--map-flood);stroke-dasharray:4 3}
.ground .water{fill:var(--map-water);fill-rule:evenodd;stroke:var(--map-water-line)}
.ground .stream{stroke:var(--map-water-line);stroke-width:calc(1.4px*var(--k,1))}
.ground .contour{stroke:var(--map-contour);stroke-width:.6px}
.ground .bold{stroke:var(--map-contour-bold);stroke-width:1px}
.ground .buildings{fill:var(--map-building)}
.ground .rail{stroke:var(--map-rail);stroke-width:1.6px;stroke-dasharray:7 3}
.ground .plss{stroke:var(--map-survey);stroke-width:.8px}
.ground .border{stroke:var(--text-2);stroke-dasharray:5 3}
.road{vector-effect:non-scaling-stroke;fill:none;stroke-linecap:round;stroke-linejoin:round;stroke:var(--s,var(--map-road-edge));stroke-width:calc(var(--w,var(--d))*var(--k,1))}
.local{--d:3.6px}.normal{--d:5.4px}.main{--d:7px}
.over{--s:var(--map-road)}.over.local{--w:2.2px}.over.normal{--w:3.8px}.over.main{--s:var(--map-road-main);--w:5.4px}
.lot{fill:var(--map-select);fill-opacity:.1;fill-rule:evenodd;stroke:var(--map-select);stroke-width:2px}
.is-chosen .lot{fill-opacity:.28;stroke-width:4px}
.pin,.here path{fill:none;vector-effect:non-scaling-stroke;stroke-linecap:round;stroke:var(--map-select-casing);stroke-width:20px}
.pin{stroke:var(--text)}
.here .dot{stroke:var(--map-here);stroke-width:14px}
.here circle{fill:var(--map-here);fill-opacity:.14}
svg text{font-size:calc(12px*var(--u));text-anchor:middle;dominant-baseline:central;unicode-bidi:isolate;pointer-events:none;paint-order:stroke;stroke:var(--map-halo);stroke-width:calc(3px*var(--u));stroke-linejoin:round;fill:var(--map-place)}
svg .number{font-weight:650;font-size:calc(13px*var(--u))}
svg .road-name{fill:var(--map-road-label);font-size:calc(11px*var(--u))}
svg .water-name{fill:var(--map-water-label);font-style:italic;font-size:calc(11px*var(--u))}
svg .pin-number{font-size:calc(11px*var(--u));font-weight:650;fill:var(--bg);stroke:none}
.is-hidden{visibility:hidden}
.page:not(.has-script) .names{display:none}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:0;padding:8px 16px;font-size:0.75rem;line-height:1rem;color:var(--text-2)}
.legend li{display:flex;align-items:center;gap:6px}
.legend .pin{stroke-width:11px}
.legend svg{width:24px;height:12px;min-height:0;background:var(--map-land);cursor:auto}
main{padding:8px 16px}
details{margin:8px 0;background:var(--surface);border:1px solid var(--line-2);border-radius:10px}
details.is-chosen{border-color:var(--focus);box-shadow:0 0 0 1px var(--focus)}
summary{min-height:44px;padding:10px 14px;cursor:pointer;overflow-wrap:anywhere}
summary b{font-weight:600}
summary span{color:var(--text-2)}
dl{margin:0;padding:0 14px 12px;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:0 24px}
dl div{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:8px;padding:4px 0;border-top:1px solid var(--line)}
dt{color:var(--text-2)}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
.unknown{color:var(--text-2);font-style:italic}
.find{margin:0;padding:0 14px 10px}
h2{margin:16px 0 8px;font-size:1rem;line-height:1.5rem;font-weight:600}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:12px;margin:0;padding:0;list-style:none}
figure{margin:0}
figure img{display:block;width:100%;height:auto;border-radius:6px}
figcaption{font-size:0.8125rem;line-height:1.25rem;color:var(--text-2);padding-top:4px}
footer{padding:8px 16px 24px;font-size:0.8125rem;line-height:1.25rem}
footer .survey{color:var(--text);font-weight:600}
@media screen and (min-width:900px){
.has-map{margin-left:calc(100% - 440px)}
.has-map .map{position:fixed;inset:0 440px 64px 0;border:0}
.has-map .map>svg{height:100%}
.has-map .legend{position:fixed;inset:auto 440px 0 0;height:64px;align-content:center;overflow:auto;border-top:1px solid var(--line-2)}
}
@media print{
@page{margin:13mm}
body{background:#fff;font-size:9.5pt;line-height:13pt}
header,main,footer{padding-inline:0}
.tools,.said,.scale,.find{display:none}
.map{border:1px solid var(--line-2)}
.map>svg{height:120mm}
.legend{padding-inline:0}
details,figure{break-inside:avoid}
h2{break-after:avoid}
details{border:0;border-top:1px solid var(--line-2);border-radius:0;margin:0}
summary{min-height:0;padding:4px 0;list-style:none}
dl{grid-template-columns:1fr 1fr;padding:0 0 6px}
dl div{padding:1px 0;border:0}
}
`;
