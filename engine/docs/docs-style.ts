/** The style of `/docs`, in the app's colours (renderer/styles/tokens.css; a test compares them). */

const light = {
  bg: '#f3f2ed',
  surface: '#ffffff',
  'surface-2': '#faf9f6',
  'surface-3': '#eeede7',
  text: '#1c1f1b',
  'text-2': '#4a4f48',
  'text-3': '#62675f',
  line: '#e4e2da',
  'line-2': '#d0cdc3',
  'line-control': '#8a8d84',
  accent: '#1b5db0',
  'accent-hover': '#164c92',
  'on-accent': '#ffffff',
  'accent-text': '#17539f',
  'accent-soft': '#e5eef9',
  focus: '#1b5db0',
  ok: '#25683b',
  danger: '#a8231b',
};

const dark: Readonly<Record<keyof typeof light, string>> = {
  bg: '#121412',
  surface: '#1a1d1a',
  'surface-2': '#1f231f',
  'surface-3': '#2a2f2a',
  text: '#e8eae4',
  'text-2': '#bcc1b7',
  'text-3': '#9ba196',
  line: '#2b302b',
  'line-2': '#3b413a',
  'line-control': '#747b71',
  accent: '#82b3f2',
  'accent-hover': '#a0c6f7',
  'on-accent': '#0b1a2c',
  'accent-text': '#97c0f5',
  'accent-soft': '#1c2e45',
  focus: '#82b3f2',
  ok: '#8ccb9c',
  danger: '#f2a099',
};

export const docsColors = { light, dark };

const rules = (colors: Readonly<Record<string, string>>): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color};`)
    .join('');

export const docsStyle = `@font-face{font-family:Inter;src:url(/docs/inter);font-weight:100 900;font-display:swap}
:root{${rules(light)}color-scheme:light}
@media (prefers-color-scheme:dark){:root{${rules(dark)}color-scheme:dark}}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--bg);color:var(--text);font:0.875rem/1.375rem Inter,system-ui,-apple-system,"Segoe UI",sans-serif;display:grid;grid-template-columns:296px minmax(0,1fr)}
code,pre,textarea,kbd{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:0.8125rem}
a{color:var(--accent-text)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
[hidden]{display:none!important}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;z-index:2;background:var(--surface);padding:8px 12px}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:20px 16px;border-right:1px solid var(--line-2);background:var(--surface-2)}
.brand{margin:0 0 16px;font-size:1.25rem;line-height:1.75rem;font-weight:600}
.brand a{color:var(--text);text-decoration:none}
label{display:block;font-size:0.75rem;line-height:1rem;color:var(--text-2);margin-bottom:4px}
input,textarea{width:100%;padding:6px 10px;border:1px solid var(--line-control);border-radius:6px;background:var(--surface);color:var(--text);font-size:0.8125rem;line-height:1.25rem}
input{font-family:inherit}
input::placeholder{color:var(--text-3);opacity:1}
.find{position:relative}
kbd{position:absolute;right:8px;bottom:6px;padding:0 6px;border:1px solid var(--line-2);border-radius:4px;color:var(--text-3);background:var(--surface);font-size:0.75rem}
#found{min-height:1rem;margin:4px 0 8px;font-size:0.75rem;line-height:1rem;color:var(--text-2)}
summary{cursor:pointer;font-weight:500;padding:6px 0}
.list>summary{font-size:0.75rem;color:var(--text-2);padding:4px 8px}
.list ul{list-style:none;margin:0;padding:0}
.list a{display:flex;justify-content:space-between;gap:8px;padding:4px 8px;border-radius:6px;color:var(--text);text-decoration:none;overflow-wrap:anywhere}
.list a:hover{background:var(--surface-3)}
.tokens{color:var(--text-3);font-size:0.75rem;font-variant-numeric:tabular-nums}
.list>summary .tokens{float:right}
.key{margin-top:16px;padding-top:16px;border-top:1px solid var(--line-2)}
.key p,.note{font-size:0.75rem;line-height:1.125rem;color:var(--text-2);margin:6px 0 0}
main{padding:32px 40px 80px;min-width:0}
main>*{max-width:980px;margin:0 auto}
.intro h1{font-size:1.75rem;line-height:2.25rem;font-weight:600;margin:0}
.lead{font-size:1rem;line-height:1.5rem;color:var(--text-2);margin:4px 0 16px}
dl{margin:0 0 16px;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
dl div{display:flex;gap:16px;padding:8px 16px}
dl div+div{border-top:1px solid var(--line)}
dt{flex:0 0 168px;color:var(--text-2)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
main>section{margin-top:24px;padding:24px;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
h2{margin:0;font-size:1.25rem;line-height:1.75rem;font-weight:600;overflow-wrap:anywhere}
h2 a{color:inherit;text-decoration:none}
h2 a:hover{text-decoration:underline}
h3{margin:20px 0 8px;font-size:0.875rem;line-height:1.25rem;font-weight:600}
h4{margin:12px 0 4px;font-size:0.75rem;font-weight:600;color:var(--text-2)}
.scripted h4{display:none}
.line{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.route{padding:3px 8px;border-radius:6px;background:var(--surface-3);overflow-wrap:anywhere}
.chip{padding:2px 10px;border:1px solid var(--line-2);border-radius:999px;font-size:0.75rem;line-height:1.125rem;color:var(--text-2)}
.price{background:var(--accent-soft);border-color:transparent;color:var(--accent-text);font-weight:500}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:4px 0 12px}
table{width:100%;border-collapse:collapse;font-size:0.8125rem;line-height:1.25rem}
th,td{padding:6px 12px;text-align:left;vertical-align:top;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{border-top:0;background:var(--surface-2);font-size:0.6875rem;line-height:1rem;color:var(--text-2);font-weight:500}
tbody th{font-weight:400;white-space:nowrap}
td{min-width:90px}
td:last-child{min-width:220px}
.need{display:block;font-size:0.6875rem;line-height:1rem;color:var(--danger)}
.unit{display:block;font-size:0.6875rem;line-height:1rem;color:var(--text-3)}
.errors{font-size:0.75rem;color:var(--text-2)}
.tabs{display:flex;flex-wrap:wrap;gap:2px;padding:2px;border-radius:6px;background:var(--surface-3);width:fit-content}
.tabs button{padding:3px 10px;border:0;border-radius:4px;background:none;color:var(--text-2);font:inherit;font-size:0.8125rem;cursor:pointer}
.tabs [aria-selected=true]{background:var(--surface);color:var(--text);font-weight:500;box-shadow:0 1px 2px rgb(30 28 20/.12)}
.panel{position:relative}
pre{margin:8px 0 0;padding:12px 16px;border:1px solid var(--line);border-radius:6px;background:var(--surface-2);overflow:auto;max-height:480px;line-height:1.25rem}
.copy{position:absolute;top:16px;right:8px;padding:2px 10px;border:1px solid var(--line-2);border-radius:6px;background:var(--surface);color:var(--text-2);font:inherit;font-size:0.75rem;cursor:pointer}
.try{margin-top:20px;padding-top:4px;border-top:1px solid var(--line)}
.send{display:flex;flex-wrap:wrap;gap:12px;align-items:center;margin:8px 0}
.press{padding:5px 16px;border:0;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:500;cursor:pointer}
.press:hover{background:var(--accent-hover)}
.press:disabled{opacity:.6}
.fine{color:var(--ok);margin:8px 0 0}
.wrong{color:var(--danger);margin:8px 0 0}
@media (max-width:900px){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line-2)}main{padding:20px 12px 48px}main>section{padding:16px 14px}dl div{display:block}.copy{position:static;margin-top:6px}kbd{display:none}}
@media (max-width:600px){table,tbody,tr,th,td{display:block}thead{display:none}tr{padding:8px 12px}tr+tr{border-top:1px solid var(--line)}th,td{border:0;padding:1px 0}tbody th{white-space:normal}td:empty{display:none}.need,.unit{display:inline;margin-left:8px}}
@media print{body{display:block;background:none;color:#000}nav,.try,.tabs,.copy{display:none}main{padding:0}main>section{border:0;padding:0}section{break-before:auto}.panel[hidden]{display:block!important}.scripted h4{display:block}pre{white-space:pre-wrap;max-height:none}.wide{overflow:visible}tr{break-inside:avoid}}
`;
